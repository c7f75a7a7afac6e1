//! Which jackpot award a hand makes.

use baize_cards::{Card, CardSet, Hand, HandClass, HandValue};
use baize_rules::{AfterFold, Award, AwardCards, Rulebook};

/// The index of the highest-ranking award that these cards make (I-2), if any.
///
/// `board` holds the turned community cards; an award that needs cards not yet turned is not made.
#[must_use]
pub fn award(book: &Rulebook, cards: &[Card], board: &[Card], folded: bool) -> Option<usize> {
    let limited = folded.then_some(book.jackpot.after_fold.value);
    let made = awards_made(book, cards, board, limited);
    (made != 0).then_some(made.trailing_zeros() as usize)
}

/// Every award that these cards make: bit `n` for award `n` of the pay table. `limited` says what a folded or unshown hand can
/// still win.
pub(crate) fn awards_made(
    book: &Rulebook,
    cards: &[Card],
    board: &[Card],
    limited: Option<AfterFold>,
) -> u32 {
    let rules = &book.jackpot;
    let reach = limited.unwrap_or(AfterFold::Everything);
    if reach == AfterFold::Nothing {
        return 0;
    }
    // Most hands make nothing. The best of all cards shows this at once, because no subset makes more.
    let lowest = rules.awards.iter().map(|award| award.class).min();
    let (Some(best), Some(lowest)) = (class(&[cards, board]), lowest) else { return 0 };
    if best < lowest {
        return 0;
    }
    let makes = |award: &Award| {
        if reach == AfterFold::CommunityOnly && award.cards != AwardCards::Community {
            return false;
        }
        let made = match award.cards {
            AwardCards::Hand => class(&[cards]),
            AwardCards::HoleAndFlop => board.get(..3).and_then(|flop| class(&[cards, flop])),
            AwardCards::HoleFlopAndTurn => board.get(..4).and_then(|turn| class(&[cards, turn])),
            AwardCards::SevenWithHole if board.len() == 5 && best == award.class => with_hole(cards, board),
            AwardCards::BestOfSeven if board.len() == 5 => Some(best),
            AwardCards::Community if board.len() == 5 => class(&[board]),
            AwardCards::SevenWithHole | AwardCards::BestOfSeven | AwardCards::Community => None,
        };
        made == Some(award.class)
    };
    (0..u32::BITS).zip(&rules.awards).filter(|(_, award)| makes(award)).fold(0, |made, (n, _)| made | 1 << n)
}

/// The class of the best five of all these cards, where there are five to seven.
fn class(groups: &[&[Card]]) -> Option<HandClass> {
    let count: usize = groups.iter().map(|group| group.len()).sum();
    if !(5..=7).contains(&count) {
        return None;
    }
    let hand = groups.iter().flat_map(|group| group.iter()).fold(Hand::EMPTY, |hand, card| hand.add(*card));
    Some(hand.value().class())
}

/// The class of all seven cards, if the best hand uses a hole card: the board alone must be worth less.
fn with_hole(cards: &[Card], board: &[Card]) -> Option<HandClass> {
    let all: CardSet = cards.iter().chain(board).copied().collect();
    let value = HandValue::of(all).ok()?;
    let alone = HandValue::of(board.iter().copied().collect()).ok()?;
    (alone < value).then(|| value.class())
}
