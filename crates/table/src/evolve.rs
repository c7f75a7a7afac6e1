//! Events become state. Records and never re-judges: whatever an event says has happened.

use std::collections::BTreeMap;

use baize_cards::Card;
use baize_rules::{Area, Cites, Remedy};

use crate::round::{Betting, BettingBox, Finished, HandInPlay, HandStatus, Outcome, Phase, Play, Stake};
use crate::{
    Awaiting, Choice, Decided, Event, JackpotPayment, Place, Player, Remedied, ResultKind, Ruling,
    RulingKind, Table,
};
use baize_rules::Money;

/// The state after all these events.
#[must_use]
pub fn replay<'a>(table: Table, events: impl IntoIterator<Item = &'a Event>) -> Table {
    events.into_iter().fold(table, evolve)
}

/// The state after this event.
#[must_use]
pub fn evolve(mut table: Table, event: &Event) -> Table {
    match event {
        Event::RoundOpened { number, .. } => {
            table.round.number = *number;
            table.round.phase = Phase::Betting(Betting::default());
            table.round.awaiting = None;
            table.round.ruled = None;
        }
        Event::WagerPlaced { seat, player, area, amount, .. } => {
            wager_placed(&mut table, *seat, player, *area, *amount)
        }
        Event::WagerWithdrawn { seat, player, area, .. } => {
            if let Phase::Betting(betting) = &mut table.round.phase
                && let Some(on_box) = betting.boxes.get_mut(seat)
            {
                on_box.stakes.retain(|stake| stake.player != *player || stake.area != *area);
                if let Some(first) = on_box.stakes.first() {
                    if !on_box.stakes.iter().any(|stake| stake.player == on_box.seated) {
                        on_box.seated = first.player.clone();
                    }
                } else {
                    betting.boxes.remove(seat);
                }
            }
        }
        Event::BetsClosed { .. } => bets_closed(&mut table),
        Event::CardBurnt { card } => with_play(&mut table, |play| play.burnt.push(*card)),
        Event::CardsDealt { to, cards, .. } => with_play(&mut table, |play| {
            if let Some(pile) = pile(play, *to) {
                pile.extend(cards);
            }
        }),
        Event::HandLookedAt { seat } => with_hand(&mut table, *seat, |hand| hand.looked = true),
        Event::DecisionMade { seat, decided, cites } => with_hand(&mut table, *seat, |hand| {
            hand.decisions.push(*decided);
            if *decided == Decided::Folded {
                hand.status = HandStatus::Folded(*cites);
            }
        }),
        Event::CardsRevealed { what } => with_play(&mut table, |play| play.revealed.push(*what)),
        Event::HandShown { seat } => with_hand(&mut table, *seat, |hand| hand.shown = true),
        Event::HandDeclined { seat } => with_hand(&mut table, *seat, |hand| hand.declined = true),
        Event::PlayerAbsent { seat, .. } => with_hand(&mut table, *seat, |hand| hand.absent = true),
        Event::IrregularityRuled { remedied, .. } => table.round.ruled = Some(remedied.clone()),
        Event::RulingAwaited { kind, seat, by, cites } => {
            table.round.awaiting =
                Some(Awaiting::Ruling { kind: *kind, seat: *seat, by: *by, cites: *cites });
        }
        Event::OptionsGiven { seats, allowed, cites } => {
            table.round.awaiting = Some(Awaiting::Options {
                seats: seats.clone(),
                allowed: *allowed,
                chosen: BTreeMap::new(),
                cites: *cites,
            });
        }
        Event::OptionChosen { seat, choice, .. } => option_chosen(&mut table, *seat, *choice),
        Event::Ruled { ruling, cites } => ruled(&mut table, ruling, *cites),
        Event::HandInvalidated { seat, cites } => {
            with_hand(&mut table, *seat, |hand| hand.status = HandStatus::Invalid(*cites));
        }
        Event::HandsMoved { moves } => with_play(&mut table, |play| move_hands(play, moves)),
        Event::CardsShifted { burnt, piles } => with_play(&mut table, |play| {
            for (place, cards) in piles {
                if let Some(pile) = pile(play, *place) {
                    pile.clone_from(cards);
                }
            }
            play.burnt.push(*burnt);
        }),
        Event::CardsTakenOff { from, cards } => with_play(&mut table, |play| {
            if let Some(pile) = pile(play, *from) {
                pile.retain(|card| !cards.contains(card));
            }
        }),
        Event::DealerFaceUpSet { card } => with_play(&mut table, |play| play.exposed = Some(*card)),
        Event::JackpotFailed => {
            table.standing.jackpot_fault = true;
            with_play(&mut table, |play| play.at_registered = true);
        }
        Event::RoundVoided { cites, because, boxes } => {
            let play = take_play(&mut table);
            table.round.awaiting = None;
            table.round.phase = Phase::Finished(Finished {
                outcome: Outcome::Void { cites: *cites, because: *because },
                boxes: boxes.clone(),
                claims: Vec::new(),
                play,
            });
        }
        Event::RoundSettled { boxes, claims, under_minimum } => {
            let play = take_play(&mut table);
            table.standing.under_minimum.extend(under_minimum.iter().cloned());
            table.round.phase = Phase::Finished(Finished {
                outcome: Outcome::Settled,
                boxes: boxes.clone(),
                claims: claims.clone(),
                play,
            });
        }
        Event::SlipCorrected { slip, .. } => {
            if let Phase::Finished(finished) = &mut table.round.phase {
                finished.claims.retain(|claim| claim.seat != slip.seat);
                finished.boxes.retain(|other| other.seat != slip.seat);
                finished.boxes.push(slip.clone());
                finished.boxes.sort_by_key(|slip| slip.seat);
            }
        }
        Event::JackpotPaid { payments } => jackpot_paid(&mut table, payments),
    }
    table
}

