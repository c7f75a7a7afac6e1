//! A jackpot's meter: rolling digits, pending hits, notices.

use maud::{Markup, html};

use super::model::Meter;

/// The amount. The script rolls the digits when `data-cents` changes.
pub(crate) fn amount(meter: &Meter, place: &str) -> Markup {
    html! {
        span.digits id=(format!("meter-{place}-{}", meter.id)) data-cents=(meter.displayed.cents())
            role="img" aria-label=(format!("SGD {}", meter.displayed.grouped())) {
            @for character in meter.displayed.grouped().chars() {
                @if character.is_ascii_digit() { span.digit { (character) } } @else { span.sep { (character) } }
            }
        }
    }
}

/// A meter as a panel.
pub(crate) fn panel(meter: &Meter) -> Markup {
    html! {
        section.meter id=(format!("panel-{}", meter.id)) aria-label=(format!("Jackpot {}", meter.name)) {
            h2 { (meter.name) " " (super::paint::money_kind(meter.practice)) }
            p.value { span.currency { "SGD" } (amount(meter, "panel")) }
            (notes(meter))
            p.facts {
                "Wager " b { (super::paint::short(meter.wager)) } " · linked: " (meter.tables.join(", "))
            }
            a.sign-link href=(format!("/sign/{}", meter.id)) { "Open the sign" }
        }
    }
}

/// Pending hits and notices beside a meter.
pub(crate) fn notes(meter: &Meter) -> Markup {
    html! {
        @if let Some(pending) = meter.pending {
            p.pending { "A hit of " b { (pending.grouped()) } " is being verified." }
        }
        @for (table, notice) in &meter.notices {
            p.no-jackpot role="alert" { "Table " (table) ": " (notice.words) @for cite in notice.cites.iter() { " " span.cite { "§ " (cite) } } }
        }
        @if let Some(notice) = &meter.notice {
            p.no-jackpot role="alert" { "No jackpot wagers are accepted. " (notice) }
        }
    }
}
