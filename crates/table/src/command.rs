//! What people do at a table, in the imperative.

use baize_cards::Card;
use baize_rules::{Area, Cites, FaultScope, IrregularityKind, Money, Place, Reveal, Role, Whose};
use serde::{Deserialize, Serialize};

use crate::{OpenPoint, Player};

/// A member of staff who acts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Staff {
    /// The position in which he acts.
    pub role: Role,
    /// His name, where it is known.
    pub name: Option<String>,
}

impl Staff {
    /// Somebody in this position whose name is not given.
    #[must_use]
    pub const fn of(role: Role) -> Staff {
        Staff { role, name: None }
    }
}

/// What a report states. What is absent was not said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// How many cards.
    pub count: Option<u32>,
    /// Has any player seen his cards? Left out, the table answers.
    pub seen: Option<bool>,
    /// Can the cards be put back into their intended order?
    pub reconstructable: Option<bool>,
    /// Did the player do it intentionally?
    pub intentional: Option<bool>,
    /// Whose card was exposed.
    pub whose: Option<Whose>,
    /// Which card was exposed.
    pub card: Option<Card>,
    /// Which player.
    pub player: Option<Player>,
    /// The boxes that are affected; empty: all.
    pub boxes: Vec<u8>,
    /// Complete hands that move from one box to another, all at once.
    pub moves: Vec<(u8, u8)>,
    /// After a missed burn: the cards as they were dealt move up by one place, and the first of them is burnt.
    pub shift: bool,
    /// Did it happen during the deal? Left out, the table answers.
    pub dealing: Option<bool>,
    /// How far a jackpot fault reaches. Left out: the betting device of the box that is named, or the table.
    pub scope: Option<FaultScope>,
    /// The error belongs to the round before this one.
    pub previous_round: bool,
}

/// A member of staff reports an irregularity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// What happened.
    pub kind: IrregularityKind,
    /// The box that it concerns.
    pub seat: Option<u8>,
    /// What is known about it.
    pub facts: Facts,
    /// Who reports.
    pub by: Staff,
}

/// A player's choice where the rules give one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Go on with the hand as it is.
    Continue,
    /// Go on with the reconstructed hand.
    Reconstructed,
    /// Take the bets back; the hand is invalid.
    Withdraw,
}

impl Choice {
    /// All choices.
    pub const ALL: [Choice; 3] = [Choice::Continue, Choice::Reconstructed, Choice::Withdraw];

    /// The name in scripts.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["continue", "reconstructed", "withdraw"][self as usize]
    }
}

/// A ruling that the rules leave to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RulingKind {
    /// The round is void.
    Void,
    /// Play goes on.
    Continue,
    /// This card of those drawn together is received first.
    FirstCard(u8),
    /// Later rounds are played without jackpot wagers, under a displayed notice.
    NoJackpot,
    /// The table closes after this round.
    CloseTable,
    /// No bets on this box in later rounds.
    BarBox(u8),
    /// The jackpot works again.
    JackpotRestored,
    /// The player may wager on one position only.
    Restrict(Player),
    /// The player is barred from further play; his wagers go back.
    Bar(Player),
    /// The player's action on more than one hand is stopped.
    Stop(Player),
    /// The player is no longer barred.
    Lift(Player),
    /// Players with correct hands may withdraw.
    PermitWithdrawal,
    /// The second look was intentional.
    Intentional,
    /// The second look was not intentional.
    NotIntentional,
}

/// A ruling: what, who, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// What is ruled.
    pub kind: RulingKind,
    /// Who rules.
    pub by: Staff,
    /// The reason, for the record.
    pub reason: Option<String>,
}

/// What the jackpot pays on one claim of a settled round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JackpotPayment {
    /// The box.
    pub seat: u8,
    /// What is paid. Nothing: the claim was found not to qualify.
    pub amount: Money,
    /// The paragraphs behind the amount.
    pub cites: Cites,
    /// The open point that mattered, if any.
    pub interpretation: Option<OpenPoint>,
}

/// Something that somebody at the table wants to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "command")]
pub enum Command {
    /// "Place your bets, please."
    Open,
    /// Chips are placed on an area, before the close or as a decision.
    PlaceWager {
        /// The box.
        seat: u8,
        /// Whose chips.
        player: Player,
        /// The area.
        area: Area,
        /// How much is added.
        amount: Money,
        /// The dealer did not notice what is wrong with it.
        unnoticed: bool,
        /// A member of staff places it at the player's request.
        placed_by: Option<Role>,
    },
    /// Chips are taken back.
    Withdraw {
        /// The box.
        seat: u8,
        /// Whose chips.
        player: Player,
        /// The area.
        area: Area,
    },
    /// "No more bets."
    Close,
    /// A card is burnt.
    Burn {
        /// The card.
        card: Card,
    },
    /// Cards are dealt.
    Deal {
        /// Where.
        to: Place,
        /// The cards in order.
        cards: Vec<Card>,
    },
    /// The seated player examines this hand.
    Look {
        /// The box.
        seat: u8,
    },
    /// The player folds.
    Fold {
        /// The box.
        seat: u8,
    },
    /// The player checks.
    Check {
        /// The box.
        seat: u8,
    },
    /// The dealer turns cards.
    Reveal {
        /// Which.
        what: Reveal,
    },
    /// The player lays his hand face up before the showdown.
    Show {
        /// The box.
        seat: u8,
    },
    /// The player does not show his hand.
    Decline {
        /// The box.
        seat: u8,
    },
    /// The player seated at this box has walked away, from every box.
    Absent {
        /// The box.
        seat: u8,
    },
    /// Staff report an irregularity.
    Report(Report),
    /// A player chooses where the rules let him.
    Choose {
        /// The box.
        seat: u8,
        /// Who chooses for his own chips there. Left out: the seated player.
        player: Option<Player>,
        /// His choice.
        choice: Choice,
    },
    /// Somebody rules.
    Rule(Ruling),
    /// The dealer settles.
    Settle,
    /// The jackpot has decided on the claims of the settled round.
    PayJackpot {
        /// One payment for each claim.
        payments: Vec<JackpotPayment>,
    },
}
