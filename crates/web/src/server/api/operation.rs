//! Derives the routes and the OpenAPI document from one list of operations; the schemas come from the handlers' own types.
//!
//! `aide` does this for all of axum, but its stable version needs an older `schemars`, and all we need is one trait over handlers.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::net::IpAddr;

use axum::extract::{FromRequestParts, Path, State};
use axum::handler::Handler;
use axum::http::{HeaderMap, StatusCode, request::Parts};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use axum::{Extension, Json, Router};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::super::app::App;
use super::super::body::{Form, JsonBody, OptionalJson, Query};
use super::super::fault::Fault;
use super::super::visitor::Visitor;
use super::schemas::Schemas;

/// The prefix of all paths of the API.
const BASE: &str = "/api/v1";
const EVENTS: &str = "text/event-stream";

/// The description of one operation, collected from the types of its handler.
pub(crate) struct Operation<'a> {
    schemas: &'a mut Schemas,
    parameters: Vec<Value>,
    body: Option<Value>,
    logged_in: bool,
    refusals: BTreeSet<u16>,
    success_status: u16,
    response: Option<(&'static str, Value)>,
}

impl Operation<'_> {
    fn response_schema<T: JsonSchema>(&mut self) -> Value {
        self.schemas.responses.subschema_for::<T>().to_value()
    }

    fn set_response(&mut self, status: StatusCode, media: &'static str, schema: Value) {
        self.success_status = status.as_u16();
        self.response = Some((media, schema));
    }
}

/// An extractor: the type of a handler's argument.
pub(crate) trait DescribeInput {
    /// Adds its part to the description.
    fn describe_input(_: &mut Operation<'_>) {}
}

/// A response: the type that a handler returns.
pub(crate) trait DescribeOutput {
    /// Adds its part to the description.
    fn describe_output(operation: &mut Operation<'_>);
}

/// A handler whose arguments and result describe the operation.
pub(crate) trait DescribeHandler<Inputs> {
    /// Collects the parts of the description.
    fn describe(operation: &mut Operation<'_>);
}

macro_rules! describe_handler {
    ($($input:ident),*) => {
        impl<F, Fut, Output, $($input),*> DescribeHandler<($($input,)*)> for F
        where
            F: Fn($($input),*) -> Fut,
            Fut: Future<Output = Output>,
            Output: DescribeOutput,
            $($input: DescribeInput),*
        {
            fn describe(operation: &mut Operation<'_>) {
                $($input::describe_input(operation);)*
                Output::describe_output(operation);
            }
        }
    };
}

describe_handler!();
describe_handler!(A);
describe_handler!(A, B);
describe_handler!(A, B, C);
describe_handler!(A, B, C, D);
describe_handler!(A, B, C, D, E);

impl DescribeInput for State<App> {}
impl DescribeInput for Visitor {}
impl DescribeInput for HeaderMap {}

/// The client's address, which only log-ins need.
impl DescribeInput for Extension<IpAddr> {
    fn describe_input(operation: &mut Operation<'_>) {
        operation.refusals.insert(423);
    }
}

/// A logged-in visitor; 401 otherwise.
pub(crate) struct LoggedIn(pub(crate) Visitor);

impl FromRequestParts<App> for LoggedIn {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<LoggedIn, Fault> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        visitor.require_login()?;
        Ok(LoggedIn(visitor))
    }
}

impl DescribeInput for LoggedIn {
    fn describe_input(operation: &mut Operation<'_>) {
        operation.logged_in = true;
    }
}

/// The parameters in the path; 404 if one cannot be parsed.
pub(crate) struct PathParams<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for PathParams<T> {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<PathParams<T>, Fault> {
        Path::from_request_parts(parts, app)
            .await
            .map(|Path(params)| PathParams(params))
            .map_err(|_| Fault::NoPage)
    }
}

impl<T: JsonSchema> DescribeInput for PathParams<T> {
    fn describe_input(operation: &mut Operation<'_>) {
        operation.refusals.extend([404, 422]);
        let schema = T::json_schema(&mut operation.schemas.requests).to_value();
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            let parameter = json!({ "name": name, "in": "path", "required": true, "schema": schema });
            operation.parameters.push(parameter);
        }
    }
}

/// The parameters of a query.
pub(crate) trait QueryParams {
    /// Their names.
    const NAMES: &'static [&'static str];
    /// Their schemas, in the same order.
    fn schemas(generator: &mut SchemaGenerator) -> Vec<Value>;
}

