//! Makes a plan that fails shorter: the fewest steps that still fail in the same way.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::plan::{Plan, Step};
use crate::{Failure, run};

/// What kind of failure it is: its first words, without numbers.
fn kind(failure: &Failure) -> String {
    let first = failure.what.first().map_or("", String::as_str);
    let words = first.split_whitespace().filter(|word| !word.chars().any(|c| c.is_ascii_digit()));
    words.take(6).collect::<Vec<_>>().join(" ")
}

/// The shortest plan that was found within so many runs, or until somebody says `stop`, with its failure.
#[must_use]
pub fn shrink(plan: &Plan, failure: &Failure, runs: u32, stop: &AtomicBool) -> (Plan, Failure) {
    let wanted = kind(failure);
    let mut left = runs;
    let mut fails = |steps: &[Step]| {
        left = left.checked_sub(1).filter(|_| !stop.load(Ordering::Relaxed))?;
        run(&plan.with(steps.to_vec())).failure.filter(|found| kind(found) == wanted)
    };
    // What comes after the failure has no part in it.
    let mut steps: Vec<Step> =
        plan.steps.iter().filter(|step| step.number <= failure.step).copied().collect();
    let mut found = match fails(&steps) {
        Some(found) => found,
        None => {
            steps.clone_from(&plan.steps);
            failure.clone()
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
