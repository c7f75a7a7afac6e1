//! PostgreSQL: many hosts on one database.
//!
//! A command is one statement and one round trip: entries, ledger, decks and round lines together, in a transaction of its own. The key of
//! the entries is chain and version, so that of two hosts that write the same version one is told that the chain has gone on. News goes
//! to the others by NOTIFY, gathered and sent outside the transactions: inside, they would make all commits wait for each other.

mod news;
mod pool;
mod rows;
mod schema;
mod throwaway;
mod tls;
mod write;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;
use tokio_postgres::types::ToSql;

use super::store::{Doing, Mode};
use super::{
    Batch, DeckRow, Difference, Entry, EntryFilter, Head, LastFailure, LooseRow, RoundRow, SecretRow,
    SnapshotFilter, SnapshotRow, Store, StoreError, Stream,
};
use crate::{HouseError, Instant, RoundFilter};
pub use throwaway::Throwaway;

use news::News;
use pool::Pool;

/// A casino on a server.
pub(crate) struct PostgresStore {
    pool: Pool,
    news: Option<News>,
    heard: Mutex<Option<mpsc::UnboundedReceiver<Stream>>>,
    failure: LastFailure,
}

impl PostgresStore {
    /// Connects, brings the tables up to date, and finds out whether others are there.
    pub(crate) async fn open(address: &str, mode: Mode) -> Result<PostgresStore, HouseError> {
        let pool = Pool::new(address)?;
        schema::prepare(&pool, mode == Mode::Serve).await?;
        if mode == Mode::Console {
            let news = Some(News::to_others(&pool));
            return Ok(PostgresStore {
                pool,
                news,
                heard: Mutex::new(None),
                failure: LastFailure::default(),
            });
        }
        let (news, heard) = match mode {
            Mode::Serve => {
                let (news, heard) = News::start(&pool).await?;
                (Some(news), Some(heard))
            }
            Mode::Read | Mode::Console => (None, None),
        };
        Ok(PostgresStore { pool, news, heard: Mutex::new(heard), failure: LastFailure::default() })
    }
}

