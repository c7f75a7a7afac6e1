//! The list of finished rounds, with filters.

use baize_house::OutcomeName;
use maud::{Markup, html};

use super::model::HistoryPage;
use super::{paint, shell};

/// The whole page.
pub(crate) fn page(page: &HistoryPage) -> Markup {
    let results = page.rounds.iter().any(|round| round.net.is_some());
    let known = page.rounds.iter().any(|round| !round.players.is_empty());
    shell::page(
        &page.shell,
        "History",
        "history",
        "history",
        &html! {
            h1 { "Finished rounds" }
            @if !page.names { p.hint { "Names and amounts are shown only to the players of a round and to authorized staff." } }
            form.filters method="get" action=(page.shell.href("/history")) role="search" {
                label { span { "Table" } select name="table" {
                    option value="" { "all" }
                    @for table in &page.tables { option value=(table) selected[*table == page.filter.table] { (table) } }
                } }
                @if page.names {
                    label { span { "Player" } input name="player" value=(page.filter.player) autocomplete="off"; }
                } @else if let Some(me) = page.shell.actor.as_player() {
                    label { span { "Whose" } select name="player" {
                        option value="" { "all" }
                        option value=(me) selected[page.filter.player == me.as_str()] { "mine" }
                    } }
                }
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
                            th scope="col" { "Round" } th scope="col" { "Game" } th scope="col" { "Ended" } @if known { th scope="col" { "Players" } }
                            th scope="col" { "Outcome" } @if results { th.n scope="col" { "Your result" } }
                        } }
                        tbody {
                            @for round in &page.rounds {
                                tr {
                                    th scope="row" { a href=(page.shell.href(&format!("/history/{}/{}", round.table, round.number))) { (round.table) "/" (round.number) } }
                                    td { (round.game) }
                                    td.when { @for part in round.ended.split(' ') { span { (part) } " " } }
                                    @if known { td { (round.players.join(", ")) } }
                                    td { span.tag.bad[round.outcome == OutcomeName::Void] { (round.outcome.to_string()) } }
                                    @if results { td.n { @if let Some(net) = round.net { (paint::net(net)) } } }
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
