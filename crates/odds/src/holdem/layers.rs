//! Sums over the cards still to come: from complete boards back to boards of four and three cards.
//!
//! The tallies of a board and a pair of hole cards are sums over the next community card. A complete board has at most one flush suit, so a
//! tally is the value by ranks alone plus a correction for each suit that can still make a flush. The two kinds of terms are summed
//! separately, because each depends on far fewer things than their sum.

use super::boards::{SuitBoard, SuitBoards, rivals};
use super::pairs::{RANK_PAIRS, TYPE_PAIRS, pair};
use super::showdown::{
    Flushes, Groups, RankBoard, Tally, board_ranks, first_rank_board, flush_correction, suited_values,
};
use crate::parallel::fill_rows;
use crate::ranks::{self, Multisets};
use crate::{DeckSpec, choose};

pub(super) type RankRow<const N: usize> = [Tally<i32, N>; RANK_PAIRS];
pub(super) type TypeRow<T, const N: usize> = [Tally<T, N>; TYPE_PAIRS];

/// The sums for boards of one size.
#[derive(Debug)]
pub(super) struct Layer<T, const N: usize> {
    /// Tallies by ranks alone, by the board's multiset of ranks.
    pub ranks: Vec<RankRow<N>>,
    /// The boards as one suit sees them.
    pub boards: SuitBoards,
    /// The correction for that suit.
    pub flush: Vec<TypeRow<T, N>>,
    size: usize,
}

impl<T: Copy + Into<i32> + Default + Send + Sync, const N: usize> Layer<T, N> {
    fn empty(deck: DeckSpec, size: usize) -> Layer<T, N> {
        let boards = SuitBoards::new(deck, size);
        let flush = vec![[[T::default(); N]; TYPE_PAIRS]; boards.len()];
        Layer { ranks: vec![[[0; N]; RANK_PAIRS]; ranks::count(size)], boards, flush, size }
    }

    /// Tallies by ranks alone on a board of these ranks.
    pub(super) fn rank_row(&self, board: u16) -> &RankRow<N> {
        &self.ranks[usize::from(board) - ranks::first(self.size)]
    }

    /// The correction for a suit that sees the board so.
    pub(super) fn flush_row(&self, board: SuitBoard) -> &TypeRow<T, N> {
        &self.flush[self.boards.number(board)]
    }

    /// The sums over the next card: the layer of boards with one card less.
    pub(super) fn before(&self, deck: DeckSpec) -> Layer<i32, N> {
        let mut layer = Layer::<i32, N>::empty(deck, self.size - 1);
        let table = Multisets::get();
        fill_rows(&mut layer.ranks, |number, row| {
            let board = number_of(ranks::first(self.size - 1) + number);
            for rank in deck.rank_indices() {
                let copies = 4 - i32::from(table.counts(board)[rank]);
                if copies > 0 {
                    let next = self.rank_row(table.with(board, rank));
                    add(row.as_flattened_mut(), next.as_flattened(), copies);
                    take_held(row, next, rank, 13);
                }
            }
        });
        let boards = &layer.boards;
        fill_rows(&mut layer.flush, |number, row| {
            let board = boards.board(number);
            let others = table.counts(board.others);
            if (0..13).any(|rank| others[rank] > 0 && !deck.has(rank)) {
                return;
            }
            for rank in deck.rank_indices().filter(|rank| board.suited >> rank & 1 == 0) {
                let next = self.flush_row(SuitBoard { suited: board.suited | 1 << rank, ..board });
                add(row.as_flattened_mut(), next.as_flattened(), 1);
            }
            if usize::from(board.others) < ranks::first(2) {
                for rank in deck.rank_indices() {
                    let next = SuitBoard { others: table.with(board.others, rank), ..board };
                    let next = self.flush_row(next);
                    add(row.as_flattened_mut(), next.as_flattened(), 3 - i32::from(others[rank]));
                    take_held(row, next, 13 + rank, 26);
                }
            }
        });
        layer
    }
}

/// The layer of complete boards.
pub(super) fn complete<const N: usize>(deck: DeckSpec, groups: &Groups) -> Layer<i16, N> {
    let mut layer = Layer::<i16, N>::empty(deck, 5);
    let mut rank_boards = vec![None; layer.ranks.len()];
    fill_rows(&mut rank_boards, |number, board| {
        *board = Some(RankBoard::new(deck, number_of(first_rank_board() + number)));
    });
    let rank_boards: Vec<RankBoard> = rank_boards.into_iter().flatten().collect();
    fill_rows(&mut layer.ranks, |number, row| {
        rank_boards[number].tallies(deck, number_of(first_rank_board() + number), groups, row);
    });
    let suited = suited_values();
    let mut flushes = vec![Flushes::default(); 1 << 13];
    fill_rows(&mut flushes, |mask, flushes| {
        let mask = number_of(mask);
        if mask & !deck.rank_bits() == 0 && (3..=5).contains(&mask.count_ones()) {
            *flushes = Flushes::new(deck, mask, &suited);
        }
    });
    let (boards, rank_rows) = (&layer.boards, &layer.ranks);
    fill_rows(&mut layer.flush, |number, row| {
        let board = boards.board(number);
        let ranks = usize::from(board_ranks(board)) - first_rank_board();
        let by_ranks = (&rank_boards[ranks], &rank_rows[ranks]);
        flush_correction(deck, board, by_ranks, &flushes[usize::from(board.suited)], groups, row);
    });
    layer
}

/// Deals that a tally of a board of `size` cards counts: cards still to come in order, and the dealer's hole cards.
pub(super) fn deals(deck: DeckSpec, size: usize) -> i64 {
    let mut unseen = deck.card_count() - 2 - size;
    let mut ways = rivals(deck);
    for _ in size..5 {
        ways *= choose(unseen, 1);
        unseen -= 1;
    }
    ways
}

fn add<T: Copy + Into<i32>>(sum: &mut [i32], row: &[T], times: i32) {
    for (sum, value) in sum.iter_mut().zip(row) {
        *sum += times * (*value).into();
    }
}

/// The next card cannot be one that the player holds: subtracts what was added for their cards of this type.
fn take_held<T: Copy + Into<i32>, const N: usize>(
    row: &mut [Tally<i32, N>],
    next: &[Tally<T, N>],
    card: usize,
    types: usize,
) {
    for other in 0..types {
        let held = pair(card, other);
        let copies = if card == other { 2 } else { 1 };
        for (sum, value) in row[held].iter_mut().zip(next[held]) {
            *sum -= copies * value.into();
        }
    }
}

fn number_of(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}
