//! The view model of the jackpot sign.

use baize_house::{HitStatus, HitView, JackpotId, JackpotView};
use baize_rules::Rulebook;

use super::{jackpot, meter, shell};
use crate::pages::model::{HitLine, SignPage};
use crate::pages::sign;
use crate::server::app::App;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The whole sign.
pub(crate) async fn page(app: &App, visitor: &Visitor, id: &JackpotId) -> Result<maud::Markup, Fault> {
    show(app, visitor, id, sign::page).await
}

/// Its live regions.
pub(crate) async fn regions(app: &App, visitor: &Visitor, id: &JackpotId) -> Result<maud::Markup, Fault> {
    show(app, visitor, id, sign::regions).await
}

async fn show(
    app: &App,
    visitor: &Visitor,
    id: &JackpotId,
    render: fn(&SignPage) -> maud::Markup,
) -> Result<maud::Markup, Fault> {
    let version = app.feed.page_version();
    let of = jackpot(app, id).await?;
    let mut shell = shell(app, visitor).await?;
    shell.events = Some(shell.href(&format!("/events/sign/{id}")));
    shell.change = version;
    // A top award is announced until the next round with a hit.
    let latest = of.hits.first().map(|hit| hit.round.clone());
    let won = |hit: &&HitView| hit.top && hit.state == HitStatus::Paid && Some(&hit.round) == latest.as_ref();
    let announce = of.hits.iter().find(won).map(line);
    let page = SignPage {
        shell,
        meter: meter(&of),
        awards: awards(app, &of).await?,
        last: of
            .hits
            .iter()
            .filter(|hit| !matches!(hit.state, HitStatus::Rejected | HitStatus::Reversed))
            .map(line)
            .collect(),
        announce,
    };
    Ok(render(&page))
}

fn line(hit: &HitView) -> HitLine {
    let state = match hit.state {
        HitStatus::Pending => Some("being verified"),
        HitStatus::Rejected => Some("did not qualify"),
        HitStatus::Reversed => Some("undone with its round"),
        HitStatus::Paid => None,
    };
    HitLine {
        when: format!("round {}", hit.round.number),
        table: hit.round.table.to_string(),
        round: hit.round.number,
        award: hit.award.clone(),
        amount: hit.amount,
        state,
    }
}

/// The awards of each game linked to the jackpot.
async fn awards(app: &App, of: &JackpotView) -> Result<Vec<(String, Vec<(String, String)>)>, Fault> {
    let mut books: Vec<&Rulebook> = Vec::new();
    for info in app.house.tables().await? {
        let book = app.library.of_table(&info.id)?;
        if info.jackpot.as_ref() == Some(&of.id) && !books.iter().any(|known| known.hash == book.hash) {
            books.push(book);
        }
    }
    let lines = |book: &Rulebook| {
        book.jackpot.awards.iter().map(|award| (award.name.clone(), award.pays.to_string())).collect()
    };
    Ok(books.into_iter().map(|book| (book.name.clone(), lines(book))).collect())
}
