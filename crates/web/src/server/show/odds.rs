//! Reads what the odds pages show.

use baize_rules::Rulebook;

use super::{Part, shell};
use crate::pages::odds::{self, OddsIndex, OddsPage};
use crate::pages::table_actions::Advice;
use crate::pages::{calculator, paint};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The overview of all games.
pub(crate) async fn index(app: &App, visitor: &Visitor, part: Part) -> Result<maud::Markup, Fault> {
    // Read first: figures that are computed in the meantime arrive by the stream.
    let progress = app.odds.overview_progress();
    let games = app.library.all().into_iter().map(|book| (book, app.odds.analysis(book))).collect();
    let mut shell = shell(app, visitor).await?;
    if progress.is_some() {
        shell.events = Some(shell.href("/events/odds"));
    }
    let page = OddsIndex { shell, games, progress };
    Ok(if part == Part::Page { odds::index(&page) } else { odds::index_regions(&page) })
}

/// The regions of a game's page that are updated while its figures are computed.
pub(crate) async fn regions(app: &App, visitor: &Visitor, id: &str) -> Result<maud::Markup, Fault> {
    let book = app.library.named(id)?;
    Ok(odds::regions(&odds_page(app, visitor, book, &Form::empty(), None).await?))
}

async fn odds_page<'a>(
    app: &App,
    visitor: &Visitor,
    book: &'static Rulebook,
    query: &'a Form,
    answer: Option<Advice>,
) -> Result<OddsPage<'a>, Fault> {
    let mut jackpots = app.house.jackpots().await?.into_iter();
    let jackpot = jackpots.find(|jackpot| jackpot.id.as_str() == book.operator);
    let game = app.odds.analysis(book);
    let progress = app.odds.missing(book, game.as_deref());
    let mut shell = shell(app, visitor).await?;
    if progress.is_some() {
        shell.events = Some(shell.href(&format!("/events/odds/{}", paint::slug(book))));
    }
    Ok(OddsPage { shell, book, game, jackpot, query, answer, progress })
}

/// One game, with the calculator's answer if a hand was entered.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    id: &str,
    query: &Form,
    part: Part,
) -> Result<maud::Markup, Fault> {
    let book = app.library.named(id)?;
    let answer = if query.has("hand") { Some(app.odds.calculate(book, query).await) } else { None };
    if part == Part::Regions {
        return Ok(calculator::answer(answer.as_ref()));
    }
    Ok(odds::page(&odds_page(app, visitor, book, query, answer).await?))
}
