//! The table as its players have it: chips on the felt, seats, the promised deck, leaving; what is theirs in the history.

use crate::casino::Casino;
use crate::driver::{Browser, Driver};
use crate::play::finish;

const ENTER: &str = "\u{e007}";
const WIDTHS: [(u32, u32); 2] = [(1280, 900), (360, 740)];

fn deed(browser: &Browser) -> String {
    let words = browser.ask("return document.querySelector('#rail [data-deed] span').textContent");
    words.as_str().unwrap_or_default().to_owned()
}

fn ante(browser: &Browser) -> String {
    let value = browser.ask("return document.querySelector('#rail input[name=ante]').value");
    value.as_str().unwrap_or_default().to_owned()
}

/// The cards of the reader's own box that something else covers.
fn covered(browser: &Browser) -> i64 {
    let covered = browser.ask(
        "return [...document.querySelectorAll('.box.mine .card')].filter((card) => {
           const at = card.getBoundingClientRect();
           return !document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)?.closest('.box.mine .card');
         }).length",
    );
    covered.as_i64().unwrap_or(-1)
}

#[test]
fn chips_are_laid_on_the_felt_and_the_button_says_what_it_does() {
    let driver = Driver::start();
    let casino = Casino::open();
    for (width, height) in WIDTHS {
        let player = driver.browser(width, height);
        casino.sit(&player, "rh-1");
        player.wait_for("#promise code");
        assert_eq!(deed(&player), "Bet 5 and deal");
        player.click("[data-chip='25']");
        let seat = player.ask("return document.querySelector('#rail select[name=seat]').value");
        let spot = format!("#box-{} [data-spot=ante]", seat.as_str().unwrap());
        player.click(&spot);
        player.click(&spot);
        assert_eq!((ante(&player), deed(&player)), ("50".to_owned(), "Bet 50 and deal".to_owned()));
        assert!(player.has(&format!("{spot} .planned .amount")), "the felt shows what lies");
        player.click("[data-undo]");
        assert_eq!(ante(&player), "25");
        player.click("[data-double]");
        assert_eq!(deed(&player), "Bet 50 and deal");
        player.click("[data-clear]");
        assert_eq!(deed(&player), "Bet and deal");
        player.click("[data-rebet]");
        assert_eq!(deed(&player), "Bet 5 and deal");
        // No chip of the table makes this amount, whatever a browser lets through.
        player.means("status of 422");
        player.ask("const f = document.querySelector('#rail form.bets'); f.noValidate = true; f.elements.ante.step = 'any'; f.elements.ante.value = '5.01'; f.requestSubmit()");
        player.wait_for_text("is not a multiple of this table");
        assert!(player.text().contains("10,000.00"), "nothing was placed");
    }
}

#[test]
fn two_quick_enters_bet_and_never_raise_and_keys_can_be_switched_off() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rs-1");
    player.wait_for("#rail form.bets");
    player.ask("document.querySelector('#rail form.bets button.primary').focus()");
    player.press(ENTER);
    player.press(ENTER);
    player.wait_for("#rail [data-key=r]");
    player.press(ENTER);
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert!(
        player.has("#rail [data-key=r]") && !player.has(".box.mine .spot-bet .stack"),
        "{}",
        player.text()
    );
    player.click("#own-menu summary");
    player.click("[data-switch=keys]");
    player.press("r");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(player.has("#rail [data-key=r]"), "a letter does nothing");
    player.click("[data-switch=keys]");
    assert_eq!(player.ask("return document.querySelector('[data-switch=sounds]').ariaPressed"), "false");
    player.press("r");
    player.wait_for("#rail .outcome");
    // What is new is said once, one's own result before the lines.
    player.wait("it is said", |browser| {
        let said = browser.ask("return document.querySelector('#spoken').textContent");
        said.as_str().is_some_and(|said| said.starts_with("You ") && said.contains("settled"))
    });
}

#[test]
fn a_box_shows_who_holds_it_and_leaving_frees_it() {
    let driver = Driver::start();
    let casino = Casino::open();
    for (width, height) in WIDTHS {
        let (ann, bob) = (driver.browser(width, height), driver.browser(1280, 900));
        casino.sit(&ann, "rh-1");
        let name = ann.ask("return document.querySelector('.here .name').textContent");
        let name = name.as_str().unwrap().to_owned();
        bob.go(&casino.address("/table/rh-1"));
        let plate = |n: u8| format!("return document.querySelector('#box-{n} .nameplate .name').textContent");
        assert_eq!(bob.ask(&plate(4)), name.as_str());
        // One click, and another box is hers.
        ann.click("#box-2 .sit button");
        bob.wait("she has moved", |browser| {
            browser.ask(&plate(2)) == name.as_str() && browser.ask(&plate(4)) == "open"
        });
        // Leaving is one thing: she keeps her name and her purse.
        ann.click(".leave button");
        ann.wait_for("#tables");
        assert!(ann.text().contains("10,000.00"));
        bob.wait("the box is free", |browser| browser.ask(&plate(2)) == "open");
        // Logging out asks for confirmation, because a name without a password cannot log in again.
        ann.click("#own-menu summary");
        ann.click("#own-menu form button");
        ann.wait_for_text("has no password");
        ann.click("main a.button.quiet");
        ann.wait_for("#tables");
        ann.click("#own-menu summary");
        ann.click("#own-menu form button");
        ann.click("main button.danger");
        ann.wait_for("#account a[href='/login']");
    }
}

