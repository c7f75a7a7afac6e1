//! On the wire: no page, no event and no answer of the API holds a card that its reader may not see.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use baize_cards::{Card, Rank, Suit};
use baize_house::{Actor, Duty};
use baize_table::{CardView, RoundView};
use serde_json::Value;

use crate::client::{Client, TestCasino, field};
use crate::events::Reader;

const SUITS: [(&str, char, Suit); 4] = [
    ("Clubs", '♣', Suit::Clubs),
    ("Diamonds", '♦', Suit::Diamonds),
    ("Hearts", '♥', Suit::Hearts),
    ("Spades", '♠', Suit::Spades),
];

/// All cards that a text names, in words, in signs, or in the letters of data.
fn cards_in(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (name, sign, suit) in SUITS {
        for rank in Rank::ALL {
            let card = Card::new(rank, suit);
            let words = format!("{} of {name}", rank.name());
            if text.contains(&words) || has_sign(text, rank.short(), sign) {
                found.insert(card.code());
            }
        }
    }
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        in_data(&value, &mut found);
    }
    found
}

/// `10♦` is not `0♦`: what stands before the sign must be the whole rank.
fn has_sign(text: &str, rank: &str, sign: char) -> bool {
    let written = format!("{rank}{sign}");
    text.match_indices(&written).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()))
}

fn in_data(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            if let Ok(card) = text.parse::<Card>() {
                found.insert(card.code());
            }
        }
        Value::Array(values) => values.iter().for_each(|value| in_data(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| in_data(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// All cards of a view.
fn seen(view: &RoundView) -> BTreeSet<String> {
    let all = view
        .boxes
        .values()
        .flat_map(|on_box| &on_box.cards)
        .chain(&view.board)
        .chain(&view.dealer)
        .chain(&view.burnt);
    all.filter_map(|card| if let CardView::Up(card) = card { Some(card.code()) } else { None }).collect()
}

struct Eyes {
    name: &'static str,
    actor: Actor,
    client: Client,
}

/// Looks at everything that these eyes can reach and holds it against what they may see.
async fn look(casino: &TestCasino, eyes: &mut Eyes, table: &str) {
    let view = casino.house.view(&eyes.actor, &table.parse().unwrap()).await.unwrap();
    let may = seen(&view.round);
    if view.round.outcome.is_some() {
        return;
    }
    let mut texts = Vec::new();
    for path in [
        format!("/table/{table}"),
        format!("/dealer/{table}"),
        format!("/pit/{table}"),
        "/pit".to_owned(),
        "/".to_owned(),
        "/audit".to_owned(),
        format!("/api/v1/tables/{table}/view"),
        format!("/api/v1/tables/{table}"),
        "/api/v1/journal?limit=200".to_owned(),
        "/api/v1/significant-events".to_owned(),
        "/api/v1/audit".to_owned(),
        format!("/api/v1/rounds/{table}/{}", view.round.number),
        format!("/api/v1/rounds/{table}/{}/proof", view.round.number),
        format!("/api/v1/rounds/{table}/{}/script", view.round.number),
    ] {
        let answer = eyes.client.get(&path).await;
        assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
        texts.push((path, answer.text()));
    }
    for path in [format!("/events/table/{table}"), format!("/api/v1/tables/{table}/events")] {
        let event = Reader::open(&mut eyes.client, &path, None).await.next().await.unwrap();
        texts.push((path, event.data));
    }
    for (path, text) in texts {
        // Earlier rounds of other tables are over: their cards are known. Only the journal shows them beside this round.
        let named = cards_in(&text);
        let hidden: Vec<&String> = named.difference(&may).collect();
        assert!(
            hidden.is_empty(),
            "{} sees {hidden:?} in {path} while the round is in {:?}",
            eyes.name,
            view.round.phase
        );
    }
}

async fn everybody(casino: &TestCasino, ann: &Client, bob: &Client) -> Vec<Eyes> {
    let staff = |duty: Duty| Actor::staff(duty.code().parse().unwrap(), [duty]);
    let mut all = vec![
        Eyes { name: "ann", actor: Actor::player("ann".parse().unwrap()), client: ann.clone() },
        Eyes { name: "bob", actor: Actor::player("bob".parse().unwrap()), client: bob.clone() },
        Eyes {
            name: "cho, who watches",
            actor: Actor::player("cho".parse().unwrap()),
            client: casino.player("cho").await,
        },
        Eyes { name: "the public", actor: Actor::Public, client: casino.client() },
    ];
    for duty in [Duty::Dealer, Duty::PitManager, Duty::Auditor] {
        all.push(Eyes { name: duty.name(), actor: staff(duty), client: casino.staff(duty).await });
    }
    all
}

/// Two players raise through a round; after each step everybody looks.
async fn round_of(table: &str) {
    let casino = TestCasino::open().await;
    let (mut ann, mut bob) = (casino.player("ann").await, casino.player("bob").await);
    let mut all = everybody(&casino, &ann, &bob).await;
    let (place, act) = (format!("/table/{table}"), format!("/table/{table}/do"));
    for (client, seat) in [(&mut ann, "1"), (&mut bob, "2")] {
        let bets = [("do", "bet"), ("seat", seat), ("ante", "10.00"), ("jackpot", "5.00")];
        assert!(client.form(&place, &act, &bets).await.status.is_redirection());
    }
    for client in [&mut ann, &mut bob] {
        assert!(client.form(&place, &act, &[("do", "ready")]).await.status.is_redirection());
    }
    let mut looked = 0;
    for _ in 0..12 {
        for (client, seat) in [(&mut ann, "1"), (&mut bob, "2")] {
            for eyes in &mut all {
                look(&casino, eyes, table).await;
            }
            looked += 1;
            let page = client.get(&place).await.text();
            if page.contains("name=\"do\" value=\"look\"") {
                client.form(&place, &act, &[("do", "look"), ("seat", seat)]).await;
            } else if page.contains("name=\"do\" value=\"raise\"") {
                let (area, amount) = (field(&page, "area"), field(&page, "amount"));
                let answer = client
                    .form(
                        &place,
                        &act,
                        &[("do", "raise"), ("seat", seat), ("area", &area), ("amount", &amount)],
                    )
                    .await;
                assert!(answer.status.is_redirection(), "{}", answer.text());
            }
        }
        if ann.get(&place).await.text().contains("The slip, with paragraphs") {
            assert!(looked >= 2, "somebody looked while cards were hidden");
            assert_eq!(ann.get(&format!("/api/v1/rounds/{table}/1/proof")).await.status, StatusCode::OK);
            return;
        }
    }
    panic!("{table}: the round does not end");
}

#[tokio::test(flavor = "multi_thread")]
async fn holdem_holds_its_cards_back() {
    round_of("rh-1").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stud_holds_its_cards_back() {
    round_of("ms-1").await;
}

#[test]
fn the_searcher_finds_cards_in_every_notation() {
    let found = |text: &str| cards_in(text).into_iter().collect::<Vec<_>>();
    assert_eq!(found("aria-label=\"Ace of Spades\"").len(), 1);
    assert_eq!(found("The flop: 10♦ K♥.").len(), 2);
    assert_eq!(found("[\"As\", {\"a\": \"Td\"}]").len(), 2);
    assert!(found("face-down card").is_empty());
}
