//! News between hosts, and who else is there.
//!
//! One connection of its own listens, and holds a lock as long as the host lives: a host that gets it alone knows that nobody else is
//! there, so that a round under way was interrupted. News that is lost (a host dies between its commit and its NOTIFY) is made up for by
//! looking every few seconds.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot};
use tokio_postgres::{AsyncMessage, Client};

use super::pool::{Pool, meaning};
use crate::secret;
use crate::{StoreError, Stream};

/// The lock that every host holds.
pub(super) const HOSTS: i64 = 0x6261_697a_6502;
/// How many hosts hold it in this database. The server shows the halves of a lock's number.
pub(super) const HOSTS_THERE: &str =
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND (classid::bigint << 32) | objid::bigint = $1";
/// How long news is gathered.
const GATHER: Duration = Duration::from_millis(3);
/// How often a host looks whether it has missed something.
const LOOK: Duration = Duration::from_secs(3);
/// How soon it connects again when its connection is lost: others must not take it for gone.
const AGAIN: Duration = Duration::from_millis(200);
/// A notification holds less than 8000 bytes.
const LARGEST: usize = 7_000;

enum Word {
    Told(Vec<Stream>),
    Flush(oneshot::Sender<()>),
}

/// The news service of a host.
#[derive(Clone)]
pub(super) struct News {
    words: mpsc::UnboundedSender<Word>,
    alone: bool,
    /// Dropped with the last copy: ends the tasks.
    _end: Arc<EndOnDrop>,
}

struct EndOnDrop(Arc<Notify>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.notify_waiters();
    }
}

impl News {
    pub(super) async fn start(pool: &Pool) -> Result<(News, mpsc::UnboundedReceiver<Stream>), StoreError> {
        let host = secret::token(8);
        let (heard, receiver) = mpsc::unbounded_channel();
        let end = Arc::new(Notify::new());
        let client = listen(pool, &host, &heard).await?;
        await_others(&client).await?;
        let alone = try_alone(&client).await?;
        // From now on the lock is shared; whoever was alone keeps others out only until here.
        share(&client, alone).await?;
        let (words, spoken) = mpsc::unbounded_channel();
        tokio::spawn(speak(pool.clone(), host.clone(), spoken));
        tokio::spawn(watch(pool.clone(), host, heard, client, Arc::clone(&end)));
        let news = News { words, alone, _end: Arc::new(EndOnDrop(end)) };
        Ok((news, receiver))
    }

    /// News from somebody who is not a host: hears nothing, and holds no lock that hosts count each other by.
    pub(super) fn to_others(pool: &Pool) -> News {
        let (words, spoken) = mpsc::unbounded_channel();
        tokio::spawn(speak(pool.clone(), secret::token(8), spoken));
        News { words, alone: false, _end: Arc::new(EndOnDrop(Arc::new(Notify::new()))) }
    }

    pub(super) const fn alone(&self) -> bool {
        self.alone
    }

    /// Tells the others that chains have gone on.
    pub(super) fn tell(&self, streams: Vec<Stream>) {
        // The other end goes when the pool is closed: nobody waits for news then.
        let _ = self.words.send(Word::Told(streams));
    }

    /// Waits until everything is told.
    pub(super) async fn flush(&self) {
        let (done, told) = oneshot::channel();
        if self.words.send(Word::Flush(done)).is_ok() {
            // Dropped without an answer: the other end is gone, and so is what it had to tell.
            let _ = told.await;
        }
    }
}

/// A server that has just started has lost the locks of its hosts. They take them again as soon as it lets them in: whoever comes in between
/// must not think that they are alone, and that their rounds were interrupted. A casino without entries has no other hosts.
async fn await_others(client: &Client) -> Result<(), StoreError> {
    let sql = "SELECT (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::bigint,
               EXISTS (SELECT FROM entries)";
    let row = client.query_one(sql, &[]).await.map_err(|error| meaning(&error))?;
    let (up, played): (i64, bool) = (row.get(0), row.get(1));
    let up = Duration::from_millis(u64::try_from(up).unwrap_or(0));
    if played {
        tokio::time::sleep((LOOK * 2).saturating_sub(up)).await;
    }
    Ok(())
}

