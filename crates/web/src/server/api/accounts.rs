//! Operations on accounts: passwords, duties, suspension, sessions.

use std::net::IpAddr;

use axum::Extension;
use axum::extract::State;
use baize_house::{Actor, CommandId, Duty};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::operation::{Created, Done, LoggedIn, PathParams};
use super::{Once, Reason, Session, StaffPath, session_created};
use crate::server::app::App;
use crate::server::body::{JsonBody, OptionalJson};
use crate::server::fault::Fault;

/// The old password, if there is one, and the new one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "new": "correct horse battery" }))]
pub(super) struct Passwords {
    old: Option<String>,
    #[schemars(length(min = 8, max = 200))]
    new: String,
}

pub(super) async fn password(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    Extension(address): Extension<IpAddr>,
    JsonBody(sent): JsonBody<Passwords>,
) -> Result<Created<Session>, Fault> {
    app.limit_log_ins(address)?;
    let house = app.house.for_request(None, Some(address));
    Ok(session_created(house.change_password(&visitor.actor, sent.old.as_deref(), &sent.new).await?))
}

/// The new duties of a member of staff.
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
    PathParams(StaffPath { name }): PathParams<StaffPath>,
    JsonBody(sent): JsonBody<Duties>,
) -> Result<Done, Fault> {
    app.house.for_request(sent.id, None).set_duties(&visitor.actor, &name, &sent.duties).await?;
    Ok(Done)
}

pub(super) async fn suspend(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(StaffPath { name }): PathParams<StaffPath>,
    JsonBody(sent): JsonBody<Reason>,
) -> Result<Done, Fault> {
    app.house.for_request(sent.id, None).suspend(&visitor.actor, &name, &sent.reason).await?;
    Ok(Done)
}

pub(super) async fn reinstate(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(StaffPath { name }): PathParams<StaffPath>,
    OptionalJson(once): OptionalJson<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).reinstate(&visitor.actor, &name).await?;
    Ok(Done)
}

pub(super) async fn end_sessions(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(StaffPath { name }): PathParams<StaffPath>,
    OptionalJson(once): OptionalJson<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).end_sessions(&visitor.actor, &Actor::staff(name, [])).await?;
    Ok(Done)
}
