//! Complete results of hold'em under a strategy: the value of each starting hand, the wagers, the outcomes.

use super::game::HoldemGame;
use super::tables::{HoldemTables, RaisePosition, Sizes};
use super::totals::add_up;
use crate::{Fraction, Variance};

/// Results of the rounds on one path: turn wagered or checked, river wagered or checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathTotals {
    /// All rounds.
    pub rounds: i64,
    /// Rounds where the player's hand was higher, by its class; classes with equal payouts may be counted with the lowest of them.
    pub higher: [i64; 10],
    /// Rounds where it was lower.
    pub lower: i64,
}

impl PathTotals {
    fn add(&mut self, other: &PathTotals) {
        self.rounds += other.rounds;
        self.lower += other.lower;
        for (sum, rounds) in self.higher.iter_mut().zip(other.higher) {
            *sum += rounds;
        }
    }

    /// Rounds where the hands were equal.
    #[must_use]
    pub fn equal(&self) -> i64 {
        self.rounds - self.lower - self.higher.iter().sum::<i64>()
    }
}

/// Results of a starting hand that places the flop wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HandTotals {
    /// By whether the turn is wagered, then by whether the river is.
    pub paths: [[PathTotals; 2]; 2],
}

impl HandTotals {
    /// Rounds in the cycle with this starting hand.
    #[must_use]
    pub fn rounds(&self) -> i64 {
        self.paths.iter().flatten().map(|path| path.rounds).sum()
    }

    /// Rounds, and rounds in which the hand ranks lower than the dealer's, whatever was wagered.
    #[must_use]
    pub fn rounds_and_lower(&self) -> (i64, i64) {
        (self.rounds(), self.paths.iter().flatten().map(|path| path.lower).sum())
    }

    /// The net results with the number of rounds of each: (net in the game's unit, rounds).
    pub fn outcomes<'a>(&'a self, game: &'a HoldemGame) -> impl Iterator<Item = (i64, i64)> + 'a {
        (0..4usize).flat_map(move |path| {
            let (turn, river) = (path / 2, path % 2);
            let totals = &self.paths[turn][river];
            let sum = move |stay: i64, on_turn: i64, on_river: i64| {
                stay + if turn == 1 { on_turn } else { 0 } + if river == 1 { on_river } else { 0 }
            };
            let higher = (0..10).map(move |class| {
                let net = sum(game.stay.higher[class], game.turn.higher[class], game.river.higher[class]);
                (net, totals.higher[class])
            });
            let lower = (sum(game.stay.lower, game.turn.lower, game.river.lower), totals.lower);
            let equal = (sum(game.stay.equal, game.turn.equal, game.river.equal), totals.equal());
            higher.chain([lower, equal])
        })
    }

    /// The sum of the net results of placing the flop wager, in the game's unit, over [`HandTotals::rounds`].
    #[must_use]
    pub fn net(&self, game: &HoldemGame) -> i128 {
        self.outcomes(game).map(|(net, rounds)| i128::from(net) * i128::from(rounds)).sum()
    }
}

/// Exact totals over one cycle: hole cards, flop, turn, river, dealer's hole cards.
#[derive(Debug, Clone)]
pub struct HoldemSolution {
    /// The game.
    pub game: HoldemGame,
    /// Results of the flop wager for the 169 starting hands, by 13 × row + column, suited ones below the diagonal.
    pub hands: Vec<HandTotals>,
    /// Which of them are folded.
    pub folded: [bool; 169],
}

impl HoldemSolution {
    /// Best play on the main wagers.
    #[must_use]
    pub fn optimal(tables: &HoldemTables, game: &HoldemGame) -> HoldemSolution {
        let mut solution = HoldemSolution::play(tables, game, |p| p.gain > 0, |p| p.gain > 0);
        solution.fold_what_loses_more();
        solution
    }

    /// Folds the starting hands that lose more by staying.
    pub fn fold_what_loses_more(&mut self) {
        for (folded, hand) in self.folded.iter_mut().zip(&self.hands) {
            *folded = hand.net(&self.game) < i128::from(self.game.fold) * i128::from(hand.rounds());
        }
    }

