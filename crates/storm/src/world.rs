//! The simulated environment between hosts and database, and its faults.
//!
//! Every request and every answer takes time. A fault waits for the next matching request, so that removing one step from a plan leaves the
//! events before it unchanged.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use baize_journal::{Batch, StoreError, Stream, Vault};
use sha2::{Digest as _, Sha256};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::database::Database;
use crate::dice::Dice;
use crate::fault::Fault;

/// Timeout of requests without an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Retry interval of a host that waits for another to open the casino.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// Polling interval for missed notifications.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// Entries that are polled again, in case the database did not answer when they were announced.
const POLL_OVERLAP: u64 = 200;

/// Number of a host's process.
pub(crate) type Life = u64;

/// A fault that waits for the next matching request.
#[derive(Debug, Clone)]
struct PendingFault {
    fault: Fault,
    host: Option<usize>,
    ms: u64,
    left: u32,
}

/// A write in flight.
struct Job {
    host: usize,
    life: Life,
    generation: u64,
    batch: Batch,
    vault: Vault,
    torn: bool,
    lost: bool,
    answer: PendingAnswer,
}

struct PendingAnswer {
    to: oneshot::Sender<Written>,
    after: Duration,
    lost: bool,
}

/// The simulated state.
pub(crate) struct State {
    /// The rows.
    pub(crate) database: Database,
    dice: Dice,
    pending_faults: Vec<PendingFault>,
    /// End of the server's outage.
    away: Option<Instant>,
    disk_full: Option<Instant>,
    /// Incremented when the server goes away, which cuts off everything in flight.
    generation: u64,
    /// The running process of each host.
    lives: BTreeMap<usize, Life>,
    next_life: Life,
    /// Processes holding the hosts' lock; `true` if exclusively, because they started alone and have not opened the casino yet.
    locks: BTreeMap<Life, bool>,
    listeners: BTreeMap<Life, mpsc::UnboundedSender<Stream>>,
    queue: VecDeque<Job>,
    /// When the last queued write of an ordered database completes.
    busy_until: Option<Instant>,
    /// Numbers of entries written after their process had died.
    pub(crate) posthumous: BTreeSet<u64>,
    /// Number of times each fault took effect.
    pub(crate) faults: BTreeMap<&'static str, u64>,
    trace: Sha256,
}

/// The network, the server and its disk.
pub(crate) struct World {
    state: Mutex<State>,
    /// When the simulation began.
    pub(crate) began: Instant,
    /// Writes happen in call order, by one process (a file). Otherwise it is a server with several hosts.
    pub(crate) ordered: bool,
}

/// The answer to a write.
type Written = Result<Vec<u64>, StoreError>;

fn broken() -> Written {
    Err(StoreError::Unknown("the connection broke".to_owned()))
}

fn gone() -> StoreError {
    StoreError::Away("this process is dead".to_owned())
}

impl World {
    /// An empty database.
    #[must_use]
    pub(crate) fn new(seed: u64, ordered: bool) -> Arc<World> {
        let state = State {
            database: Database::default(),
            dice: Dice::new(seed),
            pending_faults: Vec::new(),
            away: None,
            disk_full: None,
            generation: 0,
            lives: BTreeMap::new(),
            next_life: 1,
            locks: BTreeMap::new(),
            listeners: BTreeMap::new(),
            queue: VecDeque::new(),
            busy_until: None,
            posthumous: BTreeSet::new(),
            faults: BTreeMap::new(),
            trace: Sha256::new(),
        };
        Arc::new(World { state: Mutex::new(state), began: Instant::now(), ordered })
    }

    /// The state.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A host connects, waiting while another opens the casino. Returns its process, whether it is alone, and its notifications.
    pub(crate) async fn arrive(
        self: &Arc<World>,
        host: usize,
    ) -> (Life, bool, mpsc::UnboundedReceiver<Stream>) {
        while self.state().locks.values().any(|alone| *alone) {
            tokio::time::sleep(RETRY_DELAY).await;
        }
        let mut state = self.state();
        let life = state.next_life;
        state.next_life += 1;
        let alone = state.locks.is_empty();
        state.lives.insert(host, life);
        state.locks.insert(life, alone);
        let (speaker, notifications) = mpsc::unbounded_channel();
        state.listeners.insert(life, speaker);
        drop(state);
        if !self.ordered {
            tokio::spawn(look(Arc::clone(self), host, life));
        }
        (life, alone, notifications)
    }

    /// A host has opened the casino and releases the exclusive lock.
    pub(crate) fn opened(&self, life: Life) -> Result<(), StoreError> {
        match self.state().locks.get_mut(&life) {
            Some(alone) => {
                *alone = false;
                Ok(())
            }
            None => Err(StoreError::Away("the connection broke".to_owned())),
        }
    }

