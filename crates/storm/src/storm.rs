//! Many casinos, one seed after another, on every core.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::plan::{Plan, Wishes};
use crate::{Covered, Failure, run, shrink};

/// How long a storm goes on.
#[derive(Debug, Clone)]
pub struct Storm {
    /// The first seed.
    pub seed: u64,
    /// Until so many rounds ended.
    pub rounds: u64,
    /// At most so many casinos.
    pub casinos: Option<u64>,
    /// At most so long.
    pub time: Option<Duration>,
    /// On so many threads.
    pub threads: usize,
    /// What is wanted of each casino.
    pub wishes: Wishes,
    /// The most runs that a failure is made shorter with.
    pub shrinking: u32,
}

/// What came of a storm.
#[derive(Debug, Default)]
pub struct Weathered {
    /// What was covered.
    pub covered: Covered,
    /// The first failure, with the shortest plan that leads to it.
    pub failure: Option<(Plan, Failure)>,
}

impl Storm {
    /// Runs until it is enough, somebody says `stop`, or something fails. `tell` is told what was covered so far.
    pub fn run(&self, stop: &AtomicBool, tell: &(dyn Fn(&Covered) + Sync)) -> Weathered {
        let (began, next) = (Instant::now(), AtomicU64::new(self.seed));
        let weathered = Mutex::new(Weathered::default());
        let failed = AtomicBool::new(false);
        let enough = |so_far: &Covered| {
            so_far.rounds >= self.rounds
                || self.casinos.is_some_and(|casinos| so_far.casinos >= casinos)
                || self.time.is_some_and(|time| began.elapsed() >= time)
                || stop.load(Ordering::Relaxed)
                || failed.load(Ordering::Relaxed)
        };
        let work = || loop {
            if enough(&locked(&weathered).covered) {
                return;
            }
            let plan = Plan::new(next.fetch_add(1, Ordering::Relaxed), &self.wishes);
            let outcome = run(&plan);
            let mut so_far = locked(&weathered);
            so_far.covered.add(&outcome.covered);
            tell(&so_far.covered);
            drop(so_far);
            if let Some(failure) = outcome.failure {
                let was_first = !failed.swap(true, Ordering::Relaxed);
                if was_first {
                    let shortest = shrink(&plan, &failure, self.shrinking, stop);
                    locked(&weathered).failure = Some(shortest);
                }
                return;
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(work);
            }
        });
        weathered.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
