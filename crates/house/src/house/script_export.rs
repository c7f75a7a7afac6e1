//! Finished rounds as round scripts, with the cards that the reader may see.
//!
//! A script needs every card. Cards that the reader may not see are replaced by others that lead to the same settlement; which ones is
//! derived from the visible cards only, so nothing leaks about the hidden ones. The script says which boxes have replaced cards.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::{Card, CardSet};
use baize_rules::{Area, BoxNumber, Money, Percent, Role};
use baize_script::{Expect, JackpotStood, Script, Statement};
use baize_table::{
    BoxSettlement, Command, Event, Phase, ResultKind, Ruling, RulingKind, Staff, Table, decide, evolve,
};

use super::round_privacy::Discretion;
use super::rounds::{Past, eyes};
use super::{Answer, House, hidden_cards};
use crate::facts::{Body, Step, TableFact};
use crate::journal::Stream;
use crate::rulebooks::is_programs_own;
use crate::snapshots::State;
use crate::stored;
use crate::{Actor, HouseError, Instant, RoundId};

/// In thousandths of a second.
const AN_HOUR: i64 = 3_600_000;

impl House {
    /// A finished round as a round script, which replays to the same settlement, with every card: for the owner of the database.
    ///
    /// # Errors
    /// No such round, or it is not over.
    pub async fn export(&self, id: &RoundId) -> Answer<String> {
        self.export_for(&Actor::House, id).await
    }

    /// A finished round as a round script, with the cards that this person may see; others stand in for the rest.
    ///
    /// # Errors
    /// As [`House::export`]; no other cards lead to the same settlement.
    pub async fn export_for(&self, actor: &Actor, id: &RoundId) -> Answer<String> {
        let past = self.past(id).await?;
        if self.discretion(actor, id, &past.players()) != Discretion::Everything {
            return Err(HouseError::NotYourRound);
        }
        let (events, hidden) = seen(actor, &past)?;
        let (stood, mut untold) = self.jackpot_stood(&past).await?;
        let mut script = Script::export(&past.before.book, &past.before.table, stood, &events)
            .map_err(|fault| HouseError::Corrupt(format!("round {id}: {fault}")))?;
        script.heading = vec![format!("Round {id}, {}, {}.", past.row.opened, past.row.outcome)];
        if !hidden.is_empty() {
            let whose = hidden.join(", ");
            script
                .heading
                .push(format!("Not all cards were shown. Other cards stand in for those of: {whose}."));
        }
        let claimed = claimed(&events);
        untold.extend(script.lines.iter().filter_map(|line| match &line.statement {
            Statement::Expect(Expect::Area { seat, area: Area::Jackpot, result, .. }) => {
                let rejected = *result == ResultKind::Lose && claimed.contains(seat);
                (rejected || *result == ResultKind::Pending).then_some(*seat)
            }
            Statement::Expect(_) | Statement::SetUp(_) | Statement::Table { .. } | Statement::Step(_) => None,
        }));
        if !untold.is_empty() {
            script.lines.retain(|line| match &line.statement {
                Statement::Expect(
                    Expect::Area { seat, area: Area::Jackpot, .. } | Expect::Net { seat, .. },
                ) => !untold.contains(seat),
                Statement::Expect(_) | Statement::SetUp(_) | Statement::Table { .. } | Statement::Step(_) => {
                    true
                }
            });
            let boxes: Vec<String> = untold.iter().map(ToString::to_string).collect();
            script.heading.push(format!(
                "The award of box {} waits, was rejected, or was paid after one of another table: it is not expected here.",
                boxes.join(", ")
            ));
        }
        if !is_programs_own(&past.before.book) {
            script.heading.push(format!(
                "Played under a rulebook of the house: check and replay it with --rulebook FILE, SHA-256 {}.",
                past.before.book.hash
            ));
        }
        Ok(script.to_string())
    }