/// Declares the parameters of a query, each with its type.
macro_rules! query_params {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl $crate::server::api::operation::QueryParams for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            fn schemas(generator: &mut schemars::SchemaGenerator) -> Vec<serde_json::Value> {
                vec![$(generator.subschema_for::<$type>().to_value()),*]
            }
        }
    };
}
pub(crate) use query_params;

/// A query; 400 for unknown or repeated parameters.
pub(crate) struct TypedQuery<T>(pub(crate) Form, pub(crate) PhantomData<T>);

impl<T: QueryParams> FromRequestParts<App> for TypedQuery<T> {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<TypedQuery<T>, Fault> {
        let Ok(Query(form)) = Query::from_request_parts(parts, app).await;
        form.reject_unknown(T::NAMES)?;
        Ok(TypedQuery(form, PhantomData))
    }
}

impl<T: QueryParams> DescribeInput for TypedQuery<T> {
    fn describe_input(operation: &mut Operation<'_>) {
        operation.refusals.extend([400, 422]);
        let schemas = T::schemas(&mut operation.schemas.requests);
        operation.parameters.extend(T::NAMES.iter().zip(schemas).map(
            |(name, schema)| json!({ "name": name, "in": "query", "required": false, "schema": schema }),
        ));
    }
}

fn describe_body<T: JsonSchema>(operation: &mut Operation<'_>, required: bool) {
    operation.refusals.extend([400, 408, 413]);
    let schema = operation.schemas.requests.subschema_for::<T>().to_value();
    operation.body =
        Some(json!({ "required": required, "content": { "application/json": { "schema": schema } } }));
}

impl<T: JsonSchema> DescribeInput for JsonBody<T> {
    fn describe_input(operation: &mut Operation<'_>) {
        describe_body::<T>(operation, true);
    }
}

impl<T: JsonSchema> DescribeInput for OptionalJson<T> {
    fn describe_input(operation: &mut Operation<'_>) {
        describe_body::<T>(operation, false);
    }
}

impl<T: DescribeOutput> DescribeOutput for Result<T, Fault> {
    fn describe_output(operation: &mut Operation<'_>) {
        T::describe_output(operation);
    }
}

impl<T: JsonSchema> DescribeOutput for Json<T> {
    fn describe_output(operation: &mut Operation<'_>) {
        let schema = operation.response_schema::<T>();
        operation.set_response(StatusCode::OK, "application/json", schema);
    }
}

/// 201 with the new resource.
pub(crate) struct Created<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

impl<T: JsonSchema> DescribeOutput for Created<T> {
    fn describe_output(operation: &mut Operation<'_>) {
        let schema = operation.response_schema::<T>();
        operation.set_response(StatusCode::CREATED, "application/json", schema);
    }
}

/// 204: done, with no content.
pub(crate) struct Done;

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl DescribeOutput for Done {
    fn describe_output(operation: &mut Operation<'_>) {
        operation.success_status = 204;
    }
}

/// A round script as plain text.
pub(crate) struct Script(pub(crate) Response);

impl IntoResponse for Script {
    fn into_response(self) -> Response {
        self.0
    }
}

impl DescribeOutput for Script {
    fn describe_output(operation: &mut Operation<'_>) {
        let schema = json!({ "type": "string", "contentMediaType": "text/plain" });
        operation.set_response(StatusCode::OK, "text/plain", schema);
    }
}

/// A value that a stream sends after every change.
pub(crate) trait Streamed: JsonSchema {
    /// The name of its events.
    const NAME: &'static str;
}

/// An event stream; the data of each event is one value as JSON.
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

impl<T: Streamed> DescribeOutput for Events<T> {
    fn describe_output(operation: &mut Operation<'_>) {
        let event = operation.response_schema::<T>();
        let schema = json!({ "type": "string", "contentMediaType": EVENTS, "x-events": { T::NAME: event } });
        operation.set_response(StatusCode::OK, EVENTS, schema);
    }
}

/// The routes and the description of the operations declared so far.
pub(crate) struct Api {
    router: Router<App>,
    paths: Map<String, Value>,
    schemas: Schemas,
}

impl Api {
    pub(crate) fn new() -> Api {
        Api { router: Router::new(), paths: Map::new(), schemas: Schemas::new() }
    }

    pub(crate) fn get<H, T, A>(self, path: &str, handler: H, who: &str, summary: &str) -> Api
    where
        H: Handler<T, App> + DescribeHandler<A>,
        T: 'static,
    {
        self.add::<H, A>("get", path, get(handler), who, summary, &[])
    }

