//! Rows beside the journal that belong to rounds: the lines of finished rounds, and decks. Each is looked up when its round can no longer
//! change; how many there are in all shows whether there are others.

use std::collections::BTreeMap;

use baize_house::replay::{Shuffled, promised_by};
use baize_house::{Answer, TableId};
use baize_journal::{DeckRow, RoundFilter, RoundRow, Store};
use serde::{Deserialize, Serialize};

use super::Findings;

/// A deck that was promised: of which table and round, by which hash, and whether the journal has told it.
struct Promised {
    table: String,
    round: u32,
    commitment: String,
    told: bool,
}

/// Numbers of rounds, as ranges of neighbours.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Numbers(Vec<(u32, u32)>);

impl Numbers {
    fn add(&mut self, number: u32) {
        if self.has(number) {
            return;
        }
        match self
            .0
            .iter_mut()
            .rev()
            .take(4)
            .find(|(first, last)| *last + 1 == number || number + 1 == *first)
        {
            Some((first, last)) => (*first, *last) = ((*first).min(number), (*last).max(number)),
            None => self.0.push((number, number)),
        }
    }

    fn has(&self, number: u32) -> bool {
        self.0.iter().rev().any(|(first, last)| (*first..=*last).contains(&number))
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|(first, last)| u64::from(last - first) + 1).sum()
    }
}

/// Rows that there should be.
#[derive(Default)]
pub(crate) struct Kept {
    /// To be looked up next.
    lines: Vec<RoundRow>,
    decks: Vec<Promised>,
    /// Those that were found so far, by table: lines and decks.
    pub(super) seen: BTreeMap<String, (Numbers, Numbers)>,
}

/// Rows to look up: those that there should be, and where they are.
pub(super) struct Due {
    lines: Vec<RoundRow>,
    decks: Vec<Promised>,
}

/// What was found.
pub(super) struct Found {
    due: Due,
    lines: Vec<Option<RoundRow>>,
    decks: Vec<Option<DeckRow>>,
}

impl Kept {
    /// The line of a round that can no longer change.
    pub(super) fn line(&mut self, line: Option<RoundRow>) {
        self.lines.extend(line);
    }

    /// The promise of a deck that can no longer change.
    pub(super) fn deck(&mut self, table: &TableId, (round, commitment, told): (u32, String, bool)) {
        self.decks.push(Promised { table: table.to_string(), round, commitment, told });
    }

    /// What is to be looked up now.
    pub(super) fn due(&mut self) -> Due {
        Due { lines: std::mem::take(&mut self.lines), decks: std::mem::take(&mut self.decks) }
    }
}

impl Due {
    /// Looks it up.
    pub(super) async fn look_up(self, store: &dyn Store) -> Result<Found, baize_journal::StoreError> {
        let lines = self.lines.iter().map(|line| (line.table.clone(), line.round)).collect();
        let decks = self.decks.iter().map(|deck| (deck.table.clone(), deck.round)).collect();
        let (lines, decks) = store.rows_of_rounds(lines, decks).await?;
        Ok(Found { due: self, lines, decks })
    }
}

/// The rows that were found are those that there should be.
pub(super) fn compare(found: Found, findings: &mut Findings) {
    for (right, line) in found.due.lines.into_iter().zip(found.lines) {
        let place = format!("the line of round {}/{}", right.table, right.round);
        if line.is_some() {
            findings.kept.seen.entry(right.table.clone()).or_default().0.add(right.round);
        }
        match line {
            None => findings.fault(place, "it is missing"),
            Some(line) if line != right => findings.fault(place, "it does not say what the journal says"),
            Some(_) => findings.count("round lines", 1),
        }
    }
    for (right, deck) in found.due.decks.into_iter().zip(found.decks) {
        let place = format!("the deck of round {}/{}", right.table, right.round);
        if deck.is_some() {
            findings.kept.seen.entry(right.table).or_default().1.add(right.round);
        }
        match deck {
            // The journal has it: there it was held against the promise.
            None if right.told => findings.count("decks told", 1),
            None => findings.fault(place, "it is missing"),
            // The journal tells the deck of a round that is over; one to come is its key's.
            Some(row) if row.sealed => {
                findings.count(if right.told { "decks told" } else { "decks to come, sealed" }, 1);
            }
            Some(row) => {
                let kept = Shuffled::from_row(&row);
                if !kept.is_some_and(|deck| promised_by(&right.commitment, &deck.salt, &deck.deck)) {
                    findings.fault(place, "it was altered: it is not the one that was promised");
                }
            }
        }
        findings.count("promises", 1);
    }
}

/// There are no other lines and decks. Of a table whose chain is broken nothing is known beyond the break.
pub(super) async fn others(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let seen = std::mem::take(&mut findings.kept.seen);
    let counts = store.rounds_kept().await;
    let Some(counts) = findings.readable("the lines of rounds", counts)? else { return Ok(()) };
    for (table, (lines, decks)) in counts {
        if findings.broken.contains(&table) {
            continue;
        }
        let right = seen.get(&table);
        if lines > right.map_or(0, |(lines, _)| lines.count()) {
            let filter =
                RoundFilter { table: Some(table.clone()), limit: Some(u32::MAX), ..RoundFilter::default() };
            let rows = store.rounds(filter).await;
            let rows = findings.readable("the lines of rounds", rows)?.unwrap_or_default();
            for row in rows.iter().filter(|row| !right.is_some_and(|(lines, _)| lines.has(row.round))) {
                let place = format!("the line of round {table}/{}", row.round);
                findings.fault(place, "the journal has no such round");
            }
        }
        // A deck that an earlier audit has seen may have been told since: then its row is gone.
        if decks != right.map_or(0, |(_, decks)| decks.count()) {
            let rows = store.decks(&table).await;
            let rows = findings.readable(&format!("the decks of {table}"), rows)?.unwrap_or_default();
            for row in rows.iter().filter(|row| !right.is_some_and(|(_, decks)| decks.has(row.round))) {
                findings.fault(format!("the deck of round {table}/{}", row.round), "it was never promised");
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_range() {
        let mut numbers = Numbers::default();
        for number in [3, 4, 6, 5, 9, 4] {
            numbers.add(number);
        }
        assert_eq!(numbers.count(), 5);
        assert!(numbers.has(5) && numbers.has(9) && !numbers.has(7));
        assert!(numbers.0.len() <= 3, "{:?}", numbers.0);
    }
}
