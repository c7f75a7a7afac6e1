//! Finished rounds as round scripts, with the cards that the reader may see.
//!
//! A script needs every card. Cards that the reader may not see are replaced by stand-ins that lead to the same settlement. They are
//! derived from the visible cards only, so they reveal nothing about the hidden ones. The script says which boxes have replaced cards.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::{Card, CardSet};
use baize_rules::{Area, BoxNumber, Money, Percent, Role};
use baize_script::{Expect, JackpotStood, Script, Statement};
use baize_table::{
    BoxSettlement, Command, Event, Phase, ResultKind, Ruling, RulingKind, Staff, Table, decide, evolve,
};

use super::round_privacy::Privacy;
use super::rounds::{LoadedRound, viewer_for};
use super::{Answer, House, hidden_cards};
use crate::boxed;
use crate::facts::{Body, Step, TableFact};
use crate::journal::Stream;
use crate::rulebooks::is_programs_own;
use crate::snapshots::State;
use crate::stored;
use crate::{Actor, HouseError, Instant, RoundId};

/// In milliseconds.
const HOUR_MS: i64 = 3_600_000;

impl House {
    /// A finished round as a round script with every card, which replays to the same settlement; for the owner of the database.
    ///
    /// # Errors
    /// No such round, or it is not over.
    #[boxed]
    pub async fn export(&self, id: &RoundId) -> Answer<String> {
        self.export_for(&Actor::House, id).await
    }

    /// A finished round as a round script, with stand-ins for the cards that this actor may not see.
    ///
    /// # Errors
    /// As [`House::export`]; another player's round; no stand-ins lead to the same settlement.
    #[boxed]
    pub async fn export_for(&self, actor: &Actor, id: &RoundId) -> Answer<String> {
        let past = self.load_round(id).await?;
        if self.privacy(actor, id, &past.players()) != Privacy::Everything {
            return Err(HouseError::NotYourRound);
        }
        let (events, hidden) = seen(actor, &past)?;
        let (stood, mut not_expected) = self.jackpot_before(&past).await?;
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
        not_expected.extend(script.lines.iter().filter_map(|line| match &line.statement {
            Statement::Expect(Expect::Area { seat, area: Area::Jackpot, result, .. }) => {
                let rejected = *result == ResultKind::Lose && claimed.contains(seat);
                (rejected || *result == ResultKind::Pending).then_some(*seat)
            }
            Statement::Expect(_) | Statement::SetUp(_) | Statement::Table { .. } | Statement::Step(_) => None,
        }));
        if !not_expected.is_empty() {
            script.lines.retain(|line| match &line.statement {
                Statement::Expect(
                    Expect::Area { seat, area: Area::Jackpot, .. } | Expect::Net { seat, .. },
                ) => !not_expected.contains(seat),
                Statement::Expect(_) | Statement::SetUp(_) | Statement::Table { .. } | Statement::Step(_) => {
                    true
                }
            });
            let boxes: Vec<String> = not_expected.iter().map(ToString::to_string).collect();
            script.heading.push(format!(
                "The award of box {} is pending, was rejected, or was paid after another table's: it is not expected here.",
                boxes.join(", ")
            ));
        }
        if !is_programs_own(&past.before.book) {
            script.heading.push(format!(
                "Played under the house's own rulebook: check and replay it with --rulebook FILE, SHA-256 {}.",
                past.before.book.hash
            ));
        }
        Ok(script.to_string())
    }

    /// The meter from which the round's awards were paid, or its value when the round ended. The script adds nothing to it, because other
    /// tables contributed to the same meter meanwhile. Also returns the boxes whose awards were paid later than the round's first ones,
    /// after another table's: no script of this table alone can reproduce those amounts.
    async fn jackpot_before(&self, past: &LoadedRound) -> Answer<(JackpotStood, BTreeSet<BoxNumber>)> {
        let usual = Money::from_dollars(100_000);
        let mut stood = JackpotStood { meter: usual, reset: usual, rate: Percent::ZERO };
        let mut later = BTreeSet::new();
        let Some(id) = &past.before.config.jackpot else { return Ok((stood, later)) };
        let links: Vec<&str> = past.steps.iter().map(|(entry, _)| entry.hash.as_str()).collect();
        // Clocks of several hosts differ by less than this.
        let (early, late) = (past.row.opened.0 - HOUR_MS, past.row.ended.0 + HOUR_MS);
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
                            // Earlier awards of other tables are paid: this is the round's turn.
                            stood.meter = state.paid_next().unwrap_or(contest.opening.displayed());
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

/// The events of a round with stand-ins for cards that the actor may not see, and whose cards are replaced.
fn seen(actor: &Actor, past: &LoadedRound) -> Answer<(Vec<Event>, Vec<String>)> {
    let steps = past.effective_steps();
    let facts = || steps.iter().flat_map(|step| &step.facts);
    let before = &past.before;
    let (commands, events, end) = in_script(past, &steps);
    let viewer = viewer_for(actor);
    let open = hidden_cards::visible_cards(&before.book, &end, &viewer);
    let dealt = super::dealt_cards(facts());
    let hidden: Vec<Card> = dealt.into_iter().filter(|card| !open.contains(*card)).collect();
    if hidden.is_empty() || viewer == baize_table::Viewer::Auditor {
        return Ok((events, Vec::new()));
    }
    let unseen: Vec<Card> = CardSet::FULL.difference(open).iter().collect();
    let right = visible_slips(&end, open);
    for turn in 0..unseen.len() {
        let stand_in = |at: usize| unseen.get((turn + at) % unseen.len()).copied();
        let map: BTreeMap<Card, Card> =
            hidden.iter().enumerate().filter_map(|(at, card)| Some((*card, stand_in(at)?))).collect();
        let Some(replayed) = replayed(past, &commands, &map) else { continue };
        let reached = replayed.iter().fold(before.table.clone(), evolve);
        // A stand-in is never a visible card.
        if visible_slips(&reached, open) == right {
            return Ok((replayed, owners_of_hidden(&end, open, &hidden)));
        }
    }
    Err(HouseError::NotNow("the script would reveal cards that were not shown: ask an auditor"))
}

/// The commands and events of a round for a script, and the table at its end. A bar that was lifted at another table is lifted here.
fn in_script(past: &LoadedRound, steps: &[&Step]) -> (Vec<Command>, Vec<Event>, Table) {
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

/// The ruling that lifts, in a script, a bar that was lifted at another table.
fn lifted(fact: &TableFact, table: &Table) -> Option<Command> {
    let TableFact::BarReached { player, barred: false } = fact else { return None };
    let kind = RulingKind::Lift(table.standing.barred.get(player)?.clone());
    let reason = Some("lifted at another table".to_owned());
    Some(Command::Rule(Ruling { kind, by: Staff::of(Role::ShiftManager), reason }))
}

/// The events of a round's commands with other cards, if they are all accepted.
fn replayed(past: &LoadedRound, commands: &[Command], map: &BTreeMap<Card, Card>) -> Option<Vec<Event>> {
    let mut table = past.before.table.clone();
    let mut events = Vec::new();
    for command in commands {
        let made = decide(&past.before.book, &table, &with_cards(command, map)).ok()?;
        table = made.iter().fold(table, evolve);
        events.extend(made);
    }
    Some(events)
}

/// A command with other cards.
fn with_cards(command: &Command, map: &BTreeMap<Card, Card>) -> Command {
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
fn visible_slips(table: &Table, open: CardSet) -> Vec<BoxSettlement> {
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
fn owners_of_hidden(table: &Table, open: CardSet, all_hidden: &[Card]) -> Vec<String> {
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
