//! Parses irregularities, and the points that the text leaves open.

use super::play::{decided_by, role_names};
use super::source::{At, List, Place, Table};
use crate::{
    Absent, Case, Cited, Cites, Conditions, FactKind, Interpretation, Irregularities, Irregularity,
    IrregularityKind, JackpotFaultRules, OpenPoint, ProcedureName, Readings, Remedy, Role, Whose,
};

/// The irregularities with the positions of the reports and their cases.
pub(super) struct IrregularitiesDraft {
    pub(super) reports: List<ReportDraft>,
    /// The position of the entry for an absent player's hand.
    pub(super) absent: Place,
    /// Everything except the reports.
    pub(super) rest: Irregularities,
}

impl IrregularitiesDraft {
    pub(super) fn finish(self) -> Irregularities {
        let report = |draft: ReportDraft| Irregularity {
            kind: draft.kind,
            asks: draft.asks.into_iter().map(|ask| ask.value).collect(),
            procedures: draft.procedures,
            until_next_round: draft.until_next_round,
            cases: draft.cases.into_iter().map(|case| case.value).collect(),
        };
        let reports = self.reports.into_values().into_iter().map(report).collect();
        Irregularities { reports, ..self.rest }
    }
}

/// A report with the positions of its cases.
pub(super) struct ReportDraft {
    pub(super) kind: IrregularityKind,
    pub(super) asks: Vec<At<FactKind>>,
    procedures: Vec<ProcedureName>,
    until_next_round: bool,
    pub(super) cases: Vec<At<Case>>,
}

/// Two paragraphs: noticed before the close, and not.
fn noticed(table: Option<Table<'_, '_>>) -> Option<(Cites, Cites)> {
    let table = table?;
    let (noticed, unnoticed) = (table.need_cites("noticed"), table.need_cites("unnoticed"));
    Some((noticed?, unnoticed?))
}

pub(super) fn irregularities(table: &Table<'_, '_>) -> Option<IrregularitiesDraft> {
    let reports = table.tables("reports", true, report);
    let over = noticed(table.need_table("over_maximum"));
    let under = table.need_table("under_minimum").and_then(|under| {
        let once = under.need("once").and_then(|n| n.flag());
        let cites = noticed(Some(under));
        Some((once?, cites?))
    });
    let raise_size = table
        .get("raise_size")
        .and_then(|n| n.table())
        .map(|raise| (raise.need_cites("too_large"), raise.need_cites("too_small")));
    let without_ante = noticed(table.need_table("jackpot_without_ante"));
    let absent = table.need_table("absent").and_then(|absent| {
        let undecided = absent.need_table("undecided").and_then(|t| becomes(&t));
        let in_play = absent.need_table("in_play").and_then(|t| becomes(&t));
        let decided = absent.need_cites("decided");
        Some((undecided?, in_play?, decided?, absent.place().clone()))
    });
    let anything_else = table.need_table("anything_else").and_then(|t| decided_by(&t));
    let authority = table.need_cites("authority");
    let void_returns = table.get_cites("void_returns").unwrap_or(Cites::NONE);
    let noticed_too_late = table.need_cites("noticed_too_late");
    let options = table.need_table("options").and_then(|options| {
        let option = |key| options.get_cites(key).unwrap_or(Cites::NONE);
        let (stay, reconstructed, withdraw) =
            (option("continue"), option("reconstructed"), option("withdraw"));
        let all_boxes = options.flag("withdraw_all_boxes");
        Some((stay, reconstructed, withdraw, all_boxes?))
    });
    let jackpot_fault = table.get("jackpot_fault").and_then(|n| jackpot_fault(&n.table()?));
    let decider = |key| table.get(key).and_then(|n| decided_by(&n.table()?));
    let permit_withdrawal = decider("permit_withdrawal");
    let bar_player = decider("bar_player");
    let stop_player = decider("stop_player");
    let first_card = decider("first_card");
    let intentional = decider("intentional");

    let (over_maximum_noticed, over_maximum) = over?;
    let (under_minimum_once, (under_minimum_noticed, under_minimum)) = under?;
    let (jackpot_without_ante_noticed, jackpot_without_ante) = without_ante?;
    let (absent_undecided, absent_in_play, absent_decided, absent) = absent?;
    let (option_continue, option_reconstructed, option_withdraw, withdraw_all_boxes) = options?;
    let (raise_too_large, raise_too_small) = raise_size.unwrap_or_default();
    let rest = Irregularities {
        reports: Vec::new(),
        anything_else: anything_else?,
        authority: authority?,
        void_returns,
        noticed_too_late: noticed_too_late?,
        option_continue,
        option_reconstructed,
        option_withdraw,
        withdraw_all_boxes,
        over_maximum_noticed,
        over_maximum,
        under_minimum_noticed,
        under_minimum,
        under_minimum_once,
        raise_too_large,
        raise_too_small,
        jackpot_without_ante_noticed,
        jackpot_without_ante,
        absent_undecided,
        absent_in_play,
        absent_decided,
        jackpot_fault,
        permit_withdrawal,
        bar_player,
        stop_player,
        first_card,
        intentional,
    };
    Some(IrregularitiesDraft { reports, absent, rest })
}

