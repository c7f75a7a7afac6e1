//! Is it alive, and what does it count?

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::app::App;
use super::metrics::Gauge;

/// `GET /healthz`: whether the database answers.
pub(crate) async fn health(State(app): State<App>) -> Response {
    let version = env!("CARGO_PKG_VERSION");
    match app.house.health().await {
        Ok(()) => Json(json!({ "status": "ok", "version": version })).into_response(),
        Err(error) => {
            let body = json!({ "status": "away", "why": error.to_string(), "version": version });
            (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response()
        }
    }
}

/// `GET /metrics`
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let mut gauges = Vec::new();
    if let Ok(tables) = app.house.tables().await {
        let phase = |phase: &'static str| {
            let count = tables.iter().filter(|table| table.phase == phase).count();
            (format!("{{phase=\"{phase}\"}}"), count.to_string())
        };
        gauges.push(Gauge {
            name: "baize_tables",
            help: "Tables by the phase of their round.",
            values: ["idle", "betting", "play", "finished"].map(phase).into(),
        });
        let guests: usize = tables.iter().map(|table| table.guests.len()).sum();
        gauges.push(Gauge {
            name: "baize_guests",
            help: "Players at tables.",
            values: vec![(String::new(), guests.to_string())],
        });
    }
    if let Ok(jackpots) = app.house.jackpots().await {
        let values = jackpots
            .iter()
            .map(|jackpot| (format!("{{jackpot=\"{}\"}}", jackpot.id), jackpot.displayed.to_string()))
            .collect();
        gauges.push(Gauge { name: "baize_jackpot_dollars", help: "What the signs show.", values });
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.text(&gauges))
        .into_response()
}
