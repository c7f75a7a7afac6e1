//! What a report or a ruling would do to each box, before it is confirmed.
//!
//! Derived from the events that it would write and from open chips: it names no card and computes no settlement, so a preview
//! reveals nothing that the reader's view does not.

use std::collections::BTreeMap;

use baize_rules::{BoxNumber, IrregularityKind, Money};
use schemars::JsonSchema;
use serde::Serialize;

use crate::round::{Awaiting, Phase, Stake};
use crate::{Event, Player, RulingKind, Standing, Table};

/// What happens to a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoxFate {
    /// Its wagers stay where they are.
    Stays,
    /// Wagers are returned to their players.
    WagersBack,
    /// The hand is invalid: its wagers are returned at the end of the round.
    Invalid,
    /// Its players choose how to continue.
    Chooses,
    /// Its slip is corrected.
    SettledAnew,
}

/// What a report or a ruling would do to one box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoxForeseen {
    /// The box.
    pub seat: BoxNumber,
    /// The seated player.
    pub player: Player,
    /// All chips on it now.
    pub staked: Money,
    /// How much of them is returned.
    pub back: Money,
    /// What happens to it.
    pub fate: BoxFate,
}

/// What these events would do to each box with chips.
#[must_use]
pub fn foreseen(table: &Table, events: &[Event]) -> Vec<BoxForeseen> {
    let mut boxes = boxes_now(table);
    for event in events {
        if let Event::RoundVoided { .. } = event {
            for on_box in boxes.values_mut() {
                (on_box.back, on_box.fate) = (on_box.staked, BoxFate::WagersBack);
            }
        } else if let Event::WagerReturned { seat, amount, .. } | Event::WagerWithdrawn { seat, amount, .. } =
            event
        {
            // Before the close, chips that a ruling gives back are withdrawn.
            if let Some(on_box) = boxes.get_mut(seat) {
                on_box.back += *amount;
                on_box.fate = BoxFate::WagersBack;
            }
        } else if let Event::HandInvalidated { seat, .. } = event {
            if let Some(on_box) = boxes.get_mut(seat) {
                (on_box.back, on_box.fate) = (on_box.staked, BoxFate::Invalid);
            }
        } else if let Event::OptionsGiven { seats, .. } = event {
            for seat in seats {
                if let Some(on_box) = boxes.get_mut(seat) {
                    on_box.fate = BoxFate::Chooses;
                }
            }
        } else if let Event::SlipCorrected { slip, .. } = event
            && let Some(on_box) = boxes.get_mut(&slip.seat)
        {
            on_box.fate = BoxFate::SettledAnew;
        }
    }
    boxes.into_values().collect()
}

fn boxes_now(table: &Table) -> BTreeMap<BoxNumber, BoxForeseen> {
    let lies = |seat: BoxNumber, player: &Player, stakes: &[Stake]| {
        let staked = stakes.iter().map(|stake| stake.amount).sum();
        (seat, BoxForeseen { seat, player: player.clone(), staked, back: Money::ZERO, fate: BoxFate::Stays })
    };
    match &table.round.phase {
        Phase::Idle => BTreeMap::new(),
        Phase::Betting(betting) => {
            betting.boxes.iter().map(|(seat, on_box)| lies(*seat, &on_box.seated, &on_box.stakes)).collect()
        }
        Phase::Play(play) => {
            play.hands.iter().map(|(seat, hand)| lies(*seat, &hand.seated, &hand.stakes)).collect()
        }
        Phase::Finished(finished) => finished
            .boxes
            .iter()
            .filter_map(|slip| {
                let hand = finished.play.hands.get(&slip.seat)?;
                Some(lies(slip.seat, &hand.seated, &slip.stakes))
            })
            .collect(),
    }
}

impl RulingKind {
    /// Whether this ruling answers what the table waits for: the report that was referred to a person, or a jackpot fault after
    /// which nobody has decided how later rounds continue. Every other ruling is a power that the position has in addition.
    #[must_use]
    pub fn answers(&self, awaiting: Option<&Awaiting>, standing: &Standing) -> bool {
        let Some(Awaiting::Ruling { kind, player, .. }) = awaiting else {
            // RH 5.17.2, RS 5.18.2: close the table, bar the box, or play without the jackpot.
            return standing.jackpot_fault
                && matches!(
                    self,
                    RulingKind::CloseTable
                        | RulingKind::BarBox(_)
                        | RulingKind::NoJackpot
                        | RulingKind::JackpotRestored
                );
        };
        let concerns = |who: &Player| player.as_ref().is_none_or(|player| player == who);
        match self {
            RulingKind::Void | RulingKind::Continue => true,
            RulingKind::FirstCard(_) => *kind == IrregularityKind::SimultaneousDraw,
            RulingKind::Intentional | RulingKind::NotIntentional => {
                *kind == IrregularityKind::LookedAtSecondHand
            }
            RulingKind::Bar(who) => *kind == IrregularityKind::Confidentiality && concerns(who),
            RulingKind::Stop(who) => *kind == IrregularityKind::MultipleHands && concerns(who),
            RulingKind::NoJackpot | RulingKind::JackpotRestored => *kind == IrregularityKind::JackpotFault,
            RulingKind::BarBox(_)
            | RulingKind::CloseTable
            | RulingKind::Restrict(_)
            | RulingKind::Lift(_)
            | RulingKind::PermitWithdrawal => false,
        }
    }
}
