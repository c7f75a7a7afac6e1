//! Connection pool: a fixed maximum, opened on demand, replaced when they break.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Row, Socket, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::names::Names;
use super::tls::TlsOptions;

use crate::StoreError;
use crate::store::without_password;

/// The TLS stream of a connection.
type Encrypted = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

/// Maximum number of connections.
pub(super) const CONNECTIONS: usize = 16;

/// How long operations are retried while the server is away.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Settings of a connection that plays. The casino's statements are short: the server cancels and rolls back one that takes longer. They look
/// rows up by their keys, and their plans are made once: plans from statistics scan the small tables that every round empties and fills
/// (`sealed`, `decks`), dead rows included.
const SETTINGS: &str = "SET statement_timeout = '5s'; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; SET jit = off";

/// Maps a PostgreSQL error.
pub(super) fn meaning(error: &tokio_postgres::Error) -> StoreError {
    match error.as_db_error() {
        Some(db) => {
            let text = format!("{} ({})", db.message(), db.code().code());
            match db.code().code() {
                "XX001" | "XX002" => StoreError::Corrupt(text),
                "57014" => {
                    StoreError::Away(format!("the server took longer than {} s: {text}", TIMEOUT.as_secs()))
                }
                "53100" => StoreError::Away(format!("the disk of the server is full: {text}")),
                _ => StoreError::Away(text),
            }
        }
        None => StoreError::Away(without_an_answer(error)),
    }
}

/// A client-side error with its causes.
fn without_an_answer(error: &tokio_postgres::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        let words = deeper.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = deeper.source();
    }
    if text.contains("invalid peer certificate") {
        return format!(
            "the server's certificate was rejected ({text}): check sslrootcert and the server's name"
        );
    }
    text
}

/// Whether the connection was lost, which leaves the outcome of the statement unknown.
pub(super) fn lost(error: &tokio_postgres::Error) -> bool {
    match error.as_db_error() {
        // Shutdown, crash, not yet started.
        Some(db) => db.code().code().starts_with("57P"),
        None => true,
    }
}

/// A connection with its prepared statements.
pub(super) struct Connection {
    pub(super) client: Client,
    prepared: HashMap<String, Statement>,
}

impl Connection {
    pub(super) async fn prepared(&mut self, sql: &str) -> Result<Statement, tokio_postgres::Error> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    pub(super) async fn query(
        &mut self,
        sql: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, tokio_postgres::Error> {
        let statement = self.prepared(sql).await?;
        self.client.query(&statement, values).await
    }
}

/// A connection that returns to the pool on drop.
pub(super) struct Lent {
    connection: Option<Connection>,
    pool: Pool,
    _permit: OwnedSemaphorePermit,
}

impl Lent {
    pub(super) fn get(&mut self) -> &mut Connection {
        self.connection.as_mut().unwrap_or_else(|| unreachable!("it is there until it is dropped"))
    }

    /// Discards a connection that does not answer.
    pub(super) fn give_up(&mut self) {
        self.connection = None;
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take().filter(|connection| !connection.client.is_closed()) {
            self.pool.inner.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
    }
}

struct Inner {
    config: Config,
    tls: MakeRustlsConnect,
    idle: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
    names: Names,
    /// There is a single connection, inside one read transaction, and it is never replaced.
    frozen: bool,
}

/// A host's connection pool.
#[derive(Clone)]
pub(super) struct Pool {
    inner: Arc<Inner>,
}

impl Pool {
    pub(super) fn new(address: &str) -> Result<Pool, StoreError> {
        let (address, password) = super::password::find(address)?;
        let options = TlsOptions::of(&address)?;
        let mut config: Config = options.rest.parse().map_err(|error: tokio_postgres::Error| {
            let why =
                std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            StoreError::Option(format!("`{}` is not a database: {why}", without_password(&address)))
        })?;
        if let (None, Some(password)) = (config.get_password(), password) {
            config.password(password);
        }
        config.application_name("baize");
        config.ssl_mode(options.mode);
        let tls = options.connector()?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(TIMEOUT * 2);
        }
        let permits = Arc::new(Semaphore::new(CONNECTIONS));
        let idle = Mutex::new(Vec::new());
        Ok(Pool {
            inner: Arc::new(Inner { config, tls, idle, permits, names: Names::default(), frozen: false }),
        })
    }

