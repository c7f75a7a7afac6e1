//! One spot of hold'em: hole cards, dead cards, and what is known of the dealer's hand.
//!
//! Ranks and suits separate as in the tables of the whole game, but every seen card is simply removed: only the number of cards left of
//! each rank, in a suit and outside it, matters. So a spot takes milliseconds, whatever is known: one or both of the dealer's cards, the
//! hands of other boxes, or only whether the dealer's cards are of certain ranks.

use std::cmp::Ordering;
use std::sync::Arc;

use baize_cards::{Card, CardSet};

use super::boards::SuitBoard;
use super::knowing::{number, place_value};
use super::spot_tables::{OUTSIDE, RANKS, SpotTables, TYPES};
use super::types::{Layers, Tally, Types, Weights, add};
use crate::ranks::{self, Multisets};

/// What is known of the dealer's two cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DealerKnown {
    /// These cards: none, one or both.
    Cards([Option<Card>; 2]),
    /// Weight of each pair of ranks, by lower and higher rank. For cards distinguished by their backs.
    Ranks([[u8; 13]; 13]),
}

impl DealerKnown {
    /// Nothing.
    pub const NOTHING: DealerKnown = DealerKnown::Cards([None, None]);
}

/// Four community cards in ascending order, with the numbers of the flops in them: see [`number`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Four {
    pub cards: [Card; 4],
    /// The flops without the last card, the third, the second, the first.
    pub flops: [usize; 4],
}

impl Four {
    /// Three cards, and the parts of numbers that do not depend on the fourth.
    fn beginning([a, b, c]: [Card; 3]) -> Four {
        let flops = [number(&[a, b, c]), number(&[a, b]), number(&[a, c]), number(&[b, c])];
        Four { cards: [a, b, c, c], flops }
    }

    #[inline]
    fn with(&self, last: Card) -> Four {
        let ([a, b, c, _], [abc, ab, ac, bc]) = (self.cards, self.flops);
        let more = place_value(last, 2);
        Four { cards: [a, b, c, last], flops: [abc, ab + more, ac + more, bc + more] }
    }
}

/// One spot, prepared for queries of any board.
#[derive(Debug)]
pub(crate) struct Spot<'a, const N: usize> {
    tables: &'a SpotTables,
    /// The cards that may still come.
    pub left: CardSet,
    /// Tallies by ranks alone, for boards of three, four and five cards.
    ranks: Arc<Layers<N>>,
    /// Corrections of each suit.
    views: [Arc<Layers<N>>; 4],
    /// Suits that can be renamed without changing anything, two or three together.
    alike: Vec<Vec<usize>>,
}

/// A cache shared by spots with cards of the same ranks: the tallies by ranks alone are equal, and so are the corrections of a suit with
/// the same cards.
#[derive(Debug)]
pub(crate) struct Cache<'a, const N: usize> {
    ranks: Option<(Types<'a, RANKS>, Arc<Layers<N>>)>,
    views: Vec<(Types<'a, TYPES>, Arc<Layers<N>>)>,
}

impl<const N: usize> Default for Cache<'_, N> {
    fn default() -> Self {
        Cache { ranks: None, views: Vec::new() }
    }
}

