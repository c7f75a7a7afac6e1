//! Replaying a table: every command decided again, every card held against the promised deck.

use baize_cards::Card;
use baize_rules::{BoxNumber, Money};
use baize_table::{Event, decide};
use serde::{Deserialize, Serialize};

use super::{Award, AwardTold, Findings, duties, jackpots, links};
use baize_house::ledger::{self, Movements};
use baize_house::record::{Step, TableFact, dealt_cards};
use baize_house::replay::{BetweenRounds, LiveTable, is_programs_own, promised_by};
use baize_house::{TableConfig, TableId};
use baize_journal::{Entry, Posting, RoundRow};

pub(super) struct TableReplay {
    id: TableId,
    pub(super) live: Option<LiveTable>,
    pub(super) beside: Beside,
}

/// What the audit of a table knows beside the table itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Beside {
    /// What lies in play by the ledger.
    in_play: i64,
    /// Cards of the round in the order in which they came.
    dealt: Vec<Card>,
    /// Promises of the last rounds and of the one to come: round, hash, and whether its deck was told.
    promises: Vec<(u32, String, bool)>,
    /// Awards that were drawn and not paid to their boxes yet.
    drawn: Vec<(BoxNumber, Money)>,
    /// Awards that were drawn and may still go back: jackpot, hit and round.
    awarded: Vec<(String, u64, u32)>,
    /// The line of the round that ended last, as it should be.
    line: Option<RoundRow>,
}

impl TableReplay {
    pub(super) fn new(id: TableId) -> TableReplay {
        TableReplay { id, live: None, beside: Beside::default() }
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
                    let book = findings
                        .known
                        .rulebooks
                        .find(&config.rulebook, hash)
                        .map_err(|error| error.to_string())?;
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
                let stood = ledger::ChipsBefore::of(fact, &live.table);
                live.apply(fact, entry.at, entry.version);
                ledger::at_table(&self.id, &stood, fact, &live.table, &mut moves);
                self.look_at(fact, &entry.place(), findings, &mut wagers)?;
            }
            // The line of a round that is over is written with each command on it, until the next one opens.
            let row = self.live.as_ref().and_then(|live| live.round_row(entry.version));
            if let (Some(row), Some(_)) = (row, &step.command) {
                if self.beside.line.as_ref().is_some_and(|line| line.round != row.round) {
                    findings.kept.line(self.beside.line.take());
                }
                self.beside.line = Some(row);
            }
        }
        self.beside.in_play += moves.of(&ledger::play(&self.id));
        let live = self.live.as_ref().ok_or("the table was not set up")?;
        let staked = ledger::staked(&live.table).cents();
        if self.beside.in_play != staked {
            return Err(format!(
                "{staked} cents lie on the table and {} are in play by the ledger",
                self.beside.in_play
            ));
        }
        links::add(entry, wagers, findings);
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
            if !self.beside.promises.iter().any(|(of, hash, _)| of == round && hash == commitment) {
                return Err("a promise is taken back that was not made".to_owned());
            }
            self.beside.promises.retain(|(other, ..)| other != round);
        } else if let TableFact::ShufflePrepared { round, commitment } = fact {
            self.beside.promises.retain(|(other, ..)| other != round);
            self.beside.promises.push((*round, commitment.clone(), false));
        } else if let TableFact::ShuffleRevealed { round, salt, deck } = fact {
            self.told(*round, salt, deck)?;
            findings.count("shuffles proved", 1);
        } else if let Some(round) = fact.opened() {
            self.beyond_change(round, findings);
        }
        self.award(fact, place, findings)?;
        let Some(event) = fact.round() else { return Ok(()) };
        if fact.opened().is_some() {
            self.beside.dealt.clear();
        }
        self.beside.dealt.extend(dealt_cards([fact].into_iter()));
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
            let told = AwardTold { place: place.to_owned(), award };
            jackpots::told(jackpot.as_str(), *hit, told, back, findings);
            if !back {
                self.beside.drawn.push((*seat, *amount));
                self.beside.awarded.push((jackpot.to_string(), *hit, live.table.round.number));
            }
        } else if let Some(Event::JackpotPaid { payments }) = fact.round() {
            for paid in payments.iter().filter(|paid| !paid.amount.is_zero()) {
                let drawn = self.beside.drawn.iter().position(|drawn| *drawn == (paid.seat, paid.amount));
                let no_award =
                    || format!("it pays box {} an award of {} that was not drawn", paid.seat, paid.amount);
                self.beside.drawn.remove(drawn.ok_or_else(no_award)?);
            }
        }
        Ok(())
    }

    /// The deck that is told is the one that was promised, and the cards of the round are its first.
    fn told(&mut self, round: u32, salt: &str, deck: &[Card]) -> Result<(), String> {
        let promised = self.beside.promises.iter_mut().find(|(other, ..)| *other == round);
        let (_, promised, told) = promised.ok_or("a deck is told that was never promised")?;
        *told = true;
        if !promised_by(promised, salt, deck) {
            return Err(format!("the deck told for round {round} is not the one that was promised"));
        }
        if !deck.starts_with(&self.beside.dealt) {
            return Err(format!("round {round} was not dealt from the promised deck"));
        }
        Ok(())
    }

    /// A round is opened: nothing changes what belongs to rounds before the last one any more.
    fn beyond_change(&mut self, round: u32, findings: &mut Findings) {
        let mut awarded = std::mem::take(&mut self.beside.awarded);
        awarded.retain(|(jackpot, hit, of)| {
            let open = of + 1 >= round;
            if !open {
                jackpots::settled(jackpot, *hit, findings);
            }
            open
        });
        self.beside.awarded = awarded;
        while let Some(at) = self.beside.promises.iter().position(|(of, ..)| of + 1 < round) {
            findings.kept.deck(&self.id, self.beside.promises.swap_remove(at));
        }
    }

    /// The chain ends here.
    pub(super) fn end(self, findings: &mut Findings) {
        findings.kept.line(self.beside.line);
        for promise in self.beside.promises {
            findings.kept.deck(&self.id, promise);
        }
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
