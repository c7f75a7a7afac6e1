//! What the house keeps in memory: for each table and jackpot the state at its last entry, one writer at a time, and a copy for readers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

use baize_jackpot::{Jackpot, Status};
use baize_rules::Money;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::facts::HouseFact;
use crate::house::left;
use crate::journal::Head;
use crate::live::LiveTable;
use crate::presence::Presence;
use crate::rulebooks::Rulebooks;
use crate::shoe::{Shuffled, Shuffler};
use crate::{Date, Duty, Instant, JackpotId, MoneyKind, OwnRules, PlayerId, StaffId, TableId};

/// A copy for readers that is replaced whole.
#[derive(Debug)]
pub(crate) struct Shown<T>(RwLock<Arc<T>>);

impl<T> Shown<T> {
    pub(crate) fn new(value: T) -> Shown<T> {
        Shown(RwLock::new(Arc::new(value)))
    }

    pub(crate) fn get(&self) -> Arc<T> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn set(&self, value: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
    }
}

/// A table for its writer.
pub(crate) struct TableWork {
    /// Shared with the readers until the next entry.
    pub(crate) live: Arc<LiveTable>,
    pub(crate) head: Head,
    /// The deck of the round that is open or comes next, with the number of that round.
    pub(crate) deck: Option<(u32, Shuffled)>,
    pub(crate) shuffler: Shuffler,
    /// The journal may have gone on: read before writing.
    pub(crate) stale: bool,
    /// Entries of another host were read, and its jackpot may have gone on with them: read that too before it is asked. A turn that only asks
    /// writes nothing to the jackpot's chain, so that no conflict would tell.
    pub(crate) jackpot_behind: bool,
}

/// A table for its readers.
#[derive(Debug, Clone)]
pub(crate) struct TableShown {
    pub(crate) live: Arc<LiveTable>,
    pub(crate) version: u64,
    /// The record is damaged: why.
    pub(crate) halted: Option<String>,
}

pub(crate) struct TableSlot {
    pub(crate) id: TableId,
    pub(crate) work: Mutex<TableWork>,
    pub(crate) shown: Shown<TableShown>,
    pub(crate) presence: Presence,
}

impl TableSlot {
    pub(crate) fn new(live: LiveTable) -> TableSlot {
        let live = Arc::new(live);
        let shown = TableShown { live: Arc::clone(&live), version: 0, halted: None };
        TableSlot {
            id: live.id.clone(),
            work: Mutex::new(TableWork {
                live,
                head: Head::default(),
                deck: None,
                shuffler: Shuffler::new(),
                stale: true,
                jackpot_behind: true,
            }),
            shown: Shown::new(shown),
            presence: Presence::default(),
        }
    }

    pub(crate) fn publish(&self, work: &TableWork) {
        let live = Arc::clone(&work.live);
        self.shown.set(TableShown { live, version: work.head.version, halted: None });
    }

    pub(crate) fn halt(&self, why: &str) {
        let shown = self.shown.get();
        self.shown.set(TableShown { halted: Some(why.to_owned()), ..(*shown).clone() });
    }
}

/// A jackpot for its writer.
pub(crate) struct JackpotWork {
    /// Shared with the readers and with turns until the next entry.
    pub(crate) state: Arc<Jackpot>,
    pub(crate) head: Head,
    pub(crate) stale: bool,
}

/// A jackpot for its readers.
#[derive(Debug, Clone)]
pub(crate) struct JackpotShown {
    pub(crate) state: Arc<Jackpot>,
    pub(crate) version: u64,
    pub(crate) stopped: Option<String>,
}

pub(crate) struct JackpotSlot {
    pub(crate) id: JackpotId,
    /// Shared, so that a lock can be handed on and let go before the database answers.
    pub(crate) work: Arc<Mutex<JackpotWork>>,
    pub(crate) shown: Shown<JackpotShown>,
}

impl JackpotSlot {
    pub(crate) fn new(id: JackpotId) -> JackpotSlot {
        JackpotSlot {
            id,
            work: Arc::new(Mutex::new(JackpotWork {
                state: Arc::default(),
                head: Head::default(),
                stale: true,
            })),
            shown: Shown::new(JackpotShown { state: Arc::default(), version: 0, stopped: None }),
        }
    }

