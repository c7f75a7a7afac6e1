//! Two deals that differ only in hidden cards cannot be distinguished by anything on the wire.
//!
//! Two casinos run on real sockets with the same clock, people and rounds. In a round in progress, all cards differ that ann, who has looked at her
//! hand, does not see. Every role sends every row of the matrix to both, and a query for every card. The responses must be equal byte for byte,
//! including headers and lengths, after random tokens (secrets, ids, salts and hashes of them) are numbered in order of appearance. Excluded is what
//! depends on real time: `date`, request ids, durations and open streams in `/metrics`, the progress of the odds pages, and the version of a page
//! (`#change`). With a real shoe, the cards are entered by a dealer who has been relieved, and nobody else may learn them, including the next dealer.
//! Timing does not differ either: the house judges an order on as many tables as there are unseen cards, whatever the cards are.

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
use crate::matrix::{Person, ROLES, Row, person, prepared_with, rows};
use crate::server::Server;
use crate::sockets::{config, serve};

/// Precedes the version of a page.
const CHANGE: &str = "id=\"change\" value=\"";

/// Hexadecimal text of at least this many digits is a random token, or a hash of one.
const TOKEN_LENGTH: usize = 12;

/// A casino on a socket, with the tokens that it has used so far.
struct Site {
    casino: TestCasino,
    address: SocketAddr,
    who: Person,
    tokens: HashMap<String, usize>,
}

fn table() -> TableId {
    "rh-1".parse().unwrap()
}

impl Site {
    /// Deals the round in progress from this deck; the finished round at the other table is always the same.
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
        let who = person(&casino, role).await;
        Site { casino, address, who, tokens: HashMap::new() }
    }

    /// The cards that ann sees.
    async fn seen_by_ann(&self) -> CardSet {
        let view = self.casino.house.view(&ann(), &table()).await.unwrap().round;
        let cards =
            view.boxes.values().flat_map(|on_box| &on_box.cards).chain(&view.board).chain(&view.dealer);
        cards.filter_map(CardView::up).collect()
    }

    /// Sends a request and returns the raw response; for an event stream, up to the end of its first event.
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
                // What else was read with it depends on timing.
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

    /// The response to a row, with tokens numbered.
    async fn answered(&mut self, row: &Row, number: usize) -> String {
        self.who.log_in_again(&self.casino.house).await;
        // What an earlier request made due is done, and not only where the server has had time for it.
        self.casino.house.tick().await.unwrap();
        let api = row.address.starts_with("/api/v1/");
        let mut body = row.body.replace("{n}", &number.to_string());
        let mut head = self.head(&row.method, &row.address);
        if row.method == Method::POST && !api {
            let page = self.exchange(&format!("{}\r\n", self.head(&Method::GET, "/login")));
            // Without a session, the token depends on the visitor cookie.
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

    /// A response without what depends on time, and with tokens numbered in order of appearance.
    fn numbered(&mut self, answer: &str) -> String {
        let mut timed =
            vec!["date: ", "baize_http_request_duration_seconds", "baize_event", "x-request-id: "];
        if answer.contains(timed[1]) {
            // It depends on the number of digits of durations.
            timed.push("content-length: ");
        }
        let is_duration = |line: &str| line.starts_with("baize_") && line.contains("_seconds");
        let kept = |line: &&str| !timed.iter().any(|name| line.starts_with(name)) && !is_duration(line);
        let mut answer: String = answer.split_inclusive('\n').filter(kept).collect();
        if let Some((before, from)) = answer.split_once(CHANGE)
            && let Some((_, after)) = from.split_once('"')
        {
            answer = format!("{before}{CHANGE}\"{after}");
        }
        let mut numbered = String::with_capacity(answer.len());
        let mut rest = answer.as_str();
        while let Some(start) = rest.find(|c: char| c.is_ascii_hexdigit()) {
            let (before, from) = rest.split_at(start);
            numbered.push_str(before);
            let end = from.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(from.len());
            let (run, after) = from.split_at(end);
            if run.len() < TOKEN_LENGTH {
                numbered.push_str(run);
            } else {
                let next = self.tokens.len();
                let number = *self.tokens.entry(run.to_owned()).or_insert(next);
                numbered.push_str(&format!("#{number}/{}", run.len()));
            }
            rest = after;
        }
        numbered.push_str(rest);
        numbered
    }
}

/// The end of the first event of an event stream, if it has arrived.
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

/// Requests that try to learn about a card: previews and reports that name it, and searches of the journal.
fn probes(card: Card) -> Vec<Row> {
    let code = card.code();
    let mut asked = vec![Row::request(Method::GET, &format!("/api/v1/journal?text=%22{code}%22"), "")];
    for whose in ["null", "\"dealer\""] {
        let facts = format!("{{\"card\":\"{code}\",\"whose\":{whose},\"count\":1}}");
        for kind in ["exposed-cards", "foreign-card"] {
            let by = "{\"role\":\"dealer\",\"name\":null}";
            let order = format!(
                "{{\"order\":\"table\",\"command\":{{\"command\":\"report\",\"kind\":\"{kind}\",\"seat\":null,\"facts\":{facts},\"by\":{by}}}}}"
            );
            asked.push(Row::request(
                Method::POST,
                "/api/v1/tables/rh-1/preview",
                &format!("{{\"order\":{order}}}"),
            ));
            if kind == "exposed-cards" {
                let id = format!("q-{code}-{}", whose.len());
                let body = format!("{{\"id\":\"{id}\",\"order\":{order}}}");
                asked.push(Row::request(Method::POST, "/api/v1/tables/rh-1/orders", &body));
            }
        }
    }
    asked
}

/// Rows that reveal cards by the rules: a hand is revealed, or the round ends.
fn reveals(row: &Row) -> bool {
    ["\"settle\"", "\"reveal\"", "\"fold\"", "ruling=void"].iter().any(|command| row.body.contains(command))
}

/// The cards dealt in the round in progress.
async fn dealt(site: &Site, deck: &[Card]) -> CardSet {
    let view = site.casino.house.view(&ann(), &table()).await.unwrap().round;
    let hands: usize = view.boxes.values().map(|on_box| on_box.cards.len()).sum();
    deck.iter().copied().take(hands + view.board.len() + view.dealer.len() + view.burnt.len()).collect()
}

async fn check_indistinguishable(database: impl Fn() -> Option<String>, role: &str, shoe: Shoe) {
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
    asked.retain(|row| !reveals(row) && !row.address.contains("/odds"));
    let round = ["", "/proof", "/script"]
        .map(|of| Row::request(Method::GET, &format!("/api/v1/rounds/rh-1/1{of}"), ""));
    let heads = ["/table/rh-1", "/dealer/rh-1"].map(|page| Row::request(Method::HEAD, page, ""));
    // Probes come first, while the round is as dealt; the rows of the matrix change it.
    // With a real shoe a true report is accepted and recorded, so only reports that are false in both deals are sent.
    let true_cards = dealt(&one, &deck).await.union(dealt(&other, &changed).await);
    let sent = |card: &Card, row: &Row| {
        shoe == Shoe::Computer || !true_cards.contains(*card) || !row.address.ends_with("/orders")
    };
    let mut all: Vec<Row> = CardSet::FULL
        .iter()
        .flat_map(|card| probes(card).into_iter().filter(move |row| sent(&card, row)))
        .collect();
    all.extend(round.into_iter().chain(heads).chain(asked));
    for (number, row) in all.iter().enumerate() {
        let (first, second) = (one.answered(row, number).await, other.answered(row, number).await);
        assert!(first.starts_with("HTTP/1.1 "), "{role}: {}: {first}", row.text);
        let difference = first.lines().zip(second.lines()).find(|(one, other)| one != other);
        assert!(first == second, "{role}: {}\n{difference:#?}", row.text);
        let under_way = one.casino.house.table(&table()).await.unwrap().phase;
        assert_eq!(under_way, PhaseName::Play, "{role}: {} ended the round", row.text);
    }
}

/// The comparison works: ann's own hand makes a difference for her and for nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_ann_sees_makes_a_difference_only_for_her() {
    let deck = Shuffler::from_seed([7; 32]).deck();
    let mut turned = deck.clone();
    turned.rotate_left(1);
    let view = Row::request(Method::GET, "/api/v1/tables/rh-1/view", "");
    let roles = [("player", false), ("other-player", true), ("dealer", true), ("public", true)];
    for (role, same) in roles {
        let shoe = if same { Shoe::Entered } else { Shoe::Computer };
        let (mut one, mut other) =
            (Site::open(None, &deck, role, shoe).await, Site::open(None, &turned, role, shoe).await);
        assert_eq!(one.answered(&view, 0).await == other.answered(&view, 0).await, same, "{role}");
    }
}

