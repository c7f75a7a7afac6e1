//! The API in OpenAPI 3.1: one line for each operation.

use serde_json::{Map, Value, json};

use super::shapes::{list, shape, shapes};

/// What an operation sends back when all is well.
struct Good(u16, Value);

struct Operation {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    who: &'static str,
    query: &'static [(&'static str, &'static str)],
    body: Option<&'static str>,
    good: Good,
}

fn nothing() -> Good {
    Good(204, Value::Null)
}

fn read(path: &'static str, summary: &'static str, who: &'static str, good: Value) -> Operation {
    Operation { method: "get", path, summary, who, query: &[], body: None, good: Good(200, good) }
}

fn send(
    path: &'static str,
    summary: &'static str,
    who: &'static str,
    body: Option<&'static str>,
    good: Good,
) -> Operation {
    Operation { method: "post", path, summary, who, query: &[], body, good }
}

const ANYBODY: &str = "anybody";
const LOGGED_IN: &str = "anybody who is logged in";
const EVENTS: &str = "text/event-stream";
const PAGING: &[(&str, &str)] = &[("limit", "integer")];

fn operations() -> Vec<Operation> {
    // Each event carries one value of a shape as JSON in its data.
    let events = |name: &str, of: &str| json!({ "type": "string", "contentMediaType": EVENTS, "x-events": { name: shape(of) } });
    let mut all = vec![
        read(
            "/version",
            "Which program this is: its version and the SHA-256 of its file",
            ANYBODY,
            shape("Program"),
        ),
        read("/games", "The rulebooks that are played", ANYBODY, list("Game")),
        send(
            "/players",
            "A new player with the play chips of the house, if it gives any, and a session for him",
            ANYBODY,
            Some("NewPlayer"),
            Good(201, shape("Session")),
        ),
        read("/players", "All players", "cage, pit or auditor", list("PlayerLine")),
        send(
            "/sessions",
            "Logs in. After the third failure in a row log-ins by password under the name wait, longer from failure to failure (423)",
            ANYBODY,
            Some("Credentials"),
            Good(201, shape("Session")),
        ),
        Operation {
            method: "delete",
            path: "/sessions",
            summary: "Logs out",
            who: LOGGED_IN,
            query: &[],
            body: None,
            good: nothing(),
        },
        read("/me", "Who you are and what is in your purse", ANYBODY, shape("Me")),
        read("/staff", "All staff", "shift manager or auditor", list("StaffLine")),
        send(
            "/staff",
            "A new member of staff",
            "shift manager",
            Some("NewStaff"),
            Good(201, shape("Object")),
        ),
        send(
            "/staff/{name}/duties",
            "Other duties; sessions end",
            "another shift manager",
            Some("Duties"),
            nothing(),
        ),
        send(
            "/staff/{name}/suspend",
            "Lets a member of staff in no more; sessions end",
            "another shift manager",
            Some("Reason"),
            nothing(),
        ),
        send(
            "/staff/{name}/reinstate",
            "Lets a suspended member of staff in again",
            "another shift manager",
            Some("Once"),
            nothing(),
        ),
        send(
            "/staff/{name}/end-sessions",
            "Ends all sessions and links of a member of staff",
            "shift manager, and everybody for himself",
            Some("Once"),
            nothing(),
        ),
        send(
            "/password",
            "Your own password; all sessions end and the answer is a new one",
            LOGGED_IN,
            Some("Passwords"),
            Good(201, shape("Session")),
        ),
        send(
            "/links",
            "A one-time link for somebody",
            "shift manager for a player, a dealer or the cage; cage for a player; a player for himself",
            Some("Whom"),
            Good(201, shape("Link")),
        ),
        send("/unlock", "Unlocks an account", "shift manager", Some("Name"), nothing()),
        send(
            "/cage/players",
            "Registers a player whose purse is for cash",
            "cage",
            Some("NewPlayer"),
            Good(201, shape("Object")),
        ),
        send(
            "/cage/collect",
            "A player pays what he owes out of his purse",
            "cage",
            Some("Cash"),
            Good(200, shape("Told")),
        ),
        send("/cage/buy-in", "Chips for cash", "cage", Some("Cash"), Good(200, shape("Told"))),
        send("/cage/cash-out", "Cash for chips", "cage", Some("Cash"), Good(200, shape("Told"))),
        read("/tables", "All tables", ANYBODY, list("TableInfo")),
        send(
            "/tables",
            "Sets up a table; what is left out is as usual for its game",
            "shift manager",
            Some("NewTable"),
            Good(201, shape("TableInfo")),
        ),
        read("/tables/{table}", "One table, as the lobby shows it", ANYBODY, shape("TableInfo")),
        read(
            "/tables/{table}/view",
            "One table as you may see it, with what you may do now",
            ANYBODY,
            shape("TableView"),
        ),
        send(
            "/tables/{table}/orders",
            "Makes something happen. Sent twice under one id it acts once; with a version it acts only while the table is at it",
            LOGGED_IN,
            Some("SentOrder"),
            Good(200, shape("Receipt")),
        ),
        send(
            "/tables/{table}/preview",
            "What a report or a ruling would lead to by what lies open; changes nothing",
            "dealer or above",
            Some("AskedOrder"),
            Good(200, shape("Preview")),
        ),
        read(
            "/tables/{table}/events",
            "Your view of the table now and after every change (events named `view`)",
            ANYBODY,
            events("view", "TableView"),
        ),
        read(
            "/events",
            "Tables and jackpots after every change (events named `house`)",
            ANYBODY,
            events("house", "House"),
        ),
        read("/jackpots", "All jackpots", ANYBODY, list("Jackpot")),
        send(
            "/jackpots",
            "Opens a jackpot; what is left out is as usual",
            "shift manager",
            Some("NewJackpot"),
            Good(201, shape("Object")),
        ),
        read("/jackpots/{jackpot}", "One jackpot", ANYBODY, shape("Jackpot")),
        send(
            "/jackpots/{jackpot}/close",
            "Closes a jackpot for good; its pools move into another of the same operator",
            "shift manager",
            Some("Into"),
            nothing(),
        ),
        read(
            "/jackpots/{jackpot}/parameters",
            "The parameters of a jackpot, and a change that waits",
            "pit supervisor or above, or auditor",
            shape("ParametersAndChange"),
        ),
        send(
            "/jackpots/{jackpot}/parameters",
            "Proposes other parameters; the wager stays",
            "pit manager or above",
            Some("NewParameters"),
            nothing(),
        ),
        send(
            "/jackpots/{jackpot}/parameters/approve",
            "Approves the change; it waits for the next hit of the top award",
            "shift manager, not who proposed",
            Some("Once"),
            nothing(),
        ),
        send(
            "/jackpots/{jackpot}/parameters/withdraw",
            "Takes back a change that waits",
            "pit manager or above",
            Some("Once"),
            nothing(),
        ),
        send(
            "/jackpots/{jackpot}/hits/{hit}/verify",
            "The hand of a hit qualifies",
            "pit supervisor or above",
            Some("Once"),
            nothing(),
        ),
        send(
            "/jackpots/{jackpot}/hits/{hit}/confirm",
            "A second person confirms a large award",
            "pit supervisor or above, not who verified",
            Some("Once"),
            nothing(),
        ),
        send(
            "/jackpots/{jackpot}/hits/{hit}/reject",
            "The hand of a hit does not qualify",
            "pit supervisor or above",
            Some("Reason"),
            nothing(),
        ),
        read("/rounds", "Finished rounds, newest first", ANYBODY, list("RoundLine")),
        read(
            "/rounds/{table}/{number}",
            "A finished round, step by step, as you may see it",
            ANYBODY,
            shape("RoundRecord"),
        ),
        read("/rounds/{table}/{number}/proof", "The proof of the shuffle", ANYBODY, shape("Proof")),
        read(
            "/rounds/{table}/{number}/script",
            "The round as a round script",
            ANYBODY,
            json!({ "type": "string", "contentMediaType": "text/plain" }),
        ),
        read(
            "/significant-events",
            "Voids, rulings, failed log-ins, large wins",
            "pit or auditor",
            list("Significant"),
        ),
        read("/journal", "Lines of the journal, newest first", "auditor", list("JournalLine")),
        read("/audit", "Replays everything and checks it", "auditor", shape("Audit")),
        read(
            "/report",
            "Handle, win, hold, contributions and awards by table, game or gaming day; jackpots; the cage",
            "cage, pit manager or auditor",
            shape("Report"),
        ),
    ];
    for operation in all.iter_mut().filter(|operation| operation.method == "get") {
        operation.query = match operation.path {
            "/rounds" => {
                &[("table", "string"), ("player", "string"), ("before", "integer"), ("limit", "integer")]
            }
            "/significant-events" => PAGING,
            "/journal" => &[
                ("stream", "string"),
                ("kind", "string"),
                ("actor", "string"),
                ("from", "string"),
                ("to", "string"),
                ("text", "string"),
                ("after", "integer"),
                ("before", "integer"),
                ("limit", "integer"),
            ],
            "/report" => &[
                ("by", "string"),
                ("from", "string"),
                ("to", "string"),
                ("table", "string"),
                ("game", "string"),
                ("money", "string"),
                ("utc_offset", "string"),
                ("day_begins", "string"),
            ],
            "/events" | "/tables/{table}/events" => &[("after", "integer")],
            _ => &[],
        };
    }
    all
}

