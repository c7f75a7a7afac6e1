//! The list of finished rounds, with filters.

use baize_house::{Duty, OutcomeName, RoundLine, TableInfo};
use baize_rules::Money;
use maud::{Markup, html};

use super::paint;
use super::shell::{self, Shell};
use super::words::joined;
use crate::server::body::Form;

/// The list of finished rounds.
pub(crate) struct HistoryPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The filter, as typed.
    pub(crate) query: &'a Form,
    /// All tables.
    pub(crate) tables: Vec<TableInfo>,
    /// The rounds, latest first, each with the name of its game.
    pub(crate) rounds: Vec<(RoundLine, String)>,
    /// The address of the next page, if there is one.
    pub(crate) older: Option<String>,
}

impl HistoryPage<'_> {
    /// The reader's own result of a round: the opposite of the house's, if nobody else played.
    fn net(&self, line: &RoundLine) -> Option<Money> {
        match (line.players.as_slice(), self.shell.actor.as_player()) {
            ([one], Some(me)) if one == me => Some(line.awarded - line.won),
            _ => None,
        }
    }
}

/// The whole page.
pub(crate) fn page(page: &HistoryPage<'_>) -> Markup {
    let results = page.rounds.iter().any(|(line, _)| page.net(line).is_some());
    let known = page.rounds.iter().any(|(line, _)| !line.players.is_empty());
    let names = page.shell.actor.may(Duty::PitSupervisor) || page.shell.actor.may(Duty::Auditor);
    let [table, player, outcome] = ["table", "player", "outcome"].map(|name| page.query.text(name));
    shell::page(
        &page.shell,
        "History",
        "history",
        "history",
        &html! {
            h1 { "Finished rounds" }
            @if !names { p.hint { "Names and amounts are shown only to the players of a round and to authorized staff." } }
            form.filters method="get" action=(page.shell.href("/history")) role="search" {
                label { span { "Table" } select name="table" {
                    option value="" { "all" }
                    @for info in &page.tables { option value=(info.id) selected[info.id.as_str() == table] { (info.id) } }
                } }
                @if names {
                    label { span { "Player" } input name="player" value=(player) autocomplete="off"; }
                } @else if let Some(me) = page.shell.actor.as_player() {
                    label { span { "Whose" } select name="player" {
                        option value="" { "all" }
                        option value=(me) selected[player == me.as_str()] { "mine" }
                    } }
                }
                label { span { "Outcome" } select name="outcome" {
                    @for (value, words) in [("", "any"), ("settled", "settled"), ("void", "void")] {
                        option value=(value) selected[value == outcome] { (words) }
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
                            @for (line, game) in &page.rounds {
                                tr {
                                    th scope="row" { a href=(page.shell.href(&format!("/history/{}", line.id))) { (line.id) } }
                                    td { (game) }
                                    td.when { @for part in page.shell.local(line.ended).split(' ') { span { (part) } " " } }
                                    @if known { td { (joined(line.players.iter().map(|player| page.shell.names.of(player.as_str())))) } }
                                    td { span.tag.bad[line.outcome == OutcomeName::Void] { (line.outcome.to_string()) } }
                                    @if results { td.n { @if let Some(net) = page.net(line) { (paint::net(net)) } } }
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
