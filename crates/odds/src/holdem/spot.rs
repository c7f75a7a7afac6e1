//! One spot of hold'em: hole cards, cards that cannot come any more, and what is known of the dealer's hand.
//!
//! Ranks and suits come apart as in the tables of the whole game, but every card that is seen is simply gone: how many cards of
//! each rank are left, in a suit and outside it, is all that enters. So a spot costs milliseconds whatever is
//! known: a card of the dealer's, both, the hands of other boxes, or only whether the dealer's cards are of certain ranks.

use baize_cards::{Card, CardSet};

use super::boards::{SuitBoard, SuitBoards};
use super::pairs::{RANK_PAIRS, TYPE_PAIRS, pair};
use super::showdown::{Groups, board_ranks, first_rank_board, suited_values};
use crate::parallel::fill_rows;
use crate::ranks::{self, Multisets, bits};
use crate::{DeckSpec, values};

/// Wins by group of classes, then losses, then all deals.
pub(crate) type Tally<const N: usize> = [i32; N];

/// What is known of the dealer's two cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DealerKnown {
    /// These cards: none, one or both.
    Cards([Option<Card>; 2]),
    /// How often a pair of ranks counts: by the lower and the higher. For cards that are told apart by their backs.
    Ranks([[u8; 13]; 13]),
}

impl DealerKnown {
    /// Nothing.
    pub const NOTHING: DealerKnown = DealerKnown::Cards([None, None]);
}

/// The values of all pairs of card types on all complete boards: what every spot looks up.
#[derive(Debug)]
pub(crate) struct SpotTables {
    pub deck: DeckSpec,
    /// By multiset of five ranks, the values of pairs of ranks; 0 where there is no such hand.
    by_ranks: Vec<[u16; RANK_PAIRS]>,
    /// By board as one suit sees it, the values of pairs of types.
    by_types: Vec<[u16; TYPE_PAIRS]>,
    /// The group of winning classes that each value belongs to.
    group_of: Vec<u8>,
    /// Boards of three, four and five cards as one suit sees them.
    boards: [SuitBoards; 3],
    /// For boards of three and four cards: the number of the board with one more card, by type of that card.
    next: [Vec<[u32; 26]>; 2],
}

/// No such board.
const NOWHERE: u32 = u32::MAX;

