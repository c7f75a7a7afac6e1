//! What a jackpot wager is worth once some cards are known.

use baize_cards::{Card, CardSet};
use baize_rules::{Money, Rulebook};

use crate::analysis::JackpotTerms;
use crate::jackpot::{AwardValue, JackpotWorth, made_by_hand, made_on_board, worth_of_made};
use crate::{DeckSpec, Fraction};

/// The net result of the wager in antes at the meter of the terms.
pub(super) fn in_antes(worth: AwardValue, ante: Money, terms: JackpotTerms) -> Fraction {
    let won = worth.at(terms.meter.unwrap_or(Money::ZERO));
    (won - Fraction::from(terms.wager.cents())) * Fraction::from(ante.cents()).reciprocal()
}

/// A stud hand: what it wins is known.
pub(super) fn of_hand(rulebook: &Rulebook, hand: CardSet, terms: JackpotTerms) -> JackpotWorth {
    let made = made_by_hand(&rulebook.jackpot.awards, hand);
    worth_of_made(&rulebook.jackpot, &rulebook.readings, terms.stakes(1), made)
}

/// Hole cards of a player who has stayed in, with three or four community cards: the average over those to come.
pub(super) fn on_board(
    rulebook: &Rulebook,
    hole: [Card; 2],
    board: &[Card],
    terms: JackpotTerms,
) -> AwardValue {
    let seen: CardSet = hole.iter().chain(board).copied().collect();
    let left: Vec<Card> = DeckSpec::FULL.cards().difference(seen).iter().collect();
    let worth = |board: &[Card; 5]| {
        let made = made_on_board(&rulebook.jackpot.awards, hole, board);
        worth_of_made(&rulebook.jackpot, &rulebook.readings, terms.stakes(1), made).stay
    };
    let mut total = AwardValue::ZERO;
    let mut deals = 0i64;
    let mut add = |board: [Card; 5]| {
        total = total.add(worth(&board));
        deals += 1;
    };
    match *board {
        [a, b, c, d] => left.iter().for_each(|river| add([a, b, c, d, *river])),
        [a, b, c] => {
            for turn in &left {
                for river in left.iter().filter(|river| *river != turn) {
                    add([a, b, c, *turn, *river]);
                }
            }
        }
        _ => {}
    }
    total.times(Fraction::new(1, deals.max(1)))
}
