//! `cargo xtask storm`: command line of the fault simulation.
//!
//! Exit codes: 0 no failure found, 1 failure found, 2 bad usage.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use baize_storm::real::{self, Real};
use baize_storm::self_test::{SABOTAGES, Sabotage};
use baize_storm::{Fault, PlanOptions, Progress, Seed, Storm, report};
use clap::Parser;

/// The allocator of `baize`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Interval of progress lines.
const REPORT_EVERY: Duration = Duration::from_secs(10);

/// A casino that runs longer than this hangs; most take less than a second.
const STUCK: Duration = Duration::from_secs(300);

#[derive(Parser)]
#[command(
    name = "cargo xtask storm",
    bin_name = "cargo xtask storm",
    about = "Simulates faults in the whole casino"
)]
struct Arguments {
    /// Seed of the first casino, as printed with a failure or as a number; by default a new one
    #[arg(long)]
    seed: Option<Seed>,
    /// Stop after this many rounds
    #[arg(long, default_value_t = 10_000)]
    rounds: u64,
    /// Number of hosts; by default the seed decides. One is a casino in a file, several share a server
    #[arg(long)]
    hosts: Option<usize>,
    /// Stop after this many minutes
    #[arg(long)]
    minutes: Option<u64>,
    /// Only these faults, separated by commas; `none` for none; by default the seed decides
    #[arg(long, value_name = "NAMES")]
    faults: Option<String>,
    /// Run one casino with only these steps of its plan: 3,5-9
    #[arg(long, value_name = "STEPS", requires = "seed")]
    steps: Option<String>,
    /// Continue after a failure and collect one failure of each kind
    #[arg(long)]
    keep_going: bool,
    /// Number of threads; by default one per core
    #[arg(long)]
    threads: Option<usize>,
    /// Maximum number of runs to shorten a failure
    #[arg(long, default_value_t = 400)]
    shrink: u32,
    /// Inject each of the known bugs into the code and check that it is found
    #[arg(long)]
    self_test: bool,
    /// With `--self-test`, only bugs whose names contain these words; otherwise inject the first of them into the storm
    #[arg(long, value_name = "WORDS")]
    sabotage: Option<String>,
    /// Use real databases instead: kill hosts and a primary server under load
    #[arg(long)]
    real: bool,
    /// Number of kills on each real database
    #[arg(long, default_value_t = 1_000)]
    kills: u32,
    /// Only this real database: `sqlite` or `postgresql`
    #[arg(long, value_name = "NAME", requires = "real", value_parser = ["sqlite", "postgresql"])]
    on: Option<String>,
    /// Run as a host that will be killed
    #[arg(long, hide = true, value_name = "DATABASE", requires = "notes")]
    host: Option<String>,
    /// Folder of its log of requests and answers
    #[arg(long, hide = true)]
    notes: Option<std::path::PathBuf>,
    /// Number of the host
    #[arg(long, hide = true, default_value_t = 0)]
    number: usize,
}

fn main() -> ExitCode {
    match storm(Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Set by Ctrl-C and SIGTERM: stops everything and reports what was covered so far.
fn stop_signal() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if runtime.is_ok_and(|runtime| runtime.block_on(wait_for_signal()).is_ok()) {
            println!("\nstopping; results so far:");
            STOP.store(true, Ordering::Relaxed);
        }
    });
    &STOP
}

#[cfg(unix)]
async fn wait_for_signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminated = signal(SignalKind::terminate())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed,
        _ = terminated.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn wait_for_signal() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

