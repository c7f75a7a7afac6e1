//! Reads what the page of a player's session shows.

use std::collections::BTreeMap;

use baize_house::PlayedRound;
use baize_rules::{Area, Money};

use super::{Part, shell};
use crate::pages::play_session::{self, SessionPage, SessionPoint};
use crate::pages::shell::Notice;
use crate::server::app::App;
use crate::server::fault::Fault;
use crate::server::odds_service::Expected;
use crate::server::visitor::Visitor;

/// The session of this player, with a message on top.
pub(crate) async fn render(
    app: &App,
    visitor: &Visitor,
    notice: Option<Notice>,
    part: Part,
) -> Result<maud::Markup, Fault> {
    let of = app.house.session_of(&visitor.actor).await?;
    let mut shell = shell(app, visitor).await?;
    shell.notice = notice;
    shell.events = Some(shell.href("/events/session"));
    let over: Vec<&PlayedRound> = of.rounds.iter().filter(|round| round.over).collect();
    let (points, expected) = graph(app, &over).await?;
    let page = SessionPage { shell, of, expected, points };
    Ok(if part == Part::Page { play_session::page(&page) } else { play_session::regions(&page) })
}

/// The points of the graph, and the expected result. Stakes are summed for each game and area, so that only the totals are rounded.
async fn graph(app: &App, rounds: &[&PlayedRound]) -> Result<(Vec<SessionPoint>, Option<Money>), Fault> {
    let mut points = Vec::with_capacity(rounds.len());
    let (mut net, mut expected, mut variance) = (0.0, Some(0.0), 0.0);
    let mut staked: BTreeMap<(String, Area), (Expected, Money)> = BTreeMap::new();
    for round in rounds {
        let (book, meter) =
            (app.library.of_table(&round.id.table)?, super::displayed_meter(app, &round.id.table).await?);
        net += cents(round.net);
        for area in [Area::Ante, Area::Bonus, Area::Jackpot] {
            let stake = round.on(area);
            if stake.is_zero() {
                continue;
            }
            let Some(each) = app.odds.expected(book, area, meter) else {
                expected = None;
                continue;
            };
            expected = expected.map(|sum| sum + each.value_of_one() * cents(stake));
            variance += (each.deviation * cents(stake)).powi(2);
            let sum = staked.entry((book.hash.clone(), area)).or_insert((each, Money::ZERO));
            sum.1 += stake;
        }
        points.push(SessionPoint { net, expected, deviation: variance.sqrt() });
    }
    let exact = expected.map(|_| staked.values().map(|(each, stake)| each.of(*stake)).sum());
    Ok((points, exact))
}

/// Cents for the graph.
#[expect(clippy::cast_precision_loss, reason = "a point of a graph")]
fn cents(amount: Money) -> f64 {
    amount.cents() as f64
}
