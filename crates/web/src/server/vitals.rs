//! Is it alive, and what does it count?

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use baize_house::House;
use serde_json::json;
use tokio::sync::Mutex;

use super::app::App;
use super::metrics::Gauge;

/// What was found when the database was last asked. Anybody may ask for it often: the database is asked once a second.
#[derive(Default)]
pub(crate) struct Pulse(Mutex<Option<(Instant, Result<(), String>)>>);

impl Pulse {
    async fn of(&self, house: &House) -> Result<(), String> {
        let mut last = self.0.lock().await;
        if let Some((at, found)) = last.as_ref()
            && at.elapsed() < Duration::from_secs(1)
        {
            return found.clone();
        }
        let found = house.health().await.map_err(|error| error.to_string());
        *last = Some((Instant::now(), found.clone()));
        found
    }
}

/// `GET /healthz`: whether the database takes orders.
pub(crate) async fn health(State(app): State<App>) -> Response {
    let version = env!("CARGO_PKG_VERSION");
    match app.pulse.of(&app.house).await {
        Ok(()) => Json(json!({ "status": "ok", "version": version })).into_response(),
        Err(why) => {
            let body = json!({ "status": "away", "why": why, "version": version });
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
