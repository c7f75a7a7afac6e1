//! The auditor's page: the journal with filters, the state of chain and ledger, downloads, versions.

use baize_audit::{AuditFault, AuditReport};
use baize_house::JournalLine;
use baize_rules::{Money, Rulebook};
use maud::{Markup, html};

use super::shell::{self, Shell};
use super::words::joined;
use crate::server::body::Form;
use crate::server::fault::encoded;

/// The journal browser.
pub(crate) struct AuditPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The filter, as typed.
    pub(crate) query: &'a Form,
    /// The streams to choose from.
    pub(crate) streams: Vec<String>,
    /// The entries, latest first.
    pub(crate) lines: Vec<JournalLine>,
    /// Whether there may be older ones.
    pub(crate) more: bool,
    /// The result of an audit, if one was run for this page.
    pub(crate) report: Option<AuditReport>,
    /// All rulebooks.
    pub(crate) rulebooks: Vec<&'a Rulebook>,
}

/// Downloads: name, content, address in the API.
const EXPORTS: [(&str, &str, &str); 6] = [
    ("journal.json", "The latest 1,000 journal entries.", "journal?limit=1000"),
    (
        "significant-events.json",
        "Voids, rulings, failed log-ins, large wins.",
        "significant-events?limit=1000",
    ),
    ("report-by-table.json", "Handle, win, hold, jackpots and cage, by table.", "report?by=table"),
    ("report-by-game.json", "The same by game.", "report?by=game"),
    ("report-by-day.json", "The same by gaming day.", "report?by=day"),
    ("audit.json", "The result of a full audit.", "audit"),
];

/// The whole page.
pub(crate) fn page(page: &AuditPage<'_>) -> Markup {
    shell::page(
        &page.shell,
        "Journal",
        "audit",
        "audit",
        &html! {
            h1.quiet-title { "Journal" span { "times in UTC" (page.shell.day.utc_offset) "; downloads in UTC" } }
            (status(page))
            (filters(page))
            (regions(page))
            section aria-label="Downloads" {
                h2 { "Downloads" }
                ul.exports { @for (name, words, path) in EXPORTS { li { a href=(page.shell.href(&format!("/api/v1/{path}"))) download { (name) } p { (words) } } } }
            }
            section.identity aria-label="Program and rulebooks" {
                h2 { "Program and rulebooks" }
                p { "baize " (env!("CARGO_PKG_VERSION")) }
                dl { @for book in &page.rulebooks { div { dt { (book.id) } dd { code.hash { (book.hash) } } } } }
            }
        },
    )
}

fn status(page: &AuditPage<'_>) -> Markup {
    let head = page.lines.first().map_or("none yet", |line| line.hash.as_str());
    html! {
        section #chain.chain aria-label="State of the record" {
            @if let Some(report) = &page.report {
                (checked(report, false, "The chain holds. ", "The chain is broken. "))
                (checked(report, true, "The ledger balances. ", "The ledger does not balance. "))
            } @else {
                p { b { "Not checked yet. " } "The check replays every entry and verifies the hash chain and the ledger." }
            }
            p.hint { "Last entry " code.hash { (head) } }
            form method="post" action="/audit/verify" data-live { (shell::hidden(&page.shell)) button type="submit" { "Check everything now" } }
        }
    }
}

/// What an audit found about the ledger, or about everything else: its first fault, or what it has checked.
fn checked(report: &AuditReport, ledger: bool, good: &str, bad: &str) -> Markup {
    let about = |of: &&AuditFault| (of.place.contains("ledger") || of.what.contains("ledger")) == ledger;
    let counts = report.checked.iter().map(|(what, count)| format!("{count} {what}"));
    html! {
        @match report.faults.iter().find(about) {
            Some(fault) => p.broken { b { (bad) } (fault.place) ": " (fault.what) },
            None => p.sound { b { (good) } "Checked just now: " (joined(counts)) "." }
        }
    }
}

fn filters(page: &AuditPage<'_>) -> Markup {
    let text = |name: &str| page.query.text(name);
    let mut kinds: Vec<String> = page.lines.iter().flat_map(|line| line.kinds.iter().cloned()).collect();
    kinds.sort();
    kinds.dedup();
    let pick = |name: &str, label: &str, all: &[String]| {
        let now = text(name);
        html! {
            label { span { (label) } select name=(name) {
                option value="" { "all" }
                @for one in all { option value=(one) selected[one == now] { (one) } }
            } }
        }
    };
    html! {
        form.filters method="get" action="/audit" role="search" data-live {
            (pick("stream", "Stream", &page.streams))
            (pick("kind", "Kind", &kinds))
            label { span { "Who" } input name="who" value=(text("who")) autocomplete="off"; }
            label { span { (format!("From (UTC{})", page.shell.day.utc_offset)) } input name="from" type="datetime-local" value=(text("from")); }
            label { span { (format!("To (UTC{})", page.shell.day.utc_offset)) } input name="to" type="datetime-local" value=(text("to")); }
            label { span { "Text" } input name="text" type="search" value=(text("text")); }
            button type="submit" { "Show" }
        }
    }
}

/// The entries, a live region.
pub(crate) fn regions(page: &AuditPage<'_>) -> Markup {
    html! {
        section #journal aria-label="Entries" {
            @if page.lines.is_empty() { p.none { "No entry matches." } }
            ol.journal {
                @for line in &page.lines {
                    li {
                        details id=(format!("j{}", line.number)) {
                            summary {
                                span.number { (line.number) } time { (page.shell.local(line.at)) } span.stream { (line.stream) } span.kinds-of { @for kind in &line.kinds { span.tag { (kind) } " " } }
                                span.who { (line.actor) } span.words { (moved(line)) }
                            }
                            p.hint { code.hash { (line.hash) } }
                            pre { (body(line)) }
                        }
                    }
                }
            }
            @if let Some(older) = older(page) { p { a.button href=(older) data-live { "Older entries" } } }
        }
    }
}

/// The ledger postings of an entry, in words.
fn moved(line: &JournalLine) -> String {
    let words = line.postings.iter().map(|(account, cents)| {
        let sign = if *cents > 0 { "+" } else { "" };
        format!("{account} {sign}{}", Money::from_cents(*cents).grouped())
    });
    words.collect::<Vec<_>>().join("; ")
}

/// An entry as JSON, as far as an auditor may see it.
fn body(line: &JournalLine) -> String {
    match &line.body {
        Some(body) => serde_json::to_string_pretty(body).unwrap_or_default(),
        None => "The round is in progress: its cards are shown when it is over.".to_owned(),
    }
}

/// The address of older entries, if there are any.
fn older(page: &AuditPage<'_>) -> Option<String> {
    let last = page.lines.last().filter(|_| page.more)?;
    let of = |name: &str| format!("{name}={}&", encoded(page.query.text(name)));
    let filter: String = ["stream", "kind", "who", "from", "to", "text"].into_iter().map(of).collect();
    Some(page.shell.href(&format!("/audit?{filter}before={}", last.number)))
}
