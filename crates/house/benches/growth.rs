//! Growth of a casino: bytes per round, throughput, time to open, time and memory of the audit, and reports of one day and of all days.
//!
//! `cargo bench -p baize-house --bench growth [-- ROUNDS]` plays at 50 tables up to 1,000, 10,000 and so on rounds
//! (by default 100,000), 4,000 rounds per gaming day. At each step a separate process opens the file, reports and audits it. The figures
//! are printed and drawn into `growth.svg` in the build folder.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant as Moment};

use baize_house::load::Robot;
use baize_house::{Actor, GamingDay, House, Instant, PlayerId, SetClock};
use baize_report::ReportFilter;
use baize_rules::Money;

type Anything<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const TABLES: u32 = 50;
const ROUNDS_A_DAY: u32 = 4_000;
const DAY_SECONDS: u32 = 24 * 60 * 60;

/// The measurements at each size, in column order.
const COLUMNS: [&str; 7] = [
    "bytes a round",
    "rounds a second",
    "open ms",
    "audit µs a round",
    "audit MB",
    "day's report ms",
    "all days' report ms",
];

fn main() -> Anything<()> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    // One core is left to the journal, as in `baize load`.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let playing = if words.len() == 3 { cores } else { cores.saturating_sub(1).max(1) };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(playing).enable_all().build()?;
    if let [what, database, rounds] = words.as_slice()
        && what == "measure"
    {
        return runtime.block_on(measure(database, rounds.parse()?));
    }
    let target: u32 = words.first().map_or(Ok(100_000), |word| word.parse())?;
    let folder = std::env::temp_dir().join(format!("baize-growth-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let grown = runtime.block_on(grow(&folder.join("casino.sqlite").display().to_string(), target));
    std::fs::remove_dir_all(&folder)?;
    let picture = std::env::current_exe()?.with_file_name("growth.svg");
    std::fs::write(&picture, svg(&grown?))?;
    println!("drawn: {}", picture.display());
    Ok(())
}

/// Plays on and measures at each power of ten.
async fn grow(database: &str, target: u32) -> Anything<Vec<(u32, Vec<f64>)>> {
    let clock = Arc::new(SetClock::at(Instant(1_800_000_000_000)));
    println!("{:>10}  {}", "rounds", COLUMNS.map(|column| format!("{column:>20}")).join(""));
    let (mut grown, mut played, mut aim) = (Vec::new(), 0, 1_000.min(target));
    loop {
        let began = Moment::now();
        play(database, &clock, aim - played, played).await?;
        let per_second = f64::from(aim - played) / began.elapsed().as_secs_f64();
        played = aim;
        let done = Command::new(std::env::current_exe()?)
            .args(["measure", database, &played.to_string()])
            .output()?;
        if !done.status.success() {
            return Err(String::from_utf8_lossy(&done.stderr).into_owned().into());
        }
        let mut figures: Vec<f64> = String::from_utf8_lossy(&done.stdout)
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        figures.insert(1, per_second);
        println!(
            "{played:>10}  {}",
            figures.iter().map(|figure| format!("{figure:>20.1}")).collect::<String>()
        );
        grown.push((played, figures));
        if played >= target {
            return Ok(grown);
        }
        aim = played.saturating_mul(10).min(target);
    }
}

/// Plays this many more rounds, one day at a time.
async fn play(database: &str, clock: &Arc<SetClock>, rounds: u32, before: u32) -> Anything<()> {
    let house = House::open_with(database, Arc::clone(clock) as _).await?;
    if before == 0 {
        baize_house::load::set_up(&house, TABLES).await?;
    }
    let tables = house.tables().await?;
    let mut robots = Vec::new();
    for (number, table) in (0..TABLES).zip(&tables) {
        let player: PlayerId = format!("robot-{before}-{number}").parse()?;
        house.create_player(&player, None, Money::from_dollars(1_000_000)).await?;
        let mut robot = Robot::new(house.clone(), player, table.id.clone(), u64::from(before + number) + 1);
        robot.jackpot_every = 4;
        robots.push(robot);
    }
    let mut left = rounds;
    while left > 0 {
        let today = left.min(ROUNDS_A_DAY);
        let mut playing = tokio::task::JoinSet::new();
        for (number, mut robot) in (0..TABLES).zip(std::mem::take(&mut robots)) {
            let share = today / TABLES + u32::from(number < today % TABLES);
            playing.spawn(async move {
                for _ in 0..share {
                    robot.round().await?;
                }
                Ok::<Robot, baize_house::HouseError>(robot)
            });
        }
        while let Some(robot) = playing.join_next().await {
            let mut robot = robot??;
            robot.answered.clear();
            robot.took.clear();
            robots.push(robot);
        }
        clock.advance_seconds(DAY_SECONDS);
        left -= today;
    }
    drop(robots);
    clock.advance_seconds(DAY_SECONDS);
    baize_report::keep_days(&house, GamingDay::default()).await?;
    Ok(house.close().await?)
}

/// Measures a file in this process and prints the figures.
async fn measure(database: &str, rounds: u32) -> Anything<()> {
    let bytes = std::fs::metadata(database)?.len();
    let began = Moment::now();
    let house = House::look_at(database).await?;
    let opened = began.elapsed();
    // The last day with a round: the clock was advanced by a day after it.
    let played = house.rounds(&baize_house::RoundFilter::default()).await?;
    let day = GamingDay::default().of(played.first().ok_or("nothing was played")?.ended);
    let asked = ReportFilter { from: Some(day), to: Some(day), ..ReportFilter::default() };
    let began = Moment::now();
    baize_report::report(&house, &Actor::House, &asked).await?;
    let reported = began.elapsed();
    let began = Moment::now();
    baize_report::report(&house, &Actor::House, &ReportFilter::default()).await?;
    let all_reported = began.elapsed();
    let began = Moment::now();
    let audit = baize_audit::audit(&house).await?;
    let audited = began.elapsed();
    if let Some(fault) = audit.faults.first() {
        return Err(format!("{}: {}", fault.place, fault.what).into());
    }
    let of = f64::from(rounds);
    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    let (bytes, memory) = (bytes as f64, peak_memory() as f64);
    let figures = [
        bytes / of,
        milliseconds(opened),
        1_000.0 * milliseconds(audited) / of,
        memory / 1_000_000.0,
        milliseconds(reported),
        milliseconds(all_reported),
    ];
    println!("{}", figures.map(|figure| figure.to_string()).join(" "));
    Ok(())
}

/// The peak memory of this process in bytes; 0 if the system does not report it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kilo| kilo * 1_024)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Draws each column as a line over the rounds, on logarithmic scales.
fn svg(grown: &[(u32, Vec<f64>)]) -> String {
    const COLOURS: [&str; 7] = ["#1b6", "#888", "#06c", "#c40", "#808", "#640", "#b80"];
    let across = |rounds: u32| 60.0 + 110.0 * (f64::from(rounds).log10() - 3.0);
    let up = |figure: f64| 420.0 - 60.0 * figure.max(1.0).log10();
    let mut text = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"480\" font-family=\"sans-serif\" font-size=\"12\">\n",
    );
    for (rounds, _) in grown {
        text.push_str(&format!("<text x=\"{:.0}\" y=\"450\">{rounds}</text>\n", across(*rounds)));
    }
    for power in 0..=6_i32 {
        let figure = 10_f64.powi(power);
        text.push_str(&format!("<text x=\"5\" y=\"{:.0}\">{figure}</text>\n", up(figure)));
    }
    for (at, (column, colour)) in COLUMNS.iter().zip(COLOURS).enumerate() {
        let points: Vec<String> = grown
            .iter()
            .filter_map(|(rounds, figures)| Some((across(*rounds), up(*figures.get(at)?))))
            .map(|(x, y)| format!("{x:.0},{y:.0}"))
            .collect();
        text.push_str(&format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\n",
            points.join(" ")
        ));
        text.push_str(&format!("<text x=\"520\" y=\"{}\" fill=\"{colour}\">{column}</text>\n", 40 + 18 * at));
    }
    text.push_str("</svg>\n");
    text
}
