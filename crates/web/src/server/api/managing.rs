//! New tables and jackpots, and other parameters of a jackpot.

use axum::Json;
use axum::extract::State;
use baize_house::{CommandId, JackpotId, TableInfo};
use baize_jackpot::{Change, Parameters};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::operation::{At, Created, Done, LoggedIn};
use super::{OfJackpot, Once};
use crate::server::app::App;
use crate::server::body::{JsonBody, JsonIfAny};
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

/// The name of a jackpot that was opened.
#[derive(Serialize, JsonSchema)]
pub(super) struct Opened {
    id: JackpotId,
}

pub(super) async fn new_jackpot(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(new): JsonBody<NewJackpot>,
) -> Result<Created<Opened>, Fault> {
    let config = new.config();
    app.house.for_request(new.id, None).create_jackpot(&visitor.actor, config).await?;
    Ok(Created(Opened { id: new.jackpot }))
}

/// The parameters in force, and a change that waits.
#[derive(Serialize, JsonSchema)]
pub(super) struct ParametersAndChange {
    parameters: Parameters,
    change: Option<Change>,
}

pub(super) async fn parameters(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfJackpot { jackpot }): At<OfJackpot>,
) -> Result<Json<ParametersAndChange>, Fault> {
    let (parameters, change) = app.house.jackpot_parameters(&visitor.actor, &jackpot)?;
    Ok(Json(ParametersAndChange { parameters, change }))
}

pub(super) async fn propose(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfJackpot { jackpot }): At<OfJackpot>,
    JsonBody(new): JsonBody<NewParameters>,
) -> Result<Done, Fault> {
    app.house.for_request(new.id, None).propose_change(&visitor.actor, &jackpot, new.parameters).await?;
    Ok(Done)
}

pub(super) async fn approve(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfJackpot { jackpot }): At<OfJackpot>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).approve_change(&visitor.actor, &jackpot).await?;
    Ok(Done)
}

pub(super) async fn withdraw(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfJackpot { jackpot }): At<OfJackpot>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).withdraw_change(&visitor.actor, &jackpot).await?;
    Ok(Done)
}

/// The jackpot that takes over the pools.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "into": "MBS" }))]
pub(super) struct Into {
    id: Option<CommandId>,
    into: JackpotId,
}

pub(super) async fn close(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfJackpot { jackpot }): At<OfJackpot>,
    JsonBody(sent): JsonBody<Into>,
) -> Result<Done, Fault> {
    app.house.for_request(sent.id, None).close_jackpot(&visitor.actor, &jackpot, &sent.into).await?;
    Ok(Done)
}
