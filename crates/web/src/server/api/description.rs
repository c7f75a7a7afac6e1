//! The API in OpenAPI 3.1: one line for each operation, and the shapes of what is sent and answered.

use serde_json::{Map, Value, json};

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

fn shape(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list(name: &str) -> Value {
    json!({ "type": "array", "items": shape(name) })
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
    let events = || json!({ "type": "string", "contentMediaType": EVENTS });
    let mut all = vec![
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
            "Logs in; three failures lock the account",
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
            Good(200, shape("Steps")),
        ),
        read(
            "/tables/{table}/events",
            "Your view of the table now and after every change (events named `view`)",
            ANYBODY,
            events(),
        ),
        read("/events", "Tables and jackpots after every change (events named `house`)", ANYBODY, events()),
        read("/jackpots", "All jackpots", ANYBODY, list("Jackpot")),
        read("/jackpots/{jackpot}", "One jackpot", ANYBODY, shape("Jackpot")),
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
    let mut described = json!({
        "summary": operation.summary,
        "description": format!("For {}.", operation.who),
        "operationId": name(operation),
        "parameters": parameters,
        "responses": { status.to_string(): good, "default": refused },
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

/// An object with these properties, all of which are there. A `?` after the name: it may be null.
fn object(properties: &[(&str, Value)]) -> Value {
    let mut map = Map::new();
    let mut required = Vec::new();
    for (name, of) in properties {
        let (name, of) = match name.strip_suffix('?') {
            Some(name) => (name, json!({ "anyOf": [of, { "type": "null" }] })),
            None => (*name, of.clone()),
        };
        required.push(name);
        map.insert(name.to_owned(), of);
    }
    json!({ "type": "object", "properties": map, "required": required })
}

/// An object that is sent: what may be left out has a `?`, and nothing else may be in it.
fn sent(properties: &[(&str, Value)]) -> Value {
    let mut map = Map::new();
    let mut required = Vec::new();
    for (name, of) in properties {
        match name.strip_suffix('?') {
            Some(name) => map.insert(name.to_owned(), of.clone()),
            None => {
                required.push(*name);
                map.insert((*name).to_owned(), of.clone())
            }
        };
    }
    json!({ "type": "object", "properties": map, "required": required, "additionalProperties": false })
}

fn shapes() -> Value {
    let text = || json!({ "type": "string" });
    let number = || json!({ "type": "integer" });
    let truth = || json!({ "type": "boolean" });
    let any = || json!({ "type": "object" });
    let many = || json!({ "type": "array" });
    let money = || json!({ "type": "string", "pattern": "^-?[0-9]+\\.[0-9]{2}$", "examples": ["10.00"] });
    let exact =
        || json!({ "type": "string", "pattern": "^-?[0-9]+\\.[0-9]{6}$", "examples": ["250000.123400"] });
    let amount = || json!({ "type": "string", "pattern": "^[0-9]+(\\.[0-9]{2})?$", "examples": ["10.00"] });
    let name =
        |most: u32| json!({ "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$", "maxLength": most });
    let seat = || json!({ "type": "integer", "minimum": 1, "maximum": 9 });
    let one_of = |values: &[&str]| json!({ "type": "string", "enum": values });
    let duties = || {
        let all = one_of(&["dealer", "pit-supervisor", "pit-manager", "shift-manager", "cage", "auditor"]);
        json!({ "type": "array", "items": all })
    };
    let limits = || object(&[("least", money()), ("most", money())]);
    json!({
        "Object": any(),
        "Once": sent(&[("id?", name(64))]),
        "Duties": sent(&[("id?", name(64)), ("duties", duties())]),
        "Passwords": sent(&[("old?", json!({ "type": ["string", "null"], "maxLength": 200 })), ("new", json!({ "type": "string", "maxLength": 200 }))]),
        "Fault": object(&[("error", object(&[("code", text()), ("message", text()), ("paragraphs", json!({ "type": "array", "items": text() }))]))]),
        "Game": object(&[("id", text()), ("short", text()), ("name", text()), ("operator", text()), ("version?", text()), ("hash", text()), ("family", text()), ("areas", many())]),
        "NewPlayer": sent(&[("id?", name(64)), ("name", name(32)), ("password?", json!({ "type": ["string", "null"], "maxLength": 200 }))]),
        "Credentials": sent(&[("name", text()), ("password", text())]),
        "Session": object(&[("actor", shape("Actor")), ("token", text()), ("expires", number())]),
        "Actor": object(&[("as", one_of(&["player", "staff", "house", "public"]))]),
        "Me": object(&[("actor", shape("Actor")), ("purse?", money())]),
        "PlayerLine": object(&[("id", text()), ("purse", money()), ("owed", money()), ("locked", truth())]),
        "StaffLine": object(&[("id", text()), ("duties", many()), ("locked", truth()), ("suspended", truth())]),
        "NewStaff": sent(&[("id?", name(64)), ("name", name(32)), ("password?", json!({ "type": ["string", "null"], "maxLength": 200 })), ("duties", duties())]),
        "Whom": json!({ "oneOf": [sent(&[("id?", name(64)), ("player", name(32))]), sent(&[("id?", name(64)), ("staff", name(32))])] }),
        "Name": sent(&[("id?", name(64)), ("name", text())]),
        "Reason": sent(&[("id?", name(64)), ("reason", json!({ "type": "string", "maxLength": 500 }))]),
        "Link": object(&[("path", text()), ("expires", number())]),
        "Cash": sent(&[("id", name(64)), ("player", name(32)), ("amount", amount())]),
        "Told": object(&[("amount", money()), ("purse", money())]),
        "TableInfo": object(&[
            ("id", text()), ("rulebook", text()), ("short", text()), ("game", text()), ("operator", text()), ("family", text()), ("boxes", number()), ("settings", any()),
            ("guests", any()), ("ante", limits()), ("bonus?", limits()), ("jackpot_wager?", money()), ("jackpot?", text()), ("pace", any()), ("shoe", text()),
            ("phase", one_of(&["idle", "betting", "play", "finished"])), ("round", number()), ("waiting", truth()), ("notice?", text()), ("closed", truth()),
            ("halted?", text()), ("version", number()),
        ]),
        "TableView": object(&[
            ("info", shape("TableInfo")), ("round", shape("RoundView")), ("commitment?", object(&[("round", number()), ("hash", text())])), ("proof?", any()),
            ("clock?", object(&[("what", text()), ("ends", number()), ("left_ms", number())])), ("purse?", money()), ("boxes", many()), ("legal", any()),
            ("orders", many()), ("reportable", many()), ("ready", truth()), ("last_wagers", many()),
        ]),
        "RoundView": object(&[
            ("number", number()), ("phase", text()), ("boxes", any()), ("board", shape("Cards")), ("dealer", shape("Cards")), ("burnt", shape("Cards")),
            ("awaiting?", any()), ("ruled?", any()), ("slips", many()), ("standing", any()),
        ]),
        "Cards": json!({ "type": "array", "items": { "type": ["string", "null"] } }),
        "SentOrder": sent(&[("id", name(64)), ("order", shape("Order")), ("version?", number())]),
        "AskedOrder": sent(&[("order", shape("Order"))]),
        "Order": orders(&seat(), &amount(), &one_of),
        "Receipt": object(&[("table", text()), ("command", text()), ("version", number()), ("round", number()), ("repeated", truth())]),
        "Steps": object(&[("steps", json!({ "type": "array", "items": text() }))]),
        "Jackpot": object(&[
            ("id", text()), ("displayed", money()), ("wager", money()), ("reset", money()), ("tables", many()), ("pending", list("Hit")), ("hits", list("Hit")),
            ("stopped?", text()), ("version", number()),
        ]),
        "Hit": object(&[
            ("number", number()), ("round", text()), ("seat", number()), ("award", text()), ("top", truth()), ("amount", money()),
            ("state", one_of(&["pending", "paid", "rejected", "reversed"])), ("verified_by?", text()), ("confirmed_by?", text()), ("needs_confirmation", truth()),
        ]),
        "RoundLine": object(&[
            ("id", text()), ("rulebook", text()), ("opened", number()), ("ended", number()), ("outcome", text()), ("players", many()), ("staked", money()),
            ("won", money()), ("contributed", money()), ("awarded", money()),
        ]),
        "RoundRecord": object(&[("line", shape("RoundLine")), ("slips", many()), ("frames", json!({
            "type": "array", "items": object(&[("at", number()), ("by", text()), ("words", text()), ("round", shape("RoundView"))]) })), ("proof?", any())]),
        "Proof": object(&[("round", text()), ("commitment", text()), ("salt", text()), ("deck", many()), ("dealt", number()), ("text", text()), ("holds", truth())]),
        "Significant": object(&[("number", number()), ("at", number()), ("actor", text()), ("stream", text()), ("kind", text()), ("words", text())]),
        "JournalLine": object(&[
            ("number", number()), ("stream", text()), ("version", number()), ("at", number()), ("actor", text()), ("kinds", many()), ("postings", many()),
            ("previous", text()), ("hash", text()),
        ]),
        "Audit": object(&[
            ("clean", truth()), ("checked", many()), ("faults", many()), ("notes", many()), ("state", any()),
        ]),
        "Report": object(&[
            ("by", text()), ("from?", text()), ("to?", text()), ("table?", text()), ("game?", text()),
            ("gaming_day", object(&[("utc_offset", text()), ("begins", text())])), ("activity", truth()), ("note?", text()),
            ("lines", list("ReportLine")), ("total", shape("ReportLine")), ("jackpots", list("JackpotLine")), ("cage", list("CageLine")),
            ("cage_total", shape("CageLine")), ("owed", any()),
        ]),
        "ReportLine": object(&[
            ("key", text()), ("rounds", number()), ("voids", number()), ("handle", money()), ("win", money()),
            ("hold?", object(&[("numerator", number()), ("denominator", number()), ("percent", text())])), ("contributions", money()),
            ("awards_from_meter", money()), ("awards_by_house", money()), ("net_win", money()), ("float_fills", money()),
        ]),
        "JackpotLine": object(&[
            ("jackpot", text()), ("day", text()), ("opening", shape("Pools")), ("opened_with", exact()), ("contributions", exact()),
            ("resets_by_house", exact()), ("moved", exact()), ("awards_from_meter", exact()), ("handed_over", money()), ("closing", shape("Pools")),
            ("hits", number()), ("paid", number()), ("rejected", number()), ("reversed", number()),
        ]),
        "Pools": object(&[("meter", exact()), ("reserve", exact()), ("overflow", exact())]),
        "CageLine": object(&[
            ("day?", text()), ("cashier", text()), ("buy_ins", number()), ("bought", money()), ("cash_outs", number()), ("cashed", money()),
            ("play_chips", money()),
        ]),
    })
}

/// What can be ordered.
fn orders(seat: &Value, amount: &Value, one_of: &dyn Fn(&[&str]) -> Value) -> Value {
    let tag = |value: &str| json!({ "const": value });
    let area = || one_of(&["ante", "bonus", "jackpot", "flop", "turn", "river", "bet"]);
    let of = |name: &str, more: &[(&str, Value)]| {
        let mut all = vec![("order", tag(name))];
        all.extend(more.iter().cloned());
        object(&all)
    };
    let command = |name: &str, more: &[(&str, Value)]| {
        let mut all = vec![("command", tag(name))];
        all.extend(more.iter().cloned());
        of("table", &[("command", object(&all))])
    };
    let player = || json!({ "type": "string", "maxLength": 32 });
    let cards = || json!({ "type": "array", "items": { "type": "string" } });
    let chips = object(&[("seat", seat.clone()), ("area", area()), ("amount", amount.clone())]);
    let mut all = vec![
        of("bet", &[("wagers", json!({ "type": "array", "items": chips, "maxItems": 8 }))]),
        of("ready", &[]),
        of("deal-next", &[]),
        of("deal-all", &[]),
        of("sit", &[("seat?", seat.clone())]),
        of("leave", &[]),
        of("give-notice", &[("reason", json!({ "type": "string", "maxLength": 200 }))]),
        of("reopen", &[]),
        of("set-pace", &[("pace", object(&[("pace", one_of(&["dealer"]))]))]),
        of("set-shoe", &[("shoe", one_of(&["computer", "entered"]))]),
        command(
            "place-wager",
            &[
                ("seat", seat.clone()),
                ("player", player()),
                ("area", area()),
                ("amount", amount.clone()),
                ("unnoticed", json!({ "type": "boolean" })),
                ("placed_by?", one_of(&["dealer"])),
            ],
        ),
        command("withdraw", &[("seat", seat.clone()), ("player", player()), ("area", area())]),
        command("burn", &[("card", json!({ "type": "string" }))]),
        command("deal", &[("to", one_of(&["board", "dealer"])), ("cards", cards())]),
        command("reveal", &[("what", one_of(&["flop", "turn", "river", "dealer"]))]),
        command(
            "choose",
            &[
                ("seat", seat.clone()),
                ("player?", player()),
                ("choice", one_of(&["continue", "reconstructed", "withdraw"])),
            ],
        ),
    ];
    all.extend(["open", "close", "settle"].map(|name| command(name, &[])));
    all.extend(
        ["look", "fold", "check", "show", "decline", "absent"]
            .map(|name| command(name, &[("seat", seat.clone())])),
    );
    json!({ "oneOf": all })
}
