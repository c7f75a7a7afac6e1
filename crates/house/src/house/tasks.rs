//! Tasks that wait for staff, and the details of a jackpot hit for those who verify it.

use baize_cards::{Card, CardSet, HandValue};
use baize_jackpot::Status;
use baize_rules::{AwardCards, BoxNumber, Cites, Money, Role};
use baize_table::{Awaiting, CardView, Command, Phase, RoundView, decide, view};
use serde::Serialize;

use super::cash_rules::REPORT_DAYS;
use super::{Answer, House};
use crate::boxed;
use crate::live_table::LiveTable;
use crate::register::Account;
use crate::{Actor, Date, Duty, HouseError, JackpotId, Pace, PlayerId, RoundId, TableId, ledger};

/// A task for staff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Task {
    /// What it is.
    pub what: TaskKind,
    /// A description, without a full stop.
    pub words: String,
    /// The lowest position, or the duty, that can do it.
    pub needs: Duty,
    /// A person who cannot do it, because a different person is required.
    pub not_by: Option<String>,
}

/// The kind of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TaskKind {
    /// A report that needs a ruling.
    Ruling { table: TableId },
    /// The jackpot has failed, and a decision is needed on how later rounds are played.
    JackpotFault { table: TableId },
    /// A hit to verify, or to confirm.
    Hit { jackpot: JackpotId, hit: u64 },
    /// The record of a table is damaged.
    Halted { table: TableId },
    /// No round can be opened at the table.
    CannotOpen { table: TableId },
    /// The float is below half of the opening float.
    ShortFloat { table: TableId, holds: Money },
    /// A jackpot is stopped.
    Stopped { jackpot: JackpotId },
    /// Proposed parameters of a jackpot, to be approved.
    Change { jackpot: JackpotId },
    /// Password log-ins are delayed after repeated failures.
    Locked { name: String },
    /// A cash transaction report to file.
    CashReport { player: PlayerId, day: Date },
    /// The database lacks entries known to this host.
    Behind,
}

impl TaskKind {
    /// The table concerned, if any.
    #[must_use]
    pub const fn table(&self) -> Option<&TableId> {
        match self {
            TaskKind::Ruling { table }
            | TaskKind::JackpotFault { table }
            | TaskKind::Halted { table }
            | TaskKind::CannotOpen { table }
            | TaskKind::ShortFloat { table, .. } => Some(table),
            TaskKind::Hit { .. }
            | TaskKind::Stopped { .. }
            | TaskKind::Change { .. }
            | TaskKind::Locked { .. }
            | TaskKind::CashReport { .. }
            | TaskKind::Behind => None,
        }
    }
}

impl Task {
    /// Whether this actor can do the task.
    #[must_use]
    pub fn is_for(&self, actor: &Actor) -> bool {
        let first = self.not_by.as_deref();
        actor.may(self.needs) && first.is_none_or(|first| actor.label() != format!("staff:{first}"))
    }

    fn new(what: TaskKind, needs: Duty, words: impl Into<String>) -> Task {
        Task { what, words: words.into(), needs, not_by: None }
    }
}

/// A jackpot hit as shown to those who verify it, the same to all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HitPicture {
    /// The jackpot.
    pub jackpot: JackpotId,
    /// The hit's number.
    pub hit: u64,
    /// The round.
    pub round: RoundId,
    /// The box.
    pub seat: BoxNumber,
    /// The player.
    pub player: PlayerId,
    /// Their display name, if they have one.
    pub name: Option<String>,
    /// The jackpot wager.
    pub wager: Money,
    /// The cards of the box; empty if the pit may not see them.
    pub cards: Vec<Card>,
    /// The cards on the board.
    pub board: Vec<Card>,
    /// The five cards of the hand.
    pub five: Vec<Card>,
    /// The name of the hand: "a straight flush, Nine high". Empty if the pit may not see it.
    pub hand: String,
    /// The award.
    pub award: String,
    /// The paragraphs of the award.
    pub cites: Cites,
    /// The displayed value when the hit was locked.
    pub meter: Money,
    /// The amount of the award.
    pub amount: Money,
    /// The part paid from the meter; the house pays the rest.
    pub from_meter: Money,
    /// The value of the meter after the award.
    pub falls_to: Money,
    /// Who verified the hand.
    pub verified_by: Option<String>,
    /// Who confirmed the amount.
    pub confirmed_by: Option<String>,
    /// Whether confirmation by a second person is required.
    pub needs_confirmation: bool,
}

fn duty(role: Role) -> Duty {
    Duty::ALL.into_iter().find(|duty| duty.role() == Some(role)).unwrap_or(Duty::ShiftManager)
}

