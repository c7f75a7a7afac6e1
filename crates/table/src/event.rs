//! Events: what happened at a table, in the past tense. They carry amounts and citations, so replaying them
//! requires no judgement.

use std::collections::BTreeSet;

use baize_cards::Card;
use baize_rules::{Area, BoxNumber, Cites, Claim, IrregularityKind, Money, Remedy, Reveal, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{BoxSettlement, Choice, Draw, JackpotPayment, Place, Player, PutBack, Report, Ruling};

/// A decision that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decided {
    /// The raise was placed.
    Raised,
    /// Checked.
    Checked,
    /// Folded.
    Folded,
}

/// What players may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Allowed {
    /// Continue with the hand as it is.
    pub unchanged: bool,
    /// Continue with the reconstructed hand.
    pub reconstructed: bool,
    /// A player who withdraws one wager withdraws all, on every box of theirs.
    pub all_boxes: bool,
}

/// What a report resulted in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remedied {
    /// What was reported.
    pub kind: IrregularityKind,
    /// The remedy.
    pub remedy: Remedy,
    /// The paragraphs.
    pub cites: Cites,
    /// The reason of the person who decided, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", tag = "event")]
#[strum(serialize_all = "kebab-case")]
pub enum Event {
    /// "Place your bets, please": a round began, under this rulebook.
    RoundOpened {
        /// The round's number at this table.
        number: u32,
        /// The rulebook's id.
        rulebook: String,
        /// The rulebook's hash.
        hash: String,
    },
    /// Chips were placed.
    WagerPlaced {
        /// The box.
        seat: BoxNumber,
        /// Whose chips.
        player: Player,
        /// The area.
        area: Area,
        /// How much was added.
        amount: Money,
        /// It broke a rule and the dealer did not notice.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unnoticed: bool,
        /// The member of staff who placed it for the player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        placed_by: Option<Role>,
    },
    /// Chips were taken back before the close.
    WagerWithdrawn {
        /// The box.
        seat: BoxNumber,
        /// Whose chips.
        player: Player,
        /// The area.
        area: Area,
        /// How much.
        amount: Money,
    },
    /// One player's chips were returned after the close, while the others on the box play on.
    WagerReturned {
        /// The box.
        seat: BoxNumber,
        /// Whose chips.
        player: Player,
        /// The area.
        area: Area,
        /// How much.
        amount: Money,
        /// The paragraphs.
        cites: Cites,
    },
    /// "No more bets". The jackpot wagers that count towards the meter, by box.
    BetsClosed {
        /// Box and wager.
        jackpot: Vec<(BoxNumber, Money)>,
    },
    /// A card was burnt.
    CardBurnt {
        /// The card.
        card: Card,
        /// The paragraphs of the dealing procedure that prescribe another moment, if any: for the record.
        #[serde(default, skip_serializing_if = "Cites::is_empty")]
        departs_from: Cites,
    },
    /// Cards were dealt.
    CardsDealt {
        /// Where.
        to: Place,
        /// The cards.
        cards: Vec<Card>,
        /// The paragraphs of the dealing procedure that prescribe another moment or order, if any: for the
        /// record.
        departs_from: Cites,
    },
    /// The seated player examined the hand.
    HandLookedAt {
        /// The box.
        seat: BoxNumber,
    },
    /// A decision is complete.
    DecisionMade {
        /// The box.
        seat: BoxNumber,
        /// What was decided.
        decided: Decided,
        /// The paragraphs.
        cites: Cites,
    },
    /// The dealer turned cards.
    CardsRevealed {
        /// Which.
        what: Reveal,
    },
    /// The player laid their hand face up.
    HandShown {
        /// The box.
        seat: BoxNumber,
    },
    /// The player did not show their hand.
    HandDeclined {
        /// The box.
        seat: BoxNumber,
    },
    /// The player walked away.
    PlayerAbsent {
        /// The box.
        seat: BoxNumber,
        /// The paragraphs that say what happens to their hand.
        cites: Cites,
    },
    /// An irregularity was reported and the rules gave this remedy.
    IrregularityRuled {
        /// What was reported, by whom.
        report: Report,
        /// The remedy.
        remedied: Remedied,
    },
    /// The round waits for a person's ruling.
    RulingAwaited {
        /// What was reported.
        kind: IrregularityKind,
        /// The box that it concerns.
        seat: Option<BoxNumber>,
        /// The lowest position that may rule.
        by: Role,
        /// The paragraphs.
        cites: Cites,
    },
    /// Players have options.
    OptionsGiven {
        /// The boxes.
        seats: BTreeSet<BoxNumber>,
        /// Players with chips on another player's box, who choose for their own chips.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sharing: Vec<(BoxNumber, Player)>,
        /// What they may choose.
        allowed: Allowed,
        /// The paragraphs.
        cites: Cites,
    },
    /// A player chose.
    OptionChosen {
        /// The box.
        seat: BoxNumber,
        /// The player, if not the one seated there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<Player>,
        /// Their choice.
        choice: Choice,
        /// The paragraphs.
        cites: Cites,
    },
    /// A person ruled.
    Ruled {
        /// What, who and why.
        ruling: Ruling,
        /// The paragraphs.
        cites: Cites,
    },
    /// A hand became invalid.
    HandInvalidated {
        /// The box.
        seat: BoxNumber,
        /// The paragraphs.
        cites: Cites,
    },
    /// Complete hands moved from box to box.
    HandsMoved {
        /// From and to.
        moves: Vec<(BoxNumber, BoxNumber)>,
    },
    /// The dealer begins to put the cards of a real shoe where they were meant to go, one by one.
    ReconstructionBegun {
        /// The cards that move, in this order.
        left: Vec<PutBack>,
        /// The paragraphs.
        cites: Cites,
    },
    /// A card was put where it was meant to go. The reconstruction is complete with the last one.
    CardPutBack {
        /// The card.
        card: Card,
        /// Where it is now. `None`: among the burnt cards.
        to: Option<Place>,
    },
    /// Cards were put where they were meant to go: all dealt cards, in the order in which they left the shoe, each with its place
    /// now.
    CardsReconstructed {
        /// The cards and their places.
        drawn: Vec<Draw>,
    },
    /// After a missed burn, the cards moved up to where they belong; the first of them is burnt. Only in older
    /// records.
    CardsShifted {
        /// The card that should have been burnt.
        burnt: Card,
        /// Which cards are where now.
        piles: Vec<(Place, Vec<Card>)>,
    },
    /// Extra cards were taken off again.
    CardsTakenOff {
        /// Where.
        from: Place,
        /// Which.
        cards: Vec<Card>,
    },
    /// This card of the dealer is face up instead of the last one.
    DealerFaceUpSet {
        /// The card.
        card: Card,
    },
    /// The jackpot failed.
    JackpotFailed,
    /// The round is void.
    RoundVoided {
        /// The paragraphs.
        cites: Cites,
        /// What was reported, if anything.
        because: Option<IrregularityKind>,
        /// The slips: every stake is returned.
        boxes: Vec<BoxSettlement>,
    },
    /// The dealer settled.
    RoundSettled {
        /// The slips.
        boxes: Vec<BoxSettlement>,
        /// Who claims which award, in box order.
        claims: Vec<Claim>,
        /// Players whose wager under the minimum was settled, where the rules allow this only once.
        under_minimum: BTreeSet<Player>,
    },
    /// The slip of one box of a settled round was corrected before the next round began.
    SlipCorrected {
        /// The slip now in force.
        slip: BoxSettlement,
        /// The paragraphs.
        cites: Cites,
    },
    /// The jackpot decided on claims.
    JackpotPaid {
        /// The payments.
        payments: Vec<JackpotPayment>,
    },
}

