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
pub(crate) mod report;
pub(crate) mod session;
pub(crate) mod sign;
pub(crate) mod staff;
pub(crate) mod table;

use baize_house::{
    Actor, CommandId, Duty, HitView, Instant, JackpotId, JackpotView, MoneyKind, Pace, PlayerId, Shoe,
    TableId, TableInfo,
};
use baize_rules::Money;
use baize_table::{PhaseName, RoundView};

use super::app::App;
use super::fault::Fault;
use super::visitor::Visitor;
use crate::pages::model::{Dealing, Meter, Names, PendingHit, Shell, Who};

/// What every page shares, for this reader.
pub(crate) async fn shell(app: &App, visitor: &Visitor) -> Result<Shell, Fault> {
    let mut shell = shell_of_staff(app, visitor);
    if let Actor::Player { id } = &visitor.actor {
        shell.who = Who::Player {
            name: id.to_string(),
            purse: app.house.purse(id).await?,
            practice: app.house.plays_with(id).await? == MoneyKind::Practice,
        };
    }
    shell.waiting = app.waits.count(&app.house, app.news.heard(), &visitor.actor).await?;
    Ok(shell)
}

/// The same for a member of staff, without asking the database: it may be the very thing that is away. What waits is not counted.
pub(crate) fn shell_of_staff(app: &App, visitor: &Visitor) -> Shell {
    let who = match &visitor.actor {
        Actor::Staff { id, duties } => Who::Staff {
            name: id.to_string(),
            position: duties.iter().max().map(|duty| duty.name()).unwrap_or_default().to_owned(),
            deals: visitor.actor.may(Duty::Dealer),
            pit: visitor.pit(),
            cage: visitor.actor.may(Duty::Cage),
            audits: visitor.actor.may(Duty::Auditor),
            accounts: staff::may(visitor).is_ok(),
            reports: [Duty::Cage, Duty::PitManager, Duty::Auditor]
                .iter()
                .any(|duty| visitor.actor.may(*duty)),
        },
        Actor::Player { .. } | Actor::House | Actor::Public => Who::Nobody,
    };
    let staff = matches!(visitor.actor, Actor::Staff { .. });
    Shell {
        base: visitor.base.clone(),
        csrf: visitor.csrf.clone(),
        // A drawing for all who watch has neither: each page keeps the token and the id that it came with.
        command: if visitor.csrf.is_empty() { String::new() } else { CommandId::random().to_string() },
        theme: visitor.theme,
        who,
        notice: None,
        // Pages that follow something else hear of what waits besides.
        events: staff.then(|| format!("{}/events/waiting", visitor.base)),
        play_chips: app.config.play_chips,
        name: visitor.name().and_then(|login| app.house.name_of(login)),
        names: Names::default(),
        waiting: 0,
        change: String::new(),
        clock: clock(app),
    }
}

/// What the players are called whom this reader sees at a table: those with chips there, and those who sit there.
pub(crate) fn names<'a>(
    app: &App,
    round: &'a RoundView,
    guests: impl Iterator<Item = &'a PlayerId>,
) -> Names {
    let staked = round.boxes.values().flat_map(|on_box| {
        std::iter::once(&on_box.player).chain(on_box.stakes.iter().map(|stake| &stake.player))
    });
    let logins = staked.map(|player| player.0.as_str()).chain(guests.map(PlayerId::as_str));
    logins.filter_map(|login| Some((login.to_owned(), app.house.name_of(login)?))).collect()
}

/// A person's display name, or their log-in name if they have none.
pub(crate) fn called(app: &App, login: &str) -> String {
    app.house.name_of(login).unwrap_or_else(|| login.to_owned())
}

/// The house's clock, for the foot of every page.
fn clock(app: &App) -> String {
    let (gaming, now) = (app.config.gaming_day, app.house.now());
    format!("House time UTC{} · gaming day {}, from {}", gaming.utc_offset, gaming.of(now), gaming.begins)
}

/// How much waits for this reader, as the live region of every page.
pub(crate) async fn waiting(app: &App, visitor: &Visitor) -> Result<maud::Markup, Fault> {
    let waiting = app.waits.count(&app.house, app.news.heard(), &visitor.actor).await?;
    Ok(crate::pages::shell::waiting(&Shell { waiting, ..Shell::default() }))
}

/// Who deals at a table.
pub(crate) const fn dealing(info: &TableInfo) -> Dealing {
    match (info.pace, info.shoe) {
        (Pace::Auto { .. }, _) => Dealing::ByHouse,
        (Pace::Dealer, Shoe::Computer) => Dealing::ByDealer,
        (Pace::Dealer, Shoe::Entered) => Dealing::FromRealShoe,
    }
}

/// A moment for people, by the house's clock: the day, hours, minutes and seconds.
pub(crate) fn when(app: &App, at: Instant) -> String {
    app.config.gaming_day.local(at)
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
        notices: jackpot.notices.iter().map(|(table, notice)| (table.to_string(), notice.clone())).collect(),
        practice: jackpot.money == MoneyKind::Practice,
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

/// What the meter of a table's jackpot shows.
pub(crate) async fn meter_at(app: &App, table: &TableId) -> Result<Option<Money>, Fault> {
    Ok(meter_of(app, &app.house.table(table).await?).await?.map(|meter| meter.displayed))
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
        picture: None,
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
        PhaseName::Betting => "Place your bets",
        PhaseName::Play => "A round is being played",
        PhaseName::Finished => "Between rounds",
        PhaseName::Idle => "Ready",
    };
    words.to_owned()
}
