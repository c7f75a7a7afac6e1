//! The event streams of pages.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use baize_house::{Actor, Duty, HouseError, JackpotId, TableId};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::WatchStream;

use super::app::App;
use super::body::Form;
use super::change_feed::Topic;
use super::fault::{Fault, PageResult};
use super::page_handlers::parse_name;
use super::show::{self, Part};
use super::streams::{StreamSettings, serve, serve_from, topic_changes};
use super::visitor::Visitor;

/// Boards of many tables are sent at most this often.
const BOARD_INTERVAL: Duration = Duration::from_millis(400);

/// A page's stream always begins with the current state: it includes what changed while the page was loading.
const fn stream(topics: Vec<Topic>, min_interval: Duration) -> StreamSettings {
    StreamSettings { topics, last_event_id: 0, min_interval, name: None }
}

/// A stream of one table. The meter on it is updated with the table's own changes only.
fn table_stream(id: &TableId, visitor: &Visitor) -> StreamSettings {
    stream(Topic::table_and_purse(id, &visitor.actor), Duration::ZERO)
}

pub(crate) async fn table(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> PageResult {
    let id: TableId = parse_name(&id)?;
    app.house.table(&id).await?;
    let stream = table_stream(&id, &visitor);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { app.table_regions(&visitor, &id).await }
    }))
}

pub(crate) async fn dealer(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> PageResult {
    let id: TableId = parse_name(&id)?;
    visitor.require(Duty::Dealer)?;
    app.house.may_deal(&visitor.actor, &id)?;
    let stream = table_stream(&id, &visitor);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(show::dealer::render(&app, &visitor, &id, None, Part::Regions).await?.0) }
    }))
}

pub(crate) async fn desk(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> PageResult {
    let id: TableId = parse_name(&id)?;
    show::pit::require_role(&visitor, Duty::Dealer)?;
    app.house.may_deal(&visitor.actor, &id)?;
    let stream = table_stream(&id, &visitor);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(show::pit::render_desk(&app, &visitor, &id, &Form::empty(), Part::Regions).await?.0) }
    }))
}

pub(crate) async fn pit(State(app): State<App>, visitor: Visitor) -> PageResult {
    show::pit::require_role(&visitor, Duty::PitSupervisor)?;
    let stream = stream(vec![Topic::All], BOARD_INTERVAL);
    Ok(serve(&app, visitor, stream, |app, visitor| async move {
        Ok(show::pit::render(&app, &visitor, Part::Regions).await?.0)
    }))
}

/// For staff pages without live regions of their own: only the number of waiting tasks, which every stream of staff sends.
pub(crate) async fn waiting(State(app): State<App>, visitor: Visitor) -> PageResult {
    visitor.require_login()?;
    if visitor.actor.as_player().is_some() {
        visitor.require(Duty::Dealer)?;
    }
    let last_event_id = app.feed.latest().max(1);
    let stream = StreamSettings { last_event_id, ..stream(Vec::new(), BOARD_INTERVAL) };
    let no_changes = Box::pin(tokio_stream::pending());
    Ok(serve_from(&app, visitor, stream, no_changes, |_, _| async { Ok(String::new()) }))
}

pub(crate) async fn lobby(State(app): State<App>, visitor: Visitor) -> PageResult {
    let stream = stream(vec![Topic::All], BOARD_INTERVAL);
    Ok(serve(&app, visitor, stream, |app, visitor| async move {
        Ok(show::lobby::render(&app, &visitor, Part::Regions).await?.0)
    }))
}

pub(crate) async fn sign(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> PageResult {
    let id: JackpotId = parse_name(&id)?;
    let jackpot = show::jackpot(&app, &id).await?;
    // The sign repeats the jackpot notices of its tables.
    let mut topics = vec![Topic::Jackpot(id.clone())];
    topics.extend(jackpot.tables.into_iter().map(Topic::Table));
    let stream = stream(topics, BOARD_INTERVAL);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(show::sign::render(&app, &visitor, &id, Part::Regions).await?.0) }
    }))
}

/// A player's session: updated after each round, and when the expected result has been computed.
pub(crate) async fn session(State(app): State<App>, visitor: Visitor) -> PageResult {
    let no_session = if visitor.actor == Actor::Public {
        HouseError::NotLoggedIn
    } else {
        HouseError::NotNow("only a player has a session")
    };
    let stream = stream(vec![Topic::purse(&visitor.actor).ok_or(no_session)?], BOARD_INTERVAL);
    let computed = WatchStream::from_changes(app.odds.progress()).map(|_| 0);
    let changes = Box::pin(topic_changes(&app, &stream).merge(computed));
    Ok(serve_from(&app, visitor, stream, changes, |app, visitor| async move {
        Ok(show::play_session::render(&app, &visitor, None, Part::Regions).await?.0)
    }))
}

/// The figures of all games, while they are computed.
pub(crate) async fn all_odds(State(app): State<App>, visitor: Visitor) -> PageResult {
    Ok(odds_stream(&app, visitor, |app, visitor| async move {
        Ok(show::odds::index(&app, &visitor, Part::Regions).await?.0)
    }))
}

/// The figures of one game, while they are computed.
pub(crate) async fn odds(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> PageResult {
    show::odds::regions(&app, &visitor, &id).await?;
    Ok(odds_stream(&app, visitor, move |app, visitor| {
        let id = id.clone();
        async move { Ok(show::odds::regions(&app, &visitor, &id).await?.0) }
    }))
}

/// A stream that follows the progress of the solver instead of the house. Its event ids count finished parts.
fn odds_stream<S, F>(app: &App, visitor: Visitor, render: S) -> Response
where
    S: Fn(App, Visitor) -> F + Send + 'static,
    F: Future<Output = Result<String, Fault>> + Send,
{
    let progress = WatchStream::from_changes(app.odds.progress()).map(|progress| progress.done as u64);
    serve_from(app, visitor, stream(Vec::new(), BOARD_INTERVAL), Box::pin(progress), render)
}

impl App {
    /// The live regions of a table for this reader. All anonymous spectators share one rendering.
    async fn table_regions(&self, visitor: &Visitor, id: &TableId) -> Result<String, Fault> {
        if visitor.actor != Actor::Public {
            return Ok(show::table::render(self, visitor, id, None, Part::Regions).await?.0);
        }
        let public = Visitor { theme: visitor.theme, ..Visitor::anonymous(None) };
        let key = format!("{id} {}", public.theme.code());
        let render = || async { Ok(show::table::render(self, &public, id, None, Part::Regions).await?.0) };
        self.page_cache.get(key, self.feed.received(), render).await
    }
}
