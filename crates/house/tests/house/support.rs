//! A casino for tests, in a folder of its own that goes with it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use baize_house::{
    Actor, CommandId, Duty, House, HouseError, Instant, MoneyKind, Order, PlayerId, SetClock, StaffId,
    TableId,
};
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

/// Where a casino lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    pub(crate) const ALL: [Backend; 2] = [Backend::Sqlite, Backend::Postgres];
}

/// The default casino, with a clock that stands still.
pub(crate) struct Casino {
    pub(crate) house: House,
    pub(crate) clock: Arc<SetClock>,
    pub(crate) database: String,
    pub(crate) folder: Option<Folder>,
}

impl Casino {
    /// An empty place for a casino.
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

    /// The same casino after its process has died: the house is forgotten, not closed.
    pub(crate) async fn after_a_crash(self) -> Casino {
        let Casino { house, database, folder, clock } = self;
        drop(house);
        // The old process's tasks let go of the file and the server.
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

    /// A dealer of all tables.
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

/// All is well with the record.
pub(crate) async fn clean(casino: &Casino) {
    let audit = baize_audit::audit(&casino.house).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
}

/// What is in somebody's purse, in cents.
pub(crate) async fn cents(casino: &Casino, actor: &Actor) -> i64 {
    casino.house.purse(actor.as_player().unwrap()).await.unwrap().cents()
}

/// Makes a file what it was when every entry was in an index.
pub(crate) fn to_version_3(connection: &rusqlite::Connection) {
    connection
        .execute_batch(
            "DROP TABLE heads;
             DROP INDEX entries_marked;
             DROP INDEX entries_by_time;
             DROP INDEX entries_sealed;
             ALTER TABLE entries DROP COLUMN before;
             CREATE UNIQUE INDEX entries_by_stream ON entries (stream, version);
             PRAGMA user_version = 3;",
        )
        .unwrap();
}
