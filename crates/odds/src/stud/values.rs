//! All values of five-card hands, and how many hands have each.

use baize_cards::HandValue;

use super::counters::flush_masks;
use crate::ranks::{self, Multisets, bits};
use crate::{DeckSpec, choose, values};

/// Common properties of all hands of one value: their ranks, and whether they are flushes.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValueKind {
    pub value: HandValue,
    /// The ranks as a multiset.
    pub ranks: u16,
    /// The ranks as a set.
    pub mask: u16,
    /// Flushes and straight flushes.
    pub flush: bool,
}

impl ValueKind {
    /// Five different ranks.
    pub(super) const fn distinct(&self) -> bool {
        self.mask.count_ones() == 5
    }

    /// How many hands have this value.
    pub(super) fn hands(&self) -> i64 {
        if self.flush {
            return 4;
        }
        let ways: i64 = self.held().map(|(_, n)| choose(4, n)).product();
        ways - if self.distinct() { 4 } else { 0 }
    }

    /// How many hands have this value and exactly these ranks in one given suit.
    pub(super) fn hands_with(&self, in_suit: u16) -> i64 {
        if self.flush {
            return if in_suit == self.mask { 1 } else { 3 * i64::from(in_suit == 0) };
        }
        if self.distinct() && in_suit == self.mask {
            return 0;
        }
        let ways: i64 =
            self.held().map(|(rank, n)| choose(3, n - usize::from(in_suit >> rank & 1 == 1))).product();
        // Five different ranks in one of the other suits are a flush.
        ways - if self.distinct() && in_suit == 0 { 3 } else { 0 }
    }

    /// The hands of the same ranks, flushes or not, that contain given cards of the seen ranks and avoid one of these hands.
    pub(super) fn same_ranks(&self, seen: u16) -> i64 {
        let (held, seen) = (Multisets::get().counts(self.ranks), Multisets::get().counts(seen));
        if seen.iter().zip(held).any(|(seen, held)| seen > held) {
            return 0;
        }
        let ways = held.iter().zip(seen).map(|(held, seen)| {
            let (held, seen) = (usize::from(*held), usize::from(*seen));
            // `held` of the four are the player's and `seen` are known; the dealer needs `held`, some of them the known ones.
            if held + seen > 4 { 0 } else { choose(4 - held - seen, held - seen) }
        });
        ways.product()
    }

    /// The ways to choose cards of the seen ranks that are not in a hand of this value.
    pub(super) fn seen_ways(&self, seen: u16) -> i64 {
        let (held, seen) = (Multisets::get().counts(self.ranks), Multisets::get().counts(seen));
        held.iter().zip(seen).map(|(held, seen)| choose(4 - usize::from(*held), usize::from(*seen))).product()
    }

    fn held(&self) -> impl Iterator<Item = (usize, usize)> {
        let held = Multisets::get().counts(self.ranks);
        held.iter().enumerate().filter(|(_, n)| **n > 0).map(|(rank, n)| (rank, usize::from(*n)))
    }
}

/// All values of five-card hands of the deck, ascending: 7,462 for a whole deck.
pub(super) fn ascending(deck: DeckSpec) -> Vec<ValueKind> {
    let mut all = Vec::new();
    for ranks in Multisets::of_size(5) {
        let counts = Multisets::get().counts(ranks);
        if counts.iter().enumerate().all(|(rank, n)| *n == 0 || deck.has(rank))
            && let Some(value) = values::unsuited(counts)
        {
            let mask =
                counts.iter().enumerate().fold(0u16, |mask, (rank, n)| mask | u16::from(*n > 0) << rank);
            all.push(ValueKind { value, ranks, mask, flush: false });
        }
    }
    for mask in flush_masks(deck) {
        if let Some(value) = values::suited(mask) {
            all.push(ValueKind { value, ranks: distinct(mask), mask, flush: true });
        }
    }
    all.sort_unstable_by_key(|kind| kind.value);
    all
}

/// Every value of the deck with the number of hands that have it.
pub fn hands_by_value(deck: DeckSpec) -> impl Iterator<Item = (HandValue, i64)> {
    ascending(deck).into_iter().map(|kind| (kind.value, kind.hands()))
}

/// The multiset of a set of distinct ranks.
pub(super) fn distinct(mask: u16) -> u16 {
    bits(mask).fold(ranks::EMPTY, |set, rank| Multisets::get().with(set, rank))
}
