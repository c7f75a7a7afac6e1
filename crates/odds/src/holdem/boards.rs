//! Boards from the point of view of one suit: its ranks, and the ranks of the other cards.
//!
//! On a board of n cards (three to five), a suit can still make a flush only if it has at least n − 2 of them. So there are at most two
//! other cards, and which other suits they have does not matter to this one.

use crate::ranks::{self, Multisets};
use crate::{DeckSpec, choose};

/// A board of n cards from the point of view of a suit with at least n − 2 of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SuitBoard {
    /// The ranks of the suit.
    pub suited: u16,
    /// The ranks of the other cards: a multiset of none to two.
    pub others: u16,
}

/// All such boards of n cards, numbered.
#[derive(Debug)]
pub(super) struct SuitBoards {
    all: Vec<SuitBoard>,
    /// Where the boards with this rank set in the suit begin.
    starts: Vec<u32>,
}

impl SuitBoards {
    pub(super) fn new(deck: DeckSpec, cards: usize) -> SuitBoards {
        let mut all = Vec::new();
        let mut starts = vec![u32::MAX; 1 << 13];
        for suited in (0..1u16 << 13).filter(|mask| mask & !deck.rank_bits() == 0) {
            let in_suit = suited.count_ones() as usize;
            if (cards - 2..=cards).contains(&in_suit) {
                starts[usize::from(suited)] = u32::try_from(all.len()).unwrap_or(u32::MAX);
                all.extend(Multisets::of_size(cards - in_suit).map(|others| SuitBoard { suited, others }));
            }
        }
        SuitBoards { all, starts }
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The board of this number.
    pub(super) fn board(&self, number: usize) -> SuitBoard {
        self.all[number]
    }

    /// The number of this board.
    #[inline]
    pub(super) fn number(&self, board: SuitBoard) -> usize {
        const FIRST: [usize; 3] = [ranks::first(0), ranks::first(1), ranks::first(2)];
        let others = usize::from(board.others);
        let size = usize::from(others >= FIRST[1]) + usize::from(others >= FIRST[2]);
        self.starts[usize::from(board.suited)] as usize + others - FIRST[size]
    }
}

/// Number of cards of each rank left in the deck: four minus those on the board.
pub(super) fn ranks_left(deck: DeckSpec, board: u16) -> Option<[i16; 26]> {
    let held = Multisets::get().counts(board);
    let mut left = [0i16; 26];
    for rank in 0..13 {
        let copies = if deck.has(rank) { 4 } else { 0 };
        left[rank] = copies - i16::from(held[rank]);
        if left[rank] < 0 {
            return None;
        }
    }
    Some(left)
}

/// Number of cards of each type left in the deck: one per rank of the suit, three per rank of the others, minus those on the board.
pub(super) fn types_left(deck: DeckSpec, board: SuitBoard) -> Option<[i16; 26]> {
    let held = Multisets::get().counts(board.others);
    let mut left = [0i16; 26];
    for rank in 0..13 {
        if deck.has(rank) {
            left[rank] = i16::from(board.suited >> rank & 1 == 0);
            left[13 + rank] = 3 - i16::from(held[rank]);
        } else if held[rank] > 0 {
            return None;
        }
    }
    Some(left)
}

/// Number of deals of the dealer's hole cards, given the board and the player's hole cards.
pub(super) fn rivals(deck: DeckSpec) -> i64 {
    choose(deck.card_count() - 7, 2)
}
