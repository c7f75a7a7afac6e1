//! The view model of the page of tables and jackpots.

use baize_house::{Duty, JackpotConfig, JackpotView, TableInfo};
use baize_jackpot::{Change, Parameters};
use baize_rules::{Money, Rulebook};

use super::table::next_limits;
use super::{dealing, shell, state};
use crate::pages::house;
use crate::pages::model::{HouseJackpot, HousePage, HouseTable, Parameter, ParameterChange};
use crate::pages::paint::short;
use crate::pages::shell::{Notice, Tone};
use crate::server::app::App;
use crate::server::body::{Form, shortened};
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// Fails unless the visitor may see the pit.
pub(crate) fn require_pit(visitor: &Visitor) -> Result<(), Fault> {
    visitor.require_login()?;
    Ok(visitor.require(Duty::PitSupervisor)?)
}

fn refused(visitor: &Visitor, duty: Duty) -> Option<String> {
    (!visitor.actor.may(duty)).then(|| format!("this needs the {}", duty.name()))
}

/// The page. `refused_form` is a form that was refused, with its id and the reason.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    refused_form: Option<(&Form, String, String)>,
) -> Result<maud::Markup, Fault> {
    require_pit(visitor)?;
    let infos = app.house.tables().await?;
    let mut page = HousePage {
        shell: shell(app, visitor).await?,
        games: Rulebook::builtins().iter().collect(),
        usual: new_jackpot_fields(),
        money: infos.iter().map(|info| info.money).max().unwrap_or_default().code(),
        set_up_refused: refused(visitor, Duty::ShiftManager),
        propose_refused: refused(visitor, Duty::PitManager),
        ..HousePage::default()
    };
    for info in &infos {
        page.tables.push(table(app, info)?);
    }
    for view in app.house.jackpots().await? {
        let (parameters, change) = app.house.jackpot_parameters(&visitor.actor, &view.id)?;
        let mut shown = jackpot(&view, &parameters, change.as_ref(), visitor);
        let books = view.tables.iter().filter_map(|table| app.library.of_table(table).ok());
        shown.operator = books.map(|book| book.operator.clone()).next();
        page.jackpots.push(shown);
    }
    if let Some((form, at, why)) = refused_form {
        if !page.has_form(&at) {
            // The form is not on the page any more: the house has changed since the page was loaded.
            page.shell.notice = Some(Notice { tone: Tone::Bad, words: why.clone() });
        }
        page.problem = Some((at, why));
        page.typed = form.fields().map(|(name, text)| (name.to_owned(), shortened(text))).collect();
    }
    Ok(house::page(&page))
}

fn table<'a>(app: &App, info: &'a TableInfo) -> Result<HouseTable<'a>, Fault> {
    Ok(HouseTable {
        id: info.id.to_string(),
        book: app.library.of_table(&info.id)?,
        settings: &info.settings,
        next_limits: next_limits(info),
        dealing: dealing(info),
        jackpot: info.jackpot.as_ref().map(ToString::to_string),
        money: info.money.code(),
        state: state(info),
    })
}

fn jackpot(view: &JackpotView, now: &Parameters, change: Option<&Change>, visitor: &Visitor) -> HouseJackpot {
    let then = change.map(|change| figures(&change.parameters));
    let mut parameters = figures(now);
    for (at, one) in parameters.iter_mut().enumerate() {
        one.then = then.as_ref().and_then(|then| then.get(at)).map(|then| then.now.clone());
        one.then.take_if(|then| *then == one.now);
    }
    let is_visitor = |name: &str| visitor.actor.label() == format!("staff:{name}");
    HouseJackpot {
        id: view.id.to_string(),
        displayed: view.displayed,
        money: view.money.code(),
        tables: view.tables.iter().map(ToString::to_string).collect(),
        operator: None,
        stopped: view.stopped.clone(),
        parameters,
        change: change.map(|change| ParameterChange {
            by: change.proposed_by.name.clone(),
            approved_by: change.approved_by.as_ref().map(|person| person.name.clone()),
            approve_refused: refused(visitor, Duty::ShiftManager).or_else(|| {
                is_visitor(&change.proposed_by.name).then(|| "another person must approve it".to_owned())
            }),
        }),
    }
}

fn parameter(name: &'static str, title: &'static str, does: &'static str, now: String) -> Parameter {
    Parameter { name, title, does, now, then: None }
}

fn figures(of: &Parameters) -> Vec<Parameter> {
    let amount = |amount: Money| short(amount);
    vec![
        parameter(
            "wager",
            "Wager",
            "the prescribed wager, or the lowest where multiples are allowed",
            amount(of.wager),
        ),
        parameter("reset", "Reset value", "what the meter resets to after it is won", amount(of.reset)),
        parameter("increment", "To the meter", "of each accepted wager", of.increment.to_string()),
        parameter(
            "reserve",
            "To the reserve",
            "of each accepted wager, for the next reset",
            of.reserve.to_string(),
        ),
        parameter(
            "ceiling",
            "Ceiling",
            "above it, contributions go to the overflow; empty for none",
            of.ceiling.map_or_else(|| "none".to_owned(), amount),
        ),
        parameter(
            "confirm_above",
            "Second person above",
            "an award above this needs a second person",
            amount(of.confirm_above),
        ),
    ]
}

/// The fields of a new jackpot, with their defaults.
fn new_jackpot_fields() -> Vec<Parameter> {
    // The name has a field of its own.
    let Ok(name) = "new".parse() else { return Vec::new() };
    let usual = JackpotConfig::usual(name);
    let mut all = vec![parameter("base", "Opens with", "paid in by the house", short(usual.base))];
    all.extend(figures(&Parameters {
        wager: usual.wager,
        reset: usual.reset,
        increment: usual.increment,
        reserve: usual.reserve,
        ceiling: usual.ceiling,
        confirm_above: usual.confirm_above,
    }));
    all
}
