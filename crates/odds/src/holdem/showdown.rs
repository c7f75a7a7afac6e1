//! Complete boards: the order of all pairs of hole cards, and how many of the dealer's pairs each beats.

use baize_cards::{HandClass, HandValue};

use super::boards::{SuitBoard, ranks_left, types_left};
use super::pairs::{Entry, RANK_PAIRS, TYPE_PAIRS, rank_pairs};
use crate::ranks::Multisets;
use crate::{DeckSpec, ranks, values};

/// Wins by group of classes and, last, losses.
pub(super) type Tally<T, const N: usize> = [T; N];

/// Which component of a tally counts a win with a hand of each class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Groups {
    of_class: [usize; 10],
    lowest: [Option<HandClass>; 10],
}

impl Groups {
    /// One group for each class of the array: the lowest class stands for the group.
    pub(crate) fn new(alike: &[HandClass; 10]) -> Groups {
        let mut groups = Groups { of_class: [0; 10], lowest: [None; 10] };
        let mut count = 0;
        for (class, lowest) in alike.iter().enumerate() {
            let known = groups.lowest[..count].iter().position(|group| group == &Some(*lowest));
            groups.of_class[class] = known.unwrap_or(count);
            if known.is_none() {
                groups.lowest[count] = Some(*lowest);
                count += 1;
            }
        }
        groups
    }

    pub(crate) fn of(&self, value: HandValue) -> usize {
        self.of_class[value.class() as usize]
    }

    /// The groups' lowest classes.
    pub(crate) fn lowest(&self) -> impl Iterator<Item = HandClass> + '_ {
        self.lowest.iter().flatten().copied()
    }
}

/// A board of five ranks as if no flush existed: all pairs of ranks in ascending order of value.
#[derive(Debug, Clone)]
pub(super) struct RankBoard {
    entries: Vec<Entry<HandValue>>,
}

impl RankBoard {
    /// The board with these ranks. Empty if the deck has no such board.
    pub(super) fn new(deck: DeckSpec, board: u16) -> RankBoard {
        let mut entries = Vec::new();
        if ranks_left(deck, board).is_some() {
            let held = Multisets::get().counts(board);
            for high in deck.rank_indices() {
                for low in deck.rank_indices().take_while(|low| *low <= high) {
                    let mut counts = *held;
                    counts[low] += 1;
                    counts[high] += 1;
                    if let Some(value) = values::unsuited(&counts) {
                        entries.push(Entry::new(low, high, value));
                    }
                }
            }
            entries.sort_unstable_by_key(|entry| entry.value);
        }
        RankBoard { entries }
    }

    /// The tallies of all pairs of ranks.
    pub(super) fn tallies<const N: usize>(
        &self,
        deck: DeckSpec,
        board: u16,
        groups: &Groups,
        row: &mut [Tally<i32, N>; RANK_PAIRS],
    ) {
        let Some(left) = ranks_left(deck, board) else { return };
        rank_pairs(&left, &self.entries, |entry, lower, higher| {
            let tally = &mut row[usize::from(entry.pair)];
            tally[groups.of(entry.value)] = i32::from(lower);
            tally[N - 1] = i32::from(higher);
        });
    }
}

/// The pairs of types that make a flush with the board's ranks of one suit, in ascending order of value.
#[derive(Debug, Clone, Default)]
pub(super) struct Flushes {
    entries: Vec<Entry<HandValue>>,
}

impl Flushes {
    /// The flushes on a board with these ranks in the suit; `table` has the value of each set of five to seven ranks of a suit.
    pub(super) fn new(deck: DeckSpec, suited: u16, table: &[Option<HandValue>]) -> Flushes {
        let mut entries = Vec::new();
        let types = || {
            deck.rank_indices()
                .filter(|rank| suited >> rank & 1 == 0)
                .chain(deck.rank_indices().map(|r| r + 13))
        };
        for one in types() {
            for other in types().filter(|other| *other >= one) {
                let bit = |card: usize| if card < 13 { 1u16 << card } else { 0 };
                if one == other && one < 13 {
                    continue;
                }
                if let Some(value) = table[usize::from(suited | bit(one) | bit(other))] {
                    entries.push(Entry::new(one, other, value));
                }
            }
        }
        entries.sort_unstable_by_key(|entry| entry.value);
        Flushes { entries }
    }
}

/// The values of all sets of five to seven ranks of one suit.
pub(super) fn suited_values() -> Vec<Option<HandValue>> {
    (0..1u16 << 13).map(values::suited).collect()
}

/// The ranks of a board as a multiset.
pub(super) fn board_ranks(board: SuitBoard) -> u16 {
    Multisets::get().with_mask(board.others, board.suited)
}

/// The flush suit's correction to the tallies of each pair of types on a complete board: true tallies minus tallies by ranks alone.
pub(super) fn flush_correction<const N: usize>(
    deck: DeckSpec,
    board: SuitBoard,
    by_ranks: (&RankBoard, &[Tally<i32, N>; RANK_PAIRS]),
    flushes: &Flushes,
    groups: &Groups,
    row: &mut [Tally<i16, N>; TYPE_PAIRS],
) {
    let Some(left) = types_left(deck, board) else { return };
    let (rank_board, rank_row) = by_ranks;
    let in_suit = board.suited.count_ones();
    let mut merged = Vec::with_capacity(TYPE_PAIRS);
    let mut flushes = flushes.entries.iter().filter(|entry| present(&left, entry)).peekable();
    for entry in &rank_board.entries {
        while let Some(flush) = flushes.next_if(|flush| flush.value < entry.value) {
            merged.push(*flush);
        }
        let (low, high) = (usize::from(entry.one), usize::from(entry.other));
        let mut push = |one: usize, other: usize| {
            let typed = Entry::new(one, other, entry.value);
            if present(&left, &typed) {
                merged.push(typed);
            }
        };
        if in_suit < 5 {
            push(low + 13, high + 13);
        }
        if in_suit < 4 {
            push(low, high + 13);
            if low != high {
                push(high, low + 13);
            }
        }
    }
    merged.extend(flushes);
    rank_pairs(&left, &merged, |entry, lower, higher| {
        let rank = |card: u8| usize::from(card) % 13;
        let ranks_say = &rank_row[super::pairs::pair(rank(entry.one), rank(entry.other))];
        let tally = &mut row[usize::from(entry.pair)];
        tally[groups.of(entry.value)] = lower;
        tally[N - 1] = higher;
        for (truth, ranks_say) in tally.iter_mut().zip(ranks_say) {
            *truth -= i16::try_from(*ranks_say).unwrap_or(0);
        }
    });
}

/// Whether any pair of cards is of this pair of types.
fn present<V>(left: &[i16; 26], entry: &Entry<V>) -> bool {
    let (one, other) = (usize::from(entry.one), usize::from(entry.other));
    left[one] > 0 && left[other] > i16::from(one == other)
}

/// The multisets of five ranks, as a range of numbers.
pub(super) fn first_rank_board() -> usize {
    ranks::first(5)
}
