//! The cage.

use baize_house::{CashDay, CashReport, Drawer, DrawerCount, FiledReport, PlayerLine};
use baize_rules::Money;

use crate::pages::shell::Shell;

/// A movement to confirm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CageConfirmation {
    /// A buy-in; otherwise a cash-out.
    pub(crate) buy_in: bool,
    /// The amount.
    pub(crate) amount: Money,
    /// The purse after it.
    pub(crate) after: Money,
    /// The player must be identified first: their cash today reaches the threshold.
    pub(crate) identify: bool,
    /// Their cash today reaches the threshold for a cash transaction report.
    pub(crate) reported: bool,
}

/// A movement of today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CageLine {
    /// Its journal entry.
    pub(crate) number: u64,
    /// The time of day.
    pub(crate) time: String,
    /// The player's display name.
    pub(crate) player: String,
    /// A buy-in; otherwise a cash-out.
    pub(crate) buy_in: bool,
    /// The amount.
    pub(crate) amount: Money,
    /// The address of its receipt.
    pub(crate) href: String,
}

/// A receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CageReceipt {
    /// Its journal entry.
    pub(crate) number: u64,
    /// The id of the command.
    pub(crate) command: String,
    /// The time, by the house's clock.
    pub(crate) when: String,
    /// That clock's UTC offset: `UTC+08:00`.
    pub(crate) clock: String,
    /// The cashier.
    pub(crate) cashier: String,
    /// The player's log-in name.
    pub(crate) player: String,
    /// The player's display name.
    pub(crate) player_name: Option<String>,
    /// A buy-in; otherwise a cash-out.
    pub(crate) buy_in: bool,
    /// The amount.
    pub(crate) amount: Money,
    /// The purse right after it.
    pub(crate) purse_after: Money,
}

/// The cashier's page.
#[derive(Debug, Clone, Default)]
pub(crate) struct CagePage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The gaming day, and when it begins.
    pub(crate) day: String,
    /// The search text.
    pub(crate) find: String,
    /// The matching players; all players if the search is empty. Shortened.
    pub(crate) found: Vec<PlayerLine>,
    /// How many more there are.
    pub(crate) more: usize,
    /// The player at the counter.
    pub(crate) player: Option<PlayerLine>,
    /// The cash of that player today.
    pub(crate) cash: Option<CashDay>,
    /// The movement to confirm.
    pub(crate) confirmation: Option<CageConfirmation>,
    /// A refusal: the form (`buy-in`, `cash-out`, `register`, `find`, …), what was typed, and the message.
    pub(crate) problem: Option<(&'static str, String, String)>,
    /// The receipt to show.
    pub(crate) receipt: Option<CageReceipt>,
    /// This cashier's movements of the day, latest first.
    pub(crate) lines: Vec<CageLine>,
    /// Total buy-ins and cash-outs.
    pub(crate) totals: (Money, Money),
    /// Cash transaction reports that are due.
    pub(crate) reports: Vec<CashReport>,
    /// Filed reports, latest first, each with its time.
    pub(crate) filed: Vec<(String, FiledReport)>,
    /// The cashier's drawer since the last count.
    pub(crate) drawer: Option<Drawer>,
    /// The cashier's drawer counts, latest first, each with its time.
    pub(crate) counts: Vec<(String, DrawerCount)>,
}
