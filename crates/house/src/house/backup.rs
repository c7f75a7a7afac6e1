//! Backups, archives and upgrades of a database.

use std::path::Path;
use std::sync::Arc;

use super::{Answer, House};
use crate::boxed;
use crate::facts::HouseFact;
use crate::journal::archive::{self, Moved, Stop};
use crate::journal::{
    self, EntryFilter, Key, Mode, SCHEMA, STEPS_IN_WORDS, Standbys, StoreError, WITHOUT_LOG,
};
use crate::{Actor, HouseError, Instant, WallClock};

/// What opening a database with this program does to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Upgrade {
    /// It has no casino yet.
    New,
    /// It has this program's version.
    Current,
    /// It is upgraded in steps: the version after each step and what the step does.
    Steps(Vec<(u32, &'static str)>),
}

impl House {
    /// The database version of this program.
    #[must_use]
    pub const fn schema() -> u32 {
        SCHEMA
    }

    /// Checks the address of a database and the files that it names, without opening anything.
    ///
    /// # Errors
    /// An invalid address or option, a file that cannot be read.
    pub fn check_address(database: &str) -> Answer<()> {
        let (address, key) = journal::key_place(database);
        journal::check_address(&address)?;
        if matches!(key, journal::KeyPlace::File(_) | journal::KeyPlace::Given(_)) {
            key.needed(None)?;
        }
        Ok(())
    }

    /// What opening this database would do to it. Changes nothing.
    ///
    /// # Errors
    /// It cannot be reached, is another program's, or belongs to a newer one.
    #[boxed]
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

    /// Copies a SQLite database, also while its casino is running, and flushes the copy. An existing file is never overwritten.
    ///
    /// # Errors
    /// The database is not a file or cannot be read; the copy exists or cannot be written.
    #[boxed]
    pub async fn copy(database: &str, to: &Path) -> Answer<()> {
        let (address, _) = journal::key_place(database);
        let path = address.strip_prefix("sqlite:").unwrap_or(&address).to_owned();
        if path.is_empty() || path.contains("://") {
            return Err(HouseError::DatabaseAddress(journal::without_password(&address)));
        }
        if to.exists() {
            return Err(HouseError::Unavailable(format!("{} already exists", to.display())));
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
                tracing::warn!(target: "baize::house", file = %to.display(), %error, "an incomplete copy could not be removed");
            }
            copied
        });
        Ok(copied.await.map_err(|stopped| HouseError::Unavailable(stopped.to_string()))??)
    }

    /// When the last entry was written.
    #[boxed]
    pub async fn last_entry_at(&self) -> Answer<Instant> {
        let last = self.inner.store.entries(EntryFilter { limit: 1, ..EntryFilter::default() }).await?;
        Ok(last.first().map_or(Instant(0), |entry| entry.at))
    }

    /// Upgrades the database of a stopped casino.
    #[boxed]
    pub async fn bring_up_to_date(database: &str) -> Answer<()> {
        // On a server, the console mode does not change the tables; only a host upgrades them.
        let mode = if database.contains("://") { Mode::Serve } else { Mode::Console };
        let house = House::connect(database, Arc::new(WallClock), mode, Key::for_nothing()).await?;
        Ok(house.inner.store.close().await?)
    }

    /// Records that this database was restored from a backup. The casino must be stopped.
    #[boxed]
    pub async fn note_restored(
        database: &str,
        user: Option<String>,
        taken: Instant,
        entries: u64,
        missing: String,
    ) -> Answer<()> {
        let house = House::connect(database, Arc::new(WallClock), Mode::Console, Key::for_nothing()).await?;
        let fact = HouseFact::Restored { user, taken, entries, missing };
        house.append_facts(&Actor::House, |_| Ok(vec![fact.clone()])).await?;
        house.inner.store.close().await?;
        Ok(())
    }

    /// Removes a casino that was restored to a server and is not to be kept.
    ///
    /// # Errors
    /// The server cannot be reached.
    #[boxed]
    pub async fn remove_restored(database: &str) -> Answer<()> {
        Ok(journal::remove_restored(&journal::key_place(database).0).await?)
    }

    /// Moves the bodies of rounds that ended before a time into archives: files in a folder beside the database file, or in the one named
    /// by `archive=FOLDER` in the address. A casino on SQLite must be stopped. Also returns why the file could not be compacted, if so.
    ///
    /// # Errors
    /// As [`House::open`]; a disk error. Bodies that were not moved stay in the database.
    #[boxed]
    pub async fn archive<'a>(
        database: &'a str,
        before: Instant,
        user: Option<String>,
        stop: Stop<'a>,
    ) -> Answer<(Moved, Option<String>)> {
        House::moving(database, user, format!("archive before {before}"), Some(before), stop).await
    }

    /// Moves all bodies from the archives back into the database. The archive files remain.
    ///
    /// # Errors
    /// As [`House::archive`]; an archive is missing or was altered.
    #[boxed]
    pub async fn restore_archives<'a>(
        database: &'a str,
        user: Option<String>,
        stop: Stop<'a>,
    ) -> Answer<Moved> {
        Ok(House::moving(database, user, "restore archives".to_owned(), None, stop).await?.0)
    }

    async fn moving(
        database: &str,
        user: Option<String>,
        command: String,
        before: Option<Instant>,
        stop: Stop<'_>,
    ) -> Answer<(Moved, Option<String>)> {
        let house = House::connect(database, Arc::new(WallClock), Mode::Console, Key::for_nothing()).await?;
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
            house.append_facts(&Actor::House, |_| Ok(vec![fact.clone()])).await?;
            if before.is_some() && !moved.stopped {
                kept = store.compact().await.err().map(|error| error.to_string());
            }
        }
        store.close().await?;
        Ok((moved?, kept))
    }

    /// The standbys of the database server.
    #[boxed]
    pub async fn standbys(&self) -> Answer<Standbys> {
        Ok(self.inner.store.standbys().await?)
    }

    /// Warnings about the database for the operator.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let torn = self.copied_without_log().map(str::to_owned);
        torn.into_iter().chain(self.inner.store.warnings()).collect()
    }

    /// A warning if the file was copied without its log while its casino was running.
    #[must_use]
    pub fn copied_without_log(&self) -> Option<&'static str> {
        self.inner.store.without_log().then_some(WITHOUT_LOG)
    }
}

/// The address of a PostgreSQL database for PostgreSQL's own programs, without our options, and the password separately.
///
/// # Errors
/// An invalid address, a password file that cannot be read.
pub fn for_libpq(database: &str) -> Answer<(String, Option<String>)> {
    Ok(journal::for_libpq(&journal::key_place(database).0)?)
}
