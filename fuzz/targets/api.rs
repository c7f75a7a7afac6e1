//! Any body to any operation of the API, sent by a Shift Manager to a real casino on a database of its own: no answer is a fault of the
//! server, and what is refused says why.
//!
//! The first two bytes choose the operation and the table, the rest is the body.

#![no_main]

use std::sync::OnceLock;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use baize_house::{Actor, Duty, House};
use baize_web::{Casino, Config, Rate, casino, description};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

/// The casino that all inputs of a process are sent to.
struct Target {
    runtime: Runtime,
    service: Casino,
    secret: String,
    operations: Vec<(String, String)>,
}

const TABLES: [&str; 5] = ["rh-1", "rs-1", "mh-1", "ms-1", "mb-1"];

fn open() -> Target {
    let runtime = Runtime::new().expect("threads");
    let file = std::env::temp_dir().join(format!("baize-fuzz-{}.sqlite", std::process::id()));
    let (service, secret) = runtime.block_on(async {
        let house = House::open(&file.display().to_string()).await.expect("a new database");
        house.set_up_default().await.expect("a new casino");
        let id = "sue".parse().expect("a name");
        house.create_staff(&Actor::House, &id, None, &Duty::ALL).await.expect("a new member of staff");
        let link = house.one_time_link(&Actor::House, &Actor::staff(id, Duty::ALL)).await.expect("a link");
        let secret = house.redeem(&link.secret).await.expect("a new link").secret;
        let free = Rate { a_second: 0, at_once: 0 };
        let config =
            Config { address_rate: free, account_rate: free, log_in_rate: free, ..Config::default() };
        (casino(house, config), secret)
    });
    let description = description();
    let paths = description["paths"].as_object().expect("paths").iter();
    let operations = paths
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods").iter();
            let taken = methods.filter(|(_, of)| of.get("requestBody").is_some());
            taken.map(|(method, _)| (method.to_uppercase(), path.clone())).collect::<Vec<_>>()
        })
        .collect();
    Target { runtime, service, secret, operations }
}

fuzz_target!(|input: &[u8]| {
    static TARGET: OnceLock<Target> = OnceLock::new();
    let [operation, table, body @ ..] = input else { return };
    let target = TARGET.get_or_init(open);
    let (method, path) = &target.operations[usize::from(*operation) % target.operations.len()];
    let path = format!("/api/v1{path}").replace("{table}", TABLES[usize::from(*table) % TABLES.len()]);
    let path = path.replace("{jackpot}", "RWS").replace(['{', '}'], "");
    let request = Request::builder()
        .method(method.as_str())
        .uri(&path)
        .header("authorization", format!("Bearer {}", target.secret))
        .header("content-type", "application/json")
        .body(Body::from(body.to_vec()))
        .expect("a request");
    let answer = target.runtime.block_on(target.service.clone().oneshot(request)).expect("an answer");
    let status = answer.status();
    assert!(!status.is_server_error(), "{method} {path}: {status}");
    if status.is_client_error() {
        let told = target.runtime.block_on(to_bytes(answer.into_body(), 1 << 20)).expect("a body");
        assert!(!told.is_empty(), "{method} {path}: {status} without a word");
    }
});
