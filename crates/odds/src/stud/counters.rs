//! Counts of the dealer's possible hands, up to some value, that contain given cards and avoid others.
//!
//! Two kinds of counters grow as the survey ascends through the values. [`RankCounters`] counts all hands by ranks alone, as if there were
//! no flushes. [`FlushCounters`] holds the corrections for the hands of one suit. Both answer "contains these cards, avoids those" by
//! inclusion and exclusion over the cards to avoid.

use crate::DeckSpec;
use crate::choose;
use crate::ranks::{self, Multisets};

/// For each multiset of up to five ranks: how many hands so far contain given cards of these ranks.
#[derive(Debug, Clone)]
pub(super) struct RankCounters {
    containing: Vec<i64>,
}

impl RankCounters {
    pub(super) fn new() -> RankCounters {
        RankCounters { containing: vec![0; ranks::first(ranks::LARGEST + 1)] }
    }

    /// Adds all hands with these ranks.
    ///
    /// If t of the cards of a rank are given and the hand has m of it, the others are m − t of the 4 − t that are left.
    pub(super) fn add(&mut self, hand: u16) {
        let table = Multisets::get();
        let mut parts: Vec<(u16, i64)> = vec![(ranks::EMPTY, 1)];
        for (rank, &n) in table.counts(hand).iter().enumerate().filter(|(_, n)| **n > 0) {
            let held = usize::from(n);
            let mut longer = Vec::with_capacity(parts.len() * (held + 1));
            for &(part, ways) in &parts {
                let mut part = part;
                for given in 0..=held {
                    longer.push((part, ways * choose(4 - given, held - given)));
                    if given < held {
                        part = table.with(part, rank);
                    }
                }
            }
            parts = longer;
        }
        for (part, ways) in parts {
            self.containing[usize::from(part)] += ways;
        }
    }
}

/// Precomputed unions of multisets of seen ranks with further ranks, so that counter lookups need no arithmetic.
#[derive(Debug)]
pub(super) struct Joined {
    size: usize,
    rows: Vec<Vec<u16>>,
}

impl Joined {
    /// All unions of multisets of `size` seen ranks with others, of at most five ranks in total.
    pub(super) fn new(size: usize) -> Joined {
        let table = Multisets::get();
        let parts = (0..=ranks::LARGEST - size).flat_map(Multisets::of_size);
        let row = |seen: u16| {
            let join = |part: u16| {
                table.counts(part).iter().enumerate().fold(seen, |set, (rank, n)| {
                    (0..*n).fold(set, |set, _| if set == ranks::NONE { set } else { table.with(set, rank) })
                })
            };
            parts.clone().map(join).collect()
        };
        Joined { size, rows: Multisets::of_size(size).map(row).collect() }
    }

    /// For a multiset of seen ranks: by the other multiset, the number of the union.
    pub(super) fn with(&self, seen: u16) -> &[u16] {
        &self.rows[usize::from(seen) - ranks::first(self.size)]
    }
}

/// The subsets of a hand as multisets of ranks, with sign and number: Σ over subsets S of (−1)^|S|.
#[derive(Debug)]
pub(super) struct Exclusion {
    parts: Vec<(u16, i64)>,
}

impl Exclusion {
    /// The subsets that may be in a dealer's hand together with `seen` of their cards.
    pub(super) fn of(hand: u16, seen: usize) -> Exclusion {
        let table = Multisets::get();
        let mut parts = vec![(ranks::EMPTY, 1)];
        for (rank, &n) in table.counts(hand).iter().enumerate().filter(|(_, n)| **n > 0) {
            let mut longer = Vec::with_capacity(parts.len() * 5);
            for &(part, sign) in &parts {
                let mut part = part;
                for taken in 0..=usize::from(n) {
                    if taken > 0 {
                        part = table.with(part, rank);
                    }
                    let odd = if taken % 2 == 1 { -1 } else { 1 };
                    longer.push((part, sign * odd * choose(usize::from(n), taken)));
                }
            }
            parts = longer;
        }
        parts.retain(|(part, _)| usize::from(*part) < ranks::first(ranks::LARGEST - seen + 1));
        Exclusion { parts }
    }

    /// The hands counted so far that contain given cards of the seen ranks and none of the cards of this hand.
    pub(super) fn count(&self, counters: &RankCounters, joined: &[u16]) -> i64 {
        let held = |part: u16| counters.containing[usize::from(joined[usize::from(part)])];
        self.parts.iter().map(|&(part, sign)| sign * held(part)).sum()
    }
}

/// For each set of ranks: the correction for the hands of one suit that contain these ranks of the suit.
#[derive(Debug, Clone)]
pub(super) struct FlushCounters {
    containing: Vec<i32>,
}

impl FlushCounters {
    pub(super) fn new() -> FlushCounters {
        FlushCounters { containing: vec![0; 1 << 13] }
    }

    /// Adds `sign` for the hand of one suit with these five ranks.
    pub(super) fn add(&mut self, hand: u16, sign: i32) {
        let mut part = hand;
        loop {
            self.containing[usize::from(part)] += sign;
            if part == 0 {
                break;
            }
            part = (part - 1) & hand;
        }
    }

    /// The correction for hands that contain these ranks of the suit and none of those.
    pub(super) fn count(&self, seen: u16, avoided: u16) -> i32 {
        if avoided == 0 {
            return self.containing[usize::from(seen)];
        }
        let mut sum = 0;
        let mut part = avoided;
        loop {
            let here = self.containing[usize::from(part | seen)];
            sum += if part.count_ones() % 2 == 1 { -here } else { here };
            if part == 0 {
                return sum;
            }
            part = (part - 1) & avoided;
        }
    }
}

/// The rank sets of the flushes of a deck.
pub(super) fn flush_masks(deck: DeckSpec) -> impl Iterator<Item = u16> {
    (0..1u16 << 13).filter(move |mask| mask.count_ones() == 5 && mask & !deck.rank_bits() == 0)
}
