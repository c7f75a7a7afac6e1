//! Who sends a request: the session behind its cookie or bearer token, and the token that their forms must bring back.
//!
//! Several people may share one browser: the first has the plain addresses, each further one their own cookie and their own
//! addresses, which begin with `/as/NAME`. A cookie is HttpOnly and SameSite=Strict, and Secure with TLS; its value is the session's secret,
//! which is never put on a page. The token of forms is a hash of it.

use axum::http::{HeaderMap, header};
use baize_house::{Actor, CommandId, Duty, House, HouseError};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

use crate::pages::model::Theme;

/// The cookie of the first person of a browser.
const FIRST: &str = "baize";
/// The beginning of the cookie's name of a further person; the rest is their name.
const FURTHER: &str = "baize.";
/// The cookie of a visitor who is not logged in: only their forms depend on it.
const PASSER_BY: &str = "baize-visitor";
const SESSION_SECONDS: u32 = 12 * 60 * 60;

/// What identifies the sender of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credential {
    /// Nothing: the sender is the public.
    Nothing,
    /// A cookie, which a browser sends by itself: forms need their token.
    Cookie,
    /// A bearer token, which no browser sends by itself.
    Bearer,
}

/// Who sends the request.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    /// Who they are in the house.
    pub(crate) actor: Actor,
    /// What identified them.
    pub(crate) credential: Credential,
    /// The session's secret, to end it.
    pub(crate) secret: Option<String>,
    /// Their addresses begin with this: empty or `/as/NAME`.
    pub(crate) base: String,
    /// What their forms must bring back.
    pub(crate) csrf: String,
    /// Light or dark.
    pub(crate) theme: Theme,
    /// The session of the first person of this browser.
    pub(crate) first: Option<String>,
    /// Names of the further people of this browser.
    pub(crate) people: Vec<String>,
    /// A cookie to give them with the answer.
    pub(crate) give: Option<String>,
    /// Their session has ended or never was, though their address says who they are.
    pub(crate) expired: bool,
    /// The browser speaks TLS, with this server or with a proxy of the house: cookies are for TLS only.
    pub(crate) encrypted: bool,
}

impl Visitor {
    /// A visitor about whom nothing is known yet.
    pub(crate) fn nobody(name: Option<&str>) -> Visitor {
        Visitor {
            actor: Actor::Public,
            credential: Credential::Nothing,
            secret: None,
            base: name.map(|name| format!("/as/{name}")).unwrap_or_default(),
            csrf: String::new(),
            theme: Theme::System,
            first: None,
            people: Vec::new(),
            give: None,
            expired: false,
            encrypted: false,
        }
    }

    /// Finds out who sends a request to an address of `name`'s.
    pub(crate) async fn of(
        house: &House,
        headers: &HeaderMap,
        name: Option<&str>,
        encrypted: bool,
    ) -> Result<Visitor, HouseError> {
        let cookies: Vec<(&str, &str)> = cookies(headers).collect();
        let cookie = |name: &str| cookies.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
        let theme = Theme::from_cookie(cookie("theme").unwrap_or_default());
        let further = cookies.iter().filter_map(|(n, _)| n.strip_prefix(FURTHER));
        let mut visitor = Visitor {
            theme,
            first: cookie(FIRST).map(ToOwned::to_owned),
            people: further.map(ToOwned::to_owned).collect(),
            encrypted,
            ..Visitor::nobody(name)
        };
        if let Some(secret) = bearer(headers) {
            visitor.actor = house.session(secret).await?;
            visitor.credential = Credential::Bearer;
            visitor.secret = Some(secret.to_owned());
            return Ok(visitor);
        }
        let secret = match name {
            Some(name) => cookie(&format!("{FURTHER}{name}")),
            None => cookie(FIRST),
        };
        if let Some(secret) = secret {
            match house.session(secret).await {
                Ok(actor) if name.is_none() || name_of(&actor) == name => {
                    visitor.actor = actor;
                    visitor.credential = Credential::Cookie;
                    visitor.csrf = token_for(secret);
                    visitor.secret = Some(secret.to_owned());
                    return Ok(visitor);
                }
                Ok(_) | Err(HouseError::NotLoggedIn | HouseError::LinkSpent) => {}
                Err(other) => return Err(other),
            }
        }
        visitor.expired = name.is_some() || secret.is_some();
        let passer_by = match cookie(PASSER_BY).filter(|value| value.len() == 32) {
            Some(value) => value.to_owned(),
            None => {
                let value = CommandId::random().to_string();
                visitor.give = Some(set(PASSER_BY, "/", &value, SESSION_SECONDS, encrypted));
                value
            }
        };
        visitor.csrf = token_for(&passer_by);
        Ok(visitor)
    }

