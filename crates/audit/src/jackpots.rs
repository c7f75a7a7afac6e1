//! Replaying a jackpot: every request answered again, its pools reconciled, its contributions held against the tables' wagers and its
//! awards against what the tables handed over.

use std::collections::BTreeMap;

use baize_jackpot::{Event, Exact, Jackpot, decide, evolve};
use baize_rules::Money;

use super::{Award, AwardTold, Findings, duties};
use baize_house::JackpotId;
use baize_house::ledger::{self, Movements};
use baize_house::record::JackpotStep;
use baize_journal::{Entry, Posting};

pub(super) struct JackpotReplay {
    id: JackpotId,
    state: Jackpot,
    /// The awards that stand, by hit, and whether they are paid. The jackpot itself forgets old ones.
    awards: BTreeMap<u64, (Award, bool)>,
}

impl JackpotReplay {
    pub(super) fn new(id: JackpotId) -> JackpotReplay {
        JackpotReplay { id, state: Jackpot::default(), awards: BTreeMap::new() }
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
            duties::two_persons(&self.state, &step.command, entry.at, findings)?;
            match decide(&self.state, &step.command) {
                Ok(events) if events == step.events => findings.count("jackpot requests answered again", 1),
                Ok(_) => return Err("its request leads to other events than those on record".to_owned()),
                Err(refusal) => return Err(format!("its request is refused: {refusal}")),
            }
            for event in &step.events {
                let before = ledger::came_in(&self.state);
                self.state = evolve(std::mem::take(&mut self.state), event);
                ledger::at_jackpot(&self.id, event, ledger::came_in(&self.state) - before, &mut moves);
                self.award(event);
                self.moved(event, findings);
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

    /// Pools that left this jackpot for another, or came from one.
    fn moved(&self, event: &Event, findings: &mut Findings) {
        let own = self.id.to_string();
        if let Event::Closed { into, pools, .. } = event {
            findings.moved.entry((own, into.clone())).or_default().0 += pools.total();
        } else if let Event::PoolsReceived { from, pools } = event {
            findings.moved.entry((from.clone(), own)).or_default().1 += pools.total();
        }
    }

    /// Follows the awards from their entry.
    fn award(&mut self, event: &Event) {
        if let Event::HitsEntered { table, round, hits, .. } = event {
            for hit in hits {
                let (seat, nothing) = (hit.claim.seat, Money::ZERO);
                let award =
                    Award { table: table.clone(), round: *round, seat, amount: nothing, from_meter: nothing };
                self.awards.insert(hit.id, (award, false));
            }
        } else if let Event::HitsPriced { prices, .. } = event {
            for price in prices {
                if let Some((award, _)) = self.awards.get_mut(&price.hit) {
                    (award.amount, award.from_meter) = (price.payment.amount, price.payment.from_meter);
                }
            }
        } else if let Event::HitPaid { hit, .. } = event {
            if let Some((_, paid)) = self.awards.get_mut(hit) {
                *paid = true;
            }
        } else if let Event::HitRejected { hit, .. } | Event::HitReversed { hit, .. } = event {
            self.awards.remove(hit);
        }
    }

    /// Every award that a table drew is one that was paid, as it was paid, and was drawn once. And the jackpot's account holds the pools and
    /// the awards that are locked and not handed over: rounded up to the cent, because the pools keep fractions (I-6).
    pub(super) fn end(mut self, findings: &mut Findings) {
        let name = self.id.to_string();
        let of_ours = |key: &(String, u64)| key.0 == name;
        let keys: Vec<(String, u64)> = findings.awards.keys().filter(|key| of_ours(key)).cloned().collect();
        for key in keys {
            let told = findings.awards.remove(&key).unwrap_or_default();
            let hit = key.1;
            match drawn_once(hit, &told) {
                Err((place, what)) => findings.fault(place, what),
                Ok(None) => {}
                Ok(Some(told)) => match self.awards.remove(&hit) {
                    Some((award, true)) if award == told.award => {}
                    found => {
                        let what = not_as_paid(hit, &told.award, found.as_ref());
                        findings.fault(told.place.clone(), what);
                    }
                },
            }
            findings.count("awards held against the jackpot", 1);
        }
        let locked: Exact = self.awards.values().map(|(award, _)| Exact::from(award.from_meter)).sum();
        let should = (self.state.meter.pools().total() + locked).ceil().cents();
        let account = ledger::fund(&self.id);
        let holds = findings.accounts.get(&account).copied().unwrap_or(0);
        if holds != should {
            let what = format!(
                "{holds} cents went into it; meter, reserve, overflow and awards that wait are {should}"
            );
            findings.fault(account, what);
        }
        findings.count("jackpots", 1);
    }
}

/// The award as it was drawn last, unless it went back. It is drawn again only when it has gone back.
fn drawn_once(hit: u64, told: &[AwardTold]) -> Result<Option<&AwardTold>, (String, String)> {
    let mut drawn: Option<&AwardTold> = None;
    for next in told {
        let what = match (drawn, next.back) {
            (None, false) => {
                drawn = Some(next);
                continue;
            }
            (Some(last), true) if last.award == next.award => {
                drawn = None;
                continue;
            }
            (Some(_), false) => format!("the award of hit {hit} is drawn a second time"),
            (_, true) => format!("an award of hit {hit} goes back that was not drawn so"),
        };
        return Err((next.place.clone(), what));
    }
    Ok(drawn)
}

fn not_as_paid(hit: u64, drawn: &Award, found: Option<&(Award, bool)>) -> String {
    let words = |award: &Award| {
        format!(
            "table {}, round {}, box {}: {}, {} of it from the meter",
            award.table, award.round, award.seat, award.amount, award.from_meter
        )
    };
    match found {
        Some((award, true)) => {
            format!("the award of hit {hit} was drawn as {}; the jackpot paid {}", words(drawn), words(award))
        }
        Some((_, false)) => format!("the award of hit {hit} was drawn, and the jackpot has not paid it"),
        None => format!("an award of hit {hit} was drawn, and the jackpot has none that stands"),
    }
}