    /// Shows a state that is written, unless a later one is shown already.
    pub(crate) fn publish(&self, state: &Arc<Jackpot>, version: u64) {
        if self.shown.get().version < version {
            let closed = match &state.status {
                Status::Closed(into) => Some(format!("it is closed, and its pools went to {into}")),
                Status::Unopened | Status::Open => None,
            };
            let stopped = state.reconcile().err().map(|imbalance| imbalance.to_string()).or(closed);
            self.shown.set(JackpotShown { state: Arc::clone(state), version, stopped });
        }
    }

    pub(crate) fn stop(&self, why: &str) {
        let shown = self.shown.get();
        self.shown.set(JackpotShown { stopped: Some(why.to_owned()), ..(*shown).clone() });
    }
}

/// An account of somebody who can log in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Account {
    /// The hash of the password; without one only links let in.
    pub(crate) password: Option<String>,
    pub(crate) failures: u32,
    pub(crate) locked: bool,
    /// Staff who are suspended are let in by nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) suspended: bool,
    /// How often all sessions and links were ended: one that was given before the last time is worth nothing.
    #[serde(default)]
    pub(crate) ended: u32,
    /// Who has made a link or chosen a password for them: `staff:sue`. They can be in their place, and do not count as another person.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) let_in_by: BTreeSet<String>,
    /// No password is tried until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) waits_until: Option<Instant>,
    /// What a player plays with, where the house's chain says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) money: Option<MoneyKind>,
    /// What a player has set for themself.
    #[serde(default, skip_serializing_if = "OwnRules::is_none")]
    pub(crate) own: OwnRules,
}

impl Account {
    /// How many seconds no password is tried.
    pub(crate) fn waits(&self, now: Instant) -> Option<u32> {
        left(self.waits_until, now)
    }
}

/// What the house's own chain has made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Register {
    pub(crate) rulebooks: Rulebooks,
    pub(crate) tables: Vec<TableId>,
    pub(crate) jackpots: Vec<JackpotId>,
    pub(crate) staff: BTreeMap<StaffId, (BTreeSet<Duty>, Account)>,
    pub(crate) players: BTreeMap<PlayerId, Account>,
    /// Jackpots for cash; all others are for practice.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) cash_jackpots: BTreeSet<JackpotId>,
    /// The key that decks and sessions are sealed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    /// Who asked for what only hidden cards could tell: since when and how often.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attempts: BTreeMap<String, (Instant, u32)>,
    /// Names as people write them, by log-in.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) names: BTreeMap<String, String>,
    /// Documents that cashiers have seen.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) identified: BTreeMap<PlayerId, String>,
    /// Cash transaction reports that are not filed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) cash_reports: BTreeSet<(Date, PlayerId)>,
    /// What the last count left in each cashier's drawer, and the last movement that it knew.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) drawers: BTreeMap<StaffId, (Money, u64)>,
}

