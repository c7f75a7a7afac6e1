//! Live updates that arrive during an action are neither lost nor replace what the user is doing.

use crate::casino::Casino;
use crate::dealing::NEXT;
use crate::driver::{Browser, Driver};
use crate::play::{finish_by, players_look};

const WIDTHS: [(u32, u32); 2] = [(1280, 900), (360, 740)];

/// Delays the answers to forms while `window.hold` is set, like a slow network, and records when the page has shown one.
const SLOW: &str = "
    window.held = [];
    const real = window.fetch;
    window.fetch = async (...all) => {
      const answer = await real(...all);
      const text = answer.text.bind(answer);
      answer.text = async () => {
        const words = await text();
        if (window.hold) await new Promise((go) => window.held.push(go));
        setTimeout(() => { window.shown = true; }, 0);
        return words;
      };
      return answer;
    };";

fn bet_is_there(dealer: &Browser) -> bool {
    dealer.text().contains("“No more bets”") && dealer.has(NEXT) && dealer.has("#felt .spot-ante .stack")
}

/// The answer to the dealer's own form was made before the bet, and arrives after the news of it.
#[test]
fn an_answer_that_arrives_late_does_not_take_a_bet_off_the_page() {
    let driver = Driver::start();
    let casino = Casino::open();
    let pit = driver.browser(1280, 900);
    casino.let_in(&pit, "pit supervisor");
    for (table, (width, height)) in ["rh-1", "rs-1"].into_iter().zip(WIDTHS) {
        casino.set(&pit, table, "dealer");
        let (dealer, player) = (driver.browser(width, height), driver.browser(width, height));
        dealer.on_every_page(SLOW);
        if width == 1280 {
            casino.let_in(&dealer, "dealer");
        } else {
            casino.let_in(&dealer, "pit manager");
        }
        casino.sit(&player, table);
        dealer.go(&casino.address(&format!("/dealer/{table}")));
        dealer.wait_for(NEXT);
        dealer.ask("window.hold = true; window.shown = false");
        dealer.press("n");
        dealer.wait("the answer is held", |browser| browser.ask("return window.held.length") == 1);
        player.wait_for("#rail form.bets");
        player.click("#rail form.bets button.primary");
        dealer.wait("the news of the bet", bet_is_there);
        dealer.ask("window.hold = false; for (const go of window.held) go()");
        dealer.wait("the answer is shown", |browser| browser.ask("return window.shown") == true);
        assert!(bet_is_there(&dealer), "{}", dealer.text());
    }
}

/// A report is being written, and advice is being read, while another player sits down.
#[test]
fn news_of_the_table_takes_away_neither_a_report_nor_advice() {
    let driver = Driver::start();
    let casino = Casino::open();
    for (table, (width, height)) in ["rs-1", "ms-1"].into_iter().zip(WIDTHS) {
        let (ann, supervisor) = (driver.browser(width, height), driver.browser(width, height));
        casino.sit(&ann, table);
        ann.click("#rail form.bets button.primary");
        ann.wait("her cards", |browser| {
            players_look(browser);
            browser.has("#rail [data-key=w]")
        });
        ann.click("#rail [data-key=w]");
        ann.wait_for("#advice table.advice");
        casino.let_in(&supervisor, if width == 1280 { "pit supervisor" } else { "pit manager" });
        supervisor.go(&casino.address(&format!("/pit/{table}")));
        supervisor.click("#kinds a[href*='kind=exposed-cards']");
        supervisor.wait_for("#the-report .questions");
        supervisor.ask(
            "window.heard = 0; new EventSource(document.body.dataset.events).addEventListener('message', (event) => { if (event.data.includes('id=\"desk\"')) window.heard++ })",
        );
        supervisor.wait("the state of now", |browser| browser.ask("return window.heard > 0") == true);
        let before = supervisor.ask("return window.heard");
        let bob = driver.browser(1280, 900);
        casino.sit(&bob, table);
        ann.wait("she sees him sit down", |browser| browser.has("#felt .box.held"));
        supervisor.wait("the pit hears of it", |browser| browser.ask("return window.heard") != before);
        assert!(ann.has("#advice table.advice"), "{}", ann.text());
        assert!(supervisor.has("#the-report .questions"), "{}", supervisor.text());
        finish_by(&ann, "fold");
        assert!(!ann.has("#advice table.advice"), "it was for a decision that is over");
    }
}
