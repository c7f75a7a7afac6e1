//! `/healthz` and `/metrics`.

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

/// The path of the health check.
pub(crate) const HEALTH: &str = "/healthz";

/// How long a result is reused.
const MAX_AGE: Duration = Duration::from_secs(1);
/// How long a health check waits for a database that hangs.
const TIMEOUT: Duration = Duration::from_millis(500);

/// When the database was last checked, and why it was not healthy.
type Checked = Option<(Instant, Result<(), String>)>;

/// Checks the database for `/healthz`, which anybody may request often: at most one check a second, and never two at a time.
#[derive(Clone, Default)]
pub(crate) struct DatabaseHealth(Arc<Inner>);

#[derive(Default)]
struct Inner {
    checked: watch::Sender<Checked>,
    /// Since when a check has been running.
    running_since: Mutex<Option<Instant>>,
}

impl DatabaseHealth {
    fn running_since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.running_since.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_fresh(checked: &Checked) -> bool {
        checked.as_ref().is_some_and(|(at, _)| at.elapsed() < MAX_AGE)
    }

    async fn check(&self, house: &House) -> Result<(), String> {
        let mut checked = self.0.checked.subscribe();
        if !DatabaseHealth::is_fresh(&checked.borrow()) {
            self.start_check(house);
        }
        let fresh = tokio::time::timeout(TIMEOUT, checked.wait_for(DatabaseHealth::is_fresh)).await;
        if let Ok(Ok(fresh)) = fresh
            && let Some((_, result)) = fresh.as_ref()
        {
            return result.clone();
        }
        let seconds = self.running_since().map(|since| since.elapsed().as_secs()).unwrap_or_default();
        Err(format!("the database has not answered for {seconds} s"))
    }

    /// Starts a check in the background unless one is running.
    fn start_check(&self, house: &House) {
        let mut running_since = self.running_since();
        if running_since.is_some() {
            return;
        }
        *running_since = Some(Instant::now());
        let (this, house) = (self.clone(), house.clone());
        tokio::spawn(async move {
            let result = house.health().await.map_err(|error| error.to_string());
            *this.running_since() = None;
            this.0.checked.send_replace(Some((Instant::now(), result)));
        });
    }
}

/// `GET /healthz`: 200 while the database accepts orders, 503 with the reason otherwise and while draining.
pub(crate) async fn health(State(app): State<App>) -> Response {
    let version = env!("CARGO_PKG_VERSION");
    let unavailable = |status: &str, why: &str| {
        let body = json!({ "status": status, "why": why, "version": version });
        (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response()
    };
    if app.phase.is_draining() {
        return unavailable("draining", "the server is about to stop");
    }
    match app.database_health.check(&app.house).await {
        Ok(()) => Json(json!({ "status": "ok", "version": version })).into_response(),
        Err(why) => unavailable("away", &why),
    }
}

/// `GET /metrics`
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let gauges = gauges::read(&app, app.database_health.check(&app.house).await.is_ok()).await;
    let text = app.metrics.text(app.house.metrics(), &gauges);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
