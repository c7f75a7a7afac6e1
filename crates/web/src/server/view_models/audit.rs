//! The view model of the auditor's journal browser.

use baize_audit::AuditReport;
use baize_house::{Duty, GamingDay, Instant, JournalFilter, JournalLine as Line};

use super::{shell, when};
use crate::pages::audit;
use crate::pages::model::{AuditPage, ChainStatus, Export, JournalFilter as FilterForm, JournalLine};
use crate::server::app::App;
use crate::server::body::{Form, shortened};
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

const LINES: u32 = 100;

/// Runs the audit.
pub(crate) async fn check(app: &App, visitor: &Visitor) -> Result<AuditReport, Fault> {
    visitor.require(Duty::Auditor)?;
    Ok(baize_audit::audit(&app.house).await?)
}

/// The filter in a query; times are by this clock.
pub(crate) fn filter(query: &Form, clock: GamingDay) -> Result<JournalFilter, Fault> {
    let text = |name: &str| Some(query.text(name).to_owned()).filter(|text| !text.is_empty());
    Ok(JournalFilter {
        stream: text("stream"),
        kind: text("kind"),
        actor: text("who").or_else(|| text("actor")),
        from: moment(clock, query, "from", 0)?,
        until: moment(clock, query, "to", 60)?,
        text: text("text"),
        after: query.optional("after")?,
        before: query.optional("before")?,
        limit: Some(query.optional("limit")?.unwrap_or(LINES).clamp(1, 1_000)),
    })
}

/// The page. `report` is the result of an audit, if one was requested.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    query: &Form,
    live: bool,
    report: Option<AuditReport>,
) -> Result<maud::Markup, Fault> {
    visitor.require(Duty::Auditor)?;
    let lines = app.house.journal(&visitor.actor, &filter(query, app.config.gaming_day)?).await?;
    let shell = shell(app, visitor).await?;
    let shown: Vec<JournalLine> = lines.iter().map(|one| line(app, one)).collect();
    let older = lines.last().filter(|_| lines.len() >= LINES as usize).map(|last| {
        let of = |name: &str| format!("{name}={}&", crate::server::fault::encoded(query.text(name)));
        let filter: String = ["stream", "kind", "who", "from", "to", "text"].into_iter().map(of).collect();
        shell.href(&format!("/audit?{filter}before={}", last.number))
    });
    let mut streams = vec!["house".to_owned()];
    streams.extend(app.house.tables().await?.iter().map(|info| format!("table/{}", info.id)));
    streams.extend(app.house.jackpots().await?.iter().map(|jackpot| format!("jackpot/{}", jackpot.id)));
    let mut kinds: Vec<String> = lines.iter().flat_map(|line| line.kinds.iter().cloned()).collect();
    kinds.sort();
    kinds.dedup();
    let page = AuditPage {
        filter: FilterForm {
            stream: query.text("stream").to_owned(),
            kind: query.text("kind").to_owned(),
            who: query.text("who").to_owned(),
            from: query.text("from").to_owned(),
            to: query.text("to").to_owned(),
            text: query.text("text").to_owned(),
        },
        streams,
        kinds,
        offset: app.config.gaming_day.utc_offset.to_string(),
        chain: chain(&lines, report.as_ref()),
        lines: shown,
        older,
        exports: exports(&shell.base),
        program: format!("baize {}", env!("CARGO_PKG_VERSION")),
        rulebooks: app.library.all().iter().map(|book| (book.id.clone(), book.hash.clone())).collect(),
        shell,
    };
    Ok(if live { audit::regions(&page) } else { audit::page(&page) })
}

/// The date and time in a field, with some seconds added: `to` includes its whole minute.
fn moment(clock: GamingDay, query: &Form, name: &str, plus_seconds: u32) -> Result<Option<Instant>, Fault> {
    let text = query.text(name);
    if text.is_empty() {
        return Ok(None);
    }
    let (short, offset) = (shortened(text), clock.utc_offset);
    let fault = || {
        Fault::unreadable(format!(
            "`{name}`: `{short}` is not a date and time; write 2026-05-01T13:45, in UTC{offset}"
        ))
    };
    clock.moment(text).map(|at| Some(at.plus_seconds(plus_seconds))).ok_or_else(fault)
}

fn line(app: &App, line: &Line) -> JournalLine {
    let moved: Vec<String> = line
        .postings
        .iter()
        .map(|(account, cents)| {
            let sign = if *cents > 0 { "+" } else { "" };
            format!("{account} {sign}{}", baize_rules::Money::from_cents(*cents).grouped())
        })
        .collect();
    JournalLine {
        number: line.number,
        when: when(app, line.at),
        stream: line.stream.clone(),
        kind: line.kinds.join(", "),
        who: line.actor.clone(),
        words: moved.join("; "),
        hash: line.hash.clone(),
        data: match &line.body {
            Some(body) => serde_json::to_string_pretty(body).unwrap_or_default(),
            None => "The round is in progress: its cards are shown when it is over.".to_owned(),
        },
    }
}

fn chain(lines: &[Line], report: Option<&AuditReport>) -> ChainStatus {
    let head = lines.first().map(|line| line.hash.clone()).unwrap_or_else(|| "none yet".to_owned());
    let Some(report) = report else {
        return ChainStatus { head, ..ChainStatus::default() };
    };
    let counts: Vec<String> = report.checked.iter().map(|(what, count)| format!("{count} {what}")).collect();
    let fault = |ledger: bool| {
        report
            .faults
            .iter()
            .find(|fault| (fault.place.contains("ledger") || fault.what.contains("ledger")) == ledger)
    };
    let words = |ledger: bool| match fault(ledger) {
        Some(fault) => format!("{}: {}", fault.place, fault.what),
        None => format!("Checked just now: {}.", counts.join(", ")),
    };
    ChainStatus {
        checked: true,
        sound: fault(false).is_none(),
        words: words(false),
        head,
        ledger: words(true),
        balanced: fault(true).is_none(),
    }
}

fn exports(base: &str) -> Vec<Export> {
    let export = |name: &str, words: &str, path: &str| Export {
        name: name.to_owned(),
        words: words.to_owned(),
        href: format!("{base}/api/v1/{path}"),
    };
    vec![
        export("journal.json", "The latest 1,000 journal entries.", "journal?limit=1000"),
        export(
            "significant-events.json",
            "Voids, rulings, failed log-ins, large wins.",
            "significant-events?limit=1000",
        ),
        export("report-by-table.json", "Handle, win, hold, jackpots and cage, by table.", "report?by=table"),
        export("report-by-game.json", "The same by game.", "report?by=game"),
        export("report-by-day.json", "The same by gaming day.", "report?by=day"),
        export("audit.json", "The result of a full audit.", "audit"),
    ]
}
