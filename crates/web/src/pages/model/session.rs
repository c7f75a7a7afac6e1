//! A player's session page.

use baize_rules::Money;

use super::Shell;

/// One point of the graph, after a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SessionPoint {
    /// The result so far, in cents.
    pub net: f64,
    /// The expected result, in cents; `None` before the game is solved.
    pub expected: Option<f64>,
    /// The standard deviation, in cents.
    pub deviation: f64,
}

/// The session page.
#[derive(Debug, Clone, Default)]
pub struct SessionPage {
    /// What every page shares.
    pub shell: Shell,
    /// Since when, formatted.
    pub since: String,
    /// Finished rounds.
    pub hands: usize,
    /// The result.
    pub net: Money,
    /// The expected result with best play, to the cent.
    pub expected: Option<Money>,
    /// Total stakes.
    pub staked: Money,
    /// The best round: name, address, result.
    pub biggest: Option<(String, String, Money)>,
    /// Minutes of play.
    pub minutes: u32,
    /// The graph, from the first round on.
    pub points: Vec<SessionPoint>,
    /// The player's own loss limit.
    pub loss: Option<Money>,
    /// The player's own time limit, in minutes.
    pub limit_minutes: Option<u32>,
    /// Limits that apply later, in words.
    pub later: Option<String>,
    /// The current break, in words.
    pub on_break: Option<String>,
}
