//! How pages look and move: the cloth keeps inside its rim, motion and sound are for those who want them, people have their names.

use crate::casino::Casino;
use crate::dealing::decide;
use crate::driver::{Browser, Driver};
use crate::play::finish;

#[test]
fn the_cloth_keeps_inside_its_rim_at_every_width() {
    let driver = Driver::start();
    let casino = Casino::open();
    for table in ["rh-1", "ms-1"] {
        let player = driver.browser(1280, 900);
        player.still();
        casino.sit(&player, table);
        let look = |when: &str| {
            for (width, height) in [(360, 740), (768, 1024), (1280, 900), (1920, 1080)] {
                player.resize(width, height);
                assert_eq!(player.wider(), 0, "{table} {when} at {width}");
                let out = player.ask(
                    "const rim = document.querySelector('.rim').getBoundingClientRect();
                     return [...document.querySelectorAll('.cloth :is(.card, .spot, .nameplate, .felt-meter)')].filter((one) => one.checkVisibility()).map((one) => [one.className, one.getBoundingClientRect()])
                       .filter(([, at]) => at.left < rim.left || at.right > rim.right || at.top < rim.top || at.bottom > rim.bottom + 1).map(([name]) => name).join(', ')",
                );
                assert_eq!(out, "", "{table} {when} at {width}");
            }
        };
        look("before the bets");
        player.resize(1280, 900);
        player.click("#rail form.bets button.primary");
        player.wait_for("#rail [data-key=f]");
        decide(&player, "none");
        look("at the decision");
        player.resize(1280, 900);
        finish(&player);
        look("at the end");
    }
}

#[test]
fn motion_is_short_and_skippable_and_off_for_those_who_want_none() {
    let driver = Driver::start();
    let casino = Casino::open();
    let (player, calm) = (driver.browser(1280, 900), driver.browser(360, 740));
    calm.still();
    for (browser, table) in [(&player, "rs-1"), (&calm, "ms-1")] {
        // A sound would need this.
        browser.on_every_page("window.AudioContext = class extends AudioContext { constructor() { super(); window.sounded = true; } }");
        casino.sit(browser, table);
        browser.click("#rail form.bets button.primary");
        browser.wait_for("#rail [data-key=f]");
        browser.wait_for("#felt .card");
    }
    let longest = |browser: &Browser| {
        let seconds = browser.ask(
            "const s = (text) => parseFloat(text) || 0;
             return Math.max(...[...document.querySelectorAll('#felt *')].map((e) => getComputedStyle(e)).filter((c) => c.animationName !== 'none').map((c) => s(c.animationDuration) + s(c.animationDelay)), 0)",
        );
        seconds.as_f64().unwrap_or(f64::MAX)
    };
    assert!(longest(&player) > 0.0 && longest(&player) <= 1.0, "{}", longest(&player));
    assert!(longest(&calm) == 0.0, "{}", longest(&calm));
    // Whatever moves is over with the next key, and holds up nothing.
    player.ask("window.flight = document.querySelector('#felt .card').animate([{ opacity: 0 }, { opacity: 1 }], 600000)");
    assert_eq!(player.ask("return window.flight.playState"), "running");
    player.press("\u{e008}");
    player.wait("it is skipped", |browser| browser.ask("return window.flight.playState") == "finished");
    finish(&player);
    assert_eq!(player.ask("return window.sounded ?? false"), false, "sounds are off until asked for");
    player.click("#own-menu summary");
    player.click("[data-switch=sounds]");
    player.wait("now there is one", |browser| browser.ask("return window.sounded ?? false") == true);
}

#[test]
fn style_and_script_are_light() {
    let driver = Driver::start();
    let casino = Casino::open();
    let browser = driver.browser(360, 740);
    browser.go(&casino.address("/"));
    let bytes = browser.ask(
        "return performance.getEntriesByType('resource').filter((one) => /baize\\.(css|js)/.test(one.name)).map((one) => one.encodedBodySize)",
    );
    let bytes: Vec<i64> =
        bytes.as_array().into_iter().flatten().filter_map(serde_json::Value::as_i64).collect();
    assert_eq!(bytes.len(), 2, "{bytes:?}");
    assert!(bytes.iter().all(|bytes| *bytes > 0) && bytes.iter().sum::<i64>() <= 30_000, "{bytes:?}");
}

