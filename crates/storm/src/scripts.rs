//! Exporting rounds of a simulated casino as scripts and replaying them.

use baize_house::{House, RoundId};

use crate::casino::{Casino, locked};

impl Casino {
    /// The last round of every table as a script. A script that does not replay says so in its first line: it is the bug, or a round that
    /// the script language cannot express.
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
                let said = match replay(&script) {
                    Ok(()) => script,
                    Err(why) => format!("{}{why}\n{script}", crate::report::NOT_REPLAYABLE),
                };
                scripts.push((format!("{table}-{number}"), said));
            }
        }
        scripts
    }

    /// Replays every fifth finished round from its script and reports the differences.
    pub(crate) async fn replay_scripts(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let rows: Vec<(String, u32)> = self.hosts.world.state().database.rounds.keys().cloned().collect();
        let Some(house) = self.hosts.house(0) else { return wrong };
        let not_scriptable = locked(&self.books).not_scriptable.clone();
        for (table, number) in rows.iter().filter(|row| !not_scriptable.contains(row)).step_by(5) {
            let Ok(table) = table.parse() else { continue };
            let id = RoundId { table, number: *number };
            if let Err(why) = replay_round(&house, &id).await {
                wrong.push(format!("replay of round {id}: {why}"));
            }
        }
        wrong
    }
}

async fn replay_round(house: &House, id: &RoundId) -> Result<(), String> {
    let text = house.export(id).await.map_err(|error| error.to_string())?;
    replay(&text).map_err(|why| format!("{why}\n{text}"))
}

/// Replays a script and returns the first difference.
pub(crate) fn replay(text: &str) -> Result<(), String> {
    let script = baize_script::Script::parse(text).map_err(|errors| format!("{:?}", errors.first()))?;
    let transcript = baize_script::run(&script, &|id| baize_rules::Rulebook::builtin(id).cloned());
    match transcript.failures.first() {
        None => Ok(()),
        Some(failure) => Err(format!("line {}: {} but {}", failure.line, failure.expected, failure.happened)),
    }
}
