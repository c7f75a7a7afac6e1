//! Middleware for every request: address prefixes, rate limits, identifying the sender, origin checks; and for every response: faults in the
//! right format, security headers, metrics, the request log.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::Actor;
use tracing::Instrument as _;

use super::app::App;
use super::fault::{Fault, FaultFormat, render_fault};
use super::health::HEALTH;
use super::network::{client_address, is_encrypted};
use super::request_log;
use super::show;
use super::visitor::{Credential, Visitor, constant_time_eq, is_same_origin};
use crate::pages::shell::Shell;

/// Nothing inline, nothing from other sites, no frames.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Request extension: the NAME of an `/as/NAME` address.
#[derive(Debug, Clone)]
pub(crate) struct AddressedTo(String);

/// Request extension: the request names two hosts, or none although HTTP/1.1 requires one. It is refused.
#[derive(Debug, Clone)]
struct AmbiguousHost;

/// The client of a request.
#[derive(Debug, Clone, Copy)]
struct Client {
    address: IpAddr,
    encrypted: bool,
}

/// Request extension: redirect target when a plain URL is followed from an `/as/NAME` page.
#[derive(Debug, Clone)]
struct RedirectToPrefix(String);

/// Removes `/as/NAME` from the path, so that routes need not know it. A plain address that is requested from a page of NAME counts as an
/// address of NAME.
pub(crate) fn strip_person_prefix<B>(mut request: axum::http::Request<B>) -> axum::http::Request<B> {
    let authority = request.uri().authority().map(|host| host.as_str().to_owned());
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (host, second) = (hosts.next(), hosts.next());
    let missing = host.is_none() && request.version() == Version::HTTP_11;
    let differs = host.zip(authority).is_some_and(|(host, other)| host.as_bytes() != other.as_bytes());
    if missing || second.is_some() || differs {
        request.extensions_mut().insert(AmbiguousHost);
    }
    // HTTP/2 has the host in the URI; the origin check reads the header.
    if !request.headers().contains_key(header::HOST)
        && let Some(host) =
            request.uri().authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok())
    {
        request.headers_mut().insert(header::HOST, host);
    }
    let path = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    if let Some((name, rest)) = split_prefix(&path) {
        if let Ok(uri) = rest.parse::<Uri>() {
            *request.uri_mut() = uri;
            request.extensions_mut().insert(AddressedTo(name));
        }
        return request;
    }
    let from = request
        .headers()
        .get(header::REFERER)
        .and_then(|from| from.to_str().ok())
        .and_then(|from| from.parse::<Uri>().ok());
    let for_everybody =
        path == "/" || is_asset(&path) || ["/in/", "/login"].iter().any(|start| path.starts_with(start));
    if let Some((name, _)) = from.filter(|_| !for_everybody).and_then(|from| split_prefix(from.path())) {
        if *request.method() == Method::GET && !is_live(request.headers()) {
            request.extensions_mut().insert(RedirectToPrefix(format!("/as/{name}{path}")));
        } else {
            request.extensions_mut().insert(AddressedTo(name));
        }
    }
    request
}

/// Splits `/as/NAME/rest` into NAME and `/rest`.
fn split_prefix(path: &str) -> Option<(String, String)> {
    let rest = path.strip_prefix("/as/")?;
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let valid = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    let rest = if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") };
    valid.then(|| (name.to_owned(), rest))
}

/// Static files, which need no session.
fn is_asset(path: &str) -> bool {
    path.starts_with("/assets/") || path == "/favicon.ico"
}

/// The format in which the request expects faults.
fn fault_format(request: &Request) -> FaultFormat {
    let path = request.uri().path();
    let header = |name: HeaderName| {
        request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    };
    // Event streams are read by a script, which can do nothing with the log-in page.
    let accepts = header(header::ACCEPT);
    let from_script = ["application/json", "text/event-stream"].iter().any(|kind| accepts.starts_with(kind));
    if path.starts_with("/api/") || from_script {
        FaultFormat::Json
    } else if is_live(request.headers()) {
        FaultFormat::Region
    } else {
        FaultFormat::Page
    }
}

