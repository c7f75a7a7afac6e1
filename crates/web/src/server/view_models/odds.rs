//! The odds pages.

use baize_rules::Rulebook;

use super::shell;
use crate::pages::model::{Calculator, OddsIndex, OddsPage};
use crate::pages::{calculator, odds, paint};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// All games at a glance.
pub(crate) async fn index(app: &App, visitor: &Visitor, live: bool) -> Result<maud::Markup, Fault> {
    // Asked first: what is counted meanwhile comes by the stream.
    let counting = app.odds.counting_all();
    let mut games = Vec::new();
    for book in app.library.all() {
        let (wagers, jackpot) = app.odds.glance(book);
        games.push((book, wagers, jackpot));
    }
    let mut shell = shell(app, visitor).await?;
    if counting.is_some() {
        shell.events = Some(shell.href("/events/odds"));
    }
    let page = OddsIndex { shell, games, counting };
    Ok(if live { odds::index_regions(&page) } else { odds::index(&page) })
}

/// What fills in while a game is counted.
pub(crate) async fn regions(app: &App, visitor: &Visitor, id: &str) -> Result<maud::Markup, Fault> {
    let book = app.library.named(id)?;
    Ok(odds::regions(&filled(app, visitor, book, Calculator::default()).await?))
}

async fn filled(
    app: &App,
    visitor: &Visitor,
    book: &'static Rulebook,
    calculator: Calculator,
) -> Result<OddsPage<'static>, Fault> {
    let jackpots = app.house.jackpots().await?;
    let meter = jackpots.iter().find(|jackpot| jackpot.id.as_str() == book.operator);
    let mut page = OddsPage { calculator, ..app.odds.page(book, meter) };
    page.shell = shell(app, visitor).await?;
    if page.counting.is_some() {
        page.shell.events = Some(page.shell.href(&format!("/events/odds/{}", paint::rulebook(book))));
    }
    Ok(page)
}

/// One game, with the answer of the calculator if something was asked.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    id: &str,
    asked: &Form,
    live: bool,
) -> Result<maud::Markup, Fault> {
    let book = app.library.named(id)?;
    let mut calculator = Calculator {
        hand: asked.text("hand").to_owned(),
        board: asked.text("board").to_owned(),
        up: asked.text("up").to_owned(),
        ante: asked.text("ante").to_owned(),
        jackpot: asked.text("jackpot").to_owned(),
        meter: asked.text("meter").to_owned(),
        answer: None,
    };
    if asked.has("hand") {
        calculator.answer = Some(app.odds.calculate(book, &calculator).await);
    }
    if live {
        return Ok(calculator::answer(&calculator));
    }
    Ok(odds::page(&filled(app, visitor, book, calculator).await?))
}
