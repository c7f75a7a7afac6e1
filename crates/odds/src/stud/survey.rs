//! Enumerates every position of stud: the player's five cards, the seen cards of the dealer, and the dealer's possible hands.
//!
//! The dealer's possible hands depend only on the value and ranks of the player's hand and, if all seen cards are of one suit, on its ranks
//! in that suit. (The dealer's flushes are in that suit; seen cards of two suits exclude flushes.) Positions that agree in these are
//! visited as one, with the number of deals they represent.
//!
//! Values of five-card hands are visited in ascending order. Among the dealer's hands that contain the seen cards and avoid the player's,
//! those of lower value are counted by ranks alone and then corrected for flushes. `docs/mathematics.md` has the derivation.

use baize_cards::{Card, CardSet, HandValue, Rank, Suit};

use super::counters::{Exclusion, FlushCounters, Joined, RankCounters};
use super::values::{ValueKind, ascending, distinct};
use super::{StudGame, StudOutcome};
use crate::DeckSpec;
use crate::parallel::fill_rows_with;
use crate::ranks::{self, Multisets};

/// Number of the dealer's hands by outcome, in the order of [`StudOutcome::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DealerCounts {
    counts: [i64; 4],
}

impl DealerCounts {
    /// The dealer's hands with this outcome.
    #[must_use]
    pub const fn of(&self, outcome: StudOutcome) -> i64 {
        self.counts[outcome as usize]
    }

    /// All the dealer's hands.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.counts.iter().sum()
    }

    /// Adds hands with this outcome.
    pub(crate) const fn add_many(&mut self, outcome: StudOutcome, hands: i64) {
        self.counts[outcome as usize] += hands;
    }

    /// Adds the hands of another, multiplied by a factor.
    pub(crate) fn add_times(&mut self, others: &DealerCounts, times: i64) {
        for (sum, count) in self.counts.iter_mut().zip(others.counts) {
            *sum += times * count;
        }
    }
}

/// Equivalent positions of stud: same value and seen ranks, and same ranks in the suit in which the dealer may have a flush.
#[derive(Debug, Clone, Copy)]
pub struct StudPosition<const KINDS: usize = 1> {
    /// The value of the player's hand.
    pub value: HandValue,
    /// The player's ranks in the suit of the seen cards; empty if those are of several suits.
    pub in_suit: u16,
    /// The seen cards are all of one suit.
    pub one_suit: bool,
    /// Number of deals of player's cards and seen cards.
    pub deals: i64,
    /// The dealer's hands, by kind of hand.
    pub by_kind: [DealerCounts; KINDS],
    kind: ValueKind,
    seen: u16,
}

impl StudPosition {
    /// The dealer's hands.
    #[must_use]
    pub const fn counts(&self) -> &DealerCounts {
        &self.by_kind[0]
    }

    /// Gain of a bet over a fold, summed over all the dealer's hands.
    #[must_use]
    pub fn gain(&self, game: &StudGame) -> i64 {
        game.bet_sum(self.value.class(), self.counts()) - game.fold_sum(self.counts())
    }
}

impl<const KINDS: usize> StudPosition<KINDS> {
    /// The rank of the face-up card if no other card of the dealer is seen; otherwise the lowest seen rank.
    #[must_use]
    pub fn up(&self) -> Rank {
        let lowest = self.seen_ranks().iter().position(|n| *n > 0).unwrap_or(0);
        Rank::ALL[lowest]
    }

    /// Number of seen cards of each rank.
    #[must_use]
    pub fn seen_ranks(&self) -> &'static [u8; 13] {
        Multisets::get().counts(self.seen)
    }

    /// One of these positions: the player's cards and the seen cards.
    #[must_use]
    pub fn example(&self) -> (CardSet, CardSet) {
        let held = Multisets::get().counts(self.kind.ranks);
        let mut hand = CardSet::EMPTY;
        if self.kind.flush {
            // Clubs is the suit of the seen cards where they have one.
            let suit = if self.in_suit == 0 { Suit::Diamonds } else { Suit::Clubs };
            hand = ranks::bits(self.kind.mask).map(|rank| Card::new(Rank::ALL[rank], suit)).collect();
        } else {
            // Suits in turn: five different ranks are then never of one suit.
            let held = held.iter().enumerate().filter(|(_, n)| **n > 0);
            for (turn, (rank, &n)) in held.enumerate() {
                let mut suits: Vec<Suit> = Suit::ALL[usize::from(self.one_suit)..].into();
                suits.rotate_left(turn % 3);
                if self.one_suit && self.in_suit >> rank & 1 == 1 {
                    suits.insert(0, Suit::Clubs);
                }
                for suit in suits.into_iter().take(usize::from(n)) {
                    hand = hand.with(Card::new(Rank::ALL[rank], suit));
                }
            }
        }
        (hand, self.example_seen(hand))
    }

    fn example_seen(&self, hand: CardSet) -> CardSet {
        let mut seen = CardSet::EMPTY;
        for (rank, &n) in self.seen_ranks().iter().enumerate() {
            let mut free: Vec<Card> = Suit::ALL
                .into_iter()
                .map(|suit| Card::new(Rank::ALL[rank], suit))
                .filter(|c| !hand.contains(*c))
                .collect();
            // Several suits: as soon as there is one card, prefer another suit for the next.
            if !self.one_suit {
                free.sort_by_key(|card| seen.iter().filter(|other| other.suit() == card.suit()).count());
            }
            seen = free.into_iter().take(usize::from(n)).fold(seen, CardSet::with);
        }
        seen
    }
}

