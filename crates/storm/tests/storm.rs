//! The storm itself: it is the same again from the same seed, it finds what is put into the code on purpose, and what it tells can be used.
//! What it has found in the casino is in `src/found.rs`.

use std::sync::atomic::{AtomicBool, Ordering};

use baize_rules::Rulebook;
use baize_script::Script;
use baize_storm::self_test::{SABOTAGES, Sabotage};
use baize_storm::{Failure, Fault, Plan, Progress, Seed, Storm, Wishes, report, run, shrink};

fn plan(seed: u64, wishes: Wishes) -> Plan {
    // The program's file is read once, before any simulated time runs.
    let _ = baize_storm::program();
    Plan::new(seed, &wishes)
}

#[test]
fn a_seed_plays_out_the_same_again() {
    let wishes = Wishes { hosts: Some(2), faults: Some(Fault::ALL.to_vec()), ..Wishes::default() };
    let plan = plan(41, wishes);
    let (first, again) = (run(&plan), run(&plan));
    assert_eq!(first.failure, None);
    assert_eq!(first.covered, again.covered);
    assert_eq!(first.trace, again.trace);
    assert_ne!(first.trace, run(&Plan::new(42, &Wishes::default())).trace);
}

/// Every fault takes effect alone, on a server or in a file, and the casino survives it: a rate of nothing would survive anything.
#[test]
fn every_fault_strikes_alone() {
    for fault in Fault::ALL {
        let wishes = Wishes { faults: Some(vec![fault]), steps: Some(200), ..Wishes::default() };
        let struck = (1..100).any(|seed| {
            let outcome = run(&plan(seed, wishes.clone()));
            assert_eq!(outcome.failure, None, "seed {seed}, {}", fault.name());
            outcome.covered.faults.contains_key(fault.name())
        });
        assert!(struck, "{} never struck", fault.name());
    }
}

