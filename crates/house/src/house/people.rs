//! Accounts of players and staff: creating them, checking passwords.

use std::collections::BTreeSet;

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use baize_rules::Money;

use super::cage::purse_entry;
use super::create::needs;
use super::{Answer, House};
use crate::facts::{HouseFact, PurseFact};
use crate::journal::{Batch, Head};
use crate::register::Account;
use crate::{Actor, Duty, HouseError, MoneyKind, PlayerId, PlayerLine, StaffId, StaffLine, ledger, secret};

/// The longest password that is looked at: hashing a longer one only serves those who want to keep us busy.
const LONGEST_PASSWORD: usize = 256;
/// The most play chips that a new player is given.
const MOST_PLAY_CHIPS: Money = Money::from_dollars(1_000_000);

/// Argon2id with the parameters that are recommended for log-ins: 19 MiB, two passes.
fn hasher() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

pub(super) async fn hashed(password: &str) -> Answer<String> {
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

async fn hashed_if_any(password: Option<&str>) -> Answer<Option<String>> {
    match password {
        Some(password) => hashed(password).await.map(Some),
        None => Ok(None),
    }
}

/// Whether a password is the one of this hash. Without a hash the same work is done, so that the time does not tell who exists.
pub(super) async fn right(password: &str, stored: Option<&str>) -> bool {
    let password: String = password.chars().take(LONGEST_PASSWORD).collect();
    let stored = stored.map(ToOwned::to_owned);
    let checking = tokio::task::spawn_blocking(move || match stored {
        Some(stored) => PasswordHash::new(&stored)
            .is_ok_and(|hash| hasher().verify_password(password.as_bytes(), &hash).is_ok()),
        None => {
            // Only its work is wanted, whatever comes of it.
            let _ = hasher().hash_password_with_salt(password.as_bytes(), &[0; 16]);
            false
        }
    });
    checking.await.unwrap_or(false)
}

impl House {
    /// A new player, with play chips if any are given. Nobody needs to be asked for it. Play chips are for practice: the cage has nothing
    /// to do with a purse that was given any.
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
        let money = if play_chips.is_zero() { MoneyKind::Cash } else { MoneyKind::Practice };
        self.new_player(&Actor::player(id.clone()), id, password, play_chips, money).await
    }

    /// A player whom the cage registers: their purse is empty, and filled and emptied for cash. Cage.
    ///
    /// # Errors
    /// The name is taken; a password that is too short.
    pub async fn register_player(&self, by: &Actor, id: &PlayerId, password: Option<&str>) -> Answer<()> {
        needs(by, Duty::Cage)?;
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
        self.once(by, password, same, async {
            let password = hashed_if_any(password).await?;
            self.note_with(by, |register, _| {
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
        let duties = Duty::together(duties)?;
        let same = |fact: &HouseFact| matches!(fact, HouseFact::StaffCreated { id: made, duties: of, .. } if made == id && *of == duties);
        self.once(by, password, same, async {
            let password = hashed_if_any(password).await?;
            self.note(by, |register| {
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
    pub async fn staff(&self, by: &Actor) -> Answer<Vec<StaffLine>> {
        if !by.may(Duty::Auditor) {
            needs(by, Duty::ShiftManager)?;
        }
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
    pub async fn players(&self, by: &Actor) -> Answer<Vec<PlayerLine>> {
        if !by.may(Duty::Auditor) && !by.may(Duty::Cage) {
            needs(by, Duty::PitSupervisor)?;
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
