//! Rulebook pages, from the guide that a rulebook generates. Citations link to paragraphs (`#p-3.13`) and open points (`#I-3`).

use std::cell::RefCell;
use std::collections::BTreeSet;

use baize_rules::{Block, Cites, Paragraph, Row, Rulebook, Said, Section};
use maud::{Markup, html};

use super::shell::Shell;
use super::{paint, shell};

/// The list of rulebooks.
pub(crate) fn index(of: &Shell, books: &[&Rulebook]) -> Markup {
    shell::page(
        of,
        "Rules",
        "rules",
        "rules narrow",
        &html! {
            h1 { "The games" }
            p.lead { "Each game by its operator's approved rules, in our words. Every statement cites its paragraph." }
            ul.choose { @for book in books { li { a href=(format!("/rules/{}", paint::slug(book))) {
                b { (book.name) } span.state { (book.operator) ", " (book.edition()) }
            } } } }
        },
    )
}

/// One rulebook.
pub(crate) fn page(of: &Shell, book: &Rulebook) -> Markup {
    let guide = book.guide();
    let anchors = Anchors::default();
    shell::page(
        of,
        &book.name,
        "rules",
        "rules",
        &html! {
            p.operator { (guide.subtitle) " · " a href=(format!("/odds/{}", paint::slug(book))) { "Odds" } " · " a href="/rules" { "All games" } }
            h1 { (guide.title) }
            div.book {
                nav.toc aria-label="On this page" {
                    @for (n, section) in guide.sections.iter().enumerate() { a href=(format!("#s{n}")) { (section.title) } }
                }
                div.chapters { @for (n, section) in guide.sections.iter().enumerate() { (chapter(&anchors, n, section)) } }
            }
            p.hint { "Rulebook data " code.hash { (book.hash) } }
        },
    )
}

/// The paragraphs cited so far: the first citation of each gets its anchor.
#[derive(Default)]
struct Anchors {
    seen: RefCell<BTreeSet<Paragraph>>,
}

impl Anchors {
    fn cites(&self, cites: &Cites) -> Markup {
        html! {
            @for paragraph in cites.iter() {
                @let first = self.seen.borrow_mut().insert(paragraph);
                " " span.cite id=[first.then(|| format!("p-{}", paint::anchor(&paragraph.to_string())))] { "§ " (paragraph) }
            }
        }
    }

    fn said(&self, said: &Said) -> Markup {
        html! { (said.words) (self.cites(&said.cites)) }
    }
}

fn chapter(anchors: &Anchors, n: usize, section: &Section) -> Markup {
    html! {
        section id=(format!("s{n}")) aria-labelledby=(format!("h{n}")) {
            h2 id=(format!("h{n}")) { (section.title) }
            @for block in &section.blocks { (set(anchors, block)) }
        }
    }
}

fn set(anchors: &Anchors, block: &Block) -> Markup {
    match block {
        Block::Text(said) => html! { p { (anchors.said(said)) } },
        Block::Points(points) => {
            html! { ul.rules-list { @for point in points { li { (anchors.said(point)) } } } }
        }
        Block::Steps { title, steps } => html! {
            details.more { summary { (anchors.said(title)) } ol.rules-list { @for step in steps { li { (anchors.said(step)) } } } }
        },
        Block::Table { title, rows } => html! {
            table.lines.pays {
                caption { (anchors.said(title)) }
                tbody { @for row in rows { (line(anchors, row)) } }
            }
        },
        Block::Entry { code, title, points } => html! {
            article.entry-card id=[(!code.is_empty()).then_some(code)] {
                h3 { (anchors.said(title)) @if !code.is_empty() { " " code.code { (code) } } }
                ul { @for point in points { li { (anchors.said(point)) } } }
            }
        },
    }
}

fn line(anchors: &Anchors, row: &Row) -> Markup {
    html! {
        tr {
            th scope="row" { (row.left) @if let Some(note) = &row.note { span.row-note { (note) } } }
            td.n { (row.right) }
            td { (anchors.cites(&row.cites)) }
        }
    }
}
