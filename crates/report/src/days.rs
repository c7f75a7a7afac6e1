//! Day totals: what a gaming day adds up to, kept beside the journal when the day is over. A report of a year reads days, not rounds.
//!
//! The totals are a cache in the rows of snapshots, one text for the figures of a day and one for its hours. A house that is open keeps
//! those of every day that a report had to walk. Totals that are missing or cannot be read are added up again. The audit adds every day
//! up as well, and names totals that say anything else.

use std::collections::BTreeMap;

use baize_house::{Answer, Date, DayBegins, GamingDay, House, HouseError, Instant, UtcOffset};
use baize_journal::{Batch, SnapshotFilter, SnapshotRow, Store, StoreError, Stream, secret};
use baize_rules::Money;
use serde::{Deserialize, Serialize};

use super::tally::Tally;
use super::walk::added_up;
use super::{CageLine, HourLine, JackpotLine, MeterPoint, ReportError, ReportLine, Staked};

/// The shape of the texts. Another shape is another name, and old rows are not read.
const DAYS: &str = "days/1/";
const HOURS: &str = "hours/1/";

/// A day is over this long after its end, in milliseconds: another host's clock may be a little behind.
const LATE: i64 = 60 * 60 * 1_000;

/// Days that are added up at once.
const AT_ONCE: u32 = 30;

/// What a gaming day adds up to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Day {
    pub(super) tables: BTreeMap<String, ReportLine>,
    /// What each jackpot handed over.
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
    /// The rows that keep it.
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

/// The last day that is over at a time.
fn last_over(rule: GamingDay, now: Instant) -> Date {
    rule.of(Instant(now.0 - LATE)).previous()
}

/// The gaming days of which totals are kept.
///
/// # Errors
/// Those of the database.
pub async fn rules_kept(store: &dyn Store) -> Result<Vec<GamingDay>, StoreError> {
    let rule = |name: &String| {
        let (utc_offset, begins) = name.strip_prefix(DAYS)?.split_once('/')?;
        let (utc_offset, begins) = (utc_offset.parse::<UtcOffset>().ok()?, begins.parse::<DayBegins>().ok()?);
        Some(GamingDay { utc_offset, begins })
    };
    Ok(store.names_from(DAYS).await?.iter().filter_map(rule).collect())
}

/// The rows of totals from a day to another, both included.
///
/// # Errors
/// Those of the database.
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

/// The text of a row, if it is whole.
fn read<'a, T: Deserialize<'a>>(row: &'a SnapshotRow) -> Option<(Date, T)> {
    let text = Some(&row.state).filter(|text| secret::digest(text.as_bytes()) == row.hash)?;
    Some((Date::numbered(row.version), serde_json::from_str(text).ok()?))
}

/// The totals of these days: those that are kept, and the others added up. An open house keeps those of days that are over.
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

/// The days between those that are kept.
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

/// Keeps the totals of days that are over.
async fn keep(house: &House, rule: GamingDay, tally: &Tally, over: Date) {
    let sure = tally.days.range(..=over).filter(|(date, _)| !tally.unsure.contains(*date));
    let snapshots: Vec<SnapshotRow> = sure.flat_map(|(date, day)| day.rows(rule, *date)).collect();
    if snapshots.is_empty() {
        return;
    }
    // They are added up again the next time.
    if let Err(error) = house.store().append(Batch { snapshots, ..Batch::default() }).await {
        tracing::warn!(target: "baize::report", %error, "the totals of days that are over were not kept");
    }
}

/// Keeps the totals of all days that are over and come after the last one that is kept.
///
/// # Errors
/// Those of the database.
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
        let to = next.plus_days(AT_ONCE - 1).min(over);
        days(house, rule, (Some(next), Some(to)), false).await.map_err(|error| match error {
            ReportError::House(error) => error,
            ReportError::Asked(fault) => HouseError::Corrupt(fault.to_string()),
        })?;
        next = to.next();
    }
    Ok(())
}
