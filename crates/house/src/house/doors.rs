//! How people get in: passwords, one-time links, sessions; and when they are locked out.
//!
//! The passwords that are tried for one name are tested one after another, and none is tested once the account is locked: that many
//! are sent at the same moment wins nothing. What is answered for a name that nobody has is what is answered for one that somebody has.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use super::people::right;
use super::setting_up::needs;
use super::{Answer, House};
use crate::facts::HouseFact;
use crate::journal::SecretRow;
use crate::slots::Account;
use crate::{Actor, CommandId, Duty, HouseError, OneTimeLink, Session, secret};

/// Failures that lock an account.
const FAILURES: u32 = 3;
/// How long a session holds, in seconds.
const SESSION_SECONDS: u32 = 12 * 3_600;
/// How long a one-time link holds, in seconds.
const LINK_SECONDS: u32 = 24 * 3_600;
/// The longest name that is written down of somebody who does not exist.
const LONGEST_NAME: usize = 64;
/// Names of nobody whose failures are counted.
const STRANGERS: usize = 10_000;
/// Links whose request may come again.
const LINKS: usize = 256;

/// Log-ins under way and what is remembered of them.
#[derive(Default)]
pub(crate) struct LogIns {
    turns: Mutex<HashMap<String, Arc<Turn<()>>>>,
    /// Failures under names that nobody has. Not in the journal: they lock nothing.
    strangers: Mutex<HashMap<String, u32>>,
    /// Only the hash of a link is kept on the disk; a request that comes again soon is answered from here.
    links: Mutex<VecDeque<(CommandId, OneTimeLink)>>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LogIns {
    /// Waits for the turn of this name.
    pub(super) async fn turn(&self, name: &str) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = held(&self.turns);
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(turns.entry(name.to_owned()).or_default())
        };
        turn.lock_owned().await
    }

    fn failures_of_stranger(&self, name: &str) -> u32 {
        held(&self.strangers).get(name).copied().unwrap_or(0)
    }

    fn stranger_failed(&self, name: &str) -> u32 {
        let mut strangers = held(&self.strangers);
        if strangers.len() >= STRANGERS && !strangers.contains_key(name) {
            strangers.clear();
        }
        let failures = strangers.entry(name.to_owned()).or_default();
        *failures += 1;
        *failures
    }
}

/// Whom a session or a link lets in, as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    actor: Actor,
    /// Who made the link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// How often all sessions of this person had been ended when it was given.
    #[serde(default)]
    ended: u32,
}

impl House {
    /// Logs in with a password. Three failures lock the account.
    ///
    /// # Errors
    /// Wrong name or password, a locked account, somebody who is suspended.
    pub async fn log_in(&self, name: &str, password: &str) -> Answer<Session> {
        let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
        let _turn = self.inner.log_ins.turn(&name).await;
        let actor = self.prove(&name, password, true).await?;
        self.start_session(&actor).await
    }

    /// Tests a password once, and notes what came of it. Whoever calls this has the turn of the name.
    pub(super) async fn prove(&self, name: &str, password: &str, coming_in: bool) -> Answer<Actor> {
        self.catch_up().await?;
        let found = self.find(name);
        let locked = match &found {
            Some((_, account)) => account.locked,
            None => self.inner.log_ins.failures_of_stranger(name) >= FAILURES,
        };
        if locked {
            return Err(HouseError::Locked);
        }
        let tested = found.as_ref().and_then(|(_, account)| account.password.clone());
        let right = right(password, tested.as_deref()).await;
        let address = self.request.address.map(|address| address.to_string());
        let failed = || HouseFact::LogInFailed { name: name.to_owned(), address: address.clone() };
        let Some((actor, _)) = found else {
            self.note(&Actor::Public, |_| Ok(vec![failed()])).await?;
            let failures = self.inner.log_ins.stranger_failed(name);
            return Err(if failures >= FAILURES { HouseError::Locked } else { HouseError::WrongPassword });
        };
        // While the password was tested, another host may have locked the account or changed its password: judge by what is written.
        let judged = |account: &Account| {
            if account.locked {
                Err(HouseError::Locked)
            } else if account.password != tested {
                Err(HouseError::WrongPassword)
            } else {
                Ok(())
            }
        };
        if right {
            self.note(&actor, |register| {
                let account = register.account_of(name).ok_or(HouseError::WrongPassword)?;
                judged(account)?;
                if account.suspended {
                    return Err(HouseError::Suspended);
                }
                let fact = HouseFact::LoggedIn { name: name.to_owned(), address: address.clone() };
                Ok(if coming_in || account.failures > 0 { vec![fact] } else { Vec::new() })
            })
            .await?;
            return Ok(actor);
        }
        self.note(&Actor::Public, |register| {
            let account = register.account_of(name).ok_or(HouseError::WrongPassword)?;
            judged(account)?;
            let mut facts = vec![failed()];
            if account.failures + 1 >= FAILURES {
                facts.push(HouseFact::Locked { name: name.to_owned() });
            }
            Ok(facts)
        })
        .await?;
        let locked = self.find(name).is_some_and(|(_, account)| account.locked);
        Err(if locked { HouseError::Locked } else { HouseError::WrongPassword })
    }

