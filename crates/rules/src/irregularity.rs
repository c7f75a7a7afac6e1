//! Irregularities: what can be reported, which facts decide, and the remedy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Cited, Cites, ProcedureName, Role};

/// A kind of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of the rules page; `words` says each in plain words")]
pub enum IrregularityKind {
    ForeignCard,
    CardCount,
    Unshuffled,
    ShoeExhausted,
    ExposedCards,
    Misdeal,
    WrongBoard,
    WrongDealerHand,
    WrongPlayerHand,
    MissedBurn,
    DealingError,
    SimultaneousDraw,
    FaceUpCard,
    PowerFailure,
    JackpotFault,
    LookedAtSecondHand,
    MultipleHands,
    Confidentiality,
    Other,
}

impl IrregularityKind {
    /// All kinds.
    pub const ALL: [IrregularityKind; 19] = [
        IrregularityKind::ForeignCard,
        IrregularityKind::CardCount,
        IrregularityKind::Unshuffled,
        IrregularityKind::ShoeExhausted,
        IrregularityKind::ExposedCards,
        IrregularityKind::Misdeal,
        IrregularityKind::WrongBoard,
        IrregularityKind::WrongDealerHand,
        IrregularityKind::WrongPlayerHand,
        IrregularityKind::MissedBurn,
        IrregularityKind::DealingError,
        IrregularityKind::SimultaneousDraw,
        IrregularityKind::FaceUpCard,
        IrregularityKind::PowerFailure,
        IrregularityKind::JackpotFault,
        IrregularityKind::LookedAtSecondHand,
        IrregularityKind::MultipleHands,
        IrregularityKind::Confidentiality,
        IrregularityKind::Other,
    ];

    /// The name in scripts and data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        [
            "foreign-card",
            "card-count",
            "unshuffled",
            "shoe-exhausted",
            "exposed-cards",
            "misdeal",
            "wrong-board",
            "wrong-dealer-hand",
            "wrong-player-hand",
            "missed-burn",
            "dealing-error",
            "simultaneous-draw",
            "face-up-card",
            "power-failure",
            "jackpot-fault",
            "looked-at-second-hand",
            "multiple-hands",
            "confidentiality",
            "other",
        ][self as usize]
    }

    /// Plain words for a busy supervisor.
    #[must_use]
    pub const fn words(self) -> &'static str {
        [
            "A card that does not belong to the deck was found",
            "There are too many or too few cards in the deck",
            "The cards were not shuffled",
            "The shoe or shuffler has too few cards to finish the round",
            "Cards were exposed by mistake during the deal",
            "Cards were dealt to the wrong places",
            "The number of community cards is wrong",
            "The number of the dealer's cards is wrong",
            "The number of a player's cards is wrong",
            "The dealer forgot to burn a card",
            "Another dealing error",
            "Two or more cards came out of the shoe together",
            "A card lies face up in the shoe or shuffler",
            "Power failure or another technical interruption",
            "The jackpot system or a jackpot betting device does not work",
            "A player looked at a second hand",
            "A player wagered on several positions in error",
            "A player showed a hand to somebody or looked at another player's",
            "Anything that the rules do not cover",
        ][self as usize]
    }
}

/// A deciding fact: a question that the report answers, or that the table answers itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// How many cards.
    Count,
    /// Has any player seen (RWS) or handled (MBS) their cards?
    Seen,
    /// Can the cards be put back into their intended order?
    Reconstructable,
    /// Was it intentional?
    Intentional,
    /// Whose card was it?
    Whose,
    /// Which player?
    Player,
    /// Which box?
    Box,
    /// Has any bet conclusively won or lost? The table computes it.
    Established,
    /// Was any of the player's hands viewed? The table computes it.
    Viewed,
    /// Was it during the deal?
    Dealing,
    /// What does not work: a box's betting device, the table's, or the whole jackpot system?
    Scope,
}

impl FactKind {
    /// All facts.
    pub const ALL: [FactKind; 11] = [
        FactKind::Count,
        FactKind::Seen,
        FactKind::Reconstructable,
        FactKind::Intentional,
        FactKind::Whose,
        FactKind::Player,
        FactKind::Box,
        FactKind::Established,
        FactKind::Viewed,
        FactKind::Dealing,
        FactKind::Scope,
    ];

