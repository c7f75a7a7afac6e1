//! The view models of the odds pages.

use baize_rules::Rulebook;

use super::shell;
use crate::pages::model::{Calculator, OddsIndex, OddsPage};
use crate::pages::{calculator, odds, paint};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The overview of all games.
pub(crate) async fn index(app: &App, visitor: &Visitor, live: bool) -> Result<maud::Markup, Fault> {
    // Read first: figures that are computed in the meantime arrive by the stream.
    let progress = app.odds.overview_progress();
    let mut games = Vec::new();
    for book in app.library.all() {
        let (wagers, jackpot) = app.odds.overview(book);
        games.push((book, wagers, jackpot));
    }
    let mut shell = shell(app, visitor).await?;
    if progress.is_some() {
        shell.events = Some(shell.href("/events/odds"));
    }
    let page = OddsIndex { shell, games, progress };
    Ok(if live { odds::index_regions(&page) } else { odds::index(&page) })
}

/// The regions of a game's page that are updated while its figures are computed.
pub(crate) async fn regions(app: &App, visitor: &Visitor, id: &str) -> Result<maud::Markup, Fault> {
    let book = app.library.named(id)?;
    Ok(odds::regions(&odds_page(app, visitor, book, Calculator::default()).await?))
}

async fn odds_page(
    app: &App,
    visitor: &Visitor,
    book: &'static Rulebook,
    calculator: Calculator,
) -> Result<OddsPage<'static>, Fault> {
    let jackpots = app.house.jackpots().await?;
    let meter = jackpots.iter().find(|jackpot| jackpot.id.as_str() == book.operator);
    let mut page = OddsPage { calculator, ..app.odds.page(book, meter) };
    page.shell = shell(app, visitor).await?;
    if page.progress.is_some() {
        page.shell.events = Some(page.shell.href(&format!("/events/odds/{}", paint::slug(book))));
    }
    Ok(page)
}

/// One game, with the calculator's answer if a hand was entered.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    id: &str,
    query: &Form,
    live: bool,
) -> Result<maud::Markup, Fault> {
    let book = app.library.named(id)?;
    let mut calculator = Calculator {
        hand: query.text("hand").to_owned(),
        board: query.text("board").to_owned(),
        up: query.text("up").to_owned(),
        ante: query.text("ante").to_owned(),
        jackpot: query.text("jackpot").to_owned(),
        meter: query.text("meter").to_owned(),
        answer: None,
    };
    if query.has("hand") {
        calculator.answer = Some(app.odds.calculate(book, &calculator).await);
    }
    if live {
        return Ok(calculator::answer(&calculator));
    }
    Ok(odds::page(&odds_page(app, visitor, book, calculator).await?))
}
