//! Hits that are locked but not yet paid, in the order of their turns across tables.
//!
//! While hits are pending, the meter continues at its lowered or reset value. Their amounts are computed from the value at
//! which the first of them came in, in the order of turns: as entered (MH, MB, MS 3.14), or as dealt (RH 4.5, RS 4.5.2). A
//! hit whose hands were dealt earlier can therefore still go before one that was reported first, and when a hit is rejected,
//! those behind it move up. A paid amount never changes.
//!
//! Contributions that arrive while hits are pending count for hits entered after them: a hit is paid from the sign as it was
//! when the hit was entered. A hit that goes before an earlier report takes over the value that the report had locked.

use baize_rules::{AwardChoice, Cites, Claim, JackpotRules, Money, OpenPoint, Readings};
use serde::{Deserialize, Serialize};

use crate::draw::chosen;
use crate::{
    Change, Exact, Jackpot, Meter, PaidFrom, Parameters, PayFault, Payment, Pools, Price, pay_registered,
    value_of,
};

/// The amount that the system had registered when a fault caught a round (RH 5.17.1, RS 5.18.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registered {
    /// What was displayed.
    pub amount: Money,
    /// The paragraphs under which the round continued.
    pub cites: Cites,
}

/// A round with hits that draw from the meter, or the part of it with the same turn: if winners across tables are paid in the
/// order of the deal, a round has one part for each place of its boxes in that order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingRound {
    /// The table.
    pub table: String,
    /// The number of its round.
    pub round: u64,
    /// Its place in the order across tables: smaller is earlier.
    pub turn: u64,
    /// The prescribed wager at the time.
    pub prescribed: Money,
    /// The amount to pay from, if a fault caught the round.
    pub registered: Option<Registered>,
    /// What had been added to the pools since the contest began when the round was entered.
    pub added: Pools,
    /// The hits, including those that the house pays.
    pub hits: Vec<u64>,
}

impl PendingRound {
    /// Whether it is a part of this round.
    pub(crate) fn is_of(&self, table: &str, round: u64) -> bool {
        self.table == table && self.round == round
    }
}

/// What the pending rounds have done to the meter since the first of them came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// The meter that they leave, without what was added since the contest began.
    pub value: Exact,
    /// The reserve that they leave, without what was added since.
    pub reserve: Exact,
    /// What went out of the meter to winners.
    pub paid: Exact,
    /// The meter was won: a waiting change of parameters takes effect.
    pub won: bool,
}

impl Resolution {
    /// Nothing has been drawn.
    pub(crate) fn none(opening: &Meter) -> Resolution {
        Resolution { value: opening.value(), reserve: opening.reserve(), paid: Exact::ZERO, won: false }
    }
}

/// The rounds whose hits are pending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    /// The meter from which the first turn is paid.
    pub opening: Meter,
    /// How much of the additions it already includes.
    pub opening_added: Pools,
    /// What has been added to the pools since the contest began, by wagers or otherwise.
    pub added: Pools,
    /// The rounds, by turn.
    pub rounds: Vec<PendingRound>,
    /// What they have done to the meter.
    pub resolution: Resolution,
    /// The previous parameters, and the change that took effect with a pending hit.
    pub applied: Option<(Parameters, Change)>,
}

/// The amounts of all hits in the order of turns.
pub(crate) struct Resolved {
    pub(crate) prices: Vec<Price>,
    pub(crate) resolution: Resolution,
    /// The meter after the last round, and how much of the additions it includes.
    pub(crate) meter: Meter,
    pub(crate) added: Pools,
}

/// Computes pending rounds in the order of turns, from a meter that includes this much of the additions. Those `behind` are
/// not computed, but may have been entered earlier.
pub(crate) fn resolve(
    jackpot: &Jackpot,
    opening: &Meter,
    opening_added: Pools,
    rounds: &[PendingRound],
    behind: &[PendingRound],
) -> Result<Resolved, PayFault> {
    let mut meter = opening.clone();
    let mut added = opening_added;
    let mut prices = Vec::new();
    let mut paid = Exact::ZERO;
    let mut won = false;
    let across = rounds.first().is_some_and(|first| {
        rounds.iter().chain(behind).any(|other| !other.is_of(&first.table, first.round))
    });
    let mut left = rounds;
    while let Some((now, after)) = together(left) {
        if draws(jackpot, &now) {
            lock(jackpot, &mut meter, &mut added, left.iter().chain(behind));
            for (hit, mut payment) in payments(jackpot, &now, &mut meter)? {
                if across
                    && let Some(table) = jackpot.tables.get(&now.table)
                    && jackpot.hit(hit).is_some_and(|hit| hit.ordered)
                {
                    payment.cites = payment.cites.and(table.link.rules.across_tables.cites);
                }
                paid += Exact::from(payment.from_meter);
                won |= payment.reset.is_some();
                prices.push(Price { hit, payment });
            }
        }
        left = after;
    }
    let (value, reserve) = (meter.value() - added.meter, meter.reserve() - added.reserve);
    Ok(Resolved { prices, resolution: Resolution { value, reserve, paid, won }, meter, added })
}

