//! Errors of requests: a page for people, JSON for programs, never more detail than the house gives.
//!
//! A handler returns a [`Fault`]; it travels in the response's extensions until [`render_fault`] writes it in the format that the request asked
//! for. The cause of a server error is logged, without URLs or bodies, which may contain secrets.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::HouseError;
use baize_report::{ReportError, ReportFault};
use serde_json::json;

use super::visitor::Visitor;
use crate::pages::login;
use crate::pages::shell::Shell;

/// Why a request was not carried out. Nothing has changed, unless the fault says that this is not known.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// The house refused or failed.
    House(HouseError),
    /// A report cannot be made with these parameters.
    Report(ReportFault),
    /// No such page.
    NoPage,
    /// The request is not valid; says why.
    Unreadable(String),
    /// The body is too large.
    TooLarge,
    /// The body took too long to arrive.
    Slow,
    /// The address does not support the method.
    Method,
    /// A state change without a valid CSRF token, or from another site.
    Forged,
    /// The form was made for an earlier state of the table. Contains the path of the current page.
    Stale(String),
    /// Too many requests; says how many seconds to wait.
    TooMany(u32),
    /// An internal error; the cause is in the log.
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

/// The result of a page's handler.
pub(crate) type PageResult = Result<Response, Fault>;

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

    /// The message, in one sentence without a capital or full stop.
    pub(crate) fn words(&self) -> String {
        match self {
            Fault::House(error @ HouseError::Unavailable(_)) => {
                format!("{error}; nothing was changed, try again")
            }
            Fault::House(error) => error.to_string(),
            Fault::Report(fault) => fault.to_string(),
            Fault::NoPage => "there is no page at this address".to_owned(),
            Fault::Unreadable(what) => what.clone(),
            Fault::TooLarge => "the request is too large".to_owned(),
            Fault::Slow => "the request took too long to arrive; nothing was done".to_owned(),
            Fault::Method => "this address does not support this method".to_owned(),
            Fault::Forged => {
                "the form's token is missing or out of date: reload the page and try again".to_owned()
            }
            Fault::Stale(_) => {
                "the table has moved on since this page was loaded; nothing was done. Check the table before you try again"
                    .to_owned()
            }
            Fault::TooMany(seconds) => format!("too many requests: wait {seconds} s"),
            Fault::Broken => "internal error: check whether it was done before you try again".to_owned(),
        }
    }

    /// The message as a sentence for people.
    pub(crate) fn sentence(&self) -> String {
        sentence(&self.words())
    }

    /// A page that shows the fault beside its form, with the fault's status.
    pub(crate) fn with_page(&self, page: &maud::Markup) -> Response {
        (self.status(), html(page)).into_response()
    }

    /// The paragraphs that it cites.
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

    /// The body of the API's answer.
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

/// The fault travels in the response's extensions until [`render_fault`] writes it.
impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// The format in which a request expects faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultFormat {
    /// JSON.
    Json,
    /// A live region of the open page.
    Region,
    /// A page.
    Page,
}

/// Writes the response's fault, if it has one, in this format. A visitor who must log in is redirected to the log-in page.
pub(crate) fn render_fault(
    response: Response,
    format: FaultFormat,
    visitor: &Visitor,
    shell: &Shell,
    path: &str,
) -> Response {
    let fault = match response.extensions().get::<Fault>() {
        Some(fault) => fault.clone(),
        None => match response.status() {
            StatusCode::NOT_FOUND if has_no_body(&response) => Fault::NoPage,
            StatusCode::METHOD_NOT_ALLOWED if has_no_body(&response) => Fault::Method,
            StatusCode::PAYLOAD_TOO_LARGE => Fault::TooLarge,
            _ => return response,
        },
    };
    let status = fault.status();
    let forged = matches!(fault, Fault::Forged);
    let must_log_in = visitor.actor == baize_house::Actor::Public
        && (status == StatusCode::UNAUTHORIZED
            || (status == StatusCode::FORBIDDEN && (visitor.expired || !forged)));
    let mut rendered = match format {
        FaultFormat::Json => (status, Json(fault.json())).into_response(),
        FaultFormat::Page if must_log_in => {
            Redirect::to(&format!("/login?next={}", encoded(path))).into_response()
        }
        FaultFormat::Region if must_log_in => {
            let words = "Your session has ended: log in again.";
            (StatusCode::UNAUTHORIZED, html(&login::refusal(words))).into_response()
        }
        FaultFormat::Region => (status, html(&login::refusal(&fault.sentence()))).into_response(),
        FaultFormat::Page => {
            let (title, link) = if let Fault::Stale(path) = &fault {
                ("The table has moved on", (path.as_str(), "Show the table"))
            } else {
                (title(status), ("/", "To the tables"))
            };
            let page = login::error(shell, status.as_u16(), title, &fault.sentence(), link);
            (status, html(&page)).into_response()
        }
    };
    if let Fault::TooMany(seconds) | Fault::House(HouseError::Locked { wait_seconds: seconds }) = &fault {
        rendered.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(*seconds));
    }
    if format == FaultFormat::Json && status == StatusCode::UNAUTHORIZED {
        rendered.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    // For the log.
    rendered.extensions_mut().insert(fault);
    rendered
}

fn has_no_body(response: &Response) -> bool {
    !response.headers().contains_key(header::CONTENT_TYPE)
}

/// A page as a response.
pub(crate) fn html(markup: &maud::Markup) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], markup.0.clone()).into_response()
}

/// The heading of an error page.
const fn title(status: StatusCode) -> &'static str {
    match status.as_u16() {
        403 => "Not allowed",
        404 => "Not found",
        413 => "Too large",
        423 => "Locked",
        429 => "Too many requests",
        504 => "Outcome not known yet",
        500.. => "Something went wrong",
        _ => "Not done",
    }
}

/// Adds a capital and a full stop.
pub(crate) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let stop = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// Percent-encodes a text for a query.
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