/// All faults together, and rounds come to their ends.
#[test]
fn all_faults_strike_together() {
    for hosts in [1, 2] {
        let wishes = Wishes { hosts: Some(hosts), faults: Some(Fault::ALL.to_vec()), ..Wishes::default() };
        let mut covered = baize_storm::Covered::default();
        for seed in 500..502 {
            let outcome = run(&plan(seed, wishes.clone()));
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
fn faults_in_the_code_are_found() {
    finds(0);
}

#[test]
fn faults_in_the_code_are_found_too() {
    finds(1);
}

#[test]
fn more_faults_in_the_code_are_found() {
    finds(2);
}

#[test]
fn the_rest_of_the_faults_in_the_code_is_found() {
    finds(3);
}

/// Casinos with this bug in their code and no fault around it.
fn sabotaged(name: &str) -> Wishes {
    let sabotage = Some(Sabotage::named(name).expect("an injected bug").name);
    Wishes { faults: Some(Vec::new()), sabotage, ..Wishes::default() }
}

/// The first failure of such casinos.
fn planted(name: &str) -> (Plan, Failure) {
    let found = (1..40).map(|seed| plan(seed, sabotaged(name))).find_map(|plan| {
        let failure = run(&plan).failure?;
        Some((plan, failure))
    });
    found.expect("a failure within 39 casinos")
}

/// A failure comes down to few steps, and what its report says plays it again.
#[test]
fn a_failure_is_made_shorter() {
    let name = "chips that go back stay on the table";
    let (whole, failure) = planted(name);
    let (short, shorter) = shrink(&whole, &failure, 60, &AtomicBool::new(false));
    let told = report::failure(&short, &shorter);
    let line = told.lines().last().unwrap();
    let after = |option: &str| {
        let mut words = line.split_whitespace().skip_while(|word| *word != option);
        words.nth(1).unwrap().to_owned()
    };
    let wishes = Wishes {
        hosts: Some(after("--hosts").parse().unwrap()),
        faults: Some(Fault::named(&after("--faults")).unwrap()),
        only: Some(report::steps(&after("--steps")).unwrap()),
        ..sabotaged(name)
    };
    let seed: Seed = after("--seed").parse().unwrap();
    assert_eq!(seed.warning(), None, "it is of this program");
    let again = run(&plan(seed.number, wishes)).failure;
    assert!(short.steps.len() < whole.steps.len() / 4, "{} of {}", short.steps.len(), whole.steps.len());
    assert_eq!(again, Some(shorter), "{line}");
}

/// Ctrl-C ends the shortening of a failure with the shortest that was found so far.
#[test]
fn a_failure_is_told_although_somebody_stops() {
    let (whole, failure) = planted("chips that go back stay on the table");
    let (short, told) = shrink(&whole, &failure, 60, &AtomicBool::new(true));
    assert_eq!((short.steps.len(), told), (whole.steps.len(), failure));
}

/// A storm that keeps going reports each kind of failure once, when it is found, and counts the casinos that fail so.
#[test]
fn a_storm_that_keeps_going_collects_failures() {
    let storm = Storm {
        seed: 1,
        rounds: u64::MAX,
        casinos: Some(12),
        time: None,
        threads: 2,
        wishes: Wishes { steps: Some(150), ..sabotaged("chips that go back stay on the table") },
        shrinking: 0,
        keep_going: true,
    };
    let _ = baize_storm::program();
    let reported = std::sync::Mutex::new(Vec::new());
    let weathered = storm.run(&AtomicBool::new(false), &|progress| {
        if let Progress::Failed(_, failure) = progress {
            reported.lock().unwrap().push(failure.kind());
        }
    });
    let mut reported = reported.into_inner().unwrap();
    reported.sort();
    assert_eq!(reported, weathered.findings.keys().cloned().collect::<Vec<_>>(), "each kind once");
    assert!(weathered.findings.values().any(|finding| finding.casinos > 1), "{:?}", weathered.findings);
    assert!(weathered.covered.casinos >= 12, "{:?}", weathered.covered);
}

/// The rounds of a report are scripts that `baize check` takes: each is read, and plays to what is on record unless it says that it does not.
#[test]
fn the_rounds_of_a_failure_are_scripts() {
    let mut played = 0;
    for name in ["chips that go back stay on the table", "the meter moves without the ledger"] {
        let (plan, failure) = planted(name);
        let told = report::failure(&plan, &failure);
        assert_eq!(told.matches(".round\n").count(), failure.rounds.len());
        for printed in told.split("--- ").skip(1).filter(|part| part.contains(".round\n")) {
            let (name, text) = printed.split_once(".round\n").unwrap();
            let text = text.split("\nagain, with this very program:").next().unwrap();
            let script = Script::parse(text).unwrap_or_else(|errors| panic!("{name}: {errors:?}\n{text}"));
            let transcript = baize_script::run(&script, &|id| Rulebook::builtin(id).cloned());
            assert_eq!(transcript.holds(), !text.starts_with(report::NOT_AGAIN), "{name}:\n{text}");
            played += u32::from(transcript.holds());
        }
    }
    assert!(played > 0, "no round of any failure plays again");
}

/// Somebody stops a storm: what was covered so far is there, and a failure of the last casinos too.
#[test]
fn a_storm_that_is_stopped_tells_what_it_covered() {
    let storm = Storm {
        seed: 1,
        rounds: u64::MAX,
        casinos: None,
        time: None,
        threads: 2,
        wishes: Wishes { steps: Some(60), ..Wishes::default() },
        shrinking: 0,
        keep_going: false,
    };
    let _ = baize_storm::program();
    let stop = AtomicBool::new(false);
    let weathered = storm.run(&stop, &|progress| {
        if matches!(progress, Progress::Running { covered, .. } if covered.casinos >= 3) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert!(weathered.covered.casinos >= 3 && weathered.covered.orders > 0, "{:?}", weathered.covered);
    assert!(weathered.findings.is_empty(), "{:?}", weathered.findings);
    let told = report::covered(&weathered.covered, 1.0);
    assert!(told.contains("rounds in") && told.contains("faults survived"), "{told}");
}

#[test]
fn a_seed_of_another_program_says_so() {
    let own = Seed::own(7);
    assert_eq!(own.warning(), None);
    assert_eq!(own.to_string().parse::<Seed>(), Ok(own));
    let other: Seed = "0.0.9-12345678:7".parse().unwrap();
    assert!(other.warning().unwrap().contains("may play out differently"));
    assert_eq!("7".parse::<Seed>().unwrap().warning(), None);
    assert!("seven".parse::<Seed>().is_err());
    assert_eq!(report::steps("3,5-7").unwrap(), [3, 5, 6, 7]);
    assert_eq!(report::ranges(&[3, 5, 6, 7]), "3,5-7");
    assert!(report::steps("3,x").is_err());
}
