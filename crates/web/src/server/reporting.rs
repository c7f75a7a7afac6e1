//! The report of the house: the page and its downloads.

use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use baize_house::{GamingDay, House};
use baize_report::{By, Part, ReportFilter};
use serde::Serialize;

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, PageResult, html};
use super::show;
use super::visitor::Visitor;

/// How often the totals of finished days are saved.
const INTERVAL: Duration = Duration::from_secs(600);

/// Saves the totals of finished days in the background, so that reports of past days need not add them up. Needs a running Tokio runtime.
pub(crate) fn keep_days(house: House, day: GamingDay) {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(INTERVAL).await;
            if house.is_closed() {
                return;
            }
            if let Err(error) = baize_report::keep_days(&house, day).await {
                tracing::warn!(target: "baize::server", %error, "the totals of finished days could not be saved");
            }
        }
    });
}

/// The filter in a query.
pub(crate) fn filter(app: &App, query: &Form) -> Result<ReportFilter, Fault> {
    let usual = app.config.gaming_day;
    Ok(ReportFilter {
        by: match query.text("by") {
            "" | "table" => By::Table,
            "game" => By::Game,
            "day" => By::Day,
            _ => return Err(Fault::unreadable("`by`: use table, game or day")),
        },
        from: query.optional_explained("from")?,
        to: query.optional_explained("to")?,
        table: query.optional_explained("table")?,
        game: query.optional_explained("game")?,
        money: query.optional_explained("money")?,
        day: GamingDay {
            utc_offset: query.optional_explained("utc_offset")?.unwrap_or(usual.utc_offset),
            begins: query.optional_explained("day_begins")?.unwrap_or(usual.begins),
        },
        hours: false,
    })
}

/// The filter of the page: with hours, and for today if no day is given.
pub(crate) fn page_filter(app: &App, query: &Form) -> Result<ReportFilter, Fault> {
    let mut filter = filter(app, query)?;
    filter.hours = true;
    if filter.from.is_none() && filter.to.is_none() {
        let today = filter.day.of(app.house.now());
        (filter.from, filter.to) = (Some(today), Some(today));
    }
    Ok(filter)
}

/// `GET /report`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor, Query(query): Query) -> PageResult {
    visitor.require_login()?;
    Ok(html(&show::report::page(&app, &visitor, &query).await?))
}

/// `GET /report.json`: everything on the page.
pub(crate) async fn data(State(app): State<App>, visitor: Visitor, Query(query): Query) -> PageResult {
    visitor.require_login()?;
    let report = baize_report::report(&app.house, &visitor.actor, &page_filter(&app, &query)?).await?;
    Ok(download("report.json", "application/json", json(&report)?))
}

/// `GET /report.csv`: one part of the report.
pub(crate) async fn rows(State(app): State<App>, visitor: Visitor, Query(query): Query) -> PageResult {
    visitor.require_login()?;
    let report = baize_report::report(&app.house, &visitor.actor, &page_filter(&app, &query)?).await?;
    let (name, part) = match query.text("part") {
        "" | "tables" => ("report-tables.csv", Part::Tables),
        "jackpots" => ("report-jackpots.csv", Part::Jackpots),
        "cage" => ("report-cage.csv", Part::Cage),
        "hours" => ("report-hours.csv", Part::Hours),
        _ => return Err(Fault::unreadable("`part`: use tables, jackpots, cage or hours")),
    };
    Ok(download(name, "text/csv; charset=utf-8", report.csv(part)))
}

/// A file to download.
pub(crate) fn download(name: &str, content_type: &str, body: String) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, content_type.to_owned()), (header::CONTENT_DISPOSITION, disposition)], body)
        .into_response()
}

/// Pretty-printed JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string_pretty(value).map_err(|_| Fault::Broken)
}