fn described(operation: &Operation) -> Value {
    let mut parameters: Vec<Value> = Vec::new();
    let mut rest = operation.path;
    while let Some((_, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let kind = if matches!(name, "hit" | "number") { "integer" } else { "string" };
        parameters.push(json!({ "name": name, "in": "path", "required": true, "schema": { "type": kind } }));
        rest = after;
    }
    for (name, kind) in operation.query {
        parameters
            .push(json!({ "name": name, "in": "query", "required": false, "schema": { "type": kind } }));
    }
    let Good(status, answer) = &operation.good;
    let media = answer.get("contentMediaType").and_then(Value::as_str).unwrap_or("application/json");
    let mut good = json!({ "description": "Done" });
    if !answer.is_null() {
        good["content"] = json!({ media: { "schema": answer } });
    }
    let refused = json!({
        "description": "Not done; nothing has changed",
        "content": { "application/json": { "schema": shape("Fault") } },
    });
    let mut responses = json!({ status.to_string(): good, "default": refused });
    for (status, what) in [
        (401, "Nobody is logged in: the token is missing, or its session has ended"),
        (403, "Somebody is logged in who may not; or a browser's session without its token"),
    ] {
        if operation.who != ANYBODY || (status == 401 && operation.path == "/sessions") {
            responses[status.to_string()] = json!({
                "description": what,
                "content": { "application/json": { "schema": shape("Fault") } },
            });
        }
    }
    let mut described = json!({
        "summary": operation.summary,
        "description": format!("For {}.", operation.who),
        "operationId": name(operation),
        "parameters": parameters,
        "responses": responses,
        "security": if operation.who == ANYBODY { json!([{}, { "bearer": [] }]) } else { json!([{ "bearer": [] }]) },
    });
    if let Some(body) = operation.body {
        described["requestBody"] = json!({ "required": body != "Once", "content": { "application/json": { "schema": shape(body) } } });
    }
    described
}

/// `get-tables-table-view`
fn name(operation: &Operation) -> String {
    format!("{}{}", operation.method, operation.path.replace('/', "-").replace(['{', '}'], ""))
}

/// The whole description.
pub(crate) fn description() -> Value {
    let mut paths = Map::new();
    for operation in operations() {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = described(&operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Baize",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A casino of five approved poker games. Amounts are text with two decimals (\"10.00\"), cards rank and suit \
                (\"As\", \"10d\"), times thousandths of a second since 1970. A card that you may not see is null. \
                A program logs in and sends its token as a bearer; a browser's session needs the header x-csrf-token for changes.",
        },
        "servers": [{ "url": "/api/v1" }],
        "paths": paths,
        "components": {
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
            "schemas": shapes(),
        },
    })
}
