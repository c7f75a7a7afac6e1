//! Interned names: chains, people, kinds, accounts and tables are stored once, and rows refer to them by number.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension};

/// A connection and its cache of names. A name never changes its number.
pub(super) struct Rows {
    pub(super) connection: Connection,
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    names: HashMap<i64, Arc<str>>,
    ids: HashMap<Arc<str>, i64>,
}

impl Deref for Rows {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl Rows {
    pub(super) fn new(connection: Connection) -> Rows {
        Rows { connection, known: RefCell::default() }
    }

    /// The name of a number. A missing one gets a placeholder that no hash covers.
    pub(super) fn name(&self, id: i64) -> Result<Arc<str>, rusqlite::Error> {
        if let Some(name) = self.known.borrow().names.get(&id) {
            return Ok(Arc::clone(name));
        }
        let mut asked = self.prepare_cached("SELECT name FROM names WHERE id = ?1")?;
        let name: Option<String> = asked.query_row([id], |row| row.get(0)).optional()?;
        Ok(match name {
            Some(name) => self.learn(id, &name),
            None => format!("missing name {id}").into(),
        })
    }

    /// The number of a name, if it has one.
    pub(super) fn find(&self, name: &str) -> Result<Option<i64>, rusqlite::Error> {
        if let Some(id) = self.known.borrow().ids.get(name) {
            return Ok(Some(*id));
        }
        let mut asked = self.prepare_cached("SELECT id FROM names WHERE name = ?1")?;
        let id: Option<i64> = asked.query_row([name], |row| row.get(0)).optional()?;
        if let Some(id) = id {
            self.learn(id, name);
        }
        Ok(id)
    }

    /// The number of a name; assigns one if it has none.
    pub(super) fn number(&self, name: &str) -> Result<i64, rusqlite::Error> {
        if let Some(id) = self.find(name)? {
            return Ok(id);
        }
        self.prepare_cached("INSERT INTO names (name) VALUES (?1)")?.execute([name])?;
        let id = self.last_insert_rowid();
        self.learn(id, name);
        Ok(id)
    }

    /// Clears the cache after a rollback: numbers assigned in the transaction are gone.
    pub(super) fn forget(&self) {
        *self.known.borrow_mut() = Known::default();
    }

    fn learn(&self, id: i64, name: &str) -> Arc<str> {
        let name: Arc<str> = name.into();
        let mut known = self.known.borrow_mut();
        known.names.insert(id, Arc::clone(&name));
        known.ids.insert(Arc::clone(&name), id);
        name
    }
}
