//! Tells a transcript to a person: the deal, the decisions, the hands in words, a settlement slip for each box.
//!
//! Everything that was dealt is shown, as an auditor may see it: a script has no secrets. The text fits the width that is
//! asked for.

mod json;
mod paint;
mod phrases;
mod slip;
mod story;

use std::fmt::Write;

use baize_cards::{CardSet, HandValue};
use baize_rules::{Area, Readings};
use baize_table::Table;

pub use self::json::json;
pub use self::paint::Look;
use self::paint::{left, wrap};
use self::story::{Kind, Narrator, Said, warning};
use crate::transcript::{Happened, TableRecord, Transcript};

/// The whole transcript as text.
#[must_use]
pub fn tell(transcript: &Transcript, look: Look) -> String {
    let mut text = String::new();
    for line in &transcript.heading {
        paragraph(&mut text, line, look, |line| look.bold(line));
    }
    if !transcript.heading.is_empty() && !transcript.rounds.is_empty() {
        text.push('\n');
    }
    let (before, stories) = stories(transcript);
    let mut told: Option<&TableRecord> = None;
    for (round, story) in transcript.rounds.iter().zip(stories) {
        let table = &transcript.tables[round.table];
        if told.is_none_or(|told| told.book != table.book || told.settings != table.settings) {
            set_up(&mut text, table, look);
            told = Some(table);
        }
        heading(&mut text, &round_name(transcript, round.table, round.round.number), look);
        tell_story(&mut text, &story, look);
        slip::settlement(&mut text, table, round, look);
        text.push('\n');
    }
    tell_story(&mut text, &before, look);
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
    text
}

/// The last round's settlement alone: the dealer's hand, a slip for each box, the meter.
#[must_use]
pub fn tell_settlement(transcript: &Transcript, look: Look) -> String {
    let mut text = String::new();
    if let Some(round) = transcript.rounds.last() {
        slip::settlement(&mut text, &transcript.tables[round.table], round, look);
    }
    text
}

/// The best five cards in words: "Full House, Kings over Aces".
fn spelled(cards: CardSet) -> String {
    HandValue::describe(cards).unwrap_or_default()
}

fn round_name(transcript: &Transcript, table: usize, number: u32) -> String {
    match &transcript.tables[table].name {
        Some(name) => format!("Table {name}, round {number}"),
        None => format!("Round {number}"),
    }
}

/// What is told outside all rounds, and the story of each round.
fn stories(transcript: &Transcript) -> (Vec<Said>, Vec<Vec<Said>>) {
    let mut narrators: Vec<Narrator> = transcript
        .tables
        .iter()
        .map(|table| Narrator::new(table.book.clone(), Table::new(table.settings.clone())))
        .collect();
    let mut latest: Vec<Option<usize>> = vec![None; narrators.len()];
    let mut before = Vec::new();
    let mut stories = vec![Vec::new(); transcript.rounds.len()];
    for entry in &transcript.entries {
        if let Some(latest) = latest.get_mut(entry.table) {
            *latest = entry.round;
        }
        let mut tell = |table: usize, round: Option<usize>, events: &[baize_table::Event]| {
            let Some(narrator) = narrators.get_mut(table) else { return };
            let story = round.and_then(|round| stories.get_mut(round)).unwrap_or(&mut before);
            events.iter().for_each(|event| narrator.tell(event, story));
        };
        match &entry.happened {
            Happened::SetUp | Happened::Expected => {}
            Happened::Done { events, elsewhere, .. } => {
                tell(entry.table, entry.round, events);
                for (table, events) in elsewhere {
                    tell(*table, latest.get(*table).copied().flatten(), events);
                }
            }
            Happened::Refused { step, refused } => {
                let story = entry.round.and_then(|round| stories.get_mut(round)).unwrap_or(&mut before);
                story.push(warning(format!("Refused: {step}: {}", refused.why)));
            }
        }
    }
    (before, stories)
}

fn heading(text: &mut String, title: &str, look: Look) {
    let rule = "─".repeat(look.page().min(100).saturating_sub(title.chars().count() + 4));
    let _ = writeln!(text, "{} {} {}\n", look.dim("──"), look.bold(title), look.dim(&rule));
}

fn tell_story(text: &mut String, story: &[Said], look: Look) {
    let who = story.iter().map(|said| said.who.chars().count()).max().unwrap_or(0).min(look.page() / 3);
    for said in story {
        let cites = if said.cites.is_empty() { String::new() } else { format!(" ({})", said.cites) };
        let what = if cites.is_empty() { &said.what } else { said.what.trim_end_matches('.') };
        let words = format!("{what}{cites}");
        let mut label = said.who.as_str();
        if label.chars().count() > who {
            let _ = writeln!(text, "  {label}");
            label = "";
        }
        // Something about the table itself needs no column for a person.
        let column = if said.who.is_empty() { 0 } else { who + 2 };
        for line in wrap(&words, look.page().saturating_sub(column + 2)) {
            let line = match said.kind {
                Kind::Warning => look.warning(&line),
                Kind::List | Kind::Cards | Kind::Whole => look.cards(&line),
            };
            let _ = writeln!(text, "  {}{line}", left(label, column));
            label = "";
        }
    }
    if !story.is_empty() {
        text.push('\n');
    }
}

/// The game and how the table is set up.
fn set_up(text: &mut String, table: &TableRecord, look: Look) {
    let (book, settings) = (&table.book, &table.settings);
    let mut game = format!("{} ({})", book.name, book.operator);
    if let Some(version) = &book.version {
        game.push_str(&format!(", version {version}"));
    }
    if let Some(effective) = &book.effective {
        game.push_str(&format!(", in force from {effective}"));
    }
    paragraph(text, &game, look, |line| look.bold(line));
    let mut set_up =
        vec![format!("dealt from the {}", settings.procedure.name()), format!("{} boxes", settings.boxes)];
    set_up.push(format!("ante {} to {}", settings.ante.least.grouped(), settings.ante.most.grouped()));
    if book.has_area(Area::Bonus) {
        set_up.push(format!("bonus {} to {}", settings.bonus.least.grouped(), settings.bonus.most.grouped()));
    }
    set_up.push(format!("jackpot wager {}", settings.jackpot_wager.grouped()));
    for (point, ..) in Readings::choices() {
        let reading = settings.readings.reading(point);
        if reading != book.readings.reading(point) {
            set_up.push(format!("{point} read as {}", reading.unwrap_or_default()));
        }
    }
    paragraph(text, &set_up.join(" · "), look, str::to_owned);
    let hash: String = book.hash.chars().take(16).collect();
    paragraph(text, &format!("rulebook {} ({hash}…)", book.id), look, |line| look.dim(line));
    text.push('\n');
}

fn paragraph(text: &mut String, words: &str, look: Look, paint: impl Fn(&str) -> String) {
    for line in wrap(words, look.page()) {
        let _ = writeln!(text, "{}", paint(&line));
    }
}
