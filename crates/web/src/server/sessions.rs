//! A player's session: what they played, the limits that they set for themselves.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::OwnLimits;

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, html};
use super::view_models;
use super::visitor::Visitor;
use crate::pages::model::{Notice, Tone};

type Answer = Result<Response, Fault>;

/// `GET /session`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    let words = match asked.text("done") {
        "limits" => Some("Your limits are on record."),
        "break" => Some("Your break is on record. Come back rested."),
        _ => None,
    };
    let notice = words.map(|words| Notice { tone: Tone::Good, words: words.to_owned() });
    Ok(html(&view_models::session::page(&app, &visitor, notice).await?))
}

/// `POST /session/limits`
pub(crate) async fn limit(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    let loss = if form.text("loss").trim().is_empty() { None } else { Some(form.money("loss")?) };
    let wanted = OwnLimits { loss, minutes: form.maybe("minutes")? };
    app.house.limit_oneself(&visitor.actor, wanted).await?;
    Ok(Redirect::to(&format!("{}/session?done=limits", visitor.base)).into_response())
}

/// `POST /session/break`
pub(crate) async fn take_break(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    app.house.take_break(&visitor.actor, form.read("minutes")?).await?;
    Ok(Redirect::to(&format!("{}/session?done=break", visitor.base)).into_response())
}
