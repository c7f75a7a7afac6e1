//! Best play of a player who sees one more of the dealer's cards: one bit for every position with two cards seen.
//!
//! Equivalent positions share a bit (see `survey`): by value of the hand, the two seen ranks, and, if both seen cards are of one suit,
//! which of the hand's ranks are in that suit. That is 91 bits plus 32 · 78 for each of the 7,462 values, 2.4 MB in total.

use baize_cards::{Card, Hand, HandValue};

use super::{StudGame, survey_seen};
use crate::DeckSpec;

/// Pairs of seen ranks, equal ones among them; the seen cards are of two suits.
const PAIRS: usize = 91;
/// Pairs of different ranks, of one suit.
const SUITED: usize = 78;
const WORDS: usize = (PAIRS + 32 * SUITED).div_ceil(64);

/// Bet or fold, for every position with two of the dealer's cards seen.
#[derive(Debug)]
pub(crate) struct SecondCard {
    rows: Vec<(HandValue, Vec<u64>)>,
}

impl SecondCard {
    /// Best play of the game.
    pub(crate) fn new(game: &StudGame) -> SecondCard {
        let rows = survey_seen(DeckSpec::FULL, game.qualifies_from, 2, |row: &mut Vec<u64>, position| {
            row.resize(WORDS, 0);
            let mut ranks = [0; 2];
            let seen = position.seen_ranks().iter().enumerate();
            let seen = seen.flat_map(|(rank, n)| std::iter::repeat_n(rank, usize::from(*n)));
            ranks.iter_mut().zip(seen).for_each(|(rank, seen)| *rank = seen);
            let suit = position.one_suit.then_some(position.in_suit);
            let bit = bit(position.value, ranks, suit);
            row[bit / 64] |= u64::from(position.gain(game) > 0) << (bit % 64);
        });
        SecondCard { rows }
    }

    /// Whether best play bets this hand, seeing these two cards of the dealer's. `None` for cards that are not a valid position.
    pub(crate) fn bets(&self, hand: &[Card], seen: [Card; 2]) -> Option<bool> {
        if hand.len() != 5 || seen.iter().any(|card| hand.contains(card)) || seen[0] == seen[1] {
            return None;
        }
        let value = hand.iter().copied().collect::<Hand>().value();
        let row = &self.rows[self.rows.binary_search_by_key(&value, |(value, _)| *value).ok()?].1;
        let suit = seen[0].suit();
        let in_suit = hand.iter().filter(|card| card.suit() == suit);
        let in_suit = in_suit.fold(0u16, |mask, card| mask | 1 << card.rank().index());
        let bit =
            bit(value, seen.map(|card| card.rank().index()), (seen[1].suit() == suit).then_some(in_suit));
        Some(row[bit / 64] >> (bit % 64) & 1 == 1)
    }
}

/// The place of a position among those of its value.
fn bit(value: HandValue, seen: [usize; 2], in_suit: Option<u16>) -> usize {
    let (low, high) = (seen[0].min(seen[1]), seen[0].max(seen[1]));
    let Some(in_suit) = in_suit else { return high * (high + 1) / 2 + low };
    let mut ranks = value.ranks().map(baize_cards::Rank::index);
    ranks.sort_unstable();
    let (mut subset, mut next, mut last) = (0, 1, None);
    for rank in ranks {
        if last != Some(rank) {
            subset |= if in_suit >> rank & 1 == 1 { next } else { 0 };
            next <<= 1;
            last = Some(rank);
        }
    }
    PAIRS + subset * SUITED + high * high.saturating_sub(1) / 2 + low
}

#[cfg(test)]
mod tests {
    use baize_cards::CardSet;

    use super::*;
    use crate::simulation::Shuffler;
    use crate::stud::position_seen;

    #[test]
    fn bits_match_counting_every_deal() {
        let from = HandValue::of("As Kd 4c 3h 2s".parse().unwrap()).ok();
        let game = StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 250], 2, from);
        let second = SecondCard::new(&game);
        let mut shuffler = Shuffler::new(9, 0);
        for n in 0..400 {
            let mut cards = shuffler.deal(7).to_vec();
            if n % 2 == 1 {
                // Two of one suit, as often as not with cards of that suit in hand.
                let suit = cards[5].suit();
                let other =
                    DeckSpec::FULL.cards().iter().find(|card| card.suit() == suit && !cards.contains(card));
                cards[6] = other.unwrap();
            }
            let (hand, seen) = cards.split_at(5);
            let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
            let (value, counts) =
                position_seen(DeckSpec::FULL, from, set(hand), set(seen), CardSet::EMPTY).unwrap();
            let bets = game.bet_sum(value.class(), &counts) > game.fold_sum(&counts);
            assert_eq!(second.bets(hand, [seen[0], seen[1]]), Some(bets), "{hand:?} {seen:?}");
        }
    }
}
