//! Sections of a finished round's page: the review of decisions, and what exposed cards were worth.

use baize_odds::Fraction;
use baize_odds::incident::Incident;
use baize_rules::BoxNumber;
use maud::{Markup, html};

/// A decision compared with best play.
pub(crate) struct DecisionLine {
    /// The box.
    pub(crate) seat: BoxNumber,
    /// The decision.
    pub(crate) done: &'static str,
    /// Whether it was best play.
    pub(crate) best: bool,
    /// What the worse choice costs and why.
    pub(crate) words: String,
}

/// The decisions of the boxes whose cards the reader sees.
pub(crate) fn decisions(lines: &[DecisionLine]) -> Markup {
    html! {
        @if !lines.is_empty() {
            section #decisions aria-label="Decisions" {
                h2 { "Decisions compared with best play" }
                ul { @for line in lines { li {
                    "Box " (line.seat) ": " b { (line.done) } @if line.best { ", best play. " } @else { ", a mistake. " } (line.words)
                } } }
            }
        }
    }
}

/// What exposed cards were worth to each box.
pub(crate) fn incident(incident: &Incident) -> Markup {
    let antes = |value: Fraction| {
        let sign = if value.numerator() > 0 { "+" } else { "" };
        format!("{sign}{}", value.decimal(4).replace('-', "−"))
    };
    let cards = incident.cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    html! {
        section #incident aria-label="Exposed cards" {
            h2 { "Exposed cards: " (cards) }
            @if incident.void { p { "The round was void and every wager went back, so they were worth nothing." } }
            @else if incident.boxes.is_empty() { p.none { "No box whose cards you may see had a decision left." } }
            @else {
                div.scroll tabindex="0" role="region" aria-label="Worth to each box" { table.lines {
                    thead { tr { th scope="col" { "Box" } th.n scope="col" { "Value before" } th scope="col" { "Best before" } th.n scope="col" { "Value after" } th scope="col" { "Best after" } th.n scope="col" { "Worth" } th.n scope="col" { "In money" } } }
                    tbody { @for of in &incident.boxes { tr {
                        th scope="row" { (of.seat) }
                        td.n { (antes(of.before)) } td { (of.best_before.code()) } td.n { (antes(of.after)) } td { (of.best_after.code()) }
                        td.n { (of.worth.decimal(4)) } td.n { ((of.worth * Fraction::new(of.ante.cents(), 100)).decimal(2)) }
                    } } }
                } }
                p.hint { "Value: the net result of the round in antes with best play, before and after the cards were exposed. Worth: what a player gains by using them." }
            }
        }
    }
}
