//! Replaying a table: every command decided again, every card held against the promised deck.

use std::collections::BTreeSet;

use baize_cards::Card;
use baize_rules::{BoxNumber, Money};
use baize_table::{Event, decide};

use super::{Award, AwardTold, Findings, TableEntry, duties};
use crate::between::BetweenRounds;
use crate::facts::{Step, TableFact};
use crate::house::Answer;
use crate::journal::{Entry, Posting, Store};
use crate::ledger::{self, Movements};
use crate::live::LiveTable;
use crate::rulebooks::is_programs_own;
use crate::shoe::{Shuffled, promised_by};
use crate::{TableConfig, TableId};

pub(super) struct TableReplay {
    id: TableId,
    live: Option<LiveTable>,
    /// What lies in play by the ledger.
    in_play: i64,
    /// Cards of the round in the order in which they came.
    dealt: Vec<Card>,
    /// Promises: round and hash.
    promises: Vec<(u32, String)>,
    /// Rounds whose decks were told.
    told: BTreeSet<u32>,
    /// Awards that were drawn and not paid to their boxes yet.
    drawn: Vec<(BoxNumber, Money)>,
}

impl TableReplay {
    pub(super) fn new(id: TableId) -> TableReplay {
        TableReplay {
            id,
            live: None,
            in_play: 0,
            dealt: Vec::new(),
            promises: Vec::new(),
            told: BTreeSet::new(),
            drawn: Vec::new(),
        }
    }

    /// What the table would carry to its next round.
    pub(super) fn between_rounds(&self) -> Option<BetweenRounds> {
        self.live.as_ref().map(LiveTable::between_rounds)
    }

    /// Replays an entry and gives the ledger entries that it should have.
    pub(super) fn entry(
        &mut self,
        entry: &Entry,
        steps: &[Step],
        findings: &mut Findings,
    ) -> Result<Vec<Posting>, String> {
        let mut moves = Movements::default();
        let mut wagers = Vec::new();
        duties::entry_of_table(entry, steps, findings)?;
        let mut requested: duties::Requested = None;
        for step in steps {
            duties::at_table(step, self.live.as_ref(), &requested, entry.at, findings)?;
            requested = step.facts.iter().find_map(TableFact::requested);
            self.decided(step, findings)?;
            for fact in &step.facts {
                if let TableFact::SetUp { config, hash, .. } = fact {
                    let book =
                        findings.rulebooks.find(&config.rulebook, hash).map_err(|error| error.to_string())?;
                    findings.played.insert((book.id.clone(), hash.clone()));
                    if !is_programs_own(&book) {
                        findings.notes.push(format!(
                            "table {} is played under a rulebook that is not this program's own: {}, SHA-256 {hash}",
                            self.id, book.id
                        ));
                    }
                    self.live = Some(LiveTable::new((**config).clone(), book));
                }
                let live = self.live.as_mut().ok_or("the table was not set up")?;
                if !said_before(fact, &live.config) {
                    return Err("what it says was set before is not what was set".to_owned());
                }
                let stood = ledger::Stood::before(fact, &live.table);
                live.apply(fact, entry.at, entry.version);
                ledger::at_table(&self.id, &stood, fact, &live.table, &mut moves);
                self.look_at(fact, &entry.place(), findings, &mut wagers)?;
            }
            // The line of a round that is over is written with each command on it, until the next one opens.
            let row = self.live.as_ref().and_then(|live| live.round_row(entry.version));
            if let (Some(row), Some(_)) = (row, &step.command) {
                findings.rounds.insert((row.table.clone(), row.round), row);
            }
        }
        self.in_play += moves.of(&ledger::play(&self.id));
        let live = self.live.as_ref().ok_or("the table was not set up")?;
        let staked = ledger::staked(&live.table).cents();
        if self.in_play != staked {
            return Err(format!(
                "{staked} cents lie on the table and {} are in play by the ledger",
                self.in_play
            ));
        }
        let (place, number) = (entry.place(), entry.number);
        let matters = TableEntry { place, number, answered: wagers.is_empty(), wagers };
        findings.entries.insert(entry.hash.clone(), matters);
        Ok(moves.postings())
    }

    /// The command leads to the events on record.
    fn decided(&self, step: &Step, findings: &mut Findings) -> Result<(), String> {
        let Some(command) = &step.command else {
            return if step.facts.iter().any(|fact| fact.round().is_some()) {
                Err("it holds events of a round, and no command that led to them".to_owned())
            } else {
                Ok(())
            };
        };
        let live = self.live.as_ref().ok_or("the table was not set up")?;
        let found: Vec<&Event> = step.facts.iter().filter_map(TableFact::round).collect();
        match decide(&live.book, &live.table, command) {
            Ok(events) if events.iter().collect::<Vec<_>>() == found => {
                findings.count("commands decided again", 1);
                Ok(())
            }
            Ok(_) => Err("its command leads to other events than those on record".to_owned()),
            Err(refusal) => Err(format!("its command is refused: {refusal}")),
        }
    }

