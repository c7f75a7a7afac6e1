//! Logging in and out: players join with one click; staff and registered players use a password or a one-time link.

use std::net::IpAddr;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::{Actor, CommandId, Duty, HouseError, Order, PlayerId, Session, TableId};
use maud::html;

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, PageResult, html as page_response};
use super::show;
use super::visitor::{Visitor, delete_session_cookie, name_of, session_cookie};
use crate::pages::login;

/// The path if it is a local one: redirects must not lead to another site.
fn local_path(next: &str) -> Option<&str> {
    let local = next.starts_with('/')
        && !next.starts_with("//")
        && !next.contains('\\')
        && next.bytes().all(|b| b.is_ascii_graphic());
    Some(next).filter(|_| local)
}

/// `GET /login`
pub(crate) async fn log_in_page(State(app): State<App>, visitor: Visitor, Query(query): Query) -> PageResult {
    let shell = show::shell(&app, &visitor).await?;
    let next = local_path(query.text("next")).unwrap_or("/");
    Ok(page_response(&login::page(&shell, "", None, next)))
}

/// `POST /login`
pub(crate) async fn log_in(
    State(app): State<App>,
    visitor: Visitor,
    Extension(address): Extension<IpAddr>,
    form: Form,
) -> PageResult {
    app.limit_log_ins(address)?;
    let house = app.house.for_request(None, Some(address));
    match house.log_in(form.text("name"), form.text("password")).await {
        Ok(session) => start_browser_session(&app, &visitor, &session, local_path(form.text("next"))).await,
        Err(error @ (HouseError::WrongPassword | HouseError::Locked { .. } | HouseError::Suspended)) => {
            let fault = Fault::House(error);
            let shell = show::shell(&app, &visitor).await?;
            let name: String = form.text("name").chars().take(32).collect();
            let next = local_path(form.text("next")).unwrap_or("/");
            let mut response = fault.with_page(&login::page(&shell, &name, Some(&fault.sentence()), next));
            if let Fault::House(HouseError::Locked { wait_seconds }) = fault {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait_seconds));
            }
            Ok(response)
        }
        Err(other) => Err(other.into()),
    }
}

/// Sets the session cookie and redirects. The first person in a browser gets the plain addresses, others `/as/NAME`.
async fn start_browser_session(
    app: &App,
    visitor: &Visitor,
    session: &Session,
    next: Option<&str>,
) -> PageResult {
    let name = name_of(&session.actor).unwrap_or_default().to_owned();
    let other_is_first = match &visitor.first {
        Some(secret) => app.house.session(secret).await.is_ok_and(|actor| name_of(&actor) != Some(&name)),
        None => false,
    };
    let base = if other_is_first { format!("/as/{name}") } else { String::new() };
    // An address with another person's prefix is ignored.
    let next = next
        .filter(|next| !next.starts_with("/as/") || next.starts_with(&format!("/as/{name}/")))
        .filter(|next| *next != "/");
    let target = match next {
        Some(next) if next.starts_with("/as/") => next.to_owned(),
        Some(next) => format!("{base}{next}"),
        None => format!("{base}{}", home(&session.actor)),
    };
    // The cookie is SameSite=Strict: after a redirect the browser would not send it if the visitor came from another site.
    let page = html! {
        (maud::DOCTYPE)
        html lang="en" { head { meta charset="utf-8"; title { "Baize" } meta http-equiv="refresh" content=(format!("0;url={target}")); }
            body { p { "Logged in as " (name) ". " a href=(target) { "Continue" } } } }
    };
    let mut response = page_response(&page);
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
    Extension(address): Extension<IpAddr>,
    Path(secret): Path<String>,
) -> PageResult {
    app.limit_log_ins(address)?;
    match app.house.link_of(&secret).await {
        Ok(actor) => {
            let shell = show::shell(&app, &visitor).await?;
            let name = name_of(&actor).unwrap_or_default();
            Ok(page_response(&login::link(&shell, name, &format!("/in/{secret}"))))
        }
        Err(error) => link_error(&app, &visitor, error).await,
    }
}

