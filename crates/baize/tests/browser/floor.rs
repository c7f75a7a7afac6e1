//! The sign, the lobby and the journal update by themselves.

use crate::casino::Casino;
use crate::driver::Driver;
use crate::play::finish_by;

#[test]
fn the_sign_and_the_lobby_follow_the_play() {
    let driver = Driver::start();
    let casino = Casino::open();
    let (sign, lobby, player) =
        (driver.browser(1280, 900), driver.browser(1280, 900), driver.browser(1280, 900));
    sign.go(&casino.address("/sign/RWS"));
    lobby.go(&casino.address("/"));
    let shown = |css: &str| format!("return document.querySelector('{css}').dataset.cents");
    let before = sign.ask(&shown("#meter-sign-RWS"));
    casino.sit(&player, "rh-1");
    lobby.wait("the seat is taken", |browser| browser.has("#table-rh-1 .seats circle.taken"));
    player.ask("document.querySelector('#rail select[name=jackpot]').selectedIndex = 1");
    player.click("#rail form.bets button.primary");
    sign.wait("the meter rolls", |browser| browser.ask(&shown("#meter-sign-RWS")) != before);
    lobby.wait("the lobby's meter too", |browser| browser.ask(&shown("#meter-panel-RWS")) != before);
}

#[test]
fn the_proof_is_checked_in_the_page_and_the_auditor_checks_everything() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rs-1");
    player.click("#rail form.bets button.primary");
    finish_by(&player, "fold");
    player.go(&casino.address("/history/rs-1/1"));
    player.click("[data-check-proof]");
    player.wait("the verdict", |browser| {
        !browser
            .ask("return document.querySelector('[data-verdict]').innerText")
            .as_str()
            .unwrap_or_default()
            .is_empty()
    });
    let computed = player.ask("return document.querySelector('[data-computed]').innerText === document.querySelector('[data-commitment]').innerText");
    assert_eq!(computed, true, "{}", player.text());
    player.press("\u{e012}");
    player.wait("one step back", |browser| {
        browser.ask("return location.search").as_str().is_some_and(|query| query.contains("step="))
    });
    let auditor = driver.browser(1280, 900);
    casino.let_in(&auditor, "auditor");
    auditor.wait_for("#journal");
    auditor.click("#chain button");
    auditor.wait_for_text("Checked just now");
    assert!(auditor.text().contains("The chain holds"));
}

/// The pit changes the limits while a player sits there, and a second person approves other parameters of a jackpot.
#[test]
fn changed_limits_and_parameters_update_all_pages() {
    let driver = Driver::start();
    let casino = Casino::open();
    let (manager, boss, player) =
        (driver.browser(1280, 900), driver.browser(1280, 900), driver.browser(390, 844));
    casino.sit(&player, "rh-1");
    let about = |browser: &crate::driver::Browser| {
        browser
            .ask("return document.querySelector('#about-table').innerText")
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert!(about(&player).contains("ante 5 to 1,000"));
    casino.let_in(&manager, "pit manager");
    manager.go(&casino.address("/pit/rh-1"));
    manager.click("#set-limits summary");
    manager.fill("#set-limits input[name=ante_least]", "25");
    manager.fill("#set-limits input[name=ante_most]", "2,500");
    manager.click("#set-limits button");
    player.wait("the table displays it", |browser| about(browser).contains("ante 25 to 2,500"));
    player.wait("and takes no less", |browser| {
        browser.ask("return document.querySelector('#rail input[name=ante]').min") == "25.00"
    });

    manager.go(&casino.address("/house"));
    manager.click("#propose-RWS summary");
    manager.fill("#propose-RWS input[name=reset]", "250,000");
    manager.click("#propose-RWS button");
    manager.wait_for_text("It needs another person's approval");
    casino.let_in(&boss, "shift manager");
    boss.go(&casino.address("/house"));
    boss.click("#change-RWS button.primary");
    boss.wait_for_text("it takes effect at the next hit of the top award");

    boss.click("#new-table summary");
    boss.fill("#new-table input[name=table]", "vip-1");
    boss.fill("#new-table input[name=ante_least]", "100");
    boss.click("#new-table button.primary");
    boss.wait_for_text("vip-1");
    player.go(&casino.address("/"));
    player.wait_for("#table-vip-1");
}
