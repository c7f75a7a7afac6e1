//! Who has lately joined without a password, and from where: only from there is their request taken for the same when it comes again.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use baize_house::CommandId;

/// Requests that are remembered.
const REMEMBERED: usize = 1_024;

/// The latest requests.
#[derive(Default)]
pub(crate) struct Joined(Mutex<VecDeque<(CommandId, IpAddr)>>);

impl Joined {
    /// Whether the request of this id came from this address.
    pub(crate) fn came_from(&self, id: &CommandId, address: IpAddr) -> bool {
        let joined = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        joined.iter().any(|(known, from)| known == id && *from == address)
    }

    /// Remembers a request.
    pub(crate) fn remember(&self, id: CommandId, address: IpAddr) {
        let mut joined = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if joined.len() >= REMEMBERED {
            joined.pop_front();
        }
        joined.push_back((id, address));
    }
}
