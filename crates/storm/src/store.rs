//! The simulated database as seen by a host.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use baize_journal::{
    Batch, DeckRow, Difference, Entry, EntryFilter, Head, Instant, KeptSecret, LooseRow, RoundFilter,
    RoundRow, SecretRow, SnapshotFilter, SnapshotRow, Store, StoreError, StoreFuture, Stream, Vault,
};
use tokio::sync::mpsc;

use crate::database::Database;
use crate::world::{Life, World};

/// The connection of one process of a host.
pub(crate) struct HostStore {
    world: Arc<World>,
    host: usize,
    life: Life,
    alone: bool,
    notifications: Mutex<Option<mpsc::UnboundedReceiver<Stream>>>,
    vault: Vault,
    /// A frozen view: reads come from here, and nothing is written.
    frozen: Option<Database>,
}

impl HostStore {
    /// Connects.
    pub(crate) async fn open(world: &Arc<World>, host: usize, vault: Vault) -> HostStore {
        let (life, alone, notifications) = world.arrive(host).await;
        let notifications = Mutex::new(Some(notifications).filter(|_| !world.ordered));
        HostStore { world: Arc::clone(world), host, life, alone, notifications, vault, frozen: None }
    }

    /// Runs a query.
    fn ask<'a, T: Send + 'a>(
        &'a self,
        query: impl FnOnce(&Database, &Vault) -> T + Send + 'a,
    ) -> StoreFuture<'a, T> {
        Box::pin(async move {
            match &self.frozen {
                Some(database) => Ok(query(database, &self.vault)),
                None => {
                    self.world.ask(self.host, self.life).await?;
                    Ok(query(&self.world.state().database, &self.vault))
                }
            }
        })
    }

    /// Changes a row outside the journal.
    fn change<'a, T: Send + 'a>(
        &'a self,
        change: impl FnOnce(&mut Database, &Vault) -> T + Send + 'a,
    ) -> StoreFuture<'a, T> {
        Box::pin(async move {
            self.world.ask(self.host, self.life).await?;
            Ok(change(&mut self.world.state().database, &self.vault))
        })
    }
}

fn made(vault: &Vault, (row, binding): &(SecretRow, String)) -> Option<SecretRow> {
    vault.made(row, binding).then(|| row.clone())
}

