//! Values of all hands on all complete boards, by types of cards: lookup tables for every spot.

use super::boards::{SuitBoard, SuitBoards};
use super::showdown::{Groups, board_ranks, first_rank_board, suited_values};
use crate::parallel::fill_rows;
use crate::ranks::{self, Multisets};
use crate::{DeckSpec, values};

/// Values of all pairs of card types on all complete boards.
#[derive(Debug)]
pub(crate) struct SpotTables {
    pub deck: DeckSpec,
    /// By multiset of five ranks: values of pairs of ranks; 0 if there is no such hand.
    pub(super) by_ranks: PairValues<RANKS>,
    /// By board from one suit's point of view: values of pairs of types.
    pub(super) by_types: PairValues<TYPES>,
    /// Group of winning classes of each value.
    pub(super) group_of: Vec<u8>,
    /// Boards of three, four and five cards from one suit's point of view.
    pub(super) boards: [SuitBoards; 3],
    /// For boards of three and four cards: the number of the board with one more card, by type of that card.
    pub(super) next: [Vec<[u32; 26]>; 2],
}

/// Values of all pairs of types on all boards; 0 if there is no such hand. Each type and board has a row with every other type, so that
/// several are compared with the player's value at a time. The rows of one type are adjacent, in the order of the boards, which is the
/// order of access.
#[derive(Debug)]
pub(super) struct PairValues<const T: usize> {
    boards: usize,
    rows: Vec<[i16; T]>,
}

impl<const T: usize> PairValues<T> {
    fn new(boards: usize, value: impl Fn(usize, usize, usize) -> i16 + Sync) -> PairValues<T> {
        let types = || (0..T).filter(|of| of % OUTSIDE < 13);
        let mut rows = vec![[0; T]; T * boards];
        fill_rows(&mut rows, |index, row| {
            let (one, board) = (index / boards, index % boards);
            if one % OUTSIDE < 13 {
                for other in types() {
                    row[other] = value(board, one, other);
                }
            }
        });
        PairValues { boards, rows }
    }

    /// The values of the hands with this type of card on this board, by type of the other card.
    #[inline]
    pub(super) fn row(&self, board: usize, one: usize) -> &[i16; T] {
        &self.rows[one * self.boards + board]
    }
}

/// Card types without suits: 13, padded to fill whole machine words.
pub(super) const RANKS: usize = 16;

/// Card types from one suit's point of view: 13 ranks in the suit, then from [`OUTSIDE`] on 13 outside it.
pub(super) const TYPES: usize = 32;

/// Where the types outside the suit begin.
pub(super) const OUTSIDE: usize = 16;

/// No such board.
pub(super) const NOWHERE: u32 = u32::MAX;

impl SpotTables {
    pub(crate) fn new(deck: DeckSpec, groups: &Groups) -> SpotTables {
        let number = |value: baize_cards::HandValue| i16::try_from(value.number()).unwrap_or(i16::MAX);
        let by_ranks = PairValues::new(ranks::count(5), |board, one, other| {
            if !deck.has(one) || !deck.has(other) {
                return 0;
            }
            let board = u16::try_from(first_rank_board() + board).unwrap_or(ranks::NONE);
            let mut counts = *Multisets::get().counts(board);
            counts[one] += 1;
            counts[other] += 1;
            values::unsuited(&counts).map_or(0, number)
        });
        let suited = suited_values();
        let boards = [3, 4, 5].map(|size| SuitBoards::new(deck, size));
        let by_types = PairValues::new(boards[2].len(), |board, one, other| {
            let board = boards[2].board(board);
            let bit = |card: usize| if card < OUTSIDE { 1u16 << card } else { 0 };
            match suited[usize::from(board.suited | bit(one) | bit(other))] {
                Some(flush) => number(flush),
                None => {
                    let ranks = usize::from(board_ranks(board)) - first_rank_board();
                    by_ranks.row(ranks, one % OUTSIDE)[other % OUTSIDE]
                }
            }
        });
        let group_of = (0..=baize_cards::HandValue::MAX.number())
            .map(|number| baize_cards::HandValue::from_number(number).map_or(0, |value| groups.of(value)))
            .map(|group| u8::try_from(group).unwrap_or(0))
            .collect();
        let next = [0, 1].map(|layer| after(deck, &boards[layer], &boards[layer + 1]));
        SpotTables { deck, by_ranks, by_types, group_of, boards, next }
    }
}

/// The boards with one more card, by type.
fn after(deck: DeckSpec, these: &SuitBoards, next: &SuitBoards) -> Vec<[u32; 26]> {
    let with = |board: SuitBoard| u32::try_from(next.number(board)).unwrap_or(NOWHERE);
    let boards = (0..these.len()).map(|number| {
        let board = these.board(number);
        std::array::from_fn(|card| {
            let rank = card % 13;
            if !deck.has(rank) {
                NOWHERE
            } else if card < 13 {
                if board.suited >> rank & 1 == 1 {
                    return NOWHERE;
                }
                with(SuitBoard { suited: board.suited | 1 << rank, ..board })
            } else if usize::from(board.others) < ranks::first(2) {
                with(SuitBoard { others: Multisets::get().with(board.others, rank), ..board })
            } else {
                // The suit can make no flush any more.
                NOWHERE
            }
        })
    });
    boards.collect()
}
