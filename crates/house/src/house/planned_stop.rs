//! Planned stops: the last round is announced, rounds in progress are finished, and what is left continues after the next start.
//!
//! Only an unplanned stop counts as a power failure. A round that exceeds the time limit keeps its state; its clocks restart when the house
//! is open again.

use std::time::{Duration, Instant};

use super::{Answer, House};
use crate::Actor;
use crate::boxed;
use crate::facts::{Body, HouseFact, TableFact};
use crate::journal::{EntryFilter, StoreError, Stream};
use crate::stored;

/// The notice at the tables before a planned stop.
pub(crate) const PLANNED_STOP: &str = "the casino stops for a moment after this round";

/// Interval between checks for rounds in progress.
const POLL: Duration = Duration::from_millis(100);

/// Starts and stops per read, newest first. For SQLite two are enough.
const PAGE: u32 = 2;

impl House {
    /// Announces the last round at every table and waits until no round is in progress or the limit has passed. Returns the number of
    /// tables with a round in progress. Does nothing if other hosts serve the same casino: they continue.
    #[boxed]
    pub async fn drain(&self, limit: Duration) -> Answer<usize> {
        if self.inner.store.others().await? {
            return Ok(0);
        }
        let until = Instant::now() + limit;
        self.turn_everywhere(|turn| {
            turn.announce_stop();
            Ok(())
        })
        .await?;
        loop {
            let left = self.rounds_under_way();
            if left == 0 || Instant::now() >= until {
                return Ok(left);
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Number of tables with a round in progress and chips in play.
    #[must_use]
    pub fn rounds_under_way(&self) -> usize {
        let playing = |shown: &crate::memory::TableShown| {
            shown.halted.is_none() && shown.live.under_way() && !shown.live.players().is_empty()
        };
        self.table_slots().iter().filter(|slot| playing(&slot.shown.get())).count()
    }

    /// Whether other hosts serve the same casino now.
    #[boxed]
    pub async fn has_other_hosts(&self) -> Answer<bool> {
        Ok(self.inner.store.others().await?)
    }

    /// Whether every process stopped as planned: since the last process that started alone there are as many stops as starts. A record that
    /// cannot be read counts as unplanned.
    pub(super) async fn stopped_as_planned(&self) -> Answer<bool> {
        let (mut open, mut before) = (0_i64, None);
        loop {
            let filter = EntryFilter {
                stream: Some(Stream::house()),
                kinds: vec!["started".to_owned(), "stopped".to_owned()],
                significant: true,
                before,
                limit: PAGE,
                ..EntryFilter::default()
            };
            let entries = match self.inner.store.entries(filter).await {
                Ok(entries) if entries.is_empty() => return Ok(false),
                Ok(entries) => entries,
                Err(StoreError::Corrupt(_)) => return Ok(false),
                Err(other) => return Err(other.into()),
            };
            for entry in entries {
                let Ok(Body::House(facts)) = stored::read(&entry.body, &entry.place()) else {
                    return Ok(false);
                };
                for fact in facts.iter().rev() {
                    if let HouseFact::Started { alone, .. } = fact {
                        open += 1;
                        if alone.unwrap_or(true) {
                            return Ok(open == 0);
                        }
                    } else if *fact == HouseFact::Stopped {
                        open -= 1;
                    }
                }
                before = Some(entry.number);
            }
        }
    }

    /// Reopens the tables after a planned stop.
    pub(super) async fn resume(&self) -> Answer<()> {
        self.turn_everywhere(|turn| {
            turn.resume();
            turn.advance()
        })
        .await
    }
}

impl crate::turn::Turn<'_> {
    fn announce_stop(&mut self) {
        if self.live.notice.is_none() && !self.live.table.standing.closed {
            self.step(&Actor::House, TableFact::NoticeGiven { reason: PLANNED_STOP.to_owned() });
        }
    }

    /// Withdraws the notice of a planned stop that did not complete.
    pub(super) fn take_back_notice(&mut self) {
        if self.live.notice.as_deref() == Some(PLANNED_STOP) {
            self.step(&Actor::House, TableFact::Resumed);
        }
    }

    fn resume(&mut self) {
        if self.live.notice.as_deref() == Some(PLANNED_STOP) || self.live.under_way() {
            self.step(&Actor::House, TableFact::Resumed);
        }
        // Shuffle again unless bets are already placed.
        if !self.live.under_way() {
            self.reshuffle();
        }
    }
}
