//! Checks every operation against the OpenAPI description, with valid and invalid values: never a server error, always the described schema.

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use baize_house::{Actor, Duty};
use serde_json::{Value, json};

use crate::client::{Client, TestCasino};
use crate::schema::{HOSTILE, Rng, generate, resolved, violation};

struct Operation {
    method: Method,
    path: String,
    of: Value,
}

fn operations(description: &Value) -> Vec<Operation> {
    let mut all = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, of) in methods.as_object().unwrap() {
            let method = method.to_uppercase().parse().unwrap();
            all.push(Operation { method, path: path.clone(), of: of.clone() });
        }
    }
    all
}

/// A path for the operation, with names that exist or do not.
fn address(operation: &Operation, rng: &mut Rng, hostile: usize) -> String {
    let escape = |text: &str| {
        text.bytes()
            .map(|b| {
                if b.is_ascii_alphanumeric() || b == b'-' {
                    char::from(b).to_string()
                } else {
                    format!("%{b:02X}")
                }
            })
            .collect::<String>()
    };
    let mut path = format!("/api/v1{}", operation.path);
    let mut query = Vec::new();
    for parameter in operation.of["parameters"].as_array().unwrap() {
        let name = parameter["name"].as_str().unwrap();
        let good: &[&str] = match name {
            "table" => &["rh-1", "mb-1", "ms-1", "zz-9"],
            "jackpot" => &["MBS", "RWS", "XX"],
            "by" => &["table", "game", "day"],
            "number" => &["1", "2"],
            "from" | "to" if operation.path == "/report" => &["2026-05-01", "2026-05-01", "2099-12-31"],
            "from" => &["2026-05-01T00:00"],
            "to" => &["2099-12-31T23:59"],
            "game" => &["rws-casino-stud", "poker"],
            "utc_offset" => &["+08:00", "-05:30"],
            "day_begins" => &["06:00", "00:00"],
            "text" => &["a", "cards"],
            _ => &["1", "2", "17", "1000000"],
        };
        let value =
            if hostile > 0 && rng.below(hostile) == 0 { *rng.pick(&HOSTILE) } else { *rng.pick(good) };
        if parameter["in"] == "path" {
            let value = if value.is_empty() { "x" } else { value };
            path = path.replace(&format!("{{{name}}}"), &escape(value));
        } else if rng.below(2) == 0 {
            query.push(format!("{name}={}", escape(value)));
        }
    }
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}

