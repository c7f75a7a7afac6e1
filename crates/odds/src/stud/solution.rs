//! Complete results of stud under a strategy: bets, outcomes, cost.

use baize_cards::HandClass;

use super::{StudGame, StudOutcome, StudPosition, StudTable};
use crate::{DeckSpec, Fraction, Variance, choose};

/// Results of the hands of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassTotals {
    /// Rounds that were folded.
    pub folded: i64,
    /// Rounds that were bet, by outcome in the order of [`StudOutcome::ALL`].
    pub bet: [i64; 4],
}

impl ClassTotals {
    /// All rounds that were bet.
    #[must_use]
    pub fn bets(&self) -> i64 {
        self.bet.iter().sum()
    }
}

/// Exact totals over one cycle: every hand of the player, every face-up card, every completion of the dealer's hand.
#[derive(Debug, Clone)]
pub struct StudSolution {
    /// The game.
    pub game: StudGame,
    /// By class of the player's hand, lowest first.
    pub classes: [ClassTotals; 10],
}

impl StudSolution {
    /// Best play on the main wagers.
    #[must_use]
    pub fn optimal(deck: DeckSpec, game: &StudGame) -> StudSolution {
        StudSolution::optimal_with(deck, game, &[Fraction::ZERO; 10])
    }

    /// Best play if a bet also keeps something worth `kept` (by class of the hand, in the game's unit) that a fold would forfeit: a jackpot
    /// that only those who bet can win.
    #[must_use]
    pub fn optimal_with(deck: DeckSpec, game: &StudGame, kept: &[Fraction; 10]) -> StudSolution {
        StudSolution::play(deck, game, |position| {
            let class = position.value.class();
            let counts = position.counts();
            let kept = kept[class as usize];
            let gain = i128::from(game.bet_sum(class, counts) - game.fold_sum(counts));
            gain * kept.denominator() + kept.numerator() * i128::from(counts.total()) > 0
        })
    }

    /// Any strategy: `bets` returns whether to bet.
    #[must_use]
    pub fn play(
        deck: DeckSpec,
        game: &StudGame,
        bets: impl Fn(&StudPosition) -> bool + Sync,
    ) -> StudSolution {
        StudTable::new(deck, game, bets).solution(|_, _, bets| bets)
    }

    /// All rounds of a cycle: C(52, 5) · 47 · C(46, 4) for a whole deck.
    #[must_use]
    pub fn cycle(&self) -> i64 {
        self.classes.iter().map(|totals| totals.folded + totals.bets()).sum()
    }

    /// Rounds that were folded.
    #[must_use]
    pub fn folded(&self) -> i64 {
        self.classes.iter().map(|totals| totals.folded).sum()
    }

    /// The share of the hands of each class that were folded, lowest class first.
    #[must_use]
    pub fn folded_shares(&self) -> [Fraction; 10] {
        self.classes.map(|totals| Fraction::new(totals.folded, totals.folded + totals.bets()))
    }

    /// The net results with the number of rounds of each, over the cycle: (net in the game's unit, rounds).
    pub fn outcomes(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        HandClass::ALL.into_iter().zip(&self.classes).flat_map(move |(class, totals)| {
            let bets = StudOutcome::ALL
                .into_iter()
                .map(move |outcome| (self.game.net(outcome, class), totals.bet[outcome as usize]));
            std::iter::once((self.game.fold, totals.folded)).chain(bets)
        })
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

    /// The average of ante and bet, in antes.
    #[must_use]
    pub fn average_wager(&self) -> Fraction {
        let cycle = i128::from(self.cycle());
        let bets = cycle - i128::from(self.folded());
        let scale = i128::from(self.game.scale);
        Fraction::new(cycle * scale + bets * i128::from(self.game.bet), cycle * scale)
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

    /// Rounds in the cycle of a deck.
    #[must_use]
    pub fn cycle_of(deck: DeckSpec) -> i64 {
        let cards = deck.card_count();
        choose(cards, 5) * choose(cards - 5, 1) * choose(cards - 6, 4)
    }
}
