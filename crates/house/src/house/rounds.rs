//! Finished rounds out of the journal: lists, replays, proofs, scripts.

use std::collections::BTreeSet;
use std::sync::Arc;

use baize_cards::Card;
use baize_rules::{Area, Money, Percent};
use baize_script::{Expect, JackpotStood, Script, Statement};
use baize_table::describe::joined;
use baize_table::{Event, Phase, ResultKind, describe, view};

use super::records::MOST;
use super::{Answer, House};
use crate::facts::{Body, Step, TableFact};
use crate::journal::{Entry, RoundRow, Stream, stored};
use crate::live::LiveTable;
use crate::rulebooks::is_programs_own;
use crate::snapshots::State;
use crate::{Actor, Frame, HouseError, Instant, RoundFilter, RoundId, RoundLine, RoundRecord, ShuffleProof};

/// In thousandths of a second.
const AN_HOUR: i64 = 3_600_000;

/// A finished round out of the journal.
struct Past {
    row: RoundRow,
    /// The table as it stood before the round was opened.
    before: LiveTable,
    /// The steps of the round with their time and version.
    steps: Vec<(Entry, Step)>,
}

impl House {
    /// Finished rounds, newest first.
    ///
    /// # Errors
    /// Only those of the database.
    pub async fn rounds(&self, filter: &RoundFilter) -> Answer<Vec<RoundLine>> {
        let limit = Some(filter.limit.unwrap_or(50).min(MOST));
        let rows = self.inner.store.rounds(RoundFilter { limit, ..filter.clone() }).await?;
        rows.iter().map(line).collect()
    }

    /// A finished round with every step as this person may see it (an auditor sees all), slips and the proof of the shuffle.
    ///
    /// # Errors
    /// No such round, or it is not over.
    pub async fn round(&self, actor: &Actor, id: &RoundId) -> Answer<RoundRecord> {
        let past = self.past(id).await?;
        let mut live = past.before;
        let viewer = actor.viewer();
        let mut frames = Vec::new();
        for (entry, step) in &past.steps {
            let mut said = Vec::new();
            for fact in &step.facts {
                let before = view(&live.book, &live.table, &viewer);
                live.apply(fact, entry.at, entry.version);
                if let TableFact::Round(event) = fact {
                    let after = view(&live.book, &live.table, &viewer);
                    said.extend(describe(&live.book, event, &before, &after));
                }
            }
            if !said.is_empty() {
                let words: Vec<String> = joined(said).iter().map(ToString::to_string).collect();
                let round = view(&live.book, &live.table, &viewer);
                frames.push(Frame { at: entry.at, by: step.by.label(), words: words.join(" "), round });
            }
        }
        let Phase::Finished(finished) = &live.table.round.phase else {
            return Err(HouseError::UnknownRound(id.clone()));
        };
        let last = view(&live.book, &live.table, &viewer);
        Ok(RoundRecord {
            line: line(&past.row)?,
            outcome: finished.outcome.clone(),
            slips: last.slips,
            frames,
            proof: super::views::proof(&live).filter(|proof| proof.round == *id),
        })
    }

    /// The proof of the shuffle of a finished round.
    ///
    /// # Errors
    /// No such round, not over yet, or its cards were entered.
    pub async fn proof(&self, id: &RoundId) -> Answer<ShuffleProof> {
        let record = self.round(&Actor::Public, id).await?;
        record.proof.ok_or(HouseError::NotNow(
            "the cards of this round were entered from a real shoe: there is no promise",
        ))
    }

    /// The cards of a finished round in the order in which they came: for holding them against the proof.
    ///
    /// # Errors
    /// No such round.
    pub async fn dealt(&self, id: &RoundId) -> Answer<Vec<Card>> {
        let past = self.past(id).await?;
        Ok(dealt_cards(past.steps.iter().flat_map(|(_, step)| &step.facts)))
    }

