//! From "Place your bets, please" to "No more bets".

use baize_rules::{Area, BoxNumber, Cites, Money, Paragraph, Role, Rulebook, WhoMayBet};

use super::known_box;
use crate::round::{Betting, BettingBox, Phase, jackpot_with_ante};
use crate::{Event, Player, Refusal, Table, Why};

/// A wager that a player wants to place.
pub(super) struct Wager<'a> {
    pub(super) seat: BoxNumber,
    pub(super) player: &'a Player,
    pub(super) area: Area,
    pub(super) amount: Money,
    pub(super) unnoticed: bool,
    pub(super) placed_by: Option<Role>,
}

impl Wager<'_> {
    pub(super) fn placed(&self) -> Event {
        Event::WagerPlaced {
            seat: self.seat,
            player: self.player.clone(),
            area: self.area,
            amount: self.amount,
            unnoticed: self.unnoticed,
            placed_by: self.placed_by,
        }
    }
}

// RH 3.2; RS 3.2; MBS 3.1; RH 5.17.2; RS 5.18.2: the announcement, unless the house has still to decide after a jackpot fault.
pub(super) fn open(book: &Rulebook, table: &Table) -> Result<Vec<Event>, Refusal> {
    match &table.round.phase {
        Phase::Idle => {}
        Phase::Finished(finished) if finished.claims.is_empty() => {}
        Phase::Finished(_) => return Err(Refusal::new(Why::ClaimsUnpaid, book.round_of_play)),
        Phase::Betting(_) | Phase::Play(_) => {
            return Err(Refusal::new(Why::RoundUnderWay, book.round_of_play));
        }
    }
    let fault = book.irregularities.jackpot_fault.as_ref();
    if table.standing.closed {
        return Err(Refusal::new(Why::TableClosed, fault.map_or(Cites::NONE, |fault| fault.close_table)));
    }
    if table.standing.jackpot_fault
        && let Some(fault) = fault
    {
        let cites = fault.close_table.and(fault.bar_box).and(fault.no_jackpot);
        let by = super::ruling::house_role(table, fault.decided_by);
        return Err(Refusal::new(Why::FaultUndecided(by), cites));
    }
    Ok(vec![Event::RoundOpened {
        number: table.round.number + 1,
        rulebook: book.id.clone(),
        hash: book.hash.clone(),
    }])
}

/// The paragraphs of the layout: those that all its areas share, or those of its boxes.
fn layout(book: &Rulebook) -> Cites {
    let shared = |paragraph: &Paragraph| {
        book.areas.iter().all(|rule| rule.cites.iter().any(|cited| cited == *paragraph))
    };
    let cites: Cites = book
        .areas
        .first()
        .into_iter()
        .flat_map(|rule| rule.cites.iter().filter(shared).collect::<Vec<_>>())
        .collect();
    if cites.is_empty() { book.boxes.cites } else { cites }
}

