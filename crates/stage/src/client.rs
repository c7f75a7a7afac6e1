//! A client of the casino's own server, without a socket: orders, views, pages, event streams.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::{Method, Request, StatusCode, header};
use baize_rules::{Cites, Paragraph};
use baize_script::Refused;
use baize_web::Casino;
use serde_json::Value;
use tokio_stream::StreamExt as _;
use tower::ServiceExt as _;

use crate::StageError;

/// How long an event stream may be silent when an event is due.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A client of the casino; without a token it is the public.
#[derive(Clone)]
pub(crate) struct Client {
    casino: Casino,
    token: Option<String>,
}

/// The answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) text: String,
}

impl Answer {
    /// The JSON body; null if it is not JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// Why the house refused, with the paragraphs.
    pub(crate) fn refused(&self) -> Refused {
        let error = &self.json()["error"];
        let paragraphs = error["paragraphs"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let cites: Cites = paragraphs.filter_map(|text| text.parse::<Paragraph>().ok()).collect();
        let why = error["message"].as_str().map_or_else(|| self.text.clone(), ToOwned::to_owned);
        Refused { why, cites }
    }
}

impl Client {
    pub(crate) const fn new(casino: Casino, token: Option<String>) -> Client {
        Client { casino, token }
    }

    async fn open(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<axum::response::Response, StageError> {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, "casino");
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let request = request.body(body).map_err(|error| StageError::Answer(error.to_string()))?;
        match self.casino.clone().oneshot(request).await {
            Ok(response) => Ok(response),
            Err(never) => match never {},
        }
    }

    /// Sends a request and reads the whole answer.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, StageError> {
        let response = self.open(method, path, body).await?;
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), 64 << 20)
            .await
            .map_err(|error| StageError::Answer(format!("{path}: {error}")))?;
        let text = String::from_utf8_lossy(&body).into_owned();
        if status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
            return Err(StageError::Answer(format!("{path} answers {status}: {text}")));
        }
        Ok(Answer { status, text })
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Answer, StageError> {
        self.send(Method::GET, path, None).await
    }

    /// Opens an event stream.
    pub(crate) async fn listen(&self, path: &str) -> Result<Listener, StageError> {
        let response = self.open(Method::GET, path, None).await?;
        if response.status() != StatusCode::OK {
            return Err(StageError::Answer(format!("{path} answers {}", response.status())));
        }
        Ok(Listener { body: Mutex::new(response.into_body().into_data_stream()), text: String::new() })
    }
}

/// An event stream being read.
pub(crate) struct Listener {
    /// Only its owner reads it; the mutex makes the type shareable.
    body: Mutex<BodyDataStream>,
    text: String,
}

impl Listener {
    /// The data of the next event.
    pub(crate) async fn next(&mut self) -> Result<String, StageError> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let data: Vec<&str> = event
                    .lines()
                    .filter_map(|line| line.strip_prefix("data:"))
                    .map(|data| data.strip_prefix(' ').unwrap_or(data))
                    .collect();
                let data = data.join("\n");
                self.text = rest.to_owned();
                if !data.is_empty() {
                    return Ok(data);
                }
                continue;
            }
            let silent = |_| StageError::Answer("an event stream stays silent".to_owned());
            let body = self.body.get_mut().unwrap_or_else(PoisonError::into_inner);
            match tokio::time::timeout(TIMEOUT, body.next()).await.map_err(silent)? {
                Some(Ok(more)) => self.text.push_str(&String::from_utf8_lossy(&more)),
                Some(Err(error)) => return Err(StageError::Answer(error.to_string())),
                None => return Err(StageError::Answer("an event stream has ended".to_owned())),
            }
        }
    }
}
