//! Log-ins by password, one-time links, sessions.
//!
//! The passwords that are tried for one name are tested one after another, and none is tested while the name waits: that many are sent
//! at the same moment wins nothing. An unknown name gets the same answer as a known one.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use super::create::needs;
use super::login_delays::{Delays, of_name};
use super::people::right;
use super::{Answer, House};
use crate::facts::HouseFact;
use crate::journal::SecretRow;
use crate::register::Account;
use crate::{Actor, CommandId, Duty, HouseError, IdleLimits, Instant, OneTimeLink, Session, secret};

/// How long a session holds at the longest, in seconds.
const SESSION_SECONDS: u32 = 12 * 3_600;
/// How long a one-time link holds, in minutes, where nothing else is said.
pub const LINK_MINUTES: u32 = 15;
/// The longest name that is looked at.
const LONGEST_NAME: usize = 64;
/// Links whose request may come again.
const LINKS: usize = 256;

/// Log-ins under way and what is remembered of them.
pub(crate) struct LogIns {
    turns: Mutex<HashMap<String, Arc<Turn<()>>>>,
    /// Failures that the journal does not count: under names that nobody has, from addresses. They touch no account.
    delays: Delays,
    /// Wrong passwords of people who are in and want to change theirs.
    own: Delays,
    /// Only the hash of a link is kept on the disk; a request that comes again soon is answered from here.
    links: Mutex<VecDeque<(CommandId, OneTimeLink)>>,
    /// Disguises names that nobody has. It goes with the process: what was typed cannot be guessed from the journal.
    key: [u8; 32],
}

impl Default for LogIns {
    fn default() -> LogIns {
        let mut key = [0; 32];
        secret::fill(&mut key);
        LogIns {
            turns: Mutex::default(),
            delays: Delays::default(),
            own: Delays::default(),
            links: Mutex::default(),
            key,
        }
    }
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

    /// A name that nobody has, as it is written down: the same as long as this process runs, and no clue to what was typed.
    fn disguised(&self, name: &str) -> String {
        let mut digest = secret::digest(&[&self.key[..], name.as_bytes()].concat());
        digest.truncate(16);
        format!("#{digest}")
    }
}

/// A wrong password, and from when on another one is tried.
fn refused(waits: Option<u32>) -> HouseError {
    waits.map_or(HouseError::WrongPassword, |wait_seconds| HouseError::Locked { wait_seconds })
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
    /// When a session ends however much it is used. One of an older program ends when its row does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Instant>,
}

impl Kept {
    fn of(row: &SecretRow) -> Option<Kept> {
        serde_json::from_str(&row.actor).ok()
    }
}

impl House {
    /// Logs in with a password. After the third failure under a name, and after each further one, log-ins by password under it wait,
    /// longer from time to time; so do those from an address that many failures come from. Nothing else waits: sessions go on, links let in.
    ///
    /// # Errors
    /// Wrong name or password, too many failures, a suspended account.
    pub async fn log_in(&self, name: &str, password: &str) -> Answer<Session> {
        let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
        let _turn = self.inner.log_ins.turn(&name).await;
        let actor = self.prove(&name, password).await?;
        self.start_session(&actor).await
    }

    fn address(&self) -> Option<String> {
        self.request.address.map(|address| address.to_string())
    }

