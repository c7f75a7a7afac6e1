//! Looking, deciding, turning cards, showing.

use baize_rules::{Absent, Area, BoxNumber, Cites, Money, Otherwise, Reveal, Rulebook};

use super::betting::Wager;
use super::dealing::not_overfull;
use super::returning::{returned, wagers_back};
use super::{hand, in_play, live_hand};
use crate::established::side_bet_won;
use crate::round::{HandInPlay, Play, on_area, present_owner};
use crate::schedule::{decision_cites, reveal_cites};
use crate::{Awaiting, Decided, Event, Place, Refusal, Table, Why};

// RWS 3.7; MBS 3.4.1; MH 1.1.2: of several hands one is examined.
pub(super) fn look(book: &Rulebook, table: &Table, seat: BoxNumber) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    let hand = live_hand(book, table, play, seat)?;
    dealt(book, seat, hand)?;
    if hand.looked {
        return Err(Refusal::new(Why::LookedAlready(seat), book.betting.one_hand_viewed));
    }
    // A look belongs to the person: another player may have looked at the same hand before.
    let other = play.hands.iter().find(|(_, other)| other.viewed_by.contains(&hand.seated));
    if let Some((first, _)) = other {
        let why = Why::SecondLook { player: hand.seated.clone(), first: *first };
        return Err(Refusal::new(why, book.betting.one_hand_viewed));
    }
    Ok(vec![Event::HandLookedAt { seat }])
}

fn dealt(book: &Rulebook, seat: BoxNumber, hand: &HandInPlay) -> Result<(), Refusal> {
    let (found, right) = (hand.cards.len(), book.hand_size());
    if found < right {
        return Err(Why::NotDealt { place: Place::Box(seat), found, right }.into());
    }
    Ok(())
}

/// The decision that is open for this box now: its position in the rulebook's decisions.
pub(crate) fn decision_open(
    book: &Rulebook,
    table: &Table,
    play: &Play,
    seat: BoxNumber,
) -> Result<usize, Refusal> {
    let hand = live_hand(book, table, play, seat)?;
    not_overfull(book, play)?;
    for (other, hand) in play.hands.iter().filter(|(_, hand)| hand.in_play()) {
        dealt(book, *other, hand)?;
    }
    if book.board_size() == 0 && play.dealer.len() < book.hand_size() {
        let (found, right) = (play.dealer.len(), book.hand_size());
        return Err(Why::NotDealt { place: Place::Dealer, found, right }.into());
    }
    let stage = play.revealed.len();
    if stage >= book.decisions.len() || hand.absent {
        return Err(Why::NoDecision(seat).into());
    }
    if hand.decisions.len() > stage {
        let (cites, _) = decision_cites(book, table, stage);
        return Err(Refusal::new(Why::DecidedAlready { seat }, cites.and(book.betting.who.cites)));
    }
    Ok(stage)
}

// RH 1.11, 1.22, 1.28; RS 1.3, 3.12.2; MBS 3.9.2: an exact multiple of the ante.
pub(super) fn raise(
    book: &Rulebook,
    table: &Table,
    play: &Play,
    wager: &Wager<'_>,
) -> Result<Vec<Event>, Refusal> {
    let &Wager { seat, player, area, amount, unnoticed, .. } = wager;
    if play.gone.contains(player) {
        let cites = book.irregularities.absent_in_play.cites;
        return Err(Refusal::new(Why::WalkedAway(player.clone()), cites));
    }
    let stage = decision_open(book, table, play, seat)?;
    let rule = book.decisions[stage];
    let (cites, _) = decision_cites(book, table, stage);
    if rule.area != area {
        let next = format!("the {} is", rule.area.code());
        return Err(Refusal::new(Why::NotNow { area, next }, cites));
    }
    if amount <= Money::ZERO {
        return Err(Why::NoAmount.into());
    }
    let hand = &play.hands[&seat];
    let own: Money = hand
        .stakes
        .iter()
        .filter(|stake| stake.area == Area::Ante && stake.player == *player)
        .map(|stake| stake.amount)
        .sum();
    if own.is_zero() {
        return Err(match book.betting.who.value {
            baize_rules::WhoMayBet::SeatedPlayer => {
                Refusal::new(Why::AnothersBox { seat, seated: hand.seated.clone() }, book.betting.who.cites)
            }
            baize_rules::WhoMayBet::SeveralPlayers => {
                Refusal::new(Why::NoShare { seat, player: player.clone() }, book.betting.who.cites)
            }
        });
    }
    let ante = hand.on(Area::Ante);
    let exact = ante.times(rule.times_ante).map_err(Why::from)?;
    let total = hand.on(area).checked_add(amount).map_err(Why::from)?;
    let lies = on_area(&hand.stakes, area);
    if total != exact {
        // Players who share the ante may share the raise in the same way: each places their own part.
        let part = own.times(rule.times_ante).map_err(Why::from)?;
        let placed: Money = hand
            .stakes
            .iter()
            .filter(|stake| stake.area == area && stake.player == *player)
            .map(|stake| stake.amount)
            .sum();
        if total < exact && own < ante && placed + amount == part {
            return Ok(vec![wager.placed()]);
        }
        let excused = unnoticed
            && lies.is_zero()
            && book.irregularities.raise_too_large.is_some()
            && book.irregularities.raise_too_small.is_some();
        if !excused {
            let why = Why::RaiseSize { area, exact, times: rule.times_ante, total };
            let blind = if hand.looked { Cites::NONE } else { book.betting.one_hand_viewed };
            let size = if total > exact {
                book.irregularities.raise_too_large.unwrap_or_default()
            } else {
                book.irregularities.raise_too_small.unwrap_or_default()
            };
            let cites = cites.and(rule.cites).and(blind).and(size);
            return Err(Refusal::new(why, cites));
        }
    }
    Ok(vec![wager.placed(), Event::DecisionMade { seat, decided: Decided::Raised, cites }])
}

