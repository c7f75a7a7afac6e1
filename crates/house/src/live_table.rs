//! A table of the house: the table of the rules, who sits there, the promised deck, the clocks.
//!
//! Built from the journal's facts only: replaying them gives the same table on any host.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baize_cards::CardSet;
use baize_rules::{BoxNumber, IrregularityKind, Money, Rulebook};
use baize_table::{Awaiting, Event, Phase, Player, Report, Table, record};
use serde::{Deserialize, Serialize};

use crate::facts::{Step, TableFact};
use crate::house::PLANNED_STOP;
use crate::journal::RoundRow;
use crate::promised_deck::{Promise, Proven, RevealedDeck};
use crate::{Actor, Chips, ClockKind, Instant, OutcomeName, PlayerId, Shoe, StaffId, TableConfig, TableId};

/// Rounds without a wager after which a guest's box is free again.
const IDLE_ROUNDS: u32 = 3;

/// A player who sits at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Guest {
    pub(crate) seat: BoxNumber,
    /// Rounds in a row in which they had no chips on the table.
    pub(crate) idle: u32,
}

/// A table of the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveTable {
    pub(crate) id: TableId,
    /// Shared: every turn works on a copy of the table, and this hardly ever changes.
    pub config: Arc<TableConfig>,
    /// The rulebook that it was set up with.
    pub book: Arc<Rulebook>,
    /// The table of the rules.
    pub table: Table,
    pub(crate) guests: BTreeMap<PlayerId, Guest>,
    pub(crate) ready: BTreeSet<PlayerId>,
    pub(crate) notice: Option<String>,
    pub(crate) promise: Option<Promise>,
    pub(crate) told: Option<Arc<RevealedDeck>>,
    /// Cards drawn from the computer's shoe in this round.
    pub(crate) drawn: usize,
    pub(crate) last_wagers: BTreeMap<PlayerId, Vec<Chips>>,
    /// The round's first entry, and when it was opened and ended.
    pub(crate) first: u64,
    pub(crate) opened: Instant,
    pub(crate) ended: Instant,
    /// The entry with which bets closed: a player who was shown the table since then was there for the deal.
    pub(crate) dealt: u64,
    /// When the first chips of the round were placed.
    pub(crate) betting_since: Option<Instant>,
    /// When the present stage began, or a player joined.
    pub(crate) stage_since: Instant,
    pub(crate) contributed: Money,
    /// What the meter and the house paid in awards, and the meter's part of it.
    pub(crate) awarded: Money,
    pub(crate) from_meter: Money,
    /// The round was interrupted by a stop of the house.
    pub(crate) interrupted: bool,
    /// The dealers whom the pit assigned.
    pub(crate) dealers: BTreeSet<StaffId>,
    /// What staff placed for each player in this round.
    pub(crate) placed_for: BTreeMap<PlayerId, Money>,
    /// Nothing has happened in the round since the dealer entered cards: they can still be taken back.
    pub(crate) entered: bool,
    /// Who entered which cards from a real shoe in this round: those are known to them.
    pub(crate) entered_by: BTreeMap<StaffId, CardSet>,
    /// What other tables are to be told of what was ruled here.
    pub(crate) to_tell: Option<ToTell>,
}

/// What other tables are to be told of what was ruled at one. It stays until they are: also through a stop of the house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ToTell {
    /// Players who are barred from further play, or no longer barred (I-16).
    pub(crate) bars: Vec<(Player, bool)>,
    /// A fault of the whole jackpot system, and the amount that was registered then.
    pub(crate) fault: Option<Report>,
    pub(crate) registered: Money,
    /// When it was ruled.
    pub(crate) since: Instant,
}

