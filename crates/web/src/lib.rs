//! The web casino: HTTP API, pages, live updates.