    /// Tests a password once, and records the result. The caller holds the lock of the name.
    async fn prove(&self, name: &str, password: &str) -> Answer<Actor> {
        self.catch_up().await?;
        let (now, address, log_ins) = (self.now(), self.address(), &self.inner.log_ins);
        let found = self.find(name);
        let waits = match &found {
            Some((_, account)) => account.waits(now).max(log_ins.delays.name_waits(name, now)),
            None => log_ins.delays.name_waits(name, now),
        };
        let address_waits = address.as_ref().and_then(|from| log_ins.delays.address_waits(from, now));
        if let Some(wait_seconds) = waits.max(address_waits) {
            return Err(HouseError::Locked { wait_seconds });
        }
        let tested = found.as_ref().and_then(|(_, account)| account.password.clone());
        let right = right(password, tested.as_deref()).await;
        if let (false, Some(from)) = (right, &address) {
            log_ins.delays.address_failed(from, now);
        }
        let Some((actor, account)) = found else {
            let failed = HouseFact::LogInFailed { name: log_ins.disguised(name), address };
            self.note(&Actor::Public, |_| Ok(vec![failed.clone()])).await?;
            log_ins.delays.name_failed(name, now);
            return Err(refused(log_ins.delays.name_waits(name, now)));
        };
        // While the password was tested, another host may have noted failures or changed it: judge by what is written.
        let judged = |account: &Account| match account.waits(now) {
            Some(wait_seconds) => Err(HouseError::Locked { wait_seconds }),
            None if account.password != tested => Err(HouseError::WrongPassword),
            None => Ok(()),
        };
        if right {
            let noted = self.note(&actor, |register| {
                let account = register.account_of(name).ok_or(HouseError::WrongPassword)?;
                judged(account)?;
                if account.suspended {
                    return Err(HouseError::Suspended);
                }
                Ok(vec![HouseFact::LoggedIn { name: name.to_owned(), address: address.clone() }])
            });
            match noted.await {
                // Nothing is recorded while the database is behind, and the person who decides about that must be able to log in.
                Err(HouseError::Behind(_)) if actor.may(Duty::ShiftManager) && !account.suspended => {
                    judged(&account)?;
                }
                noted => noted?,
            }
            return Ok(actor);
        }
        let noted = self.note(&Actor::Public, |register| {
            let account = register.account_of(name).ok_or(HouseError::WrongPassword)?;
            judged(account)?;
            let mut facts = vec![HouseFact::LogInFailed { name: name.to_owned(), address: address.clone() }];
            if let Some(seconds) = of_name(account.failures + 1) {
                let until = Some(now.plus_seconds(seconds));
                facts.push(HouseFact::Locked { name: name.to_owned(), until });
            }
            Ok(facts)
        });
        match noted.await {
            Err(HouseError::Behind(_)) => {
                log_ins.delays.name_failed(name, now);
                return Err(refused(log_ins.delays.name_waits(name, now)));
            }
            noted => noted?,
        }
        Err(refused(self.find(name).and_then(|(_, account)| account.waits(now))))
    }

    /// Somebody who is in brings the own password again. What others fail at from outside does not keep them from it, and what they fail
    /// at does not lock the name.
    pub(super) async fn prove_own(&self, name: &str, password: &str, stored: &str) -> Answer<()> {
        let (now, own) = (self.now(), &self.inner.log_ins.own);
        if let Some(wait_seconds) = own.name_waits(name, now) {
            return Err(HouseError::Locked { wait_seconds });
        }
        if right(password, Some(stored)).await {
            own.forgive_name(name);
            return Ok(());
        }
        own.name_failed(name, now);
        let failed = HouseFact::LogInFailed { name: name.to_owned(), address: self.address() };
        self.note(&Actor::Public, |_| Ok(vec![failed.clone()])).await?;
        Err(refused(own.name_waits(name, now)))
    }

    pub(super) fn find(&self, name: &str) -> Option<(Actor, Account)> {
        let register = self.inner.shown.get();
        if let Some((id, (duties, account))) = register.staff.iter().find(|(id, _)| id.as_str() == name) {
            return Some((Actor::staff(id.clone(), duties.iter().copied()), account.clone()));
        }
        let (id, account) = register.players.iter().find(|(id, _)| id.as_str() == name)?;
        Some((Actor::player(id.clone()), account.clone()))
    }

    /// The person as they are now, staff with the duties that they have now. Other hosts are asked before a name is answered as unknown.
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

    /// A link that lets this person in once. For a player: asked by themselves, the cage or a Shift Manager. For a dealer or the cage: by a
    /// Shift Manager. For the pit and the auditor: by the house itself, on the console where the casino is started; a person who verifies an award
    /// cannot let themselves in as the one who confirms it.
    ///
    /// # Errors
    /// No such person, not their business.
    pub async fn one_time_link(&self, by: &Actor, whom: &Actor) -> Answer<OneTimeLink> {
        self.link_for(by, whom, LINK_MINUTES).await
    }

    /// As [`House::one_time_link`], valid for this many minutes.
    ///
    /// # Errors
    /// As [`House::one_time_link`].
    pub async fn link_for(&self, by: &Actor, whom: &Actor, minutes: u32) -> Answer<OneTimeLink> {
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
        let expires = self.now().plus_seconds(minutes.saturating_mul(60));
        let secret = self.keep("link", &actor, Some(by), expires, None).await?;
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
        expires: Instant,
        until: Option<Instant>,
    ) -> Answer<String> {
        let (_, account) = self.known(actor).await?;
        let secret = secret::token(24);
        let kept = Kept { actor: actor.clone(), by: by.map(Actor::label), ended: account.ended, until };
        let row = SecretRow {
            hash: secret::digest(secret.as_bytes()),
            kind: kind.to_owned(),
            actor: serde_json::to_string(&kept).unwrap_or_default(),
            expires,
        };
        self.inner.store.put_secret(row).await?;
        Ok(secret)
    }

