//! Checks requests and answers against the journal: nothing acknowledged is lost, nothing is done twice, nothing refused is done, nothing
//! unrequested is done, and answered requests precede later ones.

use std::collections::BTreeMap;

use baize_house::{Actor, CommandId};

use crate::act::{Act, Response};
use crate::database::Database;

/// How an attempt ended for the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It was carried out.
    Response(Response),
    /// It was refused, with this code: nothing has changed.
    Refused(&'static str),
    /// The house reported an unknown outcome.
    NotKnown,
    /// The process died, or the client disconnected.
    Gone,
}

/// One attempt to send a request.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    /// The sender.
    pub(crate) actor: Actor,
    /// The request.
    pub(crate) act: Act,
    /// Time sent, in the order of all client events.
    pub(crate) sent: u64,
    /// Time and result; `None` while it is pending.
    pub(crate) ended: Option<(u64, Ended)>,
}

impl Attempt {
    /// Whether it is the same request by the same person, whatever version the client showed.
    fn is_same_request(&self, other: &Attempt) -> bool {
        self.actor == other.actor && self.act.asks_the_same(&other.act)
    }
}

/// All requests.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    sent: BTreeMap<String, Vec<Attempt>>,
    time: u64,
}

impl Orders {
    fn time(&mut self) -> u64 {
        self.time += 1;
        self.time
    }

    /// Records a request being sent. Returns its index among the attempts with this id.
    pub(crate) fn sends(&mut self, id: &CommandId, actor: &Actor, act: &Act) -> usize {
        let sent = self.time();
        let attempts = self.sent.entry(id.to_string()).or_default();
        attempts.push(Attempt { actor: actor.clone(), act: act.clone(), sent, ended: None });
        attempts.len() - 1
    }

    /// Records the result of an attempt.
    pub(crate) fn ends(&mut self, id: &CommandId, at: usize, how: Ended) {
        let time = self.time();
        if let Some(attempt) = self.sent.get_mut(id.as_str()).and_then(|attempts| attempts.get_mut(at)) {
            attempt.ended = Some((time, how));
        }
    }

    /// Number of requests.
    #[must_use]
    pub(crate) fn count(&self) -> usize {
        self.sent.len()
    }

    /// Number of attempts by answer.
    #[must_use]
    pub(crate) fn answers(&self) -> BTreeMap<&'static str, u64> {
        let mut answers = BTreeMap::new();
        for (_, ended) in self.sent.values().flatten().filter_map(|attempt| attempt.ended.as_ref()) {
            let how = match ended {
                Ended::Response(_) => "done",
                Ended::Refused(code) => code,
                Ended::NotKnown => "not-known",
                Ended::Gone => "gone",
            };
            *answers.entry(how).or_default() += 1;
        }
        answers
    }

    /// All violations.
    #[must_use]
    pub(crate) fn wrong(&self, database: &Database) -> Vec<String> {
        let mut wrong: Vec<String> =
            self.sent.iter().filter_map(|(id, attempts)| judge(id, attempts, database).err()).collect();
        wrong.extend(self.out_of_order(database));
        wrong.extend(self.unrequested(database));
        wrong
    }

    /// A request answered before another was sent must have the lower number.
    fn out_of_order(&self, database: &Database) -> Option<String> {
        let mut began: Vec<(u64, u64, &str)> = Vec::new();
        let mut done: Vec<(u64, u64, &str)> = Vec::new();
        for (id, attempts) in &self.sent {
            let Some(entry) = database.by_command(id) else { continue };
            let first = attempts.iter().map(|attempt| attempt.sent).min();
            began.extend(first.map(|first| (first, entry.number, id.as_str())));
            let told = attempts.iter().filter_map(|attempt| match &attempt.ended {
                Some((time, Ended::Response(_))) => Some(*time),
                _ => None,
            });
            done.extend(told.min().map(|time| (time, entry.number, id.as_str())));
        }
        began.sort_unstable();
        done.sort_unstable();
        let (mut next, mut highest) = (done.into_iter().peekable(), (0, ""));
        for (time, number, id) in began {
            while let Some((_, earlier, by)) = next.next_if(|(told, ..)| *told < time) {
                highest = highest.max((earlier, by));
            }
            if highest.0 > number {
                return Some(format!(
                    "{id} was sent after {} was answered, but precedes it in the journal",
                    highest.1
                ));
            }
        }
        None
    }

    /// Every entry by a person at a table was requested.
    fn unrequested(&self, database: &Database) -> Option<String> {
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
                return Some(format!("{} by {} was not requested", entry.place(), entry.actor));
            }
        }
        None
    }
}

