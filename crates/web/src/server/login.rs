//! Coming in and going out: one click for players, name and password or a one-time link for staff.

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::{Actor, CommandId, Duty, HouseError, Order, PlayerId, Session, TableId};
use maud::html;

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, html as answer, sentence};
use super::view_models;
use super::visitor::{Visitor, name_of, no_session_cookie, session_cookie};
use crate::pages::login;
use crate::pages::model::LoginPage;

/// A place of ours to go to after logging in; anything else is the lobby.
fn ours(next: &str) -> Option<&str> {
    let plain = next.starts_with('/')
        && !next.starts_with("//")
        && !next.contains('\\')
        && next.bytes().all(|b| b.is_ascii_graphic());
    Some(next).filter(|_| plain)
}

/// `GET /login`
pub(crate) async fn log_in_page(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query,
) -> Result<Response, Fault> {
    let shell = view_models::shell(&app, &visitor).await?;
    let next = ours(asked.text("next")).unwrap_or("/").to_owned();
    Ok(answer(&login::page(&LoginPage { shell, name: String::new(), refused: None, next })))
}

/// `POST /login`
pub(crate) async fn log_in(
    State(app): State<App>,
    visitor: Visitor,
    axum::Extension(address): axum::Extension<std::net::IpAddr>,
    form: Form,
) -> Result<Response, Fault> {
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    let house = app.house.for_request(None, Some(address));
    match house.log_in(form.text("name"), form.text("password")).await {
        Ok(session) => let_in(&app, &visitor, &session, ours(form.text("next"))).await,
        Err(error @ (HouseError::WrongPassword | HouseError::Locked { .. } | HouseError::Suspended)) => {
            let fault = Fault::House(error);
            let page = LoginPage {
                shell: view_models::shell(&app, &visitor).await?,
                name: form.text("name").chars().take(32).collect(),
                refused: Some(sentence(&fault.words())),
                next: ours(form.text("next")).unwrap_or("/").to_owned(),
            };
            let mut response = (fault.status(), answer(&login::page(&page))).into_response();
            if let Fault::House(HouseError::Locked { wait_seconds }) = fault {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait_seconds));
            }
            Ok(response)
        }
        Err(other) => Err(other.into()),
    }
}

/// Sets the session cookie and redirects. The first person of a browser gets the plain addresses.
async fn let_in(
    app: &App,
    visitor: &Visitor,
    session: &Session,
    next: Option<&str>,
) -> Result<Response, Fault> {
    let name = name_of(&session.actor).unwrap_or_default().to_owned();
    let first_is_in = match &visitor.first {
        Some(secret) => app.house.session(secret).await.is_ok_and(|actor| name_of(&actor) != Some(&name)),
        None => false,
    };
    let base = if first_is_in { format!("/as/{name}") } else { String::new() };
    // An address with another person's prefix is not theirs.
    let next = next
        .filter(|next| !next.starts_with("/as/") || next.starts_with(&format!("/as/{name}/")))
        .filter(|next| *next != "/");
    let place = match next {
        Some(next) if next.starts_with("/as/") => next.to_owned(),
        Some(next) => format!("{base}{next}"),
        None => format!("{base}{}", home(&session.actor)),
    };
    // The cookie is strict: a page of ours must lead on, or a browser that came from elsewhere would not send it.
    let page = html! {
        (maud::DOCTYPE)
        html lang="en" { head { meta charset="utf-8"; title { "Baize" } meta http-equiv="refresh" content=(format!("0;url={place}")); }
            body { p { "You are in, " (name) ". " a href=(place) { "Go on" } } } }
    };
    let mut response = answer(&page);
    let cookie = HeaderValue::from_str(&session_cookie(&base, &session.secret, visitor.encrypted))
        .map_err(|_| Fault::Broken)?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// The start page for each duty.
fn home(actor: &Actor) -> &'static str {
    if actor.may(Duty::PitSupervisor) {
        "/pit"
    } else if actor.may(Duty::Dealer) {
        "/dealer"
    } else if actor.may(Duty::Cage) {
        "/cage"
    } else if actor.may(Duty::Auditor) {
        "/audit"
    } else {
        "/"
    }
}

/// `GET /in/{secret}`: a one-time link. Opening it does not use it up, because programs preview links; the button does.
pub(crate) async fn link_page(
    State(app): State<App>,
    visitor: Visitor,
    axum::Extension(address): axum::Extension<std::net::IpAddr>,
    Path(secret): Path<String>,
) -> Result<Response, Fault> {
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    match app.house.link_of(&secret).await {
        Ok(actor) => {
            let shell = view_models::shell(&app, &visitor).await?;
            let name = name_of(&actor).unwrap_or_default();
            Ok(answer(&login::link(&shell, name, &format!("/in/{secret}"))))
        }
        Err(error) => spent(&app, &visitor, error).await,
    }
}

