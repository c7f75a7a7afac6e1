//! The 7,462 values in order: the five ranks of each.
//!
//! This module defines the order of hands (3.1.2 and 3.1.3, or 3.11 and 3.12, of the rule texts). Everything else is looked up.
//! Sets of ranks are 13-bit numbers, the lowest bit for the Two. Of two sets with equally many ranks, the larger number has the
//! higher card at the first difference from the top, which is how the texts compare hands.

use crate::{HandClass, Rank};

/// The five ranks of a hand in the order in which people name them: "Kings over Aces" is K K K A A, the lowest straight 5 4 3 2 A.
pub(crate) type FiveRanks = [Rank; 5];

/// The five ranks of every value, lowest value first.
pub(crate) fn all() -> Vec<FiveRanks> {
    HandClass::ALL.into_iter().flat_map(of_class).collect()
}

/// The five ranks of every value of a class, lowest value first.
pub(crate) fn of_class(class: HandClass) -> Vec<FiveRanks> {
    let straights: [FiveRanks; 10] = std::array::from_fn(straight);
    match class {
        // RWS 3.1.3c: from the top down.
        HandClass::FiveOddCards | HandClass::Flush => {
            let in_sequence = |five: &FiveRanks| straights.iter().any(|s| set(s) == set(five));
            grouped(0, &[], 5).into_iter().filter(|five| !in_sequence(five)).collect()
        }
        // MBS 3.12.3; RWS 3.1.3b: the pair, then the other cards from the top.
        HandClass::OnePair => grouped(1, &[2], 3),
        // MBS 3.12.2: the higher pair, the lower pair, the fifth card.
        HandClass::TwoPairs => grouped(2, &[2, 2], 1),
        HandClass::ThreeOfAKind => grouped(1, &[3], 2),
        HandClass::Straight => straights.to_vec(),
        // MBS 3.12.5: the three, then the pair.
        HandClass::FullHouse => grouped(1, &[3], 1),
        HandClass::FourOfAKind => grouped(1, &[4], 1),
        HandClass::StraightFlush => straights[..9].to_vec(),
        HandClass::RoyalFlush => straights[9..].to_vec(),
    }
}

/// The set of these ranks.
pub(crate) fn set(ranks: &[Rank]) -> usize {
    ranks.iter().fold(0, |set, rank| set | 1 << rank.index())
}

/// The nth straight: 5 4 3 2 A is the lowest (an Ace counts as 1 there), A K Q J 10 the highest.
// MBS 3.3.1.2, 3.12.4; RWS 3.1.1, 3.1.3a: by the top card, and an Ace counts as one below a Two.
fn straight(n: usize) -> FiveRanks {
    std::array::from_fn(|down| Rank::ALL[(n + 13 + 3 - down) % 13])
}

/// All hands in which `groups` ranks occur `counts` times each and `odd` further ranks complete the five; a Full
/// House is completed by its only further rank twice. They are ordered by the groups first, then by the further
/// ranks.
fn grouped(groups: u32, counts: &[usize], odd: u32) -> Vec<FiveRanks> {
    let mut hands = Vec::new();
    let odd: Vec<usize> = sets_of(odd).collect();
    for grouped in sets_of(groups) {
        for &others in odd.iter().filter(|&others| others & grouped == 0) {
            let in_groups = ranks(grouped).zip(counts).flat_map(|(rank, &n)| std::iter::repeat_n(rank, n));
            // `cycle` repeats a Full House's pair; the other classes have as many further ranks as there is room.
            let mut five = in_groups.chain(ranks(others).cycle());
            hands.push(std::array::from_fn(|_| five.next().unwrap_or(Rank::Two)));
        }
    }
    hands
}

/// All sets of this many ranks, lowest first.
fn sets_of(count: u32) -> impl Iterator<Item = usize> + Clone {
    (0usize..1 << 13).filter(move |set| set.count_ones() == count)
}

/// The ranks of a set, highest first.
fn ranks(set: usize) -> impl Iterator<Item = Rank> + Clone {
    Rank::ALL.into_iter().rev().filter(move |rank| set >> rank.index() & 1 == 1)
}
