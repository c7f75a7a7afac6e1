//! The key of the house: found when it is opened, noted, changed on record.

use std::sync::Arc;

use super::{Answer, House};
use crate::facts::HouseFact;
use crate::journal::Batch;
use crate::slots::Register;
use crate::{Actor, Clock, HouseError, Instant};

impl House {
    /// Takes the key that the journal names, if it is not here yet. Whoever only looks goes on without it.
    pub(super) fn find_key(&self, register: &Register) -> Answer<()> {
        if self.inner.vault.key().is_some() {
            return Ok(());
        }
        let (place, wanted) = (&self.inner.key_place, register.key.as_deref());
        if !self.inner.looking {
            self.inner.vault.take(Arc::new(place.needed(wanted)?));
            return Ok(());
        }
        let found = place.find(None).ok().flatten();
        if let Some(key) = found.filter(|key| wanted.is_none_or(|wanted| wanted == key.id)) {
            self.inner.vault.take(Arc::new(key));
        }
        Ok(())
    }

    /// Notes the key of a database that names none yet.
    pub(super) async fn note_key(&self) -> Answer<()> {
        let Some(key) = self.inner.vault.key() else { return Ok(()) };
        self.note(&Actor::House, |register| match &register.key {
            Some(noted) if *noted == key.id => Ok(Vec::new()),
            Some(noted) => Err(HouseError::Key(format!(
                "the journal was written with the key {noted}, and the key that was given is {}",
                key.id
            ))),
            None => Ok(vec![HouseFact::KeyTaken { key: key.id.clone(), before: None }]),
        })
        .await
    }

    /// Changes the key of a casino that nobody runs, on record: decks to come are sealed anew, sessions and links end. `lost`: the present
    /// key is not there any more. Gives the names of the key before and of the new one.
    ///
    /// # Errors
    /// The database is in use; the key is not in a file.
    pub async fn rotate_key(
        database: &str,
        clock: Arc<dyn Clock>,
        lost: bool,
    ) -> Answer<(Option<String>, String)> {
        let (_, place) = crate::key::place_of(database);
        let next = Arc::new(place.make_next()?);
        let house = House::open_for_keys(database, clock, lost.then(|| Arc::clone(&next))).await?;
        if !house.inner.store.alone() {
            return Err(HouseError::Key(
                "stop every host first: they have the present key in memory".to_owned(),
            ));
        }
        let before = house.inner.shown.get().key.clone();
        let mut decks = Vec::new();
        for slot in house.table_slots() {
            let work = slot.work.lock().await;
            decks.extend(work.deck.as_ref().map(|(round, deck)| deck.row(&slot.id, *round)));
        }
        house.inner.vault.take(Arc::clone(&next));
        let fact = HouseFact::KeyTaken { key: next.id.clone(), before: before.clone() };
        let batch = || Batch { decks: decks.clone(), ..Batch::default() };
        house.note_with(&Actor::House, |_, _| Ok((vec![fact.clone()], batch()))).await?;
        // What the key before had bound is over: all of it is as if it had expired.
        house.inner.store.take_secret("", "", Instant(i64::MAX)).await?;
        // From now on the journal names the new one, which takes the place of the old one.
        place.find(Some(&next.id))?;
        house.inner.store.close().await?;
        Ok((before, next.id.clone()))
    }
}
