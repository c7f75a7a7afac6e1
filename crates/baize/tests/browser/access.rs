//! Every page of every role, wide and narrow, in both themes, for those who see little, listen or use keys: axe-core finds nothing, and neither does a checker of our own
//! for what axe-core cannot judge on the felt, the contrast of labels on a painted cloth.
//!
//! axe-core comes from npm into `target/axe`: `cargo xtask test` puts it there. Where that cannot be done, our own checker stands alone.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use crate::casino::Casino;
use crate::dealing::{NEXT, at_the_shoe, bets_lie, deal_by};
use crate::driver::{Browser, Driver};

/// Where the pages are named: one without a visit fails the test.
const ROUTES: &str = include_str!("../../../web/src/server/mod.rs");

/// What is answered there and is not a page.
const NO_PAGES: [&str; 8] = [
    "/assets/",
    "/events/",
    "/favicon.ico",
    "/healthz",
    "/metrics",
    "/report.csv",
    "/report.json",
    "/cage/{format}",
];

/// The addresses of all pages, as the router has them.
fn all_pages() -> impl Iterator<Item = &'static str> {
    let routes = ROUTES.split(".route(").skip(1).filter(|route| route.contains("get("));
    let paths = routes.filter_map(|route| route.split('"').nth(1));
    paths.filter(|path| !NO_PAGES.iter().any(|other| path.starts_with(other)))
}

/// Whether this address is one of that page.
fn is_of(address: &str, page: &str) -> bool {
    let (address, page): (Vec<&str>, Vec<&str>) = (address.split('/').collect(), page.split('/').collect());
    address.len() == page.len()
        && address.iter().zip(&page).all(|(part, name)| name.starts_with('{') || part == name)
}

/// Names, roles, ids, headings, landmarks; text on the felt against every colour of the cloth behind it, at least 4.5 to 1.
const CHECKER: &str = r#"
const bad = [];
const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const name = (e) => (e.ariaLabel || e.innerText || e.textContent || "").trim();
if (!document.documentElement.lang) bad.push("no language");
if (document.querySelectorAll("h1").length !== 1) bad.push("not one h1");
if (document.querySelectorAll("main").length !== 1) bad.push("not one main");
for (const f of document.querySelectorAll("input:not([type=hidden]), select, textarea")) if (!f.labels?.length && !f.ariaLabel) bad.push("no label: " + f.outerHTML.slice(0, 80));
for (const b of document.querySelectorAll("button, a, summary")) if (!name(b)) bad.push("no name: " + b.outerHTML.slice(0, 80));
for (const b of document.querySelectorAll("button[aria-label], a[aria-label]")) {
  const seen = b.innerText.trim().split("\n")[0].toLowerCase();
  if (shown(b) && seen && !b.ariaLabel.toLowerCase().includes(seen)) bad.push(`“${b.ariaLabel}” does not say “${seen}”`);
}
const ids = [...document.querySelectorAll("[id]")].map((e) => e.getAttribute("id"));
for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) bad.push("twice: " + id);
let level = 1;
for (const h of document.querySelectorAll("h1, h2, h3, h4")) { const n = Number(h.tagName[1]); if (n > level + 1) bad.push(`h${n} after h${level}`); level = n; }
const rgb = (text) => (text.match(/[\d.]+/g) ?? []).slice(0, 4).map(Number);
const light = (c) => { const [r, g, b] = c.map((v) => v / 255).map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)); return .2126 * r + .7152 * g + .0722 * b; };
const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((m, n) => n - m); return (x + .05) / (y + .05); };
const cloth = document.querySelector(".cloth");
if (cloth) {
  const colours = getComputedStyle(cloth).backgroundImage.match(/rgb\([^)]*\)/g).map(rgb);
  for (const label of cloth.querySelectorAll(".spot-name, .pile-name, .legend-line, .felt-meter .name, .legend text")) {
    const style = getComputedStyle(label);
    if (!shown(label) || style.opacity === "0" || !label.textContent.trim()) continue;
    const ink = rgb(label.tagName === "text" ? style.fill : style.color);
    const least = Math.min(...colours.map((colour) => ratio(ink, colour)));
    if (least < 4.5) bad.push(`“${label.textContent}” has ${least.toFixed(2)} to 1 on the felt`);
  }
}
return bad.join("; ");
"#;