/// Sends a request and checks the response against the description.
async fn check(
    client: &mut Client,
    token: Option<&str>,
    description: &Value,
    operation: &Operation,
    rng: &mut Rng,
    hostile: usize,
) -> StatusCode {
    let path = address(operation, rng, hostile);
    let mut request = client.request(operation.method.clone(), &path);
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    let body = match operation.of.pointer("/requestBody/content/application~1json/schema") {
        Some(schema) => {
            request = request.header(header::CONTENT_TYPE, "application/json");
            Body::from(generate(description, schema, rng, hostile).to_string())
        }
        None => Body::empty(),
    };
    let responses = operation.of["responses"].as_object().unwrap();
    let good = responses.keys().find(|key| key.starts_with('2')).unwrap().clone();
    let media = operation.of["responses"][&good]["content"]
        .as_object()
        .and_then(|content| content.keys().next().cloned());
    let request = request.body(body).unwrap();
    if media.as_deref() == Some("text/event-stream") {
        let response = client.open(request).await;
        let status = response.status();
        assert!(!status.is_server_error(), "{path}");
        assert!(responses.contains_key(status.as_str()), "{path}: {status} is not described");
        if status.is_success() {
            assert_eq!(response.headers()["content-type"], "text/event-stream");
        }
        return status;
    }
    let answer = client.send(request).await;
    let sent = format!("{} {path}: {} {}", operation.method, answer.status, answer.text());
    assert!(!answer.status.is_server_error(), "{sent}");
    if answer.status.is_success() {
        assert_eq!(answer.status.as_str(), good, "{sent}");
        if media.as_deref() == Some("application/json") {
            let schema = &operation.of["responses"][&good]["content"]["application/json"]["schema"];
            assert_eq!(violation(description, schema, &answer.json(), "answer"), None, "{sent}");
        }
    } else {
        let sent = format!("{sent}: only {:?} are described", responses.keys());
        let refusal = responses.get(answer.status.as_str()).unwrap_or_else(|| panic!("{sent}"));
        let schema = &resolved(description, refusal)["content"]["application/json"]["schema"];
        assert_eq!(violation(description, schema, &answer.json(), "fault"), None, "{sent}");
    }
    answer.status
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_matches_the_description_for_any_input() {
    let casino = TestCasino::open().await;
    let mut client = casino.client();
    let description = client.get("/api/v1/openapi.json").await.json();
    let mut tokens = vec![None];
    for name in ["ann", "bob"] {
        let answer = client.json(Method::POST, "/api/v1/players", Some(&json!({ "name": name }))).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        tokens.push(Some(answer.json()["token"].as_str().unwrap().to_owned()));
    }
    for duty in Duty::ALL {
        let whom = Actor::staff(duty.code().parse().unwrap(), [duty]);
        tokens.push(Some(casino.house.start_session(&whom).await.unwrap().secret));
    }
    // A round to read about.
    let mut ann = casino.player("cho").await;
    crate::pages::play_a_round(&mut ann, "rh-1").await;
    let all = operations(&description);
    let mut succeeded = std::collections::BTreeSet::new();
    let mut rng = Rng::new(20);
    for round in 0..30 {
        for operation in &all {
            // Password hashing is slow on purpose; a few log-ins are enough.
            if round > 3 && operation.path == "/sessions" && operation.method == Method::POST {
                continue;
            }
            let hostile = [0, 3, 8][round % 3];
            let token = rng.pick(&tokens).clone();
            let ends = operation.method == Method::DELETE || operation.path == "/password";
            if ends && round < 29 && token.is_some() {
                continue;
            }
            let status =
                check(&mut client, token.as_deref(), &description, operation, &mut rng, hostile).await;
            if status.is_success() {
                succeeded.insert(format!("{} {}", operation.method, operation.path));
            }
        }
    }
    // The random requests may not have covered every readable operation.
    for duty in Duty::ALL {
        let whom = Actor::staff(duty.code().parse().unwrap(), [duty]);
        let token = casino.house.start_session(&whom).await.unwrap().secret;
        for read in all.iter().filter(|operation| operation.method == Method::GET) {
            if check(&mut client, Some(&token), &description, read, &mut rng, 0).await.is_success() {
                succeeded.insert(format!("GET {}", read.path));
            }
        }
    }
    for read in all.iter().filter(|operation| operation.method == Method::GET) {
        assert!(succeeded.contains(&format!("GET {}", read.path)), "GET {} never succeeded", read.path);
    }
}

/// The example of every body matches its schema, and the API accepts it.
#[tokio::test(flavor = "multi_thread")]
async fn every_body_has_a_valid_example() {
    let casino = TestCasino::open().await;
    let mut client = casino.client();
    let description = client.get("/api/v1/openapi.json").await.json();
    let whom = Actor::staff("shift-manager".parse().unwrap(), [Duty::ShiftManager]);
    let token = casino.house.start_session(&whom).await.unwrap().secret;
    let mut seen = 0;
    for operation in operations(&description) {
        let Some(schema) = operation.of.pointer("/requestBody/content/application~1json/schema") else {
            continue;
        };
        let examples = resolved(&description, schema)["examples"].as_array();
        let example = examples.and_then(|all| all.first()).unwrap_or_else(|| panic!("{}", operation.path));
        assert_eq!(violation(&description, schema, example, &operation.path), None);
        let mut path = format!("/api/v1{}", operation.path);
        for (name, value) in [("table", "rh-1"), ("jackpot", "MBS"), ("hit", "1"), ("name", "dealer")] {
            path = path.replace(&format!("{{{name}}}"), value);
        }
        let request = client
            .request(operation.method.clone(), &path)
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(example.to_string()))
            .unwrap();
        let answer = client.send(request).await;
        assert_ne!(answer.status, StatusCode::BAD_REQUEST, "{path} {example}: {}", answer.text());
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}

/// The schema check finds undescribed fields; otherwise the tests above would be worthless.
#[tokio::test(flavor = "multi_thread")]
async fn an_undescribed_field_is_a_violation() {
    let casino = TestCasino::open().await;
    let mut client = casino.client();
    let description = client.get("/api/v1/openapi.json").await.json();
    let schema = &description["paths"]["/tables/{table}/view"]["get"]["responses"]["200"]["content"]["application/json"]
        ["schema"];
    let view = client.get("/api/v1/tables/rh-1/view").await.json();
    assert_eq!(violation(&description, schema, &view, "view"), None);
    for place in ["", "/info", "/round", "/legal", "/info/settings", "/info/ante"] {
        let mut more = view.clone();
        more.pointer_mut(place).unwrap()["more"] = json!(1);
        assert!(violation(&description, schema, &more, "view").is_some(), "{place}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_not_json_are_refused() {
    let casino = TestCasino::open().await;
    let mut client = casino.client();
    let deep = "[".repeat(20_000);
    for (kind, body) in [
        ("application/json", "{"),
        ("application/json", deep.as_str()),
        ("text/plain", "{}"),
        ("application/json", "\u{feff}{}"),
        ("", "{}"),
    ] {
        let request = client
            .request(Method::POST, "/api/v1/players")
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(body.to_owned()))
            .unwrap();
        let answer = client.send(request).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{kind} {}", answer.text());
        assert_eq!(answer.json()["error"]["code"], "unreadable");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_plays_with_a_bearer_token() {
    let casino = TestCasino::open().await;
    let mut client = casino.client();
    let session =
        client.json(Method::POST, "/api/v1/players", Some(&json!({ "name": "robot" }))).await.json();
    let token = session["token"].as_str().unwrap().to_owned();
    let bet = json!({ "id": "b1", "order": { "order": "bet", "wagers": [{ "seat": 2, "area": "ante", "amount": "25.00" }] } });
    let mut sent = Vec::new();
    for body in [&bet, &bet, &json!({ "id": "r1", "order": { "order": "ready" } })] {
        let request = client
            .request(Method::POST, "/api/v1/tables/rs-1/orders")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        let answer = client.send(request).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        sent.push(answer.json());
    }
    assert_eq!(sent[0]["repeated"], false);
    assert_eq!(sent[1]["repeated"], true);
    assert_eq!(sent[0]["version"], sent[1]["version"]);
    let request = client
        .request(Method::GET, "/api/v1/me")
        .header(header::AUTHORIZATION, "Bearer wrong")
        .body(Body::empty())
        .unwrap();
    assert_eq!(client.send(request).await.status, StatusCode::UNAUTHORIZED);
}
