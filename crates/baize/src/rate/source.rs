//! Where the rounds come from: script files, or the record of a casino, which writes its rounds as scripts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use baize_house::{House, RoundFilter};
use baize_rules::Rulebook;
use baize_script::Script;
use baize_table::Finished;

use super::Arguments;
use crate::audit::wait;
use crate::{Failure, scripts};

/// When a round was opened and ended, in thousandths of a second, where that is known.
pub(super) type Time = Option<(i64, i64)>;

/// Rounds further apart than this belong to two sessions: ten minutes.
const PAUSE: i64 = 600_000;

/// A finished round.
pub(super) struct FinishedRound {
    pub(super) book: Arc<Rulebook>,
    pub(super) finished: Finished,
    pub(super) time: Time,
}

/// The rounds of script files. What a script expects is not looked at.
pub(super) fn of_scripts(files: &[PathBuf], rulebooks: &[PathBuf]) -> Result<Vec<FinishedRound>, Failure> {
    let library = scripts::Library::with(rulebooks)?;
    let mut rounds = Vec::new();
    for argument in files {
        for file in scripts::files(argument)? {
            let text = scripts::read(&file)?;
            let transcript = scripts::run(&name(&file), &text, &library)?;
            rounds.extend(finished(&transcript, None));
        }
    }
    Ok(rounds)
}

/// The latest rounds of a casino.
pub(super) fn of_casino(database: &str, arguments: &Arguments) -> Result<Vec<FinishedRound>, Failure> {
    let table = arguments.table.as_deref().map(str::parse).transpose()?;
    wait(async {
        let house = House::look_at(database).await?;
        let mut filter = RoundFilter { table, player: None, before: None, limit: Some(500) };
        let mut rounds = Vec::new();
        let mut left = arguments.rounds as usize;
        while left > 0 {
            let lines = house.rounds(&filter).await?;
            let Some(last) = lines.last() else { break };
            filter.before = Some(last.ended);
            for line in lines.iter().take(left) {
                let script = house.export(&line.id).await?;
                let own = house.rulebook_text(&line.id.table)?;
                let find = |id: &str| {
                    let own = Rulebook::parse("the casino's rulebook", &own).ok();
                    own.filter(|book| book.id == id).or_else(|| Rulebook::builtin(id).cloned())
                };
                let script = Script::parse(&script).map_err(|errors| {
                    Failure::Script(errors.iter().map(|error| error.what().to_string()).collect())
                })?;
                let time = Some((line.opened.0, line.ended.0));
                rounds.extend(finished(&baize_script::run(&script, &find), time));
            }
            left = left.saturating_sub(lines.len());
        }
        Ok(rounds)
    })
}

fn finished(transcript: &baize_script::Transcript, time: Time) -> Vec<FinishedRound> {
    let round = |record: &baize_script::RoundRecord| {
        let book = Arc::clone(&transcript.tables.get(record.table)?.book);
        Some(FinishedRound { book, finished: record.finished()?.clone(), time })
    };
    transcript.rounds.iter().filter_map(round).collect()
}

fn name(file: &Path) -> String {
    file.display().to_string()
}

/// The hours that these rounds took, pauses left out. `None` where times are not known.
pub(super) fn hours(times: &[Time]) -> Option<f64> {
    let mut known: Vec<(i64, i64)> = times.iter().copied().collect::<Option<_>>()?;
    known.sort_unstable();
    known.dedup();
    let mut total = 0;
    let mut last: Option<i64> = None;
    for (opened, ended) in known {
        let from = last.filter(|last| opened - last < PAUSE).unwrap_or(opened);
        total += (ended - from).max(0);
        last = Some(last.map_or(ended, |last| last.max(ended)));
    }
    (total > 0).then(|| total as f64 / 3_600_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_do_not_count() {
        let minute = 60_000;
        let rounds = [(0, minute), (2 * minute, 3 * minute), (100 * minute, 102 * minute)].map(Some);
        let hours = hours(&rounds).unwrap();
        assert!((hours - 5.0 / 60.0).abs() < 1e-9, "{hours}");
        assert_eq!(super::hours(&[Some((0, 1)), None]), None);
    }
}