/// Checks pages and reports all problems at the end.
struct Inspector {
    axe: Option<String>,
    seen: RefCell<BTreeSet<String>>,
    bad: RefCell<Vec<String>>,
}

impl Inspector {
    fn new() -> Inspector {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../target/axe/node_modules/axe-core/axe.min.js");
        let axe = std::fs::read_to_string(file).ok();
        if axe.is_none() {
            eprintln!(
                "axe-core is not in target/axe: our own checker stands alone; cargo xtask test --only packages brings it"
            );
        }
        Inspector { axe, seen: RefCell::default(), bad: RefCell::default() }
    }

    /// A browser with reduced motion that runs axe-core on every page.
    fn browser(&self, driver: &Driver) -> Browser {
        let browser = driver.browser(1280, 900);
        self.prepare(&browser);
        browser
    }

    fn prepare(&self, browser: &Browser) {
        browser.still();
        if let Some(axe) = &self.axe {
            browser.on_every_page(axe);
        }
    }

    /// What axe-core finds, a line for each. The dark theme changes colours and nothing else.
    fn found(&self, browser: &Browser, theme: &str) -> Vec<String> {
        if self.axe.is_none() {
            return Vec::new();
        }
        let only = if theme == "dark" { ", runOnly: ['color-contrast', 'link-in-text-block']" } else { "" };
        let found = browser.ask_later(&format!(
            "axe.run(document, {{ resultTypes: ['violations']{only} }}).then((told) => done(told.violations.flatMap((rule) =>
               rule.nodes.map((node) => `${{rule.id}}: ${{node.target}} ${{node.html.slice(0, 120)}}`))), (error) => done([String(error)]));"
        ));
        let Some(found) = found.as_array() else { return vec![format!("axe-core says {found}")] };
        found.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The page that is open, with every form of it unfolded: wide and narrow, in both themes.
    fn look(&self, browser: &Browser, whose: &str) {
        browser.wait_for("main#main");
        let page = browser.ask("return location.pathname").as_str().unwrap_or_default().to_owned();
        browser.ask(
            "window.unfolded = [...document.querySelectorAll('main details:not([open])')];
             for (const fold of window.unfolded) fold.open = true",
        );
        for (width, height) in [(360, 740), (1280, 900)] {
            browser.resize(width, height);
            let wider = browser.wider();
            let mut bad: Vec<String> = Vec::new();
            if wider > 0 {
                bad.push(format!("sticks out by {wider} px"));
            }
            for theme in ["light", "dark"] {
                browser.ask(&format!("document.documentElement.dataset.theme = '{theme}'"));
                let own = browser.ask(CHECKER);
                bad.extend(own.as_str().filter(|own| !own.is_empty()).map(|own| format!("{theme}: {own}")));
                bad.extend(self.found(browser, theme).into_iter().map(|one| format!("{theme}: {one}")));
            }
            let of = |bad| format!("{page} of {whose} at {width}: {bad}");
            self.bad.borrow_mut().extend(bad.into_iter().map(of));
        }
        browser.ask("for (const fold of window.unfolded) fold.open = false");
        self.seen.borrow_mut().insert(page);
    }

    fn visit(&self, casino: &Casino, browser: &Browser, whose: &str, paths: &[&str]) {
        for path in paths {
            browser.go(&casino.address(path));
            self.look(browser, whose);
            // Where it leads elsewhere, that is the page.
            self.seen.borrow_mut().insert(path.split('?').next().unwrap_or_default().to_owned());
        }
    }

    fn nothing_is_wrong(&self) {
        let bad = self.bad.borrow();
        assert!(bad.is_empty(), "{bad:#?}");
    }
}

/// Pages common to all roles, checked once without logging in.
const EVERYBODYS: [&str; 4] = ["/", "/rules", "/odds", "/history"];

