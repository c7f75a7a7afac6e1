//! Jackpots: meters, hits, the sign.

use baize_house::{Displayed, HitPicture};
use baize_rules::{BoxNumber, Money};

use super::Shell;

/// A jackpot's meter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meter {
    /// The jackpot's id: `MBS`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What the meter shows.
    pub displayed: Money,
    /// The prescribed wager.
    pub wager: Money,
    /// The reset value.
    pub reset: Money,
    /// The tables that it links.
    pub tables: Vec<String>,
    /// The amount of a pending hit.
    pub pending: Option<Money>,
    /// Why no jackpot wagers are accepted, if it is stopped.
    pub notice: Option<String>,
    /// The jackpot notices of its tables.
    pub notices: Vec<(String, Displayed)>,
    /// Whether it is for practice; otherwise for cash.
    pub practice: bool,
}

/// A past hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitLine {
    /// When, formatted.
    pub when: String,
    /// The table.
    pub table: String,
    /// The round at that table.
    pub round: u32,
    /// The award: "Straight Flush".
    pub award: String,
    /// What was paid.
    pub amount: Money,
    /// Its state unless it is paid: "being verified", "did not qualify", "undone with its round".
    pub state: Option<&'static str>,
}

/// A pending hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingHit {
    /// The jackpot's id.
    pub jackpot: String,
    /// The hit's number.
    pub hit: u64,
    /// The table.
    pub table: String,
    /// The round.
    pub round: u32,
    /// The box.
    pub seat: BoxNumber,
    /// The award.
    pub award: String,
    /// The locked amount.
    pub amount: Money,
    /// Who verified it.
    pub verified_by: Option<String>,
    /// Whether a second person must confirm it.
    pub needs_confirmation: bool,
    /// What else it waits for, in words.
    pub waits_for: Option<String>,
    /// The evidence: cards and amounts.
    pub picture: Option<HitPicture>,
    /// Whether this reader may verify it now.
    pub may_verify: bool,
    /// Whether this reader may confirm it now, which the verifier may not.
    pub may_confirm: bool,
}

/// The sign of one jackpot.
#[derive(Debug, Clone)]
pub struct SignPage {
    /// What every page shares.
    pub shell: Shell,
    /// The meter.
    pub meter: Meter,
    /// The awards and what they pay, by game.
    pub awards: Vec<(String, Vec<(String, String)>)>,
    /// The last hits, latest first.
    pub last: Vec<HitLine>,
    /// The top award to announce.
    pub announce: Option<HitLine>,
}
