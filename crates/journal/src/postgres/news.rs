//! Notifications between hosts, and whether other hosts are running.
//!
//! A dedicated connection listens and holds a shared advisory lock while the host lives. A host that can take the lock exclusively knows
//! that no other host is running, so rounds in progress were interrupted. It keeps the exclusive lock until it has opened the casino: if it
//! dies before, the next host takes over and resolves those rounds. Lost notifications (a host dies between COMMIT and NOTIFY) are made up
//! for by polling every few seconds.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot};
use tokio_postgres::{AsyncMessage, Client};

use super::pool::{Pool, meaning};
use crate::secret;
use crate::{StoreError, Stream};

/// Advisory lock held by every host.
pub(super) const HOSTS: i64 = 0x6261_697a_6502;
/// Counts the hosts that hold it in this database. The server shows the two halves of a lock's number.
pub(super) const HOSTS_THERE: &str =
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND (classid::bigint << 32) | objid::bigint = $1";
/// How long notifications are batched.
const BATCH_TIME: Duration = Duration::from_millis(3);
/// Interval of polling for missed notifications.
const LOOK: Duration = Duration::from_secs(3);
/// Interval of attempts to reconnect: other hosts must not take this one for dead.
const AGAIN: Duration = Duration::from_millis(200);
/// A server that started more recently may not have all its hosts back, because it replays its log before it accepts connections.
const RECENT_START: Duration = Duration::from_secs(30);
/// How often a host looks for others on such a server.
const MAX_LOOKS: u32 = 30;
/// Attempts to take the lock exclusively before joining others: the server may need a moment to notice that a host has died.
const TRIES: u32 = 20;
const TRY_INTERVAL: Duration = Duration::from_millis(50);
/// How long a host waits for another that is opening the casino.
const OPENING_TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum payload; PostgreSQL allows less than 8000 bytes.
const MAX_PAYLOAD: usize = 7_000;

enum Message {
    Changed(Vec<Stream>),
    Flush(oneshot::Sender<()>),
}

/// Notification service of a host.
#[derive(Clone)]
pub(super) struct News {
    messages: mpsc::UnboundedSender<Message>,
    alone: bool,
    opening: Opening,
    /// Ends the tasks when the last clone is dropped.
    end: Arc<EndOnDrop>,
}

/// The connection of a host that started alone, until it has opened the casino.
type Opening = Arc<Mutex<Option<Arc<Client>>>>;

struct EndOnDrop(Arc<Notify>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        // The watcher may be busy: it finds this when it waits again.
        self.0.notify_one();
    }
}

impl News {
    pub(super) async fn start(pool: &Pool) -> Result<(News, mpsc::UnboundedReceiver<Stream>), StoreError> {
        let host = secret::token(8);
        let (notifications, receiver) = mpsc::unbounded_channel();
        let end = Arc::new(Notify::new());
        let client = Arc::new(listen(pool, &host, &notifications).await?);
        wait_for_other_hosts(&client).await?;
        let alone = acquire_host_lock(&client).await?;
        let opening: Opening = Arc::new(Mutex::new(alone.then(|| Arc::clone(&client))));
        let (messages, queue) = mpsc::unbounded_channel();
        tokio::spawn(send_loop(pool.clone(), host.clone(), queue));
        let watching =
            Watcher { pool: pool.clone(), host, notifications, client, opening: Arc::clone(&opening) };
        tokio::spawn(watching.watch(Arc::clone(&end)));
        let news = News { messages, alone, opening, end: Arc::new(EndOnDrop(end)) };
        Ok((news, receiver))
    }

