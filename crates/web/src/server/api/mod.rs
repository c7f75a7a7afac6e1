//! The JSON API. It asks the house what the pages ask, with the same sessions, and is made of the same views.

mod accounts;
mod description;
mod managing;
mod records;
mod shapes;
mod tables;

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use baize_house::{Actor, CommandId, PlayerId, Program, Session};
use baize_rules::Rulebook;
use serde::Deserialize;
use serde_json::json;

use description::description;

use super::app::App;
use super::body::JsonBody;
use super::fault::Fault;
use super::visitor::Visitor;

type Answer = Result<Response, Fault>;

/// All addresses of the API. The description lists the same: a test holds them together.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/api/v1/openapi.json", get(openapi))
        .route("/api/v1/version", get(version))
        .route("/api/v1/games", get(games))
        .route("/api/v1/players", post(new_player).get(records::players))
        .route("/api/v1/sessions", post(log_in).delete(log_out))
        .route("/api/v1/me", get(me))
        .route("/api/v1/staff", get(records::staff).post(records::new_staff))
        .route("/api/v1/staff/{name}/duties", post(accounts::duties))
        .route("/api/v1/staff/{name}/suspend", post(accounts::suspend))
        .route("/api/v1/staff/{name}/reinstate", post(accounts::reinstate))
        .route("/api/v1/staff/{name}/end-sessions", post(accounts::end_sessions))
        .route("/api/v1/password", post(accounts::password))
        .route("/api/v1/links", post(records::link))
        .route("/api/v1/unlock", post(records::unlock))
        .route("/api/v1/cage/players", post(records::register))
        .route("/api/v1/cage/collect", post(records::collect))
        .route("/api/v1/cage/buy-in", post(records::buy_in))
        .route("/api/v1/cage/cash-out", post(records::cash_out))
        .route("/api/v1/tables", get(tables::list).post(managing::new_table))
        .route("/api/v1/tables/{table}", get(tables::one))
        .route("/api/v1/tables/{table}/view", get(tables::view))
        .route("/api/v1/tables/{table}/orders", post(tables::order))
        .route("/api/v1/tables/{table}/preview", post(tables::preview))
        .route("/api/v1/tables/{table}/events", get(tables::events))
        .route("/api/v1/events", get(tables::changes))
        .route("/api/v1/jackpots", get(tables::jackpots).post(managing::new_jackpot))
        .route("/api/v1/jackpots/{jackpot}", get(tables::jackpot))
        .route("/api/v1/jackpots/{jackpot}/close", post(managing::close))
        .route("/api/v1/jackpots/{jackpot}/parameters", get(managing::parameters).post(managing::propose))
        .route("/api/v1/jackpots/{jackpot}/parameters/approve", post(managing::approve))
        .route("/api/v1/jackpots/{jackpot}/parameters/withdraw", post(managing::withdraw))
        .route("/api/v1/jackpots/{jackpot}/hits/{hit}/verify", post(tables::verify))
        .route("/api/v1/jackpots/{jackpot}/hits/{hit}/confirm", post(tables::confirm))
        .route("/api/v1/jackpots/{jackpot}/hits/{hit}/reject", post(tables::reject))
        .route("/api/v1/rounds", get(records::rounds))
        .route("/api/v1/rounds/{table}/{number}", get(records::round))
        .route("/api/v1/rounds/{table}/{number}/proof", get(records::proof))
        .route("/api/v1/rounds/{table}/{number}/script", get(records::script))
        .route("/api/v1/significant-events", get(records::significant))
        .route("/api/v1/journal", get(records::journal))
        .route("/api/v1/audit", get(records::audit))
        .route("/api/v1/report", get(records::report))
}

/// `GET /api/v1/openapi.json`: the operations are at the reader's own addresses.
async fn openapi(visitor: Visitor) -> Response {
    let mut description = description();
    description["servers"] = json!([{ "url": format!("{}/api/v1", visitor.base) }]);
    Json(description).into_response()
}

/// Which program this is. Its file was read when the house was opened.
async fn version() -> Answer {
    Ok(Json(Program::this()).into_response())
}

/// `GET /api/v1/games`
async fn games(State(app): State<App>) -> Response {
    let game = |book: &Rulebook| {
        json!({
            "id": book.id, "short": book.short, "name": book.name, "operator": book.operator,
            "version": book.version, "based_on": book.based_on, "hash": book.hash, "family": book.family,
            "areas": book.areas.iter().map(|rule| rule.area.code()).collect::<Vec<_>>(),
        })
    };
    Json(app.library.all().into_iter().map(game).collect::<Vec<_>>()).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewPlayer {
    id: Option<CommandId>,
    name: PlayerId,
    password: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Credentials {
    name: String,
    password: String,
}

/// A session for a program: its token goes into the header `Authorization: Bearer TOKEN`.
fn entered(session: &Session) -> Response {
    let body = json!({ "actor": session.actor, "token": session.secret, "expires": session.expires });
    (StatusCode::CREATED, Json(body)).into_response()
}

/// `POST /api/v1/players`
async fn new_player(
    State(app): State<App>,
    axum::Extension(address): axum::Extension<std::net::IpAddr>,
    JsonBody(new): JsonBody<NewPlayer>,
) -> Answer {
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    // Whoever knows the id of a request is not yet the one who sent it: without a password its place must be the same.
    if let (Some(id), None) = (&new.id, &new.password)
        && app.house.knows(id).await?
        && !app.joined.came_from(id, address)
    {
        return Err(baize_house::HouseError::CommandReused(id.clone()).into());
    }
    let house = app.house.for_request(new.id.clone(), Some(address));
    house.create_player(&new.name, new.password.as_deref(), app.config.play_chips).await?;
    if let Some(id) = new.id {
        app.joined.remember(id, address);
    }
    Ok(entered(&app.house.start_session(&Actor::player(new.name)).await?))
}

/// `POST /api/v1/sessions`
async fn log_in(
    State(app): State<App>,
    axum::Extension(address): axum::Extension<std::net::IpAddr>,
    JsonBody(credentials): JsonBody<Credentials>,
) -> Answer {
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    let house = app.house.for_request(None, Some(address));
    Ok(entered(&house.log_in(&credentials.name, &credentials.password).await?))
}

/// `DELETE /api/v1/sessions`
async fn log_out(State(app): State<App>, visitor: Visitor) -> Answer {
    let secret = visitor.secret.as_deref().ok_or(baize_house::HouseError::NotLoggedIn)?;
    app.house.end_session(secret).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `GET /api/v1/me`
async fn me(State(app): State<App>, visitor: Visitor) -> Answer {
    let purse = match visitor.actor.as_player() {
        Some(player) => Some(app.house.purse(player).await?),
        None => None,
    };
    Ok(Json(json!({ "actor": visitor.actor, "purse": purse })).into_response())
}

/// Only somebody who is logged in.
fn somebody(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.actor == Actor::Public { Err(baize_house::HouseError::NotLoggedIn.into()) } else { Ok(()) }
}

/// An id for a request that says nothing else.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Once {
    id: Option<CommandId>,
}
