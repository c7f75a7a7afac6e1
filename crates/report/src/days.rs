//! Day totals: the sums of a gaming day, stored outside the journal once the day is over. A report of a year reads days, not rounds.
//!
//! The totals are a cache stored as snapshots, one row for the figures of a day and one for its hours. An open house stores those of every
//! day that a report had to sum. Totals that are missing or unreadable are computed again. The audit recomputes every day and reports
//! totals that differ.

use std::collections::BTreeMap;

use baize_house::{Answer, Date, DayBegins, GamingDay, House, HouseError, Instant, UtcOffset};
use baize_journal::{Batch, SnapshotFilter, SnapshotRow, Store, StoreError, Stream, secret};
use baize_rules::Money;
use serde::{Deserialize, Serialize};

use super::tally::Tally;
use super::walk::added_up;
use super::{CageLine, HourLine, JackpotLine, MeterPoint, ReportError, ReportLine, Staked};
use crate::boxed;

/// Stream prefixes with the format version. Rows of other versions are ignored.
const DAYS: &str = "days/1/";
const HOURS: &str = "hours/1/";

/// Milliseconds after its end when a day counts as over: other hosts' clocks may be a little behind.
const CLOCK_TOLERANCE: i64 = 60 * 60 * 1_000;

/// Days summed at a time.
const CHUNK_DAYS: u32 = 30;

/// Totals of a gaming day.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Day {
    pub(super) tables: BTreeMap<String, ReportLine>,
    /// Handed over by each jackpot.
    pub(super) handed_over: BTreeMap<String, Money>,
    /// By cashier.
    pub(super) cage: BTreeMap<String, CageLine>,
    /// By table.
    pub(super) staked: BTreeMap<String, Staked>,
    pub(super) jackpots: BTreeMap<String, JackpotLine>,
    /// By hour, table and dealer.
    #[serde(skip)]
    pub(super) hours: BTreeMap<(Instant, String, String), HourLine>,
    /// By hour and jackpot.
    #[serde(skip)]
    pub(super) meters: BTreeMap<(Instant, String), MeterPoint>,
}

/// The hours of a day.
#[derive(Serialize, Deserialize)]
struct Hours {
    hours: Vec<HourLine>,
    meters: Vec<MeterPoint>,
}

impl Day {
    /// The rows that store it.
    #[must_use]
    pub fn rows(&self, rule: GamingDay, date: Date) -> Vec<SnapshotRow> {
        let (hours, meters) =
            (self.hours.values().cloned().collect(), self.meters.values().cloned().collect());
        let texts = [serde_json::to_string(self), serde_json::to_string(&Hours { hours, meters })];
        let row = |(prefix, text): (&str, Result<String, _>)| {
            let state = text.ok()?;
            let (stream, hash) = (stream(prefix, rule), secret::digest(state.as_bytes()));
            Some(SnapshotRow { stream, version: date.number(), hash, at: rule.start(date), state })
        };
        [DAYS, HOURS].into_iter().zip(texts).filter_map(row).collect()
    }
}

/// `days/1/+08:00/06:00`
fn stream(prefix: &str, rule: GamingDay) -> Stream {
    Stream::named(format!("{prefix}{}/{}", rule.utc_offset, rule.begins))
}

/// The last day that is over at this time.
fn last_over(rule: GamingDay, now: Instant) -> Date {
    rule.of(Instant(now.0 - CLOCK_TOLERANCE)).previous()
}

/// The definitions of the gaming day for which totals are stored.
///
/// # Errors
/// The database's.
#[boxed]
pub async fn rules_kept(store: &dyn Store) -> Result<Vec<GamingDay>, StoreError> {
    let rule = |name: &String| {
        let (utc_offset, begins) = name.strip_prefix(DAYS)?.split_once('/')?;
        let (utc_offset, begins) = (utc_offset.parse::<UtcOffset>().ok()?, begins.parse::<DayBegins>().ok()?);
        Some(GamingDay { utc_offset, begins })
    };
    Ok(store.names_from(DAYS).await?.iter().filter_map(rule).collect())
}

/// Stored totals from one day to another, inclusive.
///
/// # Errors
/// The database's.
#[boxed]
pub async fn kept(
    store: &dyn Store,
    rule: GamingDay,
    (from, to): (Option<Date>, Option<Date>),
) -> Result<Vec<SnapshotRow>, StoreError> {
    let mut rows = rows(store, stream(DAYS, rule), (from, to)).await?;
    rows.extend(self::rows(store, stream(HOURS, rule), (from, to)).await?);
    Ok(rows)
}

