//! The HTTP server: pages, forms, event streams, the JSON API, health checks and metrics.
//!
//! The server keeps no lasting state: sessions, tables and money belong to the house. Everything it sends about a round comes from the view
//! that the house gives to that user. The house checks permissions; the server only identifies the sender.

mod alerts;
mod api;
mod app;
mod assets;
pub(crate) mod body;
mod cage_forms;
mod change_feed;
mod coach;
mod connection_limit;
mod daily_win;
pub(crate) mod fault;
mod gauges;
mod guard;
mod health;
mod house_forms;
mod library;
mod login;
mod metrics;
mod network;
pub(crate) mod odds_service;
mod open_sessions;
mod orders;
mod page_cache;
mod page_events;
mod page_handlers;
mod password;
mod phase;
mod play_session;
mod rate_limit;
mod rating;
mod recent_joins;
mod reporting;
mod request_log;
mod serve;
mod set_up;
mod show;
mod signals;
mod staff_forms;
mod streams;
mod surveillance;
mod task_cache;
mod timeouts;
mod tls;
mod visitor;

use axum::Router;
use axum::routing::{get, post};
use baize_house::House;
use tower::ServiceExt as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

pub use api::description;
pub use app::{Config, Reload};
pub use connection_limit::ConnectionLimits;
pub use network::Network;
pub use rate_limit::Rate;
pub use serve::{ServeError, Server, addresses, check_certificate};
pub use tls::TlsFault;

use app::App;
use connection_limit::ConnectionLimiter;

/// The casino as a tower service. [`Server`] serves it on a socket; tests call it directly.
pub type Casino = tower::util::BoxCloneSyncService<
    axum::extract::Request,
    axum::response::Response,
    std::convert::Infallible,
>;

/// The service for this house. Needs a running Tokio runtime.
#[must_use]
pub fn casino(house: House, config: Config) -> Casino {
    let connections = ConnectionLimiter::new(config.connections, config.trusted_proxies.clone());
    service(App::new(house, config, connections, phase::ServerPhase::default()))
}

/// Builds the service: routes and middleware.
fn service(app: App) -> Casino {
    let router: Router = pages()
        .merge(api::routes())
        .layer(CatchPanicLayer::custom(guard::panic_response))
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard::handle_request))
        .layer(CompressionLayer::new())
        .with_state(app);
    // The `/as/NAME` prefix is removed before routing.
    tower::util::BoxCloneSyncService::new(router.map_request(guard::strip_person_prefix::<axum::body::Body>))
}

fn pages() -> Router<App> {
    Router::new()
        .route("/", get(page_handlers::lobby))
        .route("/join", post(login::join))
        .route("/login", get(login::log_in_page).post(login::log_in))
        .route("/logout", post(login::log_out))
        .route("/in/{secret}", get(login::link_page).post(login::redeem))
        .route("/theme", post(login::theme))
        .route("/table/{id}", get(page_handlers::table))
        .route("/table/{id}/do", post(orders::play))
        .route("/dealer", get(page_handlers::dealer_tables))
        .route("/dealer/{id}", get(page_handlers::dealer))
        .route("/dealer/{id}/do", post(orders::deal))
        .route("/pit", get(page_handlers::pit))
        .route("/pit/database", post(orders::accept_database))
        .route("/pit/{id}", get(page_handlers::desk))
        .route("/pit/{id}/report", post(orders::report))
        .route("/pit/{id}/rule", post(orders::rule))
        .route("/pit/{id}/close", post(orders::close))
        .route("/pit/{id}/set", post(orders::set))
        .route("/house", get(house_forms::page))
        .route("/house/tables", post(house_forms::new_table))
        .route("/house/jackpots", post(house_forms::new_jackpot))
        .route("/house/jackpots/{id}/{what}", post(house_forms::change))
        .route("/session", get(play_session::page))
        .route("/session/limits", post(play_session::limit))
        .route("/session/break", post(play_session::take_break))
        .route("/password", get(password::page).post(password::change))
        .route("/staff", get(staff_forms::page).post(staff_forms::create))
        .route("/staff/do", post(staff_forms::act))
        .route("/report", get(reporting::page))
        .route("/report.csv", get(reporting::rows))
        .route("/report.json", get(reporting::data))
        .route("/cage", get(cage_forms::cage))
        .route("/cage/do", post(cage_forms::cash))
        .route("/cage/player", post(cage_forms::register))
        .route("/cage/{format}", get(cage_forms::reports))
        .route("/jackpot/{id}/hit", post(orders::hit))
        .route("/sign/{id}", get(page_handlers::sign))
        .route("/rules", get(page_handlers::rules))
        .route("/rules/{id}", get(page_handlers::rules_of))
        .route("/odds", get(page_handlers::odds))
        .route("/odds/{id}", get(page_handlers::odds_of))
        .route("/odds/{id}/card", get(surveillance::card))
        .route("/surveillance", get(surveillance::first))
        .route("/surveillance/{id}", get(surveillance::page))
        .route("/rating", get(rating::own))
        .route("/rating/{player}", get(rating::one))
        .route("/coach", get(coach::index))
        .route("/coach/{id}", get(coach::page).post(coach::answer))
        .route("/history", get(page_handlers::history))
        .route("/history/{table}/{number}", get(page_handlers::round))
        .route("/audit", get(page_handlers::audit))
        .route("/audit/verify", post(page_handlers::verify))
        .route("/api", get(page_handlers::api_page))
        .route("/events/lobby", get(page_events::lobby))
        .route("/events/session", get(page_events::session))
        .route("/events/waiting", get(page_events::waiting))
        .route("/events/pit", get(page_events::pit))
        .route("/events/table/{id}", get(page_events::table))
        .route("/events/dealer/{id}", get(page_events::dealer))
        .route("/events/desk/{id}", get(page_events::desk))
        .route("/events/sign/{id}", get(page_events::sign))
        .route("/events/odds", get(page_events::all_odds))
        .route("/events/odds/{id}", get(page_events::odds))
        .route("/assets/baize.css", get(assets::style))
        .route("/assets/baize.js", get(assets::script))
        .route("/assets/icon.svg", get(assets::icon))
        .route("/favicon.ico", get(assets::favicon))
        .route("/healthz", get(health::health))
        .route("/metrics", get(health::metrics))
}
