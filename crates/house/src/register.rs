//! The register: accounts, tables, jackpots and rulebooks, replayed from the house's own chain.

use std::collections::{BTreeMap, BTreeSet};

use baize_rules::Money;
use serde::{Deserialize, Serialize};

use crate::facts::HouseFact;
use crate::house::seconds_left;
use crate::journal::Head;
use crate::rulebooks::Rulebooks;
use crate::{Date, Duty, Instant, JackpotId, MoneyKind, OwnRules, PlayerId, StaffId, TableId};

/// An account of a player or a member of staff.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Account {
    /// The hash of the password. Without one, the person logs in with links only.
    pub(crate) password: Option<String>,
    pub(crate) failures: u32,
    pub(crate) locked: bool,
    /// A suspended account cannot log in, neither by password nor by link.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) suspended: bool,
    /// How often all sessions and links were ended. A session or link issued at a lower count is invalid.
    #[serde(default)]
    pub(crate) ended: u32,
    /// Staff who made a link or chose a password for this person: `staff:sue`. They do not count as a second person beside them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) let_in_by: BTreeSet<String>,
    /// Password log-ins are delayed until this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) waits_until: Option<Instant>,
    /// Practice or cash, if the house's chain says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) money: Option<MoneyKind>,
    /// A player's own limits and break.
    #[serde(default, skip_serializing_if = "OwnRules::is_none")]
    pub(crate) own: OwnRules,
}

impl Account {
    /// Seconds until a password is tested again, if log-ins are delayed.
    pub(crate) fn waits(&self, now: Instant) -> Option<u32> {
        seconds_left(self.waits_until, now)
    }
}

/// The state of the house's own chain.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Register {
    pub(crate) rulebooks: Rulebooks,
    pub(crate) tables: Vec<TableId>,
    pub(crate) jackpots: Vec<JackpotId>,
    pub(crate) staff: BTreeMap<StaffId, (BTreeSet<Duty>, Account)>,
    pub(crate) players: BTreeMap<PlayerId, Account>,
    /// Jackpots for cash; the others are for practice.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) cash_jackpots: BTreeSet<JackpotId>,
    /// The id of the house's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    /// Attempts to learn hidden cards, by actor: since when and how many.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attempts: BTreeMap<String, (Instant, u32)>,
    /// Display names by log-in name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) names: BTreeMap<String, String>,
    /// Identity documents that cashiers have checked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) identified: BTreeMap<PlayerId, String>,
    /// Cash transaction reports that are due.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) cash_reports: BTreeSet<(Date, PlayerId)>,
    /// For each cashier's drawer, the amount kept at the last count and the number of the last entry included.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) drawers: BTreeMap<StaffId, (Money, u64)>,
}

impl Register {
    /// Applies a fact.
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

    /// The account with this log-in name.
    pub(crate) fn account_of(&self, name: &str) -> Option<&Account> {
        let staff = self.staff.iter().find(|(id, _)| id.as_str() == name).map(|(_, (_, account))| account);
        staff.or_else(|| self.players.iter().find(|(id, _)| id.as_str() == name).map(|(_, account)| account))
    }

    /// Whether a jackpot is for practice or cash.
    pub(crate) fn money_of_jackpot(&self, id: &JackpotId) -> MoneyKind {
        if self.cash_jackpots.contains(id) { MoneyKind::Cash } else { MoneyKind::Practice }
    }

    /// Whether the log-in name is taken, ignoring case. Staff and players share one namespace.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        let staff = self.staff.keys().any(|id| id.as_str().eq_ignore_ascii_case(name));
        staff || self.players.keys().any(|id| id.as_str().eq_ignore_ascii_case(name))
    }
}

/// The register's state for its writer.
pub(crate) struct RegisterWork {
    pub(crate) register: Register,
    pub(crate) head: Head,
    pub(crate) stale: bool,
}
