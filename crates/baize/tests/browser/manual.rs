//! The browser tutorials of the manual, followed literally. Names of controls are **bold** there and other words of a page *italic*: a test takes
//! them in the order of the text, finds each on the page where the text says that it is, and must have taken all of them at the end.

use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::casino::Casino;
use crate::driver::{Browser, Driver};

/// Finds what is visible and is called `name`, a control if `control`: marks it, and says whether there is one. What a button says about its key
/// is no part of its name.
const FIND: &str = "
    const [scope, name, control] = ASKED;
    document.querySelectorAll('[data-named]').forEach((one) => one.removeAttribute('data-named'));
    const words = (one) => { const bare = one.cloneNode(true); bare.querySelectorAll('kbd, .key').forEach((key) => key.remove()); return bare.textContent.replace(/\\s+/g, ' ').trim(); };
    const controls = 'button, a, summary, [role=button]';
    const [start, end] = name.split('…');
    const fits = (text) => end === undefined ? (control ? text === name : text.includes(name)) : text.startsWith(start.trim()) && text.includes(end.trim());
    const found = [...document.querySelectorAll(scope)].flatMap((part) => [part, ...part.querySelectorAll(control ? controls : '*')])
        .filter((one) => (!control || one.matches(controls)) && one.checkVisibility() && fits(words(one))).pop();
    found?.setAttribute('data-named', '');
    return found !== undefined;";

/// Whether a part of the page has something of this name.
fn named(browser: &Browser, scope: &str, name: &str, control: bool) -> bool {
    let script = FIND.replace("ASKED", &json!([scope, name, control]).to_string());
    browser.ask(&script) == true
}

/// Presses the control of this name. A live update may draw it again meanwhile.
fn press(browser: &Browser, scope: &str, name: &str) {
    let until = Instant::now() + Duration::from_secs(120);
    while !(named(browser, scope, name, true) && browser.try_click("[data-named]")) {
        assert!(Instant::now() < until, "no `{name}` to press; the page says\n{}", browser.text());
        std::thread::sleep(Duration::from_millis(40));
    }
}

/// The marked names of a tutorial that were not yet met, in their order; bold ones are controls.
struct Tutorial {
    page: &'static str,
    names: VecDeque<(String, bool)>,
}

impl Tutorial {
    fn open(page: &'static str) -> Tutorial {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual").join(page);
        let text = std::fs::read_to_string(file).unwrap();
        let mut names = VecDeque::new();
        for (at, part) in text.split("**").enumerate() {
            if at % 2 == 1 {
                names.push_back((part.to_owned(), true));
            } else {
                names.extend(part.split('*').skip(1).step_by(2).map(|name| (name.to_owned(), false)));
            }
        }
        Tutorial { page, names }
    }

    /// The next name of the text is this one, and the page has it.
    fn meets(&mut self, browser: &Browser, scope: &str, name: &str) {
        let (next, control) = self.names.pop_front().unwrap_or_default();
        assert_eq!(next, name, "the next name in {}", self.page);
        browser.wait(name, |browser| named(browser, scope, name, control));
    }

    /// The same, and it is pressed.
    fn presses(&mut self, browser: &Browser, scope: &str, name: &str) {
        self.meets(browser, scope, name);
        press(browser, scope, name);
    }

    fn ends(self) {
        assert!(self.names.is_empty(), "{} also names {:?}", self.page, self.names);
    }
}

