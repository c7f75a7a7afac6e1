//! Players choose where the rules give them options.

use baize_rules::{Cites, Rulebook};

use super::known_box;
use crate::round::Phase;
use crate::{Awaiting, Choice, Event, Refusal, Table, Why};

pub(super) fn choose(
    book: &Rulebook,
    table: &Table,
    seat: u8,
    choice: Choice,
) -> Result<Vec<Event>, Refusal> {
    known_box(book, table, seat)?;
    let Some(Awaiting::Options { seats, allowed, chosen, cites }) = &table.round.awaiting else {
        let cites = table.round.ruled.as_ref().map_or(Cites::NONE, |ruled| ruled.cites);
        return Err(Refusal::new(Why::NoChoice(seat), cites));
    };
    if !seats.contains(&seat) {
        return Err(Refusal::new(Why::NoChoice(seat), *cites));
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
    let seated = table.round.seated();
    let player = seated.get(&seat).ok_or(Why::EmptyBox(seat))?;
    let mut choosing = vec![seat];
    if allowed.all_boxes {
        let same = |other: &u8| seated.get(other) == Some(player);
        let other_way = chosen
            .iter()
            .any(|(other, made)| same(other) && (*made == Choice::Withdraw) != (choice == Choice::Withdraw));
        if other_way {
            return Err(Refusal::new(Why::AllOrNothing { player: player.clone() }, cites));
        }
        if choice == Choice::Withdraw {
            choosing = seats.iter().copied().filter(same).collect();
        }
    }
    Ok(choosing.into_iter().flat_map(|seat| chosen_events(table, seat, choice, cites)).collect())
}

fn chosen_events(table: &Table, seat: u8, choice: Choice, cites: Cites) -> Vec<Event> {
    let mut events = vec![Event::OptionChosen { seat, choice, cites }];
    if choice == Choice::Withdraw {
        match &table.round.phase {
            Phase::Betting(betting) => events.extend(all_chips(betting, seat)),
            Phase::Play(_) => events.push(Event::HandInvalidated { seat, cites }),
            Phase::Idle | Phase::Finished(_) => {}
        }
    }
    events
}

/// All chips of a box are taken back before the close.
pub(super) fn all_chips(betting: &crate::Betting, seat: u8) -> Vec<Event> {
    let stakes = betting.boxes.get(&seat).map(|on_box| on_box.stakes.as_slice()).unwrap_or_default();
    let back = |stake: &crate::Stake| Event::WagerWithdrawn {
        seat,
        player: stake.player.clone(),
        area: stake.area,
        amount: stake.amount,
    };
    stakes.iter().map(back).collect()
}