impl LiveTable {
    /// A table as it is set up.
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
            told: None,
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
            to_tell: None,
        }
    }

    /// Records a step of this entry of the table's chain.
    pub(crate) fn apply_step(&mut self, step: &Step, at: Instant, version: u64) {
        for fact in &step.facts {
            self.apply(fact, at, version);
            self.note_entered(&step.by, fact);
        }
    }

    /// Keeps who entered cards.
    pub(crate) fn note_entered(&mut self, by: &Actor, fact: &TableFact) {
        if *fact == TableFact::EntryTakenBack
            && let Phase::Play(play) = &self.table.round.phase
        {
            // It may come out again by another's hand.
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

    /// Records a fact of this entry of the table's chain.
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
                        proven: Proven::default(),
                    };
                    self.told = Some(Arc::new(told));
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
                self.told = None;
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
                let earlier = self.to_tell.take();
                let mut all = earlier.as_ref().map(|earlier| earlier.bars.clone()).unwrap_or_default();
                all.extend(bars.iter().cloned());
                let (fault, registered) = match (fault, earlier) {
                    (None, Some(earlier)) => (earlier.fault, earlier.registered),
                    (fault, _) => (fault.clone(), *registered),
                };
                self.to_tell = Some(ToTell { bars: all, fault, registered, since: at });
            }
            TableFact::OthersTold => self.to_tell = None,
            TableFact::BetRequested { player, amount, .. } => {
                *self.placed_for.entry(player.clone()).or_default() += *amount;
            }
            TableFact::Round(event) => self.apply_round(event, at, version),
        }
    }

    /// A round is opened under limits that were set since the last one: until then that one could be corrected, under its own.
    pub(crate) fn take_up_limits(&mut self) {
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
                self.take_up_limits();
                (self.contributed, self.awarded, self.from_meter) = (Money::ZERO, Money::ZERO, Money::ZERO);
            }
            Event::WagerPlaced { .. } => {
                self.betting_since.get_or_insert(at);
            }
            Event::BetsClosed { .. } => {
                self.note_wagers();
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
                self.note_idlers();
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

    /// What each player has placed, for a rebet.
    fn note_wagers(&mut self) {
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

    fn note_idlers(&mut self) {
        let players = self.players();
        for (player, guest) in &mut self.guests {
            guest.idle = if players.contains(player) { 0 } else { guest.idle + 1 };
        }
    }

    /// Guests who have not played for a while.
    pub(crate) fn idlers(&self) -> Vec<PlayerId> {
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

    /// Players at the table, with chips or a box, who have not said that they are ready.
    pub(crate) fn unready(&self) -> impl Iterator<Item = PlayerId> {
        let mut all = if self.under_way() { self.players() } else { BTreeSet::new() };
        all.extend(self.guests.keys().cloned());
        all.into_iter().filter(|player| !self.ready.contains(player))
    }

    /// Whether a single person is at the table: nobody waits for them.
    pub(crate) fn lone(&self) -> bool {
        let mut all = match self.table.round.phase {
            Phase::Betting(_) | Phase::Play(_) => self.players(),
            Phase::Idle | Phase::Finished(_) => BTreeSet::new(),
        };
        all.extend(self.guests.keys().cloned());
        all.len() <= 1
    }

    /// Whether a round is under way.
    pub(crate) const fn under_way(&self) -> bool {
        matches!(self.table.round.phase, Phase::Betting(_) | Phase::Play(_))
    }

    /// Whether bets are closed and the round is not over: cards may be out that nobody may see.
    pub(crate) const fn cards_out(&self) -> bool {
        matches!(self.table.round.phase, Phase::Play(_))
    }

    /// Whether cards of the promised deck are out.
    pub(crate) const fn begun(&self) -> bool {
        self.under_way() && self.drawn > 0
    }

    /// The boxes of a player: where they sit and where they have chips.
    pub(crate) fn boxes_of(&self, player: &PlayerId) -> Vec<BoxNumber> {
        let seated = self.table.seated();
        let mut boxes: BTreeSet<BoxNumber> =
            seated.iter().filter(|(_, on)| on.0 == player.as_str()).map(|(seat, _)| *seat).collect();
        boxes.extend(self.guests.get(player).map(|guest| guest.seat));
        boxes.into_iter().collect()
    }

    /// At a table with people the cards always move: by themselves in the computer's shoe, and one by one by the dealer of a real one.
    pub(crate) fn reconstructs(&self, report: &mut Report) {
        let (kind, facts) = (report.kind, &mut report.facts);
        let in_order = matches!(kind, IrregularityKind::MissedBurn | IrregularityKind::DealingError)
            && facts.reconstructable == Some(true)
            && facts.moves.is_empty();
        facts.shift |= in_order && self.computer_deals();
        facts.card_by_card = !self.computer_deals();
    }

    /// The clock that runs: what for and until when.
    pub(crate) fn deadline(&self) -> Option<(ClockKind, Instant)> {
        let crate::Pace::Auto { betting_seconds, decision_seconds } = self.config.pace else { return None };
        if self.lone() {
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

    /// Whether the computer deals.
    pub(crate) fn computer_deals(&self) -> bool {
        self.config.shoe == Shoe::Computer
    }

    /// The line of the finished round.
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
