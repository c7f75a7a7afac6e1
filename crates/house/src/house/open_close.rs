//! Opening and closing the house, and what it does by itself while it is open.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock, Weak};
use std::time::Duration;

use tokio::sync::{Mutex, broadcast};

use super::{Answer, House, Inner, Request, Upgrade};
use crate::clock::HouseClock;
use crate::facts::HouseFact;
use crate::journal::Mode;
use crate::journal::{EntryFilter, Head, Store, Stream};
use crate::journal::{Key, KeyPlace, Vault};
use crate::memory::Published;
use crate::register::{Register, RegisterWork};
use crate::{Actor, Clock, HouseError, Program, WallClock};

/// Changes that a slow reader may lag behind before it must ask again.
const CHANGES: usize = 4_096;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);

/// How often the heads of all chains are sealed.
const SEAL: Duration = Duration::from_secs(300);

/// What goes wrong in the background, logged once until it changes: the database may be away for hours.
#[derive(Default)]
struct Trouble(Option<String>);

impl Trouble {
    fn note(&mut self, done: &Answer<()>, what: &str) {
        let now = done.as_ref().err().map(ToString::to_string);
        if now == self.0 {
            return;
        }
        match &now {
            Some(error) => tracing::warn!(target: "baize::house", error, "{what}"),
            None => tracing::info!(target: "baize::house", "trouble is over: {what}"),
        }
        self.0 = now;
    }
}

impl House {
    /// Opens the database (a file, `sqlite:FILE` or `postgres://…`), brings it up to date, and puts every table where the journal left it.
    /// A round that was under way is resolved by its game's paragraph on power failures.
    ///
    /// # Errors
    /// A database that cannot be reached, is damaged, in use, or belongs to a newer program.
    pub async fn open(database: &str) -> Answer<House> {
        let house = House::open_with(database, Arc::new(WallClock)).await?;
        house.run_clocks();
        house.listen_at_console(database);
        Ok(house)
    }

    /// As [`House::open`], with another clock. Nothing happens by itself: call [`House::tick`] when time has passed.
    pub async fn open_with(database: &str, clock: Arc<dyn Clock>) -> Answer<House> {
        House::over(database, clock, Mode::Serve, None).await?.begin().await
    }

    /// As [`House::open_with`], on a database that is open already.
    #[cfg(feature = "storm")]
    pub async fn open_on(
        store: Arc<dyn Store>,
        vault: Vault,
        key_place: KeyPlace,
        clock: Arc<dyn Clock>,
    ) -> Answer<House> {
        House::on(store, vault, key_place, clock, Mode::Serve).await?.begin().await
    }

    /// What a process does first: it notes that it is here, and puts every table where the journal left it.
    async fn begin(self) -> Answer<House> {
        let house = self;
        let Program { version, hash } = program().await;
        let by_plan = house.stopped_by_plan().await?;
        let alone = Some(house.inner.store.alone());
        let started = HouseFact::Started { version: Some(version), hash, alone };
        house.note(&Actor::House, |_| Ok(vec![started.clone()])).await?;
        match house.take_up(by_plan).await {
            Ok(()) => {
                house.listen_to_others();
                Ok(house)
            }
            Err(error) => {
                // A start that fails is not a crash: what stood still by plan stands still on. A recovery that was cut short is not planned.
                if (by_plan || !house.inner.store.alone())
                    && let Err(second) = house.note(&Actor::House, |_| Ok(vec![HouseFact::Stopped])).await
                {
                    tracing::error!(target: "baize::house", error = %second, "the stop could not be put on record");
                }
                Err(error)
            }
        }
    }

    /// Puts every table where the journal left it.
    async fn take_up(&self, by_plan: bool) -> Answer<()> {
        self.assign_as_before().await?;
        self.note_key().await?;
        self.note_jumps().await?;
        self.record_rulebooks().await?;
        if self.inner.store.alone() {
            self.hold_jackpots_against_the_ledger().await?;
            if by_plan {
                self.resume().await?;
                self.tell_all_others().await?;
            } else {
                self.recover().await?;
            }
        }
        self.seal().await?;
        Ok(self.inner.store.opened().await?)
    }

