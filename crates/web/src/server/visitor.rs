//! Identifies the sender of a request by session cookie or bearer token, and makes cookies and CSRF tokens.
//!
//! Several people can share one browser: the first uses the plain addresses, every other person has a cookie of their own and addresses that
//! begin with `/as/NAME`. Cookies are HttpOnly and SameSite=Strict, and Secure with TLS. A cookie holds the session's secret, which is never
//! put on a page; the CSRF token is a hash of it.

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::{Actor, CommandId, Duty, House, HouseError};
use baize_rules::Cites;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

use crate::pages::shell::Theme;

/// The session cookie of the first person in a browser.
const FIRST_COOKIE: &str = "baize";
/// Prefix of the session cookies of other people in the browser, followed by their name.
const OTHER_COOKIE_PREFIX: &str = "baize.";
/// The cookie of a visitor who is not logged in. Only their CSRF token depends on it.
const VISITOR_COOKIE: &str = "baize-visitor";
const SESSION_SECONDS: u32 = 12 * 60 * 60;

/// How the sender of a request is authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credential {
    /// Not at all.
    None,
    /// By a cookie, which browsers send by themselves: state changes need a CSRF token.
    Cookie,
    /// By a bearer token, which browsers never send by themselves.
    Bearer,
}

/// The sender of a request.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    /// Who they are to the house.
    pub(crate) actor: Actor,
    /// How they are authenticated.
    pub(crate) credential: Credential,
    /// The secret of their session.
    pub(crate) secret: Option<String>,
    /// The prefix of their addresses: empty or `/as/NAME`.
    pub(crate) base: String,
    /// The CSRF token that their forms must contain.
    pub(crate) csrf: String,
    /// Light or dark.
    pub(crate) theme: Theme,
    /// The session secret of the first person in this browser.
    pub(crate) first: Option<String>,
    /// The names of the other people in this browser.
    pub(crate) people: Vec<String>,
    /// A cookie to set with the response.
    pub(crate) set_cookie: Option<String>,
    /// The request names a session or a person, but there is no valid session.
    pub(crate) expired: bool,
    /// The connection uses TLS, to this server or to a trusted proxy. Cookies are Secure then.
    pub(crate) encrypted: bool,
}

impl Visitor {
    /// A visitor without a session, at an address of `name`.
    pub(crate) fn anonymous(name: Option<&str>) -> Visitor {
        Visitor {
            actor: Actor::Public,
            credential: Credential::None,
            secret: None,
            base: name.map(|name| format!("/as/{name}")).unwrap_or_default(),
            csrf: String::new(),
            theme: Theme::System,
            first: None,
            people: Vec::new(),
            set_cookie: None,
            expired: false,
            encrypted: false,
        }
    }

    /// Identifies the sender of a request to an address of `name`.
    pub(crate) async fn identify(
        house: &House,
        headers: &HeaderMap,
        name: Option<&str>,
        encrypted: bool,
    ) -> Result<Visitor, HouseError> {
        let cookies: Vec<(&str, &str)> = cookies(headers).collect();
        let cookie = |name: &str| cookies.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
        let theme = Theme::from_cookie(cookie("theme").unwrap_or_default());
        let others = cookies.iter().filter_map(|(n, _)| n.strip_prefix(OTHER_COOKIE_PREFIX));
        let mut visitor = Visitor {
            theme,
            first: cookie(FIRST_COOKIE).map(ToOwned::to_owned),
            people: others.map(ToOwned::to_owned).collect(),
            encrypted,
            ..Visitor::anonymous(name)
        };
        if let Some(secret) = bearer(headers) {
            visitor.actor = house.session(secret).await?;
            visitor.credential = Credential::Bearer;
            visitor.secret = Some(secret.to_owned());
            return Ok(visitor);
        }
        let secret = match name {
            Some(name) => cookie(&format!("{OTHER_COOKIE_PREFIX}{name}")),
            None => cookie(FIRST_COOKIE),
        };
        if let Some(secret) = secret {
            match house.session(secret).await {
                Ok(actor) if name.is_none() || name_of(&actor) == name => {
                    visitor.actor = actor;
                    visitor.credential = Credential::Cookie;
                    visitor.csrf = csrf_token(secret);
                    visitor.secret = Some(secret.to_owned());
                    return Ok(visitor);
                }
                Ok(_) | Err(HouseError::NotLoggedIn | HouseError::LinkSpent) => {}
                Err(other) => return Err(other),
            }
        }
        visitor.expired = name.is_some() || secret.is_some();
        let visitor_secret = match cookie(VISITOR_COOKIE).filter(|value| value.len() == 32) {
            Some(value) => value.to_owned(),
            None => {
                let value = CommandId::random().to_string();
                visitor.set_cookie =
                    Some(cookie_header(VISITOR_COOKIE, "/", &value, SESSION_SECONDS, encrypted));
                value
            }
        };
        visitor.csrf = csrf_token(&visitor_secret);
        Ok(visitor)
    }

    /// Their log-in name, if they are logged in.
    pub(crate) fn name(&self) -> Option<&str> {
        name_of(&self.actor)
    }

    /// Fails with 401 unless they are logged in.
    pub(crate) fn require_login(&self) -> Result<(), HouseError> {
        if self.actor == Actor::Public { Err(HouseError::NotLoggedIn) } else { Ok(()) }
    }

