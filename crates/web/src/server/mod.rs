//! The HTTP server: pages, forms, event streams, the JSON API, health and counters.
//!
//! The server holds nothing that matters: sessions, tables and money are the house's. What it sends about a round is made of the view
//! that the house gives to whoever asks. Who may do what is the house's decision; the server only asks it with the right name.

mod api;
mod app;
mod assets;
mod body;
mod counter;
mod day;
mod doors;
mod drawn;
mod fault;
mod figures;
mod fill;
mod gate;
mod guard;
mod joined;
mod library;
mod limit;
mod listening;
mod managing;
mod metrics;
mod network;
mod news;
mod odds_desk;
mod open_sessions;
mod orders;
mod password;
mod patience;
mod personnel;
mod rooms;
mod serve;
mod set_up;
mod streams;
mod visitor;
mod vitals;

use axum::Router;
use axum::routing::{get, post};
use baize_house::House;
use tower::ServiceExt as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

pub use app::Config;
pub use gate::Connections;
pub use limit::Rate;
pub use network::Network;
pub use serve::{ServeError, addresses, serve};

use app::App;
use gate::Gate;

/// A casino behind HTTP, as a service: what [`serve`] puts behind a socket and what tests ask directly.
pub type Casino = tower::util::BoxCloneSyncService<
    axum::extract::Request,
    axum::response::Response,
    std::convert::Infallible,
>;

/// The casino of this house. Needs a running runtime.
#[must_use]
pub fn casino(house: House, config: Config) -> Casino {
    let gate = Gate::new(config.connections, config.trusted_proxies.clone());
    casino_behind(house, config, gate)
}

/// The same behind a gate that counts its connections.
fn casino_behind(house: House, config: Config, gate: Gate) -> Casino {
    let app = App::new(house, config, gate);
    let router: Router = pages()
        .merge(api::routes())
        .layer(CatchPanicLayer::custom(guard::panicked))
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard::watch))
        .layer(CompressionLayer::new())
        .with_state(app);
    // The name in an address is taken off before the router looks at it.
    tower::util::BoxCloneSyncService::new(router.map_request(guard::take_off_name::<axum::body::Body>))
}

fn pages() -> Router<App> {
    Router::new()
        .route("/", get(rooms::lobby))
        .route("/join", post(doors::join))
        .route("/login", get(doors::log_in_page).post(doors::log_in))
        .route("/logout", post(doors::log_out))
        .route("/in/{secret}", get(doors::link_page).post(doors::redeem))
        .route("/theme", post(doors::theme))
        .route("/table/{id}", get(rooms::table))
        .route("/table/{id}/do", post(orders::play))
        .route("/dealer", get(rooms::dealer_tables))
        .route("/dealer/{id}", get(rooms::dealer))
        .route("/dealer/{id}/do", post(orders::deal))
        .route("/pit", get(rooms::pit))
        .route("/pit/{id}", get(rooms::desk))
        .route("/pit/{id}/report", post(orders::report))
        .route("/pit/{id}/rule", post(orders::rule))
        .route("/pit/{id}/close", post(orders::close))
        .route("/pit/{id}/set", post(orders::set))
        .route("/house", get(managing::page))
        .route("/house/tables", post(managing::new_table))
        .route("/house/jackpots", post(managing::new_jackpot))
        .route("/house/jackpots/{id}/{what}", post(managing::change))
        .route("/password", get(password::page).post(password::change))
        .route("/staff", get(personnel::page).post(personnel::create))
        .route("/staff/do", post(personnel::act))
        .route("/cage", get(counter::cage))
        .route("/cage/do", post(counter::cash))
        .route("/cage/player", post(counter::register))
        .route("/jackpot/{id}/hit", post(orders::hit))
        .route("/sign/{id}", get(rooms::sign))
        .route("/rules", get(rooms::rules))
        .route("/rules/{id}", get(rooms::rules_of))
        .route("/odds", get(rooms::odds))
        .route("/odds/{id}", get(rooms::odds_of))
        .route("/history", get(rooms::history))
        .route("/history/{table}/{number}", get(rooms::round))
        .route("/audit", get(rooms::audit))
        .route("/audit/verify", post(rooms::verify))
        .route("/api", get(rooms::api_page))
        .route("/events/lobby", get(listening::lobby))
        .route("/events/pit", get(listening::pit))
        .route("/events/table/{id}", get(listening::table))
        .route("/events/dealer/{id}", get(listening::dealer))
        .route("/events/desk/{id}", get(listening::desk))
        .route("/events/sign/{id}", get(listening::sign))
        .route("/events/odds", get(listening::all_odds))
        .route("/events/odds/{id}", get(listening::odds))
        .route("/assets/baize.css", get(assets::style))
        .route("/assets/baize.js", get(assets::script))
        .route("/assets/icon.svg", get(assets::icon))
        .route("/favicon.ico", get(assets::favicon))
        .route("/healthz", get(vitals::health))
        .route("/metrics", get(vitals::metrics))
}
