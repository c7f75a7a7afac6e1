//! The odds pages.

use baize_rules::Rulebook;

use super::shell;
use crate::pages::model::{Calculator, OddsIndex, OddsPage};
use crate::pages::{calculator, odds};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// All games at a glance.
pub(crate) async fn index(app: &App, visitor: &Visitor) -> Result<maud::Markup, Fault> {
    let mut games = Vec::new();
    for book in Rulebook::builtins() {
        let (wagers, jackpot) = app.odds.glance(book);
        games.push((book, wagers, jackpot));
    }
    Ok(odds::index(&OddsIndex { shell: shell(app, visitor).await?, games }))
}

/// One game, with the answer of the calculator if something was asked.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    id: &str,
    asked: &Form,
    live: bool,
) -> Result<maud::Markup, Fault> {
    let unknown = || baize_house::HouseError::UnknownRulebook(id.chars().take(64).collect());
    let book = Rulebook::builtin(id).ok_or_else(unknown)?;
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
    let jackpots = app.house.jackpots().await?;
    let meter = jackpots.iter().find(|jackpot| jackpot.id.as_str() == book.operator);
    let page = OddsPage { shell: shell(app, visitor).await?, book, calculator, ..app.odds.page(book, meter) };
    Ok(odds::page(&page))
}
