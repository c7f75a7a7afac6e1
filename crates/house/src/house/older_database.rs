//! A database that has less than this host knows: one that was restored, or a standby that lagged when it was promoted.
//!
//! What was answered is gone there. The host stops its tables and says why; a Shift Manager either has the right database brought back, or
//! goes on from the one that is there, on record.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use super::create::needs;
use super::{Answer, House};
use crate::facts::HouseFact;
use crate::journal::{Head, Stream};
use crate::register::Register;
use crate::{Actor, Duty, HouseError};

impl House {
    /// Nothing is done while the database has less than is known here.
    pub(crate) fn not_behind(&self) -> Answer<()> {
        match &*self.inner.behind.get() {
            Some(why) => Err(HouseError::Behind(why.clone())),
            None => Ok(()),
        }
    }

    /// Why the tables are stopped, if the database has less than this host knows.
    #[must_use]
    pub fn behind(&self) -> Option<String> {
        (*self.inner.behind.get()).clone()
    }

    /// The database lacks an entry that is known here: everything is stopped.
    pub(super) fn fell_behind(&self, stream: &Stream, version: u64) -> HouseError {
        let why = format!("it does not have entry {version} of {stream} as this host wrote or read it");
        if !self.inner.looking {
            self.inner.behind.set(Some(why.clone()));
            let stopped = HouseError::Behind(why.clone()).to_string();
            for slot in self.table_slots() {
                slot.halt(&stopped);
            }
        }
        HouseError::Behind(why)
    }

    /// Looks at every chain: news was missed, or the server is another one.
    pub(super) async fn follow_all(&self) -> Answer<()> {
        self.follow_house().await?;
        for slot in self.jackpot_slots() {
            let mut work = slot.work.lock().await;
            self.refresh_jackpot(&slot, &mut work).await?;
        }
        for slot in self.table_slots() {
            let mut work = slot.work.lock().await;
            self.refresh_table(&slot, &mut work).await?;
        }
        Ok(())
    }

    /// Goes on from the database as it is, on record: what this host knew beyond it is given up. Shift Manager.
    ///
    /// # Errors
    /// The database is not behind; not theirs to decide.
    pub async fn accept_database(&self, by: &Actor, reason: &str) -> Answer<()> {
        needs(by, Duty::ShiftManager)?;
        if self.behind().is_none() {
            return Err(HouseError::NotNow("the database is not behind: there is nothing to decide"));
        }
        let reason: String = reason.chars().take(200).collect();
        let mut known: BTreeMap<String, u64> = BTreeMap::new();
        let mut work = self.inner.register.lock().await;
        known.insert(Stream::house().to_string(), work.head.version);
        for slot in self.table_slots() {
            // This stops writers that still work on entries which are given up.
            let inside = slot.work.lock().await;
            slot.halt("the house went on from an older database");
            known.insert(Stream::table(&slot.id).to_string(), inside.head.version);
        }
        for slot in self.jackpot_slots() {
            known.insert(Stream::jackpot(&slot.id).to_string(), slot.shown.get().version);
        }
        self.inner.tables.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.inner.jackpots.write().unwrap_or_else(PoisonError::into_inner).clear();
        (work.register, work.head, work.stale) = (Register::default(), Head::default(), true);
        self.refresh_register(&mut work).await?;
        drop(work);
        let found = self.inner.store.heads().await?;
        let version = |name: &String| found.get(&Stream::named(name.clone())).map_or(0, |head| head.version);
        let gone = known.into_iter().map(|(name, known)| (name.clone(), (known, version(&name))));
        let gone: BTreeMap<String, (u64, u64)> = gone.filter(|(_, (known, found))| known > found).collect();
        self.inner.behind.set(None);
        let fact = HouseFact::DatabaseAccepted { reason, gone };
        self.note(by, |_| Ok(vec![fact.clone()])).await?;
        self.recover().await
    }
}