    pub(super) fn find(&self, name: &str) -> Option<(Actor, Account)> {
        let register = self.inner.shown.get();
        if let Some((id, (duties, account))) = register.staff.iter().find(|(id, _)| id.as_str() == name) {
            return Some((Actor::staff(id.clone(), duties.iter().copied()), account.clone()));
        }
        let (id, account) = register.players.iter().find(|(id, _)| id.as_str() == name)?;
        Some((Actor::player(id.clone()), account.clone()))
    }

    /// The person as he is now, staff with the duties that he has now. Other hosts are asked before somebody is said not to exist.
    pub(super) async fn known(&self, whom: &Actor) -> Answer<(Actor, Account)> {
        let unknown = match whom {
            Actor::Player { id } => HouseError::UnknownPlayer(id.clone()),
            Actor::Staff { id, .. } => HouseError::UnknownStaff(id.clone()),
            Actor::House | Actor::Public => return Err(HouseError::NotLoggedIn),
        };
        let look = || {
            let register = self.inner.shown.get();
            match whom {
                Actor::Player { id } => {
                    register.players.get(id).map(|account| (whom.clone(), account.clone()))
                }
                Actor::Staff { id, .. } => register.staff.get(id).map(|(duties, account)| {
                    (Actor::staff(id.clone(), duties.iter().copied()), account.clone())
                }),
                Actor::House | Actor::Public => None,
            }
        };
        if let Some(found) = look() {
            return Ok(found);
        }
        self.catch_up().await?;
        look().ok_or(unknown)
    }

    /// A link that lets this person in once. For a player: asked by himself, the cage or a Shift Manager. For a dealer or the cage: by a
    /// Shift Manager. For the pit and the auditor: by the house itself, on the console where the casino is started; whoever verifies an award
    /// cannot let himself in as the one who confirms it.
    ///
    /// # Errors
    /// No such person, not his business.
    pub async fn one_time_link(&self, by: &Actor, whom: &Actor) -> Answer<OneTimeLink> {
        let (actor, account) = self.known(whom).await?;
        let own = whom.as_player().is_some() && (by == whom || by.may(Duty::Cage));
        if !own {
            needs(by, Duty::ShiftManager)?;
        }
        if *by != Actor::House && (actor.may(Duty::PitSupervisor) || actor.may(Duty::Auditor)) {
            let why = "links for the pit and the auditor are made at the console where the casino is started";
            return Err(HouseError::Apart(why));
        }
        if account.suspended {
            return Err(HouseError::Suspended);
        }
        let fact = HouseFact::LinkIssued { whom: actor.label(), by: by.label() };
        let note = self.note(by, |_| Ok(vec![fact.clone()]));
        if self.once(by, None, |made| *made == fact, note).await? {
            let links = held(&self.inner.log_ins.links);
            let before = links.iter().find(|(known, _)| Some(known) == self.request.id.as_ref());
            let gone = "this link was made and is not told again: ask for another under a new id";
            return before.map(|(_, link)| link.clone()).ok_or(HouseError::NotNow(gone));
        }
        let (secret, expires) = self.keep("link", &actor, Some(by), LINK_SECONDS).await?;
        let link = OneTimeLink { actor, secret, expires };
        if let Some(id) = &self.request.id {
            let mut links = held(&self.inner.log_ins.links);
            if links.len() >= LINKS {
                links.pop_front();
            }
            links.push_back((id.clone(), link.clone()));
        }
        Ok(link)
    }

