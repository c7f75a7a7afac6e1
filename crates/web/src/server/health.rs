//! Is it alive, and what does it count?

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use baize_house::House;
use serde_json::json;
use tokio::sync::watch;

use super::app::App;
use super::gauges;

/// How long an answer of the database is good for.
const FRESH: Duration = Duration::from_secs(1);
/// How long a health check waits for a database that hangs.
const AT_ONCE: Duration = Duration::from_millis(500);

/// What was found when the database was last asked. Anybody may ask for it often: the database is asked once a second, and never a second
/// time while it has not answered.
#[derive(Clone, Default)]
pub(crate) struct Pulse(Arc<Beat>);

#[derive(Default)]
struct Beat {
    found: watch::Sender<Option<(Instant, Result<(), String>)>>,
    asked: Mutex<Option<Instant>>,
}

impl Pulse {
    fn asked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fresh(found: &Option<(Instant, Result<(), String>)>) -> bool {
        found.as_ref().is_some_and(|(at, _)| at.elapsed() < FRESH)
    }

    async fn of(&self, house: &House) -> Result<(), String> {
        let mut found = self.0.found.subscribe();
        if !Pulse::fresh(&found.borrow()) {
            self.ask(house);
        }
        let known = tokio::time::timeout(AT_ONCE, found.wait_for(Pulse::fresh)).await;
        if let Ok(Ok(known)) = known
            && let Some((_, found)) = known.as_ref()
        {
            return found.clone();
        }
        let since = self.asked().map(|asked| asked.elapsed().as_secs()).unwrap_or_default();
        Err(format!("the database has not answered for {since} s"))
    }

    fn ask(&self, house: &House) {
        let mut asked = self.asked();
        if asked.is_some() {
            return;
        }
        *asked = Some(Instant::now());
        let (pulse, house) = (self.clone(), house.clone());
        tokio::spawn(async move {
            let found = house.health().await.map_err(|error| error.to_string());
            *pulse.asked() = None;
            pulse.0.found.send_replace(Some((Instant::now(), found)));
        });
    }
}

/// `GET /healthz`: whether the database takes orders.
pub(crate) async fn health(State(app): State<App>) -> Response {
    let version = env!("CARGO_PKG_VERSION");
    if app.phase.is_draining() {
        let body = json!({ "status": "draining", "why": "the server is about to stop", "version": version });
        return (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response();
    }
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
    let gauges = gauges::read(&app, app.pulse.of(&app.house).await.is_ok()).await;
    let text = app.metrics.text(app.house.metrics(), &gauges);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
