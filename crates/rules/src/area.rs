//! The playing areas of a box.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Cites;

/// A playing area of a box, where chips are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those on the layout")]
pub enum Area {
    // MBS 1.1.1
    Ante,
    // MH 1.1.3
    Bonus,
    // MH, MB 1.1.6
    Flop,
    // MH, MB 1.1.15
    Turn,
    // MH, MB 1.1.11
    River,
    Bet,
    // MH 1.1.10; MS 1.1.6
    Jackpot,
}

impl Area {
    /// How many areas there are over all games.
    pub const COUNT: usize = 7;

    /// All areas of all games, in the order in which a slip lists them.
    pub const ALL: [Area; Area::COUNT] =
        [Area::Ante, Area::Bonus, Area::Flop, Area::Turn, Area::River, Area::Bet, Area::Jackpot];

    /// The name in scripts and data: `ante`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["ante", "bonus", "flop", "turn", "river", "bet", "jackpot"][self as usize]
    }

    /// The name for people: "Ante".
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["Ante", "Bonus", "Flop", "Turn", "River", "Bet", "Progressive Jackpot"][self as usize]
    }

    /// 0 to 6.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// An area of this game's layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AreaRule {
    /// The area.
    pub area: Area,
    /// For a raise: how many times the ante it must be.
    pub times_ante: Option<u32>,
    /// The paragraphs that define it.
    pub cites: Cites,
}