/// Whether the page's script sent the request and expects live regions.
pub(crate) fn is_live(headers: &axum::http::HeaderMap) -> bool {
    headers.get("x-baize").is_some_and(|value| value == "live")
}

/// The middleware around all routes.
pub(crate) async fn handle_request(State(app): State<App>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = request_log::new_id();
    let (method, logged_path) =
        (request.method().clone(), request_log::without_secrets(request.uri().path()));
    let peer = request
        .extensions()
        .get::<ConnectInfo<SocketAddr>>()
        .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |c| c.0.ip());
    let proxies = &app.config.trusted_proxies;
    let client = Client {
        address: client_address(peer, request.headers(), proxies),
        encrypted: is_encrypted(app.tls(), peer, request.headers(), proxies),
    };
    let answered = |mut response: Response, visitor: &Visitor| {
        if let Ok(id) = HeaderValue::from_str(&id) {
            response.headers_mut().insert("x-request-id", id);
        }
        app.metrics.count_response(&logged_path, response.status().as_u16(), start.elapsed());
        request_log::log(&id, client.address, visitor, &method, &logged_path, &response, start.elapsed());
        response
    };
    if let Some(RedirectToPrefix(path)) = request.extensions().get::<RedirectToPrefix>() {
        let mut response = Redirect::temporary(path).into_response();
        add_security_headers(&app, &mut response, false);
        return answered(response, &Visitor::anonymous(None));
    }
    let name = request.extensions().get::<AddressedTo>().map(|addressed| addressed.0.clone());
    let format = fault_format(&request);
    let path = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    let asset = is_asset(&path);
    let mut visitor = Visitor::anonymous(name.as_deref());
    let (parts, body) = request.into_parts();
    let response = match check_request(&app, &parts, client, name.as_deref()).await {
        Err(fault) => fault.into_response(),
        Ok(identified) => {
            visitor = identified;
            let mut request = Request::from_parts(parts, body);
            request.extensions_mut().insert(visitor.clone());
            request.extensions_mut().insert(client.address);
            next.run(request).instrument(tracing::info_span!(target: "baize::request", "request", id)).await
        }
    };
    let plain = Shell::plain(visitor.base.clone(), visitor.theme);
    let shell = if response.status().is_client_error() && format == FaultFormat::Page {
        show::shell(&app, &visitor).await.unwrap_or(plain)
    } else {
        plain
    };
    count_fault(&app, &response);
    let mut response = render_fault(response, format, &visitor, &shell, &format!("{}{path}", visitor.base));
    add_security_headers(&app, &mut response, asset);
    if let Some(cookie) = visitor.set_cookie.as_deref().and_then(|cookie| HeaderValue::from_str(cookie).ok())
        && format == FaultFormat::Page
        && !asset
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    answered(response, &visitor)
}

/// Applies rate limits, identifies the sender, and checks origin and token of a state change.
async fn check_request(
    app: &App,
    parts: &Parts,
    client: Client,
    name: Option<&str>,
) -> Result<Visitor, Fault> {
    if parts.extensions.get::<AmbiguousHost>().is_some() {
        return Err(Fault::unreadable("the request must name exactly one host"));
    }
    let path = parts.uri.path();
    if path == HEALTH || is_asset(path) {
        return Ok(Visitor::anonymous(name));
    }
    app.address_rates.take(&client.address.to_string()).map_err(Fault::TooMany)?;
    let visitor = Visitor::identify(&app.house, &parts.headers, name, client.encrypted).await?;
    if let Some(name) = visitor.name() {
        app.account_rates.take(name).map_err(Fault::TooMany)?;
    }
    if matches!(visitor.actor, Actor::Staff { .. }) {
        app.connections.staff_seen(client.address);
    }
    let reads = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
    if !reads && visitor.credential != Credential::Bearer {
        if !is_same_origin(&parts.headers, client.encrypted) {
            return Err(Fault::Forged);
        }
        // A form has its token in the body, which the extractor checks; a script sends it in a header.
        let token =
            parts.headers.get("x-csrf-token").and_then(|token| token.to_str().ok()).unwrap_or_default();
        if path.starts_with("/api/")
            && visitor.credential == Credential::Cookie
            && !constant_time_eq(token, &visitor.csrf)
        {
            return Err(Fault::Forged);
        }
    }
    Ok(visitor)
}

