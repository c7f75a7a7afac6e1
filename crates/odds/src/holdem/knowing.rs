//! Best play of one spot of hold'em when some community cards are seen early.
//!
//! As in the whole game, the wagers on turn and river are independent decisions. Seeing cards early only changes over which cards a
//! decision sums. A fold is decided for each set of cards seen before the first decision.
//!
//! Let F be the flop, t the turn, r the river, and S the sums of a spot (`Spot::tally`).
//! - Neither t nor r is seen early: the turn wager depends on S(F), the river wager on S(F + t).
//! - t is seen early: both depend on S(F + t).
//! - r is seen early: the turn wager depends on S(F + r), the river wager on S(F + t + r).
//! - both: both depend on S(F + t + r).
//!
//! In the last three cases the result depends only on the set of cards, not on which of them is the turn. So the cards seen first can be
//! any subset of that set, and all its subsets of that size have equal weight.

use baize_cards::Card;

use super::game::{HoldemGame, RaisePays};
use super::showdown::Groups;
use super::spot::{Four, Spot};
use super::types::{Tally, add};
use crate::choose;

/// Community cards that are seen before the first decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Early {
    /// Number of flop cards.
    pub flop: usize,
    /// The turn.
    pub turn: bool,
    /// The river.
    pub river: bool,
}

/// Rounds of one path with their tallies: wins by group, losses, all.
pub(crate) type Path<const N: usize> = [i64; N];

/// Rounds that are played, by whether the turn is wagered, then by whether the river is.
pub(crate) type Paths<const N: usize> = [[Path<N>; 2]; 2];

/// Results of a spot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Played<const N: usize> {
    pub folded: i64,
    pub paths: Paths<N>,
}

impl<const N: usize> Played<N> {
    pub(crate) const NOTHING: Played<N> = Played { folded: 0, paths: [[[0; N]; 2]; 2] };

    /// Adds another, multiplied by a factor.
    pub(crate) fn add(&mut self, other: &Played<N>, times: i64) {
        self.folded += times * other.folded;
        for (sum, more) in self.paths.as_flattened_mut().iter_mut().zip(other.paths.as_flattened()) {
            for (sum, more) in sum.iter_mut().zip(more) {
                *sum += times * more;
            }
        }
    }

    /// All rounds.
    pub(crate) fn rounds(&self) -> i64 {
        self.folded + self.paths.as_flattened().iter().map(|path| path[N - 1]).sum::<i64>()
    }
}

/// Value of each part of a tally, for the flop, turn and river decisions and for every path.
#[derive(Debug, Clone)]
pub(crate) struct Prices<const N: usize> {
    turn: Tally64<N>,
    river: Tally64<N>,
    /// By path: the net result of each part; the last is that of a stand-off, which the others are more or less than.
    nets: [[Tally64<N>; 2]; 2],
    fold: i64,
}

type Tally64<const N: usize> = [i64; N];

impl<const N: usize> Prices<N> {
    pub(crate) fn new(game: &HoldemGame, groups: &Groups) -> Prices<N> {
        let price = |stake: &RaisePays| {
            let mut each = [0; N];
            for (price, class) in each.iter_mut().zip(groups.lowest()) {
                *price = stake.higher[class as usize] - stake.equal;
            }
            each[N - 2] = stake.lower - stake.equal;
            each[N - 1] = stake.equal;
            each
        };
        let (stay, turn, river) = (price(&game.stay), price(&game.turn), price(&game.river));
        let nets = [0, 1].map(|on_turn| {
            [0, 1].map(|on_river| std::array::from_fn(|n| stay[n] + on_turn * turn[n] + on_river * river[n]))
        });
        Prices { turn, river, nets, fold: game.fold }
    }

    fn sum<T: Copy + Into<i64>>(prices: &Tally64<N>, tally: &[T; N]) -> i64 {
        prices.iter().zip(tally).map(|(price, n)| price * (*n).into()).sum()
    }

    /// Whether the turn wager gains, and whether the river wager does.
    pub(crate) fn turn_gains(&self, tally: &Tally<N>) -> bool {
        Prices::sum(&self.turn, tally) > 0
    }

