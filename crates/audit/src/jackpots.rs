//! Replay of a jackpot: every request is decided again, its pools are reconciled, its contributions are compared with the tables' wagers
//! and its awards with what the tables drew.

use baize_jackpot::{Event, Exact, Jackpot, decide, evolve};
use baize_rules::Money;

use super::{Award, AwardState, DrawnAward, Findings, duties, links};
use baize_house::JackpotId;
use baize_house::ledger::{self, Movements};
use baize_house::record::JackpotStep;
use baize_journal::{Entry, Posting};

pub(super) struct JackpotReplay {
    id: JackpotId,
    pub(super) state: Jackpot,
}

impl JackpotReplay {
    pub(super) fn new(id: JackpotId) -> JackpotReplay {
        JackpotReplay { id, state: Jackpot::default() }
    }

    pub(super) const fn state(&self) -> &Jackpot {
        &self.state
    }

    /// Replays an entry and returns the ledger lines that it should have.
    pub(super) fn entry(
        &mut self,
        entry: &Entry,
        steps: &[JackpotStep],
        findings: &mut Findings,
    ) -> Result<Vec<Posting>, String> {
        let mut moves = Movements::default();
        let mut counted = Vec::new();
        findings.totals.jackpot_before(&self.id, entry.at, &self.state);
        for step in steps {
            duties::two_persons(&self.state, &step.command, entry.at, findings)?;
            match decide(&self.state, &step.command) {
                Ok(events) if events == step.events => findings.count("jackpot requests replayed", 1),
                Ok(_) => return Err("its request gives different events from those recorded".to_owned()),
                Err(refusal) => return Err(format!("its request is refused: {refusal}")),
            }
            for event in &step.events {
                let before = ledger::came_in(&self.state);
                self.state = evolve(std::mem::take(&mut self.state), event);
                ledger::at_jackpot(&self.id, event, ledger::came_in(&self.state) - before, &mut moves);
                self.award(event, findings);
                self.moved(event, findings);
                if let Event::BetsClosed { contributions, .. } = event {
                    counted.extend(contributions.iter().map(|made| (made.seat, made.wager.cents())));
                    findings.count("contributions", u64::try_from(contributions.len()).unwrap_or(0));
                }
            }
        }
        findings.totals.jackpot_after(&self.id, entry.at, &self.state);
        self.state.reconcile().map_err(|imbalance| imbalance.to_string())?;
        findings.count("meters reconciled", 1);
        links::contributions(entry, &counted, findings)?;
        Ok(moves.postings())
    }

    /// Pools moved to or from another jackpot.
    fn moved(&self, event: &Event, findings: &mut Findings) {
        let own = self.id.to_string();
        if let Event::Closed { into, pools, .. } = event {
            findings.moved.entry((own, into.clone())).or_default().0 += pools.total();
        } else if let Event::PoolsReceived { from, pools } = event {
            findings.moved.entry((from.clone(), own)).or_default().1 += pools.total();
        }
    }

    /// Tracks awards from their hit. The jackpot itself drops old ones.
    fn award(&self, event: &Event, findings: &mut Findings) {
        let awards = &mut findings.awards;
        let key = |hit: u64| (self.id.to_string(), hit);
        if let Event::HitsEntered { table, round, hits, .. } = event {
            for hit in hits {
                let (seat, nothing) = (hit.claim.seat, Money::ZERO);
                let award =
                    Award { table: table.clone(), round: *round, seat, amount: nothing, from_meter: nothing };
                awards.entry(key(hit.id)).or_default().stands = Some((award, false));
            }
        } else if let Event::HitsPriced { prices, .. } = event {
            for price in prices {
                if let Some((award, _)) = awards.get_mut(&key(price.hit)).and_then(|of| of.stands.as_mut()) {
                    (award.amount, award.from_meter) = (price.payment.amount, price.payment.from_meter);
                }
            }
        } else if let Event::HitPaid { hit, .. } = event {
            if let Some((_, paid)) = awards.get_mut(&key(*hit)).and_then(|of| of.stands.as_mut()) {
                *paid = true;
            }
        } else if let Event::HitRejected { hit, .. } | Event::HitReversed { hit, .. } = event {
            let drawn = awards.get_mut(&key(*hit)).and_then(|of| {
                of.stands = None;
                of.drawn.as_ref()
            });
            if drawn.is_none() {
                awards.remove(&key(*hit));
            }
        }
    }

    /// The jackpot's account holds its pools and the locked awards not handed over, rounded up to the cent because pools keep fractions
    /// (I-6).
    pub(super) fn end(self, findings: &mut Findings) {
        let name = self.id.to_string();
        let own = findings.awards.range((name.clone(), 0)..=(name, u64::MAX));
        let locked: Exact = own
            .filter(|(_, of)| of.drawn.is_none())
            .filter_map(|(_, of)| of.stands.as_ref())
            .map(|(award, _)| Exact::from(award.from_meter))
            .sum();
        let should = (self.state.meter.pools().total() + locked).ceil().cents();
        let account = ledger::fund(&self.id);
        let holds = findings.accounts.get(&account).copied().unwrap_or(0);
        if holds != should {
            let what =
                format!("it holds {holds} cents; meter, reserve, overflow and pending awards are {should}");
            findings.fault(account, what);
        }
        findings.count("jackpots", 1);
    }
}

/// A table states that an award was drawn from its jackpot, or returned. An award can be drawn again only after it was returned.
pub(super) fn drawn(jackpot: &str, hit: u64, told: DrawnAward, back: bool, findings: &mut Findings) {
    let of = findings.awards.entry((jackpot.to_owned(), hit)).or_default();
    let what = match (&of.drawn, back) {
        (None, false) => {
            of.drawn = Some(told);
            return;
        }
        (Some(last), true) if last.award == told.award => {
            of.drawn = None;
            if of.stands.is_none() {
                findings.awards.remove(&(jackpot.to_owned(), hit));
            }
            return;
        }
        (Some(_), false) => format!("the award of hit {hit} was drawn twice"),
        (_, true) => format!("the award of hit {hit} is returned, but was not drawn like this"),
    };
    findings.fault(told.place, what);
}

/// The award can no longer be returned: it must have been paid as it was drawn.
pub(super) fn settled(jackpot: &str, hit: u64, findings: &mut Findings) {
    let key = (jackpot.to_owned(), hit);
    if findings.awards.get(&key).is_none_or(|of| of.drawn.is_none()) {
        return;
    }
    let Some(AwardState { stands, drawn: Some(told) }) = findings.awards.remove(&key) else { return };
    match stands {
        Some((award, true)) if award == told.award => {}
        found => {
            let what = not_as_paid(hit, &told.award, found.as_ref());
            findings.fault(told.place, what);
        }
    }
    findings.count("awards compared with the jackpot", 1);
}

/// Checks the last awards drawn.
pub(super) fn last_awards(findings: &mut Findings) {
    let keys: Vec<(String, u64)> = findings.awards.keys().cloned().collect();
    for (jackpot, hit) in keys {
        settled(&jackpot, hit, findings);
    }
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
        Some((_, false)) => format!("the award of hit {hit} was drawn, but the jackpot has not paid it"),
        None => format!("an award of hit {hit} was drawn, but the jackpot has no such award"),
    }
}
