//! Reads what the auditor's journal browser shows.

use baize_audit::AuditReport;
use baize_house::{Duty, GamingDay, Instant, JournalFilter};

use super::{Part, shell};
use crate::pages::audit::{self, AuditPage};
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
pub(crate) async fn render(
    app: &App,
    visitor: &Visitor,
    query: &Form,
    part: Part,
    report: Option<AuditReport>,
) -> Result<maud::Markup, Fault> {
    visitor.require(Duty::Auditor)?;
    let lines = app.house.journal(&visitor.actor, &filter(query, app.config.gaming_day)?).await?;
    let mut streams = vec!["house".to_owned()];
    streams.extend(app.house.tables().await?.iter().map(|info| format!("table/{}", info.id)));
    streams.extend(app.house.jackpots().await?.iter().map(|jackpot| format!("jackpot/{}", jackpot.id)));
    let page = AuditPage {
        shell: shell(app, visitor).await?,
        query,
        streams,
        more: lines.len() >= LINES as usize,
        lines,
        report,
        rulebooks: app.library.all(),
    };
    Ok(if part == Part::Page { audit::page(&page) } else { audit::regions(&page) })
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
