//! The names of events and facts, for the journal's index.

use crate::facts::{Body, TableFact};

/// The name of what happened at a table: an event of the round has its own.
fn table_fact(fact: &TableFact) -> &'static str {
    fact.round().map_or_else(|| fact.into(), Into::into)
}

/// All names of a body, each once, between commas.
pub fn kinds(body: &Body) -> String {
    let mut names: Vec<&'static str> = match body {
        Body::Table { steps, .. } => steps.iter().flat_map(|step| &step.facts).map(table_fact).collect(),
        Body::Jackpot(steps) => steps.iter().flat_map(|step| &step.events).map(Into::into).collect(),
        Body::House(facts) => facts.iter().map(Into::into).collect(),
        Body::Purse(facts) => facts.iter().map(Into::into).collect(),
    };
    let mut seen = Vec::with_capacity(names.len());
    names.retain(|name| {
        let new = !seen.contains(name);
        if new {
            seen.push(*name);
        }
        new
    });
    format!(",{},", names.join(","))
}
