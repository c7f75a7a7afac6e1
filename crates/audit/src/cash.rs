//! Audit of cash at the cage: every cash transaction report that was due was opened and filed with the right sums, and every drawer count
//! matches the movements.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use baize_rules::Money;

use super::Findings;
use baize_house::record::{HouseFact, PurseFact};
use baize_house::{CASH_REPORT, Date, PlayerId};
use baize_journal::Entry;
use serde::{Deserialize, Serialize};

/// Days of a player's cash that are kept, unless their report is open.
const KEPT_DAYS: u32 = 60;
/// Movements of a drawer kept individually; older ones are summed.
const PENDING: usize = 4_096;

/// One buy-in or cash-out.
#[derive(Debug, Clone)]
struct Moved {
    number: u64,
    place: String,
    cashier: String,
    /// The gaming day; entries of older versions do not state it.
    day: Option<Date>,
    buy_in: bool,
    amount: Money,
}

/// Cash in and cash out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Sums {
    cash_in: Money,
    cash_out: Money,
}

impl Sums {
    fn add(&mut self, buy_in: bool, amount: Money) {
        *(if buy_in { &mut self.cash_in } else { &mut self.cash_out }) += amount;
    }
}

/// The cash of one player.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct OfPlayer {
    days: BTreeMap<Date, Sums>,
    /// Some movements have no day (older versions), so filed sums cannot be recomputed.
    undated: bool,
}

/// The drawer of one cashier.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Drawer {
    kept: Money,
    /// Number of the last movement counted.
    through: u64,
    /// Movements since then, the oldest ones summed.
    older: Sums,
    since: VecDeque<(u64, bool, Money)>,
}

impl Drawer {
    fn moved(&mut self, number: u64, buy_in: bool, amount: Money) {
        self.since.push_back((number, buy_in, amount));
        if self.since.len() > PENDING
            && let Some((_, buy_in, amount)) = self.since.pop_front()
        {
            self.older.add(buy_in, amount);
        }
    }

    /// Sums of the movements since the last count, up to a number.
    fn up_to(&mut self, through: u64) -> Sums {
        let mut sums = std::mem::take(&mut self.older);
        while let Some((_, buy_in, amount)) = self.since.pop_front_if(|(number, ..)| *number <= through) {
            sums.add(buy_in, amount);
        }
        sums
    }
}

/// Everything so far. Entries come in order of number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Cash {
    players: BTreeMap<PlayerId, OfPlayer>,
    /// Reports opened but not filed.
    open: BTreeSet<(PlayerId, Date)>,
    drawers: BTreeMap<String, Drawer>,
    /// Movements counted and faults found by this audit; not part of a checkpoint.
    #[serde(skip)]
    movements: u64,
    #[serde(skip)]
    faults: Vec<(String, String)>,
}

impl Cash {
    /// A fact of a player's chain.
    pub(super) fn purse(&mut self, player: &PlayerId, fact: &PurseFact, entry: &Entry) {
        let (buy_in, amount, day) = match fact {
            PurseFact::BoughtIn { amount, day, .. } => (true, *amount, *day),
            PurseFact::CashedOut { amount, day, .. } => (false, *amount, *day),
            PurseFact::PlayChipsGiven { .. }
            | PurseFact::ClaimBooked { .. }
            | PurseFact::ClaimCollected { .. }
            | PurseFact::ChipsReturned { .. } => return,
        };
        let (number, place) = (entry.number, entry.place());
        let cashier = entry.actor.strip_prefix("staff:").unwrap_or(&entry.actor).to_owned();
        self.moved(player, Moved { number, place, cashier, day, buy_in, amount });
    }

    fn moved(&mut self, player: &PlayerId, moved: Moved) {
        self.movements += 1;
        let Moved { number, place, cashier, day, buy_in, amount } = moved;
        self.drawers.entry(cashier).or_default().moved(number, buy_in, amount);
        let of = self.players.entry(player.clone()).or_default();
        let Some(day) = day else {
            of.undated = true;
            return;
        };
        let open = &self.open;
        if !of.days.contains_key(&day) {
            of.days
                .retain(|old, _| old.plus_days(KEPT_DAYS) >= day || open.contains(&(player.clone(), *old)));
        }
        let sums = of.days.entry(day).or_default();
        sums.add(buy_in, amount);
        if sums.cash_in.max(sums.cash_out) >= CASH_REPORT && !open.contains(&(player.clone(), day)) {
            self.faults.push((place, format!("no cash transaction report of {day} was opened with it")));
        }
    }

    /// A fact of the house's chain.
    pub(super) fn house(&mut self, fact: &HouseFact, entry: &Entry) {
        self.noted(fact, entry.number, || entry.place());
    }

