//! The back office: pending tasks are on every page of the staff concerned; cash reports, drawer counts, the chart of the day.

use crate::casino::Casino;
use crate::dealing::at_the_shoe;
use crate::driver::{Browser, Driver};
use crate::play::finish_by;

/// Nothing sticks out of the page.
fn fits(browser: &Browser, what: &str) {
    let wider =
        browser.ask("return document.documentElement.scrollWidth > document.documentElement.clientWidth");
    assert_eq!(wider, false, "{what} is wider than the page");
}

fn title(browser: &Browser) -> String {
    browser.ask("return document.title").as_str().unwrap_or_default().to_owned()
}

/// A player whose chips lie at this table, and a supervisor who reports that its jackpot has failed.
fn fault(driver: &Driver, casino: &Casino, table: &str) -> (Browser, Browser) {
    let (player, supervisor) = (driver.browser(390, 844), driver.browser(1280, 900));
    casino.sit(&player, table);
    player.click("#rail form.bets button.primary");
    casino.let_in(&supervisor, "pit supervisor");
    supervisor.go(&casino.address(&format!("/pit/{table}?kind=jackpot-fault&scope=table")));
    supervisor.click("#preview form button.primary");
    (player, supervisor)
}

// RH 5.17.2; RS 5.18.2
#[test]
fn a_failed_jackpot_is_on_every_page_of_the_shift_manager_and_on_every_sign() {
    let driver = Driver::start();
    let casino = Casino::open();
    let desktop = driver.browser(1280, 900);
    casino.let_in(&desktop, "shift manager");
    // A page that follows nothing else, and one that follows a table.
    desktop.go(&casino.address("/rules"));
    assert!(!title(&desktop).starts_with('('), "{}", title(&desktop));
    let (sign, lobby) = (driver.browser(1280, 900), driver.browser(360, 740));
    sign.go(&casino.address("/sign/RWS"));
    lobby.go(&casino.address("/"));
    let (player, supervisor) = fault(&driver, &casino, "rh-1");
    desktop.wait("the title counts it", |browser| title(browser).starts_with("(1) "));
    assert_eq!(desktop.ask("return document.querySelector('#waiting').dataset.count"), "1");
    assert!(!title(&supervisor).starts_with('('), "it is not a supervisor's to decide");
    for (browser, what) in [(&sign, "the sign"), (&lobby, "the lobby"), (&player, "the table")] {
        browser.wait(what, |browser| browser.text().contains("The Progressive Jackpot does not work"));
        fits(browser, what);
    }
    // Nothing is offered that would be refused.
    crate::play::finish_by(&player, "fold");
    player.wait_for_text("Waiting for the Shift Manager to decide");
    assert!(!player.has("#rail form.bets"), "{}", player.text());
    // On a wall display the notice leaves room for every line of the pay tables.
    sign.resize(1920, 1080);
    let below = "return [...document.querySelectorAll('main dl div, main li')].filter((line) => line.getBoundingClientRect().bottom > innerHeight).length";
    assert_eq!(sign.ask(below), 0, "{}", sign.text());
    desktop.go(&casino.address("/pit"));
    desktop.wait_for("#ruling-rh-1");
    desktop.resize(360, 740);
    fits(&desktop, "the board on a phone");
    desktop.resize(1280, 900);
    desktop.click("#ruling-rh-1 a[href*='rule=no-jackpot']");
    desktop.fill("#ruling textarea", "the sign is dark");
    desktop.click("#ruling button.danger");
    desktop.wait("nothing waits any more", |browser| !title(browser).starts_with('('));
    for (browser, what) in [(&sign, "the sign"), (&lobby, "the lobby"), (&player, "the table")] {
        browser.wait(what, |browser| browser.text().contains("No Progressive Jackpot Bets are accepted"));
    }
    // The reason is wherever the ruling is.
    desktop.go(&casino.address("/pit"));
    desktop.wait_for_text("the sign is dark");
}

