//! Names as people write them, for the players of a page.

use std::collections::BTreeMap;

/// What the players of a page are called. Rounds know them by their log-ins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names(BTreeMap<String, String>);

impl Names {
    /// What this player is called: their name, or their log-in where the house knows no name.
    #[must_use]
    pub fn of<'a>(&'a self, login: &'a str) -> &'a str {
        self.0.get(login).map_or(login, String::as_str)
    }

    /// Those of another table besides.
    pub fn extend(&mut self, others: Names) {
        self.0.extend(others.0);
    }
}

impl FromIterator<(String, String)> for Names {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(of: I) -> Names {
        Names(of.into_iter().collect())
    }
}
