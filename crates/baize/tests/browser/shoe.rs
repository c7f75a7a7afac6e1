//! A table with a real shoe: the dealer enters every card from the keyboard. A royal flush that was entered wins a jackpot, and two
//! people of the pit pay it.

use std::collections::BTreeMap;

use crate::casino::Casino;
use crate::driver::{Browser, Driver};
use crate::play::{NEXT, players_turn};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const ENTRY: &str = "#console form.entry";

/// A dealer's table whose cards are entered, with one player whose bets lie.
fn at_the_shoe(driver: &Driver, casino: &Casino, table: &str, jackpot: bool) -> (Browser, Browser, Browser) {
    let pit = driver.browser(1280, 900);
    casino.let_in(&pit, "pit supervisor");
    casino.set(&pit, table, "dealer");
    casino.set(&pit, table, "entered");
    let (dealer, player) = (driver.browser(1280, 900), driver.browser(1280, 900));
    casino.sit(&player, table);
    casino.let_in(&dealer, "dealer");
    dealer.go(&casino.address(&format!("/dealer/{table}")));
    dealer.press("n");
    player.wait_for("#rail form.bets");
    if jackpot {
        player.ask("document.querySelector('#rail select[name=jackpot]').selectedIndex = 1");
    }
    player.click("#rail form.bets button.primary");
    player.wait_for_text("The dealer will close the bets");
    dealer.wait("the bets", |browser| browser.text().contains("“No more bets”") && browser.has(NEXT));
    (dealer, player, pit)
}

/// Deals the round with the keyboard alone: `n` for the next step, cards by their names where cards are due.
fn deal(dealer: &Browser, player: &Browser, cards: &[(&str, &str)]) {
    let mut left: BTreeMap<&str, Vec<&str>> =
        cards.iter().map(|(place, cards)| (*place, cards.split(' ').rev().collect())).collect();
    for _ in 0..200 {
        if dealer.has("#pay h2") {
            return;
        }
        let before = dealer.source();
        let ask = |what: &str| dealer.ask(what).as_str().unwrap_or_default().to_owned();
        let due = ask("const f = document.querySelector('#console form.entry');
             return f && document.querySelector('#console .big-say')?.innerText.match(/Deal|Burn/) ? `${f.dataset.to} ${f.dataset.cards}` : ''");
        if let Some((place, number)) = due.split_once(' ') {
            let (place, number) = (place.to_owned(), number.parse::<usize>().unwrap());
            let pile = left.get_mut(place.as_str()).unwrap_or_else(|| panic!("no cards for {place}"));
            let typed: Vec<&str> = (0..number).filter_map(|_| pile.pop()).collect();
            if dealer.ask("return document.activeElement?.name === 'cards'") != true {
                dealer.press("/");
            }
            dealer.type_in(&typed.join(" "));
            dealer.wait("the cards as they are typed", |browser| {
                browser.ask("return document.querySelectorAll('.typed-cards .card').length") == typed.len()
            });
            dealer.press(ENTER);
        } else if dealer.has(NEXT) {
            dealer.press(ESCAPE);
            dealer.press("n");
        } else {
            players_turn(player);
            std::thread::sleep(std::time::Duration::from_millis(60));
            continue;
        }
        dealer.wait("the step is done", |browser| browser.source() != before && !browser.has("form.busy"));
    }
    panic!("the round does not end; the dealer reads\n{}", dealer.text());
}

#[test]
fn cards_are_entered_from_the_keyboard_to_the_settlement() {
    let driver = Driver::start();
    let casino = Casino::open();
    let (dealer, player, _pit) = at_the_shoe(&driver, &casino, "rh-1", false);
    dealer.press("n");
    dealer.wait_for(ENTRY);
    // A card that does not exist is not taken, and what was typed stays to be corrected.
    dealer.means("status of 4");
    if dealer.ask("return document.activeElement?.name === 'cards'") != true {
        dealer.press("/");
    }
    dealer.type_in("1x");
    dealer.press(ENTER);
    dealer.wait_for_text("is not a card");
    assert_eq!(dealer.ask("return document.querySelector('#console input[name=cards]').value"), "1x");
    dealer.fill("#console input[name=cards]", "");
    let board =
        [("burn", "2c 3c 5c 6c"), ("box-4", "as ad"), ("board", "ah 7c 10d 9s 4h"), ("dealer", "kc qd")];
    deal(&dealer, &player, &board);
    player.wait_for_text("You win");
    assert!(dealer.text().contains("Pay and take") && dealer.has("#pay .pay-it"));
}

#[test]
fn an_entered_royal_flush_is_paid_by_two_people_and_shown_on_the_sign() {
    let driver = Driver::start();
    let casino = Casino::open();
    let sign = driver.browser(1280, 900);
    sign.go(&casino.address("/sign/MBS"));
    let (dealer, player, supervisor) = at_the_shoe(&driver, &casino, "ms-1", true);
    dealer.press("n");
    dealer.wait_for(ENTRY);
    deal(&dealer, &player, &[("burn", "2c"), ("box-4", "as ks qs js 10s"), ("dealer", "ah kd 9c 7d 2h")]);
    dealer.wait_for("#pay .wait-it");
    player.wait_for_text("claim is being verified");
    // The supervisor finds that the hand qualifies; he cannot confirm the amount himself.
    supervisor.go(&casino.address("/pit"));
    supervisor.wait_for("#hits .hit");
    sign.wait_for_text("being verified");
    supervisor.click("#hits button[value=verify]");
    supervisor.wait_for_text("verified by");
    assert!(!supervisor.has("#hits button[value=confirm]"), "{}", supervisor.text());
    // Somebody else confirms; the sign announces it, and the next round can begin.
    let manager = driver.browser(1280, 900);
    casino.let_in(&manager, "pit manager");
    manager.click("#hits button[value=confirm]");
    manager.wait("the hit is paid", |browser| !browser.has("#hits .hit"));
    sign.wait_for(".announce");
    player.wait("he is paid", |browser| !browser.text().contains("claim is being verified"));
    dealer.wait("the next round", |browser| browser.text().contains("Place your bets"));
}