/// The remaining cards would reveal which are dealt.
#[tokio::test(flavor = "multi_thread")]
async fn the_remaining_cards_of_a_real_shoe_are_not_revealed() {
    let deck = Shuffler::from_seed([7; 32]).deck();
    for role in ["dealer", "supervisor", "shift-manager"] {
        let mut site = Site::open(None, &deck, role, Shoe::Entered).await;
        let view = Row::request(Method::GET, "/api/v1/tables/rh-1/view", "");
        let answer = site.answered(&view, 0).await;
        let view: serde_json::Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        let deals = &view["legal"]["deals"];
        assert!(deals.is_object(), "{role}: cards can be entered: {view}");
        let none = deals["cards"].as_array().is_some_and(Vec::is_empty) || deals["cards"] == "";
        assert!(none, "{role}: {deals}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_deals_are_indistinguishable() {
    for role in ROLES {
        check_indistinguishable(|| None, role, Shoe::Computer).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_deals_from_a_real_shoe_are_indistinguishable() {
    for role in ROLES {
        check_indistinguishable(|| None, role, Shoe::Entered).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_deals_from_a_real_shoe_are_indistinguishable_on_postgresql() {
    for role in ["other-player", "dealer"] {
        check_indistinguishable(|| Some(Server::the().database()), role, Shoe::Entered).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_deals_are_indistinguishable_on_postgresql() {
    for role in ["public", "other-player", "dealer", "supervisor", "auditor"] {
        check_indistinguishable(|| Some(Server::the().database()), role, Shoe::Computer).await;
    }
}
