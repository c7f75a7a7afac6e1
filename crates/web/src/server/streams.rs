//! Event streams: the rendered live regions of a page, or the data of an API stream, sent whenever one of its topics changes.
//!
//! A page's stream begins with the current state. An API client sends the id of the last event it has seen and gets the current state if
//! anything may have changed since. Buffers are bounded: a slow reader gets fewer states, and one that reads nothing is disconnected.

use std::convert::Infallible;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::{ReceiverStream, WatchStream};

use super::app::App;
use super::change_feed::Topic;
use super::fault::Fault;
use super::visitor::Visitor;

/// After how long a browser reconnects when the server stops.
const RECONNECT_DELAY: Duration = Duration::from_millis(500);

/// The settings of an event stream.
pub(crate) struct StreamSettings {
    /// What it follows.
    pub(crate) topics: Vec<Topic>,
    /// The last change that the reader has seen; 0: none.
    pub(crate) last_event_id: u64,
    /// Events are at least this far apart.
    pub(crate) min_interval: Duration,
    /// The name of the events; `None` for the default `message`.
    pub(crate) name: Option<&'static str>,
}

/// The last event that a client has seen: from the `Last-Event-ID` header, which browsers send when they reconnect, or the `after` parameter.
pub(crate) fn last_event_id(headers: &HeaderMap, after: &str) -> u64 {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    last.and_then(|id| id.trim().parse().ok()).or_else(|| after.parse().ok()).unwrap_or(0)
}

/// Counts an open stream in the metrics.
struct OpenStream(App);

impl OpenStream {
    fn new(app: &App) -> OpenStream {
        app.metrics.streams.fetch_add(1, Relaxed);
        OpenStream(app.clone())
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.metrics.streams.fetch_sub(1, Relaxed);
    }
}

/// The numbers of changes.
pub(crate) type Changes = std::pin::Pin<Box<dyn tokio_stream::Stream<Item = u64> + Send>>;

/// Sends what `render` returns now and after each change of the stream's topics, until the reader disconnects, stops reading or is logged
/// out.
pub(crate) fn serve<S, F>(app: &App, visitor: Visitor, stream: StreamSettings, render: S) -> Response
where
    S: Fn(App, Visitor) -> F + Send + 'static,
    F: Future<Output = Result<String, Fault>> + Send,
{
    let changes = topic_changes(app, &stream);
    serve_from(app, visitor, stream, changes, render)
}

/// The changes of a stream's topics from now on. Subscribe before reading a view, so that no change is missed.
pub(crate) fn topic_changes(app: &App, stream: &StreamSettings) -> Changes {
    let changes = stream.topics.iter().fold(tokio_stream::StreamMap::new(), |mut map, topic| {
        map.insert(map.len(), WatchStream::from_changes(app.feed.subscribe(topic)));
        map
    });
    Box::pin(changes.map(|(_, change)| change))
}

