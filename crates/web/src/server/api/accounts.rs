//! Accounts of people: passwords, duties, suspension, sessions.

use std::net::IpAddr;

use axum::Extension;
use axum::extract::State;
use baize_house::{Actor, CommandId, Duty};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::operation::{At, Created, Done, LoggedIn};
use super::{OfStaff, Once, Reason, Session, entered};
use crate::server::app::App;
use crate::server::body::{JsonBody, JsonIfAny};
use crate::server::fault::Fault;

/// One's password before and from now on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "new": "correct horse battery" }))]
pub(super) struct Passwords {
    old: Option<String>,
    #[schemars(length(min = 8, max = 200))]
    new: String,
}

/// One's own password. All sessions end; the answer is a new one.
pub(super) async fn password(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    Extension(address): Extension<IpAddr>,
    JsonBody(sent): JsonBody<Passwords>,
) -> Result<Created<Session>, Fault> {
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    let house = app.house.for_request(None, Some(address));
    Ok(entered(house.change_password(&visitor.actor, sent.old.as_deref(), &sent.new).await?))
}

/// What a member of staff is there for from now on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "duties": ["dealer"] }))]
pub(super) struct Duties {
    id: Option<CommandId>,
    duties: Vec<Duty>,
}

pub(super) async fn duties(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfStaff { name }): At<OfStaff>,
    JsonBody(sent): JsonBody<Duties>,
) -> Result<Done, Fault> {
    app.house.for_request(sent.id, None).set_duties(&visitor.actor, &name, &sent.duties).await?;
    Ok(Done)
}

pub(super) async fn suspend(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfStaff { name }): At<OfStaff>,
    JsonBody(sent): JsonBody<Reason>,
) -> Result<Done, Fault> {
    app.house.for_request(sent.id, None).suspend(&visitor.actor, &name, &sent.reason).await?;
    Ok(Done)
}

pub(super) async fn reinstate(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfStaff { name }): At<OfStaff>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).reinstate(&visitor.actor, &name).await?;
    Ok(Done)
}

pub(super) async fn end_sessions(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfStaff { name }): At<OfStaff>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).end_sessions(&visitor.actor, &Actor::staff(name, [])).await?;
    Ok(Done)
}
