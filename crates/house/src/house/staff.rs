//! Staff accounts: passwords, duties, suspension, sessions. Every change is recorded with the person who made it, and ends the earlier
//! sessions.

use std::collections::{BTreeMap, BTreeSet};

use super::journal_lines::MAX_LISTED;
use super::people::hash_password;
use super::{Answer, House};
use crate::boxed;
use crate::facts::{Body, HouseFact};
use crate::journal::EntryFilter;
use crate::register::Register;
use crate::stored;
use crate::{Actor, Duty, HouseError, Session, StaffId, Suspension};

/// Maximum length of a reason, in characters.
const MAX_REASON_LEN: usize = 200;

/// Requires a Shift Manager other than the person concerned.
fn require_other_manager(by: &Actor, id: &StaffId) -> Answer<()> {
    by.require(Duty::ShiftManager)?;
    match by {
        Actor::Staff { id: own, .. } if own == id => {
            Err(HouseError::Apart("you cannot do this for yourself: ask another shift manager"))
        }
        Actor::Staff { .. } | Actor::House | Actor::Player { .. } | Actor::Public => Ok(()),
    }
}

impl House {
    /// Whether the actor has a password, which they must enter to change it. Otherwise they log in with links only.
    ///
    /// # Errors
    /// Not a person; no such account.
    #[boxed]
    pub async fn has_password(&self, by: &Actor) -> Answer<bool> {
        self.find_account(by).await.map(|(_, account)| account.password.is_some())
    }

    /// Changes the actor's own password, given the present one if there is one. All sessions and links end; a new session is returned.
    ///
    /// # Errors
    /// The old password is wrong, which counts as a failed log-in; the new one is too short or too long.
    #[boxed]
    pub async fn change_password(&self, by: &Actor, old: Option<&str>, new: &str) -> Answer<Session> {
        let name = by.login().ok_or(HouseError::NotLoggedIn)?.to_owned();
        let password = hash_password(new).await?;
        let _lock = self.inner.log_ins.lock_name(&name).await;
        let (_, account) = self.find_account(by).await?;
        if let Some(stored) = &account.password {
            self.check_own_password(&name, old.unwrap_or_default(), stored).await?;
        }
        self.append_facts(by, |register| {
            let now = register.account_of(&name).ok_or(HouseError::NotLoggedIn)?;
            if now.password != account.password {
                return Err(HouseError::WrongPassword);
            }
            let password = Some(password.clone());
            let mut facts = vec![HouseFact::PasswordChanged { name: name.clone(), password }];
            // Failures with the old password do not count against the new one.
            if now.failures > 0 {
                facts.push(HouseFact::LoggedIn { name: name.clone(), address: None });
            }
            Ok(facts)
        })
        .await?;
        self.start_session(by).await
    }

    /// Changes the duties of a member of staff. Another Shift Manager.
    ///
    /// # Errors
    /// For themselves; no such person; the duties cannot be combined.
    #[boxed]
    pub async fn set_duties(&self, by: &Actor, id: &StaffId, duties: &[Duty]) -> Answer<()> {
        require_other_manager(by, id)?;
        let after = Duty::together(duties)?;
        let same = |fact: &HouseFact| matches!(fact, HouseFact::DutiesChanged { id: of, after: to, .. } if of == id && *to == after);
        let change = self.append_facts(by, |register| {
            let (before, _) = member(register, id)?;
            if before == after {
                return Ok(Vec::new());
            }
            Ok(vec![HouseFact::DutiesChanged { id: id.clone(), before, after: after.clone() }])
        });
        self.idempotent(by, None, same, change).await.map(drop)
    }

    /// Suspends a member of staff and ends their sessions. Another Shift Manager.
    ///
    /// # Errors
    /// For themselves; no such person; already suspended.
    #[boxed]
    pub async fn suspend(&self, by: &Actor, id: &StaffId, reason: &str) -> Answer<()> {
        require_other_manager(by, id)?;
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(MAX_REASON_LEN).collect();
        let fact = HouseFact::Suspended { id: id.clone(), reason };
        let change = self.append_facts(by, |register| match member(register, id)? {
            (_, true) => Err(HouseError::NotNow("the account is already suspended")),
            (_, false) => Ok(vec![fact.clone()]),
        });
        self.idempotent(by, None, |made| *made == fact, change).await.map(drop)
    }

    /// All suspended staff: by whom, when and why. Shift Manager or auditor.
    #[boxed]
    pub async fn suspensions(&self, by: &Actor) -> Answer<BTreeMap<StaffId, Suspension>> {
        let mut wanted = self.staff(by).await?;
        wanted.retain(|line| line.suspended);
        let mut found = BTreeMap::new();
        // Suspensions are rare and significant: read only those entries, newest first.
        let mut before = None;
        while found.len() < wanted.len() {
            let kinds = vec!["suspended".to_owned()];
            let filter =
                EntryFilter { kinds, significant: true, before, limit: MAX_LISTED, ..EntryFilter::default() };
            let entries = self.inner.store.entries(filter).await?;
            let Some(last) = entries.last() else { break };
            before = Some(last.number);
            for entry in &entries {
                let Body::House(facts) = stored::read(&entry.body, &entry.place())? else { continue };
                for fact in facts {
                    let HouseFact::Suspended { id, reason } = fact else { continue };
                    if wanted.iter().any(|line| line.id == id) {
                        let made = Suspension { reason, by: entry.actor.clone(), at: entry.at };
                        found.entry(id).or_insert(made);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Reinstates a suspended member of staff. Another Shift Manager.
    ///
    /// # Errors
    /// For themselves; no such person; not suspended.
    #[boxed]
    pub async fn reinstate(&self, by: &Actor, id: &StaffId) -> Answer<()> {
        require_other_manager(by, id)?;
        let fact = HouseFact::Reinstated { id: id.clone() };
        let change = self.append_facts(by, |register| match member(register, id)? {
            (_, false) => Err(HouseError::NotNow("the account is not suspended")),
            (_, true) => Ok(vec![fact.clone()]),
        });
        self.idempotent(by, None, |made| *made == fact, change).await.map(drop)
    }

    /// Ends all sessions and links of an account: the actor's own, or anyone's for a Shift Manager.
    ///
    /// # Errors
    /// No such person; lack of duty.
    #[boxed]
    pub async fn end_sessions(&self, by: &Actor, whom: &Actor) -> Answer<()> {
        if by.label() != whom.label() {
            by.require(Duty::ShiftManager)?;
        }
        self.find_account(whom).await?;
        let name = whom.login().ok_or(HouseError::NotLoggedIn)?.to_owned();
        let fact = HouseFact::SessionsEnded { name };
        self.idempotent(by, None, |made| *made == fact, self.append_facts(by, |_| Ok(vec![fact.clone()])))
            .await
            .map(drop)
    }
}

/// The duties of a member of staff, and whether they are suspended.
fn member(register: &Register, id: &StaffId) -> Answer<(BTreeSet<Duty>, bool)> {
    let found = register.staff.get(id).ok_or_else(|| HouseError::UnknownStaff(id.clone()))?;
    Ok((found.0.clone(), found.1.suspended))
}