    /// Releases the exclusive lock. Fails if this host started alone but has lost its connection since, because another host may also have
    /// started alone.
    pub(super) async fn opened(&self) -> Result<(), StoreError> {
        let came = self.opening.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(client) = came {
            // The shared lock is already held, so no other host can start alone in between.
            client
                .execute("SELECT pg_advisory_unlock($1)", &[&HOSTS])
                .await
                .map_err(|error| meaning(&error))?;
        }
        *self.opening.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    /// For a program that is not a host: only sends, and does not hold the lock by which hosts are counted.
    pub(super) fn send_only(pool: &Pool) -> News {
        let (messages, queue) = mpsc::unbounded_channel();
        tokio::spawn(send_loop(pool.clone(), secret::token(8), queue));
        News {
            messages,
            alone: false,
            opening: Opening::default(),
            end: Arc::new(EndOnDrop(Arc::new(Notify::new()))),
        }
    }

    pub(super) const fn alone(&self) -> bool {
        self.alone
    }

    /// Notifies other hosts that these chains have new entries.
    pub(super) fn tell(&self, streams: Vec<Stream>) {
        // Fails only after shutdown, when nobody needs notifications.
        let _ = self.messages.send(Message::Changed(streams));
    }

    /// Waits until all notifications are sent, and stops listening. A closed house may stay in memory for a while, and its database may be
    /// dropped: the host must neither be counted any more nor try to reconnect.
    pub(super) async fn close(&self) {
        let (done, told) = oneshot::channel();
        if self.messages.send(Message::Flush(done)).is_ok() {
            // The task is gone: nothing is left to send.
            let _ = told.await;
        }
        self.end.0.notify_one();
    }
}

/// A server that has just restarted has lost the locks of its hosts, which take them again when they reconnect. A host that starts in
/// between waits, so that it does not think it is alone and their rounds interrupted. A casino without entries has no other hosts.
async fn wait_for_other_hosts(client: &Client) -> Result<(), StoreError> {
    let sql = "SELECT (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::bigint,
               EXISTS (SELECT FROM entries)";
    let row = client.query_one(sql, &[]).await.map_err(|error| meaning(&error))?;
    let (up, played): (i64, bool) = (row.get(0), row.get(1));
    if !played || Duration::from_millis(u64::try_from(up).unwrap_or(0)) >= RECENT_START {
        return Ok(());
    }
    for _ in 0..MAX_LOOKS {
        let there: i64 =
            client.query_one(HOSTS_THERE, &[&HOSTS]).await.map_err(|error| meaning(&error))?.get(0);
        if there > 0 {
            break;
        }
        tokio::time::sleep(AGAIN).await;
    }
    Ok(())
}

/// Takes the hosts' lock and returns whether this host is alone. If so, it also holds the lock exclusively.
async fn acquire_host_lock(client: &Client) -> Result<bool, StoreError> {
    let began = tokio::time::Instant::now();
    let mut tried = 0;
    loop {
        if try_lock(client, "pg_try_advisory_lock").await? {
            share(client).await?;
            return Ok(true);
        }
        tried += 1;
        if tried > TRIES && try_lock(client, "pg_try_advisory_lock_shared").await? {
            return Ok(false);
        }
        if began.elapsed() > OPENING_TIMEOUT {
            let why = "another process has been opening this casino, or changing its key, for two minutes";
            return Err(StoreError::Away(why.to_owned()));
        }
        tokio::time::sleep(TRY_INTERVAL).await;
    }
}

async fn try_lock(client: &Client, how: &str) -> Result<bool, StoreError> {
    let row = client.query_one(&format!("SELECT {how}($1)"), &[&HOSTS]).await;
    Ok(row.map_err(|error| meaning(&error))?.get(0))
}

async fn share(client: &Client) -> Result<(), StoreError> {
    client.execute("SELECT pg_advisory_lock_shared($1)", &[&HOSTS]).await.map_err(|error| meaning(&error))?;
    Ok(())
}

/// Opens a connection that receives other hosts' notifications.
async fn listen(
    pool: &Pool,
    host: &str,
    notifications: &mpsc::UnboundedSender<Stream>,
) -> Result<Client, StoreError> {
    let (client, mut connection) = pool.connect().await?;
    let (host, notifications) = (host.to_owned(), notifications.clone());
    tokio::spawn(async move {
        while let Some(Ok(message)) = std::future::poll_fn(|cx| connection.poll_message(cx)).await {
            let AsyncMessage::Notification(note) = message else { continue };
            let mut lines = note.payload().lines();
            if lines.next() == Some(host.as_str()) {
                continue;
            }
            for stream in lines {
                if notifications.send(Stream::named(stream)).is_err() {
                    return;
                }
            }
        }
    });
    client.batch_execute("LISTEN baize").await.map_err(|error| meaning(&error))?;
    Ok(client)
}

/// Keeps the listening connection alive and polls for missed notifications.
struct Watcher {
    pool: Pool,
    host: String,
    notifications: mpsc::UnboundedSender<Stream>,
    client: Arc<Client>,
    opening: Opening,
}

impl Watcher {
    async fn watch(mut self, end: Arc<Notify>) {
        let mut seen: Option<i64> = None;
        let mut looked = tokio::time::Instant::now();
        loop {
            tokio::select! {
                () = end.notified() => return,
                () = tokio::time::sleep(AGAIN) => {}
            }
            if self.notifications.is_closed() {
                return;
            }
            if !self.client.is_closed() && looked.elapsed() < LOOK {
                continue;
            }
            looked = tokio::time::Instant::now();
            let went = if self.client.is_closed() { self.again().await } else { ControlFlow::Continue(true) };
            let went = if went == ControlFlow::Continue(true) { self.look(&mut seen).await } else { went };
            if went.is_break() {
                return;
            }
        }
    }

