//! The lobby.

use std::collections::BTreeMap;

use baize_rules::{BoxNumber, Rulebook};
use baize_table::Settings;

use super::{Dealing, Meter, Shell};

/// A table in the lobby.
#[derive(Debug, Clone)]
pub struct TableCard<'a> {
    /// Its id: `rh-1`.
    pub id: String,
    /// Its game.
    pub book: &'a Rulebook,
    /// Its settings.
    pub settings: &'a Settings,
    /// Who deals.
    pub dealing: Dealing,
    /// The occupied boxes, with display names.
    pub taken: BTreeMap<BoxNumber, String>,
    /// The current round; 0 before the first.
    pub round: u32,
    /// Its state, in words.
    pub state: String,
    /// Whether it is closed or halted.
    pub closed: bool,
    /// Its jackpot notice.
    pub jackpot_notice: Option<baize_house::Displayed>,
    /// Whether it is for practice; otherwise for cash.
    pub practice: bool,
    /// The notice that it closes.
    pub notice: Option<String>,
    /// Whether the reader sits there.
    pub mine: bool,
}

/// The lobby.
#[derive(Debug, Clone)]
pub struct LobbyPage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The tables.
    pub tables: Vec<TableCard<'a>>,
    /// The jackpots.
    pub meters: Vec<Meter>,
    /// A free name, suggested to a new player.
    pub suggested_name: String,
    /// The other people in this browser: name and address.
    pub windows: Vec<(String, String)>,
}
