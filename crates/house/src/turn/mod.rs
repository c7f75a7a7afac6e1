//! A turn: everything that follows from one order at a table, computed before anything is written.
//!
//! An order may trigger more: the computer deals, the round settles, the jackpot pays, the next deck is shuffled. A turn works on copies of
//! the table and, if needed, of the jackpot, and ends as the entries of one transaction. It does no I/O. A refused order leaves no trace.

mod auto_pace;
mod jackpot;
mod orders;

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet};
use baize_floor::{HouseBar, LinkedTable, OrderResults, Stop, SystemFault};
use baize_rules::{Cites, Money};
use baize_table::{Command, Due, Event, Player, Staff, Table, Why, decide, due};

pub(crate) use jackpot::LinkedJackpot;

use crate::facts::{Body, JackpotStep, Step, TableFact};
use crate::house::hidden_cards;
use crate::journal::{Batch, DeckRow, Entry, Head, Posting, RoundRow, Stream, Unsealing};

use crate::ledger::{self, Movements};
use crate::live_table::LiveTable;
use crate::shoe::{Shuffled, Shuffler};
use crate::snapshots::{of_jackpot, of_table};
use crate::{Actor, CommandId, FromEarlier, GamingDay, HouseError, Instant, PlayerId, event_names};

/// Why a turn failed.
#[derive(Debug)]
pub(crate) enum TurnError {
    /// The order is refused.
    House(HouseError),
    /// The turn needs the jackpot: repeat it with one.
    NeedsJackpot,
}

impl<E: Into<HouseError>> From<E> for TurnError {
    fn from(error: E) -> TurnError {
        TurnError::House(error.into())
    }
}

/// A turn in progress.
pub(crate) struct Turn<'a> {
    pub(crate) live: LiveTable,
    pub(crate) jackpot: Option<LinkedJackpot>,
    /// The deck of the current or next round.
    pub(crate) deck: Option<Shuffled>,
    shuffler: &'a mut Shuffler,
    now: Instant,
    version: u64,
    round: u32,
    steps: Vec<Step>,
    moves: Movements,
    decks: Vec<DeckRow>,
    /// Rows of rounds that ended or were corrected.
    rows: BTreeMap<u32, RoundRow>,
    jackpot_steps: Vec<JackpotStep>,
    jackpot_moves: Movements,
    /// A fault that has to be applied to the jackpot's other tables.
    reaches: Option<SystemFault>,
    /// Bars that apply at every table, and lifted ones.
    bars: Vec<HouseBar>,
}

/// The id of an order, chosen by its sender, and the order's digest.
pub(crate) struct SentOrder<'a> {
    pub(crate) id: &'a CommandId,
    pub(crate) digest: String,
}

