//! The evaluators that the benchmark compares, each used in its fastest way.

use baize_cards::{Card, Evaluator, Hand, Rank, Suit};
use rs_poker::core::{SevenCardAccum, Value};

/// An evaluator of hands that grow by one card at a time.
pub(crate) trait Contender {
    /// Its card.
    type Card: Copy;
    /// Its hand.
    type Hand: Copy;

    /// The card with the index 4 × rank + suit.
    fn card(&self, index: u8) -> Self::Card;
    /// A hand without cards.
    fn empty(&self) -> Self::Hand;
    /// The hand with one more card.
    fn add(&self, hand: Self::Hand, card: Self::Card) -> Self::Hand;
    /// The value of five to seven cards.
    fn value(&self, hand: Self::Hand) -> u16;
}

/// Our own.
pub(crate) struct Baize(&'static Evaluator);

impl Baize {
    pub(crate) fn new() -> Baize {
        Baize(Evaluator::get())
    }
}

impl Contender for Baize {
    type Card = Card;
    type Hand = Hand;

    #[inline]
    fn card(&self, index: u8) -> Card {
        Card::from_index(usize::from(index)).unwrap_or(const { Card::new(Rank::Two, Suit::Clubs) })
    }

    #[inline]
    fn empty(&self) -> Hand {
        Hand::EMPTY
    }

    #[inline]
    fn add(&self, hand: Hand, card: Card) -> Hand {
        hand.add(card)
    }

    #[inline]
    fn value(&self, hand: Hand) -> u16 {
        self.0.value(hand).number()
    }
}

/// `pokers`.
pub(crate) struct Pokers;

impl Contender for Pokers {
    type Card = u8;
    type Hand = pokers::Hand;

    #[inline]
    fn card(&self, index: u8) -> u8 {
        index
    }

    #[inline]
    fn empty(&self) -> pokers::Hand {
        pokers::Hand::default()
    }

    #[inline]
    fn add(&self, hand: pokers::Hand, card: u8) -> pokers::Hand {
        hand + pokers::CARDS[usize::from(card)]
    }

    #[inline]
    fn value(&self, hand: pokers::Hand) -> u16 {
        hand.evaluate()
    }
}

/// `rs_poker`.
pub(crate) struct RsPoker([rs_poker::core::Card; 52]);

impl RsPoker {
    pub(crate) fn new() -> RsPoker {
        let mut indices = 0u8..52;
        RsPoker(std::array::from_fn(|_| {
            let index = indices.next().unwrap_or(0);
            rs_poker::core::Card::new(Value::from_u8(index / 4), rs_poker::core::Suit::from_u8(index % 4))
        }))
    }
}

impl Contender for RsPoker {
    type Card = rs_poker::core::Card;
    type Hand = SevenCardAccum;

    #[inline]
    fn card(&self, index: u8) -> rs_poker::core::Card {
        self.0[usize::from(index)]
    }

    #[inline]
    fn empty(&self) -> SevenCardAccum {
        SevenCardAccum::new()
    }

    #[inline]
    fn add(&self, hand: SevenCardAccum, card: rs_poker::core::Card) -> SevenCardAccum {
        hand + card
    }

    #[inline]
    fn value(&self, hand: SevenCardAccum) -> u16 {
        hand.rank().value_bits()
    }
}

/// Not an evaluator: the speed of the loops that feed one.
pub(crate) struct Enumeration;

impl Contender for Enumeration {
    type Card = u8;
    type Hand = u16;

    #[inline]
    fn card(&self, index: u8) -> u8 {
        index
    }

    #[inline]
    fn empty(&self) -> u16 {
        0
    }

    #[inline]
    fn add(&self, hand: u16, card: u8) -> u16 {
        // Hiding the sum from the optimiser would cost more than the loop itself; a product keeps it from becoming a formula.
        (hand ^ u16::from(card)).wrapping_mul(31)
    }

    #[inline]
    fn value(&self, hand: u16) -> u16 {
        hand
    }
}