#[test]
fn a_fault_between_rounds_is_told_once_and_says_who_decides() {
    let driver = Driver::start();
    let casino = Casino::open();
    let supervisor = driver.browser(1280, 900);
    casino.let_in(&supervisor, "pit supervisor");
    // Which device does not work is not known: a box may be it.
    supervisor.go(&casino.address("/pit/rs-1?kind=jackpot-fault"));
    supervisor.click("#desk .questions button[type=submit]");
    supervisor.click("#preview form button.primary");
    for (width, height) in [(1280, 900), (360, 740)] {
        let watcher = driver.browser(width, height);
        watcher.go(&casino.address("/table/rs-1"));
        watcher.wait("who decides", |browser| {
            browser
                .ask("return document.querySelector('#state').innerText")
                .as_str()
                .is_some_and(|state| state.contains("Waiting for the Shift Manager"))
        });
        assert_eq!(
            watcher.ask("return document.querySelectorAll('#standing .notice').length"),
            1,
            "{}",
            watcher.text()
        );
        fits(&watcher, "the table");
    }
    // To bar a box is one answer with a box to choose, not as many as there are boxes.
    let shift = driver.browser(1280, 900);
    casino.let_in(&shift, "shift manager");
    shift.go(&casino.address("/pit"));
    shift.wait_for("#ruling-rs-1 a[href*='rule=no-jackpot']");
    let list = "return [...document.querySelectorAll('#ruling-rs-1 a')].filter((one) => one.checkVisibility()).length";
    assert_eq!(shift.ask(list), 3, "{}", shift.text());
    shift.click("#boxes-rs-1 summary");
    shift.click("#boxes-rs-1 a[href*='bar-box+7']");
    shift.wait_for("#ruling button.danger");
}

#[test]
fn the_form_of_the_last_irregularity_opens_where_the_reader_is_looking() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rs-1");
    player.click("#rail form.bets button.primary");
    let supervisor = driver.browser(1280, 800);
    casino.let_in(&supervisor, "pit supervisor");
    for (width, height) in [(1280, 800), (360, 740)] {
        supervisor.resize(width, height);
        supervisor.go(&casino.address("/pit/rs-1"));
        // A live update may draw the list again: the link is found by its place.
        supervisor.click("#kinds section:last-of-type li:last-child a");
        supervisor.wait_for("#the-report .questions");
        supervisor.wait("the form is in the window", |browser| {
            browser.ask("const box = document.querySelector('#the-report').getBoundingClientRect(); return box.top >= 0 && box.top < innerHeight / 2") == true
        });
        fits(&supervisor, "the desk");
        supervisor.click(".again");
        supervisor.wait("the list is back", |browser| {
            browser.ask("return [...document.querySelectorAll('#kinds li')].filter((one) => one.offsetParent).length") .as_i64() > Some(3)
        });
    }
}

