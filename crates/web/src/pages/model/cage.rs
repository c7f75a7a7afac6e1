//! The cage: chips for cash, cash for chips.

use baize_house::{CashDay, CashReport, Drawer, DrawerCount, FiledReport, PlayerLine};
use baize_rules::Money;

use super::Shell;

/// A movement that is to be confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CageAsk {
    /// Chips for cash; otherwise cash for chips.
    pub buy_in: bool,
    /// How much.
    pub amount: Money,
    /// What the purse will hold.
    pub after: Money,
    /// The cash of the player and day reaches the amount from which the player is identified, and nobody has seen a document yet.
    pub identify: bool,
    /// It reaches the amount that is reported.
    pub reported: bool,
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
    /// Their name as people write it.
    pub player_name: Option<String>,
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
    pub found: Vec<PlayerLine>,
    /// How many more there are.
    pub more: usize,
    /// The player at the counter.
    pub player: Option<PlayerLine>,
    /// The cash of that player today.
    pub cash: Option<CashDay>,
    /// What they want, to be confirmed.
    pub ask: Option<CageAsk>,
    /// Why what they want cannot be done: which form (`buy-in`, `cash-out`, `register`, `find`), what was typed, and the words.
    pub problem: Option<(&'static str, String, String)>,
    /// The receipt of what was done.
    pub receipt: Option<CageReceipt>,
    /// This cashier's movements of the day, the latest first.
    pub lines: Vec<CageLine>,
    /// What was bought, and what was cashed.
    pub totals: (Money, Money),
    /// Cash transaction reports that are due.
    pub reports: Vec<CashReport>,
    /// Those that were filed, the latest first: when, for people, and the report.
    pub filed: Vec<(String, FiledReport)>,
    /// The cashier's drawer since the last count.
    pub drawer: Option<Drawer>,
    /// The cashier's counts, the latest first: when, for people, and the count.
    pub counts: Vec<(String, DrawerCount)>,
}