/// `POST /in/{secret}`: logs in and uses the link up.
pub(crate) async fn redeem(
    State(app): State<App>,
    visitor: Visitor,
    Extension(address): Extension<IpAddr>,
    Path(secret): Path<String>,
    _: Form,
) -> PageResult {
    app.limit_log_ins(address)?;
    match app.house.for_request(None, Some(address)).redeem(&secret).await {
        Ok(session) => start_browser_session(&app, &visitor, &session, None).await,
        Err(error) => link_error(&app, &visitor, error).await,
    }
}

/// For a link that is used up or has expired: the log-in page, which says so.
async fn link_error(app: &App, visitor: &Visitor, error: HouseError) -> PageResult {
    if error != HouseError::LinkSpent {
        return Err(error.into());
    }
    let fault = Fault::House(error);
    let shell = show::shell(app, visitor).await?;
    Ok(fault.with_page(&login::page(&shell, "", Some(&fault.sentence()), "/")))
}

/// `POST /join`: a new player with play chips, and a seat if they asked for one.
pub(crate) async fn join(
    State(app): State<App>,
    visitor: Visitor,
    Extension(address): Extension<IpAddr>,
    form: Form,
) -> PageResult {
    app.limit_log_ins(address)?;
    let table: Option<TableId> = form.optional("table")?;
    let chosen: Option<PlayerId> = match form.text("name").trim() {
        "" => None,
        name => Some(name.parse()?),
    };
    let name = match chosen {
        Some(name) => name,
        None => show::lobby::free_name(&app).await.parse()?,
    };
    app.house.create_player(&name, None, app.config.play_chips).await?;
    let actor = Actor::player(name);
    let session = app.house.start_session(&actor).await?;
    let target = match table {
        Some(table) => {
            // If no box is free, they watch.
            let seat = crate::pages::table_bets::middle_free(&app.house.table(&table).await?);
            if app.house.act(&actor, &table, &form.command_id("sit")?, Order::Sit { seat }).await.is_err() {
                // Another player took the box at the same moment: take any other.
                let any = Order::Sit { seat: None };
                let sat = app.house.act(&actor, &table, &form.command_id("sit anywhere")?, any).await;
                if let Err(error) = sat {
                    tracing::info!(target: "baize::server", %table, %error, "no box is free for a new player");
                }
            }
            Some(format!("/table/{table}"))
        }
        None => None,
    };
    start_browser_session(&app, &visitor, &session, target.as_deref()).await
}

/// `POST /logout`: players also leave their tables. Asks for confirmation if the player has no password, because nobody could log in under
/// the name again.
pub(crate) async fn log_out(State(app): State<App>, visitor: Visitor, form: Form) -> PageResult {
    if let Some(player) = visitor.actor.as_player() {
        if form.text("sure") != "yes" && !app.house.has_password(&visitor.actor).await? {
            let (shell, purse) = (show::shell(&app, &visitor).await?, app.house.purse(player).await?);
            return Ok(page_response(&login::leaving(&shell, player.as_str(), &purse.grouped())));
        }
        for table in app.house.tables().await?.iter().filter(|table| table.guests.contains_key(player)) {
            // A table that refuses, such as a halted one, must not prevent the log-out.
            let left = app.house.act(&visitor.actor, &table.id, &CommandId::random(), Order::Leave).await;
            if let Err(error) = left {
                tracing::info!(target: "baize::server", table = %table.id, %error, "a player who logged out keeps their box");
            }
        }
    }
    if let Some(secret) = &visitor.secret {
        app.house.end_session(secret).await?;
    }
    let mut response = Redirect::to("/").into_response();
    let cookie = HeaderValue::from_str(&delete_session_cookie(&visitor.base, visitor.encrypted))
        .map_err(|_| Fault::Broken)?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// `POST /theme`: light or dark. Needs no token, because it only sets a cookie in the sender's browser.
pub(crate) async fn theme(headers: axum::http::HeaderMap, body: String) -> Response {
    let dark = body.contains("theme=dark");
    let theme = if dark { "dark" } else { "light" };
    let back = headers
        .get(header::REFERER)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<axum::http::Uri>().ok());
    let target = back.as_ref().map_or("/", |uri| uri.path());
    let mut response = Redirect::to(local_path(target).unwrap_or("/")).into_response();
    let cookie = format!("theme={theme}; Path=/; Max-Age=31536000; SameSite=Strict");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