#[test]
fn the_deck_is_promised_before_the_first_chip_and_checked_with_one_click() {
    let driver = Driver::start();
    let casino = Casino::open();
    for (table, (width, height)) in ["rs-1", "ms-1"].into_iter().zip(WIDTHS) {
        let player = driver.browser(width, height);
        player.still();
        casino.sit(&player, table);
        let promised = player.ask("return document.querySelector('#promise code').title");
        player.click("#rail form.bets button.primary");
        player.wait_for("#rail [data-key=f]");
        finish(&player);
        player.ask("scrollTo(0, 0)");
        assert_eq!(covered(&player), 0, "the result covers no card of one's own at {width}");
        player.click("#promise a");
        player.wait_for(".verdict.good");
        assert_eq!(player.ask("return document.querySelector('[data-commitment]').textContent"), promised);
        // A round is its players'. Others see boxes, unless the player shares it.
        let name = player.ask("return document.querySelector('#own-menu .who span').textContent");
        let name = format!("{} ", name.as_str().unwrap());
        let link =
            player.ask("return document.querySelector('#share-link').value").as_str().unwrap().to_owned();
        let round = format!("/history/{table}/1");
        let other = driver.browser(width, height);
        other.go(&casino.address(&round));
        let text = format!("{} ", other.text().replace('\n', " "));
        assert!(text.contains("box 4") && !text.contains(&name) && !text.contains("5.00"), "{text}");
        other.go(&casino.address("/history"));
        assert!(!other.text().replace('\n', " ").contains(&name), "{}", other.text());
        other.go(&link);
        assert!(
            other.text().replace('\n', " ").contains(&name) && other.text().contains("5.00"),
            "{}",
            other.text()
        );
    }
}

#[test]
fn a_player_sees_the_session_and_keeps_to_limits_of_their_own() {
    let driver = Driver::start();
    let casino = Casino::open();
    for (table, (width, height)) in ["rs-1", "ms-1"].into_iter().zip(WIDTHS) {
        let player = driver.browser(width, height);
        casino.sit(&player, table);
        player.click("#rail form.bets button.primary");
        player.wait_for("#rail [data-key=f]");
        finish(&player);
        player.click("#account .purse");
        player.wait_for(".session-graph .curve");
        player.fill("input[name=loss]", "30");
        player.click("form:has(input[name=loss]) button");
        player.wait_for_text("Your limits are saved.");
        // A higher limit is requested now and takes effect a day later.
        player.fill("input[name=loss]", "3000");
        player.click("form:has(input[name=loss]) button");
        player.wait_for_text("lose at most 3,000");
        assert_eq!(player.ask("return document.querySelector('input[name=loss]').value"), "30");
        player.go(&casino.address(&format!("/table/{table}")));
        player.fill("#rail input[name=ante]", "25");
        player.means("status of 422");
        player.click("#rail form.bets button.primary");
        player.wait_for_text("loss limit of 30.00");
        player.go(&casino.address("/session"));
        player.click("form:has(select[name=minutes]) button");
        player.wait_for_text("You are taking a break");
        player.go(&casino.address(&format!("/table/{table}")));
        player.click("#rail form.bets button.primary");
        player.wait_for_text("taking a break");
    }
}

#[test]
fn a_dealer_sees_no_link_that_is_forbidden() {
    let driver = Driver::start();
    let casino = Casino::open();
    let dealer = driver.browser(1280, 900);
    casino.let_in(&dealer, "dealer");
    for (page, (width, height)) in
        ["/dealer", "/dealer/rh-1", "/pit/rh-1", "/", "/history", "/rules", "/odds"]
            .into_iter()
            .zip(WIDTHS.into_iter().cycle())
    {
        dealer.resize(width, height);
        dealer.go(&casino.address(page));
        dealer.wait_for("main#main");
        let forbidden = dealer.ask_later(
            "Promise.all([...new Set([...document.querySelectorAll('a[href]')].map((a) => a.href.split('#')[0]))]
               .filter((a) => a.startsWith(location.origin))
               .map(async (a) => [a, (await fetch(a)).status])).then((all) => done(all.filter((one) => one[1] === 403)));",
        );
        assert_eq!(forbidden, serde_json::json!([]), "{page}");
    }
}
