//! Rounds of a simulated casino as scripts: each plays again by the rules alone.

use baize_house::{House, RoundId};

use crate::casino::{Casino, locked};

impl Casino {
    /// The last rounds of every table, as scripts. One that does not play again says so in its first line: it is what is looked for, or a
    /// round that the language of scripts has no words for.
    pub(crate) async fn scripts(&self) -> Vec<(String, String)> {
        let mut scripts = Vec::new();
        let rows: Vec<(String, u32)> = self.hosts.world.state().database.rounds.keys().cloned().collect();
        let Some(house) = self.hosts.open_host(0).and_then(|host| self.hosts.house(host)) else {
            return scripts;
        };
        for table in &self.cast.tables {
            let last = rows.iter().filter(|(name, _)| name == table.as_str()).map(|(_, round)| *round).max();
            let Some(number) = last else { continue };
            let id = RoundId { table: table.clone(), number };
            if let Ok(script) = house.export(&id).await {
                let said = match plays(&script) {
                    Ok(()) => script,
                    Err(why) => format!("{}{why}\n{script}", crate::report::NOT_AGAIN),
                };
                scripts.push((format!("{table}-{number}"), said));
            }
        }
        scripts
    }

    /// Some finished rounds, played again from their scripts by the rules alone.
    pub(crate) async fn scripts_hold(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let rows: Vec<(String, u32)> = self.hosts.world.state().database.rounds.keys().cloned().collect();
        let Some(house) = self.hosts.house(0) else { return wrong };
        let unsaid = locked(&self.books).unsaid.clone();
        for (table, number) in rows.iter().filter(|row| !unsaid.contains(row)).step_by(5) {
            let Ok(table) = table.parse() else { continue };
            let id = RoundId { table, number: *number };
            if let Err(why) = again(&house, &id).await {
                wrong.push(format!("round {id} played again: {why}"));
            }
        }
        wrong
    }
}

async fn again(house: &House, id: &RoundId) -> Result<(), String> {
    let text = house.export(id).await.map_err(|error| error.to_string())?;
    plays(&text).map_err(|why| format!("{why}\n{text}"))
}

/// Plays a script by the rules alone. Says in one line what does not hold.
pub(crate) fn plays(text: &str) -> Result<(), String> {
    let script = baize_script::Script::parse(text).map_err(|errors| format!("{:?}", errors.first()))?;
    let transcript = baize_script::run(&script, &|id| baize_rules::Rulebook::builtin(id).cloned());
    match transcript.failures.first() {
        None => Ok(()),
        Some(failure) => Err(format!("line {}: {} but {}", failure.line, failure.expected, failure.happened)),
    }
}
