//! What lies between the hosts and the database, and what may go wrong there.
//!
//! Every request takes its time to the database and its answer takes its time back. Faults wait as charges for the next request that they
//! fit, so that a plan without one of its steps still plays out the same up to there.

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

/// How long somebody waits for an answer that does not come.
const PATIENCE: Duration = Duration::from_secs(10);

/// How soon a host tries again to come in while another opens the casino.
const TRY_AGAIN: Duration = Duration::from_millis(50);

/// How often a host looks for news that it missed.
const LOOK: Duration = Duration::from_secs(3);

/// So many entries are looked at again: their news may have come while the database did not answer.
const AGAIN: u64 = 200;

/// One life of a host: it ends when its process dies.
pub(crate) type Life = u64;

/// A fault that waits for the next request that it fits.
#[derive(Debug, Clone)]
struct Charge {
    fault: Fault,
    host: Option<usize>,
    ms: u64,
    left: u32,
}

/// A write on its way.
struct Job {
    host: usize,
    life: Life,
    generation: u64,
    batch: Batch,
    vault: Vault,
    torn: bool,
    lost: bool,
    answer: Answering,
}

struct Answering {
    to: oneshot::Sender<Written>,
    after: Duration,
    lost: bool,
}

/// What is simulated beneath the hosts.
pub(crate) struct State {
    /// The rows.
    pub(crate) database: Database,
    dice: Dice,
    charges: Vec<Charge>,
    /// The server is away until then.
    away: Option<Instant>,
    disk_full: Option<Instant>,
    /// Grows when the server goes away: what was in flight then is cut off.
    generation: u64,
    /// The present life of each host that is there.
    lives: BTreeMap<usize, Life>,
    next_life: Life,
    /// The lives that hold the lock of hosts, and whether they keep others out: they came alone and have not opened the casino yet.
    locks: BTreeMap<Life, bool>,
    listeners: BTreeMap<Life, mpsc::UnboundedSender<Stream>>,
    queue: VecDeque<Job>,
    /// The last write of an ordered database is carried out then.
    busy_until: Option<Instant>,
    /// The numbers of entries whose process had died before they reached the database.
    pub(crate) posthumous: BTreeSet<u64>,
    /// How often each fault took effect.
    pub(crate) faults: BTreeMap<&'static str, u64>,
    trace: Sha256,
}

/// The network, the server and its disk.
pub(crate) struct World {
    state: Mutex<State>,
    /// When the simulation began.
    pub(crate) began: Instant,
    /// Writes are carried out in the order of the calls, by one process: a file. Otherwise a server with many hosts.
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
            charges: Vec::new(),
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

    /// A host comes: its life, whether nobody else is there, and what it hears from others. It waits while another opens the casino.
    pub(crate) async fn arrive(
        self: &Arc<World>,
        host: usize,
    ) -> (Life, bool, mpsc::UnboundedReceiver<Stream>) {
        while self.state().locks.values().any(|alone| *alone) {
            tokio::time::sleep(TRY_AGAIN).await;
        }
        let mut state = self.state();
        let life = state.next_life;
        state.next_life += 1;
        let alone = state.locks.is_empty();
        state.lives.insert(host, life);
        state.locks.insert(life, alone);
        let (speaker, heard) = mpsc::unbounded_channel();
        state.listeners.insert(life, speaker);
        drop(state);
        if !self.ordered {
            tokio::spawn(look(Arc::clone(self), host, life));
        }
        (life, alone, heard)
    }

    /// A host has opened the casino, and lets others in.
    pub(crate) fn opened(&self, life: Life) -> Result<(), StoreError> {
        match self.state().locks.get_mut(&life) {
            Some(alone) => {
                *alone = false;
                Ok(())
            }
            None => Err(StoreError::Away("the connection broke".to_owned())),
        }
    }

