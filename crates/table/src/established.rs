//! "An outcome is established": has any available bet conclusively won or lost by now?
//!
//! Computed from the open cards, never asked of a person: a fold, a hand that is not shown, a comparison that was
//! made, or face-up cards that leave only one result for a bet whatever the hidden cards are.

use baize_cards::{Card, CardSet};
use baize_rules::{
    AfterFold, Area, AwardCards, BonusAfterLoss, BonusTable, BoxNumber, NotShown, OpenPoint, Rulebook,
};

use crate::decide::{completions, hand_lines, known, subsets};
use crate::round::{HandInPlay, HandStatus, Phase, Play};
use crate::{ResultKind, Table, Terms, judge};

/// Whether any available bet of the round has conclusively won or lost.
#[must_use]
// RWS 5.7.1, 5.7.2; MBS 5.16.1, 5.16.2: any available bet has conclusively won or lost.
pub(crate) fn outcome_established(book: &Rulebook, table: &Table) -> bool {
    let Phase::Play(play) = &table.round.phase else { return false };
    let folded = |hand: &HandInPlay| matches!(hand.status, HandStatus::Folded(_));
    if play.hands.values().any(|hand| folded(hand) || not_shown_lost(book, table, play, hand)) {
        return true;
    }
    if community_award_certain(book, play) && play.hands.values().any(has_live_jackpot) {
        return true;
    }
    if play.hands.values().any(|hand| hand.in_play() && hand.shown && side_bet_won(book, table, play, hand)) {
        return true;
    }
    play.hands
        .iter()
        .filter(|(_, hand)| hand.in_play() && !hand.declined && (hand.shown || play.dealer_shown()))
        .any(|(seat, hand)| conclusive(book, table, play, *seat, hand))
}

/// Whether a hand that is not shown has lost something for certain. Before the dealer's hand is turned, the dealer might still
/// not qualify, and then ante and bet do not depend on the hand.
fn not_shown_lost(book: &Rulebook, table: &Table, play: &Play, hand: &HandInPlay) -> bool {
    if !hand.in_play() || !hand.declined {
        return false;
    }
    let everything =
        book.leaves_open(OpenPoint::NotShown) && table.settings.readings.not_shown == NotShown::Everything;
    let may_not_qualify = book.settlement.not_qualified.is_some() && !play.dealer_shown();
    // A stud hand has no community cards: not showing it loses its jackpot wager.
    everything || !may_not_qualify || !hand.jackpot().is_zero()
}

/// Whether the jackpot wager or the bonus of this hand has won on the dealt cards, whatever cards and decisions follow. Until
/// the first decision, a fold could still lose what a folded hand does not keep.
pub(crate) fn side_bet_won(book: &Rulebook, table: &Table, play: &Play, hand: &HandInPlay) -> bool {
    let decided = !hand.decisions.is_empty();
    let kept = decided || book.jackpot.after_fold.value == AfterFold::Everything;
    let shown = play.board_shown();
    // More cards never lower the best hand.
    let best = crate::settle::class_with_board(&hand.cards, shown);
    let of_all = book.jackpot.awards.iter().filter(|award| award.cards == AwardCards::BestOfSeven);
    let made = crate::award(book, &hand.cards, shown, false).is_some()
        || best.is_some_and(|best| of_all.map(|award| award.class).any(|class| best >= class));
    let on_hole_cards = table.settings.readings.bonus_after_loss != BonusAfterLoss::LostWithHand;
    let holes = <[Card; 2]>::try_from(hand.cards.as_slice()).ok();
    let pays = |table: &BonusTable| holes.is_some_and(|holes| table.line(holes, None).is_some());
    (made && kept && !hand.jackpot().is_zero())
        || (on_hole_cards
            && decided
            && !hand.on(Area::Bonus).is_zero()
            && book.bonus.as_ref().is_some_and(pays))
}

fn has_live_jackpot(hand: &HandInPlay) -> bool {
    hand.in_play() && !hand.jackpot().is_zero()
}

/// Whether the turned community cards make an award for every jackpot wager, whatever comes.
fn community_award_certain(book: &Rulebook, play: &Play) -> bool {
    let awards: Vec<_> = book
        .jackpot
        .awards
        .iter()
        .filter(|award| award.cards == AwardCards::Community)
        .map(|award| award.class)
        .collect();
    let shown = play.board_shown();
    !awards.is_empty()
        && shown.len() >= 4
        && completions(shown, book.board_size(), known(play)).all(|board| {
            let class = crate::settle::class_with_board(&[], &board);
            class.is_some_and(|class| awards.contains(&class))
        })
}

/// Whether some bet of this open hand has the same result whatever the hidden cards are.
fn conclusive(book: &Rulebook, table: &Table, play: &Play, seat: BoxNumber, hand: &HandInPlay) -> bool {
    let terms = Terms::from(&table.settings);
    let mut open = known(play).union(hand.cards.iter().copied().collect());
    // In stud, a face-up dealer's card is known too.
    let up: Vec<Card> =
        if play.dealer_shown() { play.dealer.clone() } else { play.face_up(book).into_iter().collect() };
    open = open.union(up.iter().copied().collect());
    let mut so_far: Option<[Option<bool>; Area::COUNT]> = None;
    for board in completions(play.board_shown(), book.board_size(), open) {
        let taken = open.union(board.iter().copied().collect());
        let rest: Vec<Card> = CardSet::FULL.difference(taken).iter().collect();
        for hidden in subsets(rest, book.hand_size().saturating_sub(up.len())) {
            let dealer = [&hidden[..], &up].concat();
            let judged = judge(book, &board, &dealer);
            let Ok(lines) = hand_lines(book, table, &terms, &judged, seat, hand) else { return false };
            let mut results = [None; Area::COUNT];
            for line in &lines.lines {
                results[line.area.index()] = match line.result {
                    ResultKind::Win | ResultKind::Pending => Some(true),
                    ResultKind::Lose => Some(false),
                    ResultKind::Push | ResultKind::Returned => results[line.area.index()],
                };
            }
            let agreed = match so_far {
                None => results,
                Some(before) => {
                    let mut both = [None; Area::COUNT];
                    for area in Area::ALL {
                        let at = area.index();
                        both[at] = before[at].filter(|result| results[at] == Some(*result));
                    }
                    both
                }
            };
            if agreed.iter().all(Option::is_none) {
                return false;
            }
            so_far = Some(agreed);
        }
    }
    so_far.is_some()
}
