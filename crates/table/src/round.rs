//! A round of play and its phases. Each phase holds only its own data.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::{Card, CardSet};
use baize_rules::{Area, BoxNumber, Cites, Claim, IrregularityKind, Money, Place, Reveal, Role, Rulebook};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Allowed, BoxSettlement, Choice, Decided, Player, Remedied, Report};

/// Chips of one player on one area.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stake {
    /// Whose chips.
    pub player: Player,
    /// Where.
    pub area: Area,
    /// How much.
    pub amount: Money,
}

/// The chips on one area of a list of stakes.
pub(crate) fn on_area(stakes: &[Stake], area: Area) -> Money {
    stakes.iter().filter(|stake| stake.area == area).map(|stake| stake.amount).sum()
}

/// Whether this player has an ante of their own among these stakes.
fn has_ante(stakes: &[Stake], player: &Player) -> bool {
    stakes.iter().any(|stake| stake.area == Area::Ante && stake.player == *player)
}

/// The valid jackpot wager: a player who places one needs an ante of their own; another player's ante is not
/// enough.
pub(crate) fn jackpot_with_ante(stakes: &[Stake]) -> Money {
    let jackpot = stakes.iter().filter(|stake| stake.area == Area::Jackpot);
    jackpot.filter(|stake| has_ante(stakes, &stake.player)).map(|stake| stake.amount).sum()
}

/// A box before the close.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BettingBox {
    /// The seated player: the first who bet here.
    // RH 1.25; RS 1.17
    pub seated: Player,
    /// The chips.
    pub stakes: Vec<Stake>,
}

impl BettingBox {
    /// Whether this player has an ante of their own here.
    pub(crate) fn has_ante(&self, player: &Player) -> bool {
        has_ante(&self.stakes, player)
    }

    /// The chips on this area.
    #[must_use]
    pub fn on(&self, area: Area) -> Money {
        on_area(&self.stakes, area)
    }

    /// The box after the close, before any card.
    pub(crate) fn closed(self) -> HandInPlay {
        let status = if self.on(Area::Ante).is_zero() { HandStatus::NoAnte } else { HandStatus::InPlay };
        HandInPlay {
            seated: self.seated,
            stakes: self.stakes,
            cards: Vec::new(),
            looked: false,
            viewed_by: BTreeSet::new(),
            shown: false,
            declined: false,
            absent: false,
            decisions: Vec::new(),
            status,
        }
    }
}

/// Bets are open.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Betting {
    /// The boxes with chips.
    pub boxes: BTreeMap<BoxNumber, BettingBox>,
}

/// The status of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HandStatus {
    /// In play.
    InPlay,
    /// Folded, or deemed to have folded.
    Folded(Cites),
    /// Invalid: its wagers are returned.
    Invalid(Cites),
    /// Chips without an ante: no hand is dealt.
    NoAnte,
}

/// A player with an ante among these stakes who has not walked away.
pub(crate) fn present_owner(stakes: &[Stake], gone: &BTreeSet<Player>) -> Option<Player> {
    let antes = stakes.iter().filter(|stake| stake.area == Area::Ante);
    antes.map(|stake| &stake.player).find(|player| !gone.contains(*player)).cloned()
}

/// Adds chips. Consecutive chips of a player on an area are one stake; a player who bets again after another player has
/// placed a second stake, so that the order of the chips is on record.
pub(crate) fn add_stake(stakes: &mut Vec<Stake>, stake: Stake) {
    match stakes.iter_mut().rfind(|other| other.area == stake.area) {
        Some(last) if last.player == stake.player => last.amount += stake.amount,
        Some(_) | None => stakes.push(stake),
    }
}

