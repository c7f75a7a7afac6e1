//! Accounts of people: passwords, duties, suspension, sessions.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use baize_house::{Actor, CommandId, Duty, StaffId};
use serde::Deserialize;

use super::{Answer, Once, entered, somebody};
use crate::server::app::App;
use crate::server::body::{JsonBody, JsonIfAny};
use crate::server::fault::Fault;
use crate::server::rooms::named;
use crate::server::visitor::Visitor;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Passwords {
    old: Option<String>,
    new: String,
}

/// One's own password. All sessions end; the answer is a new one.
pub(super) async fn password(
    State(app): State<App>,
    visitor: Visitor,
    axum::Extension(address): axum::Extension<std::net::IpAddr>,
    JsonBody(sent): JsonBody<Passwords>,
) -> Answer {
    somebody(&visitor)?;
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    let house = app.house.for_request(None, Some(address));
    Ok(entered(&house.change_password(&visitor.actor, sent.old.as_deref(), &sent.new).await?))
}

fn done() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Duties {
    id: Option<CommandId>,
    duties: Vec<Duty>,
}

pub(super) async fn duties(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    JsonBody(sent): JsonBody<Duties>,
) -> Answer {
    somebody(&visitor)?;
    app.house.for_request(sent.id, None).set_duties(&visitor.actor, &named(&name)?, &sent.duties).await?;
    Ok(done())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    id: Option<CommandId>,
    reason: String,
}

pub(super) async fn suspend(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    JsonBody(sent): JsonBody<Reason>,
) -> Answer {
    somebody(&visitor)?;
    app.house.for_request(sent.id, None).suspend(&visitor.actor, &named(&name)?, &sent.reason).await?;
    Ok(done())
}

pub(super) async fn reinstate(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Answer {
    somebody(&visitor)?;
    app.house.for_request(once.id, None).reinstate(&visitor.actor, &named(&name)?).await?;
    Ok(done())
}

pub(super) async fn end_sessions(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Answer {
    somebody(&visitor)?;
    let id: StaffId = named(&name)?;
    app.house.for_request(once.id, None).end_sessions(&visitor.actor, &Actor::staff(id, [])).await?;
    Ok(done())
}
