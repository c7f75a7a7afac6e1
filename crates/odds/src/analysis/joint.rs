//! Main wagers and jackpot together, for an ante, a jackpot wager and a meter: the best play of the two, and from which meter on each
//! starting hand should be played.

use baize_rules::{Money, Rulebook, StartingHand};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::figures::{count, decimal};
use super::jackpot_wager::JackpotTerms;
use crate::holdem::{FlopFrom, HoldemSolution};
use crate::jackpot::{AwardCounts, JackpotWorth};
use crate::stud::{StudGame, StudSolution};
use crate::{DeckSpec, Fraction};

/// The best play of a starting hand with a jackpot wager.
#[derive(Debug, Clone)]
pub struct JointHand {
    /// The hand.
    pub hand: StartingHand,
    /// From which meter on it should be played.
    pub flop_from: FlopFrom,
    /// What the flop wager gains over a fold at the meter, jackpot included, in antes.
    pub gain: Fraction,
}

impl Serialize for JointHand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("hand", &self.hand)?;
        map.serialize_entry("best", if self.gain < Fraction::ZERO { "fold" } else { "flop" })?;
        map.serialize_entry("gain", &self.gain.decimal(super::PLACES))?;
        let from = match self.flop_from {
            FlopFrom::Always => "always".to_owned(),
            FlopFrom::Never => "never".to_owned(),
            FlopFrom::Meter(cents) => (cents * Fraction::new(1, 100)).decimal(2),
        };
        map.serialize_entry("flop_from_meter", &from)?;
        map.end()
    }
}

/// The joint optimum.
#[derive(Debug, Clone, Serialize)]
pub struct JointAnalysis {
    /// The ante.
    pub ante: Money,
    /// The jackpot wager.
    pub jackpot_wager: Money,
    /// The meter.
    pub meter: Money,
    /// The expected net result of ante, raises and jackpot wager together, in antes, with the best play of all.
    pub ev: Fraction,
    /// The part of ante and raises.
    #[serde(serialize_with = "decimal")]
    pub main_ev: Fraction,
    /// The part of the jackpot wager, in antes.
    #[serde(serialize_with = "decimal")]
    pub jackpot_ev: Fraction,
    /// The same if ante and raises are played without regard to the jackpot.
    #[serde(serialize_with = "decimal")]
    pub ev_of_main_play: Fraction,
    /// Rounds of the cycle that are played where best play without a jackpot would fold, less those the other way round.
    #[serde(serialize_with = "count")]
    pub rounds_changed: i64,
    /// Hold'em: the starting hands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starting_hands: Vec<JointHand>,
}

/// Ante, jackpot wager and meter.
#[derive(Debug, Clone, Copy)]
pub struct JointTerms {
    /// The ante.
    pub ante: Money,
    /// The jackpot wager and the meter.
    pub jackpot: JackpotTerms,
    /// The meter.
    pub meter: Money,
}

impl JointAnalysis {
    /// Of a hold'em game.
    #[must_use]
    pub fn holdem(
        rulebook: &Rulebook,
        solution: &HoldemSolution,
        counts: &AwardCounts,
        terms: JointTerms,
    ) -> JointAnalysis {
        let (rules, readings) = (&rulebook.jackpot, &rulebook.readings);
        let worth = JackpotWorth::of_kinds(counts, rules, readings, terms.jackpot.stakes(1));
        let per_ante = Fraction::from(terms.ante.cents()).reciprocal();
        let mut joint = solution.clone();
        joint.fold_with_jackpot(terms.ante, &worth, terms.meter);
        let jackpot = |solution: &HoldemSolution| {
            let folded = solution.folded.map(|folded| Fraction::from(i64::from(folded)));
            let value = JackpotWorth::overall(counts, &worth, &folded).at(terms.meter);
            (value - Fraction::from(terms.jackpot.wager.cents())) * per_ante
        };
        let starting_hands = StartingHand::all().map(|hand| {
            let worth = &worth[hand.index()];
            JointHand {
                hand,
                flop_from: solution.flop_from(hand, terms.ante, worth),
                gain: solution.flop_gain(hand, terms.ante, worth).at(terms.meter) * per_ante,
            }
        });
        JointAnalysis::new(
            terms,
            [joint.expectation(), jackpot(&joint)],
            solution.expectation() + jackpot(solution),
            solution.folded_rounds() - joint.folded_rounds(),
            starting_hands.collect(),
        )
    }

    /// Of a stud game whose amounts are cents.
    #[must_use]
    pub fn stud(
        rulebook: &Rulebook,
        solution: &StudSolution,
        game: &StudGame,
        counts: &AwardCounts,
        terms: JointTerms,
    ) -> JointAnalysis {
        let (rules, readings) = (&rulebook.jackpot, &rulebook.readings);
        let worth = JackpotWorth::of_kinds(counts, rules, readings, terms.jackpot.stakes(1));
        let kept = std::array::from_fn(|class| {
            worth.get(class).map_or(Fraction::ZERO, |worth| worth.stay.minus(worth.fold).at(terms.meter))
        });
        let per_ante = Fraction::from(terms.ante.cents()).reciprocal();
        let joint = StudSolution::optimal_with(DeckSpec::FULL, game, &kept);
        let jackpot = |solution: &StudSolution| {
            let value = JackpotWorth::overall(counts, &worth, &solution.folded_shares()).at(terms.meter);
            (value - Fraction::from(terms.jackpot.wager.cents())) * per_ante
        };
        JointAnalysis::new(
            terms,
            [joint.expectation(), jackpot(&joint)],
            solution.expectation() + jackpot(solution),
            solution.folded() - joint.folded(),
            Vec::new(),
        )
    }

    fn new(
        terms: JointTerms,
        [main_ev, jackpot_ev]: [Fraction; 2],
        ev_of_main_play: Fraction,
        rounds_changed: i64,
        starting_hands: Vec<JointHand>,
    ) -> JointAnalysis {
        JointAnalysis {
            ante: terms.ante,
            jackpot_wager: terms.jackpot.wager,
            meter: terms.meter,
            ev: main_ev + jackpot_ev,
            main_ev,
            jackpot_ev,
            ev_of_main_play,
            rounds_changed,
            starting_hands,
        }
    }
}