impl SpotTables {
    pub(crate) fn new(deck: DeckSpec, groups: &Groups) -> SpotTables {
        let mut by_ranks = vec![[0u16; RANK_PAIRS]; ranks::count(5)];
        fill_rows(&mut by_ranks, |number, row| {
            let number = u16::try_from(first_rank_board() + number).unwrap_or(ranks::NONE);
            let held = Multisets::get().counts(number);
            for high in deck.rank_indices() {
                for low in deck.rank_indices().take_while(|low| *low <= high) {
                    let mut counts = *held;
                    counts[low] += 1;
                    counts[high] += 1;
                    row[pair(low, high)] =
                        values::unsuited(&counts).map_or(0, baize_cards::HandValue::number);
                }
            }
        });
        let suited = suited_values();
        let boards = [3, 4, 5].map(|size| SuitBoards::new(deck, size));
        let mut by_types = vec![[0u16; TYPE_PAIRS]; boards[2].len()];
        fill_rows(&mut by_types, |number, row| {
            let board = boards[2].board(number);
            let rank_row = &by_ranks[usize::from(board_ranks(board)) - first_rank_board()];
            for high in 0..26 {
                for low in 0..=high {
                    let bit = |card: usize| if card < 13 { 1u16 << card } else { 0 };
                    row[pair(low, high)] = match suited[usize::from(board.suited | bit(low) | bit(high))] {
                        Some(flush) => flush.number(),
                        None => rank_row[pair(low % 13, high % 13)],
                    };
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

/// The tallies of one suit on boards of three, four and five cards: the truth less what ranks alone say.
#[derive(Debug, Default)]
struct SuitLayers<const N: usize> {
    layers: [Vec<Tally<N>>; 3],
}

/// One spot, ready to be asked for any board.
#[derive(Debug)]
pub(crate) struct Spot<'a, const N: usize> {
    tables: &'a SpotTables,
    /// The cards that may still come.
    pub left: CardSet,
    /// What ranks alone say, for boards of three, four and five cards.
    ranks: [Vec<Tally<N>>; 3],
    /// By suit: which of `views` it is.
    view_of: [usize; 4],
    views: Vec<SuitLayers<N>>,
}

/// How often a pair of ranks counts, where that is not once.
type Weights<'a> = Option<&'a [[u8; 13]; 13]>;

/// What is left and what is known, as types of cards: ranks alone, or 13 ranks in a suit and 13 outside it.
struct Types<'a> {
    left: [i32; 26],
    hole: usize,
    dealer: Known,
    weights: Weights<'a>,
}

/// What is known of the dealer's cards, as types.
enum Known {
    Two(usize),
    One(usize),
    Pairs,
}

impl<'a, const N: usize> Spot<'a, N> {
    /// The spot of these hole cards when `dead` are seen elsewhere.
    pub(crate) fn new(
        tables: &'a SpotTables,
        hole: [Card; 2],
        dead: CardSet,
        dealer: &DealerKnown,
    ) -> Spot<'a, N> {
        let known: CardSet = match dealer {
            DealerKnown::Cards(cards) => cards.iter().flatten().copied().collect(),
            DealerKnown::Ranks(_) => CardSet::EMPTY,
        };
        let left = tables.deck.cards().difference(dead).difference(known).without(hole[0]).without(hole[1]);
        let weights = match dealer {
            DealerKnown::Ranks(weights) => Some(weights),
            DealerKnown::Cards(_) => None,
        };
        let mut spot =
            Spot { tables, left, ranks: Default::default(), view_of: [0; 4], views: Vec::with_capacity(4) };
        spot.ranks = spot.rank_layers(hole, dealer, weights);
        let gone = tables.deck.cards().difference(left);
        let mut untouched = None;
        for suit in 0..4 {
            let touched = gone.iter().any(|card| card.suit().index() == suit);
            if let Some(view) = untouched.filter(|_| !touched) {
                // Suits of which no card is gone cannot be told apart.
                spot.view_of[suit] = view;
                continue;
            }
            let layers = spot.suit_layers(suit, hole, dealer, weights);
            spot.view_of[suit] = spot.views.len();
            if !touched {
                untouched = Some(spot.views.len());
            }
            spot.views.push(layers);
        }
        spot
    }

    fn rank_layers(&self, hole: [Card; 2], dealer: &DealerKnown, weights: Weights<'_>) -> [Vec<Tally<N>>; 3] {
        let table = Multisets::get();
        let type_of = |card: Card| card.rank().index();
        let types = Types::new(hole, dealer, weights, self.left, type_of);
        let mut five = vec![[0; N]; ranks::count(5)];
        for (number, tally) in five.iter_mut().enumerate() {
            let set = u16::try_from(first_rank_board() + number).unwrap_or(ranks::NONE);
            let held = table.counts(set);
            if (0..13).any(|rank| types.left[rank] < i32::from(held[rank])) {
                continue;
            }
            let here: [i32; 13] = std::array::from_fn(|rank| types.left[rank] - i32::from(held[rank]));
            *tally = types.compare(&self.tables.by_ranks[number], &here, &self.tables.group_of);
        }
        let before = |size: usize, next: &[Tally<N>]| -> Vec<Tally<N>> {
            let sets = Multisets::of_size(size).map(|set| {
                let held = table.counts(set);
                let mut sum = [0; N];
                for rank in 0..13 {
                    let copies = types.left[rank] - i32::from(held[rank]);
                    if copies > 0 {
                        let with = usize::from(table.with(set, rank)) - ranks::first(size + 1);
                        add(&mut sum, &next[with], copies);
                    }
                }
                sum
            });
            sets.collect()
        };
        let four = before(4, &five);
        let three = before(3, &four);
        [three, four, five]
    }

    fn suit_layers(
        &self,
        suit: usize,
        hole: [Card; 2],
        dealer: &DealerKnown,
        weights: Weights<'_>,
    ) -> SuitLayers<N> {
        let table = Multisets::get();
        let type_of = |card: Card| card.rank().index() + if card.suit().index() == suit { 0 } else { 13 };
        let types = Types::new(hole, dealer, weights, self.left, type_of);
        let in_suit = (0..13).fold(0u16, |mask, rank| mask | u16::from(types.left[rank] > 0) << rank);
        // With three cards of the suit on the board a flush needs two more: where neither side can have them nothing changes.
        let two = [hole[0], hole[1]].iter().all(|card| card.suit().index() == suit)
            || match dealer {
                DealerKnown::Cards(cards) => cards.iter().flatten().all(|card| card.suit().index() == suit),
                DealerKnown::Ranks(_) => true,
            };
        let fewest = if two { 3 } else { 4 };
        let boards = &self.tables.boards;
        // How many cards are left outside the suit besides none to two others on the board.
        let others: Vec<Option<[i32; 13]>> = (0..3)
            .flat_map(Multisets::of_size)
            .map(|set| {
                let left: [i32; 13] =
                    std::array::from_fn(|rank| types.left[13 + rank] - i32::from(table.counts(set)[rank]));
                left.iter().all(|n| *n >= 0).then_some(left)
            })
            .collect();
        let possible = |board: SuitBoard, cards: usize| {
            let others = others[usize::from(board.others)].as_ref();
            others.filter(|_| board.suited & !in_suit == 0 && board.suited.count_ones() as usize >= cards)
        };
        let mut five = vec![[0; N]; boards[2].len()];
        for (number, tally) in five.iter_mut().enumerate() {
            let board = boards[2].board(number);
            let Some(outside) = possible(board, fewest) else { continue };
            let mut here = [0; 26];
            for rank in bits(in_suit & !board.suited) {
                here[rank] = 1;
            }
            here[13..].copy_from_slice(outside);
            *tally = types.compare(&self.tables.by_types[number], &here, &self.tables.group_of);
            let ranks_say = &self.ranks[2][usize::from(board_ranks(board)) - first_rank_board()];
            add(tally, ranks_say, -1);
        }
        let before = |size: usize, next: &[Tally<N>]| -> Vec<Tally<N>> {
            let these = &boards[size - 3];
            let mut sums = vec![[0; N]; these.len()];
            for (number, sum) in sums.iter_mut().enumerate() {
                let board = these.board(number);
                let Some(outside) = possible(board, fewest + size - 5) else { continue };
                let after = &self.tables.next[size - 3][number];
                for rank in bits(in_suit & !board.suited) {
                    add(sum, &next[after[rank] as usize], 1);
                }
                if after[13..].iter().any(|with| *with != NOWHERE) {
                    for (with, copies) in after[13..].iter().zip(outside).filter(|(_, copies)| **copies > 0) {
                        add(sum, &next[*with as usize], *copies);
                    }
                }
            }
            sums
        };
        let four = before(4, &five);
        let three = before(3, &four);
        SuitLayers { layers: [three, four, five] }
    }

    /// All sets of four of the cards that are left, with their tallies.
    pub(crate) fn each_four(&self, mut visit: impl FnMut(&[Card; 4], &Tally<N>)) {
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
                    for &d in &cards[k + 1..] {
                        let (rank, of) = (d.rank().index(), d.suit().index());
                        let mut tally = self.ranks[1][usize::from(table.with(all, rank)) - ranks::first(4)];
                        if masks[of] != 0 {
                            let board = SuitBoard { suited: masks[of] | 1 << rank, others: others[of] };
                            add(&mut tally, &self.views[self.view_of[of]].layers[1][boards.number(board)], 1);
                        }
                        if let Some(suit) = pair.filter(|suit| *suit != of) {
                            let board =
                                SuitBoard { suited: masks[suit], others: table.with(others[suit], rank) };
                            add(
                                &mut tally,
                                &self.views[self.view_of[suit]].layers[1][boards.number(board)],
                                1,
                            );
                        }
                        visit(&[a, b, c, d], &tally);
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
                add(&mut tally, &self.views[self.view_of[suit]].layers[layer][number], 1);
            }
        }
        tally
    }
}

impl<'a> Types<'a> {
    fn new(
        hole: [Card; 2],
        dealer: &DealerKnown,
        weights: Weights<'a>,
        left: CardSet,
        type_of: impl Fn(Card) -> usize,
    ) -> Types<'a> {
        let known = match dealer {
            DealerKnown::Cards([Some(one), Some(other)]) => Known::Two(pair(type_of(*one), type_of(*other))),
            DealerKnown::Cards([Some(card), None] | [None, Some(card)]) => Known::One(type_of(*card)),
            DealerKnown::Cards([None, None]) | DealerKnown::Ranks(_) => Known::Pairs,
        };
        let mut types =
            Types { left: [0; 26], hole: pair(type_of(hole[0]), type_of(hole[1])), dealer: known, weights };
        for card in left.iter() {
            types.left[type_of(card)] += 1;
        }
        types
    }

    /// The player's value against the dealer's cards that are possible with so many of each type left. `row` has the values of all pairs of
    /// types; the pairs with one type as the higher stand together, by the lower.
    fn compare<const N: usize>(&self, row: &[u16], left: &[i32], group_of: &[u8]) -> Tally<N> {
        let value = row[self.hole];
        let mut met = Met::default();
        match (&self.dealer, self.weights) {
            (Known::Two(pair), _) => met.add(value, row[*pair], 1),
            (Known::One(one), _) => {
                for (other, &cards) in left.iter().enumerate() {
                    met.add(value, row[pair(*one, other)], cards);
                }
            }
            (Known::Pairs, weights) => {
                for (high, &cards) in left.iter().enumerate().filter(|(_, cards)| **cards > 0) {
                    let first = pair(high, 0);
                    let times =
                        |low: usize| weights.map_or(1, |weights| i32::from(weights[low % 13][high % 13]));
                    met.add(value, row[first + high], cards * (cards - 1) / 2 * times(high));
                    let below = row[first..first + high].iter().zip(left);
                    if weights.is_some() {
                        for (low, (other, more)) in below.enumerate() {
                            met.add(value, *other, cards * more * times(low));
                        }
                    } else {
                        let mut one = Met::default();
                        for (other, more) in below {
                            one.add(value, *other, *more);
                        }
                        met.lower += cards * one.lower;
                        met.higher += cards * one.higher;
                        met.all += cards * one.all;
                    }
                }
            }
        }
        let mut tally = [0; N];
        tally[usize::from(group_of[usize::from(value)])] = met.lower;
        tally[N - 2] = met.higher;
        tally[N - 1] = met.all;
        tally
    }
}

/// How many of the dealer's hands are lower and higher than the player's, and all of them.
#[derive(Debug, Clone, Copy, Default)]
struct Met {
    lower: i32,
    higher: i32,
    all: i32,
}

impl Met {
    #[inline]
    fn add(&mut self, value: u16, other: u16, times: i32) {
        self.lower += times * i32::from(other < value);
        self.higher += times * i32::from(other > value);
        self.all += times;
    }
}

#[inline]
fn add<const N: usize>(sum: &mut Tally<N>, more: &Tally<N>, times: i32) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += times * more;
    }
}
