//! Operations on the house: new tables and jackpots, parameters of jackpots, closing a jackpot.

use axum::Json;
use axum::extract::State;
use baize_house::{CommandId, JackpotId, TableInfo};
use baize_jackpot::{Change, Parameters};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::operation::{Created, Done, LoggedIn, PathParams};
use super::{JackpotPath, Once};
use crate::server::app::App;
use crate::server::body::{JsonBody, OptionalJson};
use crate::server::fault::Fault;
use crate::server::set_up::{NewJackpot, NewParameters, NewTable};

pub(super) async fn new_table(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(new): JsonBody<NewTable>,
) -> Result<Created<TableInfo>, Fault> {
    let config = new.config()?;
    app.house.for_request(new.id, None).create_table(&visitor.actor, config).await?;
    Ok(Created(app.house.table(&new.table).await?))
}

/// A jackpot that was created.
#[derive(Serialize, JsonSchema)]
pub(super) struct CreatedJackpot {
    id: JackpotId,
}

pub(super) async fn new_jackpot(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(new): JsonBody<NewJackpot>,
) -> Result<Created<CreatedJackpot>, Fault> {
    let config = new.config();
    app.house.for_request(new.id, None).create_jackpot(&visitor.actor, config).await?;
    Ok(Created(CreatedJackpot { id: new.jackpot }))
}

/// The current parameters, and the pending change.
#[derive(Serialize, JsonSchema)]
pub(super) struct ParametersAndChange {
    parameters: Parameters,
    change: Option<Change>,
}

pub(super) async fn parameters(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(JackpotPath { jackpot }): PathParams<JackpotPath>,
) -> Result<Json<ParametersAndChange>, Fault> {
    let (parameters, change) = app.house.jackpot_parameters(&visitor.actor, &jackpot)?;
    Ok(Json(ParametersAndChange { parameters, change }))
}

pub(super) async fn propose(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(JackpotPath { jackpot }): PathParams<JackpotPath>,
    JsonBody(new): JsonBody<NewParameters>,
) -> Result<Done, Fault> {
    app.house.for_request(new.id, None).propose_change(&visitor.actor, &jackpot, new.parameters).await?;
    Ok(Done)
}

pub(super) async fn approve(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(JackpotPath { jackpot }): PathParams<JackpotPath>,
    OptionalJson(once): OptionalJson<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).approve_change(&visitor.actor, &jackpot).await?;
    Ok(Done)
}

pub(super) async fn withdraw(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(JackpotPath { jackpot }): PathParams<JackpotPath>,
    OptionalJson(once): OptionalJson<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).withdraw_change(&visitor.actor, &jackpot).await?;
    Ok(Done)
}

/// The jackpot that receives the pools.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "into": "MBS" }))]
pub(super) struct CloseJackpot {
    id: Option<CommandId>,
    into: JackpotId,
}

pub(super) async fn close(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(JackpotPath { jackpot }): PathParams<JackpotPath>,
    JsonBody(sent): JsonBody<CloseJackpot>,
) -> Result<Done, Fault> {
    app.house.for_request(sent.id, None).close_jackpot(&visitor.actor, &jackpot, &sent.into).await?;
    Ok(Done)
}
