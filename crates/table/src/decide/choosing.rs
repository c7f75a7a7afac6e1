//! Players choose where the rules give them options.

use std::collections::BTreeSet;

use baize_rules::{BoxNumber, Cites, Rulebook};

use super::known_box;
use super::returning::wagers_back;
use crate::round::Phase;
use crate::{Awaiting, Choice, Event, Player, Refusal, Table, Why, replay};

// RWS 5.10; MBS 5.7.1, 5.16.1: each player chooses for their own chips.
pub(super) fn choose(
    book: &Rulebook,
    table: &Table,
    seat: BoxNumber,
    player: Option<&Player>,
    choice: Choice,
) -> Result<Vec<Event>, Refusal> {
    known_box(book, table, seat)?;
    let Some(Awaiting::Options { seats, sharing, allowed, chosen, cites }) = &table.round.awaiting else {
        let cites = table.round.ruled.as_ref().map_or(Cites::NONE, |ruled| ruled.cites);
        return Err(Refusal::new(Why::NoChoice(seat), cites));
    };
    let seated = table.round.seated();
    let no_choice = || Refusal::new(Why::NoChoice(seat), *cites);
    let player = player.or_else(|| seated.get(&seat)).ok_or_else(no_choice)?;
    let own = |seat: &BoxNumber| seats.contains(seat) && seated.get(seat) == Some(player);
    let share = (seat, player.clone());
    if !own(&seat) && !sharing.contains(&share) {
        return Err(no_choice());
    }
    let rules = &book.irregularities;
    let (open, option) = match choice {
        Choice::Continue => (allowed.unchanged, rules.option_continue),
        Choice::Reconstructed => (allowed.reconstructed, rules.option_reconstructed),
        Choice::Withdraw => (true, rules.option_withdraw),
    };
    if !open {
        let cites = if option.is_empty() { *cites } else { option };
        return Err(Refusal::new(Why::ChoiceNotAllowed { seat, choice }, cites));
    }
    let cites = cites.and(option);
    let withdraws = choice == Choice::Withdraw;
    let other_way = chosen.get(player).is_some_and(|made| (*made == Choice::Withdraw) != withdraws);
    if allowed.all_boxes && other_way {
        return Err(Refusal::new(Why::AllOrNothing { player: player.clone() }, cites));
    }
    // A player who withdraws takes back all their wagers, on every box with their chips, where the rules say
    // so.
    let all = allowed.all_boxes && withdraws;
    let made = |seat: BoxNumber, player: Option<Player>| Event::OptionChosen { seat, player, choice, cites };
    let on = |other: BoxNumber| all || other == seat;
    let mut events: Vec<Event> =
        seats.iter().filter(|seat| own(seat) && on(**seat)).map(|seat| made(*seat, None)).collect();
    let shares = sharing.iter().filter(|(seat, sharer)| sharer == player && on(*seat));
    events.extend(shares.map(|(seat, sharer)| made(*seat, Some(sharer.clone()))));
    if withdraws {
        events.extend(wagers_back(book, table, player, cites, on));
    }
    events.extend(concluded(table, &events));
    Ok(events)
}

/// If all chips go back before the close, nothing is left to play for and the round is over.
fn concluded(table: &Table, events: &[Event]) -> Option<Event> {
    let after = replay(table.clone(), events);
    let over = matches!(&after.round.phase, Phase::Betting(betting) if betting.boxes.is_empty());
    over.then(|| Event::RoundSettled {
        boxes: Vec::new(),
        claims: Vec::new(),
        under_minimum: BTreeSet::new(),
    })
}
