//! Snapshots: stored states that avoid replaying a chain from its first entry.
//!
//! A snapshot is a cache. It is written in the transaction of an entry of its chain, and that entry vouches for it: its body contains the
//! digest of the state, under its hash. A snapshot names the version and the hash of the entry that produced its state. It is used only if
//! the chain has exactly that entry and vouches for exactly that state; snapshots without a digest, from older programs, are ignored. The
//! audit replays every chain from its first entry and reports a snapshot that differs.

use baize_jackpot::Jackpot;
use serde::{Deserialize, Serialize};

use crate::between_rounds::BetweenRounds;
use crate::journal::{Entry, Head, SnapshotFilter, SnapshotRow, Stream};
use crate::live_table::LiveTable;
use crate::register::Register;
use crate::stored;
use crate::{Answer, House, Instant};

/// Rounds per snapshot of a table.
pub(crate) const ROUNDS_PER_SNAPSHOT: u32 = 64;

/// Entries per snapshot of a jackpot or the register.
const ENTRIES_PER_SNAPSHOT: u64 = 256;

/// Snapshots tried before a chain is replayed from its first entry.
const MAX_TRIED: u32 = 3;

/// The state in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum State {
    Table(Box<BetweenRounds>),
    Jackpot(Box<Jackpot>),
    House(Box<Register>),
}

fn row(stream: Stream, head: &Head, at: Instant, state: &State) -> SnapshotRow {
    let (version, hash) = (head.version, head.hash.clone());
    SnapshotRow { stream, version, hash, at, state: stored::write_state(state) }
}

/// The snapshot of a table at `head`, before the entry that opens round `opens`, if it is due.
pub(crate) fn of_table(
    before: &LiveTable,
    head: &Head,
    at: Instant,
    opens: Option<u32>,
) -> Option<SnapshotRow> {
    let due = opens.is_some_and(|round| round > 1 && round % ROUNDS_PER_SNAPSHOT == 1);
    let state = || State::Table(Box::new(before.between_rounds()));
    (due && !before.under_way()).then(|| row(Stream::table(&before.id), head, at, &state()))
}

/// The snapshot of a jackpot after an entry, which vouches for it, if it is due.
pub(crate) fn of_jackpot(state: &Jackpot, entry: &mut Entry) -> Option<SnapshotRow> {
    due_after(entry, || State::Jackpot(Box::new(state.clone())))
}

/// The snapshot of the register after an entry, which vouches for it, if it is due.
pub(crate) fn of_house(register: impl FnOnce() -> Register, entry: &mut Entry) -> Option<SnapshotRow> {
    due_after(entry, || State::House(Box::new(register())))
}

fn due_after(entry: &mut Entry, state: impl FnOnce() -> State) -> Option<SnapshotRow> {
    if !entry.version.is_multiple_of(ENTRIES_PER_SNAPSHOT) {
        return None;
    }
    let mut kept = row(entry.stream.clone(), &entry.head(), entry.at, &state());
    entry.vouch(&kept.digest());
    kept.hash.clone_from(&entry.hash);
    Some(kept)
}

/// The entry that produced a snapshot, if the chain has it and vouches for the snapshot.
fn verified<'a>(row: &SnapshotRow, entries: &'a [Entry]) -> Option<&'a Entry> {
    let whole = |entry: &&Entry| entry.computed_hash() == entry.hash;
    let at = |version: u64| entries.iter().find(|entry| entry.version == version).filter(whole);
    let stood = at(row.version).filter(|entry| entry.hash == row.hash)?;
    let vouches = at(row.vouched_by())?;
    let follows = vouches.version == stood.version || vouches.previous == stood.hash;
    (follows && crate::journal::vouched(&vouches.body) == Some(row.digest())).then_some(stood)
}

