//! What a dealer and a player do at a table whose cards are entered: bets, staged cards, decisions.

use std::collections::BTreeMap;

use crate::casino::Casino;
use crate::driver::{Browser, Driver};

/// The dealer's next step.
pub(crate) const NEXT: &str = "#console button.primary.big";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

/// Looks, or decides so.
pub(crate) fn decide(player: &Browser, choice: &str) -> bool {
    ["look", choice].into_iter().any(|what| {
        let form = format!("#rail form:has(input[name=do][value={what}]) button[type=submit]");
        player.has(&form) && player.try_click(&form)
    })
}

/// A dealer's table whose cards are entered, with one player whose bets lie.
pub(crate) fn at_the_shoe(
    driver: &Driver,
    casino: &Casino,
    table: &str,
    jackpot: bool,
) -> (Browser, Browser, Browser) {
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
    lay_bets(&dealer, &player);
    (dealer, player, pit)
}

fn lay_bets(dealer: &Browser, player: &Browser) {
    player.click("#rail form.bets button.primary");
    player.wait_for_text("Waiting for the dealer to close the bets");
    dealer.wait("the bets", |browser| browser.text().contains("“No more bets”") && browser.has(NEXT));
}

/// The next round is opened, and the player bets as before.
pub(crate) fn bets_lie(dealer: &Browser, player: &Browser) {
    dealer.wait("the next round", |browser| browser.text().contains("Place your bets") && browser.has(NEXT));
    dealer.ask("document.activeElement?.blur()");
    dealer.press("n");
    player.wait_for("#rail form.bets");
    lay_bets(dealer, player);
}

/// Deals the round with the keyboard alone: `n` for the next step, cards by their names where cards are due. The player decides so.
pub(crate) fn deal_by(dealer: &Browser, player: &Browser, cards: &[(&str, &str)], choice: &str) {
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
            decide(player, choice);
            std::thread::sleep(std::time::Duration::from_millis(60));
            continue;
        }
        dealer.wait("the step is done", |browser| browser.source() != before && !browser.has("form.busy"));
    }
    panic!("the round does not end; the dealer reads\n{}", dealer.text());
}
