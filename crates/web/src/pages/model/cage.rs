//! The cage.

use baize_house::{CashDay, CashReport, Drawer, DrawerCount, FiledReport, PlayerLine};
use baize_rules::Money;

use super::Shell;

/// A movement to confirm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CageConfirmation {
    /// A buy-in; otherwise a cash-out.
    pub buy_in: bool,
    /// The amount.
    pub amount: Money,
    /// The purse after it.
    pub after: Money,
    /// The player must be identified first: their cash today reaches the threshold.
    pub identify: bool,
    /// Their cash today reaches the threshold for a cash transaction report.
    pub reported: bool,
}

/// A movement of today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CageLine {
    /// Its journal entry.
    pub number: u64,
    /// The time of day.
    pub time: String,
    /// The player's display name.
    pub player: String,
    /// A buy-in; otherwise a cash-out.
    pub buy_in: bool,
    /// The amount.
    pub amount: Money,
    /// The address of its receipt.
    pub href: String,
}

/// A receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CageReceipt {
    /// Its journal entry.
    pub number: u64,
    /// The id of the command.
    pub command: String,
    /// The time, by the house's clock.
    pub when: String,
    /// That clock's UTC offset: `UTC+08:00`.
    pub clock: String,
    /// The cashier.
    pub cashier: String,
    /// The player's log-in name.
    pub player: String,
    /// The player's display name.
    pub player_name: Option<String>,
    /// A buy-in; otherwise a cash-out.
    pub buy_in: bool,
    /// The amount.
    pub amount: Money,
    /// The purse right after it.
    pub purse_after: Money,
}

/// The cashier's page.
#[derive(Debug, Clone, Default)]
pub struct CagePage {
    /// What every page shares.
    pub shell: Shell,
    /// The gaming day, and when it begins.
    pub day: String,
    /// The search text.
    pub find: String,
    /// The matching players; all players if the search is empty. Shortened.
    pub found: Vec<PlayerLine>,
    /// How many more there are.
    pub more: usize,
    /// The player at the counter.
    pub player: Option<PlayerLine>,
    /// The cash of that player today.
    pub cash: Option<CashDay>,
    /// The movement to confirm.
    pub confirmation: Option<CageConfirmation>,
    /// A refusal: the form (`buy-in`, `cash-out`, `register`, `find`, …), what was typed, and the message.
    pub problem: Option<(&'static str, String, String)>,
    /// The receipt to show.
    pub receipt: Option<CageReceipt>,
    /// This cashier's movements of the day, latest first.
    pub lines: Vec<CageLine>,
    /// Total buy-ins and cash-outs.
    pub totals: (Money, Money),
    /// Cash transaction reports that are due.
    pub reports: Vec<CashReport>,
    /// Filed reports, latest first, each with its time.
    pub filed: Vec<(String, FiledReport)>,
    /// The cashier's drawer since the last count.
    pub drawer: Option<Drawer>,
    /// The cashier's drawer counts, latest first, each with its time.
    pub counts: Vec<(String, DrawerCount)>,
}
