//! A player's session page, and the forms for their own limits and breaks.

use axum::extract::State;
use baize_house::OwnLimits;

use super::app::App;
use super::body::{Form, Query};
use super::fault::{PageResult, html};
use super::show::{self, Part};
use super::visitor::Visitor;
use crate::pages::shell::{Notice, Tone};

/// `GET /session`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor, Query(query): Query) -> PageResult {
    let words = match query.text("done") {
        "limits" => Some("Your limits are saved."),
        "break" => Some("Your break has begun."),
        _ => None,
    };
    let notice = words.map(|words| Notice { tone: Tone::Good, words: words.to_owned() });
    Ok(html(&show::play_session::render(&app, &visitor, notice, Part::Page).await?))
}

/// `POST /session/limits`
pub(crate) async fn limit(State(app): State<App>, visitor: Visitor, form: Form) -> PageResult {
    let loss = if form.text("loss").trim().is_empty() { None } else { Some(form.money("loss")?) };
    let wanted = OwnLimits { loss, minutes: form.optional("minutes")? };
    app.house.limit_oneself(&visitor.actor, wanted).await?;
    Ok(visitor.redirect("/session?done=limits"))
}

/// `POST /session/break`
pub(crate) async fn take_break(State(app): State<App>, visitor: Visitor, form: Form) -> PageResult {
    app.house.take_break(&visitor.actor, form.required("minutes")?).await?;
    Ok(visitor.redirect("/session?done=break"))
}
