//! Orders at a table: the commands of the rules, and those added by the house.

use baize_cards::Card;
use baize_rules::{Area, BoxNumber, Money};
use baize_table::{Command, Limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Pace, PlayerId, Shoe, StaffId};

/// Maximum number of wagers in one order.
pub(crate) const MAX_WAGERS: usize = 64;

/// A wager on a box and area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Chips {
    /// The box.
    pub seat: BoxNumber,
    /// The area.
    pub area: Area,
    /// The amount added.
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
    /// A command of the rules: wagers, decisions, cards, reports, rulings. The house fills in who acts: a player's name, or a staff
    /// member's name and position. At a table that runs itself, a wager opens the round if none is open.
    Table {
        /// The command.
        command: Command,
    },
    /// Several wagers at once, all or none; for a rebet.
    Bet {
        /// The wagers, in order.
        #[schemars(length(min = 1, max = MAX_WAGERS))]
        wagers: Vec<Chips>,
    },
    /// A wager that staff place at a seated player's request (RH 5.22, RS 5.23, 3.6 of the MBS games), only at a table with a human dealer
    /// and up to the table's limit. The request is recorded.
    BetFor {
        /// The player whose chips are placed.
        player: PlayerId,
        /// The wager.
        wager: Chips,
        /// The player's request, quoted.
        request: String,
        /// The player placed the chips after bets had closed, and nobody noticed.
        #[serde(default)]
        unnoticed: bool,
    },
    /// Assigns a dealer to the table; dealers act only at assigned tables. Pit Supervisor or above.
    Assign {
        /// Who.
        dealer: StaffId,
    },
    /// Takes a dealer off the table. Pit Supervisor or above.
    Relieve {
        /// Who.
        dealer: StaffId,
    },
    /// A player has finished betting. When all players have, a table that runs itself closes the bets.
    Ready,
    /// The dealer deals the next step of the procedure from the computer's shoe.
    DealNext,
    /// The dealer deals from the computer's shoe until a player must decide or cards must be turned.
    DealAll,
    /// The dealer enters the next card or cards from a real shoe; they go where the procedure says. Refused if fewer cards are due, or
    /// none. To record cards that were dealt differently, send [`Command::Deal`] with the place where they went.
    EnterCards {
        /// The cards in order.
        cards: Vec<Card>,
    },
    /// The dealer takes back the cards entered last, if nothing has happened in the round since. Both are on record.
    TakeBack,
    /// A player takes a box, without placing chips; without a box number, the first free one.
    Sit {
        /// The box.
        seat: Option<BoxNumber>,
    },
    /// A player gives up their box. A round in which they have chips continues.
    Leave,
    /// Announces that the table closes after this round. Pit Manager or above.
    GiveNotice {
        /// The reason, which is displayed and recorded.
        reason: String,
    },
    /// Reopens a closed table, or withdraws the notice. Pit Manager or above.
    Reopen,
    /// Changes the pace, between rounds. Pit Supervisor or above.
    SetPace {
        /// The pace.
        pace: Pace,
    },
    /// Changes the shoe, between rounds. Pit Supervisor or above.
    SetShoe {
        /// The shoe.
        shoe: Shoe,
    },
    /// Changes the limits from the next round on. The last round can be corrected under its own limits until the next one opens. Pit
    /// Manager or above.
    SetLimits {
        /// Limits of the ante.
        ante: Limits,
        /// Limits of the bonus; unchanged if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bonus: Option<Limits>,
    },
    /// The house adds chips to the float. Pit Manager or above. A float too short to pay a win is filled automatically.
    FillFloat {
        /// The amount.
        amount: Money,
    },
}

impl Order {
    /// A short description of the request, for the record of attempts.
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

    /// The wagers in the order, by area.
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

    /// The kind of order, for the log, without its contents.
    pub(crate) fn kind(&self) -> &'static str {
        if let Order::Table { command } = self { command.into() } else { self.into() }
    }
}

/// A digest of an order or a jackpot command. The journal keeps it, so that reuse of the id for something else is noticed.
pub(crate) fn digest(asked: &impl Serialize) -> String {
    // Orders and commands are plain data: serialising them does not fail.
    crate::secret::digest(serde_json::to_string(asked).unwrap_or_default().as_bytes())
}

impl From<Command> for Order {
    fn from(command: Command) -> Order {
        Order::Table { command }
    }
}
