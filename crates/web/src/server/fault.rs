//! What is answered when something cannot be done: a page for people, JSON for programs, and never more than the house says.
//!
//! A handler returns a [`Fault`]; it travels in the answer and [`dress`] gives it the shape that the request asked for. The cause of
//! a server error goes to the log, without addresses or bodies, which may hold secrets.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::HouseError;
use baize_report::{ReportError, ReportFault};
use serde_json::json;

use super::visitor::Visitor;
use crate::pages::login;
use crate::pages::model::Shell;

/// Why a request was not carried out. Nothing has changed, except where that is not known.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// The house said no.
    House(HouseError),
    /// A report that cannot be made as it was asked for.
    Report(ReportFault),
    /// No such page.
    NoPage,
    /// The request cannot be read: what is wrong with it.
    Unreadable(String),
    /// The body is too large.
    TooLarge,
    /// The body takes too long.
    Slow,
    /// Not that method.
    Method,
    /// A state change that does not come from a page of ours.
    Forged,
    /// The form was made for something that is over. Where to look instead.
    Stale(String),
    /// Too many requests: how many seconds to wait.
    TooMany(u32),
    /// The program failed. Which way is in the log.
    Broken,
}

impl From<HouseError> for Fault {
    fn from(error: HouseError) -> Fault {
        Fault::House(error)
    }
}

impl From<ReportError> for Fault {
    fn from(error: ReportError) -> Fault {
        match error {
            ReportError::Asked(fault) => Fault::Report(fault),
            ReportError::House(error) => Fault::House(error),
        }
    }
}

impl From<baize_house::NameFault> for Fault {
    fn from(fault: baize_house::NameFault) -> Fault {
        Fault::House(fault.into())
    }
}

impl Fault {
    pub(crate) fn unreadable(what: impl Into<String>) -> Fault {
        Fault::Unreadable(what.into())
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Fault::House(error) => status_of(error),
            Fault::NoPage => StatusCode::NOT_FOUND,
            Fault::Report(_) | Fault::Unreadable(_) => StatusCode::BAD_REQUEST,
            Fault::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Fault::Slow => StatusCode::REQUEST_TIMEOUT,
            Fault::Method => StatusCode::METHOD_NOT_ALLOWED,
            Fault::Forged => StatusCode::FORBIDDEN,
            Fault::Stale(_) => StatusCode::CONFLICT,
            Fault::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Fault::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Fault::House(error) => error.code(),
            Fault::Report(_) => "report",
            Fault::NoPage => "no-page",
            Fault::Unreadable(_) => "unreadable",
            Fault::TooLarge => "too-large",
            Fault::Slow => "slow",
            Fault::Method => "method",
            Fault::Forged => "forged",
            Fault::Stale(_) => "stale",
            Fault::TooMany(_) => "too-many",
            Fault::Broken => "broken",
        }
    }

    /// In one sentence.
    pub(crate) fn words(&self) -> String {
        match self {
            Fault::House(error @ HouseError::Unavailable(_)) => {
                format!("{error}; nothing was changed, send it again")
            }
            Fault::House(error) => error.to_string(),
            Fault::Report(fault) => fault.to_string(),
            Fault::NoPage => "there is nothing at this address".to_owned(),
            Fault::Unreadable(what) => what.clone(),
            Fault::TooLarge => "the request is too large: nothing that this casino reads is".to_owned(),
            Fault::Slow => "the request took too long to arrive: nothing was done".to_owned(),
            Fault::Method => "this address does not answer to this method".to_owned(),
            Fault::Forged => {
                "the form has no good token: load the page again and send it from there".to_owned()
            }
            Fault::Stale(_) => {
                "the table has gone on since this page was made: nothing was done; look at it as it is now"
                    .to_owned()
            }
            Fault::TooMany(seconds) => format!("too many requests: wait {seconds} s"),
            Fault::Broken => "the program failed: look whether it was done before you ask again".to_owned(),
        }
    }

    /// The paragraphs behind it.
    fn paragraphs(&self) -> Vec<String> {
        let cites = match self {
            Fault::House(HouseError::Refused(refusal)) => refusal.cites,
            Fault::House(HouseError::Forbidden { cites, .. }) => *cites,
            Fault::House(_)
            | Fault::Report(_)
            | Fault::NoPage
            | Fault::Unreadable(_)
            | Fault::TooLarge
            | Fault::Slow
            | Fault::Method
            | Fault::Forged
            | Fault::Stale(_)
            | Fault::TooMany(_)
            | Fault::Broken => return Vec::new(),
        };
        cites.iter().map(|paragraph| paragraph.to_string()).collect()
    }

    /// As programs get it.
    pub(crate) fn json(&self) -> serde_json::Value {
        let mut error =
            json!({ "code": self.code(), "message": self.words(), "paragraphs": self.paragraphs() });
        if let Fault::House(HouseError::Stale { now, .. }) = self {
            error["version"] = json!(now);
        }
        if let Fault::House(HouseError::NotKnown { id, .. }) = self {
            error["id"] = json!(id);
        }
        json!({ "error": error })
    }
}

