//! Replay of a table: every command is decided again, and every card is compared with the promised deck.

use baize_cards::Card;
use baize_rules::{BoxNumber, Money};
use baize_table::{Event, decide};
use serde::{Deserialize, Serialize};

use super::{Award, DrawnAward, Findings, duties, jackpots, links};
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

/// What the audit tracks besides the table's state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Beside {
    /// Cents in play according to the ledger.
    in_play: i64,
    /// Cards of the round, in order.
    dealt: Vec<Card>,
    /// Promises of recent rounds and the next one: round, hash, and whether the deck was revealed.
    promises: Vec<(u32, String, bool)>,
    /// Awards drawn but not yet paid to their boxes.
    drawn: Vec<(BoxNumber, Money)>,
    /// Awards drawn that may still be returned: jackpot, hit and round.
    awarded: Vec<(String, u64, u32)>,
    /// Expected summary of the last finished round.
    line: Option<RoundRow>,
}

impl TableReplay {
    pub(super) fn new(id: TableId) -> TableReplay {
        TableReplay { id, live: None, beside: Beside::default() }
    }

    /// The table's state between rounds.
    pub(super) fn between_rounds(&self) -> Option<BetweenRounds> {
        self.live.as_ref().map(LiveTable::between_rounds)
    }

    /// Replays an entry and returns the ledger lines that it should have.
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
            self.replay_command(step, findings)?;
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
                            "table {} uses a rulebook that is not built into this program: {}, SHA-256 {hash}",
                            self.id, book.id
                        ));
                    }
                    self.live = Some(LiveTable::new((**config).clone(), book));
                }
                let live = self.live.as_mut().ok_or("the table was not set up")?;
                if !previous_setting_is_right(fact, &live.config) {
                    return Err("the previous setting that it states was not set".to_owned());
                }
                let stood = ledger::ChipsBefore::of(fact, &live.table);
                live.apply(fact, entry.at, entry.version);
                ledger::at_table(&self.id, &stood, fact, &live.table, &mut moves);
                self.check(fact, entry, findings, &mut wagers)?;
            }
            // The summary of a finished round is rewritten by each command on it, until the next round opens.
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
                "{staked} cents are on the table, but {} are in play according to the ledger",
                self.beside.in_play
            ));
        }
        links::add(entry, wagers, findings);
        Ok(moves.postings())
    }

    /// Decides the command again and compares the events.
    fn replay_command(&self, step: &Step, findings: &mut Findings) -> Result<(), String> {
        let Some(command) = &step.command else {
            return if step.facts.iter().any(|fact| fact.round().is_some()) {
                Err("it has events of a round without a command".to_owned())
            } else {
                Ok(())
            };
        };
        let live = self.live.as_ref().ok_or("the table was not set up")?;
        let found: Vec<&Event> = step.facts.iter().filter_map(TableFact::round).collect();
        match decide(&live.book, &live.table, command) {
            Ok(events) if events.iter().collect::<Vec<_>>() == found => {
                findings.count("commands replayed", 1);
                Ok(())
            }
            Ok(_) => Err("its command gives different events from those recorded".to_owned()),
            Err(refusal) => Err(format!("its command is refused: {refusal}")),
        }
    }

    /// Checks a fact that has just been applied.
    fn check(
        &mut self,
        fact: &TableFact,
        entry: &Entry,
        findings: &mut Findings,
        wagers: &mut Vec<(BoxNumber, i64)>,
    ) -> Result<(), String> {
        if let TableFact::ShuffleWithdrawn { round, commitment } = fact {
            if !self.beside.promises.iter().any(|(of, hash, _)| of == round && hash == commitment) {
                return Err("it withdraws a promise that was never made".to_owned());
            }
            self.beside.promises.retain(|(other, ..)| other != round);
        } else if let TableFact::ShufflePrepared { round, commitment } = fact {
            self.beside.promises.retain(|(other, ..)| other != round);
            self.beside.promises.push((*round, commitment.clone(), false));
        } else if let TableFact::ShuffleRevealed { round, salt, deck } = fact {
            self.told(*round, salt, deck)?;
            findings.count("shuffles proved", 1);
        } else if let Some(round) = fact.opened() {
            self.finish_before(round, findings);
        }
        self.award(fact, entry, findings)?;
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

    /// Tracks awards drawn from the jackpot. The table pays only awards that were drawn.
    fn award(&mut self, fact: &TableFact, entry: &Entry, findings: &mut Findings) -> Result<(), String> {
        let live = self.live.as_ref().ok_or("the table was not set up")?;
        let back = matches!(fact, TableFact::AwardReturned { .. });
        if let TableFact::AwardDrawn { jackpot, hit, seat, amount, from_meter }
        | TableFact::AwardReturned { jackpot, hit, seat, amount, from_meter } = fact
        {
            let (table, round) = (self.id.to_string(), u64::from(live.table.round.number));
            let award = Award { table, round, seat: *seat, amount: *amount, from_meter: *from_meter };
            let told = DrawnAward { place: entry.place(), award };
            jackpots::drawn(jackpot.as_str(), *hit, told, back, findings);
            if !back {
                self.beside.drawn.push((*seat, *amount));
                self.beside.awarded.push((jackpot.to_string(), *hit, live.table.round.number));
            }
        } else if let Some(Event::JackpotPaid { payments }) = fact.round() {
            for paid in payments.iter().filter(|paid| !paid.amount.is_zero()) {
                let drawn = self.beside.drawn.iter().position(|drawn| *drawn == (paid.seat, paid.amount));
                let no_award =
                    || format!("it pays box {} an award of {} that was never drawn", paid.seat, paid.amount);
                self.beside.drawn.remove(drawn.ok_or_else(no_award)?);
            }
        }
        Ok(())
    }

    /// The revealed deck is the promised one, and the round was dealt from its top.
    fn told(&mut self, round: u32, salt: &str, deck: &[Card]) -> Result<(), String> {
        let promised = self.beside.promises.iter_mut().find(|(other, ..)| *other == round);
        let (_, promised, told) = promised.ok_or("it reveals a deck that was never promised")?;
        *told = true;
        if !promised_by(promised, salt, deck) {
            return Err(format!("the deck revealed for round {round} is not the promised one"));
        }
        if !deck.starts_with(&self.beside.dealt) {
            return Err(format!("round {round} was not dealt from the promised deck"));
        }
        Ok(())
    }

    /// A round opens: rounds before the last one can no longer change.
    fn finish_before(&mut self, round: u32, findings: &mut Findings) {
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

    /// The end of the chain.
    pub(super) fn end(self, findings: &mut Findings) {
        findings.kept.line(self.beside.line);
        for promise in self.beside.promises {
            findings.kept.deck(&self.id, promise);
        }
    }
}

/// Whether the previous setting that a change states is the current one.
fn previous_setting_is_right(fact: &TableFact, now: &TableConfig) -> bool {
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