#[test]
fn players_are_called_by_their_names() {
    let driver = Driver::start();
    let casino = Casino::open();
    for ((width, height), name) in
        [(1280, 900), (360, 740)].into_iter().zip(["Tan Mei Ling 陈美玲", "முருகன் s/o ராஜா"])
    {
        let (mei, other) = (driver.browser(width, height), driver.browser(width, height));
        casino.sit(&mei, "rh-1");
        mei.go(&casino.address("/password"));
        mei.fill("input[name=shown]", name);
        mei.click("form:has(input[name=shown]) button[type=submit]");
        mei.wait_for_text("name");
        mei.go(&casino.address("/table/rh-1"));
        casino.sit(&other, "rh-1");
        for browser in [&mei, &other] {
            browser.wait("the name is on the felt", |browser| {
                browser
                    .ask("return [...document.querySelectorAll('.nameplate .name')].map((one) => one.textContent)")
                    .as_array()
                    .is_some_and(|names| names.iter().any(|one| one == name))
            });
            assert_eq!(browser.wider(), 0);
        }
        // Bets of one wait for the other, who is named.
        other.click("#rail form.bets button.primary");
        other.wait_for_text(&format!("Waiting for {name}"));
        mei.click(".leave button");
        mei.wait_for("#tables");
        other.wait_for("#rail [data-key=f]");
        finish(&other);
        other.click(".leave button");
        other.wait_for("#tables");
        // She plays a round of her own: the list and its replay call her by her name too, and never by her log-in.
        casino.sit(&mei, "rh-1");
        mei.click("#rail form.bets button.primary");
        mei.wait_for("#rail [data-key=f]");
        finish(&mei);
        mei.click("#slip summary");
        mei.click("#slip a[href*='/history/']");
        mei.wait_for("#replay .steps");
        let steps = mei.ask("return document.querySelector('#replay .steps').innerText");
        let steps = steps.as_str().unwrap_or_default();
        assert!(steps.contains(&format!("({name})")) && steps.contains(&format!("· {name}")), "{steps}");
        assert_eq!(mei.wider(), 0);
        mei.go(&casino.address("/history"));
        mei.wait_for_text(name);
        // One quick hand gives no rate.
        mei.click("#own-menu summary");
        mei.click("#own-menu a[href$='/rating']");
        mei.wait_for_text("Hands per hour");
        let rate = mei.ask(
            "const heads = [...document.querySelectorAll('main table thead th')];
             const at = heads.findIndex(head => head.innerText.includes('Hands per hour'));
             return document.querySelector('main table tbody tr').children[at].innerText",
        );
        assert_eq!(rate, "not enough play");
        mei.go(&casino.address("/table/rh-1"));
        mei.click(".leave button");
        mei.wait_for("#tables");
    }
}

/// Every page names the clock of its times, and the log-in page uses the same font as all others.
#[test]
fn every_page_has_the_clock_of_the_house_at_its_foot() {
    let driver = Driver::start();
    let casino = Casino::open();
    let (visitor, shift, auditor) =
        (driver.browser(1280, 900), driver.browser(1280, 900), driver.browser(1280, 900));
    casino.let_in(&shift, "shift manager");
    casino.let_in(&auditor, "auditor");
    for (width, height) in [(1280, 900), (360, 740)] {
        for (browser, pages) in [
            (&visitor, &["/", "/login", "/rules", "/history"][..]),
            (&shift, &["/pit", "/pit/rh-1", "/house", "/staff", "/report"]),
            (&auditor, &["/audit", "/rating", "/report"]),
        ] {
            browser.resize(width, height);
            for page in pages {
                browser.go(&casino.address(page));
                browser.wait_for("footer.foot");
                let foot = browser.ask("return document.querySelector('footer.foot').innerText");
                let foot = foot.as_str().unwrap_or_default();
                assert!(foot.contains("House time UTC+08:00 · gaming day 20"), "{page}: {foot}");
                assert_eq!(browser.wider(), 0, "{page} at {width}");
            }
        }
        visitor.go(&casino.address("/login"));
        let letters =
            visitor.ask("return [document.querySelector('main p'), document.querySelector('footer p')].map((one) => getComputedStyle(one).fontFamily)");
        assert_eq!(letters[0], letters[1], "{letters}");
    }
}

/// Long names in any script fit their plates, and do not change the banner.
#[test]
fn long_names_stay_on_their_plates() {
    let driver = Driver::start();
    let casino = Casino::open();
    let player = driver.browser(768, 1024);
    casino.sit(&player, "rs-1");
    player.go(&casino.address("/password"));
    player.fill("input[name=shown]", "ஶ்ரீனிவாச ராமானுஜன் அய்யங்கார் பெருமாள் 歐陽慕容");
    player.click("form:has(input[name=shown]) button[type=submit]");
    let height = |css: &str| {
        let tallest =
            "return Math.max(...[...document.querySelectorAll('CSS')].map((one) => one.offsetHeight))";
        player.ask(&tallest.replace("CSS", css)).as_i64().unwrap_or(i64::MAX)
    };
    for (width, window) in [(768, 1024), (360, 740), (1280, 900)] {
        player.resize(width, window);
        player.go(&casino.address("/table/rs-1"));
        player.wait_for(".here .nameplate");
        assert!(player.text().contains("ஶ்ரீனிவாச"), "{}", player.text());
        assert!(height(".nameplate") <= 80, "a plate of {} px at {width}", height(".nameplate"));
        assert!(height("body > header") <= 116, "a banner of {} px at {width}", height("body > header"));
        assert_eq!(player.wider(), 0, "{width}");
    }
}