    fn noted(&mut self, fact: &HouseFact, number: u64, place: impl Fn() -> String) {
        if let HouseFact::CashReportDue { player, day } = fact {
            self.open.insert((player.clone(), *day));
        } else if let HouseFact::CashReportFiled { player, day, cash_in, cash_out, .. } = fact {
            if !self.open.remove(&(player.clone(), *day)) {
                let what = format!("no cash transaction report of {player} and {day} was due");
                self.faults.push((place(), what));
            }
            let of = self.players.get(player);
            let right = of.and_then(|of| of.days.get(day)).copied().unwrap_or_default();
            let filed = Sums { cash_in: *cash_in, cash_out: *cash_out };
            if !of.is_some_and(|of| of.undated) && right != filed {
                let what = format!(
                    "it was filed with {cash_in} in and {cash_out} out; the journal says {} and {}",
                    right.cash_in, right.cash_out
                );
                self.faults.push((place(), what));
            }
        } else if let HouseFact::DrawerCounted {
            cashier, opening, cash_in, cash_out, kept, through, ..
        } = fact
        {
            let drawer = self.drawers.entry(cashier.to_string()).or_default();
            let (left, after) = (drawer.kept, drawer.through);
            let right = drawer.up_to(*through);
            (drawer.kept, drawer.through) = (*kept, *through);
            let counted = Sums { cash_in: *cash_in, cash_out: *cash_out };
            if left != *opening || right != counted || *through < after || *through >= number {
                let what = format!(
                    "the drawer of {cashier} held {left}, {} in and {} out; the count says {opening}, {cash_in} in and {cash_out} out",
                    right.cash_in, right.cash_out
                );
                self.faults.push((place(), what));
            }
        }
    }
}

/// Adds the results to the findings.
pub(super) fn end(findings: &mut Findings) {
    let cash = std::mem::take(&mut findings.cash);
    findings.count("cash movements", cash.movements);
    for (place, what) in cash.faults {
        findings.fault(place, what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day() -> Date {
        "2026-05-01".parse().unwrap()
    }

    fn moved(number: u64, buy_in: bool, dollars: i32) -> Moved {
        let amount = Money::from_dollars(dollars);
        let (place, cashier) = (format!("entry {number}"), "carl".to_owned());
        Moved { number, place, cashier, day: Some(day()), buy_in, amount }
    }

    fn noted(number: u64, fact: HouseFact) -> (u64, HouseFact) {
        (number, fact)
    }

    fn rita() -> PlayerId {
        "rita".parse().unwrap()
    }

    fn due() -> HouseFact {
        HouseFact::CashReportDue { player: rita(), day: day() }
    }

    fn filed(cash_in: i32) -> HouseFact {
        let (cash_in, cash_out) = (Money::from_dollars(cash_in), Money::ZERO);
        HouseFact::CashReportFiled { player: rita(), day: day(), reference: "R".into(), cash_in, cash_out }
    }

    fn count(opening: i32, cash_in: i32, cash_out: i32, kept: i32, through: u64) -> HouseFact {
        let [opening, cash_in, cash_out, kept] = [opening, cash_in, cash_out, kept].map(Money::from_dollars);
        let (cashier, counted) = ("carl".parse().unwrap(), opening + cash_in - cash_out);
        HouseFact::DrawerCounted { cashier, opening, cash_in, cash_out, counted, kept, through }
    }

    /// Expects faults at these places, in order.
    fn check(moved: &[Moved], noted: &[(u64, HouseFact)], wrong: &[&str]) {
        let mut cash = Cash::default();
        for number in 0..20 {
            for one in moved.iter().filter(|one| one.number == number) {
                cash.moved(&rita(), one.clone());
            }
            for (_, fact) in noted.iter().filter(|(of, _)| *of == number) {
                cash.noted(fact, number, || format!("house {number}"));
            }
        }
        let places: Vec<String> = cash.faults.into_iter().map(|(place, _)| place).collect();
        assert_eq!(places, wrong);
    }

    #[test]
    fn a_report_is_opened_with_the_movement_that_reaches_the_amount() {
        let all = [moved(2, true, 6_000), moved(4, false, 6_000), moved(6, true, 4_000), moved(8, true, 1)];
        check(&all, &[noted(5, due())], &[]);
        check(&all, &[], &["entry 6", "entry 8"]);
        check(&all, &[noted(7, due())], &["entry 6"]);
        check(&all[..2], &[], &[]);
        check(&[moved(2, false, 10_000)], &[], &["entry 2"]);
    }

    #[test]
    fn a_report_is_filed_once_with_what_moved() {
        let all = [moved(2, true, 10_000), moved(9, true, 5)];
        check(&all[..1], &[noted(1, due()), noted(3, filed(10_000))], &[]);
        check(&all[..1], &[noted(1, due()), noted(3, filed(9_000))], &["house 3"]);
        check(&all[..1], &[noted(1, due()), noted(3, filed(10_000)), noted(4, filed(10_000))], &["house 4"]);
        // What moves after the filing opens it again.
        check(&all, &[noted(1, due()), noted(3, filed(10_000))], &["entry 9"]);
        check(&all, &[noted(1, due()), noted(3, filed(10_000)), noted(8, due())], &[]);
    }

    #[test]
    fn a_count_continues_from_the_previous_one() {
        let all = [moved(2, true, 100), moved(3, false, 30), moved(6, true, 50)];
        check(&all, &[noted(4, count(0, 100, 30, 20, 3)), noted(7, count(20, 50, 0, 0, 6))], &[]);
        check(&all, &[noted(4, count(0, 100, 30, 20, 3)), noted(7, count(70, 50, 0, 0, 6))], &["house 7"]);
        check(&all, &[noted(4, count(0, 90, 30, 20, 3))], &["house 4"]);
        check(&all, &[noted(4, count(0, 150, 30, 20, 6))], &["house 4"]);
    }
}
