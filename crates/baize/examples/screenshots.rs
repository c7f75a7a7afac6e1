//! Takes a picture of every page: `cargo run -p baize --example screenshots -- docs/screenshots`, with `chromedriver` at hand.
//!
//! It starts the real program on a fresh database, plays a few rounds, and photographs what there is to see.

#![allow(clippy::unwrap_used, reason = "without a browser there are no pictures")]

use std::path::PathBuf;

#[path = "../tests/browser/casino.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod casino;
#[path = "../tests/browser/driver.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod driver;

use casino::Casino;
use driver::{Browser, Driver};

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "docs/screenshots".to_owned()));
    std::fs::create_dir_all(&folder).expect("the folder for the pictures");
    let driver = Driver::start().expect("chromedriver");
    let casino = Casino::open();
    let take = |browser: &Browser, name: &str| {
        std::thread::sleep(std::time::Duration::from_millis(900));
        std::fs::write(folder.join(format!("{name}.png")), decoded(&browser.picture()))
            .expect("the picture is written");
        println!("{name}.png");
    };
    let player = driver.browser(1280, 860);
    player.go(&casino.address("/"));
    take(&player, "lobby");
    casino.sit(&player, "rh-1");
    round(&player, 1);
    take(&player, "table-decision");
    finish(&player);
    take(&player, "table-settled");
    player.go(&casino.address("/history/rh-1/1"));
    player.click("[data-check-proof]");
    take(&player, "replay");
    for (path, name) in [
        ("/history", "history"),
        ("/rules", "rules"),
        ("/rules/rws-progressive-holdem", "rulebook"),
        ("/odds", "odds"),
        ("/odds/mbs-holdem-bonus", "odds-game"),
        ("/sign/RWS", "sign"),
        ("/login", "login"),
        ("/api", "api"),
    ] {
        player.go(&casino.address(path));
        // Exact figures take their time: a picture without them would say nothing.
        for _ in 0..600 {
            let counting =
                player.text().contains("being counted") || (path == "/odds" && !player.text().contains('%'));
            if !counting {
                break;
            }
            std::thread::sleep(std::time::Duration::from_secs(1));
            player.go(&casino.address(path));
        }
        take(&player, name);
    }
    let phone = driver.browser(360, 740);
    casino.sit(&phone, "ms-1");
    round(&phone, 1);
    take(&phone, "table-phone");
    let supervisor = driver.browser(1280, 860);
    casino.let_in(&supervisor, "pit supervisor");
    take(&supervisor, "pit");
    supervisor.go(&casino.address("/pit/ms-1"));
    take(&supervisor, "desk");
    let dealer = driver.browser(1280, 860);
    casino.let_in(&dealer, "dealer");
    dealer.go(&casino.address("/dealer/ms-1"));
    take(&dealer, "dealer");
    let auditor = driver.browser(1280, 860);
    casino.let_in(&auditor, "auditor");
    take(&auditor, "journal");
}

/// Bets, deals and looks.
fn round(player: &Browser, jackpot: u32) {
    player.ask(&format!(
        "const s = document.querySelector('#rail select[name=jackpot]'); if (s) s.selectedIndex = {jackpot}"
    ));
    player.click("#rail form.bets button.primary");
    player.wait("cards", |browser| browser.has("#rail [data-key=f]") || browser.has("#rail [data-key=l]"));
    let look = "#rail [data-key=l]";
    if player.has(look) {
        player.try_click(look);
        player.wait("the hand", |browser| browser.has("#rail .own .card.up"));
    }
}

/// Raises to the end.
fn finish(player: &Browser) {
    for _ in 0..100 {
        if player.has("#slip") {
            break;
        }
        player.try_click("#rail [data-key=r]");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    player.ask("document.querySelector('#slip').open = true");
}

/// Bytes from base 64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(u32::from(letter - b'A')),
        b'a'..=b'z' => Some(u32::from(letter - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(letter - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let letters: Vec<u32> = text.bytes().filter_map(value).collect();
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    for four in letters.chunks(4) {
        let bits = four.iter().fold(0, |bits, letter| bits << 6 | letter) << (6 * (4 - four.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}