    pub(crate) fn river_gains(&self, tally: &Tally<N>) -> bool {
        Prices::sum(&self.river, tally) > 0
    }

    /// The sum of the net results of staying.
    pub(crate) fn stay(&self, paths: &Paths<N>) -> i128 {
        let pairs = paths.as_flattened().iter().zip(self.nets.as_flattened());
        pairs.map(|(path, prices)| i128::from(Prices::sum(prices, path))).sum()
    }

    /// The sum of the net results.
    pub(crate) fn net(&self, played: &Played<N>) -> i128 {
        self.stay(&played.paths) + i128::from(self.fold) * i128::from(played.folded)
    }

    /// The net results with the number of rounds of each.
    pub(crate) fn outcomes(&self, played: &Played<N>) -> Vec<(i64, i64)> {
        let mut outcomes = vec![(self.fold, played.folded)];
        for (path, prices) in played.paths.as_flattened().iter().zip(self.nets.as_flattened()) {
            let equal = path[N - 1] - path[..N - 1].iter().sum::<i64>();
            outcomes.push((prices[N - 1], equal));
            let parts = path[..N - 1].iter().zip(prices);
            outcomes.extend(parts.map(|(rounds, price)| (price + prices[N - 1], *rounds)));
        }
        outcomes
    }

    /// Folds if that loses less.
    fn decided(&self, paths: &Paths<N>) -> Played<N> {
        let rounds: i64 = paths.as_flattened().iter().map(|path| path[N - 1]).sum();
        if self.stay(paths) < i128::from(self.fold) * i128::from(rounds) {
            Played { folded: rounds, paths: [[[0; N]; 2]; 2] }
        } else {
            Played { folded: 0, paths: *paths }
        }
    }
}