    /// The meter from which the round's awards were paid in their turn, or as it stood when the round ended; nothing is added to it by the
    /// script, because other tables added to the same meter meanwhile. Also the boxes whose awards were paid later than the first ones of the
    /// round, after one of another table: no script of this table alone comes to the same amounts.
    async fn jackpot_stood(&self, past: &Past) -> Answer<(JackpotStood, BTreeSet<BoxNumber>)> {
        let usual = Money::from_dollars(100_000);
        let mut stood = JackpotStood { meter: usual, reset: usual, rate: Percent::ZERO };
        let mut later = BTreeSet::new();
        let Some(id) = &past.before.config.jackpot else { return Ok((stood, later)) };
        let links: Vec<&str> = past.steps.iter().map(|(entry, _)| entry.hash.as_str()).collect();
        // Clocks of several hosts differ by less than this.
        let (early, late) = (past.row.opened.0 - AN_HOUR, past.row.ended.0 + AN_HOUR);
        let stream = Stream::jackpot(id);
        let (mut state, mut after) = match self.snapshot(&stream, u64::MAX, Some(Instant(early))).await? {
            Some((head, State::Jackpot(state))) => (*state, head.version),
            _ => (baize_jackpot::Jackpot::default(), 0),
        };
        let (mut entered, mut paid) = (false, false);
        loop {
            let entries = self.inner.store.read(&stream, after, 500).await?;
            let Some(last) = entries.last() else { return Ok((stood, later)) };
            after = last.version;
            let over = last.at.0 > late;
            for entry in &entries {
                let Body::Jackpot(steps) = stored::read(&entry.body, &entry.place())? else { continue };
                let ours = entry.link.as_deref().is_some_and(|link| links.contains(&link));
                for event in steps.iter().flat_map(|step| &step.events) {
                    if let baize_jackpot::Event::RoundSettled { table, round, .. } = event
                        && *table == past.row.table
                        && *round == u64::from(past.row.round)
                        && let Some(contest) = &state.contest
                    {
                        let part = contest.rounds.iter().take_while(|part| part.table == *table);
                        let hits = part.flat_map(|part| &part.hits);
                        if paid {
                            later.extend(hits.filter_map(|hit| Some(state.hit(*hit)?.claim.seat)));
                        } else {
                            // Its turn has come: the awards of other tables that were dealt before are paid.
                            stood.meter = contest.opening.displayed();
                        }
                        paid = true;
                    }
                    if !entered && (ours || entry.at <= past.row.ended) {
                        stood.meter = state.displayed();
                        stood.reset = state.parameters.reset;
                    }
                    if let (true, baize_jackpot::Event::HitsEntered { registered, .. }) = (ours, event) {
                        entered = true;
                        if let Some(before) = registered {
                            stood.meter = before.amount;
                            return Ok((stood, later));
                        }
                    }
                    state = baize_jackpot::evolve(state, event);
                }
            }
            if over {
                return Ok((stood, later));
            }
        }
    }
}

/// The boxes that claimed an award when the round was settled.
fn claimed(events: &[Event]) -> BTreeSet<BoxNumber> {
    let mut seats = BTreeSet::new();
    for event in events {
        if let Event::RoundSettled { claims, .. } = event {
            seats.extend(claims.iter().map(|claim| claim.seat));
        }
    }
    seats
}

/// The events of a round as a viewer may see them, and whose cards are replaced.
fn seen(actor: &Actor, past: &Past) -> Answer<(Vec<Event>, Vec<String>)> {
    let steps = past.standing();
    let facts = || steps.iter().flat_map(|step| &step.facts);
    let before = &past.before;
    let (commands, events, end) = in_script(past, &steps);
    let viewer = eyes(actor);
    let open = hidden_cards::open(&before.book, &end, &viewer);
    let dealt = super::dealt_cards(facts());
    let hidden: Vec<Card> = dealt.into_iter().filter(|card| !open.contains(*card)).collect();
    if hidden.is_empty() || viewer == baize_table::Viewer::Auditor {
        return Ok((events, Vec::new()));
    }
    let unseen: Vec<Card> = CardSet::FULL.difference(open).iter().collect();
    let right = told(&end, open);
    for turn in 0..unseen.len() {
        let stand_in = |at: usize| unseen.get((turn + at) % unseen.len()).copied();
        let map: BTreeMap<Card, Card> =
            hidden.iter().enumerate().filter_map(|(at, card)| Some((*card, stand_in(at)?))).collect();
        let Some(replayed) = replayed(past, &commands, &map) else { continue };
        let reached = replayed.iter().fold(before.table.clone(), evolve);
        // A replacement is never an open card.
        if told(&reached, open) == right {
            return Ok((replayed, whose(&end, open, &hidden)));
        }
    }
    Err(HouseError::NotNow("the script would tell cards that were not shown: the auditor has it"))
}

