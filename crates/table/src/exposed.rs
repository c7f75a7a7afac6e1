//! Cards that were exposed by mistake, derived from a record.

use std::collections::BTreeMap;

use baize_cards::Card;
use baize_rules::{BoxNumber, IrregularityKind};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Event, Phase, Table};

/// A card that was exposed by mistake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExposedCard {
    /// Which card.
    pub card: Card,
    /// How many decisions had been made for each box by then.
    pub decided: BTreeMap<BoxNumber, usize>,
}

/// The card that an event reports as exposed in this round, with what had been decided by then. `table` is the table after the
/// event.
#[must_use]
pub fn exposed_card(table: &Table, event: &Event) -> Option<ExposedCard> {
    let Event::IrregularityRuled { report, .. } = event else { return None };
    let card = report.facts.card.filter(|_| !report.facts.previous_round)?;
    let Phase::Play(play) = &table.round.phase else { return None };
    let decided = play.hands.iter().map(|(seat, hand)| (*seat, hand.decisions.len())).collect();
    (report.kind == IrregularityKind::ExposedCards).then_some(ExposedCard { card, decided })
}
