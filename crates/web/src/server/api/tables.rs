//! Tables and jackpots.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use baize_house::{CommandId, JackpotView, Order, Preview, Receipt, TableInfo, TableView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::operation::{At, Done, Events, LoggedIn, QueryOf, Streamed, asks};
use super::{OfHit, OfJackpot, OfTable, Once, Reason};
use crate::server::app::App;
use crate::server::body::{JsonBody, JsonIfAny};
use crate::server::fault::Fault;
use crate::server::news::Topic;
use crate::server::streams::{Stream, seen, serve};
use crate::server::view_models;
use crate::server::visitor::Visitor;

pub(super) async fn list(State(app): State<App>) -> Result<Json<Vec<TableInfo>>, Fault> {
    Ok(Json(app.house.tables().await?))
}

pub(super) async fn one(
    State(app): State<App>,
    At(OfTable { table }): At<OfTable>,
) -> Result<Json<TableInfo>, Fault> {
    Ok(Json(app.house.table(&table).await?))
}

pub(super) async fn view(
    State(app): State<App>,
    visitor: Visitor,
    At(OfTable { table }): At<OfTable>,
) -> Result<Json<TableView>, Fault> {
    Ok(Json(app.house.view(&visitor.actor, &table).await?))
}

/// An order with its id.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "id": "b-1", "order": { "order": "bet", "wagers": [{ "seat": 2, "area": "ante", "amount": "25.00" }] } }))]
pub(super) struct SentOrder {
    id: CommandId,
    order: Order,
    /// The version of the table that the sender saw: the order is for no other.
    version: Option<u64>,
}

/// An order of which the consequences are asked.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "order": { "order": "table", "command": { "command": "report", "kind": "power-failure", "facts": {}, "by": { "role": "dealer" } } } }))]
pub(super) struct AskedOrder {
    order: Order,
}

pub(super) async fn order(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfTable { table }): At<OfTable>,
    JsonBody(sent): JsonBody<SentOrder>,
) -> Result<Json<Receipt>, Fault> {
    Ok(Json(app.house.act_at(&visitor.actor, &table, &sent.id, sent.order, sent.version).await?))
}

pub(super) async fn preview(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfTable { table }): At<OfTable>,
    JsonBody(asked): JsonBody<AskedOrder>,
) -> Result<Json<Preview>, Fault> {
    Ok(Json(app.house.preview(&visitor.actor, &table, asked.order).await?))
}

asks! {
    /// From which event on.
    After { after: u64 }
}

impl Streamed for TableView {
    const NAME: &'static str = "view";
}

/// The table's view now and after every change.
pub(super) async fn events(
    State(app): State<App>,
    visitor: Visitor,
    At(OfTable { table }): At<OfTable>,
    QueryOf(asked, _): QueryOf<After>,
    headers: HeaderMap,
) -> Result<Events<TableView>, Fault> {
    app.house.table(&table).await?;
    let stream = Stream {
        topics: [Some(Topic::Table(table.clone())), Topic::purse(&visitor.actor)]
            .into_iter()
            .flatten()
            .collect(),
        seen: seen(&headers, asked.text("after")),
        pause: Duration::ZERO,
        name: Some(TableView::NAME),
    };
    Ok(serve(&app, visitor, stream, move |app, visitor| {
        let table = table.clone();
        async move {
            let view = app.house.view(&visitor.actor, &table).await?;
            serde_json::to_string(&view).map_err(|_| Fault::Broken)
        }
    })
    .into())
}

/// Tables and jackpots as the lobby shows them.
#[derive(Serialize, JsonSchema)]
pub(super) struct House {
    tables: Vec<TableInfo>,
    jackpots: Vec<JackpotView>,
}

impl Streamed for House {
    const NAME: &'static str = "house";
}

/// That something changed, anywhere.
pub(super) async fn changes(
    State(app): State<App>,
    visitor: Visitor,
    QueryOf(asked, _): QueryOf<After>,
    headers: HeaderMap,
) -> Result<Events<House>, Fault> {
    let stream = Stream {
        topics: vec![Topic::All],
        seen: seen(&headers, asked.text("after")),
        pause: Duration::from_millis(200),
        name: Some(House::NAME),
    };
    Ok(serve(&app, visitor, stream, |app, _| async move {
        let house = House { tables: app.house.tables().await?, jackpots: app.house.jackpots().await? };
        serde_json::to_string(&house).map_err(|_| Fault::Broken)
    })
    .into())
}

pub(super) async fn jackpots(State(app): State<App>) -> Result<Json<Vec<JackpotView>>, Fault> {
    Ok(Json(app.house.jackpots().await?))
}

pub(super) async fn jackpot(
    State(app): State<App>,
    At(OfJackpot { jackpot }): At<OfJackpot>,
) -> Result<Json<JackpotView>, Fault> {
    Ok(Json(view_models::jackpot(&app, &jackpot).await?))
}

pub(super) async fn verify(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfHit { jackpot, hit }): At<OfHit>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).verify_hit(&visitor.actor, &jackpot, hit).await?;
    Ok(Done)
}

pub(super) async fn confirm(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfHit { jackpot, hit }): At<OfHit>,
    JsonIfAny(once): JsonIfAny<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).confirm_hit(&visitor.actor, &jackpot, hit).await?;
    Ok(Done)
}

pub(super) async fn reject(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    At(OfHit { jackpot, hit }): At<OfHit>,
    JsonBody(why): JsonBody<Reason>,
) -> Result<Done, Fault> {
    app.house.for_request(why.id, None).reject_hit(&visitor.actor, &jackpot, hit, &why.reason).await?;
    Ok(Done)
}

/// A Shift Manager goes on from a database that has less than was answered.
pub(super) async fn accept_database(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(why): JsonBody<Reason>,
) -> Result<Done, Fault> {
    app.house.for_request(why.id, None).accept_database(&visitor.actor, &why.reason).await?;
    Ok(Done)
}
