//! A stop by plan: the last round is announced, rounds under way are finished, and what is left goes on after the start.
//!
//! Only a stop that nobody planned is a power failure. A round that the limit cuts short keeps its state: its clocks stop and restart
//! when the house is open again.

use std::time::{Duration, Instant};

use super::{Answer, House};
use crate::facts::{Body, HouseFact, TableFact};
use crate::journal::{EntryFilter, StoreError, Stream};
use crate::stored;
use crate::{Actor, HouseError};

/// What tables say when the house stops by plan.
pub(crate) const PLANNED_STOP: &str = "the casino stops for a moment after this round";

/// How often rounds under way are looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Starts and stops that are looked at together, newest first. A casino in a file needs the last two.
const LIVES: u32 = 2;

impl House {
    /// Announces the last round at every table, and waits until no round is under way or the time is over. Says at how many tables one still
    /// is. Where other hosts serve the same casino nothing is announced: they go on.
    pub async fn drain(&self, limit: Duration) -> Answer<usize> {
        if self.inner.store.others().await? {
            return Ok(0);
        }
        let until = Instant::now() + limit;
        for slot in self.table_slots() {
            let announce = |turn: &mut crate::turn::Turn<'_>| {
                turn.announce_stop();
                Ok(())
            };
            match self.turn(&slot, &Actor::House, None, announce).await {
                // A table that is halted has no round to finish.
                Ok(_) | Err(HouseError::Corrupt(_)) => {}
                Err(other) => return Err(other),
            }
        }
        loop {
            let left = self.rounds_under_way();
            if left == 0 || Instant::now() >= until {
                return Ok(left);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// At how many tables chips are in play.
    #[must_use]
    pub fn rounds_under_way(&self) -> usize {
        let playing = |shown: &crate::memory::TableShown| {
            shown.halted.is_none() && shown.live.under_way() && !shown.live.players().is_empty()
        };
        self.table_slots().iter().filter(|slot| playing(&slot.shown.get())).count()
    }

    /// Whether other hosts serve the same casino now.
    pub async fn has_other_hosts(&self) -> Answer<bool> {
        Ok(self.inner.store.others().await?)
    }

    /// Whether every process that was here stopped in good order: since the last one that came alone there are as many stops as starts. A record that
    /// cannot be read tells of no plan.
    pub(super) async fn stopped_by_plan(&self) -> Answer<bool> {
        let (mut open, mut before) = (0_i64, None);
        loop {
            let filter = EntryFilter {
                stream: Some(Stream::house()),
                kinds: vec!["started".to_owned(), "stopped".to_owned()],
                significant: true,
                before,
                limit: LIVES,
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

    /// Opens the tables again after a stop by plan.
    pub(super) async fn resume(&self) -> Answer<()> {
        for slot in self.table_slots() {
            let plan = |turn: &mut crate::turn::Turn<'_>| {
                turn.resume();
                turn.advance()
            };
            match self.turn(&slot, &Actor::House, None, plan).await {
                Ok(_) | Err(HouseError::Corrupt(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }
}

impl crate::turn::Turn<'_> {
    fn announce_stop(&mut self) {
        if self.live.notice.is_none() && !self.live.table.standing.closed {
            self.step(&Actor::House, TableFact::NoticeGiven { reason: PLANNED_STOP.to_owned() });
        }
    }

    /// A stop by plan that was cut short has left its notice.
    pub(super) fn take_back_notice(&mut self) {
        if self.live.notice.as_deref() == Some(PLANNED_STOP) {
            self.step(&Actor::House, TableFact::Resumed);
        }
    }

    fn resume(&mut self) {
        if self.live.notice.as_deref() == Some(PLANNED_STOP) || self.live.under_way() {
            self.step(&Actor::House, TableFact::Resumed);
        }
        // A deck that no card was dealt from is shuffled again, unless bets are down already.
        if !self.live.under_way() {
            self.shuffle_anew();
        }
    }
}
