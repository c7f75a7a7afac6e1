//! The JSON API. It asks the house what the pages ask, with the same sessions, and is made of the same views.

mod accounts;
mod managing;
pub(crate) mod operation;
mod records;
mod shapes;
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

/// The routes, and the description of them.
fn operations() -> (Router<App>, Value) {
    people(play(records(Api::new()))).finish()
}

fn people(api: Api) -> Api {
    api.send("/players", new_player, ANYBODY, "A new player with the play chips of the house, if it gives any, and a session for them")
        .read("/players", records::players, "cage, pit or auditor", "All players")
        .read("/players/{player}/rating", super::rating::api, "the player, or the auditor", "How well a player plays, by their latest rounds: every decision against best play, altogether and by session, table and day")
        .send("/sessions", log_in, ANYBODY, "Logs in. After the third failure in a row log-ins by password under the name wait, longer from failure to failure (423)")
        .end("/sessions", log_out, LOGGED_IN, "Logs out")
        .read("/me", me, ANYBODY, "Who you are and what is in your purse")
        .read("/staff", records::staff, "shift manager or auditor", "All staff")
        .send("/staff", records::new_staff, "shift manager", "A new member of staff")
        .send("/staff/{name}/duties", accounts::duties, "another shift manager", "Other duties; sessions end")
        .send("/staff/{name}/suspend", accounts::suspend, "another shift manager", "Lets a member of staff in no more; sessions end")
        .send("/staff/{name}/reinstate", accounts::reinstate, "another shift manager", "Lets a suspended member of staff in again")
        .send("/staff/{name}/end-sessions", accounts::end_sessions, "shift manager, and everybody for themselves", "Ends all sessions and links of a member of staff")
        .send("/password", accounts::password, LOGGED_IN, "Your own password; all sessions end and the answer is a new one")
        .send("/links", records::link, "shift manager for a player, a dealer or the cage; cage for a player; a player for themselves", "A one-time log-in link")
        .send("/unlock", records::unlock, "shift manager", "Unlocks an account")
        .send("/cage/players", records::register, "cage", "Registers a player whose purse is for cash")
        .send("/cage/collect", records::collect, "cage", "A player pays what they owe out of their purse")
        .send("/cage/buy-in", records::buy_in, "cage", "Chips for cash")
        .send("/cage/cash-out", records::cash_out, "cage", "Cash for chips")
}

fn play(api: Api) -> Api {
    api.read("/version", version, ANYBODY, "Which program this is: its version and the SHA-256 of its file")
        .read("/games", games, ANYBODY, "The rulebooks that are played")
        .read("/tables", tables::list, ANYBODY, "All tables")
        .send("/tables", managing::new_table, "shift manager", "Sets up a table; what is left out is as usual for its game")
        .read("/tables/{table}", tables::one, ANYBODY, "One table, as the lobby shows it")
        .read("/tables/{table}/view", tables::view, ANYBODY, "One table as you may see it, with what you may do now")
        .send("/tables/{table}/orders", tables::order, LOGGED_IN, "Makes something happen. Sent twice under one id it acts once; with a version it acts only while the table is at it")
        .send("/tables/{table}/preview", tables::preview, "dealer or above", "What a report or a ruling would lead to, judged by the open cards; changes nothing")
        .read("/tables/{table}/events", tables::events, ANYBODY, "Your view of the table now and after every change (events named `view`)")
        .read("/events", tables::changes, ANYBODY, "Tables and jackpots after every change (events named `house`)")
        .read("/jackpots", tables::jackpots, ANYBODY, "All jackpots")
        .send("/jackpots", managing::new_jackpot, "shift manager", "Opens a jackpot; what is left out is as usual")
        .read("/jackpots/{jackpot}", tables::jackpot, ANYBODY, "One jackpot")
        .send("/jackpots/{jackpot}/close", managing::close, "shift manager", "Closes a jackpot for good; its pools move into another of the same operator")
        .read("/jackpots/{jackpot}/parameters", managing::parameters, "pit supervisor or above, or auditor", "The parameters of a jackpot, and a change that waits")
        .send("/jackpots/{jackpot}/parameters", managing::propose, "pit manager or above", "Proposes other parameters; the wager stays")
        .send("/jackpots/{jackpot}/parameters/approve", managing::approve, "shift manager, not who proposed", "Approves the change; it waits for the next hit of the top award")
        .send("/jackpots/{jackpot}/parameters/withdraw", managing::withdraw, "pit manager or above", "Takes back a change that waits")
        .send("/jackpots/{jackpot}/hits/{hit}/verify", tables::verify, "pit supervisor or above", "The hand of a hit qualifies")
        .send("/jackpots/{jackpot}/hits/{hit}/confirm", tables::confirm, "pit supervisor or above, not who verified", "A second person confirms a large award")
        .send("/jackpots/{jackpot}/hits/{hit}/reject", tables::reject, "pit supervisor or above", "The hand of a hit does not qualify")
        .send("/database/accept", tables::accept_database, "shift manager", "Goes on from a database that has less than was answered")
}