impl Store for PostgresStore {
    fn append(&self, batch: Batch) -> Doing<'static, Vec<u64>> {
        let pool = self.pool.clone();
        let (news, failure) = (self.news.clone(), self.failure.clone());
        Box::pin(async move {
            let Some(news) = news else {
                return Err(StoreError::Away("the database was opened for reading only".to_owned()));
            };
            let streams: Vec<Stream> = batch.entries.iter().map(|entry| entry.stream.clone()).collect();
            let went = write::append(&pool, &batch).await;
            failure.note(&went);
            if went.is_ok() {
                news.tell(streams);
            }
            went
        })
    }

    fn can_write(&self) -> Doing<'_, ()> {
        Box::pin(async move {
            self.put_secret(LastFailure::probe()).await?;
            self.failure.check()
        })
    }

    fn ordered(&self) -> bool {
        false
    }

    fn read(&self, stream: &Stream, after: u64, limit: u32) -> Doing<'_, Vec<Entry>> {
        let stream = stream.clone();
        Box::pin(async move { rows::read(&self.pool, &stream, after, limit).await })
    }

    fn by_command(&self, command: &str) -> Doing<'_, Option<Entry>> {
        let command = command.to_owned();
        Box::pin(async move { rows::by_command(&self.pool, &command).await })
    }

    fn entries(&self, filter: EntryFilter) -> Doing<'_, Vec<Entry>> {
        Box::pin(async move { rows::entries(&self.pool, &filter).await })
    }

    fn numbers(&self, from: Option<Instant>, until: Option<Instant>) -> Doing<'_, Option<(u64, u64)>> {
        Box::pin(async move {
            // The fence keeps the planner from walking the numbers from the first one in search of the time.
            let sql = "SELECT min(number), max(number)
                       FROM (SELECT number FROM entries WHERE at >= $1 AND at < $2 OFFSET 0) AS of_the_time";
            let (from, until) =
                (from.map_or(i64::MIN, |from| from.0), until.map_or(i64::MAX, |until| until.0));
            let found = self.pool.query(sql, &[&from, &until]).await?;
            let Some(row) = found.first() else { return Ok(None) };
            let ends: (Option<i64>, Option<i64>) = (rows::get(row, 0)?, rows::get(row, 1)?);
            match ends {
                (Some(_), Some(_)) => Ok(Some((rows::count(row, 0)?, rows::count(row, 1)?))),
                _ => Ok(None),
            }
        })
    }

    fn streams(&self) -> Doing<'_, Vec<Stream>> {
        Box::pin(async move {
            let found = self.pool.query("SELECT DISTINCT stream FROM entries", &[]).await?;
            found.iter().map(|row| rows::stream(row, 0)).collect()
        })
    }

    fn heads(&self) -> Doing<'_, BTreeMap<Stream, Head>> {
        Box::pin(async move {
            let sql = "SELECT DISTINCT ON (stream) stream, version, hash FROM entries ORDER BY stream, version DESC";
            let found = self.pool.query(sql, &[]).await?;
            found
                .iter()
                .map(|row| {
                    Ok((
                        rows::stream(row, 0)?,
                        Head { version: rows::count(row, 1)?, hash: rows::get(row, 2)? },
                    ))
                })
                .collect()
        })
    }

    fn balance(&self, account: &str) -> Doing<'_, i64> {
        let account = account.to_owned();
        Box::pin(async move {
            let found = self.pool.query("SELECT cents FROM balances WHERE account = $1", &[&account]).await?;
            found.first().map_or(Ok(0), |row| rows::get(row, 0))
        })
    }

    fn balances(&self) -> Doing<'_, BTreeMap<String, i64>> {
        Box::pin(async move {
            let found = self.pool.query("SELECT account, cents FROM balances", &[]).await?;
            found.iter().map(|row| Ok((rows::get(row, 0)?, rows::get(row, 1)?))).collect()
        })
    }

    fn deck(&self, table: &str, round: u32) -> Doing<'_, Option<DeckRow>> {
        let table = table.to_owned();
        Box::pin(async move {
            let sql = "SELECT tab, round, salt, cards FROM decks WHERE tab = $1 AND round = $2";
            let found = self.pool.query(sql, &[&table, &i64::from(round)]).await?;
            found.first().map(rows::deck).transpose()
        })
    }

    fn decks(&self, table: &str) -> Doing<'_, Vec<DeckRow>> {
        let table = table.to_owned();
        Box::pin(async move {
            let sql = "SELECT tab, round, salt, cards FROM decks WHERE tab = $1 ORDER BY round";
            self.pool.query(sql, &[&table]).await?.iter().map(rows::deck).collect()
        })
    }

    fn rounds(&self, filter: RoundFilter) -> Doing<'_, Vec<RoundRow>> {
        Box::pin(async move { rows::rounds(&self.pool, &filter).await })
    }

    fn round(&self, table: &str, round: u32) -> Doing<'_, Option<RoundRow>> {
        let table = table.to_owned();
        Box::pin(async move { rows::one_round(&self.pool, &table, round).await })
    }

    fn snapshots(&self, filter: SnapshotFilter) -> Doing<'_, Vec<SnapshotRow>> {
        Box::pin(async move { rows::snapshots(&self.pool, &filter).await })
    }

    fn put_secret(&self, row: SecretRow) -> Doing<'_, ()> {
        Box::pin(async move {
            let sql = "INSERT INTO secrets (hash, kind, actor, expires) VALUES ($1, $2, $3, $4)
                       ON CONFLICT (hash) DO UPDATE SET kind = $2, actor = $3, expires = $4";
            let values: [&(dyn ToSql + Sync); 4] = [&row.hash, &row.kind, &row.actor, &row.expires.0];
            self.pool.query(sql, &values).await.map(drop)
        })
    }

    fn secret(&self, hash: &str, kind: &str, now: Instant) -> Doing<'_, Option<SecretRow>> {
        let (hash, kind) = (hash.to_owned(), kind.to_owned());
        Box::pin(async move {
            let sql = "SELECT hash, kind, actor, expires FROM secrets WHERE hash = $1 AND kind = $2 AND expires > $3";
            let found = self.pool.query(sql, &[&hash, &kind, &now.0]).await?;
            found.first().map(rows::secret).transpose()
        })
    }

    fn take_secret(&self, hash: &str, kind: &str, now: Instant) -> Doing<'_, Option<SecretRow>> {
        let (hash, kind) = (hash.to_owned(), kind.to_owned());
        Box::pin(async move {
            let sql = "DELETE FROM secrets WHERE (hash = $1 AND kind = $2) OR expires <= $3
                       RETURNING hash, kind, actor, expires";
            let found = self.pool.query(sql, &[&hash, &kind, &now.0]).await?;
            let taken: Vec<SecretRow> = found.iter().map(rows::secret).collect::<Result<_, _>>()?;
            Ok(taken.into_iter().find(|row| row.hash == hash && row.expires > now))
        })
    }

    fn secrets(&self, hashes: Vec<String>, kind: &str, now: Instant) -> Doing<'_, Vec<SecretRow>> {
        let kind = kind.to_owned();
        Box::pin(async move {
            let sql = "SELECT hash, kind, actor, expires FROM secrets WHERE hash = ANY($1) AND kind = $2 AND expires > $3";
            self.pool.query(sql, &[&hashes, &kind, &now.0]).await?.iter().map(rows::secret).collect()
        })
    }

    fn extend_secret(&self, hash: &str, kind: &str, expires: Instant) -> Doing<'_, ()> {
        let (hash, kind) = (hash.to_owned(), kind.to_owned());
        Box::pin(async move {
            let sql = "UPDATE secrets SET expires = $3 WHERE hash = $1 AND kind = $2";
            self.pool.query(sql, &[&hash, &kind, &expires.0]).await.map(drop)
        })
    }

    fn loose(&self) -> Doing<'_, Vec<LooseRow>> {
        Box::pin(async move {
            let sql = "SELECT 'ledger entry ' || stream || '/' || version || '/' || line || ' of ' || account FROM postings p
                       WHERE NOT EXISTS (SELECT FROM entries e WHERE e.stream = p.stream AND e.version = p.version) LIMIT 100";
            self.pool
                .query(sql, &[])
                .await?
                .iter()
                .map(|row| Ok(LooseRow::posting(rows::get(row, 0)?)))
                .collect()
        })
    }

    fn given(&self) -> Doing<'_, Option<u64>> {
        // An order that is refused uses up a number.
        Box::pin(std::future::ready(Ok(None)))
    }

    fn differences(&self) -> Doing<'_, Vec<Difference>> {
        Box::pin(async move { schema::differences(&self.pool).await })
    }

    fn frozen(&self) -> Doing<'_, Arc<dyn Store>> {
        Box::pin(async move {
            let pool = self.pool.frozen().await?;
            let store: Arc<dyn Store> = Arc::new(PostgresStore {
                pool,
                news: None,
                heard: Mutex::new(None),
                failure: LastFailure::default(),
            });
            Ok(store)
        })
    }

    fn alone(&self) -> bool {
        self.news.as_ref().is_some_and(News::alone)
    }

    fn news(&self) -> Option<mpsc::UnboundedReceiver<Stream>> {
        self.heard.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }

    fn close(&self) -> Doing<'_, ()> {
        Box::pin(async move {
            if let Some(news) = &self.news {
                news.flush().await;
            }
            Ok(())
        })
    }

    fn floor(&self, _: u32) -> Doing<'_, ()> {
        Box::pin(async { Err(StoreError::Away("the floor of PostgreSQL is measured by pgbench".to_owned())) })
    }
}
