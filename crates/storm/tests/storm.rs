//! Tests of the storm itself: a seed is reproducible, injected bugs are found, and reports can be used. Regression tests for bugs it found
//! are in `src/regressions.rs`.

use std::sync::atomic::{AtomicBool, Ordering};

use baize_rules::Rulebook;
use baize_script::Script;
use baize_storm::self_test::{SABOTAGES, Sabotage};
use baize_storm::{Failure, Fault, Plan, PlanOptions, Progress, Seed, Storm, report, run, shrink};

fn plan(seed: u64, options: PlanOptions) -> Plan {
    // The program's file is read once, before any simulated time runs.
    let _ = baize_storm::program();
    Plan::new(seed, &options)
}

#[test]
fn a_seed_is_reproducible() {
    let options = PlanOptions { hosts: Some(2), faults: Some(Fault::ALL.to_vec()), ..PlanOptions::default() };
    let plan = plan(41, options);
    let (first, again) = (run(&plan), run(&plan));
    assert_eq!(first.failure, None);
    assert_eq!(first.covered, again.covered);
    assert_eq!(first.trace, again.trace);
    assert_ne!(first.trace, run(&Plan::new(42, &PlanOptions::default())).trace);
}

/// Every fault takes effect on its own, on a server or in a file, and the casino survives it.
#[test]
fn every_fault_takes_effect_alone() {
    for fault in Fault::ALL {
        let options = PlanOptions { faults: Some(vec![fault]), steps: Some(200), ..PlanOptions::default() };
        let struck = (1..100).any(|seed| {
            let outcome = run(&plan(seed, options.clone()));
            assert_eq!(outcome.failure, None, "seed {seed}, {}", fault.name());
            outcome.covered.faults.contains_key(fault.name())
        });
        assert!(struck, "{} never struck", fault.name());
    }
}

/// With all faults together, rounds still end.
#[test]
fn all_faults_take_effect_together() {
    for hosts in [1, 2] {
        let options =
            PlanOptions { hosts: Some(hosts), faults: Some(Fault::ALL.to_vec()), ..PlanOptions::default() };
        let mut covered = baize_storm::Covered::default();
        for seed in 500..502 {
            let outcome = run(&plan(seed, options.clone()));
            assert_eq!(outcome.failure, None, "seed {seed}, {hosts} hosts");
            covered.add(&outcome.covered);
        }
        assert!(covered.rounds > 0 && covered.faults.len() > 6, "{hosts} hosts: {covered:?}");
    }
}

fn finds(part: usize) {
    let _ = baize_storm::program();
    for sabotage in SABOTAGES.iter().skip(part).step_by(4) {
        let found = sabotage.find(1);
        assert!(found.is_some(), "`{}` was not found within {} rounds", sabotage.name, sabotage.within);
    }
}

#[test]
fn injected_bugs_are_found_0() {
    finds(0);
}

#[test]
fn injected_bugs_are_found_1() {
    finds(1);
}

#[test]
fn injected_bugs_are_found_2() {
    finds(2);
}

#[test]
fn injected_bugs_are_found_3() {
    finds(3);
}

/// Options for casinos with this bug and no faults.
fn sabotaged(name: &str) -> PlanOptions {
    let sabotage = Some(Sabotage::named(name).expect("an injected bug").name);
    PlanOptions { faults: Some(Vec::new()), sabotage, ..PlanOptions::default() }
}

/// The first failure with this bug.
fn planted(name: &str) -> (Plan, Failure) {
    let found = (1..40).map(|seed| plan(seed, sabotaged(name))).find_map(|plan| {
        let failure = run(&plan).failure?;
        Some((plan, failure))
    });
    found.expect("a failure within 39 casinos")
}

/// A failure is shortened to a few steps, and the command in its report reproduces it.
#[test]
fn a_failure_is_shortened() {
    let name = "chips that go back stay on the table";
    let (whole, failure) = planted(name);
    let (short, shorter) = shrink(&whole, &failure, 60, &AtomicBool::new(false));
    let told = report::failure(&short, &shorter);
    let line = told.lines().last().unwrap();
    let after = |option: &str| {
        let mut words = line.split_whitespace().skip_while(|word| *word != option);
        words.nth(1).unwrap().to_owned()
    };
    let options = PlanOptions {
        hosts: Some(after("--hosts").parse().unwrap()),
        faults: Some(Fault::named(&after("--faults")).unwrap()),
        only: Some(report::steps(&after("--steps")).unwrap()),
        ..sabotaged(name)
    };
    let seed: Seed = after("--seed").parse().unwrap();
    assert_eq!(seed.warning(), None, "it is of this program");
    let again = run(&plan(seed.number, options)).failure;
    assert!(short.steps.len() < whole.steps.len() / 4, "{} of {}", short.steps.len(), whole.steps.len());
    assert_eq!(again, Some(shorter), "{line}");
}

