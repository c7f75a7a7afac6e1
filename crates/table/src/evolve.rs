//! Turns events into state. It records and never re-judges: whatever an event says has happened.

mod cards;
mod invariants;

use std::collections::{BTreeMap, BTreeSet};

use baize_rules::{Area, BoxNumber, Cites, FaultScope, IrregularityKind, Money, OpenPoint, Remedy};

use self::cards::{lay, lay_anew, move_hands};
use crate::round::{
    Betting, BettingBox, Draw, Finished, HandInPlay, HandStatus, Outcome, Phase, Play, Stake, add_stake,
    present_owner,
};
use crate::{
    Awaiting, Choice, Decided, Event, JackpotPayment, Player, Remedied, ResultKind, Ruling, RulingKind, Table,
};

/// The state after all these events.
#[must_use]
pub fn replay<'a>(table: Table, events: impl IntoIterator<Item = &'a Event>) -> Table {
    events.into_iter().fold(table, evolve)
}

/// The state after this event.
#[must_use]
pub fn evolve(mut table: Table, event: &Event) -> Table {
    record(&mut table, event);
    table
}

/// [`evolve`] in place, for callers that keep a table and apply thousands of events to it.
pub fn record(table: &mut Table, event: &Event) {
    apply(table, event);
    if cfg!(debug_assertions) {
        invariants::hold(table);
    }
}

/// Takes back the cards entered last, which were not dealt after all: the table is as it was before.
pub fn take_back_draw(table: &mut Table) -> Option<Draw> {
    let Phase::Play(play) = &mut table.round.phase else { return None };
    let mut drawn = std::mem::take(&mut play.drawn);
    let taken = drawn.pop();
    lay_anew(play, drawn);
    taken
}

