//! Bulk access to finished rounds with their cards: the journal of each table is walked from snapshot to snapshot.
//!
//! A player gets the rounds that they played, with the cards that they may see; an auditor gets every card. Nothing else is in the answer,
//! so nothing derived from it can reveal more.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;

use baize_rules::Rulebook;
use baize_table::{CardView, Finished, Phase, Viewer, view};
use tokio::task::JoinSet;

use super::journal_lines::MAX_LISTED;
use super::rounds::{same_rulebook, viewer_for};
use super::{Answer, House};
use crate::boxed;
use crate::journal::{RoundRow, Stream};
use crate::live_table::LiveTable;
use crate::snapshots::{self, State};
use crate::{Actor, Duty, HouseError, Instant, RoundFilter, RoundId, TableId, stored};

/// A finished round, with the cards that its reader may see.
#[derive(Debug, Clone)]
pub struct PastRound {
    /// The round.
    pub id: RoundId,
    /// Its rulebook.
    pub book: Arc<Rulebook>,
    /// The end of the round, without hands that the reader may not see.
    pub finished: Finished,
    /// When it was opened.
    pub opened: Instant,
    /// When it ended.
    pub ended: Instant,
}

/// Rows of rounds held in memory at once: those of a year would not fit.
const PAGE: u32 = 50_000;

/// Rounds of one table between two snapshots, walked in one pass.
struct Segment {
    table: TableId,
    rows: Vec<RoundRow>,
}

impl House {
    /// The newest finished rounds, in ascending order, optionally only those that ended after a time. `filter.limit` may be any number. A
    /// player's own; anyone's for an auditor.
    ///
    /// # Errors
    /// Lack of duty; a rulebook that this program does not have.
    #[boxed]
    pub async fn past_rounds(
        &self,
        by: &Actor,
        filter: &RoundFilter,
        after: Option<Instant>,
    ) -> Answer<Vec<PastRound>> {
        may_see(by, filter)?;
        let mut rounds = Vec::new();
        let rows = self.newest(filter, after.unwrap_or(Instant(i64::MIN))).await?;
        for segment in segments(rows)? {
            rounds.extend(self.walk(&segment, &viewer_for(by)).await?);
            // Lets other tasks run on this thread.
            tokio::task::yield_now().await;
        }
        rounds.sort_by_key(|round: &PastRound| round.ended);
        Ok(rounds)
    }