    /// Whom a one-time link would let in. Looking does not spend it.
    ///
    /// # Errors
    /// Used, expired, ended or never given.
    pub async fn link_of(&self, secret: &str) -> Answer<Actor> {
        let hash = secret::digest(secret.as_bytes());
        let row = self.inner.store.secret(&hash, "link", self.now()).await?.ok_or(HouseError::LinkSpent)?;
        let kept = Kept::of(&row).ok_or(HouseError::LinkSpent)?;
        self.catch_up().await?;
        let (actor, account) = self.known(&kept.actor).await?;
        if holds(&account, &kept) { Ok(actor) } else { Err(HouseError::LinkSpent) }
    }

    /// Logs in with the secret of a one-time link, once.
    ///
    /// # Errors
    /// Used, expired, ended or never given.
    pub async fn redeem(&self, secret: &str) -> Answer<Session> {
        let hash = secret::digest(secret.as_bytes());
        let row = self.inner.store.take_secret(&hash, "link", self.now()).await?;
        let row = row.filter(|row| row.expires > self.now()).ok_or(HouseError::LinkSpent)?;
        let kept = Kept::of(&row).ok_or(HouseError::LinkSpent)?;
        self.catch_up().await?;
        let (actor, account) = self.known(&kept.actor).await?;
        if !holds(&account, &kept) {
            return Err(HouseError::LinkSpent);
        }
        let fact = HouseFact::LinkRedeemed { whom: actor.label(), by: kept.by, address: self.address() };
        self.note(&actor, |_| Ok(vec![fact.clone()])).await?;
        self.start_session(&actor).await
    }

    /// A session for a new account (one click to sit down).
    ///
    /// # Errors
    /// No such person.
    pub async fn start_session(&self, actor: &Actor) -> Answer<Session> {
        let (actor, _) = self.known(actor).await?;
        let now = self.now();
        let until = now.plus_seconds(SESSION_SECONDS);
        let idle = now.plus_seconds(self.inner.idle.get().of(&actor));
        let secret = self.keep("session", &actor, None, until.min(idle), Some(until)).await?;
        Ok(Session { actor, secret, expires: until })
    }

    /// How long sessions hold without a request, on this host.
    pub fn set_idle_limits(&self, limits: IdleLimits) {
        self.inner.idle.set(limits);
    }

    /// Who this session's secret belongs to. Asking counts as use. Sessions survive a restart.
    ///
    /// # Errors
    /// None, or it has expired or was ended.
    pub async fn session(&self, secret: &str) -> Answer<Actor> {
        let (hash, now) = (secret::digest(secret.as_bytes()), self.now());
        let row = self.inner.store.secret(&hash, "session", now).await?.ok_or(HouseError::NotLoggedIn)?;
        let kept = Kept::of(&row).ok_or(HouseError::NotLoggedIn)?;
        // Staff who were suspended on another host are out at once.
        if kept.actor.as_player().is_none() {
            self.catch_up().await?;
        }
        let (actor, account) = self.known(&kept.actor).await?;
        if !holds(&account, &kept) {
            return Err(HouseError::NotLoggedIn);
        }
        // Written a few times in each limit, not with every request.
        let idle = self.inner.idle.get().of(&actor);
        let expires = kept.until.map(|until| until.min(now.plus_seconds(idle)));
        if let Some(expires) = expires.filter(|expires| *expires > row.expires.plus_seconds(idle / 10)) {
            self.inner.store.extend_secret(SecretRow { expires, ..row }).await?;
        }
        Ok(actor)
    }

    /// Which of these sessions hold now, on whichever host they were ended. Asking does not count as use.
    pub async fn holding(&self, secrets: Vec<String>) -> Answer<BTreeSet<String>> {
        self.catch_up().await?;
        let by_hash: HashMap<String, String> =
            secrets.into_iter().map(|secret| (secret::digest(secret.as_bytes()), secret)).collect();
        let hashes = by_hash.keys().cloned().collect();
        let rows = self.inner.store.secrets(hashes, "session", self.now()).await?;
        let mut holding = BTreeSet::new();
        for row in rows {
            let Some(kept) = Kept::of(&row) else { continue };
            if self.known(&kept.actor).await.is_ok_and(|(_, account)| holds(&account, &kept)) {
                holding.extend(by_hash.get(&row.hash).cloned());
            }
        }
        Ok(holding)
    }

    /// Ends a session.
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

/// Whether a session or link is worth anything for this account.
fn holds(account: &Account, kept: &Kept) -> bool {
    account.ended == kept.ended && !account.suspended
}
