//! What adding a card to a hand adds to the hand's key.
//!
//! A hand's key is one 64-bit number, the sum of its cards' keys, so that adding or removing a card is one addition.
//! From the highest bit down it holds
//!
//! | bits | field | what it is for |
//! |---|---|---|
//! | 51–63 | row | with the column: which ranks the hand has, suits left aside |
//! | 19–50 | four counters of 8 bits | how many cards of each suit |
//! | 0–18 | column | as the row |
//!
//! # Why row and column identify the ranks
//! [`LEAST`] gives each rank a number such that two different collections of up to seven cards, with at most four of a rank,
//! never have the same sum. The numbers are the smallest that do: going down from the Ace, each is the first for which no new sum
//! equals an old one. (A test adds up all 76,155 collections.) The largest sum, four Twos and three Threes, is 18,393,157, less
//! than 2²⁵.
//!
//! Multiplying by an odd number modulo 2²⁵ is invertible, so the products with [`SPREAD`] identify the collections as well; it
//! spreads the sums evenly, where the smallest numbers would cluster. Each product is split into its upper 13 bits, the rank's
//! row, and its lower 12, the rank's column. Rows add up modulo 2¹³ by overflowing the top of the key. Columns add up in full:
//! seven of them stay below 2¹⁵. Since row × 2¹² + column is the sum of the products modulo 2²⁵, the two together still identify
//! one collection.

use crate::{Card, Rank};

/// Numbers whose sums over up to seven cards, at most four of a rank, are all different.
const LEAST: [u64; 13] =
    [3_453_520, 1_526_359, 667_453, 250_154, 103_066, 30_823, 9_244, 2_247, 521, 112, 24, 5, 1];

/// 2³² divided by the golden ratio, and odd: its multiples are spread evenly.
const SPREAD: u64 = 0x9E37_79B1;

const ROW_BITS: u32 = 13;
const COLUMN_BITS: u32 = 12;
const SUITS_SHIFT: u32 = 19;

/// How many rows there are.
pub(crate) const ROWS: usize = 1 << ROW_BITS;

/// Each suit's counter starts at 123, so that its highest bit says "five or more".
const NO_CARDS: u32 = 123 * 0x0101_0101;
const FIVE_OR_MORE: u32 = 0x8080_8080;

/// The key of no cards.
pub(crate) const EMPTY: u64 = (NO_CARDS as u64) << SUITS_SHIFT;

/// Set in a key when the hand has five or more cards of a suit.
const FLUSH: u64 = (FIVE_OR_MORE as u64) << SUITS_SHIFT;

/// What a card adds to the key. Cards have indices below 52; with 256 entries no index of 8 bits needs a check.
pub(crate) static KEYS: [u64; 256] = {
    let mut keys = [0; 256];
    let mut index = 0;
    while let Some(card) = Card::from_index(index) {
        keys[index] = of_rank(card.rank()) + (1 << (SUITS_SHIFT as usize + 8 * card.suit().index()));
        index += 1;
    }
    keys
};

/// The card's bit among a hand's ranks by suit: 16 bits per suit, the lowest for the Two.
pub(crate) static SUITED: [u64; 256] = {
    let mut suited = [0; 256];
    let mut index = 0;
    while let Some(card) = Card::from_index(index) {
        suited[index] = 1 << (16 * card.suit().index() + card.rank().index());
        index += 1;
    }
    suited
};

/// What a rank adds to the key, suit aside.
pub(crate) const fn of_rank(rank: Rank) -> u64 {
    let product = LEAST[rank.index()] * SPREAD % (1 << (ROW_BITS + COLUMN_BITS));
    ((product >> COLUMN_BITS) << (64 - ROW_BITS)) + product % (1 << COLUMN_BITS)
}

/// The key's row, below [`ROWS`].
#[inline]
pub(crate) const fn row(key: u64) -> usize {
    (key >> (64 - ROW_BITS)) as usize
}

/// The key's column.
pub(crate) const fn column(key: u64) -> usize {
    (key % (1 << SUITS_SHIFT)) as usize
}

/// Whether five or more cards are of one suit.
#[inline]
pub(crate) const fn has_flush(key: u64) -> bool {
    key & FLUSH != 0
}

/// The ranks of the suit with five or more cards, as a bit set; 13 bits.
#[inline]
pub(crate) const fn flush_ranks(key: u64, suited: u64) -> usize {
    // The counters of Clubs to Spades have their highest bits at 7, 15, 23 and 31: twice 0, 8, 16 and 24 is the shift.
    let shift = 2 * ((suit_counters(key) & FIVE_OR_MORE).trailing_zeros() & 24);
    ((suited >> shift) & 0x1FFF) as usize
}

/// How many cards the key counts, if no suit has more than 132.
pub(crate) const fn len(key: u64) -> usize {
    let [a, b, c, d] = suit_counters(key).to_le_bytes();
    (a.wrapping_sub(123) as usize)
        + (b.wrapping_sub(123) as usize)
        + (c.wrapping_sub(123) as usize)
        + (d.wrapping_sub(123) as usize)
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the counters are these 32 bits")]
const fn suit_counters(key: u64) -> u32 {
    (key >> SUITS_SHIFT) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sums of `LEAST` over collections of up to seven cards with at most four of a rank.
    fn sums(ranks: &[u64], room: u64) -> Vec<u64> {
        let Some((key, others)) = ranks.split_first() else { return vec![0] };
        (0..=room.min(4)).flat_map(|n| sums(others, room - n).into_iter().map(move |s| s + n * key)).collect()
    }

    #[test]
    fn collections_of_up_to_seven_cards_have_different_sums() {
        let mut sums = sums(&LEAST, 7);
        assert_eq!(sums.len(), 76_155);
        sums.sort_unstable();
        assert_eq!(sums.last(), Some(&18_393_157));
        sums.dedup();
        assert_eq!(sums.len(), 76_155);
    }

    #[test]
    fn a_hand_is_counted_and_its_flush_found() {
        for card in Card::all() {
            assert_eq!(len(EMPTY.wrapping_add(KEYS[card.index()])), 1);
            let (mut key, mut suited) = (EMPTY, 0);
            for other in Card::all().filter(|c| c.suit() == card.suit()) {
                assert_eq!(has_flush(key), len(key) >= 5);
                key = key.wrapping_add(KEYS[other.index()]);
                suited |= SUITED[other.index()];
            }
            assert_eq!((len(key), flush_ranks(key, suited)), (13, 0x1FFF));
        }
    }
}
