//! People: who they are, how they get in, and when they are locked out.

use std::collections::BTreeSet;

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use baize_rules::Money;

use super::cage::purse_entry;
use super::setting_up::needs;
use super::{Answer, House};
use crate::facts::{HouseFact, PurseFact};
use crate::journal::{Batch, Head, SecretRow};
use crate::slots::Account;
use crate::{
    Actor, Duty, HouseError, OneTimeLink, PlayerId, PlayerLine, Session, StaffId, StaffLine, ledger, secret,
};

/// Failures that lock an account.
const FAILURES: u32 = 3;
/// How long a session holds, in seconds.
const SESSION_SECONDS: u32 = 12 * 3_600;
/// How long a one-time link holds, in seconds.
const LINK_SECONDS: u32 = 24 * 3_600;
/// The longest password that is looked at: hashing a longer one only serves those who want to keep us busy.
const LONGEST_PASSWORD: usize = 256;
/// The most play chips that a new player is given.
const MOST_PLAY_CHIPS: Money = Money::from_dollars(1_000_000);

/// Argon2id with the parameters that are recommended for log-ins: 19 MiB, two passes.
fn hasher() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

async fn hashed(password: &str) -> Answer<String> {
    if password.len() < 8 || password.len() > LONGEST_PASSWORD {
        return Err(HouseError::NotNow("a password has 8 to 256 characters"));
    }
    let password = password.to_owned();
    let hashing = tokio::task::spawn_blocking(move || {
        let mut salt = [0; 16];
        secret::fill(&mut salt);
        hasher().hash_password_with_salt(password.as_bytes(), &salt).map(|hash| hash.to_string())
    });
    match hashing.await {
        Ok(Ok(hash)) => Ok(hash),
        Ok(Err(error)) => Err(HouseError::Unavailable(error.to_string())),
        Err(error) => Err(HouseError::Unavailable(error.to_string())),
    }
}

/// Whether a password is right. Without an account the same work is done, so that the time does not tell who exists.
async fn right(password: &str, account: Option<&Account>) -> bool {
    let password: String = password.chars().take(LONGEST_PASSWORD).collect();
    let stored = account.and_then(|account| account.password.clone());
    let checking = tokio::task::spawn_blocking(move || match stored {
        Some(stored) => PasswordHash::new(&stored)
            .is_ok_and(|hash| hasher().verify_password(password.as_bytes(), &hash).is_ok()),
        None => {
            let _ = hasher().hash_password_with_salt(password.as_bytes(), &[0; 16]);
            false
        }
    });
    checking.await.unwrap_or(false)
}

impl House {
    /// A new player, with play chips if any are given. Nobody needs to be asked for it.
    ///
    /// # Errors
    /// The name is taken; a password that is too short; too many chips.
    pub async fn create_player(
        &self,
        id: &PlayerId,
        password: Option<&str>,
        play_chips: Money,
    ) -> Answer<()> {
        if play_chips < Money::ZERO || play_chips > MOST_PLAY_CHIPS {
            return Err(HouseError::Amount(play_chips));
        }
        let password = match password {
            Some(password) => Some(hashed(password).await?),
            None => None,
        };
        let by = Actor::player(id.clone());
        self.note_with(&by, |register, _| {
            if register.has_name(id.as_str()) {
                return Err(HouseError::NameTaken(id.to_string()));
            }
            let mut batch = Batch::default();
            if play_chips > Money::ZERO {
                let fact = PurseFact::PlayChipsGiven { amount: play_chips };
                batch.entries.push(purse_entry(id, &Head::default(), &fact, &Actor::House, None, self.now()));
            }
            let created = HouseFact::PlayerCreated { id: id.clone(), password: password.clone() };
            Ok((vec![created], batch))
        })
        .await
    }

