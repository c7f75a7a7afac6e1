//! What each table has won today, for the pit board: counted on from round to round, so that a busy day costs no more to show than a
//! quiet one. The days are the gaming days of the reports.

use std::collections::HashMap;

use baize_house::{Date, GamingDay, House, HouseError, RoundFilter, RoundLine, TableId, TableInfo};
use baize_rules::Money;
use tokio::sync::Mutex;

/// Rounds that are read at a time.
const PAGE: u32 = 200;

/// What a table has taken in so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Takings {
    day: Option<Date>,
    counted: u32,
    /// What the house won in the rounds that ended today; negative: lost.
    pub(crate) won: Money,
    /// How many rounds they were.
    pub(crate) rounds: u32,
}

/// The takings of all tables.
#[derive(Default)]
pub(crate) struct Day(Mutex<HashMap<TableId, Takings>>);

impl Day {
    /// The takings of this table.
    pub(crate) async fn of(
        &self,
        house: &House,
        info: &TableInfo,
        day: GamingDay,
    ) -> Result<Takings, HouseError> {
        let today = Some(day.of(house.now()));
        let mut all = self.0.lock().await;
        let takings = all.entry(info.id.clone()).or_default();
        if takings.day != today {
            let counted = takings.counted;
            *takings = Takings { day: today, counted, ..Takings::default() };
        }
        let from = takings.counted;
        if info.round == from {
            return Ok(takings.clone());
        }
        let mut before = None;
        loop {
            let limit = Some(PAGE.min(info.round.saturating_sub(from)));
            let filter =
                RoundFilter { table: Some(info.id.clone()), before, limit, ..RoundFilter::default() };
            // The newest come first: rounds of other days and those that were counted end the search.
            let lines = house.rounds(&filter).await?;
            let new = |line: &&RoundLine| line.id.number > from && Some(day.of(line.ended)) == takings.day;
            let found: Vec<&RoundLine> = lines.iter().take_while(new).collect();
            takings.won += found.iter().map(|line| line.won).sum();
            takings.rounds += u32::try_from(found.len()).unwrap_or(u32::MAX);
            takings.counted = lines.first().map_or(from, |line| line.id.number).max(takings.counted);
            match lines.last() {
                Some(last) if found.len() == lines.len() => before = Some(last.ended),
                _ => break,
            }
        }
        Ok(takings.clone())
    }
}