    /// Reconnects, if the server can be reached.
    async fn again(&mut self) -> ControlFlow<(), bool> {
        if self.opening.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            // The exclusive lock is lost and the casino not open yet: opening must fail.
            return ControlFlow::Break(());
        }
        let Ok(again) = listen(&self.pool, &self.host, &self.notifications).await else {
            return ControlFlow::Continue(false);
        };
        if share(&again).await.is_err() {
            return ControlFlow::Continue(false);
        }
        self.client = Arc::new(again);
        // Notifications were missed, and the server may be another one.
        self.tell(Stream::all())
    }

    async fn look(&self, seen: &mut Option<i64>) -> ControlFlow<(), bool> {
        // Numbers are assigned before commits, so a lower one may still appear: look back a little.
        let from = seen.map_or(i64::MAX, |seen| seen - 200);
        let asked = "SELECT n.name, max(e.number) FROM entries e JOIN names n ON n.id = e.stream WHERE e.number > $1 GROUP BY n.name
                     UNION ALL SELECT '', coalesce(max(number), 0) FROM entries";
        let Ok(rows) = self.client.query(asked, &[&from]).await else { return ControlFlow::Continue(false) };
        for row in &rows {
            let (stream, number): (String, i64) = (row.get(0), row.get(1));
            let news = if stream.is_empty() {
                let fell = seen.is_some_and(|seen| number < seen);
                *seen = Some(number);
                fell.then(Stream::all)
            } else {
                Some(Stream::named(stream))
            };
            if let Some(news) = news {
                self.tell(news)?;
            }
        }
        ControlFlow::Continue(true)
    }

    /// Passes a notification to this host; breaks when nobody listens any more.
    fn tell(&self, news: Stream) -> ControlFlow<(), bool> {
        match self.notifications.send(news) {
            Ok(()) => ControlFlow::Continue(true),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// Batches notifications and sends them.
async fn send_loop(pool: Pool, host: String, mut messages: mpsc::UnboundedReceiver<Message>) {
    while let Some(first) = messages.recv().await {
        let mut streams = BTreeSet::new();
        let mut flushed = Vec::new();
        let mut next = Some(first);
        let gathered = tokio::time::Instant::now() + BATCH_TIME;
        while let Some(word) = next {
            match word {
                Message::Changed(changed) => streams.extend(changed),
                Message::Flush(done) => {
                    flushed.push(done);
                    break;
                }
            }
            next = tokio::time::timeout_at(gathered, messages.recv()).await.ok().flatten();
        }
        let mut payload = host.clone();
        for stream in &streams {
            if payload.len() + stream.as_str().len() > MAX_PAYLOAD {
                send(&pool, &payload).await;
                payload.clone_from(&host);
            }
            payload.push('\n');
            payload.push_str(stream.as_str());
        }
        if payload.len() > host.len() {
            send(&pool, &payload).await;
        }
        for done in flushed {
            // The caller may have given up.
            let _ = done.send(());
        }
    }
}

async fn send(pool: &Pool, payload: &str) {
    // Other hosts find lost notifications by polling.
    if let Err(error) = pool.query("SELECT pg_notify('baize', $1)", &[&payload]).await {
        tracing::debug!(target: "baize::journal", %error, "notification failed; other hosts find the entries by polling");
    }
}
