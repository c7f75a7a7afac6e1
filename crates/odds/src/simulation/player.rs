//! How a box is played: the strategy, and tables of best play where it follows best play.

use std::collections::HashMap;
use std::sync::Arc;

use baize_cards::{Card, CardSet, Hand, HandValue, Suit};
use baize_rules::StartingHand;

use super::{ExactFigures, Plan, SimulationError};
use crate::holdem::{HoldemGame, HoldemTables};
use crate::strategy::{HoldemStrategy, Strategy, StudStrategy, settled};
use crate::stud::{StudGame, survey};
use crate::{DeckSpec, Pattern, Solver};

/// Who decides for every box.
pub(super) enum Player {
    Stud {
        strategy: StudStrategy,
        best: Option<StudBest>,
    },
    Holdem {
        strategy: HoldemStrategy,
        folded: Box<[bool; 169]>,
        /// What is done on the turn and the river whatever the cards, where it is always the same.
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
        let turn = strategy.wagers_turn(hole, flop, || gains(flop));
        let river = strategy.wagers_river(hole, four, || gains(four));
        Some([turn, river])
    }
}

/// Where best play bets, for every position: by value and rank of the face-up card, and by the cards themselves where suits matter.
pub(super) struct StudBest {
    by_value: Vec<[Habit; 13]>,
    exceptions: HashMap<(Pattern, Card), bool>,
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
    fn new(game: &StudGame) -> StudBest {
        let mut by_value = vec![[Habit::Unseen; 13]; usize::from(HandValue::MAX.number()) + 1];
        survey(DeckSpec::FULL, game.qualifies_from, |position| {
            let here = &mut by_value[usize::from(position.value.number())][position.up.rank().index()];
            let now = if position.gain(game) > 0 { Habit::Bet } else { Habit::Fold };
            *here = if *here == Habit::Unseen || *here == now { now } else { Habit::Depends };
        });
        let mut exceptions = HashMap::new();
        survey(DeckSpec::FULL, game.qualifies_from, |position| {
            let here = by_value[usize::from(position.value.number())][position.up.rank().index()];
            if here == Habit::Depends {
                exceptions.insert((position.hand, position.up), position.gain(game) > 0);
            }
        });
        StudBest { by_value, exceptions }
    }

    fn bets(&self, value: HandValue, hand: &[Card], up: Card) -> bool {
        match self.by_value[usize::from(value.number())][up.rank().index()] {
            Habit::Bet => true,
            Habit::Fold | Habit::Unseen => false,
            Habit::Depends => {
                let (pattern, becomes) = Pattern::of(hand.iter().copied().collect());
                let masks = pattern.masks();
                let mask = masks[becomes[up.suit().index()]];
                // Suits in which the player has the same ranks cannot be told apart: the survey visits the first.
                let suit = masks.iter().position(|other| *other == mask).unwrap_or(0);
                let up = Card::new(up.rank(), Suit::ALL[suit]);
                self.exceptions.get(&(pattern, up)).copied().unwrap_or(false)
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