fn status_of(error: &HouseError) -> StatusCode {
    match error {
        HouseError::Conflict { .. }
        | HouseError::Stale { .. }
        | HouseError::NameTaken(_)
        | HouseError::CommandReused(_) => StatusCode::CONFLICT,
        HouseError::Forbidden { .. }
        | HouseError::NotYourBox { .. }
        | HouseError::NotYourRound
        | HouseError::Apart(_)
        | HouseError::NotTwoPersons(_)
        | HouseError::NotAssigned(_) => StatusCode::FORBIDDEN,
        HouseError::NotLoggedIn | HouseError::WrongPassword => StatusCode::UNAUTHORIZED,
        HouseError::Locked { .. } | HouseError::Suspended => StatusCode::LOCKED,
        HouseError::LinkSpent => StatusCode::GONE,
        HouseError::UnknownTable(_)
        | HouseError::UnknownPlayer(_)
        | HouseError::UnknownStaff(_)
        | HouseError::UnknownJackpot(_)
        | HouseError::UnknownRound(_)
        | HouseError::UnknownRulebook(_) => StatusCode::NOT_FOUND,
        HouseError::JackpotAway { .. } | HouseError::Unavailable(_) | HouseError::Behind(_) => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        HouseError::NotKnown { .. } => StatusCode::GATEWAY_TIMEOUT,
        HouseError::Newer { .. }
        | HouseError::Older { .. }
        | HouseError::NoDatabase(_)
        | HouseError::InUse(_)
        | HouseError::Corrupt(_)
        | HouseError::NotACasino(_)
        | HouseError::DatabaseAddress(_)
        | HouseError::DatabaseOption(_)
        | HouseError::Key(_) => StatusCode::INTERNAL_SERVER_ERROR,
        HouseError::Refused(_)
        | HouseError::NotNow(_)
        | HouseError::Chip { .. }
        | HouseError::OwnLimit(_)
        | HouseError::OtherMoney { .. }
        | HouseError::RulebookGone { .. }
        | HouseError::Rulebook(_)
        | HouseError::Name(_)
        | HouseError::Purse { .. }
        | HouseError::PurseOf { .. }
        | HouseError::Practice(_)
        | HouseError::Owes { .. }
        | HouseError::Amount(_)
        | HouseError::SetUp(_)
        | HouseError::Jackpot { .. }
        | HouseError::Console(_)
        | HouseError::Hidden
        | _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

/// The fault travels with the answer until [`dress`] writes it.
impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// How the request wants to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// As JSON.
    Json,
    /// As a live region of the page that is open.
    Region,
    /// As a page.
    Page,
}

/// Writes a fault in the shape that the request asked for. A visitor who must log in is redirected to the log-in page.
pub(crate) fn dress(
    response: Response,
    told: Told,
    visitor: &Visitor,
    shell: &Shell,
    address: &str,
) -> Response {
    let fault = match response.extensions().get::<Fault>() {
        Some(fault) => fault.clone(),
        None => match response.status() {
            StatusCode::NOT_FOUND if bare(&response) => Fault::NoPage,
            StatusCode::METHOD_NOT_ALLOWED if bare(&response) => Fault::Method,
            StatusCode::PAYLOAD_TOO_LARGE => Fault::TooLarge,
            _ => return response,
        },
    };
    let status = fault.status();
    if status.is_server_error() {
        eprintln!("baize: {}: {}", fault.code(), fault.words());
    }
    let forged = matches!(fault, Fault::Forged);
    let log_in = visitor.actor == baize_house::Actor::Public
        && (status == StatusCode::UNAUTHORIZED
            || (status == StatusCode::FORBIDDEN && (visitor.expired || !forged)));
    let mut dressed = match told {
        Told::Json => (status, Json(fault.json())).into_response(),
        Told::Page if log_in => Redirect::to(&format!("/login?next={}", encoded(address))).into_response(),
        Told::Region if log_in => {
            let words = "Your session has ended: log in again.";
            (StatusCode::UNAUTHORIZED, html(&login::refusal(words))).into_response()
        }
        Told::Region => (status, html(&login::refusal(&sentence(&fault.words())))).into_response(),
        Told::Page => {
            let (title, go) = if let Fault::Stale(place) = &fault {
                ("The table has gone on", (place.as_str(), "To the table as it is now"))
            } else {
                (title(status), ("/", "To the tables"))
            };
            let page = login::error(shell, status.as_u16(), title, &sentence(&fault.words()), go);
            (status, html(&page)).into_response()
        }
    };
    if let Fault::TooMany(seconds) | Fault::House(HouseError::Locked { wait_seconds: seconds }) = fault {
        dressed.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if told == Told::Json && status == StatusCode::UNAUTHORIZED {
        dressed.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    dressed
}

/// Without a body of its own.
fn bare(response: &Response) -> bool {
    !response.headers().contains_key(header::CONTENT_TYPE)
}

/// Markup as an answer.
pub(crate) fn html(markup: &maud::Markup) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], markup.0.clone()).into_response()
}

/// What happened, in two or three words.
const fn title(status: StatusCode) -> &'static str {
    match status.as_u16() {
        403 => "Not allowed",
        404 => "Not found",
        413 => "Too large",
        423 => "Locked",
        429 => "Too many requests",
        504 => "It is not known whether that was done",
        500.. => "Something failed",
        _ => "That was not done",
    }
}

/// A sentence begins with a capital and ends with a full stop.
pub(crate) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let stop = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// A text as part of a query.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        out
    })
}
