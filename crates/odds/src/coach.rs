//! Drills: positions that teach most, asked again until they are known.
//!
//! Questions come from a player's own mistakes first and else from positions in which the choice is close. What was answered wrongly comes back
//! after three other questions, then, answered rightly, after eight, then twenty, and then no more.

use std::collections::VecDeque;

use baize_cards::Card;
use baize_rules::{Family, Rulebook};

use crate::rating::{Choices, Rater, Sight};
use crate::simulation::Shuffler;
use crate::{Fraction, GameError};

/// A position to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drill {
    /// The player's cards.
    pub hand: Vec<Card>,
    /// Stud: the dealer's face-up card.
    pub up: Option<Card>,
    /// Hold'em: none, three or four community cards.
    pub board: Vec<Card>,
}

impl Drill {
    /// What the player sees.
    #[must_use]
    pub fn sight(&self) -> Sight<'_> {
        Sight { hand: &self.hand, up: self.up, board: &self.board, turn_wagered: false }
    }
}

/// How many other questions come before one returns that was answered rightly so many times since it was last wrong.
const SPACES: [usize; 3] = [3, 8, 20];

/// Questions in the order in which they are asked.
#[derive(Debug, Default)]
pub struct Lesson {
    /// Waiting: after how many further questions, and how often answered rightly since it was last wrong.
    waiting: Vec<(usize, usize, Drill)>,
    fresh: VecDeque<Drill>,
}

impl Lesson {
    /// A lesson that begins with these.
    #[must_use]
    pub fn new(drills: impl IntoIterator<Item = Drill>) -> Lesson {
        Lesson { waiting: Vec::new(), fresh: drills.into_iter().collect() }
    }

    /// The next question: one that is due, else one that was not asked yet. `None`: a new one should be drawn.
    pub fn next(&mut self) -> Option<(Drill, usize)> {
        for (left, ..) in &mut self.waiting {
            *left = left.saturating_sub(1);
        }
        if let Some(due) = self.waiting.iter().position(|(left, ..)| *left == 0) {
            let (_, known, drill) = self.waiting.remove(due);
            return Some((drill, known));
        }
        self.fresh.pop_front().map(|drill| (drill, 0))
    }

    /// How it was answered; `known` is what came with the question. A question that was right at once does not come back.
    pub fn answered(&mut self, drill: Drill, known: usize, right: bool, asked_before: bool) {
        let place = if right { known + usize::from(asked_before) } else { 0 };
        if right && !asked_before {
            return;
        }
        if let Some(space) = SPACES.get(place) {
            self.waiting.push((*space, place, drill));
        }
    }

    /// Questions that will come back.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

/// Draws positions in which the choice is close.
#[derive(Debug)]
pub struct CloseDrills {
    shuffler: ShufflerBox,
}

/// The generator does not print its state.
struct ShufflerBox(Shuffler);

impl std::fmt::Debug for ShufflerBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shuffler")
    }
}

impl CloseDrills {
    /// The same seed draws the same positions.
    #[must_use]
    pub fn new(seed: u64) -> CloseDrills {
        CloseDrills { shuffler: ShufflerBox(Shuffler::new(seed, 0)) }
    }

    /// A position of the game whose choices lie no further apart than this, in antes; after many tries, any position.
    ///
    /// # Errors
    /// A rulebook without a solver.
    pub fn draw(
        &mut self,
        rater: &mut Rater,
        rulebook: &Rulebook,
        apart: Fraction,
    ) -> Result<(Drill, Choices), GameError> {
        let mut last = None;
        for _ in 0..2_000 {
            let drill = self.any(rulebook.family);
            if let Some(choices) = rater.choices(rulebook, &drill.sight())? {
                let close = choices.gap() <= apart;
                last = Some((drill, choices));
                if close {
                    break;
                }
            }
        }
        last.ok_or_else(|| GameError::Family { id: rulebook.id.clone(), wanted: rulebook.family.name() })
    }

    fn any(&mut self, family: Family) -> Drill {
        let stage = self.shuffler.0.below(4);
        let cards = self.shuffler.0.deal(6).to_vec();
        match family {
            Family::Stud => Drill { hand: cards[..5].to_vec(), up: Some(cards[5]), board: Vec::new() },
            // One in four before the flop, where few hands are close.
            Family::Holdem => {
                let board = match stage {
                    0 => 0,
                    1 | 2 => 3,
                    _ => 4,
                };
                Drill { hand: cards[..2].to_vec(), up: None, board: cards[2..2 + board].to_vec() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drill(card: &str) -> Drill {
        Drill { hand: vec![card.parse().unwrap()], up: None, board: Vec::new() }
    }

    #[test]
    fn what_was_wrong_comes_back_and_then_less_often() {
        let mut lesson = Lesson::new(["2c", "3c", "4c", "5c", "6c", "7c"].map(drill));
        let (first, known) = lesson.next().unwrap();
        lesson.answered(first.clone(), known, false, false);
        let mut between = 0;
        let (again, known) = loop {
            let (next, known) = lesson.next().unwrap();
            if next == first {
                break (next, known);
            }
            lesson.answered(next, known, true, false);
            between += 1;
        };
        assert_eq!((between, known), (2, 0));
        lesson.answered(again, known, true, true);
        assert_eq!(lesson.waiting(), 1);
        let questions = std::iter::from_fn(|| lesson.next()).take(4).count();
        // Three fresh ones are left, and the first is not due for eight.
        assert_eq!(questions, 3);
    }
}
