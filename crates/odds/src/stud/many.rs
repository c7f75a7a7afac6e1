//! Best play of several stud games in one pass over all positions: they differ in payouts, not in what can happen.

use super::{StudGame, StudSolution, survey};
use crate::{DeckSpec, Fraction};

/// The expected net result of each game in antes, with its own best play.
#[must_use]
pub fn optimal_nets(deck: DeckSpec, games: &[&StudGame]) -> Vec<Fraction> {
    let mut nets = vec![0i128; games.len()];
    let mut left: Vec<usize> = (0..games.len()).collect();
    // The counts of the dealer's hands depend on the qualification: one survey for each such rule.
    while let Some(first) = left.first() {
        let from = games[*first].qualifies_from;
        let (now, later): (Vec<usize>, Vec<usize>) =
            left.into_iter().partition(|game| games[*game].qualifies_from == from);
        let rows = survey(deck, from, |sums: &mut Vec<i128>, position| {
            sums.resize(now.len(), 0);
            for (sum, game) in sums.iter_mut().zip(&now) {
                let (class, counts) = (position.value.class(), position.counts());
                let best = games[*game].bet_sum(class, counts).max(games[*game].fold_sum(counts));
                *sum += i128::from(best) * i128::from(position.deals);
            }
        });
        for (_, sums) in rows {
            for (game, sum) in now.iter().zip(sums) {
                nets[*game] += sum;
            }
        }
        left = later;
    }
    let cycle = i128::from(StudSolution::cycle_of(deck));
    nets.into_iter()
        .zip(games)
        .map(|(net, game)| Fraction::new(net, cycle * i128::from(game.scale)))
        .collect()
}
