//! The page of staff accounts, and its forms. A refusal appears beside its form. A log-in link is shown once, in the response to its form, and
//! is in no address.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use baize_house::{Actor, HouseError, StaffId};

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, PageResult, html};
use super::show::staff::{self, Extra, duties, require_manager};
use super::visitor::Visitor;
use crate::pages::actions::Account;

/// `GET /staff`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor, Query(query): Query) -> PageResult {
    Ok(html(&staff::page(&app, &visitor, &query, Extra::default()).await?))
}

/// The page with the fault beside its form.
async fn refused(app: &App, visitor: &Visitor, form: &Form, at: &'static str, fault: Fault) -> PageResult {
    let extra = Extra { problem: Some((at, fault.sentence())), link: None };
    Ok(fault.with_page(&staff::page(app, visitor, form, extra).await?))
}

/// `POST /staff`: creates an account and opens it.
pub(crate) async fn create(State(app): State<App>, visitor: Visitor, form: Form) -> PageResult {
    require_manager(&visitor)?;
    let created = async {
        let id: StaffId = form.text("new").trim().parse()?;
        let password = Some(form.text("password")).filter(|password| !password.is_empty());
        let house = app.house_for(&form)?;
        house.create_staff(&visitor.actor, &id, password, &duties(&form)?).await?;
        if form.has("shown") {
            let house = app.house.for_request(Some(form.command_id("name")?), None);
            house.give_name(&visitor.actor, id.as_str(), form.text("shown")).await?;
        }
        Ok(id)
    };
    match created.await {
        Ok(id) => Ok(visitor.redirect(&format!("/staff?name={id}&done=made"))),
        Err(fault) => refused(&app, &visitor, &form, "new", fault).await,
    }
}

/// `POST /staff/do`: changes an account. Sent twice, it acts once.
pub(crate) async fn act(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Form,
) -> PageResult {
    require_manager(&visitor)?;
    if form.has("player") {
        return unlock_player(&app, &visitor, &form).await;
    }
    let id: StaffId = form.text("name").parse()?;
    let whom = Actor::staff(id.clone(), []);
    let (by, house) = (&visitor.actor, app.house_for(&form)?);
    let what: Account = form.action()?;
    let (done, result) = match what {
        Account::Duties => {
            let result = match duties(&form) {
                Ok(duties) => house.set_duties(by, &id, &duties).await.map_err(Fault::from),
                Err(fault) => Err(fault),
            };
            ("duties", result)
        }
        Account::Suspend => ("suspended", suspend(&house, by, &id, form.text("reason")).await),
        Account::Reinstate => ("reinstated", house.reinstate(by, &id).await.map_err(Fault::from)),
        Account::EndSessions => ("ended", house.end_sessions(by, &whom).await.map_err(Fault::from)),
        Account::Name => {
            let given = house.give_name(by, id.as_str(), form.text("shown")).await;
            ("name", given.map_err(Fault::from))
        }
        Account::Unlock => ("unlocked", house.unlock(by, id.as_str()).await.map_err(Fault::from)),
        Account::Link => {
            return match house.one_time_link(by, &whom).await {
                Ok(link) => {
                    let extra = Extra { problem: None, link: Some((link, origin(&app, &headers))) };
                    Ok(html(&staff::page(&app, &visitor, &form, extra).await?))
                }
                Err(error) => refused(&app, &visitor, &form, what.code(), error.into()).await,
            };
        }
    };
    match result {
        Ok(()) => Ok(visitor.redirect(&format!("/staff?name={id}&done={done}"))),
        Err(fault) => refused(&app, &visitor, &form, what.code(), fault).await,
    }
}

/// Suspends a member of staff; the reason is required and recorded.
async fn suspend(house: &baize_house::House, by: &Actor, id: &StaffId, reason: &str) -> Result<(), Fault> {
    if reason.trim().is_empty() {
        return Err(HouseError::NotNow("give a reason: it stays on record").into());
    }
    Ok(house.suspend(by, id, reason.trim()).await?)
}

/// Unlocks a player whose password log-ins are delayed.
async fn unlock_player(app: &App, visitor: &Visitor, form: &Form) -> PageResult {
    let name = form.text("player");
    let house = app.house_for(form)?;
    match house.unlock(&visitor.actor, name).await {
        Ok(()) => Ok(visitor.redirect(&format!("/staff?unlocked={name}"))),
        Err(error) => refused(app, visitor, form, "players", error.into()).await,
    }
}

/// The origin of the casino as the browser sees it, from the `Origin` header, which has been checked against the host.
pub(crate) fn origin(app: &App, headers: &HeaderMap) -> String {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    match (text(header::ORIGIN), text(header::HOST)) {
        (Some(origin), _) => origin.to_owned(),
        (None, Some(host)) => format!("{}://{host}", if app.tls() { "https" } else { "http" }),
        (None, None) => String::new(),
    }
}
