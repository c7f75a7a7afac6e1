//! Accounts of staff while they are employed: passwords, duties, suspension, sessions. What is changed is on record with who did it,
//! and a change ends the sessions that were given before it.

use std::collections::{BTreeMap, BTreeSet};

use super::create::needs;
use super::journal_lines::MOST;
use super::people::hashed;
use super::{Answer, House};
use crate::facts::{Body, HouseFact};
use crate::journal::EntryFilter;
use crate::register::Register;
use crate::stored;
use crate::{Actor, Duty, HouseError, Session, StaffId, Suspension};

/// The longest reason.
const LONGEST_REASON: usize = 200;

/// A Shift Manager, and not for themselves.
fn for_another(by: &Actor, id: &StaffId) -> Answer<()> {
    needs(by, Duty::ShiftManager)?;
    match by {
        Actor::Staff { id: own, .. } if own == id => {
            Err(HouseError::Apart("nobody does this for themselves: ask another shift manager"))
        }
        Actor::Staff { .. } | Actor::House | Actor::Player { .. } | Actor::Public => Ok(()),
    }
}

impl House {
    /// Whether the actor has a password, which they must enter to change it; otherwise they log in by links only.
    ///
    /// # Errors
    /// Nobody is logged in, no such person.
    pub async fn has_password(&self, by: &Actor) -> Answer<bool> {
        self.known(by).await.map(|(_, account)| account.password.is_some())
    }

    /// Changes one's own password, with the present one if there is one. All sessions and links end; a new session is returned.
    ///
    /// # Errors
    /// The old password is wrong, which counts as a failed log-in; the new one is too short or too long.
    pub async fn change_password(&self, by: &Actor, old: Option<&str>, new: &str) -> Answer<Session> {
        let name = match by {
            Actor::Player { id } => id.to_string(),
            Actor::Staff { id, .. } => id.to_string(),
            Actor::House | Actor::Public => return Err(HouseError::NotLoggedIn),
        };
        let password = hashed(new).await?;
        let _turn = self.inner.log_ins.turn(&name).await;
        let (_, account) = self.known(by).await?;
        if let Some(stored) = &account.password {
            self.prove_own(&name, old.unwrap_or_default(), stored).await?;
        }
        self.note(by, |register| {
            let now = register.account_of(&name).ok_or(HouseError::NotLoggedIn)?;
            if now.password != account.password {
                return Err(HouseError::WrongPassword);
            }
            let password = Some(password.clone());
            let mut facts = vec![HouseFact::PasswordChanged { name: name.clone(), password }];
            // What was tried against the old password does not count against the new one.
            if now.failures > 0 {
                facts.push(HouseFact::LoggedIn { name: name.clone(), address: None });
            }
            Ok(facts)
        })
        .await?;
        self.start_session(by).await
    }

    /// Other duties for a member of staff. Another Shift Manager.
    ///
    /// # Errors
    /// For themselves; no such person; duties that must be separate.
    pub async fn set_duties(&self, by: &Actor, id: &StaffId, duties: &[Duty]) -> Answer<()> {
        for_another(by, id)?;
        let after = Duty::together(duties)?;
        let same = |fact: &HouseFact| matches!(fact, HouseFact::DutiesChanged { id: of, after: to, .. } if of == id && *to == after);
        let change = self.note(by, |register| {
            let (before, _) = member(register, id)?;
            if before == after {
                return Ok(Vec::new());
            }
            Ok(vec![HouseFact::DutiesChanged { id: id.clone(), before, after: after.clone() }])
        });
        self.once(by, None, same, change).await.map(drop)
    }

    /// Suspends a member of staff, and ends their sessions. Another Shift Manager.
    ///
    /// # Errors
    /// For themselves; no such person; suspended already.
    pub async fn suspend(&self, by: &Actor, id: &StaffId, reason: &str) -> Answer<()> {
        for_another(by, id)?;
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(LONGEST_REASON).collect();
        let fact = HouseFact::Suspended { id: id.clone(), reason };
        let change = self.note(by, |register| match member(register, id)? {
            (_, true) => Err(HouseError::NotNow("the account is suspended already")),
            (_, false) => Ok(vec![fact.clone()]),
        });
        self.once(by, None, |made| *made == fact, change).await.map(drop)
    }

    /// Who is suspended now: by whom, when and why, as it was written down then. Shift Manager or auditor.
    pub async fn suspensions(&self, by: &Actor) -> Answer<BTreeMap<StaffId, Suspension>> {
        let mut wanted = self.staff(by).await?;
        wanted.retain(|line| line.suspended);
        let mut found = BTreeMap::new();
        // Suspensions are rare and significant: the newest entries of their kind, a part of the journal at a time.
        let mut before = None;
        while found.len() < wanted.len() {
            let kinds = vec!["suspended".to_owned()];
            let filter =
                EntryFilter { kinds, significant: true, before, limit: MOST, ..EntryFilter::default() };
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

    /// Lets a suspended member of staff in again. Another Shift Manager.
    ///
    /// # Errors
    /// For themselves; no such person; not suspended.
    pub async fn reinstate(&self, by: &Actor, id: &StaffId) -> Answer<()> {
        for_another(by, id)?;
        let fact = HouseFact::Reinstated { id: id.clone() };
        let change = self.note(by, |register| match member(register, id)? {
            (_, false) => Err(HouseError::NotNow("the account is not suspended")),
            (_, true) => Ok(vec![fact.clone()]),
        });
        self.once(by, None, |made| *made == fact, change).await.map(drop)
    }

    /// Ends all sessions and links of an account: one's own, or any as a Shift Manager.
    ///
    /// # Errors
    /// No such person, not their business.
    pub async fn end_sessions(&self, by: &Actor, whom: &Actor) -> Answer<()> {
        if by.label() != whom.label() {
            needs(by, Duty::ShiftManager)?;
        }
        self.known(whom).await?;
        let name = match whom {
            Actor::Player { id } => id.to_string(),
            Actor::Staff { id, .. } => id.to_string(),
            Actor::House | Actor::Public => return Err(HouseError::NotLoggedIn),
        };
        let fact = HouseFact::SessionsEnded { name };
        self.once(by, None, |made| *made == fact, self.note(by, |_| Ok(vec![fact.clone()]))).await.map(drop)
    }
}

/// The duties of a member of staff, and whether they are suspended.
fn member(register: &Register, id: &StaffId) -> Answer<(BTreeSet<Duty>, bool)> {
    let found = register.staff.get(id).ok_or_else(|| HouseError::UnknownStaff(id.clone()))?;
    Ok((found.0.clone(), found.1.suspended))
}
