//! Interned names: chains, people, kinds, accounts and tables are stored once, and rows refer to them by number.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use super::pool::Pool;
use super::rows::{StoreResult, get};

/// A cache of names. A name never changes its number on the same server. A host that reconnects, perhaps to a standby that took over and
/// lacks some names, clears the cache.
#[derive(Clone, Default)]
pub(super) struct Names(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    names: HashMap<i32, Arc<str>>,
    ids: HashMap<Arc<str>, i32>,
}

impl Names {
    /// Clears the cache.
    pub(super) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Known::default();
    }

    fn learn(&self, id: i32, name: &str) -> Arc<str> {
        let name: Arc<str> = name.into();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.names.insert(id, Arc::clone(&name));
        known.ids.insert(Arc::clone(&name), id);
        name
    }

    fn name(&self, id: i32) -> Option<Arc<str>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).names.get(&id).cloned()
    }

    fn id(&self, name: &str) -> Option<i32> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).ids.get(name).copied()
    }
}

/// The names of some numbers.
pub(super) struct Named(HashMap<i32, Arc<str>>);

impl Named {
    /// The name of a number. A missing one gets a placeholder that no hash covers.
    pub(super) fn of(&self, id: i32) -> String {
        self.0.get(&id).map_or_else(|| format!("missing name {id}"), |name| name.as_ref().to_owned())
    }
}

impl Pool {
    /// The names of these numbers.
    pub(super) async fn names_of(&self, ids: BTreeSet<i32>) -> StoreResult<Named> {
        let mut found: HashMap<i32, Arc<str>> =
            ids.iter().filter_map(|id| Some((*id, self.names().name(*id)?))).collect();
        let missing: Vec<i32> = ids.into_iter().filter(|id| !found.contains_key(id)).collect();
        if !missing.is_empty() {
            for row in self.query("SELECT id, name FROM names WHERE id = ANY($1)", &[&missing]).await? {
                let (id, name): (i32, String) = (get(&row, 0)?, get(&row, 1)?);
                found.insert(id, self.names().learn(id, &name));
            }
        }
        Ok(Named(found))
    }

    /// The number of a name, if it has one.
    pub(super) async fn find(&self, name: &str) -> StoreResult<Option<i32>> {
        if let Some(id) = self.names().id(name) {
            return Ok(Some(id));
        }
        let found = self.query("SELECT id FROM names WHERE name = $1", &[&name]).await?;
        let Some(row) = found.first() else { return Ok(None) };
        let id = get(row, 0)?;
        self.names().learn(id, name);
        Ok(Some(id))
    }

    /// The numbers of these names; assigns missing ones, before the transaction that needs them, so that hosts do not wait for each other.
    /// An unused name does no harm.
    pub(super) async fn numbers_of<'a>(
        &self,
        names: BTreeSet<&'a str>,
    ) -> StoreResult<HashMap<&'a str, i32>> {
        let mut found: HashMap<&str, i32> =
            names.iter().filter_map(|name| Some((*name, self.names().id(name)?))).collect();
        let missing: Vec<&str> = names.into_iter().filter(|name| !found.contains_key(name)).collect();
        if !missing.is_empty() {
            let give = "INSERT INTO names (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING";
            let known = self.query("SELECT name FROM names WHERE name = ANY($1)", &[&missing]).await?;
            if known.len() < missing.len() {
                self.query(give, &[&missing]).await?;
            }
            for row in self.query("SELECT id, name FROM names WHERE name = ANY($1)", &[&missing]).await? {
                let (id, name): (i32, String) = (get(&row, 0)?, get(&row, 1)?);
                self.names().learn(id, &name);
                found.extend(missing.iter().find(|own| **own == name).map(|own| (*own, id)));
            }
        }
        Ok(found)
    }
}
