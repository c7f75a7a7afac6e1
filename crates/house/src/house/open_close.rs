//! Opening and closing the house, and its background tasks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock, Weak};
use std::time::Duration;

use tokio::sync::{Mutex, broadcast};

use super::{Answer, House, Inner, Request, Upgrade};
use crate::boxed;
use crate::clock::HouseClock;
use crate::facts::HouseFact;
use crate::journal::Mode;
use crate::journal::{EntryFilter, Head, Store, Stream};
use crate::journal::{Key, KeyPlace, Vault};
use crate::memory::Published;
use crate::register::{Register, RegisterWork};
use crate::{Actor, Clock, ClockKind, HouseError, Program, WallClock};

/// Changes that a slow subscriber may lag behind.
const CHANGES: usize = 4_096;

/// Interval between checks of the clocks.
const TICK: Duration = Duration::from_millis(100);
/// How long bets or choices may be overdue before another host than the table's own closes them. A table sticks to the host that wrote its
/// last entry, so that hosts do not conflict over each clock; if that host is gone, another takes over.
const TAKE_OVER_SECONDS: u32 = 2;

/// Interval between seals of all chains.
const SEAL: Duration = Duration::from_secs(300);

/// Logs a background failure once until it changes: the database may be away for hours.
#[derive(Default)]
struct FailureLog(Option<String>);

impl FailureLog {
    fn note(&mut self, done: &Answer<()>, what: &str) {
        let now = done.as_ref().err().map(ToString::to_string);
        if now == self.0 {
            return;
        }
        match &now {
            Some(error) => tracing::warn!(target: "baize::house", error, "{what}"),
            None => tracing::info!(target: "baize::house", "recovered: {what}"),
        }
        self.0 = now;
    }
}

impl House {
    /// Opens a casino (a file, `sqlite:FILE` or `postgres://…`), upgrades its database, and restores every table as the journal left it. An
    /// interrupted round is resolved by its game's paragraph on power failures.
    ///
    /// # Errors
    /// The database cannot be reached, is damaged or in use, or belongs to a newer program.
    #[boxed]
    pub async fn open(database: &str) -> Answer<House> {
        let house = House::open_with(database, Arc::new(WallClock)).await?;
        house.run_clocks();
        house.listen_at_console(database);
        Ok(house)
    }

    /// As [`House::open`], with another clock and without background tasks: call [`House::tick`] when time has passed.
    #[boxed]
    pub async fn open_with(database: &str, clock: Arc<dyn Clock>) -> Answer<House> {
        House::connect(database, clock, Mode::Serve, None).await?.start().await
    }

    /// As [`House::open_with`], on a database that is already open.
    #[cfg(feature = "storm")]
    #[boxed]
    pub async fn open_on(
        store: Arc<dyn Store>,
        vault: Vault,
        key_place: KeyPlace,
        clock: Arc<dyn Clock>,
    ) -> Answer<House> {
        House::from_store(store, vault, key_place, clock, Mode::Serve).await?.start().await
    }

    /// Records the start and restores every table as the journal left it.
    async fn start(self) -> Answer<House> {
        let house = self;
        let Program { version, hash } = program().await;
        let planned = house.stopped_as_planned().await?;
        let alone = Some(house.inner.store.alone());
        let started = HouseFact::Started { version: Some(version), hash, alone };
        house.append_facts(&Actor::House, |_| Ok(vec![started.clone()])).await?;
        match house.restore(planned).await {
            Ok(()) => {
                house.listen_to_others();
                Ok(house)
            }
            Err(error) => {
                // A failed start after a planned stop is not a crash: record a stop, so that the next start does not treat it as one. An
                // interrupted recovery must be repeated.
                if (planned || !house.inner.store.alone())
                    && let Err(second) =
                        house.append_facts(&Actor::House, |_| Ok(vec![HouseFact::Stopped])).await
                {
                    tracing::error!(target: "baize::house", error = %second, "the stop could not be recorded");
                }
                Err(error)
            }
        }
    }

