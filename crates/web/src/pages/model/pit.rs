//! The pit board and the irregularity desk.

use baize_rules::{BoxNumber, IrregularityKind, Money, Role, Rulebook};
use baize_table::{BoxForeseen, Facts, Legal, Reportable, RoundView, RulingKind, Settings};

use super::{Dealing, LogLine, Meter, NextLimits, PendingHit, Shell};
use crate::pages::rulings::RulingPreview;

/// A table on the pit board.
#[derive(Debug, Clone)]
pub struct PitTable<'a> {
    /// Its id.
    pub id: String,
    /// Its game.
    pub book: &'a Rulebook,
    /// Its settings.
    pub settings: &'a Settings,
    /// The round as the pit may see it.
    pub view: &'a RoundView,
    /// Its state, in words.
    pub state: String,
    /// Chips in play now.
    pub in_play: Money,
    /// The win in the current gaming day.
    pub won_today: Money,
    /// The rounds of the current gaming day.
    pub rounds_today: u32,
    /// What needs attention, in words.
    pub alert: Option<String>,
    /// Whether a dealer deals; otherwise the house.
    pub by_dealer: bool,
    /// Whether it is for practice; otherwise for cash.
    pub practice: bool,
}

/// A pending ruling.
#[derive(Debug, Clone)]
pub struct WaitingRuling {
    /// The table.
    pub table: String,
    /// The round.
    pub round: u32,
    /// The cause, as a sentence without full stop.
    pub words: &'static str,
    /// The box that it concerns.
    pub seat: Option<BoxNumber>,
    /// The lowest position that may rule.
    pub by: Role,
    /// The paragraphs.
    pub cites: String,
    /// Since when, formatted.
    pub since: Option<String>,
    /// The rulings that answer it and that this reader may give. If `others` is empty too, it waits for a higher position.
    pub answers: Vec<RulingKind>,
    /// The other rulings that this reader may give now.
    pub others: Vec<RulingKind>,
}

/// Another task that waits for staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLine {
    /// The task, in words.
    pub words: String,
    /// The position that it waits for.
    pub needs: &'static str,
    /// Whether the reader can deal with it.
    pub mine: bool,
    /// Where to deal with it.
    pub href: String,
}

/// A significant event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignificantEvent {
    /// When, formatted.
    pub when: String,
    /// Its kind: "void", "failed log-in", "large win".
    pub kind: String,
    /// What happened, in words.
    pub words: String,
    /// The address of its table, if it has one.
    pub link: Option<String>,
}

/// The pit board.
#[derive(Debug, Clone)]
pub struct PitPage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The tables.
    pub tables: Vec<PitTable<'a>>,
    /// Pending rulings.
    pub rulings: Vec<WaitingRuling>,
    /// Pending jackpot hits.
    pub hits: Vec<PendingHit>,
    /// Other tasks: tables that cannot open, short floats, locked accounts.
    pub tasks: Vec<TaskLine>,
    /// The jackpots.
    pub meters: Vec<Meter>,
    /// The latest significant events.
    pub events: Vec<SignificantEvent>,
    /// Players whose departures from best play fit hidden cards too often.
    pub suspects: Vec<String>,
    /// If the database lacks acknowledged entries and everything is stopped: why, and whether the reader may continue with it.
    pub behind: Option<(String, bool)>,
}

/// The preview of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeskPreview {
    /// The report is not possible; says what is missing or wrong.
    Refused(String),
    /// The remedy.
    Remedy {
        /// In words, with its paragraphs: "The round is void (5.1.1)".
        remedy: String,
        /// What else would happen, step by step.
        consequences: Vec<String>,
        /// What would happen to each box with chips.
        boxes: Vec<BoxForeseen>,
    },
}

impl DeskPreview {
    /// A preview from steps, the remedy first, and boxes.
    #[must_use]
    pub fn foreseen(steps: Vec<String>, boxes: Vec<BoxForeseen>) -> DeskPreview {
        let mut steps = steps.into_iter();
        let remedy = steps.next().unwrap_or_else(|| "The report is recorded.".to_owned());
        let mut consequences: Vec<String> = steps.collect();
        if consequences.is_empty() {
            consequences.push("Nothing else changes: play continues.".to_owned());
        }
        // Skip what the remedy says already.
        consequences.retain(|step| !remedy.ends_with(step.as_str()));
        DeskPreview::Remedy { remedy, consequences, boxes }
    }
}

/// How a table is run, and what the reader may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetUp {
    /// Who deals, and from which shoe.
    pub dealing: Dealing,
    /// `practice` or `cash`.
    pub money: &'static str,
    /// The assigned dealers.
    pub dealers: Vec<String>,
    /// Whether the reader may assign dealers.
    pub assigns: bool,
    /// Seconds to bet and to decide, if the house deals.
    pub clocks: Option<(u32, u32)>,
    /// The notice that it closes.
    pub notice: Option<String>,
    /// Whether it is closed.
    pub closed: bool,
    /// Why the reader cannot change dealer or shoe now.
    pub set_refused: Option<String>,
    /// Why the reader cannot close or reopen it.
    pub shut_refused: Option<String>,
    /// New limits from the next round on.
    pub next_limits: Option<NextLimits>,
    /// Why the reader cannot set limits.
    pub limits_refused: Option<String>,
    /// The initial float, if the reader may fill it.
    pub float: Option<Money>,
}

/// The irregularity desk of one table.
#[derive(Debug, Clone)]
pub struct DeskPage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The table's id.
    pub table: String,
    /// Its game.
    pub book: &'a Rulebook,
    /// Its settings.
    pub settings: &'a Settings,
    /// The round as the pit may see it.
    pub view: &'a RoundView,
    /// The legal commands.
    pub legal: &'a Legal,
    /// The position of the reader.
    pub role: Role,
    /// What can be reported now.
    pub reportable: Vec<Reportable>,
    /// The irregularity that was picked.
    pub picked: Option<IrregularityKind>,
    /// Why it cannot be reported.
    pub refused: Option<String>,
    /// The box that was picked.
    pub seat: Option<BoxNumber>,
    /// The answers so far.
    pub facts: Facts,
    /// The preview of the report.
    pub preview: Option<DeskPreview>,
    /// The preview of the ruling that was picked.
    pub ruling: Option<RulingPreview>,
    /// The pending ruling.
    pub waits: Option<WaitingRuling>,
    /// The state that a report or ruling of this page is for.
    pub expects: String,
    /// The log, latest first.
    pub log: Vec<LogLine>,
    /// The linked jackpot.
    pub meter: Option<Meter>,
    /// How the table is run.
    pub set_up: SetUp,
}

impl DeskPage<'_> {
    /// The rulings that this reader may give: those that answer the pending one, and the others.
    #[must_use]
    pub fn rulings(&self) -> (Vec<RulingKind>, Vec<RulingKind>) {
        rulings_of(self.legal, self.view, self.role)
    }
}

/// The rulings that this position may give now: those that answer the pending one, and the others.
#[must_use]
pub fn rulings_of(legal: &Legal, view: &RoundView, role: Role) -> (Vec<RulingKind>, Vec<RulingKind>) {
    let mine = legal.rulings.iter().filter(|(_, needs)| *needs <= role).map(|(kind, _)| kind.clone());
    mine.partition(|kind| kind.answers(view.awaiting.as_ref(), &view.standing))
}
