//! A finished round: replay, settlement, proof of the shuffle, download.

use baize_house::{Frame, RoundRecord, ShuffleProof};
use baize_rules::Rulebook;
use baize_table::{Outcome, Player, Settings};
use maud::{Markup, html};

use super::felt::{self, Felt, Side};
use super::shell::{self, Shell};
use super::{paint, slip};

/// One finished round.
pub(crate) struct RoundPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The round, as far as the reader may see it.
    pub(crate) of: &'a RoundRecord,
    /// The game.
    pub(crate) book: &'a Rulebook,
    /// The table's settings.
    pub(crate) settings: &'a Settings,
    /// The current step, from 0, and the round after it.
    pub(crate) at: (usize, &'a Frame),
    /// The review: what exposed cards were worth, and decisions compared with best play.
    pub(crate) review: Markup,
    /// The player whose boxes are marked: the reader, or who shared the round.
    pub(crate) me: Option<Player>,
    /// Whether the reader may see names and amounts.
    pub(crate) whole: bool,
    /// The link that shows the reader's box to anyone who has it, if they played.
    pub(crate) share: Option<String>,
    /// The end of every address of this page: the share token that it was opened with.
    pub(crate) query: String,
}

/// The whole page.
pub(crate) fn page(page: &RoundPage<'_>) -> Markup {
    let id = &page.of.line.id;
    let title = format!("Round {id}");
    let file = page.shell.href(&format!("/history/{id}.round"));
    shell::page(
        &page.shell,
        &title,
        "history",
        "replay",
        &html! {
            h1.quiet-title { "Round " (id) span { (page.book.name) ", " (page.book.operator) " · ended " (page.shell.local(page.of.line.ended)) } }
            p.buttons {
                @if page.whole { a.button href=(file) download { "Download as .round" } }
                a.button.quiet href=(page.shell.href("/history")) { "All rounds" }
            }
            (regions(page))
            section aria-labelledby="settlement-title" {
                h2 #settlement-title { "Settlement" }
                @if let Some(Outcome::Void { cites, .. }) = &page.at.1.round.outcome {
                    p.notice.bad { "The round was void; every wager went back." (paint::cites(&paint::slug(page.book), cites)) }
                }
                div.slips { (slip::slips(page.book, &page.of.slips, &page.shell.names)) }
                @if !page.whole { p.none { "Names and amounts are shown only to the players of this round." } }
            }
            (share(page))
            (page.review)
            (proof(page))
            p.hint { "Played under rulebook " a href=(format!("/rules/{}", paint::slug(page.book))) { (page.book.id) } ", " code.hash { (page.book.hash) } }
        },
    )
}

/// The replay, a live region. Each step has an address.
pub(crate) fn regions(page: &RoundPage<'_>) -> Markup {
    let ((at, frame), steps) = (page.at, &page.of.frames);
    let last = steps.len().saturating_sub(1);
    let link = |step: usize, words: &str, key: &str, off: bool| {
        html! {
            @if off { span.button.off aria-disabled="true" { (words) } }
            @else { a.button href=(format!("?step={step}{}", page.query)) data-live data-key=(key) { (words) } }
        }
    };
    html! {
        div #replay.replay-grid {
            (felt::felt(&Felt {
                book: page.book, settings: page.settings, view: &frame.round, side: Side::Players, me: page.me.as_ref(), acting: &std::collections::BTreeSet::new(), jackpot: None, guests: &std::collections::BTreeMap::new(), names: &page.shell.names, bets: None,
            }))
            section.steps aria-label="Steps" {
                div.stepper {
                    (link(0, "First", "Home", at == 0))
                    (link(at.saturating_sub(1), "Back", "ArrowLeft", at == 0))
                    span.at { (at + 1) " / " (steps.len()) }
                    (link((at + 1).min(last), "Next", "ArrowRight", at >= last))
                    (link(last, "Last", "End", at >= last))
                }
                p.now aria-live="polite" { (frame.words) }
                ol.all {
                    @for (n, step) in steps.iter().enumerate() {
                        li { a href=(format!("?step={n}{}", page.query)) data-live aria-current=[(n == at).then_some("step")] {
                            (step.words)
                            @let who = page.shell.names.of(actor(step));
                            span.meta { (page.shell.local(step.at)) @if !who.is_empty() { " · " (who) } }
                        } }
                    }
                }
            }
        }
    }
}

/// The name of the person who took a step.
pub(crate) fn actor(step: &Frame) -> &str {
    step.by.rsplit(':').next().unwrap_or_default()
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
    let Some(proof) = &page.of.proof else {
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
            (facts(page, proof))
            div.buttons { button.primary type="button" data-check-proof { "Verify on this page" } }
            p.verdict role="status" aria-live="polite" data-verdict { }
            details.more #deck { summary { "The deck in order" }
                div.deck { @for (n, one) in proof.cards.iter().enumerate() { @if let Some(card) = one.card { (paint::face(card, n)) } } }
                ol.promises { @for (n, one) in (1..).zip(&proof.cards) {
                    @let promise = one.promise.as_deref().unwrap_or_default();
                    @if let Some(text) = proof.card_text(n) {
                        li { code.hash data-card-text { (text) } " → " code.hash data-card-promise { (promise) } }
                    } @else { li { code.hash { (promise) } } }
                } }
            }
            details.more #by-hand { summary { "Verify without this page" }
                pre { "printf '%s' '" (proof.text()) "' | sha256sum" }
            }
        }
    }
}

fn facts(page: &RoundPage<'_>, proof: &ShuffleProof) -> Markup {
    html! {
        dl.proof-facts {
            div { dt { "Published before " (page.shell.local(page.of.line.opened)) } dd { code.hash data-commitment { (proof.commitment) } } }
            @if let Some(salt) = &proof.salt { div { dt { "Salt" } dd { code.hash { (salt) } } } }
            div { dt { "Hash computed by this page" } dd { code.hash data-computed { "–" } } }
        }
        details.more #hashed { summary { "The text that was hashed" } code.hash data-preimage { (proof.text()) } }
    }
}
