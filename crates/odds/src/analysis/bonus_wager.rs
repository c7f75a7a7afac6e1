//! The bonus wager: what it costs and how often each line is paid.

use baize_rules::{BonusAfterLoss, Money, Odds, Rulebook, StartingHand};
use serde::Serialize;

use super::figures::{count, decimal};
use crate::{BonusSolution, DeckSpec, Fraction, GameError};

/// One line of the bonus pay table.
#[derive(Debug, Clone, Serialize)]
pub struct BonusLineRow {
    /// What the line is called.
    pub line: String,
    /// What it pays.
    pub pays: Odds,
    /// The deals of both players' hole cards that it pays.
    #[serde(serialize_with = "count")]
    pub deals: i64,
    /// The share of deals.
    #[serde(serialize_with = "decimal")]
    pub probability: Fraction,
}

/// What the bonus wager costs.
#[derive(Debug, Clone, Serialize)]
pub struct BonusAnalysis {
    /// The expected net result of one unit wagered, in lowest terms.
    pub ev: Fraction,
    /// The expected loss of one unit wagered.
    #[serde(serialize_with = "decimal")]
    pub house_edge: Fraction,
    /// The share of deals that are paid.
    #[serde(serialize_with = "decimal")]
    pub hit_rate: Fraction,
    /// The standard deviation of the net result of one unit wagered.
    pub std_dev: String,
    /// All deals of the player's and the dealer's hole cards; of the whole round where the bonus is lost with the hand.
    #[serde(serialize_with = "count")]
    pub cycle: i64,
    /// The lines.
    pub lines: Vec<BonusLineRow>,
}

impl BonusAnalysis {
    /// The bonus of this game where best play folds these hands; with a wager in cents, maximum payouts count. `None` where the game has no
    /// bonus. `totals` says in how many rounds a starting hand is dealt and in how many of these it ranks lower than the dealer's: where the
    /// bonus is lost with the hand (I-1), the showdown counts.
    ///
    /// # Errors
    /// A wager beyond any table.
    pub fn new(
        rulebook: &Rulebook,
        wager: Option<Money>,
        folded: impl Fn(StartingHand) -> bool,
        totals: impl Fn(StartingHand) -> (i64, i64),
    ) -> Result<Option<BonusAnalysis>, GameError> {
        let Some(table) = &rulebook.bonus else { return Ok(None) };
        let solution = match wager {
            Some(wager) => BonusSolution::in_cents(DeckSpec::FULL, rulebook, wager, &folded)?,
            None => Some(BonusSolution::new(DeckSpec::FULL, table, &folded)?),
        };
        let solution = solution.map(|solution| match rulebook.readings.bonus_after_loss {
            BonusAfterLoss::HoleCards => solution,
            BonusAfterLoss::LostWithHand => solution.lost_with_hand(DeckSpec::FULL, table, folded, totals),
        });
        Ok(solution.map(|solution| {
            let cycle = solution.cycle();
            let lines = table.lines.iter().zip(&solution.lines).map(|(line, (_, deals))| BonusLineRow {
                line: line.name.clone(),
                pays: line.odds,
                deals: *deals,
                probability: Fraction::new(*deals, cycle),
            });
            let lines = lines.collect();
            BonusAnalysis {
                ev: solution.expectation(),
                house_edge: -solution.expectation(),
                hit_rate: solution.hit_rate(),
                std_dev: solution.variance().standard_deviation(super::PLACES),
                cycle,
                lines,
            }
        }))
    }
}