/// Whether this player may put chips on this area of this box at all.
// RH 1.26, 3.5; RS 1.18, 3.5; MBS 3.4, 3.4.2, 3.4.3, 3.5.4: who may bet where.
pub(super) fn may_bet(
    book: &Rulebook,
    table: &Table,
    betting: &Betting,
    (seat, player, area): (BoxNumber, &Player, Area),
) -> Result<(), Refusal> {
    let rules = &book.betting;
    let standing = &table.standing;
    let on_box = betting.boxes.get(&seat);
    known_box(book, table, seat)?;
    if !book.has_area(area) {
        return Err(Refusal::new(Why::NoSuchArea(area), layout(book)));
    }
    if let Some(decision) = book.decision(area) {
        let (cites, _) = crate::schedule::decision_cites(book, table, decision);
        return Err(Refusal::new(
            Why::NotNow { area, next: "bets are open, no cards are out".into() },
            cites,
        ));
    }
    if standing.barred.contains(player) {
        let cites =
            book.irregularities.bar_player.map_or(book.irregularities.anything_else.cites, |by| by.cites);
        return Err(Refusal::new(Why::BarredPlayer(player.clone()), cites));
    }
    if standing.stopped.contains(player) {
        let cites = book.irregularities.stop_player.map_or(Cites::NONE, |by| by.cites);
        return Err(Refusal::new(Why::StoppedPlayer(player.clone()), cites));
    }
    let fault = book.irregularities.jackpot_fault.as_ref();
    if standing.barred_boxes.contains(&seat) {
        return Err(Refusal::new(Why::BarredBox(seat), fault.map_or(Cites::NONE, |fault| fault.bar_box)));
    }
    if area == Area::Jackpot && standing.no_jackpot {
        return Err(Refusal::new(Why::NoJackpot, fault.map_or(Cites::NONE, |fault| fault.no_jackpot)));
    }
    if let Some(on_box) = on_box.filter(|on_box| on_box.seated != *player) {
        let seated = on_box.seated.clone();
        if area == Area::Jackpot && rules.who.value == WhoMayBet::SeveralPlayers {
            return Err(Refusal::new(Why::AnothersJackpot { seat, seated }, rules.jackpot_own_box));
        }
        if rules.who.value == WhoMayBet::SeatedPlayer {
            return Err(Refusal::new(Why::AnothersBox { seat, seated }, rules.who.cites));
        }
    }
    let elsewhere = betting
        .boxes
        .iter()
        .any(|(other, on_box)| *other != seat && on_box.stakes.iter().any(|stake| stake.player == *player));
    if elsewhere && standing.restricted.contains(player) {
        let cites = rules.restrict.map_or(Cites::NONE, |restrict| restrict.cites);
        return Err(Refusal::new(Why::Restricted(player.clone()), cites));
    }
    Ok(())
}

// RH 3.6, 3.8, 3.9, 5.1, 5.2; RS 3.6, 3.8, 5.1, 5.2; MBS 3.5, 3.5.3, 5.12.1: the ante first, and each amount within its limits.
pub(super) fn place(
    book: &Rulebook,
    table: &Table,
    betting: &Betting,
    wager: &Wager<'_>,
) -> Result<Vec<Event>, Refusal> {
    let &Wager { seat, player, area, amount, unnoticed, .. } = wager;
    may_bet(book, table, betting, (seat, player, area))?;
    if amount <= Money::ZERO {
        return Err(Why::NoAmount.into());
    }
    let on_box = betting.boxes.get(&seat);
    let has_ante = on_box.is_some_and(|on_box| on_box.has_ante(player));
    let irregular = &book.irregularities;
    if area == Area::Bonus && !has_ante {
        let cites = book.betting.bonus_needs_ante.unwrap_or(book.betting.ante_needed);
        return Err(Refusal::new(Why::NeedsAnte(area), cites));
    }
    if area == Area::Jackpot && !has_ante && !unnoticed {
        let cites = book.betting.jackpot_needs_ante.and(irregular.jackpot_without_ante_noticed);
        return Err(Refusal::new(Why::NeedsAnte(area), cites));
    }
    let before = on_box.map_or(Money::ZERO, |on_box| on_box.on(area));
    let total = before.checked_add(amount).map_err(Why::from)?;
    if area == Area::Jackpot {
        let (prescribed, times) = (table.settings.jackpot_wager, book.betting.jackpot_multiples.value);
        let fits = (1..=times).any(|n| prescribed.times(n).is_ok_and(|allowed| allowed == total));
        if !fits {
            let second = if before.is_zero() { Cites::NONE } else { book.betting.who.cites };
            let cites = book.betting.jackpot_multiples.cites.and(second).and(book.betting.limits);
            return Err(Refusal::new(Why::JackpotWager { total, prescribed, times }, cites));
        }
    } else if !unnoticed {
        let limits = if area == Area::Bonus { table.settings.bonus } else { table.settings.ante };
        if total > limits.most {
            let cites = irregular.over_maximum_noticed.and(book.betting.limits);
            return Err(Refusal::new(Why::OverMaximum { area, total, most: limits.most }, cites));
        }
        if total < limits.least {
            let cites = irregular.under_minimum_noticed.and(book.betting.limits);
            return Err(Refusal::new(Why::UnderMinimum { area, total, least: limits.least }, cites));
        }
    }
    Ok(vec![wager.placed()])
}

