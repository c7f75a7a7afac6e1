//! One line for each request: when, its id, who, what, how it ended and how long it took. No secret is in it.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::Method;
use axum::response::Response;

use super::fault::Fault;
use super::visitor::Visitor;

/// An id that no other request of this process has, and hardly one of another. It is a name and no secret.
pub(crate) fn new_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", now.as_micros(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A path without its query, and without the secret of a one-time link.
pub(crate) fn shown_path(path: &str) -> String {
    match path.split_once("/in/") {
        Some((before, _)) => format!("{before}/in/…"),
        None => path.to_owned(),
    }
}

/// Notes a request that was answered. Faults of the program are errors; all else is information.
pub(crate) fn note(
    id: &str,
    address: IpAddr,
    visitor: &Visitor,
    method: &Method,
    path: &str,
    response: &Response,
    took: Duration,
) {
    let (who, status) = (visitor.name().unwrap_or("-"), response.status().as_u16());
    let fault = response.extensions().get::<Fault>().map_or("-", Fault::code);
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    // A probe that is sent elsewhere is no fault of the program.
    if status >= 500 && path != "/healthz" {
        tracing::error!(target: "baize::request", id, %address, who, %method, path, status, fault, ms, "request");
    } else {
        tracing::info!(target: "baize::request", id, %address, who, %method, path, status, fault, ms, "request");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_of_a_link_is_not_shown_and_ids_differ() {
        assert_eq!(shown_path("/in/0123456789abcdef"), "/in/…");
        assert_eq!(shown_path("/as/ann/in/0123456789abcdef"), "/as/ann/in/…");
        assert_eq!(shown_path("/table/rh-1"), "/table/rh-1");
        assert_ne!(new_id(), new_id());
    }
}
