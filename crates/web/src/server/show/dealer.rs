//! Reads what the dealer's console shows.

use baize_house::{Duty, TableId, TableView};

use super::{Part, jackpot_of, names, shell};
use crate::pages::dealer::{self, DealerPage};
use crate::pages::expected;
use crate::pages::next_step::NextStep;
use crate::server::app::App;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The list of tables that this dealer may deal.
pub(crate) async fn tables(app: &App, visitor: &Visitor) -> Result<maud::Markup, Fault> {
    visitor.require(Duty::Dealer)?;
    let infos = app.house.tables().await?;
    let lines = infos
        .iter()
        .filter(|info| app.house.may_deal(&visitor.actor, &info.id).is_ok())
        .map(|info| Ok((info, app.library.of_table(&info.id)?)));
    let tables = lines.collect::<Result<Vec<_>, Fault>>()?;
    Ok(dealer::tables(&shell(app, visitor).await?, &tables))
}

/// The console. After a refusal with the cards as they were typed, and the reason.
pub(crate) async fn render(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    refused: Option<(&str, String)>,
    part: Part,
) -> Result<maud::Markup, Fault> {
    visitor.require(Duty::Dealer)?;
    app.house.may_deal(&visitor.actor, id)?;
    let version = app.feed.page_version();
    let view = app.house.view(&visitor.actor, id).await?;
    let (book, mut shell) = (app.library.of_table(&view.info.id)?, shell(app, visitor).await?);
    shell.events = Some(shell.href(&format!("/events/dealer/{id}")));
    shell.change = version;
    shell.names = names(app, &view.round, view.info.guests.keys());
    let jackpot = jackpot_of(app, &view.info).await?;
    let page = DealerPage { shell, book, of: &view, jackpot: jackpot.as_ref(), refused };
    Ok(if part == Part::Page { dealer::page(&page) } else { dealer::regions(&page) })
}

/// The current step of the table, as forms name it.
pub(crate) fn step(view: &TableView) -> String {
    expected::step(&NextStep::of(&view.round, &view.legal), &view.round)
}
