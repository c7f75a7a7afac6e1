//! New tables and jackpots, and other parameters of a jackpot.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use baize_house::{CommandId, JackpotId};
use serde::Deserialize;
use serde_json::json;

use super::{Answer, Once, somebody};
use crate::server::app::App;
use crate::server::body::{JsonBody, JsonIfAny};
use crate::server::rooms::named;
use crate::server::set_up::{NewJackpot, NewParameters, NewTable};
use crate::server::visitor::Visitor;

pub(super) async fn new_table(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(new): JsonBody<NewTable>,
) -> Answer {
    somebody(&visitor)?;
    let config = new.config()?;
    app.house.for_request(new.id, None).create_table(&visitor.actor, config).await?;
    Ok((StatusCode::CREATED, Json(app.house.table(&new.table).await?)).into_response())
}

pub(super) async fn new_jackpot(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(new): JsonBody<NewJackpot>,
) -> Answer {
    somebody(&visitor)?;
    let config = new.config();
    app.house.for_request(new.id, None).create_jackpot(&visitor.actor, config).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": new.jackpot }))).into_response())
}

pub(super) async fn parameters(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    somebody(&visitor)?;
    let (parameters, change) = app.house.jackpot_parameters(&visitor.actor, &named(&id)?)?;
    Ok(Json(json!({ "parameters": parameters, "change": change })).into_response())
}

pub(super) async fn propose(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(new): JsonBody<NewParameters>,
) -> Answer {
    somebody(&visitor)?;
    let house = app.house.for_request(new.id, None);
    house.propose_change(&visitor.actor, &named(&id)?, new.parameters).await?;
    Ok(done())
}

pub(super) async fn approve(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Answer {
    somebody(&visitor)?;
    app.house.for_request(once.id, None).approve_change(&visitor.actor, &named(&id)?).await?;
    Ok(done())
}

pub(super) async fn withdraw(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Answer {
    somebody(&visitor)?;
    app.house.for_request(once.id, None).withdraw_change(&visitor.actor, &named(&id)?).await?;
    Ok(done())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Into {
    id: Option<CommandId>,
    into: JackpotId,
}

pub(super) async fn close(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(sent): JsonBody<Into>,
) -> Answer {
    somebody(&visitor)?;
    app.house.for_request(sent.id, None).close_jackpot(&visitor.actor, &named(&id)?, &sent.into).await?;
    Ok(done())
}

fn done() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
