//! Operations on rounds, the journal, reports, new accounts and the cage.

use axum::Json;
use axum::extract::State;
use baize_audit::{AuditFault, AuditedState};
use baize_house::{
    Actor, CommandId, Date, DayBegins, Duty, GamingDay, Instant, JournalLine, MoneyKind, PlayerId,
    PlayerLine, RoundId, RoundLine, RoundRecord, ShuffleProof, Significant, StaffId, StaffLine, TableId,
    UtcOffset,
};
use baize_odds::incident::Incident;
use baize_report::{By, Report};
use baize_rules::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::RoundPath;
use super::operation::{Created, Done, LoggedIn, PathParams, Script, TypedQuery, query_params};
use crate::server::app::App;
use crate::server::body::JsonBody;
use crate::server::coach;
use crate::server::fault::Fault;
use crate::server::page_handlers;
use crate::server::show;
use crate::server::visitor::Visitor;

query_params! {
    /// Filters rounds.
    Rounds { table: TableId, player: PlayerId, before: Instant, limit: u32 }
}

pub(super) async fn rounds(
    State(app): State<App>,
    visitor: Visitor,
    TypedQuery(query, _): TypedQuery<Rounds>,
) -> Result<Json<Vec<RoundLine>>, Fault> {
    Ok(Json(app.house.rounds_for(&visitor.actor, &show::history::filter(&query)?).await?))
}

/// A finished round, and what cards exposed in it by mistake were worth.
#[derive(Serialize, JsonSchema)]
pub(super) struct Round {
    #[serde(flatten)]
    record: RoundRecord,
    incident: Option<Incident>,
}

pub(super) async fn round(
    State(app): State<App>,
    visitor: Visitor,
    PathParams(of): PathParams<RoundPath>,
) -> Result<Json<Round>, Fault> {
    let id = RoundId::from(of);
    let record = app.house.round(&visitor.actor, &id).await?;
    let last = record.frames.last().map(|frame| &frame.round);
    let incident = match (app.library.of_table(&id.table), last) {
        (Ok(book), Some(view)) => coach::incident(book, view, &record.exposed).await,
        _ => None,
    };
    Ok(Json(Round { record, incident }))
}

/// The proof of a shuffle, with its text, which anybody can check, and whether it is valid.
#[derive(Serialize, JsonSchema)]
pub(super) struct Proof {
    #[serde(flatten)]
    proof: ShuffleProof,
    text: String,
    holds: bool,
}

pub(super) async fn proof(
    State(app): State<App>,
    visitor: Visitor,
    PathParams(of): PathParams<RoundPath>,
) -> Result<Json<Proof>, Fault> {
    let proof = app.house.proof_for(&visitor.actor, &of.into()).await?;
    Ok(Json(Proof { text: proof.text(), holds: proof.holds(), proof }))
}

pub(super) async fn script(
    State(app): State<App>,
    visitor: Visitor,
    PathParams(of): PathParams<RoundPath>,
) -> Result<Script, Fault> {
    Ok(Script(page_handlers::script(&app, &visitor, &of.into()).await?))
}

query_params! {
    /// Limits the number of results.
    Latest { limit: u32 }
}

pub(super) async fn significant(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    TypedQuery(query, _): TypedQuery<Latest>,
) -> Result<Json<Vec<Significant>>, Fault> {
    let limit = query.optional("limit")?.unwrap_or(100u32).clamp(1, 1_000);
    Ok(Json(app.house.significant_events(&visitor.actor, limit).await?))
}

query_params! {
    /// Filters journal entries.
    Lines {
        stream: String,
        kind: String,
        actor: String,
        from: String,
        to: String,
        text: String,
        after: u64,
        before: u64,
        limit: u32,
    }
}

pub(super) async fn journal(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    TypedQuery(query, _): TypedQuery<Lines>,
) -> Result<Json<Vec<JournalLine>>, Fault> {
    // The export is in UTC.
    let utc = GamingDay { utc_offset: UtcOffset::UTC, ..GamingDay::default() };
    Ok(Json(app.house.journal(&visitor.actor, &show::audit::filter(&query, utc)?).await?))
}

/// The result of an audit.
#[derive(Serialize, JsonSchema)]
pub(super) struct Audit {
    clean: bool,
    checked: Vec<(String, u64)>,
    faults: Vec<AuditFault>,
    notes: Vec<String>,
    state: AuditedState,
}

pub(super) async fn audit(State(app): State<App>, LoggedIn(visitor): LoggedIn) -> Result<Json<Audit>, Fault> {
    let report = show::audit::check(&app, &visitor).await?;
    let clean = report.is_clean();
    Ok(Json(Audit {
        clean,
        checked: report.checked,
        faults: report.faults,
        notes: report.notes,
        state: report.state,
    }))
}

