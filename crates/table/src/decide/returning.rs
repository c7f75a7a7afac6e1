//! Returns chips to a player: from a hand that is theirs alone, and their part of a shared box.
//!
//! Other players' chips do not move: players who share the box stay in play, and act for it when the seated
//! player has gone.

use baize_rules::{AfterFold, Area, BoxNumber, Cites, Rulebook};

use crate::round::{HandInPlay, HandStatus, Phase, Play, Stake, on_area};
use crate::schedule::decision_cites;
use crate::{Decided, Event, Player, Table};

/// Returns this player's wagers on these boxes.
pub(super) fn wagers_back(
    book: &Rulebook,
    table: &Table,
    player: &Player,
    cites: Cites,
    on: impl Fn(BoxNumber) -> bool,
) -> Vec<Event> {
    match &table.round.phase {
        Phase::Betting(betting) => {
            let boxes = betting.boxes.iter().filter(|(seat, _)| on(**seat));
            boxes.flat_map(|(seat, on_box)| before_close(*seat, &on_box.stakes, player)).collect()
        }
        Phase::Play(play) => {
            let hands = play.hands.iter().filter(|(seat, _)| on(**seat));
            hands.flat_map(|(seat, hand)| of_hand(book, table, play, (*seat, hand), player, cites)).collect()
        }
        Phase::Idle | Phase::Finished(_) => Vec::new(),
    }
}

pub(super) fn returned(seat: BoxNumber, stake: &Stake, cites: Cites) -> Event {
    let (player, area, amount) = (stake.player.clone(), stake.area, stake.amount);
    Event::WagerReturned { seat, player, area, amount, cites }
}

/// Before the close: their chips, and chips that may not stay without their ante.
fn before_close(seat: BoxNumber, stakes: &[Stake], player: &Player) -> Vec<Event> {
    let (his, left): (Vec<&Stake>, Vec<&Stake>) = stakes.iter().partition(|stake| stake.player == *player);
    let alone = !his.is_empty() && !left.iter().any(|stake| stake.area == Area::Ante);
    let gone = his.into_iter().chain(left.into_iter().filter(|_| alone));
    let back = |stake: &Stake| Event::WagerWithdrawn {
        seat,
        player: stake.player.clone(),
        area: stake.area,
        amount: stake.amount,
    };
    gone.map(back).collect()
}

fn of_hand(
    book: &Rulebook,
    table: &Table,
    play: &Play,
    (seat, hand): (BoxNumber, &HandInPlay),
    player: &Player,
    cites: Cites,
) -> Vec<Event> {
    let (his, left): (Vec<Stake>, Vec<Stake>) =
        hand.stakes.iter().cloned().partition(|stake| stake.player == *player);
    match hand.status {
        _ if his.is_empty() => Vec::new(),
        // These are returned at the settlement anyway.
        HandStatus::Invalid(_) | HandStatus::NoAnte => Vec::new(),
        // The fold has lost the rest. Only a jackpot wager that could still win is left to return.
        HandStatus::Folded(_) => {
            let wins = book.jackpot.after_fold.value != AfterFold::Nothing;
            let jackpot = his.iter().filter(|stake| wins && stake.area == Area::Jackpot);
            jackpot.map(|stake| returned(seat, stake, cites)).collect()
        }
        HandStatus::InPlay if on_area(&left, Area::Ante).is_zero() => {
            vec![Event::HandInvalidated { seat, cites }]
        }
        HandStatus::InPlay => {
            let mut events: Vec<Event> = his.iter().map(|stake| returned(seat, stake, cites)).collect();
            events.extend(raise_complete(book, table, play, (seat, hand), &left));
            events
        }
    }
}

/// If the others had placed their parts of a raise, it is complete without the absent player's part.
fn raise_complete(
    book: &Rulebook,
    table: &Table,
    play: &Play,
    (seat, hand): (BoxNumber, &HandInPlay),
    left: &[Stake],
) -> Option<Event> {
    let stage = play.revealed.len();
    let rule = book.decisions.get(stage).filter(|_| hand.decisions.len() <= stage)?;
    let (raise, exact) = (on_area(left, rule.area), on_area(left, Area::Ante).times(rule.times_ante).ok()?);
    let (cites, _) = decision_cites(book, table, stage);
    (!raise.is_zero() && raise == exact).then_some(Event::DecisionMade {
        seat,
        decided: Decided::Raised,
        cites,
    })
}
