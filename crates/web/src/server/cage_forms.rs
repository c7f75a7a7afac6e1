//! The cage: its page, its forms for cash, reports and new players, and the export of cash reports. Refusals appear beside their form.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use baize_house::{CashReport, Duty, HouseError};
use baize_rules::Money;

use super::app::App;
use super::body::{Form, Query, shortened};
use super::fault::{Fault, PageResult, html};
use super::reporting::{download, json};
use super::set_up;
use super::show::cage::{self, amount, name};
use super::show::shell_of_staff;
use super::visitor::Visitor;
use crate::pages::actions::Cage;

/// `GET /cage`
pub(crate) async fn cage(State(app): State<App>, visitor: Visitor, Query(query): Query) -> PageResult {
    Ok(html(&cage::page(&app, &visitor, &query, None).await?))
}

fn require_cashier(visitor: &Visitor) -> Result<(), Fault> {
    visitor.require_login()?;
    Ok(visitor.require(Duty::Cage)?)
}

/// The page with the fault beside its form, and the field as it was typed.
async fn refused(app: &App, visitor: &Visitor, form: &Form, at: (Cage, &str), fault: Fault) -> PageResult {
    refused_at(app, visitor, form, (at.0.code(), at.1), fault).await
}

async fn refused_at(
    app: &App,
    visitor: &Visitor,
    form: &Form,
    (at, field): (&'static str, &str),
    fault: Fault,
) -> PageResult {
    let problem = (at, shortened(form.text(field)), fault.sentence());
    Ok(fault.with_page(&cage::page(app, visitor, form, Some(problem)).await?))
}

/// `POST /cage/do`: an action at the counter. Sent twice, cash moves once and both answers lead to the same receipt.
pub(crate) async fn cash(State(app): State<App>, visitor: Visitor, form: Form) -> PageResult {
    require_cashier(&visitor)?;
    match form.action()? {
        what @ (Cage::BuyIn | Cage::CashOut) => buy_in_or_cash_out(&app, &visitor, &form, what).await,
        Cage::Collect => collect(&app, &visitor, &form).await,
        Cage::Identify => identify(&app, &visitor, &form).await,
        Cage::File => file(&app, &visitor, &form).await,
        Cage::Count => count(&app, &visitor, &form).await,
    }
}

/// Buy-in or cash-out.
async fn buy_in_or_cash_out(app: &App, visitor: &Visitor, form: &Form, what: Cage) -> PageResult {
    let (player, id) = (name(form, "player")?, form.command_id("")?);
    let at = (what, "amount");
    let amount = match amount(form) {
        Ok(amount) => amount,
        Err(words) => return refused(app, visitor, form, at, Fault::unreadable(words)).await,
    };
    let moved = if what == Cage::BuyIn {
        app.house.buy_in(&visitor.actor, &player, &id, amount).await
    } else {
        app.house.cash_out(&visitor.actor, &player, &id, amount).await
    };
    match moved {
        Ok(_) => Ok(visitor.redirect(&format!("/cage?player={player}&receipt={id}"))),
        Err(HouseError::NotKnown { .. }) => outcome_unknown(app, visitor, form),
        Err(error) => refused(app, visitor, form, at, error.into()).await,
    }
}

/// The page for a movement whose outcome is unknown: it retries the same form under the same id. Reads nothing from the database, which does
/// not answer.
fn outcome_unknown(app: &App, visitor: &Visitor, form: &Form) -> PageResult {
    let fields: Vec<(&str, &str)> = form.fields().collect();
    let page = crate::pages::cage::outcome_unknown(&shell_of_staff(app, visitor), &fields);
    Ok((StatusCode::GATEWAY_TIMEOUT, html(&page)).into_response())
}

/// A player pays a debt from their purse.
async fn collect(app: &App, visitor: &Visitor, form: &Form) -> PageResult {
    let (player, id) = (name(form, "player")?, form.command_id("")?);
    let at = (Cage::Collect, "amount");
    let amount = match amount(form) {
        Ok(amount) => amount,
        Err(words) => return refused(app, visitor, form, at, Fault::unreadable(words)).await,
    };
    match app.house.collect(&visitor.actor, &player, &id, amount).await {
        Ok(_) => Ok(visitor.redirect(&format!("/cage?player={player}"))),
        Err(HouseError::NotKnown { .. }) => outcome_unknown(app, visitor, form),
        Err(error) => refused(app, visitor, form, at, error.into()).await,
    }
}

/// Records that a player was identified by a document, and returns to the confirmation that required it.
async fn identify(app: &App, visitor: &Visitor, form: &Form) -> PageResult {
    let player = name(form, "player")?;
    let house = app.house_for(form)?;
    match house.identify(&visitor.actor, &player, form.text("document")).await {
        Ok(()) => {
            let then = match (form.optional::<Cage>("then"), amount(form)) {
                (Ok(Some(then)), Ok(amount)) => {
                    let moved = form.optional::<usize>("moved")?.unwrap_or_default();
                    format!("&do={then}&amount={amount}&moved={moved}")
                }
                _ => String::new(),
            };
            Ok(visitor.redirect(&format!("/cage?player={player}{then}")))
        }
        Err(error) => refused(app, visitor, form, (Cage::Identify, "document"), error.into()).await,
    }
}

/// Records that a cash transaction report was filed.
async fn file(app: &App, visitor: &Visitor, form: &Form) -> PageResult {
    let (player, day) = (name(form, "player")?, form.required("day")?);
    let house = app.house_for(form)?;
    match house.file_cash_report(&visitor.actor, &player, day, form.text("reference")).await {
        Ok(()) => Ok(visitor.redirect("/cage")),
        Err(error) => refused(app, visitor, form, (Cage::File, ""), error.into()).await,
    }
}

/// Records the count of a drawer at the end of a shift.
async fn count(app: &App, visitor: &Visitor, form: &Form) -> PageResult {
    let at = (Cage::Count, "amount");
    let kept = if form.has("kept") { set_up::amount(form, "kept") } else { Ok(Money::ZERO) };
    let (counted, kept) = match (set_up::amount(form, "amount"), kept) {
        (Ok(counted), Ok(kept)) => (counted, kept),
        (Err(fault), _) | (_, Err(fault)) => {
            return refused(app, visitor, form, at, fault).await;
        }
    };
    let house = app.house_for(form)?;
    match house.count_drawer(&visitor.actor, counted, kept).await {
        Ok(_) => Ok(visitor.redirect("/cage#count-drawer")),
        Err(error) => refused(app, visitor, form, at, error.into()).await,
    }
}

/// `GET /cage/reports.csv` and `/cage/reports.json`: cash reports that are due, with every movement.
pub(crate) async fn reports(
    State(app): State<App>,
    visitor: Visitor,
    Path(format): Path<String>,
) -> PageResult {
    visitor.require_login()?;
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
            let direction = if moved.buy_in { "in" } else { "out" };
            let (name, identified) =
                (of.name.as_deref().unwrap_or_default(), of.identified.as_deref().unwrap_or_default());
            text.push_str(&format!(
                "{},{},{},{},{},{},{},{},{},{direction},{},{}\n",
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

/// `POST /cage/player`: registers a player with an empty purse and opens their page.
pub(crate) async fn register(State(app): State<App>, visitor: Visitor, form: Form) -> PageResult {
    require_cashier(&visitor)?;
    let at = ("register", "name");
    let player = match name(&form, "name") {
        Ok(player) => player,
        Err(fault) => return refused_at(&app, &visitor, &form, at, fault).await,
    };
    let password = Some(form.text("password")).filter(|password| !password.is_empty());
    let house = app.house_for(&form)?;
    if let Err(error) = house.register_player(&visitor.actor, &player, password).await {
        return refused_at(&app, &visitor, &form, at, error.into()).await;
    }
    if form.has("shown") {
        let house = app.house.for_request(Some(form.command_id("name")?), None);
        if let Err(error) = house.give_name(&visitor.actor, player.as_str(), form.text("shown")).await {
            return refused_at(&app, &visitor, &form, at, error.into()).await;
        }
    }
    Ok(visitor.redirect(&format!("/cage?player={player}")))
}
