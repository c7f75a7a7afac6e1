//! A finished round: replay, settlement, proof of the shuffle, download.

use baize_table::Outcome;
use maud::{Markup, html};

use super::felt::{self, Felt, Side};
use super::model::{Proof, RoundPage};
use super::{paint, shell, slip};

/// The whole page.
pub(crate) fn page(page: &RoundPage<'_>) -> Markup {
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
                @if page.whole { a.button href=(file) download { "Download as .round" } }
                a.button.quiet href=(page.shell.href("/history")) { "All rounds" }
            }
            (regions(page))
            section aria-labelledby="settlement-title" {
                h2 #settlement-title { "Settlement" }
                @if let Some(Outcome::Void { cites, .. }) = &page.view.outcome {
                    p.notice.bad { "The round was void; every wager went back." (paint::cites(&paint::slug(page.book), cites)) }
                }
                div.slips { (slip::slips(page.book, page.slips, &page.shell.names)) }
                @if !page.whole { p.none { "Names and amounts are shown only to the players of this round." } }
            }
            (share(page))
            (page.review)
            (proof(page))
            p.hint { "Played under rulebook " a href=(format!("/rules/{}", paint::slug(page.book))) { (page.book.id) } ", " code.hash { (page.rulebook_hash) } }
        },
    )
}

/// The replay, a live region. Each step has an address.
pub(crate) fn regions(page: &RoundPage<'_>) -> Markup {
    let last = page.steps.len().saturating_sub(1);
    let link = |at: usize, words: &str, key: &str, off: bool| {
        html! {
            @if off { span.button.off aria-disabled="true" { (words) } }
            @else { a.button href=(format!("?step={at}{}", page.query)) data-live data-key=(key) { (words) } }
        }
    };
    html! {
        div #replay.replay-grid {
            (felt::felt(&Felt {
                book: page.book, settings: page.settings, view: page.view, side: Side::Players, me: page.me.as_ref(), acting: &std::collections::BTreeSet::new(), jackpot: None, guests: &std::collections::BTreeMap::new(), names: &page.shell.names, bets: None,
            }))
            section.steps aria-label="Steps" {
                div.stepper {
                    (link(0, "First", "Home", page.at == 0))
                    (link(page.at.saturating_sub(1), "Back", "ArrowLeft", page.at == 0))
                    span.at { (page.at + 1) " / " (page.steps.len()) }
                    (link((page.at + 1).min(last), "Next", "ArrowRight", page.at >= last))
                    (link(last, "Last", "End", page.at >= last))
                }
                p.now aria-live="polite" { @if let Some(step) = page.steps.get(page.at) { (step.words) } }
                ol.all {
                    @for (n, step) in page.steps.iter().enumerate() {
                        li { a href=(format!("?step={n}{}", page.query)) data-live aria-current=[(n == page.at).then_some("step")] {
                            (step.words)
                            span.meta { (step.when) @if !step.who.is_empty() { " · " (step.who) } }
                        } }
                    }
                }
            }
        }
    }
}

/// The link that shows the reader's box to anyone.
fn share(page: &RoundPage<'_>) -> Markup {
    html! {
        @if let Some(address) = &page.share {
            section.share aria-labelledby="share-title" {
                h2 #share-title { "Share this round" }
                p.hint { "Anyone with this link sees your box with your name and amounts, and only the cards of the other boxes." }
                div.inline {
                    label { span { "Link" } input #share-link value=(address) readonly; }
                    button type="button" data-copy="share-link" hidden { "Copy" }
                }
            }
        }
    }
}

/// The proof of the shuffle, which the script verifies.
fn proof(page: &RoundPage<'_>) -> Markup {
    let Some(proof) = &page.proof else {
        return html! {
            section #proof aria-labelledby="proof-title" { h2 #proof-title { "Proof of the shuffle" } p.none { "No proof: this round was dealt from a real shoe." } }
        };
    };
    html! {
        section #proof.proof aria-labelledby="proof-title" data-proof {
            h2 #proof-title { "Proof of the shuffle" }
            @if proof.salt.is_some() {
                p { "Before bets opened, the house published a hash of the shuffled deck and a secret salt. Now both are public: hash them yourself and compare." }
            } @else {
                p { "Before bets opened, the house published one hash over the commitments of all 52 cards. Each commitment is the hash of a card, its position and a salt of its own. Cards that you did not see stay hidden, but their commitments are verified too." }
            }
            (facts(proof))
            div.buttons { button.primary type="button" data-check-proof { "Verify on this page" } }
            p.verdict role="status" aria-live="polite" data-verdict { }
            details.more #deck { summary { "The deck in order" }
                div.deck { @for (n, one) in proof.cards.iter().enumerate() { @if let Some(card) = one.card { (paint::face(card, None, n)) } } }
                ol.promises { @for one in &proof.cards { @if let Some(text) = &one.text {
                    li { code.hash data-card-text { (text) } " → " code.hash data-card-promise { (one.promise) } }
                } @else { li { code.hash { (one.promise) } } } } }
            }
            details.more #by-hand { summary { "Verify without this page" }
                pre { "printf '%s' '" (proof.preimage) "' | sha256sum" }
            }
        }
    }
}

fn facts(proof: &Proof) -> Markup {
    html! {
        dl.proof-facts {
            div { dt { "Published " (proof.published) } dd { code.hash data-commitment { (proof.commitment) } } }
            @if let Some(salt) = &proof.salt { div { dt { "Salt" } dd { code.hash { (salt) } } } }
            div { dt { "Hash computed by this page" } dd { code.hash data-computed { "–" } } }
        }
        details.more #hashed { summary { "The text that was hashed" } code.hash data-preimage { (proof.preimage) } }
    }
}