    /// The name in scripts and data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        [
            "count",
            "seen",
            "reconstructable",
            "intentional",
            "whose",
            "player",
            "box",
            "established",
            "viewed",
            "dealing",
            "scope",
        ][self as usize]
    }

    /// The question in plain words.
    #[must_use]
    pub const fn question(self) -> &'static str {
        [
            "How many cards?",
            "Has any player seen their cards?",
            "Can the cards be put back into their intended order?",
            "Did the player do it intentionally?",
            "Whose card was exposed?",
            "Which player?",
            "Which box?",
            "Has any bet conclusively won or lost?",
            "Has the player looked at any of their hands?",
            "Did it happen during the deal?",
            "What does not work: a box's betting device, the table's, or the whole jackpot system?",
        ][self as usize]
    }
}

/// Whose card was exposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// The dealer's.
    Dealer,
    /// A player's or a community card.
    Other,
}

/// How far a jackpot fault reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultScope {
    /// The betting device of one box.
    Box,
    /// The table.
    Table,
    /// The whole jackpot system: every table that is linked to it.
    System,
}

impl FaultScope {
    /// All scopes.
    pub const ALL: [FaultScope; 3] = [FaultScope::Box, FaultScope::Table, FaultScope::System];

    /// The name in scripts and data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["box", "table", "system"][self as usize]
    }
}

/// The conditions of a case: every condition that is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Conditions {
    /// At least this many cards.
    pub count_at_least: Option<u32>,
    /// A player has, or nobody has, seen or handled their cards.
    pub seen: Option<bool>,
    /// The cards can, or cannot, be reconstructed.
    pub reconstructable: Option<bool>,
    /// Intentional or not.
    pub intentional: Option<bool>,
    /// Whose card.
    pub whose: Option<Whose>,
    /// An outcome is, or is not, established.
    pub established: Option<bool>,
    /// The player has, or has not, looked at one of their hands.
    pub viewed: Option<bool>,
    /// It happened during the deal, or after it.
    pub dealing: Option<bool>,
}

/// The remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Remedy {
    /// The round is void: every wager is returned.
    Void,
    /// Play continues.
    Continue,
    /// Play continues with the cards put where they belong.
    Reconstruct,
    /// The cards are put where they belong, then the affected players have the options.
    ReconstructThenOptions,
    /// The affected players have the options.
    Options,
    /// The hand is invalid and its wagers are returned.
    Invalid,
    /// The player's hands that were not viewed (if none was, all but the first dealt) are invalid.
    InvalidUnviewed,
    /// The exposed dealer's card becomes the face-up card.
    BecomesFaceUp,
    /// Play continues; jackpot awards are paid at the amount registered before the fault.
    ContinueAtRegistered,
    /// A person must rule.
    Refer,
}

/// One case of an irregularity. The first case whose conditions hold decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Case {
    /// The conditions.
    pub when: Conditions,
    /// The remedy.
    pub remedy: Remedy,
    /// The lowest position that may rule so.
    pub ruled_by: Role,
    /// The paragraphs.
    pub cites: Cites,
}

/// An irregularity that this game's text resolves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Irregularity {
    /// What is reported.
    pub kind: IrregularityKind,
    /// The facts that the report must state.
    pub asks: Vec<FactKind>,
    /// The dealing procedures that it covers; empty means all. Under any other procedure it is an ordinary dealing
    /// error.
    pub procedures: Vec<ProcedureName>,
    /// Only an error noticed before the next round began counts; until then a settled round can still be corrected.
    pub until_next_round: bool,
    /// The cases, in order.
    pub cases: Vec<Case>,
}

impl Irregularity {
    /// Whether a report must state this fact. A fact that no case depends on may be omitted; the rest is answered by the table,
    /// ruled on later by a person, or stated when it matters.
    #[must_use]
    pub fn must_state(&self, fact: FactKind) -> bool {
        match fact {
            FactKind::Count | FactKind::Reconstructable => {
                self.cases.iter().any(|case| case.when.facts().any(|named| named == fact))
            }
            FactKind::Player | FactKind::Box => true,
            FactKind::Seen
            | FactKind::Established
            | FactKind::Viewed
            | FactKind::Intentional
            | FactKind::Dealing
            | FactKind::Scope
            | FactKind::Whose => false,
        }
    }
}

