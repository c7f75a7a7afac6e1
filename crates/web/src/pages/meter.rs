//! A jackpot's meter: rolling digits, pending hits, notices.

use baize_house::{JackpotView, MoneyKind};
use maud::{Markup, html};

/// A jackpot's name.
pub(crate) fn name(jackpot: &JackpotView) -> String {
    format!("{} Progressive Jackpot", jackpot.id)
}

/// Whether it is for practice; otherwise for cash.
pub(crate) fn practice(jackpot: &JackpotView) -> bool {
    jackpot.money == MoneyKind::Practice
}

/// The amount. The script rolls the digits when `data-cents` changes.
pub(crate) fn amount(jackpot: &JackpotView, place: &str) -> Markup {
    html! {
        span.digits id=(format!("meter-{place}-{}", jackpot.id)) data-cents=(jackpot.displayed.cents())
            role="img" aria-label=(format!("SGD {}", jackpot.displayed.grouped())) {
            @for character in jackpot.displayed.grouped().chars() {
                @if character.is_ascii_digit() { span.digit { (character) } } @else { span.sep { (character) } }
            }
        }
    }
}

/// A meter as a panel.
pub(crate) fn panel(jackpot: &JackpotView) -> Markup {
    html! {
        section.meter id=(format!("panel-{}", jackpot.id)) aria-label=(format!("Jackpot {}", name(jackpot))) {
            h2 { (name(jackpot)) " " (super::paint::money_kind(practice(jackpot))) }
            p.value { span.currency { "SGD" } (amount(jackpot, "panel")) }
            (notes(jackpot))
            p.facts {
                "Wager " b { (super::paint::short(jackpot.wager)) } " · linked: " (super::words::joined(&jackpot.tables))
            }
            a.sign-link href=(format!("/sign/{}", jackpot.id)) { "Open the sign" }
        }
    }
}

/// Pending hits and notices beside a meter.
pub(crate) fn notes(jackpot: &JackpotView) -> Markup {
    html! {
        @if let Some(pending) = jackpot.pending.first() {
            p.pending { "A hit of " b { (pending.amount.grouped()) } " is being verified." }
        }
        @for (table, notice) in &jackpot.notices {
            p.no-jackpot role="alert" { "Table " (table) ": " (notice.words) @for cite in notice.cites.iter() { " " span.cite { "§ " (cite) } } }
        }
        @if let Some(notice) = &jackpot.stopped {
            p.no-jackpot role="alert" { "No jackpot wagers are accepted. " (notice) }
        }
    }
}
