//! The meter over a simulation: contributions and awards in the order of the rounds.

use baize_jackpot::{Meter, pay};
use baize_rules::{Money, Percent, Rulebook};

use super::totals::{Moments, Totals};
use super::{JackpotPlan, Plan, SimulationError};

/// The meter and what it has paid so far.
pub(super) struct JackpotRun<'a> {
    book: &'a Rulebook,
    terms: JackpotPlan,
    boxes: u64,
    meter: Meter,
    /// Rounds whose wagers are in the meter.
    counted: u64,
    /// The first round of the next chunk.
    before: u64,
    /// Twice the sum of what the meter showed when bets closed, over all rounds, in cents.
    seen_twice: i128,
    /// What each award has paid: how often, and how much in cents.
    pub paid: Vec<(u64, i128)>,
    /// Paid from the meter, in cents.
    pub from_meter: i128,
    /// How often the meter went back to its reset value.
    pub resets: u64,
    /// The highest value that it has shown at a claim.
    pub highest: Money,
    /// The jackpot wager's net result, by rounds, as far as it differs from losing every wager.
    pub net: Moments,
    /// How the results of rounds with all wagers change with the awards.
    pub all: Moments,
}

impl<'a> JackpotRun<'a> {
    pub(super) fn new(plan: &Plan<'a>, terms: JackpotPlan) -> JackpotRun<'a> {
        JackpotRun {
            book: plan.rulebook,
            terms,
            boxes: u64::from(plan.boxes),
            meter: Meter::new(terms.meter, terms.reset),
            counted: 0,
            before: 0,
            seen_twice: 0,
            paid: vec![(0, 0); plan.rulebook.jackpot.awards.len()],
            from_meter: 0,
            resets: 0,
            highest: terms.meter,
            net: Moments::default(),
            all: Moments::default(),
        }
    }

    /// The chunk's wagers and claims. Chunks come in their order.
    pub(super) fn add(&mut self, chunk: &Totals) -> Result<(), SimulationError> {
        let lost = -self.wagers(1).cents();
        for claimed in &chunk.claims {
            self.contribute(self.before + claimed.round + 1);
            self.highest = self.highest.max(self.meter.displayed());
            let (rules, readings) = (&self.book.jackpot, &self.book.readings);
            let payments = pay(rules, readings, &mut self.meter, self.terms.wager, &claimed.claims)?;
            let mut total = 0;
            for payment in payments {
                let (times, amount) = &mut self.paid[payment.award];
                *times += 1;
                *amount += i128::from(payment.amount.cents());
                self.from_meter += i128::from(payment.from_meter.cents());
                self.resets += u64::from(payment.reset.is_some());
                total += payment.amount.cents();
            }
            self.net.change(lost, lost + total);
            self.all.change(claimed.net, claimed.net + total);
        }
        self.before += chunk.rounds;
        self.contribute(self.before);
        Ok(())
    }

    /// What the meter shows.
    pub(super) fn meter(&self) -> Money {
        self.meter.displayed()
    }

    /// What the meter showed on average when bets closed.
    pub(super) fn mean_meter(&self) -> Money {
        let mean = self.seen_twice / (2 * i128::from(self.counted)).max(1);
        Money::from_cents(i64::try_from(mean).unwrap_or(i64::MAX))
    }

    /// The wagers of all boxes in this many rounds.
    fn wagers(&self, rounds: u64) -> Money {
        let boxes = i64::try_from(self.boxes * rounds).unwrap_or(i64::MAX);
        Money::from_cents(self.terms.wager.cents().saturating_mul(boxes))
    }

    /// Wagers count when bets close. Shares of a wager are exact, so that many may be added as one.
    fn contribute(&mut self, up_to: u64) {
        let rounds = i128::from(up_to - self.counted);
        let wagers = self.wagers(up_to - self.counted);
        let before = i128::from(self.meter.displayed().cents());
        self.meter.contribute(wagers, self.terms.rate, Percent::ZERO);
        let after = i128::from(self.meter.displayed().cents());
        // n rounds raise the meter evenly from a to b. Round k closes at a + k (b − a) / n, and the sum over k is (n a + n b + b − a) / 2.
        self.seen_twice += rounds * (before + after) + after - before;
        self.counted = up_to;
    }
}
