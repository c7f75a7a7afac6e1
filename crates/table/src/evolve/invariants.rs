//! Assertions that hold at a table after every event. Builds with debug assertions check them: every scenario, test and property
//! test runs with them.

use baize_cards::{Card, CardSet};
use baize_rules::{Money, Place};

use crate::round::{Finished, HandStatus, Outcome, Phase, Play};
use crate::{BoxSettlement, Line, ResultKind, Stake, Table};

/// Panics if the table breaks an invariant.
pub(super) fn hold(table: &Table) {
    match &table.round.phase {
        Phase::Idle => {}
        Phase::Betting(betting) => {
            for on_box in betting.boxes.values() {
                assert!(!on_box.stakes.is_empty(), "a box without chips is no box of the round");
                chips(&on_box.stakes);
            }
        }
        Phase::Play(play) => in_play(play),
        Phase::Finished(finished) => {
            in_play(&finished.play);
            over(finished);
            assert!(table.round.awaiting.is_none(), "a round that is over waits for nothing");
        }
    }
}

fn in_play(play: &Play) {
    let places = play.hands.keys().map(|seat| Place::Box(*seat)).chain([Place::Board, Place::Dealer]);
    let mut out = CardSet::EMPTY;
    let mut once = |cards: &[Card]| {
        for card in cards {
            assert!(!out.contains(*card), "{card} lies in two places");
            out = out.with(*card);
        }
    };
    once(&play.burnt);
    assert_eq!(drawn(play, None), play.burnt, "the burnt cards are those that left the shoe to be burnt");
    for place in places {
        once(play.pile(place));
        assert_eq!(drawn(play, Some(place)), play.pile(place), "{place} has what was dealt to it");
    }
    for (seat, hand) in &play.hands {
        chips(&hand.stakes);
        let no_hand = hand.status == HandStatus::NoAnte;
        assert!(!no_hand || hand.cards.is_empty(), "box {seat} has cards and no ante");
        // A player who walks away after a decision has also folded, even if the hand is later found to be
        // invalid.
        let walked_away = usize::from(hand.absent || matches!(hand.status, HandStatus::Folded(_)));
        let most = play.revealed.len() + 1 + walked_away;
        assert!(hand.decisions.len() <= most, "box {seat} has decided ahead of the cards");
    }
    let turned = &play.revealed;
    assert!((1..turned.len()).all(|n| !turned[..n].contains(&turned[n])), "cards are turned once");
}

/// The cards that left the shoe for a place, in order.
fn drawn(play: &Play, to: Option<Place>) -> Vec<Card> {
    play.drawn.iter().filter(|draw| draw.to == to).flat_map(|draw| &draw.cards).copied().collect()
}

fn chips(stakes: &[Stake]) {
    for stake in stakes {
        assert!(stake.amount > Money::ZERO, "{} on the {} is no wager", stake.amount, stake.area.code());
    }
}

fn over(finished: &Finished) {
    for slip in &finished.boxes {
        accounted(slip);
        let back = |result| matches!(result, ResultKind::Returned);
        let void = matches!(finished.outcome, Outcome::Void { .. });
        assert!(
            !void || slip.lines.iter().all(|line| back(line.result)),
            "a void round hands back everything"
        );
    }
    for claim in &finished.claims {
        let slip = finished.boxes.iter().find(|slip| slip.seat == claim.seat);
        let waits = slip.is_some_and(|slip| slip.lines.iter().any(|line| line.result == ResultKind::Pending));
        assert!(waits, "the claim of box {} has a line that waits for it", claim.seat);
    }
}

/// Every cent on a box is on one line of its slip, and every line says why.
fn accounted(slip: &BoxSettlement) {
    let staked: Money = slip.stakes.iter().map(|stake| stake.amount).sum();
    let lines: Money = slip.lines.iter().map(|line| line.staked).sum();
    assert_eq!(staked, lines, "the slip of box {} accounts for its chips", slip.seat);
    assert!(slip.lines.iter().all(|line| !line.cites.is_empty()), "every line of box {} cites", slip.seat);
    let over: Money = slip.lines.iter().map(Line::handed_over).sum();
    let shares: Money = slip.shares().iter().map(|share| share.handed_over).sum();
    assert_eq!(over, shares, "the players of box {} share what its lines hand over", slip.seat);
    for line in &slip.lines {
        let whole = line.result == ResultKind::Win || line.result == ResultKind::Pending;
        assert!(whole || line.amount == line.staked, "box {} loses or gets back what it staked", slip.seat);
        assert!(line.amount >= Money::ZERO, "no line of box {} pays less than nothing", slip.seat);
    }
}
