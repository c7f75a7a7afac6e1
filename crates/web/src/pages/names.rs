//! Display names for the players on a page.

use std::collections::BTreeMap;

/// Display names by log-in name. Rounds contain log-in names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Names(BTreeMap<String, String>);

impl Names {
    /// The display name of this player, or their log-in name if they have none.
    pub(crate) fn of<'a>(&'a self, login: &'a str) -> &'a str {
        self.0.get(login).map_or(login, String::as_str)
    }

    /// The display name of this player, if they have one.
    pub(crate) fn name(&self, login: &str) -> Option<&str> {
        self.0.get(login).map(String::as_str)
    }

    /// Adds the names of another table.
    pub(crate) fn extend(&mut self, others: Names) {
        self.0.extend(others.0);
    }
}

impl FromIterator<(String, String)> for Names {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(of: I) -> Names {
        Names(of.into_iter().collect())
    }
}