#[test]
fn cash_is_reported_and_the_drawer_counted() {
    let driver = Driver::start();
    let casino = Casino::open();
    let cage = driver.browser(360, 740);
    casino.let_in(&cage, "cage");
    cage.wait_for(".cage-grid");
    cage.click(".register summary");
    cage.fill(".register input[name=shown]", "Tan Mei Ling 陈美玲");
    cage.fill(".register input[name=name]", "meiling");
    cage.click(".register button[type=submit]");
    cage.wait_for_text("Tan Mei Ling 陈美玲");
    let buy = |amount: &str| {
        cage.go(&casino.address(&format!("/cage?player=meiling&do=buy-in&amount={amount}")));
        cage.wait_for("form.confirm");
    };
    buy("3000");
    assert!(!cage.has(".identify"), "below 4,000 nobody is asked");
    cage.click("form.confirm button.primary");
    cage.wait_for(".receipt");
    buy("1000");
    cage.wait_for(".identify");
    fits(&cage, "the counter");
    cage.fill(".identify input[name=document]", "passport …567A");
    cage.click(".identify button");
    cage.wait_for_text("passport …567A");
    buy("7000");
    assert!(!cage.has(".identify"), "who is identified is not asked again");
    cage.wait_for_text("A cash transaction report is opened");
    cage.click("form.confirm button.primary");
    cage.wait("it waits for the cage", |browser| title(browser).starts_with("(1) "));
    let csv = cage.ask("const x = new XMLHttpRequest(); x.open('GET', '/cage/reports.csv', false); x.send(); return x.responseText");
    let csv = csv.as_str().unwrap_or_default();
    assert!(
        csv.contains("meiling,\"Tan Mei Ling 陈美玲\",\"passport …567A\"") && csv.contains(",10000.00,0.00,"),
        "{csv}"
    );
    cage.fill(".cash-reports input[name=reference]", "STR-2026-17");
    cage.click(".cash-reports button");
    cage.wait("nothing waits", |browser| !title(browser).starts_with('('));
    cage.click("#count-drawer summary");
    cage.fill("#count-drawer input[name=amount]", "9,990");
    cage.click("#count-drawer button");
    cage.wait_for_text("-10.00");
    fits(&cage, "the drawer");
    let cut =
        "const all = document.querySelector('.drawer .scroll'); return all.scrollWidth - all.clientWidth";
    assert_eq!(cage.ask(cut), 0, "the difference is seen without scrolling");
    cage.resize(1280, 900);
    fits(&cage, "the cage on a desktop");
}

#[test]
fn practice_chips_are_marked_and_the_cage_counts_nothing_out() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(360, 740);
    player.go(&casino.address("/"));
    assert!(player.has("#table-rs-1 .tag") && player.text().contains("practice"));
    casino.sit(&player, "rs-1");
    assert!(player.has(".purse .tag"), "the purse says so");
    let cage = driver.browser(1280, 900);
    casino.let_in(&cage, "cage");
    cage.go(&casino.address("/cage?player=ann"));
    cage.wait_for_text("The cage neither sells nor cashes them");
    assert!(!cage.has("form.cash-form"), "nothing is offered that is refused then");
    // A cash table beside it: newcomers with play chips watch.
    let shift = driver.browser(1280, 900);
    casino.let_in(&shift, "shift manager");
    shift.go(&casino.address("/house"));
    shift.click("#new-table summary");
    shift.fill("#new-table input[name=table]", "cash-1");
    shift.ask("document.querySelector('#new-table select[name=money]').value = 'cash'");
    shift.click("#new-table button.primary");
    shift.wait_for_text("cash-1");
    // The board, the sign and the report keep the two apart.
    shift.go(&casino.address("/pit"));
    let tag =
        |table: &str| shift.ask(&format!("return document.querySelector('#tile-{table} .tag').innerText"));
    assert_eq!((tag("rs-1"), tag("cash-1")), ("practice".into(), "cash".into()));
    for (money, shown, hidden) in
        [("practice", "Play chips given", "Net cash"), ("cash", "Report", "Play chips given")]
    {
        shift.go(&casino.address(&format!("/report?money={money}")));
        shift.wait_for_text(shown);
        assert!(!shift.text().contains(hidden), "{money}: {}", shift.text());
    }
    player.go(&casino.address("/sign/RWS"));
    player.wait_for("h1 .tag");
    fits(&player, "the sign");
    player.go(&casino.address("/"));
    player.wait_for_text("For cash only: you have practice chips");
    fits(&player, "the lobby");
}

