//! The rule of two persons.
//!
//! A large award and new parameters of a jackpot need a second person who is independent of the first. Two members of staff count as one if
//! either brought the other into the house, directly or through others, or if the same third person brought in both, directly or through
//! others, with accounts created within a day of each other. To bring a person in is to create their account, choose its password or make a
//! link to it. What the house itself does, at set-up or on its console, does not count.

use std::collections::{BTreeMap, BTreeSet};

use baize_jackpot::Person;

use super::{Answer, House};
use crate::facts::{Body, HouseFact};
use crate::journal::{EntryFilter, Stream};
use crate::stored;
use crate::{Actor, HouseError, Instant};

/// Accounts created within this time of each other count as created together, in milliseconds.
const TOGETHER: i64 = 24 * 60 * 60 * 1_000;
/// Journal entries per read.
const PAGE: u32 = 500;

/// Why two members of staff count as one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the fields say it")]
pub enum Tie {
    /// They are the same person.
    Same,
    /// One brought the other in.
    Brought { by: String, whom: String, directly: bool },
    /// A third person brought both in, within a day.
    Together { by: String },
}

impl Tie {
    /// A description.
    #[must_use]
    pub fn words(&self, one: &str, other: &str) -> String {
        match self {
            Tie::Same => format!("{one} cannot be the second person to {other}"),
            Tie::Brought { by, whom, directly: true } => {
                format!("{by} created or opened the account of {whom}")
            }
            Tie::Brought { by, whom, directly: false } => {
                format!("{by} created or opened the account of {whom} through others")
            }
            Tie::Together { by } => format!("{by} created the accounts of {one} and {other} within a day"),
        }
    }
}

/// Who brought whom into the house and since when, and when accounts were created.
#[derive(Debug, Clone, Default)]
pub struct Lineage {
    brought_by: BTreeMap<String, BTreeMap<String, Instant>>,
    made: BTreeMap<String, Instant>,
}

impl Lineage {
    /// Takes a fact of the house's chain into account; `actor` and `at` are those of its entry.
    pub fn note(&mut self, fact: &HouseFact, actor: &str, at: Instant) {
        if let HouseFact::StaffCreated { id, by, .. } = fact {
            self.made.insert(id.to_string(), at);
            for by in [Some(actor), by.as_deref()].into_iter().flatten() {
                self.add_sponsor(by, id.as_str(), at);
            }
        } else if let HouseFact::LinkIssued { whom, by } = fact
            && let Some(name) = whom.strip_prefix("staff:")
        {
            self.add_sponsor(by, name, at);
        }
    }

    /// Records that `by`, if it is a member of staff, brought `whom` in.
    fn add_sponsor(&mut self, by: &str, whom: &str, at: Instant) {
        if let Some(by) = by.strip_prefix("staff:") {
            let known = self.brought_by.entry(whom.to_owned()).or_default();
            known.entry(by.to_owned()).or_insert(at);
        }
    }

    /// The lineage as of a time.
    #[must_use]
    pub fn until(&self, at: Instant) -> Lineage {
        let mut then = self.clone();
        then.brought_by.values_mut().for_each(|known| known.retain(|_, since| *since <= at));
        then
    }

    /// Everyone who brought a person in, directly or through others.
    fn sponsors(&self, whom: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![whom];
        while let Some(name) = waiting.pop() {
            for by in self.brought_by.get(name).into_iter().flat_map(BTreeMap::keys) {
                if found.insert(by.as_str()) {
                    waiting.push(by);
                }
            }
        }
        found
    }

    /// Why two people count as one, if they do.
    #[must_use]
    pub fn tie(&self, one: &str, other: &str) -> Option<Tie> {
        if one == other {
            return Some(Tie::Same);
        }
        let (before_one, before_other) = (self.sponsors(one), self.sponsors(other));
        for (by, whom, known) in [(one, other, &before_other), (other, one, &before_one)] {
            if known.contains(by) {
                let directly = self.brought_by.get(whom).is_some_and(|names| names.contains_key(by));
                return Some(Tie::Brought { by: by.to_owned(), whom: whom.to_owned(), directly });
            }
        }
        let (made_one, made_other) = (self.made.get(one)?, self.made.get(other)?);
        if (made_one.0 - made_other.0).abs() > TOGETHER {
            return None;
        }
        let third = before_one.intersection(&before_other).next()?;
        Some(Tie::Together { by: (*third).to_owned() })
    }
}