impl House {
    /// The newest verified snapshot of a chain up to a version and before a time, with the head of the chain at that state.
    ///
    /// # Errors
    /// Only those of the database.
    pub async fn snapshot(
        &self,
        stream: &Stream,
        to: u64,
        before: Option<Instant>,
    ) -> Answer<Option<(Head, State)>> {
        let store = &self.inner.store;
        let filter = SnapshotFilter { stream: stream.clone(), from: 1, to, before, limit: MAX_TRIED };
        for row in store.snapshots(filter).await? {
            let entries = store.read(stream, row.version.saturating_sub(1), 2).await?;
            let Some(entry) = verified(&row, &entries) else { continue };
            if let Ok(state) = stored::read_state(&row.state, &row.place()) {
                return Ok(Some((entry.head(), state)));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use baize_rules::Money;
    use rusqlite::Connection;

    use super::*;
    use crate::load::Robot;
    use crate::{Actor, Duty, PlayerId, RoundId, SetClock};

    const DATE: Instant = Instant(1_800_000_000_000);

    /// A casino in which every kind of chain has snapshots: two tables with random rounds on one jackpot, and many players.
    async fn played(database: &str) {
        let house = House::open_with(database, Arc::new(SetClock::at(DATE))).await.unwrap();
        house.set_up_default().await.unwrap();
        for number in 0..ENTRIES_PER_SNAPSHOT {
            let guest: PlayerId = format!("guest-{number}").parse().unwrap();
            house.create_player(&guest, None, Money::from_dollars(1)).await.unwrap();
        }
        house.create_staff(&Actor::House, &"dora".parse().unwrap(), None, &[Duty::Dealer]).await.unwrap();
        let tables = house.tables().await.unwrap();
        let linked = tables.iter().filter(|table| table.operator == "MBS").take(2);
        let mut playing = tokio::task::JoinSet::new();
        for (number, table) in (1..).zip(linked) {
            let player: PlayerId = format!("robot-{number}").parse().unwrap();
            house.create_player(&player, None, Money::from_dollars(1_000_000)).await.unwrap();
            let mut robot = Robot::new(house.clone(), player, table.id.clone(), number * 7_919);
            robot.jackpot_every = 1;
            playing.spawn(async move {
                for _ in 0..2 * ROUNDS_PER_SNAPSHOT + 7 {
                    robot.round().await.unwrap();
                }
            });
        }
        while let Some(done) = playing.join_next().await {
            done.unwrap();
        }
        house.close().await.unwrap();
    }

    type Tables = BTreeMap<String, (LiveTable, u64)>;
    type Jackpots = BTreeMap<String, (Jackpot, u64)>;

    /// The complete in-memory state of a house.
    fn memory(house: &House) -> (Tables, Jackpots, Register) {
        let tables = house.table_slots().into_iter().map(|slot| {
            let shown = slot.shown.get();
            assert_eq!(shown.halted, None);
            (slot.id.to_string(), (LiveTable::clone(&shown.live), shown.version))
        });
        let jackpots = house.jackpot_slots().into_iter().map(|slot| {
            let shown = slot.shown.get();
            (slot.id.to_string(), (Jackpot::clone(&shown.state), shown.version))
        });
        (tables.collect(), jackpots.collect(), (*house.inner.shown.get()).clone())
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn opening_from_snapshots_gives_the_same_state_as_a_full_replay() {
        let folder = std::env::temp_dir().join(format!("baize-snapshots-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| folder.join(name).display().to_string();
        played(&file("casino.sqlite")).await;
        std::fs::copy(file("casino.sqlite"), file("without.sqlite")).unwrap();
        let connection = Connection::open(file("without.sqlite")).unwrap();
        let kept: Vec<(String, u32)> = connection
            .prepare("SELECT substr(name, 1, 5), count(*) FROM snapshots JOIN names ON id = stream GROUP BY 1 ORDER BY 1")
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(kept.iter().map(|(of, _)| of.as_str()).collect::<Vec<_>>(), ["house", "jackp", "table"]);
        assert_eq!(kept.last().unwrap().1, 4, "two tables, two snapshots each");
        connection.execute("DELETE FROM snapshots", []).unwrap();
        drop(connection);

        let with = House::look_at(&file("casino.sqlite")).await.unwrap();
        let without = House::look_at(&file("without.sqlite")).await.unwrap();
        assert_eq!(memory(&with), memory(&without));
        for table in with.tables().await.unwrap().into_iter().filter(|table| table.round > 0) {
            for number in [
                1,
                2,
                ROUNDS_PER_SNAPSHOT,
                ROUNDS_PER_SNAPSHOT + 1,
                ROUNDS_PER_SNAPSHOT + 2,
                2 * ROUNDS_PER_SNAPSHOT,
                2 * ROUNDS_PER_SNAPSHOT + 1,
                table.round,
            ] {
                let id = RoundId { table: table.id.clone(), number };
                assert_eq!(with.export(&id).await, without.export(&id).await, "{id}");
                let auditor = Actor::staff("axel".parse().unwrap(), [Duty::Auditor]);
                let told = |record: crate::RoundRecord| serde_json::to_string(&record).unwrap();
                let (one, other) = (with.round(&auditor, &id).await, without.round(&auditor, &id).await);
                assert_eq!(one.map(told), other.map(told), "{id}");
                assert!(with.proof(&id).await.unwrap().holds(), "{id}");
            }
        }
        let audit = baize_audit::audit_at(&file("casino.sqlite")).await.unwrap();
        assert!(audit.is_clean(), "{audit:#?}");
        assert!(audit.checked.iter().any(|(what, count)| what == "snapshots" && *count > 6), "{audit:#?}");

        // Edited states, and states that no entry vouches for, are not used, and the audit reports them.
        for (sql, named) in [
            (
                "UPDATE snapshots SET state = replace(state, '\"confirm_above\":\"', '\"confirm_above\":\"9') WHERE stream LIKE 'jackpot/%'",
                "contradicts the journal",
            ),
            ("UPDATE snapshots SET state = state || ' '", "does not match the digest"),
        ] {
            std::fs::copy(file("casino.sqlite"), file("edited.sqlite")).unwrap();
            let rows = crate::journal::plain::Plain::of(&file("edited.sqlite")).await.unwrap();
            assert!(rows.execute(sql, []).unwrap() > 1, "{sql}");
            rows.keep().await.unwrap();
            let edited = House::look_at(&file("edited.sqlite")).await.unwrap();
            for stream in [Stream::house(), Stream::jackpot("MBS")] {
                let used = edited.snapshot(&stream, u64::MAX, None).await.unwrap();
                let touched = sql.ends_with("' '") || stream != Stream::house();
                assert_eq!(used.is_none(), touched, "{stream}: {sql}");
            }
            assert_eq!(memory(&edited), memory(&without), "{sql}");
            let faults = baize_audit::audit_at(&file("edited.sqlite")).await.unwrap().faults;
            assert!(faults.iter().any(|fault| fault.what.contains(named)), "{faults:#?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