fn apply(table: &mut Table, event: &Event) {
    match event {
        Event::RoundOpened { number, .. } => {
            table.round.number = *number;
            table.round.phase = Phase::Betting(Betting::default());
            table.round.awaiting = None;
            table.round.ruled = None;
            table.round.reported = None;
        }
        Event::WagerPlaced { seat, player, area, amount, .. } => {
            wager_placed(table, *seat, player, *area, *amount)
        }
        Event::WagerWithdrawn { seat, player, area, .. } => {
            wager_withdrawn(table, *seat, player, *area);
            forget_choosers(table);
        }
        Event::WagerReturned { seat, player, area, amount, cites } => {
            wager_withdrawn(table, *seat, player, *area);
            forget_choosers(table);
            let stake = Stake { player: player.clone(), area: *area, amount: *amount };
            with_play(table, |play| play.handed_back.push((*seat, stake, *cites)));
        }
        Event::BetsClosed { .. } => bets_closed(table),
        Event::CardBurnt { card, .. } => {
            with_play(table, |play| lay(play, Draw { to: None, cards: vec![*card] }));
        }
        Event::CardsDealt { to, cards, .. } => {
            with_play(table, |play| lay(play, Draw { to: Some(*to), cards: cards.clone() }));
        }
        Event::HandLookedAt { seat } => with_hand(table, *seat, |hand| {
            hand.looked = true;
            hand.viewed_by.insert(hand.seated.clone());
        }),
        Event::DecisionMade { seat, decided, cites } => {
            with_hand(table, *seat, |hand| {
                hand.decisions.push(*decided);
                if *decided == Decided::Folded {
                    hand.status = HandStatus::Folded(*cites);
                }
            });
            forget_choosers(table);
        }
        Event::CardsRevealed { what } => with_play(table, |play| play.revealed.push(*what)),
        Event::HandShown { seat } => with_hand(table, *seat, |hand| hand.shown = true),
        Event::HandDeclined { seat } => with_hand(table, *seat, |hand| hand.declined = true),
        Event::PlayerAbsent { seat, .. } => {
            with_play(table, |play| player_absent(play, *seat));
            forget_choosers(table);
        }
        Event::IrregularityRuled { report, remedied } => {
            table.round.ruled = Some(remedied.clone());
            table.round.reported = Some(report.clone());
            if report.kind == IrregularityKind::ExposedCards && !report.facts.previous_round {
                let count = report.facts.count.unwrap_or(0);
                with_play(table, |play| play.exposed_count = play.exposed_count.saturating_add(count));
            }
            if let (IrregularityKind::LookedAtSecondHand, Some(seat), false) =
                (report.kind, report.seat, report.facts.previous_round)
            {
                with_hand(table, seat, |hand| {
                    hand.viewed_by.insert(hand.seated.clone());
                });
            }
        }
        Event::RulingAwaited { kind, seat, by, cites } => {
            let facts = table.round.reported.as_ref().map(|report| &report.facts);
            let named = facts.and_then(|facts| facts.player.clone());
            let count = facts.and_then(|facts| facts.count);
            let player = named.or_else(|| seat.and_then(|seat| table.round.seated().remove(&seat)));
            let (kind, seat, by, cites) = (*kind, *seat, *by, *cites);
            table.round.awaiting = Some(Awaiting::Ruling { kind, seat, player, count, by, cites });
        }
        Event::OptionsGiven { seats, sharing, allowed, cites } => {
            table.round.awaiting = Some(Awaiting::Options {
                seats: seats.clone(),
                sharing: sharing.iter().cloned().collect(),
                allowed: *allowed,
                chosen: BTreeMap::new(),
                cites: *cites,
            });
        }
        Event::OptionChosen { seat, player, choice, .. } => {
            option_chosen(table, *seat, player.as_ref(), *choice);
        }
        Event::Ruled { ruling, cites } => ruled(table, ruling, *cites),
        Event::HandInvalidated { seat, cites } => {
            with_hand(table, *seat, |hand| hand.status = HandStatus::Invalid(*cites));
            forget_choosers(table);
        }
        Event::ReconstructionBegun { left, cites } => {
            table.round.awaiting = Some(Awaiting::Reconstruction { left: left.clone(), cites: *cites });
        }
        Event::CardPutBack { .. } => {
            if let Some(Awaiting::Reconstruction { left, .. }) = &mut table.round.awaiting {
                left.drain(..left.len().min(1));
                table.round.awaiting.take_if(|awaiting| awaiting.cards_left() == 0);
            }
        }
        Event::HandsMoved { moves } => with_play(table, |play| move_hands(play, moves)),
        Event::CardsReconstructed { drawn } => with_play(table, |play| lay_anew(play, drawn.clone())),
        Event::CardsShifted { burnt, piles } => with_play(table, |play| {
            let mut drawn = vec![Draw { to: None, cards: vec![*burnt] }];
            drawn.extend(piles.iter().map(|(place, cards)| Draw { to: Some(*place), cards: cards.clone() }));
            let moved = |draw: &Draw| piles.iter().any(|(place, _)| Some(*place) == draw.to);
            drawn.extend(play.drawn.iter().filter(|draw| !moved(draw)).cloned());
            lay_anew(play, drawn);
        }),
        Event::CardsTakenOff { cards, .. } => with_play(table, |play| {
            let mut drawn = std::mem::take(&mut play.drawn);
            for draw in &mut drawn {
                draw.cards.retain(|card| !cards.contains(card));
            }
            drawn.retain(|draw| !draw.cards.is_empty());
            lay_anew(play, drawn);
        }),
        // The dealer's face-up card does not count as exposed.
        Event::DealerFaceUpSet { card } => with_play(table, |play| {
            play.exposed = Some(*card);
            play.exposed_count = play.exposed_count.saturating_sub(1);
        }),
        Event::JackpotFailed => {
            let report = table.round.reported.as_ref();
            let scope = report.and_then(|report| report.facts.scope);
            let seat = report.and_then(|report| report.seat);
            let standing = &mut table.standing;
            standing.jackpot_fault = true;
            match scope {
                Some(FaultScope::System) => standing.system_failed(),
                Some(FaultScope::Table) => standing.fault_everywhere = true,
                Some(FaultScope::Box) | None => {}
            }
            standing.faulty_boxes.extend(seat);
            with_play(table, |play| play.at_registered = true);
        }
        Event::RoundVoided { cites, because, boxes } => {
            if let Phase::Finished(finished) = &table.round.phase {
                // A void round neither paid nor collected what it had accepted.
                table.standing.under_minimum.retain(|player| !finished.under_minimum.contains(player));
            }
            let play = take_play(table);
            table.round.awaiting = None;
            table.round.phase = Phase::Finished(Finished {
                outcome: Outcome::Void { cites: *cites, because: *because },
                boxes: boxes.clone(),
                claims: Vec::new(),
                under_minimum: BTreeSet::new(),
                play,
            });
        }
        Event::RoundSettled { boxes, claims, under_minimum } => {
            let play = take_play(table);
            table.standing.under_minimum.extend(under_minimum.iter().cloned());
            table.round.awaiting = None;
            table.round.phase = Phase::Finished(Finished {
                outcome: Outcome::Settled,
                boxes: boxes.clone(),
                claims: claims.clone(),
                under_minimum: under_minimum.clone(),
                play,
            });
        }
        Event::SlipCorrected { slip, .. } => {
            if let Phase::Finished(finished) = &mut table.round.phase {
                // A pending claim stays with the slip that waits for it.
                let pending = slip.lines.iter().any(|line| line.result == ResultKind::Pending);
                finished.claims.retain(|claim| pending || claim.seat != slip.seat);
                finished.boxes.retain(|other| other.seat != slip.seat);
                finished.boxes.push(slip.clone());
                finished.boxes.sort_by_key(|slip| slip.seat);
            }
        }
        Event::JackpotPaid { payments } => jackpot_paid(table, payments),
    }
}

