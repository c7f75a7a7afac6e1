//! Extractors: forms (with their CSRF token checked), JSON bodies, queries. Invalid input is a fault that says what is wrong.

use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{header, request::Parts};
use baize_house::CommandId;
use baize_rules::Money;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::app::App;
use super::fault::Fault;
use super::visitor::{Credential, Visitor, constant_time_eq, hex};

/// The sender, as the middleware identified them.
impl FromRequestParts<App> for Visitor {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Visitor, Fault> {
        parts.extensions.get::<Visitor>().cloned().ok_or(Fault::Broken)
    }
}

async fn read_body(request: Request, app: &App) -> Result<Bytes, Fault> {
    let limit = app.config.body_bytes;
    let timeout = std::time::Duration::from_secs(app.config.body_seconds);
    let read = axum::body::to_bytes(request.into_body(), limit);
    tokio::time::timeout(timeout, read).await.map_err(|_| Fault::Slow)?.map_err(|_| Fault::TooLarge)
}

/// A form whose CSRF token has been checked.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    fields: Vec<(String, String)>,
    path: String,
}

impl FromRequest<App> for Form {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &App) -> Result<Form, Fault> {
        let visitor = request.extensions().get::<Visitor>().cloned().ok_or(Fault::Broken)?;
        let path = request.uri().path().to_owned();
        if !has_content_type(&request, "application/x-www-form-urlencoded") {
            return Err(Fault::unreadable(
                "the content type of a form must be application/x-www-form-urlencoded",
            ));
        }
        let body = read_body(request, app).await?;
        let form = Form { fields: pairs(&body), path };
        if visitor.credential != Credential::Bearer && !constant_time_eq(form.text("csrf"), &visitor.csrf) {
            return Err(Fault::Forged);
        }
        Ok(form)
    }
}

/// Name and value pairs. Bytes that are not UTF-8 become replacement characters, which no field accepts.
fn pairs(body: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(body).into_owned().collect()
}

fn has_content_type(request: &Request, wanted: &str) -> bool {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.is_some_and(|content_type| content_type.starts_with(wanted))
}

fn not_json() -> Fault {
    Fault::unreadable("the content type of the body must be application/json")
}

/// User input, shortened for a message.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Form {
    /// A form with no fields.
    pub(crate) const fn empty() -> Form {
        Form { fields: Vec::new(), path: String::new() }
    }

    /// The value of a field; empty if it is missing.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.fields.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// All fields, in order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// All values of a repeated field.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Whether the field is present and not empty.
    pub(crate) fn has(&self, name: &str) -> bool {
        !self.text(name).is_empty()
    }

    /// A required field.
    pub(crate) fn required<T: FromStr>(&self, name: &str) -> Result<T, Fault> {
        let text = self.text(name);
        let invalid =
            || Fault::unreadable(format!("`{}` is not valid for the field `{name}`", shortened(text)));
        text.trim().parse().map_err(|_| invalid())
    }

    /// An optional field; blank counts as missing.
    pub(crate) fn optional<T: FromStr>(&self, name: &str) -> Result<Option<T>, Fault> {
        if self.text(name).trim().is_empty() { Ok(None) } else { self.required(name).map(Some) }
    }

    /// An optional field whose type explains what is wrong with a value.
    pub(crate) fn optional_explained<T>(&self, name: &str) -> Result<Option<T>, Fault>
    where
        T: FromStr<Err: std::fmt::Display>,
    {
        let text = self.text(name);
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|why| Fault::unreadable(format!("`{name}`: {why}")))
    }

    /// Fails on unknown and on repeated fields, which would otherwise be ignored.
    pub(crate) fn reject_unknown(&self, known: &[&str]) -> Result<(), Fault> {
        for (at, (name, _)) in self.fields.iter().enumerate() {
            let short = shortened(name);
            if !known.contains(&name.as_str()) {
                let known = known.join(", ");
                return Err(Fault::unreadable(format!("unknown parameter `{short}`; use {known}")));
            }
            if self.fields.iter().take(at).any(|(before, _)| before == name) {
                return Err(Fault::unreadable(format!("the parameter `{short}` was given twice")));
            }
        }
        Ok(())
    }

    /// The action that the form asks for, in its field `do`.
    pub(crate) fn action<T: FromStr>(&self) -> Result<T, Fault> {
        self.text("do").parse().map_err(|_| Fault::unreadable("the form does not say what to do"))
    }

    /// An amount; zero if the field is blank.
    pub(crate) fn money(&self, name: &str) -> Result<Money, Fault> {
        Ok(self.optional::<Money>(name)?.unwrap_or(Money::ZERO))
    }

    /// The idempotency key of the form: the page's id with a hash of the fields. The same form sent twice is one command; two forms of one page
    /// are two. `part` distinguishes several commands of one form.
    pub(crate) fn command_id(&self, part: &str) -> Result<CommandId, Fault> {
        let id: CommandId = self.required("id")?;
        let mut hash = Sha256::new();
        hash.update(self.path.as_bytes());
        for (name, value) in self.fields.iter().filter(|(name, _)| !matches!(name.as_str(), "csrf" | "id")) {
            hash.update(format!("\n{}:{name}={}:{value}", name.len(), value.len()).as_bytes());
        }
        hash.update(format!("\n{part}").as_bytes());
        let page: String = id.as_str().chars().take(32).collect();
        Ok(format!("{page}-{}", hex(&hash.finalize()[..12])).parse()?)
    }
}

