//! The page of tables and jackpots, and its forms. A refusal appears in its form, with what was typed.

use axum::extract::{Path, State};
use baize_house::{HouseError, JackpotId};

use super::app::App;
use super::body::Form;
use super::fault::{Fault, PageResult, html};
use super::page_handlers::parse_name;
use super::set_up::{NewJackpot, NewTable, parameters};
use super::show::house;
use super::visitor::Visitor;
use crate::pages::actions::JackpotChange;
use crate::pages::house::{NEW_JACKPOT, NEW_TABLE};

/// `GET /house`
pub(crate) async fn page(State(app): State<App>, visitor: Visitor) -> PageResult {
    Ok(html(&house::page(&app, &visitor, None).await?))
}

/// Redirects to the page, or shows it with the fault in its form `at`.
async fn respond(app: &App, visitor: &Visitor, form: &Form, at: &str, done: Result<(), Fault>) -> PageResult {
    match done {
        Ok(()) => Ok(visitor.redirect("/house")),
        Err(fault) => {
            let refused = (at, fault.sentence(), form);
            Ok(fault.with_page(&house::page(app, visitor, Some(refused)).await?))
        }
    }
}

/// `POST /house/tables`
pub(crate) async fn new_table(State(app): State<App>, visitor: Visitor, form: Form) -> PageResult {
    house::require_pit(&visitor)?;
    let made = async {
        let config = NewTable::from_form(&form)?.config()?;
        let house = app.house_for(&form)?;
        Ok(house.create_table(&visitor.actor, config).await?)
    };
    respond(&app, &visitor, &form, NEW_TABLE, made.await).await
}

/// `POST /house/jackpots`
pub(crate) async fn new_jackpot(State(app): State<App>, visitor: Visitor, form: Form) -> PageResult {
    house::require_pit(&visitor)?;
    let made = async {
        let config = NewJackpot::from_form(&form)?.config();
        let house = app.house_for(&form)?;
        Ok(house.create_jackpot(&visitor.actor, config).await?)
    };
    respond(&app, &visitor, &form, NEW_JACKPOT, made.await).await
}

/// `POST /house/jackpots/{id}/{what}`: `propose`, `approve`, `withdraw` or `close`.
pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, what)): Path<(String, String)>,
    form: Form,
) -> PageResult {
    house::require_pit(&visitor)?;
    let jackpot: JackpotId = parse_name(&id)?;
    let house = app.house_for(&form)?;
    let by = &visitor.actor;
    let unknown = |_| HouseError::NotNow("unknown action: use propose, approve, withdraw or close");
    let action: JackpotChange = what.parse().map_err(unknown)?;
    let (at, done) = match action {
        JackpotChange::Propose => {
            let proposed = async {
                let (now, _) = app.house.jackpot_parameters(by, &jackpot)?;
                Ok(house.propose_change(by, &jackpot, parameters(&form, now.wager)?).await?)
            };
            (format!("propose-{jackpot}"), proposed.await)
        }
        JackpotChange::Approve => {
            (format!("change-{jackpot}"), house.approve_change(by, &jackpot).await.map_err(Fault::from))
        }
        JackpotChange::Withdraw => {
            (format!("change-{jackpot}"), house.withdraw_change(by, &jackpot).await.map_err(Fault::from))
        }
        JackpotChange::Close => {
            let closed = async {
                if form.text("sure") != "yes" {
                    return Err(Fault::unreadable("tick the box to confirm: closing a jackpot is final"));
                }
                Ok(house.close_jackpot(by, &jackpot, &parse_name(form.text("into"))?).await?)
            };
            (format!("close-{jackpot}"), closed.await)
        }
    };
    respond(&app, &visitor, &form, &at, done).await
}