    /// Opens a database to look at it, beside a casino that may be running on it. Nothing can be changed.
    ///
    /// # Errors
    /// As [`House::open`]; also a database of an older version.
    pub async fn look_at(database: &str) -> Answer<House> {
        House::over(database, Arc::new(WallClock), Mode::Read, None).await
    }

    /// Opens a database to change its key: `given` is the new one where the present one is lost.
    pub(super) async fn open_for_keys(
        database: &str,
        clock: Arc<dyn Clock>,
        given: Option<Arc<Key>>,
    ) -> Answer<House> {
        House::over(database, clock, Mode::Serve, given).await
    }

    pub(super) async fn over(
        database: &str,
        clock: Arc<dyn Clock>,
        mode: Mode,
        given: Option<Arc<Key>>,
    ) -> Answer<House> {
        let (address, key_place) = crate::journal::key_place(database);
        if mode != Mode::Read && key_place == KeyPlace::Nowhere && given.is_none() {
            key_place.needed(None)?;
        }
        // Only a host makes a casino: a command on a mistyped address must not.
        if mode == Mode::Console && House::upgrade_of(database).await? == Upgrade::New {
            return Err(HouseError::NoDatabase(crate::journal::without_password(&address)));
        }
        let vault = Vault::default();
        given.into_iter().for_each(|key| vault.take(key));
        let store = crate::journal::open(&address, mode, vault.clone()).await?;
        House::on(store, vault, key_place, clock, mode).await
    }

    async fn on(
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
            looking: mode == Mode::Read,
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
            measures: Arc::default(),
            console: Arc::default(),
        };
        let house = House { inner: Arc::new(inner), request: Request::default() };
        let mut work = house.inner.register.lock().await;
        match house.refresh_register(&mut work).await {
            // An audit must be able to look at a damaged database.
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

    /// Whether the database takes what is written to it: a row beside the journal is written, and no order has failed just now.
    ///
    /// # Errors
    /// It does not, and why.
    pub async fn health(&self) -> Answer<()> {
        self.not_behind()?;
        Ok(self.inner.store.can_write().await?)
    }

    /// Stops taking orders, seals the journal and closes the database.
    ///
    /// # Errors
    /// The database is away; what was answered is safe all the same.
    pub async fn close(self) -> Answer<()> {
        self.seal().await?;
        self.note(&Actor::House, |_| Ok(vec![HouseFact::Stopped])).await?;
        self.inner.closed.store(true, Ordering::SeqCst);
        self.inner.console.close();
        self.inner.store.close().await?;
        Ok(())
    }

    /// Every round that was under way when the house stopped is resolved by its game's paragraph. Decks that no card was dealt from are
    /// shuffled again: if the database was restored, their proofs may have been published.
    pub(super) async fn recover(&self) -> Answer<()> {
        for slot in self.table_slots() {
            let plan = |turn: &mut crate::turn::Turn<'_>| {
                turn.shuffle_anew();
                turn.recover()?;
                turn.take_back_notice();
                Ok(())
            };
            match self.turn(&slot, &Actor::House, None, plan).await {
                // A damaged table stays halted; the others are opened.
                Ok(_) | Err(HouseError::Corrupt(_)) => {}
                Err(other) => return Err(other),
            }
        }
        self.tell_all_others().await
    }