fn with_play(table: &mut Table, change: impl FnOnce(&mut Play)) {
    match &mut table.round.phase {
        Phase::Play(play) => change(play),
        Phase::Finished(finished) => change(&mut finished.play),
        Phase::Idle | Phase::Betting(_) => {}
    }
}

fn with_hand(table: &mut Table, seat: BoxNumber, change: impl FnOnce(&mut HandInPlay)) {
    with_play(table, |play| {
        if let Some(hand) = play.hands.get_mut(&seat) {
            change(hand);
        }
    });
}

fn wager_placed(table: &mut Table, seat: BoxNumber, player: &Player, area: Area, amount: Money) {
    let stake = Stake { player: player.clone(), area, amount };
    match &mut table.round.phase {
        Phase::Betting(betting) => {
            let on_box = betting
                .boxes
                .entry(seat)
                .or_insert_with(|| BettingBox { seated: player.clone(), stakes: Vec::new() });
            add_stake(&mut on_box.stakes, stake);
        }
        Phase::Play(play) => {
            if let Some(hand) = play.hands.get_mut(&seat) {
                add_stake(&mut hand.stakes, stake);
            }
        }
        Phase::Idle | Phase::Finished(_) => {}
    }
}

/// A player who has walked away is gone from the whole table. Another player with an ante on the box acts for it
/// from now on.
fn player_absent(play: &mut Play, seat: BoxNumber) {
    let Play { hands, gone, .. } = play;
    let Some(hand) = hands.get_mut(&seat) else { return };
    gone.insert(hand.seated.clone());
    match present_owner(&hand.stakes, gone) {
        Some(other) => hand.seat_player(other),
        None => hand.absent = true,
    }
}

fn bets_closed(table: &mut Table) {
    let Phase::Betting(betting) = std::mem::take(&mut table.round.phase) else { return };
    let hands = betting.boxes.into_iter().map(|(seat, on_box)| (seat, on_box.closed()));
    table.round.phase = Phase::Play(Play { hands: hands.collect(), ..Play::default() });
}

/// The round's play, also if its bets are still open; leaves the phase empty.
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

fn wager_withdrawn(table: &mut Table, seat: BoxNumber, player: &Player, area: Area) {
    let taken = |stake: &Stake| stake.player == *player && stake.area == area;
    // A remaining player on the box acts for it.
    let left = |stakes: &[Stake], seated: &Player| {
        let gone = !stakes.iter().any(|stake| stake.player == *seated);
        stakes.first().filter(|_| gone).map(|first| first.player.clone())
    };
    match &mut table.round.phase {
        Phase::Betting(betting) => {
            if let Some(on_box) = betting.boxes.get_mut(&seat) {
                on_box.stakes.retain(|stake| !taken(stake));
                if let Some(first) = left(&on_box.stakes, &on_box.seated) {
                    on_box.seated = first;
                }
            }
            betting.boxes.retain(|_, on_box| !on_box.stakes.is_empty());
        }
        Phase::Play(play) => {
            if let Some(hand) = play.hands.get_mut(&seat) {
                hand.stakes.retain(|stake| !taken(stake));
                if let Some(first) = left(&hand.stakes, &hand.seated) {
                    hand.seat_player(first);
                }
            }
        }
        Phase::Idle | Phase::Finished(_) => {}
    }
}

fn option_chosen(table: &mut Table, seat: BoxNumber, player: Option<&Player>, choice: Choice) {
    let seated = table.round.seated().remove(&seat);
    if let Some(Awaiting::Options { seats, sharing, chosen, .. }) = &mut table.round.awaiting {
        match player {
            None => seats.remove(&seat),
            Some(player) => sharing.remove(&(seat, player.clone())),
        };
        if let Some(player) = player.cloned().or(seated) {
            chosen.insert(player, choice);
        }
        if seats.is_empty() && sharing.is_empty() {
            table.round.awaiting = None;
        }
    }
}

