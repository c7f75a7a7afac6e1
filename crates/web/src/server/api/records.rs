//! Rounds, journal, reports, new people, the cage.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use baize_house::{Actor, By, CommandId, Duty, GamingDay, PlayerId, ReportFilter, RoundId, StaffId};
use baize_rules::Money;
use serde::Deserialize;
use serde_json::json;

use super::{Answer, somebody};
use crate::server::app::App;
use crate::server::body::{JsonBody, Query};
use crate::server::fault::Fault;
use crate::server::fill;
use crate::server::rooms::{self, named};
use crate::server::visitor::Visitor;

pub(super) async fn rounds(State(app): State<App>, Query(asked): Query) -> Answer {
    Ok(Json(app.house.rounds(&fill::history::filter(&asked)?).await?).into_response())
}

fn round_id(of: &(String, String)) -> Result<RoundId, Fault> {
    named(&format!("{}/{}", of.0, of.1))
}

pub(super) async fn round(
    State(app): State<App>,
    visitor: Visitor,
    Path(of): Path<(String, String)>,
) -> Answer {
    Ok(Json(app.house.round(&visitor.actor, &round_id(&of)?).await?).into_response())
}

pub(super) async fn proof(State(app): State<App>, Path(of): Path<(String, String)>) -> Answer {
    let proof = app.house.proof(&round_id(&of)?).await?;
    let (text, holds) = (proof.text(), proof.holds());
    let mut body = serde_json::to_value(proof).map_err(|_| Fault::Broken)?;
    body["text"] = json!(text);
    body["holds"] = json!(holds);
    Ok(Json(body).into_response())
}

pub(super) async fn script(State(app): State<App>, Path(of): Path<(String, String)>) -> Answer {
    rooms::script(&app, &round_id(&of)?).await
}

pub(super) async fn significant(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    somebody(&visitor)?;
    let limit = asked.maybe("limit")?.unwrap_or(100u32).clamp(1, 1_000);
    Ok(Json(app.house.significant_events(&visitor.actor, limit).await?).into_response())
}

pub(super) async fn journal(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    somebody(&visitor)?;
    Ok(Json(app.house.journal(&visitor.actor, &fill::audit::filter(&asked)?).await?).into_response())
}

pub(super) async fn audit(State(app): State<App>, visitor: Visitor) -> Answer {
    somebody(&visitor)?;
    let report = fill::audit::check(&app, &visitor).await?;
    Ok(Json(json!({
        "clean": report.is_clean(),
        "checked": report.checked,
        "faults": report.faults,
        "notes": report.notes,
        "state": report.state,
    }))
    .into_response())
}

/// What can be asked of a report.
pub(super) const REPORT: [&str; 8] =
    ["by", "from", "to", "table", "game", "money", "utc_offset", "day_begins"];

pub(super) async fn report(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    somebody(&visitor)?;
    asked.only(&REPORT)?;
    let usual = app.config.gaming_day;
    let filter = ReportFilter {
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
    };
    Ok(Json(app.house.report(&visitor.actor, &filter).await?).into_response())
}

pub(super) async fn players(State(app): State<App>, visitor: Visitor) -> Answer {
    somebody(&visitor)?;
    Ok(Json(app.house.players(&visitor.actor).await?).into_response())
}

pub(super) async fn staff(State(app): State<App>, visitor: Visitor) -> Answer {
    somebody(&visitor)?;
    Ok(Json(app.house.staff(&visitor.actor).await?).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewStaff {
    id: Option<CommandId>,
    name: StaffId,
    password: Option<String>,
    duties: Vec<Duty>,
}

pub(super) async fn new_staff(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(new): JsonBody<NewStaff>,
) -> Answer {
    somebody(&visitor)?;
    let house = app.house.for_request(new.id, None);
    house.create_staff(&visitor.actor, &new.name, new.password.as_deref(), &new.duties).await?;
    Ok((StatusCode::CREATED, Json(json!({ "name": new.name, "duties": new.duties }))).into_response())
}

/// A person that a link is for: one of the two.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Whom {
    id: Option<CommandId>,
    player: Option<PlayerId>,
    staff: Option<StaffId>,
}

/// A one-time link for somebody: its path, to be opened once.
pub(super) async fn link(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(asked): JsonBody<Whom>,
) -> Answer {
    somebody(&visitor)?;
    let whom = match (asked.player, asked.staff) {
        (Some(id), None) => Actor::player(id),
        (None, Some(id)) => Actor::staff(id, []),
        _ => return Err(Fault::unreadable("name a player or a member of staff")),
    };
    let link = app.house.for_request(asked.id, None).one_time_link(&visitor.actor, &whom).await?;
    let body = json!({ "path": format!("/in/{}", link.secret), "expires": link.expires });
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Name {
    id: Option<CommandId>,
    name: String,
}

pub(super) async fn unlock(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(whom): JsonBody<Name>,
) -> Answer {
    somebody(&visitor)?;
    app.house.for_request(whom.id, None).unlock(&visitor.actor, &whom.name).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Registered {
    id: Option<CommandId>,
    name: PlayerId,
    password: Option<String>,
}

/// A player whom the cage registers: his purse is empty, and for cash.
pub(super) async fn register(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(new): JsonBody<Registered>,
) -> Answer {
    somebody(&visitor)?;
    let house = app.house.for_request(new.id, None);
    house.register_player(&visitor.actor, &new.name, new.password.as_deref()).await?;
    Ok((StatusCode::CREATED, Json(json!({ "name": new.name }))).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cash {
    id: CommandId,
    player: PlayerId,
    amount: Money,
}

/// What was moved and what is in the purse then: the same however often it is sent.
fn told(amount: Money, purse: Money) -> Response {
    Json(json!({ "amount": amount, "purse": purse })).into_response()
}

pub(super) async fn buy_in(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(cash): JsonBody<Cash>,
) -> Answer {
    somebody(&visitor)?;
    let purse = app.house.buy_in(&visitor.actor, &cash.player, &cash.id, cash.amount).await?;
    Ok(told(cash.amount, purse))
}

pub(super) async fn cash_out(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(cash): JsonBody<Cash>,
) -> Answer {
    somebody(&visitor)?;
    let purse = app.house.cash_out(&visitor.actor, &cash.player, &cash.id, cash.amount).await?;
    Ok(told(cash.amount, purse))
}

pub(super) async fn collect(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(cash): JsonBody<Cash>,
) -> Answer {
    somebody(&visitor)?;
    let purse = app.house.collect(&visitor.actor, &cash.player, &cash.id, cash.amount).await?;
    Ok(told(cash.amount, purse))
}
