//! Streams that end with their session, slow and silent peers, proxies, host headers and origins, health checks while the database hangs.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use baize_house::{Actor, Duty, House, Instant, SetClock, WallClock};
use baize_web::{Config, ConnectionLimits};
use serde_json::Value;

use crate::client::{Client, TestCasino, encoded, field};
use crate::events::Reader;
use crate::schema::violation;
use crate::server::Server;
use crate::sockets::{config, serve};

/// Opens a stream and waits for its first event.
async fn stream(client: &mut Client, path: &str) -> Reader {
    let mut reader = Reader::open(client, path, None).await;
    assert!(reader.next().await.is_some(), "{path}");
    reader
}

/// Streams are opened at `host`, and their sessions are ended at `casino`, which may be another host on the same database.
async fn check_streams_end(casino: &TestCasino, host: &baize_web::Casino, clock: &SetClock) {
    let mut boss = casino.staff(Duty::ShiftManager).await.at(host);
    let mut watching = stream(&mut boss, "/events/pit").await;
    let dealer = Actor::staff("dealer".parse().unwrap(), [Duty::Dealer]);
    for way in ["log-out", "end of sessions", "other duties", "suspension", "expiry"] {
        let (house, id) = (&casino.house, "dealer".parse().unwrap());
        if way == "expiry" {
            assert!(!watching.ends().await, "another session continues");
            house.reinstate(&Actor::House, &id).await.unwrap();
        }
        let mut dora = casino.staff(Duty::Dealer).await;
        let paths = ["/events/table/rh-1", "/events/dealer/rh-1", "/api/v1/tables/rh-1/events"];
        let mut open = Vec::new();
        for path in paths {
            open.push(stream(&mut dora.at(host), path).await);
        }
        match way {
            "log-out" => assert!(dora.form("/", "/logout", &[]).await.status.is_redirection()),
            "end of sessions" => house.end_sessions(&Actor::House, &dealer).await.unwrap(),
            "other duties" => {
                house.set_duties(&Actor::House, &id, &[Duty::PitSupervisor]).await.unwrap();
                house.set_duties(&Actor::House, &id, &[Duty::Dealer]).await.unwrap();
            }
            "suspension" => house.suspend(&Actor::House, &id, "an inquiry").await.unwrap(),
            _ => clock.advance_seconds(24 * 60 * 60),
        }
        for (mut reader, path) in open.into_iter().zip(paths) {
            assert!(reader.ends().await, "{way}: {path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_its_session() {
    let clock = Arc::new(SetClock::at(Instant(1_800_000_000_000)));
    let casino = TestCasino::at(config(), clock.clone()).await;
    check_streams_end(&casino, &casino.service, &clock).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_its_session_on_another_host() {
    let clock = Arc::new(SetClock::at(Instant(1_800_000_000_000)));
    let database = Server::the().database();
    let casino = TestCasino::on(config(), clock.clone(), Some(database.clone())).await;
    let other = House::open_with(&database, clock.clone()).await.unwrap();
    check_streams_end(&casino, &baize_web::casino(other, config()), &clock).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_events_match_the_description() {
    let casino = TestCasino::open().await;
    let mut client = casino.client();
    let description = client.get("/api/v1/openapi.json").await.json();
    let mut seen = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        let schema = &methods["get"]["responses"]["200"]["content"]["text/event-stream"]["schema"];
        let Some(events) = schema["x-events"].as_object() else { continue };
        let address = format!("/api/v1{}", path.replace("{table}", "rh-1"));
        let event = Reader::open(&mut client, &address, None).await.next().await.unwrap();
        let data: Value = serde_json::from_str(&event.data).unwrap();
        let (_, shape) = events.iter().next().unwrap();
        assert_eq!(violation(&description, shape, &data, path), None, "{path}");
        seen += 1;
    }
    assert_eq!(seen, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_name_one_host_and_forms_have_our_scheme() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let twice = ann.request(Method::GET, "/").header(header::HOST, "evil.test").body(Body::empty()).unwrap();
    assert_eq!(ann.send(twice).await.status, StatusCode::BAD_REQUEST);
    let other = ann.request(Method::GET, "/").uri("http://evil.test/").body(Body::empty()).unwrap();
    assert_eq!(ann.send(other).await.status, StatusCode::BAD_REQUEST);
    let page = ann.get("/table/rh-1").await.text();
    let (csrf, id) = (field(&page, "csrf"), field(&page, "id"));
    let sit = encoded(&[("csrf", &csrf), ("id", &id), ("do", "sit")]);
    for (origin, status) in
        [("https://casino.test", StatusCode::FORBIDDEN), ("http://casino.test", StatusCode::SEE_OTHER)]
    {
        let request = ann
            .request(Method::POST, "/table/rh-1/do")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header("origin", origin)
            .body(Body::from(sit.clone()))
            .unwrap();
        assert_eq!(ann.send(request).await.status, status, "{origin}");
    }
}

/// Over a real socket: HTTP/1.1 requires exactly one host, so that proxies and this server agree on it.
#[tokio::test(flavor = "multi_thread")]
async fn http_1_1_requires_exactly_one_host() {
    let casino = TestCasino::open().await;
    let address = serve(&casino, config()).await;
    for (head, status) in [
        ("GET / HTTP/1.1\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: a.test\r\nHost: a.test\r\n", "400"),
        ("GET http://b.test/ HTTP/1.1\r\nHost: a.test\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: a.test\r\n", "200"),
        ("GET / HTTP/1.0\r\n", "200"),
        // Also for health checks.
        ("GET /healthz HTTP/1.1\r\n", "400"),
    ] {
        let mut socket = std::net::TcpStream::connect(address).unwrap();
        socket.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        assert_eq!(answer.split(' ').nth(1), Some(status), "{head:?}: {answer}");
    }
}

/// Whether a failed log-in from this address is on record.
async fn failed_from(casino: &TestCasino, address: &str) -> bool {
    let events = casino.house.significant_events(&Actor::House, 50).await.unwrap();
    events.iter().any(|event| event.words.ends_with(&format!("from {address}")))
}

#[tokio::test(flavor = "multi_thread")]
async fn forwarded_addresses_count_only_from_trusted_proxies() {
    for (proxies, noted) in [(vec![], "127.0.0.1"), (vec!["127.0.0.0/8".parse().unwrap()], "198.51.100.7")] {
        let casino = TestCasino::with(Config { trusted_proxies: proxies, ..config() }).await;
        let mut client = casino.client();
        let request = client
            .request(Method::POST, "/api/v1/sessions")
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-forwarded-for", "1.2.3.4, 198.51.100.7")
            .body(Body::from(r#"{"name":"nobody","password":"a guess"}"#))
            .unwrap();
        assert_eq!(client.send(request).await.status, StatusCode::UNAUTHORIZED);
        assert!(failed_from(&casino, noted).await, "{noted}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cookies_are_secure_behind_a_trusted_tls_proxy() {
    for (proxies, secure) in [(vec![], false), (vec!["127.0.0.0/8".parse().unwrap()], true)] {
        let casino = TestCasino::with(Config { trusted_proxies: proxies, ..config() }).await;
        let mut client = casino.client();
        let request = client.request(Method::GET, "/").header("x-forwarded-proto", "https");
        let answer = client.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(
            answer.header("set-cookie").contains("; Secure"),
            secure,
            "{}",
            answer.header("set-cookie")
        );
    }
}

/// Reads until the server closes the connection; `None` if it does not.
fn until_closed(socket: &mut TcpStream) -> Option<String> {
    socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut answer = Vec::new();
    match socket.read_to_end(&mut answer) {
        Ok(_) => Some(String::from_utf8_lossy(&answer).into_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => Some(String::new()),
        Err(_) => None,
    }
}

/// Requests the lobby on a new connection.
fn lobby(address: SocketAddr) -> String {
    let mut socket = TcpStream::connect(address).unwrap();
    // A refused connection may be closed before the write.
    let _ = socket.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    until_closed(&mut socket).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_and_silent_peers_are_disconnected() {
    let casino = TestCasino::open().await;
    let address = serve(&casino, Config { head_seconds: 1, body_seconds: 1, ..config() }).await;
    let done = tokio::task::spawn_blocking(move || {
        for head in ["", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Drip: "] {
            let mut socket = TcpStream::connect(address).unwrap();
            socket.write_all(head.as_bytes()).unwrap();
            assert!(until_closed(&mut socket).is_some(), "a head that does not end: {head:?}");
        }
        // Idle after a response.
        let mut idle = TcpStream::connect(address).unwrap();
        idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        assert!(until_closed(&mut idle).unwrap().starts_with("HTTP/1.1 200"));
        let mut slow = TcpStream::connect(address).unwrap();
        let head = "POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{";
        slow.write_all(head.as_bytes()).unwrap();
        let answer = until_closed(&mut slow).unwrap();
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(lobby(address).starts_with("HTTP/1.1 200"));
    });
    done.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_connection_limit_frees_places_when_connections_end() {
    let casino = TestCasino::open().await;
    let connections = ConnectionLimits { total: 100, per_address: 3, reserved_for_staff: 10 };
    let address = serve(&casino, Config { connections, ..config() }).await;
    let done = tokio::task::spawn_blocking(move || {
        let mut held: Vec<TcpStream> = (0..3).map(|_| TcpStream::connect(address).unwrap()).collect();
        for socket in &mut held {
            socket.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            let mut head = [0; 12];
            socket.read_exact(&mut head).unwrap();
            assert_eq!(&head, b"HTTP/1.1 200");
        }
        assert_eq!(lobby(address), "", "a fourth connection is refused");
        drop(held);
        while lobby(address).is_empty() {
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    done.await.unwrap();
}

/// Another process holds the database's lock, so nothing can be written.
#[tokio::test(flavor = "multi_thread")]
async fn health_checks_answer_while_the_database_is_locked() {
    let casino = TestCasino::open().await;
    let mut client = casino.client();
    assert_eq!(client.get("/healthz").await.status, StatusCode::OK);
    let intruder = rusqlite::Connection::open(casino.database()).unwrap();
    intruder.execute_batch("BEGIN IMMEDIATE").unwrap();
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let hangs = client.get("/healthz").await;
    assert_eq!(hangs.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(hangs.json()["why"].as_str().unwrap().contains("has not answered"), "{}", hangs.text());
    intruder.execute_batch("ROLLBACK").unwrap();
    drop(intruder);
    while client.get("/healthz").await.status != StatusCode::OK {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let metrics = client.get("/metrics").await.text();
    assert!(metrics.contains("baize_http_requests_total{status=\"5xx\"} "), "{metrics}");
    assert!(metrics.contains("\nbaize_faults_total 0\n"), "a health check is no fault: {metrics}");
}

/// All processes of the PostgreSQL server are stopped.
#[tokio::test(flavor = "multi_thread")]
async fn health_checks_answer_while_postgresql_is_frozen() {
    let server = Server::start();
    let casino = TestCasino::on(config(), Arc::new(WallClock), Some(server.database())).await;
    let mut client = casino.client();
    assert_eq!(client.get("/healthz").await.status, StatusCode::OK);
    server.freeze(true);
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let hangs = client.get("/healthz").await;
    server.freeze(false);
    assert_eq!(hangs.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(hangs.json()["why"].as_str().unwrap().contains("has not answered"), "{}", hangs.text());
    while client.get("/healthz").await.status != StatusCode::OK {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
