//! A table as a player or a spectator sees it.

use std::collections::BTreeMap;

use baize_rules::{BoxNumber, Money, Rulebook};
use baize_table::{Legal, Limits, Player, RoundView, Settings};

use super::{Meter, Shell};

/// Who deals at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dealing {
    /// The house: it opens, closes, deals, turns and settles by itself when every player at the table is ready.
    ByHouse,
    /// A dealer at their console, from the computer's shoe.
    ByDealer,
    /// A dealer who enters the cards of a real shoe.
    FromRealShoe,
}

impl Dealing {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Dealing::ByHouse => "dealt by the house",
            Dealing::ByDealer => "dealt by a dealer",
            Dealing::FromRealShoe => "dealt from a real shoe",
        }
    }
}

/// The time left for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    /// What it is for: "Bets close", "Box 3 folds".
    pub words: String,
    /// Milliseconds left when the page was made; the page counts on from there.
    pub left_ms: u64,
    /// The whole time.
    pub whole_ms: u64,
}

/// Something that happened, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// Its number in the table's journal: the page keeps them apart by it.
    pub number: u64,
    /// The words.
    pub words: String,
    /// The paragraphs.
    pub cites: String,
}

/// What the bet form is filled with: the last bets, or the minimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BetDraft {
    /// The box.
    pub seat: BoxNumber,
    /// The ante.
    pub ante: Money,
    /// The bonus; nothing: none.
    pub bonus: Money,
    /// The jackpot wager; nothing: none.
    pub jackpot: Money,
    /// They are the bets of the last round.
    pub again: bool,
}

/// The exact value of one decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdviceLine {
    /// The action: `flop`, `fold`, `check`.
    pub action: String,
    /// The net result of the whole round in units of the ante, as a decimal: `-1.0000000000`.
    pub value: String,
    /// The same in money, rounded to the cent.
    pub money: Money,
    /// The best of them.
    pub best: bool,
}

/// The answer to "What should I do?".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Advice {
    /// The box.
    pub seat: BoxNumber,
    /// Each decision.
    pub lines: Vec<AdviceLine>,
    /// What was counted: "the jackpot at 250,000.00 is counted".
    pub note: String,
    /// Why there is no answer.
    pub refused: Option<String>,
}

/// Limits that hold from the next round on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextLimits {
    /// Of the ante.
    pub ante: Limits,
    /// Of the bonus, where the game has one.
    pub bonus: Option<Limits>,
}

/// A jackpot award of the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Award {
    /// The award's name.
    pub name: String,
    /// The amount as it was locked.
    pub amount: Money,
    /// It is being verified; otherwise it was paid.
    pub pending: bool,
}

/// The table page.
#[derive(Debug, Clone)]
pub struct TablePage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The table's id.
    pub table: String,
    /// Its game.
    pub book: &'a Rulebook,
    /// Its set-up.
    pub settings: &'a Settings,
    /// Other limits that hold from the next round on.
    pub next_limits: Option<NextLimits>,
    /// Who deals.
    pub dealing: Dealing,
    /// The round as the reader may know it.
    pub view: &'a RoundView,
    /// What could be done now. The page reads what the reader themselves may do; the cards that are left are never shown.
    pub legal: &'a Legal,
    /// The reader, if they play.
    pub me: Option<Player>,
    /// The linked jackpot.
    pub meter: Option<Meter>,
    /// The reader's jackpot awards of this round that are being verified or were paid.
    pub awards: Vec<Award>,
    /// The reader sits here and may leave.
    pub may_leave: bool,
    /// The clock, where there is one.
    pub clock: Option<Clock>,
    /// What happened, the latest first.
    pub happened: Vec<Happened>,
    /// What the bet form is filled with.
    pub draft: BetDraft,
    /// The smallest chip of the table.
    pub chip: Money,
    /// Who sits at each box, with chips or without.
    pub guests: BTreeMap<BoxNumber, String>,
    /// The reader has said that they are ready (house-dealt tables).
    pub ready: bool,
    /// Players at the table who have not said that they are ready: the house waits for them before it deals.
    pub waiting_for: Vec<String>,
    /// The answer to "What should I do?", when it was asked.
    pub advice: Option<Advice>,
    /// The published hash of the deck of this round or, between rounds, of the next one.
    pub commitment: Option<String>,
    /// The number of the round that has just ended, if its deck was promised: it can be checked.
    pub checkable: Option<u32>,
    /// The notice that the table closes.
    pub closing: Option<String>,
    /// No further round begins.
    pub closed: bool,
}