// RH 1.13; RS 1.8; MH, MB 1.1.8; MS 1.1.4
pub(super) fn fold(book: &Rulebook, table: &Table, seat: BoxNumber) -> Result<Vec<Event>, Refusal> {
    otherwise(book, table, seat, Otherwise::Fold)
}

// RH 1.6; MH, MB 1.1.4
pub(super) fn check(book: &Rulebook, table: &Table, seat: BoxNumber) -> Result<Vec<Event>, Refusal> {
    otherwise(book, table, seat, Otherwise::Check)
}

fn otherwise(
    book: &Rulebook,
    table: &Table,
    seat: BoxNumber,
    wanted: Otherwise,
) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    let stage = decision_open(book, table, play, seat)?;
    let rule = book.decisions[stage];
    let (raise, cites) = decision_cites(book, table, stage);
    if rule.otherwise != wanted {
        let why = match wanted {
            Otherwise::Check => Why::NoCheck { seat, area: rule.area },
            Otherwise::Fold => Why::NoFold { seat },
        };
        return Err(Refusal::new(why, raise.and(cites)));
    }
    let decided = match wanted {
        Otherwise::Fold => Decided::Folded,
        Otherwise::Check => Decided::Checked,
    };
    // Parts of an incomplete raise are no raise: they go back to the players who placed them.
    let parts = play.hands[&seat].stakes.iter().filter(|stake| stake.area == rule.area);
    let back = parts.map(|stake| returned(seat, stake, raise));
    Ok(std::iter::once(Event::DecisionMade { seat, decided, cites }).chain(back).collect())
}

/// Whether these cards can be turned now.
fn reveal_open(book: &Rulebook, table: &Table, play: &Play, what: Reveal) -> Result<(), Refusal> {
    let cites = reveal_cites(book, table, what);
    let order = book.family.reveals();
    let refused = |why| Refusal::new(why, cites);
    if !order.contains(&what) {
        return Err(Why::NoBoard.into());
    }
    if play.revealed.contains(&what) {
        return Err(refused(Why::RevealedAlready(what.code())));
    }
    not_overfull(book, play)?;
    let anybody = play.hands.values().any(HandInPlay::in_play);
    if anybody || what != Reveal::Dealer {
        let due = order.iter().find(|reveal| !play.revealed.contains(reveal));
        if let Some(due) = due.filter(|due| **due != what) {
            return Err(refused(Why::RevealOrder(what.code(), due.code())));
        }
    }
    if let Some((seat, _)) = play.undecided(book).find(|(_, hand)| !hand.absent) {
        let (decision, _) = decision_cites(book, table, play.revealed.len());
        return Err(Refusal::new(Why::Undecided(seat), decision.and(cites)));
    }
    match what.board_cards() {
        Some((_, to)) if play.board.len() < to => {
            Err(refused(Why::NotDealt { place: Place::Board, found: play.board.len(), right: to }))
        }
        None if play.dealer.len() < book.hand_size() => Err(refused(Why::NotDealt {
            place: Place::Dealer,
            found: play.dealer.len(),
            right: book.hand_size(),
        })),
        Some(_) | None => Ok(()),
    }
}