fn with_play(table: &mut Table, change: impl FnOnce(&mut Play)) {
    match &mut table.round.phase {
        Phase::Play(play) => change(play),
        Phase::Finished(finished) => change(&mut finished.play),
        Phase::Idle | Phase::Betting(_) => {}
    }
}

fn with_hand(table: &mut Table, seat: u8, change: impl FnOnce(&mut HandInPlay)) {
    with_play(table, |play| {
        if let Some(hand) = play.hands.get_mut(&seat) {
            change(hand);
        }
    });
}

fn pile(play: &mut Play, place: Place) -> Option<&mut Vec<Card>> {
    match place {
        Place::Box(seat) => play.hands.get_mut(&seat).map(|hand| &mut hand.cards),
        Place::Board => Some(&mut play.board),
        Place::Dealer => Some(&mut play.dealer),
    }
}

fn wager_placed(table: &mut Table, seat: u8, player: &Player, area: Area, amount: Money) {
    let stake = Stake { player: player.clone(), area, amount };
    match &mut table.round.phase {
        Phase::Betting(betting) => {
            let on_box = betting
                .boxes
                .entry(seat)
                .or_insert_with(|| BettingBox { seated: player.clone(), stakes: Vec::new() });
            add(&mut on_box.stakes, stake);
        }
        Phase::Play(play) => {
            if let Some(hand) = play.hands.get_mut(&seat) {
                add(&mut hand.stakes, stake);
            }
        }
        Phase::Idle | Phase::Finished(_) => {}
    }
}

fn add(stakes: &mut Vec<Stake>, stake: Stake) {
    match stakes.iter_mut().find(|other| other.player == stake.player && other.area == stake.area) {
        Some(other) => other.amount += stake.amount,
        None => stakes.push(stake),
    }
}

fn bets_closed(table: &mut Table) {
    let Phase::Betting(betting) = std::mem::take(&mut table.round.phase) else { return };
    let hands = betting.boxes.into_iter().map(|(seat, on_box)| {
        let status = if on_box.on(Area::Ante).is_zero() { HandStatus::NoAnte } else { HandStatus::InPlay };
        let hand = HandInPlay {
            seated: on_box.seated,
            stakes: on_box.stakes,
            cards: Vec::new(),
            looked: false,
            shown: false,
            declined: false,
            absent: false,
            decisions: Vec::new(),
            status,
        };
        (seat, hand)
    });
    table.round.phase = Phase::Play(Play { hands: hands.collect(), ..Play::default() });
}

