//! Remembers from which address players joined without a password. A repeated request is only taken for the same one if it comes from
//! there: knowing the id of a request does not prove who sent it.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use baize_house::CommandId;

/// Requests remembered.
const CAPACITY: usize = 1_024;

/// The latest requests to join.
#[derive(Default)]
pub(crate) struct RecentJoins(Mutex<VecDeque<(CommandId, IpAddr)>>);

impl RecentJoins {
    /// Whether the request with this id came from this address.
    pub(crate) fn came_from(&self, id: &CommandId, address: IpAddr) -> bool {
        let joins = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        joins.iter().any(|(known, from)| known == id && *from == address)
    }

    pub(crate) fn remember(&self, id: CommandId, address: IpAddr) {
        let mut joins = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if joins.len() >= CAPACITY {
            joins.pop_front();
        }
        joins.push_back((id, address));
    }
}