    async fn keep(
        &self,
        kind: &str,
        actor: &Actor,
        by: Option<&Actor>,
        seconds: u32,
    ) -> Answer<(String, crate::Instant)> {
        let (_, account) = self.known(actor).await?;
        let secret = secret::token(24);
        let expires = self.now().plus_seconds(seconds);
        let kept = Kept { actor: actor.clone(), by: by.map(Actor::label), ended: account.ended };
        let row = SecretRow {
            hash: secret::digest(secret.as_bytes()),
            kind: kind.to_owned(),
            actor: serde_json::to_string(&kept).unwrap_or_default(),
            expires,
        };
        self.inner.store.put_secret(row).await?;
        Ok((secret, expires))
    }

    /// Lets in whoever brings the secret of a one-time link, once.
    ///
    /// # Errors
    /// Used, expired, ended or never given.
    pub async fn redeem(&self, secret: &str) -> Answer<Session> {
        let hash = secret::digest(secret.as_bytes());
        let row = self.inner.store.take_secret(&hash, "link", self.now()).await?;
        let row = row.filter(|row| row.expires > self.now()).ok_or(HouseError::LinkSpent)?;
        let kept: Kept = serde_json::from_str(&row.actor).map_err(|_| HouseError::LinkSpent)?;
        self.catch_up().await?;
        let (actor, account) = self.known(&kept.actor).await?;
        if account.ended != kept.ended || account.suspended {
            return Err(HouseError::LinkSpent);
        }
        let address = self.request.address.map(|address| address.to_string());
        let fact = HouseFact::LinkRedeemed { whom: actor.label(), by: kept.by, address };
        self.note(&actor, |_| Ok(vec![fact.clone()])).await?;
        self.start_session(&actor).await
    }

    /// A session for somebody who has just been created (one click to sit down).
    ///
    /// # Errors
    /// No such person.
    pub async fn start_session(&self, actor: &Actor) -> Answer<Session> {
        let (actor, _) = self.known(actor).await?;
        let (secret, expires) = self.keep("session", &actor, None, SESSION_SECONDS).await?;
        Ok(Session { actor, secret, expires })
    }

    /// Who this session's secret belongs to. Sessions survive a restart.
    ///
    /// # Errors
    /// None, or it has expired or was ended.
    pub async fn session(&self, secret: &str) -> Answer<Actor> {
        let hash = secret::digest(secret.as_bytes());
        let row =
            self.inner.store.secret(&hash, "session", self.now()).await?.ok_or(HouseError::NotLoggedIn)?;
        let kept: Kept = serde_json::from_str(&row.actor).map_err(|_| HouseError::NotLoggedIn)?;
        // Staff who were suspended on another host are out at once.
        if kept.actor.as_player().is_none() {
            self.catch_up().await?;
        }
        let (mut actor, mut account) = self.known(&kept.actor).await?;
        if account.locked {
            self.catch_up().await?;
            (actor, account) = self.known(&kept.actor).await?;
        }
        if account.locked {
            return Err(HouseError::Locked);
        }
        if account.ended == kept.ended && !account.suspended {
            Ok(actor)
        } else {
            Err(HouseError::NotLoggedIn)
        }
    }

    /// Ends a session.
    ///
    /// # Errors
    /// Only those of the database.
    pub async fn end_session(&self, secret: &str) -> Answer<()> {
        let hash = secret::digest(secret.as_bytes());
        self.inner.store.take_secret(&hash, "session", self.now()).await?;
        Ok(())
    }

    /// Unlocks an account. Shift Manager or above.
    ///
    /// # Errors
    /// No such account.
    pub async fn unlock(&self, by: &Actor, name: &str) -> Answer<()> {
        needs(by, Duty::ShiftManager)?;
        if self.find(name).is_none() {
            self.catch_up().await?;
            self.find(name).ok_or(HouseError::UnknownStaff(name.parse()?))?;
        }
        let fact = HouseFact::Unlocked { name: name.to_owned() };
        self.once(by, None, |made| *made == fact, self.note(by, |_| Ok(vec![fact.clone()]))).await.map(drop)
    }
}