fn records(api: Api) -> Api {
    api.read("/rounds", records::rounds, ANYBODY, "Finished rounds, newest first")
        .read(
            "/rounds/{table}/{number}",
            records::round,
            ANYBODY,
            "A finished round, step by step, as you may see it",
        )
        .read(
            "/rounds/{table}/{number}/proof",
            records::proof,
            ANYBODY,
            "The proof of the shuffle, with the cards that you may see",
        )
        .read(
            "/rounds/{table}/{number}/script",
            records::script,
            ANYBODY,
            "The round as a round script; other cards stand in for those that you may not see",
        )
        .read(
            "/significant-events",
            records::significant,
            "pit or auditor",
            "Voids, rulings, failed log-ins, large wins",
        )
        .read("/journal", records::journal, "auditor", "Lines of the journal, newest first")
        .read("/audit", records::audit, "auditor", "Replays everything and checks it")
        .read(
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

/// All addresses of the API, and `openapi.json`, which describes them at the reader's own addresses.
pub(crate) fn routes() -> Router<App> {
    let (routes, description) = operations();
    let openapi = |visitor: Visitor| async move {
        let mut description = description;
        description["servers"] = json!([{ "url": format!("{}/api/v1", visitor.base) }]);
        Json(description).into_response()
    };
    routes.route("/api/v1/openapi.json", get(openapi))
}

/// Why a request was not carried out. Nothing has changed, except where that is not known.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "`Fault::json` writes it; a test holds every refusal against this shape")]
pub(crate) struct Refusal {
    error: Why,
}

/// What is wrong.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "see `Refusal`")]
struct Why {
    /// A word for programs: `refused`, `stale`, `unreadable`.
    code: String,
    /// A sentence for people.
    message: String,
    /// The paragraphs behind it.
    paragraphs: Vec<Paragraph>,
    /// With `stale`: the version that the table is at.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// With `not-known`: the id to ask again with.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<CommandId>,
}

/// A table in an address.
#[derive(Deserialize, JsonSchema)]
struct OfTable {
    table: TableId,
}

/// A jackpot in an address.
#[derive(Deserialize, JsonSchema)]
struct OfJackpot {
    jackpot: JackpotId,
}

/// A hit in an address.
#[derive(Deserialize, JsonSchema)]
struct OfHit {
    jackpot: JackpotId,
    hit: u64,
}

/// A member of staff in an address.
#[derive(Deserialize, JsonSchema)]
struct OfStaff {
    name: StaffId,
}

/// A player in an address.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct OfPlayer {
    pub(crate) player: PlayerId,
}

/// A round in an address.
#[derive(Deserialize, JsonSchema)]
struct OfRound {
    table: TableId,
    number: u32,
}

impl From<OfRound> for RoundId {
    fn from(OfRound { table, number }: OfRound) -> RoundId {
        RoundId { table, number }
    }
}

/// Which program this is. Its file was read when the house was opened.
async fn version() -> Json<&'static Program> {
    Json(Program::this())
}

/// A rulebook that is played.
#[derive(Serialize, JsonSchema)]
struct Game {
    id: String,
    /// Two letters.
    short: String,
    name: String,
    operator: String,
    /// The version of the approved text; a game of one's own has none.
    version: Option<String>,
    /// The approved game that it was altered from.
    based_on: Option<String>,
    /// The SHA-256 of its text.
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

/// A name and its password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "name": "ann", "password": "correct horse battery" }))]
struct Credentials {
    name: String,
    password: String,
}

/// A session for a program: its token goes into the header `Authorization: Bearer TOKEN`.
#[derive(Serialize, JsonSchema)]
struct Session {
    actor: Actor,
    token: String,
    expires: Instant,
}

fn entered(session: baize_house::Session) -> Created<Session> {
    Created(Session { actor: session.actor, token: session.secret, expires: session.expires })
}

/// `POST /api/v1/players`
async fn new_player(
    State(app): State<App>,
    Extension(address): Extension<IpAddr>,
    JsonBody(new): JsonBody<NewPlayer>,
) -> Result<Created<Session>, Fault> {
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    // Knowing the id of a request does not prove who sent it: without a password, the address must be the same.
    if let (Some(id), None) = (&new.id, &new.password)
        && app.house.knows(id).await?
        && !app.joined.came_from(id, address)
    {
        return Err(HouseError::CommandReused(id.clone()).into());
    }
    let house = app.house.for_request(new.id.clone(), Some(address));
    house.create_player(&new.name, new.password.as_deref(), app.config.play_chips).await?;
    if let Some(id) = new.id {
        app.joined.remember(id, address);
    }
    Ok(entered(app.house.start_session(&Actor::player(new.name)).await?))
}

/// `POST /api/v1/sessions`
async fn log_in(
    State(app): State<App>,
    Extension(address): Extension<IpAddr>,
    JsonBody(credentials): JsonBody<Credentials>,
) -> Result<Created<Session>, Fault> {
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    let house = app.house.for_request(None, Some(address));
    Ok(entered(house.log_in(&credentials.name, &credentials.password).await?))
}

/// `DELETE /api/v1/sessions`
async fn log_out(State(app): State<App>, LoggedIn(visitor): LoggedIn) -> Result<Done, Fault> {
    let secret = visitor.secret.as_deref().ok_or(HouseError::NotLoggedIn)?;
    app.house.end_session(secret).await?;
    Ok(Done)
}

/// Who a visitor is.
#[derive(Serialize, JsonSchema)]
struct Me {
    actor: Actor,
    /// A player's.
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

/// An id for a request that says nothing else: sent twice, it acts once.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "id": "a-1" }))]
struct Once {
    id: Option<CommandId>,
}

/// Why, for the record.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "reason": "the hand was not shown" }))]
struct Reason {
    id: Option<CommandId>,
    #[schemars(length(max = 200))]
    reason: String,
}
