//! A player's session page.

use baize_rules::Money;

use crate::pages::shell::Shell;

/// One point of the graph, after a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SessionPoint {
    /// The result so far, in cents.
    pub(crate) net: f64,
    /// The expected result, in cents; `None` before the game is solved.
    pub(crate) expected: Option<f64>,
    /// The standard deviation, in cents.
    pub(crate) deviation: f64,
}

/// The session page.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// Since when, formatted.
    pub(crate) since: String,
    /// Finished rounds.
    pub(crate) hands: usize,
    /// The result.
    pub(crate) net: Money,
    /// The expected result with best play, to the cent.
    pub(crate) expected: Option<Money>,
    /// Total stakes.
    pub(crate) staked: Money,
    /// The best round: name, address, result.
    pub(crate) biggest: Option<(String, String, Money)>,
    /// Minutes of play.
    pub(crate) minutes: u32,
    /// The graph, from the first round on.
    pub(crate) points: Vec<SessionPoint>,
    /// The player's own loss limit.
    pub(crate) loss: Option<Money>,
    /// The player's own time limit, in minutes.
    pub(crate) limit_minutes: Option<u32>,
    /// Limits that apply later, in words.
    pub(crate) later: Option<String>,
    /// The current break, in words.
    pub(crate) on_break: Option<String>,
}