query_params! {
    /// Selects a report.
    WhichReport {
        by: By,
        from: Date,
        to: Date,
        table: TableId,
        game: String,
        money: MoneyKind,
        utc_offset: UtcOffset,
        day_begins: DayBegins,
    }
}

pub(super) async fn report(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    TypedQuery(query, _): TypedQuery<WhichReport>,
) -> Result<Json<Report>, Fault> {
    let filter = crate::server::reporting::filter(&app, &query)?;
    Ok(Json(baize_report::report(&app.house, &visitor.actor, &filter).await?))
}

pub(super) async fn players(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
) -> Result<Json<Vec<PlayerLine>>, Fault> {
    Ok(Json(app.house.players(&visitor.actor).await?))
}

pub(super) async fn staff(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
) -> Result<Json<Vec<StaffLine>>, Fault> {
    Ok(Json(app.house.staff(&visitor.actor).await?))
}

/// A new member of staff.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "name": "dan", "duties": ["dealer"] }))]
pub(super) struct NewStaff {
    id: Option<CommandId>,
    name: StaffId,
    #[schemars(length(min = 8, max = 200))]
    password: Option<String>,
    duties: Vec<Duty>,
}

/// A member of staff who was created.
#[derive(Serialize, JsonSchema)]
pub(super) struct CreatedStaff {
    name: StaffId,
    duties: Vec<Duty>,
}

pub(super) async fn new_staff(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(new): JsonBody<NewStaff>,
) -> Result<Created<CreatedStaff>, Fault> {
    let house = app.house.for_request(new.id, None);
    house.create_staff(&visitor.actor, &new.name, new.password.as_deref(), &new.duties).await?;
    Ok(Created(CreatedStaff { name: new.name, duties: new.duties }))
}

/// Whom a link is for: a player or a member of staff.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "player": "ann" }))]
pub(super) struct LinkRequest {
    id: Option<CommandId>,
    player: Option<PlayerId>,
    staff: Option<StaffId>,
}

/// A log-in link that works once.
#[derive(Serialize, JsonSchema)]
pub(super) struct Link {
    path: String,
    expires: Instant,
}

pub(super) async fn link(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(request): JsonBody<LinkRequest>,
) -> Result<Created<Link>, Fault> {
    let whom = match (request.player, request.staff) {
        (Some(id), None) => Actor::player(id),
        (None, Some(id)) => Actor::staff(id, []),
        _ => return Err(Fault::unreadable("give `player` or `staff`")),
    };
    let link = app.house.for_request(request.id, None).one_time_link(&visitor.actor, &whom).await?;
    Ok(Created(Link { path: format!("/in/{}", link.secret), expires: link.expires }))
}

/// An account by its log-in name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "name": "ann" }))]
pub(super) struct Name {
    id: Option<CommandId>,
    name: String,
}

pub(super) async fn unlock(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(whom): JsonBody<Name>,
) -> Result<Done, Fault> {
    app.house.for_request(whom.id, None).unlock(&visitor.actor, &whom.name).await?;
    Ok(Done)
}

/// A player who was registered.
#[derive(Serialize, JsonSchema)]
pub(super) struct RegisteredPlayer {
    name: PlayerId,
}

pub(super) async fn register(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(new): JsonBody<super::NewPlayer>,
) -> Result<Created<RegisteredPlayer>, Fault> {
    let house = app.house.for_request(new.id, None);
    house.register_player(&visitor.actor, &new.name, new.password.as_deref()).await?;
    Ok(Created(RegisteredPlayer { name: new.name }))
}

/// A movement of cash at the counter.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "id": "c-1", "player": "ann", "amount": "100.00" }))]
pub(super) struct Cash {
    id: CommandId,
    player: PlayerId,
    amount: Money,
}

/// The amount moved and the purse after it. A repeated request gets the same response.
#[derive(Serialize, JsonSchema)]
pub(super) struct CashMoved {
    amount: Money,
    purse: Money,
}

pub(super) async fn buy_in(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(Cash { id, player, amount }): JsonBody<Cash>,
) -> Result<Json<CashMoved>, Fault> {
    let purse = app.house.buy_in(&visitor.actor, &player, &id, amount).await?;
    Ok(Json(CashMoved { amount, purse }))
}

pub(super) async fn cash_out(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(Cash { id, player, amount }): JsonBody<Cash>,
) -> Result<Json<CashMoved>, Fault> {
    let purse = app.house.cash_out(&visitor.actor, &player, &id, amount).await?;
    Ok(Json(CashMoved { amount, purse }))
}

pub(super) async fn collect(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    JsonBody(Cash { id, player, amount }): JsonBody<Cash>,
) -> Result<Json<CashMoved>, Fault> {
    let purse = app.house.collect(&visitor.actor, &player, &id, amount).await?;
    Ok(Json(CashMoved { amount, purse }))
}
