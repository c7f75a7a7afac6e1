//! Random cards from a reproducible generator.
//!
//! For play with money the casino uses a cryptographic generator; this one is for mathematics: fast and reproducible.

use baize_cards::{Card, Deck};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A deck whose first cards are shuffled again for every round.
pub(crate) struct Shuffler {
    generator: Xoshiro256PlusPlus,
    cards: [Card; 52],
}

impl Shuffler {
    /// The generator of one chunk of a simulation.
    pub(crate) fn new(seed: u64, chunk: u64) -> Shuffler {
        // Two rounds of mixing, so that neighbouring seeds and chunks have nothing in common.
        let mixed = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
        let generator = Xoshiro256PlusPlus::seed_from_u64(mixed ^ chunk.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Shuffler { generator, cards: *Deck::ordered().cards() }
    }

    /// Draws this many cards, each order equally likely, whatever the deck's previous order.
    #[inline]
    pub(crate) fn deal(&mut self, count: usize) -> &[Card] {
        for place in 0..count.min(51) {
            let other = place + self.below(52 - place);
            self.cards.swap(place, other);
        }
        &self.cards[..count.min(52)]
    }

    /// A number below `bound`, each equally likely: the product's upper half, drawn again in the few cases that would favour some numbers.
    #[inline]
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        loop {
            let product = (self.generator.next_u64() >> 32) * bound;
            let low = product & 0xFFFF_FFFF;
            // The remainder is below the bound, so that the division is hardly ever needed.
            if low >= bound || low >= (1 << 32) % bound {
                return usize::try_from(product >> 32).unwrap_or(0);
            }
        }
    }
}

/// Without the generator's state.
impl std::fmt::Debug for Shuffler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shuffler")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_comes_to_every_place_about_as_often() {
        let mut shuffler = Shuffler::new(7, 0);
        let mut seen = [[0u32; 52]; 9];
        const ROUNDS: u32 = 52_000;
        for _ in 0..ROUNDS {
            for (place, card) in shuffler.deal(9).iter().enumerate() {
                seen[place][card.index()] += 1;
            }
        }
        let expected = f64::from(ROUNDS / 52);
        for place in seen {
            let chi_square: f64 = place.iter().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
            // 51 degrees of freedom: over 88 would be seen once in a thousand.
            assert!(chi_square < 88.0, "{chi_square}");
        }
    }

    #[test]
    fn chunks_and_seeds_differ_and_repeat() {
        let first = |seed, chunk| Shuffler::new(seed, chunk).deal(20).to_vec();
        assert_eq!(first(1, 2), first(1, 2));
        assert_ne!(first(1, 2), first(1, 3));
        assert_ne!(first(1, 2), first(2, 2));
    }
}
