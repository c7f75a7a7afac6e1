//! The jackpot sign for a wall: a large rolling meter, the last hits, announcements and notices.

use baize_house::{HitStatus, HitView, JackpotView};
use baize_rules::Rulebook;
use maud::{Markup, html};

use super::meter;
use super::shell::{self, Shell};

/// The sign of one jackpot.
pub(crate) struct SignPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The jackpot.
    pub(crate) jackpot: JackpotView,
    /// The games linked to it.
    pub(crate) books: Vec<&'a Rulebook>,
}

impl SignPage<'_> {
    /// The hits to list, latest first.
    fn hits(&self) -> impl Iterator<Item = &HitView> {
        let stands = |hit: &&HitView| !matches!(hit.state, HitStatus::Rejected | HitStatus::Reversed);
        self.jackpot.hits.iter().filter(stands)
    }

    /// The hit to announce: a top award, until the next round with a hit.
    fn announced(&self) -> Option<&HitView> {
        let latest = self.jackpot.hits.first().map(|hit| &hit.round);
        let won = |hit: &&HitView| hit.top && hit.state == HitStatus::Paid && Some(&hit.round) == latest;
        self.jackpot.hits.iter().find(won)
    }
}

/// The whole page.
pub(crate) fn page(page: &SignPage<'_>) -> Markup {
    shell::bare(&page.shell, &format!("Jackpot {}", meter::name(&page.jackpot)), "sign", &regions(page))
}

/// The live regions.
pub(crate) fn regions(page: &SignPage<'_>) -> Markup {
    // Announcements and notices shrink the meter, so that the pay tables still fit.
    let (of, announced) = (&page.jackpot, page.announced());
    let full = announced.is_some() || of.stopped.is_some() || !of.notices.is_empty();
    let class = if full { "wall full" } else { "wall" };
    html! {
        (shell::change(&page.shell))
        div #sign class=(class) {
            h1 { (meter::name(of)) @if meter::practice(of) { " " span.tag { "practice" } } }
            p class=(format!("big chars-{}", of.displayed.grouped().len())) { span.currency { "SGD" } (meter::amount(of, "sign")) }
            @if let Some(win) = announced {
                div.announce role="alert" {
                    p.what { (win.award) }
                    p.how-much { "SGD " (win.amount.grouped()) }
                    p { "Table " (win.round.table) " · the meter starts again at " (of.reset.grouped()) }
                }
            }
            (meter::notes(of))
            div.below {
                section.hits aria-label="Last hits" {
                    h2 { "Last hits" }
                    @if page.hits().next().is_none() { p.none { "Not hit yet." } }
                    ol { @for hit in page.hits().take(6) {
                        li { span.award { (hit.award) } span.amount { (hit.amount.grouped()) } span.where { (hit.round.table) " · round " (hit.round.number) @if hit.state == HitStatus::Pending { " · being verified" } } }
                    } }
                }
                @for book in page.books.iter().take(3) {
                    section.awards aria-label=(book.name) {
                        h2 { (book.name) }
                        dl { @for award in &book.jackpot.awards { div { dt { (award.name) } dd { (award.pays) } } } }
                    }
                }
            }
        }
    }
}
