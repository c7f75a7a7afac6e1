//! Takes a picture of every page: `cargo run --release -p baize --example screenshots -- docs/screenshots`, with `chromedriver` at
//! hand. A second word, `every`, takes each page wide and narrow, light and dark as well.
//!
//! It starts the real program on a fresh database, plays a few rounds, and photographs what there is to see.

#![allow(clippy::unwrap_used, reason = "without a browser there are no pictures")]

use std::path::PathBuf;

#[path = "../tests/browser/casino.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod casino;
#[path = "../tests/browser/dealing.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod dealing;
#[path = "../tests/browser/driver.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod driver;

use casino::Casino;
use driver::{Browser, Driver};

/// Where the pictures go, and whether every page is taken in every way, for a close look.
struct Album {
    folder: PathBuf,
    every: bool,
}

impl Album {
    /// Takes what is in the window.
    fn take(&self, browser: &Browser, name: &str) {
        self.keep(browser, name, false);
        if !self.every {
            return;
        }
        for (way, width, height, dark) in [
            ("wide-light", 1280, 860, false),
            ("wide-dark", 1280, 860, true),
            ("phone-light", 360, 740, false),
            ("phone-dark", 360, 740, true),
        ] {
            browser.resize(width, height);
            browser.dark(dark);
            self.keep(browser, &format!("{name}-{way}"), true);
        }
        browser.resize(1280, 860);
        browser.dark(false);
    }

    fn keep(&self, browser: &Browser, name: &str, whole: bool) {
        if whole {
            browser.ask("scrollTo(0, 0)");
        }
        // Cards fly and digits roll for a moment.
        std::thread::sleep(std::time::Duration::from_millis(900));
        std::fs::write(self.folder.join(format!("{name}.png")), decoded(&browser.picture(whole)))
            .expect("the picture is written");
        println!("{name}.png");
    }

    /// Takes the page in the dark.
    fn dark(&self, browser: &Browser, name: &str) {
        browser.dark(true);
        self.keep(browser, name, false);
        browser.dark(false);
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().unwrap_or_else(|| "docs/screenshots".to_owned()));
    std::fs::create_dir_all(&folder).expect("the folder for the pictures");
    let album = Album { folder, every: words.next().is_some_and(|word| word == "every") };
    let driver = Driver::start();
    let casino = Casino::with(&[]);
    let player = driver.browser(1280, 860);
    player.go(&casino.address("/login"));
    album.take(&player, "login");
    player.go(&casino.address("/"));
    album.take(&player, "lobby");
    album.dark(&player, "lobby-dark");
    casino.sit(&player, "rh-1");
    album.take(&player, "table-bets");
    round(&player, 1);
    album.take(&player, "table-decision");
    album.dark(&player, "table-dark");
    finish(&player);
    album.take(&player, "table-settled");
    let phone = driver.browser(360, 740);
    casino.sit(&phone, "ms-1");
    round(&phone, 1);
    album.take(&phone, "table-phone");
    finish(&phone);
    phone.ask("document.querySelector('#slip').open = false; scrollTo(0, 0)");
    album.take(&phone, "table-phone-settled");
    at_work(&album, &driver, &casino);
    player.go(&casino.address("/history/rh-1/1"));
    player.click("[data-check-proof]");
    album.keep(&player, "replay", true);
    if album.every {
        album.take(&player, "replay");
    }
    for (path, name) in [
        ("/history", "history"),
        ("/rules", "rules"),
        ("/rules/rws-progressive-holdem", "rulebook"),
        ("/sign/RWS", "sign"),
        ("/api", "api"),
        ("/nowhere", "not-found"),
    ] {
        player.means(path);
        player.go(&casino.address(path));
        if name != "not-found" || album.every {
            album.take(&player, name);
        }
    }
    odds(&album, &casino, &player);
    player.go(&casino.address("/rating"));
    album.take(&player, "rating");
    player.go(&casino.address("/coach/rws-casino-stud"));
    player.wait_for("#drill form");
    album.take(&player, "coach");
    player.go(&casino.address("/session"));
    player.wait_for("#session-graph .expected");
    album.take(&player, "session");
}

