//! The state of a table: the table of the rules, seated players, the promised deck, the clocks.
//!
//! It is built from the journal's facts only, so replaying them gives the same state on any host.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baize_cards::CardSet;
use baize_rules::{BoxNumber, IrregularityKind, Money, Rulebook};
use baize_table::{Awaiting, Event, Phase, Player, Report, Table, record};
use serde::{Deserialize, Serialize};

use crate::facts::{Step, TableFact};
use crate::house::PLANNED_STOP;
use crate::journal::RoundRow;
use crate::promised_deck::{CachedProof, Promise, RevealedDeck};
use crate::{Actor, Chips, ClockKind, Instant, OutcomeName, PlayerId, Shoe, StaffId, TableConfig, TableId};

/// Rounds without a wager after which a player's box is freed.
const IDLE_ROUNDS: u32 = 3;

/// A seated player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Guest {
    pub(crate) seat: BoxNumber,
    /// Consecutive rounds without chips on the table.
    pub(crate) idle: u32,
}

/// The state of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveTable {
    pub(crate) id: TableId,
    /// Shared, because every turn works on a copy of the table and the configuration rarely changes.
    pub config: Arc<TableConfig>,
    /// The rulebook that the table was set up with.
    pub book: Arc<Rulebook>,
    /// The table as the rules know it.
    pub table: Table,
    pub(crate) guests: BTreeMap<PlayerId, Guest>,
    pub(crate) ready: BTreeSet<PlayerId>,
    pub(crate) notice: Option<String>,
    pub(crate) promise: Option<Promise>,
    pub(crate) revealed: Option<Arc<RevealedDeck>>,
    /// Cards drawn so far in this round.
    pub(crate) drawn: usize,
    pub(crate) last_wagers: BTreeMap<PlayerId, Vec<Chips>>,
    /// The version of the round's first entry, and when the round was opened and ended.
    pub(crate) first: u64,
    pub(crate) opened: Instant,
    pub(crate) ended: Instant,
    /// The version of the entry that closed the bets. A player who was shown the table since then was present for the deal.
    pub(crate) dealt: u64,
    /// Time of the round's first wager.
    pub(crate) betting_since: Option<Instant>,
    /// Start of the present stage, or the time when a player last joined.
    pub(crate) stage_since: Instant,
    pub(crate) contributed: Money,
    /// Awards paid in this round, and the part paid from the meter.
    pub(crate) awarded: Money,
    pub(crate) from_meter: Money,
    /// An unplanned stop of the house interrupted the round.
    pub(crate) interrupted: bool,
    /// The assigned dealers.
    pub(crate) dealers: BTreeSet<StaffId>,
    /// The total that staff placed for each player in this round.
    pub(crate) placed_for: BTreeMap<PlayerId, Money>,
    /// The last event was the entry of cards by the dealer, so they can be taken back.
    pub(crate) entered: bool,
    /// The cards from a real shoe that each member of staff entered in this round, and therefore knows.
    pub(crate) entered_by: BTreeMap<StaffId, CardSet>,
    /// A ruling that still has to be applied to other tables.
    pub(crate) pending: Option<PendingRulings>,
}

/// Rulings at one table that still have to be applied to the other tables, also after a restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingRulings {
    /// Players who were barred from further play (`true`) or readmitted (`false`) (I-16).
    pub(crate) bars: Vec<(Player, bool)>,
    /// A fault of the whole jackpot system, and the registered amount.
    pub(crate) fault: Option<Report>,
    pub(crate) registered: Money,
    /// Time of the ruling.
    pub(crate) since: Instant,
}

impl LiveTable {
    /// A new table.
    pub fn new(config: TableConfig, book: Arc<Rulebook>) -> LiveTable {
        LiveTable {
            id: config.id.clone(),
            table: Table::new(config.settings.clone()),
            config: Arc::new(config),
            book,
            guests: BTreeMap::new(),
            ready: BTreeSet::new(),
            notice: None,
            promise: None,
            revealed: None,
            drawn: 0,
            last_wagers: BTreeMap::new(),
            first: 0,
            opened: Instant(0),
            ended: Instant(0),
            dealt: 0,
            betting_since: None,
            stage_since: Instant(0),
            contributed: Money::ZERO,
            awarded: Money::ZERO,
            from_meter: Money::ZERO,
            interrupted: false,
            dealers: BTreeSet::new(),
            placed_for: BTreeMap::new(),
            entered: false,
            entered_by: BTreeMap::new(),
            pending: None,
        }
    }

    /// Applies a step; `at` and `version` are those of its entry.
    pub(crate) fn apply_step(&mut self, step: &Step, at: Instant, version: u64) {
        for fact in &step.facts {
            self.apply(fact, at, version);
            self.record_entered(&step.by, fact);
        }
    }