    /// A host has died or stopped.
    pub(crate) fn leave(&self, host: usize) {
        let mut state = self.state();
        if let Some(life) = state.lives.remove(&host) {
            state.listeners.remove(&life);
            state.locks.remove(&life);
        }
        if self.ordered {
            // Without a server, only a prefix of the writes in flight reaches the disk.
            let all = state.queue.len();
            let written = state.dice.roll(all + 1);
            let jobs: Vec<Job> = state.queue.drain(..).collect();
            for job in jobs.into_iter().take(written) {
                // Nobody is left to receive the result.
                let _ = state.commit(&job);
            }
        }
    }

    /// Number of connected hosts.
    #[must_use]
    pub(crate) fn hosts(&self) -> usize {
        self.state().locks.len()
    }

    /// Starts a fault, or queues it for the next matching request.
    pub(crate) fn strike(&self, fault: Fault, host: Option<usize>, ms: u64, count: u32) {
        let mut state = self.state();
        let until = Some(Instant::now() + Duration::from_millis(ms));
        if fault == Fault::ServerAway {
            state.away = until;
            state.generation += 1;
            // Hosts retake the shared lock before others can connect; one that is still opening the casino loses its exclusive lock.
            if !self.ordered {
                state.locks.retain(|_, alone| !*alone);
            }
            state.note(fault);
        } else if fault == Fault::DiskFull {
            state.disk_full = until;
        } else {
            state.pending_faults.push(PendingFault { fault, host, ms, left: count });
        }
    }

    /// Ends all faults.
    pub(crate) fn heal(&self) {
        let mut state = self.state();
        state.pending_faults.clear();
        (state.away, state.disk_full) = (None, None);
    }

    /// Simulates the way of a query to the database.
    pub(crate) async fn ask(&self, host: usize, life: Life) -> Result<(), StoreError> {
        let (times_out, refused, ms) = {
            let mut state = self.state();
            if state.lives.get(&host) != Some(&life) {
                return Err(gone());
            }
            let times_out = state.take_fault(Fault::TimesOut, host).is_some();
            let refused = state.is_away() || state.take_fault(Fault::Refuses, host).is_some();
            (times_out, refused, state.dice.roll(3) as u64)
        };
        if times_out {
            tokio::time::sleep(TIMEOUT).await;
            return Err(StoreError::Away("the database does not answer".to_owned()));
        }
        wait(ms).await;
        if refused {
            return Err(StoreError::Away("the database refuses connections".to_owned()));
        }
        if self.state().lives.get(&host) != Some(&life) {
            return Err(gone());
        }
        Ok(())
    }

    /// Starts a write. Its place in the queue is taken by this call.
    pub(crate) fn write(
        self: &Arc<World>,
        (host, life): (usize, Life),
        batch: Batch,
        vault: Vault,
    ) -> oneshot::Receiver<Written> {
        let (to, answered) = oneshot::channel();
        let mut state = self.state();
        if state.lives.get(&host) != Some(&life) {
            // The receiver is returned to the caller.
            let _ = to.send(Err(gone()));
            return answered;
        }
        let refused = state.is_away() || state.take_fault(Fault::Refuses, host).is_some();
        let full = state.disk_full.is_some_and(|until| until > Instant::now());
        if full && !refused {
            state.note(Fault::DiskFull);
        }
        if refused || full {
            let why = if full { "the disk is full" } else { "the database refuses connections" };
            // As above.
            let _ = to.send(Err(StoreError::Away(why.to_owned())));
            return answered;
        }
        let mut there = Duration::from_millis(state.dice.roll(3) as u64);
        let mut after = Duration::from_millis(state.dice.roll(3) as u64);
        let (mut lost, mut answer_lost) = (false, false);
        if let Some(charge) = state.take_fault(Fault::WriteLate, host) {
            there += Duration::from_millis(charge.ms);
        }
        if let Some(charge) = state.take_fault(Fault::AnswerLate, host) {
            after += Duration::from_millis(charge.ms);
        }
        // Only a server can lose a living host's write; the writer of a file is part of the process.
        if !self.ordered {
            lost = state.take_fault(Fault::WriteLost, host).is_some();
            answer_lost = state.take_fault(Fault::AnswerLost, host).is_some();
            if state.take_fault(Fault::TimesOut, host).is_some() {
                (answer_lost, after) = (true, TIMEOUT);
            }
        }
        let torn = state.take_fault(Fault::WriteTorn, host).is_some();
        let generation = state.generation;
        let answer = PendingAnswer { to, after, lost: answer_lost };
        let job = Job { host, life, generation, batch, vault, torn, lost, answer };
        let mut at = Instant::now() + there;
        let mut own = None;
        if self.ordered {
            at = state.busy_until.map_or(at, |busy| busy.max(at));
            state.busy_until = Some(at);
            state.queue.push_back(job);
        } else {
            own = Some(job);
        }
        drop(state);
        let world = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep_until(at).await;
            world.reach(own).await;
        });
        answered
    }

    /// A write reaches the database.
    async fn reach(self: &Arc<World>, own: Option<Job>) {
        let Some((went, generation, answer)) = self.receive(own) else { return };
        if !answer.after.is_zero() {
            tokio::time::sleep(answer.after).await;
        }
        let cut = self.state().generation != generation && !self.ordered;
        // The host may have died meanwhile.
        let _ = answer.to.send(if cut { broken() } else { went });
    }

    /// Carries out a write, and returns the result with its pending answer.
    fn receive(self: &Arc<World>, own: Option<Job>) -> Option<(Written, u64, PendingAnswer)> {
        let mut state = self.state();
        let job = own.or_else(|| state.queue.pop_front())?;
        let dead = state.lives.get(&job.host) != Some(&job.life);
        let went = if job.generation != state.generation || job.torn || (dead && state.dice.once_in(2)) {
            // A file reports a failed write; with a server the outcome is unknown.
            if self.ordered { Err(StoreError::Away("the disk does not write".to_owned())) } else { broken() }
        } else if job.lost {
            broken()
        } else {
            let went = state.commit(&job);
            if went.is_ok() && !self.ordered {
                self.tell(&mut state, &job);
            }
            if job.answer.lost { broken() } else { went }
        };
        Some((went, state.generation, job.answer))
    }

    /// Notifies all other hosts of a write.
    fn tell(self: &Arc<World>, state: &mut State, job: &Job) {
        let streams: Vec<Stream> = job.batch.entries.iter().map(|entry| entry.stream.clone()).collect();
        let others: Vec<(usize, Life)> =
            state.lives.iter().filter(|(_, life)| **life != job.life).map(|(h, life)| (*h, *life)).collect();
        for (host, life) in others {
            if state.take_fault(Fault::NewsLost, host).is_some() {
                continue;
            }
            let mut ms = state.dice.between(1, 10);
            let times = if state.take_fault(Fault::NewsDoubled, host).is_some() { 2 } else { 1 };
            if let Some(charge) = state.take_fault(Fault::NewsLate, host) {
                ms += charge.ms;
            }
            let (world, streams) = (Arc::clone(self), streams.clone());
            tokio::spawn(async move {
                for _ in 0..times {
                    tokio::time::sleep(Duration::from_millis(ms)).await;
                    world.state().notify(life, &streams);
                }
            });
        }
    }
}

