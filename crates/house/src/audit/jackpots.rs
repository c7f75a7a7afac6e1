//! Replaying a jackpot: every request answered again, its pools reconciled, its contributions held against the tables' wagers.

use baize_jackpot::{Event, Jackpot, decide, evolve};

use super::Findings;
use crate::JackpotId;
use crate::facts::JackpotStep;
use crate::journal::{Entry, Posting};
use crate::ledger::{self, Movements};

pub(super) struct JackpotReplay {
    id: JackpotId,
    state: Jackpot,
}

impl JackpotReplay {
    pub(super) fn new(id: JackpotId) -> JackpotReplay {
        JackpotReplay { id, state: Jackpot::default() }
    }

    pub(super) const fn state(&self) -> &Jackpot {
        &self.state
    }

    /// Replays an entry and gives the ledger entries that it should have.
    pub(super) fn entry(
        &mut self,
        entry: &Entry,
        steps: &[JackpotStep],
        findings: &mut Findings,
    ) -> Result<Vec<Posting>, String> {
        let mut moves = Movements::default();
        let mut counted = Vec::new();
        for step in steps {
            match decide(&self.state, &step.command) {
                Ok(events) if events == step.events => findings.count("jackpot requests answered again", 1),
                Ok(_) => return Err("its request leads to other events than those on record".to_owned()),
                Err(refusal) => return Err(format!("its request is refused: {refusal}")),
            }
            for event in &step.events {
                let before = std::mem::take(&mut self.state);
                self.state = evolve(before.clone(), event);
                ledger::at_jackpot(&self.id, &before, event, &self.state, &mut moves);
                if let Event::BetsClosed { contributions, .. } = event {
                    counted.extend(contributions.iter().map(|made| (made.seat, made.wager.cents())));
                    findings.count("contributions", u64::try_from(contributions.len()).unwrap_or(0));
                }
            }
        }
        self.state.reconcile().map_err(|imbalance| imbalance.to_string())?;
        findings.count("meters reconciled", 1);
        match (&entry.link, counted.is_empty()) {
            (None, true) => {}
            (None, false) => return Err("its contributions belong to no table's entry".to_owned()),
            (Some(link), nothing) => {
                let table = findings
                    .entries
                    .get_mut(link)
                    .ok_or("the table's entry that it belongs to is missing")?;
                if !nothing {
                    if table.wagers != counted && !(table.answered && table.wagers.is_empty()) {
                        return Err(format!("its contributions are not the wagers of {}", table.place));
                    }
                    table.answered = true;
                }
            }
        }
        Ok(moves.postings())
    }

    /// What the jackpot's account should hold: all that came in less what was handed over.
    pub(super) fn end(&self, findings: &mut Findings) {
        let name = self.id.to_string();
        let drawn = findings.drawn.get(&name).copied().unwrap_or(0);
        let should = ledger::came_in(&self.state).cents() - drawn;
        let account = ledger::fund(&self.id);
        let holds = findings.accounts.get(&account).copied().unwrap_or(0);
        if holds != should {
            findings
                .fault(account, format!("{holds} cents went into it and the jackpot accounts for {should}"));
        }
        findings.count("jackpots", 1);
    }
}
