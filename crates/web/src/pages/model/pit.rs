//! The pit board and the irregularity desk.

use baize_rules::{BoxNumber, IrregularityKind, Money, Role, Rulebook};
use baize_table::describe::joined;
use baize_table::{
    BoxForeseen, Facts, Legal, Report, Reportable, RoundView, RulingKind, Settings, Table, Viewer, decide,
    describe, view,
};

use super::{Dealing, Happened, Meter, NextLimits, PendingHit, Shell};
use crate::pages::rulings::RulingPreview;

/// A table on the pit board.
#[derive(Debug, Clone)]
pub struct PitTable<'a> {
    /// Its id.
    pub id: String,
    /// Its game.
    pub book: &'a Rulebook,
    /// Its set-up.
    pub settings: &'a Settings,
    /// The round as the pit may see it.
    pub view: &'a RoundView,
    /// What happens, in words.
    pub state: String,
    /// Chips in play now.
    pub in_play: Money,
    /// What the table has won (or lost) in the rounds that ended today.
    pub won_today: Money,
    /// How many they were.
    pub rounds_today: u32,
    /// Something needs a person.
    pub alert: Option<String>,
    /// A dealer deals; otherwise the house does.
    pub by_dealer: bool,
    /// It is played for practice.
    pub practice: bool,
}

/// A ruling that the round waits for.
#[derive(Debug, Clone)]
pub struct WaitingRuling {
    /// The table.
    pub table: String,
    /// The round.
    pub round: u32,
    /// What it waits for, as a sentence without its full stop.
    pub words: &'static str,
    /// The box that it concerns.
    pub seat: Option<BoxNumber>,
    /// The lowest position that may rule.
    pub by: Role,
    /// The paragraphs.
    pub cites: String,
    /// Since when, by the house's clock.
    pub since: Option<String>,
    /// The rulings of this reader that answer it; with `others` empty too, it waits for a higher position.
    pub answers: Vec<RulingKind>,
    /// The other rulings that this reader may give now.
    pub others: Vec<RulingKind>,
}

/// Something else that waits for staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLine {
    /// What waits.
    pub words: String,
    /// Whom it waits for.
    pub needs: &'static str,
    /// The reader can deal with it.
    pub mine: bool,
    /// Where.
    pub href: String,
}

/// A significant event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignificantEvent {
    /// When, for people.
    pub when: String,
    /// What kind: "void", "failed log-in", "large win".
    pub kind: String,
    /// In words, with who, before and after.
    pub words: String,
    /// Where to read more, if anywhere.
    pub link: Option<String>,
}

/// The pit board.
#[derive(Debug, Clone)]
pub struct PitPage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The tables.
    pub tables: Vec<PitTable<'a>>,
    /// Rulings that wait for a decision.
    pub rulings: Vec<WaitingRuling>,
    /// Jackpot hits that wait.
    pub hits: Vec<PendingHit>,
    /// Whatever else waits: tables that cannot open, short floats, locked accounts.
    pub tasks: Vec<TaskLine>,
    /// The jackpots.
    pub meters: Vec<Meter>,
    /// The latest significant events.
    pub events: Vec<SignificantEvent>,
    /// Players whose departures from best play agree with hidden cards too often; with their ratings for those who may read them.
    pub too_good: Vec<(String, Option<String>)>,
    /// The database has less than was answered, and everything is stopped: why, and whether the reader may go on from it.
    pub behind: Option<(String, bool)>,
}

/// What a report would lead to, before it is confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeskPreview {
    /// The rules do not accept the report so: what is missing or wrong.
    Refused(String),
    /// The remedy.
    Remedy {
        /// In words, with its paragraphs: "The round is void (5.1.1)".
        remedy: String,
        /// What else happens when it is confirmed, step by step.
        consequences: Vec<String>,
        /// What becomes of each box with chips.
        boxes: Vec<BoxForeseen>,
    },
}

