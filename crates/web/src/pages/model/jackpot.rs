//! Jackpots as pages show them: meters, hits, the wall sign.

use baize_house::{Displayed, HitPicture};
use baize_rules::{BoxNumber, Money};

use super::Shell;

/// A jackpot's meter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meter {
    /// The jackpot's id: `MBS`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What the meter shows.
    pub displayed: Money,
    /// The prescribed wager.
    pub wager: Money,
    /// The value that it starts again from.
    pub reset: Money,
    /// The tables that it links.
    pub tables: Vec<String>,
    /// A hit of this amount is being verified.
    pub pending: Option<Money>,
    /// The notice that no jackpot wagers are taken, and why; shown wherever the meter is.
    pub notice: Option<String>,
    /// What its tables display about jackpot wagers: the table, the words, the paragraphs.
    pub notices: Vec<(String, Displayed)>,
    /// It is for practice: it takes no cash and pays none.
    pub practice: bool,
}

/// A hit on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitLine {
    /// When, for people.
    pub when: String,
    /// The table.
    pub table: String,
    /// The round at that table.
    pub round: u32,
    /// The award: "Straight Flush".
    pub award: String,
    /// What was paid.
    pub amount: Money,
    /// What else than paid it is: "being verified", "did not qualify", "undone with its round".
    pub state: Option<&'static str>,
}

/// A hit that waits for people.
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
    /// The player, where the page's reader may know.
    pub player: String,
    /// The award.
    pub award: String,
    /// The locked amount.
    pub amount: Money,
    /// The paragraphs behind it.
    pub cites: String,
    /// Who verified it.
    pub verified_by: Option<String>,
    /// A second person must confirm.
    pub needs_confirmation: bool,
    /// What it waits for besides, in words: an earlier hand at another table.
    pub waits_for: Option<String>,
    /// The cards and the meter, for those who verify it.
    pub picture: Option<HitPicture>,
    /// This reader may verify it now.
    pub may_verify: bool,
    /// This reader may confirm it now (and did not verify it themselves).
    pub may_confirm: bool,
}

/// The wall display of one jackpot.
#[derive(Debug, Clone)]
pub struct SignPage {
    /// What every page shares.
    pub shell: Shell,
    /// The meter.
    pub meter: Meter,
    /// The pay table's first lines: award and what it pays, game by game.
    pub awards: Vec<(String, Vec<(String, String)>)>,
    /// The last hits, the latest first.
    pub last: Vec<HitLine>,
    /// A win to announce now.
    pub announce: Option<HitLine>,
}
