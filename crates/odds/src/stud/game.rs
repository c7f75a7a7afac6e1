//! What a stud game pays, as whole numbers.

use baize_cards::{HandClass, HandValue};

use super::DealerCounts;

/// How a round ends for a player who bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StudOutcome {
    /// The dealer does not qualify.
    NotQualified,
    /// The dealer qualifies and the player's hand is higher.
    Higher,
    /// The dealer qualifies and the player's hand is lower.
    Lower,
    /// The dealer qualifies and the hands are equal.
    Equal,
}

impl StudOutcome {
    /// All four, in the order of the arrays that are indexed by them.
    pub const ALL: [StudOutcome; 4] =
        [StudOutcome::NotQualified, StudOutcome::Higher, StudOutcome::Lower, StudOutcome::Equal];

    /// The name in data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["not_qualified", "higher", "lower", "equal"][self as usize]
    }
}

/// A stud game as the solver needs it. Amounts are net results in units of the ante divided by `scale`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudGame {
    /// The ante, in the unit of all other amounts.
    pub scale: i64,
    /// The bet, in the same unit.
    pub bet: i64,
    /// The net result of ante and bet together, by outcome and by the class of the player's hand.
    pub net: [[i64; 10]; 4],
    /// The net result of a fold.
    pub fold: i64,
    /// The lowest dealer's hand that qualifies. `None`: every hand does.
    pub qualifies_from: Option<HandValue>,
}

impl StudGame {
    /// A game where a winning ante is paid 1 to 1, the bet is `multiple` antes and pays by the class of the winning hand, and a
    /// dealer who does not qualify pays the ante and returns the bet.
    #[must_use]
    pub fn new(bet_pays: [u32; 10], multiple: u32, qualifies_from: Option<HandValue>) -> StudGame {
        let multiple = i64::from(multiple);
        StudGame {
            scale: 1,
            bet: multiple,
            net: [[1; 10], bet_pays.map(|pays| 1 + multiple * i64::from(pays)), [-1 - multiple; 10], [0; 10]],
            fold: -1,
            qualifies_from,
        }
    }

    /// The net result of this outcome with a hand of this class.
    #[must_use]
    pub const fn net(&self, outcome: StudOutcome, class: HandClass) -> i64 {
        self.net[outcome as usize][class as usize]
    }

    /// The sum of the net results of a bet over all the dealer's hands.
    #[must_use]
    pub fn bet_sum(&self, class: HandClass, counts: &DealerCounts) -> i64 {
        StudOutcome::ALL.iter().map(|&outcome| self.net(outcome, class) * counts.of(outcome)).sum()
    }

    /// The sum of the net results of a fold over all the dealer's hands.
    #[must_use]
    pub fn fold_sum(&self, counts: &DealerCounts) -> i64 {
        self.fold * counts.total()
    }
}
