//! How long the exact answers take, measured against plain evaluation in the same run.
//!
//! Prints each time, its ratio to what it is measured against, and the most that the ratio should be. It asserts nothing: a busy machine
//! should not fail a build. Run it alone on an idle machine with `cargo bench -p baize-odds`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use baize_cards::{Card, CardSet, Evaluator, Hand, HandClass, HandValue};
use baize_odds::advice::{Advice, Seen, Stakes};
use baize_odds::holdem::{HoldemGame, HoldemSolution, HoldemTables, flop_position, turn_position};
use baize_odds::simulation::{Plan, simulate};
use baize_odds::strategy::Strategy;
use baize_odds::stud::{StudGame, StudSolution, position};
use baize_odds::{DeckSpec, Solver};
use baize_rules::{Family, Money, Rulebook};

const RANDOM_HANDS: u32 = 200_000_000;

fn main() {
    let evaluator = Evaluator::get();
    let random = best(1, || random_fives(evaluator));
    let sevens = best(3, || all_sevens(evaluator));
    println!("{:<46}{:>12}", "200,000,000 random five-card hands, one core", milliseconds(random));
    println!("{:<46}{:>12}", "133,784,560 seven-card hands, one core", milliseconds(sevens));
    println!();

    let ace_king = HandValue::of(cards("As Kd 4c 3h 2s")).ok();
    let stud = StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 250], 2, ace_king);
    let time = best(5, || StudSolution::optimal(DeckSpec::FULL, &stud).net());
    report("stud from scratch, one core", time, Some((random, 1.0)));

    let holdem = HoldemGame::new(HandClass::Straight);
    let solve = || HoldemSolution::optimal(&HoldemTables::new(DeckSpec::FULL, &holdem), &holdem).net();
    report("hold'em from scratch, all cores", best(5, solve), Some((sevens, 15.0)));

    let five = cards("Ac Kd Jh 8s 3c");
    let up = Card::from_index(30).unwrap_or_else(|| unreachable!("there are 52 cards"));
    let time = best(20, || position(DeckSpec::FULL, ace_king, five, up).map(|(_, counts)| counts.total()));
    report("one stud position", time, Some((Duration::from_millis(5), 1.0)));
    let hole = [cards("7c"), cards("2d")].map(|card| card.iter().next());
    let [Some(one), Some(other)] = hole else { unreachable!("each is one card") };
    let hole = [one, other];
    let time = best(20, || flop_position(DeckSpec::FULL, &holdem, hole, cards("Kh 7d 4s")));
    report("one hold'em flop position", time, Some((Duration::from_millis(50), 1.0)));
    let time = best(20, || turn_position(DeckSpec::FULL, &holdem, hole, cards("Kh 7d 4s 9s"), true));
    report("one hold'em turn position", time, Some((Duration::from_millis(5), 1.0)));
    advice(hole);
    simulation();
    if let Some(peak) = peak_memory() {
        println!("\nmost memory in use: {peak} (at most 1 GiB)");
    }
}

/// A flop with a jackpot wager, as a page asks for it.
fn advice(hole: [Card; 2]) {
    let Some(rulebook) = Rulebook::builtins().iter().find(|book| book.family == Family::Holdem) else {
        return;
    };
    let board = cards("Kh 7d 4s").iter().collect();
    let seen = Seen { cards: hole.to_vec(), up: None, board, turn_wagered: false };
    let dollars = |amount| Some(Money::from_dollars(amount));
    let stakes = Stakes { ante: dollars(50), jackpot_wager: dollars(5), meter: dollars(500_000) };
    let time = best(20, || Advice::of(&mut Solver::new(), rulebook, &seen, stakes));
    report("advice on a flop, jackpot included", time, Some((Duration::from_millis(50), 1.0)));
}

/// Hold'em boxes through the real settlement on one core, with a way to play that looks at nothing.
fn simulation() {
    const ROUNDS: u32 = 1 << 20;
    let Some(rulebook) = Rulebook::builtins().iter().find(|book| book.family == Family::Holdem) else {
        return;
    };
    let mut solver = Solver::new();
    for (boxes, words) in
        [(1, "a million hold'em boxes, one a round"), (6, "a million hold'em boxes, six a round")]
    {
        let Ok(strategy) = Strategy::read(Family::Holdem, "always") else { return };
        let plan = Plan {
            rulebook,
            rounds: u64::from(ROUNDS),
            seed: 1,
            boxes,
            strategy: &strategy,
            ante: Money::from_dollars(25),
            bonus: None,
            jackpot: None,
            ante_limits: None,
            bonus_limits: None,
        };
        let times = (0..4).map(|_| {
            let mut start = Instant::now();
            // The first call says that everything is prepared: the exact figures are not part of it.
            let played = simulate(&mut solver, &plan, 1, |rounds| {
                if rounds == 0 {
                    start = Instant::now();
                }
                true
            });
            black_box(played.is_ok());
            start.elapsed()
        });
        let per_million = times.min().unwrap_or_default() * 1_000_000 / (ROUNDS * u32::from(boxes));
        report(words, per_million, Some((Duration::from_millis(100), 1.0)));
    }
}

/// The shortest of several runs, which approximates an idle machine.
fn best<T>(runs: u32, mut run: impl FnMut() -> T) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed()
    };
    (0..runs).map(time).min().unwrap_or_default()
}

fn report(what: &str, time: Duration, against: Option<(Duration, f64)>) {
    print!("{what:<46}{:>12}", milliseconds(time));
    if let Some((base, most)) = against {
        let ratio = time.as_secs_f64() / base.as_secs_f64();
        print!("   {ratio:>7.3} times {} (at most {most})", milliseconds(base).trim());
    }
    println!();
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn cards(text: &str) -> CardSet {
    text.parse().unwrap_or_else(|fault| unreachable!("{fault}"))
}

/// Five-card hands drawn by a small generator, so that no branch can be foreseen.
fn random_fives(evaluator: &Evaluator) -> u64 {
    let deck: Vec<Card> = Card::all().collect();
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut sum = 0;
    let mut hands: Vec<Hand> = Vec::new();
    for _ in 0..1 << 16 {
        let mut five = CardSet::EMPTY;
        while five.len() < 5 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            if let Some(card) = usize::try_from(state >> 40).ok().and_then(|n| deck.get(n % 52)) {
                five = five.with(*card);
            }
        }
        hands.push(five.iter().fold(Hand::EMPTY, Hand::add));
    }
    for n in 0..RANDOM_HANDS {
        sum += u64::from(evaluator.value(black_box(hands[n as usize % hands.len()])).number());
    }
    sum
}

fn all_sevens(evaluator: &Evaluator) -> u64 {
    let deck: Vec<Card> = Card::all().collect();
    let mut sum = 0;
    add_cards(evaluator, &deck, Hand::EMPTY, 7, &mut sum);
    sum
}

fn add_cards(evaluator: &Evaluator, deck: &[Card], hand: Hand, more: u32, sum: &mut u64) {
    for (n, &card) in deck.iter().enumerate() {
        let longer = hand.add(card);
        if more == 1 {
            *sum += u64::from(evaluator.value(longer).number());
        } else {
            add_cards(evaluator, &deck[n + 1..], longer, more - 1, sum);
        }
    }
}

/// Peak memory of this process, if the system provides it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("{:.0} MiB", kib / 1024.0))
}
