//! The generated client of the API: what is in the docs is what the program makes, and it plays a round.

use std::path::Path;
use std::process::Command;

use crate::casino::{Casino, Folder, said};

#[test]
fn the_client_in_the_docs_is_the_generated_one_and_plays_a_round() {
    let folder = Folder::new("client");
    said(&["generate", "client", &folder.path().display().to_string()]);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/client");
    let made = std::fs::read_to_string(folder.file("baize_client.py")).unwrap();
    let kept = std::fs::read_to_string(docs.join("baize_client.py")).unwrap_or_default();
    assert!(made == kept, "docs/client is out of date: run `cargo run -- generate client docs/client`");
    std::fs::copy(docs.join("play_a_round.py"), folder.file("play_a_round.py")).unwrap();

    let casino = Casino::open(&folder, &folder.file("casino.sqlite"), &[]);
    let played = Command::new("python3")
        .args([&folder.file("play_a_round.py"), &format!("http://{}", casino.address), "robot"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&played.stdout).into_owned();
    assert!(played.status.success(), "{told}{}", String::from_utf8_lossy(&played.stderr));
    assert!(told.contains("2 ante lose 25.00 citing 3.12.1"), "{told}");
    assert!(told.contains("purse 9975.00"), "{told}");
}
