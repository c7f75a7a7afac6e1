//! The sign, the lobby, the journal: they follow what happens without anybody touching them.

use crate::casino::Casino;
use crate::driver::Driver;

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
    for _ in 0..100 {
        if player.has("#slip") {
            break;
        }
        for what in ["look", "fold"] {
            player.try_click(&format!("#rail form:has(input[name=do][value={what}]) button[type=submit]"));
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
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
