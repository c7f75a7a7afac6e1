//! The result of a script: line by line, round by round, and its failures.

use std::sync::Arc;

use baize_cards::{Card, CardSet, HandValue};
use baize_rules::{Cites, Money, Rulebook};
use baize_table::{Command, Event, Finished, Outcome, Phase, Play, Round, Settings, Table};

use crate::JackpotStood;

/// The whole result of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The script's description.
    pub heading: Vec<String>,
    /// The tables, in the order in which the script names them.
    pub tables: Vec<TableRecord>,
    /// The result of each line.
    pub entries: Vec<LineResult>,
    /// The rounds, in the order in which they were opened.
    pub rounds: Vec<ScriptRound>,
    /// The jackpot as set up by the script; its wager is in the settings of the tables.
    pub jackpot: JackpotStood,
    /// The failures, in the order of the lines.
    pub failures: Vec<Failure>,
}

impl Transcript {
    /// Whether everything held.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.failures.is_empty()
    }

    /// The entries of a round, by its index.
    pub fn entries_of(&self, round: usize) -> impl Iterator<Item = &LineResult> {
        self.entries.iter().filter(move |entry| entry.round == Some(round))
    }
}

/// A warning: the script checks less than it seems to, because it expects nothing or ends in the middle of a
/// round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LooseEnd {
    /// The line.
    pub line: usize,
    /// What is missing.
    pub what: &'static str,
}

impl Transcript {
    /// The warnings of this script.
    #[must_use]
    pub fn loose_ends(&self) -> Vec<LooseEnd> {
        let mut ends = Vec::new();
        if !self.entries.iter().any(|entry| entry.happened == Happened::Expected) {
            ends.push(LooseEnd { line: 1, what: "the script expects nothing" });
        }
        let open = self.rounds.iter().filter(|round| round.finished().is_none());
        let what = "the round that is opened here is not over when the script ends";
        ends.extend(open.map(|round| LooseEnd { line: round.opened, what }));
        ends
    }
}

/// A table of the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRecord {
    /// Its name, if the script gives it one.
    pub name: Option<String>,
    /// Its rulebook.
    pub book: Arc<Rulebook>,
    /// Its set-up.
    pub settings: Settings,
    /// The table at the end of the script.
    pub state: Table,
}

/// The result of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineResult {
    /// The line.
    pub line: usize,
    /// The index of its table.
    pub table: usize,
    /// The index of its round; none before the first.
    pub round: Option<usize>,
    /// The result.
    pub happened: Happened,
}

/// The result of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// The table was set up or chosen.
    SetUp,
    /// The step was done.
    Done {
        /// The step.
        command: Command,
        /// The steps that it implies: they were done before it.
        implied: Vec<Command>,
        /// What happened at its table, starting with the implied steps.
        events: Vec<Event>,
        /// What the jackpot paid at other tables because of it: their index and what happened there.
        elsewhere: Vec<(usize, Vec<Event>)>,
    },
    /// The step was refused and nothing changed.
    Refused {
        /// The step as written.
        step: String,
        /// Why.
        refused: Refused,
    },
    /// An expectation was checked; a failure is in [`Transcript::failures`].
    Expected,
}

/// Why a step was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The reason, with its paragraphs.
    pub why: String,
    /// The paragraphs.
    pub cites: Cites,
}

/// A line that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The line.
    pub line: usize,
    /// What was expected.
    pub expected: String,
    /// What happened.
    pub happened: String,
    /// A step was refused unexpectedly: later lines may fail only because of it.
    pub refusal: bool,
}

/// A round at the end of the script or when the next one was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptRound {
    /// The index of its table.
    pub table: usize,
    /// The line that opened it.
    pub opened: usize,
    /// The meter when it was opened.
    pub meter_before: Money,
    /// The meter when the last line of the round was done.
    pub meter: Money,
    /// The round.
    pub round: Round,
}

impl ScriptRound {
    /// The round's cards and hands, once bets are closed.
    #[must_use]
    pub fn play(&self) -> Option<&Play> {
        play(&self.round)
    }

    /// The end of the round, if it has ended.
    #[must_use]
    pub fn finished(&self) -> Option<&Finished> {
        finished(&self.round)
    }

    /// `settled`, `void` or `open`.
    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match self.finished().map(|finished| &finished.outcome) {
            Some(Outcome::Settled) => "settled",
            Some(Outcome::Void { .. }) => "void",
            None => "open",
        }
    }
}

pub(crate) fn finished(round: &Round) -> Option<&Finished> {
    match &round.phase {
        Phase::Finished(finished) => Some(finished),
        Phase::Idle | Phase::Betting(_) | Phase::Play(_) => None,
    }
}

pub(crate) fn play(round: &Round) -> Option<&Play> {
    match &round.phase {
        Phase::Play(play) => Some(play),
        Phase::Finished(finished) => Some(&finished.play),
        Phase::Idle | Phase::Betting(_) => None,
    }
}

/// The dealer's hand, once it is turned and complete, and whether it qualifies.
#[must_use]
pub(crate) fn dealer_hand(book: &Rulebook, play: &Play) -> Option<(CardSet, HandValue, bool)> {
    if !play.dealer_shown() {
        return None;
    }
    let (cards, value) = best_hand(&play.dealer, play.board_shown())?;
    Some((cards, value, book.qualifies(value)))
}

/// The cards of a hand with the community cards, and their value, if there are five to seven.
#[must_use]
pub fn best_hand(hand: &[Card], board: &[Card]) -> Option<(CardSet, HandValue)> {
    let cards: CardSet = hand.iter().chain(board).copied().collect();
    HandValue::of(cards).ok().map(|value| (cards, value))
}