    /// Any strategy for turn and river: the functions return whether to wager. They may depend on suits only through flushes and matching
    /// suits. No starting hand is folded: set [`HoldemSolution::folded`] for that.
    #[must_use]
    pub fn play(
        tables: &HoldemTables,
        game: &HoldemGame,
        turn: impl Fn(&RaisePosition<'_>) -> bool + Sync,
        river: impl Fn(&RaisePosition<'_>) -> bool + Sync,
    ) -> HoldemSolution {
        let hands = match &tables.sizes {
            Sizes::Two(sums) => add_up(sums, game, turn, river),
            Sizes::Five(sums) => add_up(sums, game, turn, river),
            Sizes::Ten(sums) => add_up(sums, game, turn, river),
        };
        HoldemSolution { game: game.clone(), hands, folded: [false; 169] }
    }

    /// The same starting hands with turn and river always or never wagered; nothing is counted again.
    #[must_use]
    pub fn whatever_the_cards(&self, turn: bool, river: bool) -> HoldemSolution {
        let mut solution = HoldemSolution { folded: [false; 169], ..self.clone() };
        for hand in &mut solution.hands {
            let mut paths = [[PathTotals::default(); 2]; 2];
            let all = &mut paths[usize::from(turn)][usize::from(river)];
            hand.paths.iter().flatten().for_each(|path| all.add(path));
            hand.paths = paths;
        }
        solution
    }

    /// All rounds of a cycle: C(52, 2) · C(50, 3) · 47 · 46 · C(45, 2) for a whole deck.
    #[must_use]
    pub fn cycle(&self) -> i64 {
        self.hands.iter().map(HandTotals::rounds).sum()
    }

    /// Rounds that were folded.
    #[must_use]
    pub fn folded_rounds(&self) -> i64 {
        self.hands.iter().zip(self.folded).filter(|(_, folded)| *folded).map(|(hand, _)| hand.rounds()).sum()
    }

    /// The net results with the number of rounds of each, over the cycle: (net in the game's unit, rounds).
    pub fn outcomes(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let played = self.hands.iter().zip(self.folded).filter(|(_, folded)| !folded);
        let played = played.flat_map(|(hand, _)| hand.outcomes(&self.game));
        std::iter::once((self.game.fold, self.folded_rounds())).chain(played)
    }

    /// What the player wins over the cycle, in the game's unit: negative if they lose.
    #[must_use]
    pub fn net(&self) -> i128 {
        self.outcomes().map(|(net, rounds)| i128::from(net) * i128::from(rounds)).sum()
    }

    /// The expected net result of a round in antes.
    #[must_use]
    pub fn expectation(&self) -> Fraction {
        Fraction::new(self.net(), i128::from(self.cycle()) * i128::from(self.game.scale))
    }

    /// The totals of all hands that are not folded, by path.
    #[must_use]
    pub fn paths(&self) -> [[i64; 2]; 2] {
        let mut sums = [[0; 2]; 2];
        for (hand, _) in self.hands.iter().zip(self.folded).filter(|(_, folded)| !folded) {
            for (sum, path) in sums.iter_mut().flatten().zip(hand.paths.iter().flatten()) {
                *sum += path.rounds;
            }
        }
        sums
    }

    /// The same with wins and losses: by whether the turn is wagered, then by whether the river is.
    #[must_use]
    pub fn played_paths(&self) -> [[PathTotals; 2]; 2] {
        let mut sums = [[PathTotals::default(); 2]; 2];
        for (hand, _) in self.hands.iter().zip(self.folded).filter(|(_, folded)| !folded) {
            for (sum, path) in sums.iter_mut().flatten().zip(hand.paths.iter().flatten()) {
                sum.add(path);
            }
        }
        sums
    }

    /// The average of all wagers of a round together, in antes.
    #[must_use]
    pub fn average_wager(&self) -> Fraction {
        let [[neither, river], [turn, both]] = self.paths();
        let stakes = [neither + river + turn + both, turn + both, river + both];
        let (cycle, scale) = (i128::from(self.cycle()), i128::from(self.game.scale));
        let raises = self.game.raises.iter().zip(stakes);
        let raised: i128 = raises.map(|(raise, rounds)| i128::from(*raise) * i128::from(rounds)).sum();
        Fraction::new(cycle * scale + raised, cycle * scale)
    }

    /// The expected loss for each unit wagered.
    #[must_use]
    pub fn element_of_risk(&self) -> Fraction {
        -self.expectation() * self.average_wager().reciprocal()
    }

    /// The variance of the net result in antes, exactly.
    #[must_use]
    pub fn variance(&self) -> Variance {
        Variance::of(self.outcomes(), self.game.scale)
    }
}
