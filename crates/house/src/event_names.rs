//! Names of events and facts, for the journal's index.

use crate::facts::{Body, TableFact};

/// The name of a fact; for an event of the round, the name of the event.
fn table_fact(fact: &TableFact) -> &'static str {
    fact.round().map_or_else(|| fact.into(), Into::into)
}

/// All names in a body, without duplicates, as `,one,two,`.
pub fn kinds(body: &Body) -> String {
    let names: Vec<&'static str> = match body {
        Body::Table { steps, .. } => steps.iter().flat_map(|step| &step.facts).map(table_fact).collect(),
        Body::Jackpot(steps) => steps.iter().flat_map(|step| &step.events).map(Into::into).collect(),
        Body::House(facts) => facts.iter().map(Into::into).collect(),
        Body::Purse(facts) => facts.iter().map(Into::into).collect(),
    };
    let mut unique = Vec::with_capacity(names.len());
    for name in names {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    format!(",{},", unique.join(","))
}
