//! Two deals that differ only in hidden cards cannot be told apart by anything that comes over the wire.
//!
//! Two casinos stand behind real sockets, with the same clock, the same people and the same rounds; in a round under way all cards that ann,
//! who has looked at her hand, does not see are others. Every role sends every row of the matrix to both, and a question for every card. The
//! answers are the same byte for byte, heads and lengths included, once random tokens (secrets, ids, salts, and the hashes over them) are
//! numbered in the order of their appearance. Left out is what real time decides: `date`, request ids, durations and open streams in `/metrics`, how far
//! the pages of odds have computed, and of how many changes the server had heard when it drew a page (`#change`). With a real shoe the cards are entered by a dealer who has gone: nobody else, whoever takes over included, may tell
//! them. The same work is done for both: an order is judged on as many tables as cards are unseen, all of them,
//! whatever the cards are.

use baize_rules::BoxNumber;
use std::collections::HashMap;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use baize_cards::{Card, CardSet};
use baize_house::{Actor, CommandId, Instant, SetClock, Shoe, Shuffler, TableId};
use baize_table::{CardView, Command, PhaseName};

use crate::client::{TestCasino, encoded, field};
use crate::matrix::{ROLES, Row, Somebody, prepared_with, rows, somebody};
use crate::server::Server;
use crate::sockets::{config, serve};

/// How new a page is.
const CHANGE: &str = "id=\"change\" value=\"";

/// A hexadecimal text of so many digits or more is a random token, or a hash over one.
const TOKEN: usize = 12;

/// A casino behind a socket, and the tokens that it has used so far.
struct Site {
    casino: TestCasino,
    address: SocketAddr,
    who: Somebody,
    tokens: HashMap<String, usize>,
}

fn table() -> TableId {
    "rh-1".parse().unwrap()
}

impl Site {
    /// The round under way is dealt from this deck; the finished one at the other table always from the same.
    async fn open(database: Option<String>, deck: &[Card], role: &str, shoe: Shoe) -> Site {
        let clock = Arc::new(SetClock::at(Instant(1_800_000_000_000)));
        let casino = TestCasino::on(config(), clock, database).await;
        let finished = Shuffler::from_seed([1; 32]).deck();
        casino.house.stack(&"rs-1".parse().unwrap(), &finished).await.unwrap();
        if shoe == Shoe::Computer {
            casino.house.stack(&table(), deck).await.unwrap();
        }
        prepared_with(&casino, shoe, deck).await;
        let look = Command::Look { seat: BoxNumber(2) };
        casino.house.act(&ann(), &table(), &CommandId::random(), look.into()).await.unwrap();
        let address = serve(&casino, config()).await;
        let who = somebody(&casino, role).await;
        Site { casino, address, who, tokens: HashMap::new() }
    }

    /// The cards that ann sees.
    async fn seen_by_ann(&self) -> CardSet {
        let view = self.casino.house.view(&ann(), &table()).await.unwrap().round;
        let cards =
            view.boxes.values().flat_map(|on_box| &on_box.cards).chain(&view.board).chain(&view.dealer);
        cards.filter_map(|card| if let CardView::Up(card) = card { Some(*card) } else { None }).collect()
    }

