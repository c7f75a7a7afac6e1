//! The exact value of each decision at one position.
//!
//! Values are the net result of the whole round in antes: all stakes placed so far or later count, with best play afterwards. With a
//! jackpot wager, the wager and its possible award count too.

mod error;
mod exposed;
mod holdem;
mod jackpot;
mod stud;

use baize_cards::{Card, CardSet};
use baize_rules::{Area, Family, Money, Rulebook};
use schemars::JsonSchema;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

pub use error::AdviceError;
pub use exposed::ExposedCards;

use crate::analysis::{JackpotTerms, PLACES};
use crate::{Fraction, Solver};

/// What a player may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Give up the hand.
    Fold,
    /// Stud: stay in for the bet.
    Bet,
    /// Hold'em: stay in for the flop wager.
    Flop,
    /// Check.
    Check,
    /// Place the turn wager.
    Turn,
    /// Place the river wager.
    River,
}

impl Action {
    /// The name in data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["fold", "bet", "flop", "check", "turn", "river"][self as usize]
    }

    /// The area of its chips; none if no chips are added.
    #[must_use]
    pub const fn area(self) -> Option<Area> {
        match self {
            Action::Fold | Action::Check => None,
            Action::Bet => Some(Area::Bet),
            Action::Flop => Some(Area::Flop),
            Action::Turn => Some(Area::Turn),
            Action::River => Some(Area::River),
        }
    }

    /// The action as the start of a sentence.
    #[must_use]
    pub const fn doing(self) -> &'static str {
        ["Folding", "Betting", "The flop wager", "Checking", "The turn wager", "The river wager"]
            [self as usize]
    }
}

/// What one action is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionValue {
    /// The action.
    pub action: Action,
    /// The expected net result of the whole round in antes.
    pub ev: Fraction,
}

/// `{"action":"fold","ev":"-1"}`.
impl Serialize for ActionValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("ActionValue", 3)?;
        fields.serialize_field("action", &self.action)?;
        fields
            .serialize_field("ev", &self.ev.decimal(if self.ev.denominator() == 1 { 0 } else { PLACES }))?;
        fields.serialize_field("exact", &self.ev.to_string())?;
        fields.end()
    }
}

/// The value of each decision, and the best one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// The decisions, starting with the one that adds no chips.
    pub decisions: Vec<ActionValue>,
    /// The best; if equal, the one that adds no chips.
    pub best: Action,
}

impl Advice {
    fn between(one: (Action, Fraction), other: (Action, Fraction)) -> Advice {
        let best = if other.1 > one.1 { other.0 } else { one.0 };
        Advice { decisions: [one, other].map(|(action, ev)| ActionValue { action, ev }).into(), best }
    }

    /// What the best decision gains over the other.
    #[must_use]
    pub fn gain(&self) -> Fraction {
        let highest = self.decisions.iter().map(|decision| decision.ev).max().unwrap_or(Fraction::ZERO);
        let lowest = self.decisions.iter().map(|decision| decision.ev).min().unwrap_or(Fraction::ZERO);
        highest - lowest
    }
}

/// What a player sees.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// Their cards.
    pub cards: Vec<Card>,
    /// The dealer's face-up card, in stud.
    pub up: Option<Card>,
    /// The community cards in the order in which they were turned, in hold'em.
    pub board: Vec<Card>,
    /// Hold'em after the turn card: whether the turn wager was placed. It counts in both decisions alike.
    pub turn_wagered: bool,
}

/// Amounts at stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stakes {
    /// The ante: needed for maximum payouts and for the jackpot.
    pub ante: Option<Money>,
    /// The jackpot wager, if there is one.
    pub jackpot_wager: Option<Money>,
    /// The meter.
    pub meter: Option<Money>,
}

impl Advice {
    /// The value of each decision at this position.
    ///
    /// # Errors
    /// Missing, surplus or repeated cards; a face-up card in hold'em or none in stud; a jackpot wager without ante or meter; a rulebook that
    /// cannot be analysed.
    pub fn of(
        solver: &mut Solver,
        rulebook: &Rulebook,
        seen: &Seen,
        stakes: Stakes,
    ) -> Result<Advice, AdviceError> {
        check_cards(rulebook, seen, &ExposedCards::default())?;
        let jackpot = match (stakes.jackpot_wager, stakes.ante, stakes.meter) {
            (None, _, None) => None,
            (Some(wager), Some(ante), Some(meter)) => {
                Some((ante, JackpotTerms::checked(wager, Some(meter))?))
            }
            (wager, ante, meter) => {
                let missing = [
                    (ante.is_none(), "the ante"),
                    (wager.is_none(), "the jackpot wager"),
                    (meter.is_none(), "the meter"),
                ];
                let missing: Vec<&str> =
                    missing.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect();
                return Err(AdviceError::HalfJackpot { missing: missing.join(" and ") });
            }
        };
        match rulebook.family {
            Family::Stud => stud::advise(rulebook, seen, &ExposedCards::default(), stakes.ante, jackpot),
            Family::Holdem => holdem::advise(solver, rulebook, seen, stakes.ante, jackpot),
        }
    }

    /// The same with exposed cards.
    ///
    /// # Errors
    /// As for [`Advice::of`]; more exposed cards than there are; a jackpot wager.
    pub fn with_exposed(
        rulebook: &Rulebook,
        seen: &Seen,
        exposed: &ExposedCards,
        stakes: Stakes,
    ) -> Result<Advice, AdviceError> {
        check_cards(rulebook, seen, exposed)?;
        if stakes.jackpot_wager.is_some() || stakes.meter.is_some() {
            return Err(AdviceError::ExposedJackpot);
        }
        exposed::advise(rulebook, seen, exposed, stakes.ante)
    }
}

fn check_cards(rulebook: &Rulebook, seen: &Seen, exposed: &ExposedCards) -> Result<(), AdviceError> {
    let name = rulebook.family.name();
    let wanted = rulebook.hand_size();
    if seen.cards.len() != wanted {
        return Err(AdviceError::Hand { family: name, wanted, found: seen.cards.len() });
    }
    match rulebook.family {
        Family::Stud if !seen.board.is_empty() => return Err(AdviceError::Board { family: name }),
        Family::Stud if seen.up.is_none() => return Err(AdviceError::NoUpCard),
        Family::Holdem if seen.up.is_some() => return Err(AdviceError::UpCard { family: name }),
        Family::Holdem if !matches!(seen.board.len(), 0 | 3 | 4) => {
            return Err(AdviceError::BoardSize { found: seen.board.len() });
        }
        Family::Stud | Family::Holdem => {}
    }
    exposed.check(rulebook, seen)?;
    let all = seen.cards.iter().chain(&seen.up).chain(&seen.board).chain(exposed.all());
    let mut before = CardSet::EMPTY;
    for card in all {
        if before.contains(*card) {
            return Err(AdviceError::Repeated(*card));
        }
        before = before.with(*card);
    }
    Ok(())
}
