//! Log-ins by password, one-time links, sessions.
//!
//! Passwords for one name are tested one after another, and none is tested while the name is delayed, so sending many at once gains
//! nothing. An unknown name gets the same answers as a known one.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as NameLock, OwnedMutexGuard};

use super::login_delays::{Delays, lock, name_delay};
use super::people::verify_password;
use super::{Answer, House};
use crate::boxed;
use crate::facts::HouseFact;
use crate::journal::SecretRow;
use crate::register::Account;
use crate::{Actor, CommandId, Duty, HouseError, IdleLimits, Instant, OneTimeLink, Session, secret};

/// Maximum length of a session, in seconds.
const SESSION_SECONDS: u32 = 12 * 3_600;
/// Default validity of a one-time link, in minutes.
pub const LINK_MINUTES: u32 = 15;
/// Maximum length of a name, in characters.
const MAX_NAME_LEN: usize = 64;
/// Number of links remembered for repeated requests.
const MAX_REMEMBERED_LINKS: usize = 256;

/// Log-ins in progress, and what this process remembers of earlier ones.
pub(crate) struct LogIns {
    locks: Mutex<HashMap<String, Arc<NameLock<()>>>>,
    /// Failures that the journal does not count: under unknown names and from addresses.
    delays: Delays,
    /// Wrong passwords of logged-in people who change their own.
    own: Delays,
    /// The latest links, for repeated requests: the database stores only their hashes.
    links: Mutex<VecDeque<(CommandId, OneTimeLink)>>,
    /// The key of the digests of unknown names. It is never stored, so the journal does not help to guess what was typed.
    key: [u8; 32],
}

impl Default for LogIns {
    fn default() -> LogIns {
        let mut key = [0; 32];
        secret::fill(&mut key);
        LogIns {
            locks: Mutex::default(),
            delays: Delays::default(),
            own: Delays::default(),
            links: Mutex::default(),
            key,
        }
    }
}

impl LogIns {
    /// Locks a name, so that its passwords are tested one after another.
    pub(super) async fn lock_name(&self, name: &str) -> OwnedMutexGuard<()> {
        let own = {
            let mut locks = lock(&self.locks);
            locks.retain(|_, held| Arc::strong_count(held) > 1);
            Arc::clone(locks.entry(name.to_owned()).or_default())
        };
        own.lock_owned().await
    }

    /// The recorded form of an unknown name: a digest, the same as long as this process runs.
    fn pseudonym(&self, name: &str) -> String {
        let mut digest = secret::digest(&[&self.key[..], name.as_bytes()].concat());
        digest.truncate(16);
        format!("#{digest}")
    }
}

/// The error for a wrong password, with the delay if there is one.
fn refused(waits: Option<u32>) -> HouseError {
    waits.map_or(HouseError::WrongPassword, |wait_seconds| HouseError::Locked { wait_seconds })
}

/// The stored content of a session or link.
#[derive(Serialize, Deserialize)]
struct StoredSecret {
    #[serde(flatten)]
    actor: Actor,
    /// Who made the link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// The account's [`Account::ended`] when it was issued.
    #[serde(default)]
    ended: u32,
    /// When a session ends at the latest. Absent in sessions of older programs, which end when their row expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Instant>,
}

impl StoredSecret {
    fn of(row: &SecretRow) -> Option<StoredSecret> {
        serde_json::from_str(&row.actor).ok()
    }
}