    /// Restores every table as the journal left it.
    async fn restore(&self, planned: bool) -> Answer<()> {
        self.migrate_assignments().await?;
        self.note_key().await?;
        self.note_jumps().await?;
        self.record_rulebooks().await?;
        if self.inner.store.alone() {
            self.reconcile_jackpots().await?;
            if planned {
                self.resume().await?;
                self.apply_all_pending().await?;
            } else {
                self.recover().await?;
            }
        }
        self.seal().await?;
        Ok(self.inner.store.opened().await?)
    }

    /// Opens a database read-only, also while a casino is running on it.
    ///
    /// # Errors
    /// As [`House::open`]; the database has an older version.
    #[boxed]
    pub async fn look_at(database: &str) -> Answer<House> {
        House::connect(database, Arc::new(WallClock), Mode::Read, None).await
    }

    /// Opens a database to change its key. `given` is the new key if the present one is lost.
    pub(super) async fn open_for_keys(
        database: &str,
        clock: Arc<dyn Clock>,
        given: Option<Arc<Key>>,
    ) -> Answer<House> {
        House::connect(database, clock, Mode::Serve, given).await
    }

    pub(super) async fn connect(
        database: &str,
        clock: Arc<dyn Clock>,
        mode: Mode,
        given: Option<Arc<Key>>,
    ) -> Answer<House> {
        let (address, key_place) = crate::journal::key_place(database);
        // A key that is missing or unusable is found before anything is created.
        let named = match &key_place {
            KeyPlace::Nowhere => mode != Mode::Read,
            KeyPlace::File(_) | KeyPlace::Given(_) => mode == Mode::Serve,
            KeyPlace::Beside(_) => false,
        };
        if named && given.is_none() {
            key_place.needed(None)?;
        }
        // Only a host creates a casino: a command with a mistyped address must not.
        if mode == Mode::Console && House::upgrade_of(database).await? == Upgrade::New {
            return Err(HouseError::NoDatabase(crate::journal::without_password(&address)));
        }
        let vault = Vault::default();
        given.into_iter().for_each(|key| vault.take(key));
        let store = crate::journal::open(&address, mode, vault.clone()).await?;
        House::from_store(store, vault, key_place, clock, mode).await
    }

    async fn from_store(
        store: Arc<dyn Store>,
        vault: Vault,
        key_place: KeyPlace,
        clock: Arc<dyn Clock>,
        mode: Mode,
    ) -> Answer<House> {
        let clock = HouseClock::new(clock);
        let last = store.entries(EntryFilter { limit: 1, ..EntryFilter::default() }).await;
        if let Some(entry) = last.ok().and_then(|entries| entries.into_iter().next()) {
            clock.resume(entry.at);
        }
        let inner = Inner {
            store,
            clock,
            key_place,
            vault,
            behind: Published::new(None),
            read_only: mode == Mode::Read,
            changes: broadcast::channel(CHANGES).0,
            tables: RwLock::new(BTreeMap::new()),
            jackpots: RwLock::new(BTreeMap::new()),
            register: Mutex::new(RegisterWork {
                register: Register::default(),
                head: Head::default(),
                stale: true,
            }),
            shown: Published::new(Register::default()),
            log_ins: super::login::LogIns::default(),
            idle: Published::new(crate::IdleLimits::default()),
            day: Published::new(crate::GamingDay::default()),
            closed: AtomicBool::new(mode == Mode::Read),
            metrics: Arc::default(),
            console: Arc::default(),
        };
        let house = House { inner: Arc::new(inner), request: Request::default() };
        let mut work = house.inner.register.lock().await;
        match house.refresh_register(&mut work).await {
            // An audit must be able to read a damaged database.
            Err(HouseError::Corrupt(_)) if mode == Mode::Read => {}
            other => other?,
        }
        drop(work);
        Ok(house)
    }

    /// The default database: a file in the user's data folder.
    #[must_use]
    pub fn default_database() -> String {
        let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let folder = given("XDG_DATA_HOME")
            .or_else(|| given("LOCALAPPDATA"))
            .map(std::path::PathBuf::from)
            .or_else(|| given("HOME").map(|home| std::path::Path::new(&home).join(".local").join("share")));
        let folder = folder.unwrap_or_else(|| std::path::PathBuf::from("."));
        folder.join("baize").join("casino.sqlite").display().to_string()
    }

