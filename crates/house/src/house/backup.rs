//! Copies of a casino, and what a database is before it is opened.

use std::path::Path;
use std::sync::Arc;

use super::{Answer, House};
use crate::facts::HouseFact;
use crate::journal::archive::{self, Moved, Stop};
use crate::journal::{
    self, EntryFilter, Key, Mode, SCHEMA, STEPS_IN_WORDS, Standbys, StoreError, WITHOUT_LOG,
};
use crate::{Actor, HouseError, Instant, WallClock};

/// What becomes of a database when this program opens it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Upgrade {
    /// There is no casino in it yet.
    New,
    /// It is of this program's version.
    Current,
    /// It is brought up to date, step by step: the version that each leads to and what it does.
    Steps(Vec<(u32, &'static str)>),
}

impl House {
    /// The version of databases that this program makes.
    #[must_use]
    pub const fn schema() -> u32 {
        SCHEMA
    }

    /// Reads the address of a database and the files that it names. Nothing is opened.
    ///
    /// # Errors
    /// What cannot be.
    pub fn check_address(database: &str) -> Answer<()> {
        Ok(journal::check_address(&journal::key_place(database).0)?)
    }

    /// What would become of this database. Nothing is changed.
    ///
    /// # Errors
    /// It cannot be reached, is another program's, or belongs to a newer one.
    pub async fn upgrade_of(database: &str) -> Answer<Upgrade> {
        let (address, _) = journal::key_place(database);
        match journal::version(&address).await? {
            None => Ok(Upgrade::New),
            Some(found) if found > SCHEMA => Err(HouseError::Newer { found, known: SCHEMA }),
            Some(SCHEMA) => Ok(Upgrade::Current),
            Some(found) => Ok(Upgrade::Steps(
                (found + 1..=SCHEMA).zip(STEPS_IN_WORDS.iter().skip(found as usize).copied()).collect(),
            )),
        }
    }

    /// Copies a casino in a file while it plays, and flushes the copy. A file that is there is not touched.
    ///
    /// # Errors
    /// The database is not a file or cannot be read; the copy cannot be written.
    pub async fn copy(database: &str, to: &Path) -> Answer<()> {
        let (address, _) = journal::key_place(database);
        let path = address.strip_prefix("sqlite:").unwrap_or(&address).to_owned();
        if path.is_empty() || path.contains("://") {
            return Err(HouseError::DatabaseAddress(journal::without_password(&address)));
        }
        if to.exists() {
            return Err(HouseError::Unavailable(format!("{} is there already", to.display())));
        }
        let to = to.to_owned();
        let copied = tokio::task::spawn_blocking(move || {
            let copied = journal::copy_file(&path, &to).and_then(|()| {
                let from = path.split_once('?').map_or(path.as_str(), |(path, _)| path);
                let copied = archive::copy_archives(from, &to.display().to_string());
                copied.map_err(|error| StoreError::Away(format!("the archives cannot be copied: {error}")))
            });
            if copied.is_err()
                && let Err(error) = std::fs::remove_file(&to)
                && error.kind() != std::io::ErrorKind::NotFound
            {
                tracing::warn!(target: "baize::house", file = %to.display(), %error, "half a copy stays");
            }
            copied
        });
        Ok(copied.await.map_err(|stopped| HouseError::Unavailable(stopped.to_string()))??)
    }

    /// When the last entry was written.
    pub async fn last_entry_at(&self) -> Answer<Instant> {
        let last = self.inner.store.entries(EntryFilter { limit: 1, ..EntryFilter::default() }).await?;
        Ok(last.first().map_or(Instant(0), |entry| entry.at))
    }

    /// Brings a database of an older program up to date. The casino on it is stopped.
    pub async fn bring_up_to_date(database: &str) -> Answer<()> {
        // The console of a server leaves its tables alone: a host brings them up to date.
        let mode = if database.contains("://") { Mode::Serve } else { Mode::Console };
        let house = House::over(database, Arc::new(WallClock), mode, Key::for_nothing()).await?;
        Ok(house.inner.store.close().await?)
    }

    /// Puts on record that this database is a backup that was restored. The casino on it is stopped.
    pub async fn note_restored(
        database: &str,
        user: Option<String>,
        taken: Instant,
        entries: u64,
        missing: String,
    ) -> Answer<()> {
        let house = House::over(database, Arc::new(WallClock), Mode::Console, Key::for_nothing()).await?;
        let fact = HouseFact::Restored { user, taken, entries, missing };
        house.note(&Actor::House, |_| Ok(vec![fact.clone()])).await?;
        house.inner.store.close().await?;
        Ok(())
    }

    /// Removes a casino from a server that was restored there a moment ago, because the restoring did not come to its end.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn remove_restored(database: &str) -> Answer<()> {
        Ok(journal::remove_restored(&journal::key_place(database).0).await?)
    }

    /// Moves the bodies of rounds that ended before a time into archives: files in a folder beside the database's file, or in the one that
    /// the address names with `archive=FOLDER`. A casino in a file is stopped for it. Says too why the file keeps its size, where it does.
    ///
    /// # Errors
    /// As [`House::open`]; the disk. What was not moved stays in the database.
    pub async fn archive(
        database: &str,
        before: Instant,
        user: Option<String>,
        stop: Stop<'_>,
    ) -> Answer<(Moved, Option<String>)> {
        House::moving(database, user, format!("archive before {before}"), Some(before), stop).await
    }

    /// Moves all bodies from the archives back into the database. The files stay.
    ///
    /// # Errors
    /// As [`House::archive`]; an archive that is missing or was altered.
    pub async fn restore_archives(database: &str, user: Option<String>, stop: Stop<'_>) -> Answer<Moved> {
        Ok(House::moving(database, user, "restore archives".to_owned(), None, stop).await?.0)
    }

    async fn moving(
        database: &str,
        user: Option<String>,
        command: String,
        before: Option<Instant>,
        stop: Stop<'_>,
    ) -> Answer<(Moved, Option<String>)> {
        let house = House::over(database, Arc::new(WallClock), Mode::Console, Key::for_nothing()).await?;
        let store = house.inner.store.as_ref();
        let moved = match before {
            Some(before) => archive::archive(store, before, stop).await,
            None => archive::restore(store, stop).await,
        };
        let mut kept = None;
        if let Ok(moved) = &moved
            && moved.bodies > 0
        {
            let fact = HouseFact::ConsoleUsed { user, command };
            house.note(&Actor::House, |_| Ok(vec![fact.clone()])).await?;
            if before.is_some() && !moved.stopped {
                kept = store.compact().await.err().map(|error| error.to_string());
            }
        }
        store.close().await?;
        Ok((moved?, kept))
    }

    /// Who follows the database's server.
    pub async fn standbys(&self) -> Answer<Standbys> {
        Ok(self.inner.store.standbys().await?)
    }

    /// What the operator should know about the database.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let torn = self.copied_without_log().map(str::to_owned);
        torn.into_iter().chain(self.inner.store.warnings()).collect()
    }

    /// That the file was copied without its log while its casino played, if it was.
    #[must_use]
    pub fn copied_without_log(&self) -> Option<&'static str> {
        self.inner.store.without_log().then_some(WITHOUT_LOG)
    }
}

/// The address of a PostgreSQL database as PostgreSQL's own programs read it, without our options, and the password apart.
///
/// # Errors
/// An address that cannot be read, a password file that cannot.
pub fn for_libpq(database: &str) -> Answer<(String, Option<String>)> {
    Ok(journal::for_libpq(&journal::key_place(database).0)?)
}
