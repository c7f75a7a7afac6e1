//! The view model of the cage.

use baize_house::{
    CASH_REPORT, CageReceipt as Receipt, CashDay, CommandId, Duty, HouseError, IDENTIFY_FROM, MoneyKind,
    PlayerId, PlayerLine,
};
use baize_rules::Money;

use super::{shell, when};
use crate::pages::actions::Cage;
use crate::pages::cage;
use crate::pages::model::{CageConfirmation, CageLine, CagePage, CageReceipt};
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
    let gaming = app.config.gaming_day;
    let today = gaming.of(app.house.now());
    let all = app.house.players(&visitor.actor).await?;
    let find = query.text("find").trim().to_lowercase();
    let names = |line: &PlayerLine| [line.id.to_string(), line.name.clone().unwrap_or_default()];
    let is = |line: &PlayerLine, fits: fn(&str, &str) -> bool| {
        names(line).iter().any(|name| fits(&name.to_lowercase(), &find))
    };
    let mut found: Vec<&PlayerLine> =
        all.iter().filter(|line| is(line, |name, part| name.contains(part))).collect();
    // Names that begin with the text come before those that contain it.
    found.sort_by_key(|line| (!is(line, |name, part| name.starts_with(part)), line.id.clone()));
    let shell = shell(app, visitor).await?;
    let mut page = CagePage {
        day: format!("{today}, {gaming}"),
        find: shortened(query.text("find").trim()),
        more: found.len().saturating_sub(LISTED),
        found: found.into_iter().take(LISTED).cloned().collect(),
        problem: refused,
        ..CagePage::default()
    };
    if query.has("player") {
        let name = query.text("player");
        match all.iter().find(|line| line.id.as_str() == name) {
            Some(line) => {
                page.cash = Some(app.house.cash_today(&visitor.actor, &line.id).await?);
                page.player = Some(line.clone());
            }
            None => {
                let words = format!("There is no player {}.", shortened(name));
                page.problem = Some(("find", String::new(), words));
            }
        }
    }
    if let (Some(player), Some(cash), Ok(what @ (Cage::BuyIn | Cage::CashOut)), None) =
        (&page.player, &page.cash, query.action(), &page.problem)
    {
        match confirmation(query, what == Cage::BuyIn, player, cash) {
            Ok(confirmation) => page.confirmation = Some(confirmation),
            Err(words) => {
                let typed = shortened(query.text("amount"));
                page.problem = Some((what.code(), typed, sentence(&words)));
            }
        }
    }
    if let Some(id) = query.optional::<CommandId>("receipt")?
        && let Some(found) = app.house.cage_receipt(&visitor.actor, &id).await?
    {
        page.receipt = Some(receipt(app, &found));
    }
    for line in app.house.cage_movements(&visitor.actor, gaming.start(today)).await? {
        let total = if line.buy_in { &mut page.totals.0 } else { &mut page.totals.1 };
        *total += line.amount;
        let local = gaming.local(line.at);
        page.lines.push(CageLine {
            number: line.number,
            time: local.split(' ').next_back().unwrap_or_default().to_owned(),
            player: super::display_name(app, line.player.as_str()),
            buy_in: line.buy_in,
            amount: line.amount,
            href: shell.href(&format!("/cage?receipt={}", line.command)),
        });
    }
    page.reports = app.house.cash_reports(&visitor.actor).await?;
    for filed in app.house.filed_reports(&visitor.actor).await?.into_iter().take(LISTED) {
        page.filed.push((when(app, filed.at), filed));
    }
    page.drawer = Some(app.house.drawer(&visitor.actor).await?);
    for count in app.house.drawer_counts(&visitor.actor).await?.into_iter().take(LISTED) {
        page.counts.push((when(app, count.at), count));
    }
    page.shell = shell;
    Ok(cage::page(&page))
}

/// The movement to confirm, or why it is not possible.
fn confirmation(
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

fn receipt(app: &App, of: &Receipt) -> CageReceipt {
    let (movement, gaming) = (&of.movement, app.config.gaming_day);
    CageReceipt {
        number: movement.number,
        command: movement.command.to_string(),
        when: gaming.local(movement.at),
        clock: format!("UTC{}", gaming.utc_offset),
        cashier: movement.cashier.clone(),
        player: movement.player.to_string(),
        player_name: app.house.name_of(movement.player.as_str()),
        buy_in: movement.buy_in,
        amount: movement.amount,
        purse_after: of.purse_after,
    }
}

/// The player's log-in name in a form of the cage.
pub(crate) fn name(form: &Form, field: &str) -> Result<PlayerId, Fault> {
    Ok(form.text(field).trim().parse()?)
}
