//! Finished rounds with their cards, many at once: the journal of each table is walked once from its first round to the last.
//!
//! A player gets the rounds that they played, with the cards that they may see; an auditor gets every card. Whatever else is not in the answer,
//! so that nothing that is made of it can tell.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baize_rules::Rulebook;
use baize_table::{CardView, Finished, Phase, Viewer, view};

use super::records::MOST;
use super::rounds::eyes;
use super::{Answer, House};
use crate::facts::Body;
use crate::journal::{RoundRow, Stream};
use crate::live::LiveTable;
use crate::snapshots::State;
use crate::{Actor, Duty, HouseError, Instant, RoundFilter, RoundId, TableId, stored};

/// Entries between two rounds that are walked rather than passed over by a snapshot.
const WALKED: u64 = 2_000;

/// A finished round, as far as somebody may see its cards.
#[derive(Debug, Clone)]
pub struct PastRound {
    /// Which one.
    pub id: RoundId,
    /// Its rulebook.
    pub book: Arc<Rulebook>,
    /// How it ended. Hands that may not be seen are not in it, nor the dealer's unless it may be.
    pub finished: Finished,
    /// When it was opened.
    pub opened: Instant,
    /// When it ended.
    pub ended: Instant,
}

impl House {
    /// The newest finished rounds, oldest first, if need be only those that ended after a moment; `filter.limit` may be any number. A player's own, or
    /// with the auditor's duty anybody's.
    ///
    /// # Errors
    /// Not their business; a rulebook that this program does not have.
    pub async fn past_rounds(
        &self,
        by: &Actor,
        filter: &RoundFilter,
        after: Option<Instant>,
    ) -> Answer<Vec<PastRound>> {
        let own = by.as_player().is_some() && filter.player.as_ref() == by.as_player();
        if !own && !by.may(Duty::Auditor) {
            return Err(HouseError::Forbidden { needs: Duty::Auditor, cites: baize_rules::Cites::NONE });
        }
        let mut by_table: BTreeMap<TableId, Vec<RoundRow>> = BTreeMap::new();
        for row in self.newest(filter, after.unwrap_or(Instant(i64::MIN))).await? {
            let damaged = |_| HouseError::Corrupt(format!("the line of round {}/{}", row.table, row.round));
            by_table.entry(row.table.parse().map_err(damaged)?).or_default().push(row);
        }
        let mut rounds = Vec::new();
        for (table, mut rows) in by_table {
            rows.sort_by_key(|row| row.first);
            self.walk_rounds(&table, &rows, &eyes(by), &mut rounds).await?;
        }
        rounds.sort_by_key(|round: &PastRound| round.ended);
        Ok(rounds)
    }

    /// The lines of the newest rounds. A page begins with the moment at which the one before ended: several rounds may have ended then.
    async fn newest(&self, filter: &RoundFilter, after: Instant) -> Answer<Vec<RoundRow>> {
        let wanted = filter.limit.unwrap_or(50) as usize;
        let (mut rows, mut known) = (Vec::new(), BTreeSet::new());
        let mut page = RoundFilter { limit: Some(MOST), ..filter.clone() };
        while rows.len() < wanted {
            let found = self.inner.store.rounds(page.clone().into()).await?;
            let Some(last) = found.last() else { break };
            page.before = Some(Instant(last.ended.0 + 1));
            let (before, size) = (rows.len(), found.len());
            let wanted = found.into_iter().filter(|row| row.ended > after);
            rows.extend(wanted.filter(|row| known.insert((row.table.clone(), row.round))));
            if rows.len() == before || size < MOST as usize {
                break;
            }
        }
        rows.truncate(wanted);
        Ok(rows)
    }

    async fn walk_rounds(
        &self,
        table: &TableId,
        rows: &[RoundRow],
        viewer: &Viewer,
        rounds: &mut Vec<PastRound>,
    ) -> Answer<()> {
        let stream = Stream::table(table);
        let mut at: Option<(LiveTable, u64)> = None;
        for row in rows {
            let (mut live, mut after) = match at.take() {
                Some((live, after)) if row.first <= after + WALKED => (live, after),
                Some(_) | None => self.stood_before(table, row.first).await?,
            };
            while after < row.last {
                let left = u32::try_from(row.last - after).unwrap_or(u32::MAX);
                let entries = self.inner.store.read(&stream, after, left.min(500)).await?;
                let Some(last) = entries.last() else { break };
                after = last.version;
                for entry in entries {
                    let Body::Table { steps, .. } = stored::read(&entry.body, &entry.place())? else {
                        continue;
                    };
                    for fact in steps.iter().flat_map(|step| &step.facts) {
                        if let Some((config, hash)) = fact.set_up()
                            && live.book.hash != hash
                        {
                            let (id, hash) = (config.rulebook.clone(), hash.to_owned());
                            return Err(HouseError::RulebookGone { id, hash });
                        }
                        live.apply(fact, entry.at, entry.version);
                    }
                }
            }
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
            at = Some((live, after));
        }
        Ok(())
    }

    /// The table as it stood at some entry before this one, and that entry.
    pub(super) async fn stood_before(&self, table: &TableId, version: u64) -> Answer<(LiveTable, u64)> {
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
