//! Every position of stud once: the player's five cards, the dealer's face-up card, and what the dealer may have.
//!
//! The values of five-card hands are visited in ascending order. All hands of one value have the same ranks, and are either all
//! flushes or all not. Among the dealer's hands that contain the face-up card and avoid the player's cards, those of
//! lower value are counted as ranks alone (the same for every suiting of the player's hand) and corrected for flushes, which must be in
//! the suit of the face-up card. `docs/mathematics.md` has the derivation.

use baize_cards::{Card, HandValue, Rank, Suit};

use super::counters::{Exclusion, FlushCounters, RankCounters, distinct, flush_masks};
use super::{StudGame, StudOutcome};
use crate::ranks::{self, Multisets};
use crate::{DeckSpec, Pattern, choose, values};

/// How many of the dealer's hands lead to each outcome, in the order of [`StudOutcome::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DealerCounts {
    counts: [i64; 4],
}

impl DealerCounts {
    /// The dealer's hands with this outcome.
    #[must_use]
    pub const fn of(&self, outcome: StudOutcome) -> i64 {
        self.counts[outcome as usize]
    }

    /// All the dealer's hands.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.counts.iter().sum()
    }

    /// One more hand with this outcome.
    pub(super) const fn add(&mut self, outcome: StudOutcome) {
        self.counts[outcome as usize] += 1;
    }
}

/// A position of stud, up to a renaming of the suits.
#[derive(Debug, Clone, Copy)]
pub struct StudPosition {
    /// The player's cards.
    pub hand: Pattern,
    /// Their value.
    pub value: HandValue,
    /// The dealer's face-up card, in the suits of the pattern.
    pub up: Card,
    /// How many deals of player's cards and face-up card are the same up to suits.
    pub deals: i64,
    /// The dealer's hands.
    pub counts: DealerCounts,
}

impl StudPosition {
    /// What a bet gains over a fold, summed over all the dealer's hands.
    #[must_use]
    pub fn gain(&self, game: &StudGame) -> i64 {
        game.bet_sum(self.value.class(), &self.counts) - game.fold_sum(&self.counts)
    }
}

/// What the hands of one value have in common.
enum Kind {
    /// Not flushes: their ranks as a multiset, and as a set if all differ.
    Ranks(u16, Option<u16>),
    /// Flushes and straight flushes with these ranks.
    Flush(u16),
}

/// Visits every position.
pub fn survey(deck: DeckSpec, qualifies_from: Option<HandValue>, mut visit: impl FnMut(&StudPosition)) {
    let values = values_ascending(deck);
    let (qualified_ranks, qualified_flushes) = not_qualified(&values, qualifies_from);
    let mut hands: Vec<(HandValue, Pattern)> = hands_by_value(deck);
    hands.sort_unstable();
    let completions = choose(deck.card_count() - 6, 4);
    let (mut lower_ranks, mut lower_flushes) = (RankCounters::new(), FlushCounters::new());
    let mut rest = hands.as_slice();
    for (value, kind) in &values {
        let (group, after) = rest.split_at(rest.partition_point(|(of_hand, _)| of_hand <= value));
        rest = after;
        let plays = qualifies_from.is_none_or(|from| *value >= from);
        let (hand_ranks, flush) = match kind {
            Kind::Ranks(set, _) => (*set, false),
            Kind::Flush(mask) => (distinct(*mask), true),
        };
        let exclusion = Exclusion::of(hand_ranks);
        let base: [[i64; 3]; 13] = std::array::from_fn(|rank| {
            let equal = if flush { 0 } else { same_ranks(hand_ranks, rank) };
            if deck.has(rank) {
                [exclusion.count(&qualified_ranks, rank), exclusion.count(&lower_ranks, rank), equal]
            } else {
                [0; 3]
            }
        });
        let (twin, twin_sign) = match kind {
            Kind::Ranks(_, mask) => (mask.unwrap_or(0), -1),
            Kind::Flush(mask) => (*mask, 1),
        };
        for &(_, hand) in group {
            let masks = hand.masks();
            let mut suit = 0;
            while suit < 4 {
                let mask = masks[suit];
                let alike = masks[suit..].iter().filter(|other| **other == mask).count();
                let deals = i64::from(hand.sets()) * choose(alike, 1);
                for rank in ranks::bits(deck.rank_bits() & !mask) {
                    let [mut not_qualified, mut lower, mut equal] = base[rank];
                    not_qualified += i64::from(qualified_flushes.count(rank, mask));
                    lower += i64::from(lower_flushes.count(rank, mask));
                    if mask == 0 && twin >> rank & 1 == 1 {
                        // The dealer's flush with the player's ranks: not equal to a hand without a flush, equal to a flush.
                        equal += twin_sign;
                    }
                    let counts = if plays {
                        let higher = completions - lower - equal;
                        [not_qualified, lower - not_qualified, higher, equal]
                    } else {
                        [not_qualified, 0, completions - not_qualified, 0]
                    };
                    let up = Card::new(Rank::ALL[rank], Suit::ALL[suit]);
                    let counts = DealerCounts { counts };
                    visit(&StudPosition { hand, value: *value, up, deals, counts });
                }
                suit += alike;
            }
        }
        match kind {
            Kind::Ranks(set, mask) => {
                lower_ranks.add(*set);
                if let Some(mask) = mask {
                    lower_flushes.add(*mask, -1);
                }
            }
            Kind::Flush(mask) => lower_flushes.add(*mask, 1),
        }
    }
}