    /// A new member of staff. Shift Manager or above, or the house itself.
    ///
    /// # Errors
    /// The name is taken; duties that must be separate (the cage or an auditor who also deals).
    pub async fn create_staff(
        &self,
        by: &Actor,
        id: &StaffId,
        password: Option<&str>,
        duties: &[Duty],
    ) -> Answer<()> {
        needs(by, Duty::ShiftManager)?;
        let duties: BTreeSet<Duty> = duties.iter().copied().collect();
        let floor = duties.iter().any(|duty| duty.role().is_some());
        let apart = duties.iter().filter(|duty| duty.role().is_none()).count();
        if duties.is_empty() {
            return Err(HouseError::NotNow("name at least one duty"));
        }
        if apart > 1 || (apart == 1 && floor) {
            return Err(HouseError::NotNow("cage and auditor stand apart: each is a person's only duty"));
        }
        let password = match password {
            Some(password) => Some(hashed(password).await?),
            None => None,
        };
        self.note(by, |register| {
            if register.has_name(id.as_str()) {
                return Err(HouseError::NameTaken(id.to_string()));
            }
            let (id, duties, password) = (id.clone(), duties.clone(), password.clone());
            Ok(vec![HouseFact::StaffCreated { id, duties, password }])
        })
        .await
    }

    /// All staff. Shift Manager or auditor.
    ///
    /// # Errors
    /// Not his business.
    pub async fn staff(&self, by: &Actor) -> Answer<Vec<StaffLine>> {
        if !by.may(Duty::Auditor) {
            needs(by, Duty::ShiftManager)?;
        }
        let register = self.inner.shown.get();
        let line = |(id, (duties, account)): (&StaffId, &(BTreeSet<Duty>, Account))| StaffLine {
            id: id.clone(),
            duties: duties.clone(),
            locked: account.locked,
        };
        Ok(register.staff.iter().map(line).collect())
    }

    /// All players. Cage, pit or auditor.
    ///
    /// # Errors
    /// Not his business.
    pub async fn players(&self, by: &Actor) -> Answer<Vec<PlayerLine>> {
        if !by.may(Duty::Auditor) && !by.may(Duty::Cage) {
            needs(by, Duty::PitSupervisor)?;
        }
        let register = self.inner.shown.get();
        let balances = self.inner.store.balances().await?;
        let line = |(id, account): (&PlayerId, &Account)| PlayerLine {
            id: id.clone(),
            purse: Money::from_cents(balances.get(&ledger::purse(id)).copied().unwrap_or(0)),
            locked: account.locked,
        };
        Ok(register.players.iter().map(line).collect())
    }

    /// Logs in with a password. Three failures lock the account.
    ///
    /// # Errors
    /// Wrong name or password, a locked account.
    pub async fn log_in(&self, name: &str, password: &str) -> Answer<Session> {
        let found = self.find(name);
        if found.as_ref().is_some_and(|(_, account)| account.locked) {
            return Err(HouseError::Locked);
        }
        let right = right(password, found.as_ref().map(|(_, account)| account)).await;
        let Some((actor, account)) = found else { return Err(HouseError::WrongPassword) };
        let name = name.to_owned();
        if right {
            if account.failures > 0 {
                self.note(&actor, |_| Ok(vec![HouseFact::LoggedIn { name: name.clone() }])).await?;
            }
            return self.start_session(&actor).await;
        }
        self.note(&actor, |register| {
            let failures = register.account_of(&name).map_or(0, |account| account.failures) + 1;
            let mut facts = vec![HouseFact::LogInFailed { name: name.clone() }];
            if failures >= FAILURES {
                facts.push(HouseFact::Locked { name: name.clone() });
            }
            Ok(facts)
        })
        .await?;
        Err(if self.find(&name).is_some_and(|(_, account)| account.locked) {
            HouseError::Locked
        } else {
            HouseError::WrongPassword
        })
    }

    fn find(&self, name: &str) -> Option<(Actor, Account)> {
        let register = self.inner.shown.get();
        if let Some((id, (duties, account))) = register.staff.iter().find(|(id, _)| id.as_str() == name) {
            return Some((Actor::staff(id.clone(), duties.iter().copied()), account.clone()));
        }
        let (id, account) = register.players.iter().find(|(id, _)| id.as_str() == name)?;
        Some((Actor::player(id.clone()), account.clone()))
    }

