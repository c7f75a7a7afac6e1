//! A planned stop is not treated as a power failure; a crash is.

use std::time::Duration;

use serde_json::{Value, json};

use crate::casino::{Casino, Folder, answered, said};
use crate::players::Players;
use crate::server::Server;

/// Bets at the first table and returns the answer.
pub(crate) fn bet(casino: &Casino, token: &str, id: &str) -> (u16, Value) {
    let order = json!({ "order": "bet", "wagers": [{ "seat": 1, "area": "ante", "amount": "25.00" }] });
    casino.post("/api/v1/tables/rs-1/orders", Some(token), &json!({ "id": id, "order": order }))
}

pub(crate) fn table(casino: &Casino) -> Value {
    answered(&casino.get("/api/v1/tables/rs-1")).1
}

pub(crate) fn sit(casino: &Casino, token: &str) {
    let (status, told) = casino.post(
        "/api/v1/tables/rs-1/orders",
        Some(token),
        &json!({ "id": "sit", "order": { "order": "sit", "seat": 1 } }),
    );
    assert_eq!(status, 200, "{told}");
}

#[test]
fn a_round_interrupted_by_the_drain_limit_continues_after_the_start() {
    let folder = Folder::new("stop");
    let database = folder.file("casino.sqlite");
    let casino = Casino::open(&folder, &database, &["--drain-seconds", "1"]);
    let mei = casino.join("mei");
    sit(&casino, &mei);
    let (status, told) = bet(&casino, &mei, "bet-1");
    assert_eq!(status, 200, "{told}");
    casino.signal("TERM");
    // While it drains, load balancers are informed and the table announces its last round.
    std::thread::sleep(Duration::from_millis(400));
    assert!(casino.get("/healthz").starts_with("HTTP/1.1 503"));
    assert!(
        table(&casino)["notice"].as_str().is_some_and(|notice| notice.contains("stops")),
        "{}",
        table(&casino)
    );
    assert_eq!(casino.ends().code(), Some(0));

    let casino = Casino::open(&folder, &database, &[]);
    let now = table(&casino);
    assert_eq!((&now["phase"], &now["notice"]), (&json!("betting"), &Value::Null), "{now}");
    let ready = json!({ "id": "ready", "order": { "order": "ready" } });
    let (status, told) = casino.post("/api/v1/tables/rs-1/orders", Some(&mei), &ready);
    assert_eq!(status, 200, "the session holds and the round goes on: {told}");
    // A crash is a power failure.
    casino.signal("KILL");
    casino.ends();
    let casino = Casino::open(&folder, &database, &[]);
    casino.stop();
    assert!(said(&["audit", "--database", &database]).ends_with("all is well\n"));
    let journal = said(&["journal", "--database", &database]);
    let count = |words: &str| journal.matches(words).count();
    assert!(count("\"fact\":\"resumed\"") >= 1, "the first stop was planned");
    assert_eq!(count("\"fact\":\"interrupted\""), 1, "the second was not");
}

#[test]
fn a_second_signal_stops_at_once() {
    let folder = Folder::new("again");
    let casino = Casino::open(&folder, &folder.file("casino.sqlite"), &["--drain-seconds", "3600"]);
    let mei = casino.join("mei");
    sit(&casino, &mei);
    assert_eq!(bet(&casino, &mei, "bet-1").0, 200);
    casino.signal("TERM");
    std::thread::sleep(Duration::from_millis(500));
    casino.signal("TERM");
    assert_eq!(casino.ends().code(), Some(0));
}

#[test]
fn an_event_stream_tells_the_browser_to_come_back() {
    use std::io::{Read as _, Write as _};
    let folder = Folder::new("stream");
    let casino = Casino::open(&folder, &folder.file("casino.sqlite"), &[]);
    let mut stream = std::net::TcpStream::connect(casino.address).unwrap();
    stream.write_all(b"GET /events/lobby HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    std::thread::sleep(Duration::from_millis(500));
    casino.signal("TERM");
    let mut heard = String::new();
    stream.read_to_string(&mut heard).unwrap();
    assert!(heard.contains("retry: 500") || heard.contains("retry:500"), "{heard}");
    assert_eq!(casino.ends().code(), Some(0));
}

/// Two hosts on one server are restarted one after the other while players play: no order is lost, and whoever meets a closed door is served by the
/// other one.
#[test]
fn a_rolling_restart_loses_no_order() {
    let folder = Folder::new("rolling");
    let database = Server::the().database();
    let mut hosts = vec![Casino::open(&folder, &database, &[])];
    hosts.push(Casino::open(&folder, &database, &[]));
    let players = Players::begin(&hosts[0], hosts.iter().map(|host| host.address).collect());
    for at in 0..2 {
        players.wait_for(10);
        hosts.remove(0).stop();
        let fresh = Casino::open(&folder, &database, &[]);
        players.hosts.lock().unwrap()[at] = fresh.address;
        hosts.push(fresh);
    }
    players.wait_for(10);
    let (played, came_back) = players.end();
    assert!(came_back >= 1, "the browser of the first host was sent to the other");
    println!(
        "{} orders, {} sent again",
        played.iter().map(|player| player.done.len()).sum::<usize>(),
        played.iter().map(|player| player.again).sum::<usize>()
    );
    for host in hosts {
        // A host that reads while the other plays must not take a round that has just ended for damage.
        assert!(!host.log().contains("damaged"), "{}", host.log());
        host.stop();
    }
    assert!(said(&["audit", "--database", &database]).ends_with("all is well\n"));
}
