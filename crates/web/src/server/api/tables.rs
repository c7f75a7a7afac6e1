//! Operations on tables and jackpots.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use baize_house::{CommandId, JackpotView, Order, Preview, Receipt, TableInfo, TableView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::operation::{Done, Events, LoggedIn, PathParams, Streamed, TypedQuery, query_params};
use super::{HitPath, JackpotPath, Once, Reason, TablePath};
use crate::server::app::App;
use crate::server::body::{JsonBody, OptionalJson};
use crate::server::change_feed::Topic;
use crate::server::fault::Fault;
use crate::server::show;
use crate::server::streams::{StreamSettings, last_event_id, serve};
use crate::server::visitor::Visitor;

pub(super) async fn list(State(app): State<App>) -> Result<Json<Vec<TableInfo>>, Fault> {
    Ok(Json(app.house.tables().await?))
}

pub(super) async fn one(
    State(app): State<App>,
    PathParams(TablePath { table }): PathParams<TablePath>,
) -> Result<Json<TableInfo>, Fault> {
    Ok(Json(app.house.table(&table).await?))
}

pub(super) async fn view(
    State(app): State<App>,
    visitor: Visitor,
    PathParams(TablePath { table }): PathParams<TablePath>,
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
    /// The version of the table that the sender saw. The order is refused if the table has changed.
    version: Option<u64>,
}

/// An order to preview.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "order": { "order": "table", "command": { "command": "report", "kind": "power-failure", "facts": {}, "by": { "role": "dealer" } } } }))]
pub(super) struct OrderToPreview {
    order: Order,
}

pub(super) async fn order(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(TablePath { table }): PathParams<TablePath>,
    JsonBody(sent): JsonBody<SentOrder>,
) -> Result<Json<Receipt>, Fault> {
    Ok(Json(app.house.act_at(&visitor.actor, &table, &sent.id, sent.order, sent.version).await?))
}

pub(super) async fn preview(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(TablePath { table }): PathParams<TablePath>,
    JsonBody(request): JsonBody<OrderToPreview>,
) -> Result<Json<Preview>, Fault> {
    Ok(Json(app.house.preview(&visitor.actor, &table, request.order).await?))
}

query_params! {
    /// The last event that was seen.
    After { after: u64 }
}

impl Streamed for TableView {
    const NAME: &'static str = "view";
}

pub(super) async fn events(
    State(app): State<App>,
    visitor: Visitor,
    PathParams(TablePath { table }): PathParams<TablePath>,
    TypedQuery(query, _): TypedQuery<After>,
    headers: HeaderMap,
) -> Result<Events<TableView>, Fault> {
    app.house.table(&table).await?;
    let stream = StreamSettings {
        topics: Topic::table_and_purse(&table, &visitor.actor),
        last_event_id: last_event_id(&headers, query.text("after")),
        min_interval: Duration::ZERO,
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

/// All tables and jackpots, as the lobby shows them.
#[derive(Serialize, JsonSchema)]
pub(super) struct House {
    tables: Vec<TableInfo>,
    jackpots: Vec<JackpotView>,
}

impl Streamed for House {
    const NAME: &'static str = "house";
}

pub(super) async fn changes(
    State(app): State<App>,
    visitor: Visitor,
    TypedQuery(query, _): TypedQuery<After>,
    headers: HeaderMap,
) -> Result<Events<House>, Fault> {
    let stream = StreamSettings {
        topics: vec![Topic::All],
        last_event_id: last_event_id(&headers, query.text("after")),
        min_interval: Duration::from_millis(200),
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
    PathParams(JackpotPath { jackpot }): PathParams<JackpotPath>,
) -> Result<Json<JackpotView>, Fault> {
    Ok(Json(show::jackpot(&app, &jackpot).await?))
}

pub(super) async fn verify(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(HitPath { jackpot, hit }): PathParams<HitPath>,
    OptionalJson(once): OptionalJson<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).verify_hit(&visitor.actor, &jackpot, hit).await?;
    Ok(Done)
}

pub(super) async fn confirm(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(HitPath { jackpot, hit }): PathParams<HitPath>,
    OptionalJson(once): OptionalJson<Once>,
) -> Result<Done, Fault> {
    app.house.for_request(once.id, None).confirm_hit(&visitor.actor, &jackpot, hit).await?;
    Ok(Done)
}

pub(super) async fn reject(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(HitPath { jackpot, hit }): PathParams<HitPath>,
    JsonBody(why): JsonBody<Reason>,
) -> Result<Done, Fault> {
    app.house.for_request(why.id, None).reject_hit(&visitor.actor, &jackpot, hit, &why.reason).await?;
    Ok(Done)
}

pub(super) async fn accept_database(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(why): JsonBody<Reason>,
) -> Result<Done, Fault> {
    app.house.for_request(why.id, None).accept_database(&visitor.actor, &why.reason).await?;
    Ok(Done)
}
