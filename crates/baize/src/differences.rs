//! `baize rules --diff`: what a rulebook file changes in the approved game that it is based on, value by value, with the paragraphs.
//!
//! Both rulebooks are compared as data, so that nothing that could settle a round differently is left out.

use std::fs;
use std::path::Path;

use baize_rules::{Paragraph, Rulebook};
use serde::Serialize;
use serde_json::Value;

use crate::Failure;
use crate::page::{self, Page, Style};

/// Keys of names, which differ in every copy.
const NAMES: [&str; 7] = ["id", "short", "name", "version", "effective", "based_on", "hash"];

/// Keys that identify the elements of a list.
const LABELS: [&str; 6] = ["area", "kind", "id", "name", "do", "what"];

/// A value that differs.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Difference {
    /// Where it stands: `settlement.higher.bet.pays-by-hand.royal-flush`.
    path: String,
    /// In the approved game; absent: it has none.
    approved: Option<String>,
    /// In the file; absent: it has none.
    here: Option<String>,
    /// The paragraphs.
    cites: String,
}

/// Prints the differences.
pub(crate) fn run(path: &Path, as_json: bool) -> Result<(), Failure> {
    let bytes = fs::read(path).map_err(Failure::of_file(path))?;
    let text = String::from_utf8_lossy(&bytes);
    // Also accepts rulebooks that no command would play, so that the owner sees why.
    let own = Rulebook::parse(&path.display().to_string(), &text).map_err(Failure::Rulebook)?;
    let id = own.based_on.as_deref().unwrap_or(&own.id);
    let approved = Rulebook::builtin(id).ok_or_else(|| Failure::BasedOnNothing(path.to_owned()))?;
    let found = between(approved, &own);
    if as_json {
        return page::print(&page::json(&found)?);
    }
    let mut page = Page::for_stdout();
    page.words("", &format!("{} against {}", path.display(), approved.edition_name()), Style::Plain);
    page.gap();
    for Difference { path, approved, here, cites } in &found {
        let was = approved.as_deref().unwrap_or("nothing");
        let is = here.as_deref().unwrap_or("nothing");
        let cites = if cites.is_empty() { String::new() } else { format!(" ({cites})") };
        page.words("  ", &format!("{path}: {was} -> {is}{cites}"), Style::Plain);
    }
    let count = match found.len() {
        0 => "No difference.".to_owned(),
        1 => "1 difference.".to_owned(),
        n => format!("{n} differences."),
    };
    page.words("", &count, Style::Plain);
    page::print(&page.finish())
}

/// What differs, in the order of the approved rulebook; what only the other has comes last.
fn between(approved: &Rulebook, own: &Rulebook) -> Vec<Difference> {
    let (before, after) = (values(approved), values(own));
    let of = |all: &[Entry], path: &str| all.iter().find(|entry| entry.path == path).map(|e| e.value.clone());
    let changed = before.iter().filter_map(|entry| {
        let here = of(&after, &entry.path);
        (here.as_ref() != Some(&entry.value)).then(|| Difference {
            path: entry.path.clone(),
            approved: Some(entry.value.clone()),
            here,
            cites: entry.cites.clone(),
        })
    });
    let added = after.iter().filter(|entry| of(&before, &entry.path).is_none()).map(|entry| Difference {
        path: entry.path.clone(),
        approved: None,
        here: Some(entry.value.clone()),
        cites: entry.cites.clone(),
    });
    changed.chain(added).collect()
}

/// A value with its place and its paragraphs.
struct Entry {
    path: String,
    value: String,
    cites: String,
}

fn values(rulebook: &Rulebook) -> Vec<Entry> {
    let mut found = Vec::new();
    if let Ok(Value::Object(fields)) = serde_json::to_value(rulebook) {
        for (key, value) in fields.iter().filter(|(key, _)| !NAMES.contains(&key.as_str())) {
            walk(value, key, "", &mut found);
        }
    }
    found
}

