//! Too good to be true: do a player's departures from best play agree with what they could not see?
//!
//! **The statistic.** A departure is a decision that costs something by what the player could see. In each hand the first departure counts, if
//! all cards became known: it is *proved right* or not by the hidden cards. K is the number that are proved right.
//!
//! **Its distribution.** Given what the player could see, the hidden cards are a random part of the deck whatever the player decided: unless they
//! saw more. So each departure of an honest player is proved right with a chance qᵢ that is counted exactly, independently of the
//! others, however well or badly they play. K is a sum of independent trials with chances qᵢ (Poisson binomial), and the chance of K or more is computed
//! exactly, term by term.
//!
//! **What it is for.** A small chance is a reason for a person to look at the record, never a verdict. [`ALERT`] is the chance below which the pit is told.
//! `Study` measures how many honest players are found by mistake and how soon one who sees a card is found.

use serde::Serialize;

use super::RatedHand;

/// The pit is told of a player whose departures would be proved right so often once in ten thousand honest players.
pub const ALERT: f64 = 1e-4;

/// What the departures say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Suspicion {
    /// Departures from best play that the hidden cards could prove right or wrong.
    pub departures: usize,
    /// How many they proved right.
    pub proved_right: usize,
    /// How many they prove right on average.
    pub expected: f64,
    /// The chance that an honest player with the same departures has so many proved right, or more.
    pub chance: f64,
}

impl Suspicion {
    /// What these hands say.
    #[must_use]
    pub fn of<'a>(hands: impl IntoIterator<Item = &'a RatedHand>) -> Suspicion {
        let first = |hand: &RatedHand| {
            let departure = hand.decisions.iter().find(|decision| decision.is_mistake())?;
            Some((departure.chance.to_f64(), departure.proved?))
        };
        Suspicion::from_trials(hands.into_iter().filter_map(first))
    }

    /// The same from chances and whether each was proved right.
    #[must_use]
    pub fn from_trials(trials: impl IntoIterator<Item = (f64, bool)>) -> Suspicion {
        let mut tail = Tail::default();
        trials.into_iter().for_each(|(chance, proved)| tail.add(chance, proved));
        tail.suspicion()
    }

    /// Whether a person should look at it.
    #[must_use]
    pub fn alerts(&self) -> bool {
        self.chance < ALERT
    }
}

/// The distribution of K as trials come in.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail {
    /// The chances of 0, 1, 2, … of the trials so far being proved right.
    of_count: Vec<f64>,
    proved: usize,
    expected: f64,
}

impl Tail {
    pub(super) fn add(&mut self, chance: f64, proved: bool) {
        if self.of_count.is_empty() {
            self.of_count.push(1.0);
        }
        self.of_count.push(0.0);
        for count in (0..self.of_count.len()).rev() {
            let one_less = if count == 0 { 0.0 } else { self.of_count[count - 1] };
            self.of_count[count] = self.of_count[count] * (1.0 - chance) + one_less * chance;
        }
        self.proved += usize::from(proved);
        self.expected += chance;
    }

    pub(super) fn suspicion(&self) -> Suspicion {
        let tail: f64 = self.of_count.iter().skip(self.proved).sum();
        Suspicion {
            departures: self.of_count.len().saturating_sub(1),
            proved_right: self.proved,
            expected: self.expected,
            chance: if self.of_count.is_empty() { 1.0 } else { tail.clamp(0.0, 1.0) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_that_of_coins() {
        // Ten fair coins, nine or more heads: 11 of 1,024.
        let nine = Suspicion::from_trials((0..10).map(|n| (0.5, n < 9)));
        assert!((nine.chance - 11.0 / 1024.0).abs() < 1e-12);
        assert_eq!((nine.departures, nine.proved_right), (10, 9));
        // Two different chances: both right with 0.2 · 0.7.
        let both = Suspicion::from_trials([(0.2, true), (0.7, true)]);
        assert!((both.chance - 0.14).abs() < 1e-12);
        assert!((Suspicion::from_trials([]).chance - 1.0).abs() < 1e-12);
    }
}
