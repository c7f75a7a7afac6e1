//! The casino on a real socket: forms over TLS, and a client that does not read its stream.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use baize_house::{Actor, Order};
use baize_rules::Money;
use baize_web::Config;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::sync::oneshot;

use crate::client::{NO_LIMIT, TestCasino, encoded, field};

/// Serves the house on a socket until the end of the test.
pub(crate) async fn serve(casino: &TestCasino, config: Config) -> SocketAddr {
    let (sender, address) = oneshot::channel();
    let (house, listen) = (casino.house.clone(), SocketAddr::from(([127, 0, 0, 1], 0)));
    let config = Config { listen, ..config };
    tokio::spawn(async move {
        let server = baize_web::Server::bind(&config).await.unwrap();
        let served = server.run(house, config, async move |bound| {
            let _ = sender.send(bound);
        });
        served.await.unwrap();
    });
    address.await.unwrap()
}

pub(crate) fn config() -> Config {
    Config { address_rate: NO_LIMIT, account_rate: NO_LIMIT, log_in_rate: NO_LIMIT, ..Config::default() }
}

fn tls_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/http/tls").join(name)
}

/// Sends one request over TLS and reads the whole response.
fn over_tls(address: SocketAddr, request: &str) -> String {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(tls_file("certificate.pem")).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let mut tls = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    let mut stream = rustls::Stream::new(&mut tls, &mut socket);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // The server may close without a TLS close_notify.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_over_tls_set_secure_cookies() {
    let casino = TestCasino::open().await;
    let tls = Some((tls_file("certificate.pem"), tls_file("key.pem")));
    let address = serve(&casino, Config { tls, ..config() }).await;
    let host = format!("localhost:{}", address.port());
    let talk = move |method: &str, path: &str, cookies: &str, body: &str| {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: https://{host}\r\nCookie: {cookies}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        over_tls(address, &request)
    };
    let cookies_of = |answer: &str| {
        let set: Vec<&str> = answer
            .lines()
            .filter_map(|line| line.strip_prefix("set-cookie: "))
            .inspect(|cookie| assert!(cookie.contains("Secure") && cookie.contains("HttpOnly"), "{cookie}"))
            .filter_map(|cookie| cookie.split(';').next())
            .collect();
        set.join("; ")
    };
    let done = tokio::task::spawn_blocking(move || {
        let lobby = talk("GET", "/", "", "");
        assert!(lobby.starts_with("HTTP/1.1 200"), "{lobby}");
        assert!(lobby.contains("strict-transport-security: max-age="));
        let (csrf, id) = (field(&lobby, "csrf"), field(&lobby, "id"));
        let join = encoded(&[("csrf", &csrf), ("id", &id), ("name", "ann"), ("table", "rh-1")]);
        let joined = talk("POST", "/join", &cookies_of(&lobby), &join);
        assert!(joined.starts_with("HTTP/1.1 200"), "{joined}");
        let cookies = cookies_of(&joined);
        let table = talk("GET", "/table/rh-1", &cookies, "");
        let (csrf, id, expects) = (field(&table, "csrf"), field(&table, "id"), field(&table, "expects"));
        let bet = encoded(&[
            ("csrf", &csrf),
            ("id", &id),
            ("expects", &expects),
            ("do", "bet"),
            ("seat", "4"),
            ("ante", "10.00"),
        ]);
        talk("POST", "/table/rh-1/do", &cookies, &bet)
    });
    let done = done.await.unwrap();
    assert!(done.starts_with("HTTP/1.1 303"), "{done}");
    assert_eq!(casino.house.purse(&"ann".parse().unwrap()).await.unwrap(), Money::from_dollars(9_990));
}

/// The number of open event streams, from the metrics.
fn streams(address: SocketAddr) -> u32 {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    let count = answer.lines().find_map(|line| line.strip_prefix("baize_event_streams "));
    count.unwrap().trim().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_is_disconnected() {
    let casino = TestCasino::open().await;
    let address = serve(&casino, Config { unread_seconds: 1, ..config() }).await;
    let ann = Actor::player("ann".parse().unwrap());
    casino.house.create_player(&"ann".parse().unwrap(), None, Money::from_dollars(1_000)).await.unwrap();
    let mut silent = TcpStream::connect(address).unwrap();
    silent.write_all(b"GET /events/table/rh-1 HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let count = || async move { tokio::task::spawn_blocking(move || streams(address)).await.unwrap() };
    while count().await == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Changes, until all buffers are full and the stream is closed.
    let table = "rh-1".parse().unwrap();
    let mut changes = 0;
    while count().await > 0 {
        for _ in 0..20 {
            let order = if changes % 2 == 0 { Order::Sit { seat: None } } else { Order::Leave };
            casino.house.act(&ann, &table, &format!("c{changes}").parse().unwrap(), order).await.unwrap();
            changes += 1;
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        assert!(changes < 20_000, "the stream is still open");
    }
    // Others are still served, and the client can reconnect.
    let mut bob = casino.player("bob").await;
    let bets = [("do", "bet"), ("seat", "4"), ("ante", "10.00")];
    assert!(bob.form("/table/rh-1", "/table/rh-1/do", &bets).await.status.is_redirection());
    drop(silent);
    let mut again = TcpStream::connect(address).unwrap();
    again.write_all(b"GET /events/table/rh-1 HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut head = [0; 15];
    again.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200 OK");
}
