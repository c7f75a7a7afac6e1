//! Which awards some cards make.

use baize_cards::{Card, CardSet, HandClass, HandValue};
use baize_rules::{Award, AwardCards};

use super::AwardSet;

/// What the deals of one board have made: the set of awards and in how many of its 20 orders it is made.
pub(super) fn on_board(
    awards: &[Award],
    hole: CardSet,
    board: CardSet,
    mut found: impl FnMut(AwardSet, i64),
) -> Option<()> {
    let seven = HandValue::of(hole.union(board)).ok()?;
    let community = HandValue::of(board).ok()?;
    let mut always = AwardSet::NONE;
    let (mut on_flop, mut on_turn) = (false, false);
    // Five or six of the cards make no more than all seven do.
    let possible = |award: &Award| award.class <= seven.class();
    for (n, award) in awards.iter().enumerate() {
        let made = match award.cards {
            AwardCards::SevenWithHole => seven.class() == award.class && community < seven,
            AwardCards::BestOfSeven => seven.class() == award.class,
            AwardCards::Community => community.class() == award.class,
            AwardCards::HoleAndFlop => {
                on_flop |= possible(award);
                false
            }
            AwardCards::HoleFlopAndTurn => {
                on_turn |= possible(award);
                false
            }
            AwardCards::Hand => false,
        };
        if made {
            always = always.with(n);
        }
    }
    if !on_flop && !on_turn {
        found(always, 20);
        return Some(());
    }
    let cards: Vec<Card> = board.iter().collect();
    for &river in &cards {
        let six = board.without(river);
        let with_turn = made_of(awards, AwardCards::HoleFlopAndTurn, class_of(hole.union(six))?, always);
        for turn in six.iter() {
            let flop =
                if on_flop { class_of(hole.union(six.without(turn)))? } else { HandClass::FiveOddCards };
            found(
                if on_flop { made_of(awards, AwardCards::HoleAndFlop, flop, with_turn) } else { with_turn },
                1,
            );
        }
    }
    Some(())
}

/// The awards that hole cards make on a complete board in the order in which it was turned.
#[must_use]
pub fn made_on_board(awards: &[Award], hole: [Card; 2], board: &[Card; 5]) -> AwardSet {
    let class = |cards: &[Card]| class_of(hole.iter().chain(cards).copied().collect());
    let all: CardSet = hole.iter().chain(board).copied().collect();
    let (Ok(seven), Ok(community)) = (HandValue::of(all), HandValue::of(board.iter().copied().collect()))
    else {
        return AwardSet::NONE;
    };
    let makes = |award: &Award| match award.cards {
        // Five or six of the cards make no more than all seven do.
        AwardCards::HoleAndFlop => seven.class() >= award.class && class(&board[..3]) == Some(award.class),
        AwardCards::HoleFlopAndTurn => {
            seven.class() >= award.class && class(&board[..4]) == Some(award.class)
        }
        AwardCards::SevenWithHole => seven.class() == award.class && community < seven,
        AwardCards::BestOfSeven => seven.class() == award.class,
        AwardCards::Community => community.class() == award.class,
        AwardCards::Hand => false,
    };
    let made = awards.iter().enumerate().filter(|(_, award)| makes(award));
    made.fold(AwardSet::NONE, |made, (n, _)| made.with(n))
}

/// The awards that a stud hand makes.
#[must_use]
pub fn made_by_hand(awards: &[Award], hand: CardSet) -> AwardSet {
    class_of(hand).map_or(AwardSet::NONE, |class| made_of(awards, AwardCards::Hand, class, AwardSet::NONE))
}

/// What the hole cards and the flop, or a stud hand, make.
pub(super) fn of_five(awards: &[Award], five: CardSet) -> Option<AwardSet> {
    Some(of_class(awards, class_of(five)?))
}

/// The same for five cards of this class.
pub(super) fn of_class(awards: &[Award], class: HandClass) -> AwardSet {
    let made = made_of(awards, AwardCards::HoleAndFlop, class, AwardSet::NONE);
    made_of(awards, AwardCards::Hand, class, made)
}

fn made_of(awards: &[Award], cards: AwardCards, class: HandClass, before: AwardSet) -> AwardSet {
    awards
        .iter()
        .enumerate()
        .filter(|(_, award)| award.cards == cards && award.class == class)
        .fold(before, |made, (n, _)| made.with(n))
}

fn class_of(cards: CardSet) -> Option<HandClass> {
    HandValue::of(cards).ok().map(HandValue::class)
}