impl<'a, const N: usize> Spot<'a, N> {
    /// The spot of these hole cards when `dead` are seen elsewhere.
    pub(crate) fn new(
        tables: &'a SpotTables,
        hole: [Card; 2],
        dead: CardSet,
        dealer: &'a DealerKnown,
    ) -> Spot<'a, N> {
        Spot::beside(tables, hole, dead, dealer, &mut Cache::default())
    }

    /// The same, using a cache from earlier spots.
    pub(crate) fn beside(
        tables: &'a SpotTables,
        hole: [Card; 2],
        dead: CardSet,
        dealer: &'a DealerKnown,
        cache: &mut Cache<'a, N>,
    ) -> Spot<'a, N> {
        let (known, weights): (CardSet, Weights<'a>) = match dealer {
            DealerKnown::Cards(cards) => (cards.iter().flatten().copied().collect(), None),
            DealerKnown::Ranks(weights) => (CardSet::EMPTY, Some(weights)),
        };
        let left = tables.deck.cards().difference(dead).difference(known).without(hole[0]).without(hole[1]);
        let types = Types::<RANKS>::new(hole, dealer, weights, left, |card| card.rank().index());
        let ranks = match &cache.ranks {
            Some((of, layers)) if *of == types => Arc::clone(layers),
            _ => {
                cache.views.clear();
                let layers = Arc::new(types.layers(tables));
                cache.ranks = Some((types, Arc::clone(&layers)));
                layers
            }
        };
        let mut seen_by = |suit: usize| {
            let type_of =
                |card: Card| card.rank().index() + if card.suit().index() == suit { 0 } else { OUTSIDE };
            let types = Types::<TYPES>::new(hole, dealer, weights, left, type_of);
            if let Some((_, layers)) = cache.views.iter().find(|(of, _)| *of == types) {
                return Arc::clone(layers);
            }
            let layers = Arc::new(types.layers(tables, &ranks[2]));
            cache.views.push((types, Arc::clone(&layers)));
            layers
        };
        let views: [Arc<Layers<N>>; 4] = std::array::from_fn(&mut seen_by);
        let mut alike: Vec<Vec<usize>> = Vec::new();
        for suit in 0..4 {
            let others = alike.iter_mut().find(|others| Arc::ptr_eq(&views[others[0]], &views[suit]));
            match others {
                Some(others) => others.push(suit),
                None => alike.push(vec![suit]),
            }
        }
        alike.retain(|suits| suits.len() > 1);
        Spot { tables, left, ranks, views, alike }
    }

    /// All sets of four of the cards that are left, with their tallies.
    pub(crate) fn each_four(&self, mut visit: impl FnMut(&Four, &Tally<N>)) {
        self.fours(&[], |four, tally, _| visit(four, tally));
    }

    /// The sets of four up to interchangeable suits, with their tallies and the number of sets that each represents.
    pub(crate) fn each_kind_of_four(&self, visit: impl FnMut(&Four, &Tally<N>, usize)) {
        self.fours(&self.alike, visit);
    }

    /// Of sets of four that are equal up to `alike` suits, only the one whose rank sets are in descending order is visited.
    fn fours(&self, alike: &[Vec<usize>], mut visit: impl FnMut(&Four, &Tally<N>, usize)) {
        let table = Multisets::get();
        let boards = &self.tables.boards[1];
        let cards: Vec<Card> = self.left.iter().collect();
        for (i, &a) in cards.iter().enumerate() {
            for (j, &b) in cards.iter().enumerate().skip(i + 1) {
                for (k, &c) in cards.iter().enumerate().skip(j + 1) {
                    let three = [a, b, c];
                    let mut masks = [0u16; 4];
                    let (mut all, mut others) = (ranks::EMPTY, [ranks::EMPTY; 4]);
                    for card in three {
                        let (rank, of) = (card.rank().index(), card.suit().index());
                        masks[of] |= 1 << rank;
                        all = table.with(all, rank);
                        for (_, others) in others.iter_mut().enumerate().filter(|(suit, _)| *suit != of) {
                            *others = table.with(*others, rank);
                        }
                    }
                    let pair = masks.iter().position(|mask| mask.count_ones() >= 2);
                    let four = Four::beginning(three);
                    let times_with = |rank: usize, of: usize| {
                        let mut with = masks;
                        with[of] |= 1 << rank;
                        alike.iter().map(|suits| renamings(&with, suits)).product::<usize>()
                    };
                    // A fourth card of a higher rank than all others is in its suit the highest, whatever its rank is.
                    let above: [usize; 4] = std::array::from_fn(|of| times_with(13, of));
                    for &d in &cards[k + 1..] {
                        let (rank, of) = (d.rank().index(), d.suit().index());
                        let times = if d.rank() == c.rank() { times_with(rank, of) } else { above[of] };
                        if times == 0 {
                            continue;
                        }
                        let mut tally = self.ranks[1][usize::from(table.with(all, rank)) - ranks::first(4)];
                        if masks[of] != 0 {
                            let board = SuitBoard { suited: masks[of] | 1 << rank, others: others[of] };
                            add(&mut tally, &self.views[of][1][boards.number(board)], 1);
                        }
                        if let Some(suit) = pair.filter(|suit| *suit != of) {
                            let board =
                                SuitBoard { suited: masks[suit], others: table.with(others[suit], rank) };
                            add(&mut tally, &self.views[suit][1][boards.number(board)], 1);
                        }
                        visit(&four.with(d), &tally, times);
                    }
                }
            }
        }
    }

    /// Wins, losses and deals on a board of three to five cards, summed over the cards to come and the dealer's cards.
    #[inline]
    pub(crate) fn tally(&self, board: &[Card]) -> Tally<N> {
        let layer = board.len() - 3;
        let table = Multisets::get();
        let mut masks = [0u16; 4];
        let mut all = ranks::EMPTY;
        for card in board {
            masks[card.suit().index()] |= 1 << card.rank().index();
            all = table.with(all, card.rank().index());
        }
        let mut tally = self.ranks[layer][usize::from(all) - ranks::first(board.len())];
        for (suit, &suited) in masks.iter().enumerate() {
            if suited.count_ones() as usize + 2 >= board.len() {
                let others = board.iter().filter(|card| card.suit().index() != suit);
                let others = others.fold(ranks::EMPTY, |set, card| table.with(set, card.rank().index()));
                let number = self.tables.boards[layer].number(SuitBoard { suited, others });
                add(&mut tally, &self.views[suit][layer][number], 1);
            }
        }
        tally
    }
}

/// Number of ways to assign the rank sets to these suits, if they are in descending order; 0 if they are not.
#[inline]
fn renamings(masks: &[u16; 4], suits: &[usize]) -> usize {
    match *suits {
        [one, other] => match masks[one].cmp(&masks[other]) {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        },
        [one, two, three] => match (masks[one].cmp(&masks[two]), masks[two].cmp(&masks[three])) {
            (Ordering::Less, _) | (_, Ordering::Less) => 0,
            (Ordering::Equal, Ordering::Equal) => 1,
            (Ordering::Equal, Ordering::Greater) | (Ordering::Greater, Ordering::Equal) => 3,
            (Ordering::Greater, Ordering::Greater) => 6,
        },
        _ => 1,
    }
}
