//! Both choices of a decision with their exact values, from tables computed once per game.

use std::sync::{Arc, OnceLock};

use baize_cards::{Card, CardSet};
use baize_rules::{Family, Rulebook, StartingHand};

use crate::advice::Action;
use crate::holdem::{HoldemGame, HoldemSolution, HoldemTables};
use crate::stud::{SecondCard, StudGame, StudOutcome, StudPositions};
use crate::{Fraction, GameError, Solver};

/// What a player sees when they decide.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// Their cards.
    pub hand: &'a [Card],
    /// Stud: the dealer's face-up card.
    pub up: Option<Card>,
    /// Hold'em: none, three or four community cards.
    pub board: &'a [Card],
    /// Hold'em with four community cards: the turn wager was placed.
    pub turn_wagered: bool,
}

/// The two choices of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// Adding chips: bet, flop, turn or river.
    pub raise: Action,
    /// Not adding them: fold or check.
    pub instead: Action,
    /// The net result of the round in antes if chips are added.
    pub raise_value: Fraction,
    /// If not.
    pub instead_value: Fraction,
    /// Probability that the hidden cards prove the raise right, that is, it turns out better than the other choice.
    pub right: Fraction,
    /// Probability that they prove it wrong.
    pub wrong: Fraction,
}

impl Choices {
    /// Whether best play adds chips.
    #[must_use]
    pub fn raises(&self) -> bool {
        self.raise_value > self.instead_value
    }

    /// The best value.
    #[must_use]
    pub fn best(&self) -> Fraction {
        self.raise_value.max(self.instead_value)
    }

    /// The better choice, and the other.
    #[must_use]
    pub fn ordered(&self) -> (Action, Action) {
        if self.raises() { (self.raise, self.instead) } else { (self.instead, self.raise) }
    }

    /// The cost of the worse choice and the reason: "Folding costs 0.310 antes: you win 62 % of the time."
    #[must_use]
    pub fn why(&self) -> String {
        let percent = |share: Fraction| share.percent(0).replace('%', " %");
        let often = match (self.instead, self.raises()) {
            (Action::Fold, true) => format!("you win {} of the time", percent(self.right)),
            (Action::Fold, false) => format!("you lose {} of the time", percent(self.wrong)),
            _ => format!("you win {} of the time and lose {}", percent(self.right), percent(self.wrong)),
        };
        format!("{} costs {} antes: {often}.", self.ordered().1.doing(), self.gap().decimal(3))
    }

    /// The difference between the choices.
    #[must_use]
    pub fn gap(&self) -> Fraction {
        self.best() - self.raise_value.min(self.instead_value)
    }
}

/// One game, solved, with its positions.
#[derive(Debug, Clone)]
pub(super) enum Book {
    Stud {
        game: StudGame,
        positions: Arc<StudPositions>,
        /// Computed when the first departure is examined.
        second: Arc<OnceLock<SecondCard>>,
        base: Fraction,
        variance: f64,
    },
    Holdem {
        game: HoldemGame,
        tables: Arc<HoldemTables>,
        solution: Arc<HoldemSolution>,
        base: Fraction,
        variance: f64,
    },
}

impl Book {
    pub(super) fn new(solver: &mut Solver, rulebook: &Rulebook) -> Result<Book, GameError> {
        Ok(match rulebook.family {
            Family::Stud => {
                let game = StudGame::from_rulebook(rulebook, None)?;
                let solved = solver.stud(&game);
                let positions = Arc::new(StudPositions::new(game.qualifies_from));
                Book::Stud {
                    base: solved.0.expectation(),
                    variance: solved.0.variance().to_f64(),
                    second: Arc::default(),
                    game,
                    positions,
                }
            }
            Family::Holdem => {
                let game = HoldemGame::from_rulebook(rulebook, None)?;
                let solution = solver.holdem(&game);
                Book::Holdem {
                    base: solution.expectation(),
                    variance: solution.variance().to_f64(),
                    tables: solver.tables(&game),
                    solution,
                    game,
                }
            }
        })
    }

    /// The expected net result of best play in antes, and the variance of the net result.
    pub(super) fn base(&self) -> (Fraction, f64) {
        match self {
            Book::Stud { base, variance, .. } | Book::Holdem { base, variance, .. } => (*base, *variance),
        }
    }

    /// Stud: what best play would do with one more of the dealer's cards seen. `None` in hold'em.
    pub(super) fn second_card(&self) -> Option<&SecondCard> {
        match self {
            Book::Stud { game, second, .. } => Some(second.get_or_init(|| SecondCard::new(game))),
            Book::Holdem { .. } => None,
        }
    }

    /// Both choices. `None` for cards that are not a valid position of the game.
    pub(super) fn choices(&self, sight: &Sight<'_>) -> Option<Choices> {
        match self {
            Book::Stud { game, positions, .. } => stud(game, positions, sight),
            Book::Holdem { game, tables, solution, .. } => holdem(game, tables, solution, sight),
        }
    }
}

fn stud(game: &StudGame, positions: &StudPositions, sight: &Sight<'_>) -> Option<Choices> {
    let (value, counts) = positions.at(sight.hand, sight.up?)?;
    let class = value.class();
    let total = counts.total();
    let share = |better: fn(i64, i64) -> bool| {
        let outcomes = StudOutcome::ALL.into_iter().filter(|o| better(game.net(*o, class), game.fold));
        Fraction::new(outcomes.map(|outcome| counts.of(outcome)).sum::<i64>(), total)
    };
    Some(Choices {
        raise: Action::Bet,
        instead: Action::Fold,
        raise_value: Fraction::new(game.bet_sum(class, &counts), i128::from(total) * i128::from(game.scale)),
        instead_value: Fraction::new(game.fold, game.scale),
        right: share(|bet, fold| bet > fold),
        wrong: share(|bet, fold| bet < fold),
    })
}

fn holdem(
    game: &HoldemGame,
    tables: &HoldemTables,
    solution: &HoldemSolution,
    sight: &Sight<'_>,
) -> Option<Choices> {
    let hole = <[Card; 2]>::try_from(sight.hand).ok()?;
    if sight.board.is_empty() {
        let hand = StartingHand::of(hole[0], hole[1]);
        let totals = &solution.hands[hand.index()];
        let lower: i64 = totals.paths.iter().flatten().map(|path| path.lower).sum();
        let equal: i64 = totals.paths.iter().flatten().map(crate::holdem::PathTotals::equal).sum();
        let stands = if game.stay.equal > game.fold { 0 } else { equal };
        return Some(Choices {
            raise: Action::Flop,
            instead: Action::Fold,
            raise_value: solution.flop_value(hand),
            instead_value: solution.fold_value(),
            right: Fraction::new(totals.rounds() - lower - stands, totals.rounds()),
            wrong: Fraction::new(lower, totals.rounds()),
        });
    }
    if !matches!(sight.board.len(), 3 | 4) {
        return None;
    }
    let board: CardSet = sight.board.iter().copied().collect();
    let sums = tables.raise_sums(game, hole, board);
    let value = |net: i64| Fraction::new(net, i128::from(sums.deals) * i128::from(game.scale));
    let before = if sight.turn_wagered { sums.check + sums.turn } else { sums.check };
    let share = |deals: i64| Fraction::new(deals, sums.deals);
    let raise = if sight.board.len() == 3 { Action::Turn } else { Action::River };
    Some(Choices {
        raise,
        instead: Action::Check,
        raise_value: value(before + sums.raise),
        instead_value: value(before),
        right: share(sums.higher),
        wrong: share(sums.lower),
    })
}
