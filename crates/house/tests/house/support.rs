//! A casino for tests, in a folder of its own that goes with it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use baize_house::{Actor, Duty, House, Instant, PlayerId, SetClock, StaffId, TableId};
use baize_rules::Money;

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

/// The default casino, with a clock that stands still.
pub(crate) struct Casino {
    pub(crate) house: House,
    pub(crate) clock: Arc<SetClock>,
    pub(crate) database: String,
    pub(crate) folder: Option<Folder>,
}

impl Casino {
    pub(crate) async fn new() -> Casino {
        let folder = Folder::new();
        let database = folder.file();
        Casino::on(database, Some(folder)).await
    }

    pub(crate) async fn on(database: String, folder: Option<Folder>) -> Casino {
        let clock = Arc::new(SetClock::at(Instant(1_800_000_000_000)));
        let house = House::open_with(&database, clock.clone()).await.unwrap();
        house.set_up_default().await.unwrap();
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
        Actor::staff(id, [duty])
    }

    pub(crate) async fn tables(&self) -> Vec<TableId> {
        self.house.tables().await.unwrap().into_iter().map(|table| table.id).collect()
    }
}
