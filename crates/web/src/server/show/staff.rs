//! Reads what the page of staff accounts shows. It offers only the actions that the house would allow; the house checks again.

use std::collections::BTreeSet;

use baize_house::{Duty, OneTimeLink, StaffLine};

use super::shell;
use crate::pages::actions::Account;
use crate::pages::staff::{self, Member, StaffConfirmation, StaffPage, named};
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
    let suspensions = app.house.suspensions(&visitor.actor).await?;
    let listed = app.house.staff(&visitor.actor).await?;
    let all: Vec<Member> = listed
        .into_iter()
        .map(|line| {
            let suspension = suspensions.get(&line.id).filter(|_| line.suspended).cloned();
            (line, suspension)
        })
        .collect();
    let find = query.text("find").trim().to_lowercase();
    let mut found: Vec<Member> =
        all.iter().filter(|(line, _)| matches(line, &find, query.text("state"))).cloned().collect();
    let more = found.len().saturating_sub(LISTED);
    found.truncate(LISTED);
    let players = app.house.players(&visitor.actor).await?;
    let name = query.text("name");
    let asked: BTreeSet<Duty> = duties(query).unwrap_or_default().into_iter().collect();
    let mut page = StaffPage {
        shell: shell(app, visitor).await?,
        find: shortened(query.text("find").trim()),
        state: query.text("state").chars().take(10).collect(),
        found,
        more,
        all: all.len(),
        member: None,
        confirmation: None,
        link: extra.link.map(|(link, origin)| (format!("{origin}/in/{}", link.secret), link.expires)),
        done: None,
        problem: extra.problem,
        new: (shortened(query.text("new")), asked.clone()),
        locked_players: players.iter().filter(|line| line.locked).map(|line| line.id.clone()).collect(),
    };
    if let Some(member) = all.into_iter().find(|(line, _)| line.id.as_str() == name) {
        page.done = done(query, &member.0);
        let changes = page.manages() && matches!(query.action(), Ok(Account::Duties));
        let ticked = if changes { asked } else { member.0.duties.clone() };
        apply_action(query, visitor, &member.0, &mut page);
        page.member = Some((member, ticked));
    } else if !name.is_empty() {
        page.problem = Some(("find", format!("There is no member of staff {}.", shortened(name))));
    } else if let Some(line) = players.iter().find(|line| line.id.as_str() == query.text("unlocked")) {
        page.done = (!line.locked).then(|| format!("{} can log in again.", line.id));
    }
    Ok(staff::page(&page))
}

fn matches(line: &StaffLine, find: &str, state: &str) -> bool {
    let texts = [line.id.to_string(), named(&line.duties), line.name.clone().unwrap_or_default()];
    let found = texts.iter().any(|text| text.to_lowercase().contains(find));
    found
        && match state {
            "active" => !line.locked && !line.suspended,
            "suspended" => line.suspended,
            "locked" => line.locked,
            _ => true,
        }
}

/// Adds to the page what the action in the query needs: a confirmation, or why it is not possible.
fn apply_action(query: &Form, visitor: &Visitor, line: &StaffLine, page: &mut StaffPage) {
    if !page.manages() {
        return;
    }
    let refused = page.problem.is_some();
    let confirmation = match query.action() {
        Ok(Account::Duties) => match duties(query).and_then(|duties| Ok(Duty::together(&duties)?)) {
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
            Ok(after) => Some(StaffConfirmation::Duties(after)),
        },
        Ok(Account::Suspend) if !line.suspended => {
            Some(StaffConfirmation::Suspend { reason: query.text("reason").chars().take(200).collect() })
        }
        Ok(Account::EndSessions) => Some(StaffConfirmation::EndSessions),
        _ => None,
    };
    // Of their own account, readers can only end the sessions.
    let own = visitor.name() == Some(line.id.as_str());
    page.confirmation = confirmation.filter(|one| !own || *one == StaffConfirmation::EndSessions);
}

/// A message about what was done, if it is still the case.
fn done(query: &Form, line: &StaffLine) -> Option<String> {
    let name = &line.id;
    match query.text("done") {
        "made" => Some(format!("The account {name} was created.")),
        "duties" => Some(format!("{name} is now {} and must log in again.", named(&line.duties))),
        "suspended" if line.suspended => Some(format!("{name} is suspended and logged out.")),
        "reinstated" if !line.suspended => Some(format!("{name} is reinstated.")),
        "unlocked" if !line.locked => Some(format!("{name} can log in again.")),
        "name" => Some(format!("{name} is now shown as {}.", line.name.as_deref().unwrap_or(name.as_str()))),
        "ended" => Some(format!("All sessions of {name} have ended.")),
        _ => None,
    }
}