    /// Sends a request as it is, and gives what comes back as it is. Of an event stream, up to the end of its first event.
    fn exchange(&self, request: &str) -> String {
        let mut socket = TcpStream::connect(self.address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        socket.write_all(request.as_bytes()).unwrap();
        let (mut answer, mut part) = (Vec::new(), [0; 16_384]);
        loop {
            match socket.read(&mut part) {
                Ok(0) => break,
                Ok(count) => answer.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("{error}: {request}"),
            }
            if let Some(end) = end_of_first_event(&answer) {
                // What came with it in the same read is a matter of time.
                answer.truncate(end);
                break;
            }
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn head(&self, method: &Method, address: &str) -> String {
        let mut head = format!("{method} {address} HTTP/1.1\r\nHost: casino.test\r\nConnection: close\r\n");
        if let Some(secret) = &self.who.secret {
            head.push_str(&format!("Cookie: baize={secret}\r\n"));
            if address.starts_with("/api/v1/") {
                head.push_str(&format!("Authorization: Bearer {secret}\r\n"));
            }
        }
        head
    }

    /// What somebody is answered to a row, with tokens numbered.
    async fn answered(&mut self, row: &Row, number: usize) -> String {
        self.who.come_back(&self.casino.house).await;
        let api = row.address.starts_with("/api/v1/");
        let mut body = row.body.replace("{n}", &number.to_string());
        let mut head = self.head(&row.method, &row.address);
        if row.method == Method::POST && !api {
            let page = self.exchange(&format!("{}\r\n", self.head(&Method::GET, "/login")));
            // A token of somebody without a session lies in a cookie of its own.
            for cookie in page.lines().filter_map(|line| line.strip_prefix("set-cookie: ")) {
                head.push_str(&format!("Cookie: {}\r\n", cookie.split(';').next().unwrap()));
            }
            let own = encoded(&[("csrf", &field(&page, "csrf")), ("id", &format!("form-{number}"))]);
            body = format!("{own}&{body}");
            head.push_str("Content-Type: application/x-www-form-urlencoded\r\n");
        } else if !body.is_empty() {
            head.push_str("Content-Type: application/json\r\n");
        }
        let answer = self.exchange(&format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()));
        self.numbered(&answer)
    }

    /// An answer without the server's own time, and with tokens numbered in the order in which they came.
    fn numbered(&mut self, answer: &str) -> String {
        let mut timed =
            vec!["date: ", "baize_http_request_duration_seconds", "baize_event", "x-request-id: "];
        if answer.contains(timed[1]) {
            // It counts the digits of durations.
            timed.push("content-length: ");
        }
        let lasts = |line: &str| line.starts_with("baize_") && line.contains("_seconds");
        let kept = |line: &&str| !timed.iter().any(|name| line.starts_with(name)) && !lasts(line);
        let mut answer: String = answer.split_inclusive('\n').filter(kept).collect();
        if let Some((before, from)) = answer.split_once(CHANGE)
            && let Some((_, after)) = from.split_once('"')
        {
            answer = format!("{before}{CHANGE}\"{after}");
        }
        let mut told = String::with_capacity(answer.len());
        let mut rest = answer.as_str();
        while let Some(start) = rest.find(|c: char| c.is_ascii_hexdigit()) {
            let (before, from) = rest.split_at(start);
            told.push_str(before);
            let end = from.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(from.len());
            let (run, after) = from.split_at(end);
            if run.len() < TOKEN {
                told.push_str(run);
            } else {
                let next = self.tokens.len();
                let number = *self.tokens.entry(run.to_owned()).or_insert(next);
                told.push_str(&format!("#{number}/{}", run.len()));
            }
            rest = after;
        }
        told.push_str(rest);
        told
    }
}

/// Where the first event of an event stream ends, once it has come.
fn end_of_first_event(answer: &[u8]) -> Option<usize> {
    let find = |from: usize, text: &[u8]| {
        let at = answer[from..].windows(text.len()).position(|window| window == text)?;
        Some(from + at + text.len())
    };
    find(0, b"text/event-stream").and_then(|head| find(head, b"data:")).and_then(|data| find(data, b"\n\n"))
}

fn ann() -> Actor {
    Actor::player("ann".parse().unwrap())
}

/// What somebody asks to learn of a card: reports that name it, sent and only looked at, and searches of the journal.
fn questions(card: Card) -> Vec<Row> {
    let code = card.code();
    let mut asked = vec![Row::asking(Method::GET, &format!("/api/v1/journal?text=%22{code}%22"), "")];
    for whose in ["null", "\"dealer\""] {
        let facts = format!("{{\"card\":\"{code}\",\"whose\":{whose},\"count\":1}}");
        for kind in ["exposed-cards", "foreign-card"] {
            let by = "{\"role\":\"dealer\",\"name\":null}";
            let order = format!(
                "{{\"order\":\"table\",\"command\":{{\"command\":\"report\",\"kind\":\"{kind}\",\"seat\":null,\"facts\":{facts},\"by\":{by}}}}}"
            );
            asked.push(Row::asking(
                Method::POST,
                "/api/v1/tables/rh-1/preview",
                &format!("{{\"order\":{order}}}"),
            ));
            if kind == "exposed-cards" {
                let id = format!("q-{code}-{}", whose.len());
                let body = format!("{{\"id\":\"{id}\",\"order\":{order}}}");
                asked.push(Row::asking(Method::POST, "/api/v1/tables/rh-1/orders", &body));
            }
        }
    }
    asked
}

/// Rows whose answer shows cards, by the rules: the hand is turned, the round is over.
fn shows(row: &Row) -> bool {
    ["\"settle\"", "\"reveal\"", "\"fold\"", "ruling=void"].iter().any(|command| row.body.contains(command))
}

/// The cards that are out in the round under way.
async fn out(site: &Site, deck: &[Card]) -> CardSet {
    let view = site.casino.house.view(&ann(), &table()).await.unwrap().round;
    let hands: usize = view.boxes.values().map(|on_box| on_box.cards.len()).sum();
    deck.iter().copied().take(hands + view.board.len() + view.dealer.len() + view.burnt.len()).collect()
}

async fn cannot_be_told_apart(database: impl Fn() -> Option<String>, role: &str, shoe: Shoe) {
    let deck = Shuffler::from_seed([7; 32]).deck();
    let mut one = Site::open(database(), &deck, role, shoe).await;
    let open = one.seen_by_ann().await;
    assert!(!open.is_empty(), "ann has looked");
    let unseen: Vec<Card> = deck.iter().copied().filter(|card| !open.contains(*card)).collect();
    let other = |card: &Card| {
        let at = unseen.iter().position(|unseen| unseen == card);
        at.map_or(*card, |at| unseen[(at + 1) % unseen.len()])
    };
    let changed: Vec<Card> = deck.iter().map(other).collect();
    assert_ne!(deck, changed);
    let mut other = Site::open(database(), &changed, role, shoe).await;
    assert_eq!(other.seen_by_ann().await, open);
    let mut asked = rows();
    asked.retain(|row| !shows(row) && !row.address.contains("/odds"));
    let round = ["", "/proof", "/script"]
        .map(|of| Row::asking(Method::GET, &format!("/api/v1/rounds/rh-1/1{of}"), ""));
    let heads = ["/table/rh-1", "/dealer/rh-1"].map(|page| Row::asking(Method::HEAD, page, ""));
    // Asked while the round is as it was dealt; what the matrix sends goes on from there.
    // With a real shoe a report that is so is accepted, and stays on record: only reports that are so in neither deal are sent.
    let so = out(&one, &deck).await.union(out(&other, &changed).await);
    let sent = |card: &Card, row: &Row| {
        shoe == Shoe::Computer || !so.contains(*card) || !row.address.ends_with("/orders")
    };
    let mut all: Vec<Row> = CardSet::FULL
        .iter()
        .flat_map(|card| questions(card).into_iter().filter(move |row| sent(&card, row)))
        .collect();
    all.extend(round.into_iter().chain(heads).chain(asked));
    for (number, row) in all.iter().enumerate() {
        let (told, also) = (one.answered(row, number).await, other.answered(row, number).await);
        assert!(told.starts_with("HTTP/1.1 "), "{role}: {}: {told}", row.text);
        let apart = told.lines().zip(also.lines()).find(|(one, other)| one != other);
        assert!(told == also, "{role}: {}\n{apart:#?}", row.text);
        let under_way = one.casino.house.table(&table()).await.unwrap().phase;
        assert_eq!(under_way, PhaseName::Play, "{role}: {} ended the round", row.text);
    }
}

/// The comparison finds what there is to find: ann's own hand is told to her and to nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_ann_sees_tells_two_deals_apart_for_her_alone() {
    let deck = Shuffler::from_seed([7; 32]).deck();
    let mut turned = deck.clone();
    turned.rotate_left(1);
    let view = Row::asking(Method::GET, "/api/v1/tables/rh-1/view", "");
    let roles = [("player", false), ("other-player", true), ("dealer", true), ("public", true)];
    for (role, same) in roles {
        let shoe = if same { Shoe::Entered } else { Shoe::Computer };
        let (mut one, mut other) =
            (Site::open(None, &deck, role, shoe).await, Site::open(None, &turned, role, shoe).await);
        assert_eq!(one.answered(&view, 0).await == other.answered(&view, 0).await, same, "{role}");
    }
}

/// Which cards are left would tell which are out.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_which_cards_are_left_in_a_real_shoe() {
    let deck = Shuffler::from_seed([7; 32]).deck();
    for role in ["dealer", "supervisor", "shift-manager"] {
        let mut site = Site::open(None, &deck, role, Shoe::Entered).await;
        let view = Row::asking(Method::GET, "/api/v1/tables/rh-1/view", "");
        let answer = site.answered(&view, 0).await;
        let view: serde_json::Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        let deals = &view["legal"]["deals"];
        assert!(deals.is_object(), "{role}: cards can be entered: {view}");
        let none = deals["cards"].as_array().is_some_and(Vec::is_empty) || deals["cards"] == "";
        assert!(none, "{role}: {deals}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_deals_cannot_be_told_apart_over_http() {
    for role in ROLES {
        cannot_be_told_apart(|| None, role, Shoe::Computer).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_deals_from_a_real_shoe_cannot_be_told_apart_over_http() {
    for role in ROLES {
        cannot_be_told_apart(|| None, role, Shoe::Entered).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_deals_from_a_real_shoe_cannot_be_told_apart_over_http_on_postgresql() {
    for role in ["other-player", "dealer"] {
        cannot_be_told_apart(|| Some(Server::the().database()), role, Shoe::Entered).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_deals_cannot_be_told_apart_over_http_on_postgresql() {
    for role in ["public", "other-player", "dealer", "supervisor", "auditor"] {
        cannot_be_told_apart(|| Some(Server::the().database()), role, Shoe::Computer).await;
    }
}