/// A player whose chips were returned has nothing left to choose.
fn forget_choosers(table: &mut Table) {
    let open: BTreeSet<BoxNumber> = match &table.round.phase {
        Phase::Betting(betting) => betting.boxes.keys().copied().collect(),
        Phase::Play(play) => {
            play.hands.iter().filter(|(_, hand)| hand.in_play()).map(|(seat, _)| *seat).collect()
        }
        Phase::Idle | Phase::Finished(_) => return,
    };
    let Some(Awaiting::Options { mut seats, mut sharing, allowed, chosen, cites }) =
        table.round.awaiting.take_if(|awaiting| matches!(awaiting, Awaiting::Options { .. }))
    else {
        return;
    };
    let seated = table.round.seated();
    let gone = match &table.round.phase {
        Phase::Play(play) => &play.gone,
        Phase::Idle | Phase::Betting(_) | Phase::Finished(_) => &BTreeSet::new(),
    };
    seats.retain(|seat| open.contains(seat) && seated.get(seat).is_some_and(|player| !gone.contains(player)));
    sharing.retain(|(seat, player)| {
        // A player who became the seated player chooses once.
        let twice = seats.contains(seat) && seated.get(seat) == Some(player);
        open.contains(seat) && table.round.has_chips(*seat, player) && !gone.contains(player) && !twice
    });
    if !seats.is_empty() || !sharing.is_empty() {
        table.round.awaiting = Some(Awaiting::Options { seats, sharing, allowed, chosen, cites });
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
            standing.fault_decided();
            standing.no_jackpot = true;
            None
        }
        RulingKind::CloseTable => {
            standing.fault_decided();
            standing.closed = true;
            None
        }
        RulingKind::BarBox(seat) => {
            standing.faulty_boxes.remove(seat);
            standing.barred_boxes.insert(*seat);
            // A ruling on another failed device is still pending.
            if standing.faulty_boxes.is_empty() {
                standing.fault_decided();
            }
            None
        }
        RulingKind::JackpotRestored => {
            standing.fault_decided();
            standing.system_fault = false;
            standing.no_jackpot = false;
            standing.closed = false;
            standing.barred_boxes.clear();
            None
        }
        RulingKind::Restrict(player) => {
            standing.restricted.insert(player.clone());
            None
        }
        RulingKind::Lift(player) => {
            standing.barred.remove(player);
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
    let Some(remedy) = remedy else { return };
    let reason = ruling.reason.clone();
    if let Some(Awaiting::Ruling { kind, player, .. }) = &table.round.awaiting {
        if answers(&ruling.kind, *kind, player.as_ref()) {
            table.round.ruled = Some(Remedied { kind: *kind, remedy, cites, reason });
            table.round.awaiting = None;
        }
    } else if let Some(ruled) = &table.round.ruled
        && answers(&ruling.kind, ruled.kind, None)
    {
        table.round.ruled = Some(Remedied { kind: ruled.kind, remedy, cites, reason });
    }
}

/// Whether a ruling is about the reported matter. Rulings on a player can also be given when nothing, or something else,
/// was reported; the round then keeps waiting.
fn answers(ruling: &RulingKind, reported: IrregularityKind, about: Option<&Player>) -> bool {
    let on = |kind, player: &Player| reported == kind && about.is_none_or(|about| about == player);
    match ruling {
        RulingKind::Void | RulingKind::Continue => true,
        RulingKind::FirstCard(_) => reported == IrregularityKind::SimultaneousDraw,
        RulingKind::Intentional | RulingKind::NotIntentional => {
            reported == IrregularityKind::LookedAtSecondHand
        }
        RulingKind::PermitWithdrawal => reported == IrregularityKind::WrongPlayerHand,
        RulingKind::Bar(player) => on(IrregularityKind::Confidentiality, player),
        RulingKind::Stop(player) => on(IrregularityKind::MultipleHands, player),
        RulingKind::NoJackpot
        | RulingKind::CloseTable
        | RulingKind::BarBox(_)
        | RulingKind::JackpotRestored
        | RulingKind::Lift(_)
        | RulingKind::Restrict(_) => false,
    }
}

fn jackpot_paid(table: &mut Table, payments: &[JackpotPayment]) {
    let Phase::Finished(finished) = &mut table.round.phase else { return };
    for payment in payments {
        finished.claims.retain(|claim| claim.seat != payment.seat);
        let lines = finished.boxes.iter_mut().filter(|b| b.seat == payment.seat).flat_map(|b| &mut b.lines);
        for line in lines.filter(|line| line.result == ResultKind::Pending || line.is_award()) {
            // For an award that is paid again, the earlier payment no longer applies.
            let also = if line.is_award() { Cites::NONE } else { line.cites };
            // A hand that was not shown draws its award by I-13, unless the payment was decided by a reading of its own.
            let unshown = line.interpretation.filter(|point| *point == OpenPoint::NotShown);
            line.interpretation = payment.interpretation;
            if payment.amount.is_zero() {
                line.result = ResultKind::Lose;
                line.amount = line.staked;
            } else {
                line.result = ResultKind::Win;
                line.amount = payment.amount;
                line.interpretation = payment.interpretation.or(unshown);
            }
            line.cites = payment.cites.and(also);
        }
    }
}
