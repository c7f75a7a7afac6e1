//! The JSON API: the same house, views and sessions as the pages. One list here declares every operation.

mod accounts;
mod managing;
pub(crate) mod operation;
mod records;
mod schemas;
mod tables;

use std::net::IpAddr;

use axum::Extension;
use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::get;
use baize_house::{
    Actor, CommandId, HouseError, Instant, JackpotId, PlayerId, Program, RoundId, StaffId, TableId,
};
use baize_rules::{Area, Family, Money, Paragraph, Rulebook};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use operation::{Api, Created, Done, LoggedIn};

use super::app::App;
use super::body::JsonBody;
use super::fault::Fault;
use super::visitor::Visitor;

const ANYBODY: &str = "anybody";
const LOGGED_IN: &str = "anybody who is logged in";

/// The routes, and their OpenAPI description.
fn operations() -> (Router<App>, Value) {
    people(play(records(Api::new()))).finish()
}

fn people(api: Api) -> Api {
    api.post("/players", new_player, ANYBODY, "Creates a player with the house's play chips, if it gives any, and starts their session")
        .get("/players", records::players, "cage, pit or auditor", "All players")
        .get("/players/{player}/rating", super::rating::api, "the player, or the auditor", "Rates a player's latest rounds: every decision compared with best play, in total and by session, table and day")
        .post("/sessions", log_in, ANYBODY, "Logs in. After three failures in a row, password log-ins under the name are delayed, longer after each failure (423)")
        .delete("/sessions", log_out, LOGGED_IN, "Logs out")
        .get("/me", me, ANYBODY, "Your identity and your purse")
        .get("/staff", records::staff, "shift manager or auditor", "All staff")
        .post("/staff", records::new_staff, "shift manager", "Creates a member of staff")
        .post("/staff/{name}/duties", accounts::duties, "another shift manager", "Sets the duties of a member of staff and ends their sessions")
        .post("/staff/{name}/suspend", accounts::suspend, "another shift manager", "Suspends a member of staff and ends their sessions")
        .post("/staff/{name}/reinstate", accounts::reinstate, "another shift manager", "Reinstates a suspended member of staff")
        .post("/staff/{name}/end-sessions", accounts::end_sessions, "shift manager, and everybody for themselves", "Ends all sessions and links of a member of staff")
        .post("/password", accounts::password, LOGGED_IN, "Changes your own password, ends all your sessions and starts a new one")
        .post("/links", records::link, "shift manager for a player, a dealer or the cage; cage for a player; a player for themselves", "Creates a one-time log-in link")
        .post("/unlock", records::unlock, "shift manager", "Unlocks an account whose log-ins are delayed")
        .post("/cage/players", records::register, "cage", "Registers a player who plays for cash")
        .post("/cage/collect", records::collect, "cage", "Collects a player's debt from their purse")
        .post("/cage/buy-in", records::buy_in, "cage", "Buy-in: chips for cash")
        .post("/cage/cash-out", records::cash_out, "cage", "Cash-out: cash for chips")
}

fn play(api: Api) -> Api {
    api.get("/version", version, ANYBODY, "The program's version and the SHA-256 of its file")
        .get("/games", games, ANYBODY, "The rulebooks in use")
        .get("/tables", tables::list, ANYBODY, "All tables")
        .post("/tables", managing::new_table, "shift manager", "Creates a table; omitted fields get the default of its game")
        .get("/tables/{table}", tables::one, ANYBODY, "One table, as the lobby shows it")
        .get("/tables/{table}/view", tables::view, ANYBODY, "One table as you may see it, with your legal actions")
        .post("/tables/{table}/orders", tables::order, LOGGED_IN, "Carries out an order. Sent twice with the same id, it acts once; with a version, it acts only while the table is at that version")
        .post("/tables/{table}/preview", tables::preview, "dealer or above", "Previews the consequences of a report or a ruling, judged by the open cards; changes nothing")
        .get("/tables/{table}/events", tables::events, ANYBODY, "Streams your view of the table, now and after every change (events named `view`)")
        .get("/events", tables::changes, ANYBODY, "Streams all tables and jackpots after every change (events named `house`)")
        .get("/jackpots", tables::jackpots, ANYBODY, "All jackpots")
        .post("/jackpots", managing::new_jackpot, "shift manager", "Creates a jackpot; omitted fields get their defaults")
        .get("/jackpots/{jackpot}", tables::jackpot, ANYBODY, "One jackpot")
        .post("/jackpots/{jackpot}/close", managing::close, "shift manager", "Closes a jackpot for good; its pools move into another of the same operator")
        .get("/jackpots/{jackpot}/parameters", managing::parameters, "pit supervisor or above, or auditor", "The parameters of a jackpot, and the pending change")
        .post("/jackpots/{jackpot}/parameters", managing::propose, "pit manager or above", "Proposes new parameters; the wager cannot change")
        .post("/jackpots/{jackpot}/parameters/approve", managing::approve, "shift manager, other than the proposer", "Approves the change, which takes effect at the next hit of the top award")
        .post("/jackpots/{jackpot}/parameters/withdraw", managing::withdraw, "pit manager or above", "Withdraws the pending change")
        .post("/jackpots/{jackpot}/hits/{hit}/verify", tables::verify, "pit supervisor or above", "Verifies that the hand of a hit qualifies")
        .post("/jackpots/{jackpot}/hits/{hit}/confirm", tables::confirm, "pit supervisor or above, other than the verifier", "Confirms a large award, as the second person")
        .post("/jackpots/{jackpot}/hits/{hit}/reject", tables::reject, "pit supervisor or above", "Rejects a hit whose hand does not qualify")
        .post("/database/accept", tables::accept_database, "shift manager", "Continues with a database that lacks acknowledged entries")
}

