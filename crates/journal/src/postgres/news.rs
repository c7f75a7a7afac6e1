//! News between hosts, and who else is there.
//!
//! One connection of its own listens, and holds a lock as long as the host lives: a host that gets it alone knows that nobody else is
//! there, so that a round under way was interrupted. It keeps the others out until it has opened the casino: of a host that dies before,
//! the next one takes the place, and resolves what it has left. News that is lost (a host dies between its commit and its NOTIFY) is made up
//! for by looking every few seconds.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
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
/// A server that has been up for less may not have all its hosts back: it replays its log before it lets anybody in.
const JUST_STARTED: Duration = Duration::from_secs(30);
/// So often a host looks for others on such a server. Each look is a round trip: on a machine that is slow, others have more time.
const LOOKS: u32 = 30;
/// How often a host tries to be alone before it joins others: the server may need a moment to notice that a host has died.
const TRIES: u32 = 20;
const TRY_AGAIN: Duration = Duration::from_millis(50);
/// How long a host waits for another that opens the casino.
const OPENING: Duration = Duration::from_secs(120);
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
    opening: Opening,
    /// Dropped with the last copy: ends the tasks.
    _end: Arc<EndOnDrop>,
}

/// The connection of a host that came alone, until it has opened the casino.
type Opening = Arc<Mutex<Option<Arc<Client>>>>;

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
        let client = Arc::new(listen(pool, &host, &heard).await?);
        await_others(&client).await?;
        let alone = come_in(&client).await?;
        let opening: Opening = Arc::new(Mutex::new(alone.then(|| Arc::clone(&client))));
        let (words, spoken) = mpsc::unbounded_channel();
        tokio::spawn(speak(pool.clone(), host.clone(), spoken));
        let watching = Watching { pool: pool.clone(), host, heard, client, opening: Arc::clone(&opening) };
        tokio::spawn(watching.watch(Arc::clone(&end)));
        let news = News { words, alone, opening, _end: Arc::new(EndOnDrop(end)) };
        Ok((news, receiver))
    }

    /// Lets others in. A host that came alone fails here if it has lost its place meanwhile: another may have come alone since.
    pub(super) async fn opened(&self) -> Result<(), StoreError> {
        let came = self.opening.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(client) = came {
            // The shared lock is held already: nobody comes alone in between.
            client
                .execute("SELECT pg_advisory_unlock($1)", &[&HOSTS])
                .await
                .map_err(|error| meaning(&error))?;
        }
        *self.opening.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    /// News from a program that is not a host: it hears nothing, and does not hold the lock by which hosts count each other.
    pub(super) fn to_others(pool: &Pool) -> News {
        let (words, spoken) = mpsc::unbounded_channel();
        tokio::spawn(speak(pool.clone(), secret::token(8), spoken));
        News {
            words,
            alone: false,
            opening: Opening::default(),
            _end: Arc::new(EndOnDrop(Arc::new(Notify::new()))),
        }
    }

    pub(super) const fn alone(&self) -> bool {
        self.alone
    }

    /// Tells the others that chains have gone on.
    pub(super) fn tell(&self, streams: Vec<Stream>) {
        // The other end goes when the pool is closed: nobody waits for news then.
        let _ = self.words.send(Word::Told(streams));
    }

    /// Waits until everything is sent.
    pub(super) async fn flush(&self) {
        let (done, told) = oneshot::channel();
        if self.words.send(Word::Flush(done)).is_ok() {
            // Dropped without an answer: the other end is gone, and so is what it had to tell.
            let _ = told.await;
        }
    }
}

/// A server that has just started has lost the locks of its hosts. They take them again as soon as it lets them in: a host that comes in between
/// must not think that they are alone, and that their rounds were interrupted. A casino without entries has no other hosts.
async fn await_others(client: &Client) -> Result<(), StoreError> {
    let sql = "SELECT (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::bigint,
               EXISTS (SELECT FROM entries)";
    let row = client.query_one(sql, &[]).await.map_err(|error| meaning(&error))?;
    let (up, played): (i64, bool) = (row.get(0), row.get(1));
    if !played || Duration::from_millis(u64::try_from(up).unwrap_or(0)) >= JUST_STARTED {
        return Ok(());
    }
    for _ in 0..LOOKS {
        let there: i64 =
            client.query_one(HOSTS_THERE, &[&HOSTS]).await.map_err(|error| meaning(&error))?.get(0);
        if there > 0 {
            break;
        }
        tokio::time::sleep(AGAIN).await;
    }
    Ok(())
}

/// Takes the lock that every host holds, and says whether nobody else has it. A host that is alone also holds it exclusively.
async fn come_in(client: &Client) -> Result<bool, StoreError> {
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
        if began.elapsed() > OPENING {
            let why = "another process has been opening this casino, or changing its key, for two minutes";
            return Err(StoreError::Away(why.to_owned()));
        }
        tokio::time::sleep(TRY_AGAIN).await;
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
struct Watching {
    pool: Pool,
    host: String,
    heard: mpsc::UnboundedSender<Stream>,
    client: Arc<Client>,
    opening: Opening,
}

impl Watching {
    async fn watch(mut self, end: Arc<Notify>) {
        let mut seen: Option<i64> = None;
        let mut looked = tokio::time::Instant::now();
        loop {
            tokio::select! {
                () = end.notified() => return,
                () = tokio::time::sleep(AGAIN) => {}
            }
            if self.heard.is_closed() {
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

    /// Connects again, if the server is there.
    async fn again(&mut self) -> ControlFlow<(), bool> {
        if self.opening.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            // This host is not alone any more, and has not opened the casino: its opening fails.
            return ControlFlow::Break(());
        }
        let Ok(again) = listen(&self.pool, &self.host, &self.heard).await else {
            return ControlFlow::Continue(false);
        };
        if share(&again).await.is_err() {
            return ControlFlow::Continue(false);
        }
        self.client = Arc::new(again);
        // Whatever was told meanwhile was missed, and the server may be another one.
        self.tell(Stream::all())
    }

    async fn look(&self, seen: &mut Option<i64>) -> ControlFlow<(), bool> {
        // Numbers are given before commits: one that is lower may still come. A little is looked at twice.
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

    /// Tells this host, as long as it listens.
    fn tell(&self, news: Stream) -> ControlFlow<(), bool> {
        match self.heard.send(news) {
            Ok(()) => ControlFlow::Continue(true),
            Err(_) => ControlFlow::Break(()),
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
            // The caller may have given up.
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
