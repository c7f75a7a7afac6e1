//! Audit of rows outside the journal that belong to rounds: summaries and decks. Each is looked up once its round can no longer change; the
//! total number of rows shows whether there are others.

use std::collections::BTreeMap;

use baize_house::replay::{Shuffled, promised_by};
use baize_house::{Answer, TableId};
use baize_journal::{DeckRow, RoundFilter, RoundRow, Store};
use serde::{Deserialize, Serialize};

use super::Findings;

/// A promised deck: table, round, hash, and whether the journal has revealed it.
struct Promised {
    table: String,
    round: u32,
    commitment: String,
    told: bool,
}

/// A set of round numbers, as ranges.
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

/// Expected rows.
#[derive(Default)]
pub(crate) struct ExpectedRows {
    /// To look up next.
    lines: Vec<RoundRow>,
    decks: Vec<Promised>,
    /// Rows found so far, by table: summaries and decks.
    pub(super) seen: BTreeMap<String, (Numbers, Numbers)>,
}

/// Expected rows to look up.
pub(super) struct DueRows {
    lines: Vec<RoundRow>,
    decks: Vec<Promised>,
}

/// Expected rows and the rows found.
pub(super) struct FoundRows {
    due: DueRows,
    lines: Vec<Option<RoundRow>>,
    decks: Vec<Option<DeckRow>>,
}

impl ExpectedRows {
    /// Adds the summary of a round that can no longer change.
    pub(super) fn line(&mut self, line: Option<RoundRow>) {
        self.lines.extend(line);
    }

    /// Adds the promise of a deck that can no longer change.
    pub(super) fn deck(&mut self, table: &TableId, (round, commitment, told): (u32, String, bool)) {
        self.decks.push(Promised { table: table.to_string(), round, commitment, told });
    }

    /// Takes the rows to look up now.
    pub(super) fn due(&mut self) -> DueRows {
        DueRows { lines: std::mem::take(&mut self.lines), decks: std::mem::take(&mut self.decks) }
    }
}

impl DueRows {
    /// Looks the rows up.
    pub(super) async fn look_up(self, store: &dyn Store) -> Result<FoundRows, baize_journal::StoreError> {
        let lines = self.lines.iter().map(|line| (line.table.clone(), line.round)).collect();
        let decks = self.decks.iter().map(|deck| (deck.table.clone(), deck.round)).collect();
        let (lines, decks) = store.rows_of_rounds(lines, decks).await?;
        Ok(FoundRows { due: self, lines, decks })
    }
}

/// Compares the rows found with those expected.
pub(super) fn compare(found: FoundRows, findings: &mut Findings) {
    for (right, line) in found.due.lines.into_iter().zip(found.lines) {
        let place = format!("the summary of round {}/{}", right.table, right.round);
        if line.is_some() {
            findings.kept.seen.entry(right.table.clone()).or_default().0.add(right.round);
        }
        match line {
            None => findings.fault(place, "it is missing"),
            Some(line) if line != right => findings.fault(place, "it contradicts the journal"),
            Some(_) => findings.count("round summaries", 1),
        }
    }
    for (right, deck) in found.due.decks.into_iter().zip(found.decks) {
        let place = format!("the deck of round {}/{}", right.table, right.round);
        if deck.is_some() {
            findings.kept.seen.entry(right.table).or_default().1.add(right.round);
        }
        match deck {
            // The deck is in the journal, and was compared with the promise there.
            None if right.told => findings.count("decks revealed", 1),
            None => findings.fault(place, "it is missing"),
            // The journal reveals the deck of a finished round; a future one is sealed.
            Some(row) if row.sealed => {
                findings.count(if right.told { "decks revealed" } else { "future decks, sealed" }, 1);
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

/// Checks that there are no other summaries and decks. Nothing is known of a table beyond a break in its chain.
pub(super) async fn others(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let seen = std::mem::take(&mut findings.kept.seen);
    let counts = store.rounds_kept().await;
    let Some(counts) = findings.readable("the round summaries", counts)? else { return Ok(()) };
    for (table, (lines, decks)) in counts {
        if findings.broken.contains(&table) {
            continue;
        }
        let right = seen.get(&table);
        if lines > right.map_or(0, |(lines, _)| lines.count()) {
            let filter =
                RoundFilter { table: Some(table.clone()), limit: Some(u32::MAX), ..RoundFilter::default() };
            let rows = store.rounds(filter).await;
            let rows = findings.readable("the round summaries", rows)?.unwrap_or_default();
            for row in rows.iter().filter(|row| !right.is_some_and(|(lines, _)| lines.has(row.round))) {
                let place = format!("the summary of round {table}/{}", row.round);
                findings.fault(place, "the journal has no such round");
            }
        }
        // The row of a deck that an earlier audit saw is gone if the deck was revealed since.
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
