//! Reads from the house what a page shows, and renders it. Everything about a round comes from the view that the house gives to this reader.

pub(crate) mod audit;
pub(crate) mod cage;
pub(crate) mod dealer;
pub(crate) mod history;
pub(crate) mod house;
pub(crate) mod lobby;
pub(crate) mod odds;
pub(crate) mod pit;
pub(crate) mod play_session;
pub(crate) mod report;
pub(crate) mod sign;
pub(crate) mod staff;
pub(crate) mod table;

use axum::http::HeaderMap;
use baize_house::{Actor, CommandId, Instant, JackpotId, JackpotView, PlayerId, TableId, TableInfo};
use baize_rules::Money;
use baize_table::RoundView;

use super::app::App;
use super::fault::Fault;
use super::guard::is_live;
use super::visitor::Visitor;
use crate::pages::names::Names;
use crate::pages::shell::Shell;

/// Which part of a page to render.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The whole page.
    Page,
    /// Its live regions.
    Regions,
}

impl Part {
    /// What the request expects: the page's script asks for the live regions.
    pub(crate) fn wanted(headers: &HeaderMap) -> Part {
        if is_live(headers) { Part::Regions } else { Part::Page }
    }
}

/// What every page shares, for this reader.
pub(crate) async fn shell(app: &App, visitor: &Visitor) -> Result<Shell, Fault> {
    let mut shell = shell_of_staff(app, visitor);
    if let Actor::Player { id } = &visitor.actor {
        shell.purse = Some((app.house.purse(id).await?, app.house.plays_with(id).await?));
    }
    shell.waiting = app.task_cache.count(&app.house, app.feed.received(), &visitor.actor).await?;
    Ok(shell)
}

/// As [`shell`] for a member of staff, without reading the database, which may be unavailable, and without counting tasks.
pub(crate) fn shell_of_staff(app: &App, visitor: &Visitor) -> Shell {
    let staff = matches!(visitor.actor, Actor::Staff { .. });
    Shell {
        csrf: visitor.csrf.clone(),
        // Regions that all spectators share have no token and no id: each page keeps its own.
        command: if visitor.csrf.is_empty() { String::new() } else { CommandId::random().to_string() },
        actor: visitor.actor.clone(),
        // Pages with a stream of their own replace this; every stream of staff sends the task count.
        events: staff.then(|| format!("{}/events/waiting", visitor.base)),
        play_chips: app.config.play_chips,
        name: visitor.name().and_then(|login| app.house.name_of(login)),
        day: app.config.gaming_day,
        now: Some(app.house.now()),
        ..Shell::plain(visitor.base.clone(), visitor.theme)
    }
}

/// The display names of the players at a table: those with chips and those with a seat.
pub(crate) fn names<'a>(
    app: &App,
    round: &'a RoundView,
    guests: impl Iterator<Item = &'a PlayerId>,
) -> Names {
    let with_chips = round.boxes.values().flat_map(|on_box| {
        std::iter::once(&on_box.player).chain(on_box.stakes.iter().map(|stake| &stake.player))
    });
    display_names(app, with_chips.map(|player| player.0.as_str()).chain(guests.map(PlayerId::as_str)))
}

/// The display names of these people.
pub(crate) fn display_names<'a>(app: &App, logins: impl Iterator<Item = &'a str>) -> Names {
    logins.filter_map(|login| Some((login.to_owned(), app.house.name_of(login)?))).collect()
}

/// A person's display name, or their log-in name if they have none.
pub(crate) fn display_name(app: &App, login: &str) -> String {
    app.house.name_of(login).unwrap_or_else(|| login.to_owned())
}

/// The number of tasks that wait for this reader, as a live region.
pub(crate) async fn waiting(app: &App, visitor: &Visitor) -> Result<maud::Markup, Fault> {
    let waiting = app.task_cache.count(&app.house, app.feed.received(), &visitor.actor).await?;
    Ok(crate::pages::shell::waiting(waiting))
}

/// Formats a time by the house's clock: day, hours, minutes and seconds.
pub(crate) fn when(app: &App, at: Instant) -> String {
    app.config.gaming_day.local(at)
}

/// One jackpot.
pub(crate) async fn jackpot(app: &App, id: &JackpotId) -> Result<JackpotView, Fault> {
    let found = app.house.jackpots().await?.into_iter().find(|jackpot| jackpot.id == *id);
    Ok(found.ok_or_else(|| baize_house::HouseError::UnknownJackpot(id.clone()))?)
}

/// The jackpot that a table is linked to.
pub(crate) async fn jackpot_of(app: &App, info: &TableInfo) -> Result<Option<JackpotView>, Fault> {
    match &info.jackpot {
        Some(id) => Ok(Some(jackpot(app, id).await?)),
        None => Ok(None),
    }
}

/// The displayed meter of a table's jackpot.
pub(crate) async fn displayed_meter(app: &App, table: &TableId) -> Result<Option<Money>, Fault> {
    Ok(jackpot_of(app, &app.house.table(table).await?).await?.map(|jackpot| jackpot.displayed))
}