/// The parts at the front that belong to one round, merged, because they are paid in the order of their table; and the
/// parts behind them.
pub(crate) fn together(rounds: &[PendingRound]) -> Option<(PendingRound, &[PendingRound])> {
    let first = rounds.first()?;
    let parts = rounds.iter().take_while(|part| part.is_of(&first.table, first.round)).count();
    let (now, after) = rounds.split_at(parts);
    let turn = now.last()?.turn;
    let mut hits: Vec<u64> = now.iter().flat_map(|part| part.hits.iter().copied()).collect();
    hits.sort_unstable();
    Some((PendingRound { turn, hits, ..first.clone() }, after))
}

/// The meter from which the round at the front is paid, and its hits.
pub(crate) fn first_turn(jackpot: &Jackpot) -> Option<PaidFrom> {
    let contest = jackpot.contest.as_ref()?;
    let (now, _) = together(&contest.rounds).filter(|(now, _)| draws(jackpot, now))?;
    let (mut meter, mut added) = (contest.opening.clone(), contest.opening_added);
    lock(jackpot, &mut meter, &mut added, contest.rounds.iter());
    Some(PaidFrom { meter, hits: now.hits })
}

/// Adds what had come in when the first of these was entered. That one locked the value, whether it is the round whose turn it is
/// or one behind it.
fn lock<'a>(
    jackpot: &Jackpot,
    meter: &mut Meter,
    added: &mut Pools,
    rounds: impl Iterator<Item = &'a PendingRound>,
) {
    let entered = rounds.filter(|round| draws(jackpot, round)).min_by_key(|round| round.hits.first());
    if let Some(&PendingRound { added: now, .. }) = entered {
        meter.add_while_pending(now.meter - added.meter, now.reserve - added.reserve);
        *added = now;
    }
}

/// Whether a hit of this round still draws from the meter.
fn draws(jackpot: &Jackpot, round: &PendingRound) -> bool {
    round.hits.iter().filter_map(|id| jackpot.hit(*id)).any(|hit| hit.ordered && hit.stands())
}

/// Pays the rest of a round's hits from this meter.
pub(crate) fn payments(
    jackpot: &Jackpot,
    round: &PendingRound,
    meter: &mut Meter,
) -> Result<Vec<(u64, Payment)>, PayFault> {
    let Some(table) = jackpot.tables.get(&round.table) else { return Ok(Vec::new()) };
    let hits: Vec<(u64, Claim)> = round
        .hits
        .iter()
        .filter_map(|id| jackpot.hit(*id))
        .filter(|hit| hit.stands())
        .map(|hit| (hit.id, hit.claim))
        .collect();
    // Which of several awards is paid (I-2) was chosen when the round was entered, and does not change.
    let claims: Vec<Claim> = hits.iter().map(|(_, claim)| Claim { made: 0, ..*claim }).collect();
    let (rules, readings) = (&table.link.rules, &table.link.readings);
    let amount = round.registered.map(|registered| registered.amount);
    let mut payments = pay_registered(rules, readings, meter, amount, round.prescribed, &claims)?;
    if let Some(registered) = round.registered {
        for payment in &mut payments {
            payment.cites = payment.cites.and(registered.cites);
        }
    }
    let hit = |payment: &Payment| hits.iter().find(|(_, claim)| claim.seat == payment.seat).copied();
    let mut paid = Vec::with_capacity(payments.len());
    for mut payment in payments {
        let (id, claim) = hit(&payment).ok_or(PayFault::NoWager { seat: payment.seat })?;
        if choice_mattered(rules, readings, round.prescribed, &claim, &payment) {
            payment.interpretation = Some(OpenPoint::AwardChoice);
        }
        paid.push((id, payment));
    }
    Ok(paid)
}

/// Whether the other reading of I-2 would have paid this hand a different amount.
fn choice_mattered(
    rules: &JackpotRules,
    readings: &Readings,
    prescribed: Money,
    claim: &Claim,
    payment: &Payment,
) -> bool {
    let award_choice = match readings.award_choice {
        AwardChoice::HighestRanking => AwardChoice::HighestPaying,
        AwardChoice::HighestPaying => AwardChoice::HighestRanking,
    };
    let other = chosen(rules, &Readings { award_choice, ..*readings }, payment.shown, prescribed, *claim);
    let worth = |claim: &Claim| {
        let award = rules.awards.get(claim.award)?;
        value_of(award, readings, payment.shown, prescribed, claim).ok()
    };
    other.award != claim.award && worth(&other) != worth(claim)
}
