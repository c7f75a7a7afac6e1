//! The counter of the cage: its page, and the forms that move cash and register players. What is refused is told beside its form.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::{Actor, HouseError};

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, html, sentence};
use super::fill::cage::{self, amount, asked_for, name};
use super::fill::shell;
use super::visitor::Visitor;

type Answer = Result<Response, Fault>;

/// What the form says that takes what is owed.
const COLLECT: &str = "collect";

/// `GET /cage`
pub(crate) async fn cage(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    Ok(html(&cage::page(&app, &visitor, &asked, None).await?))
}

fn may(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.actor == Actor::Public {
        return Err(HouseError::NotLoggedIn.into());
    }
    cage::may(visitor)
}

/// The page again, with the words beside the form that was refused.
async fn refused(
    app: &App,
    visitor: &Visitor,
    form: &Form,
    (at, typed): (&'static str, &str),
    fault: Fault,
) -> Answer {
    let problem = (at, typed.chars().take(40).collect(), sentence(&fault.words()));
    let page = cage::page(app, visitor, form, Some(problem)).await?;
    Ok((fault.status(), html(&page)).into_response())
}

/// `POST /cage/do`: cash moves. Sent twice it moves once, and leads to the same receipt.
pub(crate) async fn cash(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    may(&visitor)?;
    if form.text("do") == COLLECT {
        return collect(&app, &visitor, &form).await;
    }
    let (buy_in, at) =
        asked_for(&form).ok_or_else(|| Fault::unreadable("the form does not say what to do"))?;
    let (player, id) = (name(&form, "player")?, form.command("")?);
    let amount = match amount(&form) {
        Ok(amount) => amount,
        Err(words) => {
            let typed = form.text("amount");
            return refused(&app, &visitor, &form, (at, typed), Fault::unreadable(words)).await;
        }
    };
    let moved = if buy_in {
        app.house.buy_in(&visitor.actor, &player, &id, amount).await
    } else {
        app.house.cash_out(&visitor.actor, &player, &id, amount).await
    };
    match moved {
        Ok(_) => {
            let place = format!("{}/cage?player={player}&receipt={id}", visitor.base);
            Ok(Redirect::to(&place).into_response())
        }
        Err(HouseError::NotKnown { .. }) => again(&app, &visitor, &form).await,
        Err(error) => refused(&app, &visitor, &form, (at, form.text("amount")), error.into()).await,
    }
}

/// It is not known whether cash was moved: the same form under the same id, which the page sends again by itself.
async fn again(app: &App, visitor: &Visitor, form: &Form) -> Answer {
    let fields: Vec<(&str, &str)> = form.all().collect();
    let page = crate::pages::cage::again(&shell(app, visitor).await?, &fields);
    Ok((StatusCode::GATEWAY_TIMEOUT, html(&page)).into_response())
}

/// A player pays what he owes out of his purse.
async fn collect(app: &App, visitor: &Visitor, form: &Form) -> Answer {
    let (player, id) = (name(form, "player")?, form.command("")?);
    let typed = form.text("amount");
    let amount = match amount(form) {
        Ok(amount) => amount,
        Err(words) => {
            return refused(app, visitor, form, (COLLECT, typed), Fault::unreadable(words)).await;
        }
    };
    match app.house.collect(&visitor.actor, &player, &id, amount).await {
        Ok(_) => Ok(Redirect::to(&format!("{}/cage?player={player}", visitor.base)).into_response()),
        Err(HouseError::NotKnown { .. }) => again(app, visitor, form).await,
        Err(error) => refused(app, visitor, form, (COLLECT, typed), error.into()).await,
    }
}

/// `POST /cage/player`: a new player with an empty purse, who is at the counter then.
pub(crate) async fn register(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    may(&visitor)?;
    let typed = form.text("name");
    let player = match name(&form, "name") {
        Ok(player) => player,
        Err(fault) => return refused(&app, &visitor, &form, ("register", typed), fault).await,
    };
    let password = Some(form.text("password")).filter(|password| !password.is_empty());
    let house = app.house.for_request(Some(form.command("")?), None);
    if let Err(error) = house.register_player(&visitor.actor, &player, password).await {
        return refused(&app, &visitor, &form, ("register", typed), error.into()).await;
    }
    Ok(Redirect::to(&format!("{}/cage?player={player}", visitor.base)).into_response())
}