fn records(api: Api) -> Api {
    api.get("/rounds", records::rounds, ANYBODY, "Finished rounds, newest first")
        .get(
            "/rounds/{table}/{number}",
            records::round,
            ANYBODY,
            "A finished round step by step, as you may see it",
        )
        .get(
            "/rounds/{table}/{number}/proof",
            records::proof,
            ANYBODY,
            "The proof of the shuffle, with the cards that you may see",
        )
        .get(
            "/rounds/{table}/{number}/script",
            records::script,
            ANYBODY,
            "The round as a round script; cards that you may not see are replaced by others",
        )
        .get(
            "/significant-events",
            records::significant,
            "pit or auditor",
            "Voids, rulings, failed log-ins, large wins",
        )
        .get("/journal", records::journal, "auditor", "Journal entries, newest first")
        .get("/audit", records::audit, "auditor", "Replays and checks the whole journal")
        .get(
            "/report",
            records::report,
            "cage, pit manager or auditor",
            "Handle, win, hold, contributions and awards by table, game or gaming day; jackpots; the cage",
        )
}

/// The API in OpenAPI 3.1.
#[must_use]
pub fn description() -> Value {
    operations().1
}

/// All routes of the API, and `openapi.json`, whose server URL has the reader's own prefix.
pub(crate) fn routes() -> Router<App> {
    let (routes, description) = operations();
    let openapi = |visitor: Visitor| async move {
        let mut description = description;
        description["servers"] = json!([{ "url": format!("{}/api/v1", visitor.base) }]);
        Json(description).into_response()
    };
    routes.route("/api/v1/openapi.json", get(openapi))
}

/// Why a request was not carried out. Nothing has changed, unless the code is `not-known`.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "`Fault::json` writes it; a test checks every refusal against this schema")]
pub(crate) struct Refusal {
    error: Why,
}

/// The error.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "see `Refusal`")]
struct Why {
    /// A code for programs, such as `refused`, `stale` or `unreadable`.
    code: String,
    /// A message for people.
    message: String,
    /// The paragraphs that it cites.
    paragraphs: Vec<Paragraph>,
    /// With `stale`: the current version of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// With `not-known`: the id to retry with.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<CommandId>,
}

/// Path parameters: a table.
#[derive(Deserialize, JsonSchema)]
struct TablePath {
    table: TableId,
}

/// Path parameters: a jackpot.
#[derive(Deserialize, JsonSchema)]
struct JackpotPath {
    jackpot: JackpotId,
}

/// Path parameters: a jackpot hit.
#[derive(Deserialize, JsonSchema)]
struct HitPath {
    jackpot: JackpotId,
    hit: u64,
}

/// Path parameters: a member of staff.
#[derive(Deserialize, JsonSchema)]
struct StaffPath {
    name: StaffId,
}

/// Path parameters: a player.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct PlayerPath {
    pub(crate) player: PlayerId,
}

/// Path parameters: a round.
#[derive(Deserialize, JsonSchema)]
struct RoundPath {
    table: TableId,
    number: u32,
}