/// The pages that the reader's navigation links to.
fn own_pages(browser: &Browser) -> Vec<String> {
    let links = browser
        .ask("return [...document.querySelectorAll('header nav a')].map((a) => new URL(a.href).pathname)");
    let links = links.as_array().into_iter().flatten().filter_map(Value::as_str);
    links.filter(|path| !EVERYBODYS.contains(path)).map(str::to_owned).collect()
}

#[test]
fn axe_finds_nothing_on_any_page_of_any_role() {
    let inspector = Inspector::new();
    let driver = Driver::start();
    let casino = Casino::open();
    let visit =
        |browser: &Browser, whose: &str, paths: &[&str]| inspector.visit(&casino, browser, whose, paths);
    let player = inspector.browser(&driver);
    player.means("/nowhere");
    // Asking for figures begins to count them; pages that need them come last.
    visit(&player, "nobody", &EVERYBODYS);
    visit(
        &player,
        "nobody",
        &[
            "/login",
            "/rules/rws-casino-stud",
            "/api",
            "/sign/RWS",
            "/nowhere",
            "/table/rh-1",
            "/odds/rws-casino-stud/card",
        ],
    );
    casino.sit(&player, "rs-1");
    inspector.look(&player, "a player before the bets");
    player.click("#rail form.bets button.primary");
    player.wait_for("#rail [data-key=f]");
    inspector.look(&player, "a player at the decision");
    player.click("#own-menu summary");
    inspector.look(&player, "a player with the menu open");
    player.click("#own-menu summary");
    player.click("#rail [data-key=f]");
    player.wait_for("#slip");
    visit(&player, "a player", &["/session", "/password", "/history/rs-1/1", "/coach"]);
    let name = player.ask("return document.querySelector('#own-menu .who span').textContent");
    let rating = format!("/rating/{}", name.as_str().unwrap());
    let counter = format!("/cage?player={}", name.as_str().unwrap());
    let of = |role: &str, more: &[&str]| {
        let browser = inspector.browser(&driver);
        browser.go(&casino.addresses[role]);
        inspector.look(&browser, role);
        browser.click("main form button.primary");
        browser.wait_for("#account .who");
        let own = own_pages(&browser);
        let own: Vec<&str> = own.iter().map(String::as_str).chain(more.iter().copied()).collect();
        visit(&browser, role, &own);
        browser
    };
    of("dealer", &["/dealer/rh-1", "/pit/rh-1", "/password"]);
    of(
        "pit supervisor",
        &["/pit/rh-1", "/pit/rh-1?kind=jackpot-fault&scope=table", "/surveillance/rws-casino-stud"],
    );
    of("pit manager", &["/house"]);
    of("shift manager", &["/house", "/staff?name=dora", "/staff?name=dora&do=suspend", "/pit/rs-1"]);
    let cage = of("cage", &[&counter, "/cage?player=nobody"]);
    cage.go(&casino.address("/cage"));
    cage.click(".register summary");
    cage.fill(".register input[name=name]", "meiling");
    cage.fill(".register input[name=shown]", "Tan Mei Ling 陈美玲");
    cage.click(".register button[type=submit]");
    cage.wait_for_text("In the purse");
    visit(&cage, "cage", &["/cage?player=meiling&do=buy-in&amount=12000"]);
    cage.click("form.confirm button[type=submit]");
    cage.wait_for(".receipt");
    inspector.look(&cage, "cage after a movement that is reported");
    of("auditor", &[&rating]);
    // What is counted by now: questions, ratings, figures.
    for (path, counted) in [
        ("/coach/rws-casino-stud", "#drill form"),
        ("/odds/rws-casino-stud", "#calculator"),
        ("/rating", "main"),
        ("/session", "#session-graph .expected"),
    ] {
        player.go(&casino.address(path));
        player.wait_for(counted);
        inspector.look(&player, "a player");
    }
    player.click("#own-menu summary");
    player.click("#own-menu form button");
    player.wait_for_text("has no password");
    inspector.look(&player, "a player who logs out");
    let seen = inspector.seen.borrow();
    let missed: Vec<&str> =
        all_pages().filter(|page| !seen.iter().any(|address| is_of(address, page))).collect();
    assert!(missed.is_empty(), "no visit to {missed:?}");
    assert!(all_pages().count() >= 30, "the route table is read");
    drop(seen);
    inspector.nothing_is_wrong();
}

