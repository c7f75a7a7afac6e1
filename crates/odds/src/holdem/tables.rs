//! How often each pair of hole cards wins and loses, for every flop and every four community cards.

use arrayvec::ArrayVec;
use baize_cards::{Card, CardSet, HandClass};

use super::boards::SuitBoard;
use super::game::{HoldemGame, RaisePays};
use super::layers::{Layer, RankRow, TypeRow, complete, deals};
use super::pairs::pair;
use super::showdown::{Groups, Tally};
use crate::pattern::ranks_by_suit;
use crate::ranks::{self, Multisets};
use crate::strategy::Community;
use crate::{DeckSpec, Pattern};

/// A position where the player chooses between a raise and a check.
#[derive(Debug, Clone, Copy)]
pub struct RaisePosition<'a> {
    /// The player's hole cards.
    pub hole: [Card; 2],
    /// The community cards that are turned.
    pub board: &'a Community,
    /// The sum of the raise's net results over all deals of the cards that are not seen, in the game's unit.
    pub gain: i64,
    /// How many deals these are: community cards in order, and the dealer's hole cards.
    pub deals: i64,
}

/// The tables for one game: which classes are distinguished depends on what it pays.
#[derive(Debug)]
pub struct HoldemTables {
    pub(super) sizes: Sizes,
}

/// Two groups of winning classes are enough for a game that pays the ante from some class on, and five for its variants; any other game
/// needs all ten.
#[derive(Debug)]
pub(super) enum Sizes {
    Two(Sums<3>),
    Five(Sums<6>),
    Ten(Sums<11>),
}

impl HoldemTables {
    /// The tables that the game's pay table needs.
    #[must_use]
    pub fn new(deck: DeckSpec, game: &HoldemGame) -> HoldemTables {
        HoldemTables::telling_apart(deck, &game.alike())
    }

    /// Tables that distinguish classes of winning hands if `alike` maps them to different classes.
    #[must_use]
    pub fn telling_apart(deck: DeckSpec, alike: &[HandClass; 10]) -> HoldemTables {
        let groups = Groups::new(alike);
        let sizes = match groups.lowest().count() {
            0..=2 => Sizes::Two(Sums::new(deck, groups)),
            3..=5 => Sizes::Five(Sums::new(deck, groups)),
            _ => Sizes::Ten(Sums::new(deck, groups)),
        };
        HoldemTables { sizes }
    }

    /// Whether the turn wager (with three community cards) or the river wager (with four) gains on average.
    #[must_use]
    pub fn gains(&self, game: &HoldemGame, hole: [Card; 2], board: CardSet) -> bool {
        let stake = if board.len() == 3 { &game.turn } else { &game.river };
        match &self.sizes {
            Sizes::Two(sums) => sums.gain(stake, hole, board) > 0,
            Sizes::Five(sums) => sums.gain(stake, hole, board) > 0,
            Sizes::Ten(sums) => sums.gain(stake, hole, board) > 0,
        }
    }

    /// The sums of both choices with three or four community cards.
    #[must_use]
    pub fn raise_sums(&self, game: &HoldemGame, hole: [Card; 2], board: CardSet) -> RaiseSums {
        match &self.sizes {
            Sizes::Two(sums) => sums.raise_sums(game, hole, board),
            Sizes::Five(sums) => sums.raise_sums(game, hole, board),
            Sizes::Ten(sums) => sums.raise_sums(game, hole, board),
        }
    }

    /// Tables that distinguish all ten classes of winning hands, for a full list of outcomes. They work for every game: for tests.
    #[must_use]
    pub fn by_class(deck: DeckSpec) -> HoldemTables {
        HoldemTables::telling_apart(deck, &HandClass::ALL)
    }
}

/// Sums of net results over all deals of the cards that are not seen, in the game's unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaiseSums {
    /// Ante and flop wager, with the best river wager where it is still to come.
    pub check: i64,
    /// The turn wager.
    pub turn: i64,
    /// The wager that is decided on: turn with three cards, river with four.
    pub raise: i64,
    /// Deals in which the player's hand is higher.
    pub higher: i64,
    /// Deals in which it is lower.
    pub lower: i64,
    /// All deals.
    pub deals: i64,
}

/// The sums for three and for four community cards.
#[derive(Debug)]
pub(super) struct Sums<const N: usize> {
    pub deck: DeckSpec,
    pub groups: Groups,
    flop: Layer<i32, N>,
    turn: Layer<i32, N>,
}

impl<const N: usize> Sums<N> {
    fn new(deck: DeckSpec, groups: Groups) -> Sums<N> {
        let turn = complete(deck, &groups).before(deck);
        let flop = turn.before(deck);
        Sums { deck, groups, flop, turn }
    }

