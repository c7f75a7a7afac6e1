//! Where the rounds come from: script files, or the record of a casino.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baize_house::{Actor, House, Instant, RoundFilter};
use baize_odds::rating::RoundTime;
use baize_rules::Rulebook;
use baize_table::Finished;

use super::Arguments;
use crate::audit::wait;
use crate::{Failure, scripts};

/// A finished round.
pub(super) struct FinishedRound {
    pub(super) book: Arc<Rulebook>,
    pub(super) finished: Finished,
    /// The table's name, where it has one.
    pub(super) table: Option<String>,
    pub(super) time: RoundTime,
}

/// The rounds of script files. What a script expects is not looked at.
pub(super) fn of_scripts(files: &[PathBuf], rulebooks: &[PathBuf]) -> Result<Vec<FinishedRound>, Failure> {
    let library = scripts::Library::with(rulebooks)?;
    let mut rounds = Vec::new();
    for argument in files {
        for file in scripts::files(argument)? {
            let text = scripts::read(&file)?;
            let transcript = scripts::run(&name(&file), &text, &library)?;
            rounds.extend(finished(&transcript));
        }
    }
    Ok(rounds)
}

/// Rounds that are read at once: a year of them does not fit into memory with all its cards.
const PAGE: u32 = 5_000;

/// The latest rounds of a casino, from the newest page back, until `rate` has enough.
pub(super) fn of_casino(
    database: &str,
    arguments: &Arguments,
    mut rate: impl FnMut(&FinishedRound) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let table = arguments.table.as_deref().map(str::parse).transpose()?;
    let player = arguments.player.as_deref().map(str::parse).transpose()?;
    wait(async {
        let house = House::look_at(database).await?;
        let mut filter = RoundFilter { table, player, before: None, limit: None };
        let (mut left, mut known) = (arguments.rounds, BTreeSet::new());
        while left > 0 {
            filter.limit = Some(left.min(PAGE));
            let mut rounds = house.past_rounds(&Actor::House, &filter, None).await?;
            let Some(oldest) = rounds.first().map(|round| round.ended) else { break };
            // The next page begins with the moment at which this one ends: several rounds may have ended then.
            filter.before = Some(Instant(oldest.0 + 1));
            rounds.retain(|round| !known.contains(&round.id.to_string()));
            if rounds.is_empty() {
                break;
            }
            known = rounds
                .iter()
                .filter(|round| round.ended == oldest)
                .map(|round| round.id.to_string())
                .collect();
            left = left.saturating_sub(u32::try_from(rounds.len()).unwrap_or(u32::MAX));
            for round in rounds {
                let time = Some((round.opened.0, round.ended.0));
                let table = Some(round.id.table.to_string());
                if !rate(&FinishedRound { time, table, book: round.book, finished: round.finished })? {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

fn finished(transcript: &baize_script::Transcript) -> Vec<FinishedRound> {
    let round = |record: &baize_script::RoundRecord| {
        let table = transcript.tables.get(record.table)?;
        let (book, name) = (Arc::clone(&table.book), table.name.clone());
        Some(FinishedRound { book, finished: record.finished()?.clone(), table: name, time: None })
    };
    transcript.rounds.iter().filter_map(round).collect()
}

fn name(file: &Path) -> String {
    file.display().to_string()
}