/// Rounds whose cards are staged, so that each end is on the page whatever the luck.
#[test]
fn axe_finds_nothing_on_a_round_that_is_won_lost_folded_or_void() {
    let inspector = Inspector::new();
    let driver = Driver::start();
    let casino = Casino::open();
    let (dealer, player, pit) = at_the_shoe(&driver, &casino, "rs-1", true);
    let good = "kh kc qd 7d 2h";
    let bad = "ks kd jc 8d 4h";
    let nothing = "qs jd 9c 7c 3h";
    for (browser, page) in [(&dealer, "/dealer/rs-1"), (&player, "/table/rs-1"), (&pit, "/pit")] {
        inspector.prepare(browser);
        browser.go(&casino.address(page));
        browser.wait_for("main#main");
    }
    // Every result explains itself, to the kicker that decides.
    for (end, own, against, choice, because) in [
        (
            "You win",
            good,
            bad,
            "raise",
            "Your pair of Kings, Queen kicker, beats the dealer's pair of Kings, Jack kicker.",
        ),
        (
            "You lose",
            bad,
            good,
            "raise",
            "Your pair of Kings, Jack kicker, loses to the dealer's pair of Kings, Queen kicker.",
        ),
        ("You are even", bad, nothing, "raise", "does not qualify: ante paid, bet returned."),
        ("You lose", bad, good, "fold", "You folded: ante and jackpot wager lost."),
    ] {
        dealer.press("n");
        dealer.wait_for("#console form.entry");
        inspector.look(&dealer, "a dealer at the shoe");
        deal_by(&dealer, &player, &[("burn", "3c"), ("box-4", own), ("dealer", against)], choice);
        player.wait_for("#slip");
        player.wait_for_text(end);
        player.wait_for_text(because);
        if choice != "fold" {
            assert_eq!(
                player.ask("return document.querySelectorAll('#felt .raised').length"),
                10,
                "both fives"
            );
        }
        inspector.look(&player, &format!("a player, {end}, {choice}"));
        inspector.look(&dealer, &format!("a dealer who pays and takes, {end}"));
        dealer.wait_for(NEXT);
        bets_lie(&dealer, &player);
    }
    // A foreign card: the round is void immediately.
    dealer.press("n");
    dealer.wait_for("#console form.entry");
    pit.go(&casino.address("/pit/rs-1?kind=foreign-card"));
    if !pit.has("#preview .remedy") {
        pit.click("#desk .questions button[type=submit]");
        pit.wait_for("#preview .remedy");
    }
    inspector.look(&pit, "a supervisor who reports");
    pit.click("#preview form button.primary");
    player.wait_for_text("The round is void");
    player.wait_for_text("Your wagers are back");
    inspector.look(&player, "a player, void");
    inspector.look(&dealer, "a dealer, void");
    pit.go(&casino.address("/pit"));
    inspector.look(&pit, "a supervisor after a void");
    player.go(&casino.address("/history/rs-1/5"));
    inspector.look(&player, "a player, the record of a void");
    // A failed jackpot on every page that shows it, the ruling with its consequences, and the page of a dealer who may not.
    pit.go(&casino.address("/pit/rs-1?kind=jackpot-fault&scope=table"));
    pit.click("#preview form button.primary");
    let shift = inspector.browser(&driver);
    casino.let_in(&shift, "shift manager");
    for page in ["/pit", "/pit/rs-1", "/pit/rs-1?rule=no-jackpot", "/sign/RWS", "/", "/table/rs-1"] {
        shift.go(&casino.address(page));
        inspector.look(&shift, "a Shift Manager after a fault");
    }
    dealer.means("status of 403");
    dealer.go(&casino.address("/staff"));
    dealer.wait_for_text("Not allowed");
    inspector.look(&dealer, "a dealer who may not");
    inspector.nothing_is_wrong();
}