    /// The sum of a stake's net results over all deals of the cards that are not seen.
    fn gain(&self, stake: &RaisePays, hole: [Card; 2], board: CardSet) -> i64 {
        let on = self.on_masks(ranks_by_suit(board));
        self.weights(stake).sum(&on.tally(hole[0], hole[1]), on.deals)
    }

    fn raise_sums(&self, game: &HoldemGame, hole: [Card; 2], board: CardSet) -> RaiseSums {
        let on = self.on_masks(ranks_by_suit(board));
        let tally = on.tally(hole[0], hole[1]);
        let sum = |stake: &RaisePays| self.weights(stake).sum(&tally, on.deals);
        let mut check = sum(&game.stay);
        if board.len() == 3 {
            let river = self.weights(&game.river);
            let seen = board.with(hole[0]).with(hole[1]);
            for turn in self.deck.cards().difference(seen).iter() {
                let after = self.on_masks(ranks_by_suit(board.with(turn)));
                check += river.sum(&after.tally(hole[0], hole[1]), after.deals).max(0);
            }
        }
        RaiseSums {
            check,
            turn: sum(&game.turn),
            raise: if board.len() == 3 { sum(&game.turn) } else { sum(&game.river) },
            higher: tally[..N - 1].iter().map(|n| i64::from(*n)).sum(),
            lower: i64::from(tally[N - 1]),
            deals: on.deals,
        }
    }

    /// The tallies of all hole cards on a board of three or four cards.
    pub(super) fn on(&self, board: Pattern) -> BoardSums<'_, N> {
        self.on_masks(board.masks())
    }

    /// The same for the ranks that a board has in each suit, in any order of the suits.
    fn on_masks(&self, masks: [u16; 4]) -> BoardSums<'_, N> {
        let size: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
        let layer = if size == 3 { &self.flop } else { &self.turn };
        let table = Multisets::get();
        let all = masks.iter().fold(ranks::EMPTY, |set, mask| table.with_mask(set, *mask));
        let mut suits = ArrayVec::new();
        for (suit, &suited) in masks.iter().enumerate() {
            if suited.count_ones() + 2 >= size {
                let others = masks.iter().enumerate().filter(|(other, _)| *other != suit);
                let others = others.fold(ranks::EMPTY, |set, (_, mask)| table.with_mask(set, *mask));
                suits.push((suit, layer.flush_row(SuitBoard { suited, others })));
            }
        }
        BoardSums { ranks: layer.rank_row(all), suits, deals: deals(self.deck, size as usize) }
    }

    /// Value of each component of a tally for a stake.
    pub(super) fn weights(&self, stake: &RaisePays) -> Weights<N> {
        let mut each = [0; N];
        for (weight, class) in each.iter_mut().zip(self.groups.lowest()) {
            *weight = stake.higher[class as usize] - stake.equal;
        }
        each[N - 1] = stake.lower - stake.equal;
        Weights { each, equal: stake.equal }
    }
}

/// Net results of one stake: of a deal with equal hands, and the difference for each component of a tally.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights<const N: usize> {
    each: [i64; N],
    equal: i64,
}

impl<const N: usize> Weights<N> {
    /// The net result of the stake, summed over the deals that a tally counts.
    pub(super) fn sum(&self, tally: &Tally<i32, N>, deals: i64) -> i64 {
        let unequal: i64 = self.each.iter().zip(tally).map(|(weight, n)| weight * i64::from(*n)).sum();
        unequal + self.equal * deals
    }
}

/// The sums on one board.
pub(super) struct BoardSums<'a, const N: usize> {
    ranks: &'a RankRow<N>,
    /// Corrections of each suit that can still make a flush.
    suits: ArrayVec<(usize, &'a TypeRow<i32, N>), 3>,
    /// The deals that each tally counts.
    pub deals: i64,
}

impl<const N: usize> BoardSums<'_, N> {
    /// Wins and losses of these hole cards, summed over the cards to come and the dealer's hole cards.
    #[inline]
    pub(super) fn tally(&self, one: Card, other: Card) -> Tally<i32, N> {
        let (low, high) = (one.rank().index(), other.rank().index());
        let mut tally = self.ranks[pair(low, high)];
        for (suit, row) in &self.suits {
            let type_of = |card: Card, rank: usize| rank + if card.suit().index() == *suit { 0 } else { 13 };
            let here = &row[pair(type_of(one, low), type_of(other, high))];
            for (sum, more) in tally.iter_mut().zip(here) {
                *sum += more;
            }
        }
        tally
    }
}
