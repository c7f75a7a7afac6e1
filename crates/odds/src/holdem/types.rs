//! The remaining deck and the known cards of both hands as card types, and the tallies of all boards computed from them.

use baize_cards::{Card, CardSet};

use super::boards::SuitBoard;
use super::showdown::{board_ranks, first_rank_board};
use super::spot::DealerKnown;
use super::spot_tables::{NOWHERE, OUTSIDE, PairValues, RANKS, SpotTables, TYPES};
use crate::ranks::{self, Multisets, bits};

/// Wins by group of classes, then losses, then all deals.
pub(crate) type Tally<const N: usize> = [i32; N];

/// Tallies of boards of three, four and five cards: by ranks alone, or one suit's corrections to those.
pub(super) type Layers<const N: usize> = [Vec<Tally<N>>; 3];

/// Weight of a pair of ranks, if it is not 1.
pub(super) type Weights<'a> = Option<&'a [[u8; 13]; 13]>;

/// Remaining and known cards as types: ranks alone, or 13 ranks in a suit and 13 outside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Types<'a, const T: usize> {
    left: [i16; T],
    /// In ascending order, so that two suits that can be renamed have equal types.
    hole: [usize; 2],
    dealer: Known,
    weights: Weights<'a>,
}

/// What is known of the dealer's cards, as types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// The lower and the higher.
    Two(usize, usize),
    One(usize),
    Pairs,
}

impl<'a, const T: usize> Types<'a, T> {
    pub(super) fn new(
        mut hole: [Card; 2],
        dealer: &DealerKnown,
        weights: Weights<'a>,
        left: CardSet,
        type_of: impl Fn(Card) -> usize,
    ) -> Types<'a, T> {
        let known = match dealer {
            DealerKnown::Cards([Some(one), Some(other)]) => {
                let (one, other) = (type_of(*one), type_of(*other));
                Known::Two(one.min(other), one.max(other))
            }
            DealerKnown::Cards([Some(card), None] | [None, Some(card)]) => Known::One(type_of(*card)),
            DealerKnown::Cards([None, None]) | DealerKnown::Ranks(_) => Known::Pairs,
        };
        hole.sort_by_key(|card| type_of(*card));
        let mut types = Types { left: [0; T], hole: hole.map(&type_of), dealer: known, weights };
        for card in left.iter() {
            types.left[type_of(card)] += 1;
        }
        types
    }

    /// Compares the player's value with the dealer's possible cards, given the number left of each type.
    fn compare<const N: usize>(
        &self,
        values: &PairValues<T>,
        board: usize,
        left: &[i16; T],
        group_of: &[u8],
    ) -> Tally<N> {
        let values = |one: usize| values.row(board, one);
        let value = values(self.hole[0])[self.hole[1]];
        let mut met = Met::default();
        match (&self.dealer, self.weights) {
            (Known::Two(one, other), _) => met.add(value, values(*one)[*other], 1),
            (Known::One(one), _) => met = Met::all(value, values(*one), left),
            (Known::Pairs, None) => {
                // Every pair of two types comes twice, the other way round; cards of one type make pairs among themselves.
                for (one, &cards) in left.iter().enumerate().filter(|(_, cards)| **cards > 0) {
                    let with = Met::all(value, values(one), left);
                    met.lower += i32::from(cards) * with.lower;
                    met.higher += i32::from(cards) * with.higher;
                    met.all += i32::from(cards) * with.all;
                    met.add(value, values(one)[one], -i32::from(cards));
                }
                met = Met { lower: met.lower / 2, higher: met.higher / 2, all: met.all / 2 };
            }
            (Known::Pairs, Some(weights)) => {
                for (high, &cards) in left.iter().enumerate().filter(|(_, cards)| **cards > 0) {
                    let cards = i32::from(cards);
                    let times = |low: usize| i32::from(weights[low % OUTSIDE][high % OUTSIDE]);
                    met.add(value, values(high)[high], cards * (cards - 1) / 2 * times(high));
                    let below = values(high)[..high].iter().zip(left).enumerate();
                    for (low, (other, more)) in below.filter(|(_, (_, more))| **more > 0) {
                        met.add(value, *other, cards * i32::from(*more) * times(low));
                    }
                }
            }
        }
        let mut tally = [0; N];
        tally[usize::from(group_of[usize::from(value.unsigned_abs())])] = met.lower;
        tally[N - 2] = met.higher;
        tally[N - 1] = met.all;
        tally
    }
}

