//! The pit board and the irregularity desk.

use baize_rules::{BoxNumber, IrregularityKind, Money, Role, Rulebook};
use baize_table::{BoxForeseen, Facts, Legal, Reportable, RoundView, RulingKind, Settings};

use super::{Dealing, LogLine, Meter, NextLimits, PendingHit};
use crate::pages::rulings::RulingPreview;
use crate::pages::shell::Shell;

/// A table on the pit board.
#[derive(Debug, Clone)]
pub(crate) struct PitTable<'a> {
    /// Its id.
    pub(crate) id: String,
    /// Its game.
    pub(crate) book: &'a Rulebook,
    /// Its settings.
    pub(crate) settings: &'a Settings,
    /// The round as the pit may see it.
    pub(crate) view: &'a RoundView,
    /// Its state, in words.
    pub(crate) state: String,
    /// Chips in play now.
    pub(crate) in_play: Money,
    /// The win in the current gaming day.
    pub(crate) won_today: Money,
    /// The rounds of the current gaming day.
    pub(crate) rounds_today: u32,
    /// What needs attention, in words.
    pub(crate) alert: Option<String>,
    /// Whether a dealer deals; otherwise the house.
    pub(crate) by_dealer: bool,
    /// Whether it is for practice; otherwise for cash.
    pub(crate) practice: bool,
}

/// A pending ruling.
#[derive(Debug, Clone)]
pub(crate) struct WaitingRuling {
    /// The table.
    pub(crate) table: String,
    /// The round.
    pub(crate) round: u32,
    /// The cause, as a sentence without full stop.
    pub(crate) words: &'static str,
    /// The box that it concerns.
    pub(crate) seat: Option<BoxNumber>,
    /// The lowest position that may rule.
    pub(crate) by: Role,
    /// The paragraphs.
    pub(crate) cites: String,
    /// Since when, formatted.
    pub(crate) since: Option<String>,
    /// The rulings that answer it and that this reader may give. If `others` is empty too, it waits for a higher position.
    pub(crate) answers: Vec<RulingKind>,
    /// The other rulings that this reader may give now.
    pub(crate) others: Vec<RulingKind>,
}

/// Another task that waits for staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskLine {
    /// The task, in words.
    pub(crate) words: String,
    /// The position that it waits for.
    pub(crate) needs: &'static str,
    /// Whether the reader can deal with it.
    pub(crate) mine: bool,
    /// Where to deal with it.
    pub(crate) href: String,
}

/// A significant event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SignificantEvent {
    /// When, formatted.
    pub(crate) when: String,
    /// Its kind: "void", "failed log-in", "large win".
    pub(crate) kind: String,
    /// What happened, in words.
    pub(crate) words: String,
    /// The address of its table, if it has one.
    pub(crate) link: Option<String>,
}

/// The pit board.
#[derive(Debug, Clone)]
pub(crate) struct PitPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The tables.
    pub(crate) tables: Vec<PitTable<'a>>,
    /// Pending rulings.
    pub(crate) rulings: Vec<WaitingRuling>,
    /// Pending jackpot hits.
    pub(crate) hits: Vec<PendingHit>,
    /// Other tasks: tables that cannot open, short floats, locked accounts.
    pub(crate) tasks: Vec<TaskLine>,
    /// The jackpots.
    pub(crate) meters: Vec<Meter>,
    /// The latest significant events.
    pub(crate) events: Vec<SignificantEvent>,
    /// Players whose departures from best play fit hidden cards too often.
    pub(crate) suspects: Vec<String>,
    /// If the database lacks acknowledged entries and everything is stopped: why, and whether the reader may continue with it.
    pub(crate) behind: Option<(String, bool)>,
}

/// The preview of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DeskPreview {
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
    pub(crate) fn foreseen(steps: Vec<String>, boxes: Vec<BoxForeseen>) -> DeskPreview {
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
pub(crate) struct SetUp {
    /// Who deals, and from which shoe.
    pub(crate) dealing: Dealing,
    /// `practice` or `cash`.
    pub(crate) money: &'static str,
    /// The assigned dealers.
    pub(crate) dealers: Vec<String>,
    /// Whether the reader may assign dealers.
    pub(crate) assigns: bool,
    /// Seconds to bet and to decide, if the house deals.
    pub(crate) clocks: Option<(u32, u32)>,
    /// The notice that it closes.
    pub(crate) notice: Option<String>,
    /// Whether it is closed.
    pub(crate) closed: bool,
    /// Why the reader cannot change dealer or shoe now.
    pub(crate) set_refused: Option<String>,
    /// Why the reader cannot close or reopen it.
    pub(crate) shut_refused: Option<String>,
    /// New limits from the next round on.
    pub(crate) next_limits: Option<NextLimits>,
    /// Why the reader cannot set limits.
    pub(crate) limits_refused: Option<String>,
    /// The initial float, if the reader may fill it.
    pub(crate) float: Option<Money>,
}

/// The irregularity desk of one table.
#[derive(Debug, Clone)]
pub(crate) struct DeskPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The table's id.
    pub(crate) table: String,
    /// Its game.
    pub(crate) book: &'a Rulebook,
    /// Its settings.
    pub(crate) settings: &'a Settings,
    /// The round as the pit may see it.
    pub(crate) view: &'a RoundView,
    /// The legal commands.
    pub(crate) legal: &'a Legal,
    /// The position of the reader.
    pub(crate) role: Role,
    /// What can be reported now.
    pub(crate) reportable: Vec<Reportable>,
    /// The irregularity that was picked.
    pub(crate) picked: Option<IrregularityKind>,
    /// Why it cannot be reported.
    pub(crate) refused: Option<String>,
    /// The box that was picked.
    pub(crate) seat: Option<BoxNumber>,
    /// The answers so far.
    pub(crate) facts: Facts,
    /// The preview of the report.
    pub(crate) preview: Option<DeskPreview>,
    /// The preview of the ruling that was picked.
    pub(crate) ruling: Option<RulingPreview>,
    /// The pending ruling.
    pub(crate) waits: Option<WaitingRuling>,
    /// The state that a report or ruling of this page is for.
    pub(crate) expects: String,
    /// The log, latest first.
    pub(crate) log: Vec<LogLine>,
    /// The linked jackpot.
    pub(crate) meter: Option<Meter>,
    /// How the table is run.
    pub(crate) set_up: SetUp,
}

impl DeskPage<'_> {
    /// The rulings that this reader may give: those that answer the pending one, and the others.
    pub(crate) fn rulings(&self) -> (Vec<RulingKind>, Vec<RulingKind>) {
        rulings_of(self.legal, self.view, self.role)
    }
}

/// The rulings that this position may give now: those that answer the pending one, and the others.
pub(crate) fn rulings_of(legal: &Legal, view: &RoundView, role: Role) -> (Vec<RulingKind>, Vec<RulingKind>) {
    let mine = legal.rulings.iter().filter(|(_, needs)| *needs <= role).map(|(kind, _)| kind.clone());
    mine.partition(|kind| kind.answers(view.awaiting.as_ref(), &view.standing))
}