impl<const N: usize> Spot<'_, N> {
    /// Best play of the spot, over all cards to come. Rounds count once for each set of community cards that may have been seen early.
    pub(crate) fn best(&self, prices: &Prices<N>, early: Early) -> Played<N> {
        let cards: Vec<Card> = self.left.iter().collect();
        match (early.turn, early.river) {
            (false, false) => self.in_order(prices, &cards, early.flop),
            (true, true) => {
                let mut groups = Groupings::new(prices, 5, early.flop + 2);
                each_set(&cards, &mut Vec::new(), 5, &mut |board| {
                    let tally = self.tally(board);
                    let mut paths = [[[0; N]; 2]; 2];
                    put(&mut paths, prices.turn_gains(&tally), prices.river_gains(&tally), &tally, 1);
                    groups.add(board, &paths);
                });
                groups.finish()
            }
            (turn, _) => {
                let mut groups = Groupings::new(prices, 4, early.flop + 1);
                self.each_four(|Four { cards: four, .. }, tally| {
                    let mut paths = [[[0; N]; 2]; 2];
                    let x = prices.turn_gains(tally);
                    if turn {
                        put(&mut paths, x, prices.river_gains(tally), tally, 1);
                    } else {
                        for card in self.left.iter().filter(|card| !four.contains(card)) {
                            let all = self.tally(&[four[0], four[1], four[2], four[3], card]);
                            put(&mut paths, x, prices.river_gains(&all), &all, 1);
                        }
                    }
                    groups.add(four, &paths);
                });
                groups.finish()
            }
        }
    }

    /// Turn and river come in their order; `flop` cards of the flop are seen first.
    fn in_order(&self, prices: &Prices<N>, cards: &[Card], flop: usize) -> Played<N> {
        let turn = self.turn_wagers(prices);
        if flop == 0 {
            let paths = self.paths(prices, &turn, None);
            return prices.decided(&paths);
        }
        let mut groups = Groupings::new(prices, 3, flop);
        each_set(cards, &mut Vec::new(), 3, &mut |flop| {
            let x = turn[number(flop)];
            let mut paths = [[[0; N]; 2]; 2];
            for card in self.left.iter().filter(|card| !flop.contains(card)) {
                let tally = self.tally(&[flop[0], flop[1], flop[2], card]);
                put(&mut paths, x, prices.river_gains(&tally), &tally, 1);
            }
            groups.add(flop, &paths);
        });
        groups.finish()
    }

    /// On which flops the turn is wagered, by [`number`].
    pub(crate) fn turn_wagers(&self, prices: &Prices<N>) -> Vec<bool> {
        let mut wagered = vec![false; usize::try_from(choose(52, 3)).unwrap_or(0)];
        let cards: Vec<Card> = self.left.iter().collect();
        each_set(&cards, &mut Vec::new(), 3, &mut |flop| {
            wagered[number(flop)] = prices.turn_gains(&self.tally(flop));
        });
        wagered
    }

    /// On which sets of four community cards the river is wagered, by [`number`].
    pub(crate) fn river_wagers(&self, prices: &Prices<N>) -> Vec<bool> {
        let mut wagered = vec![false; usize::try_from(choose(52, 4)).unwrap_or(0)];
        self.each_four(|four, tally| wagered[number(&four.cards)] = prices.river_gains(tally));
        wagered
    }

    /// Results of staying, given the flops on which the turn is wagered, and either best play of the river or a list. Each set of four
    /// counts once for each of its cards that may have been the turn. The lists must treat suits alike that this spot does.
    pub(crate) fn paths(&self, prices: &Prices<N>, turn: &[bool], river: Option<&[bool]>) -> Paths<N> {
        // Tallies by whether the river is wagered, by how many sets of four they stand for and on how many of the four flops the turn is wagered.
        let mut sums = [[[[0i64; N]; 5]; RENAMINGS]; 2];
        // The same for the last sets: small numbers, which are added several at a time and do not overflow in so few sets.
        let (mut last, mut room) = ([[[[0i32; N]; 5]; RENAMINGS]; 2], LAST);
        self.each_kind_of_four(|four, tally, times| {
            let y = river.map_or_else(|| prices.river_gains(tally), |river| river[number(&four.cards)]);
            let turns: usize = four.flops.iter().map(|flop| usize::from(turn[*flop])).sum();
            add(&mut last[usize::from(y)][times - 1][turns], tally, 1);
            room -= 1;
            if room == 0 {
                put_away(&mut sums, &mut last);
                room = LAST;
            }
        });
        put_away(&mut sums, &mut last);
        let mut paths = [[[0; N]; 2]; 2];
        for (y, by_times) in sums.iter().enumerate() {
            for (times, by_turns) in (1i64..).zip(by_times) {
                for (turns, tally) in (0i64..).zip(by_turns) {
                    for (n, rounds) in tally.iter().enumerate() {
                        paths[1][y][n] += times * turns * rounds;
                        paths[0][y][n] += times * (4 - turns) * rounds;
                    }
                }
            }
        }
        paths
    }
}

/// Maximum number of sets of cards that are equal up to suits: three suits can be renamed, or two and two.
const RENAMINGS: usize = 6;

/// Tallies summed in 32 bits before they are moved to 64. A tally counts at most 2 · C(45, 2) · 46 deals.
const LAST: usize = 16_384;

fn put_away<const N: usize>(
    sums: &mut [[[[i64; N]; 5]; RENAMINGS]; 2],
    last: &mut [[[[i32; N]; 5]; RENAMINGS]; 2],
) {
    let sums = sums.as_flattened_mut().as_flattened_mut().as_flattened_mut();
    let last = last.as_flattened_mut().as_flattened_mut().as_flattened_mut();
    for (sum, last) in sums.iter_mut().zip(last) {
        *sum += i64::from(std::mem::take(last));
    }
}

/// Known community cards: turned already, or seen early.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct KnownBoard {
    pub flop: Vec<Card>,
    pub turn: Option<Card>,
    pub river: Option<Card>,
}

