//! Accounts of people: a member of staff from their first link until they are suspended, and one's own password.

use crate::casino::Casino;
use crate::driver::{Browser, Driver};

/// Nothing of a page sticks out to the side.
fn fits(browser: &Browser) {
    let wider =
        browser.ask("return document.documentElement.scrollWidth > document.documentElement.clientWidth");
    assert_eq!(wider, false, "nothing sticks out of a phone:\n{}", browser.text());
}

#[test]
fn a_shift_manager_creates_and_suspends_staff() {
    let driver = Driver::start();
    let casino = Casino::open();
    let boss = driver.browser(1280, 900);
    casino.let_in(&boss, "shift manager");
    boss.click("nav a[href='/staff']");
    boss.wait_for(".people table");
    boss.click(".new-member summary");
    boss.fill(".new-member input[name=new]", "nina");
    boss.click(".new-member input[value=dealer]");
    boss.click(".new-member button[type=submit]");
    boss.wait_for_text("The account nina was created.");

    // The link is shown once, in full, to be copied; it works once.
    boss.click(".member form:has(input[value=link]) button");
    boss.wait_for("#link");
    let link = boss.ask("return document.querySelector('#link').value").as_str().unwrap().to_owned();
    assert!(link.starts_with(&casino.address("/in/")), "{link}");
    boss.click("[data-copy]");
    boss.wait_for("#toast.shown");
    let selected =
        "const f = document.querySelector('#link'); return f.value.slice(f.selectionStart, f.selectionEnd)";
    assert_eq!(boss.ask(selected), link.as_str());
    let nina = driver.browser(360, 740);
    nina.go(&link);
    nina.click("main form button.primary");
    nina.wait_for_text("No table is assigned to you");
    assert!(nina.ask("return location.pathname") == "/dealer", "{}", nina.text());

    // On a phone a picture leads her to her password, which she does not have yet.
    nina.click("#own-menu summary");
    nina.click("#own-menu a[href$='/password']");
    nina.wait_for_text("You have no password yet");
    fits(&nina);
    nina.fill("input[name=new]", "correct horse");
    nina.fill("input[name=again]", "correct horse");
    nina.ask("sessionStorage.sent = 0; addEventListener('submit', (event) => { if (!event.defaultPrevented) sessionStorage.sent++ })");
    nina.double_click("form.sheet button[type=submit]");
    nina.wait_for_text("Your password is changed.");
    assert_eq!(nina.ask("return sessionStorage.sent"), "1", "a double click sends it once");
    let elsewhere = driver.browser(360, 740);
    log_in(&casino, &elsewhere, "correct horse");
    elsewhere.wait_for("#account .who");

    // She changes it again: she stays, and is out elsewhere; the new one is the one that works.
    nina.means("status of 401");
    nina.fill("input[name=old]", "wrong horse");
    nina.fill("input[name=new]", "battery staple");
    nina.fill("input[name=again]", "battery staple");
    nina.click("form.sheet button[type=submit]");
    nina.wait_for("#problem-old");
    fits(&nina);
    nina.fill("input[name=old]", "correct horse");
    nina.fill("input[name=new]", "battery staple");
    nina.fill("input[name=again]", "battery staple");
    nina.click("form.sheet button[type=submit]");
    nina.wait_for_text("Your password is changed.");
    elsewhere.means("status of 401");
    elsewhere.go(&casino.address("/dealer"));
    elsewhere.wait_for("input[name=password]");
    log_in(&casino, &elsewhere, "correct horse");
    elsewhere.wait_for_text("Name or password is wrong.");
    log_in(&casino, &elsewhere, "battery staple");
    elsewhere.wait_for("#account .who");

    // Changed duties need confirmation, here from the keyboard, and apply from the next log-in on.
    boss.go(&casino.address("/staff?name=nina"));
    boss.click(".thing input[value=pit-supervisor]");
    boss.click("form:has(.duties) button[type=submit]");
    boss.wait_for("form.confirm");
    boss.type_in("\u{e007}");
    assert!(boss.has("form.confirm"), "an Enter that is held down confirms nothing");
    boss.type_in("\u{e004}\u{e007}");
    boss.wait_for_text("nina is now Dealer, Pit Supervisor");
    elsewhere.go(&casino.address("/pit"));
    elsewhere.wait_for("input[name=password]");
    log_in(&casino, &elsewhere, "battery staple");
    elsewhere.wait_for(".pit-grid");

    // Suspended: logged out immediately, and the page says why.
    boss.resize(360, 740);
    fits(&boss);
    boss.click(".member a.danger");
    boss.wait_for("form.confirm input[name=reason]");
    fits(&boss);
    boss.type_in("an inquiry\u{e007}");
    boss.wait_for_text("nina is suspended and logged out.");
    boss.wait_for_text("an inquiry");
    fits(&boss);
    elsewhere.means("status of 423");
    elsewhere.go(&casino.address("/pit"));
    elsewhere.wait_for("input[name=password]");
    log_in(&casino, &elsewhere, "battery staple");
    elsewhere.wait_for_text("The account is suspended");
}

fn log_in(casino: &Casino, browser: &Browser, password: &str) {
    browser.go(&casino.address("/login"));
    browser.fill("input[name=name]", "nina");
    browser.fill("input[name=password]", password);
    browser.click("form.sheet button[type=submit]");
}
