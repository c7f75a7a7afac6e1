//! The bonus wager, exactly: every pair of hole cards against every pair of the dealer's.

use baize_cards::{Card, CardSet, Suit};
use baize_rules::{BonusTable, StartingHand};

use crate::{DeckSpec, Fraction, choose};

/// How often each line of the bonus pay table is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BonusSolution {
    /// For each line: what it pays for one unit wagered, and the deals that it pays.
    pub lines: Vec<(Fraction, i64)>,
    /// Deals that lose the bonus.
    pub lost: i64,
}

impl BonusSolution {
    /// Counts every deal of the player's and the dealer's hole cards. Hands for which `folded` is true lose, as a fold loses the bonus.
    #[must_use]
    pub fn new(deck: DeckSpec, table: &BonusTable, folded: impl Fn(StartingHand) -> bool) -> BonusSolution {
        let pays = table.lines.iter().map(|line| Fraction::new(line.odds.win, line.odds.stake));
        let mut lines: Vec<(Fraction, i64)> = pays.map(|pays| (pays, 0)).collect();
        let mut lost = 0;
        let hands =
            StartingHand::all().filter(|hand| deck.has(hand.high().index()) && deck.has(hand.low().index()));
        for hand in hands {
            let second = if hand.suited() { Suit::Clubs } else { Suit::Diamonds };
            let hole = [Card::new(hand.high(), Suit::Clubs), Card::new(hand.low(), second)];
            let combinations = i64::from(hand.combinations());
            let left: Vec<Card> = deck.cards().difference(CardSet::from_iter(hole)).iter().collect();
            for (n, &one) in left.iter().enumerate() {
                for &other in &left[n + 1..] {
                    let line = table.line(hole, Some([one, other])).filter(|_| !folded(hand));
                    let place =
                        line.and_then(|line| table.lines.iter().position(|each| std::ptr::eq(each, line)));
                    match place {
                        Some(place) => lines[place].1 += combinations,
                        None => lost += combinations,
                    }
                }
            }
        }
        BonusSolution { lines, lost }
    }

    /// All deals: C(52, 2) · C(50, 2) for a whole deck.
    #[must_use]
    pub fn cycle(&self) -> i64 {
        self.lost + self.lines.iter().map(|(_, deals)| deals).sum::<i64>()
    }

    /// The cycle of a deck.
    #[must_use]
    pub fn cycle_of(deck: DeckSpec) -> i64 {
        choose(deck.card_count(), 2) * choose(deck.card_count() - 2, 2)
    }

    /// The expected net result of one unit wagered.
    #[must_use]
    pub fn expectation(&self) -> Fraction {
        let cycle = self.cycle();
        let start = Fraction::new(-self.lost, cycle);
        self.lines.iter().fold(start, |sum, (pays, deals)| sum + *pays * Fraction::new(*deals, cycle))
    }

    /// The share of deals that are paid.
    #[must_use]
    pub fn hit_rate(&self) -> Fraction {
        Fraction::new(self.cycle() - self.lost, self.cycle())
    }

    /// The variance of the net result of one unit wagered.
    #[must_use]
    pub fn variance(&self) -> Fraction {
        let cycle = self.cycle();
        let start = Fraction::new(self.lost, cycle);
        let squares = self
            .lines
            .iter()
            .fold(start, |sum, (pays, deals)| sum + *pays * *pays * Fraction::new(*deals, cycle));
        squares - self.expectation() * self.expectation()
    }
}
