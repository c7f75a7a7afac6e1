//! What every request passes: whose address it is, limits, who sends it, where it comes from; and what every answer carries:
//! security headers, counters, faults in the shape that was asked for.

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
use super::fault::{Fault, Told, dress};
use super::network::{encrypted, sender};
use super::request_log;
use super::view_models;
use super::visitor::{Credential, Visitor, from_our_pages, same};
use crate::pages::model::Shell;

/// Nothing inline, nothing from elsewhere, no frames.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The person whose address a request was sent to.
#[derive(Debug, Clone)]
pub(crate) struct Addressed(String);

/// A request that names two hosts, or none where HTTP/1.1 demands one: which of them is ours is not guessed.
#[derive(Debug, Clone)]
struct NotOneHost;

/// Where a request comes from: the address of its sender, and whether the sender's browser speaks TLS.
#[derive(Debug, Clone, Copy)]
struct From {
    address: IpAddr,
    encrypted: bool,
}

/// An address that was reached from a page with a personal prefix: the same address with that prefix.
#[derive(Debug, Clone)]
struct Led(String);

/// Takes `/as/NAME` off an address: the rest is the same for everybody. A plain address that is asked for from a page of NAME's is
/// NAME's too.
pub(crate) fn take_off_name<B>(mut request: axum::http::Request<B>) -> axum::http::Request<B> {
    let authority = request.uri().authority().map(|host| host.as_str().to_owned());
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (host, second) = (hosts.next(), hosts.next());
    let missing = host.is_none() && request.version() == Version::HTTP_11;
    let differ = host.zip(authority).is_some_and(|(host, other)| host.as_bytes() != other.as_bytes());
    if missing || second.is_some() || differ {
        request.extensions_mut().insert(NotOneHost);
    }
    // HTTP/2 has the host in the address; where requests come from is held against the header.
    if !request.headers().contains_key(header::HOST)
        && let Some(host) =
            request.uri().authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok())
    {
        request.headers_mut().insert(header::HOST, host);
    }
    let whole = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    if let Some((name, rest)) = named(&whole) {
        if let Ok(uri) = rest.parse::<Uri>() {
            *request.uri_mut() = uri;
            request.extensions_mut().insert(Addressed(name));
        }
        return request;
    }
    let from = request
        .headers()
        .get(header::REFERER)
        .and_then(|from| from.to_str().ok())
        .and_then(|from| from.parse::<Uri>().ok());
    let plain =
        whole == "/" || is_asset(&whole) || ["/in/", "/login"].iter().any(|start| whole.starts_with(start));
    if let Some((name, _)) = from.filter(|_| !plain).and_then(|from| named(from.path())) {
        if *request.method() == Method::GET && !is_live(request.headers()) {
            request.extensions_mut().insert(Led(format!("/as/{name}{whole}")));
        } else {
            request.extensions_mut().insert(Addressed(name));
        }
    }
    request
}

/// The name and the rest of an address that begins with `/as/NAME`.
fn named(address: &str) -> Option<(String, String)> {
    let rest = address.strip_prefix("/as/")?;
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let good = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    let rest = if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") };
    good.then(|| (name.to_owned(), rest))
}

/// A file that is the same for everybody.
fn is_asset(path: &str) -> bool {
    path.starts_with("/assets/") || path == "/favicon.ico"
}

/// How the request wants its answer.
fn told(request: &Request) -> Told {
    let path = request.uri().path();
    let header = |name: HeaderName| {
        request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    };
    // A page's stream is read by a script: a page to log in would only be an error in its console.
    let accepts = header(header::ACCEPT);
    let by_a_program = ["application/json", "text/event-stream"].iter().any(|kind| accepts.starts_with(kind));
    if path.starts_with("/api/") || by_a_program {
        Told::Json
    } else if is_live(request.headers()) {
        Told::Region
    } else {
        Told::Page
    }
}

/// Whether the page's script sent it and wants live regions back.
pub(crate) fn is_live(headers: &axum::http::HeaderMap) -> bool {
    headers.get("x-baize").is_some_and(|value| value == "live")
}

/// Every request passes here.
pub(crate) async fn watch(State(app): State<App>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = request_log::new_id();
    let (method, shown) = (request.method().clone(), request_log::shown_path(request.uri().path()));
    if let Some(Led(address)) = request.extensions().get::<Led>() {
        let mut response = Redirect::temporary(address).into_response();
        secure(&app, &mut response, false);
        return response;
    }
    let peer = request
        .extensions()
        .get::<ConnectInfo<SocketAddr>>()
        .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |c| c.0.ip());
    let proxies = &app.config.trusted_proxies;
    let from = From {
        address: sender(peer, request.headers(), proxies),
        encrypted: encrypted(app.tls(), peer, request.headers(), proxies),
    };
    let name = request.extensions().get::<Addressed>().map(|addressed| addressed.0.clone());
    let told = told(&request);
    let path = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    let asset = is_asset(&path);
    let mut visitor = Visitor::nobody(name.as_deref());
    let (parts, body) = request.into_parts();
    let response = match admit(&app, &parts, from, name.as_deref()).await {
        Err(fault) => fault.into_response(),
        Ok(found) => {
            visitor = found;
            let mut request = Request::from_parts(parts, body);
            request.extensions_mut().insert(visitor.clone());
            request.extensions_mut().insert(from.address);
            next.run(request).instrument(tracing::info_span!(target: "baize::request", "request", id)).await
        }
    };
    let plain = Shell { theme: visitor.theme, base: visitor.base.clone(), ..Shell::default() };
    let shell = if response.status().is_client_error() && told == Told::Page {
        view_models::shell(&app, &visitor).await.unwrap_or(plain)
    } else {
        plain
    };
    count(&app, &response);
    let mut response = dress(response, told, &visitor, &shell, &format!("{}{path}", visitor.base));
    secure(&app, &mut response, asset);
    if let Some(cookie) = visitor.give.as_deref().and_then(|cookie| HeaderValue::from_str(cookie).ok())
        && told == Told::Page
        && !asset
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", id);
    }
    app.metrics.answered(response.status().as_u16(), start.elapsed());
    request_log::note(&id, from.address, &visitor, &method, &shown, &response, start.elapsed());
    response
}

