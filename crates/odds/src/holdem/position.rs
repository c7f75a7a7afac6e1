//! One position of hold'em, by enumerating all deals of the unseen cards.

use std::cmp::Ordering;

use baize_cards::{Card, CardSet, Hand};

use super::game::{HoldemGame, RaisePays};
use crate::{DeckSpec, Fraction};

/// The value of each decision after the turn card, in antes: the net result of the whole round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnValues {
    /// Checking.
    pub check: Fraction,
    /// Placing it.
    pub river: Fraction,
}

/// The value of each decision after the flop, in antes, with the best decision after the turn card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlopValues {
    /// Checking.
    pub check: Fraction,
    /// Placing it.
    pub turn: Fraction,
}

/// The sums of net results over all rivers and dealer's hole cards: ante and flop wager, turn wager, river wager; and their number.
#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    stay: i64,
    turn: i64,
    river: i64,
    deals: i64,
}

/// The decisions with these hole cards on a board of four. `turn_wagered` says whether the turn wager was placed.
#[must_use]
pub fn turn_position(
    deck: DeckSpec,
    game: &HoldemGame,
    hole: [Card; 2],
    board: CardSet,
    turn_wagered: bool,
) -> TurnValues {
    let unseen = deck.cards().difference(board).difference(hole.into_iter().collect());
    let mut sum = Totals::default();
    for river in unseen.iter() {
        sum.add(&showdown(game, hole, board.with(river), unseen.without(river)));
    }
    let before = sum.stay + if turn_wagered { sum.turn } else { 0 };
    let value = |net: i64| Fraction::new(net, i128::from(sum.deals) * i128::from(game.scale));
    TurnValues { check: value(before), river: value(before + sum.river) }
}

/// The decisions with these hole cards on a flop.
#[must_use]
pub fn flop_position(deck: DeckSpec, game: &HoldemGame, hole: [Card; 2], flop: CardSet) -> FlopValues {
    let unseen: Vec<Card> =
        deck.cards().difference(flop).difference(hole.into_iter().collect()).iter().collect();
    let left: CardSet = unseen.iter().copied().collect();
    let mut by_turn = vec![Totals::default(); unseen.len()];
    for high in 1..unseen.len() {
        for low in 0..high {
            // Either card may be the turn and the other the river: evaluate both orders at once.
            let (one, other) = (unseen[low], unseen[high]);
            let found = showdown(game, hole, flop.with(one).with(other), left.without(one).without(other));
            by_turn[low].add(&found);
            by_turn[high].add(&found);
        }
    }
    let (mut check, mut turn, mut deals) = (0, 0, 0);
    for sum in &by_turn {
        check += sum.stay + sum.river.max(0);
        turn += sum.turn;
        deals += sum.deals;
    }
    let value = |net: i64| Fraction::new(net, i128::from(deals) * i128::from(game.scale));
    FlopValues { check: value(check), turn: value(check + turn) }
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        self.stay += other.stay;
        self.turn += other.turn;
        self.river += other.river;
        self.deals += other.deals;
    }
}

/// All the dealer's hole cards against the player's on a complete board.
fn showdown(game: &HoldemGame, hole: [Card; 2], board: CardSet, unseen: CardSet) -> Totals {
    let table = board.iter().fold(Hand::EMPTY, Hand::add);
    let player = table.add(hole[0]).add(hole[1]).value();
    let (mut higher, mut lower, mut equal) = (0, 0, 0);
    let cards: Vec<Card> = unseen.iter().collect();
    for (n, &one) in cards.iter().enumerate() {
        let first = table.add(one);
        for &other in &cards[n + 1..] {
            match player.cmp(&first.add(other).value()) {
                Ordering::Greater => higher += 1,
                Ordering::Less => lower += 1,
                Ordering::Equal => equal += 1,
            }
        }
    }
    let class = player.class() as usize;
    let net = |stake: &RaisePays| stake.higher[class] * higher + stake.lower * lower + stake.equal * equal;
    Totals {
        stay: net(&game.stay),
        turn: net(&game.turn),
        river: net(&game.river),
        deals: higher + lower + equal,
    }
}
