//! The shapes of what the API is sent and answers, for its description.

use serde_json::{Map, Value, json};

/// A reference to a shape.
pub(super) fn shape(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A list of a shape.
pub(super) fn list(name: &str) -> Value {
    json!({ "type": "array", "items": shape(name) })
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

/// An object that is sent: what may be left out or null has a `?`, and nothing else may be in it.
fn sent(properties: &[(&str, Value)]) -> Value {
    let mut map = Map::new();
    let mut required = Vec::new();
    for (name, of) in properties {
        match name.strip_suffix('?') {
            Some(name) => map.insert(name.to_owned(), json!({ "anyOf": [of, { "type": "null" }] })),
            None => {
                required.push(*name);
                map.insert((*name).to_owned(), of.clone())
            }
        };
    }
    json!({ "type": "object", "properties": map, "required": required, "additionalProperties": false })
}

/// All shapes by name.
pub(super) fn shapes() -> Value {
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
    let short = |most: u32| json!({ "type": "string", "maxLength": most });
    // A new password has a length; what is tried as one may have any.
    let password = || json!({ "type": "string", "minLength": 8, "maxLength": 256 });
    let kind_of_money = || one_of_texts(&["practice", "cash"]);
    let seat = || json!({ "type": "integer", "minimum": 1, "maximum": 9 });
    let one_of = one_of_texts;
    let duties = || {
        let all = one_of(&["dealer", "pit-supervisor", "pit-manager", "shift-manager", "cage", "auditor"]);
        json!({ "type": "array", "items": all })
    };
    let percent = || json!({ "type": "string", "pattern": "^[0-9]+(\\.[0-9]{1,2})?%$", "examples": ["20%"] });
    let asked_limits = || sent(&[("least", amount()), ("most", amount())]);
    let parameters = || {
        object(&[
            ("wager", money()),
            ("reset", money()),
            ("increment", percent()),
            ("reserve", percent()),
            ("ceiling?", money()),
            ("confirm_above", money()),
        ])
    };
    let person = || object(&[("name", text()), ("role", text())]);
    let limits = || object(&[("least", money()), ("most", money())]);
    json!({
        "Object": any(),
        "Once": sent(&[("id?", name(64))]),
        "Duties": sent(&[("id?", name(64)), ("duties", duties())]),
        "Passwords": sent(&[("old?", text()), ("new", password())]),
        "Fault": object(&[("error", object(&[("code", text()), ("message", text()), ("paragraphs", json!({ "type": "array", "items": text() }))]))]),
        "Program": object(&[("version", text()), ("hash?", text())]),
        "Game": object(&[("id", text()), ("short", text()), ("name", text()), ("operator", text()), ("version?", text()), ("hash", text()), ("family", text()), ("areas", many())]),
        "NewPlayer": sent(&[("id?", name(64)), ("name", name(32)), ("password?", password())]),
        "Credentials": sent(&[("name", text()), ("password", text())]),
        "Session": object(&[("actor", shape("Actor")), ("token", text()), ("expires", number())]),
        "Actor": object(&[("as", one_of(&["player", "staff", "house", "public"]))]),
        "Me": object(&[("actor", shape("Actor")), ("purse?", money())]),
        "PlayerLine": object(&[("id", text()), ("purse", money()), ("owed", money()), ("locked", truth())]),
        "StaffLine": object(&[("id", text()), ("duties", many()), ("locked", truth()), ("has_password", truth()), ("suspended", truth())]),
        "NewStaff": sent(&[("id?", name(64)), ("name", name(32)), ("password?", password()), ("duties", duties())]),
        "Whom": json!({ "oneOf": [sent(&[("id?", name(64)), ("player", name(32))]), sent(&[("id?", name(64)), ("staff", name(32))])] }),
        "Name": sent(&[("id?", name(64)), ("name", text())]),
        "Reason": sent(&[("id?", name(64)), ("reason", short(200))]),
        "Link": object(&[("path", text()), ("expires", number())]),
        "Cash": sent(&[("id", name(64)), ("player", name(32)), ("amount", amount())]),
        "Told": object(&[("amount", money()), ("purse", money())]),
        "TableInfo": object(&[
            ("id", text()), ("rulebook", text()), ("short", text()), ("game", text()), ("operator", text()), ("family", text()), ("boxes", number()), ("settings", any()),
            ("guests", any()), ("ante", limits()), ("bonus?", limits()), ("next_limits?", object(&[("ante", limits()), ("bonus?", limits())])), ("jackpot_wager?", money()), ("jackpot?", text()), ("pace", any()), ("shoe", text()), ("money", kind_of_money()),
            ("phase", one_of(&["idle", "betting", "play", "finished"])), ("round", number()), ("waiting", truth()), ("notice?", text()), ("closed", truth()),
            ("halted?", text()), ("version", number()),
        ]),
        "NewTable": sent(&[
            ("id?", name(64)), ("table", name(32)), ("game", text()), ("boxes?", seat()), ("procedure?", text()), ("ante?", asked_limits()),
            ("bonus?", asked_limits()), ("jackpot?", name(32)),
            ("pace?", json!({ "oneOf": [
                sent(&[("pace", one_of(&["dealer"]))]),
                sent(&[("pace", one_of(&["auto"])), ("betting_seconds", number()), ("decision_seconds", number())]),
            ] })),
            ("shoe?", one_of(&["computer", "entered"])), ("float?", amount()), ("money?", kind_of_money()), ("bets_by_staff?", amount()),
        ]),
        "NewJackpot": sent(&[
            ("id?", name(64)), ("jackpot", name(32)), ("base?", amount()), ("wager?", amount()), ("reset?", amount()), ("increment?", percent()),
            ("reserve?", percent()), ("ceiling?", amount()), ("confirm_above?", amount()), ("money?", kind_of_money()),
        ]),
        "Into": sent(&[("id?", name(64)), ("into", name(32))]),
        "NewParameters": sent(&[("id?", name(64)), ("parameters", sent(&[
            ("wager", amount()), ("reset", amount()), ("increment", percent()), ("reserve", percent()), ("ceiling?", amount()), ("confirm_above", amount()),
        ]))]),
        "ParametersAndChange": object(&[
            ("parameters", parameters()),
            ("change?", object(&[("parameters", parameters()), ("proposed_by", person()), ("approved_by?", person())])),
        ]),
        "TableView": object(&[
            ("info", shape("TableInfo")), ("round", shape("RoundView")), ("commitment?", object(&[("round", number()), ("hash", text())])), ("proof?", any()),
            ("clock?", object(&[("what", text()), ("ends", number()), ("left_ms", number())])), ("purse?", money()), ("boxes", many()), ("legal", any()),
            ("orders", many()), ("dealers", many()), ("reportable", many()), ("ready", truth()), ("last_wagers", many()),
        ]),
        "RoundView": object(&[
            ("number", number()), ("phase", text()), ("boxes", any()), ("board", shape("Cards")), ("dealer", shape("Cards")), ("burnt", shape("Cards")),
            ("deciding", many()), ("handed_back", many()), ("awaiting?", any()), ("ruled?", any()), ("slips", many()), ("standing", any()),
        ]),
        "Cards": json!({ "type": "array", "items": { "type": ["string", "null"] } }),
        "SentOrder": sent(&[("id", name(64)), ("order", shape("Order")), ("version?", number())]),
        "AskedOrder": sent(&[("order", shape("Order"))]),
        "Order": orders(&seat(), &amount(), &one_of),
        "Receipt": object(&[("table", text()), ("command", text()), ("version", number()), ("round", number()), ("departs_from", many()), ("repeated", truth())]),
        "Preview": object(&[("steps", json!({ "type": "array", "items": text() })), ("boxes", list("BoxForeseen"))]),
        "BoxForeseen": object(&[
            ("seat", number()), ("player", text()), ("staked", money()), ("back", money()),
            ("fate", one_of(&["stays", "wagers-back", "invalid", "chooses", "settled-anew"])),
        ]),
        "Jackpot": object(&[
            ("id", text()), ("money", kind_of_money()), ("displayed", money()), ("wager", money()), ("reset", money()), ("tables", many()), ("pending", list("Hit")), ("hits", list("Hit")),
            ("stopped?", text()), ("version", number()),
        ]),
        "House": object(&[("tables", list("TableInfo")), ("jackpots", list("Jackpot"))]),
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
            ("by", text()), ("from?", text()), ("to?", text()), ("table?", text()), ("game?", text()), ("money", kind_of_money()),
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

fn one_of_texts(values: &[&str]) -> Value {
    json!({ "type": "string", "enum": values })
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
        of(
            "bet-for",
            &[
                ("player", player()),
                ("wager", object(&[("seat", seat.clone()), ("area", area()), ("amount", amount.clone())])),
                ("request", json!({ "type": "string", "maxLength": 200 })),
                ("unnoticed", json!({ "type": "boolean" })),
            ],
        ),
        of("assign", &[("dealer", player())]),
        of("relieve", &[("dealer", player())]),
        of("ready", &[]),
        of("deal-next", &[]),
        of("deal-all", &[]),
        of("enter-cards", &[("cards", cards())]),
        of("sit", &[("seat?", seat.clone())]),
        of("leave", &[]),
        of("give-notice", &[("reason", json!({ "type": "string", "maxLength": 200 }))]),
        of("reopen", &[]),
        of("set-pace", &[("pace", object(&[("pace", one_of(&["dealer"]))]))]),
        of("set-shoe", &[("shoe", one_of(&["computer", "entered"]))]),
        of(
            "set-limits",
            &[
                ("ante", object(&[("least", amount.clone()), ("most", amount.clone())])),
                ("bonus?", object(&[("least", amount.clone()), ("most", amount.clone())])),
            ],
        ),
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