    /// Fails with 403 unless they have this duty or one above it.
    pub(crate) fn require(&self, needs: Duty) -> Result<(), HouseError> {
        if self.actor.may(needs) { Ok(()) } else { Err(HouseError::Forbidden { needs, cites: Cites::NONE }) }
    }

    /// Redirects to a path, with the prefix of their addresses.
    pub(crate) fn redirect(&self, path: &str) -> Response {
        Redirect::to(&format!("{}{path}", self.base)).into_response()
    }

    /// Whether they may see the pit board.
    pub(crate) fn sees_pit(&self) -> bool {
        self.actor.may(Duty::PitSupervisor)
    }
}

/// The name of a player or a member of staff.
pub(crate) fn name_of(actor: &Actor) -> Option<&str> {
    match actor {
        Actor::Player { id } => Some(id.as_str()),
        Actor::Staff { id, .. } => Some(id.as_str()),
        Actor::House | Actor::Public => None,
    }
}

/// The session cookie for addresses that begin with `base`.
pub(crate) fn session_cookie(base: &str, secret: &str, tls: bool) -> String {
    cookie_header(&cookie_name(base), "/", secret, SESSION_SECONDS, tls)
}

/// Deletes the session cookie.
pub(crate) fn delete_session_cookie(base: &str, tls: bool) -> String {
    cookie_header(&cookie_name(base), "/", "", 0, tls)
}

/// Prefix of the cookie that stores a person's coach lesson, followed by their name. It contains only cards, and only the page of its game
/// gets it.
const LESSON_COOKIE_PREFIX: &str = "baize-coach.";
const LESSON_SECONDS: u32 = 365 * 24 * 60 * 60;

/// The lesson stored in the browser for the requested page.
pub(crate) fn stored_lesson<'a>(headers: &'a HeaderMap, visitor: &Visitor) -> Option<&'a str> {
    let name = format!("{LESSON_COOKIE_PREFIX}{}", visitor.name().unwrap_or_default());
    cookies(headers).find(|(of, _)| *of == name).map(|(_, lesson)| lesson)
}

/// A cookie that stores a lesson for the page at this path.
pub(crate) fn lesson_cookie(visitor: &Visitor, path: &str, lesson: &str) -> String {
    let name = format!("{LESSON_COOKIE_PREFIX}{}", visitor.name().unwrap_or_default());
    cookie_header(&name, path, lesson, LESSON_SECONDS, visitor.encrypted)
}

fn cookie_name(base: &str) -> String {
    match base.strip_prefix("/as/") {
        Some(name) => format!("{OTHER_COOKIE_PREFIX}{name}"),
        None => FIRST_COOKIE.to_owned(),
    }
}

fn cookie_header(name: &str, path: &str, value: &str, seconds: u32, tls: bool) -> String {
    let secure = if tls { "; Secure" } else { "" };
    format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

/// The CSRF token of a session. The secret cannot be computed from it.
fn csrf_token(secret: &str) -> String {
    hex(&Sha256::digest(format!("form:{secret}").as_bytes())[..16])
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares two strings in constant time.
pub(crate) fn constant_time_eq(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

/// Whether the request comes from a page of this server: same scheme, host and port. Browsers say so with every state change; a request that
/// does not say is not from a browser.
pub(crate) fn is_same_origin(headers: &HeaderMap, encrypted: bool) -> bool {
    let ours = if encrypted { "https" } else { "http" };
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = text("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let origin = text("origin").is_none_or(|origin| {
        let host = text("host").unwrap_or("?");
        origin
            .split_once("://")
            .is_some_and(|(scheme, of)| scheme.eq_ignore_ascii_case(ours) && of.eq_ignore_ascii_case(host))
    });
    site && origin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_same_origin_requests_are_accepted() {
        let ours = |pairs: &[(&'static str, &'static str)]| is_same_origin(&headers(pairs), false);
        assert!(ours(&[("host", "localhost:8080"), ("origin", "http://localhost:8080")]));
        assert!(ours(&[("host", "localhost:8080"), ("sec-fetch-site", "same-origin")]));
        assert!(ours(&[("host", "localhost:8080")]));
        assert!(!ours(&[("host", "localhost:8080"), ("origin", "http://localhost:9090")]));
        assert!(!ours(&[("host", "localhost:8080"), ("origin", "null")]));
        let https = [("host", "casino.test"), ("origin", "https://casino.test")];
        assert!(!ours(&https) && is_same_origin(&headers(&https), true), "the scheme is part of the origin");
        assert!(!is_same_origin(
            &headers(&[("host", "casino.test"), ("origin", "http://casino.test")]),
            true
        ));
        assert!(!ours(&[("host", "localhost:8080"), ("sec-fetch-site", "cross-site")]));
        assert!(!ours(&[("host", "localhost:8080"), ("sec-fetch-site", "same-site")]));
    }

    #[test]
    fn session_cookies_are_http_only_strict_and_secure() {
        let cookie = session_cookie("/as/ann", "secret", true);
        for part in ["baize.ann=secret", "HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(!session_cookie("/as/ann", "secret", false).contains("Secure"));
    }

    #[test]
    fn the_csrf_token_does_not_contain_the_secret() {
        assert_ne!(csrf_token("secret"), csrf_token("other"));
        assert!(!csrf_token("secret").contains("secret"));
        assert!(
            constant_time_eq("abc", "abc")
                && !constant_time_eq("abc", "abd")
                && !constant_time_eq("abc", "ab")
        );
    }
}
