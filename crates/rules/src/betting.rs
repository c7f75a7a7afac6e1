//! Who may bet where, before the cards.

use serde::Serialize;

use crate::{Cited, Cites, Role};

/// The numbers of boxes in the game's layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct BoxRange {
    /// The fewest.
    pub fewest: u8,
    /// The most.
    pub most: u8,
}

/// Who may bet on a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhoMayBet {
    /// Only the seated player: one player per box.
    SeatedPlayer,
    /// Several players may share one wager.
    SeveralPlayers,
}

/// What the text says about placing wagers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Betting {
    /// "Place your bets, please": when wagers may first be placed.
    pub open: Cites,
    /// "No more bets": when wagers close.
    pub close: Cites,
    /// Limits are displayed, and a wager must be within them.
    pub limits: Cites,
    /// An ante is required to take part.
    pub ante_needed: Cites,
    /// Who may bet on a box.
    pub who: Cited<WhoMayBet>,
    /// A player may bet on several boxes, but look at one hand only.
    pub several_boxes: Cites,
    /// One hand may be looked at; the others are played blind.
    pub one_hand_viewed: Cites,
    /// The bonus requires an ante. `None` if the game has no bonus.
    pub bonus_needs_ante: Option<Cites>,
    /// The jackpot wager requires an ante.
    pub jackpot_needs_ante: Cites,
    /// Only the seated player may bet on the jackpot of a box, or only if no other player has bet.
    pub jackpot_own_box: Cites,
    /// The jackpot wager is the prescribed amount times 1 up to `value`.
    pub jackpot_multiples: Cited<u32>,
    /// Who may restrict a player to one position, if any position may.
    pub restrict: Option<Cited<Role>>,
    /// Staff may place wagers for a player at their request.
    pub staff_places: Cites,
    /// After the close nothing is placed or raised.
    pub late_placing: Cites,
    /// After the close nothing is withdrawn.
    pub late_withdrawal: Cites,
    /// Chips that are taken back after the close anyway still win or lose (MBS). Otherwise the withdrawal is refused and they
    /// stay.
    pub withdrawn_still_plays: bool,
}
