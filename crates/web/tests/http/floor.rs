//! Running tables from the pit: dealer, shoe, clocks, closing, daily win. Also live odds and the icon.

use axum::http::StatusCode;
use baize_house::{Duty, Pace, Shoe, TableInfo};

use crate::client::{Client, TestCasino};
use crate::events::Reader;

const DESK: &str = "/pit/rh-1";

async fn set(client: &mut Client, fields: &[(&str, &str)]) -> StatusCode {
    client.form(DESK, "/pit/rh-1/set", fields).await.status
}

async fn info(casino: &TestCasino) -> TableInfo {
    casino.house.table(&"rh-1".parse().unwrap()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pit_sets_who_deals_and_from_which_shoe() {
    let casino = TestCasino::open().await;
    let (mut sam, mut dora) = (casino.staff(Duty::PitSupervisor).await, casino.staff(Duty::Dealer).await);
    let page = dora.get(DESK).await.text();
    assert!(page.contains("this needs the Pit Supervisor") && !page.contains("id=\"set-dealer\""));
    assert_eq!(set(&mut dora, &[("set", "dealer")]).await, StatusCode::FORBIDDEN);
    let page = sam.get(DESK).await.text();
    assert!(page.contains("id=\"set-clocks\"") && page.contains("id=\"set-dealer\""));
    assert!(!page.contains("id=\"set-entered\"") && page.contains("give the table to one first"));
    let clocks = [("set", "auto"), ("betting_seconds", "7"), ("decision_seconds", "9")];
    assert_eq!(set(&mut sam, &clocks).await, StatusCode::SEE_OTHER);
    assert_eq!(info(&casino).await.pace, Pace::Auto { betting_seconds: 7, decision_seconds: 9 });
    assert!(sam.get(DESK).await.text().contains("7 s to bet, 9 s to decide"));
    for bad in ["0", "-1", "1e3", "4000000000", "x"] {
        let clocks = [("set", "auto"), ("betting_seconds", bad), ("decision_seconds", "9")];
        assert!(set(&mut sam, &clocks).await.is_client_error(), "{bad}");
    }
    assert_eq!(set(&mut sam, &[("set", "dealer")]).await, StatusCode::SEE_OTHER);
    assert_eq!(set(&mut sam, &[("set", "entered")]).await, StatusCode::SEE_OTHER);
    assert_eq!((info(&casino).await.pace, info(&casino).await.shoe), (Pace::Dealer, Shoe::Entered));
    let page = sam.get(DESK).await.text();
    assert!(page.contains("id=\"set-computer\"") && !page.contains("id=\"set-auto\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_refused_during_a_round() {
    let casino = TestCasino::open().await;
    let (mut sam, mut ann) = (casino.staff(Duty::PitSupervisor).await, casino.player("ann").await);
    let (place, act) = ("/table/rh-1", "/table/rh-1/do");
    let bets = [("do", "bet"), ("seat", "4"), ("ante", "10.00"), ("then", "ready")];
    assert!(ann.form(place, act, &bets).await.status.is_redirection());
    let page = sam.get(DESK).await.text();
    assert!(page.contains("round 1 is in progress") && !page.contains("id=\"set-dealer\""), "{page}");
    assert!(set(&mut sam, &[("set", "dealer")]).await.is_client_error());
    // After the fold, the ante is in the daily win.
    assert!(ann.form(place, act, &[("do", "fold"), ("seat", "4")]).await.status.is_redirection());
    assert!(sam.get(DESK).await.text().contains("id=\"set-dealer\""));
    let board = sam.get("/pit").await.text();
    let tile = board.split("id=\"tile-rh-1\"").nth(1).unwrap().split("</li>").collect::<String>();
    let won = tile.split("Won today").nth(1).unwrap();
    assert!(won[..won.find("</dd>").unwrap()].contains("+10.00"), "{won}");
    assert!(board.contains("Nothing is waiting."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_closed_with_notice_and_opened_again() {
    let casino = TestCasino::open().await;
    let (mut mia, mut sam) = (casino.staff(Duty::PitManager).await, casino.staff(Duty::PitSupervisor).await);
    let mut ann = casino.player("ann").await;
    assert!(sam.get(DESK).await.text().contains("Closing the table: this needs the Pit Manager"));
    let closed = mia.form(DESK, "/pit/rh-1/close", &[("notice", "Closed for cleaning.")]).await;
    assert_eq!(closed.status, StatusCode::SEE_OTHER);
    for page in ["/", "/table/rh-1"] {
        assert!(ann.get(page).await.text().contains("Closed for cleaning."), "{page}");
    }
    let table = ann.get("/table/rh-1").await.text();
    assert!(table.contains("The table is closed") && !table.contains("name=\"ante\""), "{table}");
    assert!(mia.get(DESK).await.text().contains("id=\"reopen\""));
    assert_eq!(set(&mut mia, &[("set", "reopen")]).await, StatusCode::SEE_OTHER);
    assert!(ann.get("/table/rh-1").await.text().contains("name=\"ante\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn odds_are_updated_live_without_the_calculator() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    for (path, stream, region) in [
        ("/odds", "/events/odds", "id=\"all-edges\""),
        ("/odds/rws-casino-stud", "/events/odds/rws-casino-stud", "id=\"edges\""),
    ] {
        let page = ann.get(path).await.text();
        assert!(page.contains(&format!("data-events=\"{stream}\"")) && page.contains("<progress"), "{path}");
        let event = Reader::open(&mut ann, stream, None).await.next().await.unwrap();
        assert!(event.data.contains(region) && event.data.contains("id=\"counting\""), "{path}");
        assert!(!event.data.contains("data-calculator"), "{path}");
    }
    assert_eq!(ann.get("/events/odds/none").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_a_favicon() {
    let casino = TestCasino::open().await;
    let icon = casino.client().get("/favicon.ico").await;
    assert_eq!((icon.status, icon.header("content-type")), (StatusCode::OK, "image/vnd.microsoft.icon"));
    assert!(icon.body.starts_with(&[0, 0, 1, 0]));
}