    /// Records who entered cards.
    pub(crate) fn record_entered(&mut self, by: &Actor, fact: &TableFact) {
        if *fact == TableFact::EntryTakenBack
            && let Phase::Play(play) = &self.table.round.phase
        {
            // Cards that were taken back may come out again, entered by someone else.
            let out = play.cards_out();
            self.entered_by.values_mut().for_each(|known| *known = known.intersection(out));
        }
        let cards: CardSet = match fact.round() {
            Some(Event::RoundOpened { .. }) => {
                self.entered_by.clear();
                return;
            }
            Some(Event::CardBurnt { card, .. } | Event::CardPutBack { card, .. }) => {
                [*card].into_iter().collect()
            }
            Some(Event::CardsDealt { cards, .. }) => cards.iter().copied().collect(),
            _ => return,
        };
        if let (Actor::Staff { id, .. }, false) = (by, self.computer_deals()) {
            let known = self.entered_by.entry(id.clone()).or_insert(CardSet::EMPTY);
            *known = known.union(cards);
        }
    }

    /// Applies a fact; `at` and `version` are those of its entry.
    pub fn apply(&mut self, fact: &TableFact, at: Instant, version: u64) {
        match fact {
            TableFact::SetUp { config, earlier, .. } => {
                self.config = Arc::new((**config).clone());
                self.table.settings = config.settings.clone();
                if let Some(earlier) = earlier {
                    self.table.standing = earlier.standing.clone();
                    self.table.round.number = earlier.rounds;
                }
            }
            TableFact::Sat { player, seat } => {
                self.guests.insert(player.clone(), Guest { seat: *seat, idle: 0 });
                self.stage_since = at;
            }
            TableFact::Left { player } => {
                self.guests.remove(player);
                self.ready.remove(player);
            }
            TableFact::ReadySaid { player } => {
                self.ready.insert(player.clone());
            }
            TableFact::ShufflePrepared { round, commitment } => {
                self.promise = Some(Promise { round: *round, commitment: commitment.clone() });
            }
            TableFact::ShuffleWithdrawn { .. } => self.promise = None,
            TableFact::ShuffleRevealed { salt, deck, .. } => {
                if let Some(promise) = self.promise.take() {
                    let told = RevealedDeck {
                        promise,
                        salt: salt.clone(),
                        deck: deck.clone(),
                        dealt: self.drawn,
                        proof: CachedProof::default(),
                    };
                    self.revealed = Some(Arc::new(told));
                }
            }
            TableFact::NoticeGiven { reason } => self.notice = Some(reason.clone()),
            TableFact::Reopened => {
                self.notice = None;
                self.table.standing.closed = false;
            }
            TableFact::Resumed => {
                if self.notice.as_deref() == Some(PLANNED_STOP) {
                    self.notice = None;
                }
                self.stage_since = at;
                self.betting_since = self.betting_since.map(|_| at);
            }
            TableFact::PaceSet { pace, .. } => Arc::make_mut(&mut self.config).pace = *pace,
            TableFact::ShoeSet { shoe, .. } => {
                Arc::make_mut(&mut self.config).shoe = *shoe;
                if *shoe == Shoe::Entered {
                    self.promise = None;
                }
                self.revealed = None;
            }
            TableFact::LimitsSet { ante, bonus, .. } => {
                let settings = &mut Arc::make_mut(&mut self.config).settings;
                (settings.ante, settings.bonus) = (*ante, *bonus);
            }
            TableFact::FloatFilled { .. } | TableFact::TimeRanOut { .. } => {}
            TableFact::AwardDrawn { amount, from_meter, .. } => {
                self.awarded += *amount;
                self.from_meter += *from_meter;
            }
            TableFact::AwardReturned { amount, from_meter, .. } => {
                self.awarded -= *amount;
                self.from_meter -= *from_meter;
            }
            TableFact::Contributed { amount, .. } => self.contributed += *amount,
            TableFact::EntryTakenBack => {
                let taken = baize_table::take_back_draw(&mut self.table);
                self.drawn -= taken.map_or(0, |draw| draw.cards.len()).min(self.drawn);
                self.entered = false;
            }
            TableFact::Interrupted { .. } => self.interrupted = true,
            TableFact::DealerAssigned { dealer } => {
                self.dealers.insert(dealer.clone());
            }
            TableFact::DealerRelieved { dealer } => {
                self.dealers.remove(dealer);
            }
            TableFact::BarReached { player, barred } => {
                let standing = &mut self.table.standing.barred;
                if *barred {
                    standing.insert(player.clone())
                } else {
                    standing.remove(player)
                };
            }
            TableFact::OthersToTell { bars, fault, registered } => {
                let earlier = self.pending.take();
                let mut all = earlier.as_ref().map(|earlier| earlier.bars.clone()).unwrap_or_default();
                all.extend(bars.iter().cloned());
                let (fault, registered) = match (fault, earlier) {
                    (None, Some(earlier)) => (earlier.fault, earlier.registered),
                    (fault, _) => (fault.clone(), *registered),
                };
                self.pending = Some(PendingRulings { bars: all, fault, registered, since: at });
            }
            TableFact::OthersTold => self.pending = None,
            TableFact::BetRequested { player, amount, .. } => {
                *self.placed_for.entry(player.clone()).or_default() += *amount;
            }
            TableFact::Round(event) => self.apply_round(event, at, version),
        }
    }

