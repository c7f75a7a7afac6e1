//! The cage: finding players, buy-ins, cash-outs, receipts, the cashier's day, registration. Also queries of the report and the journal.

use std::sync::Arc;

use axum::http::StatusCode;
use baize_house::{Actor, Duty, Instant, PlayerId, SetClock, SignificantKind};
use baize_rules::Money;
use baize_web::Config;

use crate::client::{Client, NO_LIMIT, TestCasino, field};

/// A casino at 2027-01-15 16:00 in Singapore.
async fn casino() -> (TestCasino, Arc<SetClock>) {
    casino_with(Config::default().play_chips).await
}

/// A casino whose players start with nothing and play for cash.
async fn cash_casino() -> (TestCasino, Arc<SetClock>) {
    casino_with(Money::ZERO).await
}

async fn casino_with(play_chips: Money) -> (TestCasino, Arc<SetClock>) {
    let clock = Arc::new(SetClock::at(Instant(1_800_000_000_000)));
    let config = Config {
        address_rate: NO_LIMIT,
        account_rate: NO_LIMIT,
        log_in_rate: NO_LIMIT,
        play_chips,
        ..Config::default()
    };
    (TestCasino::at(config, clock.clone()).await, clock)
}

async fn purse(casino: &TestCasino, name: &str) -> Money {
    casino.house.purse(&name.parse::<PlayerId>().unwrap()).await.unwrap()
}

