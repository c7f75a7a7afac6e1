//! The jackpot sign for a wall: a large rolling meter, the last hits, announcements and notices.

use maud::{Markup, html};

use super::model::SignPage;
use super::{meter, shell};

/// The whole page.
pub(crate) fn page(page: &SignPage) -> Markup {
    shell::bare(&page.shell, &format!("Jackpot {}", page.meter.name), "sign", &regions(page))
}

/// The live regions.
pub(crate) fn regions(page: &SignPage) -> Markup {
    // Announcements and notices shrink the meter, so that the pay tables still fit.
    let full = page.announce.is_some() || page.meter.notice.is_some() || !page.meter.notices.is_empty();
    let class = if full { "wall full" } else { "wall" };
    html! {
        (shell::change(&page.shell))
        div #sign class=(class) {
            h1 { (page.meter.name) @if page.meter.practice { " " span.tag { "practice" } } }
            p class=(format!("big chars-{}", page.meter.displayed.grouped().len())) { span.currency { "SGD" } (meter::amount(&page.meter, "sign")) }
            @if let Some(win) = &page.announce {
                div.announce role="alert" {
                    p.what { (win.award) }
                    p.how-much { "SGD " (win.amount.grouped()) }
                    p { "Table " (win.table) " · the meter starts again at " (page.meter.reset.grouped()) }
                }
            }
            (meter::notes(&page.meter))
            div.below {
                section.hits aria-label="Last hits" {
                    h2 { "Last hits" }
                    @if page.last.is_empty() { p.none { "Not hit yet." } }
                    ol { @for hit in page.last.iter().take(6) {
                        li { span.award { (hit.award) } span.amount { (hit.amount.grouped()) } span.where { (hit.table) " · " (hit.when) @if let Some(state) = hit.state { " · " (state) } } }
                    } }
                }
                @for (game, lines) in page.awards.iter().take(3) {
                    section.awards aria-label=(game) {
                        h2 { (game) }
                        dl { @for (award, pays) in lines { div { dt { (award) } dd { (pays) } } } }
                    }
                }
            }
        }
    }
}