fn storm(arguments: Arguments) -> Result<bool, String> {
    if let (Some(database), Some(notes)) = (&arguments.host, &arguments.notes) {
        return real::host(database, notes, arguments.number)
            .map(|()| true)
            .map_err(|error| error.to_string());
    }
    let stop = stop_signal();
    if arguments.real {
        let on = |name: &str| arguments.on.as_deref().is_none_or(|only| only == name);
        let real = Real { kills: arguments.kills, sqlite: on("sqlite"), postgresql: on("postgresql") };
        return real.run(stop).map_err(|error| error.to_string());
    }
    if arguments.self_test {
        let words = arguments.sabotage.unwrap_or_default();
        return Ok(self_test(arguments.seed.map_or(1, |seed| seed.number), &words, stop));
    }
    let faults = arguments.faults.as_deref().map(Fault::named).transpose()?;
    let only = arguments.steps.as_deref().map(report::steps).transpose()?;
    let sabotage = arguments.sabotage.as_deref().map(Sabotage::named).transpose()?.map(|one| one.name);
    let seed = arguments.seed.unwrap_or_else(|| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Seed::own(since.as_secs())
    });
    if let Some(warning) = seed.warning() {
        println!("note: {warning}");
    }
    println!("seed {}", Seed::own(seed.number));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let storm = Storm {
        seed: seed.number,
        rounds: arguments.rounds,
        casinos: only.is_some().then_some(1),
        time: arguments.minutes.map(|minutes| Duration::from_secs(minutes * 60)),
        threads: if only.is_some() { 1 } else { arguments.threads.unwrap_or(cores) },
        options: PlanOptions { hosts: arguments.hosts, faults, only, steps: None, sabotage },
        max_shrink_runs: arguments.shrink,
        keep_going: arguments.keep_going,
    };
    Ok(run_storm(&storm, stop))
}

/// Runs a storm and prints the results; true if nothing failed.
fn run_storm(storm: &Storm, stop: &AtomicBool) -> bool {
    let began = Instant::now();
    let last = Mutex::new(began);
    let tell = |progress: Progress<'_>| {
        match progress {
            Progress::Running { covered, failures, longest } => {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((seed, since)) = longest.filter(|(_, since)| *since > STUCK) {
                    let seconds = began.elapsed().as_secs_f64();
                    print!("{}", report::covered(covered, seconds));
                    println!("FAILED: the casino of seed {} hangs: {} s", Seed::own(seed), since.as_secs());
                    std::process::exit(1);
                }
                if last.elapsed() < REPORT_EVERY {
                    return;
                }
                *last = Instant::now();
                let (seconds, limit) = (began.elapsed().as_secs_f64(), storm.time.map(|time| time.as_secs()));
                println!("{}", report::progress(covered, storm.rounds, failures, seconds, limit));
            }
            Progress::Failed(plan, failure) => {
                let what = failure.what.first().map_or("", String::as_str);
                println!("FAILED: seed {}: {what}\nshortening it", Seed::own(plan.seed));
            }
            Progress::Shortened(plan, failure) => print!("{}", report::failure(plan, failure)),
        }
        // A lost progress line does not matter.
        let _ = std::io::stdout().flush();
    };
    let result = storm.run(stop, &tell);
    print!("{}", report::covered(&result.covered, began.elapsed().as_secs_f64()));
    for finding in result.findings.values() {
        let what = finding.failure.what.first().map_or("", String::as_str);
        println!("FAILED: seed {}, {} casinos: {what}", Seed::own(finding.plan.seed), finding.casinos);
    }
    result.findings.is_empty()
}

fn self_test(seed: u64, words: &str, stop: &AtomicBool) -> bool {
    let (mut missed, mut tried) = (0, 0);
    for sabotage in SABOTAGES.iter().filter(|sabotage| sabotage.name.contains(words)) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        tried += 1;
        match sabotage.find(seed) {
            Some(found) => {
                let what: String = found.what.chars().take(120).collect();
                println!(
                    "found   {:<50} {:>4} of {:>4} rounds: {what}",
                    sabotage.name, found.rounds, sabotage.within
                );
            }
            None => {
                missed += 1;
                println!("MISSED  {:<50} within {} rounds", sabotage.name, sabotage.within);
            }
        }
    }
    println!("{} of {tried} injected bugs were found", tried - missed);
    missed == 0
}
