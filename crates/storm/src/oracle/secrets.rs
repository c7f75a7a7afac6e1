//! Nobody was shown a card that they may not see: everything that looks like a card in what somebody was shown during a round is one that
//! lay open to them by then.

use std::collections::BTreeSet;

use baize_cards::Card;
use baize_house::{Actor, Shoe, TableView};
use baize_rules::{Reveal, Rulebook};
use baize_table::{Phase, PhaseName, Table};
use serde_json::Value;

/// The cards that somebody was shown, at a table as it stood then.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    viewer: Actor,
    round: u32,
    cards: BTreeSet<String>,
}

fn is_card(text: &str) -> bool {
    let mut letters = text.chars();
    matches!((letters.next(), letters.next(), letters.next()),
        (Some(rank), Some(suit), None) if "23456789TJQKA".contains(rank) && "cdhs".contains(suit))
}

fn cards(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            found.extend(text.split_whitespace().filter(|word| is_card(word)).map(str::to_owned))
        }
        Value::Array(items) => items.iter().for_each(|item| cards(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| cards(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn written(card: &Card) -> String {
    [card.rank().letter(), card.suit().letter()].into_iter().collect()
}

impl Seen {
    /// What a view showed of a round under way. A dealer of a real shoe is asked for cards, and is not looked at.
    #[must_use]
    pub(crate) fn of(viewer: &Actor, view: &TableView) -> Option<Seen> {
        let enters =
            view.info.shoe == Shoe::Entered && !matches!(viewer, Actor::Player { .. } | Actor::Public);
        if view.round.phase != PhaseName::Play || enters {
            return None;
        }
        let mut found = BTreeSet::new();
        let parts = (&view.round, &view.legal, &view.reportable, &view.commitment);
        cards(&serde_json::to_value(parts).unwrap_or_default(), &mut found);
        if let Some(proof) = view.proof.as_ref().filter(|proof| proof.round.number == view.round.number) {
            cards(&serde_json::to_value(proof).unwrap_or_default(), &mut found);
        }
        Some(Seen { viewer: viewer.clone(), round: view.round.number, cards: found })
    }

    /// Holds it against the cards that lay open then.
    pub(super) fn judge(&self, book: &Rulebook, table: &Table) -> Result<(), String> {
        let Phase::Play(play) = &table.round.phase else { return Ok(()) };
        if table.round.number != self.round {
            return Ok(());
        }
        let mut open: BTreeSet<String> = BTreeSet::new();
        let mut lay_open = |cards: &[Card]| open.extend(cards.iter().map(written));
        for hand in play.hands.values() {
            let own =
                self.viewer.as_player().is_some_and(|player| player.as_str() == hand.seated.0 && hand.looked);
            if own || hand.shown {
                lay_open(&hand.cards);
            }
        }
        let turned = |what: Reveal| play.revealed.contains(&what);
        let board = [(Reveal::Flop, 3), (Reveal::Turn, 4), (Reveal::River, 5)];
        let board = board.into_iter().filter(|(what, _)| turned(*what)).map(|(_, to)| to).max().unwrap_or(0);
        lay_open(play.board.get(..board.min(play.board.len())).unwrap_or_default());
        if turned(Reveal::Dealer) {
            lay_open(&play.dealer);
        } else if book.board_size() == 0 {
            // Stud: the last card of the dealer lies face up, or one that was exposed.
            lay_open(play.exposed.as_slice());
            lay_open(play.dealer.get(4..).unwrap_or_default());
        }
        match self.cards.difference(&open).next() {
            Some(card) => Err(format!("{} was shown {card} in round {}", self.viewer.label(), self.round)),
            None => Ok(()),
        }
    }
}
