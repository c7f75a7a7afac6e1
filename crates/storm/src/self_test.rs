//! The storm is put to the test itself: faults that are put into the code on purpose must be found.

use baize_journal::sabotage;

use crate::fault::Fault;
use crate::plan::{Plan, Wishes};
use crate::run;

/// A fault in the code, and what finds it.
#[derive(Debug, Clone, Copy)]
pub struct Sabotage {
    /// Its name, as the code asks for it.
    pub name: &'static str,
    /// The hosts that it needs; nothing: any number.
    pub hosts: Option<usize>,
    /// The faults around it that bring it out.
    pub faults: &'static [Fault],
    /// It is found within so many rounds.
    pub within: u64,
}

const fn one(name: &'static str, hosts: Option<usize>, faults: &'static [Fault], within: u64) -> Sabotage {
    Sabotage { name, hosts, faults, within }
}

/// All of them: in the house, in its ledger and clock, and in the contract of the database.
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

/// What found a fault.
#[derive(Debug, Clone)]
pub struct Found {
    /// In the casino of this seed.
    pub seed: u64,
    /// After so many rounds in all.
    pub rounds: u64,
    /// What was wrong.
    pub what: String,
}

impl Sabotage {
    /// Plays casinos with the fault in the code until it is found, or for as many rounds as it may take and no more.
    #[must_use]
    pub fn find(&self, seed: u64) -> Option<Found> {
        let wishes = Wishes { hosts: self.hosts, faults: Some(self.faults.to_vec()), ..Wishes::default() };
        sabotage::put(Some(self.name));
        let mut rounds = 0;
        let mut found = None;
        // A fault may keep rounds from ending.
        for seed in (seed..).take(usize::try_from(self.within).unwrap_or(usize::MAX)) {
            let outcome = run(&Plan::new(seed, &wishes));
            rounds += outcome.covered.rounds.max(1);
            if let Some(failure) = outcome.failure {
                // What fails without it too is not its doing.
                sabotage::put(None);
                let clean = run(&Plan::new(seed, &wishes)).failure.is_none();
                sabotage::put(Some(self.name));
                if !clean {
                    continue;
                }
                let what = failure.what.first().cloned().unwrap_or_default();
                found = Some(Found { seed, rounds, what });
                break;
            }
            if rounds >= self.within {
                break;
            }
        }
        sabotage::put(None);
        found
    }
}
