//! Tables and jackpots: the pit's forms and the API.

use axum::http::{Method, StatusCode};
use baize_house::{Actor, Duty, JackpotId};
use baize_rules::Money;
use serde_json::json;

use crate::client::{Client, TestCasino};

const NEW: [(&str, &str); 10] = [
    ("table", "vip-1"),
    ("game", "rws-casino-stud"),
    ("boxes", "5"),
    ("jackpot", "RWS"),
    ("ante_least", "100"),
    ("ante_most", "5,000"),
    ("bonus_least", ""),
    ("bonus_most", ""),
    ("dealt", "dealer"),
    ("float", "250,000"),
];

async fn post(client: &mut Client, action: &str, fields: &[(&str, &str)]) -> (StatusCode, String) {
    let answer = client.form("/house", action, fields).await;
    (answer.status, answer.text())
}

fn with<'a>(fields: &[(&'a str, &'a str)], name: &str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    fields.iter().map(|&(field, is)| (field, if field == name { value } else { is })).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_table_is_in_the_lobby_and_refusals_are_in_its_form() {
    let casino = TestCasino::open().await;
    let (mut sam, mut sue) =
        (casino.staff(Duty::PitSupervisor).await, casino.staff(Duty::ShiftManager).await);
    let mut dora = casino.staff(Duty::Dealer).await;
    assert_eq!(dora.get("/house").await.status, StatusCode::FORBIDDEN);
    assert_eq!(casino.client().get("/house").await.status, StatusCode::SEE_OTHER, "to the log-in page");
    let page = sam.get("/house").await.text();
    assert!(page.contains("this needs the Shift Manager") && !page.contains("id=\"new-table\""));
    assert_eq!(post(&mut sam, "/house/tables", &NEW).await.0, StatusCode::FORBIDDEN);
    for (name, value, message) in [
        ("table", "no name", "the name of the table"),
        ("table", "rh-1", "taken"),
        ("game", "poker", "poker"),
        ("boxes", "12", "12 boxes"),
        ("jackpot", "nowhere", "nowhere"),
        ("ante_least", "many", "`many` is not an amount"),
        ("ante_least", "6,000", "minimum"),
        ("dealt", "nobody", "who deals"),
    ] {
        let (status, page) = post(&mut sue, "/house/tables", &with(&NEW, name, value)).await;
        assert!(status.is_client_error(), "{name} {value}: {status}");
        assert!(page.to_lowercase().contains(&message.to_lowercase()), "{name} {value}: {page}");
        assert!(page.contains("value=\"250,000\""), "what was typed is kept");
    }
    let (status, page) = post(&mut sue, "/house/tables", &NEW).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{page}");
    let info = casino.house.table(&"vip-1".parse().unwrap()).await.unwrap();
    assert_eq!(
        (info.boxes, info.ante.least, info.ante.most),
        (5, Money::from_dollars(100), Money::from_dollars(5_000))
    );
    for page in ["/", "/house"] {
        assert!(sue.get(page).await.text().contains("vip-1"), "{page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_set_at_the_desk_and_displayed() {
    let casino = TestCasino::open().await;
    let (mut sam, mut mia) = (casino.staff(Duty::PitSupervisor).await, casino.staff(Duty::PitManager).await);
    let mut ann = casino.player("ann").await;
    let limits = [
        ("set", "limits"),
        ("ante_least", "25"),
        ("ante_most", "2,500"),
        ("bonus_least", "5"),
        ("bonus_most", "100"),
    ];
    assert!(sam.get("/pit/rh-1").await.text().contains("this needs the Pit Manager"));
    assert_eq!(sam.form("/pit/rh-1", "/pit/rh-1/set", &limits).await.status, StatusCode::FORBIDDEN);
    for (name, value) in [("ante_least", "0"), ("ante_least", "9,999"), ("bonus_most", "x")] {
        let wrong = mia.form("/pit/rh-1", "/pit/rh-1/set", &with(&limits, name, value)).await;
        assert!(wrong.status.is_client_error(), "{name} {value}");
    }
    assert_eq!(mia.form("/pit/rh-1", "/pit/rh-1/set", &limits).await.status, StatusCode::SEE_OTHER);
    assert!(ann.get("/table/rh-1").await.text().contains("ante 25 to 2,500"));
    assert!(ann.get("/").await.text().contains("25–2,500"));
}

#[tokio::test(flavor = "multi_thread")]
async fn new_parameters_of_a_jackpot_need_two_people() {
    let casino = TestCasino::open().await;
    let mut mia = casino.staff(Duty::PitManager).await;
    let mut sue = casino.staff(Duty::ShiftManager).await;
    let jackpot: JackpotId = "MBS".parse().unwrap();
    let change = || casino.house.jackpot_parameters(&Actor::House, &jackpot).unwrap();
    let fields = [
        ("reset", "150,000"),
        ("increment", "12.5"),
        ("reserve", "5%"),
        ("ceiling", ""),
        ("confirm_above", "20,000"),
    ];
    let (status, page) =
        post(&mut mia, "/house/jackpots/MBS/propose", &with(&fields, "increment", "lots")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(page.contains("`lots` is not a percentage") && page.contains("value=\"150,000\""), "{page}");
    assert_eq!(change().1, None);
    let (status, page) = post(&mut mia, "/house/jackpots/MBS/propose", &fields).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{page}");
    let page = mia.get("/house").await.text();
    assert!(page.contains("12.5%") && page.contains("this needs the Shift Manager"), "{page}");
    assert_eq!(post(&mut mia, "/house/jackpots/MBS/approve", &[]).await.0, StatusCode::FORBIDDEN);
    assert_eq!(post(&mut sue, "/house/jackpots/MBS/approve", &[]).await.0, StatusCode::SEE_OTHER);
    let approved = change().1.unwrap();
    assert_eq!(approved.approved_by.unwrap().name, "shift-manager");
    assert_eq!(approved.parameters.reset, Money::from_dollars(150_000));
    assert!(sue.get("/house").await.text().contains("takes effect at the next hit of the top award"));
    assert_eq!(post(&mut mia, "/house/jackpots/MBS/withdraw", &[]).await.0, StatusCode::SEE_OTHER);
    assert_eq!(change().1, None);
    assert!(post(&mut mia, "/house/jackpots/MBS/forget", &[]).await.0.is_client_error());
    let (status, page) = post(&mut mia, "/house/jackpots/MBS/withdraw", &[]).await;
    assert!(status.is_client_error() && page.contains("no change of parameters is proposed"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_jackpot_and_its_table_over_the_api() {
    let casino = TestCasino::open().await;
    let mut sue = casino.staff(Duty::ShiftManager).await;
    let new = json!({ "id": "j1", "jackpot": "High", "wager": "25.00", "base": "500000.00", "ceiling": "900000.00" });
    for _ in 0..2 {
        let made = sue.json(Method::POST, "/api/v1/jackpots", Some(&new)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    }
    let table = json!({ "id": "t1", "table": "high-1", "game": "mbs-megalink-stud", "jackpot": "High",
        "ante": { "least": "50.00", "most": "2000.00" }, "pace": { "pace": "dealer" } });
    for _ in 0..2 {
        let made = sue.json(Method::POST, "/api/v1/tables", Some(&table)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
        assert_eq!(made.json()["jackpot_wager"], "25.00");
        assert_eq!(made.json()["ante"]["least"], "50.00");
    }
    let of = sue.json(Method::GET, "/api/v1/jackpots/High/parameters", None).await.json();
    assert_eq!((&of["parameters"]["ceiling"], &of["change"]), (&json!("900000.00"), &json!(null)));
    let mut wanted = of["parameters"].clone();
    wanted["reset"] = json!("600000.00");
    let propose = json!({ "id": "p1", "parameters": wanted });
    for _ in 0..2 {
        let sent = sue.json(Method::POST, "/api/v1/jackpots/High/parameters", Some(&propose)).await;
        assert_eq!(sent.status, StatusCode::NO_CONTENT, "{}", sent.text());
    }
    let own = sue.json(Method::POST, "/api/v1/jackpots/High/parameters/approve", Some(&json!({}))).await;
    assert_eq!(own.json()["error"]["code"], "jackpot", "{}", own.text());
    let back = sue.json(Method::POST, "/api/v1/jackpots/High/parameters/withdraw", None).await;
    assert_eq!(back.status, StatusCode::NO_CONTENT, "{}", back.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jackpot_is_closed_into_another() {
    let casino = TestCasino::open().await;
    let (mut mia, mut sue) = (casino.staff(Duty::PitManager).await, casino.staff(Duty::ShiftManager).await);
    let new = json!({ "jackpot": "Next", "base": "1000.00" });
    assert_eq!(sue.json(Method::POST, "/api/v1/jackpots", Some(&new)).await.status, StatusCode::CREATED);
    assert!(!mia.get("/house").await.text().contains("id=\"close-Next\""), "not the Pit Manager's");
    let sure = [("into", "MBS"), ("sure", "yes")];
    assert_eq!(post(&mut mia, "/house/jackpots/Next/close", &sure).await.0, StatusCode::FORBIDDEN);
    let (status, page) = post(&mut sue, "/house/jackpots/Next/close", &sure[..1]).await;
    assert!(status.is_client_error() && page.contains("Tick the box to confirm"), "{page}");
    assert_eq!(post(&mut sue, "/house/jackpots/Next/close", &sure).await.0, StatusCode::SEE_OTHER);
    let page = sue.get("/house").await.text();
    assert!(page.contains("its pools moved to MBS") && !page.contains("id=\"propose-Next\""), "{page}");
    let jackpots = casino.house.jackpots().await.unwrap();
    let mbs = jackpots.iter().find(|jackpot| jackpot.id.as_str() == "MBS").unwrap();
    assert_eq!(mbs.displayed, Money::from_dollars(101_000));
    let again = sue.json(Method::POST, "/api/v1/jackpots/Next/close", Some(&json!({ "into": "MBS" }))).await;
    assert_eq!(again.json()["error"]["code"], "jackpot", "{}", again.text());
    assert!(baize_audit::audit(&casino.house).await.unwrap().is_clean());
}
