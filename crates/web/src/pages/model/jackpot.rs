//! Jackpots: meters, hits, the sign.

use baize_house::{Displayed, HitPicture};
use baize_rules::{BoxNumber, Money};

use crate::pages::shell::Shell;

/// A jackpot's meter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meter {
    /// The jackpot's id: `MBS`.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// What the meter shows.
    pub(crate) displayed: Money,
    /// The prescribed wager.
    pub(crate) wager: Money,
    /// The reset value.
    pub(crate) reset: Money,
    /// The tables that it links.
    pub(crate) tables: Vec<String>,
    /// The amount of a pending hit.
    pub(crate) pending: Option<Money>,
    /// Why no jackpot wagers are accepted, if it is stopped.
    pub(crate) notice: Option<String>,
    /// The jackpot notices of its tables.
    pub(crate) notices: Vec<(String, Displayed)>,
    /// Whether it is for practice; otherwise for cash.
    pub(crate) practice: bool,
}

/// A past hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HitLine {
    /// When, formatted.
    pub(crate) when: String,
    /// The table.
    pub(crate) table: String,
    /// The round at that table.
    pub(crate) round: u32,
    /// The award: "Straight Flush".
    pub(crate) award: String,
    /// What was paid.
    pub(crate) amount: Money,
    /// Its state unless it is paid: "being verified", "did not qualify", "undone with its round".
    pub(crate) state: Option<&'static str>,
}

/// A pending hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PendingHit {
    /// The jackpot's id.
    pub(crate) jackpot: String,
    /// The hit's number.
    pub(crate) hit: u64,
    /// The table.
    pub(crate) table: String,
    /// The round.
    pub(crate) round: u32,
    /// The box.
    pub(crate) seat: BoxNumber,
    /// The award.
    pub(crate) award: String,
    /// The locked amount.
    pub(crate) amount: Money,
    /// Who verified it.
    pub(crate) verified_by: Option<String>,
    /// Whether a second person must confirm it.
    pub(crate) needs_confirmation: bool,
    /// What else it waits for, in words.
    pub(crate) waits_for: Option<String>,
    /// The evidence: cards and amounts.
    pub(crate) picture: Option<HitPicture>,
    /// Whether this reader may verify it now.
    pub(crate) may_verify: bool,
    /// Whether this reader may confirm it now, which the verifier may not.
    pub(crate) may_confirm: bool,
}

/// The sign of one jackpot.
#[derive(Debug, Clone)]
pub(crate) struct SignPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The meter.
    pub(crate) meter: Meter,
    /// The awards and what they pay, by game.
    pub(crate) awards: Vec<(String, Vec<(String, String)>)>,
    /// The last hits, latest first.
    pub(crate) last: Vec<HitLine>,
    /// The top award to announce.
    pub(crate) announce: Option<HitLine>,
}
