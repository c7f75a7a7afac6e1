//! Cash over the counter: every report that was due was opened and filed with the right sums, and every drawer count says what moved.

use std::collections::BTreeMap;

use baize_rules::Money;

use super::Findings;
use baize_house::record::{HouseFact, PurseFact};
use baize_house::{CASH_REPORT, Date, PlayerId};
use baize_journal::Entry;

/// One movement over the counter.
#[derive(Debug, Clone)]
struct Moved {
    number: u64,
    place: String,
    cashier: String,
    /// The gaming day that it counts for; entries of older programs say none.
    day: Option<Date>,
    buy_in: bool,
    amount: Money,
}

/// What the house's chain says of cash.
#[derive(Debug, Clone)]
struct Noted {
    number: u64,
    place: String,
    fact: HouseFact,
}

/// All of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Cash {
    moved: BTreeMap<PlayerId, Vec<Moved>>,
    noted: Vec<Noted>,
}

fn sums<'a>(moved: impl Iterator<Item = &'a Moved>) -> (Money, Money) {
    moved.fold((Money::ZERO, Money::ZERO), |(cash_in, cash_out), one| {
        if one.buy_in { (cash_in + one.amount, cash_out) } else { (cash_in, cash_out + one.amount) }
    })
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
        let moved = Moved { number, place, cashier, day, buy_in, amount };
        self.moved.entry(player.clone()).or_default().push(moved);
    }

    /// A fact of the house's chain.
    pub(super) fn house(&mut self, fact: &HouseFact, entry: &Entry) {
        if matches!(
            fact,
            HouseFact::CashReportDue { .. }
                | HouseFact::CashReportFiled { .. }
                | HouseFact::DrawerCounted { .. }
        ) {
            self.noted.push(Noted { number: entry.number, place: entry.place(), fact: fact.clone() });
        }
    }

    /// Whether a report of this player and day was open before an entry: opened, and not filed since.
    fn is_open(&self, player: &PlayerId, day: Date, before: u64) -> bool {
        let of = self.noted.iter().filter(|noted| noted.number < before);
        of.fold(false, |open, noted| {
            if let HouseFact::CashReportDue { player: of, day: on } = &noted.fact {
                open || (of == player && *on == day)
            } else if let HouseFact::CashReportFiled { player: of, day: on, .. } = &noted.fact {
                open && !(of == player && *on == day)
            } else {
                open
            }
        })
    }

    /// What is wrong: the place and the words.
    fn faults(&mut self) -> Vec<(String, String)> {
        self.noted.sort_by_key(|noted| noted.number);
        self.moved.values_mut().for_each(|moved| moved.sort_by_key(|one| one.number));
        let mut faults = Vec::new();
        for (player, moved) in &self.moved {
            let mut days: BTreeMap<Date, (Money, Money)> = BTreeMap::new();
            for one in moved {
                let Some(day) = one.day else { continue };
                let (cash_in, cash_out) = days.entry(day).or_default();
                *(if one.buy_in { &mut *cash_in } else { &mut *cash_out }) += one.amount;
                if (*cash_in).max(*cash_out) >= CASH_REPORT && !self.is_open(player, day, one.number) {
                    faults.push((
                        one.place.clone(),
                        format!("no cash transaction report of {day} was opened with it"),
                    ));
                }
            }
        }
        let mut drawers: BTreeMap<&str, (Money, u64)> = BTreeMap::new();
        for Noted { number, place, fact } in &self.noted {
            let mut fault = |what: String| faults.push((place.clone(), what));
            if let HouseFact::CashReportFiled { player, day, cash_in, cash_out, .. } = fact {
                if !self.is_open(player, *day, *number) {
                    fault(format!("no cash transaction report of {player} and {day} was due"));
                }
                let moved = self.moved.get(player).into_iter().flatten();
                let right = sums(moved.filter(|one| one.number < *number && one.day == Some(*day)));
                // Movements of older programs say no day: what they were filed with cannot be worked out again.
                let all_say = self.moved.get(player).into_iter().flatten().all(|one| one.day.is_some());
                if all_say && right != (*cash_in, *cash_out) {
                    fault(format!(
                        "it was filed with {cash_in} in and {cash_out} out; the journal says {} and {}",
                        right.0, right.1
                    ));
                }
            } else if let HouseFact::DrawerCounted {
                cashier,
                opening,
                cash_in,
                cash_out,
                kept,
                through,
                ..
            } = fact
            {
                let (left, after) = drawers.insert(cashier.as_str(), (*kept, *through)).unwrap_or_default();
                let own = |one: &&Moved| one.cashier == cashier.as_str();
                let since = |one: &&Moved| one.number > after && one.number <= *through;
                let right = sums(self.moved.values().flatten().filter(own).filter(since));
                if left != *opening
                    || right != (*cash_in, *cash_out)
                    || *through < after
                    || *through >= *number
                {
                    fault(format!(
                        "the drawer of {cashier} held {left}, {} came in and {} went out; the count says {opening}, {cash_in} and {cash_out}",
                        right.0, right.1
                    ));
                }
            }
        }
        faults
    }
}

/// Holds what the house says of cash against what moved.
pub(super) fn check(findings: &mut Findings) {
    let mut cash = std::mem::take(&mut findings.cash);
    findings.count(
        "cash movements",
        u64::try_from(cash.moved.values().map(Vec::len).sum::<usize>()).unwrap_or(0),
    );
    for (place, what) in cash.faults() {
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

    fn noted(number: u64, fact: HouseFact) -> Noted {
        Noted { number, place: format!("house {number}"), fact }
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

    /// The places of what is wrong.
    fn check(moved: &[Moved], noted: &[Noted], wrong: &[&str]) {
        let mut cash = Cash { moved: BTreeMap::from([(rita(), moved.to_vec())]), noted: noted.to_vec() };
        let places: Vec<String> = cash.faults().into_iter().map(|(place, _)| place).collect();
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
    fn a_count_goes_on_from_the_one_before() {
        let all = [moved(2, true, 100), moved(3, false, 30), moved(6, true, 50)];
        check(&all, &[noted(4, count(0, 100, 30, 20, 3)), noted(7, count(20, 50, 0, 0, 6))], &[]);
        check(&all, &[noted(4, count(0, 100, 30, 20, 3)), noted(7, count(70, 50, 0, 0, 6))], &["house 7"]);
        check(&all, &[noted(4, count(0, 90, 30, 20, 3))], &["house 4"]);
        check(&all, &[noted(4, count(0, 150, 30, 20, 6))], &["house 4"]);
    }
}
