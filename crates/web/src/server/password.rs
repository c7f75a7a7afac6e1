//! One's own password and name: the page and its forms. All other sessions end; this one goes on under a new secret.

use std::net::IpAddr;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::HouseError;

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, html, sentence};
use super::view_models;
use super::visitor::{Visitor, session_cookie};
use crate::pages::deeds::Account;
use crate::pages::model::PasswordPage;
use crate::pages::password;

type Answer = Result<Response, Fault>;

async fn filled(app: &App, visitor: &Visitor) -> Result<PasswordPage, Fault> {
    let has = app.house.has_password(&visitor.actor).await?;
    let name = visitor.name().unwrap_or_default().to_owned();
    Ok(PasswordPage {
        shell: view_models::shell(app, visitor).await?,
        name,
        has,
        changed: false,
        problem: None,
    })
}

/// `GET /password`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    let page = filled(&app, &visitor).await?;
    let changed = page.has && asked.has("changed");
    Ok(html(&password::page(&PasswordPage { changed, ..page })))
}

/// `POST /password`
pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    axum::Extension(address): axum::Extension<IpAddr>,
    form: Form,
) -> Answer {
    let page = filled(&app, &visitor).await?;
    let told = |at: &'static str, fault: &Fault, words: &str| {
        let page = PasswordPage { problem: Some((at, sentence(words))), ..page.clone() };
        Ok((fault.status(), html(&password::page(&page))).into_response())
    };
    if matches!(form.deed(), Ok(Account::Name)) {
        let house = app.house.for_request(Some(form.command("")?), None);
        return match house.give_name(&visitor.actor, &page.name, form.text("shown")).await {
            Ok(()) => Ok(Redirect::to(&format!("{}/password", visitor.base)).into_response()),
            Err(error) => {
                let fault = Fault::from(error);
                told("shown", &fault, &fault.words())
            }
        };
    }
    if form.text("new") != form.text("again") {
        let differ =
            Fault::from(HouseError::NotNow("the new password is not the same both times: type it twice"));
        return told("again", &differ, &differ.words());
    }
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    let house = app.house.for_request(None, Some(address));
    let old = Some(form.text("old")).filter(|_| page.has);
    let session = match house.change_password(&visitor.actor, old, form.text("new")).await {
        Ok(session) => session,
        Err(error @ HouseError::WrongPassword) => {
            let words =
                "this is not your old password; after three failures you wait before you can try again";
            return told("old", &error.into(), words);
        }
        Err(error @ HouseError::Locked { .. }) => {
            let fault = Fault::from(error);
            return told("old", &fault, &fault.words());
        }
        Err(error @ HouseError::NotNow(_)) => {
            let fault = Fault::from(error);
            return told("new", &fault, &fault.words());
        }
        Err(other) => return Err(other.into()),
    };
    let mut response = Redirect::to(&format!("{}/password?changed=yes", visitor.base)).into_response();
    let cookie = HeaderValue::from_str(&session_cookie(&visitor.base, &session.secret, visitor.encrypted))
        .map_err(|_| Fault::Broken)?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}
