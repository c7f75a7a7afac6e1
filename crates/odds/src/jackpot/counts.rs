//! In how many deals each set of awards is made.

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet, HandClass, HandValue, Rank, Suit};
use baize_rules::{Award, AwardCards, Family, Rulebook, StartingHand};

use super::made::{of_class as made_of_class, of_five, on_board};
use crate::parallel::fill_rows;
use crate::stud::hands_by_value;
use crate::{DeckSpec, choose};

/// A set of awards, by their places in the pay table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AwardSet(u64);

impl AwardSet {
    /// No award.
    pub const NONE: AwardSet = AwardSet(0);

    /// The set with one more. Pay tables have fewer than 64 lines.
    #[must_use]
    pub const fn with(self, award: usize) -> AwardSet {
        AwardSet(self.0 | 1 << (award & 63))
    }

    /// Whether the award is in the set.
    #[must_use]
    pub const fn has(self, award: usize) -> bool {
        self.0 >> (award & 63) & 1 == 1
    }

    /// The awards that are in both sets.
    #[must_use]
    pub const fn and(self, other: AwardSet) -> AwardSet {
        AwardSet(self.0 & other.0)
    }

    /// The awards, first to last in the pay table.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |award| self.has(*award))
    }
}

/// What the player knows when they first decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandKind {
    /// A hold'em starting hand.
    Hole(StartingHand),
    /// A class of stud hand.
    Hand(HandClass),
}

/// The sets of awards that deals with one kind of hand make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindCounts {
    /// The kind.
    pub kind: HandKind,
    /// How many player's hands are of the kind.
    pub hands: i64,
    /// Of the deals with one of them, how many make each set. Deals that make nothing are left out.
    pub made: Vec<(AwardSet, i64)>,
}

/// The sets of awards that deals make, counted apart for each starting hand or class of hand.
#[derive(Debug, Clone)]
pub struct AwardCounts {
    /// Starting hands by index (those not in the deck have no hands), or classes from the lowest.
    pub kinds: Vec<KindCounts>,
    /// The deals with one player's hand: 20 · C(50, 5) boards in order for hold'em, 1 for stud.
    pub deals: i64,
    /// All player's hands.
    pub hands: i64,
}

impl AwardCounts {
    /// Counts for a rulebook's awards.
    #[must_use]
    pub fn new(deck: DeckSpec, rulebook: &Rulebook) -> AwardCounts {
        match rulebook.family {
            Family::Holdem => AwardCounts::holdem(deck, &rulebook.jackpot.awards),
            Family::Stud => AwardCounts::stud(deck, &rulebook.jackpot.awards),
        }
    }

    /// Counts for a stud game with these awards.
    #[must_use]
    pub fn stud(deck: DeckSpec, awards: &[Award]) -> AwardCounts {
        let mut of_class = [0i64; 10];
        for (value, hands) in hands_by_value(deck) {
            of_class[value.class() as usize] += hands;
        }
        let kinds = HandClass::ALL.into_iter().zip(of_class).map(|(class, hands)| {
            let made = if hands > 0 { made_of_class(awards, class) } else { AwardSet::NONE };
            let made = if made == AwardSet::NONE { Vec::new() } else { vec![(made, 1)] };
            KindCounts { kind: HandKind::Hand(class), hands, made }
        });
        AwardCounts { kinds: kinds.collect(), deals: 1, hands: choose(deck.card_count(), 5) }
    }

