//! The event streams of pages.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use baize_house::{Actor, Duty, HouseError, JackpotId, TableId};

use super::app::App;
use super::body::Form;
use super::fault::Fault;
use super::news::Topic;
use super::page_handlers::named;
use super::streams::{Stream, serve, serve_from, topic_news};
use super::view_models::{self, table::Extra};
use super::visitor::Visitor;

type Answer = Result<Response, Fault>;

/// Boards of many tables are sent at most this often.
const BOARD_PAUSE: Duration = Duration::from_millis(400);

/// A page's stream begins with the state of now, whatever the page shows: what changed while it was on its way is in it.
const fn stream(topics: Vec<Topic>, pause: Duration) -> Stream {
    Stream { topics, seen: 0, pause, name: None }
}

/// The table's topics: the table and the reader's purse. The meter comes along with the table's own changes, and with those of others
/// when the lobby or the sign is open.
fn table_topics(id: &TableId, visitor: &Visitor) -> Vec<Topic> {
    [Some(Topic::Table(id.clone())), Topic::purse(&visitor.actor)].into_iter().flatten().collect()
}

pub(crate) async fn table(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let id: TableId = named(&id)?;
    app.house.table(&id).await?;
    let stream = stream(table_topics(&id, &visitor), Duration::ZERO);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { app.table_regions(&visitor, &id).await }
    }))
}

pub(crate) async fn dealer(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let id: TableId = named(&id)?;
    view_models::dealer::may(&visitor)?;
    app.house.may_deal(&visitor.actor, &id)?;
    let stream = stream(table_topics(&id, &visitor), Duration::ZERO);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(view_models::dealer::regions(&app, &visitor, &id).await?.0) }
    }))
}

pub(crate) async fn desk(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let id: TableId = named(&id)?;
    view_models::pit::may(&visitor, Duty::Dealer)?;
    app.house.may_deal(&visitor.actor, &id)?;
    let stream = stream(table_topics(&id, &visitor), Duration::ZERO);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(view_models::pit::desk_regions(&app, &visitor, &id, &Form::empty()).await?.0) }
    }))
}

pub(crate) async fn pit(State(app): State<App>, visitor: Visitor) -> Answer {
    view_models::pit::may(&visitor, Duty::PitSupervisor)?;
    let stream = stream(vec![Topic::All], BOARD_PAUSE);
    Ok(serve(&app, visitor, stream, |app, visitor| async move {
        Ok(view_models::pit::regions(&app, &visitor).await?.0)
    }))
}

/// A page of staff that follows nothing but what waits for its reader, which every stream of staff tells.
pub(crate) async fn waiting(State(app): State<App>, visitor: Visitor) -> Answer {
    match visitor.actor {
        Actor::Staff { .. } => {}
        Actor::Public | Actor::House => return Err(HouseError::NotLoggedIn.into()),
        Actor::Player { .. } => {
            return Err(HouseError::Forbidden { needs: Duty::Dealer, cites: baize_rules::Cites::NONE }.into());
        }
    }
    let stream =
        Stream { topics: Vec::new(), seen: app.news.latest().max(1), pause: BOARD_PAUSE, name: None };
    let nothing = Box::pin(tokio_stream::pending());
    Ok(serve_from(&app, visitor, stream, nothing, |_, _| async { Ok(String::new()) }))
}

pub(crate) async fn lobby(State(app): State<App>, visitor: Visitor) -> Answer {
    let stream = stream(vec![Topic::All], BOARD_PAUSE);
    Ok(serve(&app, visitor, stream, |app, visitor| async move {
        Ok(view_models::lobby::regions(&app, &visitor).await?.0)
    }))
}

pub(crate) async fn sign(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let id: JackpotId = named(&id)?;
    let of = view_models::jackpot(&app, &id).await?;
    // What its tables display is on the sign too.
    let mut topics = vec![Topic::Jackpot(id.clone())];
    topics.extend(of.tables.into_iter().map(Topic::Table));
    let stream = stream(topics, BOARD_PAUSE);
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(view_models::sign::regions(&app, &visitor, &id).await?.0) }
    }))
}

/// A player's session: their rounds, and what was to be expected of them as soon as it is counted.
pub(crate) async fn session(State(app): State<App>, visitor: Visitor) -> Answer {
    let nobody = if visitor.actor == Actor::Public {
        HouseError::NotLoggedIn
    } else {
        HouseError::NotNow("only a player has a session")
    };
    let topics = vec![Topic::purse(&visitor.actor).ok_or(nobody)?];
    let counted = tokio_stream::wrappers::WatchStream::from_changes(app.odds.listen());
    let counted = tokio_stream::StreamExt::map(counted, |_| 0);
    let stream = stream(topics, BOARD_PAUSE);
    let played = topic_news(&app, &stream);
    let news = Box::pin(tokio_stream::StreamExt::merge(played, counted));
    Ok(serve_from(&app, visitor, stream, news, |app, visitor| async move {
        Ok(view_models::session::regions(&app, &visitor).await?.0)
    }))
}

/// The figures of all games, while they are counted.
pub(crate) async fn all_odds(State(app): State<App>, visitor: Visitor) -> Answer {
    Ok(counted(&app, visitor, |app, visitor| async move {
        Ok(view_models::odds::index(&app, &visitor, true).await?.0)
    }))
}

/// The figures of a game, while they are counted.
pub(crate) async fn odds(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    view_models::odds::regions(&app, &visitor, &id).await?;
    Ok(counted(&app, visitor, move |app, visitor| {
        let id = id.clone();
        async move { Ok(view_models::odds::regions(&app, &visitor, &id).await?.0) }
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
            return Ok(view_models::table::regions(self, visitor, id, Extra::default()).await?.0);
        }
        let public = Visitor { theme: visitor.theme, ..Visitor::nobody(None) };
        let key = format!("{id} {}", public.theme.code());
        let heard = self.news.heard();
        self.drawn
            .get(key, heard, || async {
                Ok(view_models::table::regions(self, &public, id, Extra::default()).await?.0)
            })
            .await
    }
}
