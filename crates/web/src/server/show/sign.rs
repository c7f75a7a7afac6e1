//! Reads what the jackpot sign shows.

use baize_house::JackpotId;
use baize_rules::Rulebook;

use super::{jackpot, shell};
use crate::pages::sign::{self, SignPage};
use crate::server::app::App;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The whole sign.
pub(crate) async fn page(app: &App, visitor: &Visitor, id: &JackpotId) -> Result<maud::Markup, Fault> {
    Ok(sign::page(&read(app, visitor, id).await?))
}

/// Its live regions.
pub(crate) async fn regions(app: &App, visitor: &Visitor, id: &JackpotId) -> Result<maud::Markup, Fault> {
    Ok(sign::regions(&read(app, visitor, id).await?))
}

async fn read(app: &App, visitor: &Visitor, id: &JackpotId) -> Result<SignPage<'static>, Fault> {
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
    Ok(SignPage { shell, jackpot, books })
}