/// As [`serve`], following any stream of changes.
pub(crate) fn serve_from<S, F>(
    app: &App,
    visitor: Visitor,
    stream: StreamSettings,
    mut changes: Changes,
    render: S,
) -> Response
where
    S: Fn(App, Visitor) -> F + Send + 'static,
    F: Future<Output = Result<String, Fault>> + Send,
{
    let (sender, receiver) = mpsc::channel::<Event>(4);
    let app = app.clone();
    let (phase, last_words) = (app.phase.clone(), sender.clone());
    let session = visitor.secret.as_deref().map(|secret| app.open_sessions.watch(secret));
    // Only pages get HTML regions: a client of a named stream gets nothing but its data.
    let is_page = stream.name.is_none();
    let (first_sent, wait_for_first) = oneshot::channel();
    let task_counts = send_task_counts(app.clone(), visitor.clone(), sender.clone(), is_page, wait_for_first);
    let sending = async move {
        let _open = OpenStream::new(&app);
        let mut first_sent = Some(first_sent);
        let mut number = stream.last_event_id;
        let mut due = missed_changes(&app, &stream).await;
        let write_timeout = Duration::from_secs(app.config.unread_seconds);
        loop {
            if due {
                number = number.max(app.feed.latest());
                let Ok(data) = render(app.clone(), visitor.clone()).await else { return };
                // The protocol allows no carriage return in an event.
                let event = Event::default().id(number.to_string()).data(data.replace('\r', " "));
                let event = match stream.name {
                    Some(name) => event.event(name),
                    None => event,
                };
                match tokio::time::timeout(write_timeout, sender.send(event)).await {
                    Ok(Ok(())) => {
                        app.metrics.events_sent.fetch_add(1, Relaxed);
                    }
                    Ok(Err(_)) => return,
                    Err(_) => {
                        app.metrics.streams_dropped.fetch_add(1, Relaxed);
                        return;
                    }
                }
                if !stream.min_interval.is_zero() {
                    tokio::time::sleep(stream.min_interval).await;
                }
            }
            // Nobody waits for it if the stream sends no task counts.
            first_sent.take().map(|first_sent| first_sent.send(()).is_ok());
            tokio::select! {
                change = changes.next() => match change {
                    Some(change) => { number = number.max(change); due = true; }
                    None => return,
                },
                () = sender.closed() => return,
            }
        }
    };
    tokio::spawn(async move {
        let session_ended = async {
            match session {
                Some(mut session) => session.ended().await,
                None => std::future::pending().await,
            }
        };
        // The session's end and the server's stop also interrupt a send that waits for a slow reader.
        tokio::select! {
            () = sending => {}
            () = task_counts => {}
            () = session_ended => {}
            () = phase.closing() => {
                // If the reader's buffer is full, the browser reconnects when the connection ends.
                let _ = last_words.try_send(Event::default().retry(RECONNECT_DELAY).comment("the server stops; reconnect"));
            }
        }
    });
    let events = ReceiverStream::new(receiver).map(Ok::<Event, Infallible>);
    let mut response =
        Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response();
    response.headers_mut().insert("x-accel-buffering", axum::http::HeaderValue::from_static("no"));
    response
}

/// Task counts are sent at most this often.
const TASKS_MIN_INTERVAL: Duration = Duration::from_millis(400);

/// Task counts are recomputed this often without a change: some tasks end by time alone, such as a locked account.
const TASKS_RECHECK: Duration = Duration::from_secs(10);

/// Changes may arrive this many numbers late, because tables are written concurrently.
const MAX_REORDERING: u64 = 64;

/// Sends a member of staff the number of tasks that wait for them, whenever it changes, on every page. Never ends for other readers.
async fn send_task_counts(
    app: App,
    visitor: Visitor,
    sender: mpsc::Sender<Event>,
    is_page: bool,
    first_sent: oneshot::Receiver<()>,
) {
    let staff = matches!(visitor.actor, baize_house::Actor::Staff { .. });
    // Always after the page's own regions, so that the order of events reveals nothing.
    if !is_page || !staff || first_sent.await.is_err() {
        return std::future::pending().await;
    }
    let mut changes = app.feed.subscribe(&Topic::All);
    let mut sent = String::new();
    loop {
        let Ok(markup) = super::show::waiting(&app, &visitor).await else { return };
        if markup.0 != sent {
            sent.clone_from(&markup.0);
            // Without an id: a browser that reconnects must still ask for its own regions.
            if sender.send(Event::default().data(markup.0)).await.is_err() {
                return;
            }
        }
        tokio::time::sleep(TASKS_MIN_INTERVAL).await;
        if let Ok(Err(_)) = tokio::time::timeout(TASKS_RECHECK, changes.changed()).await {
            return;
        }
    }
}

/// Whether anything may have changed since the reader's last event.
async fn missed_changes(app: &App, stream: &StreamSettings) -> bool {
    const LIMIT: u32 = 1_000;
    if stream.last_event_id == 0 {
        return true;
    }
    match app.house.changes_after(stream.last_event_id.saturating_sub(MAX_REORDERING), LIMIT).await {
        Ok(changes) => {
            changes.len() >= LIMIT as usize
                || changes.iter().any(|change| stream.topics.iter().any(|topic| topic.matches(&change.what)))
        }
        Err(_) => true,
    }
}
