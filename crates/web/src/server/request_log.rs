//! One log line for each request: id, client, user, method, path, status and duration. It contains no secrets.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::Method;
use axum::response::Response;

use super::fault::Fault;
use super::health::HEALTH;
use super::visitor::Visitor;

/// An id for a request, unique in this process and most likely across hosts. It is not secret.
pub(crate) fn new_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", now.as_micros(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Removes the secret of a one-time link from a path.
pub(crate) fn without_secrets(path: &str) -> String {
    match path.split_once("/in/") {
        Some((before, _)) => format!("{before}/in/…"),
        None => path.to_owned(),
    }
}

/// Logs a request: server errors at level error, everything else at info.
pub(crate) fn log(
    id: &str,
    address: IpAddr,
    visitor: &Visitor,
    method: &Method,
    path: &str,
    response: &Response,
    took: Duration,
) {
    let (who, status) = (visitor.name().unwrap_or("-"), response.status().as_u16());
    let found = response.extensions().get::<Fault>();
    let fault = found.map_or("-", Fault::code);
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    // A health check that reports 503 is not an error of the program.
    if status >= 500 && path != HEALTH {
        let why = found.map_or_else(String::new, Fault::words);
        tracing::error!(target: "baize::request", id, %address, who, %method, path, status, fault, why, ms, "request");
    } else {
        tracing::info!(target: "baize::request", id, %address, who, %method, path, status, fault, ms, "request");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_secrets_are_not_logged_and_ids_differ() {
        assert_eq!(without_secrets("/in/0123456789abcdef"), "/in/…");
        assert_eq!(without_secrets("/as/ann/in/0123456789abcdef"), "/as/ann/in/…");
        assert_eq!(without_secrets("/table/rh-1"), "/table/rh-1");
        assert_ne!(new_id(), new_id());
    }
}
