//! The accounts of staff: their page, and the forms that change them. A refusal is shown beside its form; a log-in link is
//! shown once, in the answer to the form that asked for it, and never in an address.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::{Actor, HouseError, StaffId};

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, html, sentence};
use super::view_models::staff::{self, Told, duties, manages};
use super::visitor::Visitor;
use crate::pages::deeds::Account;

type Answer = Result<Response, Fault>;

/// `GET /staff`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    Ok(html(&staff::page(&app, &visitor, &asked, Told::default()).await?))
}

/// The page again, with the words beside the form that was refused.
async fn refused(app: &App, visitor: &Visitor, form: &Form, at: &'static str, fault: Fault) -> Answer {
    let told = Told { problem: Some((at, sentence(&fault.words()))), link: None };
    let page = staff::page(app, visitor, form, told).await?;
    Ok((fault.status(), html(&page)).into_response())
}

/// `POST /staff`: a new member of staff, whose account is open then.
pub(crate) async fn create(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    manages(&visitor)?;
    let made = async {
        let id: StaffId = form.text("new").trim().parse()?;
        let password = Some(form.text("password")).filter(|password| !password.is_empty());
        let house = app.house.for_request(Some(form.command("")?), None);
        house.create_staff(&visitor.actor, &id, password, &duties(&form)?).await?;
        if form.has("shown") {
            let house = app.house.for_request(Some(form.command("name")?), None);
            house.give_name(&visitor.actor, id.as_str(), form.text("shown")).await?;
        }
        Ok(id)
    };
    match made.await {
        Ok(id) => Ok(Redirect::to(&format!("{}/staff?name={id}&done=made", visitor.base)).into_response()),
        Err(fault) => refused(&app, &visitor, &form, "new", fault).await,
    }
}

/// `POST /staff/do`: something is done to an account. Sent twice it is done once.
pub(crate) async fn act(State(app): State<App>, visitor: Visitor, headers: HeaderMap, form: Form) -> Answer {
    manages(&visitor)?;
    if form.has("player") {
        return unlock_player(&app, &visitor, &form).await;
    }
    let id: StaffId = form.text("name").parse()?;
    let whom = Actor::staff(id.clone(), []);
    let (by, house) = (&visitor.actor, app.house.for_request(Some(form.command("")?), None));
    let what: Account = form.deed()?;
    let (done, carried) = match what {
        Account::Duties => {
            let carried = match duties(&form) {
                Ok(duties) => house.set_duties(by, &id, &duties).await.map_err(Fault::from),
                Err(fault) => Err(fault),
            };
            ("duties", carried)
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
                    let told = Told { problem: None, link: Some((link, origin(&app, &headers))) };
                    Ok(html(&staff::page(&app, &visitor, &form, told).await?))
                }
                Err(error) => refused(&app, &visitor, &form, what.code(), error.into()).await,
            };
        }
    };
    match carried {
        Ok(()) => Ok(Redirect::to(&format!("{}/staff?name={id}&done={done}", visitor.base)).into_response()),
        Err(fault) => refused(&app, &visitor, &form, what.code(), fault).await,
    }
}

/// A suspension needs a reason, which is recorded and can be shown to the suspended person.
async fn suspend(house: &baize_house::House, by: &Actor, id: &StaffId, reason: &str) -> Result<(), Fault> {
    if reason.trim().is_empty() {
        return Err(HouseError::NotNow("say why: the reason stays on record").into());
    }
    Ok(house.suspend(by, id, reason.trim()).await?)
}

/// A player whose log-ins by password wait may try again at once.
async fn unlock_player(app: &App, visitor: &Visitor, form: &Form) -> Answer {
    let name = form.text("player");
    let house = app.house.for_request(Some(form.command("")?), None);
    match house.unlock(&visitor.actor, name).await {
        Ok(()) => Ok(Redirect::to(&format!("{}/staff?unlocked={name}", visitor.base)).into_response()),
        Err(error) => refused(app, visitor, form, "players", error.into()).await,
    }
}

/// The address of the casino as the sender's browser sees it: its `Origin` header, which has been checked against the host.
pub(crate) fn origin(app: &App, headers: &HeaderMap) -> String {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    match (text(header::ORIGIN), text(header::HOST)) {
        (Some(origin), _) => origin.to_owned(),
        (None, Some(host)) => format!("{}://{host}", if app.tls() { "https" } else { "http" }),
        (None, None) => String::new(),
    }
}
