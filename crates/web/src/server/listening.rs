//! The event streams of pages.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use baize_house::{Duty, JackpotId, TableId};

use super::app::App;
use super::body::{Form, Query};
use super::fault::Fault;
use super::fill::{self, table::Extra};
use super::news::Topic;
use super::rooms::named;
use super::streams::{Stream, seen, serve, serve_from};
use super::visitor::Visitor;

type Answer = Result<Response, Fault>;

/// Boards of many tables are sent at most this often.
const BOARD_PAUSE: Duration = Duration::from_millis(400);

fn stream(topics: Vec<Topic>, headers: &HeaderMap, asked: &Form, pause: Duration) -> Stream {
    Stream { topics, seen: seen(headers, asked.text("after")), pause, name: None }
}

/// The table's topics: the table and the reader's purse. The meter comes along with the table's own changes, and with those of others
/// when the lobby or the sign is open.
fn table_topics(id: &TableId, visitor: &Visitor) -> Vec<Topic> {
    [Some(Topic::Table(id.clone())), Topic::purse(&visitor.actor)].into_iter().flatten().collect()
}

pub(crate) async fn table(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    let id: TableId = named(&id)?;
    app.house.table(&id).await?;
    let stream = stream(table_topics(&id, &visitor), &headers, &asked, Duration::ZERO);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { app.table_regions(&visitor, &id).await }
    }))
}

pub(crate) async fn dealer(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    let id: TableId = named(&id)?;
    fill::dealer::may(&visitor)?;
    app.house.may_deal(&visitor.actor, &id)?;
    let stream = stream(table_topics(&id, &visitor), &headers, &asked, Duration::ZERO);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(fill::dealer::regions(&app, &visitor, &id).await?.0) }
    }))
}

pub(crate) async fn desk(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    let id: TableId = named(&id)?;
    fill::pit::may(&visitor, Duty::Dealer)?;
    app.house.may_deal(&visitor.actor, &id)?;
    let stream = stream(table_topics(&id, &visitor), &headers, &asked, Duration::ZERO);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(fill::pit::desk_regions(&app, &visitor, &id, &Form::empty()).await?.0) }
    }))
}

pub(crate) async fn pit(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    fill::pit::may(&visitor, Duty::PitSupervisor)?;
    let stream = stream(vec![Topic::All], &headers, &asked, BOARD_PAUSE);
    Ok(serve(
        &app,
        visitor,
        stream,
        |app, visitor| async move { Ok(fill::pit::regions(&app, &visitor).await?.0) },
    ))
}

pub(crate) async fn lobby(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    let stream = stream(vec![Topic::All], &headers, &asked, BOARD_PAUSE);
    Ok(serve(&app, visitor, stream, |app, visitor| async move {
        Ok(fill::lobby::regions(&app, &visitor).await?.0)
    }))
}

pub(crate) async fn sign(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    let id: JackpotId = named(&id)?;
    fill::jackpot(&app, &id).await?;
    let stream = stream(vec![Topic::Jackpot(id.clone())], &headers, &asked, BOARD_PAUSE);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(fill::sign::regions(&app, &visitor, &id).await?.0) }
    }))
}

/// The figures of all games, while they are counted.
pub(crate) async fn all_odds(State(app): State<App>, visitor: Visitor) -> Answer {
    Ok(counted(
        &app,
        visitor,
        |app, visitor| async move { Ok(fill::odds::index(&app, &visitor, true).await?.0) },
    ))
}

/// The figures of a game, while they are counted.
pub(crate) async fn odds(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    fill::odds::regions(&app, &visitor, &id).await?;
    Ok(counted(&app, visitor, move |app, visitor| {
        let id = id.clone();
        async move { Ok(fill::odds::regions(&app, &visitor, &id).await?.0) }
    }))
}

/// A stream that follows the counting instead of the house.
fn counted<S, F>(app: &App, visitor: Visitor, show: S) -> Response
where
    S: Fn(App, Visitor) -> F + Send + 'static,
    F: Future<Output = Result<String, Fault>> + Send,
{
    // The number of a state is how many parts are done; the state of now always comes first.
    let heard = tokio_stream::wrappers::WatchStream::from_changes(app.odds.listen());
    let news = tokio_stream::StreamExt::map(heard, |progress| progress.done as u64);
    let stream = Stream { topics: Vec::new(), seen: 0, pause: BOARD_PAUSE, name: None };
    serve_from(app, visitor, stream, Box::pin(news), show)
}

impl App {
    /// The live regions of a table for this reader. Those who only watch all see the same: it is drawn once for them.
    async fn table_regions(&self, visitor: &Visitor, id: &TableId) -> Result<String, Fault> {
        if visitor.actor != baize_house::Actor::Public {
            return Ok(fill::table::regions(self, visitor, id, Extra::default()).await?.0);
        }
        let public = Visitor { theme: visitor.theme, ..Visitor::nobody(None) };
        let key = format!("{id} {}", public.theme.code());
        let latest = self.news.latest();
        self.drawn
            .get(key, latest, || async {
                Ok(fill::table::regions(self, &public, id, Extra::default()).await?.0)
            })
            .await
    }
}
