//! Sums over all positions: first determines where the turn is wagered, then evaluates every board of four cards.

use baize_cards::{Card, CardSet, Rank};

use super::game::HoldemGame;
use super::solution::HandTotals;
use super::tables::{RaisePosition, Sums};
use crate::Pattern;
use crate::parallel::{accumulate, fill_rows};
use crate::strategy::Community;

/// Where the turn is wagered: for each hole card the set of the others.
type Wagered = [CardSet; 52];

/// Positions of one starting hand with one river decision. Each counts once for each of the four cards that may have been the turn.
#[derive(Debug, Clone, Copy)]
struct Cell<const N: usize> {
    positions: i64,
    tally: [i64; N],
    /// The same where the turn was wagered.
    turn_positions: i64,
    turn_tally: [i64; N],
}

impl<const N: usize> Cell<N> {
    const EMPTY: Cell<N> = Cell { positions: 0, tally: [0; N], turn_positions: 0, turn_tally: [0; N] };
}

/// The totals of all starting hands when `turn` and `river` say where to wager.
pub(super) fn add_up<const N: usize>(
    sums: &Sums<N>,
    game: &HoldemGame,
    turn: impl Fn(&RaisePosition<'_>) -> bool + Sync,
    river: impl Fn(&RaisePosition<'_>) -> bool + Sync,
) -> Vec<HandTotals> {
    let flops = turn_wagers(sums, game, turn);
    let weights = sums.weights(&game.river);
    let boards = Pattern::all(sums.deck, 4);
    let start = || vec![[Cell::<N>::EMPTY; 2]; 169];
    let parts = accumulate(&boards, start, |cells, pattern| {
        let on = sums.on(*pattern);
        let board = pattern.cards();
        let community = Community::from(board);
        let sets = i64::from(pattern.sets());
        let left: Vec<Card> = sums.deck.cards().difference(board).iter().collect();
        let mut before = board.iter().map(|turn| wagered_on(&flops, board.without(turn)));
        let before: [Wagered; 4] = std::array::from_fn(|_| before.next().unwrap_or([CardSet::EMPTY; 52]));
        for (n, &other) in left.iter().enumerate() {
            let wagered = before.each_ref().map(|before| before[other.index()]);
            for &one in &left[..n] {
                let tally = on.tally(one, other);
                let gain = weights.sum(&tally, on.deals);
                let wager =
                    river(&RaisePosition { hole: [one, other], board: &community, gain, deals: on.deals });
                let turns: i64 = wagered.iter().map(|wagered| i64::from(wagered.contains(one))).sum();
                let cell = &mut cells[starting_hand(one, other)][usize::from(wager)];
                cell.positions += 4 * sets;
                cell.turn_positions += turns * sets;
                for (n, count) in tally.into_iter().enumerate() {
                    let count = sets * i64::from(count);
                    cell.tally[n] += 4 * count;
                    cell.turn_tally[n] += turns * count;
                }
            }
        }
    });
    let deals = super::layers::deals(sums.deck, 4);
    let mut hands = vec![HandTotals::default(); 169];
    for (hand, cells) in parts.iter().flat_map(|part| part.iter().enumerate()) {
        for (river, cell) in cells.iter().enumerate() {
            for turn in 0..2 {
                let path = &mut hands[hand].paths[turn][river];
                let of = |all: i64, turned: i64| if turn == 1 { turned } else { all - turned };
                path.rounds += deals * of(cell.positions, cell.turn_positions);
                let count = |n: usize| of(cell.tally[n], cell.turn_tally[n]);
                path.lower += count(N - 1);
                for (n, class) in sums.groups.lowest().enumerate() {
                    path.higher[class as usize] += count(n);
                }
            }
        }
    }
    hands
}

/// Where the turn is wagered, on every flop up to suits, in order.
fn turn_wagers<const N: usize>(
    sums: &Sums<N>,
    game: &HoldemGame,
    turn: impl Fn(&RaisePosition<'_>) -> bool + Sync,
) -> Vec<(Pattern, Wagered)> {
    let weights = sums.weights(&game.turn);
    let flops = Pattern::all(sums.deck, 3);
    let mut flops: Vec<(Pattern, Wagered)> =
        flops.into_iter().map(|flop| (flop, [CardSet::EMPTY; 52])).collect();
    flops.sort_unstable_by_key(|(flop, _)| *flop);
    fill_rows(&mut flops, |_, (flop, wagered)| {
        let on = sums.on(*flop);
        let board = flop.cards();
        let community = Community::from(board);
        let left: Vec<Card> = sums.deck.cards().difference(board).iter().collect();
        for (n, &other) in left.iter().enumerate() {
            for &one in &left[..n] {
                let gain = weights.sum(&on.tally(one, other), on.deals);
                if turn(&RaisePosition { hole: [one, other], board: &community, gain, deals: on.deals }) {
                    wagered[one.index()] = wagered[one.index()].with(other);
                    wagered[other.index()] = wagered[other.index()].with(one);
                }
            }
        }
    });
    flops
}

/// Where the turn is wagered on a flop, in the flop's own suits.
fn wagered_on(flops: &[(Pattern, Wagered)], flop: CardSet) -> Wagered {
    let (pattern, becomes) = Pattern::of(flop);
    let mut own = [CardSet::EMPTY; 52];
    if let Ok(found) = flops.binary_search_by_key(&pattern, |(flop, _)| *flop) {
        let wagered = &flops[found].1;
        for (index, own) in own.iter_mut().enumerate() {
            *own = back(wagered[index / 4 * 4 + becomes[index % 4]], becomes);
        }
    }
    own
}

/// The cards that become these when each suit becomes another.
fn back(cards: CardSet, becomes: [usize; 4]) -> CardSet {
    /// The lowest suit of each rank.
    const ONE_SUIT: u64 = 0x1_1111_1111_1111;
    let bits = (0..4).fold(0, |bits, suit| bits | (cards.bits() >> becomes[suit] & ONE_SUIT) << suit);
    CardSet::from_bits(bits)
}

/// 13 × row + column of the starting hand, suited ones below the diagonal. `one` comes before `other` in the deck.
fn starting_hand(one: Card, other: Card) -> usize {
    let cell = |row: Rank, column: Rank| 13 * row.index() + column.index();
    if one.suit() == other.suit() { cell(other.rank(), one.rank()) } else { cell(one.rank(), other.rank()) }
}