impl From<RoundPath> for RoundId {
    fn from(RoundPath { table, number }: RoundPath) -> RoundId {
        RoundId { table, number }
    }
}

/// `GET /api/v1/version`
async fn version() -> Json<&'static Program> {
    Json(Program::this())
}

/// A rulebook in use.
#[derive(Serialize, JsonSchema)]
struct Game {
    id: String,
    /// A short name of two letters.
    short: String,
    name: String,
    operator: String,
    /// The version of the approved text; none for a house's own game.
    version: Option<String>,
    /// The approved game that a house's own game is based on.
    based_on: Option<String>,
    /// The SHA-256 of the rulebook's text.
    hash: String,
    family: Family,
    areas: Vec<Area>,
}

/// `GET /api/v1/games`
async fn games(State(app): State<App>) -> Json<Vec<Game>> {
    let game = |book: &Rulebook| Game {
        id: book.id.clone(),
        short: book.short.clone(),
        name: book.name.clone(),
        operator: book.operator.clone(),
        version: book.version.clone(),
        based_on: book.based_on.clone(),
        hash: book.hash.clone(),
        family: book.family,
        areas: book.areas.iter().map(|rule| rule.area).collect(),
    };
    Json(app.library.all().into_iter().map(game).collect())
}

/// A new player.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "name": "ann" }))]
struct NewPlayer {
    id: Option<CommandId>,
    name: PlayerId,
    #[schemars(length(min = 8, max = 200))]
    password: Option<String>,
}

/// A log-in name and password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "name": "ann", "password": "correct horse battery" }))]
struct Credentials {
    name: String,
    password: String,
}

/// A session. Send its token in the header `Authorization: Bearer TOKEN`.
#[derive(Serialize, JsonSchema)]
struct Session {
    actor: Actor,
    token: String,
    expires: Instant,
}

fn session_created(session: baize_house::Session) -> Created<Session> {
    Created(Session { actor: session.actor, token: session.secret, expires: session.expires })
}

/// `POST /api/v1/players`
async fn new_player(
    State(app): State<App>,
    Extension(address): Extension<IpAddr>,
    JsonBody(new): JsonBody<NewPlayer>,
) -> Result<Created<Session>, Fault> {
    app.limit_log_ins(address)?;
    // A repeated request without a password must come from the same address.
    if let (Some(id), None) = (&new.id, &new.password)
        && app.house.knows(id).await?
        && !app.recent_joins.came_from(id, address)
    {
        return Err(HouseError::CommandReused(id.clone()).into());
    }
    let house = app.house.for_request(new.id.clone(), Some(address));
    house.create_player(&new.name, new.password.as_deref(), app.config.play_chips).await?;
    if let Some(id) = new.id {
        app.recent_joins.remember(id, address);
    }
    Ok(session_created(app.house.start_session(&Actor::player(new.name)).await?))
}

/// `POST /api/v1/sessions`
async fn log_in(
    State(app): State<App>,
    Extension(address): Extension<IpAddr>,
    JsonBody(credentials): JsonBody<Credentials>,
) -> Result<Created<Session>, Fault> {
    app.limit_log_ins(address)?;
    let house = app.house.for_request(None, Some(address));
    Ok(session_created(house.log_in(&credentials.name, &credentials.password).await?))
}

/// `DELETE /api/v1/sessions`
async fn log_out(State(app): State<App>, LoggedIn(visitor): LoggedIn) -> Result<Done, Fault> {
    let secret = visitor.secret.as_deref().ok_or(HouseError::NotLoggedIn)?;
    app.house.end_session(secret).await?;
    Ok(Done)
}

/// The sender of the request.
#[derive(Serialize, JsonSchema)]
struct Me {
    actor: Actor,
    /// For players: their purse.
    purse: Option<Money>,
}

/// `GET /api/v1/me`
async fn me(State(app): State<App>, visitor: Visitor) -> Result<Json<Me>, Fault> {
    let purse = match visitor.actor.as_player() {
        Some(player) => Some(app.house.purse(player).await?),
        None => None,
    };
    Ok(Json(Me { actor: visitor.actor, purse }))
}

/// The id of a request without other fields. Sent twice, it acts once.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "id": "a-1" }))]
struct Once {
    id: Option<CommandId>,
}

/// A reason for the record.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "reason": "the hand was not shown" }))]
struct Reason {
    id: Option<CommandId>,
    #[schemars(length(max = 200))]
    reason: String,
}
