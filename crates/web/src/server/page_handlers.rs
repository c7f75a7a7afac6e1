//! The handlers of read-only pages.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use baize_house::RoundId;

use super::app::App;
use super::body::Query;
use super::fault::{Fault, PageResult, html};
use super::show::table::Help;
use super::show::{self, Part};
use super::visitor::Visitor;
use crate::pages::{api, rulebook};

/// Parses a name in an address; 404 if it cannot be one.
pub(crate) fn parse_name<T: std::str::FromStr<Err = baize_house::NameFault>>(text: &str) -> Result<T, Fault> {
    text.parse().map_err(|_| Fault::NoPage)
}

pub(crate) async fn lobby(State(app): State<App>, visitor: Visitor) -> PageResult {
    Ok(html(&show::lobby::render(&app, &visitor, Part::Page).await?))
}

pub(crate) async fn table(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(query): Query,
    headers: HeaderMap,
) -> PageResult {
    let help = match (query.optional("advice")?, query.optional("coached")?) {
        (Some(seat), _) => Some(Help::Advice(seat)),
        (None, Some(seat)) => Some(Help::Review(seat)),
        (None, None) => None,
    };
    let part = Part::wanted(&headers);
    Ok(html(&show::table::render(&app, &visitor, &parse_name(&id)?, help, part).await?))
}

pub(crate) async fn dealer_tables(State(app): State<App>, visitor: Visitor) -> PageResult {
    Ok(html(&show::dealer::tables(&app, &visitor).await?))
}

pub(crate) async fn dealer(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> PageResult {
    Ok(html(&show::dealer::render(&app, &visitor, &parse_name(&id)?, None, Part::Page).await?))
}

pub(crate) async fn pit(State(app): State<App>, visitor: Visitor) -> PageResult {
    Ok(html(&show::pit::render(&app, &visitor, Part::Page).await?))
}

pub(crate) async fn desk(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(query): Query,
    headers: HeaderMap,
) -> PageResult {
    let part = Part::wanted(&headers);
    Ok(html(&show::pit::render_desk(&app, &visitor, &parse_name(&id)?, &query, part).await?))
}

pub(crate) async fn sign(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> PageResult {
    Ok(html(&show::sign::render(&app, &visitor, &parse_name(&id)?, Part::Page).await?))
}

pub(crate) async fn rules(State(app): State<App>, visitor: Visitor) -> PageResult {
    Ok(html(&rulebook::index(&show::shell(&app, &visitor).await?, &app.library.all())))
}

pub(crate) async fn rules_of(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> PageResult {
    let book = app.library.named(&id)?;
    Ok(html(&rulebook::page(&show::shell(&app, &visitor).await?, book)))
}

pub(crate) async fn odds(State(app): State<App>, visitor: Visitor) -> PageResult {
    Ok(html(&show::odds::index(&app, &visitor, Part::Page).await?))
}

pub(crate) async fn odds_of(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(query): Query,
    headers: HeaderMap,
) -> PageResult {
    Ok(html(&show::odds::page(&app, &visitor, &id, &query, Part::wanted(&headers)).await?))
}

pub(crate) async fn history(State(app): State<App>, visitor: Visitor, Query(query): Query) -> PageResult {
    Ok(html(&show::history::page(&app, &visitor, &query).await?))
}

/// `GET /history/{table}/{number}` and `/history/{table}/{number}.round`
pub(crate) async fn round(
    State(app): State<App>,
    visitor: Visitor,
    Path((table, number)): Path<(String, String)>,
    Query(query): Query,
    headers: HeaderMap,
) -> PageResult {
    if let Some(number) = number.strip_suffix(".round") {
        let id: RoundId = parse_name(&format!("{table}/{number}"))?;
        return script(&app, &visitor, &id).await;
    }
    let id: RoundId = parse_name(&format!("{table}/{number}"))?;
    Ok(html(&show::history::round(&app, &visitor, &id, &query, &headers).await?))
}

/// Downloads a finished round as a round script, with the cards that the visitor may see.
pub(crate) async fn script(app: &App, visitor: &Visitor, id: &RoundId) -> PageResult {
    let script = app.house.export_for(&visitor.actor, id).await?;
    let name = format!("attachment; filename=\"{}-{}.round\"", id.table, id.number);
    let content_type = "text/plain; charset=utf-8".to_owned();
    Ok(([(header::CONTENT_TYPE, content_type), (header::CONTENT_DISPOSITION, name)], script).into_response())
}

pub(crate) async fn audit(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query,
    headers: HeaderMap,
) -> PageResult {
    Ok(html(&show::audit::render(&app, &visitor, &query, Part::wanted(&headers), None).await?))
}

/// `POST /audit/verify`
pub(crate) async fn verify(State(app): State<App>, visitor: Visitor, form: super::body::Form) -> PageResult {
    let report = show::audit::check(&app, &visitor).await?;
    Ok(html(&show::audit::render(&app, &visitor, &form, Part::Page, Some(report)).await?))
}

/// `GET /api`
pub(crate) async fn api_page(State(app): State<App>, visitor: Visitor) -> PageResult {
    let shell = show::shell(&app, &visitor).await?;
    let description = shell.href("/api/v1/openapi.json");
    Ok(html(&api::page(&shell, &description)))
}