    /// Counts for a hold'em game with these awards.
    #[must_use]
    pub fn holdem(deck: DeckSpec, awards: &[Award]) -> AwardCounts {
        let in_deck = |hand: StartingHand| deck.has(hand.high().index()) && deck.has(hand.low().index());
        let mut kinds: Vec<KindCounts> = StartingHand::all()
            .map(|hand| {
                let hands = if in_deck(hand) { i64::from(hand.combinations()) } else { 0 };
                KindCounts { kind: HandKind::Hole(hand), hands, made: Vec::new() }
            })
            .collect();
        let five_only = awards.iter().all(|award| award.cards == AwardCards::HoleAndFlop);
        let rare = awards.iter().all(|award| award.class >= HandClass::FourOfAKind);
        fill_rows(&mut kinds, |_, of_kind| {
            let HandKind::Hole(hand) = of_kind.kind else { return };
            if of_kind.hands == 0 {
                return;
            }
            let hole = CardSet::from_iter(hand.example());
            let mut counts: BTreeMap<AwardSet, i64> = BTreeMap::new();
            if five_only {
                // The turn and the river are any two of the cards that are left, in order.
                let left = deck.card_count() - 5;
                let orders = choose(left, 1) * choose(left - 1, 1);
                for_each_superset(deck, hole, CardSet::EMPTY, 3, &mut |flop| {
                    if let Some(made) = of_five(awards, hole.union(flop)) {
                        *counts.entry(made).or_default() += orders;
                    }
                });
            } else {
                let mut look = |board: CardSet| {
                    on_board(awards, hole, board, |made, orders| *counts.entry(made).or_default() += orders);
                };
                if rare {
                    for_each_rare_board(deck, hole, &mut look);
                } else {
                    for_each_superset(deck, hole, CardSet::EMPTY, 5, &mut look);
                }
            }
            counts.remove(&AwardSet::NONE);
            of_kind.made = counts.into_iter().collect();
        });
        let cards = deck.card_count();
        AwardCounts { kinds, deals: 20 * choose(cards - 2, 5), hands: choose(cards, 2) }
    }

    /// In how many deals of the whole cycle each set of awards is made; the cycle is [`AwardCounts::cycle`].
    #[must_use]
    pub fn totals(&self) -> BTreeMap<AwardSet, i64> {
        let mut totals = BTreeMap::new();
        for of_kind in &self.kinds {
            for (made, deals) in &of_kind.made {
                *totals.entry(*made).or_default() += of_kind.hands * deals;
            }
        }
        totals
    }

    /// All hands times all deals with one.
    #[must_use]
    pub const fn cycle(&self) -> i64 {
        self.hands * self.deals
    }
}

/// All sets of `size` cards of the deck that contain `needed` and avoid `hole`.
fn for_each_superset(
    deck: DeckSpec,
    hole: CardSet,
    needed: CardSet,
    size: usize,
    look: &mut impl FnMut(CardSet),
) {
    let free: Vec<Card> = deck.cards().difference(hole.union(needed)).iter().collect();
    if needed.len() <= size {
        extend(&free, needed, size - needed.len(), look);
    }
}

fn extend(free: &[Card], so_far: CardSet, more: usize, look: &mut impl FnMut(CardSet)) {
    if more == 0 {
        return look(so_far);
    }
    for (n, card) in free.iter().enumerate() {
        extend(&free[n + 1..], so_far.with(*card), more - 1, look);
    }
}

/// All boards that give these hole cards four of a kind or better, each once.
///
/// Seven cards never hold two fours of a kind, nor a four of a kind and a straight flush (8 cards). They may hold several straight
/// flushes; then only the highest one counts the board.
fn for_each_rare_board(deck: DeckSpec, hole: CardSet, look: &mut impl FnMut(CardSet)) {
    for rank in Rank::ALL.into_iter().filter(|rank| deck.has(rank.index())) {
        let four: CardSet = Suit::ALL.into_iter().map(|suit| Card::new(rank, suit)).collect();
        for_each_superset(deck, hole, four.difference(hole), 5, look);
    }
    for suit in Suit::ALL {
        let cards = |mask: u16| -> CardSet {
            let ranks = Rank::ALL.into_iter().filter(|rank| mask >> rank.index() & 1 == 1);
            ranks.map(|rank| Card::new(rank, suit)).collect()
        };
        for mask in (0..1u16 << 13).filter(|mask| mask.count_ones() == 5 && mask & !deck.rank_bits() == 0) {
            let straight = cards(mask);
            let Ok(value) = HandValue::of(straight) else { continue };
            if value.class() >= HandClass::StraightFlush {
                for_each_superset(deck, hole, straight.difference(hole), 5, &mut |board| {
                    if HandValue::of(hole.union(board)) == Ok(value) {
                        look(board);
                    }
                });
            }
        }
    }
}
