//! Every page is served with its security headers, and rounds can be played to the end with forms alone.

use axum::http::StatusCode;
use baize_house::Duty;

use crate::client::{TestCasino, field};

const TABLES: [&str; 5] = ["mb-1", "mh-1", "ms-1", "rh-1", "rs-1"];

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_served_to_those_who_may_read_it() {
    let casino = TestCasino::open().await;
    let everybody = [
        "/",
        "/login",
        "/rules",
        "/odds",
        "/history",
        "/sign/MBS",
        "/sign/RWS",
        "/api",
        "/table/rh-1",
        "/healthz",
        "/metrics",
    ];
    let mut public = casino.client();
    let mut player = casino.player("ann").await;
    let mut dealer = casino.staff(Duty::Dealer).await;
    let mut pit = casino.staff(Duty::PitManager).await;
    let mut auditor = casino.staff(Duty::Auditor).await;
    for path in everybody {
        for client in [&mut public, &mut player, &mut dealer, &mut pit, &mut auditor] {
            let answer = client.get(path).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text());
            for (name, part) in [
                ("content-security-policy", "script-src 'self'"),
                ("content-security-policy", "default-src 'none'"),
                ("x-content-type-options", "nosniff"),
                ("x-frame-options", "DENY"),
                ("referrer-policy", "same-origin"),
            ] {
                assert!(answer.header(name).contains(part), "{path}: {name}");
            }
        }
    }
    for book in baize_rules::Rulebook::builtins() {
        for path in [format!("/rules/{}", book.id), format!("/odds/{}", book.id)] {
            assert_eq!(public.get(&path).await.status, StatusCode::OK, "{path}");
        }
    }
    for table in TABLES {
        assert_eq!(dealer.get(&format!("/dealer/{table}")).await.status, StatusCode::OK);
        assert_eq!(dealer.get(&format!("/pit/{table}")).await.status, StatusCode::OK);
        assert_eq!(pit.get(&format!("/pit/{table}")).await.status, StatusCode::OK);
    }
    assert_eq!(dealer.get("/dealer").await.status, StatusCode::OK);
    assert_eq!(pit.get("/pit").await.status, StatusCode::OK);
    assert_eq!(auditor.get("/audit").await.status, StatusCode::OK);
    assert_eq!(auditor.get("/staff").await.status, StatusCode::OK);
    for client in [&mut player, &mut dealer, &mut pit, &mut auditor] {
        assert_eq!(client.get("/password").await.status, StatusCode::OK);
    }
    assert_eq!(auditor.form("/audit", "/audit/verify", &[]).await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_pages_are_refused_to_others() {
    let casino = TestCasino::open().await;
    for path in [
        "/dealer",
        "/dealer/rh-1",
        "/pit",
        "/pit/rh-1",
        "/audit",
        "/events/pit",
        "/events/dealer/rh-1",
        "/events/desk/rh-1",
    ] {
        let answer = casino.client().get(path).await;
        assert!(answer.status.is_redirection(), "{path}: {}", answer.status);
        assert!(answer.header("location").starts_with("/login?next="), "{path}");
        let answer = casino.player(&format!("p{}", path.len())).await.get(path).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(casino.staff(Duty::Dealer).await.get("/pit").await.status, StatusCode::FORBIDDEN);
    assert_eq!(casino.staff(Duty::Auditor).await.get("/dealer").await.status, StatusCode::FORBIDDEN);
    assert_eq!(casino.staff(Duty::ShiftManager).await.get("/audit").await.status, StatusCode::FORBIDDEN);
}

/// Plays a round as the only player at a table dealt by the house, raising whenever possible.
pub(crate) async fn play_a_round(client: &mut crate::client::Client, table: &str) -> String {
    let place = format!("/table/{table}");
    let act = format!("{place}/do");
    let bets = [("do", "bet"), ("seat", "1"), ("ante", "10.00"), ("jackpot", "5.00"), ("then", "ready")];
    let answer = client.form(&place, &act, &bets).await;
    assert!(answer.status.is_redirection(), "{table}: {}", answer.text());
    for _ in 0..8 {
        let page = client.get(&place).await.text();
        let answer = if page.contains("name=\"do\" value=\"look\"") {
            client.form(&place, &act, &[("do", "look"), ("seat", "1")]).await
        } else if page.contains("name=\"do\" value=\"raise\"") {
            let (area, amount) = (field(&page, "area"), field(&page, "amount"));
            client
                .form(&place, &act, &[("do", "raise"), ("seat", "1"), ("area", &area), ("amount", &amount)])
                .await
        } else {
            return page;
        };
        assert!(answer.status.is_redirection(), "{table}: {}", answer.text());
    }
    panic!("{table}: the round does not end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lone_player_plays_every_game() {
    let casino = TestCasino::open().await;
    for table in TABLES {
        let mut ann = casino.player(&format!("ann-{table}")).await;
        let page = play_a_round(&mut ann, table).await;
        assert!(page.contains("Settlement slip"), "{table}: {page}");
        let replay = ann.get(&format!("/history/{table}/1")).await;
        assert_eq!(replay.status, StatusCode::OK);
        assert!(replay.text().contains("Proof of the shuffle"));
        for step in ["0", "3", "999"] {
            assert_eq!(ann.get(&format!("/history/{table}/1?step={step}")).await.status, StatusCode::OK);
        }
        let script = ann.get(&format!("/history/{table}/1.round")).await;
        assert_eq!(script.status, StatusCode::OK);
        assert!(script.header("content-disposition").contains(&format!("{table}-1.round")));
        assert!(ann.get("/history").await.text().contains(&format!("{table}/1")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_small_and_compressed() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    play_a_round(&mut ann, "rh-1").await;
    let mut size = 0;
    let page = ann.get("/table/rh-1").await.text();
    let assets = ["href=\"/assets/baize.css", "src=\"/assets/baize.js"].map(|mark| {
        let start = page.find(mark).unwrap() + mark.find('"').unwrap() + 1;
        page[start..].split('"').next().unwrap().to_owned()
    });
    for path in ["/table/rh-1", &assets[0], &assets[1]] {
        let request = ann
            .request(axum::http::Method::GET, path)
            .header("accept-encoding", "gzip")
            .body(axum::body::Body::empty())
            .unwrap();
        let answer = ann.send(request).await;
        assert_eq!(answer.header("content-encoding"), "gzip", "{path}");
        if path.contains("/assets/") {
            assert!(answer.header("cache-control").contains("immutable"), "{path}");
        } else {
            assert_eq!(answer.header("cache-control"), "no-store");
        }
        size += answer.body.len();
    }
    assert!(size < 50 * 1024, "the table page has {size} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_addresses_are_404_pages() {
    let casino = TestCasino::open().await;
    let mut client = casino.client();
    for path in [
        "/nowhere",
        "/table/zz-1",
        "/table/%2e%2e",
        "/table/..%2f..%2fetc",
        "/history/rh-1/99",
        "/history/rh-1/x",
        "/sign/XX",
        "/rules/x",
        "/odds/x",
        "/events/table/zz-9",
        "/as/ann/../x",
        "/%ff%fe",
    ] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}: {}", answer.text());
        assert!(answer.text().contains("</html>"), "{path} is a page");
    }
    assert_eq!(client.post("/rules", &[]).await.status, StatusCode::METHOD_NOT_ALLOWED);
}
