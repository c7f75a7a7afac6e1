//! A hand to which cards are added one at a time.
//!
//! It is made for enumerations, which share the work for cards that their hands have in common. It is cheap because it does not
//! check: see [`Hand::value`]. [`HandValue::of`] is the checked way to value cards.

use crate::{Card, CardSet, Evaluator, HandValue, hand_key};

/// Cards added one at a time. Two words; cheap to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    /// The sum of the cards' keys.
    pub(crate) key: u64,
    /// Which ranks each suit has, 16 bits per suit. Only flushes use it.
    pub(crate) suited: u64,
}

impl Hand {
    /// No cards yet.
    pub const EMPTY: Hand = Hand { key: hand_key::EMPTY, suited: 0 };

    /// The hand with one more card.
    #[must_use]
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "a hand plus a card is not arithmetic to a reader")]
    pub fn add(self, card: Card) -> Hand {
        Hand {
            key: self.key.wrapping_add(hand_key::KEYS[card.index()]),
            suited: self.suited | hand_key::SUITED[card.index()],
        }
    }

    /// The hand without a card that is in it.
    #[must_use]
    #[inline]
    pub fn remove(self, card: Card) -> Hand {
        Hand {
            key: self.key.wrapping_sub(hand_key::KEYS[card.index()]),
            suited: self.suited & !hand_key::SUITED[card.index()],
        }
    }

    /// The hand with the cards of another, such as hole cards and community cards.
    #[must_use]
    #[inline]
    pub fn join(self, other: Hand) -> Hand {
        Hand {
            key: self.key.wrapping_add(other.key).wrapping_sub(hand_key::EMPTY),
            suited: self.suited | other.suited,
        }
    }

    /// How many cards have been added.
    #[must_use]
    pub fn len(self) -> usize {
        hand_key::len(self.key)
    }

    /// Whether no card has been added.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Hand::EMPTY
    }

    /// The value of the best five cards. Five to seven different cards must have been added.
    ///
    /// With fewer, more, or repeated cards the result is a meaningless value between [`HandValue::MIN`] and [`HandValue::MAX`];
    /// nothing panics. In a hot loop take [`Evaluator::get`] once outside and use [`Evaluator::value`].
    #[must_use]
    #[inline]
    pub fn value(self) -> HandValue {
        Evaluator::get().value(self)
    }
}

impl Default for Hand {
    fn default() -> Hand {
        Hand::EMPTY
    }
}

impl From<CardSet> for Hand {
    fn from(cards: CardSet) -> Hand {
        cards.iter().fold(Hand::EMPTY, Hand::add)
    }
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Hand {
        cards.into_iter().fold(Hand::EMPTY, Hand::add)
    }
}