pub(super) fn reveal(book: &Rulebook, table: &Table, what: Reveal) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    reveal_open(book, table, play, what)?;
    let cites = book.irregularities.absent_in_play.cites;
    let mut events: Vec<Event> = play
        .undecided(book)
        .map(|(seat, _)| Event::DecisionMade { seat, decided: Decided::Checked, cites })
        .collect();
    events.push(Event::CardsRevealed { what });
    Ok(events)
}

// RWS 4.4: a winning hand is announced and left face up.
pub(super) fn show(book: &Rulebook, table: &Table, seat: BoxNumber) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    let hand = live_hand(book, table, play, seat)?;
    dealt(book, seat, hand)?;
    if hand.declined {
        return Err(Refusal::new(Why::DeclinedAlready(seat), book.settlement.declined));
    }
    if hand.shown {
        return Err(Why::ShownAlready(seat).into());
    }
    // Before the end, only a player who has seen that their hand has won may show it.
    let at_the_end = hand.decisions.len() >= book.decisions.len();
    let announced = hand.looked && side_bet_won(book, table, play, hand);
    if !at_the_end && !announced {
        return Err(Refusal::new(Why::NotAtShowdown(seat), book.settlement.declined));
    }
    Ok(vec![Event::HandShown { seat }])
}

// RWS 4.3; MBS 3.10.1
pub(super) fn decline(book: &Rulebook, table: &Table, seat: BoxNumber) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    let hand = live_hand(book, table, play, seat)?;
    let cites = book.settlement.declined;
    if hand.declined {
        return Err(Refusal::new(Why::DeclinedAlready(seat), cites));
    }
    if hand.shown {
        return Err(Refusal::new(Why::ShownAlready(seat), cites));
    }
    if hand.decisions.len() < book.decisions.len() {
        return Err(Refusal::new(Why::NotAtShowdown(seat), cites));
    }
    Ok(vec![Event::HandDeclined { seat }])
}

/// The player seated at this box has walked away: from all their hands, not only this one.
// RWS 5.5, 5.6; MBS 5.11
pub(super) fn absent(book: &Rulebook, table: &Table, seat: BoxNumber) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    let player = &hand(book, table, play, seat)?.seated;
    let theirs = |hand: &HandInPlay| hand.seated == *player && hand.in_play() && !hand.absent;
    let mut hands = play.hands.iter().filter(|(_, hand)| theirs(hand)).peekable();
    if hands.peek().is_none() {
        live_hand(book, table, play, seat)?;
        return Err(Refusal::new(Why::AbsentAlready(seat), book.irregularities.absent_decided));
    }
    Ok(hands.flat_map(|(seat, hand)| absent_from(book, table, play, (*seat, hand))).collect())
}

/// What happens to one hand of a player who has walked away.
fn absent_from(
    book: &Rulebook,
    table: &Table,
    play: &Play,
    (seat, hand): (BoxNumber, &HandInPlay),
) -> Vec<Event> {
    let rules = &book.irregularities;
    let made = hand.decisions.len();
    // Choosing between options is a decision too.
    let option =
        matches!(&table.round.awaiting, Some(Awaiting::Options { seats, .. }) if seats.contains(&seat));
    if made >= book.decisions.len() && !option {
        return vec![Event::PlayerAbsent { seat, cites: rules.absent_decided }];
    }
    let rule = if made == 0 { rules.absent_undecided } else { rules.absent_in_play };
    let cites: Cites = rule.cites;
    let mut events = vec![Event::PlayerAbsent { seat, cites }];
    match rule.value {
        Absent::Folds => events.push(Event::DecisionMade { seat, decided: Decided::Folded, cites }),
        Absent::Invalid => {
            let mut gone = play.gone.clone();
            gone.insert(hand.seated.clone());
            if present_owner(&hand.stakes, &gone).is_some() {
                // Players who share the box can still decide: only the absent player's chips go back.
                events.extend(wagers_back(book, table, &hand.seated, cites, |other| other == seat));
            } else {
                events.push(Event::HandInvalidated { seat, cites });
            }
        }
        // The checks follow one by one as the cards are turned.
        Absent::Checks => {}
    }
    events
}
