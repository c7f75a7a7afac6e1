//! The tutorials of the manual, followed literally: every command of a `console` block is run in an empty folder, and what the page says it prints
//! must be printed. `…` stands for anything.

use std::path::Path;
use std::process::Command;

use crate::casino::Folder;

/// The commands and the expected lines of a page.
fn steps(page: &str) -> (Vec<String>, Vec<String>) {
    let (mut commands, mut expected, mut inside) = (Vec::new(), Vec::new(), false);
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            commands.push(command.to_owned());
        } else if inside && !line.is_empty() {
            expected.push(line.to_owned());
        }
    }
    (commands, expected)
}

/// Whether a line has all parts of the pattern in their order.
fn fits(pattern: &str, line: &str) -> bool {
    let mut rest = line;
    pattern.split('…').map(str::trim).filter(|part| !part.is_empty()).all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

fn follow(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/manual").join(name)).unwrap();
    let (commands, expected) = steps(&page);
    assert!(commands.len() > 3, "{name} has no tutorial");
    let folder = Folder::new(&format!("tutorial-{name}"));
    let rulebooks = root.join("rulebooks").canonicalize().unwrap().display().to_string();
    let script = commands.join("\n").replace("/usr/share/baize/rulebooks", &rulebooks);
    let path = Path::new(env!("CARGO_BIN_EXE_baize")).parent().unwrap().display().to_string();
    let done = Command::new("bash")
        .args(["-c", &format!("set -euo pipefail; exec 2>&1\n{script}")])
        .current_dir(folder.path())
        .env_clear()
        .env("HOME", folder.path())
        .env("PATH", format!("{path}:{}", std::env::var("PATH").unwrap_or_default()))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    let end =
        told.lines().rev().take(20).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n");
    assert!(done.status.success(), "{name}: …\n{end}");
    for line in expected {
        assert!(told.lines().any(|found| fits(&line, found)), "{name} says `{line}`; it ends with\n{end}");
    }
}

#[test]
fn the_auditors_tutorial_holds() {
    follow("auditor.md");
}

#[test]
fn the_operators_tutorial_holds() {
    follow("operator.md");
}

#[test]
fn the_mathematicians_tutorial_holds() {
    follow("mathematician.md");
}

#[test]
fn the_script_authors_tutorial_holds() {
    follow("script-author.md");
}

#[test]
fn the_developers_tutorial_holds() {
    follow("developer.md");
}
