//! Shortens a failing plan to the fewest steps that fail in the same way.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::plan::{Plan, Step};
use crate::{Failure, run};

/// The shortest plan found within `runs` runs or until `stop` is set, with its failure.
#[must_use]
pub fn shrink(plan: &Plan, failure: &Failure, runs: u32, stop: &AtomicBool) -> (Plan, Failure) {
    let wanted = failure.kind();
    let mut left = runs;
    let mut fails = |steps: &[Step]| {
        left = left.checked_sub(1).filter(|_| !stop.load(Ordering::Relaxed))?;
        run(&plan.with(steps.to_vec())).failure.filter(|found| found.kind() == wanted)
    };
    // Steps after the failure are irrelevant.
    let mut steps: Vec<Step> =
        plan.steps.iter().filter(|step| step.number <= failure.step).copied().collect();
    let mut found = match fails(&steps) {
        Some(found) => found,
        None => {
            steps.clone_from(&plan.steps);
            match fails(&steps) {
                Some(found) => found,
                None => return (plan.clone(), not_again(failure, runs, stop)),
            }
        }
    };
    let mut part = steps.len() / 2;
    while part > 0 {
        let mut at = 0;
        while at < steps.len() {
            let without: Vec<Step> = steps
                .iter()
                .enumerate()
                .filter(|(n, _)| *n < at || *n >= at + part)
                .map(|(_, step)| *step)
                .collect();
            match fails(&without) {
                Some(shorter) => (steps, found) = (without, shorter),
                None => at += part,
            }
        }
        part /= 2;
    }
    (plan.with(steps), found)
}

/// A failure that could not be reproduced with the whole plan, if that was tried.
fn not_again(failure: &Failure, runs: u32, stop: &AtomicBool) -> Failure {
    let mut failure = failure.clone();
    if runs > 1 && !stop.load(Ordering::Relaxed) {
        failure.what.push("the same plan did not fail again: the simulation is not deterministic".to_owned());
    }
    failure
}