    /// A host has died or gone.
    pub(crate) fn leave(&self, host: usize) {
        let mut state = self.state();
        if let Some(life) = state.lives.remove(&host) {
            state.listeners.remove(&life);
            state.locks.remove(&life);
        }
        if self.ordered {
            // A file has no server that goes on: some of what was in flight is on the disk, in order, and the rest is not.
            let all = state.queue.len();
            let written = state.dice.roll(all + 1);
            let jobs: Vec<Job> = state.queue.drain(..).collect();
            for job in jobs.into_iter().take(written) {
                // The host that would hear of it is gone.
                let _ = state.carry_out(&job);
            }
        }
    }

    /// How many hosts are there.
    #[must_use]
    pub(crate) fn hosts(&self) -> usize {
        self.state().locks.len()
    }

    /// A fault begins, or waits for what it fits.
    pub(crate) fn strike(&self, fault: Fault, host: Option<usize>, ms: u64, count: u32) {
        let mut state = self.state();
        let until = Some(Instant::now() + Duration::from_millis(ms));
        if fault == Fault::ServerAway {
            state.away = until;
            state.generation += 1;
            // Hosts take their lock again before the server lets anybody else in; one that came alone and still opens the casino does not.
            if !self.ordered {
                state.locks.retain(|_, alone| !*alone);
            }
            state.note(fault);
        } else if fault == Fault::DiskFull {
            state.disk_full = until;
        } else {
            state.charges.push(Charge { fault, host, ms, left: count });
        }
    }

    /// Nothing goes wrong any more.
    pub(crate) fn heal(&self) {
        let mut state = self.state();
        state.charges.clear();
        (state.away, state.disk_full) = (None, None);
    }