    /// A finished round as a round script, which replays to the same settlement.
    ///
    /// # Errors
    /// No such round, or it is not over.
    pub async fn export(&self, id: &RoundId) -> Answer<String> {
        let past = self.past(id).await?;
        let events: Vec<Event> = past
            .steps
            .iter()
            .flat_map(|(_, step)| &step.facts)
            .filter_map(|fact| fact.round().cloned())
            .collect();
        let (stood, mut untold) = self.jackpot_stood(&past).await?;
        let mut script = Script::export(&past.before.book, &past.before.table, stood, &events)
            .map_err(|fault| HouseError::Corrupt(format!("round {id}: {fault}")))?;
        script.heading = vec![format!("Round {id}, {}, {}.", past.row.opened, past.row.outcome)];
        untold.extend(script.lines.iter().filter_map(|line| match &line.statement {
            Statement::Expect(Expect::Area { seat, result: ResultKind::Pending, .. }) => Some(*seat),
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
                "The award of box {} waits, or was paid after one of another table: it is not expected here.",
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
    async fn jackpot_stood(&self, past: &Past) -> Answer<(JackpotStood, BTreeSet<u8>)> {
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

    async fn past(&self, id: &RoundId) -> Answer<Past> {
        let unknown = || HouseError::UnknownRound(id.clone());
        let row = self.inner.store.round(id.table.as_str(), id.number).await?.ok_or_else(unknown)?;
        let stream = Stream::table(&id.table);
        let now = self.table_slot(&id.table)?.shown.get();
        let book = Arc::clone(&now.live.book);
        let kept = self.snapshot(&stream, row.first.saturating_sub(1), None).await?;
        let (mut before, mut after) = match kept {
            Some((head, State::Table(state))) if state.rulebook == book.hash => {
                (LiveTable::resumed(*state, book), head.version)
            }
            _ => (LiveTable::new(crate::TableConfig::clone(&now.live.config), book), 0),
        };
        let mut steps = Vec::new();
        while after < row.last {
            let entries = self.inner.store.read(&stream, after, 500).await?;
            let Some(last) = entries.last() else { break };
            after = last.version;
            for entry in entries {
                let Body::Table { steps: made, .. } = stored::read(&entry.body, &entry.place())? else {
                    continue;
                };
                for step in made {
                    let opened = step.facts.iter().find_map(TableFact::opened);
                    let begins = opened == Some(id.number);
                    let ends = opened.is_some_and(|number| number > id.number);
                    if ends {
                        return Ok(Past { row, before, steps });
                    }
                    if begins {
                        before.take_up_limits();
                    }
                    if begins || !steps.is_empty() {
                        steps.push((entry.clone(), step));
                    } else {
                        for fact in &step.facts {
                            if let Some((config, hash)) = fact.set_up()
                                && before.book.hash != hash
                            {
                                let (id, hash) = (config.rulebook.clone(), hash.to_owned());
                                return Err(HouseError::RulebookGone { id, hash });
                            }
                            before.apply(fact, entry.at, entry.version);
                        }
                    }
                }
            }
        }
        if steps.is_empty() { Err(unknown()) } else { Ok(Past { row, before, steps }) }
    }
}

/// The cards in the order in which they came out of the shoe.
pub(crate) fn dealt_cards<'a>(facts: impl Iterator<Item = &'a TableFact>) -> Vec<Card> {
    let mut dealt = Vec::new();
    for event in facts.filter_map(TableFact::round) {
        if let Event::CardBurnt { card, .. } = event {
            dealt.push(*card);
        } else if let Event::CardsDealt { cards, .. } = event {
            dealt.extend(cards);
        }
    }
    dealt
}

fn line(row: &RoundRow) -> Answer<RoundLine> {
    let damaged = |_| HouseError::Corrupt(format!("the line of round {}/{}", row.table, row.round));
    Ok(RoundLine {
        id: RoundId { table: row.table.parse().map_err(damaged)?, number: row.round },
        rulebook: row.rulebook.clone(),
        opened: row.opened,
        ended: row.ended,
        outcome: row.outcome.clone(),
        players: row.players.split(',').filter_map(|name| name.parse().ok()).collect(),
        staked: Money::from_cents(row.staked),
        won: Money::from_cents(row.won),
        contributed: Money::from_cents(row.contributed),
        awarded: Money::from_cents(row.awarded),
    })
}
