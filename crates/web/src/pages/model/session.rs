//! A player's session: what it brought against what was to be expected, and the limits that the player set.

use baize_rules::Money;

use super::Shell;

/// One point of the graph, after a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SessionPoint {
    /// What the rounds so far brought, in cents.
    pub net: f64,
    /// What was to be expected of them, in cents; nothing while a game is not counted.
    pub expected: Option<f64>,
    /// Their standard deviation, in cents.
    pub deviation: f64,
}

/// The session page.
#[derive(Debug, Clone, Default)]
pub struct SessionPage {
    /// What every page shares.
    pub shell: Shell,
    /// Since when, on the house's clock.
    pub since: String,
    /// Rounds that are over.
    pub hands: usize,
    /// What they brought.
    pub net: Money,
    /// What was to be expected of them with best play, to the cent.
    pub expected: Option<Money>,
    /// What was staked in all.
    pub staked: Money,
    /// The best round: its name, its address, what it brought.
    pub biggest: Option<(String, String, Money)>,
    /// Minutes of play.
    pub minutes: u32,
    /// The graph, from the first round on.
    pub points: Vec<SessionPoint>,
    /// The player's own limit of loss.
    pub loss: Option<Money>,
    /// The player's own limit of time, in minutes.
    pub limit_minutes: Option<u32>,
    /// Other limits that hold later, in words.
    pub later: Option<String>,
    /// The break that the player takes, in words.
    pub on_break: Option<String>,
}
