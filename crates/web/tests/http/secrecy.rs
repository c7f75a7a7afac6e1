//! No page, event or API response contains a card that its reader may not see.

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

/// All cards that a text names: in words, with suit symbols, or as codes in JSON.
fn cards_in(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (name, symbol, suit) in SUITS {
        for rank in Rank::ALL {
            let card = Card::new(rank, suit);
            let words = format!("{} of {name}", rank.name());
            if text.contains(&words) || has_symbol(text, rank.short(), symbol) {
                found.insert(card.code());
            }
        }
    }
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        in_data(&value, &mut found);
    }
    found
}

/// The rank must be complete: `10♦` does not contain `0♦`.
fn has_symbol(text: &str, rank: &str, symbol: char) -> bool {
    let written = format!("{rank}{symbol}");
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

/// All face-up cards of a view.
fn seen(view: &RoundView) -> BTreeSet<String> {
    let all = view
        .boxes
        .values()
        .flat_map(|on_box| &on_box.cards)
        .chain(&view.board)
        .chain(&view.dealer)
        .chain(&view.burnt);
    all.filter_map(CardView::up).map(|card| card.code()).collect()
}

struct Observer {
    name: &'static str,
    actor: Actor,
    client: Client,
}

/// Reads everything that this observer can reach, and checks that it contains no card that they may not see.
async fn check(casino: &TestCasino, observer: &mut Observer, table: &str) {
    let view = casino.house.view(&observer.actor, &table.parse().unwrap()).await.unwrap();
    let may = seen(&view.round);
    let mut texts = Vec::new();
    let shown = ["table", "dealer", "pit"].map(|page| format!("/{page}/{table}"));
    let elsewhere = [
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
    ];
    // Once the round is over, its record and its proof have more cards than its table.
    let over = view.round.outcome.is_some();
    let elsewhere = elsewhere.into_iter().filter(|_| !over);
    for path in shown.into_iter().chain(elsewhere) {
        let answer = observer.client.get(&path).await;
        assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
        texts.push((path, answer.text()));
    }
    let streams = [format!("/events/table/{table}"), format!("/api/v1/tables/{table}/events")];
    for path in streams.into_iter().take(if over { 1 } else { 2 }) {
        let event = Reader::open(&mut observer.client, &path, None).await.next().await.unwrap();
        texts.push((path, event.data));
    }
    for (path, text) in texts {
        let named = cards_in(&text);
        let hidden: Vec<&String> = named.difference(&may).collect();
        assert!(
            hidden.is_empty(),
            "{} sees {hidden:?} in {path} while the round is in {:?}",
            observer.name,
            view.round.phase
        );
    }
}

async fn everybody(casino: &TestCasino, ann: &Client, bob: &Client) -> Vec<Observer> {
    let staff = |duty: Duty| Actor::staff(duty.code().parse().unwrap(), [duty]);
    let mut all = vec![
        Observer { name: "ann", actor: Actor::player("ann".parse().unwrap()), client: ann.clone() },
        Observer { name: "bob", actor: Actor::player("bob".parse().unwrap()), client: bob.clone() },
        Observer {
            name: "cho, a spectator",
            actor: Actor::player("cho".parse().unwrap()),
            client: casino.player("cho").await,
        },
        Observer { name: "the public", actor: Actor::Public, client: casino.client() },
    ];
    for duty in [Duty::Dealer, Duty::PitManager, Duty::Auditor] {
        all.push(Observer { name: duty.name(), actor: staff(duty), client: casino.staff(duty).await });
    }
    all
}

/// Two players play a round: ann raises at every decision, bob folds. All observers check after each step.
async fn check_round(table: &str) {
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
    let mut checks = 0;
    for _ in 0..12 {
        for (client, seat) in [(&mut ann, "1"), (&mut bob, "2")] {
            for observer in &mut all {
                check(&casino, observer, table).await;
            }
            checks += 1;
            let page = client.get(&place).await.text();
            if page.contains("name=\"do\" value=\"look\"") {
                client.form(&place, &act, &[("do", "look"), ("seat", seat)]).await;
            } else if seat == "2" && page.contains("name=\"do\" value=\"fold\"") {
                client.form(&place, &act, &[("do", "fold"), ("seat", seat)]).await;
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
        if ann.get(&place).await.text().contains("Settlement slip") {
            assert!(checks >= 2, "checked while cards were hidden");
            for observer in &mut all {
                check(&casino, observer, table).await;
            }
            assert_eq!(ann.get(&format!("/api/v1/rounds/{table}/1/proof")).await.status, StatusCode::OK);
            return;
        }
    }
    panic!("{table}: the round does not end");
}

#[tokio::test(flavor = "multi_thread")]
async fn holdem_reveals_no_hidden_card() {
    check_round("rh-1").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stud_reveals_no_hidden_card() {
    check_round("ms-1").await;
}

#[test]
fn cards_are_found_in_every_notation() {
    let found = |text: &str| cards_in(text).into_iter().collect::<Vec<_>>();
    assert_eq!(found("aria-label=\"Ace of Spades\"").len(), 1);
    assert_eq!(found("The flop: 10♦ K♥.").len(), 2);
    assert_eq!(found("[\"As\", {\"a\": \"Td\"}]").len(), 2);
    assert!(found("face-down card").is_empty());
}