/// A box after the close.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandInPlay {
    /// The seated player.
    pub seated: Player,
    /// The chips, raises included.
    pub stakes: Vec<Stake>,
    /// The cards.
    // RH 1.14; RS 1.9: the hand.
    pub cards: Vec<Card>,
    /// The seated player has examined it.
    pub looked: bool,
    /// Everybody who has examined it, including players who have since withdrawn and those reported to have
    /// looked.
    #[serde(default)]
    pub viewed_by: BTreeSet<Player>,
    /// It lies face up.
    pub shown: bool,
    /// The player does not show it.
    pub declined: bool,
    /// The player has walked away.
    pub absent: bool,
    /// What was decided so far.
    pub decisions: Vec<Decided>,
    /// Its status.
    pub status: HandStatus,
}

impl HandInPlay {
    /// The chips on this area.
    #[must_use]
    pub fn on(&self, area: Area) -> Money {
        on_area(&self.stakes, area)
    }

    /// Whether this player has an ante of their own here.
    pub(crate) fn has_ante(&self, player: &Player) -> bool {
        has_ante(&self.stakes, player)
    }

    /// The valid jackpot wager: its player has an ante of their own.
    pub(crate) fn jackpot(&self) -> Money {
        jackpot_with_ante(&self.stakes)
    }

    /// This player acts for it from now on. What another player has seen of it does not count as their look.
    pub(crate) fn seat_player(&mut self, player: Player) {
        self.looked = self.looked && self.viewed_by.contains(&player);
        self.seated = player;
    }

    /// Whether the player who acts for it now has examined it, by the record or by a report.
    #[must_use]
    pub fn viewed(&self) -> bool {
        self.viewed_by.contains(&self.seated)
    }

    /// Whether it is still in play.
    #[must_use]
    // RH 1.17: in for the finish.
    pub fn in_play(&self) -> bool {
        self.status == HandStatus::InPlay
    }
}

/// Cards that left the shoe together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draw {
    /// Where they went. `None`: they were burnt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Place>,
    /// The cards.
    pub cards: Vec<Card>,
}

/// A card that moves to where it was meant to go. It is identified only by its places, so viewers who may not see the
/// card can read this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PutBack {
    /// Where it is. `None`: among the burnt cards.
    pub from: Option<Place>,
    /// Where it belongs. `None`: among the burnt cards.
    pub to: Option<Place>,
    /// Its position there, counted from 1.
    pub nth: usize,
}

/// After "No more bets", until the settlement.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Play {
    /// The boxes with chips.
    pub hands: BTreeMap<BoxNumber, HandInPlay>,
    /// The community cards, face up or down.
    // RH 1.7
    pub board: Vec<Card>,
    /// The dealer's cards. In stud the last one lies face up.
    pub dealer: Vec<Card>,
    /// The boxes in the order in which their first card came.
    pub dealt: Vec<BoxNumber>,
    /// A dealer's card that was exposed and lies face up instead of the last one.
    pub exposed: Option<Card>,
    /// How many cards have been reported as exposed by mistake, not counting the one that became the dealer's face-up card.
    pub exposed_count: u32,
    /// Players who have walked away.
    #[serde(default)]
    pub gone: BTreeSet<Player>,
    /// Chips that were returned before the settlement: box, chips, paragraphs.
    pub handed_back: Vec<(BoxNumber, Stake, Cites)>,
    /// The burnt cards.
    pub burnt: Vec<Card>,
    /// The cards in the order in which they left the shoe.
    pub drawn: Vec<Draw>,
    /// What the dealer has turned, in order.
    pub revealed: Vec<Reveal>,
    /// The jackpot failed during this round: awards are paid at the amount registered before.
    pub at_registered: bool,
}

impl Play {
    /// The cards at a place.
    #[must_use]
    pub fn pile(&self, place: Place) -> &[Card] {
        match place {
            Place::Box(seat) => self.hands.get(&seat).map(|hand| hand.cards.as_slice()).unwrap_or_default(),
            Place::Board => &self.board,
            Place::Dealer => &self.dealer,
        }
    }