/// The round's play, also of a round whose bets are still open, leaving the phase empty.
fn take_play(table: &mut Table) -> Play {
    if matches!(table.round.phase, Phase::Betting(_)) {
        bets_closed(table);
    }
    match std::mem::take(&mut table.round.phase) {
        Phase::Play(play) => play,
        Phase::Finished(finished) => finished.play,
        Phase::Idle | Phase::Betting(_) => Play::default(),
    }
}

fn option_chosen(table: &mut Table, seat: u8, choice: Choice) {
    if let Some(Awaiting::Options { seats, chosen, .. }) = &mut table.round.awaiting {
        seats.remove(&seat);
        chosen.insert(seat, choice);
        if seats.is_empty() {
            table.round.awaiting = None;
        }
    }
}

fn ruled(table: &mut Table, ruling: &Ruling, cites: baize_rules::Cites) {
    let standing = &mut table.standing;
    let remedy = match &ruling.kind {
        RulingKind::Void => Some(Remedy::Void),
        RulingKind::Continue | RulingKind::NotIntentional => Some(Remedy::Continue),
        RulingKind::Intentional => Some(Remedy::Invalid),
        RulingKind::FirstCard(_) | RulingKind::PermitWithdrawal => Some(Remedy::Options),
        RulingKind::NoJackpot => {
            standing.jackpot_fault = false;
            standing.no_jackpot = true;
            None
        }
        RulingKind::CloseTable => {
            standing.jackpot_fault = false;
            standing.closed = true;
            None
        }
        RulingKind::BarBox(seat) => {
            standing.jackpot_fault = false;
            standing.barred_boxes.insert(*seat);
            None
        }
        RulingKind::JackpotRestored => {
            standing.jackpot_fault = false;
            standing.no_jackpot = false;
            standing.closed = false;
            standing.barred_boxes.clear();
            None
        }
        RulingKind::Restrict(player) => {
            standing.restricted.insert(player.clone());
            None
        }
        RulingKind::Stop(player) => {
            standing.stopped.insert(player.clone());
            Some(Remedy::Invalid)
        }
        RulingKind::Bar(player) => {
            standing.barred.insert(player.clone());
            Some(Remedy::Invalid)
        }
    };
    if let (Some(remedy), Some(ruled)) = (remedy, &table.round.ruled) {
        table.round.ruled = Some(Remedied { kind: ruled.kind, remedy, cites });
        if matches!(table.round.awaiting, Some(Awaiting::Ruling { .. })) {
            table.round.awaiting = None;
        }
    }
}

fn move_hands(play: &mut Play, moves: &[(u8, u8)]) {
    let mut lifted: Vec<(u8, Vec<Card>)> = Vec::new();
    for (from, to) in moves {
        if let Some(hand) = play.hands.get_mut(from) {
            lifted.push((*to, std::mem::take(&mut hand.cards)));
        }
    }
    for (to, cards) in lifted {
        if let Some(hand) = play.hands.get_mut(&to) {
            hand.cards.extend(cards);
        }
    }
}

fn jackpot_paid(table: &mut Table, payments: &[JackpotPayment]) {
    let Phase::Finished(finished) = &mut table.round.phase else { return };
    for payment in payments {
        finished.claims.retain(|claim| claim.seat != payment.seat);
        let lines = finished.boxes.iter_mut().filter(|b| b.seat == payment.seat).flat_map(|b| &mut b.lines);
        for line in lines.filter(|line| line.result == ResultKind::Pending || line.is_award()) {
            // Of an award that is paid anew, what it was paid by before no longer holds.
            let also = if line.is_award() { Cites::NONE } else { line.cites };
            if payment.amount.is_zero() {
                line.result = ResultKind::Lose;
                line.amount = line.staked;
            } else {
                line.result = ResultKind::Win;
                line.amount = payment.amount;
            }
            line.cites = payment.cites.and(also);
            line.interpretation = payment.interpretation;
        }
    }
}
