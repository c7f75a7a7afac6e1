//! A whole rulebook.

use baize_cards::HandValue;
use schemars::JsonSchema;
use serde::Serialize;

use crate::register::Register;
use crate::{
    Area, AreaRule, Betting, BonusTable, BoxRange, Cited, Cites, DecisionRule, Interpretation,
    Irregularities, JackpotRules, OpenPoint, Procedure, ProcedureName, Qualification, Readings, Reveal,
    SettlementRules,
};

/// The two families of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Two hole cards each and five community cards.
    Holdem,
    /// Five cards each, one of the dealer's face up.
    Stud,
}

impl Family {
    /// The name in data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["holdem", "stud"][self as usize]
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["hold'em", "stud"][self as usize]
    }

    /// Cards in a player's or the dealer's hand.
    #[must_use]
    // RH 1.15; MH, MB 1.1.9; MS 1.1.5: two hole cards, or a hand of five.
    pub const fn hand_size(self) -> usize {
        [2, 5][self as usize]
    }

    /// Community cards.
    #[must_use]
    pub const fn board_size(self) -> usize {
        [5, 0][self as usize]
    }

    /// The groups of cards that the dealer turns, in their order.
    #[must_use]
    pub const fn reveals(self) -> &'static [Reveal] {
        match self {
            Family::Holdem => &Reveal::ALL,
            Family::Stud => &[Reveal::Dealer],
        }
    }
}

/// An approved game, validated: every instance can be relied on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rulebook {
    /// The id: `operator-game`.
    pub id: String,
    /// The two letters by which insiders know it.
    pub short: String,
    /// The name of the game.
    pub name: String,
    /// The casino's short name.
    // RH 1.16; RS 1.10: the house.
    pub operator: String,
    /// The version of the text, if it states one.
    pub version: Option<String>,
    /// The effective date of the text, if it states one.
    pub effective: Option<String>,
    /// The id of the approved game that this rulebook alters, if any. Its name says so too.
    pub based_on: Option<String>,
    /// SHA-256 of the rulebook's own text, in hexadecimal: identifies the data that settled a round.
    pub hash: String,
    /// Hold'em or stud.
    pub family: Family,
    /// The boxes that layouts have.
    pub boxes: Cited<BoxRange>,
    /// The playing areas.
    pub areas: Vec<AreaRule>,
    /// Who may bet where.
    pub betting: Betting,
    /// The decisions, in order.
    pub decisions: Vec<DecisionRule>,
    /// The dealing procedures; the first is the default.
    pub procedures: Vec<Procedure>,
    /// What the dealer needs to qualify. `None`: every hand of the dealer qualifies.
    pub qualification: Option<Cited<Qualification>>,
    /// What happens to the wagers.
    pub settlement: SettlementRules,
    /// The bonus pay table. `None` if the game has none.
    pub bonus: Option<BonusTable>,
    /// The progressive jackpot.
    pub jackpot: JackpotRules,
    /// Irregularities.
    pub irregularities: Irregularities,
    /// The open points and their default readings.
    pub interpretations: Vec<Interpretation>,
    /// The default reading of each open point.
    pub readings: Readings,
    /// One deck of 52 cards.
    pub deck: Cites,
    /// A round of play begins with the announcement and ends with the settlement.
    pub round_of_play: Cites,
}

impl Rulebook {
    /// The game, its operator and its version: "Casino Stud Poker, RWS version 6".
    #[must_use]
    pub fn edition_name(&self) -> String {
        let version = self.version.as_ref().map(|version| format!(" version {version}"));
        format!("{}, {}{}", self.name, self.operator, version.unwrap_or_default())
    }

    /// Whether this is one of the approved games, not a house's own or altered one. The name of any other says so too.
    #[must_use]
    pub fn is_approved(&self) -> bool {
        Register::of(&self.id).is_some()
    }

    /// The approved game that this one was altered from: "Casino Stud Poker, RWS version 6". None for an approved game.
    #[must_use]
    pub fn altered_from(&self) -> Option<String> {
        self.based_on.as_deref().and_then(Rulebook::builtin).map(Rulebook::edition_name)
    }

    /// Cards in a player's or the dealer's hand.
    #[must_use]
    pub const fn hand_size(&self) -> usize {
        self.family.hand_size()
    }

    /// Community cards.
    #[must_use]
    pub const fn board_size(&self) -> usize {
        self.family.board_size()
    }

    /// Whether the layout has this area.
    #[must_use]
    pub fn has_area(&self, area: Area) -> bool {
        self.areas.iter().any(|rule| rule.area == area)
    }

    /// The procedure with this name.
    #[must_use]
    pub fn procedure(&self, name: ProcedureName) -> Option<&Procedure> {
        self.procedures.iter().find(|procedure| procedure.name == name)
    }

    /// Whether the text of this game leaves the point open.
    #[must_use]
    pub fn leaves_open(&self, point: OpenPoint) -> bool {
        self.interpretations.iter().any(|open| open.id == point)
    }

    /// The position in [`Rulebook::decisions`] of the raise on this area.
    #[must_use]
    #[inline]
    pub fn decision(&self, area: Area) -> Option<usize> {
        self.decisions.iter().position(|decision| decision.area == area)
    }

    /// The lowest hand with which the dealer qualifies. `None` if every hand of the dealer qualifies.
    #[must_use]
    pub fn qualifies_from(&self) -> Option<HandValue> {
        self.qualification.as_ref().and_then(|qualification| qualification.value.lowest())
    }

    /// Whether a dealer's hand of this value qualifies.
    #[must_use]
    #[inline]
    pub fn qualifies(&self, value: HandValue) -> bool {
        self.qualifies_from().is_none_or(|lowest| value >= lowest)
    }
}