/// The commands and events of a round as a script has them, and the table at its end. A bar that ended at another table is lifted here.
fn in_script(past: &Past, steps: &[&Step]) -> (Vec<Command>, Vec<Event>, Table) {
    let (mut commands, mut events, mut table) = (Vec::new(), Vec::new(), past.before.table.clone());
    for step in steps {
        commands.extend(step.command.clone());
        for fact in &step.facts {
            let lift = lifted(fact, &table);
            let made = match &lift {
                Some(lift) => decide(&past.before.book, &table, lift).unwrap_or_default(),
                None => fact.round().cloned().into_iter().collect(),
            };
            commands.extend(lift);
            table = made.iter().fold(table, evolve);
            events.extend(made);
        }
    }
    (commands, events, table)
}

/// The ruling that stands in a script for a bar which ended at another table.
fn lifted(fact: &TableFact, table: &Table) -> Option<Command> {
    let TableFact::BarReached { player, barred: false } = fact else { return None };
    let kind = RulingKind::Lift(table.standing.barred.get(player)?.clone());
    let reason = Some("lifted at another table".to_owned());
    Some(Command::Rule(Ruling { kind, by: Staff::of(Role::ShiftManager), reason }))
}

/// The events that the commands of a round lead to with other cards.
fn replayed(past: &Past, commands: &[Command], map: &BTreeMap<Card, Card>) -> Option<Vec<Event>> {
    let mut table = past.before.table.clone();
    let mut events = Vec::new();
    for command in commands {
        let made = decide(&past.before.book, &table, &with(command, map)).ok()?;
        table = made.iter().fold(table, evolve);
        events.extend(made);
    }
    Some(events)
}

/// A command with other cards.
fn with(command: &Command, map: &BTreeMap<Card, Card>) -> Command {
    let of = |card: &Card| map.get(card).copied().unwrap_or(*card);
    let mut command = command.clone();
    if let Command::Burn { card } = &mut command {
        *card = of(card);
    } else if let Command::Deal { cards, .. } = &mut command {
        cards.iter_mut().for_each(|card| *card = of(card));
    } else if let Command::Report(report) = &mut command {
        report.facts.card = report.facts.card.as_ref().map(of);
    }
    command
}

/// The slips of a round, without hidden hands.
fn told(table: &Table, open: CardSet) -> Vec<BoxSettlement> {
    let Phase::Finished(finished) = &table.round.phase else { return Vec::new() };
    let mut slips = finished.boxes.clone();
    for slip in &mut slips {
        let hand = finished.play.hands.get(&slip.seat);
        if hand.is_none_or(|hand| hand.cards.iter().any(|card| !open.contains(*card))) {
            slip.hand = None;
        }
    }
    slips
}

/// Whose cards are hidden.
fn whose(table: &Table, open: CardSet, all_hidden: &[Card]) -> Vec<String> {
    let Phase::Finished(finished) = &table.round.phase else { return Vec::new() };
    let play = &finished.play;
    let hidden = |cards: &[Card]| cards.iter().any(|card| !open.contains(*card));
    let boxes =
        play.hands.iter().filter(|(_, hand)| hidden(&hand.cards)).map(|(seat, _)| format!("box {seat}"));
    let mut whose: Vec<String> = boxes.collect();
    for (cards, of) in
        [(&play.board, "the board"), (&play.dealer, "the dealer"), (&play.burnt, "the burnt cards")]
    {
        if hidden(cards) {
            whose.push(of.to_owned());
        }
    }
    let out = play.cards_out();
    if all_hidden.iter().any(|card| !out.contains(*card)) {
        whose.push("the cards taken off".to_owned());
    }
    whose
}
