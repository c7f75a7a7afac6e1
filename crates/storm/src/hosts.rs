//! The hosts: real houses, each in a simulated process that may die at any await and restart.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use baize_house::{Clock, House, HouseError};
use baize_journal::{KeyPlace, Vault};
use tokio::task::AbortHandle;

use crate::clock::HostClock;
use crate::store::HostStore;
use crate::world::World;

/// The key of every simulated house.
pub(crate) const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Delay before a host that could not open tries again.
const RETRY_DELAY: Duration = Duration::from_millis(250);

struct Slot {
    house: Option<House>,
    clock: Arc<HostClock>,
    /// Number of the current process.
    process: u64,
    /// Polls until the process dies.
    fuse: Option<u64>,
    /// Downtime after that, in milliseconds.
    down: u64,
    tasks: Vec<AbortHandle>,
}

/// All hosts of a casino.
pub(crate) struct Hosts {
    /// The simulated environment.
    pub(crate) world: Arc<World>,
    slots: Vec<Mutex<Slot>>,
    /// Violations found.
    wrong: Mutex<Vec<String>>,
}

impl Hosts {
    /// Hosts, not open yet.
    #[must_use]
    pub(crate) fn new(world: &Arc<World>, count: usize) -> Arc<Hosts> {
        let slot = |_| {
            let clock = Arc::new(HostClock::new(world.began));
            Mutex::new(Slot { house: None, clock, process: 0, fuse: None, down: 0, tasks: Vec::new() })
        };
        Arc::new(Hosts {
            world: Arc::clone(world),
            slots: (0..count).map(slot).collect(),
            wrong: Mutex::new(Vec::new()),
        })
    }

    fn slot(&self, host: usize) -> MutexGuard<'_, Slot> {
        self.slots[host % self.slots.len()].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of hosts.
    #[must_use]
    pub(crate) const fn count(&self) -> usize {
        self.slots.len()
    }

    /// The house of a host, if it is open.
    #[must_use]
    pub(crate) fn house(&self, host: usize) -> Option<House> {
        self.slot(host).house.clone()
    }

    /// An open host: this one, or another.
    #[must_use]
    pub(crate) fn open_host(&self, wanted: usize) -> Option<usize> {
        (0..self.count())
            .map(|next| (wanted + next) % self.count())
            .find(|host| self.slot(*host).house.is_some())
    }

    /// The clock of a host.
    #[must_use]
    pub(crate) fn clock(&self, host: usize) -> Arc<HostClock> {
        Arc::clone(&self.slot(host).clock)
    }

    /// Reports a violation.
    pub(crate) fn report(&self, what: String) {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    /// Violations found.
    pub(crate) fn violations(&self) -> Vec<String> {
        std::mem::take(&mut self.wrong.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes the process die after `polls` polls and stay down for `down` milliseconds.
    pub(crate) fn schedule_death(&self, host: usize, polls: u64, down: u64) {
        let mut slot = self.slot(host);
        (slot.fuse, slot.down) = (Some(polls), down);
    }

    /// Cancels all scheduled deaths.
    pub(crate) fn cancel_deaths(&self) {
        for host in 0..self.count() {
            self.slot(host).fuse = None;
        }
    }

    /// Kills the process.
    fn die(self: &Arc<Hosts>, host: usize) {
        let mut slot = self.slot(host);
        slot.fuse = None;
        slot.house = None;
        slot.process += 1;
        let (tasks, down) = (std::mem::take(&mut slot.tasks), slot.down);
        drop(slot);
        self.world.leave(host);
        for task in tasks {
            task.abort();
        }
        let hosts = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(down)).await;
            hosts.start(host);
        });
    }

    /// Starts a process, which tries to open the house until it succeeds.
    pub(crate) fn start(self: &Arc<Hosts>, host: usize) {
        let mut slot = self.slot(host);
        slot.process += 1;
        let process = slot.process;
        let clock: Arc<dyn Clock> = slot.clock.clone();
        drop(slot);
        let hosts = Arc::clone(self);
        let opening = async move {
            loop {
                let vault = Vault::default();
                let store = Arc::new(HostStore::open(&hosts.world, host, vault.clone()).await);
                let key = KeyPlace::Given(KEY.to_owned());
                match House::open_on(store, vault, key, Arc::clone(&clock)).await {
                    Ok(house) => {
                        let mut slot = hosts.slot(host);
                        if slot.process == process {
                            slot.house = Some(house);
                        }
                        return;
                    }
                    Err(error) => {
                        if !matches!(
                            error,
                            HouseError::Unavailable(_)
                                | HouseError::NotKnown { .. }
                                | HouseError::Conflict { .. }
                        ) {
                            hosts.report(format!("host {host} does not open: {}: {error}", error.code()));
                        }
                        hosts.world.leave(host);
                        tokio::time::sleep(RETRY_DELAY).await;
                    }
                }
            }
        };
        self.run(host, opening);
    }

    /// Stops a process normally and starts another.
    pub(crate) async fn stop(self: &Arc<Hosts>, host: usize) {
        let Some(house) = self.house(host) else { return };
        let closing = async move {
            // The database may be away; a failed stop counts as a crash, which is one of the faults.
            let _ = house.drain(Duration::ZERO).await;
            let _ = house.close().await;
        };
        self.on(host, closing).await;
        if self.house(host).is_some() {
            self.slot(host).down = 100;
            self.die(host);
        }
    }

    /// Runs a future in a host's process; `None` if the process died first.
    pub(crate) async fn on<T: Send + 'static>(
        self: &Arc<Hosts>,
        host: usize,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let running = self.run(host, future);
        match running.await {
            Ok(done) => done,
            Err(stopped) if stopped.is_cancelled() => None,
            Err(panicked) => {
                self.report(panic_message(panicked.into_panic().as_ref()));
                None
            }
        }
    }

    fn run<T: Send + 'static>(
        self: &Arc<Hosts>,
        host: usize,
        future: impl Future<Output = T> + Send + 'static,
    ) -> tokio::task::JoinHandle<Option<T>> {
        let process = self.slot(host).process;
        let running =
            tokio::spawn(HostTask { future: Some(Box::pin(future)), hosts: Arc::clone(self), host, process });
        let mut slot = self.slot(host);
        slot.tasks.retain(|task| !task.is_finished());
        slot.tasks.push(running.abort_handle());
        running
    }
}

/// A future inside a process: every poll may be its last.
struct HostTask<T> {
    future: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
    hosts: Arc<Hosts>,
    host: usize,
    process: u64,
}

impl<T> Future for HostTask<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let (host, process) = (self.host, self.process);
        if self.hosts.slot(host).process != process {
            self.future = None;
            return Poll::Ready(None);
        }
        let Some(future) = self.future.as_mut() else { return Poll::Ready(None) };
        if let Poll::Ready(done) = future.as_mut().poll(context) {
            return Poll::Ready(Some(done));
        }
        let mut slot = self.hosts.slot(host);
        let dies = slot.fuse.as_mut().is_some_and(|fuse| {
            *fuse = fuse.saturating_sub(1);
            *fuse == 0
        });
        drop(slot);
        if dies {
            // The process dies between two polls.
            self.future = None;
            self.hosts.world.state().note(crate::fault::Fault::HostDies);
            let hosts = Arc::clone(&self.hosts);
            hosts.die(host);
            return Poll::Ready(None);
        }
        Poll::Pending
    }
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().cloned();
    let words = words.or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned()));
    format!("a panic: {}", words.unwrap_or_default())
}