fn becomes(table: &Table<'_, '_>) -> Option<Cited<Absent>> {
    let choices = [("folds", Absent::Folds), ("invalid", Absent::Invalid), ("checks", Absent::Checks)];
    let value = table.need("becomes").and_then(|n| n.choice("what an absent player's hand becomes", choices));
    let cites = table.cites();
    Some(Cited { value: value?, cites: cites? })
}

fn jackpot_fault(table: &Table<'_, '_>) -> Option<JackpotFaultRules> {
    let role = table.need("decided_by").and_then(|n| n.choice("a position", role_names()));
    let close_table = table.need_cites("close_table");
    let bar_box = table.need_cites("bar_box");
    let no_jackpot = table.need_cites("no_jackpot");
    Some(JackpotFaultRules {
        decided_by: role?,
        close_table: close_table?,
        bar_box: bar_box?,
        no_jackpot: no_jackpot?,
    })
}

fn report(table: &Table<'_, '_>) -> Option<ReportDraft> {
    let kinds = IrregularityKind::ALL.into_iter().map(|kind| (kind.code(), kind));
    let computed = [FactKind::Established, FactKind::Viewed];
    let facts =
        || FactKind::ALL.into_iter().filter(|fact| !computed.contains(fact)).map(|fact| (fact.code(), fact));
    let kind = table.need("kind").and_then(|n| n.choice("an irregularity", kinds));
    let asks = match table.get("asks") {
        Some(node) => node.each(|n| n.choice("a fact that a report states", facts()).map(|fact| n.at(fact))),
        None => Some(Vec::new()),
    };
    let procedures = match table.get("procedures") {
        Some(node) => {
            let names = || ProcedureName::ALL.into_iter().map(|name| (name.code(), name));
            node.each(|n| n.choice("a dealing procedure", names()))
        }
        None => Some(Vec::new()),
    };
    let until_next_round = table.flag("until_next_round");
    let cases = table.need("cases").and_then(|n| n.each(|n| case(&n.table()?).map(|case| n.at(case))));
    Some(ReportDraft {
        kind: kind?,
        asks: asks?,
        procedures: procedures?,
        until_next_round: until_next_round?,
        cases: cases?,
    })
}

fn case(table: &Table<'_, '_>) -> Option<Case> {
    let remedies = [
        ("void", Remedy::Void),
        ("continue", Remedy::Continue),
        ("reconstruct", Remedy::Reconstruct),
        ("reconstruct-then-options", Remedy::ReconstructThenOptions),
        ("options", Remedy::Options),
        ("invalid", Remedy::Invalid),
        ("invalid-unviewed", Remedy::InvalidUnviewed),
        ("becomes-face-up", Remedy::BecomesFaceUp),
        ("continue-at-registered", Remedy::ContinueAtRegistered),
        ("refer", Remedy::Refer),
    ];
    let when = match table.get("when") {
        Some(node) => node.table().map(|t| conditions(&t)),
        None => Some(Conditions::default()),
    };
    let remedy = table.need("remedy").and_then(|n| n.choice("a remedy", remedies));
    // If the text names nobody, the dealer applies it.
    let ruled_by = match table.get("ruled_by") {
        Some(node) => node.choice("a position", role_names()),
        None => Some(Role::Dealer),
    };
    let cites = table.cites();
    Some(Case { when: when?, remedy: remedy?, ruled_by: ruled_by?, cites: cites? })
}

fn conditions(table: &Table<'_, '_>) -> Conditions {
    let flag = |key| table.get(key).and_then(|n| n.flag());
    let whose = [("dealer", Whose::Dealer), ("other", Whose::Other)];
    Conditions {
        count_at_least: table.get("count_at_least").and_then(|n| n.number(1..=52)),
        seen: flag("seen"),
        reconstructable: flag("reconstructable"),
        intentional: flag("intentional"),
        whose: table.get("whose").and_then(|n| n.choice("whose card it was", whose)),
        established: flag("established"),
        viewed: flag("viewed"),
        dealing: flag("dealing"),
    }
}

/// The open points, and all readings together.
pub(super) fn interpretations(table: &Table<'_, '_>) -> (List<Interpretation>, Readings) {
    let points = table.tables("interpretations", true, |point| {
        let ids = OpenPoint::ALL.iter().map(|point| (point.code(), *point));
        let id = point.need("id").and_then(|n| n.choice("an open point", ids));
        let reading = point.need("reading");
        let cites = point.cites();
        let id = id?;
        let names = id.readings().iter().map(|(name, _)| (*name, *name));
        let reading = reading?.choice("a reading of this point", names);
        Some(Interpretation {
            id,
            title: id.title(),
            readings: id.readings(),
            reading: reading?,
            cites: cites?,
        })
    });
    let mut readings = Readings::default();
    for At { value: point, .. } in points.iter() {
        readings = readings.with(point.id, point.reading).unwrap_or(readings);
    }
    (points, readings)
}
