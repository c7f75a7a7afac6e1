//! Self-test of the storm: it must find bugs injected into the code.

use crate::fault::Fault;
use crate::plan::{Plan, PlanOptions};
use crate::run;

/// An injected bug and the conditions that expose it.
#[derive(Debug, Clone, Copy)]
pub struct Sabotage {
    /// Its name in the code.
    pub name: &'static str,
    /// Number of hosts required; `None` for any.
    pub hosts: Option<usize>,
    /// Faults that expose it.
    pub faults: &'static [Fault],
    /// Rounds within which it must be found.
    pub within: u64,
}

const fn one(name: &'static str, hosts: Option<usize>, faults: &'static [Fault], within: u64) -> Sabotage {
    Sabotage { name, hosts, faults, within }
}

/// All bugs: in the house, its ledger and clock, and the database.
pub const SABOTAGES: [Sabotage; 19] = [
    one("a repeated order is not looked up", None, &[Fault::ClientRepeats], 100),
    one("an id stands for any order", None, &[Fault::ClientReuses], 300),
    one("an order for an old version is taken", None, &[], 100),
    one("a lost answer counts as done", Some(2), &[Fault::WriteLost], 100),
    one("a lost answer counts as refused", Some(2), &[Fault::AnswerLost], 300),
    one(
        "a jackpot that was not written is kept in memory",
        Some(1),
        &[Fault::WriteTorn, Fault::DiskFull],
        300,
    ),
    one("a table that has gone on is not read again", Some(1), &[Fault::ClientGone], 100),
    one("a float that runs short is not filled", None, &[], 300),
    one("news of other hosts is not read", Some(2), &[], 100),
    one("an interrupted round is not resolved", Some(1), &[Fault::HostDies], 300),
    one("everybody sees every card", None, &[], 100),
    one("a clock that goes back is believed", None, &[Fault::ClockBack], 100),
    one("chips that go back stay on the table", None, &[], 100),
    one("the meter moves without the ledger", None, &[], 100),
    one("a repeated movement of cash is not looked up", None, &[Fault::ClientRepeats], 300),
    one("database: a stale version is accepted", Some(2), &[Fault::WriteLate], 100),
    one("database: an id may be used twice", None, &[Fault::ClientRepeats], 300),
    one("database: a purse may go below nothing", None, &[], 300),
    one("database: half of a transaction is kept", None, &[], 100),
];

/// How a bug was found.
#[derive(Debug, Clone)]
pub struct Detection {
    /// Rounds played until then.
    pub rounds: u64,
    /// The failure.
    pub what: String,
}

impl Sabotage {
    /// The first bug whose name contains these words.
    ///
    /// # Errors
    /// There is none.
    pub fn named(words: &str) -> Result<Sabotage, String> {
        let found = SABOTAGES.into_iter().find(|one| one.name.contains(words));
        let known = || SABOTAGES.map(|one| one.name).join("\n  ");
        found.ok_or_else(|| format!("no injected bug is named `{words}`; these are:\n  {}", known()))
    }

    /// Runs casinos with the bug until it is found or its maximum number of rounds is reached.
    #[must_use]
    pub fn find(&self, seed: u64) -> Option<Detection> {
        let clean =
            PlanOptions { hosts: self.hosts, faults: Some(self.faults.to_vec()), ..PlanOptions::default() };
        let options = PlanOptions { sabotage: Some(self.name), ..clean.clone() };
        let mut rounds = 0;
        // A bug may prevent rounds from ending, so the number of casinos is limited too.
        for seed in (seed..).take(usize::try_from(self.within).unwrap_or(usize::MAX)) {
            let outcome = run(&Plan::new(seed, &options));
            rounds += outcome.covered.rounds.max(1);
            // A plan that also fails without the bug does not count.
            if let Some(failure) = outcome.failure
                && run(&Plan::new(seed, &clean)).failure.is_none()
            {
                let what = failure.what.first().cloned().unwrap_or_default();
                return Some(Detection { rounds, what });
            }
            if rounds >= self.within {
                break;
            }
        }
        None
    }
}