/// The exact figures, once they are all there: the page fills in by itself.
fn odds(album: &Album, casino: &Casino, player: &Browser) {
    for (path, name) in
        [("/odds", "odds"), ("/odds/mbs-holdem-bonus", "odds-game"), ("/odds/rws-casino-stud", "odds-stud")]
    {
        player.go(&casino.address(path));
        for _ in 0..1_800 {
            if !player.has("#counting .counting") {
                break;
            }
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
        assert!(!player.has("#counting .counting"), "the figures take too long");
        if name == "odds-game" {
            player.fill("#calculator input[name=hand]", "qs jd");
            player.fill("#calculator input[name=board]", "10c 9h 2s");
            player.click("#calculator form button[type=submit]");
            player.wait_for("#calculator .advice");
            album.keep(player, name, true);
        }
        if name == "odds" || album.every {
            album.take(player, name);
        }
    }
}

/// The staff: a table dealt by hand, an irregularity that waits for a ruling.
fn at_work(album: &Album, driver: &Driver, casino: &Casino) {
    let (dealer, supervisor, manager) = a_hit(album, driver, casino);
    supervisor.go(&casino.address("/pit"));
    album.take(&supervisor, "pit");
    supervisor.go(&casino.address("/pit/ms-1"));
    album.take(&supervisor, "desk");
    supervisor.go(&casino.address("/surveillance/rws-casino-stud"));
    album.take(&supervisor, "surveillance");
    dealer.go(&casino.address("/dealer"));
    album.take(&dealer, "dealer-tables");
    casino.set(&supervisor, "mb-1", "dealer");
    supervisor.click("#set-auto summary");
    album.take(&supervisor, "desk-set-up");
    let ann = driver.browser(1280, 860);
    casino.sit(&ann, "mb-1");
    dealer.go(&casino.address("/dealer/mb-1"));
    dealer.click("#console button.primary.big");
    ann.wait_for("#rail form.bets");
    ann.click("#rail form.bets button.primary");
    dealer.wait_for_text("No more bets");
    let mut taken = false;
    for _ in 0..80 {
        if dealer.has("#pay h2") {
            break;
        }
        if dealer.has("#console button.primary.big") {
            dealer.try_click("#console button.primary.big");
        } else {
            if !ann.try_click("#rail [data-key=l]") {
                ann.try_click("#rail [data-key=r]");
            }
            if !taken && ann.has("#rail .own .card.up") {
                taken = true;
                album.take(&dealer, "dealer");
                supervisor.go(&casino.address("/pit/mb-1?kind=foreign-card"));
                if !supervisor.has("#preview .remedy") {
                    supervisor.click("#desk .questions button[type=submit]");
                    supervisor.wait_for("#preview .remedy");
                }
                album.take(&supervisor, "desk-remedy");
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    album.take(&dealer, "dealer-settled");
    dealing::bets_lie(&dealer, &ann);
    dealer.click(dealing::NEXT);
    dealer.wait_for_text("Hands are");
    supervisor.go(&casino.address("/pit/mb-1?kind=other"));
    supervisor.click("#desk .questions button[type=submit]");
    supervisor.click("#preview form button.primary");
    supervisor.wait("the report is taken down", |browser| !browser.has("#preview .remedy"));
    supervisor.go(&casino.address("/pit"));
    album.take(&supervisor, "pit-waiting");
    let auditor = driver.browser(1280, 860);
    casino.let_in(&auditor, "auditor");
    album.take(&auditor, "journal");
    let cage = driver.browser(1280, 860);
    casino.open_counter(&cage, "mei");
    cage.go(&casino.address("/cage?player=mei&do=buy-in&amount=12000"));
    album.take(&cage, "cage-confirm");
    cage.fill(".identify input[name=document]", "passport …567A");
    cage.click(".identify button");
    cage.wait("they are identified", |browser| !browser.has(".identify"));
    cage.click("form.confirm button.primary");
    cage.wait_for(".receipt");
    album.take(&cage, "cage");
    auditor.go(&casino.address("/report"));
    album.keep(&auditor, "report", true);
    manager.go(&casino.address("/house"));
    manager.click("#propose-RWS summary");
    manager.fill("#propose-RWS input[name=reset]", "250,000");
    manager.click("#propose-RWS button");
    manager.wait_for_text("It needs another person's approval");
    // The suspended dealer's page asks in vain for news.
    dealer.means("status of 40");
    let boss = driver.browser(1280, 860);
    accounts(album, casino, &boss);
    boss.go(&casino.address("/pit"));
    boss.click("#ruling-mb-1 a[href*='rule=void']");
    boss.wait_for("#ruling table.foreseen");
    album.take(&boss, "ruling");
}

/// A real shoe and a royal flush: the cards are entered, two persons verify the hit, the sign announces it.
fn a_hit(album: &Album, driver: &Driver, casino: &Casino) -> (Browser, Browser, Browser) {
    let (dealer, player, supervisor) = dealing::at_the_shoe(driver, casino, "rs-1", true);
    for browser in [&dealer, &player, &supervisor] {
        browser.resize(1280, 860);
    }
    dealer.press("n");
    dealer.wait_for("#console form.entry");
    dealer.fill("#console input[name=cards]", "as ks");
    album.take(&dealer, "dealer-shoe");
    dealer.fill("#console input[name=cards]", "");
    let cards = [("burn", "2c"), ("box-4", "as ks qs js 10s"), ("dealer", "ah kd 9c 7d 2h")];
    dealing::deal_by(&dealer, &player, &cards, "raise");
    player.wait_for(".outcome.award");
    player.ask("scrollTo(0, 0)");
    album.take(&player, "table-jackpot");
    supervisor.go(&casino.address("/pit"));
    supervisor.wait_for("#hits .hit");
    album.take(&supervisor, "hit");
    supervisor.click("#hits button[value=verify]");
    supervisor.wait_for_text("Verified by");
    let manager = driver.browser(1280, 860);
    casino.let_in(&manager, "pit manager");
    manager.click("#hits button[value=confirm]");
    let sign = driver.browser(1920, 1080);
    sign.go(&casino.address("/sign/RWS"));
    sign.wait_for(".announce");
    album.keep(&sign, "sign-hit", false);
    (dealer, supervisor, manager)
}

/// A member of staff is taken on, another suspended; then one's own password.
fn accounts(album: &Album, casino: &Casino, boss: &Browser) {
    casino.let_in(boss, "shift manager");
    boss.go(&casino.address("/house"));
    album.keep(boss, "house", true);
    boss.go(&casino.address("/staff?name=dora&do=suspend"));
    boss.fill("form.confirm input[name=reason]", "an inquiry");
    boss.click("form.confirm button.primary");
    boss.wait_for_text("dora is suspended and logged out.");
    boss.go(&casino.address("/staff"));
    boss.click(".new-member summary");
    boss.fill(".new-member input[name=new]", "nina");
    boss.click(".new-member input[value=dealer]");
    boss.click(".new-member button[type=submit]");
    boss.wait_for_text("The account nina was created.");
    boss.go(&casino.address("/staff?name=nina"));
    album.take(boss, "staff");
    boss.go(&casino.address("/password"));
    album.take(boss, "password");
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
