//! The cage: chips for cash, cash for chips.

use baize_rules::Money;

use super::Shell;

/// A player as the cashier sees him.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CagePlayer {
    /// His name.
    pub name: String,
    /// What is in his purse.
    pub purse: Money,
    /// What he owes, because a round that was put right took back more than his purse held.
    pub owed: Money,
    /// He cannot log in.
    pub locked: bool,
}

/// A movement that is to be confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CageAsk {
    /// Chips for cash; otherwise cash for chips.
    pub buy_in: bool,
    /// How much.
    pub amount: Money,
    /// What the purse will hold.
    pub after: Money,
    /// It is so much that it is a significant event.
    pub large: bool,
}

/// A movement of today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CageLine {
    /// Its number in the journal.
    pub number: u64,
    /// The time of day.
    pub time: String,
    /// Whose purse.
    pub player: String,
    /// Chips for cash; otherwise cash for chips.
    pub buy_in: bool,
    /// How much.
    pub amount: Money,
    /// Where its receipt is.
    pub href: String,
}

/// A receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CageReceipt {
    /// Its number in the journal.
    pub number: u64,
    /// The id of the command.
    pub command: String,
    /// When, by the house's clock.
    pub when: String,
    /// How that clock runs: `UTC+08:00`.
    pub clock: String,
    /// The cashier.
    pub cashier: String,
    /// The player.
    pub player: String,
    /// Chips for cash; otherwise cash for chips.
    pub buy_in: bool,
    /// How much.
    pub amount: Money,
    /// What was in the purse right after it.
    pub purse_after: Money,
}

/// The cashier's page.
#[derive(Debug, Clone, Default)]
pub struct CagePage {
    /// What every page shares.
    pub shell: Shell,
    /// The gaming day, and when it begins.
    pub day: String,
    /// What was looked for.
    pub find: String,
    /// The players that were found; nothing was looked for: the first ones.
    pub found: Vec<CagePlayer>,
    /// How many more there are.
    pub more: usize,
    /// The player at the counter.
    pub player: Option<CagePlayer>,
    /// What he wants, to be confirmed.
    pub ask: Option<CageAsk>,
    /// Why what he wants cannot be done: which form (`buy-in`, `cash-out`, `register`, `find`), what was typed, and the words.
    pub problem: Option<(&'static str, String, String)>,
    /// The receipt of what was done.
    pub receipt: Option<CageReceipt>,
    /// This cashier's movements of the day, the latest first.
    pub lines: Vec<CageLine>,
    /// What was bought, and what was cashed.
    pub totals: (Money, Money),
}
