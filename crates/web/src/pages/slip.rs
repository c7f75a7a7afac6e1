//! The settlement slip: the result of each wager, why, and by which paragraph.

use baize_rules::{Area, Money, OutcomeRule, Rulebook};
use baize_table::{BoxSettlement, Line, ResultKind};
use maud::{Markup, html};

use super::names::Names;
use super::paint;

/// One box's slip as a table.
pub(crate) fn slip(book: &Rulebook, slip: &BoxSettlement, names: &Names) -> Markup {
    let shares = slip.shares();
    html! {
        table.slip {
            caption {
                "Box " (slip.seat) ", " (names.of(&slip.player.0))
                @if let Some(hand) = slip.hand { " · " (hand.name()) }
            }
            thead {
                tr { th scope="col" { "Area" } th.n scope="col" { "Staked" } th scope="col" { "Result" } th.n scope="col" { "Net" } }
            }
            tbody {
                @for line in &slip.lines {
                    tr {
                        th scope="row" { (line.area.name()) }
                        td.n { (line.staked.grouped()) }
                        td {
                            span class=(format!("res {}", line.result.code())) { (result(line)) } " " span.why { (why(book, line)) }
                            (paint::cites(&paint::slug(book), &line.cites))
                            @if let Some(point) = line.interpretation {
                                " " a.cite href=(format!("/rules/{}#{point}", paint::slug(book))) title="an open point of the rules, with our interpretation" { (point) }
                            }
                        }
                        td.n { (paint::net(line.net())) }
                    }
                }
            }
            tfoot {
                tr {
                    th scope="row" { "Net" }
                    td.n { (slip.stakes.iter().map(|stake| stake.amount).sum::<Money>().grouped()) }
                    td {
                        @if shares.len() > 1 {
                            @for share in &shares {
                                span.share { (names.of(&share.player.0)) " receives " (share.handed_over.grouped()) }
                            }
                        }
                    }
                    td.n { (paint::net(slip.net())) }
                }
            }
        }
    }
}

/// The result of a line, in words.
fn result(line: &Line) -> String {
    match line.result {
        ResultKind::Win => format!("wins {}", line.amount.grouped()),
        ResultKind::Lose => "loses".to_owned(),
        ResultKind::Push => "stands off".to_owned(),
        ResultKind::Returned => "goes back".to_owned(),
        ResultKind::Pending => "wins the jackpot; the amount is being verified".to_owned(),
    }
}

/// The reason for a line's result, from its first paragraph; empty if the result says it all.
pub(crate) fn why(book: &Rulebook, line: &Line) -> &'static str {
    let rules = &book.settlement;
    let Some(first) = line.cites.first() else { return "" };
    let says = |outcome: Option<&OutcomeRule>| {
        outcome.and_then(|rule| rule.of(line.area)).is_some_and(|of| of.cites.first() == Some(first))
    };
    match line.area {
        _ if book.irregularities.void_returns.first() == Some(first) => "the round is void",
        _ if rules.fold.iter().any(|fold| fold == first) => "folded",
        Area::Jackpot if line.result == ResultKind::Lose => "no award",
        Area::Bonus if line.result == ResultKind::Lose => "the hole cards are not on the pay table",
        Area::Bonus if line.result == ResultKind::Win => "the hole cards are on the pay table",
        _ if says(rules.not_qualified.as_ref()) => "the dealer does not qualify",
        _ if says(Some(&rules.higher)) && line.result == ResultKind::Push => {
            "higher than the dealer, below the hands that are paid"
        }
        _ if says(Some(&rules.higher)) => "higher than the dealer",
        _ if says(Some(&rules.lower)) => "lower than the dealer",
        _ if says(Some(&rules.equal)) => "equal to the dealer",
        Area::Ante | Area::Bonus | Area::Flop | Area::Turn | Area::River | Area::Bet | Area::Jackpot => "",
    }
}

/// Several slips.
pub(crate) fn slips(book: &Rulebook, slips: &[BoxSettlement], names: &Names) -> Markup {
    html! { @for one in slips { (slip(book, one, names)) } }
}
