//! The page of tables and jackpots.

use baize_house::{Actor, Duty, HouseError, JackpotConfig, JackpotView, TableInfo};
use baize_jackpot::{Change, Parameters};
use baize_rules::{Cites, Money, Rulebook};

use super::table::next_limits;
use super::{dealing, shell, state};
use crate::pages::house;
use crate::pages::model::{HouseJackpot, HousePage, HouseTable, Notice, Parameter, ParameterChange, Tone};
use crate::pages::paint::short;
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The pit comes here.
pub(crate) fn may(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.actor == Actor::Public {
        return Err(HouseError::NotLoggedIn.into());
    }
    if visitor.actor.may(Duty::PitSupervisor) {
        return Ok(());
    }
    Err(HouseError::Forbidden { needs: Duty::PitSupervisor, cites: Cites::NONE }.into())
}

fn refused(visitor: &Visitor, duty: Duty) -> Option<String> {
    (!visitor.actor.may(duty)).then(|| format!("this needs the {}", duty.name()))
}

/// The page. `wrong` is a form that was refused, which one it is and why.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    wrong: Option<(&Form, String, String)>,
) -> Result<maud::Markup, Fault> {
    may(visitor)?;
    let infos = app.house.tables().await?;
    let mut page = HousePage {
        shell: shell(app, visitor).await?,
        games: Rulebook::builtins().iter().collect(),
        usual: opening(),
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
    if let Some((form, at, why)) = wrong {
        if !page.has_form(&at) {
            // It was right for the page that it came from; the house has gone on since.
            page.shell.notice = Some(Notice { tone: Tone::Bad, words: why.clone() });
        }
        page.problem = Some((at, why));
        page.typed =
            form.all().map(|(name, text)| (name.to_owned(), text.chars().take(40).collect())).collect();
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
    let himself = |name: &str| visitor.actor.label() == format!("staff:{name}");
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
                himself(&change.proposed_by.name).then(|| "another person must do it".to_owned())
            }),
        }),
    }
}

fn one(name: &'static str, title: &'static str, does: &'static str, now: String) -> Parameter {
    Parameter { name, title, does, now, then: None }
}

fn figures(of: &Parameters) -> Vec<Parameter> {
    let amount = |amount: Money| short(amount);
    vec![
        one(
            "wager",
            "Wager",
            "the prescribed wager, or the smallest where multiples are allowed",
            amount(of.wager),
        ),
        one("reset", "Reset value", "where the meter starts again when it is won", amount(of.reset)),
        one("increment", "To the meter", "of each accepted wager", of.increment.to_string()),
        one(
            "reserve",
            "To the reserve",
            "of each accepted wager, for the next reset",
            of.reserve.to_string(),
        ),
        one(
            "ceiling",
            "Ceiling",
            "above it contributions go to the overflow; empty: none",
            of.ceiling.map_or_else(|| "none".to_owned(), amount),
        ),
        one(
            "confirm_above",
            "Second person above",
            "an award above this needs a second person",
            amount(of.confirm_above),
        ),
    ]
}

/// What a new jackpot is asked for.
fn opening() -> Vec<Parameter> {
    // The name is asked for apart.
    let Ok(name) = "new".parse() else { return Vec::new() };
    let usual = JackpotConfig::usual(name);
    let mut all = vec![one("base", "Opens with", "paid in by the house", short(usual.base))];
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
