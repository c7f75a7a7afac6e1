//! A database that lacks entries known to this host: an older copy that was restored, or a standby that lagged when it was promoted.
//!
//! Answers that were given are lost there. The host stops its tables and says why. Then the right database is brought back, or a Shift
//! Manager continues from the present one, on record.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use super::{Answer, House};
use crate::boxed;
use crate::facts::HouseFact;
use crate::journal::{Head, Stream};
use crate::register::Register;
use crate::{Actor, Duty, HouseError};

impl House {
    /// Refuses everything while the database is behind.
    pub(crate) fn not_behind(&self) -> Answer<()> {
        match &*self.inner.behind.get() {
            Some(why) => Err(HouseError::Behind(why.clone())),
            None => Ok(()),
        }
    }

    /// Why the tables are stopped, if the database is behind.
    #[must_use]
    pub fn behind(&self) -> Option<String> {
        (*self.inner.behind.get()).clone()
    }

    /// Stops everything because the database lacks an entry known here.
    pub(super) fn fell_behind(&self, stream: &Stream, version: u64) -> HouseError {
        let why = format!("it does not have entry {version} of {stream} as this host wrote or read it");
        if !self.inner.read_only {
            self.inner.behind.set(Some(why.clone()));
            let stopped = HouseError::Behind(why.clone()).to_string();
            for slot in self.table_slots() {
                slot.halt(&stopped);
            }
        }
        HouseError::Behind(why)
    }

    /// Reads all chains, because notifications may have been missed or the server may be another one.
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

    /// Continues from the database as it is, on record, and drops what this host knew beyond it. Shift Manager.
    ///
    /// # Errors
    /// The database is not behind; lack of duty.
    #[boxed]
    pub async fn accept_database(&self, by: &Actor, reason: &str) -> Answer<()> {
        by.require(Duty::ShiftManager)?;
        if self.behind().is_none() {
            return Err(HouseError::NotNow("the database is not behind: there is nothing to decide"));
        }
        let reason: String = reason.chars().take(200).collect();
        let mut known: BTreeMap<String, u64> = BTreeMap::new();
        let mut work = self.inner.register.lock().await;
        known.insert(Stream::house().to_string(), work.head.version);
        for slot in self.table_slots() {
            // Stops writers that still build on dropped entries.
            let inside = slot.work.lock().await;
            slot.halt("the house continued from an older database");
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
        self.append_facts(by, |_| Ok(vec![fact.clone()])).await?;
        self.recover().await
    }
}
