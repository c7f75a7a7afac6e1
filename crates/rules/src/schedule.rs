//! The dealing schedule: a procedure laid out for the boxes of one round, act by act.
//!
//! This is the only module that defines what a dealing step means: who gets a card before whom, which card is face up, how many
//! cards are there before. The validator and the guide read it, and the cursor over a round (`baize-table`) walks along it. No
//! other code sees a step.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::procedure::{DealTo, Step};
use crate::{Area, BoxNumber, Cited, Cites, Procedure, Reveal};

/// Where cards go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A box, counted clockwise from the dealer's left.
    Box(BoxNumber),
    /// The community cards.
    Board,
    /// The dealer's hand.
    Dealer,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Box(seat) => write!(f, "box {seat}"),
            Place::Board => f.write_str("the board"),
            Place::Dealer => f.write_str("the dealer"),
        }
    }
}

/// Cards dealt to one place at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Dealt {
    /// Where.
    pub to: Place,
    /// How many cards are there before.
    pub from: usize,
    /// How many cards are there afterwards.
    pub until: usize,
    /// The last of them is face up; all others are face down.
    pub last_face_up: bool,
    /// One card at a time round the table, instead of the whole set at once.
    pub one_at_a_time: bool,
    /// A security card is at the bottom.
    pub security_card: bool,
}

/// One act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// A card is discarded.
    Burn,
    /// Cards are dealt to a place.
    Deal(Dealt),
    /// The players decide.
    Decide {
        /// The area of the raise.
        area: Area,
        /// The paragraphs of the other choice: fold or check.
        otherwise: Cites,
    },
    /// The dealer turns cards.
    Reveal(Reveal),
}

/// An act with its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Scheduled {
    /// What is done.
    pub act: Act,
    /// The step of the procedure that it belongs to.
    pub step: usize,
    /// The paragraphs of that step.
    pub cites: Cites,
}

impl Procedure {
    /// The acts of a round with these boxes, in order.
    #[must_use]
    pub fn schedule(&self, boxes: &[BoxNumber]) -> Vec<Scheduled> {
        schedule(&self.steps, boxes)
    }

    /// Whether it burns cards.
    #[must_use]
    pub fn burns(&self) -> bool {
        self.schedule(&[]).iter().any(|scheduled| scheduled.act == Act::Burn)
    }
}

/// The acts of these steps with these boxes, clockwise from the dealer's left.
pub(crate) fn schedule(steps: &[Cited<Step>], boxes: &[BoxNumber]) -> Vec<Scheduled> {
    let mut acts: Vec<Scheduled> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let put = |act| Scheduled { act, step: at, cites: step.cites };
        match step.value {
            Step::Burn => acts.push(put(Act::Burn)),
            Step::Decide { area, otherwise } => acts.push(put(Act::Decide { area, otherwise })),
            Step::Reveal { what } => acts.push(put(Act::Reveal(what))),
            Step::Deal { to, cards, one_at_a_time, last_face_up, security_card } => {
                let cards = usize::from(cards);
                let (rounds, each) = if one_at_a_time { (cards, 1) } else { (1, cards) };
                for round in 1..=rounds {
                    for place in receivers(to, boxes) {
                        let from = lies(&acts, place);
                        let last_face_up = last_face_up && place == Place::Dealer && round == rounds;
                        let until = from + each;
                        acts.push(put(Act::Deal(Dealt {
                            to: place,
                            from,
                            until,
                            last_face_up,
                            one_at_a_time,
                            security_card,
                        })));
                    }
                }
            }
        }
    }
    acts
}

/// How many cards are at a place after these acts.
pub(crate) fn lies(acts: &[Scheduled], place: Place) -> usize {
    let until = |scheduled: &Scheduled| match scheduled.act {
        Act::Deal(dealt) if dealt.to == place => Some(dealt.until),
        Act::Burn | Act::Deal(_) | Act::Decide { .. } | Act::Reveal(_) => None,
    };
    acts.iter().rev().find_map(until).unwrap_or(0)
}

/// Who gets cards in one turn of a step, in order.
fn receivers(to: DealTo, boxes: &[BoxNumber]) -> impl Iterator<Item = Place> {
    let (boxes, last): (&[BoxNumber], Option<Place>) = match to {
        DealTo::Boxes => (boxes, None),
        DealTo::BoxesAndDealer => (boxes, Some(Place::Dealer)),
        DealTo::Dealer => (&[], Some(Place::Dealer)),
        DealTo::Board => (&[], Some(Place::Board)),
    };
    boxes.iter().map(|seat| Place::Box(*seat)).chain(last)
}
