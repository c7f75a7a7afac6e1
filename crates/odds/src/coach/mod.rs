//! Drills: the most instructive positions, repeated until they are known.
//!
//! Questions come from the player's own mistakes first, then from positions with a close choice.

mod lesson;

use std::collections::BTreeMap;
use std::fmt;

use baize_cards::{Card, CardSet, HandValue};
use baize_rules::{Family, Rulebook};
use baize_table::Finished;

use crate::rating::{Choices, RatedHand, Rater, Sight};
use crate::simulation::Shuffler;
use crate::{Fraction, GameError};

pub use lesson::{Lesson, LessonError};

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

impl fmt::Display for Drill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
        write!(f, "{}", list(&self.hand))?;
        if let Some(up) = self.up {
            write!(f, " against {up}")?;
        }
        if !self.board.is_empty() {
            write!(f, " on {}", list(&self.board))?;
        }
        Ok(())
    }
}

/// A mistake that a player made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// What it cost, in antes.
    pub cost: Fraction,
    /// Its kind in words: "Folding one pair".
    pub kind: String,
    /// The position.
    pub drill: Drill,
}

impl Mistake {
    /// The mistakes of rated hands of a finished round.
    #[must_use]
    pub fn of_round(rulebook: &Rulebook, finished: &Finished, hands: &[RatedHand]) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        for hand in hands {
            let Some(dealt) = finished.play.hands.get(&hand.seat) else { continue };
            for (stage, decision) in hand.decisions.iter().enumerate().filter(|(_, d)| d.is_mistake()) {
                let board = if stage == 0 { 0 } else { stage + 2 };
                let Some(board) = finished.play.board.get(..board) else { continue };
                let up = finished.play.face_up(rulebook);
                let drill = Drill { hand: dealt.cards.clone(), up, board: board.to_vec() };
                let kind = format!("{} with {}", decision.done.doing(), held(rulebook, &drill));
                mistakes.push(Mistake { cost: decision.cost, kind, drill });
            }
        }
        mistakes
    }
}

/// The hand in words, as far as it distinguishes kinds of mistakes.
fn held(rulebook: &Rulebook, drill: &Drill) -> String {
    let cards: CardSet = drill.hand.iter().chain(&drill.board).copied().collect();
    let Ok(value) = HandValue::of(cards) else { return "two cards before the flop".to_owned() };
    let class = value.class();
    match (rulebook.family, class as usize) {
        (Family::Stud, 0) if rulebook.qualifies(value) => "Ace and King".to_owned(),
        (Family::Stud, 0) => "less than Ace and King".to_owned(),
        _ => class.to_string(),
    }
}

/// The three costliest kinds of mistakes, each with its count and total cost in antes, the costliest first.
#[must_use]
pub fn costliest(mistakes: &[Mistake]) -> Vec<(String, usize, Fraction)> {
    let mut by_kind: BTreeMap<&str, (usize, Fraction)> = BTreeMap::new();
    for mistake in mistakes {
        let sum = by_kind.entry(&mistake.kind).or_insert((0, Fraction::ZERO));
        // Sums of many fractions: rounded, so that they do not grow without bound.
        *sum = (sum.0 + 1, Fraction::from_f64(sum.1.to_f64() + mistake.cost.to_f64()));
    }
    let mut all: Vec<(String, usize, Fraction)> =
        by_kind.into_iter().map(|(kind, (times, cost))| (kind.to_owned(), times, cost)).collect();
    all.sort_by_key(|(_, _, cost)| std::cmp::Reverse(*cost));
    all.truncate(3);
    all
}

/// Positions to drill: first those of the three costliest kinds of mistakes, then the others; each once.
#[must_use]
pub fn drills(mut mistakes: Vec<Mistake>, max: usize) -> Vec<Drill> {
    let worst: Vec<String> = costliest(&mistakes).into_iter().map(|(kind, ..)| kind).collect();
    mistakes.sort_by_key(|mistake| (!worst.contains(&mistake.kind), std::cmp::Reverse(mistake.cost)));
    let mut drills: Vec<Drill> = Vec::new();
    for mistake in mistakes {
        if drills.len() < max && !drills.contains(&mistake.drill) {
            drills.push(mistake.drill);
        }
    }
    drills
}

/// Draws positions in which the choice is close.
#[derive(Debug)]
pub struct CloseDrills {
    shuffler: Shuffler,
}

impl CloseDrills {
    /// The same seed draws the same positions.
    #[must_use]
    pub fn new(seed: u64) -> CloseDrills {
        CloseDrills { shuffler: Shuffler::new(seed, 0) }
    }

    /// A position whose choices differ by at most `apart` antes; after many tries, any position.
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
        let stage = self.shuffler.below(4);
        let cards = self.shuffler.deal(6).to_vec();
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