#[test]
fn the_day_is_drawn_and_its_figures_are_behind_it() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rs-1");
    player.click("#rail form.bets button.primary");
    finish_by(&player, "fold");
    let manager = driver.browser(1280, 900);
    casino.let_in(&manager, "pit manager");
    for width in [1280, 360] {
        manager.resize(width, 900);
        manager.go(&casino.address("/report"));
        for picture in
            ["#win svg", "#win-by-table svg", "#luck", "#handle svg", "#rounds svg", "#decisions svg"]
        {
            assert!(manager.has(picture), "{picture}");
        }
        manager.click("#win-figures summary");
        manager.wait_for("#win-figures table");
        assert!(manager.text().contains("gaming day"), "the house's clock is on the page");
        fits(&manager, "the report");
        for (file, part) in [
            ("/report.csv?part=hours", "decisions"),
            ("/report.csv", "hold_percent"),
            ("/report.json", "\"hours\""),
        ] {
            let text = manager.ask(&format!("const x = new XMLHttpRequest(); x.open('GET', '{file}', false); x.send(); return x.responseText"));
            assert!(text.as_str().unwrap_or_default().contains(part), "{file}: {text}");
        }
    }
}

/// Two windows of a Shift Manager: what was about to be ruled on one report does not answer the next, and moves nothing.
#[test]
fn a_ruling_shown_for_one_report_does_not_answer_the_next() {
    let driver = Driver::start();
    let casino = Casino::open();
    let (dealer, player, supervisor) = at_the_shoe(&driver, &casino, "rs-1", false);
    dealer.press("n");
    dealer.wait_for("#console form.entry");
    let shift = driver.browser(1280, 900);
    shift.means("status of 409");
    casino.let_in(&shift, "shift manager");
    let report = || {
        supervisor.go(&casino.address("/pit/rs-1?kind=other"));
        supervisor.click("#preview form button.primary");
        supervisor.wait_for_text("Nothing else can be reported until the Shift Manager has decided");
    };
    let first = shift.window();
    let second = shift.open_window();
    for (width, height) in [(1280, 900), (360, 740)] {
        shift.look_at(&first);
        shift.resize(width, height);
        report();
        // What waits is the first thing on the desk, with its time.
        shift.go(&casino.address("/pit/rs-1"));
        shift.wait_for(".for-ruling a[href*='rule=void']");
        let top = shift.ask("return document.querySelector('.for-ruling').getBoundingClientRect().bottom");
        assert!(top.as_f64().is_some_and(|top| top < f64::from(height)), "{top} at {width}");
        assert!(shift.text().contains("Since "), "{}", shift.text());
        fits(&shift, "the desk");
        shift.click(".for-ruling a[href*='rule=void']");
        shift.wait_for("#ruling textarea");
        fits(&shift, "the ruling");
        shift.look_at(&second);
        shift.go(&casino.address("/pit/rs-1?rule=continue"));
        shift.click("#ruling button.danger");
        shift.wait("play continues", |browser| !browser.has("#ruling"));
        report();
        shift.look_at(&first);
        shift.fill("#ruling textarea", "the first report");
        shift.click("#ruling button.danger");
        shift.wait_for_text("nothing was done");
        assert!(!player.text().contains("void"), "{}", player.text());
        shift.go(&casino.address("/pit/rs-1?rule=continue"));
        shift.fill("#ruling textarea", "nobody was harmed");
        shift.click("#ruling button.danger");
        player.resize(width, height);
        player.wait_for_text("Reason: nobody was harmed.");
        fits(&player, "the table");
        dealer.wait_for_text("because nobody was harmed");
    }
}

/// The back button after a movement leads to a page that does not offer it again.
#[test]
fn the_back_button_at_the_cage_moves_nothing_twice() {
    let driver = Driver::start();
    let casino = Casino::with(&["--count-late", "--play-chips", "0"]);
    let cage = driver.browser(1280, 900);
    casino.open_counter(&cage, "mei");
    for (width, purse) in [(1280, "600.00"), (360, "1,200.00")] {
        cage.resize(width, 900);
        cage.go(&casino.address("/cage?player=mei"));
        cage.fill(".cash-form input[name=amount]", "600");
        cage.click(".cash-form button");
        cage.wait_for("form.confirm");
        cage.click("form.confirm button.primary");
        cage.wait_for(".receipt");
        cage.back();
        cage.wait_for_text("since this page was opened");
        assert!(!cage.has("form.confirm"), "{}", cage.text());
        cage.wait_for_text(purse);
        fits(&cage, "the counter");
    }
}