impl Register {
    /// Takes up what happened.
    pub fn apply(&mut self, fact: &HouseFact) {
        match fact {
            HouseFact::Started { .. }
            | HouseFact::Stopped
            | HouseFact::Sealed { .. }
            | HouseFact::ConsoleUsed { .. }
            | HouseFact::ClockJumped { .. }
            | HouseFact::DatabaseAccepted { .. }
            | HouseFact::Restored { .. }
            | HouseFact::LinkRedeemed { .. } => {}
            HouseFact::LinkIssued { whom, by } => {
                if let Some(name) = whom.strip_prefix("staff:").filter(|_| by.starts_with("staff:")) {
                    self.account(name, |account| account.let_in_by.extend([by.clone()]));
                }
            }
            HouseFact::NameGiven { login, name } => {
                self.names.insert(login.clone(), name.clone());
            }
            HouseFact::PlayerIdentified { player, document } => {
                self.identified.insert(player.clone(), document.clone());
            }
            HouseFact::CashReportDue { player, day } => {
                self.cash_reports.insert((*day, player.clone()));
            }
            HouseFact::CashReportFiled { player, day, .. } => {
                self.cash_reports.remove(&(*day, player.clone()));
            }
            HouseFact::DrawerCounted { cashier, kept, through, .. } => {
                self.drawers.insert(cashier.clone(), (*kept, *through));
            }
            HouseFact::KeyTaken { key, .. } => self.key = Some(key.clone()),
            HouseFact::AttemptNoted { by, since, count, .. } => {
                self.attempts.insert(by.clone(), (*since, *count));
            }
            HouseFact::RulebookRecorded { hash, text } => self.rulebooks.record(hash, text),
            HouseFact::TableCreated { table } => self.tables.push(table.clone()),
            HouseFact::JackpotCreated { config } => {
                self.jackpots.push(config.id.clone());
                if config.money == MoneyKind::Cash {
                    self.cash_jackpots.insert(config.id.clone());
                }
            }
            HouseFact::StaffCreated { id, duties, password, by } => {
                let let_in_by = by.iter().cloned().collect();
                let account = Account { password: password.clone(), let_in_by, ..Account::default() };
                self.staff.insert(id.clone(), (duties.clone(), account));
            }
            HouseFact::PlayerCreated { id, password, money } => {
                let account = Account { password: password.clone(), money: *money, ..Account::default() };
                self.players.insert(id.clone(), account);
            }
            HouseFact::LogInFailed { name, .. } => self.account(name, |account| account.failures += 1),
            HouseFact::Locked { name, until } => self.account(name, |account| {
                account.locked = true;
                account.waits_until = *until;
            }),
            HouseFact::LoggedIn { name, .. } | HouseFact::Unlocked { name } => {
                self.account(name, |account| {
                    (account.locked, account.failures, account.waits_until) = (false, 0, None);
                })
            }
            HouseFact::PasswordChanged { name, password } => self.account(name, |account| {
                account.password.clone_from(password);
                account.ended += 1;
            }),
            HouseFact::DutiesChanged { id, after, .. } => {
                if let Some((duties, account)) = self.staff.get_mut(id) {
                    duties.clone_from(after);
                    account.ended += 1;
                }
            }
            HouseFact::Suspended { id, .. } => self.account(id.as_str(), |account| {
                account.suspended = true;
                account.ended += 1;
            }),
            HouseFact::Reinstated { id } => self.account(id.as_str(), |account| account.suspended = false),
            HouseFact::SessionsEnded { name } => self.account(name, |account| account.ended += 1),
            HouseFact::OwnLimitsSet { player, limits, later } => self.account(player.as_str(), |account| {
                (account.own.limits, account.own.later) = (*limits, *later);
            }),
            HouseFact::BreakTaken { player, until } => {
                self.account(player.as_str(), |account| account.own.break_until = Some(*until))
            }
        }
    }

    fn account(&mut self, name: &str, change: impl FnOnce(&mut Account)) {
        if let Some((_, account)) = name.parse::<StaffId>().ok().and_then(|id| self.staff.get_mut(&id)) {
            change(account);
        } else if let Some(account) = name.parse::<PlayerId>().ok().and_then(|id| self.players.get_mut(&id)) {
            change(account);
        }
    }

    /// The account of this name.
    pub(crate) fn account_of(&self, name: &str) -> Option<&Account> {
        let staff = self.staff.iter().find(|(id, _)| id.as_str() == name).map(|(_, (_, account))| account);
        staff.or_else(|| self.players.iter().find(|(id, _)| id.as_str() == name).map(|(_, account)| account))
    }

    /// What a jackpot is for.
    pub(crate) fn money_of_jackpot(&self, id: &JackpotId) -> MoneyKind {
        if self.cash_jackpots.contains(id) { MoneyKind::Cash } else { MoneyKind::Practice }
    }

    /// Whether somebody has this name. Staff and players log in at the same door.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        let staff = self.staff.keys().any(|id| id.as_str().eq_ignore_ascii_case(name));
        staff || self.players.keys().any(|id| id.as_str().eq_ignore_ascii_case(name))
    }
}

/// The register for its writer.
pub(crate) struct RegisterWork {
    pub(crate) register: Register,
    pub(crate) head: Head,
    pub(crate) stale: bool,
}
