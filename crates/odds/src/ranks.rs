//! Multisets of up to five ranks, numbered without gaps.
//!
//! Where suits do not matter a hand or a board is a multiset of ranks. There are C(12 + k, k) multisets of k ranks, 8,568 of up to
//! five. They are numbered by the combinatorial number system: r₁ ≤ r₂ ≤ … ≤ r_k has the number ΣC(rᵢ + i − 1, i), and the
//! numbers of smaller multisets come first.

use std::sync::OnceLock;

use crate::choose;

/// The largest multiset that has a number.
pub(crate) const LARGEST: usize = 5;

/// The number of multisets of `size` ranks.
pub(crate) const fn count(size: usize) -> usize {
    let mut ways = 1;
    let mut i = 0;
    while i < size {
        ways = ways * (13 + i) / (i + 1);
        i += 1;
    }
    ways
}

/// The multisets of fewer than `size` ranks come first: so many of them.
pub(crate) const fn first(size: usize) -> usize {
    let mut sum = 0;
    let mut k = 0;
    while k < size {
        sum += count(k);
        k += 1;
    }
    sum
}

/// The number of the multiset of no ranks.
pub(crate) const EMPTY: u16 = 0;

/// Not a multiset: it would have more than five ranks.
pub(crate) const NONE: u16 = u16::MAX;

/// All multisets with how to get from one to the next.
#[derive(Debug)]
pub(crate) struct Multisets {
    /// How many of each rank, by number.
    counts: Vec<[u8; 13]>,
    /// The number of the multiset with one more rank; [`NONE`] past five.
    with: Vec<[u16; 13]>,
}

impl Multisets {
    /// The table, built on first use.
    pub(crate) fn get() -> &'static Multisets {
        static TABLE: OnceLock<Multisets> = OnceLock::new();
        TABLE.get_or_init(Multisets::build)
    }

    fn build() -> Multisets {
        let total = first(LARGEST + 1);
        let mut counts = vec![[0u8; 13]; total];
        fill(&mut counts, [0; 13], 0, 0);
        let with = counts
            .iter()
            .map(|held| {
                std::array::from_fn(|rank| {
                    let mut more = *held;
                    more[rank] += 1;
                    if more.iter().map(|&n| usize::from(n)).sum::<usize>() > LARGEST {
                        NONE
                    } else {
                        number(&more)
                    }
                })
            })
            .collect();
        Multisets { counts, with }
    }

    /// How many of each rank.
    pub(crate) fn counts(&self, number: u16) -> &[u8; 13] {
        &self.counts[usize::from(number)]
    }

    /// The multiset with one more of this rank.
    pub(crate) fn with(&self, number: u16, rank: usize) -> u16 {
        self.with[usize::from(number)][rank]
    }

    /// The multiset with one of each of these ranks added.
    pub(crate) fn with_mask(&self, number: u16, mask: u16) -> u16 {
        bits(mask).fold(number, |set, rank| self.with(set, rank))
    }

    /// The numbers of all multisets of `size` ranks.
    pub(crate) fn of_size(size: usize) -> impl Iterator<Item = u16> + Clone {
        (first(size)..first(size + 1)).map(|n| u16::try_from(n).unwrap_or(NONE))
    }
}

/// The set bits of a rank mask, lowest first.
pub(crate) fn bits(mask: u16) -> impl Iterator<Item = usize> + Clone {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let rank = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(rank)
    })
}

fn fill(counts: &mut [[u8; 13]], held: [u8; 13], lowest: usize, size: usize) {
    counts[usize::from(number(&held))] = held;
    if size < LARGEST {
        for rank in lowest..13 {
            let mut more = held;
            more[rank] += 1;
            fill(counts, more, rank, size + 1);
        }
    }
}

fn number(held: &[u8; 13]) -> u16 {
    let (mut size, mut sum) = (0, 0);
    for (rank, &n) in held.iter().enumerate() {
        for _ in 0..n {
            size += 1;
            sum += choose(rank + size - 1, size);
        }
    }
    let number = first(size) + usize::try_from(sum).unwrap_or(usize::MAX);
    u16::try_from(number).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_without_gaps() {
        let table = Multisets::get();
        assert_eq!(table.counts.len(), 8568);
        for (n, held) in table.counts.iter().enumerate() {
            assert_eq!(usize::from(number(held)), n);
        }
        assert_eq!(Multisets::of_size(5).count(), 6188);
        let wheel = table.counts(table.with_mask(EMPTY, 0b1_0000_0000_1111));
        assert_eq!(wheel, &[1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    }
}
