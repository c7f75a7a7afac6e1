//! Event streams: what a page's live regions look like now, sent whenever its topic has news.
//!
//! A page's stream begins with the state of now. A program tells the number of the last event that it has seen and gets the state of now
//! if anything may have changed since. Buffers are bounded: a slow reader sees fewer states, and is closed when they
//! read nothing at all.

use std::convert::Infallible;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::{ReceiverStream, WatchStream};

use super::app::App;
use super::fault::Fault;
use super::news::Topic;
use super::visitor::Visitor;

/// How soon a browser comes back when the server stops.
const COME_BACK: Duration = Duration::from_millis(500);

/// How an event stream is served.
pub(crate) struct Stream {
    /// What it follows.
    pub(crate) topics: Vec<Topic>,
    /// The number of the last change that the reader has seen.
    pub(crate) seen: u64,
    /// States are sent at most this often.
    pub(crate) pause: Duration,
    /// The name of the events; none for the usual `message`.
    pub(crate) name: Option<&'static str>,
}

/// The number of the last event that a program has seen: in the address, or as it is sent by itself when a connection is made again.
pub(crate) fn seen(headers: &HeaderMap, after: &str) -> u64 {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    last.and_then(|id| id.trim().parse().ok()).or_else(|| after.parse().ok()).unwrap_or(0)
}

/// Counts open streams.
struct Open(App);

impl Open {
    fn new(app: &App) -> Open {
        app.metrics.streams.fetch_add(1, Relaxed);
        Open(app.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.metrics.streams.fetch_sub(1, Relaxed);
    }
}

/// Sends what `show` says now, and again whenever there is news, until the reader goes, stops reading or is logged out.
pub(crate) fn serve<S, F>(app: &App, visitor: Visitor, stream: Stream, show: S) -> Response
where
    S: Fn(App, Visitor) -> F + Send + 'static,
    F: Future<Output = Result<String, Fault>> + Send,
{
    let news = topic_news(app, &stream);
    serve_from(app, visitor, stream, news, show)
}

/// The changes of a stream's topics, from now on. Subscribe before reading a view, and no change is missed.
pub(crate) fn topic_news(app: &App, stream: &Stream) -> Heard {
    let news = stream.topics.iter().fold(tokio_stream::StreamMap::new(), |mut map, topic| {
        map.insert(map.len(), WatchStream::from_changes(app.news.listen(topic)));
        map
    });
    Box::pin(news.map(|(_, change)| change))
}

/// The numbers of what happens.
pub(crate) type Heard = std::pin::Pin<Box<dyn tokio_stream::Stream<Item = u64> + Send>>;

/// The same for news of any kind.
pub(crate) fn serve_from<S, F>(
    app: &App,
    visitor: Visitor,
    stream: Stream,
    mut news: Heard,
    show: S,
) -> Response
where
    S: Fn(App, Visitor) -> F + Send + 'static,
    F: Future<Output = Result<String, Fault>> + Send,
{
    let (sender, receiver) = mpsc::channel::<Event>(4);
    let app = app.clone();
    let (phase, farewell) = (app.phase.clone(), sender.clone());
    let watched = visitor.secret.as_deref().map(|secret| app.open_sessions.watch(secret));
    // Regions are for pages: a program that reads a named stream gets its data and nothing else.
    let pages = stream.name.is_none();
    let (first, shown) = tokio::sync::oneshot::channel();
    let counting = tell_waiting(app.clone(), visitor.clone(), sender.clone(), pages, shown);
    let sending = async move {
        let _open = Open::new(&app);
        let mut first = Some(first);
        let mut number = stream.seen;
        let mut due = missed(&app, &stream).await;
        let patience = Duration::from_secs(app.config.unread_seconds);
        loop {
            if due {
                number = number.max(app.news.latest());
                let Ok(data) = show(app.clone(), visitor.clone()).await else { return };
                // A carriage return cannot travel in an event.
                let event = Event::default().id(number.to_string()).data(data.replace('\r', " "));
                let event = match stream.name {
                    Some(name) => event.event(name),
                    None => event,
                };
                match tokio::time::timeout(patience, sender.send(event)).await {
                    Ok(Ok(())) => {
                        app.metrics.events_sent.fetch_add(1, Relaxed);
                    }
                    Ok(Err(_)) => return,
                    Err(_) => {
                        app.metrics.streams_dropped.fetch_add(1, Relaxed);
                        return;
                    }
                }
                if !stream.pause.is_zero() {
                    tokio::time::sleep(stream.pause).await;
                }
            }
            // Nobody waits for it on a stream of a program.
            first.take().map(|first| first.send(()).is_ok());
            tokio::select! {
                heard = news.next() => match heard {
                    Some(change) => { number = number.max(change); due = true; }
                    None => return,
                },
                () = sender.closed() => return,
            }
        }
    };
    tokio::spawn(async move {
        let ended = async {
            match watched {
                Some(mut watched) => watched.ended().await,
                None => std::future::pending().await,
            }
        };
        // Whatever it is at, waiting for a slow reader too, it ends with the session, and when the server stops: the browser is asked to come
        // back at once.
        tokio::select! {
            () = sending => {}
            () = counting => {}
            () = ended => {}
            () = phase.closing() => {
                // A reader who is so far behind that nothing more fits comes back when the connection ends.
                let _ = farewell.try_send(Event::default().retry(COME_BACK).comment("the server stops; come back"));
            }
        }
    });
    let events = ReceiverStream::new(receiver).map(Ok::<Event, Infallible>);
    let mut response =
        Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response();
    response.headers_mut().insert("x-accel-buffering", axum::http::HeaderValue::from_static("no"));
    response
}

/// The queue is reported at most this often.
const WAITING_PAUSE: Duration = Duration::from_millis(400);

/// And looked at this often without news.
const WAITING_AGAIN: Duration = Duration::from_secs(10);

/// Changes are reported at most this many numbers late: tables are written at the same time.
const LATE: u64 = 64;

/// Tells a member of staff on every page how much waits for them, as soon as it changes. Does not end for others.
async fn tell_waiting(
    app: App,
    visitor: Visitor,
    sender: mpsc::Sender<Event>,
    pages: bool,
    shown: tokio::sync::oneshot::Receiver<()>,
) {
    let staff = matches!(visitor.actor, baize_house::Actor::Staff { .. });
    // The regions of the page come first, always: what comes when tells nobody anything.
    if !pages || !staff || shown.await.is_err() {
        return std::future::pending().await;
    }
    let mut news = app.news.listen(&Topic::All);
    let mut told = String::new();
    loop {
        let Ok(markup) = super::view_models::waiting(&app, &visitor).await else { return };
        if markup.0 != told {
            told.clone_from(&markup.0);
            // It has no id: a browser that comes back asks for its own regions all the same.
            if sender.send(Event::default().data(markup.0)).await.is_err() {
                return;
            }
        }
        tokio::time::sleep(WAITING_PAUSE).await;
        // Some of it ends by time alone, such as a lock.
        if let Ok(Err(_)) = tokio::time::timeout(WAITING_AGAIN, news.changed()).await {
            return;
        }
    }
}

/// Whether anything may have changed since the reader last looked.
async fn missed(app: &App, stream: &Stream) -> bool {
    if stream.seen == 0 {
        return true;
    }
    match app.house.changes_after(stream.seen.saturating_sub(LATE), 1_000).await {
        Ok(changes) => {
            changes.len() >= 1_000
                || changes.iter().any(|change| stream.topics.iter().any(|topic| topic.has(&change.what)))
        }
        Err(_) => true,
    }
}