/// Lets a request in: limits, who sends it, and for a state change where it comes from.
async fn admit(app: &App, parts: &Parts, from: From, name: Option<&str>) -> Result<Visitor, Fault> {
    if parts.extensions.get::<NotOneHost>().is_some() {
        return Err(Fault::unreadable("the request does not name one host"));
    }
    let path = parts.uri.path();
    if path == "/healthz" || is_asset(path) {
        return Ok(Visitor::nobody(name));
    }
    app.addresses.take(&from.address.to_string()).map_err(Fault::TooMany)?;
    let visitor = Visitor::of(&app.house, &parts.headers, name, from.encrypted).await?;
    if let Some(name) = visitor.name() {
        app.accounts.take(name).map_err(Fault::TooMany)?;
    }
    if matches!(visitor.actor, Actor::Staff { .. }) {
        app.gate.staff_at(from.address);
    }
    let reads = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
    if !reads && visitor.credential != Credential::Bearer {
        if !from_our_pages(&parts.headers, from.encrypted) {
            return Err(Fault::Forged);
        }
        // A form brings its token in the body, where it is checked when the form is read; a program brings it in a header.
        let token =
            parts.headers.get("x-csrf-token").and_then(|token| token.to_str().ok()).unwrap_or_default();
        if path.starts_with("/api/")
            && visitor.credential == Credential::Cookie
            && !same(token, &visitor.csrf)
        {
            return Err(Fault::Forged);
        }
    }
    Ok(visitor)
}

fn count(app: &App, response: &Response) {
    let counter = match response.extensions().get::<Fault>() {
        Some(Fault::TooMany(_)) => &app.metrics.limited,
        Some(Fault::Forged) => &app.metrics.forged,
        Some(Fault::House(_)) => &app.metrics.refused,
        _ => return,
    };
    counter.fetch_add(1, Relaxed);
}

fn secure(app: &App, response: &mut Response, asset: bool) {
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

/// A handler that panicked: the answer says that it failed and nothing else.
pub(crate) fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    response.extensions_mut().insert(Fault::Broken);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(uri: &str) -> (String, Option<String>) {
        let request = take_off_name(axum::http::Request::builder().uri(uri).body(()).unwrap());
        (request.uri().to_string(), request.extensions().get::<Addressed>().map(|a| a.0.clone()))
    }

    #[test]
    fn a_plain_address_on_a_persons_page_is_his() {
        let led = |method: &str, uri: &str, live: bool| {
            let builder = axum::http::Request::builder()
                .method(method)
                .uri(uri)
                .header("referer", "http://localhost/as/bob/pit?x");
            let builder = if live { builder.header("x-baize", "live") } else { builder };
            let request = take_off_name(builder.body(()).unwrap());
            let of = request.extensions();
            (of.get::<Addressed>().map(|a| a.0.clone()), of.get::<Led>().map(|led| led.0.clone()))
        };
        let bob = || Some("bob".to_owned());
        assert_eq!(led("POST", "/pit/rh-1/rule", false), (bob(), None));
        assert_eq!(led("GET", "/odds/x?y", true), (bob(), None));
        assert_eq!(led("GET", "/rules", false), (None, Some("/as/bob/rules".to_owned())));
        assert_eq!(led("GET", "/", false), (None, None));
        assert_eq!(led("GET", "/assets/baize.css", false), (None, None));
        assert_eq!(led("POST", "/as/ann/logout", false), (Some("ann".to_owned()), None));
    }

    #[test]
    fn the_host_of_an_http_2_request_is_known() {
        let request = axum::http::Request::builder().uri("https://localhost:8080/as/ann/x").body(()).unwrap();
        assert_eq!(take_off_name(request).headers()["host"], "localhost:8080");
    }

    #[test]
    fn an_address_says_whose_it_is() {
        assert_eq!(taken("/as/ann/table/rh-1?x=1"), ("/table/rh-1?x=1".to_owned(), Some("ann".to_owned())));
        assert_eq!(taken("/as/ann"), ("/".to_owned(), Some("ann".to_owned())));
        assert_eq!(taken("/as/ann?x"), ("/?x".to_owned(), Some("ann".to_owned())));
        assert_eq!(taken("/table/rh-1"), ("/table/rh-1".to_owned(), None));
        assert_eq!(taken("/as//x"), ("/as//x".to_owned(), None));
        assert_eq!(taken("/as/a%00/x"), ("/as/a%00/x".to_owned(), None));
    }
}
