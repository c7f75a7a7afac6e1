//! The lobby.

use std::collections::BTreeMap;

use baize_rules::{BoxNumber, Rulebook};
use baize_table::Settings;

use super::{Dealing, Meter};
use crate::pages::shell::Shell;

/// A table in the lobby.
#[derive(Debug, Clone)]
pub(crate) struct TableCard<'a> {
    /// Its id: `rh-1`.
    pub(crate) id: String,
    /// Its game.
    pub(crate) book: &'a Rulebook,
    /// Its settings.
    pub(crate) settings: &'a Settings,
    /// Who deals.
    pub(crate) dealing: Dealing,
    /// The occupied boxes, with display names.
    pub(crate) taken: BTreeMap<BoxNumber, String>,
    /// The current round; 0 before the first.
    pub(crate) round: u32,
    /// Its state, in words.
    pub(crate) state: String,
    /// Whether it is closed or halted.
    pub(crate) closed: bool,
    /// Its jackpot notice.
    pub(crate) jackpot_notice: Option<baize_house::Displayed>,
    /// Whether it is for practice; otherwise for cash.
    pub(crate) practice: bool,
    /// The notice that it closes.
    pub(crate) notice: Option<String>,
    /// Whether the reader sits there.
    pub(crate) mine: bool,
}

/// The lobby.
#[derive(Debug, Clone)]
pub(crate) struct LobbyPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The tables.
    pub(crate) tables: Vec<TableCard<'a>>,
    /// The jackpots.
    pub(crate) meters: Vec<Meter>,
    /// A free name, suggested to a new player.
    pub(crate) suggested_name: String,
    /// The other people in this browser: name and address.
    pub(crate) windows: Vec<(String, String)>,
}
