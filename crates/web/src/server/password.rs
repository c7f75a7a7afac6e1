//! The page where users change their own password and display name. A new password ends all their other sessions; this one continues with a
//! new secret.

use std::net::IpAddr;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use baize_house::HouseError;

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, PageResult, html, sentence};
use super::show;
use super::visitor::{Visitor, session_cookie};
use crate::pages::actions::Account;

use crate::pages::password::{self, PasswordPage};

async fn password_page(app: &App, visitor: &Visitor) -> Result<PasswordPage, Fault> {
    let has = app.house.has_password(&visitor.actor).await?;
    let name = visitor.name().unwrap_or_default().to_owned();
    Ok(PasswordPage { shell: show::shell(app, visitor).await?, name, has, changed: false, problem: None })
}

/// `GET /password`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor, Query(query): Query) -> PageResult {
    let page = password_page(&app, &visitor).await?;
    let changed = page.has && query.has("changed");
    Ok(html(&password::page(&PasswordPage { changed, ..page })))
}

/// `POST /password`
pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    Extension(address): Extension<IpAddr>,
    form: Form,
) -> PageResult {
    let page = password_page(&app, &visitor).await?;
    let refused = |field: &'static str, fault: &Fault, words: &str| {
        let page = PasswordPage { problem: Some((field, sentence(words))), ..page.clone() };
        Ok(fault.with_page(&password::page(&page)))
    };
    if matches!(form.action(), Ok(Account::Name)) {
        let house = app.house_for(&form)?;
        return match house.give_name(&visitor.actor, &page.name, form.text("shown")).await {
            Ok(()) => Ok(visitor.redirect("/password")),
            Err(error) => {
                let fault = Fault::from(error);
                refused("shown", &fault, &fault.words())
            }
        };
    }
    if form.text("new") != form.text("again") {
        let differ = Fault::from(HouseError::NotNow("the two new passwords differ: type the same one twice"));
        return refused("again", &differ, &differ.words());
    }
    app.limit_log_ins(address)?;
    let house = app.house.for_request(None, Some(address));
    let old = Some(form.text("old")).filter(|_| page.has);
    let session = match house.change_password(&visitor.actor, old, form.text("new")).await {
        Ok(session) => session,
        Err(error @ HouseError::WrongPassword) => {
            let words =
                "this is not your old password; after three failures you must wait before the next attempt";
            return refused("old", &error.into(), words);
        }
        Err(error @ HouseError::Locked { .. }) => {
            let fault = Fault::from(error);
            return refused("old", &fault, &fault.words());
        }
        Err(error @ HouseError::NotNow(_)) => {
            let fault = Fault::from(error);
            return refused("new", &fault, &fault.words());
        }
        Err(other) => return Err(other.into()),
    };
    let mut response = visitor.redirect("/password?changed=yes");
    let cookie = HeaderValue::from_str(&session_cookie(&visitor.base, &session.secret, visitor.encrypted))
        .map_err(|_| Fault::Broken)?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}
