//! The page of the accounts of staff. What can be done to an account is foreseen here from what the house says of it, so that the page
//! offers no more; the house decides anyway.

use std::collections::{BTreeMap, BTreeSet};

use baize_house::{Actor, Duty, HouseError, OneTimeLink, StaffId, StaffLine, Suspension};
use baize_rules::Cites;

use super::shell;
use crate::pages::deeds::Account;
use crate::pages::model::{
    DutyChoice, StaffAsk, StaffLink, StaffMember, StaffPage, StaffRow, StaffSuspended,
};
use crate::pages::staff;
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::{Fault, sentence};
use crate::server::visitor::Visitor;

/// Accounts that are listed at once.
const LISTED: usize = 100;

/// Only Shift Managers and auditors come here.
pub(crate) fn may(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.actor.may(Duty::Auditor) { Ok(()) } else { manages(visitor) }
}

/// Only Shift Managers change something.
pub(crate) fn manages(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.actor.may(Duty::ShiftManager) {
        return Ok(());
    }
    if visitor.actor == Actor::Public {
        return Err(HouseError::NotLoggedIn.into());
    }
    Err(HouseError::Forbidden { needs: Duty::ShiftManager, cites: Cites::NONE }.into())
}

/// What a duty allows. Each position on the floor is above those before it.
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

/// Duties for people.
fn names(duties: &BTreeSet<Duty>) -> String {
    duties.iter().map(|duty| duty.name()).collect::<Vec<_>>().join(", ")
}

/// The duties that a form or an address names.
pub(crate) fn duties(form: &Form) -> Result<Vec<Duty>, Fault> {
    let one = |code: &str| {
        let short: String = code.chars().take(40).collect();
        let known = || Duty::ALL.map(Duty::code).join(", ");
        Duty::from_code(code)
            .ok_or_else(|| Fault::unreadable(format!("`{short}` is no duty: there are {}", known())))
    };
    form.texts("duty").map(one).collect()
}

/// What the page tells beside what is so.
#[derive(Default)]
pub(crate) struct Told {
    /// What was refused: which form, and why.
    pub(crate) problem: Option<(&'static str, String)>,
    /// A link that was just made, and where the casino is.
    pub(crate) link: Option<(OneTimeLink, String)>,
}

/// The page.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    asked: &Form,
    told: Told,
) -> Result<maud::Markup, Fault> {
    may(visitor)?;
    let gaming = app.config.gaming_day;
    let all = app.house.staff(&visitor.actor).await?;
    let suspensions = app.house.suspensions(&visitor.actor).await?;
    let rows: Vec<StaffRow> = all.iter().map(|line| row(app, visitor, line, &suspensions)).collect();
    let find = asked.text("find").trim().to_lowercase();
    let mut found: Vec<StaffRow> =
        rows.iter().filter(|row| matches(row, &find, asked.text("state"))).cloned().collect();
    let more = found.len().saturating_sub(LISTED);
    found.truncate(LISTED);
    let players = app.house.players(&visitor.actor).await?;
    let name = asked.text("name");
    let mut page = StaffPage {
        manages: visitor.actor.may(Duty::ShiftManager),
        find: asked.text("find").trim().chars().take(40).collect(),
        state: asked.text("state").chars().take(10).collect(),
        more,
        all: rows.len(),
        problem: told.problem,
        new_name: asked.text("new").chars().take(40).collect(),
        new_choices: choices(&duties(asked).unwrap_or_default().into_iter().collect()),
        locked_players: players.iter().filter(|line| line.locked).map(|line| line.id.to_string()).collect(),
        ..StaffPage::default()
    };
    let chosen = all.iter().zip(&rows).find(|(line, _)| line.id.as_str() == name);
    if let Some((line, row)) = chosen {
        page.done = done(asked, row);
        page.member = Some(member(line, row.clone()));
        step(asked, line, &mut page);
    } else if !name.is_empty() {
        let short: String = name.chars().take(40).collect();
        page.problem = Some(("find", format!("There is no member of staff {short}.")));
    } else if let Some(line) = players.iter().find(|line| line.id.as_str() == asked.text("unlocked")) {
        page.done = (!line.locked).then(|| format!("{} can log in again.", line.id));
    }
    page.link = told.link.map(|(link, origin)| StaffLink {
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
    // A person may be suspended while the page is made; the next page shows the reason.
    let suspended = suspensions.get(&line.id).filter(|_| line.suspended);
    let told = |of: &Suspension| StaffSuspended {
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
        suspended: line.suspended.then(|| suspended.map_or_else(unknown, told)),
        you: visitor.name() == Some(line.id.as_str()),
    }
}

fn member(line: &StaffLine, row: StaffRow) -> StaffMember {
    let whom = Actor::staff(line.id.clone(), line.duties.iter().copied());
    let not_by_you = row.you.then(|| "nobody does this for themselves; ask another Shift Manager".to_owned());
    let no_link = if whom.may(Duty::PitSupervisor) || whom.may(Duty::Auditor) {
        Some("links for the pit and the auditor are made at the casino's console")
    } else if line.suspended {
        Some("they are suspended; reinstate them first")
    } else {
        None
    };
    StaffMember { row, choices: choices(&line.duties), not_by_you, no_link: no_link.map(ToOwned::to_owned) }
}

/// What is to be confirmed, or why it cannot be done.
fn step(asked: &Form, line: &StaffLine, page: &mut StaffPage) {
    let Some(member) = page.member.as_mut().filter(|_| page.manages) else { return };
    let refused = page.problem.is_some();
    let asks = match asked.deed() {
        Ok(Account::Duties) => {
            let wanted = duties(asked).and_then(|duties| Ok(Duty::together(&duties)?));
            let ticked: BTreeSet<Duty> = duties(asked).unwrap_or_default().into_iter().collect();
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
                Ok(after) => Some(StaffAsk::Duties { before: names(&line.duties), after: names(&after) }),
            }
        }
        Ok(Account::Suspend) if !line.suspended => {
            Some(StaffAsk::Suspend { reason: asked.text("reason").chars().take(200).collect() })
        }
        Ok(Account::EndSessions) => Some(StaffAsk::EndSessions),
        _ => None,
    };
    // Sessions of their own anybody ends; the rest is another's.
    page.ask = asks.filter(|ask| member.not_by_you.is_none() || *ask == StaffAsk::EndSessions);
}

/// What was done, as long as it is still so.
fn done(asked: &Form, row: &StaffRow) -> Option<String> {
    let name = &row.name;
    match asked.text("done") {
        "made" => Some(format!("{name} has an account.")),
        "duties" => Some(format!("{name} is {} now, and logs in again.", row.duties)),
        "suspended" if row.suspended.is_some() => Some(format!("{name} is suspended and out.")),
        "reinstated" if row.suspended.is_none() => Some(format!("{name} is reinstated.")),
        "unlocked" if !row.locked => Some(format!("{name} can log in again.")),
        "name" => Some(format!("{name} has the name {} now.", row.shown.as_deref().unwrap_or(name))),
        "ended" => Some(format!("All sessions of {name} have ended.")),
        _ => None,
    }
}