    /// Looks at a fact that has just been applied.
    fn look_at(
        &mut self,
        fact: &TableFact,
        place: &str,
        findings: &mut Findings,
        wagers: &mut Vec<(BoxNumber, i64)>,
    ) -> Result<(), String> {
        if let TableFact::ShuffleWithdrawn { round, commitment } = fact {
            if !self.promises.contains(&(*round, commitment.clone())) {
                return Err("a promise is taken back that was not made".to_owned());
            }
            self.promises.retain(|(other, _)| other != round);
        } else if let TableFact::ShufflePrepared { round, commitment } = fact {
            self.promises.retain(|(other, _)| other != round);
            self.promises.push((*round, commitment.clone()));
        } else if let TableFact::ShuffleRevealed { round, salt, deck } = fact {
            self.told(*round, salt, deck)?;
            self.told.insert(*round);
            findings.count("shuffles proved", 1);
        }
        self.award(fact, place, findings)?;
        let Some(event) = fact.round() else { return Ok(()) };
        if fact.opened().is_some() {
            self.dealt.clear();
        }
        self.dealt.extend(crate::house::dealt_cards([fact].into_iter()));
        if let Event::BetsClosed { jackpot } = event {
            wagers.extend(jackpot.iter().map(|(seat, amount)| (*seat, amount.cents())));
        }
        if let Event::RoundSettled { .. } | Event::RoundVoided { .. } = event {
            findings.count("rounds", 1);
        }
        Ok(())
    }

    /// Notes what the jackpot is said to have handed over. The table pays no award that was not drawn.
    fn award(&mut self, fact: &TableFact, place: &str, findings: &mut Findings) -> Result<(), String> {
        let live = self.live.as_ref().ok_or("the table was not set up")?;
        let back = matches!(fact, TableFact::AwardReturned { .. });
        if let TableFact::AwardDrawn { jackpot, hit, seat, amount, from_meter }
        | TableFact::AwardReturned { jackpot, hit, seat, amount, from_meter } = fact
        {
            let (table, round) = (self.id.to_string(), u64::from(live.table.round.number));
            let award = Award { table, round, seat: *seat, amount: *amount, from_meter: *from_meter };
            let told = AwardTold { place: place.to_owned(), award, back };
            findings.awards.entry((jackpot.to_string(), *hit)).or_default().push(told);
            if !back {
                self.drawn.push((*seat, *amount));
            }
        } else if let Some(Event::JackpotPaid { payments }) = fact.round() {
            for paid in payments.iter().filter(|paid| !paid.amount.is_zero()) {
                let drawn = self.drawn.iter().position(|drawn| *drawn == (paid.seat, paid.amount));
                let no_award =
                    || format!("it pays box {} an award of {} that was not drawn", paid.seat, paid.amount);
                self.drawn.remove(drawn.ok_or_else(no_award)?);
            }
        }
        Ok(())
    }

    /// The deck that is told is the one that was promised, and the cards of the round are its first.
    fn told(&self, round: u32, salt: &str, deck: &[Card]) -> Result<(), String> {
        let promised = self.promises.iter().find(|(other, _)| *other == round);
        let (_, promised) = promised.ok_or("a deck is told that was never promised")?;
        if !promised_by(promised, salt, deck) {
            return Err(format!("the deck told for round {round} is not the one that was promised"));
        }
        if !deck.starts_with(&self.dealt) {
            return Err(format!("round {round} was not dealt from the promised deck"));
        }
        Ok(())
    }

    /// Every deck that is kept is the one that was promised, and every promise has its deck.
    pub(super) async fn decks(&self, store: &dyn Store, findings: &mut Findings) -> Answer<()> {
        let rows = store.decks(self.id.as_str()).await;
        let Some(rows) = findings.readable(&format!("the decks of {}", self.id), rows)? else {
            return Ok(());
        };
        for (round, promised) in &self.promises {
            let place = format!("the deck of round {}/{round}", self.id);
            match rows.iter().find(|row| row.round == *round) {
                None => findings.fault(place, "it is missing"),
                // The journal tells the deck of a round that is over; one to come is its key's.
                Some(row) if row.sealed => {
                    let what = if self.told.contains(round) { "decks told" } else { "decks to come, sealed" };
                    findings.count(what, 1);
                }
                Some(row) => {
                    let kept = Shuffled::from_row(row);
                    if !kept.is_some_and(|deck| promised_by(promised, &deck.salt, &deck.deck)) {
                        findings.fault(place, "it was altered: it is not the one that was promised");
                    }
                }
            }
            findings.count("promises", 1);
        }
        for row in rows.iter().filter(|row| !self.promises.iter().any(|(round, _)| *round == row.round)) {
            findings.fault(format!("the deck of round {}/{}", row.table, row.round), "it was never promised");
        }
        Ok(())
    }
}

/// Whether what a change says was set before it is what was set.
fn said_before(fact: &TableFact, now: &TableConfig) -> bool {
    if let TableFact::PaceSet { before: Some(before), .. } = fact {
        *before == now.pace
    } else if let TableFact::ShoeSet { before: Some(before), .. } = fact {
        *before == now.shoe
    } else if let TableFact::LimitsSet { ante_before, bonus_before, .. } = fact {
        (*ante_before, *bonus_before) == (now.settings.ante, now.settings.bonus)
    } else {
        true
    }
}
