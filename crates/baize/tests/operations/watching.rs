//! Logs and metrics: what an operator watches, without a secret in it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::casino::{Casino, Folder, exchange, fails};

fn repository(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The names of metrics in a text.
fn named(text: &str) -> BTreeSet<String> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c: char| !word(c)).filter(|word| word.starts_with("baize_"));
    words.map(str::to_owned).collect()
}

#[test]
fn every_metric_of_the_dashboard_and_the_alerts_exists() {
    let folder = Folder::new("metrics");
    let casino = Casino::open(&folder, &folder.file("casino.sqlite"), &[]);
    let served = casino.get("/metrics");
    casino.stop();
    let there: BTreeSet<String> = served
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(['{', ' ']).next())
        .map(str::to_owned)
        .collect();
    // Those that have no value before something happens are declared all the same.
    let declared = served.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    let there: BTreeSet<String> = there.into_iter().chain(declared.map(str::to_owned)).collect();
    for file in
        ["packaging/grafana/baize.json", "packaging/prometheus/alerts.yml", "docs/operations/watch.md"]
    {
        let wanted = named(&repository(file));
        assert!(wanted.len() > 5, "{file}: {wanted:?}");
        for name in wanted {
            assert!(there.contains(&name), "{file} names {name}, which is not served");
        }
    }
    let dashboard: Value = serde_json::from_str(&repository("packaging/grafana/baize.json")).unwrap();
    assert!(dashboard["panels"].as_array().is_some_and(|panels| panels.len() > 5));
}

/// A failed start is in the log too, in its format.
#[test]
fn everything_that_a_server_writes_is_in_the_format_of_its_log() {
    let folder = Folder::new("log-format");
    let database = folder.file("none.sqlite");
    let (code, log) = fails(&["serve", "--database", &database, "--log-format", "json"]);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [line] = &lines[..] else { panic!("one line: {log}") };
    assert_eq!((code, &line["level"]), (2, &json!("ERROR")));
    assert!(line["message"].as_str().unwrap().contains("add --create") && line["timestamp"].is_string());
}

#[test]
fn a_line_of_the_log_says_who_what_and_how_long_and_no_secret() {
    let folder = Folder::new("logs");
    let database = folder.file("casino.sqlite");
    let casino = Casino::open(&folder, &database, &["--log", "trace", "--log-format", "json", "--links"]);
    let password = "correct horse battery";
    let (status, told) = casino.post(
        "/api/v1/players",
        None,
        &json!({ "name": "mei", "id": "join-mei", "password": password }),
    );
    assert_eq!(status, 201, "{told}");
    let token = told["token"].as_str().unwrap().to_owned();
    let log_in = json!({ "name": "mei", "password": password });
    assert_eq!(casino.post("/api/v1/sessions", None, &log_in).0, 201);
    assert_eq!(
        casino.post("/api/v1/sessions", None, &json!({ "name": "mei", "password": "wrong guess" })).0,
        401
    );
    let sit = json!({ "id": "sit-1", "order": { "order": "sit", "seat": 1 } });
    assert_eq!(casino.post("/api/v1/tables/rs-1/orders", Some(&token), &sit).0, 200);
    let out = std::fs::read_to_string(folder.path().join(format!("out-{}", casino.address.port()))).unwrap();
    let link = out.split("/in/").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    casino.get(&format!("/in/{link}"));
    // Followed from a page of mei's, a plain address leads to mei's own.
    let followed = "GET /table/rs-1 HTTP/1.1\r\nHost: localhost\r\nReferer: http://localhost/as/mei/\r\nConnection: close\r\n\r\n";
    let led = exchange(casino.address, followed).unwrap();
    let led = led.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned();
    let log = casino.log();
    casino.stop();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let order = lines.iter().find(|line| line["message"] == "order" && line["what"] == "sit").unwrap();
    assert_eq!(
        (&order["who"], &order["table"], &order["outcome"]),
        (&json!("player:mei"), &json!("rs-1"), &json!("done"))
    );
    let id = order["span"]["id"].as_str().expect("the order names its request");
    let request = lines.iter().find(|line| line["message"] == "request" && line["id"] == id).unwrap();
    assert!(lines.iter().any(|line| line["id"] == led.as_str() && line["status"] == 307), "{led}");
    let refused = lines.iter().find(|line| line["status"] == 401).unwrap();
    assert_eq!(refused["fault"], json!("wrong-password"), "{refused}");
    assert_eq!((&request["who"], &request["status"]), (&json!("mei"), &json!(200)));
    let flushed =
        lines.iter().find(|line| line["message"] == "flushed" && line["spans"][0]["id"] == id).unwrap();
    let spans: Vec<&str> =
        flushed["spans"].as_array().unwrap().iter().filter_map(|span| span["name"].as_str()).collect();
    assert_eq!(spans, ["request", "order", "turn", "flush"], "{flushed}");
    assert!(request["timestamp"].is_string() && request["ms"].is_u64(), "{request}");
    let key = std::fs::read_to_string(format!("{database}.key")).unwrap();
    for secret in [password, "wrong guess", &token, &link, key.trim()] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
}