/// The result of a turn.
pub(crate) struct FinishedTurn {
    pub(crate) live: LiveTable,
    pub(crate) deck: Option<Shuffled>,
    pub(crate) jackpot: Option<LinkedJackpot>,
    pub(crate) batch: Batch,
    /// The paragraphs of the dealing procedure that the cards of this turn depart from.
    pub(crate) departs_from: Cites,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(
        live: LiveTable,
        head: &Head,
        deck: Option<Shuffled>,
        jackpot: Option<LinkedJackpot>,
        shuffler: &'a mut Shuffler,
        now: Instant,
    ) -> Turn<'a> {
        let round = live.table.round.number;
        Turn {
            round,
            live,
            jackpot,
            deck,
            shuffler,
            now,
            version: head.version + 1,
            steps: Vec::new(),
            moves: Movements::default(),
            decks: Vec::new(),
            rows: BTreeMap::new(),
            jackpot_steps: Vec::new(),
            jackpot_moves: Movements::default(),
            reaches: None,
            bars: Vec::new(),
        }
    }

    /// Records a fact in the current step.
    pub(crate) fn record(&mut self, fact: TableFact) {
        let before = ledger::ChipsBefore::of(&fact, &self.live.table);
        self.live.apply(&fact, self.now, self.version);
        if let Some(step) = self.steps.last() {
            self.live.record_entered(&step.by, &fact);
        }
        ledger::at_table(&self.live.id, &before, &fact, &self.live.table, &mut self.moves);
        match self.steps.last_mut() {
            Some(step) => step.facts.push(fact),
            None => self.steps.push(Step { by: Actor::House, command: None, facts: vec![fact] }),
        }
    }

    /// Begins a step that is not a command of the rules.
    pub(crate) fn step(&mut self, by: &Actor, fact: TableFact) {
        self.steps.push(Step { by: by.clone(), command: None, facts: Vec::new() });
        self.record(fact);
    }

    /// Carries out a command of the rules.
    pub(crate) fn command(&mut self, by: &Actor, command: Command) -> Result<(), TurnError> {
        self.judge(by, &command)?;
        self.in_round(by, |at, table| baize_floor::act(at, table, &command))
    }

    /// Applies a fault of the jackpot system that was ruled at another table.
    pub(crate) fn apply_fault(&mut self, fault: &SystemFault) -> Result<(), TurnError> {
        // The table already has the fault, and no decision has been made yet.
        if self.live.table.standing.fault_everywhere {
            return Ok(());
        }
        self.in_round(&Actor::House, |at, table| baize_floor::tell_fault(at, table, fault))?;
        self.advance()
    }

    /// Applies a bar, or its end, that was ruled at another table (I-16).
    pub(crate) fn bar(&mut self, player: &Player, barred: bool) {
        if self.live.table.standing.barred.contains(player) != barred {
            self.step(&Actor::House, TableFact::BarReached { player: player.clone(), barred });
        }
    }

    /// Carries out a floor operation that may end the round.
    fn in_round<F>(&mut self, by: &Actor, doing: F) -> Result<(), TurnError>
    where
        F: FnOnce(&LinkedTable<'_>, &Table) -> Result<OrderResults, Stop>,
    {
        let under_way = self.live.under_way();
        self.on_floor(by, doing)?;
        if under_way && !self.live.under_way() {
            self.round_over();
        }
        Ok(())
    }

    /// Judges a command by the cards that its sender can see, so that hidden cards never affect the answer. With a real shoe, a sender may
    /// truthfully report a hidden card, so their command is then judged by the table itself.
    fn judge(&self, by: &Actor, command: &Command) -> Result<(), TurnError> {
        let (book, table) = (&self.live.book, &self.live.table);
        if !hidden_cards::depends_on_cards(by, command) {
            return self.judge_entered(by, command);
        }
        match hidden_cards::StandIns::new(book, table, &self.live.viewer(by)).judge(command) {
            hidden_cards::Judged::AllVisible => Ok(()),
            hidden_cards::Judged::Refused(refusal) => Err(refusal.into()),
            // `Settle` is refused like any premature one, without revealing whether hidden cards matter.
            hidden_cards::Judged::Hidden(_, refusal) if *command == Command::Settle => Err(refusal.into()),
            hidden_cards::Judged::Hidden(..) if self.live.computer_deals() => Err(HouseError::Hidden.into()),
            hidden_cards::Judged::Accepted(_) | hidden_cards::Judged::Hidden(..) => {
                match decide(book, table, command) {
                    Ok(_) => Ok(()),
                    Err(_) => Err(HouseError::Hidden.into()),
                }
            }
        }
    }

    /// Judges cards entered from a real shoe. Only a dealer who can know where a card is, because it is visible or they entered it, is told
    /// that it is already out. A dealer who took over gets `Hidden`.
    fn judge_entered(&self, by: &Actor, command: &Command) -> Result<(), TurnError> {
        let (Actor::Staff { id, .. }, Command::Burn { .. } | Command::Deal { .. }) = (by, command) else {
            return Ok(());
        };
        if self.live.computer_deals() {
            return Ok(());
        }
        let (book, table) = (&self.live.book, &self.live.table);
        let Err(refusal) = decide(book, table, command) else { return Ok(()) };
        let (Why::CardOut(card) | Why::OtherCard { card, .. }) = &refusal.why else { return Ok(()) };
        let own = self.live.entered_by.get(id).copied().unwrap_or(CardSet::EMPTY);
        let twice = |cards: &[Card]| cards.iter().filter(|other| *other == card).count() > 1;
        let twice = matches!(command, Command::Deal { cards, .. } if twice(cards));
        if twice || own.union(hidden_cards::visible_cards(book, table, &self.live.viewer(by))).contains(*card)
        {
            return Ok(());
        }
        Err(HouseError::Hidden.into())
    }

    /// Updates the row of a finished round after each command on it.
    fn update_row(&mut self) {
        let commanded = self.steps.last().is_some_and(|step| step.command.is_some());
        if let Some(row) = self.live.round_row(self.version).filter(|_| commanded) {
            self.rows.insert(row.round, row);
        }
    }

    /// Reveals the round's deck, shuffles and promises the next one, and frees the boxes of idle players.
    fn round_over(&mut self) {
        let number = self.live.table.round.number;
        if let (Some(promise), Some(deck)) = (self.live.promise.clone(), self.deck.take())
            && promise.round == number
        {
            let told = TableFact::ShuffleRevealed { round: number, salt: deck.salt.clone(), deck: deck.deck };
            self.step(&Actor::House, told);
        }
        self.prepare_shuffle();
        for player in self.live.idle_players() {
            self.step(&Actor::House, TableFact::Left { player });
        }
    }

    /// Shuffles and promises the next deck, if the computer deals.
    pub(crate) fn prepare_shuffle(&mut self) {
        if !self.live.computer_deals() || self.live.under_way() {
            return;
        }
        let deck = self.shuffler.shuffled();
        self.promise(self.live.table.round.number + 1, deck);
    }

    /// Withdraws the promise and shuffles a new deck, unless cards of the promised one were dealt.
    pub(crate) fn reshuffle(&mut self) {
        let deck = self.shuffler.shuffled();
        self.replace_deck(deck);
    }

    /// Withdraws the promise and promises this deck, unless cards of the promised one were dealt.
    pub(crate) fn replace_deck(&mut self, deck: Shuffled) {
        let Some(promise) = self.live.promise.clone().filter(|_| !self.live.deck_in_use()) else { return };
        let withdrawn = TableFact::ShuffleWithdrawn { round: promise.round, commitment: promise.commitment };
        self.step(&Actor::House, withdrawn);
        self.promise(promise.round, deck);
    }

    fn promise(&mut self, round: u32, deck: Shuffled) {
        self.decks.push(deck.row(&self.live.id, round));
        let commitment = deck.commitment();
        self.deck = Some(deck);
        self.step(&Actor::House, TableFact::ShufflePrepared { round, commitment });
    }

    /// The next cards of the deck.
    fn draw(&self, count: usize) -> Result<Vec<baize_cards::Card>, TurnError> {
        let from = self.live.drawn;
        let cards = self.deck.as_ref().and_then(|deck| deck.deck.get(from..from + count));
        cards
            .map(<[_]>::to_vec)
            .ok_or(TurnError::House(HouseError::NotNow("the shoe is empty: call the pit")))
    }

    /// Burns or deals the next step of the procedure from the computer's shoe. Returns whether anything was due.
    pub(crate) fn deal_next(&mut self, by: &Actor) -> Result<bool, TurnError> {
        match due(&self.live.book, &self.live.table) {
            Some(Due::Burn { .. }) => {
                let card = self.draw(1)?[0];
                self.command(by, Command::Burn { card })?;
            }
            Some(Due::Deal(due)) => {
                let cards = self.draw(due.cards)?;
                self.command(by, Command::Deal { to: due.to, cards })?;
            }
            Some(
                Due::Decide { .. }
                | Due::Reveal { .. }
                | Due::Settle
                | Due::PutBack { .. }
                | Due::Report { .. },
            )
            | None => {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The house adds chips to the float, so that every win is paid in full.
    pub(crate) fn fill_float(&mut self, amount: Money) {
        self.step(&Actor::House, TableFact::FloatFilled { amount });
    }

    /// Records the set-up, the first step of a table.
    pub(crate) fn set_up(&mut self, by: &Actor, earlier: Option<FromEarlier>) {
        let config = Box::new(crate::TableConfig::clone(&self.live.config));
        let hash = self.live.book.hash.clone();
        self.step(by, TableFact::SetUp { config, hash, earlier });
        self.prepare_shuffle();
    }

    /// Resolves a round interrupted by an unplanned stop, by the game's paragraph on power failures.
    pub(crate) fn recover(&mut self) -> Result<(), TurnError> {
        if !self.live.under_way()
            || crate::journal::sabotage::is("an interrupted round is not resolved")
            || self.live.table.round.awaiting.is_some()
            || self.live.players().is_empty()
        {
            return Ok(());
        }
        self.step(&Actor::House, TableFact::Interrupted { phase: self.live.table.round.phase.name() });
        let report = baize_table::Report {
            kind: baize_rules::IrregularityKind::PowerFailure,
            seat: None,
            facts: baize_table::Facts::default(),
            by: Staff { role: baize_rules::Role::ShiftManager, name: Some("house".to_owned()) },
        };
        match self.command(&Actor::House, Command::Report(report)) {
            // Where the text has no rule for this moment, the round continues.
            Ok(()) | Err(TurnError::House(HouseError::Refused(_))) => self.advance(),
            Err(other) => Err(other),
        }
    }

    /// Completes the turn as a batch of entries. `sent`: the order that it answers; `before`: the table before the turn, if it existed.
    pub(crate) fn end(
        mut self,
        actor: &Actor,
        sent: Option<&SentOrder<'_>>,
        head: &Head,
        before: Option<&LiveTable>,
    ) -> FinishedTurn {
        if self.reaches.is_some() || !self.bars.is_empty() {
            let (fault, registered) = self
                .reaches
                .take()
                .map_or((None, Money::ZERO), |SystemFault { report, registered }| (Some(report), registered));
            let bars = std::mem::take(&mut self.bars).into_iter().map(|bar| match bar {
                HouseBar::Barred(player) => (player, true),
                HouseBar::Lifted(player) => (player, false),
            });
            let bars = bars.collect();
            self.step(&Actor::House, TableFact::OthersToTell { bars, fault, registered });
        }
        let mut entries = Vec::new();
        let steps = std::mem::take(&mut self.steps);
        let opened = steps.iter().flat_map(|step| &step.facts).find_map(TableFact::opened);
        let departs_from = departs_from(&steps);
        let table = self.live.id.to_string();
        let told = steps.iter().flat_map(|step| &step.facts).filter_map(TableFact::revealed_round);
        let told = told.map(|round| (table.clone(), round)).collect();
        let mut snapshots = Vec::new();
        let mut link = None;
        if !steps.is_empty() {
            let order = sent.map(|sent| sent.digest.clone());
            let command = sent.map(|sent| sent.id.to_string());
            let dealt = steps.iter().flat_map(|step| &step.facts).any(deals);
            let blind = (dealt || self.live.cards_out()).then(|| crate::secret::token(16));
            let body = Body::Table { round: self.round, order, blind, steps };
            let postings = self.moves.postings();
            let mut entry = new_entry(
                Stream::table(&self.live.id),
                head,
                &body,
                self.now,
                actor,
                command,
                None,
                postings,
            );
            let kept = before.and_then(|before| of_table(before, head, self.now, opened));
            kept.iter().for_each(|row| entry.vouch(&row.digest()));
            snapshots.extend(kept);
            link = Some(entry.hash.clone());
            entries.push(entry);
        }
        if let Some(jackpot) = &mut self.jackpot
            && !self.jackpot_steps.is_empty()
        {
            let body = Body::Jackpot(std::mem::take(&mut self.jackpot_steps));
            let stream = Stream::jackpot(&jackpot.id);
            let postings = self.jackpot_moves.postings();
            // An order that only the jackpot records is looked up in the jackpot's chain when it is repeated.
            let command = sent.filter(|_| link.is_none()).map(|sent| sent.id.to_string());
            let mut entry = new_entry(stream, &jackpot.head, &body, self.now, actor, command, link, postings);
            snapshots.extend(of_jackpot(&jackpot.state, &mut entry));
            jackpot.head = entry.head();
            jackpot.changed = true;
            entries.push(entry);
        }
        let stream = Stream::table(&self.live.id);
        let out = self.live.cards_out();
        let over = before.is_some_and(LiveTable::cards_out) && !out;
        FinishedTurn {
            batch: Batch {
                entries,
                decks: self.decks,
                told,
                rounds: self.rows.into_values().collect(),
                snapshots,
                unseals: over.then(|| Unsealing::Open(stream.clone())).into_iter().collect(),
                hides: out.then_some(stream).into_iter().collect(),
            },
            live: self.live,
            deck: self.deck,
            jackpot: self.jackpot,
            departs_from,
        }
    }

    /// Whether nothing was recorded.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.jackpot_steps.is_empty()
    }

    /// The net change of an account by this turn, in cents.
    pub(crate) fn moved(&self, account: &str) -> i64 {
        self.moves.of(account)
    }

    /// What a correction of a settled round takes out of purses. The rules require it whatever the purses hold.
    pub(crate) fn taken_back(&self) -> BTreeMap<PlayerId, Money> {
        let mut events = self.steps.iter().flat_map(|step| &step.facts).filter_map(TableFact::round);
        if events.any(|event| matches!(event, Event::RoundVoided { .. } | Event::SlipCorrected { .. })) {
            self.moves.out_of_purses()
        } else {
            BTreeMap::new()
        }
    }
}

/// Whether the fact contains cards that some viewer may not see.
fn deals(fact: &TableFact) -> bool {
    let Some(event) = fact.round() else { return false };
    matches!(
        event,
        Event::CardBurnt { .. }
            | Event::CardsDealt { .. }
            | Event::CardPutBack { .. }
            | Event::CardsReconstructed { .. }
            | Event::CardsTakenOff { .. }
    )
}

/// The paragraphs of the dealing procedure that the cards of these steps depart from.
pub(crate) fn departs_from(steps: &[Step]) -> Cites {
    baize_script::departs_from(steps.iter().flat_map(|step| &step.facts).filter_map(TableFact::round))
}

/// The entry that follows `head`, with its hash.
#[expect(clippy::too_many_arguments, reason = "the parts of an entry, each once")]
pub(crate) fn new_entry(
    stream: Stream,
    head: &Head,
    body: &Body,
    at: Instant,
    actor: &Actor,
    command: Option<String>,
    link: Option<String>,
    postings: Vec<Posting>,
) -> Entry {
    let mut entry = Entry {
        number: 0,
        stream,
        version: head.version + 1,
        at,
        actor: actor.label(),
        command,
        kinds: event_names::kinds(body),
        significant: crate::significant::significant(body, GamingDay::default())
            .map(|(kind, _)| kind.to_string()),
        body: crate::stored::write(body),
        link,
        postings,
        previous: head.hash.clone(),
        hash: String::new(),
    };
    entry.hash = entry.computed_hash();
    entry
}
