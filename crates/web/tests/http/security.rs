//! Security: CSRF tokens, origins, one-time links, sessions, log-ins, forged forms, body sizes, rate limits.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use baize_house::{Actor, Clock as _, Duty, SetClock, WallClock};
use baize_rules::Money;
use baize_web::{Config, Rate};

use crate::client::{NO_LIMIT, TestCasino, encoded, field};

/// Every form address.
const CHANGES: [&str; 16] = [
    "/join",
    "/login",
    "/logout",
    "/table/rh-1/do",
    "/dealer/rh-1/do",
    "/pit/rh-1/report",
    "/pit/rh-1/rule",
    "/pit/rh-1/close",
    "/pit/rh-1/set",
    "/jackpot/MBS/hit",
    "/audit/verify",
    "/cage/do",
    "/cage/player",
    "/staff",
    "/staff/do",
    "/password",
];

#[tokio::test(flavor = "multi_thread")]
async fn forms_need_their_token() {
    let casino = TestCasino::open().await;
    for path in CHANGES {
        let mut sue = casino.staff(Duty::ShiftManager).await;
        for fields in [
            vec![],
            vec![("csrf", ""), ("id", "x")],
            vec![("csrf", "00000000000000000000000000000000"), ("id", "x")],
        ] {
            assert_eq!(sue.post(path, &fields).await.status, StatusCode::FORBIDDEN, "{path} {fields:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_from_other_sites_are_refused() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let page = ann.get("/table/rh-1").await.text();
    let (csrf, id) = (field(&page, "csrf"), field(&page, "id"));
    let body = encoded(&[("csrf", &csrf), ("id", &id), ("do", "bet"), ("seat", "1"), ("ante", "10.00")]);
    for (name, value) in [
        ("origin", "http://evil.test"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let request = ann
            .request(Method::POST, "/table/rh-1/do")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(name, value)
            .body(Body::from(body.clone()))
            .unwrap();
        assert_eq!(ann.send(request).await.status, StatusCode::FORBIDDEN, "{name}: {value}");
    }
    assert_eq!(casino.house.tables().await.unwrap().iter().map(|table| table.round).sum::<u32>(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_belong_to_one_session() {
    let casino = TestCasino::open().await;
    let (mut ann, mut bob) = (casino.player("ann").await, casino.player("bob").await);
    let page = ann.get("/table/rh-1").await.text();
    let (csrf, id) = (field(&page, "csrf"), field(&page, "id"));
    let bet = [("csrf", csrf.as_str()), ("id", id.as_str()), ("do", "bet"), ("seat", "1"), ("ante", "10.00")];
    assert_eq!(bob.post("/table/rh-1/do", &bet).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_needs_a_token_with_a_cookie_session() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let body = r#"{"id":"c1","order":{"order":"sit","seat":2}}"#;
    let request = |client: &crate::client::Client| {
        client
            .request(Method::POST, "/api/v1/tables/rh-1/orders")
            .header(header::CONTENT_TYPE, "application/json")
    };
    let bare = request(&ann).body(Body::from(body)).unwrap();
    assert_eq!(ann.send(bare).await.status, StatusCode::FORBIDDEN);
    let order = serde_json::from_str(body).unwrap();
    assert_eq!(
        ann.json(Method::POST, "/api/v1/tables/rh-1/orders", Some(&order)).await.status,
        StatusCode::OK
    );
    // Content types that need no CORS preflight are refused.
    let text = request(&ann).header("content-type", "text/plain").body(Body::from(body)).unwrap();
    assert!(ann.send(text).await.status.is_client_error());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_one_time_link_works_once_and_sets_a_safe_cookie() {
    let casino = TestCasino::open().await;
    let whom = Actor::staff("dealer".parse().unwrap(), [Duty::Dealer]);
    let link = casino.house.one_time_link(&Actor::House, &whom).await.unwrap();
    let mut client = casino.client();
    let path = format!("/in/{}", link.secret);
    // Opening or previewing the link does not use it up; the button does.
    for method in [Method::HEAD, Method::GET, Method::GET] {
        let request = casino.client().request(method, &path).body(Body::empty()).unwrap();
        assert_eq!(casino.client().send(request).await.status, StatusCode::OK);
    }
    let answer = client.form(&path, &path, &[]).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.text().contains("url=/dealer"));
    for cookie in answer.headers.get_all(header::SET_COOKIE) {
        let cookie = cookie.to_str().unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    }
    assert_eq!(client.get("/dealer").await.status, StatusCode::OK);
    let again = casino.client().get(&path).await;
    assert_eq!(again.status, StatusCode::GONE);
    assert!(again.text().contains("name=\"password\""), "the log-in page is shown");
    let secret = client.cookies["baize"].clone();
    assert!(!client.get("/dealer").await.text().contains(secret.as_str()), "the secret is on no page");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_valid_for_15_minutes() {
    let clock = Arc::new(SetClock::at(WallClock.now()));
    let casino = TestCasino::at(Config::default(), clock.clone()).await;
    let whom = Actor::staff("dealer".parse().unwrap(), [Duty::Dealer]);
    for (seconds, status) in [(15 * 60 - 1, StatusCode::OK), (15 * 60 + 1, StatusCode::GONE)] {
        let link = casino.house.one_time_link(&Actor::House, &whom).await.unwrap();
        clock.advance_seconds(seconds);
        let path = format!("/in/{}", link.secret);
        assert_eq!(casino.client().get(&path).await.status, status, "after {seconds} s");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_session_leads_to_the_log_in_page() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let page = ann.get("/table/rh-1").await.text();
    casino.house.end_session(&ann.cookies["baize"]).await.unwrap();
    let (csrf, id) = (field(&page, "csrf"), field(&page, "id"));
    let bet = [("csrf", csrf.as_str()), ("id", id.as_str()), ("do", "bet"), ("seat", "1"), ("ante", "10.00")];
    let answer = ann.post("/table/rh-1/do", &bet).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(answer.header("location").starts_with("/login"));
    assert_eq!(casino.house.purse(&"ann".parse().unwrap()).await.unwrap(), Money::from_dollars(10_000));
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_links_sessions_and_tokens_are_refused() {
    let clock = Arc::new(SetClock::at(WallClock.now()));
    let casino = TestCasino::at(Config::default(), clock.clone()).await;
    let whom = Actor::staff("dealer".parse().unwrap(), [Duty::Dealer]);
    let link = casino.house.one_time_link(&Actor::House, &whom).await.unwrap();
    let (mut ann, mut dora) = (casino.player("ann").await, casino.staff(Duty::Dealer).await);
    let page = ann.get("/table/rh-1").await.text();
    clock.advance_seconds(60 * 60 * 24 * 40);
    // An old link: the log-in page says why.
    let late = casino.client().get(&format!("/in/{}", link.secret)).await;
    assert_eq!(late.status, StatusCode::GONE);
    assert!(late.text().contains("has expired") && late.text().contains("name=\"password\""));
    // A page that stayed open: the form leads to the log-in page.
    let (csrf, id) = (field(&page, "csrf"), field(&page, "id"));
    let bet = [("csrf", csrf.as_str()), ("id", id.as_str()), ("do", "bet"), ("seat", "1"), ("ante", "10.00")];
    let answer = ann.post("/table/rh-1/do", &bet).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(answer.header("location").starts_with("/login?next="));
    assert_eq!(casino.house.purse(&"ann".parse().unwrap()).await.unwrap(), Money::from_dollars(10_000));
    let console = dora.get("/dealer/rh-1").await;
    assert!(console.header("location").starts_with("/login?next="), "{}", console.status);
    // An old bearer token: a JSON error.
    let request = casino
        .client()
        .request(Method::GET, "/api/v1/journal")
        .header(header::AUTHORIZATION, format!("Bearer {}", dora.cookies["baize"]))
        .body(Body::empty())
        .unwrap();
    let answer = casino.client().send(request).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.json()["error"]["code"], "not-logged-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_log_ins_delay_the_next_one() {
    let casino = TestCasino::open().await;
    casino
        .house
        .create_staff(
            &Actor::House,
            &"sue".parse().unwrap(),
            Some("correct horse battery"),
            &[Duty::ShiftManager],
        )
        .await
        .unwrap();
    let mut client = casino.client();
    let log_in = |password: &'static str| [("name", "sue"), ("password", password), ("next", "/pit")];
    for _ in 0..2 {
        assert_eq!(client.form("/login", "/login", &log_in("wrong")).await.status, StatusCode::UNAUTHORIZED);
    }
    let answer = client.form("/login", "/login", &log_in("correct horse battery")).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.text().contains("url=/pit"));
    let mut thief = casino.client();
    for _ in 0..3 {
        thief.form("/login", "/login", &log_in("guess")).await;
    }
    let waits = thief.form("/login", "/login", &log_in("correct horse battery")).await;
    assert_eq!(waits.status, StatusCode::LOCKED);
    assert!(waits.header("retry-after").parse::<u32>().unwrap() <= 30);
    // An open session is not affected.
    assert_eq!(client.get("/pit").await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_stay_on_this_site() {
    let casino = TestCasino::open().await;
    for next in
        ["http://evil.test/", "//evil.test", "/\\evil.test", "javascript:alert(1)", "/x\r\nSet-Cookie: a=b"]
    {
        let name = format!("p{}", next.len());
        let answer = casino.client().form("/", "/join", &[("name", &name), ("next", next)]).await;
        assert!(!answer.text().contains("evil"), "{next}");
        let page = casino.client().get(&format!("/login?{}", encoded(&[("next", next)]))).await.text();
        assert_eq!(field(&page, "next"), "/", "{next}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_people_share_one_browser() {
    let casino = TestCasino::open().await;
    let mut browser = casino.player("ann").await;
    let answer = browser.form("/", "/join", &[("name", "bob"), ("table", "rh-1")]).await;
    assert!(answer.text().contains("url=/as/bob/table/rh-1"), "{}", answer.text());
    assert!(browser.get("/").await.text().contains("ann"));
    let mut as_bob = browser.clone();
    as_bob.base = "/as/bob".to_owned();
    let page = as_bob.get("/table/rh-1").await.text();
    assert!(page.contains("action=\"/as/bob/table/rh-1/do\""), "{page}");
    // The prefix alone gives no access.
    let mut stranger = casino.client();
    stranger.base = "/as/bob".to_owned();
    let page = stranger.get("/table/rh-1").await.text();
    assert!(!page.contains("10,000.00"), "no access to the purse");
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_out_ends_the_session() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let kept = ann.clone();
    // Without a password nobody could log in again, so it asks first.
    let asked = ann.form("/", "/logout", &[]).await.text();
    assert!(asked.contains("has no password") && asked.contains("10,000.00"), "{asked}");
    assert!(ann.form("/", "/logout", &[("sure", "yes")]).await.status.is_redirection());
    assert!(!ann.cookies.contains_key("baize"));
    let page = kept.clone().get("/").await.text();
    assert!(!page.contains("10,000.00"), "the old cookie does not work");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_sent_again_acts_once() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let page = ann.get("/table/rh-1").await.text();
    let (csrf, id) = (field(&page, "csrf"), field(&page, "id"));
    let bet = [("csrf", csrf.as_str()), ("id", id.as_str()), ("do", "bet"), ("seat", "1"), ("ante", "10.00")];
    for _ in 0..3 {
        assert_eq!(ann.post("/table/rh-1/do", &bet).await.status, StatusCode::SEE_OTHER);
    }
    let purse = || async { casino.house.purse(&"ann".parse().unwrap()).await.unwrap() };
    assert_eq!(purse().await, Money::from_dollars(9_990));
    ann.form("/table/rh-1", "/table/rh-1/do", &[("do", "ready")]).await;
    ann.form("/table/rh-1", "/table/rh-1/do", &[("do", "look"), ("seat", "1")]).await;
    assert!(
        ann.form("/table/rh-1", "/table/rh-1/do", &[("do", "fold"), ("seat", "1")])
            .await
            .status
            .is_redirection()
    );
    let after = purse().await;
    // The old form again, after the round: still not carried out twice.
    assert_eq!(ann.post("/table/rh-1/do", &bet).await.status, StatusCode::SEE_OTHER);
    assert_eq!(purse().await, after);
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_boxes_and_amounts_are_refused() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let mut bob = casino.player("bob").await;
    let (place, act) = ("/table/rh-1", "/table/rh-1/do");
    assert!(
        bob.form(place, act, &[("do", "bet"), ("seat", "2"), ("ante", "10.00")])
            .await
            .status
            .is_redirection()
    );
    let cases: [&[(&str, &str)]; 12] = [
        &[("do", "bet"), ("seat", "99"), ("ante", "10.00")],
        &[("do", "bet"), ("seat", "0"), ("ante", "10.00")],
        &[("do", "bet"), ("seat", "-1"), ("ante", "10.00")],
        &[("do", "bet"), ("seat", "1"), ("ante", "1000000.00")],
        &[("do", "bet"), ("seat", "1"), ("ante", "-5")],
        &[("do", "bet"), ("seat", "1"), ("ante", "1e9")],
        &[("do", "bet"), ("seat", "1"), ("ante", "9999999999999999999999")],
        &[("do", "bet"), ("seat", "1"), ("ante", "10.00"), ("jackpot", "3.33")],
        &[("do", "fold"), ("seat", "2")],
        &[("do", "withdraw"), ("seat", "2"), ("area", "ante")],
        &[("do", "raise"), ("seat", "2"), ("area", "flop"), ("amount", "20.00")],
        &[("do", "nonsense"), ("seat", "1")],
    ];
    for fields in cases {
        let answer = ann.form(place, act, fields).await;
        assert!(answer.status.is_client_error(), "{fields:?}: {}", answer.status);
    }
    let over = ann.form(place, act, &[("do", "bet"), ("seat", "1"), ("ante", "5000.00")]).await.text();
    assert!(
        over.contains("over the maximum") && over.contains('('),
        "the refusal cites its paragraph: {over}"
    );
    assert_eq!(casino.house.purse(&"ann".parse().unwrap()).await.unwrap(), Money::from_dollars(10_000));
    // Forms of staff are refused for players.
    for (path, fields) in [
        ("/dealer/rh-1/do", vec![("do", "settle")]),
        ("/pit/rh-1/rule", vec![("ruling", "void"), ("reason", "because")]),
        ("/pit/rh-1/report", vec![("kind", "power-failure")]),
        ("/pit/rh-1/close", vec![("notice", "closed")]),
        ("/pit/rh-1/set", vec![("set", "dealer")]),
        ("/jackpot/RWS/hit", vec![("hit", "1"), ("do", "verify")]),
    ] {
        assert_eq!(ann.form(place, path, &fields).await.status, StatusCode::FORBIDDEN, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_too_large_is_refused() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    for (path, kind) in [
        ("/table/rh-1/do", "application/x-www-form-urlencoded"),
        ("/api/v1/players", "application/json"),
        ("/theme", "text/plain"),
    ] {
        let request = ann.request(Method::POST, path).header(header::CONTENT_TYPE, kind);
        let page = ann.get("/").await.text();
        let request = request
            .header("x-csrf-token", field(&page, "csrf"))
            .body(Body::from(vec![b'a'; 10 << 20]))
            .unwrap();
        assert_eq!(ann.send(request).await.status, StatusCode::PAYLOAD_TOO_LARGE, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rate_limits_for_addresses_and_accounts() {
    let slow = Rate { per_second: 1, burst: 5 };
    let casino = TestCasino::with(Config {
        address_rate: slow,
        account_rate: NO_LIMIT,
        log_in_rate: NO_LIMIT,
        ..Config::default()
    })
    .await;
    let mut client = casino.client();
    let mut refused = None;
    for _ in 0..10 {
        let answer = client.get("/rules").await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
        }
    }
    assert_eq!(refused.unwrap().header("retry-after"), "1");
    assert_eq!(client.get("/healthz").await.status, StatusCode::OK, "health checks are not limited");
    let casino = TestCasino::with(Config {
        address_rate: NO_LIMIT,
        account_rate: slow,
        log_in_rate: NO_LIMIT,
        ..Config::default()
    })
    .await;
    let (mut ann, mut bob) = (casino.player("ann").await, casino.player("bob").await);
    for _ in 0..8 {
        ann.get("/rules").await;
    }
    assert_eq!(ann.get("/rules").await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(bob.get("/rules").await.status, StatusCode::OK, "another account is not affected");
}
