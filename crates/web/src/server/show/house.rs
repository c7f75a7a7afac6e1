//! Reads what the page of tables and jackpots shows.

use baize_house::Duty;

use super::shell;
use crate::pages::house::{self, HouseJackpot, HousePage};
use crate::pages::shell::{Notice, Tone};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// Fails unless the visitor may see the pit.
pub(crate) fn require_pit(visitor: &Visitor) -> Result<(), Fault> {
    visitor.require_login()?;
    Ok(visitor.require(Duty::PitSupervisor)?)
}

/// The page. `problem` is a form that was refused: its id, the reason, and the form.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    problem: Option<(&str, String, &Form)>,
) -> Result<maud::Markup, Fault> {
    require_pit(visitor)?;
    let (mut tables, mut jackpots) = (Vec::new(), Vec::new());
    for info in app.house.tables().await? {
        let book = app.library.of_table(&info.id)?;
        tables.push((info, book));
    }
    let shell = shell(app, visitor).await?;
    for of in app.house.jackpots().await? {
        let (parameters, change) = app.house.jackpot_parameters(&visitor.actor, &of.id)?;
        let book = of.tables.iter().find_map(|table| app.library.of_table(table).ok());
        let operator = book.map(|book| book.operator.clone());
        jackpots.push(HouseJackpot { of, operator, parameters, change });
    }
    let mut page = HousePage { shell, tables, jackpots, problem };
    if let Some((at, why, _)) = &page.problem
        && !page.has_form(at)
    {
        // The form is not on the page any more: the house has changed since the page was loaded.
        page.shell.notice = Some(Notice { tone: Tone::Bad, words: why.clone() });
    }
    Ok(house::page(&page))
}
