//! Describes a transcript to a person: the deal, the decisions, the hands in words, a settlement slip for each
//! box.
//!
//! Every dealt card is shown, as an auditor may see it: a script has no secrets. The text fits the requested width.

mod json;
mod paint;
mod slip;

use std::fmt::Write;

use baize_cards::{CardSet, HandValue};
use baize_rules::{Area, OpenPoint};
use baize_table::describe::{SentenceKind, joined};
use baize_table::{Event, Sentence, Table, describe, evolve, view_open};

pub use self::json::json;
pub use self::paint::Look;
use self::paint::{left, wrap};
use crate::transcript::{Happened, TableRecord, Transcript};

/// The whole transcript as text. `notes`: lines to add after a round's settlement.
#[must_use]
pub fn tell(transcript: &Transcript, look: Look, notes: &[Vec<String>]) -> String {
    let mut text = String::new();
    for line in &transcript.heading {
        paragraph(&mut text, line, look, |line| look.bold(line));
    }
    if !transcript.heading.is_empty() && !transcript.rounds.is_empty() {
        text.push('\n');
    }
    let (before, stories) = stories(transcript);
    let mut told: Option<&TableRecord> = None;
    for (at, (round, story)) in transcript.rounds.iter().zip(stories).enumerate() {
        let table = &transcript.tables[round.table];
        if told.is_none_or(|told| told.book != table.book || told.settings != table.settings) {
            set_up(&mut text, table, look);
            told = Some(table);
        }
        heading(&mut text, &round_name(transcript, round.table, round.round.number), look);
        tell_story(&mut text, &story, look);
        slip::settlement(&mut text, table, round, look);
        for note in notes.get(at).into_iter().flatten() {
            paragraph(&mut text, note, look, str::to_owned);
        }
        text.push('\n');
    }
    tell_story(&mut text, &before, look);
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
    text
}

/// Only the last round's settlement: the dealer's hand, a slip for each box, the meter.
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

/// A line of the story: an event, or a step that was refused.
#[derive(Clone)]
enum StoryLine {
    Sentence(Sentence),
    Refused(String),
}

/// What happened outside all rounds, and the story of each round.
fn stories(transcript: &Transcript) -> (Vec<StoryLine>, Vec<Vec<StoryLine>>) {
    let mut tables: Vec<Table> =
        transcript.tables.iter().map(|table| Table::new(table.settings.clone())).collect();
    let mut latest: Vec<Option<usize>> = vec![None; tables.len()];
    let mut before = Vec::new();
    let mut stories = vec![Vec::new(); transcript.rounds.len()];
    for entry in &transcript.entries {
        if let Some(latest) = latest.get_mut(entry.table) {
            *latest = entry.round;
        }
        let mut tell = |at: usize, round: Option<usize>, events: &[Event]| {
            let (Some(table), Some(record)) = (tables.get_mut(at), transcript.tables.get(at)) else { return };
            let story = round.and_then(|round| stories.get_mut(round)).unwrap_or(&mut before);
            for event in events {
                let seen = view_open(&record.book, table);
                *table = evolve(table.clone(), event);
                let told = describe(&record.book, event, &seen, &view_open(&record.book, table));
                story.extend(told.into_iter().map(StoryLine::Sentence));
            }
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
                story.push(StoryLine::Refused(format!("Refused: {step}: {}", refused.why)));
            }
        }
    }
    (before, stories)
}

fn heading(text: &mut String, title: &str, look: Look) {
    let rule = "─".repeat(look.page().min(100).saturating_sub(title.chars().count() + 4));
    let _ = writeln!(text, "{} {} {}\n", look.dim("──"), look.bold(title), look.dim(&rule));
}

fn tell_story(text: &mut String, story: &[StoryLine], look: Look) {
    let labels = story.iter().map(|line| match line {
        StoryLine::Sentence(told) => told.who.label().chars().count(),
        StoryLine::Refused(_) => 0,
    });
    let who = labels.max().unwrap_or(0).min(look.page() / 3);
    for part in story.split_inclusive(|line| matches!(line, StoryLine::Refused(_))) {
        let told = part.iter().filter_map(|line| match line {
            StoryLine::Sentence(told) => Some(told.clone()),
            StoryLine::Refused(_) => None,
        });
        for told in joined(told) {
            tell_one(text, &told, who, look);
        }
        if let Some(StoryLine::Refused(words)) = part.last() {
            write_wrapped(text, "", 0, words, look, |line| look.warning(line));
        }
    }
    if !story.is_empty() {
        text.push('\n');
    }
}

fn tell_one(text: &mut String, told: &Sentence, who: usize, look: Look) {
    let cites = if told.cites.is_empty() { String::new() } else { format!(" ({})", told.cites) };
    let words = format!("{}{cites}", told.what());
    let mut label = told.who.label();
    // Events of the table itself need no column for a person.
    let column = if label.is_empty() { 0 } else { who + 2 };
    if label.chars().count() > who {
        let _ = writeln!(text, "  {label}");
        label.clear();
    }
    write_wrapped(text, &label, column, &words, look, |line| match told.kind {
        SentenceKind::Warning => look.warning(line),
        SentenceKind::List | SentenceKind::Cards | SentenceKind::Whole => look.cards(line),
    });
}

fn write_wrapped(
    text: &mut String,
    label: &str,
    column: usize,
    words: &str,
    look: Look,
    paint: impl Fn(&str) -> String,
) {
    for (n, line) in wrap(words, look.page().saturating_sub(column + 2)).iter().enumerate() {
        let label = if n == 0 { label } else { "" };
        let _ = writeln!(text, "  {}{}", left(label, column), paint(line));
    }
}

/// The game and the table's set-up.
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
    for &point in OpenPoint::ALL {
        let reading = settings.readings.reading(point);
        if reading != book.readings.reading(point) {
            set_up.push(format!("{point} read as {reading}"));
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
