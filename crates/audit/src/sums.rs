//! What only the whole shows: seals, links, round lines, accounts.

use baize_rules::Money;

use super::{Findings, SealedHead};
use baize_house::Answer;
use baize_house::ledger;
use baize_journal::{Entry, RoundFilter, Store, Stream};

/// Adds what an entry moves to what the accounts should hold.
pub(super) fn add(entry: &Entry, findings: &mut Findings) {
    for posting in &entry.postings {
        *findings.accounts.entry(posting.account.clone()).or_default() += posting.cents;
    }
}

/// What left a jackpot that was closed came to the other one.
pub(super) fn pools(findings: &mut Findings) {
    for ((from, into), (left, came)) in std::mem::take(&mut findings.moved) {
        findings.count("jackpots that were closed", 1);
        if left != came {
            let what = format!("pools of {left} left it for jackpot {into}, and {came} came there");
            findings.fault(format!("jackpot {from}"), what);
        }
    }
}

/// Every sealed entry is there, as it was when it was sealed.
pub(super) fn seals(streams: &[Stream], findings: &mut Findings) {
    let mut faults = Vec::new();
    for SealedHead { stream, version, hash, place, number } in &findings.seals {
        if !streams.contains(stream) {
            faults.push((stream.to_string(), format!("the whole chain is missing; {place} sealed it")));
            continue;
        }
        let at = format!("{stream} entry {version}");
        match findings.hashes.get(&(stream.clone(), *version)) {
            Some((found, _)) if found != hash => {
                faults.push((at, format!("it is not the one that {place} sealed")))
            }
            Some((_, own)) if own >= number => faults.push((
                at,
                format!(
                    "its number is {own}, and {place}, which sealed it, has {number}: numbers were altered"
                ),
            )),
            Some(_) => {}
            None => faults.push((at, format!("it is missing; {place} sealed it"))),
        }
    }
    faults.dedup();
    // The first seal that is broken tells it; later ones would only repeat it.
    let mut told: Vec<String> = Vec::new();
    for (place, what) in faults {
        let chain = place.split(' ').next().unwrap_or_default().to_owned();
        if !told.contains(&chain) {
            told.push(chain);
            findings.fault(place, what);
        }
    }
}

/// Every table's entry that closed with jackpot wagers is answered by its jackpot.
pub(super) fn links(findings: &mut Findings) {
    let mut missing: Vec<String> =
        findings.entries.values().filter(|entry| !entry.answered).map(|entry| entry.place.clone()).collect();
    missing.sort();
    for place in missing {
        findings.fault(place, "its jackpot wagers were not counted by the jackpot");
    }
    let linked = findings.entries.len();
    findings.count("table entries", u64::try_from(linked).unwrap_or(0));
}

/// The lines of finished rounds say what the journal says.
pub(super) async fn rounds(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let rows = store.rounds(RoundFilter { limit: Some(u32::MAX), ..RoundFilter::default() }).await;
    let Some(rows) = findings.readable("the lines of rounds", rows)? else { return Ok(()) };
    let mut should = std::mem::take(&mut findings.rounds);
    for row in rows {
        let place = format!("the line of round {}/{}", row.table, row.round);
        match should.remove(&(row.table.clone(), row.round)) {
            None if findings.broken.contains(&row.table) => {}
            None => findings.fault(place, "the journal has no such round"),
            Some(right) if right != row => findings.fault(place, "it does not say what the journal says"),
            Some(_) => findings.count("round lines", 1),
        }
    }
    for (table, round) in should.into_keys() {
        findings.fault(format!("the line of round {table}/{round}"), "it is missing");
    }
    Ok(())
}

/// Every account holds what went through it; nothing was made or lost.
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
            findings
                .fault(format!("account {account}"), format!("it holds {holds} cents: less than nothing"));
        }
        findings.count("accounts", 1);
    }
    for (account, right) in should.into_iter().filter(|(_, right)| *right != 0) {
        findings
            .fault(format!("account {account}"), format!("it is missing; the journal says {right} cents"));
    }
    if total != 0 {
        findings
            .fault("the ledger", format!("all accounts together hold {total} cents: money was made or lost"));
    }
    Ok(())
}

/// Every ledger entry belongs to an entry of the journal, and what is written down of the chains is so.
pub(super) async fn loose(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let loose = store.loose().await;
    for row in findings.readable("the ledger entries", loose)?.unwrap_or_default() {
        findings.fault(row.place, row.what);
    }
    Ok(())
}
