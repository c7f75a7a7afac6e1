//! Every operation by every role. `matrix.txt` has one row for each and one expected status for each role; an operation, a page or an order
//! without a row fails, and so does a row for something that is not there.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, header};
use baize_house::{Actor, CommandId, Duty, House, Order, Pace, TableId};
use baize_rules::{Area, Money};
use baize_table::Command;
use serde_json::Value;

use crate::client::{Client, TestCasino, assign, encoded, field};

const MATRIX: &str = "tests/http/matrix.txt";

/// In the order of the columns.
const ROLES: [&str; 12] = [
    "public",
    "player",
    "other-player",
    "dealer",
    "dealer-elsewhere",
    "supervisor",
    "manager",
    "shift-manager",
    "cage",
    "auditor",
    "suspended",
    "expired",
];

/// `METHOD TEMPLATE [ADDRESS] [BODY]`, and below it the statuses.
struct Row {
    text: String,
    method: Method,
    template: String,
    address: String,
    body: String,
    wanted: Vec<u16>,
}

fn rows() -> Vec<Row> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(MATRIX);
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows: Vec<Row> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        if line.starts_with(' ') {
            let wanted = line.split_whitespace().map(|status| status.parse().unwrap());
            rows.last_mut().unwrap().wanted = wanted.collect();
            continue;
        }
        let mut words = line.splitn(3, ' ');
        let (method, template) = (words.next().unwrap(), words.next().unwrap());
        let rest = words.next().unwrap_or_default();
        let (address, body) = match rest.strip_prefix('/') {
            Some(_) => rest.split_once(' ').unwrap_or((rest, "")),
            None => (template, rest),
        };
        rows.push(Row {
            text: line.to_owned(),
            method: method.parse().unwrap(),
            template: template.to_owned(),
            address: address.to_owned(),
            body: body.to_owned(),
            wanted: Vec::new(),
        });
    }
    rows
}

