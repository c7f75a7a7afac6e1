//! The style sheet, the script and the icon. An address with a version never changes its content and is kept for a year.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::pages::assets;

fn asset(kind: &'static str, text: impl IntoResponse) -> Response {
    let kept = "public, max-age=31536000, immutable";
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept)], text).into_response()
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

/// `GET /favicon.ico`: for browsers that ask for it whatever the page says.
pub(crate) async fn favicon() -> Response {
    let kept = "public, max-age=86400";
    let kind = "image/vnd.microsoft.icon";
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept)], assets::FAVICON).into_response()
}
