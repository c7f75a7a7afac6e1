//! Finished rounds: the list with its filters.

use maud::{Markup, html};

use super::model::HistoryPage;
use super::{paint, shell};

/// The whole page.
#[must_use]
pub fn page(page: &HistoryPage) -> Markup {
    shell::page(
        &page.shell,
        "History",
        "history",
        "history",
        &html! {
            h1 { "Finished rounds" }
            form.filters method="get" action=(page.shell.href("/history")) role="search" {
                label { span { "Table" } select name="table" {
                    option value="" { "all" }
                    @for table in &page.tables { option value=(table) selected[*table == page.filter.table] { (table) } }
                } }
                label { span { "Player" } input name="player" value=(page.filter.player) autocomplete="off"; }
                label { span { "Outcome" } select name="outcome" {
                    @for (value, words) in [("", "any"), ("settled", "settled"), ("void", "void")] {
                        option value=(value) selected[value == page.filter.outcome] { (words) }
                    }
                } }
                button type="submit" { "Show" }
            }
            @if page.rounds.is_empty() { p.none { "No finished round matches." } }
            @else {
                div.scroll tabindex="0" role="region" aria-label="Rounds" {
                    table.lines {
                        thead { tr {
                            th scope="col" { "Round" } th scope="col" { "Game" } th scope="col" { "Ended" } th scope="col" { "Players" }
                            th scope="col" { "Outcome" } th.n scope="col" { "Your result" }
                        } }
                        tbody {
                            @for round in &page.rounds {
                                tr {
                                    th scope="row" { a href=(page.shell.href(&format!("/history/{}/{}", round.table, round.number))) { (round.table) "/" (round.number) } }
                                    td { (round.game) }
                                    td { (round.ended) }
                                    td { (round.players.join(", ")) }
                                    td { span.tag.bad[round.outcome == "void"] { (round.outcome) } }
                                    td.n { @if let Some(net) = round.net { (paint::net(net)) } }
                                }
                            }
                        }
                    }
                }
                @if let Some(older) = &page.older { p { a.button href=(older) { "Older rounds" } } }
            }
        },
    )
}
