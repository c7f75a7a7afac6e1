//! The table page for players and spectators.

use std::collections::BTreeMap;

use baize_rules::{BoxNumber, Money, Rulebook};
use baize_table::{Legal, Limits, Player, RoundView, Settings};

use super::{Meter, Shell};

/// Who deals at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dealing {
    /// The house, automatically, when every player at the table is ready.
    ByHouse,
    /// A dealer, from the computer's shoe.
    ByDealer,
    /// A dealer, from a real shoe.
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

/// A running clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    /// What happens at its end: "Bets close".
    pub words: String,
    /// Milliseconds left when the page was rendered.
    pub left_ms: u64,
    /// The total time in milliseconds.
    pub whole_ms: u64,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Its number, which increases within a table.
    pub number: u64,
    /// What happened.
    pub words: String,
    /// The paragraphs.
    pub cites: String,
}

/// The initial values of the bet form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BetDraft {
    /// The box.
    pub seat: BoxNumber,
    /// The ante.
    pub ante: Money,
    /// The bonus; zero: none.
    pub bonus: Money,
    /// The jackpot wager; zero: none.
    pub jackpot: Money,
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
    /// Whether it is the best.
    pub best: bool,
}

/// The answer to "What should I do?".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Advice {
    /// The box.
    pub seat: BoxNumber,
    /// Each decision.
    pub lines: Vec<AdviceLine>,
    /// A remark, such as that the jackpot wager is included.
    pub note: String,
    /// Why there is no answer.
    pub refused: Option<String>,
}

/// New limits from the next round on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextLimits {
    /// The ante.
    pub ante: Limits,
    /// The bonus, if the game has one.
    pub bonus: Option<Limits>,
}

/// A jackpot award of the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Award {
    /// The award's name.
    pub name: String,
    /// The locked amount.
    pub amount: Money,
    /// Whether it is being verified; otherwise it was paid.
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
    /// Its settings.
    pub settings: &'a Settings,
    /// New limits from the next round on.
    pub next_limits: Option<NextLimits>,
    /// Who deals.
    pub dealing: Dealing,
    /// The round as the reader may see it.
    pub view: &'a RoundView,
    /// The legal commands. The page uses only those of the reader.
    pub legal: &'a Legal,
    /// The reader, if they play.
    pub me: Option<Player>,
    /// The linked jackpot.
    pub meter: Option<Meter>,
    /// The reader's jackpot awards in this round, pending or paid.
    pub awards: Vec<Award>,
    /// Whether the reader sits here and may leave.
    pub may_leave: bool,
    /// The running clock, if there is one.
    pub clock: Option<Clock>,
    /// The log, latest first.
    pub log: Vec<LogLine>,
    /// The initial values of the bet form.
    pub draft: BetDraft,
    /// The smallest chip of the table.
    pub chip: Money,
    /// The players seated at boxes, with or without chips.
    pub guests: BTreeMap<BoxNumber, String>,
    /// Whether the reader is ready, at tables dealt by the house.
    pub ready: bool,
    /// Players who are not ready yet; the house waits for them before it deals.
    pub waiting_for: Vec<String>,
    /// The answer to "What should I do?", if it was asked.
    pub advice: Option<Advice>,
    /// The published hash of the deck of this or, between rounds, of the next round.
    pub commitment: Option<String>,
    /// The last round, if its deck can be verified.
    pub provable: Option<u32>,
    /// The notice that the table closes.
    pub closing: Option<String>,
    /// Whether no more rounds begin.
    pub closed: bool,
}