/// A JSON body. Another site cannot make a browser send one without a CORS preflight, and with a cookie the CSRF token is needed too.
#[derive(Debug, Clone)]
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &App) -> Result<JsonBody<T>, Fault> {
        if !has_content_type(&request, "application/json") {
            return Err(not_json());
        }
        let body = read_body(request, app).await?;
        serde_json::from_slice(&body)
            .map(JsonBody)
            .map_err(|error| Fault::unreadable(format!("the body is not valid: {error}")))
    }
}

/// An optional JSON body; the default if there is none.
#[derive(Debug, Clone)]
pub(crate) struct OptionalJson<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequest<App> for OptionalJson<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &App) -> Result<OptionalJson<T>, Fault> {
        if !request.headers().contains_key(header::CONTENT_TYPE) {
            let body = read_body(request, app).await?;
            return body.is_empty().then(|| OptionalJson(T::default())).ok_or_else(not_json);
        }
        JsonBody::from_request(request, app).await.map(|JsonBody(body)| OptionalJson(body))
    }
}

/// The query string.
#[derive(Debug, Clone)]
pub(crate) struct Query(pub(crate) Form);

impl FromRequestParts<App> for Query {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Query, Self::Rejection> {
        Ok(Query(Form {
            fields: pairs(parts.uri.query().unwrap_or_default().as_bytes()),
            path: String::new(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(body: &str) -> Form {
        Form { fields: pairs(body.as_bytes()), path: "/table/rh-1/do".to_owned() }
    }

    #[test]
    fn fields_are_decoded() {
        let form = form("a=1+2&b=%C3%A9%zz&c&a=x&=y&d=%ff");
        assert_eq!(form.text("a"), "1 2");
        assert_eq!(form.text("b"), "é%zz");
        assert_eq!(form.text("c"), "");
        assert_eq!(form.values("a").count(), 2);
        assert!(form.required::<u8>("a").is_err());
    }

    #[test]
    fn the_same_form_twice_is_one_command_and_two_forms_are_two() {
        let id = |body: &str| form(body).command_id("").unwrap();
        assert_eq!(id("id=p1&do=fold&seat=1"), id("id=p1&csrf=x&do=fold&seat=1"));
        assert_ne!(id("id=p1&do=fold&seat=1"), id("id=p1&do=check&seat=1"));
        assert_ne!(id("id=p1&do=fold&seat=1"), id("id=p2&do=fold&seat=1"));
        assert!(form("do=fold").command_id("").is_err());
        assert!(form("id=a%20b").command_id("").is_err());
    }
}