fn walk(value: &Value, path: &str, cites: &str, found: &mut Vec<Entry>) {
    match value {
        Value::Object(fields) => {
            let own = fields.get("cites").map(written);
            // If only its parts cite paragraphs, use the first of those.
            let own = own.or_else(|| if cites.is_empty() { first_cites(value) } else { None });
            let cites = own.as_deref().unwrap_or(cites);
            for (key, value) in fields {
                // `value` beside `cites` is the entry itself.
                let path = if key == "value" { path.to_owned() } else { format!("{path}.{key}") };
                walk(value, &path, cites, found);
            }
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            let mut seen = Vec::new();
            for item in items {
                let name = label(item).unwrap_or_else(|| "item".to_owned());
                let again = seen.iter().filter(|one| **one == name).count();
                let number = if again == 0 { String::new() } else { format!("#{}", again + 1) };
                walk(item, &format!("{path}.{name}{number}"), cites, found);
                seen.push(name);
            }
        }
        Value::Array(_) | Value::String(_) | Value::Number(_) | Value::Bool(_) => {
            let value = written(value);
            // A list of paragraphs that stands alone is its own citation.
            let alone = cites.is_empty() && value.split(", ").all(|text| text.parse::<Paragraph>().is_ok());
            let cites = if alone { value.clone() } else { cites.to_owned() };
            found.push(Entry { path: path.to_owned(), value, cites });
        }
        Value::Null => {}
    }
}

/// The first paragraphs that any part of a value names.
fn first_cites(value: &Value) -> Option<String> {
    match value {
        Value::Object(fields) => {
            let own = fields.get("cites").map(written);
            own.or_else(|| fields.values().find_map(first_cites))
        }
        Value::Array(items) => items.iter().find_map(first_cites),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn label(item: &Value) -> Option<String> {
    let inner = item.get("value").filter(|value| value.is_object()).unwrap_or(item);
    LABELS.iter().find_map(|key| inner.get(*key)?.as_str().map(|name| name.replace(' ', "-")))
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(written).collect::<Vec<_>>().join(", "),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_shown_with_its_paragraphs_and_nothing_else() {
        let approved = Rulebook::builtin("rws-casino-stud").unwrap();
        let text = Rulebook::builtin_text("rws-casino-stud").unwrap();
        assert!(between(approved, approved).is_empty());
        let own = text
            .replacen("id = \"rws-casino-stud\"", "id = \"house-stud\"\nbased_on = \"rws-casino-stud\"", 1)
            .replacen("250 to 1", "100 to 1", 1)
            .replacen("SGD 500\"", "SGD 750\"", 1);
        let own = Rulebook::parse("own", &own).unwrap();
        let found = between(approved, &own);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(
            found[0],
            Difference {
                path: "settlement.higher.bet.pays-by-hand.royal-flush".to_owned(),
                approved: Some("250 to 1".to_owned()),
                here: Some("100 to 1".to_owned()),
                cites: "3.14.1, 4.1".to_owned(),
            }
        );
        assert_eq!(found[1].cites, "4.2");
    }

    #[test]
    fn removed_entries_are_shown_with_their_paragraphs() {
        let approved = Rulebook::builtin("rws-casino-stud").unwrap();
        let text = Rulebook::builtin_text("rws-casino-stud").unwrap();
        let entry = "[[irregularities.reports]]\nkind = \"foreign-card\"\ncases = [{ remedy = \"void\", cites = \"5.8.1\" }]\n";
        let own = text
            .replacen("id = \"rws-casino-stud\"", "id = \"house-stud\"\nbased_on = \"rws-casino-stud\"", 1)
            .replacen(entry, "", 1);
        let own = Rulebook::parse("own", &own).unwrap();
        let found = between(approved, &own);
        assert!(!found.is_empty());
        for difference in &found {
            assert_eq!(difference.cites, "5.8.1", "{difference:?}");
        }
    }
}