impl<const N: usize> Spot<'_, N> {
    /// Results of staying with these community cards known, with best play of the turn and river wagers unless `forced`.
    pub(crate) fn staying(
        &self,
        prices: &Prices<N>,
        known: &KnownBoard,
        forced: [Option<bool>; 2],
    ) -> Paths<N> {
        let [turn_forced, river_forced] = forced;
        let told = |card: &Card| {
            known.flop.contains(card) || known.turn == Some(*card) || known.river == Some(*card)
        };
        let pool: Vec<Card> = self.left.iter().filter(|card| !told(card)).collect();
        let mut paths = [[[0; N]; 2]; 2];
        let mut flop = known.flop.clone();
        each_set(&pool, &mut flop, 3usize.saturating_sub(known.flop.len()), &mut |flop| {
            let with = |cards: &[Option<Card>]| {
                let board: Vec<Card> = flop.iter().copied().chain(cards.iter().flatten().copied()).collect();
                self.tally(&board)
            };
            // Without the turn card, the turn wager depends on the other known cards.
            let early = known.turn.is_none().then(|| prices.turn_gains(&with(&[known.river])));
            let turns: Vec<Card> = match known.turn {
                Some(turn) => vec![turn],
                None => pool.iter().copied().filter(|card| !flop.contains(card)).collect(),
            };
            for turn in turns {
                let tally = with(&[Some(turn), known.river]);
                let x = turn_forced.or(early).unwrap_or_else(|| prices.turn_gains(&tally));
                let y = river_forced.unwrap_or_else(|| prices.river_gains(&tally));
                put(&mut paths, x, y, &tally, 1);
            }
        });
        paths
    }
}

fn put<const N: usize>(paths: &mut Paths<N>, turn: bool, river: bool, tally: &Tally<N>, times: i64) {
    let path = &mut paths[usize::from(turn)][usize::from(river)];
    for (sum, more) in path.iter_mut().zip(tally) {
        *sum += times * i64::from(*more);
    }
}

/// The rounds of each set of cards that is seen first, until all are there and it can be decided whether to fold.
struct Groupings<'a, const N: usize> {
    prices: &'a Prices<N>,
    /// How many of the cards are seen first: `None` if all of them.
    size: Option<usize>,
    groups: Vec<Paths<N>>,
    played: Played<N>,
}

impl<'a, const N: usize> Groupings<'a, N> {
    fn new(prices: &'a Prices<N>, of: usize, size: usize) -> Groupings<'a, N> {
        let size = (size < of).then_some(size);
        let groups = size.map_or(0, |size| usize::try_from(choose(52, size)).unwrap_or(0));
        Groupings { prices, size, groups: vec![[[[0; N]; 2]; 2]; groups], played: Played::NOTHING }
    }

    fn add(&mut self, cards: &[Card], paths: &Paths<N>) {
        let Some(size) = self.size else {
            self.played.add(&self.prices.decided(paths), 1);
            return;
        };
        let groups = &mut self.groups;
        each_set(cards, &mut Vec::new(), size, &mut |first| {
            for (sum, more) in groups[number(first)].as_flattened_mut().iter_mut().zip(paths.as_flattened()) {
                for (sum, more) in sum.iter_mut().zip(more) {
                    *sum += more;
                }
            }
        });
    }

    fn finish(mut self) -> Played<N> {
        for paths in &self.groups {
            self.played.add(&self.prices.decided(paths), 1);
        }
        self.played
    }
}

/// The number of a set of cards in ascending order: ΣC(cᵢ, i).
pub(crate) fn number(cards: &[Card]) -> usize {
    cards.iter().enumerate().map(|(n, card)| place_value(*card, n)).sum()
}

/// Contribution of a card to the number of a set with this many lower cards.
#[inline]
pub(crate) fn place_value(card: Card, lower: usize) -> usize {
    CHOOSE[card.index()][lower]
}

/// C(card, n + 1) for n up to four.
static CHOOSE: [[usize; 5]; 52] = {
    let mut table = [[0; 5]; 52];
    let mut card = 0;
    while card < 52 {
        let (mut n, mut ways) = (0, 1);
        while n < 5 {
            ways = if card >= n { ways * (card - n) / (n + 1) } else { 0 };
            table[card][n] = ways;
            n += 1;
        }
        card += 1;
    }
    table
};

/// All sets of `size` of these cards, in the order of the cards.
fn each_set(cards: &[Card], so_far: &mut Vec<Card>, size: usize, visit: &mut impl FnMut(&[Card])) {
    if size == 0 {
        return visit(so_far);
    }
    for (n, &card) in cards.iter().enumerate() {
        so_far.push(card);
        each_set(&cards[n + 1..], so_far, size - 1, visit);
        so_far.pop();
    }
}
