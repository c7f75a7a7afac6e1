//! What clients sent and were answered, held against the journal: nothing acknowledged is lost, nothing is done twice, nothing that was
//! refused is done, nothing is done that nobody asked for, and what was answered first comes first.

use std::collections::BTreeMap;

use baize_house::{Actor, CommandId};

use crate::act::{Act, Told};
use crate::database::Database;

/// How an attempt ended for its client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It was carried out.
    Told(Told),
    /// It was refused, with this code: nothing has changed.
    Refused(&'static str),
    /// The house says that it does not know.
    NotKnown,
    /// The process died, or the client went away.
    Gone,
}

/// One time that a request was sent.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    /// Who.
    pub(crate) actor: Actor,
    /// What.
    pub(crate) act: Act,
    /// When, in the order of everything that clients saw.
    pub(crate) sent: u64,
    /// When and how it ended; nothing: it is under way.
    pub(crate) ended: Option<(u64, Ended)>,
}

impl Attempt {
    /// The same person asked for the same. An order that was carried out is answered so again, whatever version the client shows by then.
    fn asked_like(&self, other: &Attempt) -> bool {
        self.actor == other.actor && self.act.asks_the_same(&other.act)
    }
}

/// All requests.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    sent: BTreeMap<String, Vec<Attempt>>,
    moment: u64,
}

impl Orders {
    fn moment(&mut self) -> u64 {
        self.moment += 1;
        self.moment
    }

    /// A request is sent. Gives its place among those of its id.
    pub(crate) fn sends(&mut self, id: &CommandId, actor: &Actor, act: &Act) -> usize {
        let sent = self.moment();
        let attempts = self.sent.entry(id.to_string()).or_default();
        attempts.push(Attempt { actor: actor.clone(), act: act.clone(), sent, ended: None });
        attempts.len() - 1
    }

    /// It was answered, or never will be.
    pub(crate) fn ends(&mut self, id: &CommandId, at: usize, how: Ended) {
        let moment = self.moment();
        if let Some(attempt) = self.sent.get_mut(id.as_str()).and_then(|attempts| attempts.get_mut(at)) {
            attempt.ended = Some((moment, how));
        }
    }

    /// How many requests there were.
    #[must_use]
    pub(crate) fn count(&self) -> usize {
        self.sent.len()
    }

    /// How requests were answered.
    #[must_use]
    pub(crate) fn answers(&self) -> BTreeMap<&'static str, u64> {
        let mut answers = BTreeMap::new();
        for (_, ended) in self.sent.values().flatten().filter_map(|attempt| attempt.ended.as_ref()) {
            let how = match ended {
                Ended::Told(_) => "done",
                Ended::Refused(code) => code,
                Ended::NotKnown => "not-known",
                Ended::Gone => "gone",
            };
            *answers.entry(how).or_default() += 1;
        }
        answers
    }

    /// What is wrong.
    #[must_use]
    pub(crate) fn wrong(&self, database: &Database) -> Vec<String> {
        let mut wrong: Vec<String> =
            self.sent.iter().filter_map(|(id, attempts)| judge(id, attempts, database).err()).collect();
        wrong.extend(self.out_of_order(database));
        wrong.extend(self.unasked(database));
        wrong
    }

    /// What was answered before something else was sent has the lower number.
    fn out_of_order(&self, database: &Database) -> Option<String> {
        let mut began: Vec<(u64, u64, &str)> = Vec::new();
        let mut done: Vec<(u64, u64, &str)> = Vec::new();
        for (id, attempts) in &self.sent {
            let Some(entry) = database.by_command(id) else { continue };
            let first = attempts.iter().map(|attempt| attempt.sent).min();
            began.extend(first.map(|first| (first, entry.number, id.as_str())));
            let told = attempts.iter().filter_map(|attempt| match &attempt.ended {
                Some((moment, Ended::Told(_))) => Some(*moment),
                _ => None,
            });
            done.extend(told.min().map(|moment| (moment, entry.number, id.as_str())));
        }
        began.sort_unstable();
        done.sort_unstable();
        let (mut next, mut highest) = (done.into_iter().peekable(), (0, ""));
        for (moment, number, id) in began {
            while let Some((_, earlier, by)) = next.next_if(|(told, ..)| *told < moment) {
                highest = highest.max((earlier, by));
            }
            if highest.0 > number {
                return Some(format!(
                    "{id} was sent after {} was answered, and is before it in the journal",
                    highest.1
                ));
            }
        }
        None
    }

    /// What people did at tables is what they asked for.
    fn unasked(&self, database: &Database) -> Option<String> {
        let by_people = database.entries.iter().filter(|entry| {
            let person = entry.actor.starts_with("player:") || entry.actor.starts_with("staff:");
            person && entry.stream.after("table/").is_some()
        });
        for entry in by_people {
            let attempts = entry.command.as_ref().and_then(|command| self.sent.get(command));
            let asked = attempts.is_some_and(|attempts| {
                attempts
                    .iter()
                    .any(|attempt| attempt.actor.label() == entry.actor && fits(&attempt.act, &entry.body))
            });
            if !asked {
                return Some(format!("{} by {}: nobody asked for it", entry.place(), entry.actor));
            }
        }
        None
    }
}