/// Posts the confirmation on a page this many times and returns the page that follows.
async fn confirm(cage: &mut Client, page: &str, fields: &[(&str, &str)], times: usize) -> String {
    let asked = cage.get(page).await;
    assert_eq!(asked.status, StatusCode::OK, "{}", asked.text());
    let page = asked.text();
    let (csrf, id) = (field(&page, "csrf"), field(&page, "id"));
    let mut all = vec![("csrf", csrf.as_str()), ("id", id.as_str())];
    all.extend_from_slice(fields);
    let mut places = Vec::new();
    for _ in 0..times {
        let answer = cage.post("/cage/do", &all).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text());
        places.push(answer.header("location").to_owned());
    }
    places.dedup();
    assert_eq!(places.len(), 1, "one receipt");
    cage.get(&places[0]).await.text()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_moves_cash_once() {
    let (casino, _) = casino().await;
    let mut cage = casino.staff(Duty::Cage).await;
    let made = cage.form("/cage", "/cage/player", &[("name", "mei"), ("password", "")]).await;
    assert_eq!(made.header("location"), "/cage?player=mei");
    let page = cage.get("/cage?player=mei&do=buy-in&amount=1,500.50").await.text();
    assert!(page.contains("The purse goes from 0.00 to <b>1,500.50</b>"), "{page}");
    assert_eq!(purse(&casino, "mei").await, Money::ZERO, "asking changes nothing");
    let fields = [("player", "mei"), ("do", "buy-in"), ("amount", "1500.50")];
    let page = confirm(&mut cage, "/cage?player=mei&do=buy-in&amount=1500.50", &fields, 3).await;
    assert_eq!(purse(&casino, "mei").await, Money::from_cents(150_050));
    for part in ["Receipt", "Buy-in", "1,500.50", "2027-01-15 16:00:00", "UTC+08:00", "cage", "data-print"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let fields = [("player", "mei"), ("do", "cash-out"), ("amount", "500.00")];
    let page = confirm(&mut cage, "/cage?player=mei&do=cash-out&amount=500", &fields, 2).await;
    assert!(page.contains("Cash-out") && page.contains("1,000.50"), "{page}");
    assert!(page.contains("2 movements") && page.contains("+1,000.50"), "{page}");
}

/// The back button leads to the confirmation as a new page with a new id, which must not offer the movement again.
#[tokio::test(flavor = "multi_thread")]
async fn a_confirmation_is_for_one_movement() {
    let (casino, _) = cash_casino().await;
    let mut cage = casino.staff(Duty::Cage).await;
    cage.form("/cage", "/cage/player", &[("name", "mei"), ("password", "")]).await;
    let counter = cage.get("/cage?player=mei").await.text();
    assert_eq!(field(&counter, "moved"), "0");
    let address = "/cage?player=mei&do=buy-in&amount=600&moved=0";
    let fields = [("player", "mei"), ("do", "buy-in"), ("amount", "600.00")];
    confirm(&mut cage, address, &fields, 1).await;
    let again = cage.get(address).await.text();
    assert!(again.contains("bought in 600.00 since this page was opened"), "{again}");
    assert!(!again.contains("class=\"remedy confirm\""), "nothing to confirm: {again}");
    // Another movement of the same amount begins at the counter.
    let counter = cage.get("/cage?player=mei").await.text();
    let address = format!("/cage?player=mei&do=buy-in&amount=600&moved={}", field(&counter, "moved"));
    confirm(&mut cage, &address, &fields, 1).await;
    assert_eq!(purse(&casino, "mei").await, Money::from_dollars(1_200));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_keeps_the_purse_of_its_time() {
    let (casino, clock) = cash_casino().await;
    let mut cage = casino.staff(Duty::Cage).await;
    let mut ann = casino.player("ann").await;
    let fields = [("player", "ann"), ("do", "buy-in"), ("amount", "100.00")];
    let ask = "/cage?player=ann&do=buy-in&amount=100.00";
    confirm(&mut cage, ask, &fields, 1).await;
    let day = cage.get("/cage").await.text();
    let receipt = day.split("href=\"/cage?receipt=").nth(1).unwrap().split('"').next().unwrap().to_owned();
    ann.form("/table/rh-1", "/table/rh-1/do", &[("do", "bet"), ("seat", "1"), ("ante", "50.00")]).await;
    confirm(&mut cage, ask, &fields, 1).await;
    assert_eq!(purse(&casino, "ann").await, Money::from_dollars(150));
    let page = cage.get(&format!("/cage?receipt={receipt}")).await.text();
    assert!(page.contains("<dt>Purse after</dt><dd>100.00</dd>"), "{page}");
    // The list is empty on the next gaming day; the receipt stays.
    clock.advance_seconds(86_400);
    let mut cage = casino.staff(Duty::Cage).await;
    assert!(cage.get("/cage").await.text().contains("No activity yet."));
    assert!(cage.get(&format!("/cage?receipt={receipt}")).await.text().contains("<dd>100.00</dd>"));
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_appear_beside_their_form() {
    let (casino, _) = cash_casino().await;
    casino.player("ann").await;
    let mut cage = casino.staff(Duty::Cage).await;
    for (address, part) in [
        ("/cage?player=ann&do=buy-in&amount=lots", "`lots` is not an amount of money"),
        ("/cage?player=ann&do=buy-in&amount=-5", "is not an amount of money"),
        ("/cage?player=ann&do=buy-in&amount=0", "is not an amount of money"),
        ("/cage?player=ann&do=cash-out&amount=10000.01", "The purse holds only 0.00, not 10,000.01."),
        ("/cage?player=nobody", "There is no player nobody."),
        ("/cage?find=zz", "No name contains “zz”."),
    ] {
        let answer = cage.get(address).await;
        assert_eq!(answer.status, StatusCode::OK, "{address}");
        assert!(answer.text().contains(part), "{address}: {}", answer.text());
    }
    let fields = [("player", "ann"), ("do", "cash-out"), ("amount", "99999.00")];
    let answer = cage.form("/cage", "/cage/do", &fields).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().contains("id=\"problem-cash-out\""), "{}", answer.text());
    let answer = cage.form("/cage", "/cage/player", &[("name", "ann")]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.text().contains("The name ann is taken."), "{}", answer.text());
    let answer = cage.form("/cage", "/cage/player", &[("name", "two words")]).await;
    assert!(answer.text().contains("id=\"problem-register\""), "{}", answer.text());
    assert_eq!(purse(&casino, "ann").await, Money::ZERO);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cage_is_for_cashiers_only() {
    let (casino, _) = casino().await;
    let whom = Actor::staff("cage".parse().unwrap(), [Duty::Cage]);
    let link = casino.house.one_time_link(&Actor::House, &whom).await.unwrap();
    let path = format!("/in/{}", link.secret);
    let page = casino.client().form(&path, &path, &[]).await.text();
    assert!(page.contains("url=/cage"), "{page}");
    assert!(casino.staff(Duty::Cage).await.get("/").await.text().contains("href=\"/cage\""));
    let mut ann = casino.player("ann").await;
    for client in [&mut ann, &mut casino.staff(Duty::ShiftManager).await] {
        assert_eq!(client.get("/cage").await.status, StatusCode::FORBIDDEN);
        for path in ["/cage/do", "/cage/player"] {
            let fields = [("player", "ann"), ("do", "buy-in"), ("amount", "5.00"), ("name", "new")];
            assert_eq!(client.form("/login", path, &fields).await.status, StatusCode::FORBIDDEN, "{path}");
        }
    }
    assert_eq!(casino.client().get("/cage").await.status, StatusCode::SEE_OTHER, "to the log-in page");
}

#[tokio::test(flavor = "multi_thread")]
async fn large_cash_is_a_significant_event() {
    let (casino, _) = cash_casino().await;
    casino.player("ann").await;
    let mut cage = casino.staff(Duty::Cage).await;
    for (amount, large) in [("9999.99", false), ("10000.00", true)] {
        let fields = [("player", "ann"), ("do", "buy-in"), ("amount", amount)];
        let ask = format!("/cage?player=ann&do=buy-in&amount={amount}");
        assert_eq!(
            cage.get(&ask).await.text().contains("A cash transaction report is opened"),
            large,
            "{amount}"
        );
        confirm(&mut cage, &ask, &fields, 1).await;
        let noted = casino.house.significant_events(&Actor::House, 50).await.unwrap();
        let found = noted.iter().find(|event| event.kind == SignificantKind::LargeCash);
        assert_eq!(found.is_some(), large, "{amount}: {noted:#?}");
        if let Some(event) = found {
            assert_eq!((event.actor.as_str(), event.stream.as_str()), ("staff:cage", "player/ann"));
            assert!(event.words.contains("10,000.00"), "{}", event.words);
        }
    }
    let audit = baize_audit::audit(&casino.house).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_report_queries_are_explained() {
    let (casino, _) = casino().await;
    casino.player("ann").await;
    let mut cage = casino.staff(Duty::Cage).await;
    for (query, part) in [
        ("since=2027-01-01", "unknown parameter `since`; use by, from, to, table, game"),
        ("from=2027-01-01&from=2027-01-02", "twice"),
        ("from=yesterday", "2026-05-01"),
        ("to=2027-02-29", "2026-05-01"),
        ("from=2027-01-02&to=2027-01-01", "the first day, 2027-01-02, is after the last, 2027-01-01"),
        ("by=dealer", "use table, game or day"),
        ("table=zz-9", "the tables are mb-1"),
        ("game=poker", "rws-casino-stud"),
        ("utc_offset=SGT", "+08:00"),
        ("day_begins=6", "06:00"),
    ] {
        let answer = cage.get(&format!("/api/v1/report?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}: {}", answer.text());
        let words = answer.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(words.contains(part), "{query}: {words}");
    }
    let good = cage.get("/api/v1/report?by=day&from=2027-01-15&to=2027-01-15&utc_offset=+08:00").await.json();
    assert_eq!((&good["from"], &good["gaming_day"]["utc_offset"]), (&"2027-01-15".into(), &"+08:00".into()));
    assert_eq!(good["cage_total"]["play_chips"], "10000.00");
    let none = cage.get("/api/v1/report?to=2020-01-01").await.json();
    assert_eq!((&none["activity"], &none["note"]), (&false.into(), &"no activity".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_journal_is_searched() {
    let (casino, clock) = casino().await;
    casino.player("needle").await;
    clock.advance_seconds(3_600);
    for number in 0..60 {
        casino.player(&format!("guest{number}")).await;
    }
    let mut auditor = casino.staff(Duty::Auditor).await;
    let page = auditor.get("/audit").await.text();
    assert!(!page.contains("player/needle"), "a hundred lines later it is on another page");
    for query in [
        "text=NEEDLE",
        "text=purse/needle",
        "to=2027-01-15T16:00",
        "from=2027-01-15T15:59&to=2027-01-15T16:30",
    ] {
        let page = auditor.get(&format!("/audit?{query}")).await.text();
        assert!(page.contains("player/needle"), "{query}");
    }
    assert!(auditor.get("/audit?text=nowhere-at-all").await.text().contains("No entry matches."));
    assert_eq!(auditor.get("/audit?from=today").await.status, StatusCode::BAD_REQUEST);
    let found = auditor.get("/api/v1/journal?text=needle&limit=10").await.json();
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
    let audit = auditor.get("/api/v1/audit").await.json();
    assert!(audit["notes"].is_array(), "{audit}");
}
