//! Reads what the jackpot sign shows.

use baize_house::JackpotId;
use baize_rules::Rulebook;

use super::{Part, jackpot, shell};
use crate::pages::sign::{self, SignPage};
use crate::server::app::App;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The sign of a jackpot.
pub(crate) async fn render(
    app: &App,
    visitor: &Visitor,
    id: &JackpotId,
    part: Part,
) -> Result<maud::Markup, Fault> {
    let version = app.feed.page_version();
    let jackpot = jackpot(app, id).await?;
    let mut shell = shell(app, visitor).await?;
    shell.events = Some(shell.href(&format!("/events/sign/{id}")));
    shell.change = version;
    let mut books: Vec<&Rulebook> = Vec::new();
    for info in app.house.tables().await? {
        let book = app.library.of_table(&info.id)?;
        if info.jackpot.as_ref() == Some(id) && !books.iter().any(|known| known.hash == book.hash) {
            books.push(book);
        }
    }
    let page = SignPage { shell, jackpot, books };
    Ok(if part == Part::Page { sign::page(&page) } else { sign::regions(&page) })
}
