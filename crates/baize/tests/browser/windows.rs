//! Two windows of one player, the back button, old forms; and the check that none of it leaves an error on the console.

use crate::casino::Casino;
use crate::driver::{Browser, Driver};
use crate::play::finish;

/// The fields of the bet form as they are now.
const BETS: &str = "return [...new FormData(document.querySelector('#rail form.bets'))]";

/// Sends fields as a form of the page would be sent without the script, under this id or their own.
fn send(browser: &Browser, fields: &serde_json::Value, id: Option<&str>) {
    let id = id.map_or("null".to_owned(), |id| format!("'{id}'"));
    browser.ask(&format!(
        "const form = document.createElement('form');
         form.method = 'post'; form.action = '/table/rh-1/do';
         for (const [name, value] of {fields}) {{
           const field = document.createElement('input');
           field.type = 'hidden'; field.name = name; field.value = name === 'id' && {id} ? {id} : value;
           form.append(field);
         }}
         window.old = true;
         document.body.append(form); HTMLFormElement.prototype.submit.call(form);"
    ));
    browser.wait("the answer", |browser| {
        browser.ask("return document.readyState === 'complete' && !window.old") == true
    });
}

fn purse(browser: &Browser) -> String {
    browser.ask("return document.querySelector('.purse').innerText").as_str().unwrap_or_default().to_owned()
}

#[test]
fn two_windows_of_one_player_show_one_table_and_bet_once() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rh-1");
    let first = player.window();
    let second = player.open_window();
    player.look_at(&second);
    player.go(&casino.address("/table/rh-1"));
    player.wait_for("#rail form.bets");
    let old = player.ask(BETS);
    player.look_at(&first);
    player.click("#rail form.bets button.primary");
    player.wait("cards", |browser| browser.has("#rail [data-key=f]"));
    let after_bet = purse(&player);
    // The other window has followed; what it showed before is not bet a second time.
    player.look_at(&second);
    player.wait("cards there too", |browser| browser.has("#rail [data-key=f]"));
    assert_eq!(purse(&player), after_bet);
    player.means("status of 409");
    send(&player, &old, None);
    player.wait_for_text("The table has moved on");
    player.click("main a.button.primary");
    player.wait_for("#rail");
    assert_eq!(purse(&player), after_bet);
    // What is decided in one window is decided in both, and the round ends in both.
    player.click("#rail [data-key=r]");
    player.look_at(&first);
    player.wait("the flop", |browser| browser.has("#rail [data-key=c]") || browser.has("#slip"));
    finish(&player);
    player.look_at(&second);
    player.wait_for("#rail .outcome");
}

#[test]
fn the_back_button_and_an_old_form_after_the_settlement_change_nothing() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rh-1");
    player.wait_for("#rail form.bets");
    let old = player.ask(BETS);
    send(&player, &old, None);
    player.wait_for("#rail [data-key=d]");
    player.click("#rail [data-key=d]");
    player.wait("cards", |browser| browser.has("#rail [data-key=f]"));
    finish(&player);
    let after = purse(&player);
    player.go(&casino.address("/history/rh-1/1"));
    player.back();
    player.wait_for("#rail .outcome");
    assert_eq!(purse(&player), after);
    // The very form again: it has been carried out, and is not carried out twice.
    send(&player, &old, None);
    player.wait_for("#rail .outcome");
    assert_eq!(purse(&player), after);
    // The same bets from a copy of the old page: they were for a round that is over.
    player.means("status of 409");
    send(&player, &old, Some("another-page"));
    player.wait_for_text("The table has moved on");
    assert!(player.text().contains("nothing was done"));
    player.click("main a.button.primary");
    player.wait_for("#rail form.bets");
    assert_eq!(purse(&player), after);
}

#[test]
fn an_error_on_the_console_fails_a_test() {
    let driver = Driver::start();
    let casino = Casino::open();
    let browser = driver.browser(1280, 900);
    let noticed = |browser: &Browser| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| browser.console_is_clean())).is_err()
    };
    browser.go(&casino.address("/"));
    assert!(!noticed(&browser));
    for wrong in [
        "console.error('this is meant')",
        "setTimeout(() => { throw new Error('this too') })",
        "fetch('/nowhere')",
    ] {
        browser.ask(wrong);
        let start = std::time::Instant::now();
        while !noticed(&browser) {
            assert!(start.elapsed().as_secs() < 20, "{wrong} goes unnoticed");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
    // Browsers ask for this by themselves where a page names no icon.
    browser.ask("window.kind = undefined; fetch('/favicon.ico').then((icon) => { window.kind = icon.headers.get('content-type'); })");
    browser
        .wait("the icon", |browser| browser.ask("return window.kind ?? null") == "image/vnd.microsoft.icon");
}
