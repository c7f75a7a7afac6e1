//! How a box is played: the strategy, and tables of best play where it follows best play.

use std::collections::HashMap;
use std::sync::Arc;

use baize_cards::{Card, CardSet, Hand, HandValue, Rank};
use baize_rules::StartingHand;

use super::{ExactFigures, Plan, SimulationError};
use crate::holdem::{HoldemGame, HoldemTables};
use crate::strategy::{HoldemStrategy, Strategy, StudStrategy, settled};
use crate::stud::{StudGame, survey};
use crate::{DeckSpec, Solver};

/// Who decides for every box.
pub(super) enum Player {
    Stud {
        strategy: StudStrategy,
        best: Option<StudBest>,
    },
    Holdem {
        strategy: HoldemStrategy,
        folded: Box<[bool; 169]>,
        /// Whether to wager turn and river, if that does not depend on the cards.
        settled: [Option<bool>; 2],
        best: Option<Box<(Arc<HoldemTables>, HoldemGame)>>,
    },
}

impl Player {
    pub(super) fn new(
        solver: &mut Solver,
        plan: &Plan<'_>,
        exact: &ExactFigures,
    ) -> Result<Player, SimulationError> {
        let ante = Some(plan.playing_ante());
        Ok(match plan.strategy {
            Strategy::Stud(strategy) => {
                let game = StudGame::from_rulebook(plan.rulebook, ante)?;
                let best = strategy.asks_for_best().then(|| StudBest::new(&game));
                Player::Stud { strategy: strategy.clone(), best }
            }
            Strategy::Holdem(strategy) => {
                let game = HoldemGame::from_rulebook(plan.rulebook, ante)?;
                let best = strategy.asks_for_best().then(|| Box::new((solver.tables(&game), game)));
                Player::Holdem {
                    strategy: strategy.clone(),
                    folded: Box::new(exact.folded_hands),
                    settled: [settled(&strategy.turn), settled(&strategy.river)],
                    best,
                }
            }
        })
    }

    /// Stud: whether to bet.
    #[inline]
    pub(super) fn bets(&self, hand: &[Card], up: Card) -> bool {
        let Player::Stud { strategy, best } = self else { return false };
        let value = hand.iter().fold(Hand::EMPTY, |hand, card| hand.add(*card)).value();
        strategy.bets(value, up.rank(), || best.as_ref().is_some_and(|best| best.bets(value, hand, up)))
    }

    /// Hold'em: nothing for a fold, otherwise whether to wager the turn and the river.
    #[inline]
    pub(super) fn stays(&self, hole: [Card; 2], board: &[Card]) -> Option<[bool; 2]> {
        let Player::Holdem { strategy, folded, settled, best } = self else { return None };
        if folded[StartingHand::of(hole[0], hole[1]).index()] {
            return None;
        }
        if let [Some(turn), Some(river)] = *settled {
            return Some([turn, river]);
        }
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let gains = |board: CardSet| best.as_ref().is_some_and(|best| best.0.gains(&best.1, hole, board));
        let (flop, four) = (set(board.get(..3)?), set(board.get(..4)?));
        let turn = strategy.wagers_turn(hole, &flop.into(), || gains(flop));
        let river = strategy.wagers_river(hole, &four.into(), || gains(four));
        Some([turn, river])
    }
}

/// Where best play bets, for every position: by value and rank of the face-up card, and by the player's ranks in its suit where they matter.
pub(crate) struct StudBest {
    by_value: Vec<[Habit; 13]>,
    exceptions: HashMap<(HandValue, u16, Rank), bool>,
}

/// What is done with all hands of a value against one rank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    Fold,
    Bet,
    Depends,
    Unseen,
}

impl StudBest {
    pub(crate) fn new(game: &StudGame) -> StudBest {
        type Decision = (Rank, u16, bool);
        let rows = survey(DeckSpec::FULL, game.qualifies_from, |row: &mut Vec<Decision>, position| {
            row.push((position.up(), position.in_suit, position.gain(game) > 0));
        });
        let mut by_value = vec![[Habit::Unseen; 13]; usize::from(HandValue::MAX.number()) + 1];
        let mut exceptions = HashMap::new();
        for (value, decisions) in rows {
            let habits = &mut by_value[usize::from(value.number())];
            for (up, _, bets) in &decisions {
                let (here, now) = (&mut habits[up.index()], if *bets { Habit::Bet } else { Habit::Fold });
                *here = if *here == Habit::Unseen || *here == now { now } else { Habit::Depends };
            }
            let depends = decisions.into_iter().filter(|(up, ..)| habits[up.index()] == Habit::Depends);
            exceptions.extend(depends.map(|(up, in_suit, bets)| ((value, in_suit, up), bets)));
        }
        StudBest { by_value, exceptions }
    }

    pub(crate) fn bets(&self, value: HandValue, hand: &[Card], up: Card) -> bool {
        match self.by_value[usize::from(value.number())][up.rank().index()] {
            Habit::Bet => true,
            Habit::Fold | Habit::Unseen => false,
            Habit::Depends => {
                let suited = hand.iter().filter(|card| card.suit() == up.suit());
                let in_suit = suited.fold(0, |mask, card| mask | 1 << card.rank().index());
                self.exceptions.get(&(value, in_suit, up.rank())).copied().unwrap_or(false)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::position;
    use baize_rules::{Family, Rulebook};

    #[test]
    fn best_play_of_stud_is_the_best_of_single_positions() {
        let rulebook = Rulebook::builtins().iter().find(|r| r.family == Family::Stud).unwrap();
        let game = StudGame::from_rulebook(rulebook, None).unwrap();
        let best = StudBest::new(&game);
        for (hand, up) in [
            ("Ah Kd Jc 8s 3h", "4c"),
            ("Ah Kd Qc 7s 2h", "4h"),
            ("Ah Kd Qc 7s 2h", "4s"),
            ("Ah Kh Qh 9h 2d", "5d"),
            ("Ah Kh Qh 9h 2d", "5c"),
            ("Ah Kh Qh 9h 2d", "5s"),
            ("Ac Kd Qh 8s 2d", "Jc"),
            ("2c 2d 3h 4s 5c", "Ac"),
        ] {
            let cards: CardSet = hand.parse().unwrap();
            let up: Card = up.parse().unwrap();
            let (value, counts) = position(DeckSpec::FULL, game.qualifies_from, cards, up).unwrap();
            let right = game.bet_sum(value.class(), &counts) > game.fold_sum(&counts);
            let hand: Vec<Card> = cards.iter().collect();
            assert_eq!(best.bets(value, &hand, up), right, "{cards} against {up}");
        }
    }
}
