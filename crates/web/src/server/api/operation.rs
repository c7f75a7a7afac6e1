//! How the API describes itself: one list makes both the routes and the OpenAPI document, and the shapes are those of the handlers' own
//! types.
//!
//! `aide` does this for all of axum; its stable version is tied to an older `schemars`, and what we need of it is one trait over handlers.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::net::IpAddr;

use axum::extract::{FromRequestParts, Path, State};
use axum::handler::Handler;
use axum::http::{HeaderMap, StatusCode, request::Parts};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use axum::{Extension, Json, Router};
use baize_house::{Actor, HouseError};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::super::app::App;
use super::super::body::{Form, JsonBody, JsonIfAny, Query};
use super::super::fault::Fault;
use super::super::visitor::Visitor;
use super::shapes::Shapes;

/// Where all addresses of the API begin.
const BASE: &str = "/api/v1";
const EVENTS: &str = "text/event-stream";

/// What is known of an operation once all that it takes and gives has been asked.
pub(crate) struct Described<'a> {
    shapes: &'a mut Shapes,
    parameters: Vec<Value>,
    body: Option<Value>,
    logged_in: bool,
    refusals: BTreeSet<u16>,
    good: u16,
    answer: Option<(&'static str, Value)>,
}

impl Described<'_> {
    /// The shape of something that is answered.
    fn given<T: JsonSchema>(&mut self) -> Value {
        self.shapes.given.subschema_for::<T>().to_value()
    }

    fn gives(&mut self, status: StatusCode, media: &'static str, shape: Value) {
        self.good = status.as_u16();
        self.answer = Some((media, shape));
    }
}

/// Something that a handler takes from a request.
pub(crate) trait Takes {
    /// What it adds to the description.
    fn take(_: &mut Described<'_>) {}
}

/// Something that a handler answers.
pub(crate) trait Gives {
    /// What it adds to the description.
    fn give(of: &mut Described<'_>);
}

/// A handler whose request and answer are described by their types.
pub(crate) trait Describe<Taken> {
    /// Asks the types.
    fn describe(of: &mut Described<'_>);
}

macro_rules! describe {
    ($($taken:ident),*) => {
        impl<F, Answering, Answer, $($taken),*> Describe<($($taken,)*)> for F
        where
            F: Fn($($taken),*) -> Answering,
            Answering: Future<Output = Answer>,
            Answer: Gives,
            $($taken: Takes),*
        {
            fn describe(of: &mut Described<'_>) {
                $($taken::take(of);)*
                Answer::give(of);
            }
        }
    };
}

describe!();
describe!(A);
describe!(A, B);
describe!(A, B, C);
describe!(A, B, C, D);
describe!(A, B, C, D, E);

impl Takes for State<App> {}
impl Takes for Visitor {}
impl Takes for HeaderMap {}

/// Where the request comes from: log-ins are counted by it.
impl Takes for Extension<IpAddr> {
    fn take(of: &mut Described<'_>) {
        of.refusals.insert(423);
    }
}

/// A visitor who is logged in.
pub(crate) struct LoggedIn(pub(crate) Visitor);

impl FromRequestParts<App> for LoggedIn {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<LoggedIn, Fault> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        if visitor.actor == Actor::Public {
            Err(HouseError::NotLoggedIn.into())
        } else {
            Ok(LoggedIn(visitor))
        }
    }
}

impl Takes for LoggedIn {
    fn take(of: &mut Described<'_>) {
        of.logged_in = true;
    }
}

/// The names in the address. A name that cannot be one leads nowhere.
pub(crate) struct At<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for At<T> {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<At<T>, Fault> {
        Path::from_request_parts(parts, app).await.map(|Path(of)| At(of)).map_err(|_| Fault::NoPage)
    }
}

impl<T: JsonSchema> Takes for At<T> {
    fn take(of: &mut Described<'_>) {
        of.refusals.extend([404, 422]);
        let shape = T::json_schema(&mut of.shapes.taken).to_value();
        for (name, of_name) in shape["properties"].as_object().into_iter().flatten() {
            of.parameters.push(json!({ "name": name, "in": "path", "required": true, "schema": of_name }));
        }
    }
}

/// What can be asked in a query.
pub(crate) trait Asks {
    /// The names of its fields.
    const NAMES: &'static [&'static str];
    /// Their shapes, in the same order.
    fn shapes(shapes: &mut SchemaGenerator) -> Vec<Value>;
}

/// Names a query's fields with the type of each.
macro_rules! asks {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl $crate::server::api::operation::Asks for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            fn shapes(shapes: &mut schemars::SchemaGenerator) -> Vec<serde_json::Value> {
                vec![$(shapes.subschema_for::<$type>().to_value()),*]
            }
        }
    };
}
pub(crate) use asks;

