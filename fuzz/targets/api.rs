//! Any body for any operation of the API, sent by the pit, the cage or an auditor to a casino with its own database: no answer is an
//! internal error, and every refusal has a body.
//!
//! The first byte chooses the operation, the second the table and the sender; the rest is the body.

#![no_main]

use std::sync::OnceLock;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use baize_house::{Actor, Duty, House};
use baize_web::{Casino, Config, Rate, casino, description};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

/// The casino that receives all inputs of a process.
struct Target {
    runtime: Runtime,
    service: Casino,
    /// The sessions of the senders.
    secrets: Vec<String>,
    operations: Vec<(String, String)>,
}

const TABLES: [&str; 5] = ["rh-1", "rs-1", "mh-1", "ms-1", "mb-1"];

/// Cage and auditor have no other duty.
const SENDERS: [(&str, &[Duty]); 3] = [
    ("sue", &[Duty::Dealer, Duty::PitSupervisor, Duty::PitManager, Duty::ShiftManager]),
    ("cass", &[Duty::Cage]),
    ("abe", &[Duty::Auditor]),
];

fn open() -> Target {
    let runtime = Runtime::new().expect("threads");
    let file = std::env::temp_dir().join(format!("baize-fuzz-{}.sqlite", std::process::id()));
    let (service, secrets) = runtime.block_on(async {
        let house = House::open(&file.display().to_string()).await.expect("a new database");
        house.set_up_default().await.expect("a new casino");
        let mut secrets = Vec::new();
        for (name, duties) in SENDERS {
            let id = name.parse().expect("a name");
            house.create_staff(&Actor::House, &id, None, duties).await.expect("a new member of staff");
            let staff = Actor::staff(id, duties.iter().copied());
            let link = house.one_time_link(&Actor::House, &staff).await.expect("a link");
            secrets.push(house.redeem(&link.secret).await.expect("a new link").secret);
        }
        let free = Rate { per_second: 0, burst: 0 };
        let config =
            Config { address_rate: free, account_rate: free, log_in_rate: free, ..Config::default() };
        (casino(house, config), secrets)
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
    Target { runtime, service, secrets, operations }
}

fuzz_target!(|input: &[u8]| {
    static TARGET: OnceLock<Target> = OnceLock::new();
    let [operation, from, body @ ..] = input else { return };
    let target = TARGET.get_or_init(open);
    let (method, path) = &target.operations[usize::from(*operation) % target.operations.len()];
    let path = format!("/api/v1{path}").replace("{table}", TABLES[usize::from(*from) % TABLES.len()]);
    let path = path.replace("{jackpot}", "RWS").replace(['{', '}'], "");
    let secret = &target.secrets[usize::from(*from) / TABLES.len() % SENDERS.len()];
    let request = Request::builder()
        .method(method.as_str())
        .uri(&path)
        .header("authorization", format!("Bearer {secret}"))
        .header("content-type", "application/json")
        .body(Body::from(body.to_vec()))
        .expect("a request");
    let answer = target.runtime.block_on(target.service.clone().oneshot(request)).expect("an answer");
    let status = answer.status();
    // A jackpot that was closed is answered with 503.
    let internal = status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE;
    assert!(!internal, "{method} {path}: {status}");
    if status.is_client_error() {
        let body = target.runtime.block_on(to_bytes(answer.into_body(), 1 << 20)).expect("a body");
        assert!(!body.is_empty(), "{method} {path}: {status} without a body");
    }
});
