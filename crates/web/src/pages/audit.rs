//! The auditor's page: the journal with filters, the state of chain and ledger, downloads, versions.

use maud::{Markup, html};

use super::model::AuditPage;
use super::shell;

/// The whole page.
pub(crate) fn page(page: &AuditPage) -> Markup {
    shell::page(
        &page.shell,
        "Journal",
        "audit",
        "audit",
        &html! {
            h1.quiet-title { "Journal" span { "times in UTC" (page.offset) "; downloads in UTC" } }
            (status(page))
            (filters(page))
            (regions(page))
            section aria-label="Downloads" {
                h2 { "Downloads" }
                ul.exports { @for export in &page.exports { li { a href=(export.href) download { (export.name) } p { (export.words) } } } }
            }
            section.identity aria-label="Program and rulebooks" {
                h2 { "Program and rulebooks" }
                p { (page.program) }
                dl { @for (name, hash) in &page.rulebooks { div { dt { (name) } dd { code.hash { (hash) } } } } }
            }
        },
    )
}

fn status(page: &AuditPage) -> Markup {
    let chain = &page.chain;
    html! {
        section #chain.chain aria-label="State of the record" {
            @if chain.checked {
                p.sound[chain.sound].broken[!chain.sound] { b { @if chain.sound { "The chain holds. " } @else { "The chain is broken. " } } (chain.words) }
                p.sound[chain.balanced].broken[!chain.balanced] { b { @if chain.balanced { "The ledger balances. " } @else { "The ledger does not balance. " } } (chain.ledger) }
            } @else {
                p { b { "Not checked yet. " } "The check replays every entry and verifies the hash chain and the ledger." }
            }
            p.hint { "Last entry " code.hash { (chain.head) } }
            form method="post" action="/audit/verify" data-live { (shell::hidden(&page.shell)) button type="submit" { "Check everything now" } }
        }
    }
}

fn filters(page: &AuditPage) -> Markup {
    let f = &page.filter;
    let pick = |name: &str, label: &str, all: &[String], now: &str| {
        html! {
            label { span { (label) } select name=(name) {
                option value="" { "all" }
                @for one in all { option value=(one) selected[one == now] { (one) } }
            } }
        }
    };
    html! {
        form.filters method="get" action="/audit" role="search" data-live {
            (pick("stream", "Stream", &page.streams, &f.stream))
            (pick("kind", "Kind", &page.kinds, &f.kind))
            label { span { "Who" } input name="who" value=(f.who) autocomplete="off"; }
            label { span { (format!("From (UTC{})", page.offset)) } input name="from" type="datetime-local" value=(f.from); }
            label { span { (format!("To (UTC{})", page.offset)) } input name="to" type="datetime-local" value=(f.to); }
            label { span { "Text" } input name="text" type="search" value=(f.text); }
            button type="submit" { "Show" }
        }
    }
}

/// The entries, a live region.
pub(crate) fn regions(page: &AuditPage) -> Markup {
    html! {
        section #journal aria-label="Entries" {
            @if page.lines.is_empty() { p.none { "No entry matches." } }
            ol.journal {
                @for line in &page.lines {
                    li {
                        details id=(format!("j{}", line.number)) {
                            summary {
                                span.number { (line.number) } time { (line.when) } span.stream { (line.stream) } span.kinds-of { @for kind in line.kind.split(", ") { span.tag { (kind) } " " } }
                                span.who { (line.who) } span.words { (line.words) }
                            }
                            p.hint { code.hash { (line.hash) } }
                            pre { (line.data) }
                        }
                    }
                }
            }
            @if let Some(older) = &page.older { p { a.button href=(older) data-live { "Older entries" } } }
        }
    }
}
