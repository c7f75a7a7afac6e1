//! The counter of the cage: its page, and the forms that move cash and register players. A refusal is shown beside its form.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use baize_house::{Actor, CashReport, HouseError};
use baize_rules::Money;

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, html, sentence};
use super::reporting::{download, json};
use super::set_up;
use super::view_models::cage::{self, amount, name};
use super::view_models::shell_of_staff;
use super::visitor::Visitor;
use crate::pages::deeds::Cage;

type Answer = Result<Response, Fault>;

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

/// The page again, with the words beside the form that was refused and what was typed in this field of it.
async fn refused(app: &App, visitor: &Visitor, form: &Form, at: (Cage, &str), fault: Fault) -> Answer {
    refused_at(app, visitor, form, (at.0.code(), at.1), fault).await
}

async fn refused_at(
    app: &App,
    visitor: &Visitor,
    form: &Form,
    (at, field): (&'static str, &str),
    fault: Fault,
) -> Answer {
    let problem = (at, form.text(field).chars().take(40).collect(), sentence(&fault.words()));
    let page = cage::page(app, visitor, form, Some(problem)).await?;
    Ok((fault.status(), html(&page)).into_response())
}

/// `POST /cage/do`: cash moves. Sent twice it moves once, and leads to the same receipt.
pub(crate) async fn cash(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    may(&visitor)?;
    match form.deed()? {
        what @ (Cage::BuyIn | Cage::CashOut) => sell_or_buy(&app, &visitor, &form, what).await,
        Cage::Collect => collect(&app, &visitor, &form).await,
        Cage::Identify => identify(&app, &visitor, &form).await,
        Cage::File => file(&app, &visitor, &form).await,
        Cage::Count => count(&app, &visitor, &form).await,
    }
}

/// Chips for cash, or cash for chips.
async fn sell_or_buy(app: &App, visitor: &Visitor, form: &Form, what: Cage) -> Answer {
    let (player, id) = (name(form, "player")?, form.command("")?);
    let amount = match amount(form) {
        Ok(amount) => amount,
        Err(words) => return refused(app, visitor, form, (what, "amount"), Fault::unreadable(words)).await,
    };
    let moved = if what == Cage::BuyIn {
        app.house.buy_in(&visitor.actor, &player, &id, amount).await
    } else {
        app.house.cash_out(&visitor.actor, &player, &id, amount).await
    };
    match moved {
        Ok(_) => {
            let place = format!("{}/cage?player={player}&receipt={id}", visitor.base);
            Ok(Redirect::to(&place).into_response())
        }
        Err(HouseError::NotKnown { .. }) => again(app, visitor, form),
        Err(error) => refused(app, visitor, form, (what, "amount"), error.into()).await,
    }
}

/// It is not known whether cash was moved: the same form under the same id, which the page sends again by itself. The database is not asked for
/// anything: it does not answer.
fn again(app: &App, visitor: &Visitor, form: &Form) -> Answer {
    let fields: Vec<(&str, &str)> = form.all().collect();
    let page = crate::pages::cage::again(&shell_of_staff(app, visitor), &fields);
    Ok((StatusCode::GATEWAY_TIMEOUT, html(&page)).into_response())
}

/// A player pays what they owe out of their purse.
async fn collect(app: &App, visitor: &Visitor, form: &Form) -> Answer {
    let (player, id) = (name(form, "player")?, form.command("")?);
    let at = (Cage::Collect, "amount");
    let amount = match amount(form) {
        Ok(amount) => amount,
        Err(words) => return refused(app, visitor, form, at, Fault::unreadable(words)).await,
    };
    match app.house.collect(&visitor.actor, &player, &id, amount).await {
        Ok(_) => Ok(Redirect::to(&format!("{}/cage?player={player}", visitor.base)).into_response()),
        Err(HouseError::NotKnown { .. }) => again(app, visitor, form),
        Err(error) => refused(app, visitor, form, at, error.into()).await,
    }
}

/// A cashier has seen a document. Back to where it was asked for.
async fn identify(app: &App, visitor: &Visitor, form: &Form) -> Answer {
    let player = name(form, "player")?;
    let house = app.house.for_request(Some(form.command("")?), None);
    match house.identify(&visitor.actor, &player, form.text("document")).await {
        Ok(()) => {
            let then = match (form.maybe::<Cage>("then"), amount(form)) {
                (Ok(Some(then)), Ok(amount)) => {
                    let moved = form.maybe::<usize>("moved")?.unwrap_or_default();
                    format!("&do={then}&amount={amount}&moved={moved}")
                }
                _ => String::new(),
            };
            Ok(Redirect::to(&format!("{}/cage?player={player}{then}", visitor.base)).into_response())
        }
        Err(error) => refused(app, visitor, form, (Cage::Identify, "document"), error.into()).await,
    }
}

/// A cash transaction report was filed.
async fn file(app: &App, visitor: &Visitor, form: &Form) -> Answer {
    let (player, day) = (name(form, "player")?, form.read("day")?);
    let house = app.house.for_request(Some(form.command("")?), None);
    match house.file_cash_report(&visitor.actor, &player, day, form.text("reference")).await {
        Ok(()) => Ok(Redirect::to(&format!("{}/cage", visitor.base)).into_response()),
        Err(error) => refused(app, visitor, form, (Cage::File, ""), error.into()).await,
    }
}

/// The drawer at the end of a shift.
async fn count(app: &App, visitor: &Visitor, form: &Form) -> Answer {
    let at = (Cage::Count, "amount");
    let kept = if form.has("kept") { set_up::amount(form, "kept") } else { Ok(Money::ZERO) };
    let (counted, kept) = match (set_up::amount(form, "amount"), kept) {
        (Ok(counted), Ok(kept)) => (counted, kept),
        (Err(fault), _) | (_, Err(fault)) => {
            return refused(app, visitor, form, at, fault).await;
        }
    };
    let house = app.house.for_request(Some(form.command("")?), None);
    match house.count_drawer(&visitor.actor, counted, kept).await {
        Ok(_) => Ok(Redirect::to(&format!("{}/cage#count-drawer", visitor.base)).into_response()),
        Err(error) => refused(app, visitor, form, at, error.into()).await,
    }
}

/// `GET /cage/reports.csv` and `/cage/reports.json`: reports that are due, with every movement.
pub(crate) async fn reports(State(app): State<App>, visitor: Visitor, Path(format): Path<String>) -> Answer {
    if visitor.actor == Actor::Public {
        return Err(HouseError::NotLoggedIn.into());
    }
    let due = app.house.cash_reports(&visitor.actor).await?;
    match format.as_str() {
        "reports.json" => Ok(download("cash-reports.json", "application/json", json(&due)?)),
        "reports.csv" => Ok(download("cash-reports.csv", "text/csv; charset=utf-8", csv(&app, &due))),
        _ => Err(Fault::NoPage),
    }
}

fn csv(app: &App, due: &[CashReport]) -> String {
    let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text =
        "player,name,identified,gaming_day,due,cash_in,cash_out,movement,time,direction,amount,cashier\n"
            .to_owned();
    for report in due {
        let of = &report.of;
        for moved in &of.movements {
            let way = if moved.buy_in { "in" } else { "out" };
            let (name, identified) =
                (of.name.as_deref().unwrap_or_default(), of.identified.as_deref().unwrap_or_default());
            text.push_str(&format!(
                "{},{},{},{},{},{},{},{},{},{way},{},{}\n",
                of.player,
                cell(name),
                cell(identified),
                of.day,
                report.due,
                of.cash_in,
                of.cash_out,
                moved.number,
                app.config.gaming_day.local(moved.at),
                moved.amount,
                moved.cashier,
            ));
        }
    }
    text
}

/// `POST /cage/player`: a new player with an empty purse, who is at the counter then.
pub(crate) async fn register(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    may(&visitor)?;
    let at = ("register", "name");
    let player = match name(&form, "name") {
        Ok(player) => player,
        Err(fault) => return refused_at(&app, &visitor, &form, at, fault).await,
    };
    let password = Some(form.text("password")).filter(|password| !password.is_empty());
    let house = app.house.for_request(Some(form.command("")?), None);
    if let Err(error) = house.register_player(&visitor.actor, &player, password).await {
        return refused_at(&app, &visitor, &form, at, error.into()).await;
    }
    if form.has("shown") {
        let house = app.house.for_request(Some(form.command("name")?), None);
        if let Err(error) = house.give_name(&visitor.actor, player.as_str(), form.text("shown")).await {
            return refused_at(&app, &visitor, &form, at, error.into()).await;
        }
    }
    Ok(Redirect::to(&format!("{}/cage?player={player}", visitor.base)).into_response())
}