/// All operations of the description and all routes of the pages, as `METHOD TEMPLATE`.
fn operations(description: &Value) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            all.insert(format!("{} /api/v1{path}", method.to_uppercase()));
        }
    }
    all.insert("GET /api/v1/openapi.json".to_owned());
    // The router cannot be asked for its routes; its source can.
    let source = include_str!("../../src/server/mod.rs");
    for line in source.lines().filter_map(|line| line.trim().strip_prefix(".route(\"")) {
        let (path, handlers) = line.split_once("\", ").unwrap();
        for method in ["get", "post", "delete", "put", "patch"] {
            if handlers.starts_with(&format!("{method}(")) || handlers.contains(&format!(".{method}(")) {
                all.insert(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    all
}

/// The kinds of orders, and of commands of the rules among them, by the description.
fn orders(description: &Value) -> BTreeSet<String> {
    let kinds = description["components"]["schemas"]["Order"]["oneOf"].as_array().unwrap();
    let constant = |of: &Value| of["const"].as_str().map(ToOwned::to_owned);
    kinds
        .iter()
        .filter_map(|kind| {
            let command = &kind["properties"]["command"]["properties"]["command"];
            constant(command).or_else(|| constant(&kind["properties"]["order"]))
        })
        .collect()
}

/// The kind of order that a row sends.
fn ordered(row: &Row) -> Option<String> {
    let body: Value = serde_json::from_str(&row.body).ok()?;
    let order = body.get("order")?;
    let kind = order["command"]["command"].as_str().or(order["order"].as_str());
    kind.filter(|_| row.template.ends_with("/orders")).map(ToOwned::to_owned)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_has_a_row() {
    let casino = TestCasino::open().await;
    let description = casino.client().get("/api/v1/openapi.json").await.json();
    let rows = rows();
    let named: BTreeSet<String> = rows.iter().map(|row| format!("{} {}", row.method, row.template)).collect();
    let all = operations(&description);
    assert!(all.len() > 90, "{all:#?}");
    assert_eq!(all.difference(&named).collect::<Vec<_>>(), Vec::<&String>::new(), "without a row");
    assert_eq!(named.difference(&all).collect::<Vec<_>>(), Vec::<&String>::new(), "not there");
    let sent: BTreeSet<String> = rows.iter().filter_map(ordered).collect();
    let known = orders(&description);
    assert_eq!(known.difference(&sent).collect::<Vec<_>>(), Vec::<&String>::new(), "orders without a row");
    for row in &rows {
        assert_eq!(row.wanted.len(), ROLES.len(), "{}", row.text);
    }
}

async fn act(house: &House, actor: &Actor, table: &TableId, order: impl Into<Order>) {
    house.act(actor, table, &CommandId::random(), order.into()).await.unwrap();
}

/// Somebody of a role: the secret that they bring, if they have one, and who they are, if it lets them in.
struct Somebody {
    secret: Option<String>,
    actor: Option<Actor>,
}

impl Somebody {
    /// What they did last may have ended their session: then they log in again.
    async fn come_back(&mut self, house: &House) {
        let (Some(secret), Some(actor)) = (&self.secret, &self.actor) else { return };
        if house.session(secret).await.is_err() {
            self.secret = Some(house.start_session(actor).await.unwrap().secret);
        }
    }
}

/// A casino in which rs-1 has a finished round and ann decides at box 2 of rh-1, which a person deals; and somebody of this role.
async fn prepared(role: &str) -> (TestCasino, Somebody) {
    let casino = TestCasino::open().await;
    let house = &casino.house;
    let mut cho = casino.player("cho").await;
    crate::pages::play_a_round(&mut cho, "rs-1").await;
    let table: TableId = "rh-1".parse().unwrap();
    act(house, &Actor::House, &table, Order::SetPace { pace: Pace::Dealer }).await;
    let chips = Money::from_dollars(10_000);
    for name in ["ann", "ben"] {
        house.create_player(&name.parse().unwrap(), None, chips).await.unwrap();
    }
    let (ann, ben) = (Actor::player("ann".parse().unwrap()), Actor::player("ben".parse().unwrap()));
    for name in ["target", "dirk", "gone"] {
        house.create_staff(&Actor::House, &name.parse().unwrap(), None, &[Duty::Dealer]).await.unwrap();
    }
    assign(house, &"rs-1".parse().unwrap(), "dirk").await;
    assign(house, &table, "gone").await;
    let dealer = Actor::staff("dealer".parse().unwrap(), [Duty::Dealer]);
    act(house, &ann, &table, Order::Sit { seat: Some(2) }).await;
    act(house, &dealer, &table, Command::Open).await;
    let ante = baize_house::Chips { seat: 2, area: Area::Ante, amount: Money::from_dollars(50) };
    act(house, &ann, &table, Order::Bet { wagers: vec![ante] }).await;
    act(house, &dealer, &table, Command::Close).await;
    act(house, &dealer, &table, Order::DealAll).await;
    let staff = |name: &str| Actor::staff(name.parse().unwrap(), []);
    let start = async |actor: &Actor| house.start_session(actor).await.unwrap().secret;
    let actor = match role {
        "public" => return (casino, Somebody { secret: None, actor: None }),
        "player" => ann,
        "other-player" => ben,
        "dealer" => dealer,
        "dealer-elsewhere" => staff("dirk"),
        "supervisor" => staff("pit-supervisor"),
        "manager" => staff("pit-manager"),
        "suspended" => {
            let secret = Some(start(&staff("gone")).await);
            house.suspend(&Actor::House, &"gone".parse().unwrap(), "an inquiry").await.unwrap();
            return (casino, Somebody { secret, actor: None });
        }
        "expired" => {
            let secret = start(&staff("shift-manager")).await;
            house.end_session(&secret).await.unwrap();
            return (casino, Somebody { secret: Some(secret), actor: None });
        }
        duty => staff(duty),
    };
    let secret = Some(start(&actor).await);
    (casino, Somebody { secret, actor: Some(actor) })
}

/// The status that this row gets from somebody. Streams are not read.
async fn answered(client: &mut Client, secret: Option<&str>, row: &Row, number: usize) -> u16 {
    let api = row.address.starts_with("/api/v1/");
    let mut request = client.request(row.method.clone(), &row.address);
    let mut body = row.body.replace("{n}", &number.to_string());
    if let (true, Some(secret)) = (api, secret) {
        request = request.header(header::AUTHORIZATION, format!("Bearer {secret}"));
    }
    if row.method == Method::POST && !api {
        let page = client.get("/login").await.text();
        let own = encoded(&[("csrf", &field(&page, "csrf")), ("id", &format!("form-{number}"))]);
        body = format!("{own}&{body}");
        request = client
            .request(row.method.clone(), &row.address)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    } else if !body.is_empty() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    let response = client.open(request.body(Body::from(body)).unwrap()).await;
    response.status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_role_gets_the_answer_of_the_table() {
    let rows = rows();
    let mut answers: Vec<Vec<u16>> = vec![Vec::new(); rows.len()];
    for role in ROLES {
        let (casino, mut somebody) = prepared(role).await;
        for (number, row) in rows.iter().enumerate() {
            somebody.come_back(&casino.house).await;
            let secret = somebody.secret.as_deref();
            let mut client = casino.client();
            client.cookies.extend(secret.map(|secret| ("baize".to_owned(), secret.to_owned())));
            answers[number].push(answered(&mut client, secret, row, number).await);
        }
        assert!(casino.house.audit().await.unwrap().is_clean(), "{role}");
    }
    let mut table = format!("# {}\n", ROLES.join(" "));
    let mut wrong = Vec::new();
    for (row, answers) in rows.iter().zip(&answers) {
        let told: Vec<String> = answers.iter().map(ToString::to_string).collect();
        table.push_str(&format!("{}\n    {}\n", row.text, told.join(" ")));
        for ((role, is), wanted) in ROLES.iter().zip(answers).zip(&row.wanted) {
            if is != wanted {
                wrong.push(format!("{}: {role} gets {is}, not {wanted}", row.text));
            }
        }
        if row.wanted.is_empty() {
            wrong.push(format!("{} has no answers", row.text));
        }
    }
    assert!(wrong.is_empty(), "{}\n\nas it is:\n{table}", wrong.join("\n"));
}