impl House {
    /// Logs in with a password. From the third failure in a row under a name, password log-ins under it are delayed, and the delay grows
    /// with each further failure; so are those from an address with many failures. Sessions and links are not affected.
    ///
    /// # Errors
    /// Wrong name or password; too many failures; the account is suspended.
    #[boxed]
    pub async fn log_in(&self, name: &str, password: &str) -> Answer<Session> {
        let name: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME_LEN).collect();
        let _lock = self.inner.log_ins.lock_name(&name).await;
        let actor = self.check_password(&name, password).await?;
        self.start_session(&actor).await
    }

    fn address(&self) -> Option<String> {
        self.request.address.map(|address| address.to_string())
    }

    /// Tests a password once, and records the result. The caller holds the lock of the name.
    async fn check_password(&self, name: &str, password: &str) -> Answer<Actor> {
        self.catch_up().await?;
        let (now, address, log_ins) = (self.now(), self.address(), &self.inner.log_ins);
        let found = self.account_named(name);
        let waits = match &found {
            Some((_, account)) => account.waits(now).max(log_ins.delays.name_waits(name, now)),
            None => log_ins.delays.name_waits(name, now),
        };
        let address_waits = address.as_ref().and_then(|from| log_ins.delays.address_waits(from, now));
        if let Some(wait_seconds) = waits.max(address_waits) {
            return Err(HouseError::Locked { wait_seconds });
        }
        let tested = found.as_ref().and_then(|(_, account)| account.password.clone());
        let right = verify_password(password, tested.as_deref()).await;
        if let (false, Some(from)) = (right, &address) {
            log_ins.delays.address_failed(from, now);
        }
        let Some((actor, account)) = found else {
            let failed = HouseFact::LogInFailed { name: log_ins.pseudonym(name), address };
            self.append_facts(&Actor::Public, |_| Ok(vec![failed.clone()])).await?;
            log_ins.delays.name_failed(name, now);
            return Err(refused(log_ins.delays.name_waits(name, now)));
        };
        // Another host may have recorded failures or a new password meanwhile: judge by the register.
        let judged = |account: &Account| match account.waits(now) {
            Some(wait_seconds) => Err(HouseError::Locked { wait_seconds }),
            None if account.password != tested => Err(HouseError::WrongPassword),
            None => Ok(()),
        };
        if right {
            let noted = self.append_facts(&actor, |register| {
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
        let noted = self.append_facts(&Actor::Public, |register| {
            let account = register.account_of(name).ok_or(HouseError::WrongPassword)?;
            judged(account)?;
            let mut facts = vec![HouseFact::LogInFailed { name: name.to_owned(), address: address.clone() }];
            if let Some(seconds) = name_delay(account.failures + 1) {
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
        Err(refused(self.account_named(name).and_then(|(_, account)| account.waits(now))))
    }

    /// Checks a logged-in person's own password. It is not affected by failed log-ins under the name, and failures here do not lock the
    /// name.
    pub(super) async fn check_own_password(&self, name: &str, password: &str, stored: &str) -> Answer<()> {
        let (now, own) = (self.now(), &self.inner.log_ins.own);
        if let Some(wait_seconds) = own.name_waits(name, now) {
            return Err(HouseError::Locked { wait_seconds });
        }
        if verify_password(password, Some(stored)).await {
            own.reset_name(name);
            return Ok(());
        }
        own.name_failed(name, now);
        let failed = HouseFact::LogInFailed { name: name.to_owned(), address: self.address() };
        self.append_facts(&Actor::Public, |_| Ok(vec![failed.clone()])).await?;
        Err(refused(own.name_waits(name, now)))
    }

    pub(super) fn account_named(&self, name: &str) -> Option<(Actor, Account)> {
        let register = self.inner.shown.get();
        if let Some((id, (duties, account))) = register.staff.iter().find(|(id, _)| id.as_str() == name) {
            return Some((Actor::staff(id.clone(), duties.iter().copied()), account.clone()));
        }
        let (id, account) = register.players.iter().find(|(id, _)| id.as_str() == name)?;
        Some((Actor::player(id.clone()), account.clone()))
    }

    /// The account, for staff with their present duties. Other hosts' entries are read before an account counts as unknown.
    pub(super) async fn find_account(&self, whom: &Actor) -> Answer<(Actor, Account)> {
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

    /// Creates a one-time log-in link. For a player: by themselves, the cage or a Shift Manager. For a dealer or the cage: by a Shift
    /// Manager. For the pit and the auditor: only by the house itself, on its console, so that a person who verifies an award cannot log in
    /// as the one who confirms it.
    ///
    /// # Errors
    /// No such person; lack of duty.
    #[boxed]
    pub async fn one_time_link(&self, by: &Actor, whom: &Actor) -> Answer<OneTimeLink> {
        self.link_for(by, whom, LINK_MINUTES).await
    }

    /// As [`House::one_time_link`], valid for this many minutes.
    ///
    /// # Errors
    /// As [`House::one_time_link`].
    #[boxed]
    pub async fn link_for(&self, by: &Actor, whom: &Actor, minutes: u32) -> Answer<OneTimeLink> {
        let (actor, account) = self.find_account(whom).await?;
        let own = whom.as_player().is_some() && (by == whom || by.may(Duty::Cage));
        if !own {
            by.require(Duty::ShiftManager)?;
        }
        if *by != Actor::House && (actor.may(Duty::PitSupervisor) || actor.may(Duty::Auditor)) {
            let why = "links for the pit and the auditor are made at the casino's console";
            return Err(HouseError::Apart(why));
        }
        if account.suspended {
            return Err(HouseError::Suspended);
        }
        let fact = HouseFact::LinkIssued { whom: actor.label(), by: by.label() };
        let note = self.append_facts(by, |_| Ok(vec![fact.clone()]));
        if self.idempotent(by, None, |made| *made == fact, note).await? {
            let links = lock(&self.inner.log_ins.links);
            let before = links.iter().find(|(known, _)| Some(known) == self.request.id.as_ref());
            let gone = "this link was already made and cannot be shown again: request another under a new id";
            return before.map(|(_, link)| link.clone()).ok_or(HouseError::NotNow(gone));
        }
        let expires = self.now().plus_seconds(minutes.saturating_mul(60));
        let secret = self.store_secret("link", &actor, Some(by), expires, None).await?;
        let link = OneTimeLink { actor, secret, expires };
        if let Some(id) = &self.request.id {
            let mut links = lock(&self.inner.log_ins.links);
            if links.len() >= MAX_REMEMBERED_LINKS {
                links.pop_front();
            }
            links.push_back((id.clone(), link.clone()));
        }
        Ok(link)
    }

    async fn store_secret(
        &self,
        kind: &str,
        actor: &Actor,
        by: Option<&Actor>,
        expires: Instant,
        until: Option<Instant>,
    ) -> Answer<String> {
        let (_, account) = self.find_account(actor).await?;
        let secret = secret::token(24);
        let kept =
            StoredSecret { actor: actor.clone(), by: by.map(Actor::label), ended: account.ended, until };
        let row = SecretRow {
            hash: secret::digest(secret.as_bytes()),
            kind: kind.to_owned(),
            actor: serde_json::to_string(&kept).unwrap_or_default(),
            expires,
        };
        self.inner.store.put_secret(row).await?;
        Ok(secret)
    }

    /// Who would log in with this one-time link. The link stays valid.
    ///
    /// # Errors
    /// The link was used, has expired, was ended or never existed.
    #[boxed]
    pub async fn link_of(&self, secret: &str) -> Answer<Actor> {
        let hash = secret::digest(secret.as_bytes());
        let row = self.inner.store.secret(&hash, "link", self.now()).await?.ok_or(HouseError::LinkSpent)?;
        let kept = StoredSecret::of(&row).ok_or(HouseError::LinkSpent)?;
        self.catch_up().await?;
        let (actor, account) = self.find_account(&kept.actor).await?;
        if is_valid(&account, &kept) { Ok(actor) } else { Err(HouseError::LinkSpent) }
    }

    /// Logs in with the secret of a one-time link, once.
    ///
    /// # Errors
    /// The link was used, has expired, was ended or never existed.
    #[boxed]
    pub async fn redeem(&self, secret: &str) -> Answer<Session> {
        let hash = secret::digest(secret.as_bytes());
        let row = self.inner.store.take_secret(&hash, "link", self.now()).await?;
        let row = row.filter(|row| row.expires > self.now()).ok_or(HouseError::LinkSpent)?;
        let kept = StoredSecret::of(&row).ok_or(HouseError::LinkSpent)?;
        self.catch_up().await?;
        let (actor, account) = self.find_account(&kept.actor).await?;
        if !is_valid(&account, &kept) {
            return Err(HouseError::LinkSpent);
        }
        let fact = HouseFact::LinkRedeemed { whom: actor.label(), by: kept.by, address: self.address() };
        self.append_facts(&actor, |_| Ok(vec![fact.clone()])).await?;
        self.start_session(&actor).await
    }

    /// Starts a session without a password, for an account that was just created.
    ///
    /// # Errors
    /// No such person.
    #[boxed]
    pub async fn start_session(&self, actor: &Actor) -> Answer<Session> {
        let (actor, _) = self.find_account(actor).await?;
        let now = self.now();
        let until = now.plus_seconds(SESSION_SECONDS);
        let idle = now.plus_seconds(self.inner.idle.get().of(&actor));
        let secret = self.store_secret("session", &actor, None, until.min(idle), Some(until)).await?;
        Ok(Session { actor, secret, expires: until })
    }

    /// Sets how long sessions last without a request, on this host.
    pub fn set_idle_limits(&self, limits: IdleLimits) {
        self.inner.idle.set(limits);
    }

    /// Who is logged in with this session's secret. Counts as a request. Sessions survive a restart.
    ///
    /// # Errors
    /// No such session, or it has expired or was ended.
    #[boxed]
    pub async fn session(&self, secret: &str) -> Answer<Actor> {
        let (hash, now) = (secret::digest(secret.as_bytes()), self.now());
        let row = self.inner.store.secret(&hash, "session", now).await?.ok_or(HouseError::NotLoggedIn)?;
        let kept = StoredSecret::of(&row).ok_or(HouseError::NotLoggedIn)?;
        // Staff who were suspended on another host are locked out at once.
        if kept.actor.as_player().is_none() {
            self.catch_up().await?;
        }
        let (actor, account) = self.find_account(&kept.actor).await?;
        if !is_valid(&account, &kept) {
            return Err(HouseError::NotLoggedIn);
        }
        // Extended at most ten times per idle limit, not with every request.
        let idle = self.inner.idle.get().of(&actor);
        let expires = kept.until.map(|until| until.min(now.plus_seconds(idle)));
        if let Some(expires) = expires.filter(|expires| *expires > row.expires.plus_seconds(idle / 10)) {
            self.inner.store.extend_secret(SecretRow { expires, ..row }).await?;
        }
        Ok(actor)
    }

    /// Which of these sessions are valid now, on any host. Does not count as a request.
    #[boxed]
    pub async fn holding(&self, secrets: Vec<String>) -> Answer<BTreeSet<String>> {
        self.catch_up().await?;
        let by_hash: HashMap<String, String> =
            secrets.into_iter().map(|secret| (secret::digest(secret.as_bytes()), secret)).collect();
        let hashes = by_hash.keys().cloned().collect();
        let rows = self.inner.store.secrets(hashes, "session", self.now()).await?;
        let mut holding = BTreeSet::new();
        for row in rows {
            let Some(kept) = StoredSecret::of(&row) else { continue };
            if self.find_account(&kept.actor).await.is_ok_and(|(_, account)| is_valid(&account, &kept)) {
                holding.extend(by_hash.get(&row.hash).cloned());
            }
        }
        Ok(holding)
    }

    /// Ends a session.
    #[boxed]
    pub async fn end_session(&self, secret: &str) -> Answer<()> {
        let hash = secret::digest(secret.as_bytes());
        self.inner.store.take_secret(&hash, "session", self.now()).await?;
        Ok(())
    }

    /// Ends the delay of an account's password log-ins. Shift Manager or above.
    ///
    /// # Errors
    /// No such account.
    #[boxed]
    pub async fn unlock(&self, by: &Actor, name: &str) -> Answer<()> {
        by.require(Duty::ShiftManager)?;
        if self.account_named(name).is_none() {
            self.catch_up().await?;
            self.account_named(name).ok_or(HouseError::UnknownStaff(name.parse()?))?;
        }
        let fact = HouseFact::Unlocked { name: name.to_owned() };
        self.idempotent(by, None, |made| *made == fact, self.append_facts(by, |_| Ok(vec![fact.clone()])))
            .await
            .map(drop)
    }
}

/// Whether a session or link is valid for this account.
fn is_valid(account: &Account, kept: &StoredSecret) -> bool {
    account.ended == kept.ended && !account.suspended
}