impl Store for HostStore {
    fn append(&self, batch: Batch) -> StoreFuture<'static, Vec<u64>> {
        if self.frozen.is_some() {
            let why = "the database was opened for reading only".to_owned();
            return Box::pin(std::future::ready(Err(StoreError::Away(why))));
        }
        let answered = self.world.write((self.host, self.life), batch, self.vault.clone());
        Box::pin(async move {
            answered.await.unwrap_or_else(|_| Err(StoreError::Unknown("the writer has stopped".to_owned())))
        })
    }

    fn ordered(&self) -> bool {
        self.world.ordered
    }

    fn read(&self, stream: &Stream, after: u64, limit: u32) -> StoreFuture<'_, Vec<Entry>> {
        let stream = stream.clone();
        self.ask(move |database, vault| vault.open_bodies(database.read(&stream, after, limit)))
    }

    fn by_command(&self, command: &str) -> StoreFuture<'_, Option<Entry>> {
        let command = command.to_owned();
        self.ask(move |database, vault| {
            let found = database.by_command(&command).map(|entry| Entry::clone(entry));
            vault.open_bodies(found.into_iter().collect()).pop()
        })
    }

    fn entries(&self, filter: EntryFilter) -> StoreFuture<'_, Vec<Entry>> {
        self.ask(move |database, vault| vault.open_bodies(database.filtered(&filter)))
    }

    fn numbers(&self, from: Option<Instant>, until: Option<Instant>) -> StoreFuture<'_, Option<(u64, u64)>> {
        self.ask(move |database, _| database.numbers(from, until))
    }

    fn streams(&self) -> StoreFuture<'_, Vec<Stream>> {
        self.ask(|database, _| database.streams())
    }

    fn heads(&self) -> StoreFuture<'_, BTreeMap<Stream, Head>> {
        self.ask(|database, _| database.heads())
    }

    fn balance(&self, account: &str) -> StoreFuture<'_, i64> {
        let account = account.to_owned();
        self.ask(move |database, _| database.balances.get(&account).copied().unwrap_or(0))
    }

    fn balances(&self) -> StoreFuture<'_, BTreeMap<String, i64>> {
        self.ask(|database, _| database.balances.clone())
    }

    fn deck(&self, table: &str, round: u32) -> StoreFuture<'_, Option<DeckRow>> {
        let table = table.to_owned();
        self.ask(move |database, vault| database.deck(&table, round).map(|row| vault.opened(row)))
    }

    fn decks(&self, table: &str) -> StoreFuture<'_, Vec<DeckRow>> {
        let table = table.to_owned();
        self.ask(move |database, vault| {
            database.decks(&table).into_iter().map(|row| vault.opened(row)).collect()
        })
    }

    fn rounds_kept(&self) -> StoreFuture<'_, BTreeMap<String, (u64, u64)>> {
        self.ask(|database, _| database.rounds_kept())
    }

    fn rounds(&self, filter: RoundFilter) -> StoreFuture<'_, Vec<RoundRow>> {
        self.ask(move |database, _| database.rounds(&filter))
    }

    fn round(&self, table: &str, round: u32) -> StoreFuture<'_, Option<RoundRow>> {
        let place = (table.to_owned(), round);
        self.ask(move |database, _| database.rounds.get(&place).cloned())
    }

    fn snapshots(&self, filter: SnapshotFilter) -> StoreFuture<'_, Vec<SnapshotRow>> {
        self.ask(move |database, _| database.snapshots(&filter))
    }

    fn names_from(&self, prefix: &str) -> StoreFuture<'_, Vec<String>> {
        let prefix = prefix.to_owned();
        self.ask(move |database, _| database.names_from(&prefix))
    }

    fn put_secret(&self, row: SecretRow) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let binding = self.vault.binding(&row)?;
            self.change(move |database, _| database.put_secret(row, binding)).await
        })
    }

    fn kept_secrets(&self) -> StoreFuture<'_, Vec<KeptSecret>> {
        self.ask(|database, vault| {
            let kept = |(row, binding): &(SecretRow, String)| {
                let made = vault.key().map(|_| vault.made(row, binding));
                KeptSecret { row: row.clone(), made }
            };
            database.secrets().values().map(kept).collect()
        })
    }

    fn take_secret(&self, hash: &str, kind: &str, now: Instant) -> StoreFuture<'_, Option<SecretRow>> {
        let (hash, kind) = (hash.to_owned(), kind.to_owned());
        self.change(move |database, vault| {
            database.take_secret(&hash, &kind, now).and_then(|kept| made(vault, &kept))
        })
    }

    fn secrets(&self, hashes: Vec<String>, kind: &str, now: Instant) -> StoreFuture<'_, Vec<SecretRow>> {
        let kind = kind.to_owned();
        self.ask(move |database, vault| {
            let kept = hashes.iter().filter_map(|hash| database.secrets().get(hash));
            let found = kept.filter_map(|kept| made(vault, kept));
            found.filter(|row| row.kind == kind && row.expires > now).collect()
        })
    }

    fn extend_secret(&self, row: SecretRow) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let binding = self.vault.binding(&row)?;
            self.change(move |database, _| {
                if database.secrets().contains_key(&row.hash) {
                    database.put_secret(row, binding);
                }
            })
            .await
        })
    }

    fn loose(&self) -> StoreFuture<'_, Vec<LooseRow>> {
        self.ask(|_, _| Vec::new())
    }

    fn given(&self) -> StoreFuture<'_, Option<u64>> {
        let ordered = self.world.ordered;
        self.ask(move |database, _| ordered.then_some(database.entries.len() as u64))
    }

    fn differences(&self) -> StoreFuture<'_, Vec<Difference>> {
        self.ask(|_, _| Vec::new())
    }

    fn frozen(&self) -> StoreFuture<'_, Arc<dyn Store>> {
        Box::pin(async move {
            let frozen = self.ask(|database, _| database.clone()).await?;
            let store: Arc<dyn Store> = Arc::new(HostStore {
                world: Arc::clone(&self.world),
                host: self.host,
                life: self.life,
                alone: false,
                notifications: Mutex::new(None),
                vault: self.vault.clone(),
                frozen: Some(frozen),
            });
            Ok(store)
        })
    }

    fn can_write(&self) -> StoreFuture<'_, ()> {
        self.ask(|_, _| ())
    }

    fn alone(&self) -> bool {
        self.alone
    }

    fn opened(&self) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.world.ask(self.host, self.life).await?;
            self.world.opened(self.life)
        })
    }

    fn others(&self) -> StoreFuture<'_, bool> {
        let world = Arc::clone(&self.world);
        Box::pin(async move {
            world.ask(self.host, self.life).await?;
            Ok(world.hosts() > 1)
        })
    }

    fn news(&self) -> Option<mpsc::UnboundedReceiver<Stream>> {
        self.notifications.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn floor(&self, _commits: u32) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
}
