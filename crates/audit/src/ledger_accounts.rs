//! Checks over the whole ledger: moved pools, accounts, stray rows.

use baize_rules::Money;

use super::Findings;
use baize_house::Answer;
use baize_house::ledger;
use baize_journal::{Entry, Store};

/// Adds an entry's ledger lines to the expected balances.
pub(super) fn add(entry: &Entry, findings: &mut Findings) {
    for posting in &entry.postings {
        match findings.accounts.get_mut(&posting.account) {
            Some(holds) => *holds += posting.cents,
            None => drop(findings.accounts.insert(posting.account.clone(), posting.cents)),
        }
    }
}

/// Pools that left a closed jackpot arrived at another.
pub(super) fn pools(findings: &mut Findings) {
    for ((from, into), (left, came)) in std::mem::take(&mut findings.moved) {
        findings.count("closed jackpots", 1);
        if left != came {
            let what = format!("pools of {left} were moved to jackpot {into}, which received {came}");
            findings.fault(format!("jackpot {from}"), what);
        }
    }
}

/// Every balance is the sum of its ledger lines, and all balances sum to zero.
pub(super) async fn accounts(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let balances = store.balances().await;
    let Some(balances) = findings.readable("the accounts", balances)? else { return Ok(()) };
    let mut should = std::mem::take(&mut findings.accounts);
    let mut total = 0_i128;
    for (account, holds) in balances {
        total += i128::from(holds);
        let right = should.remove(&account).unwrap_or(0);
        if holds != right {
            findings.fault(
                format!("account {account}"),
                format!("it holds {holds} cents; the journal says {right}"),
            );
        }
        if let Some(player) = account.strip_prefix(ledger::OWED) {
            match holds {
                0 => {}
                ..0 => findings.notes.push(format!("{player} owes {}", Money::from_cents(-holds))),
                _ => findings.fault(format!("account {account}"), "more was collected than was owed"),
            }
        }
        if holds < 0 && !ledger::may_be_negative(&account) {
            findings.fault(format!("account {account}"), format!("its balance is negative: {holds} cents"));
        }
        findings.count("accounts", 1);
    }
    for (account, right) in should.into_iter().filter(|(_, right)| *right != 0) {
        findings
            .fault(format!("account {account}"), format!("it is missing; the journal says {right} cents"));
    }
    if total != 0 {
        findings.fault(
            "the ledger",
            format!("all accounts sum to {total} cents instead of 0: money was created or lost"),
        );
    }
    Ok(())
}

/// Reports rows outside the journal that contradict it.
pub(super) async fn loose(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let loose = store.loose().await;
    for row in findings.readable("the ledger entries", loose)?.unwrap_or_default() {
        findings.fault(row.place, row.what);
    }
    Ok(())
}
