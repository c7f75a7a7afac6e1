//! The lobby: tables, meters, a seat with one click.

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
    /// Its set-up.
    pub settings: &'a Settings,
    /// Who deals.
    pub dealing: Dealing,
    /// Boxes with a player.
    pub taken: BTreeMap<BoxNumber, String>,
    /// The round now, 0 before the first.
    pub round: u32,
    /// What happens there, in words: [`crate::pages::words::state`].
    pub state: String,
    /// No further players: closed, or closing with notice.
    pub closed: bool,
    /// What is displayed about its jackpot wagers.
    pub jackpot_notice: Option<baize_house::Displayed>,
    /// It is for practice: play chips only.
    pub practice: bool,
    /// A notice that players must see.
    pub notice: Option<String>,
    /// The reader has chips there.
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
    /// A free name, suggested to a newcomer.
    pub suggested_name: String,
    /// Players of this browser: name and where their pages are.
    pub windows: Vec<(String, String)>,
}
