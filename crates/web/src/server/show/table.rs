//! Reads what the table page shows to players and spectators.

use baize_house::TableId;
use baize_rules::BoxNumber;
use baize_table::Player;

use super::{Part, jackpot_of, names, shell};
use crate::pages::table::{self, TablePage};
use crate::server::app::App;
use crate::server::coach;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// Help that the reader asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Help {
    /// Advice on the next decision of this box.
    Advice(BoxNumber),
    /// A review of the decisions of this box so far.
    Review(BoxNumber),
}

/// The table for this reader.
pub(crate) async fn render(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    help: Option<Help>,
    part: Part,
) -> Result<maud::Markup, Fault> {
    let version = app.feed.page_version();
    let view = app.house.view(&visitor.actor, id).await?;
    let (book, mut shell) = (app.library.of_table(&view.info.id)?, shell(app, visitor).await?);
    shell.events = Some(shell.href(&format!("/events/table/{id}")));
    shell.change = version;
    shell.names = names(app, &view.round, view.info.guests.keys());
    let jackpot = jackpot_of(app, &view.info).await?;
    let advice = match help {
        Some(Help::Advice(seat)) => {
            let meter = jackpot.as_ref().map(|jackpot| jackpot.displayed);
            Some(app.odds.advise(book, &view, seat, meter).await)
        }
        Some(Help::Review(seat)) => Some(coach::review_at_table(app, book, &view, seat).await?),
        None => None,
    };
    let me = visitor.actor.as_player().map(Player::from);
    let page = TablePage { shell, book, of: &view, jackpot: jackpot.as_ref(), me, advice };
    Ok(if part == Part::Page { table::page(&page) } else { table::regions(&page) })
}
