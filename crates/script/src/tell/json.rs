//! A transcript as data.

use baize_cards::Card;
use baize_rules::Cites;
use baize_table::{BoxSettlement, Finished, HandStatus, Line, Outcome};
use serde_json::{Map, Value, json};

use crate::transcript::{Happened, ScriptRound, TableRecord, Transcript, dealer_hand};

/// The rounds of a transcript: `{"rounds":[…]}`, and its failures.
#[must_use]
pub fn json(transcript: &Transcript) -> Value {
    let rounds = transcript.rounds.iter().enumerate();
    let rounds: Vec<Value> = rounds.map(|(at, record)| round(transcript, at, record)).collect();
    let mut data = Map::from_iter([("rounds".to_owned(), Value::Array(rounds))]);
    if !transcript.holds() {
        let failures = transcript.failures.iter().map(|failure| {
            json!({ "line": failure.line, "expected": failure.expected, "happened": failure.happened })
        });
        data.insert("failures".to_owned(), failures.collect());
    }
    Value::Object(data)
}

fn round(transcript: &Transcript, at: usize, record: &ScriptRound) -> Value {
    let table = &transcript.tables[record.table];
    let finished = record.finished();
    let mut data = Map::new();
    let mut put = |name: &str, value: Value| data.insert(name.to_owned(), value);
    put("outcome", json!(record.outcome()));
    if let Some(Finished { outcome: Outcome::Void { cites: paragraphs, because }, .. }) = finished {
        put("cites", cites(*paragraphs));
        put("because", json!(because.map(|kind| kind.code())));
    }
    let slips = finished.map_or(&[][..], |finished| &finished.boxes);
    put("boxes", slips.iter().map(|slip| of_box(record, slip)).collect());
    put("dealer", dealer(table, record));
    put("jackpot", json!({ "meter": record.meter }));
    put("game", json!(table.book.id));
    if let Some(approved) = table.book.altered_from() {
        put("altered_from", json!(approved));
    }
    if let Some(name) = &table.name {
        put("table", json!(name));
    }
    put("round", json!(record.round.number));
    if let Some(play) = record.play().filter(|play| !play.board_shown().is_empty()) {
        put("board", cards(play.board_shown()));
    }
    let refused = transcript.entries_of(at).filter_map(|entry| match &entry.happened {
        Happened::Refused { refused, .. } => {
            Some(json!({ "line": entry.line, "why": refused.why, "cites": cites(refused.cites) }))
        }
        Happened::SetUp | Happened::Done { .. } | Happened::Expected => None,
    });
    let refused: Vec<Value> = refused.collect();
    if !refused.is_empty() {
        put("refused", Value::Array(refused));
    }
    Value::Object(data)
}

fn of_box(record: &ScriptRound, slip: &BoxSettlement) -> Value {
    let hand = record.play().and_then(|play| play.hands.get(&slip.seat));
    let mut data = json!({
        "box": slip.seat,
        "player": slip.player,
        "hand": slip.hand.map(|class| class.code()),
        "lines": slip.lines.iter().map(line).collect::<Vec<_>>(),
        "net": slip.net(),
    });
    if let (Some(data), Some(hand)) = (data.as_object_mut(), hand) {
        data.insert("cards".to_owned(), cards(&hand.cards));
        let status = match hand.status {
            HandStatus::InPlay if hand.declined => "declined",
            HandStatus::InPlay => "in-play",
            HandStatus::Folded(_) => "folded",
            HandStatus::Invalid(_) => "invalid",
            HandStatus::NoAnte => "no-ante",
        };
        data.insert("status".to_owned(), json!(status));
        let shares = slip.shares();
        if shares.len() > 1 {
            data.insert("shares".to_owned(), json!(shares));
        }
    }
    data
}

fn line(line: &Line) -> Value {
    let mut data = json!({
        "area": line.area.code(),
        "staked": line.staked,
        "result": line.result.code(),
        "amount": line.amount,
        "cites": cites(line.cites),
    });
    if let (Some(data), Some(point)) = (data.as_object_mut(), line.interpretation) {
        data.insert("interpretation".to_owned(), json!(point));
    }
    data
}

fn dealer(table: &TableRecord, record: &ScriptRound) -> Value {
    let hand = record.play().and_then(|play| Some((play, dealer_hand(&table.book, play)?)));
    match hand {
        Some((play, (_, value, qualifies))) => json!({
            "hand": value.class().code(),
            "qualifies": qualifies,
            "cards": cards(&play.dealer),
        }),
        None => json!({ "hand": null, "qualifies": null }),
    }
}

fn cites(cites: Cites) -> Value {
    cites.iter().map(|paragraph| Value::String(paragraph.to_string())).collect()
}

fn cards(cards: &[Card]) -> Value {
    cards.iter().map(|card| Value::String(card.code())).collect()
}