    /// Applies new limits when a round opens. Until then, the last round can be corrected under the limits that it was opened with.
    pub(crate) fn apply_new_limits(&mut self) {
        let ordered = &self.config.settings;
        (self.table.settings.ante, self.table.settings.bonus) = (ordered.ante, ordered.bonus);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "only some events change more than the table of the rules"
    )]
    fn apply_round(&mut self, event: &Event, at: Instant, version: u64) {
        self.entered =
            !self.computer_deals() && matches!(event, Event::CardBurnt { .. } | Event::CardsDealt { .. });
        match event {
            Event::RoundOpened { .. } => {
                self.first = version;
                self.opened = at;
                self.stage_since = at;
                self.betting_since = None;
                self.drawn = 0;
                self.ready.clear();
                self.interrupted = false;
                self.placed_for.clear();
                self.apply_new_limits();
                (self.contributed, self.awarded, self.from_meter) = (Money::ZERO, Money::ZERO, Money::ZERO);
            }
            Event::WagerPlaced { .. } => {
                self.betting_since.get_or_insert(at);
            }
            Event::BetsClosed { .. } => {
                self.store_wagers();
                self.dealt = version;
                self.stage_since = at;
            }
            Event::CardBurnt { .. } => self.drawn += 1,
            Event::CardsDealt { cards, .. } => {
                self.drawn += cards.len();
                self.stage_since = at;
            }
            Event::CardsRevealed { .. } | Event::OptionsGiven { .. } | Event::Ruled { .. } => {
                self.stage_since = at
            }
            Event::RoundSettled { .. } | Event::RoundVoided { .. } => {
                self.ended = at;
                self.stage_since = at;
                self.count_idle_rounds();
            }
            _ => {}
        }
        record(&mut self.table, event);
        if let (Event::WagerWithdrawn { .. }, Phase::Betting(betting)) = (event, &self.table.round.phase)
            && betting.boxes.is_empty()
        {
            self.betting_since = None;
        }
    }

    /// Stores each player's wagers for a rebet.
    fn store_wagers(&mut self) {
        let Phase::Betting(betting) = &self.table.round.phase else { return };
        self.last_wagers.clear();
        for (seat, on_box) in &betting.boxes {
            for stake in &on_box.stakes {
                if let Ok(player) = stake.player.0.parse::<PlayerId>() {
                    let chips = Chips { seat: *seat, area: stake.area, amount: stake.amount };
                    self.last_wagers.entry(player).or_default().push(chips);
                }
            }
        }
    }

    fn count_idle_rounds(&mut self) {
        let players = self.players();
        for (player, guest) in &mut self.guests {
            guest.idle = if players.contains(player) { 0 } else { guest.idle + 1 };
        }
    }

    /// Seated players who have not played for [`IDLE_ROUNDS`] rounds.
    pub(crate) fn idle_players(&self) -> Vec<PlayerId> {
        self.guests.iter().filter(|(_, guest)| guest.idle >= IDLE_ROUNDS).map(|(id, _)| id.clone()).collect()
    }

    /// The players with chips in the round.
    pub(crate) fn players(&self) -> BTreeSet<PlayerId> {
        let stakes: Vec<&baize_table::Stake> = match &self.table.round.phase {
            Phase::Idle => Vec::new(),
            Phase::Betting(betting) => betting.boxes.values().flat_map(|on_box| &on_box.stakes).collect(),
            Phase::Play(play) => play.hands.values().flat_map(|hand| &hand.stakes).collect(),
            Phase::Finished(finished) => finished.boxes.iter().flat_map(|slip| &slip.stakes).collect(),
        };
        stakes.into_iter().filter_map(|stake| stake.player.0.parse().ok()).collect()
    }

    /// Players with chips or a box at the table who have not said that they are ready.
    pub(crate) fn unready(&self) -> impl Iterator<Item = PlayerId> {
        let mut all = if self.under_way() { self.players() } else { BTreeSet::new() };
        all.extend(self.guests.keys().cloned());
        all.into_iter().filter(|player| !self.ready.contains(player))
    }

    /// Whether at most one player is at the table, so that no clock is needed.
    pub(crate) fn is_lone(&self) -> bool {
        let mut all = match self.table.round.phase {
            Phase::Betting(_) | Phase::Play(_) => self.players(),
            Phase::Idle | Phase::Finished(_) => BTreeSet::new(),
        };
        all.extend(self.guests.keys().cloned());
        all.len() <= 1
    }

    /// Whether a round is in progress.
    pub(crate) const fn under_way(&self) -> bool {
        matches!(self.table.round.phase, Phase::Betting(_) | Phase::Play(_))
    }

    /// Whether bets are closed and the round is not over, so that hidden cards may be out.
    pub(crate) const fn cards_out(&self) -> bool {
        matches!(self.table.round.phase, Phase::Play(_))
    }

    /// Whether cards of this round's deck have been dealt.
    pub(crate) const fn deck_in_use(&self) -> bool {
        self.under_way() && self.drawn > 0
    }

    /// The boxes of a player: the one they sit at and those with their chips.
    pub(crate) fn boxes_of(&self, player: &PlayerId) -> Vec<BoxNumber> {
        let seated = self.table.seated();
        let mut boxes: BTreeSet<BoxNumber> =
            seated.iter().filter(|(_, on)| on.0 == player.as_str()).map(|(seat, _)| *seat).collect();
        boxes.extend(self.guests.get(player).map(|guest| guest.seat));
        boxes.into_iter().collect()
    }

    /// Fills in how the cards of a misdeal are moved: automatically with the computer's shoe, card by card by the dealer with a real one.
    pub(crate) fn reconstructs(&self, report: &mut Report) {
        let (kind, facts) = (report.kind, &mut report.facts);
        let in_order = matches!(kind, IrregularityKind::MissedBurn | IrregularityKind::DealingError)
            && facts.reconstructable == Some(true)
            && facts.moves.is_empty();
        facts.shift |= in_order && self.computer_deals();
        facts.card_by_card = !self.computer_deals();
    }

    /// The running clock, if any: its purpose and when it expires.
    pub(crate) fn deadline(&self) -> Option<(ClockKind, Instant)> {
        let crate::Pace::Auto { betting_seconds, decision_seconds } = self.config.pace else { return None };
        if self.is_lone() {
            return None;
        }
        match (&self.table.round.awaiting, &self.table.round.phase) {
            (Some(Awaiting::Options { .. }), _) => {
                Some((ClockKind::Choice, self.stage_since.plus_seconds(decision_seconds)))
            }
            (Some(Awaiting::Ruling { .. } | Awaiting::Reconstruction { .. }), _) => None,
            (None, Phase::Betting(_)) => {
                self.betting_since.map(|since| (ClockKind::Betting, since.plus_seconds(betting_seconds)))
            }
            (None, Phase::Play(play)) => play
                .undecided(&self.book)
                .any(|(_, hand)| !hand.absent)
                .then(|| (ClockKind::Decision, self.stage_since.plus_seconds(decision_seconds))),
            (None, Phase::Idle | Phase::Finished(_)) => None,
        }
    }

    /// Whether the cards come from the computer's shoe.
    pub(crate) fn computer_deals(&self) -> bool {
        self.config.shoe == Shoe::Computer
    }

    /// The row of the finished round in the table of rounds.
    pub fn round_row(&self, last: u64) -> Option<RoundRow> {
        let Phase::Finished(finished) = &self.table.round.phase else { return None };
        let staked: Money =
            finished.boxes.iter().flat_map(|slip| &slip.stakes).map(|stake| stake.amount).sum();
        let shares = finished.boxes.iter().flat_map(baize_table::BoxSettlement::shares);
        let handed: Money = shares.map(|share| share.handed_over).sum();
        let names: Vec<String> = self.players().iter().map(ToString::to_string).collect();
        Some(RoundRow {
            table: self.id.to_string(),
            round: self.table.round.number,
            rulebook: self.book.id.clone(),
            opened: self.opened,
            ended: self.ended,
            outcome: OutcomeName::from(&finished.outcome).to_string(),
            players: format!(",{},", names.join(",")),
            staked: staked.cents(),
            won: (staked - handed + self.from_meter).cents(),
            contributed: self.contributed.cents(),
            awarded: self.awarded.cents(),
            first: self.first,
            last,
        })
    }
}
