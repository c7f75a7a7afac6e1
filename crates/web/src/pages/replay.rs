//! One finished round: step by step, slip, proof of the shuffle, download.

use baize_table::Outcome;
use maud::{Markup, html};

use super::felt::{self, Felt, Side};
use super::model::{Proof, RoundPage};
use super::{paint, shell, slip};

/// The whole page.
#[must_use]
pub fn page(page: &RoundPage<'_>) -> Markup {
    let title = format!("Round {}/{}", page.table, page.number);
    let file = page.shell.href(&format!("/history/{}/{}.round", page.table, page.number));
    shell::page(
        &page.shell,
        &title,
        "history",
        "replay",
        &html! {
            h1.quiet-title { "Round " (page.table) "/" (page.number) span { (page.book.name) ", " (page.book.operator) " · ended " (page.ended) } }
            p.buttons {
                a.button href=(file) download { "Download as .round" }
                a.button.quiet href=(page.shell.href("/history")) { "All rounds" }
            }
            (regions(page))
            section aria-label="Settlement" {
                h2 { "Settlement" }
                @if let Some(Outcome::Void { cites, .. }) = &page.view.outcome {
                    p.notice.bad { "The round was void; every wager went back." (paint::cites(&paint::rulebook(page.book), cites)) }
                }
                div.slips { (slip::slips(page.book, page.slips)) }
            }
            (proof(page))
            p.hint { "Played under rulebook " a href=(format!("/rules/{}", paint::rulebook(page.book))) { (page.book.id) } ", " code.hash { (page.rulebook_hash) } }
        },
    )
}

/// The replay: felt and steps. Each step is an address.
#[must_use]
pub fn regions(page: &RoundPage<'_>) -> Markup {
    let last = page.steps.len().saturating_sub(1);
    let link = |at: usize, words: &str, key: &str, off: bool| {
        html! {
            @if off { span.button.off aria-disabled="true" { (words) } }
            @else { a.button href=(format!("?step={at}")) data-live data-key=(key) { (words) } }
        }
    };
    html! {
        div #replay.replay-grid {
            (felt::felt(&Felt {
                book: page.book, settings: page.settings, view: page.view, side: Side::Players, me: page.me.as_ref(), acting: &std::collections::BTreeSet::new(), meter: None,
            }))
            section.steps aria-label="Steps" {
                div.stepper {
                    (link(0, "First", "Home", page.at == 0))
                    (link(page.at.saturating_sub(1), "Back", "ArrowLeft", page.at == 0))
                    span.at { (page.at + 1) " / " (page.steps.len()) }
                    (link((page.at + 1).min(last), "Next", "ArrowRight", page.at >= last))
                    (link(last, "Last", "End", page.at >= last))
                }
                p.now aria-live="polite" { @if let Some(step) = page.steps.get(page.at) { (step.words) (paint::cites_text(&paint::rulebook(page.book), &step.cites)) } }
                ol.all {
                    @for (n, step) in page.steps.iter().enumerate() {
                        li { a href=(format!("?step={n}")) data-live aria-current=[(n == page.at).then_some("step")] {
                            (step.words)
                            span.meta { (step.when) @if !step.who.is_empty() { " · " (step.who) } }
                        } }
                    }
                }
            }
        }
    }
}

/// The proof: the page hashes the text itself and compares.
fn proof(page: &RoundPage<'_>) -> Markup {
    let Some(proof) = &page.proof else {
        return html! {
            section aria-label="Proof of the shuffle" { h2 { "Proof of the shuffle" } p.none { "This round was dealt from a real shoe." } }
        };
    };
    html! {
        section.proof aria-label="Proof of the shuffle" data-proof {
            h2 { "Proof of the shuffle" }
            p { "Before bets opened the house published a hash of the shuffled deck and a secret salt. Now both are known: hash them yourself and compare." }
            (facts(proof))
            div.buttons { button.primary type="button" data-check-proof { "Check it in this page" } }
            p.verdict role="status" aria-live="polite" data-verdict { }
            details.more #deck { summary { "The deck in order" }
                div.deck { @for (n, card) in proof.deck.iter().enumerate() { (paint::face(*card, None, n)) } }
            }
            details.more #by-hand { summary { "Check it without this page" }
                pre { "printf '%s' '" (proof.preimage) "' | sha256sum" }
            }
        }
    }
}

fn facts(proof: &Proof) -> Markup {
    html! {
        dl.proof-facts {
            div { dt { "Published " (proof.published) } dd { code.hash data-commitment { (proof.commitment) } } }
            div { dt { "Salt" } dd { code.hash { (proof.salt) } } }
            div { dt { "The text that was hashed" } dd { code.hash data-preimage { (proof.preimage) } } }
            div { dt { "Hash computed here" } dd { code.hash data-computed { "–" } } }
        }
    }
}