/// The counters of all hands that do not qualify.
fn not_qualified(values: &[(HandValue, Kind)], from: Option<HandValue>) -> (RankCounters, FlushCounters) {
    let (mut by_ranks, mut flushes) = (RankCounters::new(), FlushCounters::new());
    for (value, kind) in values {
        if from.is_some_and(|from| *value < from) {
            match kind {
                Kind::Ranks(set, mask) => {
                    by_ranks.add(*set);
                    if let Some(mask) = mask {
                        flushes.add(*mask, -1);
                    }
                }
                Kind::Flush(mask) => flushes.add(*mask, 1),
            }
        }
    }
    (by_ranks, flushes)
}

/// All values of five-card hands of the deck, ascending: 7,462 for a whole deck.
fn values_ascending(deck: DeckSpec) -> Vec<(HandValue, Kind)> {
    let mut all = Vec::new();
    for set in Multisets::of_size(5) {
        let counts = Multisets::get().counts(set);
        if counts.iter().enumerate().all(|(rank, n)| *n == 0 || deck.has(rank))
            && let Some(value) = values::unsuited(counts)
        {
            let mask =
                counts.iter().enumerate().fold(0u16, |mask, (rank, n)| mask | u16::from(*n > 0) << rank);
            all.push((value, Kind::Ranks(set, (mask.count_ones() == 5).then_some(mask))));
        }
    }
    for mask in flush_masks(deck) {
        if let Some(value) = values::suited(mask) {
            all.push((value, Kind::Flush(mask)));
        }
    }
    all.sort_unstable_by_key(|(value, _)| *value);
    all
}

/// All five-card hands up to suits, with their values.
fn hands_by_value(deck: DeckSpec) -> Vec<(HandValue, Pattern)> {
    let table = Multisets::get();
    let by_ranks: Vec<Option<HandValue>> =
        Multisets::of_size(5).map(|set| values::unsuited(table.counts(set))).collect();
    let first = ranks::first(5);
    Pattern::all(deck, 5)
        .into_iter()
        .filter_map(|hand| {
            let masks = hand.masks();
            let value = match masks.iter().find(|mask| mask.count_ones() == 5) {
                Some(mask) => values::suited(*mask),
                None => {
                    let set = masks.iter().fold(ranks::EMPTY, |set, mask| table.with_mask(set, *mask));
                    by_ranks[usize::from(set) - first]
                }
            };
            value.map(|value| (value, hand))
        })
        .collect()
}

/// The dealer's hands with the same ranks as the player's, given a face-up card of this rank.
fn same_ranks(hand: u16, up: usize) -> i64 {
    let held = Multisets::get().counts(hand);
    if held[up] == 0 {
        return 0;
    }
    (0..13)
        .map(|rank| {
            let n = usize::from(held[rank]);
            let shown = usize::from(rank == up);
            // n of the four are the player's and one may be face up; the dealer needs n, one of which may be face up.
            if 4 < n + shown { 0 } else { choose(4 - n - shown, n - shown) }
        })
        .product()
}
