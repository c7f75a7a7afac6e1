//! Many casinos, one seed after another, on every core.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::casino::locked;
use crate::plan::{Plan, PlanOptions};
use crate::{Covered, Failure, Outcome, run, shrink};

/// How often progress is reported.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Options of a storm.
#[derive(Debug, Clone)]
pub struct Storm {
    /// The first seed.
    pub seed: u64,
    /// Until this many rounds ended.
    pub rounds: u64,
    /// At most this many casinos.
    pub casinos: Option<u64>,
    /// At most this long.
    pub time: Option<Duration>,
    /// Threads.
    pub threads: usize,
    /// Options of each plan.
    pub options: PlanOptions,
    /// Maximum number of runs to shorten a failure.
    pub max_shrink_runs: u32,
    /// A failure does not end the storm.
    pub keep_going: bool,
}

/// Progress of a storm.
#[derive(Debug)]
pub enum Progress<'a> {
    /// Ten times a second.
    Running {
        /// What was covered so far.
        covered: &'a Covered,
        /// Different failures so far.
        failures: usize,
        /// The seed of the casino that has been running longest, and for how long.
        longest: Option<(u64, Duration)>,
    },
    /// A failure unlike those before, not shortened yet.
    Failed(&'a Plan, &'a Failure),
    /// The same failure with the shortest plan found.
    Shortened(&'a Plan, &'a Failure),
}

/// A failure, with the shortest plan that leads to it.
#[derive(Debug)]
pub struct Finding {
    /// The plan.
    pub plan: Plan,
    /// What fails.
    pub failure: Failure,
    /// How many casinos failed in this way.
    pub casinos: u64,
}

/// Results of a storm.
#[derive(Debug, Default)]
pub struct StormResult {
    /// What was covered.
    pub covered: Covered,
    /// The different failures, by kind.
    pub findings: BTreeMap<String, Finding>,
}

impl Storm {
    /// Runs until a limit is reached, `stop` is set, or something fails and the storm does not keep going.
    pub fn run(&self, stop: &AtomicBool, tell: &(dyn Fn(Progress<'_>) + Sync)) -> StormResult {
        let (began, next) = (Instant::now(), AtomicU64::new(self.seed));
        let result = Mutex::new(StormResult::default());
        let running: Vec<Mutex<Option<(u64, Instant)>>> =
            (0..self.threads.max(1)).map(|_| Mutex::default()).collect();
        let working = AtomicUsize::new(running.len());
        let enough = |so_far: &StormResult| {
            so_far.covered.rounds >= self.rounds
                || self.casinos.is_some_and(|casinos| so_far.covered.casinos >= casinos)
                || self.time.is_some_and(|time| began.elapsed() >= time)
                || stop.load(Ordering::Relaxed)
                || (!self.keep_going && !so_far.findings.is_empty())
        };
        let work = |own: &Mutex<Option<(u64, Instant)>>| {
            while !enough(&locked(&result)) {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                let plan = Plan::new(seed, &self.options);
                *locked(own) = Some((seed, Instant::now()));
                let outcome = caught(&plan);
                *locked(own) = None;
                locked(&result).covered.add(&outcome.covered);
                if let Some(failure) = outcome.failure {
                    self.found(&result, plan, failure, stop, tell);
                }
            }
            working.fetch_sub(1, Ordering::Relaxed);
        };
        std::thread::scope(|scope| {
            for own in &running {
                scope.spawn(|| work(own));
            }
            while working.load(Ordering::Relaxed) > 0 {
                std::thread::sleep(REPORT_EVERY);
                let longest = running.iter().filter_map(|own| *locked(own)).min_by_key(|(_, since)| *since);
                let longest = longest.map(|(seed, since)| (seed, since.elapsed()));
                let so_far = locked(&result);
                let (covered, failures) = (so_far.covered.clone(), so_far.findings.len());
                drop(so_far);
                tell(Progress::Running { covered: &covered, failures, longest });
            }
        });
        result.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports a failure of a new kind and shortens it, while other threads continue; counts one of a known kind.
    fn found(
        &self,
        result: &Mutex<StormResult>,
        plan: Plan,
        failure: Failure,
        stop: &AtomicBool,
        tell: &(dyn Fn(Progress<'_>) + Sync),
    ) {
        let kind = failure.kind();
        let mut so_far = locked(result);
        if let Some(known) = so_far.findings.get_mut(&kind) {
            known.casinos += 1;
            return;
        }
        let finding = Finding { plan: plan.clone(), failure: failure.clone(), casinos: 1 };
        so_far.findings.insert(kind.clone(), finding);
        drop(so_far);
        tell(Progress::Failed(&plan, &failure));
        let (plan, failure) = shrink(&plan, &failure, self.max_shrink_runs, stop);
        tell(Progress::Shortened(&plan, &failure));
        if let Some(finding) = locked(result).findings.get_mut(&kind) {
            (finding.plan, finding.failure) = (plan, failure);
        }
    }
}

/// Runs a plan. A panic of the simulation itself is a failure too.
fn caught(plan: &Plan) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| run(plan)))
        .unwrap_or_else(|panic| Outcome::failed(vec![crate::hosts::panic_message(panic.as_ref())]))
}
