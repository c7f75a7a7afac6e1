//! `baize simulate`: many rounds through the real settlement, beside the exact figures.

mod text;

use std::num::NonZero;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use baize_odds::Solver;
use baize_odds::simulation::{JackpotPlan, Plan, simulate};
use baize_odds::strategy::Strategy;
use baize_rules::{Money, Percent};
use baize_table::Limits;
use clap::Args;

use crate::odds::grouped;
use crate::page::{self, Page};
use crate::rulebook::{About, Game};
use crate::{Failure, interrupt, progress};

/// Play many rounds through the real settlement and compare with the exact figures.
///
/// The same seed gives the same result, whatever the number of threads. Every box is played the same way. Ctrl-C stops and prints the
/// result so far.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: Game,
    /// How many rounds.
    #[arg(long, value_name = "N")]
    rounds: u64,
    /// The seed; without it, one that is printed with the result.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Boxes in play.
    #[arg(long, value_name = "N", default_value_t = 1)]
    boxes: u8,
    /// How the boxes are played: a name, or rules as for `baize odds --strategy`.
    #[arg(long, value_name = "STRATEGY", default_value = "best")]
    strategy: String,
    /// The ante on every box.
    #[arg(long, value_name = "AMOUNT", default_value = "25")]
    ante: Money,
    /// The bonus on every box.
    #[arg(long, value_name = "AMOUNT")]
    bonus: Option<Money>,
    /// The jackpot wager on every box.
    #[arg(long, value_name = "AMOUNT")]
    jackpot_wager: Option<Money>,
    /// What the meter shows before the first round; without it, the reset value.
    #[arg(long, value_name = "AMOUNT", requires = "jackpot_wager")]
    meter: Option<Money>,
    /// The value that the meter goes back to.
    #[arg(long, value_name = "AMOUNT", default_value = "100000")]
    reset: Money,
    /// The share of each jackpot wager that goes to the meter.
    #[arg(long, value_name = "PERCENT", default_value = "20%", value_parser = percent)]
    rate: Percent,
    /// Limits of the ante, such as 25-1000. Amounts over the maximum are returned, as the rules say.
    #[arg(long, value_name = "LEAST-MOST", value_parser = limits)]
    limits: Option<Limits>,
    /// Limits of the bonus.
    #[arg(long, value_name = "LEAST-MOST", value_parser = limits)]
    bonus_limits: Option<Limits>,
    /// Threads to play on; without it, as many as the machine has cores.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

fn percent(text: &str) -> Result<Percent, String> {
    text.parse()
}

/// `25-1000`.
fn limits(text: &str) -> Result<Limits, String> {
    let wrong = || format!("`{text}` is not a pair of limits; write 25-1000");
    let (least, most) = text.split_once('-').ok_or_else(wrong)?;
    let amount = |text: &str| text.parse::<Money>().map_err(|_| wrong());
    Ok(Limits { least: amount(least)?, most: amount(most)? })
}

/// Plays the rounds.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rulebook = &*arguments.game.read()?;
    let strategy = Strategy::read(rulebook.family, &arguments.strategy)?;
    let jackpot = arguments.jackpot_wager.map(|wager| JackpotPlan {
        wager,
        meter: arguments.meter.unwrap_or(arguments.reset),
        reset: arguments.reset,
        rate: arguments.rate,
    });
    let plan = Plan {
        rulebook,
        rounds: arguments.rounds,
        seed: arguments.seed.unwrap_or_else(any_seed),
        boxes: arguments.boxes,
        strategy: &strategy,
        ante: arguments.ante,
        bonus: arguments.bonus,
        jackpot,
        ante_limits: arguments.limits,
        bonus_limits: arguments.bonus_limits,
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = arguments.threads.map_or(cores, NonZero::get);
    let pressed = interrupt::watch(|| {});
    let bar = progress::bar(arguments.rounds, "playing");
    let mut start = Instant::now();
    let result = simulate(&mut Solver::new(), &plan, threads, |rounds| {
        bar.set_position(rounds);
        if rounds == 0 {
            start = Instant::now();
        }
        !pressed.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    let result = result?;
    if result.rounds == 0 && arguments.rounds > 0 {
        return Err(Failure::Usage("interrupted before a round was played".to_owned()));
    }
    if result.rounds < arguments.rounds {
        let [played, asked] = [result.rounds, arguments.rounds].map(|count| grouped(&count.to_string()));
        eprintln!("interrupted after {played} of {asked} rounds");
    }
    page::print(&if arguments.json {
        page::json(&About::new(rulebook, &result))?
    } else {
        text::of(rulebook, &arguments.strategy, &result, start.elapsed(), Page::for_stdout())
    })
}

/// A random seed.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs() << 20
}