impl House {
    /// All current tasks for staff: see [`Task::is_for`].
    #[boxed]
    pub async fn waiting(&self) -> Answer<Vec<Task>> {
        let mut tasks = Vec::new();
        if let Some(why) = self.behind() {
            tasks.push(Task::new(
                TaskKind::Behind,
                Duty::ShiftManager,
                format!("The database is behind: {why}"),
            ));
        }
        let balances = self.inner.store.balances().await?;
        for slot in self.table_slots() {
            let (id, shown) = (slot.id.clone(), slot.shown.get());
            if let Some(why) = &shown.halted {
                let words = format!("Table {id} is halted: {why}");
                tasks.push(Task::new(TaskKind::Halted { table: id }, Duty::ShiftManager, words));
                continue;
            }
            let holds = Money::from_cents(balances.get(&ledger::float(&id)).copied().unwrap_or(0));
            tasks.extend(table_task(&shown.live));
            if holds + holds < shown.live.config.float {
                let words = format!("The float of {id} is short: it holds {}", holds.grouped());
                tasks.push(Task::new(TaskKind::ShortFloat { table: id, holds }, Duty::PitManager, words));
            }
        }
        for slot in self.jackpot_slots() {
            let (id, shown) = (slot.id.clone(), slot.shown.get());
            if let Some(why) = shown.stopped.as_ref().filter(|_| shown.state.status == Status::Open) {
                let words = format!("Jackpot {id} is stopped: {why}");
                tasks.push(Task::new(TaskKind::Stopped { jackpot: id }, Duty::ShiftManager, words));
                continue;
            }
            let limit = shown.state.parameters.confirm_above;
            for hit in shown.state.pending() {
                let what = TaskKind::Hit { jackpot: id.clone(), hit: hit.id };
                let (table, award, amount) = (&hit.table, &hit.award, hit.amount().grouped());
                let words = format!("Jackpot hit at {table}: {award}, {amount}");
                match &hit.verified_by {
                    None => tasks.push(Task::new(what, Duty::PitSupervisor, words)),
                    Some(first) if hit.amount() > limit && hit.confirmed_by.is_none() => {
                        let not_by = Some(first.name.clone());
                        tasks.push(Task { not_by, ..Task::new(what, Duty::PitSupervisor, words) });
                    }
                    // It is waiting for an earlier hit.
                    Some(_) => {}
                }
            }
            if let Some(change) = shown.state.change.as_ref().filter(|change| change.approved_by.is_none()) {
                let words =
                    format!("New parameters of jackpot {id}, proposed by {}", change.proposed_by.name);
                let task = Task::new(TaskKind::Change { jackpot: id }, Duty::ShiftManager, words);
                tasks.push(Task { not_by: Some(change.proposed_by.name.clone()), ..task });
            }
        }
        let (register, now) = (self.inner.shown.get(), self.now());
        let locked = |account: &Account| account.waits(now).is_some() && !account.suspended;
        let staff = register.staff.iter().map(|(id, (_, account))| (id.as_str(), account));
        let players = register.players.iter().map(|(id, account)| (id.as_str(), account));
        for (name, _) in staff.chain(players).filter(|(_, account)| locked(account)) {
            let words = format!("{name} is locked out after repeated wrong passwords");
            let what = TaskKind::Locked { name: name.to_owned() };
            tasks.push(Task { not_by: Some(name.to_owned()), ..Task::new(what, Duty::ShiftManager, words) });
        }
        for (day, player) in &register.cash_reports {
            let (day, player, due) = (*day, player.clone(), day.plus_days(REPORT_DAYS));
            let words = format!("Cash transaction report of {player} for {day}, due by {due}");
            tasks.push(Task::new(TaskKind::CashReport { player, day }, Duty::Cage, words));
        }
        Ok(tasks)
    }

