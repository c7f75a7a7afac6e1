//! Audit of day totals, from which reports are made: every day is summed again in the walk and compared.

use std::collections::BTreeMap;

use baize_house::record::Body;
use baize_house::{Answer, Date, House, Instant, JackpotId};
use baize_jackpot::Jackpot;
use baize_journal::{Entry, SnapshotRow, Store, Stream};
use baize_report::{Day, Tally, added_up, kept, rules_kept};

use super::Findings;

/// Milliseconds after its end when a day is compared: by then all its entries were walked.
const LATE: i64 = 24 * 60 * 60 * 1_000;

/// Recomputed totals, for each definition of the gaming day that has totals.
#[derive(Default)]
pub(crate) struct Totals {
    of: Vec<Days>,
    latest: Option<Instant>,
}

struct Days {
    tally: Tally,
    /// Days that began before the checkpoint, of which not all entries are walked.
    begun: BTreeMap<Date, Day>,
    /// The next day to compare; `None` for the first.
    next: Option<Date>,
}

impl Totals {
    /// Starts the totals. After a checkpoint: days that were not over then.
    pub(super) async fn begin(house: &House, store: &dyn Store, since: Option<Instant>) -> Answer<Totals> {
        let mut of = Vec::new();
        for rule in rules_kept(store).await? {
            let next = since.map(|since| rule.of(Instant(since.0 - LATE)));
            let begun = match since {
                None => BTreeMap::new(),
                Some(since) => added_up(house, rule, (next, Some(rule.of(since)))).await?.into_days(),
            };
            of.push(Days { tally: Tally::new(rule), begun, next });
        }
        Ok(Totals { of, latest: None })
    }

    /// Adds the next valid entry.
    pub(super) fn entry(&mut self, entry: &Entry, body: &Body) {
        self.latest = self.latest.max(Some(entry.at));
        for days in &mut self.of {
            match body {
                Body::Table { round, steps, .. } => days.tally.at_table(entry, *round, steps),
                Body::Jackpot(_) | Body::Purse(_) | Body::House(_) => days.tally.elsewhere(entry),
            }
        }
    }

    /// The state of a jackpot before its next entry.
    pub(super) fn jackpot_before(&mut self, jackpot: &JackpotId, at: Instant, state: &Jackpot) {
        self.of.iter_mut().for_each(|days| days.tally.jackpot_before(jackpot, at, state));
    }

    /// The state of a jackpot after an entry.
    pub(super) fn jackpot_after(&mut self, jackpot: &JackpotId, at: Instant, state: &Jackpot) {
        self.of.iter_mut().for_each(|days| days.tally.jackpot_after(jackpot, at, state));
    }
}

/// Compares the days that are over; at the end of the walk, all. Skipped if chains are broken or sealed.
pub(super) async fn compare(store: &dyn Store, end: bool, findings: &mut Findings) -> Answer<()> {
    let mut totals = std::mem::take(&mut findings.totals);
    let known = findings.broken.is_empty() && findings.lost.is_empty() && findings.sealed == 0;
    for days in totals.of.iter_mut().filter(|_| known) {
        let rule = days.tally.rule();
        let over = totals.latest.map(|latest| rule.of(Instant(latest.0 - LATE)));
        let before = if end { Some(Date::numbered(u64::MAX)) } else { over };
        let Some(before) = before.filter(|before| days.next.is_none_or(|next| next < *before)) else {
            continue;
        };
        let mut right = days.tally.take_before(before);
        if !end && right.is_empty() {
            continue;
        }
        right.append(&mut std::mem::take(&mut days.begun));
        let rows = right.iter().flat_map(|(date, day)| day.rows(rule, *date));
        let right: BTreeMap<(Stream, u64), SnapshotRow> =
            rows.map(|row| ((row.stream.clone(), row.version), row)).collect();
        let found = kept(store, rule, (days.next, Some(before.previous()))).await;
        for row in findings.readable("the totals of days", found)?.unwrap_or_default() {
            let place = format!("the totals of {} ({})", Date::numbered(row.version), row.stream);
            match right.get(&(row.stream.clone(), row.version)) {
                None => findings.fault(place, "the journal has no entries of that day"),
                Some(right) if *right != row => {
                    findings.fault(place, "they contradict the journal");
                }
                Some(_) => findings.count("day totals", 1),
            }
        }
        days.next = Some(before);
    }
    findings.totals = totals;
    Ok(())
}
