//! A client of the API for Python, made from the description: a method for each operation, with nothing but the standard library.

use std::fmt::Write as _;

use serde_json::Value;

const HEAD: &str = r#""""A client of the Baize API. Made by `baize generate client` from the API's own description: do not edit.

    from baize_client import Client, Refused
    ann = Client("http://127.0.0.1:8080")
    ann.token = ann.post_players({"name": "ann"})["token"]
"""

import json
import urllib.error
import urllib.parse
import urllib.request


class Refused(Exception):
    """The casino said no: `status`, `code`, `message` and the `paragraphs` behind it."""

    def __init__(self, status, error):
        super().__init__(f"{status} {error['code']}: {error['message']}")
        self.status, self.code = status, error["code"]
        self.message, self.paragraphs = error["message"], error["paragraphs"]


class Client:
    """One person of the casino. Without a token it is anybody."""

    def __init__(self, address, token=None):
        self.address, self.token = address.rstrip("/") + "/api/v1", token

    def _open(self, method, path, query=None, body=None):
        given = {name: value for name, value in (query or {}).items() if value is not None}
        address = self.address + path + ("?" + urllib.parse.urlencode(given) if given else "")
        request = urllib.request.Request(address, method=method)
        if self.token:
            request.add_header("authorization", "Bearer " + self.token)
        if body is not None:
            request.add_header("content-type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            return urllib.request.urlopen(request)
        except urllib.error.HTTPError as answer:
            raise Refused(answer.code, json.load(answer)["error"]) from None

    def _send(self, method, path, query=None, body=None):
        with self._open(method, path, query, body) as answer:
            text = answer.read().decode()
            as_json = answer.headers.get("content-type", "").startswith("application/json")
            return json.loads(text) if as_json else (text or None)

    def _listen(self, path, query=None):
        with self._open("GET", path, query) as answer:
            for line in answer:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])
"#;

/// The file.
pub(super) fn text(description: &Value) -> String {
    let mut out = HEAD.to_owned();
    for (path, methods) in description["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            written(&mut out, path, method, operation);
        }
    }
    out
}

fn written(out: &mut String, path: &str, method: &str, operation: &Value) {
    let named = |place: &str| -> Vec<&str> {
        let all = operation["parameters"].as_array().into_iter().flatten();
        all.filter(|of| of["in"] == place).filter_map(|of| of["name"].as_str()).collect()
    };
    // `from` is a word of the language.
    let safe = |name: &str| if name == "from" { "from_".to_owned() } else { name.to_owned() };
    let (in_path, in_query) = (named("path"), named("query"));
    let body = operation.get("requestBody");
    let required = body.is_some_and(|body| body["required"] == true);
    let mut taken = vec!["self".to_owned()];
    taken.extend(in_path.iter().map(|name| safe(name)));
    if body.is_some() {
        taken.push(if required { "body".to_owned() } else { "body=None".to_owned() });
    }
    taken.extend(in_query.iter().map(|name| format!("{}=None", safe(name))));
    let name = operation["operationId"].as_str().unwrap_or_default().replace('-', "_");
    let words = |field: &str| operation[field].as_str().unwrap_or_default();
    let quoted = |name: &&str| format!("{{urllib.parse.quote(str({}), safe='')}}", safe(name));
    let mut address = path.to_owned();
    for name in &in_path {
        address = address.replace(&format!("{{{name}}}"), &quoted(name));
    }
    let address = if in_path.is_empty() { format!("\"{address}\"") } else { format!("f\"{address}\"") };
    let pairs: Vec<String> = in_query.iter().map(|name| format!("\"{name}\": {}", safe(name))).collect();
    let query = if pairs.is_empty() { "None".to_owned() } else { format!("{{{}}}", pairs.join(", ")) };
    let streams = operation["responses"]["200"]["content"].get("text/event-stream").is_some();
    let call = if streams {
        format!("self._listen({address}, {query})")
    } else {
        let body = if body.is_some() { "body" } else { "None" };
        format!("self._send(\"{}\", {address}, {query}, {body})", method.to_uppercase())
    };
    // Writing into a text cannot fail.
    let _ = write!(
        out,
        "\n    def {name}({}):\n        \"\"\"{}. {}\"\"\"\n        return {call}\n",
        taken.join(", "),
        words("summary"),
        words("description"),
    );
}
