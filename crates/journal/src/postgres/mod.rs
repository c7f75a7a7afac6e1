//! PostgreSQL backend: several hosts on one database.
//!
//! Commands that wait share one statement, one round trip and one transaction: entries, ledger, decks and round summaries. The primary key of
//! entries is chain and version, so if two hosts write the same version, one gets a conflict. Other hosts are notified with NOTIFY, batched
//! and sent outside the transactions: inside, it would serialise all commits.

mod archived;
mod balances;
mod convert;
mod durability;
mod names;
mod news;
mod password;
mod plain;
mod pool;
mod rows;
mod schema;
mod throwaway;
mod tls;
mod together;
mod write;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;
use tokio_postgres::types::ToSql;

use super::store::{Mode, Standbys, StoreFuture};
use super::{
    Batch, DeckRow, Difference, Entry, EntryFilter, Head, KeptSecret, LastFailure, LooseRow, RoundRow,
    SecretRow, SnapshotFilter, SnapshotRow, Store, StoreError, Stream,
};
use crate::archive::{Archives, PackedBody};
use crate::key::Vault;
use crate::packed;
use crate::{Instant, RoundFilter};
pub use throwaway::Throwaway;

use balances::Balances;
use news::News;
pub(crate) use plain::{all_rows, put_all_rows};
use pool::Pool;
pub(crate) use tls::decoded;
use together::Together;

/// The address in libpq's form, and the password separately.
pub fn for_libpq(address: &str) -> Result<(String, Option<String>), StoreError> {
    let (rest, found) = password::find(&durability::asked(address).0)?;
    let (place, query) =
        rest.split_once('?').map_or((rest.as_str(), None), |(place, query)| (place, Some(query)));
    let (scheme, authority) = place.split_once("://").unwrap_or(("postgres", place));
    let (written, place) = match authority.rsplit_once('@') {
        Some((user, hosts)) => match user.split_once(':') {
            Some((user, password)) => (Some(decoded(password)), format!("{user}@{hosts}")),
            None => (None, authority.to_owned()),
        },
        None => (None, authority.to_owned()),
    };
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    Ok((format!("{scheme}://{place}{query}"), written.or(found)))
}

/// A recursive table `chains` of all chains' numbers, by one index lookup per chain instead of a scan. Its last row is null.
const CHAINS: &str = "WITH RECURSIVE chains (stream) AS (
    (SELECT stream FROM entries ORDER BY stream LIMIT 1)
    UNION ALL
    SELECT (SELECT e.stream FROM entries e WHERE e.stream > chains.stream ORDER BY e.stream LIMIT 1)
    FROM chains WHERE chains.stream IS NOT NULL)";

/// A casino on a server.
pub(crate) struct PostgresStore {
    pool: Pool,
    together: Together,
    balances: Balances,
    news: Option<News>,
    notifications: Mutex<Option<mpsc::UnboundedReceiver<Stream>>>,
    failure: LastFailure,
    vault: Vault,
    archives: Archives,
    /// Warnings for the operator.
    warnings: Vec<String>,
}

impl PostgresStore {
    /// Connects, upgrades the schema, and finds out whether other hosts are running.
    pub(crate) async fn open(address: &str, mode: Mode, vault: Vault) -> Result<PostgresStore, StoreError> {
        let archives = Archives::new(durability::folder(address).1);
        let (address, unsafe_allowed) = durability::asked(address);
        let pool = Pool::new(&address)?;
        let named = |error| named(&address, error);
        let warnings = if mode == Mode::Serve && !unsafe_allowed {
            durability::check(&pool).await.map_err(named)?
        } else {
            Vec::new()
        };
        schema::prepare(&pool, mode == Mode::Serve).await.map_err(named)?;
        let (news, notifications) = match mode {
            Mode::Serve => {
                let (news, notifications) = News::start(&pool).await?;
                (Some(news), Some(notifications))
            }
            Mode::Console => (Some(News::send_only(&pool)), None),
            Mode::Read => (None, None),
        };
        let (notifications, failure) = (Mutex::new(notifications), LastFailure::default());
        Ok(PostgresStore {
            pool,
            together: Together::default(),
            balances: Balances::default(),
            news,
            notifications,
            failure,
            vault,
            archives,
            warnings,
        })
    }

    /// Opens sealed bodies and reads archived ones.
    async fn with_bodies(&self, entries: Vec<Entry>) -> Result<Vec<Entry>, StoreError> {
        let entries = self.vault.open_bodies(entries);
        if !Archives::has_some_of(&entries) {
            return Ok(entries);
        }
        let archives = self.archives.clone();
        let read = tokio::task::spawn_blocking(move || archives.whole(entries)).await;
        read.map_err(|stopped| StoreError::Away(stopped.to_string()))
    }

