//! From what the house shows to what the pages show. Everything about a round comes from a view that the house made for this
//! very person.

pub(crate) mod audit;
pub(crate) mod cage;
pub(crate) mod dealer;
pub(crate) mod history;
pub(crate) mod house;
pub(crate) mod lobby;
pub(crate) mod odds;
pub(crate) mod pit;
pub(crate) mod sign;
pub(crate) mod staff;
pub(crate) mod table;

use baize_house::{Actor, CommandId, Duty, HitView, Instant, JackpotId, JackpotView, Pace, Shoe, TableInfo};

use super::app::App;
use super::fault::Fault;
use super::visitor::Visitor;
use crate::pages::model::{Dealing, Meter, PendingHit, Shell, Who};

/// What every page shares, for this reader.
pub(crate) async fn shell(app: &App, visitor: &Visitor) -> Result<Shell, Fault> {
    let who = match &visitor.actor {
        Actor::Player { id } => Who::Player { name: id.to_string(), purse: app.house.purse(id).await? },
        Actor::Staff { id, duties } => Who::Staff {
            name: id.to_string(),
            position: duties.iter().max().map(|duty| duty.name()).unwrap_or_default().to_owned(),
            deals: visitor.actor.may(Duty::Dealer),
            pit: visitor.pit(),
            cage: visitor.actor.may(Duty::Cage),
            audits: visitor.actor.may(Duty::Auditor),
            accounts: staff::may(visitor).is_ok(),
        },
        Actor::House | Actor::Public => Who::Nobody,
    };
    Ok(Shell {
        base: visitor.base.clone(),
        csrf: visitor.csrf.clone(),
        // A drawing for all who watch has neither: each page keeps the token and the id that it came with.
        command: if visitor.csrf.is_empty() { String::new() } else { CommandId::random().to_string() },
        theme: visitor.theme,
        who,
        notice: None,
        events: None,
        play_chips: app.config.play_chips,
    })
}

/// Who deals at a table.
pub(crate) const fn dealing(info: &TableInfo) -> Dealing {
    match (info.pace, info.shoe) {
        (Pace::Auto { .. }, _) => Dealing::ByHouse,
        (Pace::Dealer, Shoe::Computer) => Dealing::ByDealer,
        (Pace::Dealer, Shoe::Entered) => Dealing::FromRealShoe,
    }
}

/// A moment for people: the day, hours, minutes and seconds.
pub(crate) fn when(at: Instant) -> String {
    at.to_string().split('.').next().unwrap_or_default().to_owned()
}

/// A jackpot's meter.
pub(crate) fn meter(jackpot: &JackpotView) -> Meter {
    Meter {
        id: jackpot.id.to_string(),
        name: format!("{} Progressive Jackpot", jackpot.id),
        displayed: jackpot.displayed,
        wager: jackpot.wager,
        reset: jackpot.reset,
        tables: jackpot.tables.iter().map(ToString::to_string).collect(),
        pending: jackpot.pending.first().map(|hit| hit.amount),
        notice: jackpot.stopped.clone(),
    }
}

/// All jackpots.
pub(crate) async fn meters(app: &App) -> Result<Vec<Meter>, Fault> {
    Ok(app.house.jackpots().await?.iter().map(meter).collect())
}

/// One jackpot.
pub(crate) async fn jackpot(app: &App, id: &JackpotId) -> Result<JackpotView, Fault> {
    let found = app.house.jackpots().await?.into_iter().find(|jackpot| jackpot.id == *id);
    Ok(found.ok_or_else(|| baize_house::HouseError::UnknownJackpot(id.clone()))?)
}

/// The meter of a table's jackpot.
pub(crate) async fn meter_of(app: &App, info: &TableInfo) -> Result<Option<Meter>, Fault> {
    match &info.jackpot {
        Some(id) => Ok(Some(meter(&jackpot(app, id).await?))),
        None => Ok(None),
    }
}

/// Hits that wait, as this reader may handle them.
pub(crate) fn pending(visitor: &Visitor, jackpot: &JackpotView) -> Vec<PendingHit> {
    let me = visitor.name().unwrap_or_default();
    let line = |(n, hit): (usize, &HitView)| PendingHit {
        jackpot: jackpot.id.to_string(),
        hit: hit.number,
        table: hit.round.table.to_string(),
        round: hit.round.number,
        seat: hit.seat,
        player: String::new(),
        award: hit.award.clone(),
        amount: hit.amount,
        cites: String::new(),
        verified_by: hit.verified_by.clone(),
        needs_confirmation: hit.needs_confirmation,
        waits_for: (n > 0 && hit.verified_by.is_some() && !hit.needs_confirmation)
            .then(|| "an earlier hit of this jackpot".to_owned()),
        may_verify: visitor.pit() && hit.verified_by.is_none(),
        may_confirm: visitor.pit()
            && hit.needs_confirmation
            && hit.confirmed_by.is_none()
            && hit.verified_by.as_deref().is_some_and(|by| by != me && by != visitor.actor.label()),
    };
    jackpot.pending.iter().enumerate().map(line).collect()
}

/// What happens at a table, in a few words, for lists.
pub(crate) fn state(info: &TableInfo) -> String {
    let words = match info.phase {
        _ if info.halted.is_some() => "Halted",
        _ if info.closed => "Closed",
        _ if info.waiting => "Waits for a ruling or a choice",
        "betting" => "Place your bets",
        "play" => "A round is being played",
        "finished" => "Between rounds",
        _ => "Ready",
    };
    words.to_owned()
}
