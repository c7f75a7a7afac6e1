//! The bonus wager, exactly: every pair of hole cards against every pair of the dealer's.

use baize_cards::{Card, CardSet, Hand};
use baize_rules::{Area, BonusLine, BonusTable, Money, MoneyError, Rulebook, StartingHand};

use crate::stakes::{GameError, Unit, common_multiple};
use crate::{DeckSpec, Fraction, Variance};

/// How often each line of the bonus pay table is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BonusSolution {
    /// The wager, in the unit of all other amounts.
    pub scale: i64,
    /// For each line: what it pays, and the deals that it pays.
    pub lines: Vec<(i64, i64)>,
    /// Deals that lose the bonus.
    pub lost: i64,
}

impl BonusSolution {
    /// Counts every deal of the player's and the dealer's hole cards. Hands for which `folded` is true lose, as a fold loses the bonus.
    ///
    /// # Errors
    /// Odds that have no common unit of a reasonable size.
    pub fn new(
        deck: DeckSpec,
        table: &BonusTable,
        folded: impl Fn(StartingHand) -> bool,
    ) -> Result<BonusSolution, GameError> {
        let mut stakes = table.lines.iter().map(|line| i64::from(line.odds.stake.max(1)));
        let scale = stakes.try_fold(1, common_multiple).filter(|scale| *scale <= 1_000_000_000);
        let scale = scale.ok_or(MoneyError::TooLarge)?;
        let pays = |win: u32, stake: u32| i64::from(win) * (scale / i64::from(stake.max(1)));
        let pays = table.lines.iter().map(|line| pays(line.odds.win, line.odds.stake)).collect();
        Ok(BonusSolution::count(deck, table, scale, pays, folded))
    }

    /// The same in cents for a wager of this amount, with the maximum payout and the rounding of the settlement.
    /// `None` where the game has no bonus.
    ///
    /// # Errors
    /// A wager of nothing or beyond any table.
    pub fn in_cents(
        deck: DeckSpec,
        rulebook: &Rulebook,
        wager: Money,
        folded: impl Fn(StartingHand) -> bool,
    ) -> Result<Option<BonusSolution>, GameError> {
        let Some(table) = &rulebook.bonus else { return Ok(None) };
        let unit = Unit::new(rulebook, Some(wager))?;
        let pays: Result<Vec<i64>, GameError> =
            table.lines.iter().map(|line| unit.pay(Area::Bonus, unit.ante, line.odds)).collect();
        Ok(Some(BonusSolution::count(deck, table, unit.ante, pays?, folded)))
    }

    fn count(
        deck: DeckSpec,
        table: &BonusTable,
        scale: i64,
        pays: Vec<i64>,
        folded: impl Fn(StartingHand) -> bool,
    ) -> BonusSolution {
        let mut lines: Vec<(i64, i64)> = pays.into_iter().map(|pays| (pays, 0)).collect();
        let mut lost = 0;
        for (hand, hole) in holes(deck) {
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
        BonusSolution { scale, lines, lost }
    }

    /// The same wager if a hand that ranks lower than the dealer's loses it (I-1 `lost-with-hand`). `totals` gives, for a starting hand,
    /// the number of rounds of the whole cycle in which it is dealt, and in which of these it ranks lower; these rounds are the deals
    /// counted here.
    ///
    /// Lines that depend on the dealer's cards need only the boards of those pairs: each board of five occurs as flop, turn and river in 5!
    /// / 3! = 20 ways.
    #[must_use]
    pub fn lost_with_hand(
        &self,
        deck: DeckSpec,
        table: &BonusTable,
        folded: impl Fn(StartingHand) -> bool,
        totals: impl Fn(StartingHand) -> (i64, i64),
    ) -> BonusSolution {
        let mut lines: Vec<(i64, i64)> = self.lines.iter().map(|(pays, _)| (*pays, 0)).collect();
        let mut cycle = 0;
        let place =
            |line: &BonusLine| table.lines.iter().position(|each| std::ptr::eq(each, line)).unwrap_or(0);
        for (hand, hole) in holes(deck) {
            let (rounds, lower) = totals(hand);
            cycle += rounds;
            if folded(hand) {
                continue;
            }
            let alone = table.line(hole, None);
            let mut kept = rounds - lower;
            let left: Vec<Card> = deck.cards().difference(CardSet::from_iter(hole)).iter().collect();
            for (n, &one) in left.iter().enumerate() {
                for &other in &left[n + 1..] {
                    let dealer = [one, other];
                    let Some(line) = table.line(hole, Some(dealer)).filter(|line| line.dealer.is_some())
                    else {
                        continue;
                    };
                    let paid = 20 * i64::from(hand.combinations()) * boards_not_lost(deck, hole, dealer);
                    lines[place(line)].1 += paid;
                    kept -= paid;
                }
            }
            if let Some(line) = alone {
                lines[place(line)].1 += kept;
            }
        }
        let lost = cycle - lines.iter().map(|(_, deals)| deals).sum::<i64>();
        BonusSolution { scale: self.scale, lines, lost }
    }

    /// All deals: C(52, 2) · C(50, 2) for a whole deck.
    #[must_use]
    pub fn cycle(&self) -> i64 {
        self.lost + self.lines.iter().map(|(_, deals)| deals).sum::<i64>()
    }

    /// The net results with the number of deals of each, in the unit of the amounts.
    pub fn outcomes(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.lines.iter().copied().chain([(-self.scale, self.lost)])
    }

    /// The expected net result of one unit wagered.
    #[must_use]
    pub fn expectation(&self) -> Fraction {
        let net: i128 = self.outcomes().map(|(net, deals)| i128::from(net) * i128::from(deals)).sum();
        Fraction::new(net, i128::from(self.cycle()) * i128::from(self.scale))
    }

    /// The share of deals that are paid.
    #[must_use]
    pub fn hit_rate(&self) -> Fraction {
        Fraction::new(self.cycle() - self.lost, self.cycle())
    }

    /// The variance of the net result of one unit wagered.
    #[must_use]
    pub fn variance(&self) -> Variance {
        Variance::of(self.outcomes(), self.scale)
    }
}

/// The starting hands of a deck, each with one pair of hole cards that stands for it.
fn holes(deck: DeckSpec) -> impl Iterator<Item = (StartingHand, [Card; 2])> {
    let hands =
        StartingHand::all().filter(move |hand| deck.has(hand.high().index()) && deck.has(hand.low().index()));
    hands.map(|hand| (hand, hand.example()))
}

/// The boards of five on which these hole cards do not rank lower than the dealer's.
fn boards_not_lost(deck: DeckSpec, hole: [Card; 2], dealer: [Card; 2]) -> i64 {
    let known = CardSet::from_iter(hole.into_iter().chain(dealer));
    let left: Vec<Card> = deck.cards().difference(known).iter().collect();
    let with = |cards: [Card; 2]| cards.into_iter().fold(Hand::EMPTY, Hand::add);
    not_lost(&left, 5, with(hole), with(dealer))
}

/// Number of ways to complete both hands with this many of these cards such that the first does not rank lower.
fn not_lost(left: &[Card], missing: usize, player: Hand, dealer: Hand) -> i64 {
    if missing == 0 {
        return i64::from(player.value() >= dealer.value());
    }
    let one = |(n, card): (usize, &Card)| {
        not_lost(&left[n + 1..], missing - 1, player.add(*card), dealer.add(*card))
    };
    left.iter().enumerate().map(one).sum()
}