#[test]
fn the_players_tutorial_holds() {
    let (driver, casino) = (Driver::start(), Casino::open());
    let mut manual = Tutorial::open("player.md");
    let player = driver.browser(1280, 900);
    player.go(&casino.addresses["play"]);
    assert_eq!(manual.names.pop_front(), Some(("play".to_owned(), false)));
    manual.meets(&player, "#table-rs-1", "Casino Stud Poker");
    manual.presses(&player, "#table-rs-1", "Sit down");
    player.wait_for("#rail form.bets");
    assert!(player.text().contains("10,000"), "the purse of a newcomer: {}", player.text());
    manual.meets(&player, "#rail", "Bet 5 and deal");
    manual.meets(&player, "#rail", "Place bets");
    manual.meets(&player, "#rail", "Change the bets");
    press(&player, "#rail", "Bet 5 and deal");
    manual.meets(&player, "#rail", "Bet 10");
    manual.meets(&player, "#rail", "Fold");
    manual.meets(&player, "#rail", "What should I do?");
    for key in ["r", "f", "w"] {
        player.wait_for(&format!("#rail [data-key={key}]"));
    }
    press(&player, "#rail", "Bet 10");
    manual.meets(&player, "main", "Settlement slip");
    manual.presses(&player, "main", "Leave the table");
    player.wait_for("#table-rs-1");
    manual.meets(&player, "header", "History");
    press(&player, "header", "History");
    player.click("main a[href*='/history/rs-1/1']");
    manual.presses(&player, "main", "Verify on this page");
    player.wait_for_text("The hashes agree");
    player.click("#account summary");
    for name in ["Name and password", "How you play", "Session and limits"] {
        manual.meets(&player, "#account", name);
    }
    manual.ends();
}

#[test]
fn the_dealers_tutorial_holds() {
    let (driver, casino) = (Driver::start(), Casino::open());
    let mut manual = Tutorial::open("dealer.md");
    let (dealer, pit, player) =
        (driver.browser(1280, 900), driver.browser(1280, 900), driver.browser(1280, 900));
    dealer.go(&casino.addresses["dealer"]);
    manual.presses(&dealer, "main", "Log in as …");
    dealer.wait_for("#account .who");
    casino.let_in(&pit, "pit supervisor");
    pit.go(&casino.address("/pit/rs-1"));
    manual.presses(&pit, "main", "Give the table to a dealer");
    press(&pit, "#set-dealer", "Give it to a dealer");
    pit.wait("the change", |browser| !browser.has("#set-dealer"));
    casino.sit(&player, "rs-1");
    dealer.go(&casino.address("/dealer"));
    dealer.click("main a[href*='/dealer/rs-1']");
    manual.presses(&dealer, "#console", "“Place your bets, please”");
    press(&player, "#rail", "Bet 5");
    manual.presses(&dealer, "#console", "“No more bets”");
    dealer.wait("the player's decision", |browser| {
        browser.text().contains("to decide") || {
            browser.try_click("#console button.primary.big");
            false
        }
    });
    let seat = dealer.ask("return document.querySelector('#console .big-say b').innerText");
    press(&dealer, "#console", "More");
    manual.meets(&dealer, "#console", "More");
    let boxed = seat.as_str().unwrap_or_default().replace("box ", "Box ");
    for name in ["Box 5 folds", "Box 5: … bets the Bet 10"] {
        assert_eq!(manual.names.pop_front(), Some((name.to_owned(), false)));
        let name = name.replace("Box 5", &boxed);
        dealer.wait(&name, |browser| named(browser, "#console", &name, true));
    }
    press(&player, "#rail", "Bet 10");
    manual.presses(&dealer, "#console", "Reveal the dealer's hand");
    manual.presses(&dealer, "#console", "Settle");
    manual.meets(&dealer, "main", "Pay and take");
    manual.meets(&dealer, "#console", "More");
    manual.presses(&dealer, "#console", "Report an irregularity");
    dealer.wait_for("#kinds");
    manual.ends();
}