impl State {
    fn is_away(&self) -> bool {
        self.away.is_some_and(|until| until > Instant::now())
    }

    /// Records that a fault took effect.
    pub(crate) fn note(&mut self, fault: Fault) {
        *self.faults.entry(fault.name()).or_default() += 1;
    }

    /// Takes a queued fault for this host, if there is one.
    fn take_fault(&mut self, fault: Fault, host: usize) -> Option<PendingFault> {
        let fits = |charge: &PendingFault| charge.fault == fault && charge.host.is_none_or(|own| own == host);
        let at = self.pending_faults.iter().position(fits)?;
        let charge = self.pending_faults.get_mut(at)?;
        charge.left -= 1;
        let found = charge.clone();
        if found.left == 0 {
            self.pending_faults.remove(at);
        }
        self.note(fault);
        Some(found)
    }

    fn commit(&mut self, job: &Job) -> Written {
        let went = self.database.commit(&job.batch, &job.vault);
        if let Ok(numbers) = &went {
            if self.lives.get(&job.host) != Some(&job.life) {
                self.posthumous.extend(numbers);
            }
            for entry in &job.batch.entries {
                self.trace.update(entry.hash.as_bytes());
            }
        }
        went
    }

    fn notify(&self, life: Life, streams: &[Stream]) {
        if let Some(listener) = self.listeners.get(&life) {
            for stream in streams {
                // The host may have died meanwhile.
                let _ = listener.send(stream.clone());
            }
        }
    }

    /// Adds to the trace hash; two runs of a plan must have the same.
    pub(crate) fn trace(&mut self, what: &str) {
        self.trace.update(what.as_bytes());
    }

    /// Hash of everything written and answered so far.
    #[must_use]
    pub(crate) fn trace_hash(&self) -> String {
        baize_journal::secret::hex(&self.trace.clone().finalize())
    }
}

/// Polls for missed notifications while the process lives.
async fn look(world: Arc<World>, host: usize, life: Life) {
    let mut seen = 0;
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let state = world.state();
        if state.lives.get(&host) != Some(&life) {
            return;
        }
        if !state.is_away() {
            let fresh = state.database.entries.iter().rev().take_while(|entry| entry.number > seen);
            let streams: BTreeSet<Stream> = fresh.map(|entry| entry.stream.clone()).collect();
            seen = (state.database.entries.len() as u64).saturating_sub(POLL_OVERLAP);
            state.notify(life, &streams.into_iter().collect::<Vec<_>>());
        }
        drop(state);
    }
}

async fn wait(ms: u64) {
    if ms == 0 {
        tokio::task::yield_now().await;
    } else {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}