/// Running counts in ascending order of value: the dealer's hands of each kind so far.
struct Counters<const KINDS: usize> {
    ranks: [RankCounters; KINDS],
    flushes: [FlushCounters; KINDS],
}

impl<const KINDS: usize> Counters<KINDS> {
    fn new() -> Counters<KINDS> {
        Counters {
            ranks: std::array::from_fn(|_| RankCounters::new()),
            flushes: std::array::from_fn(|_| FlushCounters::new()),
        }
    }

    fn add(&mut self, value: &ValueKind, kind: usize) {
        if value.flush {
            self.flushes[kind].add(value.mask, 1);
        } else {
            self.ranks[kind].add(value.ranks);
            if value.distinct() {
                self.flushes[kind].add(value.mask, -1);
            }
        }
    }
}

/// A survey of all positions with `seen` of the dealer's cards seen, including the face-up card.
///
/// `kind` classifies the dealer's hands by their ranks, if needed; it is below `KINDS`.
pub(crate) struct Survey<const KINDS: usize, K> {
    pub deck: DeckSpec,
    pub qualifies_from: Option<HandValue>,
    pub seen: usize,
    pub kind: K,
}

/// Visits every position with one card seen. `visit` accumulates a result for each value of the player's hand; the results are returned in
/// ascending order.
pub fn survey<R: Default + Send>(
    deck: DeckSpec,
    qualifies_from: Option<HandValue>,
    visit: impl Fn(&mut R, &StudPosition) + Sync,
) -> Vec<(HandValue, R)> {
    survey_seen(deck, qualifies_from, 1, visit)
}

/// The same with one to five cards of the dealer seen.
pub fn survey_seen<R: Default + Send>(
    deck: DeckSpec,
    qualifies_from: Option<HandValue>,
    seen: usize,
    visit: impl Fn(&mut R, &StudPosition) + Sync,
) -> Vec<(HandValue, R)> {
    Survey { deck, qualifies_from, seen: seen.clamp(1, 5), kind: |_: &[u8; 13]| 0 }.run(visit)
}

/// The dealer's hands that contain the seen cards and avoid the player's: not qualified, lower, equal, all.
type Base<const KINDS: usize> = [[i64; 4]; KINDS];

impl<const KINDS: usize, K: Fn(&[u8; 13]) -> usize + Sync> Survey<KINDS, K> {
    pub(crate) fn run<R: Default + Send>(
        &self,
        visit: impl Fn(&mut R, &StudPosition<KINDS>) + Sync,
    ) -> Vec<(HandValue, R)> {
        let values = ascending(self.deck);
        let kinds: Vec<usize> =
            values.iter().map(|value| (self.kind)(Multisets::get().counts(value.ranks))).collect();
        let (mut low, mut all) = (Counters::<KINDS>::new(), Counters::<KINDS>::new());
        for (value, kind) in values.iter().zip(&kinds) {
            all.add(value, *kind);
            if self.qualifies_from.is_some_and(|from| value.value < from) {
                low.add(value, *kind);
            }
        }
        let sets = SeenSets::new(self.deck, self.seen);
        let mut rows: Vec<R> = values.iter().map(|_| R::default()).collect();
        let start = || (Counters::<KINDS>::new(), 0, vec![[[0; 4]; KINDS]; sets.all.len()]);
        fill_rows_with(&mut rows, start, |(lower, added, base), index, row| {
            while *added < index {
                lower.add(&values[*added], kinds[*added]);
                *added += 1;
            }
            let at = At { value: values[index], kind: kinds[index], low: &low, lower, all: &all };
            self.positions(&at, &sets, base, |position| visit(row, position));
        });
        values.iter().map(|value| value.value).zip(rows).collect()
    }

