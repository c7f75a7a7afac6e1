//! The lookup table that values hands.
//!
//! A hand's value depends on its flush suit's ranks, if it has five cards of a suit, and otherwise on its ranks alone. (Both
//! cannot count: of seven cards five have different ranks in a flush, so the other two make at most three of a kind or two pairs,
//! which a flush beats.) Either way the value is one read from one table:
//!
//! - slots 0 to 8,191 are for flushes, by the set of ranks of the suit;
//! - the other slots are for the collections of five, six and seven ranks, of which there are 6,175 + 18,395 + 49,205 = 73,775.
//!   The place of a collection is its column ([`hand_key`]) plus the displacement of its row.
//!
//! [`rows`] finds the displacements. [`ranking`] values five cards; the value of more cards is the highest of the values
//! without one of them. Nothing is stored in the program: the first use derives everything in a few milliseconds.

use std::sync::OnceLock;

use crate::ranking::{self, FiveRanks};
use crate::rows::{self, Rows};
use crate::{Hand, HandValue, Rank, hand_key};

/// Slots of the table: a power of two, so that any sum can be masked to a slot without a check.
pub(crate) const SLOTS: usize = 1 << 17;

/// Slots for flushes: one for each set of ranks.
pub(crate) const FLUSH_SLOTS: usize = 1 << 13;

/// Values hands. In hot loops, keep the one from [`Evaluator::get`].
pub struct Evaluator {
    /// A value for every slot; a slot that no hand reaches has the lowest value, so that every read gives a
    /// value.
    values: [u16; SLOTS],
    /// What to add to the column, for every row.
    displacements: [u32; hand_key::ROWS],
    /// The five ranks of each value, lowest value first.
    ranks: Vec<FiveRanks>,
}

impl Evaluator {
    /// The evaluator. The first call derives its table; later calls cost a read and a comparison.
    #[must_use]
    #[inline]
    pub fn get() -> &'static Evaluator {
        static EVALUATOR: OnceLock<Box<Evaluator>> = OnceLock::new();
        EVALUATOR.get_or_init(Evaluator::derive)
    }

    /// The value of the best five cards of a hand of five to seven different cards; an arbitrary value for any
    /// other hand.
    #[must_use]
    #[inline]
    pub fn value(&self, hand: Hand) -> HandValue {
        let slot = if hand_key::has_flush(hand.key) {
            // Three hands in a hundred: the others should not have to jump over it.
            std::hint::cold_path();
            hand_key::flush_ranks(hand.key, hand.suited)
        } else {
            self.slot(hand.key)
        };
        HandValue(self.values[slot % SLOTS])
    }

    /// The five ranks that a value stands for.
    pub(crate) fn ranks(&self, value: HandValue) -> FiveRanks {
        self.ranks[usize::from(value.0) - 1]
    }

    /// The slot for these ranks.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the slot is in the low bits")]
    fn slot(&self, key: u64) -> usize {
        (key as usize).wrapping_add(self.displacements[hand_key::row(key)] as usize) % SLOTS
    }

    /// Derives the table again. [`Evaluator::get`] does it once; this is for measuring how long it takes.
    #[must_use]
    pub fn derive() -> Box<Evaluator> {
        let collections = collections();
        let rows = Rows::of(collections.iter().flatten().map(|c| c.key));
        let mut evaluator = Box::new(Evaluator {
            values: [HandValue::MIN.0; SLOTS],
            displacements: rows::place(&rows, FLUSH_SLOTS, SLOTS),
            ranks: ranking::all(),
        });
        evaluator.fill_five();
        evaluator.fill_flushes();
        let [_five, six, seven] = collections;
        evaluator.fill_more(&six);
        evaluator.fill_more(&seven);
        evaluator
    }

    /// Fills in the values of five cards, from the ranking.
    fn fill_five(&mut self) {
        let values = HandValue::all().zip(std::mem::take(&mut self.ranks));
        for (value, five) in values {
            let slot = if value.class().is_flush() {
                ranking::set(&five)
            } else {
                self.slot(five.into_iter().map(hand_key::of_rank).fold(0, u64::wrapping_add))
            };
            self.values[slot] = value.0;
            self.ranks.push(five);
        }
    }

    /// Fills in the values of six and more cards of a suit: the highest of the values without one of them.
    fn fill_flushes(&mut self) {
        // A set without one of its ranks is a smaller number, so its value is already there.
        for set in (0..FLUSH_SLOTS).filter(|set| set.count_ones() > 5) {
            let without_one = (0..13).filter(|rank| set >> rank & 1 == 1).map(|rank| set & !(1 << rank));
            self.values[set] = without_one.map(|set| self.values[set]).fold(0, u16::max);
        }
    }

    /// Fills in the values of collections with one card more than the existing ones.
    fn fill_more(&mut self, collections: &[Collection]) {
        for &Collection { key, present } in collections {
            let present = Rank::ALL.into_iter().filter(|rank| present >> rank.index() & 1 == 1);
            let without_one = present.map(|rank| self.slot(key.wrapping_sub(hand_key::of_rank(rank))));
            self.values[self.slot(key)] = without_one.map(|slot| self.values[slot]).fold(0, u16::max);
        }
    }
}

/// The ranks of some cards, each up to four times.
#[derive(Clone, Copy)]
struct Collection {
    /// The sum of the ranks' keys.
    key: u64,
    /// The set of the ranks.
    present: u16,
}

/// All collections of five, of six and of seven cards.
fn collections() -> [Vec<Collection>; 3] {
    // By size, over the ranks so far; each further rank is added up to four times.
    let mut by_size: [Vec<Collection>; 8] = std::array::from_fn(|_| Vec::new());
    by_size[0].push(Collection { key: 0, present: 0 });
    for rank in Rank::ALL {
        for size in (1..8).rev() {
            let (smaller, this) = by_size.split_at_mut(size);
            let mut key = 0u64;
            for with_less in smaller.iter().rev().take(4) {
                key = key.wrapping_add(hand_key::of_rank(rank));
                this[0].extend(with_less.iter().map(|c| Collection {
                    key: c.key.wrapping_add(key),
                    present: c.present | 1 << rank.index(),
                }));
            }
        }
    }
    let [_, _, _, _, _, five, six, seven] = by_size;
    [five, six, seven]
}