/// Whether nobody else is there. The server may need a moment to notice that a host has died.
async fn try_alone(client: &Client) -> Result<bool, StoreError> {
    for _ in 0..10 {
        let row = client.query_one("SELECT pg_try_advisory_lock($1)", &[&HOSTS]).await;
        if row.map_err(|error| meaning(&error))?.get(0) {
            return Ok(true);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(false)
}

async fn share(client: &Client, alone: bool) -> Result<(), StoreError> {
    client.execute("SELECT pg_advisory_lock_shared($1)", &[&HOSTS]).await.map_err(|error| meaning(&error))?;
    if alone {
        client.execute("SELECT pg_advisory_unlock($1)", &[&HOSTS]).await.map_err(|error| meaning(&error))?;
    }
    Ok(())
}

/// A connection that hears what others tell.
async fn listen(
    pool: &Pool,
    host: &str,
    heard: &mpsc::UnboundedSender<Stream>,
) -> Result<Client, StoreError> {
    let (client, mut connection) = pool.connect().await?;
    let (host, heard) = (host.to_owned(), heard.clone());
    tokio::spawn(async move {
        while let Some(Ok(message)) = std::future::poll_fn(|cx| connection.poll_message(cx)).await {
            let AsyncMessage::Notification(note) = message else { continue };
            let mut lines = note.payload().lines();
            if lines.next() == Some(host.as_str()) {
                continue;
            }
            for stream in lines {
                if heard.send(Stream::named(stream)).is_err() {
                    return;
                }
            }
        }
    });
    client.batch_execute("LISTEN baize").await.map_err(|error| meaning(&error))?;
    Ok(client)
}

/// Keeps the listening connection alive and looks for what was missed.
async fn watch(
    pool: Pool,
    host: String,
    heard: mpsc::UnboundedSender<Stream>,
    mut client: Client,
    end: Arc<Notify>,
) {
    let mut seen: Option<i64> = None;
    let mut looked = tokio::time::Instant::now();
    loop {
        tokio::select! {
            () = end.notified() => return,
            () = tokio::time::sleep(AGAIN) => {}
        }
        if heard.is_closed() {
            return;
        }
        if !client.is_closed() && looked.elapsed() < LOOK {
            continue;
        }
        looked = tokio::time::Instant::now();
        if client.is_closed() {
            let Ok(again) = listen(&pool, &host, &heard).await else { continue };
            if share(&again, false).await.is_err() {
                continue;
            }
            client = again;
            // Whatever was told meanwhile was missed, and the server may be another one.
            if heard.send(Stream::all()).is_err() {
                return;
            }
        }
        // Numbers are given before commits: one that is lower may still come. A little is looked at twice.
        let from = seen.map_or(i64::MAX, |seen| seen - 200);
        let asked = "SELECT n.name, max(e.number) FROM entries e JOIN names n ON n.id = e.stream WHERE e.number > $1 GROUP BY n.name
                     UNION ALL SELECT '', coalesce(max(number), 0) FROM entries";
        let Ok(rows) = client.query(asked, &[&from]).await else { continue };
        for row in &rows {
            let (stream, number): (String, i64) = (row.get(0), row.get(1));
            let news = if stream.is_empty() {
                let fell = seen.is_some_and(|seen| number < seen);
                seen = Some(number);
                fell.then(Stream::all)
            } else {
                Some(Stream::named(stream))
            };
            if news.is_some_and(|news| heard.send(news).is_err()) {
                return;
            }
        }
    }
}

/// Gathers what is to be told and tells it.
async fn speak(pool: Pool, host: String, mut words: mpsc::UnboundedReceiver<Word>) {
    while let Some(first) = words.recv().await {
        let mut streams = BTreeSet::new();
        let mut flushed = Vec::new();
        let mut next = Some(first);
        let gathered = tokio::time::Instant::now() + GATHER;
        while let Some(word) = next {
            match word {
                Word::Told(told) => streams.extend(told),
                Word::Flush(done) => {
                    flushed.push(done);
                    break;
                }
            }
            next = tokio::time::timeout_at(gathered, words.recv()).await.ok().flatten();
        }
        let mut payload = host.clone();
        for stream in &streams {
            if payload.len() + stream.as_str().len() > LARGEST {
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
            // Whoever waited may have given up.
            let _ = done.send(());
        }
    }
}

async fn send(pool: &Pool, payload: &str) {
    // News that is lost is found by those who look.
    if let Err(error) = pool.query("SELECT pg_notify('baize', $1)", &[&payload]).await {
        tracing::debug!(target: "baize::journal", %error, "other hosts hear of it when they look");
    }
}
