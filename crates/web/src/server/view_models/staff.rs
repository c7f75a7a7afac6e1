//! The view model of staff accounts. It computes which actions the house would allow, so that the page offers only those; the house checks again.

use std::collections::{BTreeMap, BTreeSet};

use baize_house::{Actor, Duty, OneTimeLink, StaffId, StaffLine, Suspension};

use super::shell;
use crate::pages::actions::Account;
use crate::pages::model::{
    DutyChoice, StaffConfirmation, StaffLink, StaffMember, StaffPage, StaffRow, StaffSuspended,
};
use crate::pages::staff;
use crate::server::app::App;
use crate::server::body::{Form, shortened};
use crate::server::fault::{Fault, sentence};
use crate::server::visitor::Visitor;

/// Maximum number of accounts listed.
const LISTED: usize = 100;

/// Fails unless the visitor is a Shift Manager or an auditor.
pub(crate) fn require_reader(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.actor.may(Duty::Auditor) { Ok(()) } else { require_manager(visitor) }
}

/// Fails unless the visitor is a Shift Manager.
pub(crate) fn require_manager(visitor: &Visitor) -> Result<(), Fault> {
    visitor.require_login()?;
    Ok(visitor.require(Duty::ShiftManager)?)
}

/// What a duty allows. Each position on the floor includes those before it.
const fn may_do(duty: Duty) -> &'static str {
    match duty {
        Duty::Dealer => "deals at a table's console and reports irregularities.",
        Duty::PitSupervisor => {
            "also has the pit board: gives rulings, verifies jackpot awards, sets who deals and from which shoe."
        }
        Duty::PitManager => {
            "also gives the rulings that need a manager, closes and opens tables, sets limits, proposes parameters of jackpots, reads reports."
        }
        Duty::ShiftManager => {
            "also sets up tables and jackpots, approves parameters, manages the accounts of staff."
        }
        Duty::Cage => "sells chips, buys them back and registers players. No other duties.",
        Duty::Auditor => "reads all that is on record and changes nothing. No other duties.",
    }
}

/// All duties, with these ticked.
fn choices(ticked: &BTreeSet<Duty>) -> Vec<DutyChoice> {
    let choice = |duty: Duty| DutyChoice {
        code: duty.code(),
        name: duty.name(),
        may: may_do(duty),
        ticked: ticked.contains(&duty),
    };
    Duty::ALL.map(choice).to_vec()
}

/// The names of duties, for display.
fn names(duties: &BTreeSet<Duty>) -> String {
    duties.iter().map(|duty| duty.name()).collect::<Vec<_>>().join(", ")
}

/// The duties in a form or an address.
pub(crate) fn duties(form: &Form) -> Result<Vec<Duty>, Fault> {
    let one = |code: &str| {
        let known = || Duty::ALL.map(Duty::code).join(", ");
        let unknown = || Fault::unreadable(format!("unknown duty `{}`; use {}", shortened(code), known()));
        Duty::from_code(code).ok_or_else(unknown)
    };
    form.values("duty").map(one).collect()
}

/// What a form adds to the page.
#[derive(Default)]
pub(crate) struct Extra {
    /// The form that was refused, and why.
    pub(crate) problem: Option<(&'static str, String)>,
    /// A link that was just made, and the casino's origin.
    pub(crate) link: Option<(OneTimeLink, String)>,
}

/// The page.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    query: &Form,
    extra: Extra,
) -> Result<maud::Markup, Fault> {
    require_reader(visitor)?;
    let gaming = app.config.gaming_day;
    let all = app.house.staff(&visitor.actor).await?;
    let suspensions = app.house.suspensions(&visitor.actor).await?;
    let rows: Vec<StaffRow> = all.iter().map(|line| row(app, visitor, line, &suspensions)).collect();
    let find = query.text("find").trim().to_lowercase();
    let mut found: Vec<StaffRow> =
        rows.iter().filter(|row| matches(row, &find, query.text("state"))).cloned().collect();
    let more = found.len().saturating_sub(LISTED);
    found.truncate(LISTED);
    let players = app.house.players(&visitor.actor).await?;
    let name = query.text("name");
    let mut page = StaffPage {
        manages: visitor.actor.may(Duty::ShiftManager),
        find: shortened(query.text("find").trim()),
        state: query.text("state").chars().take(10).collect(),
        more,
        all: rows.len(),
        problem: extra.problem,
        new_name: shortened(query.text("new")),
        new_choices: choices(&duties(query).unwrap_or_default().into_iter().collect()),
        locked_players: players.iter().filter(|line| line.locked).map(|line| line.id.to_string()).collect(),
        ..StaffPage::default()
    };
    let chosen = all.iter().zip(&rows).find(|(line, _)| line.id.as_str() == name);
    if let Some((line, row)) = chosen {
        page.done = done(query, row);
        page.member = Some(member(line, row.clone()));
        apply_action(query, line, &mut page);
    } else if !name.is_empty() {
        page.problem = Some(("find", format!("There is no member of staff {}.", shortened(name))));
    } else if let Some(line) = players.iter().find(|line| line.id.as_str() == query.text("unlocked")) {
        page.done = (!line.locked).then(|| format!("{} can log in again.", line.id));
    }
    page.link = extra.link.map(|(link, origin)| StaffLink {
        address: format!("{origin}/in/{}", link.secret),
        until: format!("{} UTC{}", gaming.local(link.expires), gaming.utc_offset),
    });
    page.rows = found;
    page.shell = shell(app, visitor).await?;
    Ok(staff::page(&page))
}

