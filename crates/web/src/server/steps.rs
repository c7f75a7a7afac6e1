//! One step at a time. A form says what it was made for; here it is held against the table as it is, and while one form is carried
//! out no other form of that table is looked at. So two dealers who press the same button, two windows of one player and a page
//! that is out of date act once. A form that is sent again by the one who sent it is told that it was done.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use baize_house::{Actor, CommandId, TableId};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// Forms of a table that are remembered as done. The house remembers commands for ever; this is only for a kind answer.
const REMEMBERED: usize = 128;

/// The latest forms of a table that were carried out, and whose they were.
pub(crate) type Done = VecDeque<(String, CommandId)>;

/// A turn at each table.
#[derive(Default)]
pub(crate) struct Steps(Mutex<HashMap<TableId, Arc<Turn<Done>>>>);

impl Steps {
    /// Waits for the turn at this table.
    pub(crate) async fn turn(&self, table: &TableId) -> OwnedMutexGuard<Done> {
        let turn = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(table.clone()).or_default())
        };
        turn.lock_owned().await
    }
}

/// Whether this very form of this very person was carried out.
pub(crate) fn was_done(done: &Done, actor: &Actor, id: &CommandId) -> bool {
    done.iter().any(|(who, known)| known == id && *who == actor.label())
}

/// Remembers a form that was carried out.
pub(crate) fn remember(done: &mut Done, actor: &Actor, id: CommandId) {
    if done.len() >= REMEMBERED {
        done.pop_front();
    }
    done.push_back((actor.label(), id));
}
