//! Sets of cards that are the same up to a renaming of the suits.
//!
//! A set of cards is four sets of ranks, one for each suit. Renaming the suits permutes the four; so the sets that are the same
//! up to suits are the multisets of four rank sets, and writing the four in descending order picks one of each. 134,459 of
//! them have five cards, 16,432 four, 1,755 three.

use baize_cards::{Card, CardSet, Rank, Suit};

use crate::DeckSpec;

/// A set of cards up to a renaming of the suits: its rank sets in descending order, the first for [`Suit::Clubs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    masks: [u16; 4],
}

/// The ranks that these cards have in each suit.
pub(crate) fn ranks_by_suit(cards: CardSet) -> [u16; 4] {
    let mut masks = [0; 4];
    for card in cards.iter() {
        masks[card.suit().index()] |= 1 << card.rank().index();
    }
    masks
}

impl Pattern {
    /// The pattern of these cards and the suit of the pattern that each suit becomes.
    #[must_use]
    pub fn of(cards: CardSet) -> (Pattern, [usize; 4]) {
        let masks = ranks_by_suit(cards);
        let mut order = [0usize, 1, 2, 3];
        order.sort_by_key(|&suit| std::cmp::Reverse(masks[suit]));
        let mut becomes = [0; 4];
        for (place, &suit) in order.iter().enumerate() {
            becomes[suit] = place;
        }
        (Pattern { masks: order.map(|suit| masks[suit]) }, becomes)
    }

    /// The ranks in each suit.
    #[must_use]
    pub const fn masks(self) -> [u16; 4] {
        self.masks
    }

    /// The cards, with the suits as they stand in the pattern.
    #[must_use]
    pub fn cards(self) -> CardSet {
        let mut set = CardSet::EMPTY;
        for (suit, mask) in Suit::ALL.into_iter().zip(self.masks) {
            for rank in Rank::ALL {
                if mask >> rank.index() & 1 == 1 {
                    set = set.with(Card::new(rank, suit));
                }
            }
        }
        set
    }

    /// How many sets of cards have this pattern: 4! over the factorials of how often each rank set is repeated.
    #[must_use]
    pub fn sets(self) -> u32 {
        let mut ways = 24;
        let mut run = 1;
        for pair in self.masks.windows(2) {
            if pair[0] == pair[1] {
                run += 1;
                ways /= run;
            } else {
                run = 1;
            }
        }
        ways
    }

    /// All patterns of `size` cards of the deck.
    #[must_use]
    pub fn all(deck: DeckSpec, size: u32) -> Vec<Pattern> {
        let mut by_count: Vec<Vec<u16>> = vec![Vec::new(); 14];
        for mask in 0..1u16 << 13 {
            if mask & !deck.rank_bits() == 0 {
                by_count[mask.count_ones() as usize].push(mask);
            }
        }
        let mut found = Vec::new();
        extend(&by_count, size, &mut [0; 4], 0, &mut found);
        found
    }
}

fn extend(by_count: &[Vec<u16>], left: u32, masks: &mut [u16; 4], place: usize, found: &mut Vec<Pattern>) {
    if place == 4 {
        if left == 0 {
            found.push(Pattern { masks: *masks });
        }
        return;
    }
    // The last suit has to take all the cards that are left.
    let fewest = if place == 3 { left } else { 0 };
    for count in fewest..=left.min(13) {
        for &mask in &by_count[count as usize] {
            if place > 0 && mask > masks[place - 1] {
                break;
            }
            masks[place] = mask;
            extend(by_count, left - count, masks, place + 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose;

    #[test]
    fn patterns_are_as_many_as_published_and_cover_every_set() {
        for (size, patterns) in [(2, 169), (3, 1755), (4, 16_432), (5, 134_459)] {
            let all = Pattern::all(DeckSpec::FULL, size);
            assert_eq!(all.len(), patterns);
            let sets: i64 = all.iter().map(|p| i64::from(p.sets())).sum();
            assert_eq!(sets, choose(52, size as usize));
        }
    }

    #[test]
    fn a_set_becomes_its_pattern() {
        for pattern in Pattern::all(DeckSpec::FULL, 3).into_iter().step_by(7) {
            assert_eq!(Pattern::of(pattern.cards()).0, pattern);
        }
        let cards: CardSet = "Ah Kh 2s".parse().unwrap();
        let (pattern, becomes) = Pattern::of(cards);
        assert_eq!(becomes[Suit::Hearts.index()], 0);
        assert_eq!(becomes[Suit::Spades.index()], 1);
        assert_eq!(pattern.masks()[1], 1);
    }
}
