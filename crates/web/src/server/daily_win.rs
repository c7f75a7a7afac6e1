//! The win of each table in the current gaming day, for the pit board. Counted incrementally, so a board costs the same on a busy day.

use std::collections::HashMap;

use baize_house::{Date, GamingDay, House, HouseError, RoundFilter, RoundLine, TableId, TableInfo};
use baize_rules::Money;
use tokio::sync::Mutex;

/// Rounds read per query.
const PAGE: u32 = 200;

/// The win of one table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct DailyWin {
    day: Option<Date>,
    /// The last round that is included.
    counted: u32,
    /// What the house won in the rounds that ended in this gaming day; negative if it lost.
    pub(crate) won: Money,
    /// The number of these rounds.
    pub(crate) rounds: u32,
}

/// The daily win of all tables.
#[derive(Default)]
pub(crate) struct DailyWins(Mutex<HashMap<TableId, DailyWin>>);

impl DailyWins {
    /// The daily win of this table, with all rounds up to `info`.
    pub(crate) async fn of(
        &self,
        house: &House,
        info: &TableInfo,
        day: GamingDay,
    ) -> Result<DailyWin, HouseError> {
        let today = Some(day.of(house.now()));
        let mut all = self.0.lock().await;
        let win = all.entry(info.id.clone()).or_default();
        if win.day != today {
            *win = DailyWin { day: today, counted: win.counted, ..DailyWin::default() };
        }
        let from = win.counted;
        if info.round == from {
            return Ok(win.clone());
        }
        let mut before = None;
        loop {
            let limit = Some(PAGE.min(info.round.saturating_sub(from)));
            let filter =
                RoundFilter { table: Some(info.id.clone()), before, limit, ..RoundFilter::default() };
            // Newest first: stop at the first round of another day or one that was already counted.
            let lines = house.rounds(&filter).await?;
            let new = |line: &&RoundLine| line.id.number > from && Some(day.of(line.ended)) == win.day;
            let found: Vec<&RoundLine> = lines.iter().take_while(new).collect();
            win.won += found.iter().map(|line| line.won).sum();
            win.rounds += u32::try_from(found.len()).unwrap_or(u32::MAX);
            win.counted = lines.first().map_or(from, |line| line.id.number).max(win.counted);
            match lines.last() {
                Some(last) if found.len() == lines.len() => before = Some(last.ended),
                _ => break,
            }
        }
        Ok(win.clone())
    }
}
