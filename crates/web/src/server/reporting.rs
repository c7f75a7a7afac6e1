//! The report of the house as a page and as files.

use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use baize_house::{Actor, GamingDay, House, HouseError};
use baize_report::{By, Part, ReportFilter};
use serde::Serialize;

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, html};
use super::view_models;
use super::visitor::Visitor;

type Answer = Result<Response, Fault>;

/// How often the totals of days that are over are looked after.
const PAUSE: Duration = Duration::from_secs(600);

/// Keeps the totals of days that are over, so that reports of past days need not add them up. Needs a running runtime.
pub(crate) fn keep_days(house: House, day: GamingDay) {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(PAUSE).await;
            if house.is_closed() {
                return;
            }
            if let Err(error) = baize_report::keep_days(&house, day).await {
                tracing::warn!(target: "baize::server", %error, "the totals of days that are over were not kept");
            }
        }
    });
}

/// What a query asks for.
pub(crate) fn filter(app: &App, asked: &Form) -> Result<ReportFilter, Fault> {
    let usual = app.config.gaming_day;
    Ok(ReportFilter {
        by: match asked.text("by") {
            "" | "table" => By::Table,
            "game" => By::Game,
            "day" => By::Day,
            _ => return Err(Fault::unreadable("`by`: a report is by table, game or day")),
        },
        from: asked.given("from")?,
        to: asked.given("to")?,
        table: asked.given("table")?,
        game: asked.given("game")?,
        money: asked.given("money")?,
        day: GamingDay {
            utc_offset: asked.given("utc_offset")?.unwrap_or(usual.utc_offset),
            begins: asked.given("day_begins")?.unwrap_or(usual.begins),
        },
        hours: false,
    })
}

/// The same for the page: with hours, and of today where no day is named.
pub(crate) fn page_filter(app: &App, asked: &Form) -> Result<ReportFilter, Fault> {
    let mut filter = filter(app, asked)?;
    filter.hours = true;
    if filter.from.is_none() && filter.to.is_none() {
        let today = filter.day.of(app.house.now());
        (filter.from, filter.to) = (Some(today), Some(today));
    }
    Ok(filter)
}

/// `GET /report`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    logged_in(&visitor)?;
    Ok(html(&view_models::report::page(&app, &visitor, &asked).await?))
}

/// `GET /report.json`: all that the page shows.
pub(crate) async fn data(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    logged_in(&visitor)?;
    let report = baize_report::report(&app.house, &visitor.actor, &page_filter(&app, &asked)?).await?;
    Ok(download("report.json", "application/json", json(&report)?))
}

/// `GET /report.csv`: one part of it.
pub(crate) async fn rows(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    logged_in(&visitor)?;
    let report = baize_report::report(&app.house, &visitor.actor, &page_filter(&app, &asked)?).await?;
    let (name, part) = match asked.text("part") {
        "" | "tables" => ("report-tables.csv", Part::Tables),
        "jackpots" => ("report-jackpots.csv", Part::Jackpots),
        "cage" => ("report-cage.csv", Part::Cage),
        "hours" => ("report-hours.csv", Part::Hours),
        _ => return Err(Fault::unreadable("`part`: tables, jackpots, cage or hours")),
    };
    Ok(download(name, "text/csv; charset=utf-8", report.csv(part)))
}

fn logged_in(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.actor == Actor::Public { Err(HouseError::NotLoggedIn.into()) } else { Ok(()) }
}

/// A file to keep.
pub(crate) fn download(name: &str, kind: &str, body: String) -> Response {
    let named = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, named)], body).into_response()
}

/// Data as text.
pub(crate) fn json(of: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string_pretty(of).map_err(|_| Fault::Broken)
}