/// The amounts that an entitled player may add to this area of this box: from, to, and step. On any area but the
/// ante, the player needs an ante of their own.
pub(crate) fn wager_amounts(
    book: &Rulebook,
    table: &Table,
    on_box: Option<&BettingBox>,
    area: Area,
) -> Option<(Money, Money, Money)> {
    let lies = on_box.map_or(Money::ZERO, |on_box| on_box.on(area));
    let cent = Money::from_cents(1);
    if area != Area::Ante && on_box.is_none_or(|on_box| on_box.on(Area::Ante).is_zero()) {
        return None;
    }
    let (least, most, step) = if area == Area::Jackpot {
        let unit = table.settings.jackpot_wager;
        (unit, unit.times(book.betting.jackpot_multiples.value).ok()?, unit)
    } else {
        let limits = if area == Area::Bonus { table.settings.bonus } else { table.settings.ante };
        (limits.least, limits.most, cent)
    };
    let from = if lies.is_zero() { least } else { (least - lies).max(step) };
    let to = most - lies;
    (from <= to).then_some((from, to, step))
}

// RWS 5.11; MBS 5.6: nothing is taken back after the close.
pub(super) fn withdraw(
    book: &Rulebook,
    table: &Table,
    seat: BoxNumber,
    player: &Player,
    area: Area,
) -> Result<Vec<Event>, Refusal> {
    let betting = match &table.round.phase {
        Phase::Betting(betting) => betting,
        Phase::Play(_) => {
            let why =
                if book.betting.withdrawn_still_plays { Why::NoWithdrawal } else { Why::WithdrawalRefused };
            return Err(Refusal::new(why, book.betting.late_withdrawal));
        }
        Phase::Idle => return Err(Refusal::new(Why::NoRound, book.betting.open)),
        Phase::Finished(_) => return Err(Refusal::new(Why::RoundOver, book.round_of_play)),
    };
    known_box(book, table, seat)?;
    let nothing = || Refusal::from(Why::NothingToWithdraw { seat, player: player.clone(), area });
    let on_box = betting.boxes.get(&seat).ok_or_else(nothing)?;
    let amount: Money = on_box
        .stakes
        .iter()
        .filter(|stake| stake.player == *player && stake.area == area)
        .map(|stake| stake.amount)
        .sum();
    if amount.is_zero() {
        return Err(nothing());
    }
    let own = |area| on_box.stakes.iter().any(|stake| stake.player == *player && stake.area == area);
    if area == Area::Ante {
        let mut needed_by = Cites::NONE;
        if own(Area::Jackpot) {
            let without = book.irregularities.jackpot_without_ante_noticed;
            needed_by = book.betting.jackpot_needs_ante.and(without);
        }
        if own(Area::Bonus) {
            needed_by = needed_by.and(book.betting.bonus_needs_ante.unwrap_or(book.betting.ante_needed));
        }
        if !needed_by.is_empty() {
            return Err(Refusal::new(Why::AnteNeeded(seat), needed_by));
        }
    }
    // If the rest falls below the minimum, that is for the remaining players to resolve.
    Ok(vec![Event::WagerWithdrawn { seat, player: player.clone(), area, amount }])
}

// RH 3.10; RS 3.9; MBS 3.2
pub(super) fn close(book: &Rulebook, table: &Table) -> Result<Vec<Event>, Refusal> {
    let betting = match &table.round.phase {
        Phase::Betting(betting) => betting,
        Phase::Play(_) => return Err(Refusal::new(Why::BetsClosed, book.betting.close)),
        Phase::Idle => return Err(Refusal::new(Why::NoRound, book.betting.open)),
        Phase::Finished(_) => return Err(Refusal::new(Why::RoundOver, book.round_of_play)),
    };
    if betting.boxes.is_empty() {
        return Err(Refusal::new(Why::NoWagers, book.betting.ante_needed));
    }
    let jackpot = betting
        .boxes
        .iter()
        .map(|(seat, on_box)| (*seat, jackpot_with_ante(&on_box.stakes)))
        .filter(|(_, wager)| !wager.is_zero())
        .collect();
    Ok(vec![Event::BetsClosed { jackpot }])
}
