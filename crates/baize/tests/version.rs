//! `baize version`: the program states what it is, and the journal has it whenever a house is opened.

use std::process::{Command, Output};

use baize_rules::Rulebook;
use sha2::{Digest as _, Sha256};

const PROGRAM: &str = env!("CARGO_BIN_EXE_baize");

fn baize(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().expect("baize runs")
}

/// The hash of the program's file, worked out here.
fn hash() -> String {
    let file = std::fs::read(PROGRAM).expect("the program can be read");
    Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_program_states_its_version_its_hash_and_its_rulebooks() {
    let plain = String::from_utf8(baize(&["version"]).stdout).expect("UTF-8");
    let told: serde_json::Value =
        serde_json::from_slice(&baize(&["version", "--json"]).stdout).expect("JSON");
    assert!(plain.starts_with(concat!("baize ", env!("CARGO_PKG_VERSION"), "\n")), "{plain}");
    assert_eq!((&told["version"], &told["hash"]), (&env!("CARGO_PKG_VERSION").into(), &hash().into()));
    assert!(plain.contains(&hash()), "{plain}");
    for (at, book) in Rulebook::builtins().iter().enumerate() {
        assert!(plain.contains(&format!("{} {}", book.hash, book.id)), "{plain}");
        assert_eq!(told["rulebooks"][at]["hash"], book.hash.as_str());
    }
}

#[test]
fn the_journal_and_the_audit_name_the_program() {
    let database = format!("{}/named.sqlite", env!("CARGO_TARGET_TMPDIR"));
    for ending in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{database}{ending}"));
    }
    let played = baize(&["load", "--tables", "1", "--seconds", "1", "--no-floor", "--database", &database]);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let audit: serde_json::Value =
        serde_json::from_slice(&baize(&["audit", "--json", "--database", &database]).stdout).expect("JSON");
    assert_eq!(audit["state"]["program_hash"], hash().as_str(), "{audit:#}");
    let journal = baize(&["journal", "--stream", "house", "--limit", "1", "--database", &database]).stdout;
    let journal = String::from_utf8(journal).expect("JSON is text");
    let started =
        format!("\"fact\":\"started\",\"version\":\"{}\",\"hash\":\"{}\"", env!("CARGO_PKG_VERSION"), hash());
    assert!(journal.contains(&started), "the journal names it: {journal}");
}