/// The query: only fields that the operation knows, each at most once.
pub(crate) struct QueryOf<T>(pub(crate) Form, pub(crate) PhantomData<T>);

impl<T: Asks> FromRequestParts<App> for QueryOf<T> {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<QueryOf<T>, Fault> {
        let Ok(Query(form)) = Query::from_request_parts(parts, app).await;
        form.only(T::NAMES)?;
        Ok(QueryOf(form, PhantomData))
    }
}

impl<T: Asks> Takes for QueryOf<T> {
    fn take(of: &mut Described<'_>) {
        of.refusals.extend([400, 422]);
        let shapes = T::shapes(&mut of.shapes.taken);
        of.parameters.extend(
            T::NAMES.iter().zip(shapes).map(
                |(name, shape)| json!({ "name": name, "in": "query", "required": false, "schema": shape }),
            ),
        );
    }
}

fn body<T: JsonSchema>(of: &mut Described<'_>, required: bool) {
    of.refusals.extend([400, 408, 413]);
    let shape = of.shapes.taken.subschema_for::<T>().to_value();
    of.body = Some(json!({ "required": required, "content": { "application/json": { "schema": shape } } }));
}

impl<T: JsonSchema> Takes for JsonBody<T> {
    fn take(of: &mut Described<'_>) {
        body::<T>(of, true);
    }
}

impl<T: JsonSchema> Takes for JsonIfAny<T> {
    fn take(of: &mut Described<'_>) {
        body::<T>(of, false);
    }
}

impl<T: Gives> Gives for Result<T, Fault> {
    fn give(of: &mut Described<'_>) {
        T::give(of);
    }
}

impl<T: JsonSchema> Gives for Json<T> {
    fn give(of: &mut Described<'_>) {
        let shape = of.given::<T>();
        of.gives(StatusCode::OK, "application/json", shape);
    }
}

/// Something new is there.
pub(crate) struct Created<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

impl<T: JsonSchema> Gives for Created<T> {
    fn give(of: &mut Described<'_>) {
        let shape = of.given::<T>();
        of.gives(StatusCode::CREATED, "application/json", shape);
    }
}

/// It was done, and there is nothing to say about it.
pub(crate) struct Done;

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl Gives for Done {
    fn give(of: &mut Described<'_>) {
        of.good = 204;
    }
}

/// A round script.
pub(crate) struct Script(pub(crate) Response);

impl IntoResponse for Script {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Gives for Script {
    fn give(of: &mut Described<'_>) {
        of.gives(StatusCode::OK, "text/plain", json!({ "type": "string", "contentMediaType": "text/plain" }));
    }
}

/// A value that a stream sends again after every change.
pub(crate) trait Streamed: JsonSchema {
    /// The name of its events.
    const NAME: &'static str;
}

/// A stream of events, each with one value as JSON in its data.
pub(crate) struct Events<T>(Response, PhantomData<T>);

impl<T> From<Response> for Events<T> {
    fn from(response: Response) -> Events<T> {
        Events(response, PhantomData)
    }
}

impl<T> IntoResponse for Events<T> {
    fn into_response(self) -> Response {
        self.0
    }
}

impl<T: Streamed> Gives for Events<T> {
    fn give(of: &mut Described<'_>) {
        let shape =
            json!({ "type": "string", "contentMediaType": EVENTS, "x-events": { T::NAME: of.given::<T>() } });
        of.gives(StatusCode::OK, EVENTS, shape);
    }
}

/// The routes and the description of the operations listed so far.
pub(crate) struct Api {
    router: Router<App>,
    paths: Map<String, Value>,
    shapes: Shapes,
}

impl Api {
    pub(crate) fn new() -> Api {
        Api { router: Router::new(), paths: Map::new(), shapes: Shapes::new() }
    }

    pub(crate) fn read<H, T, A>(self, path: &str, handler: H, who: &str, summary: &str) -> Api
    where
        H: Handler<T, App> + Describe<A>,
        T: 'static,
    {
        self.with::<H, A>("get", path, get(handler), who, summary, &[])
    }