    /// All dealt cards.
    #[must_use]
    pub fn cards_out(&self) -> CardSet {
        let hands = self.hands.values().flat_map(|hand| &hand.cards);
        hands.chain(&self.board).chain(&self.dealer).chain(&self.burnt).copied().collect()
    }

    /// The community cards that have been turned.
    #[must_use]
    pub fn board_shown(&self) -> &[Card] {
        let turned =
            self.revealed.iter().filter_map(|r| r.board_cards()).map(|(_, to)| to).max().unwrap_or(0);
        &self.board[..turned.min(self.board.len())]
    }

    /// Whether the dealer's hand has been turned.
    #[must_use]
    pub fn dealer_shown(&self) -> bool {
        self.revealed.contains(&Reveal::Dealer)
    }

    /// The dealer's face-up card in stud: the last one, or the one that was exposed in its place.
    #[must_use]
    pub fn face_up(&self, book: &Rulebook) -> Option<Card> {
        if book.board_size() > 0 {
            return None;
        }
        self.exposed.or_else(|| self.dealer.get(book.hand_size() - 1).copied())
    }

    /// Whether anybody has seen their cards.
    #[must_use]
    pub fn seen(&self) -> bool {
        self.hands.values().any(|hand| !hand.viewed_by.is_empty() || hand.shown)
    }

    /// Hands with an open decision: in play, the player present, not decided at this stage.
    // RH 1.3a, 1.3b, 1.3c: one decision in each betting round, until its cards are turned.
    pub fn undecided<'a>(
        &'a self,
        book: &'a Rulebook,
    ) -> impl Iterator<Item = (BoxNumber, &'a HandInPlay)> + 'a {
        let stage = self.revealed.len();
        self.hands.iter().map(|(seat, hand)| (*seat, hand)).filter(move |(_, hand)| {
            hand.in_play() && stage < book.decisions.len() && hand.decisions.len() <= stage
        })
    }
}

/// How a round ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Settled.
    Settled,
    /// Void: every wager was returned.
    // RH 1.30; RS 1.20: no result.
    Void {
        /// The paragraphs.
        cites: Cites,
        /// What happened, if it was reported.
        because: Option<IrregularityKind>,
    },
}

/// A round that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// How it ended.
    pub outcome: Outcome,
    /// The slips.
    pub boxes: Vec<BoxSettlement>,
    /// Jackpot claims that the jackpot has not decided yet.
    pub claims: Vec<Claim>,
    /// Players whose wager under the minimum was settled in this round, where the rules allow this only once.
    pub under_minimum: BTreeSet<Player>,
    /// The round as it was at the end.
    pub play: Play,
}

/// What the round waits for before anything else can happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Awaiting {
    /// A person must rule.
    Ruling {
        /// What was reported.
        kind: IrregularityKind,
        /// The box that it concerns.
        seat: Option<BoxNumber>,
        /// The player it concerns.
        player: Option<Player>,
        /// How many cards it concerns.
        count: Option<u32>,
        /// The lowest position that may rule.
        by: Role,
        /// The paragraphs.
        cites: Cites,
    },
    /// The dealer of a real shoe puts cards where they belong.
    Reconstruction {
        /// The cards that have not been put back yet, in their order.
        left: Vec<PutBack>,
        /// The paragraphs.
        cites: Cites,
    },
    /// Players must choose.
    Options {
        /// The boxes whose seated players have not chosen yet.
        seats: BTreeSet<BoxNumber>,
        /// Players with chips on another player's box who have not chosen for them yet.
        sharing: BTreeSet<(BoxNumber, Player)>,
        /// What they may choose.
        allowed: Allowed,
        /// What each player has chosen so far.
        chosen: BTreeMap<Player, Choice>,
        /// The paragraphs.
        cites: Cites,
    },
}

impl Awaiting {
    /// How many cards are still to be put back.
    #[must_use]
    pub const fn cards_left(&self) -> usize {
        match self {
            Awaiting::Reconstruction { left, .. } => left.len(),
            Awaiting::Ruling { .. } | Awaiting::Options { .. } => 0,
        }
    }
}

