//! Output of a storm: coverage, and failures with everything needed to reproduce them.

use std::fmt::Write as _;

use crate::plan::{Deed, Plan};
use crate::seed::Seed;
use crate::{Covered, Failure, Fault};

fn counted<'a>(items: impl Iterator<Item = (&'a str, &'a u64)>) -> String {
    let items: Vec<String> = items.map(|(name, count)| format!("{name} {count}")).collect();
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}

/// The coverage as text.
#[must_use]
pub fn covered(covered: &Covered, seconds: f64) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} rounds in {} casinos ({:.1} rounds a second), {} requests, {} journal entries, {} faults survived",
        covered.rounds,
        covered.casinos,
        covered.rounds as f64 / seconds.max(0.001),
        covered.orders,
        covered.entries,
        covered.faults.values().sum::<u64>()
    );
    let _ = writeln!(
        text,
        "rounds:  {}",
        counted(covered.ended.iter().map(|(name, count)| (name.as_str(), count)))
    );
    let _ =
        writeln!(text, "answers: {}", counted(covered.answers.iter().map(|(name, count)| (*name, count))));
    let struck = |fault: Fault| (fault.name(), covered.faults.get(fault.name()).unwrap_or(&0));
    let _ = writeln!(text, "faults:  {}", counted(Fault::ALL.into_iter().map(struck)));
    text
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A progress line. `limit`: maximum duration in seconds.
#[must_use]
pub fn progress(covered: &Covered, rounds: u64, failures: usize, seconds: f64, limit: Option<u64>) -> String {
    let rate = covered.rounds as f64 / seconds.max(0.001);
    let by_rounds = rounds.saturating_sub(covered.rounds) as f64 / rate.max(0.001);
    let left = limit.map_or(by_rounds, |limit| by_rounds.min(limit as f64 - seconds)).max(0.0);
    let memory = resident().map(|mb| format!(", {mb} MB")).unwrap_or_default();
    format!(
        "{} of {} rounds in {} casinos, {rate:.0} rounds/s, {} faults survived, {failures} failures{memory}, {:.0} min left",
        grouped(covered.rounds),
        grouped(rounds),
        grouped(covered.casinos),
        grouped(covered.faults.values().sum()),
        (left / 60.0).ceil()
    )
}

/// Resident memory of this process in megabytes (Linux).
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kb| kb / 1024)
}

/// Formats numbers as `3,5-9,12`.
#[must_use]
pub fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(",")
}

/// Parses `3,5-9,12`.
///
/// # Errors
/// Any other text.
pub fn steps(text: &str) -> Result<Vec<usize>, String> {
    let number = |part: &str| {
        part.parse::<usize>().map_err(|_| format!("`{text}` is not a list of steps such as 3,5-9,12"))
    };
    let mut all = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        all.extend(number(first)?..=number(last)?);
    }
    Ok(all)
}

/// First words of a script that does not replay; the reason follows.
pub const NOT_REPLAYABLE: &str = "# This round does not replay from its script: ";

/// A failure with its plan.
#[must_use]
pub fn failure(plan: &Plan, failure: &Failure) -> String {
    let mut text = String::new();
    let numbers: Vec<usize> = plan.steps.iter().map(|step| step.number).collect();
    let seed = Seed::own(plan.seed);
    let _ = writeln!(text, "FAILED: seed {seed}, {} hosts, found at step {}", plan.hosts, failure.step);
    for what in &failure.what {
        let _ = writeln!(text, "  {what}");
    }
    let _ = writeln!(text, "the shortest sequence found, {} steps:", numbers.len());
    for step in &plan.steps {
        let what = match step.deed {
            Deed::Person(None) => "a person acts".to_owned(),
            Deed::Person(Some(fault)) => format!("a person acts, with {}", fault.name()),
            Deed::Tick => "a host's periodic tick".to_owned(),
            Deed::Strike(fault) => format!("fault: {}", fault.name()),
            Deed::Quiet => "faults stop, everything is checked".to_owned(),
        };
        let _ = writeln!(text, "  {:>4}  +{:>5} ms  {what}", step.number, step.gap);
    }
    let _ = writeln!(text, "the end of the journal:");
    for line in &failure.journal {
        let _ = writeln!(text, "  {line}");
    }
    for (name, script) in &failure.rounds {
        let _ = writeln!(text, "--- {name}.round\n{script}");
    }
    let faults: Vec<&str> = plan.faults.iter().map(|fault| fault.name()).collect();
    let _ = writeln!(
        text,
        "to reproduce with this program: cargo xtask storm --seed {seed} --hosts {} --faults {} --steps {}{}",
        plan.hosts,
        if faults.is_empty() { "none".to_owned() } else { faults.join(",") },
        ranges(&numbers),
        plan.sabotage.map(|name| format!(" --sabotage \"{name}\"")).unwrap_or_default()
    );
    text
}