async fn rows(
    store: &dyn Store,
    stream: Stream,
    (from, to): (Option<Date>, Option<Date>),
) -> Result<Vec<SnapshotRow>, StoreError> {
    let (from, to) = (from.map_or(0, Date::number), to.map_or(u64::MAX, Date::number));
    store.snapshots(SnapshotFilter { stream, from, to, before: None, limit: u32::MAX }).await
}

/// Date and contents of a row, unless it is damaged.
fn read<'a, T: Deserialize<'a>>(row: &'a SnapshotRow) -> Option<(Date, T)> {
    let text = Some(&row.state).filter(|text| secret::digest(text.as_bytes()) == row.hash)?;
    Some((Date::numbered(row.version), serde_json::from_str(text).ok()?))
}

/// Totals of these days: stored ones, and the others computed. An open house stores those of days that are over.
pub(super) async fn days(
    house: &House,
    rule: GamingDay,
    (from, to): (Option<Date>, Option<Date>),
    hours: bool,
) -> Result<BTreeMap<Date, Day>, ReportError> {
    let over = last_over(rule, house.now());
    let store = house.store().as_ref();
    let until = Some(to.map_or(over, |to| to.min(over)));
    let found = rows(store, stream(DAYS, rule), (from, until)).await?;
    let mut days: BTreeMap<Date, Day> = found.iter().filter_map(read::<Day>).collect();
    if hours {
        let found = rows(store, stream(HOURS, rule), (from, until)).await?;
        let mut of: BTreeMap<Date, Hours> = found.iter().filter_map(read::<Hours>).collect();
        days.retain(|date, day| {
            let Some(Hours { hours, meters }) = of.remove(date) else { return false };
            let key = |line: &HourLine| (line.at, line.table.clone(), line.dealer.clone());
            day.hours = hours.into_iter().map(|line| (key(&line), line)).collect();
            let key = |point: &MeterPoint| (point.at, point.jackpot.to_string());
            day.meters = meters.into_iter().map(|point| (key(&point), point)).collect();
            true
        });
    }
    for gap in gaps(&days, (from, to)) {
        let tally = added_up(house, rule, gap).await?;
        if !house.is_closed() {
            keep(house, rule, &tally, over).await;
        }
        days.extend(tally.days);
    }
    Ok(days)
}

/// The ranges of days without stored totals.
fn gaps(
    kept: &BTreeMap<Date, Day>,
    (from, to): (Option<Date>, Option<Date>),
) -> Vec<(Option<Date>, Option<Date>)> {
    let (mut gaps, mut next) = (Vec::new(), from);
    for day in kept.keys() {
        if next.is_none_or(|next| next < *day) {
            gaps.push((next, Some(day.previous())));
        }
        next = Some(day.next());
    }
    if to.is_none_or(|to| next.is_none_or(|next| next <= to)) {
        gaps.push((next, to));
    }
    gaps
}

/// Stores the totals of days that are over.
async fn keep(house: &House, rule: GamingDay, tally: &Tally, over: Date) {
    let sure = tally.days.range(..=over).filter(|(date, _)| !tally.incomplete.contains(*date));
    let snapshots: Vec<SnapshotRow> = sure.flat_map(|(date, day)| day.rows(rule, *date)).collect();
    if snapshots.is_empty() {
        return;
    }
    // They are computed again next time.
    if let Err(error) = house.store().append(Batch { snapshots, ..Batch::default() }).await {
        tracing::warn!(target: "baize::report", %error, "could not store day totals");
    }
}

/// Stores the totals of all finished days after the last one stored.
///
/// # Errors
/// The database's.
#[boxed]
pub async fn keep_days(house: &House, rule: GamingDay) -> Answer<()> {
    let over = last_over(rule, house.now());
    let store = house.store().as_ref();
    let filter =
        |limit| SnapshotFilter { stream: stream(DAYS, rule), from: 0, to: u64::MAX, before: None, limit };
    let mut next = match store.snapshots(filter(1)).await?.first() {
        Some(last) => Date::numbered(last.version).next(),
        None => match store.read(&Stream::house(), 0, 1).await?.first() {
            Some(first) => rule.of(first.at),
            None => return Ok(()),
        },
    };
    while next <= over {
        let to = next.plus_days(CHUNK_DAYS - 1).min(over);
        days(house, rule, (Some(next), Some(to)), false).await.map_err(|error| match error {
            ReportError::House(error) => error,
            ReportError::Asked(fault) => HouseError::Corrupt(fault.to_string()),
        })?;
        next = to.next();
    }
    Ok(())
}
