//! What `baize exposure` computes, without the rest of the program: for measuring it.
//!
//! `cargo run --release -p baize-odds --example exposure_json -- ID DEALER FLOP TURN RIVER BOXES [RANKS]`

use std::time::Instant;

use baize_odds::Solver;
use baize_odds::exposure::{Exposed, Exposure, ExposureQuestion};
use baize_rules::Rulebook;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let id = arguments.first().ok_or("which game?")?;
    let mut rulebook = Rulebook::builtins().iter().find(|book| book.id == *id).cloned();
    if rulebook.is_none() {
        rulebook = Rulebook::parse(id, &std::fs::read_to_string(id)?).ok();
    }
    let rulebook = rulebook.ok_or("no such game")?;
    let number = |n: usize| arguments.get(n).and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
    let seen = Exposed {
        dealer: number(1),
        flop: number(2),
        turn: number(3) > 0,
        river: number(4) > 0,
        boxes: number(5),
        ranks: arguments.get(6).map(|ranks| ranks.parse()).transpose()?,
    };
    let question = ExposureQuestion { seen, ante: None, deals: None, seed: 1 };
    let start = Instant::now();
    let exposure = Exposure::of(&mut Solver::new(), &rulebook, question, &|_, _| true)?;
    println!("{}", serde_json::to_string_pretty(&exposure)?);
    eprintln!("{:.2} s", start.elapsed().as_secs_f64());
    Ok(())
}