impl House {
    /// Checks that the actor is independent of the first person. The house itself needs no second person.
    pub(super) async fn check_two_persons(&self, by: &Actor, first: &Person, what: &str) -> Answer<()> {
        let Actor::Staff { id, .. } = by else { return Ok(()) };
        match self.lineage().await?.tie(id.as_str(), &first.name) {
            // The jackpot itself refuses the same person, with the paragraph.
            None | Some(Tie::Same) => Ok(()),
            Some(tie) => {
                let words = tie.words(id.as_str(), &first.name);
                Err(HouseError::NotTwoPersons(format!("{words}: another person {what}")))
            }
        }
    }

    /// The lineage, read from the journal each time because it is rarely needed. Accounts of older programs are included.
    async fn lineage(&self) -> Answer<Lineage> {
        self.catch_up().await?;
        let mut lineage = Lineage::default();
        for (id, (_, account)) in &self.inner.shown.get().staff {
            for by in &account.let_in_by {
                lineage.add_sponsor(by, id.as_str(), Instant(0));
            }
        }
        let mut after = 0;
        loop {
            let filter = EntryFilter {
                stream: Some(Stream::house()),
                kinds: vec!["staff-created".to_owned()],
                after: Some(after),
                limit: PAGE,
                ..EntryFilter::default()
            };
            let entries = self.inner.store.entries(filter).await?;
            for entry in &entries {
                let Body::House(facts) = stored::read(&entry.body, &entry.place())? else { continue };
                for fact in &facts {
                    lineage.note(fact, &entry.actor, entry.at);
                }
            }
            match entries.last() {
                Some(last) if entries.len() == PAGE as usize => after = last.number,
                _ => return Ok(lineage),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether `from` brought in `to`, directly or through others, by exhaustive search.
    fn leads(edges: &[(usize, usize)], from: usize, to: usize, left: usize) -> bool {
        left > 0
            && edges
                .iter()
                .any(|(by, whom)| *by == from && (*whom == to || leads(edges, *whom, to, left - 1)))
    }

    proptest! {
        /// Compares with a brute-force implementation of the rule, for six people.
        #[test]
        fn ties_agree_with_the_brute_force_rule(
            edges in proptest::collection::vec((0_usize..6, 0_usize..6), 0..9),
            days in proptest::collection::vec(0_i64..4, 6),
        ) {
            let name = |number: usize| format!("p{number}");
            let mut lineage = Lineage::default();
            for (number, day) in days.iter().enumerate() {
                // Half a day more for every second person: "within a day" is not "on the same day".
                let half = i64::try_from(number % 2).unwrap() * TOGETHER / 2;
                lineage.made.insert(name(number), Instant(day * TOGETHER + half));
            }
            for (by, whom) in &edges {
                lineage.add_sponsor(&format!("staff:{}", name(*by)), &name(*whom), Instant(0));
            }
            for one in 0..6 {
                for other in 0..6 {
                    let way = |from: usize, to: usize| leads(&edges, from, to, 6);
                    let near = (lineage.made[&name(one)].0 - lineage.made[&name(other)].0).abs() <= TOGETHER;
                    let tied = one == other
                        || way(one, other)
                        || way(other, one)
                        || near && (0..6).any(|third| way(third, one) && way(third, other));
                    let found = lineage.tie(&name(one), &name(other));
                    prop_assert_eq!(found.is_some(), tied, "{} {} {:?}", one, other, found);
                    let back = lineage.tie(&name(other), &name(one));
                    prop_assert_eq!(back.is_some(), tied, "ties are symmetric");
                }
            }
        }
    }

    #[test]
    fn the_description_says_who_and_how() {
        let mut lineage = Lineage::default();
        for (name, hour) in [("sue", 0), ("mia", 1), ("ben", 30), ("cho", 40), ("eve", 41)] {
            lineage.made.insert(name.to_owned(), Instant(hour * 3_600_000));
        }
        lineage.add_sponsor("staff:sue", "ben", Instant(0));
        lineage.add_sponsor("staff:ben", "cho", Instant(0));
        lineage.add_sponsor("staff:sue", "eve", Instant(0));
        let words = |one: &str, other: &str| lineage.tie(one, other).map(|tie| tie.words(one, other));
        assert_eq!(words("sue", "mia"), None, "the house made both");
        assert_eq!(words("ben", "sue").unwrap(), "sue created or opened the account of ben");
        assert_eq!(words("sue", "cho").unwrap(), "sue created or opened the account of cho through others");
        assert_eq!(words("cho", "eve").unwrap(), "sue created the accounts of cho and eve within a day");
        assert!(words("sue", "sue").is_some());
    }
}