/// Which players' names or amounts the description of an event tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TellsOf<'e> {
    /// Nobody. Hands and decisions of a box are seen by everybody at the table.
    Nobody,
    /// This player.
    Player(&'e Player),
    /// Any number of them.
    Several,
}

impl Event {
    /// Which players' names or amounts its description tells.
    #[must_use]
    pub const fn tells_of(&self) -> TellsOf<'_> {
        match self {
            Event::WagerPlaced { player, .. }
            | Event::WagerWithdrawn { player, .. }
            | Event::WagerReturned { player, .. } => TellsOf::Player(player),
            Event::SlipCorrected { slip, .. } => TellsOf::Player(&slip.player),
            Event::RoundSettled { .. }
            | Event::JackpotPaid { .. }
            | Event::IrregularityRuled { .. }
            | Event::RulingAwaited { .. }
            | Event::Ruled { .. }
            | Event::OptionChosen { .. } => TellsOf::Several,
            Event::RoundOpened { .. }
            | Event::BetsClosed { .. }
            | Event::CardBurnt { .. }
            | Event::CardsDealt { .. }
            | Event::HandLookedAt { .. }
            | Event::DecisionMade { .. }
            | Event::CardsRevealed { .. }
            | Event::HandShown { .. }
            | Event::HandDeclined { .. }
            | Event::PlayerAbsent { .. }
            | Event::OptionsGiven { .. }
            | Event::HandInvalidated { .. }
            | Event::HandsMoved { .. }
            | Event::ReconstructionBegun { .. }
            | Event::CardPutBack { .. }
            | Event::CardsReconstructed { .. }
            | Event::CardsShifted { .. }
            | Event::CardsTakenOff { .. }
            | Event::DealerFaceUpSet { .. }
            | Event::JackpotFailed
            | Event::RoundVoided { .. } => TellsOf::Nobody,
        }
    }
}
