//! Reads what the cage's page shows.

use baize_house::{
    CASH_REPORT, CashDay, CommandId, Duty, HouseError, IDENTIFY_FROM, MoneyKind, PlayerId, PlayerLine,
};
use baize_rules::Money;

use super::{display_names, shell};
use crate::pages::actions::Cage;
use crate::pages::cage::{self, CageConfirmation, CagePage};
use crate::server::app::App;
use crate::server::body::{Form, shortened};
use crate::server::fault::{Fault, sentence};
use crate::server::visitor::Visitor;

/// Maximum length of the lists.
const LISTED: usize = 12;

/// The amount of a form, which must be positive; with or without thousands separators.
pub(crate) fn amount(form: &Form) -> Result<Money, String> {
    let text = shortened(form.text("amount").trim());
    let read = text.replace([',', ' '], "").parse::<Money>().ok().filter(|amount| *amount > Money::ZERO);
    read.ok_or_else(|| match text.as_str() {
        "" => "enter an amount, such as 1,500 or 1500.50".to_owned(),
        _ => format!("`{text}` is not an amount of money; enter it like 1,500 or 1500.50"),
    })
}

/// The page. `refused` describes a form that was refused: which one, what was typed, and why.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    query: &Form,
    refused: Option<(&'static str, String, String)>,
) -> Result<maud::Markup, Fault> {
    visitor.require(Duty::Cage)?;
    let (house, actor) = (&app.house, &visitor.actor);
    let mut all = house.players(actor).await?;
    let mut problem = refused;
    let player = match all.iter().find(|line| line.id.as_str() == query.text("player")) {
        Some(line) => Some((line.clone(), house.cash_today(actor, &line.id).await?)),
        None if query.has("player") => {
            let words = format!("There is no player {}.", shortened(query.text("player")));
            problem = Some(("find", String::new(), words));
            None
        }
        None => None,
    };
    let mut confirmation = None;
    if let (Some((player, cash)), Ok(what @ (Cage::BuyIn | Cage::CashOut)), None) =
        (&player, query.action(), &problem)
    {
        match confirmed(query, what == Cage::BuyIn, player, cash) {
            Ok(movement) => confirmation = Some(movement),
            Err(words) => {
                problem = Some((what.code(), shortened(query.text("amount")), sentence(&words)));
            }
        }
    }
    let receipt = match query.optional::<CommandId>("receipt")? {
        Some(id) => house.cage_receipt(actor, &id).await?,
        None => None,
    };
    let day = app.config.gaming_day;
    let movements = house.cage_movements(actor, day.start(day.of(house.now()))).await?;
    let mut shell = shell(app, visitor).await?;
    let shown = movements.iter().chain(receipt.as_ref().map(|receipt| &receipt.movement));
    shell.names = display_names(app, shown.map(|movement| movement.player.as_str()));
    let find = query.text("find").trim().to_lowercase();
    let is = |line: &PlayerLine, fits: fn(&str, &str) -> bool| {
        let names = [line.id.to_string(), line.name.clone().unwrap_or_default()];
        names.iter().any(|name| fits(&name.to_lowercase(), &find))
    };
    all.retain(|line| is(line, |name, part| name.contains(part)));
    // Names that begin with the text come before those that contain it.
    all.sort_by_key(|line| (!is(line, |name, part| name.starts_with(part)), line.id.clone()));
    let more = all.len().saturating_sub(LISTED);
    all.truncate(LISTED);
    let (mut filed, mut counts) = (house.filed_reports(actor).await?, house.drawer_counts(actor).await?);
    filed.truncate(LISTED);
    counts.truncate(LISTED);
    Ok(cage::page(&CagePage {
        shell,
        find: shortened(query.text("find").trim()),
        found: all,
        more,
        player,
        confirmation,
        problem,
        receipt,
        movements,
        reports: house.cash_reports(actor).await?,
        filed,
        drawer: house.drawer(actor).await?,
        counts,
    }))
}

/// The movement to confirm, or why it is not possible.
fn confirmed(
    query: &Form,
    buy_in: bool,
    player: &PlayerLine,
    cash: &CashDay,
) -> Result<CageConfirmation, String> {
    if player.money == MoneyKind::Practice {
        return Err(HouseError::Practice(player.id.clone()).to_string());
    }
    let amount = amount(query)?;
    let moved = query.optional::<usize>("moved").ok().flatten().unwrap_or(cash.movements.len());
    if let Some(last) = cash.movements.last().filter(|_| moved != cash.movements.len()) {
        let what = if last.buy_in { "bought in" } else { "cashed out" };
        let amount = last.amount.grouped();
        return Err(format!(
            "the player {what} {amount} since this page was opened: confirm only if this is another movement"
        ));
    }
    if !buy_in && amount > player.purse {
        return Err(format!("the purse holds only {}, not {}", player.purse.grouped(), amount.grouped()));
    }
    let after = if buy_in { player.purse + amount } else { player.purse - amount };
    let reaches = cash.reaches(buy_in, amount);
    let identify = reaches >= IDENTIFY_FROM && cash.identified.is_none();
    Ok(CageConfirmation { buy_in, amount, after, identify, reported: reaches >= CASH_REPORT })
}

/// The player's log-in name in a form of the cage.
pub(crate) fn name(form: &Form, field: &str) -> Result<PlayerId, Fault> {
    Ok(form.text(field).trim().parse()?)
}
