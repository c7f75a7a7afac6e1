//! The value of a hand: which of two hands is higher, its name, and which five cards make it.

use std::fmt;

use thiserror::Error;

use crate::{Card, CardSet, Evaluator, Hand, HandClass, Rank, Suit};

/// The value of a hand: a higher one beats a lower one, equal ones stand off. There are 7,462.
///
/// It prints as people say it: "Full House, Kings over Aces".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
// MBS 3.12.1, 3.12.6: equal ranks are equal hands, and stand off.
pub struct HandValue(pub(crate) u16);

impl HandValue {
    /// The value of the best five of five to seven cards.
    ///
    /// # Errors
    /// Fewer than five or more than seven cards.
    // RH 1.10; MH, MB 1.1.5: any five of the community cards and the hole cards.
    pub fn of(cards: CardSet) -> Result<HandValue, HandSizeError> {
        if !(5..=7).contains(&cards.len()) {
            return Err(HandSizeError(cards.len()));
        }
        Ok(Hand::from(cards).value())
    }

    /// The value with this number, if it is 1 to 7,462.
    #[must_use]
    pub const fn from_number(number: u16) -> Option<HandValue> {
        if HandValue::MIN.0 <= number && number <= HandValue::MAX.0 { Some(HandValue(number)) } else { None }
    }

    /// 1 for the lowest value to 7,462 for the highest.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// All values, lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = HandValue> + Clone {
        (HandValue::MIN.0..=HandValue::MAX.0).map(HandValue)
    }

    /// The ranks of the five cards, in the order in which people name them: pairs before odd cards, 5 4 3 2 A.
    #[must_use]
    pub fn ranks(self) -> [Rank; 5] {
        Evaluator::get().ranks(self)
    }

    /// The best five of five to seven cards, in the order in which people name them: pairs before odd cards, 5 4 3 2 A.
    ///
    /// If several cards of a rank would do, suits are chosen in the order Spades, Hearts, Diamonds, Clubs.
    ///
    /// # Errors
    /// Fewer than five or more than seven cards.
    pub fn best_five(cards: CardSet) -> Result<[Card; 5], HandSizeError> {
        let value = HandValue::of(cards)?;
        let mut left = if value.class().is_flush() { in_flush_suit(cards) } else { cards };
        let mut five = [Card::new(Rank::Two, Suit::Clubs); 5];
        for (place, rank) in five.iter_mut().zip(value.ranks()) {
            let card = left.iter().filter(|card| card.rank() == rank).last();
            *place = card.expect("the value of these cards is made of their ranks");
            left = left.without(*place);
        }
        Ok(five)
    }

    /// The best five of five to seven cards in words: "Straight, Nine high".
    ///
    /// # Errors
    /// Fewer than five or more than seven cards.
    pub fn describe(cards: CardSet) -> Result<String, HandSizeError> {
        HandValue::of(cards).map(|value| value.to_string())
    }
}

/// The cards of the suit that has five or more.
fn in_flush_suit(cards: CardSet) -> CardSet {
    let of = |suit| cards.iter().filter(|card| card.suit() == suit).collect::<CardSet>();
    Suit::ALL.into_iter().map(of).find(|suited| suited.len() >= 5).unwrap_or(cards)
}

/// The class, and what the texts compare within it (3.1.3, 3.12).
impl fmt::Display for HandValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let five = self.ranks();
        let [first, second, third, fourth, fifth] = five.map(Rank::name);
        let plural = five.map(Rank::plural);
        let class = self.class();
        let text = match class {
            HandClass::FiveOddCards => format!("{class}, {first} {second} {third} {fourth} {fifth}"),
            HandClass::OnePair => format!("{class}, {} ({third}, {fourth}, {fifth})", plural[0]),
            HandClass::TwoPairs => format!("{class}, {} and {} ({fifth})", plural[0], plural[2]),
            HandClass::ThreeOfAKind => format!("{class}, {} ({fourth}, {fifth})", plural[0]),
            HandClass::Straight | HandClass::StraightFlush => format!("{class}, {first} high"),
            HandClass::Flush => format!("{class}, {first} high ({})", five.map(Rank::short).join(" ")),
            HandClass::FullHouse => format!("{class}, {} over {}", plural[0], plural[3]),
            HandClass::FourOfAKind => format!("{class}, {} ({fifth})", plural[0]),
            HandClass::RoyalFlush => class.to_string(),
        };
        f.pad(&text)
    }
}

/// There must be five to seven cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{0} cards: a hand is valued on five to seven")]
pub struct HandSizeError(pub usize);
