//! Which ranks the deck has: all thirteen, or fewer so that brute force can check the solvers.
//!
//! Every deck has four suits. The solvers are written for any set of ranks; the five games use all of them.

use baize_cards::{Card, CardSet, Rank, Suit};

/// The ranks of a deck of four suits, as a set of 13 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeckSpec {
    ranks: u16,
}

impl DeckSpec {
    /// The whole deck of 52 cards.
    pub const FULL: DeckSpec = DeckSpec { ranks: 0x1FFF };

    /// A deck with these ranks only.
    #[must_use]
    pub fn of(ranks: impl IntoIterator<Item = Rank>) -> DeckSpec {
        DeckSpec { ranks: ranks.into_iter().fold(0, |set, rank| set | 1 << rank.index()) }
    }

    /// The ranks as bits, bit 0 for a Two.
    #[must_use]
    pub const fn rank_bits(self) -> u16 {
        self.ranks
    }

    /// How many ranks.
    #[must_use]
    pub const fn rank_count(self) -> usize {
        self.ranks.count_ones() as usize
    }

    /// How many cards: four of each rank.
    #[must_use]
    pub const fn card_count(self) -> usize {
        4 * self.rank_count()
    }

    /// Whether the deck has this rank, by its index.
    #[must_use]
    pub const fn has(self, rank_index: usize) -> bool {
        self.ranks >> rank_index & 1 == 1
    }

    /// The indices of the ranks, lowest first.
    pub fn rank_indices(self) -> impl Iterator<Item = usize> + Clone {
        (0..13).filter(move |&rank| self.has(rank))
    }

    /// The cards.
    #[must_use]
    pub fn cards(self) -> CardSet {
        self.rank_indices()
            .flat_map(|rank| Suit::ALL.into_iter().map(move |suit| Card::new(Rank::ALL[rank], suit)))
            .collect()
    }
}

/// The number of ways to choose `k` of `n` things.
///
/// Exact for every value that the games need: C(52, 5) and its like are far below 2^63.
#[must_use]
pub const fn choose(n: usize, k: usize) -> i64 {
    if k > n {
        return 0;
    }
    let mut ways: i64 = 1;
    let mut i = 0;
    while i < k {
        ways = ways * (n - i) as i64 / (i + 1) as i64;
        i += 1;
    }
    ways
}