    /// Checks that the database can be written, by writing a row outside the journal.
    ///
    /// # Errors
    /// The database is behind or cannot be written.
    #[boxed]
    pub async fn health(&self) -> Answer<()> {
        self.not_behind()?;
        Ok(self.inner.store.can_write().await?)
    }

    /// Seals the journal, records the stop and closes the database.
    ///
    /// # Errors
    /// The database is not available. Requests that were answered are durable nevertheless.
    #[boxed]
    pub async fn close(self) -> Answer<()> {
        self.seal().await?;
        self.append_facts(&Actor::House, |_| Ok(vec![HouseFact::Stopped])).await?;
        self.inner.closed.store(true, Ordering::SeqCst);
        self.inner.console.close();
        self.inner.store.close().await?;
        Ok(())
    }

    /// Resolves every interrupted round by its game's paragraph. Decks of which no card was dealt are shuffled again: if the database was
    /// restored, their proofs may have been published.
    pub(super) async fn recover(&self) -> Answer<()> {
        self.turn_everywhere(|turn| {
            turn.reshuffle();
            turn.recover()?;
            turn.take_back_notice();
            Ok(())
        })
        .await?;
        self.apply_all_pending().await
    }

    /// Does what is due: expired clocks, awards to pay, rulings to apply elsewhere. [`House::open`] calls it in the background.
    ///
    /// # Errors
    /// The database is not available; the next call tries again.
    #[boxed]
    pub async fn tick(&self) -> Answer<()> {
        let now = self.now();
        self.note_jumps().await?;
        let mut doing = tokio::task::JoinSet::new();
        // A table that fails does not give up what others have begun.
        let mut failed = None;
        for slot in self.table_slots() {
            let shown = slot.shown.get();
            if shown.halted.is_some() {
                continue;
            }
            if House::is_overdue(shown.live.pending.as_ref(), now) {
                failed = failed.or(ignore_superseded(self.apply_pending(&slot).await.map(Some)).err());
            }
            let kept_here = shown.kept_here || self.inner.store.ordered();
            let up = shown.live.deadline().is_some_and(|(clock, ends)| {
                // Only the host that a player is connected to knows that they are there: each host decides for its own players at once.
                let patience = if kept_here || clock == ClockKind::Decision { 0 } else { TAKE_OVER_SECONDS };
                ends.plus_seconds(patience) <= now
            });
            if !up && !self.owes(&shown.live) {
                continue;
            }
            // Tables run concurrently: what is due together is written together.
            let house = self.clone();
            doing.spawn(async move {
                let (presence, alone) = (&slot.presence, house.inner.store.ordered());
                let plan = |turn: &mut crate::turn::Turn<'_>| {
                    if up { turn.clock_expired(presence, alone) } else { turn.pay_awards() }
                };
                ignore_superseded(house.turn(&slot, &Actor::House, None, plan).await)
            });
        }
        while let Some(done) = doing.join_next().await {
            failed =
                failed.or(done.map_err(|error| HouseError::Unavailable(error.to_string())).flatten().err());
        }
        failed.map_or(Ok(()), Err)
    }

    /// Records jumps of this host's clock.
    async fn note_jumps(&self) -> Answer<()> {
        for (expected, found) in self.inner.clock.take_jumps() {
            let fact = HouseFact::ClockJumped { expected, found };
            self.append_facts(&Actor::House, |_| Ok(vec![fact.clone()])).await?;
        }
        Ok(())
    }

    /// Whether the jackpot has decided a claim that the table has not paid yet.
    fn owes(&self, live: &crate::live_table::LiveTable) -> bool {
        let jackpot = live.config.jackpot.as_ref().and_then(|id| self.jackpot_slot(id).ok());
        jackpot.is_some_and(|slot| baize_floor::owes(live.id.as_str(), &live.table, &slot.shown.get().state))
    }

    /// Seals the heads of all chains in the house's own chain, so that no chain can lose its end unnoticed.
    #[boxed]
    pub async fn seal(&self) -> Answer<()> {
        let heads = self.inner.store.heads().await?;
        let own = Stream::house();
        let heads: BTreeMap<String, (u64, String)> = heads
            .into_iter()
            .filter(|(stream, _)| *stream != own)
            .map(|(stream, head)| (stream.as_str().to_owned(), (head.version, head.hash)))
            .collect();
        self.append_facts(&Actor::House, |_| Ok(vec![HouseFact::Sealed { heads: heads.clone() }])).await
    }

    fn run_clocks(&self) {
        let house = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            let mut sealed = tokio::time::Instant::now();
            let mut failures = FailureLog::default();
            while let Some(house) = upgrade(&house) {
                // Work that fails now is due again at the next tick.
                let mut done = house.tick().await;
                if sealed.elapsed() >= SEAL {
                    sealed = tokio::time::Instant::now();
                    done = done.and(house.seal().await);
                }
                failures.note(&done, "due work failed");
                drop(house);
                tokio::time::sleep(TICK).await;
            }
        });
    }

    /// Reads what other processes write into the same database.
    fn listen_to_others(&self) {
        let Some(mut news) = self.inner.store.news() else { return };
        let house = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            let mut failures = FailureLog::default();
            while let Some(stream) = news.recv().await {
                let Some(house) = upgrade(&house) else { return };
                if crate::journal::sabotage::is("news of other hosts is not read") {
                    continue;
                }
                // The next writer meets the same failure.
                failures.note(&house.follow(&stream).await, "entries of other hosts could not be read");
            }
        });
    }

    /// Reads the new entries of a chain.
    pub(super) async fn follow(&self, stream: &Stream) -> Answer<()> {
        if *stream == Stream::all() {
            return self.follow_all().await;
        }
        if let Some(id) = stream.after("table/").and_then(|name| name.parse().ok()) {
            let Ok(slot) = self.table_slot(&id) else { return self.follow_house().await };
            let mut work = slot.work.lock().await;
            self.refresh_table(&slot, &mut work).await?;
        } else if let Some(id) = stream.after("jackpot/").and_then(|name| name.parse().ok()) {
            let Ok(slot) = self.jackpot_slot(&id) else { return self.follow_house().await };
            let mut work = slot.work.lock().await;
            self.refresh_jackpot(&slot, &mut work).await?;
        } else if *stream == Stream::house() {
            self.follow_house().await?;
        }
        Ok(())
    }

    /// Reads what other hosts have written to the house's chain, so that nobody is refused on outdated data. While the database is behind,
    /// the known accounts stay in force: a Shift Manager must be able to log in and decide.
    pub(crate) async fn catch_up(&self) -> Answer<()> {
        if self.inner.store.ordered() || self.behind().is_some() {
            return Ok(());
        }
        match self.follow_house().await {
            Err(HouseError::Behind(_)) => Ok(()),
            other => other,
        }
    }

    pub(super) async fn follow_house(&self) -> Answer<()> {
        let mut work = self.inner.register.lock().await;
        self.refresh_register(&mut work).await
    }
}

/// The running program. Its file is read on a blocking thread.
async fn program() -> Program {
    if let Some(known) = Program::known() {
        return known.clone();
    }
    let read = tokio::task::spawn_blocking(|| Program::this().clone());
    read.await.unwrap_or_else(|_| Program { version: String::new(), hash: None })
}

pub(super) fn upgrade(house: &Weak<Inner>) -> Option<House> {
    let inner = house.upgrade()?;
    (!inner.closed.load(Ordering::SeqCst)).then_some(House { inner, request: Request::default() })
}

/// Ignores failures of background work that another process did first or that the rules no longer allow.
fn ignore_superseded<T>(done: Answer<Option<T>>) -> Answer<()> {
    match done {
        Ok(_)
        | Err(
            HouseError::Refused(_)
            | HouseError::Conflict { .. }
            | HouseError::NotNow(_)
            | HouseError::Behind(_)
            | HouseError::Corrupt(_),
        ) => Ok(()),
        Err(other) => Err(other),
    }
}
