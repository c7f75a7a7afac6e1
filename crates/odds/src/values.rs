//! Values of hands by ranks alone, and of flushes by the ranks of one suit.
//!
//! The solvers first value every hand as if there were no flushes, so that only ranks matter, and then correct for the few flushes. Both
//! values come from the evaluator in `baize-cards`.

use baize_cards::{Card, CardSet, HandValue, Rank, Suit};

/// The value of five to seven cards with these counts by rank, without a flush.
///
/// `None` if a rank occurs more than four times or the number of cards is wrong.
pub(crate) fn unsuited(counts: &[u8; 13]) -> Option<HandValue> {
    let mut used = [0u8; 4];
    let mut cards = CardSet::EMPTY;
    let mut order = [0usize, 1, 2, 3];
    for (rank, &n) in counts.iter().enumerate() {
        // The least used suits first: seven cards in four suits then never have more than four of one.
        order.sort_by_key(|&suit| used[suit]);
        for &suit in order.get(..usize::from(n))? {
            used[suit] += 1;
            cards = cards.with(Card::new(Rank::ALL[rank], Suit::ALL[suit]));
        }
    }
    HandValue::of(cards).ok()
}

/// The value of five to seven cards of one suit with these ranks. `None` for any other number of cards.
pub(crate) fn suited(mask: u16) -> Option<HandValue> {
    let cards = Rank::ALL.into_iter().filter(|rank| mask >> rank.index() & 1 == 1);
    HandValue::of(cards.map(|rank| Card::new(rank, Suit::Clubs)).collect()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_cards::HandClass;

    #[test]
    fn no_flush_without_suits() {
        let mut counts = [0u8; 13];
        counts[..7].fill(1);
        assert_eq!(unsuited(&counts).unwrap().class(), HandClass::Straight);
        counts = [0; 13];
        counts[3] = 4;
        counts[12] = 3;
        assert_eq!(unsuited(&counts).unwrap().class(), HandClass::FourOfAKind);
        assert_eq!(suited(0b1_1111).unwrap().class(), HandClass::StraightFlush);
        assert_eq!(suited(0b1111), None);
        counts[3] = 5;
        assert_eq!(unsuited(&counts), None);
    }
}