/// Whether an entry's body is the answer to this order: it keeps a digest of it.
fn fits(act: &Act, body: &str) -> bool {
    let Act::Table(_, order, _) = act else { return true };
    let told = serde_json::to_string(order).unwrap_or_default();
    let digest = baize_journal::secret::digest(told.as_bytes());
    // The body of a round under way is sealed.
    !body.starts_with('{') || body.contains(&digest)
}

fn judge(id: &str, attempts: &[Attempt], database: &Database) -> Result<(), String> {
    let entry = database.by_command(id);
    let mut first: Option<(&Attempt, &Told)> = None;
    for attempt in attempts {
        let Some((_, Ended::Told(told))) = &attempt.ended else { continue };
        let Some(entry) = entry else {
            return Err(format!("{id} was acknowledged and is not in the journal: {:?}", attempt.act));
        };
        if let Some((earlier, before)) = first {
            if !earlier.asked_like(attempt) {
                return Err(format!("{id} was carried out for two: {:?} and {:?}", earlier.act, attempt.act));
            }
            if before != told {
                return Err(format!("{id} was answered {before:?} and then {told:?}"));
            }
        }
        first = Some((attempt, told));
        if attempt.actor.label() != entry.actor {
            return Err(format!("{id} of {} is in the journal as of {}", attempt.actor.label(), entry.actor));
        }
        let place = attempt.act.table().map(|table| format!("table/{table}"));
        let version = told.version.filter(|_| entry.stream.after("table/").is_some());
        if let (Act::Table(_, _, Some(seen)), Some(version)) = (&attempt.act, version)
            && !attempts.iter().any(|by| by.asked_like(attempt) && by.act.is_for(version))
        {
            return Err(format!("{id} was for version {seen} of its table and became entry {version}"));
        }
        if let (Some(place), Some(version)) = (place, version)
            && (entry.stream.as_str() != place || entry.version != version)
        {
            return Err(format!("{id} was answered as {place} entry {version} and is {}", entry.place()));
        }
    }
    if let Some((done, at)) = first_done(attempts)
        && let Some(code) = attempts.iter().find_map(|later| refused_after(done, at, later))
    {
        return Err(format!("{id} was acknowledged and then refused, {code}: {:?}", done.act));
    }
    let refused = |attempt: &Attempt| matches!(attempt.ended, Some((_, Ended::Refused(_))));
    if entry.is_some() && attempts.iter().all(refused) {
        return Err(format!("{id} was refused and is in the journal: {:?}", attempts.first()));
    }
    let differs = |told: &Told| told.purse.is_some_and(|purse| purse.cents() < 0);
    match first {
        Some((attempt, told)) if differs(told) => {
            Err(format!("{id} left a purse below nothing: {attempt:?}"))
        }
        _ => Ok(()),
    }
}

/// The attempt that was acknowledged first, and when.
fn first_done(attempts: &[Attempt]) -> Option<(&Attempt, u64)> {
    let done = attempts.iter().filter_map(|attempt| match &attempt.ended {
        Some((moment, Ended::Told(_))) => Some((attempt, *moment)),
        _ => None,
    });
    done.min_by_key(|(_, moment)| *moment)
}

/// What the same request was refused with that was sent after it had been acknowledged: it must be answered as the first time. Somebody who
/// may not act any more is told so first, and a database that is away answers nobody.
fn refused_after(done: &Attempt, at: u64, later: &Attempt) -> Option<&'static str> {
    let same = later.sent > at && later.act == done.act && later.actor == done.actor;
    match &later.ended {
        Some((_, Ended::Refused(code))) if same => {
            let may_be = ["unavailable", "conflict", "not-logged-in", "forbidden", "suspended"];
            (!may_be.contains(code)).then_some(*code)
        }
        _ => None,
    }
}
