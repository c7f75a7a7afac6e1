//! `baize staff` on a casino that runs and on one that is stopped.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::process::{Command, Output};

use baize_house::{Actor, Duty, House};

fn staff(database: &str, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baize"))
        .arg("staff")
        .args(words)
        .args(["--database", database])
        .env("USER", "nora")
        .env_remove("SUDO_USER")
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_only_shift_manager_can_log_in_again() {
    tokio::runtime::Runtime::new().unwrap().block_on(let_in_again());
}

async fn let_in_again() {
    let folder = std::env::temp_dir().join(format!("baize-staff-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let database = folder.join("casino.sqlite").display().to_string();
    let missing = staff(&database, &["list"]);
    assert!(!missing.status.success());
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no database at"), "{missing:?}");

    let house = House::open(&database).await.unwrap();
    let id = "sue".parse().unwrap();
    house.create_staff(&Actor::House, &id, Some("correct horse"), &[Duty::ShiftManager]).await.unwrap();
    for _ in 0..3 {
        house.log_in("sue", "guess").await.unwrap_err();
    }
    assert!(said(&staff(&database, &["list"])).contains("password login locked"));
    assert_eq!(said(&staff(&database, &["unlock", "sue"])), "Done.\n");
    house.log_in("sue", "correct horse").await.unwrap();
    let link = said(&staff(&database, &["link", "sue", "--origin", "https://casino.example/"]));
    let secret = link.lines().next().unwrap().strip_prefix("https://casino.example/in/").unwrap();
    assert_eq!(house.redeem(secret).await.unwrap().actor, Actor::staff(id, [Duty::ShiftManager]));
    house.close().await.unwrap();

    // No link for ever, and nobody is suspended for nothing.
    for refused in [["link", "sue", "--link-minutes", "999999"], ["suspend", "sue", "--reason", " "]] {
        assert_eq!(staff(&database, &refused).status.code(), Some(2), "{refused:?}");
    }
    said(&staff(&database, &["suspend", "sue", "--reason", "an inquiry"]));
    assert!(said(&staff(&database, &["list"])).contains("suspended"));
    said(&staff(&database, &["reinstate", "sue"]));
    let nobody = staff(&database, &["unlock", "nobody"]);
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("there is no account nobody"), "{nobody:?}");
    let house = House::look_at(&database).await.unwrap();
    let told = house.significant_events(&Actor::House, 20).await.unwrap();
    for words in ["nora used the console: unlock sue", "nora used the console: suspend sue"] {
        assert!(told.iter().any(|event| event.words.contains(words)), "{words}: {told:#?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