    /// A frozen view of the database as it is now.
    pub(super) async fn frozen(&self) -> Result<Pool, StoreError> {
        let (client, connection) = self.connect().await?;
        tokio::spawn(connection);
        // A failed query would abort the transaction, so each is rolled back to the savepoint.
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
                     SET LOCAL idle_in_transaction_session_timeout = 0; SAVEPOINT frozen";
        client.batch_execute(begin).await.map_err(|error| meaning(&error))?;
        let idle = Mutex::new(vec![Connection { client, prepared: HashMap::new() }]);
        let (config, tls) = (self.inner.config.clone(), self.inner.tls.clone());
        let permits = Arc::new(Semaphore::new(1));
        Ok(Pool {
            inner: Arc::new(Inner { config, tls, idle, permits, names: Names::default(), frozen: true }),
        })
    }

    /// The cache of names.
    pub(super) fn names(&self) -> &Names {
        &self.inner.names
    }

    /// Opens a new connection outside the pool.
    pub(super) async fn connect(
        &self,
    ) -> Result<(Client, tokio_postgres::Connection<Socket, Encrypted>), StoreError> {
        // The client's connect timeout covers only TCP, which the kernel accepts even for a server that hangs.
        within(self.inner.config.connect(self.inner.tls.clone())).await?.map_err(|error| meaning(&error))
    }

    /// An open connection.
    pub(super) async fn lend(&self) -> Result<Lent, StoreError> {
        let permit = Arc::clone(&self.inner.permits).acquire_owned();
        // An audit runs one query after another on its only connection; a casino fails if all connections stay busy.
        let permit = if self.inner.frozen {
            permit.await
        } else {
            let busy = |_| StoreError::Away("all connections to the server are busy".to_owned());
            tokio::time::timeout(TIMEOUT * 2, permit).await.map_err(busy)?
        };
        let permit = permit.map_err(|_| StoreError::Away("the pool is closed".to_owned()))?;
        loop {
            let idle = self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            match idle {
                Some(connection) if connection.client.is_closed() => {}
                Some(connection) => {
                    return Ok(Lent { connection: Some(connection), pool: self.clone(), _permit: permit });
                }
                None => break,
            }
        }
        if self.inner.frozen {
            return Err(StoreError::Away("the connection was lost".to_owned()));
        }
        let (client, connection) = self.connect().await?;
        tokio::spawn(connection);
        self.names().forget();
        within(client.batch_execute(SETTINGS)).await?.map_err(|error| meaning(&error))?;
        let connection = Connection { client, prepared: HashMap::new() };
        Ok(Lent { connection: Some(connection), pool: self.clone(), _permit: permit })
    }

    /// Runs a query; retries for a while if the connection is lost.
    pub(super) async fn query(
        &self,
        sql: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let mut backoff = Backoff::new();
        loop {
            let error = match self.lend().await {
                Ok(mut lent) => match self.answered(&mut lent, sql, values).await? {
                    Ok(rows) => return Ok(rows),
                    Err(error) if !lost(&error) => {
                        if self.inner.frozen {
                            let undo = "ROLLBACK TO SAVEPOINT frozen";
                            lent.get().client.batch_execute(undo).await.map_err(|error| meaning(&error))?;
                        }
                        return Err(meaning(&error));
                    }
                    Err(error) => meaning(&error),
                },
                Err(error) => error,
            };
            if self.inner.frozen {
                return Err(error);
            }
            backoff.wait(error).await?;
        }
    }

    /// Runs a query with a timeout: a server that hangs does not cancel statements itself.
    async fn answered(
        &self,
        lent: &mut Lent,
        sql: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Result<Vec<Row>, tokio_postgres::Error>, StoreError> {
        if self.inner.frozen {
            return Ok(lent.get().query(sql, values).await);
        }
        let answer = within(lent.get().query(sql, values)).await;
        if answer.is_err() {
            lent.give_up();
        }
        answer
    }
}

/// Applies a timeout: a server that hangs does not cancel statements itself.
pub(super) async fn within<T>(work: impl Future<Output = T>) -> Result<T, StoreError> {
    let hangs = |_| StoreError::Away("the server does not answer".to_owned());
    tokio::time::timeout(TIMEOUT * 2, work).await.map_err(hangs)
}

/// Exponential backoff with an overall limit.
pub(super) struct Backoff {
    since: tokio::time::Instant,
    next: Duration,
}

impl Backoff {
    pub(super) fn new() -> Backoff {
        Backoff { since: tokio::time::Instant::now(), next: Duration::from_millis(20) }
    }

    pub(super) async fn wait(&mut self, error: StoreError) -> Result<(), StoreError> {
        if self.since.elapsed() + self.next > TIMEOUT {
            return Err(error);
        }
        tokio::time::sleep(self.next).await;
        self.next = (self.next * 2).min(Duration::from_secs(1));
        Ok(())
    }
}