/// `POST /in/{secret}`: lets in, once.
pub(crate) async fn redeem(
    State(app): State<App>,
    visitor: Visitor,
    axum::Extension(address): axum::Extension<std::net::IpAddr>,
    Path(secret): Path<String>,
    _: Form,
) -> Result<Response, Fault> {
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    match app.house.for_request(None, Some(address)).redeem(&secret).await {
        Ok(session) => let_in(&app, &visitor, &session, None).await,
        Err(error) => spent(&app, &visitor, error).await,
    }
}

/// A link that lets nobody in leads to the log-in page, which says why.
async fn spent(app: &App, visitor: &Visitor, error: HouseError) -> Result<Response, Fault> {
    if error != HouseError::LinkSpent {
        return Err(error.into());
    }
    let fault = Fault::House(error);
    let page = LoginPage {
        shell: view_models::shell(app, visitor).await?,
        name: String::new(),
        refused: Some(sentence(&fault.words())),
        next: "/".to_owned(),
    };
    Ok((fault.status(), answer(&login::page(&page))).into_response())
}

/// `POST /join`: a new player with play chips, and a seat if they asked for one.
pub(crate) async fn join(
    State(app): State<App>,
    visitor: Visitor,
    axum::Extension(address): axum::Extension<std::net::IpAddr>,
    form: Form,
) -> Result<Response, Fault> {
    app.log_ins.take(&address.to_string()).map_err(Fault::TooMany)?;
    let table: Option<TableId> = form.maybe("table")?;
    let chosen: Option<PlayerId> = match form.text("name").trim() {
        "" => None,
        name => Some(name.parse()?),
    };
    let name = match chosen {
        Some(name) => name,
        None => view_models::lobby::free_name(&app).await.parse()?,
    };
    app.house.create_player(&name, None, app.config.play_chips).await?;
    let actor = Actor::player(name);
    let session = app.house.start_session(&actor).await?;
    let place = match table {
        Some(table) => {
            // Without a free box they watch and can bet where the rules let them.
            let seat = view_models::table::middle_free(&app.house.table(&table).await?);
            if app.house.act(&actor, &table, &form.command("sit")?, Order::Sit { seat }).await.is_err() {
                // Another visitor took the name at the same moment: try the next.
                let any = Order::Sit { seat: None };
                let sat = app.house.act(&actor, &table, &form.command("sit anywhere")?, any).await;
                if let Err(error) = sat {
                    tracing::info!(target: "baize::server", %table, %error, "a new player watches: no box is free");
                }
            }
            Some(format!("/table/{table}"))
        }
        None => None,
    };
    let_in(&app, &visitor, &session, place.as_deref()).await
}

/// `POST /logout`
/// A player leaves their tables with it. A name without a password could not be used again: that is asked first.
pub(crate) async fn log_out(State(app): State<App>, visitor: Visitor, form: Form) -> Result<Response, Fault> {
    if let Some(player) = visitor.actor.as_player() {
        if form.text("sure") != "yes" && !app.house.has_password(&visitor.actor).await? {
            let (shell, purse) = (view_models::shell(&app, &visitor).await?, app.house.purse(player).await?);
            return Ok(answer(&login::leaving(&shell, player.as_str(), &purse.grouped())));
        }
        for table in app.house.tables().await?.iter().filter(|table| table.guests.contains_key(player)) {
            // The player may have left already, and a halted table must not prevent a log-out.
            let left = app.house.act(&visitor.actor, &table.id, &CommandId::random(), Order::Leave).await;
            if let Err(error) = left {
                tracing::info!(target: "baize::server", table = %table.id, %error, "a player who logs out keeps the box");
            }
        }
    }
    if let Some(secret) = &visitor.secret {
        app.house.end_session(secret).await?;
    }
    let mut response = Redirect::to("/").into_response();
    let cookie = HeaderValue::from_str(&no_session_cookie(&visitor.base, visitor.encrypted))
        .map_err(|_| Fault::Broken)?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// `POST /theme`: light or dark. It changes nothing but a cookie of the sender's own browser.
pub(crate) async fn theme(headers: axum::http::HeaderMap, body: String) -> Response {
    let dark = body.contains("theme=dark");
    let theme = if dark { "dark" } else { "light" };
    let back = headers
        .get(header::REFERER)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<axum::http::Uri>().ok());
    let place = back.as_ref().map_or("/", |uri| uri.path());
    let mut response = Redirect::to(ours(place).unwrap_or("/")).into_response();
    let cookie = format!("theme={theme}; Path=/; Max-Age=31536000; SameSite=Strict");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
