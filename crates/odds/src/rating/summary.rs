//! Many rated hands together: of a player, a session, a table or a day.

use baize_rules::Money;
use schemars::JsonSchema;
use serde::Serialize;

use super::{RatedHand, Suspicion};
use crate::Fraction;

/// Figures are added in parts of a cent this small, so that sums of a year keep every digit that is shown.
const PARTS_OF_A_CENT: i128 = 1_000_000_000;

/// Hands, or hours of play, from which a rate is told.
const RATE_HANDS: u64 = 20;
const RATE_HOURS: f64 = 1.0 / 6.0;

/// What many hands come to. Amounts are those of ante and raises; the handle counts every wager.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Hands.
    pub hands: u64,
    /// All that was wagered, side wagers included.
    pub handle: Money,
    /// Decisions.
    pub decisions: u64,
    /// Decisions that cost something.
    pub mistakes: u64,
    /// What they cost, in dollars.
    pub mistake_cost: String,
    /// What the house expects to win from this very play, in dollars: the edge against best play, and the mistakes.
    pub theoretical_win: String,
    /// What the house won.
    pub actual_win: Money,
    /// How far the player did better than their play deserves, in standard deviations.
    pub luck: f64,
    /// The average ante.
    pub average_ante: Money,
    /// Hands in an hour, where times are known: after 20 hands or 10 minutes of play.
    pub hands_an_hour: Option<f64>,
    /// Whether departures from best play agree with hidden cards more often than chance allows. The player is not told.
    pub suspicion: Option<Suspicion>,
}

impl Summary {
    /// The figures of these hands, played in so many hours if that is known.
    ///
    /// The luck is (actual − theoretical) / √(Σ ante² σ²), with σ² the variance of best play: that of other play is much the same.
    #[must_use]
    pub fn of(hands: &[RatedHand], hours: Option<f64>) -> Summary {
        let (mut cost, mut theoretical, mut spread) = (0i128, 0i128, 0.0);
        for hand in hands {
            let cents = i128::from(hand.ante.cents());
            let parts = |antes: Fraction| antes.in_parts(cents * PARTS_OF_A_CENT);
            let mistakes: i128 = hand.decisions.iter().map(|decision| parts(decision.cost)).sum();
            cost += mistakes;
            theoretical += mistakes - parts(hand.base);
            spread += hand.variance * (hand.ante.cents() as f64).powi(2);
        }
        let count = hands.len() as u64;
        let actual_win: Money = hands.iter().map(|hand| Money::from_cents(-hand.net.cents())).sum();
        let antes: i64 = hands.iter().map(|hand| hand.ante.cents()).sum();
        let theoretical_cents = theoretical as f64 / PARTS_OF_A_CENT as f64;
        let better = theoretical_cents - actual_win.cents() as f64;
        let decisions = || hands.iter().flat_map(|hand| &hand.decisions);
        Summary {
            hands: count,
            handle: hands.iter().map(|hand| hand.staked).sum(),
            decisions: decisions().count() as u64,
            mistakes: decisions().filter(|decision| decision.is_mistake()).count() as u64,
            mistake_cost: dollars(cost),
            theoretical_win: dollars(theoretical),
            actual_win,
            luck: if spread > 0.0 { better / spread.sqrt() } else { 0.0 },
            average_ante: Money::from_cents(antes / i64::try_from(count.max(1)).unwrap_or(i64::MAX)),
            hands_an_hour: hours.filter(|hours| enough(count, *hours)).map(|hours| count as f64 / hours),
            suspicion: Some(Suspicion::of(hands)),
        }
    }
}

/// Whether a rate says something: a single quick hand would be a thousand an hour.
fn enough(hands: u64, hours: f64) -> bool {
    hours > 0.0 && (hands >= RATE_HANDS || hours >= RATE_HOURS)
}

fn dollars(parts: i128) -> String {
    Fraction::new(parts, 100 * PARTS_OF_A_CENT).decimal(4)
}
