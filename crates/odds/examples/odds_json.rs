//! What `baize odds ID --json` computes and prints, without the rest of the program: for measuring it.
//!
//! `cargo run --release -p baize-odds --example odds_json -- ID`

use baize_odds::Solver;
use baize_odds::analysis::{GameAnalysis, Question, StrategyCost};
use baize_odds::strategy::Strategy;
use baize_rules::Rulebook;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let id = std::env::args().nth(1).ok_or("which game?")?;
    let rulebook = Rulebook::builtins().iter().find(|book| book.id == id).ok_or("no such game")?;
    let mut solver = Solver::new();
    let mut analysis = GameAnalysis::new(&mut solver, rulebook, Question::default())?;
    for named in Strategy::named(rulebook.family).iter().skip(1) {
        let strategy = Strategy::read(rulebook.family, named.rules)?;
        analysis.strategies.push(StrategyCost::of(&mut solver, rulebook, None, named.name, &strategy)?);
    }
    println!("{}", serde_json::to_string_pretty(&analysis)?);
    Ok(())
}
