//! Load: players who play round after round at whichever host answers, and browsers that listen.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use crate::casino::{Casino, answered, post};

/// A round costs 5.00, and a purse holds 10,000.00. Players who only sit down and leave continue until the end.
const ROUNDS_MAX: usize = 1_500;

/// What players did.
pub(crate) struct Played {
    /// The ids of all orders that were answered.
    pub(crate) done: Vec<String>,
    /// How often an order was sent again.
    pub(crate) again: usize,
}

/// Players at tables of their own, and one who sits down and leaves.
pub(crate) struct Players {
    pub(crate) hosts: Arc<Mutex<Vec<SocketAddr>>>,
    over: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    playing: Vec<JoinHandle<Played>>,
    listening: JoinHandle<usize>,
}

impl Players {
    pub(crate) fn begin(casino: &Casino, hosts: Vec<SocketAddr>) -> Players {
        let hosts = Arc::new(Mutex::new(hosts));
        let over = Arc::new(AtomicBool::new(false));
        let orders = Arc::new(AtomicUsize::new(0));
        let seats = [("mei", "rs-1"), ("ben", "ms-1"), ("ann", "rh-1")];
        let playing = seats.map(|(name, table)| {
            let (token, hosts, over, orders) =
                (casino.join(name), hosts.clone(), over.clone(), orders.clone());
            std::thread::spawn(move || play((name, table, &token), &hosts, &over, &orders))
        });
        let listening = {
            let (hosts, over) = (hosts.clone(), over.clone());
            std::thread::spawn(move || listen(&hosts, &over))
        };
        Players { hosts, over, answered: orders, playing: playing.into(), listening }
    }

    /// Waits until this many more orders are answered.
    pub(crate) fn wait_for(&self, more: usize) {
        let from = self.answered.load(Ordering::Relaxed);
        for _ in 0..1_200 {
            if self.answered.load(Ordering::Relaxed) >= from + more {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{more} more orders are not answered");
    }

    /// Ends it: what every player did, and how often a browser had to come back.
    pub(crate) fn end(self) -> (Vec<Played>, usize) {
        self.over.store(true, Ordering::Relaxed);
        let played = self.playing.into_iter().map(|player| player.join().unwrap()).collect();
        (played, self.listening.join().unwrap())
    }
}

/// Bets, is ready and folds, as a browser does: the same order to whichever host answers, until it is answered.
fn play(
    (name, table, token): (&str, &str, &str),
    hosts: &Mutex<Vec<SocketAddr>>,
    over: &AtomicBool,
    orders: &AtomicUsize,
) -> Played {
    let path = format!("/api/v1/tables/{table}/orders");
    let bet = json!({ "order": "bet", "wagers": [{ "seat": 1, "area": "ante", "amount": "5.00" }] });
    let fold = json!({ "order": "table", "command": { "command": "fold", "seat": 1 } });
    let round = match table {
        // At a hold'em table there is more to decide than that: whoever comes and goes is load too.
        "rh-1" => vec![json!({ "order": "sit", "seat": 1 }), json!({ "order": "leave" })],
        _ => vec![bet, json!({ "order": "ready" }), fold],
    };
    let mut played = Played { done: Vec::new(), again: 0 };
    let most = if table == "rh-1" { usize::MAX } else { ROUNDS_MAX };
    for number in 0..most {
        for (step, order) in round.iter().enumerate() {
            let id = format!("{name}-{number}-{step}");
            let sent = json!({ "id": id, "order": order });
            let answer = (0..600).find_map(|tried| {
                let all = hosts.lock().unwrap().clone();
                let answer = post(all[tried % all.len()], &path, Some(token), &sent);
                let answer: Option<(u16, Value)> =
                    answer.map(|answer| answered(&answer)).filter(|(status, _)| *status < 500);
                if answer.is_none() {
                    played.again += 1;
                    std::thread::sleep(Duration::from_millis(50));
                }
                answer
            });
            let (status, told) = answer.expect("it is answered in the end");
            assert_eq!(status, 200, "{id}: {told}");
            played.done.push(id);
            orders.fetch_add(1, Ordering::Relaxed);
        }
        if over.load(Ordering::Relaxed) {
            break;
        }
    }
    played
}

/// A browser's event stream, which reconnects to any host when the server ends it. Returns the number of reconnections.
fn listen(hosts: &Mutex<Vec<SocketAddr>>, over: &AtomicBool) -> usize {
    let mut came_back = 0;
    while !over.load(Ordering::Relaxed) {
        let all = hosts.lock().unwrap().clone();
        let connected = all.iter().find_map(|host| TcpStream::connect(host).ok());
        let Some(mut stream) = connected else {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        if stream.write_all(b"GET /events/lobby HTTP/1.1\r\nHost: localhost\r\n\r\n").is_err() {
            continue;
        }
        let (mut heard, mut part) = (String::new(), [0; 16_384]);
        while !over.load(Ordering::Relaxed) {
            match stream.read(&mut part) {
                Ok(0) => break,
                Ok(length) => heard.push_str(&String::from_utf8_lossy(&part[..length])),
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
        }
        // A host that does not serve any more answers so; the browser tries the next.
        if heard.starts_with("HTTP/1.1 200") && !over.load(Ordering::Relaxed) {
            assert!(heard.contains("retry: 500") || heard.contains("retry:500"), "{heard}");
            came_back += 1;
        }
    }
    came_back
}
