//! Totals of rated hands of a player, a session, a table or a day.

use baize_rules::Money;
use schemars::JsonSchema;
use serde::Serialize;

use super::sessions::{RoundTime, hands_an_hour, hours};
use super::{Agreement, Evidence, RatedHand, Suspicion};
use crate::Fraction;

/// Figures are added in parts of a cent this small, so that sums of a year keep every digit that is shown.
const PARTS_OF_A_CENT: i128 = 1_000_000_000;

/// Totals of many hands. Amounts are for ante and raises; the handle includes every wager.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Hands.
    pub hands: u64,
    /// Total wagered, including side wagers.
    pub handle: Money,
    /// Decisions.
    pub decisions: u64,
    /// Decisions that cost something.
    pub mistakes: u64,
    /// Their cost, in dollars.
    pub mistake_cost: String,
    /// Expected win of the house against this play, in dollars: the edge against best play, plus the mistakes.
    pub theoretical_win: String,
    /// Actual win of the house.
    pub actual_win: Money,
    /// Luck: how far the result exceeds the expectation of the player's own play, in standard deviations.
    pub luck: f64,
    /// The average ante.
    pub average_ante: Money,
    /// Hands per hour; absent if times are unknown or less than ten minutes were played.
    pub hands_an_hour: Option<f64>,
    /// Whether departures from best play agree with hidden cards more often than chance allows. Not shown to the player.
    pub suspicion: Option<Suspicion>,
}

/// Running totals. Hands may come in any order and are not stored: a year of them would not fit into memory.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    hands: u64,
    handle: Money,
    actual_win: Money,
    decisions: u64,
    mistakes: u64,
    /// In cents.
    antes: i64,
    /// In parts of a cent.
    cost: i128,
    theoretical: i128,
    /// Σ ante² σ² in cents, in parts: a sum of decimals would depend on the order of the hands.
    spread: i128,
    /// Evidence grows in the order in which hands were played.
    departures: Vec<(RoundTime, Agreement)>,
    times: Vec<RoundTime>,
}

impl Tally {
    /// Adds a hand and the time of its round.
    pub fn add(&mut self, hand: &RatedHand, time: RoundTime) {
        let cents = hand.ante.cents();
        let parts = |antes: Fraction| antes.in_parts(i128::from(cents) * PARTS_OF_A_CENT);
        let cost: i128 = hand.decisions.iter().map(|decision| parts(decision.cost)).sum();
        self.hands += 1;
        self.handle += hand.staked;
        self.actual_win -= hand.net;
        self.antes += cents;
        self.cost += cost;
        self.theoretical += cost - parts(hand.base);
        self.spread += in_parts(hand.variance) * i128::from(cents).pow(2);
        self.decisions += hand.decisions.len() as u64;
        self.mistakes += hand.decisions.iter().filter(|decision| decision.is_mistake()).count() as u64;
        self.departures
            .extend(hand.decisions.iter().filter_map(|decision| Some((time, decision.agreement?))));
        self.times.push(time);
    }

    /// The totals.
    ///
    /// Luck is (theoretical − actual) / √(Σ ante² σ²), with σ² the variance of best play, which that of other play is close to.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let better = self.theoretical as f64 / PARTS_OF_A_CENT as f64 - self.actual_win.cents() as f64;
        let count = i64::try_from(self.hands.max(1)).unwrap_or(i64::MAX);
        let mut departures = self.departures.clone();
        departures.sort_by_key(|(time, departure)| (*time, departure.agreed, departure.expected));
        let mut evidence = Evidence::default();
        departures.into_iter().for_each(|(_, agreement)| evidence.add(agreement));
        Summary {
            hands: self.hands,
            handle: self.handle,
            decisions: self.decisions,
            mistakes: self.mistakes,
            mistake_cost: dollars(self.cost),
            theoretical_win: dollars(self.theoretical),
            actual_win: self.actual_win,
            luck: if self.spread > 0 {
                better / (self.spread as f64 / PARTS_OF_A_CENT as f64).sqrt()
            } else {
                0.0
            },
            average_ante: Money::from_cents(self.antes / count),
            hands_an_hour: hands_an_hour(self.hands, hours(&self.times)),
            suspicion: Some(evidence.suspicion()),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the variance of a round is a few antes")]
fn in_parts(variance: f64) -> i128 {
    (variance * PARTS_OF_A_CENT as f64).round() as i128
}

fn dollars(parts: i128) -> String {
    Fraction::new(parts, 100 * PARTS_OF_A_CENT).decimal(4)
}
