//! Who may bet where, before the cards.

use serde::Serialize;

use crate::{Cited, Cites, Role};

/// The numbers of boxes that the game's layouts have.
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
    /// Only the player who is seated there: one player a box.
    SeatedPlayer,
    /// Several players may make up one wager.
    SeveralPlayers,
}

/// What the text says about placing wagers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Betting {
    /// "Place your bets, please": when wagers may first be placed.
    pub open: Cites,
    /// "No more bets": when wagers close.
    pub close: Cites,
    /// Limits are displayed and a wager must keep within them.
    pub limits: Cites,
    /// An ante is needed to take part.
    pub ante_needed: Cites,
    /// Who may bet on a box.
    pub who: Cited<WhoMayBet>,
    /// A player may bet on several boxes; they may look at one hand only.
    pub several_boxes: Cites,
    /// One hand may be looked at; the others are played blind.
    pub one_hand_viewed: Cites,
    /// The bonus needs an ante. `None` where the game has no bonus.
    pub bonus_needs_ante: Option<Cites>,
    /// The jackpot wager needs an ante.
    pub jackpot_needs_ante: Cites,
    /// Only the seated player may bet on the jackpot of a box, or only where no other player has bet.
    pub jackpot_own_box: Cites,
    /// The jackpot wager is the prescribed amount times one of 1 to `value`.
    pub jackpot_multiples: Cited<u32>,
    /// Who may restrict a player to one position, if anybody.
    pub restrict: Option<Cited<Role>>,
    /// Staff may place wagers for a player at their request.
    pub staff_places: Cites,
    /// After the close nothing is placed or raised.
    pub late_placing: Cites,
    /// After the close nothing is withdrawn.
    pub late_withdrawal: Cites,
    /// Chips taken back after the close all the same still win or lose (MBS). Otherwise the withdrawal is refused and they stay.
    pub withdrawn_still_plays: bool,
}
