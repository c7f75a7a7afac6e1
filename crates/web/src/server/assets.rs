//! Serves the style sheet, the script and the icons. Addresses contain a hash of the content, so browsers may cache them for a year.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::pages::assets;

fn asset(content_type: &'static str, text: impl IntoResponse) -> Response {
    let caching = "public, max-age=31536000, immutable";
    ([(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, caching)], text).into_response()
}

pub(crate) async fn style() -> Response {
    asset("text/css; charset=utf-8", assets::style())
}

pub(crate) async fn script() -> Response {
    asset("text/javascript; charset=utf-8", assets::script())
}

pub(crate) async fn icon() -> Response {
    asset("image/svg+xml", assets::ICON)
}

/// `GET /favicon.ico`, which some browsers request even though the page names another icon.
pub(crate) async fn favicon() -> Response {
    let caching = "public, max-age=86400";
    let content_type = "image/vnd.microsoft.icon";
    ([(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, caching)], assets::FAVICON)
        .into_response()
}