    /// Does what is due: clocks that have run out, awards that can be handed over. Called by itself in a house that was opened with
    /// [`House::open`].
    ///
    /// # Errors
    /// The database is away; the next call tries again.
    pub async fn tick(&self) -> Answer<()> {
        let now = self.now();
        self.note_jumps().await?;
        let mut doing = tokio::task::JoinSet::new();
        for slot in self.table_slots() {
            let shown = slot.shown.get();
            if shown.halted.is_some() {
                continue;
            }
            if House::untold(shown.live.to_tell.as_ref(), now) {
                settle_for_others(self.tell_others(&slot).await.map(Some))?;
            }
            let up = shown.live.deadline().is_some_and(|(_, ends)| ends <= now);
            if !up && !self.owes(&shown.live) {
                continue;
            }
            // Tables do not wait for each other: what falls due together is written together.
            let house = self.clone();
            doing.spawn(async move {
                let (presence, alone) = (&slot.presence, house.inner.store.ordered());
                let plan = |turn: &mut crate::turn::Turn<'_>| {
                    if up { turn.time_is_up(presence, alone) } else { turn.pay_awards() }
                };
                settle_for_others(house.turn(&slot, &Actor::House, None, plan).await)
            });
        }
        while let Some(done) = doing.join_next().await {
            done.map_err(|error| HouseError::Unavailable(error.to_string()))??;
        }
        Ok(())
    }

    /// Notes that the clock of this host has jumped, with what it should have shown and what it showed.
    async fn note_jumps(&self) -> Answer<()> {
        for (expected, found) in self.inner.clock.jumps() {
            let fact = HouseFact::ClockJumped { expected, found };
            self.note(&Actor::House, |_| Ok(vec![fact.clone()])).await?;
        }
        Ok(())
    }

    /// Whether the jackpot has decided on a claim that the table has not handed over yet.
    fn owes(&self, live: &crate::live_table::LiveTable) -> bool {
        let jackpot = live.config.jackpot.as_ref().and_then(|id| self.jackpot_slot(id).ok());
        jackpot.is_some_and(|slot| baize_floor::owes(live.id.as_str(), &live.table, &slot.shown.get().state))
    }

    /// Writes the heads of all chains into the house's own, so that none of them can lose its end unnoticed.
    pub async fn seal(&self) -> Answer<()> {
        let heads = self.inner.store.heads().await?;
        let own = Stream::house();
        let heads: BTreeMap<String, (u64, String)> = heads
            .into_iter()
            .filter(|(stream, _)| *stream != own)
            .map(|(stream, head)| (stream.as_str().to_owned(), (head.version, head.hash)))
            .collect();
        self.note(&Actor::House, |_| Ok(vec![HouseFact::Sealed { heads: heads.clone() }])).await
    }

    fn run_clocks(&self) {
        let house = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            let mut sealed = tokio::time::Instant::now();
            let mut trouble = Trouble::default();
            while let Some(house) = open(&house) {
                // What is due and cannot be done now is due again at the next tick.
                let mut done = house.tick().await;
                if sealed.elapsed() >= SEAL {
                    sealed = tokio::time::Instant::now();
                    done = done.and(house.seal().await);
                }
                trouble.note(&done, "what is due could not be done");
                drop(house);
                tokio::time::sleep(TICK).await;
            }
        });
    }

    /// Follows what other processes write into the same database.
    fn listen_to_others(&self) {
        let Some(mut news) = self.inner.store.news() else { return };
        let house = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            let mut trouble = Trouble::default();
            while let Some(stream) = news.recv().await {
                let Some(house) = open(&house) else { return };
                if crate::journal::sabotage::is("news of other hosts is not read") {
                    continue;
                }
                // The next writer finds the same failure.
                trouble.note(&house.follow(&stream).await, "what other hosts wrote could not be read");
            }
        });
    }

    /// Reads what is new in a chain.
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

    /// Reads what other hosts have written since: nobody is refused on old news. While the database is behind, people are who they were to
    /// this host: a Shift Manager must get in to decide about it, and nothing else is done.
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

/// This program. Its file is read where nobody waits for the thread.
async fn program() -> Program {
    if let Some(known) = Program::known() {
        return known.clone();
    }
    let read = tokio::task::spawn_blocking(|| Program::this().clone());
    read.await.unwrap_or_else(|_| Program { version: String::new(), hash: None })
}

pub(super) fn open(house: &Weak<Inner>) -> Option<House> {
    let inner = house.upgrade()?;
    (!inner.closed.load(Ordering::SeqCst)).then_some(House { inner, request: Request::default() })
}

/// What another process did first, or what the rules do not allow any more, needs no doing.
fn settle_for_others<T>(done: Answer<Option<T>>) -> Answer<()> {
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