impl DeskPreview {
    /// Asks the table what this report would lead to. Changes nothing.
    #[must_use]
    pub fn of(book: &Rulebook, table: &Table, report: Report) -> DeskPreview {
        match decide(book, table, &baize_table::Command::Report(report)) {
            Err(refusal) => DeskPreview::Refused(refusal.to_string()),
            Ok(events) => {
                let seen = view(book, table, &Viewer::Pit);
                let told = events.iter().flat_map(|event| describe(book, event, &seen, &seen));
                let steps = joined(told).iter().map(ToString::to_string).collect();
                DeskPreview::foreseen(steps, baize_table::foreseen(table, &events))
            }
        }
    }

    /// What would happen, the remedy first, and what becomes of each box.
    #[must_use]
    pub fn foreseen(steps: Vec<String>, boxes: Vec<BoxForeseen>) -> DeskPreview {
        let mut steps = steps.into_iter();
        let remedy = steps.next().unwrap_or_else(|| "The report is recorded.".to_owned());
        let mut consequences: Vec<String> = steps.collect();
        if consequences.is_empty() {
            consequences.push("Nothing else changes: play continues.".to_owned());
        }
        // The remedy says most of them already.
        consequences.retain(|step| !remedy.ends_with(step.as_str()));
        DeskPreview::Remedy { remedy, consequences, boxes }
    }
}

/// How a table is run now, and what of it the reader may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetUp {
    /// Who deals, and from which shoe.
    pub dealing: Dealing,
    /// What is played with: practice or cash.
    pub money: &'static str,
    /// The dealers whom the pit assigned.
    pub dealers: Vec<String>,
    /// Whether the reader may assign others.
    pub assigns: bool,
    /// Seconds to bet and to decide, where the house deals.
    pub clocks: Option<(u32, u32)>,
    /// The notice that it closes.
    pub notice: Option<String>,
    /// It is closed.
    pub closed: bool,
    /// Why the reader cannot change who deals or the shoe now.
    pub set_refused: Option<String>,
    /// Why the reader cannot close it or open it again.
    pub shut_refused: Option<String>,
    /// Other limits that hold from the next round on.
    pub next_limits: Option<NextLimits>,
    /// Why the reader cannot set others.
    pub limits_refused: Option<String>,
    /// The float as it was set up, for staff who may fill it.
    pub float: Option<Money>,
}

/// The desk of one table.
#[derive(Debug, Clone)]
pub struct DeskPage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The table's id.
    pub table: String,
    /// Its game.
    pub book: &'a Rulebook,
    /// Its set-up.
    pub settings: &'a Settings,
    /// The round as the pit may see it.
    pub view: &'a RoundView,
    /// What can be done now: rulings, absences.
    pub legal: &'a Legal,
    /// The position of the reader.
    pub role: Role,
    /// What can be reported now.
    pub reportable: Vec<Reportable>,
    /// What was picked.
    pub picked: Option<IrregularityKind>,
    /// Why what was picked cannot be reported.
    pub refused: Option<String>,
    /// The box that was picked.
    pub seat: Option<BoxNumber>,
    /// The answers so far.
    pub facts: Facts,
    /// What the report would lead to.
    pub preview: Option<DeskPreview>,
    /// The ruling that was picked, with its consequences.
    pub ruling: Option<RulingPreview>,
    /// What waits for a ruling here.
    pub waits: Option<WaitingRuling>,
    /// What a report or a ruling of this page is for.
    pub expects: String,
    /// What happened at this table, the latest first.
    pub happened: Vec<Happened>,
    /// The linked jackpot.
    pub meter: Option<Meter>,
    /// How the table is run.
    pub set_up: SetUp,
}

impl DeskPage<'_> {
    /// The rulings of this reader: those that answer what the table waits for, and the others.
    #[must_use]
    pub fn rulings(&self) -> (Vec<RulingKind>, Vec<RulingKind>) {
        rulings_of(self.legal, self.view, self.role)
    }
}

/// The rulings that a person in this position may give now: those that answer what the table waits for, and the others.
#[must_use]
pub fn rulings_of(legal: &Legal, view: &RoundView, role: Role) -> (Vec<RulingKind>, Vec<RulingKind>) {
    let mine = legal.rulings.iter().filter(|(_, needs)| *needs <= role).map(|(kind, _)| kind.clone());
    mine.partition(|kind| kind.answers(view.awaiting.as_ref(), &view.standing))
}
