//! Rounds: a player in one browser, a dealer in another; a lone player with the keyboard; eyes that may not see.

use crate::casino::Casino;
use crate::dealing::{NEXT, decide};
use crate::driver::{Browser, Driver};

const TABLES: [&str; 5] = ["mb-1", "mh-1", "ms-1", "rh-1", "rs-1"];

/// Presses what the player has to press next, if anything.
pub(crate) fn players_turn(player: &Browser) -> bool {
    decide(player, "raise")
}

/// Plays the round to its end.
pub(crate) fn finish(player: &Browser) {
    finish_by(player, "raise");
}

/// The same with this decision.
pub(crate) fn finish_by(player: &Browser, choice: &str) {
    player.wait("the end of the round", |browser| {
        decide(browser, choice);
        browser.has("#slip")
    });
}

/// Presses the dealer's next step, if any, and waits until it is done.
fn step(dealer: &Browser) -> bool {
    let shown = || {
        dealer
            .ask(&format!("return document.querySelector('{NEXT}')?.innerText ?? ''"))
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let before = (shown(), dealer.source());
    if before.0.is_empty() || before.0.contains("Place your bets") || !dealer.try_click(NEXT) {
        return false;
    }
    dealer.wait("the step is done", |browser| browser.source() != before.1 && !browser.has("form.busy"));
    true
}

#[test]
fn a_player_and_a_dealer_play_every_game_to_its_settlement() {
    let driver = Driver::start();
    let casino = Casino::open();
    let (dealer, pit) = (driver.browser(1280, 900), driver.browser(1280, 900));
    casino.let_in(&pit, "pit supervisor");
    casino.let_in(&dealer, "dealer");
    for table in TABLES {
        casino.set(&pit, table, "dealer");
        let player = driver.browser(1280, 900);
        casino.sit(&player, table);
        dealer.go(&casino.address(&format!("/dealer/{table}")));
        dealer.click(NEXT);
        player.wait_for("#rail form.bets");
        player.click("#rail form.bets button.primary");
        player.wait_for_text("Waiting for the dealer to close the bets");
        dealer.wait("the dealer may close", |browser| {
            browser.text().contains("“No more bets”") && browser.has(NEXT)
        });
        dealer.click(NEXT);
        dealer.wait("bets are closed", |browser| !browser.text().contains("“No more bets”"));
        let mut steps = 0;
        while !dealer.text().contains("Pay and take") {
            if !step(&dealer) && !players_turn(&player) {
                std::thread::sleep(std::time::Duration::from_millis(60));
            }
            steps += 1;
            assert!(
                steps < 400,
                "{table} does not end; the dealer reads\n{}\nthe player reads\n{}",
                dealer.text(),
                player.text()
            );
        }
        player.wait_for("#slip");
        player.wait_for(".outcome");
    }
}

#[test]
fn a_lone_player_plays_with_the_keyboard_alone_on_a_phone() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(360, 740);
    casino.sit(&player, "rh-1");
    for _ in 0..2 {
        player.wait_for("#rail form.bets");
        player.press("b");
        player
            .wait("cards", |browser| browser.has("#rail [data-key=r]") || browser.has("#rail [data-key=l]"));
        player.wait("the result", |browser| {
            for key in ["l", "r"] {
                if browser.has(&format!("#rail [data-key={key}]")) {
                    browser.press(key);
                }
            }
            browser.has("#rail .outcome")
        });
    }
    fits(&player);
}

/// Nothing sticks out on the right.
fn fits(browser: &Browser) {
    let wide = browser
        .ask("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        .as_i64()
        .unwrap_or(0);
    assert!(wide <= 1, "{} sticks out by {wide} px", browser.ask("return location.pathname"));
}

#[test]
fn every_page_fits_a_phone_and_has_its_landmarks() {
    let driver = Driver::start();
    let casino = Casino::open();
    let shift = driver.browser(360, 740);
    casino.let_in(&shift, "shift manager");
    let auditor = driver.browser(360, 740);
    casino.let_in(&auditor, "auditor");
    let of_shift = [
        "/",
        "/table/rh-1",
        "/table/ms-1",
        "/dealer",
        "/dealer/rh-1",
        "/pit",
        "/pit/rh-1",
        "/sign/MBS",
        "/rules",
        "/rules/rws-casino-stud",
        "/odds",
        "/odds/mbs-holdem-bonus",
        "/history",
        "/login",
        "/api",
        "/nowhere",
    ];
    shift.means("/nowhere");
    for (browser, paths) in [(&shift, of_shift.as_slice()), (&auditor, &["/audit"])] {
        for path in paths {
            browser.go(&casino.address(path));
            browser.wait_for("main#main");
            fits(browser);
            let faults = browser.ask(
                "const bad = [];
                 if (!document.documentElement.lang) bad.push('no language');
                 if (document.querySelectorAll('h1').length !== 1) bad.push('not one h1');
                 for (const f of document.querySelectorAll('input:not([type=hidden]), select, textarea')) if (!f.labels?.length && !f.ariaLabel) bad.push('no label: ' + f.outerHTML.slice(0, 80));
                 for (const b of document.querySelectorAll('button, a')) if (!(b.innerText || b.ariaLabel || b.textContent).trim()) bad.push('no name: ' + b.outerHTML.slice(0, 80));
                 const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
                 for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) { bad.push('twice: ' + id); break; }
                 return bad.join('; ');",
            );
            assert_eq!(faults, "", "{path}");
        }
    }
}

#[test]
fn no_hidden_card_is_in_another_players_page_or_stream() {
    let driver = Driver::start();
    let casino = Casino::open();
    let (ann, bob) = (driver.browser(1280, 900), driver.browser(1280, 900));
    casino.sit(&ann, "rh-1");
    casino.sit(&bob, "rh-1");
    bob.ask(
        "window.heard = []; const s = new EventSource(document.body.dataset.events.split('?')[0]);
         s.addEventListener('message', (e) => window.heard.push(e.data));",
    );
    ann.click("#rail form.bets button.primary");
    ann.wait("her decision", |browser| {
        players_look(browser);
        browser.has("#rail .own .card.up")
    });
    let hers = ann.ask("return [...document.querySelectorAll('#rail .own .card.up')].map((c) => c.ariaLabel || c.getAttribute('aria-label'))");
    let hers: Vec<&str> = hers.as_array().unwrap().iter().filter_map(|card| card.as_str()).collect();
    assert_eq!(hers.len(), 2);
    bob.wait("the news", |browser| {
        browser.ask("return window.heard.join('').includes('Hands are dealt')") == true
    });
    let heard = bob.ask("return window.heard.join('\\n')");
    let page = bob.source();
    for card in hers {
        assert!(!page.contains(card), "bob's page holds {card}");
        assert!(!heard.as_str().unwrap().contains(card), "bob's stream holds {card}");
    }
}

pub(crate) fn players_look(player: &Browser) {
    let look = "#rail form:has(input[name=do][value=look]) button[type=submit]";
    if player.has(look) {
        player.try_click(look);
    }
}