fn count_fault(app: &App, response: &Response) {
    let counter = match response.extensions().get::<Fault>() {
        Some(Fault::TooMany(_)) => &app.metrics.limited,
        Some(Fault::Forged) => &app.metrics.forged,
        Some(fault @ Fault::House(_)) if !fault.status().is_server_error() => &app.metrics.refused,
        _ => return,
    };
    counter.fetch_add(1, Relaxed);
}

fn add_security_headers(app: &App, response: &mut Response, asset: bool) {
    let headers = response.headers_mut();
    let fixed = [
        ("content-security-policy", CONTENT_SECURITY_POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()"),
    ];
    for (name, value) in fixed {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !asset {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if app.tls() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

/// The response after a panic in a handler.
pub(crate) fn panic_response(_: Box<dyn std::any::Any + Send>) -> Response {
    let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    response.extensions_mut().insert(Fault::Broken);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(uri: &str) -> (String, Option<String>) {
        let request = strip_person_prefix(axum::http::Request::builder().uri(uri).body(()).unwrap());
        (request.uri().to_string(), request.extensions().get::<AddressedTo>().map(|a| a.0.clone()))
    }

    #[test]
    fn a_plain_address_on_a_persons_page_gets_their_prefix() {
        let send = |method: &str, uri: &str, live: bool| {
            let builder = axum::http::Request::builder()
                .method(method)
                .uri(uri)
                .header("referer", "http://localhost/as/bob/pit?x");
            let builder = if live { builder.header("x-baize", "live") } else { builder };
            let request = strip_person_prefix(builder.body(()).unwrap());
            let of = request.extensions();
            (
                of.get::<AddressedTo>().map(|a| a.0.clone()),
                of.get::<RedirectToPrefix>().map(|to| to.0.clone()),
            )
        };
        let bob = || Some("bob".to_owned());
        assert_eq!(send("POST", "/pit/rh-1/rule", false), (bob(), None));
        assert_eq!(send("GET", "/odds/x?y", true), (bob(), None));
        assert_eq!(send("GET", "/rules", false), (None, Some("/as/bob/rules".to_owned())));
        assert_eq!(send("GET", "/", false), (None, None));
        assert_eq!(send("GET", "/assets/baize.css", false), (None, None));
        assert_eq!(send("POST", "/as/ann/logout", false), (Some("ann".to_owned()), None));
    }

    #[test]
    fn an_http_2_request_gets_a_host_header() {
        let request = axum::http::Request::builder().uri("https://localhost:8080/as/ann/x").body(()).unwrap();
        assert_eq!(strip_person_prefix(request).headers()["host"], "localhost:8080");
    }

    #[test]
    fn the_prefix_is_stripped_and_names_the_person() {
        assert_eq!(
            stripped("/as/ann/table/rh-1?x=1"),
            ("/table/rh-1?x=1".to_owned(), Some("ann".to_owned()))
        );
        assert_eq!(stripped("/as/ann"), ("/".to_owned(), Some("ann".to_owned())));
        assert_eq!(stripped("/as/ann?x"), ("/?x".to_owned(), Some("ann".to_owned())));
        assert_eq!(stripped("/table/rh-1"), ("/table/rh-1".to_owned(), None));
        assert_eq!(stripped("/as//x"), ("/as//x".to_owned(), None));
        assert_eq!(stripped("/as/a%00/x"), ("/as/a%00/x".to_owned(), None));
    }
}