    /// Passes the newest finished rounds to `take` until it breaks off: roughly newest first, but in no strict order. The journal is read
    /// on all cores, and not held in memory.
    ///
    /// # Errors
    /// As [`House::past_rounds`].
    pub async fn each_past_round(
        &self,
        by: &Actor,
        filter: &RoundFilter,
        mut take: impl FnMut(PastRound) -> ControlFlow<()>,
    ) -> Answer<()> {
        may_see(by, filter)?;
        let (mut left, mut known) = (filter.limit.unwrap_or(50), BTreeSet::new());
        let mut page = filter.clone();
        while left > 0 {
            page.limit = Some(left.min(PAGE));
            let mut rows = self.newest(&page, Instant(i64::MIN)).await?;
            let Some(oldest) = rows.last().map(|row| row.ended) else { break };
            // Several rounds may have ended at the same time: the next page begins with the time at which this one ends.
            page.before = Some(Instant(oldest.0 + 1));
            let place = |row: &RoundRow| (row.table.clone(), row.round);
            rows.retain(|row| !known.contains(&place(row)));
            known = rows.iter().filter(|row| row.ended == oldest).map(place).collect();
            if rows.is_empty() {
                break;
            }
            left = left.saturating_sub(u32::try_from(rows.len()).unwrap_or(u32::MAX));
            if self.walk_all(segments(rows)?, &viewer_for(by), &mut take).await?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Walks several segments concurrently.
    async fn walk_all(
        &self,
        segments: Vec<Segment>,
        viewer: &Viewer,
        take: &mut impl FnMut(PastRound) -> ControlFlow<()>,
    ) -> Answer<ControlFlow<()>> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut segments = segments.into_iter();
        let mut walks = JoinSet::new();
        loop {
            // One more than there are cores, so that none is idle while results are taken.
            for segment in segments.by_ref().take(cores + 1 - walks.len()) {
                let (house, viewer) = (self.clone(), viewer.clone());
                walks.spawn(async move { house.walk(&segment, &viewer).await });
            }
            let Some(walked) = walks.join_next().await else { return Ok(ControlFlow::Continue(())) };
            for round in walked.unwrap_or_else(|panicked| resume_unwind(panicked.into_panic()))? {
                if take(round).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
    }

    /// The rows of the newest rounds. Several rounds may have ended at the same time, so a page begins with the time at which the previous
    /// one ended.
    async fn newest(&self, filter: &RoundFilter, after: Instant) -> Answer<Vec<RoundRow>> {
        let wanted = filter.limit.unwrap_or(50) as usize;
        let (mut rows, mut known) = (Vec::new(), BTreeSet::new());
        let mut page = RoundFilter { limit: Some(MAX_LISTED), ..filter.clone() };
        while rows.len() < wanted {
            let found = self.inner.store.rounds(page.clone().into()).await?;
            let Some(last) = found.last() else { break };
            page.before = Some(Instant(last.ended.0 + 1));
            let (before, size) = (rows.len(), found.len());
            let wanted = found.into_iter().filter(|row| row.ended > after);
            rows.extend(wanted.filter(|row| known.insert((row.table.clone(), row.round))));
            if rows.len() == before || size < MAX_LISTED as usize {
                break;
            }
        }
        rows.truncate(wanted);
        Ok(rows)
    }

    /// Replays the table from the snapshot before the first of these rounds to the end of the last.
    async fn walk(&self, segment: &Segment, viewer: &Viewer) -> Answer<Vec<PastRound>> {
        let Segment { table, rows } = segment;
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(Vec::new()) };
        let (mut live, mut after) = self.table_before(table, first.first).await?;
        let mut rounds = Vec::new();
        let mut rows_left = rows.iter().peekable();
        while after < last.last {
            let left = u32::try_from(last.last - after).unwrap_or(u32::MAX);
            let entries = self.inner.store.read(&Stream::table(table), after, left.min(500)).await?;
            let Some(newest) = entries.last() else { break };
            after = newest.version;
            for entry in entries {
                for fact in stored::table_facts(&entry.body, &entry.place())? {
                    same_rulebook(&live, &fact)?;
                    live.apply(&fact, entry.at, entry.version);
                }
                let Some(row) = rows_left.next_if(|row| row.last <= entry.version) else { continue };
                if let Phase::Finished(finished) = &live.table.round.phase
                    && live.table.round.number == row.round
                {
                    rounds.push(PastRound {
                        id: RoundId { table: table.clone(), number: row.round },
                        book: Arc::clone(&live.book),
                        finished: seen(&live, finished, viewer),
                        opened: row.opened,
                        ended: row.ended,
                    });
                }
            }
        }
        Ok(rounds)
    }

    /// The table at the last snapshot before this version, or at its set-up, and the version of that state.
    pub(super) async fn table_before(&self, table: &TableId, version: u64) -> Answer<(LiveTable, u64)> {
        let now = self.table_slot(table)?.shown.get();
        let book = Arc::clone(&now.live.book);
        let kept = self.snapshot(&Stream::table(table), version.saturating_sub(1), None).await?;
        Ok(match kept {
            Some((head, State::Table(state))) if state.rulebook == book.hash => {
                (LiveTable::resumed(*state, book), head.version)
            }
            _ => (LiveTable::new(crate::TableConfig::clone(&now.live.config), book), 0),
        })
    }
}

/// Groups rounds by table and snapshot, the latest first.
fn segments(rows: Vec<RoundRow>) -> Answer<Vec<Segment>> {
    let mut found: BTreeMap<(String, u32), Vec<RoundRow>> = BTreeMap::new();
    for row in rows {
        let place = (row.table.clone(), row.round.saturating_sub(1) / snapshots::ROUNDS_PER_SNAPSHOT);
        found.entry(place).or_default().push(row);
    }
    let segment = |((table, _), mut rows): ((String, u32), Vec<RoundRow>)| {
        rows.sort_by_key(|row| row.first);
        let damaged = |_| HouseError::Corrupt(format!("the lines of the rounds of {table}"));
        Ok(Segment { table: table.parse().map_err(damaged)?, rows })
    };
    let mut segments: Vec<Segment> = found.into_iter().map(segment).collect::<Answer<_>>()?;
    segments.sort_by_key(|segment| Reverse(segment.rows.last().map(|row| row.ended)));
    Ok(segments)
}

/// Allows a player their own rounds, and an auditor anyone's.
fn may_see(by: &Actor, filter: &RoundFilter) -> Answer<()> {
    let own = by.as_player().is_some() && filter.player.as_ref() == by.as_player();
    if own { Ok(()) } else { by.require(Duty::Auditor) }
}

/// The end of a round without the cards that this viewer may not see.
fn seen(live: &LiveTable, finished: &Finished, viewer: &Viewer) -> Finished {
    let mut finished = finished.clone();
    if *viewer == Viewer::Auditor {
        return finished;
    }
    let view = view(&live.book, &live.table, viewer);
    let open = |cards: &[CardView]| cards.iter().all(|card| card.up().is_some());
    let play = &mut finished.play;
    play.hands.retain(|seat, _| view.boxes.get(seat).is_some_and(|on_box| open(&on_box.cards)));
    if !open(&view.dealer) {
        play.exposed = play.face_up(&live.book);
        play.dealer.clear();
    }
    play.board = view.board.iter().filter_map(CardView::up).collect();
    play.burnt.clear();
    play.drawn.clear();
    finished.claims.clear();
    finished.boxes = view.slips;
    finished
}
