//! Why a position cannot be advised on.

use baize_cards::Card;
use thiserror::Error;

use crate::GameError;

/// Why a position cannot be advised on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AdviceError {
    /// The wrong number of cards in hand.
    #[error("{found} {} in hand: a {family} player has {wanted}", if *found == 1 { "card" } else { "cards" })]
    Hand {
        /// The family.
        family: &'static str,
        /// How many there should be.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// Community cards in stud.
    #[error("{family} has no community cards: omit the board and give the dealer's face-up card instead")]
    Board {
        /// The family.
        family: &'static str,
    },
    /// No face-up card in stud.
    #[error("the dealer's face-up card is missing: the decision depends on it")]
    NoUpCard,
    /// A face-up card in hold'em.
    #[error("the dealer has no face-up card in {family}: give the community cards instead")]
    UpCard {
        /// The family.
        family: &'static str,
    },
    /// A board of a size at which there is no decision.
    #[error(
        "a board of {found}: a decision is made with none, three or four community cards{}",
        if *.found == 5 { "; with five nothing is left to decide" } else { "" }
    )]
    BoardSize {
        /// How many there are.
        found: usize,
    },
    /// A card twice.
    #[error("{0} is named twice: a deck has each card once")]
    Repeated(Card),
    /// Exposed cards that cannot be read.
    #[error("`{part}`: {why}; write it like `dealer Kd, river 9c` or `dealer Kd Qs, flop 9c 8c, box 2h 3h`")]
    ExposedText {
        /// The part.
        part: String,
        /// What is wrong with it.
        why: String,
    },
    /// More exposed cards than there are.
    #[error("{what}: {found} exposed, but there {} at most {most}{}", if *.most == 1 { "is" } else { "are" }, if *.most == 0 { " still to come" } else { "" })]
    ExposedTooMany {
        /// What they are.
        what: &'static str,
        /// How many.
        found: usize,
        /// How many there can be.
        most: usize,
    },
    /// Exposed community cards in stud.
    #[error("{family} has no community cards: omit flop, turn and river")]
    ExposedCommunity {
        /// The family.
        family: &'static str,
    },
    /// A box that the layout does not have.
    #[error("there is no box {number}: boxes are 1 to {most}")]
    NoSuchBox {
        /// Its number.
        number: u16,
        /// The boxes of a layout.
        most: u16,
    },
    /// Exposed cards and a jackpot.
    #[error("exposed cards cannot be combined with a jackpot wager: omit the jackpot wager and the meter")]
    ExposedJackpot,
    /// Incomplete jackpot parameters.
    #[error("to count the jackpot, give {missing} too")]
    HalfJackpot {
        /// What is not known.
        missing: String,
    },
    /// The rulebook or the amounts.
    #[error(transparent)]
    Game(#[from] GameError),
}