impl Types<'_, RANKS> {
    /// Tallies by ranks alone.
    pub(super) fn layers<const N: usize>(&self, tables: &SpotTables) -> Layers<N> {
        let table = Multisets::get();
        let mut five = vec![[0; N]; ranks::count(5)];
        for (number, tally) in five.iter_mut().enumerate() {
            let set = u16::try_from(first_rank_board() + number).unwrap_or(ranks::NONE);
            let mut here = self.left;
            for (left, held) in here.iter_mut().zip(table.counts(set)) {
                *left -= i16::from(*held);
            }
            if here.iter().all(|left| *left >= 0) {
                *tally = self.compare(&tables.by_ranks, number, &here, &tables.group_of);
            }
        }
        let before = |size: usize, next: &[Tally<N>]| -> Vec<Tally<N>> {
            let sets = Multisets::of_size(size).map(|set| {
                let held = table.counts(set);
                let mut sum = [0; N];
                for (rank, (left, held)) in self.left.iter().zip(held).enumerate() {
                    let copies = left - i16::from(*held);
                    if copies > 0 {
                        let with = usize::from(table.with(set, rank)) - ranks::first(size + 1);
                        add(&mut sum, &next[with], i32::from(copies));
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
}

impl Types<'_, TYPES> {
    /// The suit's corrections, given the tallies of complete boards by ranks alone.
    pub(super) fn layers<const N: usize>(&self, tables: &SpotTables, ranks_say: &[Tally<N>]) -> Layers<N> {
        let table = Multisets::get();
        let in_suit = (0..13).fold(0u16, |mask, rank| mask | u16::from(self.left[rank] > 0) << rank);
        // With three cards of the suit on the board a flush needs two more: where neither side can have them nothing changes.
        let of_suit = |card: usize| card < OUTSIDE;
        let two = self.hole.into_iter().all(of_suit)
            || match self.dealer {
                Known::Two(one, other) => of_suit(one) && of_suit(other),
                Known::One(card) => of_suit(card),
                Known::Pairs => true,
            };
        let fewest = if two { 3 } else { 4 };
        let boards = &tables.boards;
        // How many cards are left outside the suit besides none to two others on the board.
        let others: Vec<Option<[i16; 13]>> = (0..3)
            .flat_map(Multisets::of_size)
            .map(|set| {
                let held = table.counts(set);
                let left = std::array::from_fn(|rank| self.left[OUTSIDE + rank] - i16::from(held[rank]));
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
            let mut here = [0; TYPES];
            for (rank, left) in here[..13].iter_mut().enumerate() {
                *left = i16::from((in_suit & !board.suited) >> rank & 1 == 1);
            }
            here[OUTSIDE..OUTSIDE + 13].copy_from_slice(outside);
            *tally = self.compare(&tables.by_types, number, &here, &tables.group_of);
            add(tally, &ranks_say[usize::from(board_ranks(board)) - first_rank_board()], -1);
        }
        let before = |size: usize, next: &[Tally<N>]| -> Vec<Tally<N>> {
            let these = &boards[size - 3];
            let mut sums = vec![[0; N]; these.len()];
            for (number, sum) in sums.iter_mut().enumerate() {
                let board = these.board(number);
                let Some(outside) = possible(board, fewest + size - 5) else { continue };
                let after = &tables.next[size - 3][number];
                for rank in bits(in_suit & !board.suited) {
                    add(sum, &next[after[rank] as usize], 1);
                }
                if after[13..].iter().any(|with| *with != NOWHERE) {
                    for (with, copies) in after[13..].iter().zip(outside).filter(|(_, copies)| **copies > 0) {
                        add(sum, &next[*with as usize], i32::from(*copies));
                    }
                }
            }
            sums
        };
        let four = before(4, &five);
        let three = before(3, &four);
        [three, four, five]
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
    /// Adds hands with these values and counts; the counts fit small numbers, which are added several at a time.
    #[inline]
    fn all<const T: usize>(value: i16, others: &[i16; T], times: &[i16; T]) -> Met {
        let (mut lower, mut higher, mut all) = (0i16, 0i16, 0i16);
        for (&other, &times) in others.iter().zip(times) {
            lower += if other < value { times } else { 0 };
            higher += if other > value { times } else { 0 };
            all += times;
        }
        Met { lower: lower.into(), higher: higher.into(), all: all.into() }
    }

    #[inline]
    fn add(&mut self, value: i16, other: i16, times: i32) {
        self.lower += times * i32::from(other < value);
        self.higher += times * i32::from(other > value);
        self.all += times;
    }
}

#[inline]
pub(super) fn add<const N: usize>(sum: &mut Tally<N>, more: &Tally<N>, times: i32) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += times * more;
    }
}
