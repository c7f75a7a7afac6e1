//! A casino for tests, in a temporary folder.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use baize_house::{
    Actor, CommandId, Duty, House, HouseError, Instant, MoneyKind, Order, PlayerId, SetClock, StaffId,
    TableId,
};
use baize_journal::plain::Plain;
use baize_rules::Money;

use crate::server::Server;

/// A folder that is removed when it is dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::SeqCst);
        let path = std::env::temp_dir().join(format!("baize-house-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn file(&self) -> String {
        self.0.join("casino.sqlite").display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    pub(crate) const ALL: [Backend; 2] = [Backend::Sqlite, Backend::Postgres];
}

/// The default casino, with a manual clock.
pub(crate) struct Casino {
    pub(crate) house: House,
    pub(crate) clock: Arc<SetClock>,
    pub(crate) database: String,
    pub(crate) folder: Option<Folder>,
}

impl Casino {
    /// The address of a new, empty database.
    pub(crate) fn place(backend: Backend) -> (String, Option<Folder>) {
        match backend {
            Backend::Sqlite => {
                let folder = Folder::new();
                (folder.file(), Some(folder))
            }
            Backend::Postgres => (Server::the().database(), None),
        }
    }

    pub(crate) async fn new(backend: Backend) -> Casino {
        let (database, folder) = Casino::place(backend);
        Casino::on(database, folder).await
    }

    /// With tables and jackpots for cash.
    pub(crate) async fn for_cash(backend: Backend) -> Casino {
        let (database, folder) = Casino::place(backend);
        Casino::of(database, folder, MoneyKind::Cash).await
    }

    /// The same casino after a crash: the house is dropped, not closed.
    pub(crate) async fn after_a_crash(self) -> Casino {
        let Casino { house, database, folder, clock } = self;
        drop(house);
        // The old house's tasks release the file and the server.
        for _ in 0..100 {
            match House::open_with(&database, clock.clone()).await {
                Ok(house) => return Casino { house, clock, database, folder },
                Err(HouseError::InUse(_)) => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
                Err(other) => panic!("{other}"),
            }
        }
        panic!("the database stays in use");
    }

    pub(crate) async fn on(database: String, folder: Option<Folder>) -> Casino {
        Casino::of(database, folder, MoneyKind::Practice).await
    }

    async fn of(database: String, folder: Option<Folder>, money: MoneyKind) -> Casino {
        let clock = Arc::new(SetClock::at(Instant(1_800_000_000_000)));
        let house = House::open_with(&database, clock.clone()).await.unwrap();
        house.set_up_for(money).await.unwrap();
        Casino { house, clock, database, folder }
    }

    pub(crate) async fn player(&self, name: &str) -> Actor {
        let id: PlayerId = name.parse().unwrap();
        self.house.create_player(&id, None, Money::from_dollars(10_000)).await.unwrap();
        Actor::player(id)
    }

    pub(crate) async fn staff(&self, name: &str, duty: Duty) -> Actor {
        let id: StaffId = name.parse().unwrap();
        self.house.create_staff(&Actor::House, &id, None, &[duty]).await.unwrap();
        if duty == Duty::Dealer {
            self.assign(&id).await;
        }
        Actor::staff(id, [duty])
    }

    /// Assigns a dealer to all tables.
    pub(crate) async fn assign(&self, dealer: &StaffId) {
        for table in self.tables().await {
            let assign = Order::Assign { dealer: dealer.clone() };
            self.house.act(&Actor::House, &table, &CommandId::random(), assign).await.unwrap();
        }
    }

    pub(crate) async fn tables(&self) -> Vec<TableId> {
        self.house.tables().await.unwrap().into_iter().map(|table| table.id).collect()
    }
}

/// The first table of a game of this operator and family.
pub(crate) async fn table_of(casino: &Casino, operator: &str, family: baize_rules::Family) -> TableId {
    let tables = casino.house.tables().await.unwrap();
    tables.into_iter().find(|table| table.operator == operator && table.family == family).unwrap().id
}

/// A wager.
pub(crate) fn chips(seat: u8, area: baize_rules::Area, dollars: i32) -> baize_house::Chips {
    baize_house::Chips { seat: baize_rules::BoxNumber(seat), area, amount: Money::from_dollars(dollars) }
}

/// Sends an order under a new id.
pub(crate) async fn order(
    casino: &Casino,
    actor: &Actor,
    table: &TableId,
    order: impl Into<baize_house::Order>,
) -> Result<baize_house::Receipt, HouseError> {
    casino.house.act(actor, table, &baize_house::CommandId::random(), order.into()).await
}

/// Asserts that the audit is clean.
pub(crate) async fn clean(casino: &Casino) {
    let audit = baize_audit::audit(&casino.house).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
}

/// The balance of an actor's purse, in cents.
pub(crate) async fn cents(casino: &Casino, actor: &Actor) -> i64 {
    casino.house.purse(actor.as_player().unwrap()).await.unwrap().cents()
}

/// Alters unpacked rows of a database, bypassing the house. Returns their number.
pub(crate) async fn alter(database: &str, sql: &str) -> usize {
    let rows = Plain::of(database).await.unwrap();
    let before = rows.total_changes();
    rows.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let changed = rows.total_changes() - before;
    rows.keep().await.unwrap();
    usize::try_from(changed).unwrap()
}

/// Runs a query on the unpacked rows of a database. Returns the first column.
pub(crate) async fn ask(database: &str, sql: &str) -> Vec<String> {
    let rows = Plain::of(database).await.unwrap();
    let mut asked = rows.prepare(sql).unwrap();
    let found = asked.query_map([], |row| row.get(0)).unwrap();
    found.map(Result::unwrap).collect()
}

/// Converts a file to version 3, in which every entry was indexed.
pub(crate) async fn to_version_3(database: &str) {
    let rows = Plain::of(database).await.unwrap();
    for ending in ["", "-wal", "-shm"] {
        // Closing the last connection removes log and index.
        drop(std::fs::remove_file(format!("{database}{ending}")));
    }
    rows.execute("ATTACH ?1 AS past", [database]).unwrap();
    rows.execute_batch(VERSION_3).unwrap();
}

/// The tables of version 3, filled from the rows.
const VERSION_3: &str = "
CREATE TABLE past.entries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  command TEXT,
  kinds TEXT NOT NULL,
  significant TEXT,
  body TEXT NOT NULL,
  link TEXT,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO past.entries SELECT number, stream, version, at, actor, command, kinds, significant, body, link, previous, hash FROM main.entries;
CREATE UNIQUE INDEX past.entries_by_stream ON entries (stream, version);
CREATE UNIQUE INDEX past.entries_by_command ON entries (command) WHERE command IS NOT NULL;
CREATE INDEX past.entries_significant ON entries (number) WHERE significant IS NOT NULL;
CREATE TABLE past.postings (
  number INTEGER NOT NULL,
  line INTEGER NOT NULL,
  account TEXT NOT NULL,
  cents INTEGER NOT NULL,
  PRIMARY KEY (number, line)
) STRICT, WITHOUT ROWID;
INSERT INTO past.postings SELECT * FROM main.postings;
CREATE TABLE past.accounts (
  account TEXT PRIMARY KEY,
  cents INTEGER NOT NULL CHECK (cents >= 0 OR account IN ('house', 'cage') OR account LIKE 'owed/%')
) STRICT, WITHOUT ROWID;
INSERT INTO past.accounts SELECT * FROM main.balances;
ALTER TABLE past.accounts RENAME TO balances;
CREATE TABLE past.decks (
  tab TEXT NOT NULL,
  round INTEGER NOT NULL,
  salt TEXT NOT NULL,
  cards TEXT NOT NULL,
  PRIMARY KEY (tab, round)
) STRICT, WITHOUT ROWID;
INSERT INTO past.decks SELECT * FROM main.decks;
CREATE TABLE past.rounds (
  tab TEXT NOT NULL,
  round INTEGER NOT NULL,
  rulebook TEXT NOT NULL,
  opened INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  players TEXT NOT NULL,
  staked INTEGER NOT NULL,
  won INTEGER NOT NULL,
  contributed INTEGER NOT NULL,
  awarded INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (tab, round)
) STRICT;
INSERT INTO past.rounds SELECT * FROM main.rounds;
CREATE INDEX past.rounds_by_end ON rounds (ended);
CREATE TABLE past.secrets (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE past.snapshots (
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (stream, version)
) STRICT;
INSERT INTO past.snapshots SELECT * FROM main.snapshots;
PRAGMA past.user_version = 3;
";
