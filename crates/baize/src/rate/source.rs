//! Sources of rounds: script files, or a casino's journal.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baize_house::{Actor, PastRound, RoundFilter, TableId};
use baize_odds::rating::RoundTime;
use baize_rules::Rulebook;
use baize_table::Finished;

use super::Arguments;
use crate::audit::wait;
use crate::database::look_at;
use crate::{Failure, scripts};

/// A finished round.
pub(super) struct FinishedRound {
    pub(super) book: Arc<Rulebook>,
    pub(super) finished: Finished,
    /// The table's name, where it has one.
    pub(super) table: Option<String>,
    pub(super) time: RoundTime,
}

/// The rounds of script files. Expectations are ignored.
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

/// Default number of rounds rated.
const ROUNDS: u32 = 1_000;

/// Passes the latest rounds of a casino to `rate`, roughly newest first, until it returns false.
pub(super) fn of_casino(
    database: &str,
    arguments: &Arguments,
    mut rate: impl FnMut(&FinishedRound) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let table: Option<TableId> = arguments.table.as_deref().map(str::parse).transpose()?;
    let player = arguments.player.as_deref().map(str::parse).transpose()?;
    wait(async {
        let house = look_at(database).await?;
        let tables: Vec<TableId> = house.tables().await?.into_iter().map(|info| info.id).collect();
        if let Some(unknown) = table.as_ref().filter(|table| !tables.contains(table)) {
            let tables: Vec<String> = tables.iter().map(ToString::to_string).collect();
            let tables = tables.join(", ");
            return Err(Failure::Usage(format!("there is no table {unknown}; the tables are {tables}")));
        }
        let filter =
            RoundFilter { table, player, before: None, limit: Some(arguments.rounds.unwrap_or(ROUNDS)) };
        let mut failed = None;
        let take = |round: PastRound| {
            let time = Some((round.opened.0, round.ended.0));
            let table = Some(round.id.table.to_string());
            match rate(&FinishedRound { time, table, book: round.book, finished: round.finished }) {
                Ok(true) => ControlFlow::Continue(()),
                Ok(false) => ControlFlow::Break(()),
                Err(failure) => {
                    failed = Some(failure);
                    ControlFlow::Break(())
                }
            }
        };
        house.each_past_round(&Actor::House, &filter, take).await?;
        failed.map_or(Ok(()), Err)
    })
}

fn finished(transcript: &baize_script::Transcript) -> Vec<FinishedRound> {
    let round = |record: &baize_script::ScriptRound| {
        let table = transcript.tables.get(record.table)?;
        let (book, name) = (Arc::clone(&table.book), table.name.clone());
        Some(FinishedRound { book, finished: record.finished()?.clone(), table: name, time: None })
    };
    transcript.rounds.iter().filter_map(round).collect()
}

fn name(file: &Path) -> String {
    file.display().to_string()
}
