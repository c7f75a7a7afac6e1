//! Commands: what people do at a table, in the imperative.

use baize_cards::Card;
use baize_rules::{
    Area, BoxNumber, Cites, FaultScope, IrregularityKind, Money, OpenPoint, Place, Reveal, Role, Whose,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Player;

/// A member of staff who acts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Staff {
    /// The position in which they act.
    pub role: Role,
    /// Their name, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Staff {
    /// A person in this position, name not given.
    #[must_use]
    pub const fn of(role: Role) -> Staff {
        Staff { role, name: None }
    }
}

/// The facts that a report states. An absent fact was not stated.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Facts {
    /// How many cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Has any player seen their cards? If omitted, the table answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<bool>,
    /// Can the cards be put back into their intended order?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconstructable: Option<bool>,
    /// Did the player do it intentionally?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intentional: Option<bool>,
    /// Whose card was exposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whose: Option<Whose>,
    /// Which card was exposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
    /// Which player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Player>,
    /// The affected boxes; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<BoxNumber>,
    /// Complete hands that move from one box to another, all at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<(BoxNumber, BoxNumber)>,
    /// After a missed burn: the cards as dealt move up by one place, and the first of them is burnt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shift: bool,
    /// With a real shoe: the dealer puts the cards where they belong one by one, and each is recorded with its place.
    pub card_by_card: bool,
    /// Did it happen during the deal? If omitted, the table answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealing: Option<bool>,
    /// How far a jackpot fault reaches. If omitted: the betting device of the named box, or the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<FaultScope>,
    /// The error belongs to the round before this one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub previous_round: bool,
}

/// A member of staff reports an irregularity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "IrregularityReport")]
pub struct Report {
    /// What happened.
    pub kind: IrregularityKind,
    /// The box that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<BoxNumber>,
    /// What is known about it.
    pub facts: Facts,
    /// Who reports.
    pub by: Staff,
}

/// A player's choice where the rules give one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Continue with the hand as it is.
    Continue,
    /// Continue with the reconstructed hand.
    Reconstructed,
    /// Withdraw the bets; the hand is invalid.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RulingKind {
    /// The round is void.
    Void,
    /// Play continues.
    Continue,
    /// Of the cards drawn together, this one is received first.
    FirstCard(u8),
    /// Later rounds are played without jackpot wagers, under a displayed notice.
    NoJackpot,
    /// The table closes after this round.
    CloseTable,
    /// No bets on this box in later rounds.
    BarBox(BoxNumber),
    /// The jackpot works again.
    JackpotRestored,
    /// The player may wager on one position only.
    Restrict(Player),
    /// The player is barred from further play; their wagers are returned.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ruling {
    /// What is ruled.
    pub kind: RulingKind,
    /// Who rules.
    pub by: Staff,
    /// The reason, for the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What the jackpot pays on one claim of a settled round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JackpotPayment {
    /// The box.
    pub seat: BoxNumber,
    /// What is paid. Zero: the claim did not qualify.
    pub amount: Money,
    /// The paragraphs behind the amount.
    pub cites: Cites,
    /// The open point that decided the amount, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpretation: Option<OpenPoint>,
}

/// What a person at the table wants to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "command")]
#[strum(serialize_all = "kebab-case")]
pub enum Command {
    /// "Place your bets, please."
    Open,
    /// Chips are placed on an area, before the close or as a decision.
    PlaceWager {
        /// The box.
        seat: BoxNumber,
        /// Whose chips.
        player: Player,
        /// The area.
        area: Area,
        /// How much is added.
        amount: Money,
        /// The dealer did not notice that it breaks a rule.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unnoticed: bool,
        /// A member of staff places it at the player's request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        placed_by: Option<Role>,
    },
    /// Chips are taken back.
    Withdraw {
        /// The box.
        seat: BoxNumber,
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
        seat: BoxNumber,
    },
    /// The player folds.
    Fold {
        /// The box.
        seat: BoxNumber,
    },
    /// The player checks.
    Check {
        /// The box.
        seat: BoxNumber,
    },
    /// The dealer turns cards.
    Reveal {
        /// Which.
        what: Reveal,
    },
    /// The player lays their hand face up before the showdown.
    Show {
        /// The box.
        seat: BoxNumber,
    },
    /// The player does not show their hand.
    Decline {
        /// The box.
        seat: BoxNumber,
    },
    /// The player seated at this box has walked away, from all their boxes.
    Absent {
        /// The box.
        seat: BoxNumber,
    },
    /// Staff report an irregularity.
    Report(Report),
    /// A player chooses where the rules give options.
    Choose {
        /// The box.
        seat: BoxNumber,
        /// The player who chooses for their own chips there. If omitted: the seated player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<Player>,
        /// Their choice.
        choice: Choice,
    },
    /// A member of staff rules.
    Rule(Ruling),
    /// The dealer settles.
    Settle,
    /// The jackpot has decided the claims of the settled round.
    PayJackpot {
        /// One payment for each claim.
        payments: Vec<JackpotPayment>,
    },
}
