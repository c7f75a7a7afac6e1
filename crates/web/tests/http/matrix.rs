//! Every operation for every role. `matrix.txt` has a row for each operation, with the expected status for each role. An operation, page or order
//! without a row fails the test, and so does a row for something that does not exist.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, header};
use baize_cards::Card;
use baize_house::{Actor, CommandId, Duty, House, Order, Pace, Shoe, StaffId, TableId};
use baize_rules::{Area, BoxNumber, Money};
use baize_table::Command;
use serde_json::Value;

use crate::client::{Client, Response, TestCasino, assign, encoded, field};

const MATRIX: &str = "tests/http/matrix.txt";

/// The roles, in the order of the columns.
pub(crate) const ROLES: [&str; 12] = [
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

/// A row: `METHOD TEMPLATE [ADDRESS] [BODY]`, and on the next line the statuses.
pub(crate) struct Row {
    pub(crate) text: String,
    pub(crate) method: Method,
    template: String,
    pub(crate) address: String,
    pub(crate) body: String,
    wanted: Vec<u16>,
}

impl Row {
    /// A request that is not in the matrix.
    pub(crate) fn request(method: Method, address: &str, body: &str) -> Row {
        Row {
            text: format!("{method} {address} {body}"),
            method,
            template: String::new(),
            address: address.to_owned(),
            body: body.to_owned(),
            wanted: Vec::new(),
        }
    }
}

pub(crate) fn rows() -> Vec<Row> {
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
    let pages = routes(include_str!("../../src/server/mod.rs"));
    assert!(pages.len() > 40, "{pages:?}");
    all.extend(pages);
    all
}

/// The routes of the pages, parsed from the source, because an axum router cannot list them.
fn routes(source: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for route in source.split(".route(").skip(1) {
        let (path, handlers) =
            route.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"')).unwrap();
        let methods: Vec<&str> = ["get", "post", "delete", "put", "patch"]
            .into_iter()
            .filter(|method| {
                handlers.match_indices(&format!("{method}(")).any(|(at, _)| {
                    !handlers[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
                })
            })
            .collect();
        assert!(!methods.is_empty(), "{path}: no method found");
        all.extend(methods.iter().map(|method| format!("{} {path}", method.to_uppercase())));
    }
    all
}

#[test]
fn routes_are_found_in_any_layout() {
    let source = "Router::new()\n    .route(\n        \"/new/{id}\",\n        get(new::page)\n            .post(new::act),\n    )\n    .route(\"/old\", delete(old::budget))";
    let found: Vec<String> = routes(source).into_iter().collect();
    assert_eq!(found, ["DELETE /old", "GET /new/{id}", "POST /new/{id}"]);
}

/// The kinds of orders and table commands in the description.
fn orders(description: &Value) -> BTreeSet<String> {
    let kinds = |shape: &str, tag: &str| -> Vec<String> {
        let all = description["components"]["schemas"][shape]["oneOf"].as_array().unwrap();
        let name = |of: &Value| of["properties"][tag]["const"].as_str().unwrap().to_owned();
        all.iter().map(name).collect()
    };
    let orders = kinds("Order", "order").into_iter().filter(|order| order != "table");
    orders.chain(kinds("Command", "command")).collect()
}

/// The kind of order in a row.
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
    assert_eq!(all.difference(&named).collect::<Vec<_>>(), Vec::<&String>::new(), "operations without a row");
    assert_eq!(
        named.difference(&all).collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "rows without an operation"
    );
    let sent: BTreeSet<String> = rows.iter().filter_map(ordered).collect();
    let known = orders(&description);
    assert_eq!(known.difference(&sent).collect::<Vec<_>>(), Vec::<&String>::new(), "orders without a row");
    for row in &rows {
        assert_eq!(row.wanted.len(), ROLES.len(), "{}", row.text);
    }
}

pub(crate) async fn act(house: &House, actor: &Actor, table: &TableId, order: impl Into<Order>) {
    house.act(actor, table, &CommandId::random(), order.into()).await.unwrap();
}

/// A person with a role: their session secret, if they have one, and who they are, if it is valid.
pub(crate) struct Person {
    pub(crate) secret: Option<String>,
    actor: Option<Actor>,
}

impl Person {
    /// Logs in again if their last request ended their session.
    pub(crate) async fn log_in_again(&mut self, house: &House) {
        let (Some(secret), Some(actor)) = (&self.secret, &self.actor) else { return };
        if house.session(secret).await.is_err() {
            self.secret = Some(house.start_session(actor).await.unwrap().secret);
        }
    }
}

/// Prepares a finished round at rs-1, and a round at rh-1 with a dealer, where ann decides on box 2.
pub(crate) async fn prepared(casino: &TestCasino) {
    prepared_with(casino, Shoe::Computer, &[]).await;
}

/// The same with this shoe. With a real shoe, a dealer enters the cards of this deck and is then relieved.
pub(crate) async fn prepared_with(casino: &TestCasino, shoe: Shoe, deck: &[Card]) {
    let house = &casino.house;
    let mut cho = casino.player("cho").await;
    crate::pages::play_a_round(&mut cho, "rs-1").await;
    let table: TableId = "rh-1".parse().unwrap();
    act(house, &Actor::House, &table, Order::SetPace { pace: Pace::Dealer }).await;
    if shoe == Shoe::Entered {
        act(house, &Actor::House, &table, Order::SetShoe { shoe }).await;
    }
    let chips = Money::from_dollars(10_000);
    for name in ["ann", "ben"] {
        house.create_player(&name.parse().unwrap(), None, chips).await.unwrap();
    }
    let ann = Actor::player("ann".parse().unwrap());
    for name in ["target", "dirk", "gone"] {
        house.create_staff(&Actor::House, &name.parse().unwrap(), None, &[Duty::Dealer]).await.unwrap();
    }
    assign(house, &"rs-1".parse().unwrap(), "dirk").await;
    assign(house, &table, "gone").await;
    let dealer = Actor::staff("dealer".parse().unwrap(), [Duty::Dealer]);
    act(house, &ann, &table, Order::Sit { seat: Some(BoxNumber(2)) }).await;
    act(house, &dealer, &table, Command::Open).await;
    let ante = baize_house::Chips { seat: BoxNumber(2), area: Area::Ante, amount: Money::from_dollars(50) };
    act(house, &ann, &table, Order::Bet { wagers: vec![ante] }).await;
    act(house, &dealer, &table, Command::Close).await;
    if shoe == Shoe::Computer {
        act(house, &dealer, &table, Order::DealAll).await;
        return;
    }
    let early: StaffId = "early".parse().unwrap();
    house.create_staff(&Actor::House, &early, None, &[Duty::Dealer]).await.unwrap();
    assign(house, &table, "early").await;
    let enters = Actor::staff(early.clone(), [Duty::Dealer]);
    for card in deck {
        let enter = Order::EnterCards { cards: vec![*card] };
        if house.act(&enters, &table, &CommandId::random(), enter).await.is_err() {
            break;
        }
    }
    act(house, &Actor::House, &table, Order::Relieve { dealer: early }).await;
}

/// A person with this role in a prepared casino.
pub(crate) async fn person(casino: &TestCasino, role: &str) -> Person {
    let house = &casino.house;
    let player = |name: &str| Actor::player(name.parse().unwrap());
    let staff = |name: &str| Actor::staff(name.parse().unwrap(), []);
    let start = async |actor: &Actor| house.start_session(actor).await.unwrap().secret;
    let actor = match role {
        "public" => return Person { secret: None, actor: None },
        "player" => player("ann"),
        "other-player" => player("ben"),
        "dealer" => staff("dealer"),
        "dealer-elsewhere" => staff("dirk"),
        "supervisor" => staff("pit-supervisor"),
        "manager" => staff("pit-manager"),
        "suspended" => {
            let secret = Some(start(&staff("gone")).await);
            house.suspend(&Actor::House, &"gone".parse().unwrap(), "an inquiry").await.unwrap();
            return Person { secret, actor: None };
        }
        "expired" => {
            let secret = start(&staff("shift-manager")).await;
            house.end_session(&secret).await.unwrap();
            return Person { secret: Some(secret), actor: None };
        }
        duty => staff(duty),
    };
    let secret = Some(start(&actor).await);
    Person { secret, actor: Some(actor) }
}

/// The status of a row's response. Only pages are read, to check them.
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
    let status = response.status().as_u16();
    if response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
    {
        Response::read(response).await;
    }
    status
}

#[tokio::test(flavor = "multi_thread")]
async fn every_role_gets_the_expected_status() {
    let rows = rows();
    let mut answers: Vec<Vec<u16>> = vec![Vec::new(); rows.len()];
    for role in ROLES {
        let casino = TestCasino::open().await;
        prepared(&casino).await;
        let mut person = person(&casino, role).await;
        for (number, row) in rows.iter().enumerate() {
            person.log_in_again(&casino.house).await;
            let secret = person.secret.as_deref();
            let mut client = casino.client();
            client.cookies.extend(secret.map(|secret| ("baize".to_owned(), secret.to_owned())));
            answers[number].push(answered(&mut client, secret, row, number).await);
        }
        assert!(baize_audit::audit(&casino.house).await.unwrap().is_clean(), "{role}");
    }
    let mut table = format!("# {}\n", ROLES.join(" "));
    let mut wrong = Vec::new();
    for (row, answers) in rows.iter().zip(&answers) {
        let statuses: Vec<String> = answers.iter().map(ToString::to_string).collect();
        table.push_str(&format!("{}\n    {}\n", row.text, statuses.join(" ")));
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
