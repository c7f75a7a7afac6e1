//! The rest of a rulebook's page: what goes wrong and what is done, and how open points are read.

use baize_rules::{Absent, Cited, Rulebook};
use maud::{Markup, html};

use super::rulebook::cited;
use super::{remedies, words};

/// What goes wrong and what is done.
#[must_use]
pub fn irregularities(book: &Rulebook) -> Markup {
    let rules = &book.irregularities;
    html! {
        section #trouble aria-label="When things go wrong" {
            h2 { "When things go wrong" }
            div.scroll tabindex="0" role="region" aria-label="Irregularities" { table.lines.trouble {
                thead { tr { th scope="col" { "What happened" } th scope="col" { "When" } th scope="col" { "Then" } th scope="col" { "Ruled by" } } }
                tbody {
                    @for report in &rules.reports {
                        @for (n, case) in report.cases.iter().enumerate() {
                            tr.first[n == 0] {
                                @if n == 0 { th scope="rowgroup" rowspan=(report.cases.len()) { (report.kind.words()) } }
                                td { (words::list(remedies::conditions(&case.when))) }
                                td { (remedies::remedy(case.remedy)) (cited(&case.cites)) }
                                td { (case.ruled_by.name()) }
                            }
                        }
                    }
                    tr.first { th scope="row" { "Anything else" } td { "in every case" } td { "a person rules" (cited(&rules.anything_else.cites)) } td { (rules.anything_else.value.name()) } }
                }
            } }
            ul.rules-list {
                li { "A void round gives every wager back; earlier rounds stand." (cited(&rules.void_returns)) (cited(&rules.noticed_too_late)) }
                li { "A wager over the maximum: the excess is refused before the close, otherwise it is settled at the maximum." (cited(&rules.over_maximum_noticed)) (cited(&rules.over_maximum)) }
                li { "A wager under the minimum that nobody noticed is settled as it is" @if rules.under_minimum_once { ", once a player" } "." (cited(&rules.under_minimum_noticed)) (cited(&rules.under_minimum)) }
                li { "A jackpot wager without an ante goes back." (cited(&rules.jackpot_without_ante_noticed)) (cited(&rules.jackpot_without_ante)) }
                li { "A player who leaves before his first decision " (absent(&rules.absent_undecided)) "; later he " (absent(&rules.absent_in_play)) "; with none left his wagers are settled." (cited(&rules.absent_decided)) }
                li { "A higher position may act for a lower one." (cited(&rules.authority)) }
            }
        }
    }
}

fn absent(rule: &Cited<Absent>) -> Markup {
    let does = match rule.value {
        Absent::Folds => "has folded",
        Absent::Invalid => "has an invalid hand, whose wagers go back",
        Absent::Checks => "has checked",
    };
    html! { (does) (cited(&rule.cites)) }
}

/// The open points of the text and how they are read.
#[must_use]
pub fn readings(book: &Rulebook) -> Markup {
    html! {
        section #readings aria-label="Open points" {
            h2 { "Open points, and how we read them" }
            p { "Where the text leaves something open the house has a switch; the reading in force is marked. A slip names the point wherever it mattered." }
            div.points { @for point in &book.interpretations {
                article id=(point.id) {
                    h3 { (point.id) ": " (point.title) (cited(&point.cites)) }
                    ul { @for (name, text) in point.readings {
                        li.in-force[*name == point.reading] { b { (name) } ": " (text) @if *name == point.reading { span.tag { "in force" } } }
                    } }
                }
            } }
        }
    }
}
