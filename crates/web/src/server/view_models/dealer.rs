//! The view model of the dealer's console.

use baize_house::{Duty, OrderKind, TableId, TableView};

use super::{dealing, jackpot_of, meter, names, pending, shell, state, table};
use crate::pages::dealer;
use crate::pages::expected;
use crate::pages::model::{DealerPage, DealerTables, NextStep};
use crate::pages::round_log::round_log;
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
        .map(|info| Ok((info.id.to_string(), app.library.of_table(&info.id)?, state(info))));
    let tables = lines.collect::<Result<_, Fault>>()?;
    Ok(dealer::tables(&DealerTables { shell: shell(app, visitor).await?, tables }))
}

/// The whole console.
pub(crate) async fn page(app: &App, visitor: &Visitor, id: &TableId) -> Result<maud::Markup, Fault> {
    show(app, visitor, id, dealer::page, None).await
}

/// The whole console after a refusal, with the reason and the cards as they were typed.
pub(crate) async fn refused(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    typed: &str,
    why: String,
) -> Result<maud::Markup, Fault> {
    show(app, visitor, id, dealer::page, Some((typed.to_owned(), why))).await
}

/// Its live regions.
pub(crate) async fn regions(app: &App, visitor: &Visitor, id: &TableId) -> Result<maud::Markup, Fault> {
    show(app, visitor, id, dealer::regions, None).await
}

/// The current step of the table, as forms name it.
pub(crate) fn step(view: &TableView) -> String {
    expected::step(&NextStep::of(&view.round, &view.legal), &view.round)
}

async fn show(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    render: fn(&DealerPage<'_>) -> maud::Markup,
    refused: Option<(String, String)>,
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
    let here = id.to_string();
    let (typed, refused) = refused.map_or((String::new(), None), |(typed, why)| (typed, Some(why)));
    let page = DealerPage {
        table: here.clone(),
        book,
        settings: &view.info.settings,
        dealing: dealing(&view.info),
        view: &view.round,
        legal: &view.legal,
        meter: jackpot.as_ref().map(meter),
        hits: jackpot.iter().flat_map(|j| pending(visitor, j)).filter(|hit| hit.table == here).collect(),
        guests: view.info.guests.iter().map(|(player, seat)| (*seat, player.to_string())).collect(),
        may_take_back: view.orders.contains(&OrderKind::TakeBack),
        clock: table::clock(&view),
        log: round_log(book, &view.round, &shell.names),
        commitment: view.commitment.as_ref().map(|commitment| commitment.hash.clone()),
        typed,
        refused,
        shell,
    };
    Ok(render(&page))
}
