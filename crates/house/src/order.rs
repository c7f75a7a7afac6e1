//! Orders at a table: the commands of the rules, and those that the house adds.

use baize_cards::Card;
use baize_rules::{Area, BoxNumber, Money};
use baize_table::{Command, Limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Pace, PlayerId, Shoe, StaffId};

/// The most wagers of one order.
pub(crate) const MOST_WAGERS: usize = 64;

/// A wager of a player's own: what most players send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Chips {
    /// The box.
    pub seat: BoxNumber,
    /// The area.
    pub area: Area,
    /// How much is added.
    pub amount: Money,
}

/// A request to do something at a table.
#[derive(
    Debug,
    Clone,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::EnumDiscriminants,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case", tag = "order")]
#[strum(serialize_all = "kebab-case")]
#[strum_discriminants(name(OrderKind), derive(Serialize, JsonSchema), serde(rename_all = "kebab-case"))]
#[strum_discriminants(doc = "The name of an order.")]
pub enum Order {
    /// What the rules know: wagers, decisions, cards, reports, rulings. The house fills in who acts: a player's name, a staff
    /// member's name and position. On a table that runs itself a wager opens the round when none is open.
    Table {
        /// The command.
        command: Command,
    },
    /// Several wagers at once: all or none. For a rebet.
    Bet {
        /// The wagers, in order.
        #[schemars(length(min = 1, max = MOST_WAGERS))]
        wagers: Vec<Chips>,
    },
    /// A wager for a player who asked staff to place it (RH 5.22, RS 5.23, 3.6 of the MBS games): at a table that a person deals, where
    /// the player sits, up to the table's limit. The words of the request are kept.
    BetFor {
        /// Whose chips.
        player: PlayerId,
        /// The wager.
        wager: Chips,
        /// What the player asked for.
        request: String,
        /// The player put the chips down after the betting was closed, and nobody saw it.
        #[serde(default)]
        unnoticed: bool,
    },
    /// The pit assigns a dealer: dealers act at their own tables only. Pit Supervisor or above.
    Assign {
        /// Who.
        dealer: StaffId,
    },
    /// The pit takes a dealer off the table. Pit Supervisor or above.
    Relieve {
        /// Who.
        dealer: StaffId,
    },
    /// A player has placed what they want: when all at the table have, a table that runs itself closes the betting at once.
    Ready,
    /// The dealer draws the next card or set from the computer's shoe, as the procedure says: one step.
    DealNext,
    /// The dealer draws from the computer's shoe until a player must decide or cards must be turned.
    DealAll,
    /// The dealer enters the next card or cards from a real shoe: they go wherever the procedure says. Refused when no card is due, or
    /// fewer than these. What was dealt otherwise is a fact: [`Command::Deal`] records it with the place where it went.
    EnterCards {
        /// The cards in order.
        cards: Vec<Card>,
    },
    /// The dealer takes back the cards entered last: only while nothing has happened in the round since. Both are on record.
    TakeBack,
    /// A player takes a box: one click, no chips yet. Without a box, the first free one.
    Sit {
        /// The box.
        seat: Option<BoxNumber>,
    },
    /// A player leaves. While they have chips on the table the round goes on.
    Leave,
    /// The table closes after this round; the notice is displayed. Pit Manager or above.
    GiveNotice {
        /// Why, for the record.
        reason: String,
    },
    /// A closed table opens again, or a notice is taken back. Pit Manager or above.
    Reopen,
    /// Another pace, between rounds. Pit Supervisor or above.
    SetPace {
        /// The pace.
        pace: Pace,
    },
    /// Another shoe, between rounds. Pit Supervisor or above.
    SetShoe {
        /// The shoe.
        shoe: Shoe,
    },
    /// Other limits, from the next round on: those of a round under way hold until it is over and cannot be corrected any more.
    /// Pit Manager or above.
    SetLimits {
        /// Of the ante.
        ante: Limits,
        /// Of the bonus; without them they stay.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bonus: Option<Limits>,
    },
    /// The house brings chips to the float. Pit Manager or above. A float that cannot pay a win is filled without asking.
    FillFloat {
        /// How much.
        amount: Money,
    },
}

impl Order {
    /// What is asked, in a word or two.
    pub(crate) fn name(&self) -> String {
        let Order::Table { command } = self else { return "an order".to_owned() };
        if let Command::Report(report) = command {
            format!("report {}", report.kind.code())
        } else if let Command::Show { seat } | Command::Decline { seat } = command {
            format!("the hand of box {seat}")
        } else {
            "a ruling".to_owned()
        }
    }

    /// The chips that it puts down, by area.
    pub(crate) fn wagers(&self) -> Vec<(Area, Money)> {
        if let Order::Bet { wagers } = self {
            wagers.iter().map(|chips| (chips.area, chips.amount)).collect()
        } else if let Order::BetFor { wager, .. } = self {
            vec![(wager.area, wager.amount)]
        } else if let Order::Table { command: Command::PlaceWager { area, amount, .. } } = self {
            vec![(*area, *amount)]
        } else {
            Vec::new()
        }
    }

    /// What kind of order it is, for the log: nothing of what it says.
    pub(crate) fn kind(&self) -> &'static str {
        if let Order::Table { command } = self { command.into() } else { self.into() }
    }
}

/// A digest of what is asked, at a table or of a jackpot: the journal keeps it, so that an id that is used for something else is noticed.
pub(crate) fn digest(asked: &impl Serialize) -> String {
    // An order came as data or could have: it can be written as data.
    crate::secret::digest(serde_json::to_string(asked).unwrap_or_default().as_bytes())
}

impl From<Command> for Order {
    fn from(command: Command) -> Order {
        Order::Table { command }
    }
}
