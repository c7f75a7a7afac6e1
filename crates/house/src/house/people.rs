//! Accounts of players and staff: creating them, checking passwords.

use std::collections::BTreeSet;

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use baize_rules::Money;

use super::cage::purse_entry;
use super::{Answer, House};
use crate::boxed;
use crate::facts::{HouseFact, PurseFact};
use crate::journal::{Batch, Head};
use crate::register::Account;
use crate::{Actor, Duty, HouseError, MoneyKind, PlayerId, PlayerLine, StaffId, StaffLine, ledger, secret};

/// Maximum length of a password: hashing longer ones would only help a denial of service.
const MAX_PASSWORD_LEN: usize = 256;
/// Maximum play chips of a new player.
const MAX_PLAY_CHIPS: Money = Money::from_dollars(1_000_000);

/// Argon2id with the recommended parameters for log-ins: 19 MiB, two passes.
fn hasher() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

pub(super) async fn hash_password(password: &str) -> Answer<String> {
    if password.len() < 8 || password.len() > MAX_PASSWORD_LEN {
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

async fn hash_optional(password: Option<&str>) -> Answer<Option<String>> {
    match password {
        Some(password) => hash_password(password).await.map(Some),
        None => Ok(None),
    }
}

/// Whether a password matches this hash. Without a hash the same work is done, so that the time does not reveal which accounts exist.
pub(super) async fn verify_password(password: &str, stored: Option<&str>) -> bool {
    let password: String = password.chars().take(MAX_PASSWORD_LEN).collect();
    let stored = stored.map(ToOwned::to_owned);
    let checking = tokio::task::spawn_blocking(move || match stored {
        Some(stored) => PasswordHash::new(&stored)
            .is_ok_and(|hash| hasher().verify_password(password.as_bytes(), &hash).is_ok()),
        None => {
            // Only the time that it takes matters.
            let _ = hasher().hash_password_with_salt(password.as_bytes(), &[0; 16]);
            false
        }
    });
    checking.await.unwrap_or(false)
}

impl House {
    /// Creates a player's account. A player with play chips plays for practice, otherwise for cash. Needs no log-in.
    ///
    /// # Errors
    /// The name is taken; the password is too short or too long; too many chips.
    #[boxed]
    pub async fn create_player(
        &self,
        id: &PlayerId,
        password: Option<&str>,
        play_chips: Money,
    ) -> Answer<()> {
        if play_chips < Money::ZERO || play_chips > MAX_PLAY_CHIPS {
            return Err(HouseError::Amount(play_chips));
        }
        let money = if play_chips.is_zero() { MoneyKind::Cash } else { MoneyKind::Practice };
        self.new_player(&Actor::player(id.clone()), id, password, play_chips, money).await
    }

    /// Registers a player for cash, with an empty purse. Cage.
    ///
    /// # Errors
    /// The name is taken; the password is too short or too long.
    #[boxed]
    pub async fn register_player(&self, by: &Actor, id: &PlayerId, password: Option<&str>) -> Answer<()> {
        by.require(Duty::Cage)?;
        self.new_player(by, id, password, Money::ZERO, MoneyKind::Cash).await
    }

    async fn new_player(
        &self,
        by: &Actor,
        id: &PlayerId,
        password: Option<&str>,
        chips: Money,
        money: MoneyKind,
    ) -> Answer<()> {
        let same = |fact: &HouseFact| matches!(fact, HouseFact::PlayerCreated { id: made, .. } if made == id);
        self.idempotent(by, password, same, async {
            let password = hash_optional(password).await?;
            self.append_facts_with(by, |register, _| {
                if register.has_name(id.as_str()) {
                    return Err(HouseError::NameTaken(id.to_string()));
                }
                let mut batch = Batch::default();
                if chips > Money::ZERO {
                    let fact = PurseFact::PlayChipsGiven { amount: chips };
                    let now = self.now();
                    batch.entries.push(purse_entry(id, &Head::default(), &fact, &Actor::House, None, now));
                }
                let (id, password) = (id.clone(), password.clone());
                let created = HouseFact::PlayerCreated { id, password, money: Some(money) };
                Ok((vec![created], batch))
            })
            .await
        })
        .await
        .map(drop)
    }

    /// Creates an account for a member of staff. Shift Manager, or the house itself.
    ///
    /// # Errors
    /// The name is taken; the password is too short or too long; the duties cannot be combined.
    #[boxed]
    pub async fn create_staff(
        &self,
        by: &Actor,
        id: &StaffId,
        password: Option<&str>,
        duties: &[Duty],
    ) -> Answer<()> {
        by.require(Duty::ShiftManager)?;
        let duties = Duty::together(duties)?;
        let same = |fact: &HouseFact| matches!(fact, HouseFact::StaffCreated { id: made, duties: of, .. } if made == id && *of == duties);
        self.idempotent(by, password, same, async {
            let password = hash_optional(password).await?;
            self.append_facts(by, |register| {
                if register.has_name(id.as_str()) {
                    return Err(HouseError::NameTaken(id.to_string()));
                }
                let (id, duties, password) = (id.clone(), duties.clone(), password.clone());
                let by = Some(by.label()).filter(|_| password.is_some() && *by != Actor::House);
                Ok(vec![HouseFact::StaffCreated { id, duties, password, by }])
            })
            .await
        })
        .await
        .map(drop)
    }

    /// All staff. Shift Manager or auditor.
    #[boxed]
    pub async fn staff(&self, by: &Actor) -> Answer<Vec<StaffLine>> {
        by.require_or_auditor(Duty::ShiftManager)?;
        let (register, now) = (self.inner.shown.get(), self.now());
        let line = |(id, (duties, account)): (&StaffId, &(BTreeSet<Duty>, Account))| StaffLine {
            id: id.clone(),
            duties: duties.clone(),
            locked: account.waits(now).is_some(),
            has_password: account.password.is_some(),
            suspended: account.suspended,
            name: register.names.get(id.as_str()).cloned(),
        };
        Ok(register.staff.iter().map(line).collect())
    }

    /// All players. Cage, pit or auditor.
    #[boxed]
    pub async fn players(&self, by: &Actor) -> Answer<Vec<PlayerLine>> {
        if !by.may(Duty::Auditor) && !by.may(Duty::Cage) {
            by.require(Duty::PitSupervisor)?;
        }
        let (register, now) = (self.inner.shown.get(), self.now());
        let balances = self.inner.store.balances().await?;
        let mut lines = Vec::with_capacity(register.players.len());
        for (id, account) in &register.players {
            let money = match account.money {
                Some(money) => money,
                None => self.plays_with(id).await?,
            };
            lines.push(PlayerLine {
                id: id.clone(),
                purse: Money::from_cents(balances.get(&ledger::purse(id)).copied().unwrap_or(0)),
                owed: Money::from_cents(-balances.get(&ledger::owed(id)).copied().unwrap_or(0)),
                locked: account.waits(now).is_some(),
                money,
                name: register.names.get(id.as_str()).cloned(),
            });
        }
        Ok(lines)
    }
}