    /// Checks the address and the files that it names, without connecting.
    pub(crate) fn check_address(address: &str) -> Result<(), StoreError> {
        Pool::new(&durability::asked(address).0).map(drop)
    }

    /// Removes the tables of a restored casino that is not to be kept.
    pub(crate) async fn remove_restored(address: &str) -> Result<(), StoreError> {
        let pool = Pool::new(&durability::asked(address).0)?;
        schema::remove(&pool).await.map_err(|error| named(address, error))
    }

    /// Schema version; `None` for an empty database.
    pub(crate) async fn version(address: &str) -> Result<Option<u32>, StoreError> {
        let pool = Pool::new(&durability::asked(address).0)?;
        schema::version(&pool).await.map_err(|error| named(address, error))
    }
}

/// Adds the database's address to errors of opening it. Later errors do not name it, because players see them.
fn named(address: &str, error: StoreError) -> StoreError {
    let place = super::without_password(address);
    if let StoreError::Away(why) = &error {
        // Only the last one's answer is known, and an earlier one may be the server that was meant.
        let hosts = place.split(['?', '/']).nth(2).unwrap_or_default();
        let which = if hosts.contains(',') { "no server can be used; the last one: " } else { "" };
        return StoreError::Away(format!("{place}: {which}{why}"));
    }
    if error == StoreError::Older(0) { StoreError::Missing(place) } else { error }
}

