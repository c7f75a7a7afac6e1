//! The register: accounts, tables, jackpots and rulebooks of the house, replayed from the house's own chain.

use std::collections::{BTreeMap, BTreeSet};

use baize_rules::Money;
use serde::{Deserialize, Serialize};

use crate::facts::HouseFact;
use crate::house::left;
use crate::journal::Head;
use crate::rulebooks::Rulebooks;
use crate::{Date, Duty, Instant, JackpotId, MoneyKind, OwnRules, PlayerId, StaffId, TableId};

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