    /// The way of a question to the database.
    pub(crate) async fn ask(&self, host: usize, life: Life) -> Result<(), StoreError> {
        let (times_out, refused, ms) = {
            let mut state = self.state();
            if state.lives.get(&host) != Some(&life) {
                return Err(gone());
            }
            let times_out = state.charge(Fault::TimesOut, host).is_some();
            let refused = state.is_away() || state.charge(Fault::Refuses, host).is_some();
            (times_out, refused, state.dice.roll(3) as u64)
        };
        if times_out {
            tokio::time::sleep(PATIENCE).await;
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

    /// A write: its place in the queue is taken now.
    pub(crate) fn write(
        self: &Arc<World>,
        (host, life): (usize, Life),
        batch: Batch,
        vault: Vault,
    ) -> oneshot::Receiver<Written> {
        let (to, answered) = oneshot::channel();
        let mut state = self.state();
        if state.lives.get(&host) != Some(&life) {
            // The caller holds the other end: it is returned below.
            let _ = to.send(Err(gone()));
            return answered;
        }
        let refused = state.is_away() || state.charge(Fault::Refuses, host).is_some();
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
        if let Some(charge) = state.charge(Fault::WriteLate, host) {
            there += Duration::from_millis(charge.ms);
        }
        if let Some(charge) = state.charge(Fault::AnswerLate, host) {
            after += Duration::from_millis(charge.ms);
        }
        // Only a server can lose what a host that lives has sent; the writer of a file is part of it.
        if !self.ordered {
            lost = state.charge(Fault::WriteLost, host).is_some();
            answer_lost = state.charge(Fault::AnswerLost, host).is_some();
            if state.charge(Fault::TimesOut, host).is_some() {
                (answer_lost, after) = (true, PATIENCE);
            }
        }
        let torn = state.charge(Fault::WriteTorn, host).is_some();
        let generation = state.generation;
        let answer = Answering { to, after, lost: answer_lost };
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

    /// A write has come to the database.
    async fn reach(self: &Arc<World>, own: Option<Job>) {
        let Some((went, generation, answer)) = self.take_in(own) else { return };
        if !answer.after.is_zero() {
            tokio::time::sleep(answer.after).await;
        }
        let cut = self.state().generation != generation && !self.ordered;
        // The host may have died meanwhile.
        let _ = answer.to.send(if cut { broken() } else { went });
    }

    /// What becomes of a write at the database, and its answer, which has its way back before it.
    fn take_in(self: &Arc<World>, own: Option<Job>) -> Option<(Written, u64, Answering)> {
        let mut state = self.state();
        let job = own.or_else(|| state.queue.pop_front())?;
        let dead = state.lives.get(&job.host) != Some(&job.life);
        let went = if job.generation != state.generation || job.torn || (dead && state.dice.once_in(2)) {
            // A file says that it could not write; of a server nobody knows.
            if self.ordered { Err(StoreError::Away("the disk does not write".to_owned())) } else { broken() }
        } else if job.lost {
            broken()
        } else {
            let went = state.carry_out(&job);
            if went.is_ok() && !self.ordered {
                self.tell(&mut state, &job);
            }
            if job.answer.lost { broken() } else { went }
        };
        Some((went, state.generation, job.answer))
    }

    /// News of a write goes to all other hosts.
    fn tell(self: &Arc<World>, state: &mut State, job: &Job) {
        let streams: Vec<Stream> = job.batch.entries.iter().map(|entry| entry.stream.clone()).collect();
        let others: Vec<(usize, Life)> =
            state.lives.iter().filter(|(_, life)| **life != job.life).map(|(h, life)| (*h, *life)).collect();
        for (host, life) in others {
            if state.charge(Fault::NewsLost, host).is_some() {
                continue;
            }
            let mut ms = state.dice.between(1, 10);
            let times = if state.charge(Fault::NewsDoubled, host).is_some() { 2 } else { 1 };
            if let Some(charge) = state.charge(Fault::NewsLate, host) {
                ms += charge.ms;
            }
            let (world, streams) = (Arc::clone(self), streams.clone());
            tokio::spawn(async move {
                for _ in 0..times {
                    tokio::time::sleep(Duration::from_millis(ms)).await;
                    world.state().speak(life, &streams);
                }
            });
        }
    }
}

impl State {
    fn is_away(&self) -> bool {
        self.away.is_some_and(|until| until > Instant::now())
    }

    /// Notes that a fault took effect.
    pub(crate) fn note(&mut self, fault: Fault) {
        *self.faults.entry(fault.name()).or_default() += 1;
    }

    /// A fault that waits for this host, if there is one.
    fn charge(&mut self, fault: Fault, host: usize) -> Option<Charge> {
        let fits = |charge: &Charge| charge.fault == fault && charge.host.is_none_or(|own| own == host);
        let at = self.charges.iter().position(fits)?;
        let charge = self.charges.get_mut(at)?;
        charge.left -= 1;
        let found = charge.clone();
        if found.left == 0 {
            self.charges.remove(at);
        }
        self.note(fault);
        Some(found)
    }

    fn carry_out(&mut self, job: &Job) -> Written {
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

    fn speak(&self, life: Life, streams: &[Stream]) {
        if let Some(listener) = self.listeners.get(&life) {
            for stream in streams {
                // The host may have died meanwhile.
                let _ = listener.send(stream.clone());
            }
        }
    }

    /// Notes something in the trace: two runs of one plan have the same.
    pub(crate) fn trace(&mut self, what: &str) {
        self.trace.update(what.as_bytes());
    }

    /// The hash over everything that was written and answered so far.
    #[must_use]
    pub(crate) fn trace_hash(&self) -> String {
        baize_journal::secret::hex(&self.trace.clone().finalize())
    }
}

/// Looks for news that was missed, as long as the host lives.
async fn look(world: Arc<World>, host: usize, life: Life) {
    let mut seen = 0;
    loop {
        tokio::time::sleep(LOOK).await;
        let state = world.state();
        if state.lives.get(&host) != Some(&life) {
            return;
        }
        if !state.is_away() {
            let fresh = state.database.entries.iter().rev().take_while(|entry| entry.number > seen);
            let streams: BTreeSet<Stream> = fresh.map(|entry| entry.stream.clone()).collect();
            seen = (state.database.entries.len() as u64).saturating_sub(AGAIN);
            state.speak(life, &streams.into_iter().collect::<Vec<_>>());
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