impl Store for PostgresStore {
    fn append(&self, batch: Batch) -> StoreFuture<'static, Vec<u64>> {
        let pool = self.pool.clone();
        let (news, failure, vault) = (self.news.clone(), self.failure.clone(), self.vault.clone());
        let together = self.together.clone();
        Box::pin(async move {
            let Some(news) = news else {
                return Err(StoreError::Away("the database was opened for reading only".to_owned()));
            };
            let streams: Vec<Stream> = batch.entries.iter().map(|entry| entry.stream.clone()).collect();
            let went = together.append(&pool, batch, &vault).await;
            failure.note(&went);
            if went.is_ok() {
                news.tell(streams);
            }
            went
        })
    }

    fn can_write(&self) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.put_secret(LastFailure::probe()).await?;
            self.failure.check()
        })
    }

    fn ordered(&self) -> bool {
        false
    }

    fn read(&self, stream: &Stream, after: u64, limit: u32) -> StoreFuture<'_, Vec<Entry>> {
        let stream = stream.clone();
        Box::pin(async move { self.with_bodies(rows::read(&self.pool, &stream, after, limit).await?).await })
    }

    fn by_command(&self, command: &str) -> StoreFuture<'_, Option<Entry>> {
        let command = command.to_owned();
        Box::pin(async move {
            let found = rows::by_command(&self.pool, &command).await?;
            Ok(self.with_bodies(found.into_iter().collect()).await?.pop())
        })
    }

    fn entries(&self, filter: EntryFilter) -> StoreFuture<'_, Vec<Entry>> {
        Box::pin(async move { self.with_bodies(rows::entries(&self.pool, &filter).await?).await })
    }

    fn numbers(&self, from: Option<Instant>, until: Option<Instant>) -> StoreFuture<'_, Option<(u64, u64)>> {
        Box::pin(async move {
            // OFFSET 0 is an optimisation fence: otherwise the planner scans by number in search of the time.
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

    fn streams(&self) -> StoreFuture<'_, Vec<Stream>> {
        Box::pin(async move {
            let sql = format!("{CHAINS} SELECT stream FROM chains WHERE stream IS NOT NULL");
            let found = self.pool.query(&sql, &[]).await?;
            let ids = found.iter().map(|row| rows::get(row, 0)).collect::<Result<Vec<i32>, _>>()?;
            let names = self.pool.names_of(ids.iter().copied().collect()).await?;
            Ok(ids.into_iter().map(|id| Stream::named(names.of(id))).collect())
        })
    }

    fn heads(&self) -> StoreFuture<'_, BTreeMap<Stream, Head>> {
        Box::pin(async move {
            let sql = format!(
                "{CHAINS} SELECT stream, version, hash FROM chains CROSS JOIN LATERAL (
                   SELECT version, hash FROM entries e WHERE e.stream = chains.stream ORDER BY version DESC LIMIT 1) AS head"
            );
            let found = self.pool.query(&sql, &[]).await?;
            let ids = found.iter().map(|row| rows::get(row, 0)).collect::<Result<_, _>>()?;
            let names = self.pool.names_of(ids).await?;
            found
                .iter()
                .map(|row| {
                    let (version, hash) = (rows::short_count(row, 1)?, packed::hash_text(rows::get(row, 2)?));
                    Ok((Stream::named(names.of(rows::get(row, 0)?)), Head { version, hash }))
                })
                .collect()
        })
    }

    fn balance(&self, account: &str) -> StoreFuture<'_, i64> {
        let account = account.to_owned();
        Box::pin(async move { self.balances.of(&self.pool, &account).await })
    }

    fn balances(&self) -> StoreFuture<'_, BTreeMap<String, i64>> {
        Box::pin(async move {
            let found = self.pool.query("SELECT account, cents FROM balances", &[]).await?;
            found.iter().map(|row| Ok((rows::get(row, 0)?, rows::get(row, 1)?))).collect()
        })
    }

    fn deck(&self, table: &str, round: u32) -> StoreFuture<'_, Option<DeckRow>> {
        let table = table.to_owned();
        Box::pin(async move {
            let found = rows::decks(&self.pool, &table, Some(round)).await?;
            Ok(found.into_iter().next().map(|row| self.vault.opened(row)))
        })
    }

    fn decks(&self, table: &str) -> StoreFuture<'_, Vec<DeckRow>> {
        let table = table.to_owned();
        Box::pin(async move {
            let found = rows::decks(&self.pool, &table, None).await?;
            Ok(found.into_iter().map(|row| self.vault.opened(row)).collect())
        })
    }

    fn rounds(&self, filter: RoundFilter) -> StoreFuture<'_, Vec<RoundRow>> {
        Box::pin(async move { rows::rounds(&self.pool, &filter).await })
    }

    fn round(&self, table: &str, round: u32) -> StoreFuture<'_, Option<RoundRow>> {
        let table = table.to_owned();
        Box::pin(async move { rows::one_round(&self.pool, &table, round).await })
    }

    fn rounds_kept(&self) -> StoreFuture<'_, BTreeMap<String, (u64, u64)>> {
        Box::pin(async move {
            let sql = "SELECT names.name, sum(lines)::bigint, sum(decks)::bigint FROM (
                         SELECT tab, count(*) AS lines, 0 AS decks FROM rounds GROUP BY tab
                         UNION ALL SELECT tab, 0, count(*) FROM decks GROUP BY tab) AS kept
                       JOIN names ON names.id = kept.tab GROUP BY names.name";
            let found = self.pool.query(sql, &[]).await?;
            let count = |row, at| Ok::<u64, StoreError>(rows::get::<i64>(row, at)?.unsigned_abs());
            found.iter().map(|row| Ok((rows::get(row, 0)?, (count(row, 1)?, count(row, 2)?)))).collect()
        })
    }

    fn snapshots(&self, filter: SnapshotFilter) -> StoreFuture<'_, Vec<SnapshotRow>> {
        Box::pin(async move { rows::snapshots(&self.pool, &filter).await })
    }

    fn names_from(&self, prefix: &str) -> StoreFuture<'_, Vec<String>> {
        let prefix = prefix.to_owned();
        Box::pin(async move {
            let sql = "SELECT name FROM names WHERE starts_with(name, $1) ORDER BY id";
            self.pool.query(sql, &[&prefix]).await?.iter().map(|row| rows::get(row, 0)).collect()
        })
    }

    fn put_secret(&self, row: SecretRow) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let sql = "INSERT INTO secrets (hash, kind, actor, expires, made) VALUES ($1, $2, $3, $4, $5)
                       ON CONFLICT (hash) DO UPDATE SET kind = $2, actor = $3, expires = $4, made = $5";
            let made = self.vault.binding(&row)?;
            let values: [&(dyn ToSql + Sync); 5] = [&row.hash, &row.kind, &row.actor, &row.expires.0, &made];
            self.pool.query(sql, &values).await.map(drop)
        })
    }

    fn take_secret(&self, hash: &str, kind: &str, now: Instant) -> StoreFuture<'_, Option<SecretRow>> {
        let (hash, kind) = (hash.to_owned(), kind.to_owned());
        Box::pin(async move {
            let sql = "DELETE FROM secrets WHERE (hash = $1 AND kind = $2) OR expires <= $3
                       RETURNING hash, kind, actor, expires, made";
            let found = self.pool.query(sql, &[&hash, &kind, &now.0]).await?;
            let taken = found.iter().map(|row| rows::secret(row, &self.vault));
            let taken: Vec<KeptSecret> = taken.collect::<Result<_, _>>()?;
            let taken = taken.into_iter().filter(|kept| kept.made == Some(true)).map(|kept| kept.row);
            Ok(taken.into_iter().find(|row| row.hash == hash && row.expires > now))
        })
    }

    fn secrets(&self, hashes: Vec<String>, kind: &str, now: Instant) -> StoreFuture<'_, Vec<SecretRow>> {
        let kind = kind.to_owned();
        Box::pin(async move {
            let sql = "SELECT hash, kind, actor, expires, made FROM secrets WHERE hash = ANY($1) AND kind = $2 AND expires > $3";
            let found = self.pool.query(sql, &[&hashes, &kind, &now.0]).await?;
            let kept = found.iter().map(|row| rows::secret(row, &self.vault));
            let kept: Vec<KeptSecret> = kept.collect::<Result<_, _>>()?;
            Ok(kept.into_iter().filter(|kept| kept.made == Some(true)).map(|kept| kept.row).collect())
        })
    }

    fn extend_secret(&self, row: SecretRow) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let made = self.vault.binding(&row)?;
            let sql = "UPDATE secrets SET expires = $3, made = $4 WHERE hash = $1 AND kind = $2";
            self.pool.query(sql, &[&row.hash, &row.kind, &row.expires.0, &made]).await.map(drop)
        })
    }

    fn kept_secrets(&self) -> StoreFuture<'_, Vec<KeptSecret>> {
        Box::pin(async move {
            let found = self.pool.query("SELECT hash, kind, actor, expires, made FROM secrets", &[]).await?;
            found.iter().map(|row| rows::secret(row, &self.vault)).collect()
        })
    }

    fn loose(&self) -> StoreFuture<'_, Vec<LooseRow>> {
        // Ledger lines are part of their entry, and chains are ordered by version.
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    fn given(&self) -> StoreFuture<'_, Option<u64>> {
        // Refused orders use up numbers, so there are gaps.
        Box::pin(std::future::ready(Ok(None)))
    }

    fn differences(&self) -> StoreFuture<'_, Vec<Difference>> {
        Box::pin(async move { schema::differences(&self.pool).await })
    }

    fn frozen(&self) -> StoreFuture<'_, Arc<dyn Store>> {
        Box::pin(async move {
            let pool = self.pool.frozen().await?;
            let store: Arc<dyn Store> = Arc::new(PostgresStore {
                pool,
                together: Together::default(),
                balances: Balances::default(),
                news: None,
                notifications: Mutex::new(None),
                failure: LastFailure::default(),
                vault: self.vault.clone(),
                archives: self.archives.clone(),
                warnings: Vec::new(),
            });
            Ok(store)
        })
    }

    fn archives(&self) -> Option<&Archives> {
        Some(&self.archives)
    }

    fn archivable(&self, before: Instant) -> StoreFuture<'_, BTreeMap<Stream, u64>> {
        Box::pin(async move { archived::archivable(&self.pool, before).await })
    }

    fn bodies(&self, after: u64, last: u64, limit: u32) -> StoreFuture<'_, Vec<PackedBody>> {
        Box::pin(async move { archived::bodies(&self.pool, after, last, limit).await })
    }

    fn put_bodies(&self, bodies: Vec<(u64, Vec<u8>)>) -> StoreFuture<'_, ()> {
        Box::pin(async move { archived::put_bodies(&self.pool, &bodies).await })
    }

    fn alone(&self) -> bool {
        self.news.as_ref().is_some_and(News::alone)
    }

    fn opened(&self) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            match &self.news {
                Some(news) => news.opened().await,
                None => Ok(()),
            }
        })
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn standbys(&self) -> StoreFuture<'_, Standbys> {
        Box::pin(async move {
            let sql = "SELECT coalesce(sync_state, 'unknown'), count(*),
                       max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint FROM pg_stat_replication GROUP BY 1";
            let mut standbys = Standbys::default();
            // Report zeros too, so that an alert notices when the last standby is gone.
            standbys.by_state.extend(["async", "potential", "quorum", "sync"].map(|way| (way.to_owned(), 0)));
            for row in self.pool.query(sql, &[]).await? {
                standbys.by_state.insert(rows::get(&row, 0)?, rows::count(&row, 1)?);
                let behind: Option<i64> = rows::get(&row, 2)?;
                standbys.behind_bytes =
                    standbys.behind_bytes.max(behind.and_then(|bytes| u64::try_from(bytes).ok()));
            }
            Ok(standbys)
        })
    }

    fn others(&self) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let found = self.pool.query(news::HOSTS_THERE, &[&news::HOSTS]).await?;
            found.first().map_or(Ok(false), |row| Ok(rows::count(row, 0)? > 1))
        })
    }

    fn news(&self) -> Option<mpsc::UnboundedReceiver<Stream>> {
        self.notifications.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if let Some(news) = &self.news {
                news.close().await;
            }
            Ok(())
        })
    }

    fn floor(&self, _: u32) -> StoreFuture<'_, ()> {
        Box::pin(async { Err(StoreError::Away("the floor of PostgreSQL is measured by pgbench".to_owned())) })
    }
}
