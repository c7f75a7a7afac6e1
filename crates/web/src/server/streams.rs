//! Event streams: what a page's live regions look like now, sent whenever its topic has news.
//!
//! Each event carries the number of the change that it shows; a browser that comes back tells the last one it has seen and gets the
//! state of now if anything has changed since. Buffers are bounded: whoever does not read sees fewer states, and is closed when he
//! reads nothing at all.

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

/// The number of the last event that the reader has seen: his browser tells it when it comes back, the page when it begins.
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
    // Whoever listens before he looks misses nothing.
    let news = stream.topics.iter().fold(tokio_stream::StreamMap::new(), |mut map, topic| {
        map.insert(map.len(), WatchStream::from_changes(app.news.listen(topic)));
        map
    });
    serve_from(app, visitor, stream, Box::pin(news.map(|(_, change)| change)), show)
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
    let watched = visitor.secret.as_deref().map(|secret| app.open_sessions.watch(secret));
    let sending = async move {
        let _open = Open::new(&app);
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
        match watched {
            // Whatever it is at, waiting for a slow reader too, it ends with the session.
            Some(mut watched) => tokio::select! { () = sending => {}, () = watched.ended() => {} },
            None => sending.await,
        }
    });
    let events = ReceiverStream::new(receiver).map(Ok::<Event, Infallible>);
    let mut response =
        Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response();
    response.headers_mut().insert("x-accel-buffering", axum::http::HeaderValue::from_static("no"));
    response
}

/// Whether anything has changed since the reader last looked.
async fn missed(app: &App, stream: &Stream) -> bool {
    if stream.seen == 0 {
        return true;
    }
    if stream.seen == app.news.latest() {
        return false;
    }
    match app.house.changes_after(stream.seen, 1_000).await {
        Ok(changes) => {
            changes.len() >= 1_000
                || changes.iter().any(|change| stream.topics.iter().any(|topic| topic.has(&change.what)))
        }
        Err(_) => true,
    }
}