/// The phase of a round.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
// MH, MB 1.1.13; RH 1.24; RS 1.16; MS 1.1.7: from the announcement to the settlement.
pub enum Phase {
    /// Before the first round.
    #[default]
    Idle,
    /// Bets are open.
    Betting(Betting),
    /// Cards, decisions, reveals.
    Play(Play),
    /// Over.
    Finished(Finished),
}

/// The name of a phase, without what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseName {
    /// Before the first round.
    Idle,
    /// Bets are open.
    Betting,
    /// Cards, decisions, reveals.
    Play,
    /// Over.
    Finished,
}

impl std::fmt::Display for PhaseName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.code())
    }
}

impl PhaseName {
    /// All phases.
    pub const ALL: [PhaseName; 4] =
        [PhaseName::Idle, PhaseName::Betting, PhaseName::Play, PhaseName::Finished];

    /// The name in data and metrics.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["idle", "betting", "play", "finished"][self as usize]
    }

    /// Whether a round is under way.
    #[must_use]
    pub const fn under_way(self) -> bool {
        matches!(self, PhaseName::Betting | PhaseName::Play)
    }
}

impl Phase {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> PhaseName {
        match self {
            Phase::Idle => PhaseName::Idle,
            Phase::Betting(_) => PhaseName::Betting,
            Phase::Play(_) => PhaseName::Play,
            Phase::Finished(_) => PhaseName::Finished,
        }
    }
}

/// A round of play.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Round {
    /// The first round of a table is 1.
    pub number: u32,
    /// The phase.
    pub phase: Phase,
    /// What it waits for.
    pub awaiting: Option<Awaiting>,
    /// The latest report's remedy, for the record and for queries.
    pub ruled: Option<Remedied>,
    /// The latest report.
    pub reported: Option<Report>,
}

impl Round {
    /// The seated player of each box with chips.
    #[must_use]
    pub fn seated(&self) -> BTreeMap<BoxNumber, Player> {
        match &self.phase {
            Phase::Idle => BTreeMap::new(),
            Phase::Betting(betting) => betting.boxes.iter().map(|(s, b)| (*s, b.seated.clone())).collect(),
            Phase::Play(play) => seated(play),
            Phase::Finished(finished) => seated(&finished.play),
        }
    }

    /// Whether this player has chips on this box.
    #[must_use]
    pub fn has_chips(&self, seat: BoxNumber, player: &Player) -> bool {
        let stakes = match &self.phase {
            Phase::Idle => None,
            Phase::Betting(betting) => betting.boxes.get(&seat).map(|on_box| &on_box.stakes),
            Phase::Play(play) => play.hands.get(&seat).map(|hand| &hand.stakes),
            Phase::Finished(finished) => finished.play.hands.get(&seat).map(|hand| &hand.stakes),
        };
        stakes.is_some_and(|stakes| stakes.iter().any(|stake| stake.player == *player))
    }

    /// Everybody with a wager in this round, including on a box where another player is seated.
    #[must_use]
    pub fn players(&self) -> BTreeSet<Player> {
        let stakes: Vec<&Stake> = match &self.phase {
            Phase::Idle => Vec::new(),
            Phase::Betting(betting) => betting.boxes.values().flat_map(|on_box| &on_box.stakes).collect(),
            Phase::Play(play) => play.hands.values().flat_map(|hand| &hand.stakes).collect(),
            Phase::Finished(finished) => finished.play.hands.values().flat_map(|hand| &hand.stakes).collect(),
        };
        let owners = stakes.into_iter().map(|stake| stake.player.clone());
        owners.chain(self.seated().into_values()).collect()
    }
}

fn seated(play: &Play) -> BTreeMap<BoxNumber, Player> {
    play.hands.iter().map(|(seat, hand)| (*seat, hand.seated.clone())).collect()
}