    /// Their name, if they have one.
    pub(crate) fn name(&self) -> Option<&str> {
        name_of(&self.actor)
    }

    /// Whether they may see the pit board.
    pub(crate) fn pit(&self) -> bool {
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

/// The log-in cookie for addresses that begin with `base`.
pub(crate) fn session_cookie(base: &str, secret: &str, tls: bool) -> String {
    set(&cookie_name(base), "/", secret, SESSION_SECONDS, tls)
}

/// The cookie that logs them out.
pub(crate) fn no_session_cookie(base: &str, tls: bool) -> String {
    set(&cookie_name(base), "/", "", 0, tls)
}

/// The prefix of the cookie that holds a person's lesson; the rest is their name. It holds cards and nothing else, and goes to the page of
/// its game alone.
const LESSON: &str = "baize-coach.";
const LESSON_SECONDS: u32 = 365 * 24 * 60 * 60;

/// The lesson that the sender's browser keeps for the page that it asks for.
pub(crate) fn kept_lesson<'a>(headers: &'a HeaderMap, visitor: &Visitor) -> Option<&'a str> {
    let name = format!("{LESSON}{}", visitor.name().unwrap_or_default());
    cookies(headers).find(|(of, _)| *of == name).map(|(_, lesson)| lesson)
}

/// The cookie that keeps a lesson for the page at this path.
pub(crate) fn lesson_cookie(visitor: &Visitor, path: &str, lesson: &str) -> String {
    let name = format!("{LESSON}{}", visitor.name().unwrap_or_default());
    set(&name, path, lesson, LESSON_SECONDS, visitor.encrypted)
}

fn cookie_name(base: &str) -> String {
    match base.strip_prefix("/as/") {
        Some(name) => format!("{FURTHER}{name}"),
        None => FIRST.to_owned(),
    }
}

fn set(name: &str, path: &str, value: &str, seconds: u32, tls: bool) -> String {
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

/// What forms of this session must bring back. The secret cannot be computed from it.
fn token_for(secret: &str) -> String {
    hex(&Sha256::digest(format!("form:{secret}").as_bytes())[..16])
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether two texts are the same, in constant time.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

/// Whether the request comes from a page of this server, by scheme, host and port. Browsers tell with every state change; what tells
/// nothing is no browser.
pub(crate) fn from_our_pages(headers: &HeaderMap, encrypted: bool) -> bool {
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
    fn only_our_own_pages_may_send_forms() {
        let ours = |pairs: &[(&'static str, &'static str)]| from_our_pages(&headers(pairs), false);
        assert!(ours(&[("host", "localhost:8080"), ("origin", "http://localhost:8080")]));
        assert!(ours(&[("host", "localhost:8080"), ("sec-fetch-site", "same-origin")]));
        assert!(ours(&[("host", "localhost:8080")]));
        assert!(!ours(&[("host", "localhost:8080"), ("origin", "http://localhost:9090")]));
        assert!(!ours(&[("host", "localhost:8080"), ("origin", "null")]));
        let https = [("host", "casino.test"), ("origin", "https://casino.test")];
        assert!(!ours(&https) && from_our_pages(&headers(&https), true), "the scheme is part of the origin");
        assert!(!from_our_pages(
            &headers(&[("host", "casino.test"), ("origin", "http://casino.test")]),
            true
        ));
        assert!(!ours(&[("host", "localhost:8080"), ("sec-fetch-site", "cross-site")]));
        assert!(!ours(&[("host", "localhost:8080"), ("sec-fetch-site", "same-site")]));
    }

    #[test]
    fn cookies_keep_scripts_and_strangers_out() {
        let cookie = session_cookie("/as/ann", "secret", true);
        for part in ["baize.ann=secret", "HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(!session_cookie("/as/ann", "secret", false).contains("Secure"));
    }

    #[test]
    fn the_token_of_forms_is_not_the_secret() {
        assert_ne!(token_for("secret"), token_for("other"));
        assert!(!token_for("secret").contains("secret"));
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("abc", "ab"));
    }
}