    /// Whether the person exists; staff with the duties that he has now.
    fn known(&self, whom: &Actor) -> Answer<Actor> {
        let register = self.inner.shown.get();
        match whom {
            Actor::Player { id } if register.players.contains_key(id) => Ok(whom.clone()),
            Actor::Player { id } => Err(HouseError::UnknownPlayer(id.clone())),
            Actor::Staff { id, .. } => match register.staff.get(id) {
                Some((duties, _)) => Ok(Actor::staff(id.clone(), duties.iter().copied())),
                None => Err(HouseError::UnknownStaff(id.clone())),
            },
            Actor::House | Actor::Public => Err(HouseError::NotLoggedIn),
        }
    }

    /// A link that lets this person in once. For staff: asked by a Shift Manager or the house itself. For a player: by the cage, the house or
    /// himself.
    ///
    /// # Errors
    /// No such person, not his business.
    pub async fn one_time_link(&self, by: &Actor, whom: &Actor) -> Answer<OneTimeLink> {
        let actor = self.known(whom)?;
        let own = whom.as_player().is_some() && (by == whom || by.may(Duty::Cage));
        if !own {
            needs(by, Duty::ShiftManager)?;
        }
        let (secret, expires) = self.keep("link", &actor, LINK_SECONDS).await?;
        Ok(OneTimeLink { actor, secret, expires })
    }

    async fn keep(&self, kind: &str, actor: &Actor, seconds: u32) -> Answer<(String, crate::Instant)> {
        let secret = secret::token(24);
        let expires = self.now().plus_seconds(seconds);
        let row = SecretRow {
            hash: secret::digest(secret.as_bytes()),
            kind: kind.to_owned(),
            actor: serde_json::to_string(actor).unwrap_or_default(),
            expires,
        };
        self.inner.store.put_secret(row).await?;
        Ok((secret, expires))
    }

    /// Lets in whoever brings the secret of a one-time link, once.
    ///
    /// # Errors
    /// Used, expired or never given.
    pub async fn redeem(&self, secret: &str) -> Answer<Session> {
        let hash = secret::digest(secret.as_bytes());
        let row = self.inner.store.take_secret(&hash, "link", self.now()).await?;
        let row = row.filter(|row| row.expires > self.now()).ok_or(HouseError::LinkSpent)?;
        let actor: Actor = serde_json::from_str(&row.actor).map_err(|_| HouseError::LinkSpent)?;
        self.start_session(&actor).await
    }

    /// A session for somebody who has just been created (one click to sit down).
    ///
    /// # Errors
    /// No such person.
    pub async fn start_session(&self, actor: &Actor) -> Answer<Session> {
        let actor = self.known(actor)?;
        let (secret, expires) = self.keep("session", &actor, SESSION_SECONDS).await?;
        Ok(Session { actor, secret, expires })
    }

    /// Who this session's secret belongs to. Sessions survive a restart.
    ///
    /// # Errors
    /// None, or it has expired.
    pub async fn session(&self, secret: &str) -> Answer<Actor> {
        let hash = secret::digest(secret.as_bytes());
        let row =
            self.inner.store.secret(&hash, "session", self.now()).await?.ok_or(HouseError::NotLoggedIn)?;
        let actor: Actor = serde_json::from_str(&row.actor).map_err(|_| HouseError::NotLoggedIn)?;
        let locked = match &actor {
            Actor::Player { id } => self.find(id.as_str()),
            Actor::Staff { id, .. } => self.find(id.as_str()),
            Actor::House | Actor::Public => None,
        };
        if locked.is_some_and(|(_, account)| account.locked) {
            return Err(HouseError::Locked);
        }
        self.known(&actor)
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
            return Err(HouseError::UnknownStaff(name.parse()?));
        }
        self.note(by, |_| Ok(vec![HouseFact::Unlocked { name: name.to_owned() }])).await
    }
}