    fn positions(
        &self,
        at: &At<'_, KINDS>,
        sets: &SeenSets,
        base: &mut [Base<KINDS>],
        mut visit: impl FnMut(&StudPosition<KINDS>),
    ) {
        let value = &at.value;
        let plays = self.qualifies_from.is_none_or(|from| value.value >= from);
        let exclusion = Exclusion::of(value.ranks, self.seen);
        let deals_of: Vec<i64> =
            sets.all.iter().map(|(seen, _)| value.hands() * value.seen_ways(*seen)).collect();
        let mut mixed = deals_of.clone();
        for ((seen, joined), (base, deals)) in sets.all.iter().zip(base.iter_mut().zip(&deals_of)) {
            if *deals == 0 {
                continue;
            }
            let equal = if value.flush { 0 } else { value.same_ranks(*seen) };
            for (kind, base) in base.iter_mut().enumerate() {
                *base = [
                    exclusion.count(&at.low.ranks[kind], joined),
                    exclusion.count(&at.lower.ranks[kind], joined),
                    if kind == at.kind { equal } else { 0 },
                    exclusion.count(&at.all.ranks[kind], joined),
                ];
            }
        }
        let position = |seen: u16, suited: Option<u16>, deals: i64, of: Base<KINDS>| StudPosition {
            value: value.value,
            in_suit: suited.unwrap_or(0),
            one_suit: suited.is_some(),
            deals,
            by_kind: of.map(|[low, lower, equal, all]| DealerCounts {
                counts: if plays {
                    [low, lower - low, all - lower - equal, equal]
                } else {
                    [low, 0, all - low, 0]
                },
            }),
            kind: *value,
            seen,
        };
        for in_suit in subsets(value.mask) {
            let hands = value.hands_with(in_suit);
            if hands == 0 {
                continue;
            }
            for &(mask, number) in sets.suited.iter().filter(|(mask, _)| mask & in_suit == 0) {
                let mut here = base[number];
                for (kind, here) in here.iter_mut().enumerate() {
                    here[0] += i64::from(at.low.flushes[kind].count(mask, in_suit));
                    here[1] += i64::from(at.lower.flushes[kind].count(mask, in_suit));
                }
                if in_suit == 0 && mask & !value.mask == 0 && value.distinct() {
                    // The dealer's flush with the player's ranks: not equal to a hand without a flush, equal to a flush.
                    here[at.kind][2] += if value.flush { 1 } else { -1 };
                }
                let deals = 4 * hands;
                mixed[number] -= deals;
                visit(&position(sets.all[number].0, Some(in_suit), deals, here));
            }
        }
        for (((seen, _), deals), base) in sets.all.iter().zip(&mixed).zip(base.iter()) {
            if *deals > 0 {
                visit(&position(*seen, None, *deals, *base));
            }
        }
    }
}

/// One value of the survey: the counters of hands that do not qualify, that are lower, and of all.
struct At<'a, const KINDS: usize> {
    value: ValueKind,
    kind: usize,
    low: &'a Counters<KINDS>,
    lower: &'a Counters<KINDS>,
    all: &'a Counters<KINDS>,
}

/// The multisets of seen ranks.
struct SeenSets {
    /// Each with its joins.
    all: Vec<(u16, Vec<u16>)>,
    /// The sets of different ranks, which may be of one suit: their bits, and their place in `all`.
    suited: Vec<(u16, usize)>,
}

impl SeenSets {
    fn new(deck: DeckSpec, size: usize) -> SeenSets {
        let joined = Joined::new(size);
        let in_deck = |set: &u16| {
            Multisets::get()
                .counts(*set)
                .iter()
                .enumerate()
                .all(|(rank, n)| *n == 0 || *n <= 4 && deck.has(rank))
        };
        let all: Vec<(u16, Vec<u16>)> =
            Multisets::of_size(size).filter(in_deck).map(|set| (set, joined.with(set).to_vec())).collect();
        let masks = (1..1u16 << 13)
            .filter(|mask| mask.count_ones() as usize == size && mask & !deck.rank_bits() == 0);
        let place = |set: u16| all.iter().position(|(known, _)| *known == set);
        let suited = masks.filter_map(|mask| place(distinct(mask)).map(|place| (mask, place))).collect();
        SeenSets { all, suited }
    }
}

/// All subsets of a set of ranks.
fn subsets(mask: u16) -> impl Iterator<Item = u16> {
    let mut next = Some(mask);
    std::iter::from_fn(move || {
        let part = next?;
        next = (part > 0).then(|| (part - 1) & mask);
        Some(part)
    })
}
