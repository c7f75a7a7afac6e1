//! Compares the evaluator with the fastest maintained crates, on one core, in million hands a second.
//!
//! `cargo bench -p baize-cards` runs it. The contenders take turns, and the best turn of each counts, because other work on the
//! machine can only slow a turn down. *In sequence* means all combinations, by nested loops that add one card per level; *random*
//! means a million dealt hands, each added up from nothing.

mod contenders;

use std::hint::black_box;
use std::time::{Duration, Instant};

use baize_cards::Evaluator;
use contenders::{Baize, Contender, Enumeration, Pokers, RsPoker};

const TURNS: usize = 12;
const RANDOM_HANDS: usize = 1_000_000;
/// C(52,5) and C(52,7).
const FIVE_CARD_HANDS: f64 = 2_598_960.0;
const SEVEN_CARD_HANDS: f64 = 133_784_560.0;
const COLUMNS: [&str; 4] = ["7 in sequence", "7 random", "5 in sequence", "5 random"];

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("nothing measured: run `cargo bench -p baize-cards`");
        return;
    }
    let table = (0..TURNS).map(|_| time(Evaluator::derive)).min().unwrap_or_default();
    println!("table derived in {:.1} ms (aim: under 15)\n", table.as_secs_f64() * 1e3);

    let deals = deals();
    let (mut baize, mut pokers, mut rs_poker) =
        (Best::new(Baize::new()), Best::new(Pokers), Best::new(RsPoker::new()));
    let mut enumeration = Best::new(Enumeration);
    for _ in 0..TURNS {
        baize.turn(&deals);
        pokers.turn(&deals);
        rs_poker.turn(&deals);
        enumeration.turn(&deals);
    }

    println!("{:<22}{}", "million hands a second", COLUMNS.map(|c| format!("{c:>15}")).concat());
    let rows = [
        ("baize", baize.speeds),
        ("pokers 0.10.0", pokers.speeds),
        ("rs_poker 5.0.0", rs_poker.speeds),
        ("enumeration alone", enumeration.speeds),
    ];
    for (name, speeds) in rows {
        println!("{name:<22}{}", speeds.map(|s| format!("{s:>15.0}")).concat());
    }
    for (name, other) in [("baize / pokers", pokers.speeds), ("baize / rs_poker", rs_poker.speeds)] {
        let ratios = baize.speeds.iter().zip(other).map(|(ours, theirs)| format!("{:>15.2}", ours / theirs));
        println!("{name:<22}{}", ratios.collect::<String>());
    }
}

/// A contender and its best speeds, in the order of [`COLUMNS`].
struct Best<C> {
    contender: C,
    speeds: [f64; 4],
}

impl<C: Contender> Best<C> {
    fn new(contender: C) -> Best<C> {
        Best { contender, speeds: [0.0; 4] }
    }

    fn turn(&mut self, deals: &[[u8; 7]]) {
        let contender = &self.contender;
        let seven: Vec<[C::Card; 7]> = deals.iter().map(|deal| deal.map(|c| contender.card(c))).collect();
        let five: Vec<[C::Card; 5]> = seven.iter().map(|&[a, b, c, d, e, ..]| [a, b, c, d, e]).collect();
        let random = deals.len() as f64;
        let turns = [
            (time(|| in_sequence::<C, 7>(contender)), SEVEN_CARD_HANDS),
            (time(|| dealt(contender, &seven)), random),
            (time(|| in_sequence::<C, 5>(contender)), FIVE_CARD_HANDS),
            (time(|| dealt(contender, &five)), random),
        ];
        for (best, (time, hands)) in self.speeds.iter_mut().zip(turns) {
            *best = best.max(hands / time.as_secs_f64() / 1e6);
        }
    }
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// Sums up the values of all hands of five or seven cards.
#[inline(never)]
fn in_sequence<C: Contender, const SIZE: usize>(contender: &C) -> u64 {
    let mut sum = 0;
    let add = |hand, card| contender.add(hand, contender.card(card));
    for a in 0..52 {
        let hand = add(contender.empty(), a);
        for b in a + 1..52 {
            let hand = add(hand, b);
            for c in b + 1..52 {
                let hand = add(hand, c);
                for d in c + 1..52 {
                    let hand = add(hand, d);
                    for e in d + 1..52 {
                        let hand = add(hand, e);
                        if SIZE == 5 {
                            sum += u64::from(contender.value(hand));
                            continue;
                        }
                        for f in e + 1..52 {
                            let hand = add(hand, f);
                            for g in f + 1..52 {
                                sum += u64::from(contender.value(add(hand, g)));
                            }
                        }
                    }
                }
            }
        }
    }
    sum
}

/// Sums up the values of dealt hands.
#[inline(never)]
fn dealt<C: Contender, const SIZE: usize>(contender: &C, hands: &[[C::Card; SIZE]]) -> u64 {
    let value = |cards: &[C::Card; SIZE]| {
        contender.value(cards.iter().fold(contender.empty(), |hand, &card| contender.add(hand, card)))
    };
    hands.iter().map(|cards| u64::from(value(cards))).sum()
}

/// Random deals of seven different cards, the same in every run.
fn deals() -> Vec<[u8; 7]> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut deck: [u8; 52] = [0; 52];
    for (card, index) in deck.iter_mut().zip(0..) {
        *card = index;
    }
    let mut deal = || {
        for place in 0..7 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let left = 52 - place;
            deck.swap(place, place + usize::try_from(state >> 33).unwrap_or(0) % left);
        }
        [deck[0], deck[1], deck[2], deck[3], deck[4], deck[5], deck[6]]
    };
    (0..RANDOM_HANDS).map(|_| deal()).collect()
}
