//! What a hold'em game pays, as whole numbers.

use baize_cards::HandClass;

/// The net result of one stake, or of several together, in each outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaisePays {
    /// The player's hand is higher: by its class.
    pub higher: [i64; 10],
    /// The player's hand is lower.
    pub lower: i64,
    /// The hands are equal.
    pub equal: i64,
}

impl RaisePays {
    /// A stake of this size that is paid 1 to 1, lost, or returned.
    #[must_use]
    pub const fn even(stake: i64) -> RaisePays {
        RaisePays { higher: [stake; 10], lower: -stake, equal: 0 }
    }
}

/// A hold'em game as the solver needs it. Amounts are net results in units of the ante divided by `scale`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldemGame {
    /// The ante, in the unit of all other amounts.
    pub scale: i64,
    /// The sizes of the flop, turn and river wagers.
    pub raises: [i64; 3],
    /// The net result of ante and flop wager together.
    pub stay: RaisePays,
    /// The net result of the turn wager.
    pub turn: RaisePays,
    /// The net result of the river wager.
    pub river: RaisePays,
    /// The net result of a fold.
    pub fold: i64,
}

impl HoldemGame {
    /// A game where a winning flop, turn and river wager (2, 1 and 1 antes) is paid 1 to 1 and the ante too if the winning
    /// hand is of this class or better.
    #[must_use]
    pub fn new(ante_pays_from: HandClass) -> HoldemGame {
        let ante = HandClass::ALL.map(|class| i64::from(class >= ante_pays_from));
        HoldemGame {
            scale: 1,
            raises: [2, 1, 1],
            stay: RaisePays { higher: ante.map(|ante| 2 + ante), lower: -3, equal: 0 },
            turn: RaisePays::even(1),
            river: RaisePays::even(1),
            fold: -1,
        }
    }

    /// For each class, the lowest class with the same payouts: classes that need not be distinguished.
    #[must_use]
    pub fn alike(&self) -> [HandClass; 10] {
        let pays = |class: HandClass| {
            [&self.stay, &self.turn, &self.river].map(|stake| stake.higher[class as usize])
        };
        HandClass::ALL.map(|class| {
            HandClass::ALL.into_iter().find(|other| pays(*other) == pays(class)).unwrap_or(class)
        })
    }
}
