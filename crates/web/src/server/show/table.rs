//! Reads what the table page shows to players and spectators.

use baize_house::TableId;
use baize_rules::BoxNumber;
use baize_table::Player;

use super::{jackpot_of, names, shell};
use crate::pages::shell::Notice;
use crate::pages::table::{self, TablePage};
use crate::server::app::App;
use crate::server::coach;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// What a request adds to the table's state.
#[derive(Default)]
pub(crate) struct Extra {
    /// Give advice for this box.
    pub(crate) advice: Option<BoxNumber>,
    /// Review the decisions of this box so far.
    pub(crate) coached: Option<BoxNumber>,
    /// A message on top.
    pub(crate) notice: Option<Notice>,
}

/// The whole page.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    extra: Extra,
) -> Result<maud::Markup, Fault> {
    show(app, visitor, id, extra, table::page).await
}

/// Its live regions.
pub(crate) async fn regions(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    extra: Extra,
) -> Result<maud::Markup, Fault> {
    show(app, visitor, id, extra, table::regions).await
}

async fn show(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    extra: Extra,
    render: fn(&TablePage<'_>) -> maud::Markup,
) -> Result<maud::Markup, Fault> {
    let version = app.feed.page_version();
    let view = app.house.view(&visitor.actor, id).await?;
    let (book, mut shell) = (app.library.of_table(&view.info.id)?, shell(app, visitor).await?);
    shell.events = Some(shell.href(&format!("/events/table/{id}")));
    shell.change = version;
    shell.notice = extra.notice;
    shell.names = names(app, &view.round, view.info.guests.keys());
    let jackpot = jackpot_of(app, &view.info).await?;
    let advice = match (extra.advice, extra.coached) {
        (Some(seat), _) => {
            let meter = jackpot.as_ref().map(|jackpot| jackpot.displayed);
            Some(app.odds.advise(book, &view, seat, meter).await)
        }
        (None, Some(seat)) => Some(coach::review_at_table(app, book, &view, seat).await?),
        (None, None) => None,
    };
    let me = visitor.actor.as_player().map(Player::from);
    let page = TablePage { shell, book, of: &view, jackpot: jackpot.as_ref(), me, advice };
    Ok(render(&page))
}
