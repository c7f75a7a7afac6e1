//! What the server remembers for surveillance and the coach: nothing of it is lost that the journal does not have.

use super::alerts::Alerts;
use super::coach::Lessons;
use super::surveillance::Exposures;

/// Exposures that were counted, lessons under way, players to look at.
#[derive(Default)]
pub(crate) struct Advantage {
    pub(crate) exposures: Exposures,
    pub(crate) lessons: Lessons,
    pub(crate) alerts: Alerts,
}