    pub(crate) fn post<H, T, A>(self, path: &str, handler: H, who: &str, summary: &str) -> Api
    where
        H: Handler<T, App> + DescribeHandler<A>,
        T: 'static,
    {
        self.add::<H, A>("post", path, post(handler), who, summary, &[404, 409, 422, 504])
    }

    pub(crate) fn delete<H, T, A>(self, path: &str, handler: H, who: &str, summary: &str) -> Api
    where
        H: Handler<T, App> + DescribeHandler<A>,
        T: 'static,
    {
        self.add::<H, A>("delete", path, delete(handler), who, summary, &[])
    }

    fn add<H: DescribeHandler<A>, A>(
        mut self,
        method: &str,
        path: &str,
        route: MethodRouter<App>,
        who: &str,
        summary: &str,
        refusals: &[u16],
    ) -> Api {
        let mut operation = Operation {
            schemas: &mut self.schemas,
            parameters: Vec::new(),
            body: None,
            logged_in: false,
            refusals: [401, 403, 429, 500, 503].into_iter().chain(refusals.iter().copied()).collect(),
            success_status: 200,
            response: None,
        };
        H::describe(&mut operation);
        let name = format!("{method}{}", path.replace('/', "-").replace(['{', '}'], ""));
        let described = operation_json(operation, &name, who, summary);
        self.paths.entry(path).or_insert_with(|| json!({}))[method] = described;
        self.router = self.router.route(&format!("{BASE}{path}"), route);
        self
    }

    /// The routes, and the OpenAPI document that describes them.
    pub(crate) fn finish(mut self) -> (Router<App>, Value) {
        let refusal = self.schemas.responses.subschema_for::<super::Refusal>().to_value();
        let refusals: Map<String, Value> = REFUSALS
            .iter()
            .map(|(status, words)| {
                let content = json!({ "application/json": { "schema": refusal } });
                (status.to_string(), json!({ "description": words, "content": content }))
            })
            .collect();
        let schemas = self.schemas.finish(&mut self.paths);
        let document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Baize",
                "version": env!("CARGO_PKG_VERSION"),
                "description": "A casino with five approved poker games. Amounts are strings with two decimals (\"10.00\"), cards are rank and \
                    suit (\"As\", \"10d\"), times are milliseconds since 1970. A card that you may not see is null. Programs log in and \
                    send their token as a bearer token; with a browser's session, changes need the header x-csrf-token.",
            },
            "servers": [{ "url": BASE }],
            "paths": self.paths,
            "components": {
                "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
                "responses": refusals,
                "schemas": schemas,
            },
        });
        (self.router, document)
    }
}

/// The descriptions of refusals, by status.
const REFUSALS: [(u16, &str); 13] = [
    (400, "The request is not valid; the message says why"),
    (401, "Not logged in: the token is missing, its session has ended, or the password is wrong"),
    (403, "The account may not do this, or a browser's session lacks its token"),
    (404, "Not found"),
    (408, "The body took too long to arrive"),
    (409, "The table has changed, the name is taken, or the id was used for another request"),
    (413, "The body is too large"),
    (422, "Refused by the house or the rules; the message and the paragraphs say why"),
    (423, "Log-ins under this name are delayed, or the account is suspended"),
    (429, "Too many requests; `Retry-After` says how many seconds to wait"),
    (500, "Internal error: check whether it was done before you try again"),
    (503, "The database or the jackpot is unavailable; nothing was done"),
    (504, "It is not known whether this was done; retry with the same id"),
];

fn operation_json(operation: Operation<'_>, name: &str, who: &str, summary: &str) -> Value {
    let mut success = json!({ "description": "Done" });
    if let Some((media, schema)) = operation.response {
        success["content"] = json!({ media: { "schema": schema } });
    }
    let mut responses = Map::from_iter([(operation.success_status.to_string(), success)]);
    for status in operation.refusals {
        responses.insert(status.to_string(), json!({ "$ref": format!("#/components/responses/{status}") }));
    }
    let bearer = json!({ "bearer": [] });
    let mut described = json!({
        "summary": summary,
        "description": format!("For {who}."),
        "operationId": name,
        "parameters": operation.parameters,
        "responses": responses,
        "security": if operation.logged_in { json!([bearer]) } else { json!([{}, bearer]) },
    });
    if let Some(body) = operation.body {
        described["requestBody"] = body;
    }
    described
}
