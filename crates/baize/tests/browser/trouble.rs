//! Irregularities through the pit board, and a program that is killed in mid-round.

use crate::casino::Casino;
use crate::driver::Driver;

#[test]
fn an_irregularity_goes_through_the_desk_and_the_board_to_a_void() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rh-1");
    player.click("#rail form.bets button.primary");
    player.wait("cards", |browser| browser.has("#rail [data-key=f]") || browser.has("#rail [data-key=l]"));
    // A supervisor reports something that the rules leave to their superior.
    let supervisor = driver.browser(1280, 900);
    casino.let_in(&supervisor, "pit supervisor");
    supervisor.go(&casino.address("/pit/rh-1"));
    // They find it with the keyboard alone: the list narrows down as they type.
    supervisor.press("/");
    supervisor.type_in("burn");
    supervisor.wait("one is left", |browser| {
        browser.ask(
            "return [...document.querySelectorAll('#kinds li')].filter((one) => one.offsetParent).length",
        ) == 1
    });
    supervisor.fill("#desk input[data-filter]", "");
    supervisor.type_in("do not cover\u{e007}");
    supervisor.wait_for("#desk .questions input[value=other]");
    supervisor.click("#desk .questions button[type=submit]");
    supervisor.wait_for("#preview .remedy");
    assert!(
        supervisor.text().contains("§") || supervisor.has("#cases"),
        "the paragraphs are there before anything is recorded"
    );
    player.wait("nothing has changed", |browser| !browser.text().contains("Waiting for a ruling"));
    supervisor.click("#preview form button.primary");
    player.wait_for_text("Waiting for a ruling");
    // The superior finds it on the board, rules, and gives a reason.
    let shift = driver.browser(1280, 900);
    casino.let_in(&shift, "shift manager");
    shift.go(&casino.address("/pit"));
    // The list has no button: a ruling is picked, read and confirmed, and Enter in its reason confirms nothing.
    assert!(!shift.has("#ruling-rh-1 button"), "no ruling is one key away");
    shift.resize(360, 740);
    shift.click("#ruling-rh-1 a[href*='rule=void']");
    shift.wait_for("#ruling table.foreseen");
    assert_eq!(shift.wider(), 0, "the preview fits a phone");
    shift.resize(1280, 900);
    assert!(shift.text().contains("wagers go back"), "{}", shift.text());
    shift.fill("#ruling textarea", "the deck was");
    shift.type_in("\u{e007}not complete");
    player.wait("nothing is void yet", |browser| !browser.text().contains("The round is void"));
    shift.click("#ruling button.danger");
    player.wait_for_text("The round is void");
    shift.go(&casino.address("/pit"));
    shift.wait("the board is clear", |browser| !browser.has("#ruling-rh-1"));
    shift.wait_for_text("void");
    // The reason is wherever the ruling is.
    shift.wait_for_text("because the deck was");
    player.wait("their chips are back", |browser| browser.text().contains("10,000.00"));
}

#[test]
fn a_casino_killed_during_a_round_continues() {
    let driver = Driver::start();
    let mut casino = Casino::open();
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rh-1");
    player.click("#rail form.bets button.primary");
    player.wait("cards", |browser| browser.has("#rail [data-key=f]") || browser.has("#rail [data-key=l]"));
    for part in ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED", "ERR_CONNECTION_RESET"] {
        player.means(part);
    }
    casino.kill_and_restart();
    // The page finds the house again by itself; the round is where the game's paragraph puts it, and the table plays on.
    player.wait("the house is back", |browser| !browser.has("body.offline"));
    player.go(&casino.address("/table/rh-1"));
    player.wait("the end of a round", |browser| {
        for what in ["choose", "look", "raise", "bet"] {
            let button = format!(
                "#rail form:has(input[name=do][value={what}]) button.primary, #rail form:has(input[name=do][value={what}]) button[type=submit]"
            );
            if browser.has(&button) && browser.try_click(&button) {
                break;
            }
        }
        browser.has("#slip")
    });
}
