//! What requests bring: forms, JSON, queries. Whatever cannot be read is a fault that says what is wrong; a form is read only with
//! its token.

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
use super::visitor::{Credential, Visitor, hex, same};

/// Who sends the request.
impl FromRequestParts<App> for Visitor {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Visitor, Fault> {
        parts.extensions.get::<Visitor>().cloned().ok_or(Fault::Broken)
    }
}

async fn bytes(request: Request, app: &App) -> Result<Bytes, Fault> {
    let limit = app.config.body_bytes;
    let patience = std::time::Duration::from_secs(app.config.body_seconds);
    let read = axum::body::to_bytes(request.into_body(), limit);
    tokio::time::timeout(patience, read).await.map_err(|_| Fault::Slow)?.map_err(|_| Fault::TooLarge)
}

/// A form that a page of ours sent: its token has been checked.
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
        let kind = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        if !kind.starts_with("application/x-www-form-urlencoded") {
            return Err(Fault::unreadable("a form comes as application/x-www-form-urlencoded"));
        }
        let body = bytes(request, app).await?;
        let form = Form { fields: pairs(&body), path };
        if visitor.credential != Credential::Bearer && !same(form.text("csrf"), &visitor.csrf) {
            return Err(Fault::Forged);
        }
        Ok(form)
    }
}

/// Name and value pairs. Bytes that are not UTF-8 become replacement characters, which no field accepts.
fn pairs(body: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(body).into_owned().collect()
}

impl Form {
    /// A form without fields.
    pub(crate) const fn empty() -> Form {
        Form { fields: Vec::new(), path: String::new() }
    }

    /// A field; empty when it is absent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.fields.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// All fields, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// All values of a field that comes several times.
    pub(crate) fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Whether the field is there with something in it.
    pub(crate) fn has(&self, name: &str) -> bool {
        !self.text(name).is_empty()
    }

    /// A field that must be readable.
    pub(crate) fn read<T: FromStr>(&self, name: &str) -> Result<T, Fault> {
        let text = self.text(name);
        let short: String = text.chars().take(40).collect();
        text.trim().parse().map_err(|_| Fault::unreadable(format!("the field `{name}` cannot be `{short}`")))
    }

    /// A field that may be empty.
    pub(crate) fn maybe<T: FromStr>(&self, name: &str) -> Result<Option<T>, Fault> {
        if self.text(name).trim().is_empty() { Ok(None) } else { self.read(name).map(Some) }
    }

    /// Nothing but these fields, each at most once: whatever else was meant would be ignored.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), Fault> {
        for (at, (name, _)) in self.fields.iter().enumerate() {
            let short: String = name.chars().take(40).collect();
            if !known.contains(&name.as_str()) {
                let known = known.join(", ");
                return Err(Fault::unreadable(format!("there is no parameter `{short}`: there are {known}")));
            }
            if self.fields.iter().take(at).any(|(before, _)| before == name) {
                return Err(Fault::unreadable(format!("the parameter `{short}` was given twice")));
            }
        }
        Ok(())
    }

    /// A field that may be empty, of a kind that says itself what would be right.
    pub(crate) fn given<T>(&self, name: &str) -> Result<Option<T>, Fault>
    where
        T: FromStr<Err: std::fmt::Display>,
    {
        let text = self.text(name);
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|why| Fault::unreadable(format!("`{name}`: {why}")))
    }

    /// What the form asks for, in its field `do`.
    pub(crate) fn deed<T: FromStr>(&self) -> Result<T, Fault> {
        self.text("do").parse().map_err(|_| Fault::unreadable("the form does not say what to do"))
    }

    /// An amount; nothing when it is empty.
    pub(crate) fn money(&self, name: &str) -> Result<Money, Fault> {
        Ok(self.maybe::<Money>(name)?.unwrap_or(Money::ZERO))
    }

    /// The id of the command that the form stands for: the page's id and what the form says. A form that is sent twice is one
    /// command; two forms of one page are two.
    pub(crate) fn command(&self, part: &str) -> Result<CommandId, Fault> {
        let id: CommandId = self.read("id")?;
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

/// A body in JSON. A browser cannot send one from another site without asking, and with a cookie it needs the token too.
#[derive(Debug, Clone)]
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &App) -> Result<JsonBody<T>, Fault> {
        let kind = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        if !kind.starts_with("application/json") {
            return Err(Fault::unreadable("the body must come as application/json"));
        }
        let body = bytes(request, app).await?;
        serde_json::from_slice(&body)
            .map(JsonBody)
            .map_err(|error| Fault::unreadable(format!("the body cannot be read: {error}")))
    }
}

/// A body in JSON that may be left out.
#[derive(Debug, Clone)]
pub(crate) struct JsonIfAny<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequest<App> for JsonIfAny<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &App) -> Result<JsonIfAny<T>, Fault> {
        if !request.headers().contains_key(header::CONTENT_TYPE) {
            let body = bytes(request, app).await?;
            let told = || Fault::unreadable("the body must come as application/json");
            return body.is_empty().then(|| JsonIfAny(T::default())).ok_or_else(told);
        }
        JsonBody::from_request(request, app).await.map(|JsonBody(body)| JsonIfAny(body))
    }
}

/// The fields of the query.
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
        assert_eq!(form.texts("a").count(), 2);
        assert!(form.read::<u8>("a").is_err());
    }

    #[test]
    fn a_form_sent_twice_is_one_command_and_two_forms_are_two() {
        let id = |body: &str| form(body).command("").unwrap();
        assert_eq!(id("id=p1&do=fold&seat=1"), id("id=p1&csrf=x&do=fold&seat=1"));
        assert_ne!(id("id=p1&do=fold&seat=1"), id("id=p1&do=check&seat=1"));
        assert_ne!(id("id=p1&do=fold&seat=1"), id("id=p2&do=fold&seat=1"));
        assert!(form("do=fold").command("").is_err());
        assert!(form("id=a%20b").command("").is_err());
    }
}