#[test]
fn the_pits_tutorial_holds() {
    let (driver, casino) = (Driver::start(), Casino::open());
    let mut manual = Tutorial::open("pit.md");
    let (pit, shift, player) =
        (driver.browser(1280, 900), driver.browser(1280, 900), driver.browser(1280, 900));
    casino.sit(&player, "rs-1");
    press(&player, "#rail", "Bet 5 and deal");
    casino.let_in(&pit, "pit supervisor");
    casino.let_in(&shift, "shift manager");
    pit.go(&casino.address("/pit"));
    pit.click("#tile-rs-1 a[href*='/pit/rs-1']");
    manual.meets(&pit, "main", "What went wrong?");
    pit.click("#kinds a[href*='kind=jackpot-fault']");
    manual.presses(&pit, "#the-report", "Show what follows");
    manual.presses(&pit, "#preview", "Confirm and record");
    shift.go(&casino.address("/pit/rs-1"));
    manual.meets(&shift, "main", "Waiting for a ruling");
    shift.click(".for-ruling a[href*='rule=no-jackpot']");
    shift.click("#ruling button.danger");
    player.wait_for_text("No Progressive Jackpot Bets are accepted");
    // Moving money requires a reason, which the table shows.
    pit.go(&casino.address("/pit/rs-1?kind=other"));
    press(&pit, "#preview", "Confirm and record");
    shift.go(&casino.address("/pit/rs-1"));
    shift.click(".for-ruling a[href*='rule=void']");
    shift.fill("#ruling textarea[required]", "a card was marked");
    shift.click("#ruling button.danger");
    player.wait_for_text("a card was marked");
    manual.presses(&shift, "main", "Close the table with notice");
    press(&shift, "#close-table", "Close the table");
    shift.wait("the notice", |browser| !browser.has("#close-table"));
    manual.presses(&shift, "main", "Reopen the table");
    press(&shift, "#reopen", "Open the table");
    shift.wait_for("#close-table");
    manual.ends();
}

#[test]
fn the_cages_tutorial_holds() {
    let (driver, casino) = (Driver::start(), Casino::with(&["--count-late", "--play-chips", "0"]));
    let mut manual = Tutorial::open("cage.md");
    let cage = driver.browser(1280, 900);
    casino.let_in(&cage, "cage");
    cage.go(&casino.address("/cage"));
    manual.presses(&cage, "main", "Register a new player");
    cage.fill(".register input[name=name]", "mei");
    press(&cage, ".register", "Register");
    manual.meets(&cage, "main", "Buy in");
    cage.fill(".cash-form input[name=amount]", "100");
    manual.presses(&cage, "main", "Sell chips…");
    manual.presses(&cage, "form.confirm", "Cash taken: give the chips");
    cage.wait_for(".receipt");
    press(&cage, "main", "mei again");
    manual.meets(&cage, "main", "Cash out");
    cage.fill(".cash-form:has([value=cash-out]) input[name=amount]", "40");
    manual.presses(&cage, "main", "Buy chips back…");
    manual.presses(&cage, "form.confirm", "Chips taken: pay the cash");
    cage.wait_for(".receipt");
    manual.meets(&cage, "main", "Your movements today");
    manual.meets(&cage, "main", "Your drawer");
    manual.ends();
}

/// Every address in the manual is a page that its role can open.
#[test]
fn every_address_in_the_manual_answers() {
    let (driver, casino) = (Driver::start(), Casino::open());
    for (page, role) in [
        ("dealer.md", "dealer"),
        ("pit.md", "shift manager"),
        ("cage.md", "cage"),
        ("auditor.md", "auditor"),
        ("developer.md", "pit manager"),
    ] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual").join(page);
        let text = std::fs::read_to_string(file).unwrap();
        let paths: Vec<&str> = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|path| path.starts_with('/') && !path.starts_with("/usr/"))
            .collect();
        assert!(!paths.is_empty(), "{page} names no address");
        let browser = driver.browser(1280, 900);
        casino.let_in(&browser, role);
        for path in paths {
            browser.go(&casino.address(path));
            let status = browser.ask("return performance.getEntriesByType('navigation')[0].responseStatus");
            assert_eq!(status, 200, "{path} for {role}");
        }
    }
}
