//! The API: previews, versions, repeated requests, the cage, staff accounts.

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use baize_house::{Actor, Duty};
use baize_rules::Money;
use baize_web::Config;
use serde_json::{Value, json};

use crate::client::{Client, NO_LIMIT, Response, TestCasino};

/// An API client with a bearer token.
struct ApiClient {
    client: Client,
    token: Option<String>,
}

impl ApiClient {
    async fn of(casino: &TestCasino, duty: Duty) -> ApiClient {
        let whom = Actor::staff(duty.code().parse().unwrap(), [duty]);
        let token = casino.house.start_session(&whom).await.unwrap().secret;
        ApiClient { client: casino.client(), token: Some(token) }
    }

    fn anonymous(casino: &TestCasino) -> ApiClient {
        ApiClient { client: casino.client(), token: None }
    }

    async fn send(&mut self, method: Method, path: &str, body: Option<Value>) -> Response {
        let mut request = self.client.request(method, &format!("/api/v1{path}"));
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let body = match body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        self.client.send(request.body(body).unwrap()).await
    }

    async fn post(&mut self, path: &str, body: Value) -> Response {
        self.send(Method::POST, path, Some(body)).await
    }
}

/// A new player who joined over the API.
async fn joined(casino: &TestCasino, name: &str) -> ApiClient {
    let mut client = ApiClient::anonymous(casino);
    let session = client.post("/players", json!({ "name": name })).await.json();
    client.token = Some(session["token"].as_str().unwrap().to_owned());
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn players_cannot_preview() {
    let casino = TestCasino::open().await;
    let mut ann = joined(&casino, "ann").await;
    let wager = |area: &str, amount: &str| json!({ "order": "bet", "wagers": [{ "seat": 3, "area": area, "amount": amount }] });
    for (id, order) in [("b", wager("ante", "50.00")), ("r", json!({ "order": "ready" }))] {
        let done = ann.post("/tables/rs-1/orders", json!({ "id": id, "order": order })).await;
        assert_eq!(done.status, StatusCode::OK, "{}", done.text());
    }
    let raise = json!({ "order": wager("bet", "100.00") });
    for (mut who, status) in [
        (ann, StatusCode::FORBIDDEN),
        (ApiClient::anonymous(&casino), StatusCode::UNAUTHORIZED),
        (ApiClient::of(&casino, Duty::Auditor).await, StatusCode::FORBIDDEN),
        (ApiClient::of(&casino, Duty::ShiftManager).await, StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = who.post("/tables/rs-1/preview", raise.clone()).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        assert!(!answer.text().contains("settled"), "{}", answer.text());
    }
    let mut pit = ApiClient::of(&casino, Duty::ShiftManager).await;
    let report = json!({ "command": "report", "kind": "power-failure", "seat": null, "facts": {},
        "by": { "role": "dealer", "name": null } });
    let report = json!({ "order": { "order": "table", "command": report } });
    let answer = pit.post("/tables/rs-1/preview", report).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert!(!answer.json()["steps"].as_array().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_for_an_old_version_is_refused_with_the_current_one() {
    let casino = TestCasino::open().await;
    let (mut ann, mut ben) = (joined(&casino, "ann").await, joined(&casino, "ben").await);
    let version = ann.send(Method::GET, "/tables/rs-1", None).await.json()["version"].clone();
    let sit = |id: &str, seat: u8| json!({ "id": id, "order": { "order": "sit", "seat": seat }, "version": version });
    let done = ann.post("/tables/rs-1/orders", sit("one", 1)).await.json();
    let late = ben.post("/tables/rs-1/orders", sit("two", 2)).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert_eq!(late.json()["error"]["code"], "stale");
    assert_eq!(late.json()["error"]["version"], done["version"]);
    assert_eq!(ann.post("/tables/rs-1/orders", sit("one", 1)).await.json()["repeated"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn cash_movements_are_idempotent_and_practice_chips_are_not_cashed() {
    let casino = TestCasino::open().await;
    joined(&casino, "ann").await;
    let mut cage = ApiClient::of(&casino, Duty::Cage).await;
    let cash = |id: &str, player: &str, amount: &str| json!({ "id": id, "player": player, "amount": amount });
    let given = cage.post("/cage/cash-out", cash("a", "ann", "10000.00")).await;
    assert_eq!(given.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(given.json()["error"]["code"], "practice");
    for _ in 0..2 {
        let made = cage.post("/cage/players", json!({ "id": "p1", "name": "rita" })).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    }
    for (path, body, purse) in [
        ("/cage/buy-in", cash("b", "rita", "100.00"), "100.00"),
        ("/cage/cash-out", cash("c", "rita", "30.00"), "70.00"),
        ("/cage/buy-in", cash("b", "rita", "100.00"), "100.00"),
    ] {
        let moved = cage.post(path, body.clone()).await.json();
        assert_eq!(moved, json!({ "amount": body["amount"], "purse": purse }));
    }
    let owes_nothing = cage.post("/cage/collect", cash("d", "rita", "1.00")).await;
    assert_eq!(owes_nothing.json()["error"]["code"], "amount");
    let mut ann = ApiClient::of(&casino, Duty::Dealer).await;
    assert_eq!(ann.post("/cage/players", json!({ "name": "x" })).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_play_chips_players_start_with_nothing() {
    let config = Config { play_chips: Money::ZERO, log_in_rate: NO_LIMIT, ..Config::default() };
    let casino = TestCasino::with(config).await;
    let lobby = casino.client().get("/").await.text();
    assert!(lobby.contains("the cage sells chips"), "{lobby}");
    let mut ann = joined(&casino, "ann").await;
    assert_eq!(ann.send(Method::GET, "/me", None).await.json()["purse"], "0.00");
    let mut cage = ApiClient::of(&casino, Duty::Cage).await;
    let bought = cage.post("/cage/buy-in", json!({ "id": "b", "player": "ann", "amount": "5.00" })).await;
    assert_eq!(bought.json()["purse"], "5.00");
    let usual = TestCasino::open().await.client().get("/").await.text();
    assert!(usual.contains("10,000 in practice chips") && usual.contains("no cash value"), "{usual}");
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_requests_act_once() {
    let casino = TestCasino::open().await;
    let mut boss = ApiClient::of(&casino, Duty::ShiftManager).await;
    let twice = [
        ("/staff", json!({ "id": "s1", "name": "nina", "password": "correct horse", "duties": ["dealer"] })),
        ("/players", json!({ "id": "p1", "name": "ann" })),
        ("/players", json!({ "id": "p2", "name": "ben", "password": "correct horse" })),
        ("/links", json!({ "id": "l1", "staff": "nina" })),
        ("/unlock", json!({ "id": "u1", "name": "nina" })),
    ];
    for (path, body) in &twice {
        let (first, again) = (boss.post(path, body.clone()).await, boss.post(path, body.clone()).await);
        assert!(first.status.is_success(), "{path}: {}", first.text());
        assert_eq!(first.status, again.status, "{path}: {}", again.text());
        if *path != "/players" {
            assert_eq!(first.body, again.body, "{path}");
        }
    }
    let bare = boss.post("/players", json!({ "name": "ann" })).await;
    assert_eq!(bare.json()["error"]["code"], "name-taken");
    for (path, body) in [
        ("/players", json!({ "id": "p1", "name": "other" })),
        ("/players", json!({ "id": "p2", "name": "ben", "password": "another horse" })),
        ("/players", json!({ "id": "p2", "name": "ben" })),
        ("/unlock", json!({ "id": "l1", "name": "nina" })),
    ] {
        let reused = boss.post(path, body).await;
        assert_eq!(reused.status, StatusCode::CONFLICT, "{}", reused.text());
        assert_eq!(reused.json()["error"]["code"], "command-reused");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_duties_suspension_and_sessions() {
    let casino = TestCasino::open().await;
    let mut boss = ApiClient::of(&casino, Duty::ShiftManager).await;
    let mut dealer = ApiClient::of(&casino, Duty::Dealer).await;
    let changed = dealer.post("/password", json!({ "new": "correct horse" })).await;
    assert_eq!(changed.status, StatusCode::CREATED, "{}", changed.text());
    assert_eq!(
        dealer.send(Method::GET, "/me", None).await.status,
        StatusCode::UNAUTHORIZED,
        "the old session"
    );
    dealer.token = Some(changed.json()["token"].as_str().unwrap().to_owned());
    let wrong = dealer.post("/password", json!({ "old": "wrong horse", "new": "battery staple" })).await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    let own = boss.post("/staff/shift-manager/suspend", json!({ "reason": "no" })).await;
    assert_eq!(own.status, StatusCode::FORBIDDEN, "{}", own.text());
    let raised = boss.post("/staff/dealer/duties", json!({ "duties": ["pit-supervisor"] })).await;
    assert_eq!(raised.status, StatusCode::NO_CONTENT, "{}", raised.text());
    let log_in = || json!({ "name": "dealer", "password": "correct horse" });
    let session = ApiClient::anonymous(&casino).post("/sessions", log_in()).await.json();
    assert_eq!(session["actor"]["duties"], json!(["pit-supervisor"]));
    for (path, body, log_in_then) in [
        ("suspend", Some(json!({ "id": "x", "reason": "an inquiry" })), StatusCode::LOCKED),
        ("reinstate", None, StatusCode::CREATED),
        ("end-sessions", None, StatusCode::CREATED),
    ] {
        let done = boss.send(Method::POST, &format!("/staff/dealer/{path}"), body).await;
        assert_eq!(done.status, StatusCode::NO_CONTENT, "{path}: {}", done.text());
        let mut anybody = ApiClient::anonymous(&casino);
        assert_eq!(anybody.post("/sessions", log_in()).await.status, log_in_then, "{path}");
    }
    let events = boss.send(Method::GET, "/significant-events", None).await.text();
    assert!(events.contains("from Dealer to Pit Supervisor"), "{events}");
    // No links for accounts of the pit.
    let link = boss.post("/links", json!({ "staff": "pit-manager" })).await;
    assert_eq!(link.status, StatusCode::FORBIDDEN, "{}", link.text());
}

/// Players, tables, jackpots and reports are either for practice or for cash.
#[tokio::test(flavor = "multi_thread")]
async fn practice_and_cash_do_not_mix() {
    let casino = TestCasino::open().await;
    let (mut cage, mut sue) = (casino.staff(Duty::Cage).await, casino.staff(Duty::ShiftManager).await);
    let rita = json!({ "name": "rita" });
    assert_eq!(
        cage.json(Method::POST, "/api/v1/cage/players", Some(&rita)).await.status,
        StatusCode::CREATED
    );
    let chips = json!({ "id": "b1", "player": "rita", "amount": "500.00" });
    assert_eq!(cage.json(Method::POST, "/api/v1/cage/buy-in", Some(&chips)).await.status, StatusCode::OK);
    for (path, body) in [
        ("/api/v1/jackpots", json!({ "jackpot": "grand", "money": "cash" })),
        (
            "/api/v1/tables",
            json!({ "table": "cash-1", "game": "rws-casino-stud", "money": "cash", "jackpot": "grand" }),
        ),
    ] {
        let made = sue.json(Method::POST, path, Some(&body)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    }
    let mut refused = Vec::new();
    for (path, body) in [
        (
            "/api/v1/tables",
            json!({ "table": "mixed-1", "game": "rws-casino-stud", "money": "cash", "jackpot": "RWS" }),
        ),
        ("/api/v1/tables", json!({ "table": "mixed-2", "game": "rws-casino-stud", "jackpot": "grand" })),
        ("/api/v1/jackpots/RWS/close", json!({ "into": "grand" })),
    ] {
        refused.push(sue.json(Method::POST, path, Some(&body)).await);
    }
    let mut ann = casino.player("ann").await;
    let session = casino.house.start_session(&Actor::player("rita".parse().unwrap())).await.unwrap();
    let mut rita = casino.client();
    rita.cookies.insert("baize".to_owned(), session.secret);
    for (client, table) in [(&mut ann, "cash-1"), (&mut rita, "rs-1")] {
        let path = format!("/api/v1/tables/{table}/orders");
        for (id, order) in [
            ("sit", json!({ "order": "sit", "seat": 1 })),
            ("bet", json!({ "order": "bet", "wagers": [{ "seat": 1, "area": "ante", "amount": "50.00" }] })),
        ] {
            let body = json!({ "id": format!("{table}-{id}"), "order": order });
            refused.push(client.json(Method::POST, &path, Some(&body)).await);
        }
    }
    for answer in refused {
        assert_eq!(answer.json()["error"]["code"], "other-money", "{}", answer.text());
    }
    for (money, jackpots) in [("practice", 2), ("cash", 1)] {
        let report = cage.get(&format!("/api/v1/report?money={money}")).await.json();
        assert_eq!(report["money"], money);
        let named: std::collections::BTreeSet<String> =
            report["jackpots"].as_array().unwrap().iter().map(|line| line["jackpot"].to_string()).collect();
        assert_eq!(named.len(), jackpots, "{named:?}");
    }
}
