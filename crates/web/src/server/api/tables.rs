//! Tables and jackpots.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use baize_house::{CommandId, JackpotId, Order, Shoe, TableId, TableView};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, Once, somebody};
use crate::server::app::App;
use crate::server::body::{JsonBody, JsonIfAny, Query};
use crate::server::fault::Fault;
use crate::server::fill;
use crate::server::news::Topic;
use crate::server::rooms::named;
use crate::server::streams::{Stream, seen, serve};
use crate::server::visitor::Visitor;

pub(super) async fn list(State(app): State<App>) -> Answer {
    Ok(Json(app.house.tables().await?).into_response())
}

pub(super) async fn one(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(Json(app.house.table(&named(&id)?).await?).into_response())
}

/// A table as this person may see it. Which cards are left would tell which are out: only a dealer who enters cards from a real shoe
/// needs to know.
pub(super) fn shown(mut view: TableView, visitor: &Visitor) -> Result<Value, Fault> {
    let enters = view.info.shoe == Shoe::Entered && visitor.actor.role().is_some();
    if let Some(deals) = view.legal.deals.as_mut().filter(|_| !enters) {
        deals.cards = baize_cards::CardSet::EMPTY;
    }
    serde_json::to_value(view).map_err(|_| Fault::Broken)
}

pub(super) async fn view(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let view = app.house.view(&visitor.actor, &named(&id)?).await?;
    Ok(Json(shown(view, &visitor)?).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sent {
    id: CommandId,
    order: Order,
    /// The version of the table that the sender saw: the order is for no other.
    version: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    order: Order,
}

pub(super) async fn order(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(sent): JsonBody<Sent>,
) -> Answer {
    somebody(&visitor)?;
    let receipt = app.house.act_at(&visitor.actor, &named(&id)?, &sent.id, sent.order, sent.version).await?;
    Ok(Json(receipt).into_response())
}

pub(super) async fn preview(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(asked): JsonBody<Asked>,
) -> Answer {
    somebody(&visitor)?;
    Ok(Json(app.house.preview(&visitor.actor, &named(&id)?, asked.order).await?).into_response())
}

/// The table's view now and after every change.
pub(super) async fn events(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    let id: TableId = named(&id)?;
    app.house.table(&id).await?;
    let stream = Stream {
        topics: [Some(Topic::Table(id.clone())), Topic::purse(&visitor.actor)]
            .into_iter()
            .flatten()
            .collect(),
        seen: seen(&headers, asked.text("after")),
        pause: Duration::ZERO,
        name: Some("view"),
    };
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let id = id.clone();
        async move { Ok(shown(app.house.view(&visitor.actor, &id).await?, &visitor)?.to_string()) }
    }))
}

/// That something changed, anywhere: tables and jackpots as the lobby shows them.
pub(super) async fn changes(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    let stream = Stream {
        topics: vec![Topic::All],
        seen: seen(&headers, asked.text("after")),
        pause: Duration::from_millis(200),
        name: Some("house"),
    };
    Ok(serve(&app, visitor, stream, |app, _| async move {
        let (tables, jackpots) = (app.house.tables().await?, app.house.jackpots().await?);
        Ok(json!({ "tables": tables, "jackpots": jackpots }).to_string())
    }))
}

pub(super) async fn jackpots(State(app): State<App>) -> Answer {
    Ok(Json(app.house.jackpots().await?).into_response())
}

pub(super) async fn jackpot(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(Json(fill::jackpot(&app, &named(&id)?).await?).into_response())
}

fn hit(of: &(String, String)) -> Result<(JackpotId, u64), Fault> {
    Ok((named(&of.0)?, of.1.parse().map_err(|_| Fault::NoPage)?))
}

fn done() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

pub(super) async fn verify(
    State(app): State<App>,
    visitor: Visitor,
    Path(of): Path<(String, String)>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Answer {
    somebody(&visitor)?;
    let (jackpot, number) = hit(&of)?;
    app.house.for_request(once.id, None).verify_hit(&visitor.actor, &jackpot, number).await?;
    Ok(done())
}

pub(super) async fn confirm(
    State(app): State<App>,
    visitor: Visitor,
    Path(of): Path<(String, String)>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Answer {
    somebody(&visitor)?;
    let (jackpot, number) = hit(&of)?;
    app.house.for_request(once.id, None).confirm_hit(&visitor.actor, &jackpot, number).await?;
    Ok(done())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    id: Option<CommandId>,
    reason: String,
}

pub(super) async fn reject(
    State(app): State<App>,
    visitor: Visitor,
    Path(of): Path<(String, String)>,
    JsonBody(why): JsonBody<Reason>,
) -> Answer {
    somebody(&visitor)?;
    let (jackpot, number) = hit(&of)?;
    app.house.for_request(why.id, None).reject_hit(&visitor.actor, &jackpot, number, &why.reason).await?;
    Ok(done())
}
