//! Random deals, the same in every run.

use baize_cards::{Card, CardSet};

/// This many deals of `size` different cards.
pub(crate) fn deals(seed: u64, size: usize, count: usize) -> impl Iterator<Item = CardSet> {
    let mut state = 0x9E37_79B9_7F4A_7C15 ^ seed.wrapping_mul(0xD134_2543_DE82_EF95);
    let mut deck: Vec<Card> = Card::all().collect();
    (0..count).map(move |_| {
        for place in 0..size {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let left = u64::try_from(52 - place).unwrap();
            deck.swap(place, place + usize::try_from((state >> 16) % left).unwrap());
        }
        deck[..size].iter().copied().collect()
    })
}
