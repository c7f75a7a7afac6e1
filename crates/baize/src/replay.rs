//! `baize replay`: prints the rounds of a script.

use std::path::PathBuf;

use baize_odds::Fraction;
use baize_odds::incident::{BoxWorth, Incident};
use baize_script::{Happened, Look, Transcript, json, tell};
use baize_table::{ExposedCard, Table, evolve, exposed_card, view_open};
use clap::Args;

use crate::scripts::{self, Library};
use crate::{Failure, page};

/// Print the rounds of a script as text or JSON.
///
/// The deal, the decisions, the hands in words, and a settlement slip for each box with the paragraph behind every amount. For cards exposed by
/// mistake: what they were worth to each box.
/// Exit 0 when the script passes, 1 when it does not, 2 when it cannot be read.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The script, or - for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A rulebook of your own that the script may name; may be given several times.
    #[arg(long, value_name = "FILE")]
    rulebook: Vec<PathBuf>,
    /// Print the rounds as JSON.
    #[arg(long)]
    json: bool,
}

/// Prints the rounds, then the failures.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let library = Library::with(&arguments.rulebook)?;
    let text = scripts::read(&arguments.file)?;
    let name = arguments.file.display().to_string();
    let transcript = scripts::run(&name, &text, &library)?;
    let incidents = incidents(&transcript);
    if arguments.json {
        let mut data = json(&transcript);
        for (at, incident) in incidents.iter().enumerate().filter(|(_, incident)| incident.is_some()) {
            data["rounds"][at]["incident"] = serde_json::json!(incident);
        }
        page::print(&format!("{data}\n"))?;
    } else {
        let (width, colour) = page::stdout();
        let notes: Vec<Vec<String>> =
            incidents.iter().map(|incident| incident.as_ref().map(in_words).unwrap_or_default()).collect();
        page::print(&tell(&transcript, Look { width, colour }, &notes))?;
    }
    if transcript.rounds.is_empty() {
        eprintln!("{name}: the script opens no round");
    }
    if transcript.holds() {
        return Ok(());
    }
    eprint!("\n{}", scripts::failures(&name, &text, &transcript.failures, true));
    Err(Failure::ScriptsFailed)
}

/// What exposed cards were worth, by round.
fn incidents(transcript: &Transcript) -> Vec<Option<Incident>> {
    let mut tables: Vec<Table> =
        transcript.tables.iter().map(|table| Table::new(table.settings.clone())).collect();
    let mut exposed: Vec<Vec<ExposedCard>> = vec![Vec::new(); transcript.rounds.len()];
    for entry in &transcript.entries {
        let Happened::Done { events, elsewhere, .. } = &entry.happened else { continue };
        let here = std::iter::once((&entry.table, events)).chain(elsewhere.iter().map(|(at, of)| (at, of)));
        for (at, events) in here {
            let Some(table) = tables.get_mut(*at) else { continue };
            for event in events {
                *table = evolve(table.clone(), event);
                if let Some(cards) = entry.round.and_then(|round| exposed.get_mut(round)) {
                    cards.extend(exposed_card(table, event));
                }
            }
        }
    }
    let of_round = |(record, exposed): (&baize_script::ScriptRound, &Vec<ExposedCard>)| {
        let table = transcript.tables.get(record.table).filter(|_| record.finished().is_some())?;
        let stood = Table { round: record.round.clone(), ..table.state.clone() };
        Incident::of(&table.book, &view_open(&table.book, &stood), exposed)
    };
    transcript.rounds.iter().zip(&exposed).map(of_round).collect()
}

/// A line for each box.
fn in_words(incident: &Incident) -> Vec<String> {
    let cards = incident.cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut lines = vec![String::new()];
    if incident.void {
        lines.push(format!("Exposed: {cards}. The round was void, so they were worth nothing to anybody."));
    } else if incident.boxes.is_empty() {
        lines.push(format!("Exposed: {cards}. No box had a decision left."));
    } else {
        lines.push(format!("Exposed: {cards}. What they were worth, in antes with best play:"));
        lines.extend(incident.boxes.iter().map(box_in_words));
    }
    lines
}

fn box_in_words(of: &BoxWorth) -> String {
    let antes = |value: Fraction| {
        let sign = if value.numerator() > 0 { "+" } else { "" };
        format!("{sign}{}", value.decimal(4)).replace('-', "−")
    };
    format!(
        "  Box {}: before {} ({}), after {} ({}): worth {}, {} in money",
        of.seat,
        antes(of.before),
        of.best_before.code(),
        antes(of.after),
        of.best_after.code(),
        of.worth.decimal(4),
        (of.worth * Fraction::new(of.ante.cents(), 100)).decimal(2)
    )
}
