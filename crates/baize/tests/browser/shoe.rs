//! A table with a real shoe: the dealer enters every card from the keyboard. A royal flush that was entered wins a jackpot, and two
//! people of the pit pay it.

use crate::casino::Casino;
use crate::dealing::{at_the_shoe, deal_by};
use crate::driver::{Browser, Driver};
use crate::play::players_look;

const ENTER: &str = "\u{e007}";
const ENTRY: &str = "#console form.entry";

fn deal(dealer: &Browser, player: &Browser, cards: &[(&str, &str)]) {
    deal_by(dealer, player, cards, "raise");
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

/// Cards entered by tapping a pad of 52 keys and by a card reader's key strokes, and a wrong card taken back.
#[test]
fn cards_are_tapped_and_read_and_a_wrong_one_is_taken_back() {
    let driver = Driver::start();
    let casino = Casino::open();
    let (dealer, player, _pit) = at_the_shoe(&driver, &casino, "rh-1", false);
    for width in [1280, 360] {
        dealer.resize(width, 800);
        assert!(!dealer.has(ENTRY), "no card is due before the bets are closed");
    }
    dealer.press("n");
    dealer.wait_for(ENTRY);
    let due = || {
        dealer
            .ask("return document.querySelector('#console .big-say').innerText")
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let out = |card: &str, is: bool| {
        dealer.wait(card, |browser| {
            // No pad while no card is due.
            browser.ask(&format!("return document.querySelector('[data-pad=\"{card}\"]')?.disabled ?? true"))
                == is
        });
    };
    // The burn by touch; what is out is off.
    assert!(dealer.has("#skip-burn"), "a burn may be left out, and it says what that means");
    dealer.click("[data-pad='2c']");
    out("2c", true);
    assert!(due().contains("box 4") && !dealer.has("#skip-burn"), "no burn is due now");
    // A wrong card from a reader, which types wherever the focus is; taken back, it can be dealt again.
    dealer.ask("document.activeElement.blur()");
    dealer.type_in("kd");
    dealer.press(ENTER);
    out("kd", true);
    dealer.click(".take-back");
    out("kd", false);
    for card in ["as", "ad"] {
        dealer.click(&format!("[data-pad='{card}']"));
        out(card, true);
    }
    dealer.resize(1280, 900);
    player.wait("her cards", |browser| {
        players_look(browser);
        browser.text().contains("a pair of Aces")
    });
    assert_eq!(
        player.ask("return document.querySelector('.pay-table .lit th').firstChild.textContent.trim()"),
        "A-A"
    );
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
    let claim = dealer.ask("return document.querySelector('#console .claim').innerText");
    let claim = claim.as_str().unwrap_or_default();
    assert!(
        claim.starts_with("Box 4, ") && claim.matches("Royal Flush").count() == 1,
        "a hit names player, box and hand, each once: {claim}"
    );
    dealer.resize(360, 740);
    assert_eq!(dealer.wider(), 0, "the claim fits a phone");
    dealer.resize(1280, 900);
    player.wait_for(".outcome.award");
    player.wait_for_text("claim is being verified");
    // The supervisor finds that the hand qualifies; they cannot confirm the amount themselves.
    supervisor.go(&casino.address("/pit"));
    supervisor.wait_for("#hits .hit");
    // One hit is one thing that waits: that its table cannot open meanwhile is not another.
    supervisor.wait("the title counts it", |browser| {
        browser.ask("return document.title").as_str().is_some_and(|title| title.starts_with("(1) "))
    });
    assert!(!supervisor.has("#tasks li"), "{}", supervisor.text());
    sign.wait_for_text("being verified");
    let watcher = driver.browser(360, 740);
    watcher.go(&casino.address("/table/ms-1"));
    watcher.wait_for_text("claim is being verified");
    supervisor.click("#hits button[value=verify]");
    supervisor.wait_for_text("Verified by");
    // Both see the same picture: the player, the five cards, the hand, the meter and what it falls to.
    let picture = |browser: &Browser| {
        let part =
            |css: &str| browser.ask(&format!("return document.querySelector('#hits {css}').innerText"));
        [part(".hit-cards"), part(".made"), part(".hit-sums")]
    };
    let seen = picture(&supervisor);
    supervisor.resize(360, 740);
    assert_eq!(supervisor.wider(), 0, "the picture of a hit fits a phone");
    supervisor.resize(1280, 900);
    assert!(seen[1].as_str().unwrap_or_default().to_lowercase().contains("royal flush"), "{seen:?}");
    assert_eq!(supervisor.ask("return document.querySelectorAll('#hits .raised').length"), 5);
    assert!(!supervisor.has("#hits button[value=confirm]"), "{}", supervisor.text());
    // A second person confirms; the sign announces it, and the next round can begin.
    let manager = driver.browser(1280, 900);
    casino.let_in(&manager, "pit manager");
    manager.wait_for("#hits .hit-sums");
    assert_eq!(picture(&manager), seen);
    manager.click("#hits button[value=confirm]");
    manager.wait("the hit is paid", |browser| !browser.has("#hits .hit"));
    manager.wait_for_text("was paid 100,00");
    sign.wait_for(".announce");
    // On a wall display the announcement leaves room for every line of the pay tables.
    for (width, height) in [(1920, 1080), (1280, 720)] {
        sign.resize(width, height);
        let below = "return [...document.querySelectorAll('main dl div, main li')].filter((line) => line.getBoundingClientRect().bottom > innerHeight).length";
        assert!(width < 1920 || sign.ask(below) == 0, "{}", sign.text());
        assert_eq!(sign.wider(), 0);
    }
    player.wait("they are paid", |browser| !browser.text().contains("claim is being verified"));
    let headline = player.ask("return document.querySelector('.outcome.award').innerText");
    let headline = headline.as_str().unwrap_or_default();
    assert!(
        headline.starts_with("Royal Flush: 100,00") && headline.ends_with("from the jackpot"),
        "{headline}"
    );
    dealer.wait("the next round", |browser| browser.text().contains("Place your bets"));
    // The largest amounts there are fit a phone as well.
    player.resize(360, 740);
    player.go(&casino.address("/history/ms-1/1"));
    player.wait_for(".slips .slip");
    assert_eq!(player.wider(), 0, "the slip of a jackpot");
}