/// Ctrl-C stops shortening and reports the shortest plan so far.
#[test]
fn a_stop_ends_shortening() {
    let (whole, failure) = planted("chips that go back stay on the table");
    let (short, told) = shrink(&whole, &failure, 60, &AtomicBool::new(true));
    assert_eq!((short.steps.len(), told), (whole.steps.len(), failure));
}

/// A storm that keeps going reports each kind of failure once and counts the casinos with it.
#[test]
fn a_storm_that_keeps_going_collects_failures() {
    let storm = Storm {
        seed: 1,
        rounds: u64::MAX,
        casinos: Some(12),
        time: None,
        threads: 2,
        options: PlanOptions { steps: Some(150), ..sabotaged("chips that go back stay on the table") },
        max_shrink_runs: 0,
        keep_going: true,
    };
    let _ = baize_storm::program();
    let reported = std::sync::Mutex::new(Vec::new());
    let result = storm.run(&AtomicBool::new(false), &|progress| {
        if let Progress::Failed(_, failure) = progress {
            reported.lock().unwrap().push(failure.kind());
        }
    });
    let mut reported = reported.into_inner().unwrap();
    reported.sort();
    assert_eq!(reported, result.findings.keys().cloned().collect::<Vec<_>>(), "each kind once");
    assert!(result.findings.values().any(|finding| finding.casinos > 1), "{:?}", result.findings);
    assert!(result.covered.casinos >= 12, "{:?}", result.covered);
}

/// The rounds in a report are valid scripts, and replay unless they say that they do not.
#[test]
fn the_rounds_of_a_failure_are_scripts() {
    let mut played = 0;
    for name in ["chips that go back stay on the table", "the meter moves without the ledger"] {
        let (plan, failure) = planted(name);
        let told = report::failure(&plan, &failure);
        assert_eq!(told.matches(".round\n").count(), failure.rounds.len());
        for printed in told.split("--- ").skip(1).filter(|part| part.contains(".round\n")) {
            let (name, text) = printed.split_once(".round\n").unwrap();
            let text = text.split("\nto reproduce with this program:").next().unwrap();
            let script = Script::parse(text).unwrap_or_else(|errors| panic!("{name}: {errors:?}\n{text}"));
            let transcript = baize_script::run(&script, &|id| Rulebook::builtin(id).cloned());
            assert_eq!(transcript.holds(), !text.starts_with(report::NOT_REPLAYABLE), "{name}:\n{text}");
            played += u32::from(transcript.holds());
        }
    }
    assert!(played > 0, "no round of any failure plays again");
}

/// A stopped storm reports its coverage and the failures of the last casinos.
#[test]
fn a_stopped_storm_reports_its_coverage() {
    let storm = Storm {
        seed: 1,
        rounds: u64::MAX,
        casinos: None,
        time: None,
        threads: 2,
        options: PlanOptions { steps: Some(60), ..PlanOptions::default() },
        max_shrink_runs: 0,
        keep_going: false,
    };
    let _ = baize_storm::program();
    let stop = AtomicBool::new(false);
    let result = storm.run(&stop, &|progress| {
        if matches!(progress, Progress::Running { covered, .. } if covered.casinos >= 3) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert!(result.covered.casinos >= 3 && result.covered.orders > 0, "{:?}", result.covered);
    assert!(result.findings.is_empty(), "{:?}", result.findings);
    let told = report::covered(&result.covered, 1.0);
    assert!(told.contains("rounds in") && told.contains("faults survived"), "{told}");
}

#[test]
fn a_seed_of_another_program_warns() {
    let own = Seed::own(7);
    assert_eq!(own.warning(), None);
    assert_eq!(own.to_string().parse::<Seed>(), Ok(own));
    let other: Seed = "0.0.9-12345678:7".parse().unwrap();
    assert!(other.warning().unwrap().contains("the run may differ"));
    assert_eq!("7".parse::<Seed>().unwrap().warning(), None);
    assert!("seven".parse::<Seed>().is_err());
    assert_eq!(report::steps("3,5-7").unwrap(), [3, 5, 6, 7]);
    assert_eq!(report::ranges(&[3, 5, 6, 7]), "3,5-7");
    assert!(report::steps("3,x").is_err());
}