    pub(crate) fn send<H, T, A>(self, path: &str, handler: H, who: &str, summary: &str) -> Api
    where
        H: Handler<T, App> + Describe<A>,
        T: 'static,
    {
        self.with::<H, A>("post", path, post(handler), who, summary, &[404, 409, 422, 504])
    }

    pub(crate) fn end<H, T, A>(self, path: &str, handler: H, who: &str, summary: &str) -> Api
    where
        H: Handler<T, App> + Describe<A>,
        T: 'static,
    {
        self.with::<H, A>("delete", path, delete(handler), who, summary, &[])
    }

    fn with<H: Describe<A>, A>(
        mut self,
        method: &str,
        path: &str,
        route: MethodRouter<App>,
        who: &str,
        summary: &str,
        refusals: &[u16],
    ) -> Api {
        let mut of = Described {
            shapes: &mut self.shapes,
            parameters: Vec::new(),
            body: None,
            logged_in: false,
            refusals: [401, 403, 429, 500, 503].into_iter().chain(refusals.iter().copied()).collect(),
            good: 200,
            answer: None,
        };
        H::describe(&mut of);
        let name = format!("{method}{}", path.replace('/', "-").replace(['{', '}'], ""));
        let described = written(of, &name, who, summary);
        let operations = self.paths.entry(path).or_insert_with(|| json!({}));
        operations[method] = described;
        self.router = self.router.route(&format!("{BASE}{path}"), route);
        self
    }

    /// The routes, and the OpenAPI document of what they answer to.
    pub(crate) fn finish(mut self) -> (Router<App>, Value) {
        let refusal = self.shapes.given.subschema_for::<super::Refusal>().to_value();
        let refusals: Map<String, Value> = REFUSALS
            .iter()
            .map(|(status, words)| {
                let content = json!({ "application/json": { "schema": refusal } });
                (status.to_string(), json!({ "description": words, "content": content }))
            })
            .collect();
        let shapes = self.shapes.finish(&mut self.paths);
        let document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Baize",
                "version": env!("CARGO_PKG_VERSION"),
                "description": "A casino of five approved poker games. Amounts are text with two decimals (\"10.00\"), cards rank and suit \
                    (\"As\", \"10d\"), times thousandths of a second since 1970. A card that you may not see is null. \
                    A program logs in and sends its token as a bearer; a browser's session needs the header x-csrf-token for changes.",
            },
            "servers": [{ "url": BASE }],
            "paths": self.paths,
            "components": {
                "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
                "responses": refusals,
                "schemas": shapes,
            },
        });
        (self.router, document)
    }
}

/// Why something is not done, by status.
const REFUSALS: [(u16, &str); 13] = [
    (400, "The request cannot be read: the message says what is wrong with it"),
    (401, "Nobody is logged in: the token is missing, its session has ended, or the password is wrong"),
    (403, "The account may not do this; or a browser's session without its token"),
    (404, "There is nothing of that name"),
    (408, "The body took too long"),
    (409, "The table has gone on, the name is taken, or the id was used for something else"),
    (413, "The body is too large"),
    (422, "The house or the rules say no: the message and the paragraphs say why"),
    (423, "Log-ins under this name wait, or the account is suspended"),
    (429, "Too many requests: `Retry-After` says how many seconds to wait"),
    (500, "The program failed: look whether it was done before you ask again"),
    (503, "The database or the jackpot cannot be reached: nothing was done"),
    (504, "It is not known whether it was done: ask again with the same id"),
];

fn written(of: Described<'_>, name: &str, who: &str, summary: &str) -> Value {
    let mut good = json!({ "description": "Done" });
    if let Some((media, shape)) = of.answer {
        good["content"] = json!({ media: { "schema": shape } });
    }
    let mut responses = Map::from_iter([(of.good.to_string(), good)]);
    for status in of.refusals {
        responses.insert(status.to_string(), json!({ "$ref": format!("#/components/responses/{status}") }));
    }
    let bearer = json!({ "bearer": [] });
    let mut operation = json!({
        "summary": summary,
        "description": format!("For {who}."),
        "operationId": name,
        "parameters": of.parameters,
        "responses": responses,
        "security": if of.logged_in { json!([bearer]) } else { json!([{}, bearer]) },
    });
    if let Some(body) = of.body {
        operation["requestBody"] = body;
    }
    operation
}
