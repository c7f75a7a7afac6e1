//! Logs and metrics: what an operator watches, without a secret in it.

use std::collections::{BTreeMap, BTreeSet};

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

/// What is served: each metric with its labels. Metrics that have no value before something happens are declared all the same.
fn served(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in page.lines() {
        if let Some(declared) = line.strip_prefix("# TYPE ") {
            all.entry(declared.split(' ').next().unwrap().to_owned()).or_default();
        } else if line.starts_with("baize_") {
            let (name, rest) = line.split_at(line.find(['{', ' ']).unwrap());
            let labels = all.entry(name.to_owned()).or_default();
            let inside = rest.strip_prefix('{').and_then(|rest| rest.split('}').next()).unwrap_or_default();
            labels.extend(inside.split(',').filter_map(|pair| Some(pair.split_once('=')?.0.to_owned())));
        }
    }
    all
}

/// The words of PromQL that our rules and panels use; every other word must be a metric or a label.
const PROMQL: [&str; 10] =
    ["absent", "by", "histogram_quantile", "increase", "max", "min", "or", "rate", "sum", "without"];

/// The metrics and labels that an expression names.
fn parts(expression: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut metrics, mut labels) = (BTreeSet::new(), BTreeSet::new());
    let (mut rest, mut before, mut closing) = (expression, "", None);
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
        let length = if is_word(c) {
            let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
            if closing.is_some() {
                labels.insert(word.to_owned());
            } else if !c.is_ascii_digit() && !PROMQL.contains(&word) {
                metrics.insert(word.to_owned());
            }
            before = word;
            word.len()
        } else {
            // A quoted value, or a range like [5m], is no name.
            let end = match c {
                '"' => rest[1..].find('"').map(|at| at + 2),
                '[' => rest.find(']'),
                _ => None,
            };
            closing = match c {
                '{' => Some('}'),
                '(' if matches!(before, "by" | "without") => Some(')'),
                c if closing == Some(c) => None,
                _ => closing,
            };
            end.unwrap_or(c.len_utf8())
        };
        rest = &rest[length..];
    }
    (metrics, labels)
}

/// The names in braces of a legend or a summary, like {{jackpot}} and $labels.jackpot.
fn shown(text: &str) -> BTreeSet<String> {
    let name = |rest: &str| -> String {
        rest.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    let legend =
        text.split("{{").skip(1).map(name).filter(|name| !matches!(name.as_str(), "" | "or" | "printf"));
    legend
        .filter(|name| !name.starts_with("humanize"))
        .chain(text.split("$labels.").skip(1).map(name))
        .collect()
}

/// The faults of an expression, with what is shown beside its value.
fn faults(expression: &str, beside: &str, served: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let (metrics, labels) = parts(expression);
    // Prometheus adds these to whatever it scrapes. A casino in a file has no standby to show its state.
    let mut known: BTreeSet<&str> = ["instance", "job"].into();
    for metric in &metrics {
        known.extend(served.get(metric).into_iter().flatten().map(String::as_str));
        if metric == "baize_database_standbys" {
            known.insert("state");
        }
    }
    let strange = metrics.iter().filter(|name| *name != "up" && !served.contains_key(*name));
    let labels = labels.into_iter().chain(shown(beside));
    let unlabelled = labels.filter(|label| !known.contains(label.as_str()));
    strange
        .map(|name| format!("no metric {name}: {expression}"))
        .chain(unlabelled.map(|label| format!("no label {label}: {expression}")))
        .collect()
}

#[test]
fn every_metric_and_label_of_the_dashboard_and_the_alerts_exists() {
    let folder = Folder::new("metrics");
    let casino = Casino::open(&folder, &folder.file("casino.sqlite"), &[]);
    let served = served(&casino.get("/metrics"));
    casino.stop();
    // The checks notice what they are for.
    for wrong in [
        "bazie_faults_total > 0",
        "rate(baize_faults[5m])",
        "sum by (outcomes) (baize_orders_total)",
        "baize_tables{state=\"open\"}",
        "maximum(baize_guests)",
    ] {
        assert_eq!(faults(wrong, "", &served).len(), 1, "{wrong}");
    }
    assert_eq!(faults("sum(baize_guests)", "{{table}} on {{ $labels.host }}", &served).len(), 2);
    let mut expressions = Vec::new();
    let dashboard: Value = serde_json::from_str(&repository("packaging/grafana/baize.json")).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for target in dashboard["panels"].as_array().unwrap().iter().flat_map(|panel| panel["targets"].as_array())
    {
        expressions
            .extend(target.iter().map(|target| (text(&target["expr"]), text(&target["legendFormat"]))));
    }
    let panels = expressions.len();
    let alerts = repository("packaging/prometheus/alerts.yml");
    for rule in alerts.split("- alert: ").skip(1) {
        let after =
            |key: &str| rule.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap().to_owned();
        expressions.push((after("expr: "), after("summary: ")));
    }
    assert!(panels > 5 && expressions.len() - panels == alerts.matches("expr:").count(), "{panels}");
    for (expression, beside) in &expressions {
        assert_eq!(faults(expression, beside, &served), Vec::<String>::new());
    }
    // The page and the program name the same metrics: those of a histogram by the histogram's name.
    let page = named(&repository("docs/operations/watch.md"));
    for name in &page {
        assert!(served.contains_key(name), "watch.md names {name}, which is not served");
    }
    for name in served.keys() {
        let whole = ["_bucket", "_sum", "_count"].iter().find_map(|ending| name.strip_suffix(ending));
        assert!(page.contains(whole.unwrap_or(name)), "watch.md does not name {name}");
    }
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