impl Conditions {
    /// The named facts.
    pub fn facts(&self) -> impl Iterator<Item = FactKind> + use<> {
        [
            (self.count_at_least.is_some(), FactKind::Count),
            (self.seen.is_some(), FactKind::Seen),
            (self.reconstructable.is_some(), FactKind::Reconstructable),
            (self.intentional.is_some(), FactKind::Intentional),
            (self.whose.is_some(), FactKind::Whose),
            (self.established.is_some(), FactKind::Established),
            (self.viewed.is_some(), FactKind::Viewed),
            (self.dealing.is_some(), FactKind::Dealing),
        ]
        .into_iter()
        .filter_map(|(named, fact)| named.then_some(fact))
    }
}

/// Everything the text says about irregularities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Irregularities {
    /// The irregularities that are reported.
    pub reports: Vec<Irregularity>,
    /// Anything else: who decides.
    pub anything_else: Cited<Role>,
    /// A higher position may act for a lower one.
    pub authority: Cites,
    /// A void round returns every wager: the general paragraph, empty if the text has none and says so with each void.
    pub void_returns: Cites,
    /// An error noticed after the next round began has no effect; earlier rounds stand.
    pub noticed_too_late: Cites,
    /// The options of players: continue, continue reconstructed, withdraw. Empty if the paragraph that gives the options
    /// also names them.
    pub option_continue: Cites,
    /// See `option_continue`; empty if a reconstructed hand is not an option.
    pub option_reconstructed: Cites,
    /// See `option_continue`.
    pub option_withdraw: Cites,
    /// A player who withdraws after a power failure withdraws all wagers, on every box. A permitted withdrawal
    /// ([`Irregularities::permit_withdrawal`]) is for each hand separately.
    pub withdraw_all_boxes: bool,
    /// Over the maximum, noticed before the close: the excess is rejected.
    pub over_maximum_noticed: Cites,
    /// Over the maximum, not noticed: settled at the maximum, the excess is returned.
    pub over_maximum: Cites,
    /// Under the minimum, noticed before the close.
    pub under_minimum_noticed: Cites,
    /// Under the minimum, not noticed: settled as placed.
    pub under_minimum: Cites,
    /// Later wagers under the minimum by the same player are returned (MBS).
    pub under_minimum_once: bool,
    /// A raise that is too large: the excess is returned. `None` if a raise must always be exact.
    pub raise_too_large: Option<Cites>,
    /// A raise that is too small: settled as placed.
    pub raise_too_small: Option<Cites>,
    /// A jackpot wager without an ante, noticed before the close.
    pub jackpot_without_ante_noticed: Cites,
    /// A jackpot wager without an ante, noticed later: returned.
    pub jackpot_without_ante: Cites,
    /// A player walks away with decisions left.
    pub absent_undecided: Cited<Absent>,
    /// A player walks away who is in for the finish.
    pub absent_in_play: Cited<Absent>,
    /// A player walks away with no decision left: their wagers are settled.
    pub absent_decided: Cites,
    /// After a jackpot fault: who decides (unless I-17 says otherwise) how later rounds continue, and the choices. `None` if the
    /// text has no such paragraph.
    pub jackpot_fault: Option<JackpotFaultRules>,
    /// Other players may be permitted to withdraw after a wrong number of cards (MBS 5.7.1), each hand separately:
    /// who decides.
    pub permit_withdrawal: Option<Cited<Role>>,
    /// A player who does not keep their hand confidential may be barred: who decides.
    pub bar_player: Option<Cited<Role>>,
    /// A player who attempts to control several hands may be stopped: who decides.
    pub stop_player: Option<Cited<Role>>,
    /// Which card came first after a simultaneous draw: who decides.
    pub first_card: Option<Cited<Role>>,
    /// Whether a second look was intentional: who decides.
    pub intentional: Option<Cited<Role>>,
}

/// What happens to the hand of a player who walks away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Absent {
    /// They have folded.
    Folds,
    /// Their hand is invalid and its wagers are returned.
    Invalid,
    /// They have checked.
    Checks,
}

/// How later rounds continue after a jackpot fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JackpotFaultRules {
    /// Who decides.
    pub decided_by: Role,
    /// The table closes.
    pub close_table: Cites,
    /// No bets on the affected box.
    pub bar_box: Cites,
    /// Play without jackpot wagers under a displayed notice.
    pub no_jackpot: Cites,
}
