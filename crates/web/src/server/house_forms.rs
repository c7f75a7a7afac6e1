//! The forms on the page of tables and jackpots. A refusal is shown in its form, with what was typed.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::{HouseError, JackpotId};

use super::app::App;
use super::body::Form;
use super::fault::{Fault, html, sentence};
use super::page_handlers::named;
use super::set_up::{NewJackpot, NewTable, parameters};
use super::view_models::house;
use super::visitor::Visitor;
use crate::pages::house::{NEW_JACKPOT, NEW_TABLE};

type Answer = Result<Response, Fault>;

/// `GET /house`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor) -> Answer {
    Ok(html(&house::page(&app, &visitor, None).await?))
}

/// On to the page, or the page again with what is wrong in its form.
async fn told(app: &App, visitor: &Visitor, form: &Form, at: &str, done: Result<(), Fault>) -> Answer {
    match done {
        Ok(()) => Ok(Redirect::to(&format!("{}/house", visitor.base)).into_response()),
        Err(fault) => {
            let wrong = (form, at.to_owned(), sentence(&fault.words()));
            let page = house::page(app, visitor, Some(wrong)).await?;
            Ok((fault.status(), html(&page)).into_response())
        }
    }
}

/// `POST /house/tables`
pub(crate) async fn new_table(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    house::may(&visitor)?;
    let made = async {
        let config = NewTable::of_form(&form)?.config()?;
        let house = app.house.for_request(Some(form.command("")?), None);
        Ok(house.create_table(&visitor.actor, config).await?)
    };
    told(&app, &visitor, &form, NEW_TABLE, made.await).await
}

/// `POST /house/jackpots`
pub(crate) async fn new_jackpot(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    house::may(&visitor)?;
    let made = async {
        let config = NewJackpot::of_form(&form)?.config();
        let house = app.house.for_request(Some(form.command("")?), None);
        Ok(house.create_jackpot(&visitor.actor, config).await?)
    };
    told(&app, &visitor, &form, NEW_JACKPOT, made.await).await
}

/// `POST /house/jackpots/{id}/{what}`: `propose`, `approve`, `withdraw` or `close`.
pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, what)): Path<(String, String)>,
    form: Form,
) -> Answer {
    house::may(&visitor)?;
    let jackpot: JackpotId = named(&id)?;
    let house = app.house.for_request(Some(form.command("")?), None);
    let by = &visitor.actor;
    let (at, done) = match what.as_str() {
        "propose" => {
            let proposed = async {
                let (now, _) = app.house.jackpot_parameters(by, &jackpot)?;
                Ok(house.propose_change(by, &jackpot, parameters(&form, now.wager)?).await?)
            };
            (format!("propose-{jackpot}"), proposed.await)
        }
        "approve" => {
            (format!("change-{jackpot}"), house.approve_change(by, &jackpot).await.map_err(Fault::from))
        }
        "withdraw" => {
            (format!("change-{jackpot}"), house.withdraw_change(by, &jackpot).await.map_err(Fault::from))
        }
        "close" => {
            let closed = async {
                if form.text("sure") != "yes" {
                    return Err(Fault::unreadable("tick that you are sure: it is for good"));
                }
                Ok(house.close_jackpot(by, &jackpot, &named(form.text("into"))?).await?)
            };
            (format!("close-{jackpot}"), closed.await)
        }
        _ => {
            return Err(HouseError::NotNow(
                "a change is proposed, approved or taken back; a jackpot is closed",
            )
            .into());
        }
    };
    told(&app, &visitor, &form, &at, done).await
}
