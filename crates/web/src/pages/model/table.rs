//! The table page for players and spectators.

use std::collections::BTreeMap;

use baize_rules::{BoxNumber, Money, Rulebook};
use baize_table::{Legal, Limits, Player, RoundView, Settings};

use super::Meter;
use crate::pages::shell::Shell;

/// Who deals at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dealing {
    /// The house, automatically, when every player at the table is ready.
    ByHouse,
    /// A dealer, from the computer's shoe.
    ByDealer,
    /// A dealer, from a real shoe.
    FromRealShoe,
}

impl Dealing {
    /// In words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Dealing::ByHouse => "dealt by the house",
            Dealing::ByDealer => "dealt by a dealer",
            Dealing::FromRealShoe => "dealt from a real shoe",
        }
    }
}

/// A running clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clock {
    /// What happens at its end: "Bets close".
    pub(crate) words: String,
    /// Milliseconds left when the page was rendered.
    pub(crate) left_ms: u64,
    /// The total time in milliseconds.
    pub(crate) whole_ms: u64,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogLine {
    /// Its number, which increases within a table.
    pub(crate) number: u64,
    /// What happened.
    pub(crate) words: String,
    /// The paragraphs.
    pub(crate) cites: String,
}

/// The initial values of the bet form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BetDraft {
    /// The box.
    pub(crate) seat: BoxNumber,
    /// The ante.
    pub(crate) ante: Money,
    /// The bonus; zero: none.
    pub(crate) bonus: Money,
    /// The jackpot wager; zero: none.
    pub(crate) jackpot: Money,
}

/// The exact value of one decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AdviceLine {
    /// The action: `flop`, `fold`, `check`.
    pub(crate) action: String,
    /// The net result of the whole round in units of the ante, as a decimal: `-1.0000000000`.
    pub(crate) value: String,
    /// The same in money, rounded to the cent.
    pub(crate) money: Money,
    /// Whether it is the best.
    pub(crate) best: bool,
}

/// The answer to "What should I do?".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Advice {
    /// The box.
    pub(crate) seat: BoxNumber,
    /// Each decision.
    pub(crate) lines: Vec<AdviceLine>,
    /// A remark, such as that the jackpot wager is included.
    pub(crate) note: String,
    /// Why there is no answer.
    pub(crate) refused: Option<String>,
}

/// New limits from the next round on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NextLimits {
    /// The ante.
    pub(crate) ante: Limits,
    /// The bonus, if the game has one.
    pub(crate) bonus: Option<Limits>,
}

/// A jackpot award of the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Award {
    /// The award's name.
    pub(crate) name: String,
    /// The locked amount.
    pub(crate) amount: Money,
    /// Whether it is being verified; otherwise it was paid.
    pub(crate) pending: bool,
}

/// The table page.
#[derive(Debug, Clone)]
pub(crate) struct TablePage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The table's id.
    pub(crate) table: String,
    /// Its game.
    pub(crate) book: &'a Rulebook,
    /// Its settings.
    pub(crate) settings: &'a Settings,
    /// New limits from the next round on.
    pub(crate) next_limits: Option<NextLimits>,
    /// Who deals.
    pub(crate) dealing: Dealing,
    /// The round as the reader may see it.
    pub(crate) view: &'a RoundView,
    /// The legal commands. The page uses only those of the reader.
    pub(crate) legal: &'a Legal,
    /// The reader, if they play.
    pub(crate) me: Option<Player>,
    /// The linked jackpot.
    pub(crate) meter: Option<Meter>,
    /// The reader's jackpot awards in this round, pending or paid.
    pub(crate) awards: Vec<Award>,
    /// Whether the reader sits here and may leave.
    pub(crate) may_leave: bool,
    /// The running clock, if there is one.
    pub(crate) clock: Option<Clock>,
    /// The log, latest first.
    pub(crate) log: Vec<LogLine>,
    /// The initial values of the bet form.
    pub(crate) draft: BetDraft,
    /// The smallest chip of the table.
    pub(crate) chip: Money,
    /// The players seated at boxes, with or without chips.
    pub(crate) guests: BTreeMap<BoxNumber, String>,
    /// Whether the reader is ready, at tables dealt by the house.
    pub(crate) ready: bool,
    /// Players who are not ready yet; the house waits for them before it deals.
    pub(crate) waiting_for: Vec<String>,
    /// The answer to "What should I do?", if it was asked.
    pub(crate) advice: Option<Advice>,
    /// The published hash of the deck of this or, between rounds, of the next round.
    pub(crate) commitment: Option<String>,
    /// The last round, if its deck can be verified.
    pub(crate) provable: Option<u32>,
    /// The notice that the table closes.
    pub(crate) closing: Option<String>,
    /// Whether no more rounds begin.
    pub(crate) closed: bool,
}