/// Whether an entry's body contains the digest of this order.
fn fits(act: &Act, body: &str) -> bool {
    let Act::Table(_, order, _) = act else { return true };
    let told = serde_json::to_string(order).unwrap_or_default();
    let digest = baize_journal::secret::digest(told.as_bytes());
    // The body of a round in progress is sealed.
    !body.starts_with('{') || body.contains(&digest)
}

fn judge(id: &str, attempts: &[Attempt], database: &Database) -> Result<(), String> {
    let entry = database.by_command(id);
    let mut first: Option<(&Attempt, &Response)> = None;
    for attempt in attempts {
        let Some((_, Ended::Response(told))) = &attempt.ended else { continue };
        let Some(entry) = entry else {
            return Err(format!("{id} was acknowledged but is not in the journal: {:?}", attempt.act));
        };
        if let Some((earlier, before)) = first {
            if !earlier.is_same_request(attempt) {
                return Err(format!(
                    "{id} was carried out for two requests: {:?} and {:?}",
                    earlier.act, attempt.act
                ));
            }
            if before != told {
                return Err(format!("{id} was answered {before:?} and then {told:?}"));
            }
        }
        first = Some((attempt, told));
        if attempt.actor.label() != entry.actor {
            return Err(format!("{id} by {} is in the journal as by {}", attempt.actor.label(), entry.actor));
        }
        let place = attempt.act.table().map(|table| format!("table/{table}"));
        let version = told.version.filter(|_| entry.stream.after("table/").is_some());
        if let (Act::Table(_, _, Some(seen)), Some(version)) = (&attempt.act, version)
            && !attempts.iter().any(|by| by.is_same_request(attempt) && by.act.is_for(version))
        {
            return Err(format!("{id} was for version {seen} of its table but became entry {version}"));
        }
        if let (Some(place), Some(version)) = (place, version)
            && (entry.stream.as_str() != place || entry.version != version)
        {
            return Err(format!("{id} was answered as {place} entry {version} but is {}", entry.place()));
        }
    }
    if let Some((done, at)) = first_done(attempts)
        && let Some(code) = attempts.iter().find_map(|later| refused_after(done, at, later))
    {
        return Err(format!("{id} was acknowledged and then refused, {code}: {:?}", done.act));
    }
    let refused = |attempt: &Attempt| matches!(attempt.ended, Some((_, Ended::Refused(_))));
    if entry.is_some() && attempts.iter().all(refused) {
        return Err(format!("{id} was refused but is in the journal: {:?}", attempts.first()));
    }
    let differs = |told: &Response| told.purse.is_some_and(|purse| purse.cents() < 0);
    match first {
        Some((attempt, told)) if differs(told) => Err(format!("{id} left a purse negative: {attempt:?}")),
        _ => Ok(()),
    }
}

/// The attempt acknowledged first, and when.
fn first_done(attempts: &[Attempt]) -> Option<(&Attempt, u64)> {
    let done = attempts.iter().filter_map(|attempt| match &attempt.ended {
        Some((time, Ended::Response(_))) => Some((attempt, *time)),
        _ => None,
    });
    done.min_by_key(|(_, time)| *time)
}

/// The refusal of the same request sent after it had been acknowledged: it must get the same answer. Exceptions: the sender may no longer
/// act, or the database is away.
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
