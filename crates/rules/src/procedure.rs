//! Dealing procedures: the round of play as an ordered schedule.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Area, Cited, Cites};

/// The name of a dealing procedure, as scripts write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of the rule texts")]
pub enum ProcedureName {
    // RWS 1.5
    Shoe,
    // RH 1.9; RS 1.7
    Shuffler,
    Automated,
    AutomatedA,
    AutomatedB,
    AutomatedC,
    Manual,
}

impl ProcedureName {
    /// All names.
    pub const ALL: [ProcedureName; 7] = [
        ProcedureName::Shoe,
        ProcedureName::Shuffler,
        ProcedureName::Automated,
        ProcedureName::AutomatedA,
        ProcedureName::AutomatedB,
        ProcedureName::AutomatedC,
        ProcedureName::Manual,
    ];

    /// The name in scripts and data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["shoe", "shuffler", "automated", "automated-a", "automated-b", "automated-c", "manual"]
            [self as usize]
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "Card Shoe",
            "Electronic Card Shuffler",
            "automated dealing device",
            "automated dealing device, Method A",
            "automated dealing device, Method B",
            "automated dealing device, Method C",
            "manual dealing device",
        ][self as usize]
    }
}

/// Who receives cards in a dealing step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DealTo {
    /// Each box with a wager, clockwise from the dealer's left.
    Boxes,
    /// The dealer.
    Dealer,
    /// Each box with a wager and then the dealer, one card per turn.
    BoxesAndDealer,
    /// The community cards.
    Board,
}

/// A group of cards that the dealer turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of the rule texts")]
pub enum Reveal {
    Flop,
    Turn,
    River,
    Dealer,
}

impl Reveal {
    /// All groups, in order.
    pub const ALL: [Reveal; 4] = [Reveal::Flop, Reveal::Turn, Reveal::River, Reveal::Dealer];

    /// The name in scripts and data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["flop", "turn", "river", "dealer"][self as usize]
    }

    /// The name for people: "the flop cards".
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["the flop cards", "the turn card", "the river card", "the dealer's cards"][self as usize]
    }

    /// The range of board positions that this turns; `None` for the dealer's hand.
    #[must_use]
    pub const fn board_cards(self) -> Option<(usize, usize)> {
        match self {
            // RH 1.12; MH, MB 1.1.7: the first three community cards.
            Reveal::Flop => Some((0, 3)),
            // RH 1.29; MH, MB 1.1.16: the fourth.
            Reveal::Turn => Some((3, 4)),
            // RH 1.23; MH, MB 1.1.12: the fifth.
            Reveal::River => Some((4, 5)),
            Reveal::Dealer => None,
        }
    }
}

/// One step of a round after "No more bets".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "do")]
pub(crate) enum Step {
    /// A card is discarded.
    Burn,
    /// Cards are dealt, face down unless said otherwise.
    Deal {
        /// To whom.
        to: DealTo,
        /// How many to each.
        cards: u8,
        /// One card at a time round the table, instead of the whole set at once.
        one_at_a_time: bool,
        /// The dealer's last card is face up.
        last_face_up: bool,
        /// A security card is at the bottom of each set dealt to the board and the dealer.
        security_card: bool,
    },
    /// The players decide: the raise on this area, or its alternative.
    Decide {
        /// The area of the raise.
        area: Area,
        /// The paragraphs of the other choice: fold or check.
        otherwise: Cites,
    },
    /// The dealer turns cards.
    Reveal {
        /// Which.
        what: Reveal,
    },
}

/// A dealing procedure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Procedure {
    /// Its name.
    pub name: ProcedureName,
    /// The paragraphs that describe it.
    pub cites: Cites,
    /// What happens, in order. Read only through [`Procedure::schedule`].
    pub(crate) steps: Vec<Cited<Step>>,
}