fn matches(row: &StaffRow, find: &str, state: &str) -> bool {
    let shown = row.shown.clone().unwrap_or_default();
    let found = [&row.name, &row.duties, &shown].iter().any(|text| text.to_lowercase().contains(find));
    let suspended = row.suspended.is_some();
    found
        && match state {
            "active" => !row.locked && !suspended,
            "suspended" => suspended,
            "locked" => row.locked,
            _ => true,
        }
}

fn row(
    app: &App,
    visitor: &Visitor,
    line: &StaffLine,
    suspensions: &BTreeMap<StaffId, Suspension>,
) -> StaffRow {
    let gaming = app.config.gaming_day;
    // If they were suspended after the suspensions were read, the next page shows the reason.
    let suspended = suspensions.get(&line.id).filter(|_| line.suspended);
    let shown = |of: &Suspension| StaffSuspended {
        reason: of.reason.clone(),
        by: of.by.strip_prefix("staff:").unwrap_or(&of.by).to_owned(),
        when: format!("{} UTC{}", gaming.local(of.at), gaming.utc_offset),
    };
    let unknown = || StaffSuspended { reason: String::new(), by: String::new(), when: String::new() };
    StaffRow {
        name: line.id.to_string(),
        shown: line.name.clone(),
        duties: names(&line.duties),
        locked: line.locked,
        suspended: line.suspended.then(|| suspended.map_or_else(unknown, shown)),
        you: visitor.name() == Some(line.id.as_str()),
    }
}

fn member(line: &StaffLine, row: StaffRow) -> StaffMember {
    let whom = Actor::staff(line.id.clone(), line.duties.iter().copied());
    let not_by_you =
        row.you.then(|| "you cannot change your own account; ask another Shift Manager".to_owned());
    let no_link = if whom.may(Duty::PitSupervisor) || whom.may(Duty::Auditor) {
        Some("links for the pit and for auditors are made at the casino's console")
    } else if line.suspended {
        Some("they are suspended; reinstate them first")
    } else {
        None
    };
    StaffMember { row, choices: choices(&line.duties), not_by_you, no_link: no_link.map(ToOwned::to_owned) }
}

/// Adds to the page what the action in the query needs: a confirmation, or why it is not possible.
fn apply_action(query: &Form, line: &StaffLine, page: &mut StaffPage) {
    let Some(member) = page.member.as_mut().filter(|_| page.manages) else { return };
    let refused = page.problem.is_some();
    let confirmation = match query.action() {
        Ok(Account::Duties) => {
            let wanted = duties(query).and_then(|duties| Ok(Duty::together(&duties)?));
            let ticked: BTreeSet<Duty> = duties(query).unwrap_or_default().into_iter().collect();
            member.choices = choices(&ticked);
            match wanted {
                _ if refused => None,
                Err(fault) => {
                    page.problem = Some((Account::Duties.code(), sentence(&fault.words())));
                    None
                }
                Ok(after) if after == line.duties => {
                    page.problem =
                        Some((Account::Duties.code(), format!("{} has these duties already.", line.id)));
                    None
                }
                Ok(after) => {
                    Some(StaffConfirmation::Duties { before: names(&line.duties), after: names(&after) })
                }
            }
        }
        Ok(Account::Suspend) if !line.suspended => {
            Some(StaffConfirmation::Suspend { reason: query.text("reason").chars().take(200).collect() })
        }
        Ok(Account::EndSessions) => Some(StaffConfirmation::EndSessions),
        _ => None,
    };
    // Of their own account, readers can only end the sessions.
    page.confirmation =
        confirmation.filter(|one| member.not_by_you.is_none() || *one == StaffConfirmation::EndSessions);
}

/// A message about what was done, if it is still the case.
fn done(query: &Form, row: &StaffRow) -> Option<String> {
    let name = &row.name;
    match query.text("done") {
        "made" => Some(format!("The account {name} was created.")),
        "duties" => Some(format!("{name} is now {} and must log in again.", row.duties)),
        "suspended" if row.suspended.is_some() => Some(format!("{name} is suspended and logged out.")),
        "reinstated" if row.suspended.is_none() => Some(format!("{name} is reinstated.")),
        "unlocked" if !row.locked => Some(format!("{name} can log in again.")),
        "name" => Some(format!("{name} is now shown as {}.", row.shown.as_deref().unwrap_or(name))),
        "ended" => Some(format!("All sessions of {name} have ended.")),
        _ => None,
    }
}