    /// The details of a hit needed to verify it. Pit Supervisor or above, or auditor.
    ///
    /// # Errors
    /// Lack of duty; no such hit.
    #[boxed]
    pub async fn hit_picture(&self, by: &Actor, jackpot: &JackpotId, hit: u64) -> Answer<HitPicture> {
        by.require_or_auditor(Duty::PitSupervisor)?;
        let shown = self.jackpot_slot(jackpot)?.shown.get();
        let why = || HouseError::Jackpot { jackpot: jackpot.clone(), why: format!("there is no hit {hit}") };
        let found = shown.state.hit(hit).ok_or_else(why)?;
        let number = u32::try_from(found.round).map_err(|_| why())?;
        let round = RoundId { table: found.table.parse()?, number };
        let seen = self.pit_view_of(&round).await?;
        let on_box = seen.as_ref().and_then(|seen| seen.boxes.get(&found.claim.seat));
        let cards: Vec<Card> = on_box.map(|on_box| face_up(&on_box.cards)).unwrap_or_default();
        let board = seen.as_ref().map(|seen| face_up(&seen.board)).unwrap_or_default();
        let book = self.table_slot(&round.table)?.shown.get().live.book.clone();
        let all = match book.jackpot.awards.get(found.claim.award).map(|award| award.cards) {
            Some(of) => award_cards(&cards, &board, of),
            None => CardSet::EMPTY,
        };
        let payment = found.payment.as_ref();
        let meter = payment.map_or(Money::ZERO, |payment| payment.shown);
        let from_meter = payment.map_or(Money::ZERO, |payment| payment.from_meter);
        let reset = payment.and_then(|payment| payment.reset.as_ref()).map(|reset| reset.to);
        let limit = shown.state.parameters.confirm_above;
        let name = |person: &baize_jackpot::Person| person.name.clone();
        let player: PlayerId = on_box.ok_or_else(why)?.player.0.parse()?;
        Ok(HitPicture {
            jackpot: jackpot.clone(),
            hit,
            seat: found.claim.seat,
            name: self.name_of(player.as_str()),
            player,
            wager: found.claim.wager,
            five: HandValue::best_five(all).map(|five| five.to_vec()).unwrap_or_default(),
            hand: HandValue::of(all).map(HandValue::named).unwrap_or_default(),
            cards,
            board,
            award: found.award.clone(),
            cites: payment.map_or(Cites::NONE, |payment| payment.cites),
            meter,
            amount: found.amount(),
            from_meter,
            falls_to: reset.unwrap_or(meter - from_meter),
            verified_by: found.verified_by.as_ref().map(name),
            confirmed_by: found.confirmed_by.as_ref().map(name),
            needs_confirmation: found.amount() > limit,
            round,
        })
    }

    /// The end of a round as the pit sees it: from the table, or from the journal if the table has moved on.
    async fn pit_view_of(&self, round: &RoundId) -> Answer<Option<RoundView>> {
        let live = self.table_slot(&round.table)?.shown.get().live.clone();
        if live.table.round.number == round.number {
            return Ok(Some(view(&live.book, &live.table, &baize_table::Viewer::Pit)));
        }
        let pit = Actor::staff("pit".parse()?, [Duty::PitSupervisor]);
        Ok(self.round(&pit, round).await?.frames.pop().map(|frame| frame.round))
    }
}

fn face_up(cards: &[CardView]) -> Vec<Card> {
    cards.iter().filter_map(|card| if let CardView::Up(card) = card { Some(*card) } else { None }).collect()
}

/// The cards that count for an award.
fn award_cards(cards: &[Card], board: &[Card], of: AwardCards) -> CardSet {
    let (cards, board) = match of {
        AwardCards::Hand => (cards, &[][..]),
        AwardCards::HoleAndFlop => (cards, board.get(..3).unwrap_or_default()),
        AwardCards::HoleFlopAndTurn => (cards, board.get(..4).unwrap_or_default()),
        AwardCards::SevenWithHole | AwardCards::BestOfSeven => (cards, board),
        AwardCards::Community => (&[][..], board),
    };
    cards.iter().chain(board).copied().collect()
}

/// The task at a table, if any.
fn table_task(live: &LiveTable) -> Option<Task> {
    let (table, standing) = (live.id.clone(), &live.table.standing);
    match &live.table.round.awaiting {
        Some(Awaiting::Ruling { kind, by, .. }) => {
            let words = format!("Ruling at {table}: {}", kind.words().to_lowercase());
            return Some(Task::new(TaskKind::Ruling { table }, duty(*by), words));
        }
        // The table waits for players or the dealer.
        Some(Awaiting::Options { .. } | Awaiting::Reconstruction { .. }) => return None,
        None => {}
    }
    if standing.jackpot_fault {
        let decided_by = live.book.irregularities.jackpot_fault.as_ref().map(|fault| duty(fault.decided_by));
        let words = format!("The jackpot has failed at {table}: decide how later rounds are played");
        return Some(Task::new(
            TaskKind::JackpotFault { table },
            decided_by.unwrap_or(Duty::ShiftManager),
            words,
        ));
    }
    // Undecided claims prevent the next round; their hits are tasks of their own.
    let between = match &live.table.round.phase {
        Phase::Idle => true,
        Phase::Finished(finished) => finished.claims.is_empty(),
        Phase::Betting(_) | Phase::Play(_) => false,
    };
    if !between || live.notice.is_some() || standing.closed {
        return None;
    }
    let why = match decide(&live.book, &live.table, &Command::Open) {
        Err(refusal) => refusal.to_string(),
        Ok(_) if matches!(live.config.pace, Pace::Dealer) && live.dealers.is_empty() => {
            "no dealer is assigned".to_owned()
        }
        Ok(_) => return None,
    };
    let words = format!("{table} cannot open: {why}");
    Some(Task::new(TaskKind::CannotOpen { table }, Duty::PitSupervisor, words))
}
