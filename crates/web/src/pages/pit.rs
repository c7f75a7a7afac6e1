//! The pit board: all tables at a glance, rulings and jackpot hits that wait, significant events.

use maud::{Markup, html};

use super::model::{PendingHit, PitPage, PitTable};
use super::{meter, paint, rulings, shell};

/// The whole page.
#[must_use]
pub fn page(page: &PitPage<'_>) -> Markup {
    shell::page(
        &page.shell,
        "Pit",
        "pit",
        "pit",
        &html! {
            h1.quiet-title { "Pit board" span { a href="/house" { "Tables and jackpots" } } }
            (regions(page))
        },
    )
}

/// What changes.
#[must_use]
pub fn regions(page: &PitPage<'_>) -> Markup {
    html! {
        @let calm = page.rulings.is_empty() && page.hits.is_empty();
        div #pit class=(if calm { "pit-grid calm" } else { "pit-grid" }) {
            @if !calm {
                div.waiting {
                    @if !page.rulings.is_empty() { (waiting(page)) }
                    @if !page.hits.is_empty() { (hits(page)) }
                }
            }
            section.floor aria-label="Tables" {
                h2 { "Tables" }
                @if calm { p.none { "No ruling and no jackpot hit is waiting." } }
                ul { @for table in &page.tables { (tile(table)) } }
            }
            div.side {
                section aria-label="Jackpots" {
                    h2 { "Jackpots" }
                    @for one in &page.meters {
                        div.small-meter { span.name { (one.name) } span.value { (meter::amount(one, "pit")) } (meter::notes(one)) }
                    }
                }
                (events(page))
            }
        }
    }
}

fn tile(table: &PitTable<'_>) -> Markup {
    let class = if table.alert.is_some() { "tile alert" } else { "tile" };
    html! {
        li class=(class) id=(format!("tile-{}", table.id)) {
            a href=(format!("/pit/{}", table.id)) { b { (table.id) } " " (table.book.name) }
            p.state {
                @if table.alert.as_ref() != Some(&table.state) { (table.state) @if table.view.number > 0 { " · " } }
                @if table.view.number > 0 { "round " (table.view.number) }
            }
            @if let Some(alert) = &table.alert { p.alert-words role="alert" { (alert) } }
            ol.mini aria-label="Boxes" {
                @for seat in 1..=table.settings.boxes {
                    @let on_box = table.view.boxes.get(&seat);
                    li.taken[on_box.is_some()] title=(on_box.map_or_else(|| "empty".to_owned(), |b| b.player.to_string())) { (seat) }
                }
            }
            dl {
                div { dt { "In play" } dd { (table.in_play.grouped()) } }
                div { dt { "Won today" } dd { (paint::net(table.won_today)) } }
                div { dt { "Rounds today" } dd { (table.rounds_today) } }
                div { dt { "Dealer" } dd { (table.dealer.as_deref().unwrap_or("the house")) } }
            }
        }
    }
}

fn waiting(page: &PitPage<'_>) -> Markup {
    html! {
        section #rulings aria-label="Waiting for a ruling" {
            h2 { "Waiting for a ruling" }
            @for ruling in &page.rulings { (rulings::waiting(ruling)) }
        }
    }
}

fn hits(page: &PitPage<'_>) -> Markup {
    html! {
        section #hits aria-label="Jackpot hits that wait" {
            h2 { "Jackpot hits" }
            @for hit in &page.hits { (hit_card(page, hit)) }
        }
    }
}

fn hit_card(page: &PitPage<'_>, hit: &PendingHit) -> Markup {
    let button = |what: &str, words: &str, class: &str| {
        html! { button class=(class) type="submit" name="do" value=(what) { (words) } }
    };
    html! {
        article.wait-card.hit id=(format!("hit-{}-{}", hit.jackpot, hit.hit)) {
            h3 { (hit.award) " · " b { (hit.amount.grouped()) } }
            p { (hit.jackpot) " · table " (hit.table) " · round " (hit.round) " · box " (hit.seat) @if !hit.player.is_empty() { ", " (hit.player) }
                @for p in hit.cites.split(", ").filter(|p| !p.is_empty()) { " " span.cite { "§ " (p) } } }
            p.hit-steps {
                @match &hit.verified_by { Some(by) => { "✓ verified by " (by) }, None => "1. Check the cards: does the hand qualify?" }
                @if hit.needs_confirmation { " → 2. A second person confirms the amount." }
            }
            @if let Some(waits) = &hit.waits_for { p.none { "Cannot be paid before: " (waits) "." } }
            form method="post" action=(format!("/jackpot/{}/hit", hit.jackpot)) data-live {
                (shell::hidden(&page.shell))
                input type="hidden" name="hit" value=(hit.hit);
                div.buttons {
                    @if hit.may_verify { (button("verify", "The hand qualifies", "primary")) }
                    @if hit.may_confirm { (button("confirm", "Confirm the amount", "primary")) }
                }
                @if hit.may_verify {
                    details.more id=(format!("reject-{}", hit.hit)) {
                        summary { "It does not qualify" }
                        label { span { "Why" } input name="reason" maxlength="500" autocomplete="off"; }
                        (button("reject", "Reject the hit", "danger"))
                    }
                }
            }
        }
    }
}

fn events(page: &PitPage<'_>) -> Markup {
    html! {
        section #significant aria-label="Significant events" {
            h2 { "Significant events" }
            @if page.events.is_empty() { p.none { "Nothing to report." } }
            ol.events tabindex="0" aria-label="Significant events, the latest first" {
                @for event in &page.events {
                    li { time { (event.when) } " " span.tag { (event.kind) } " "
                        @match &event.link { Some(link) => { a href=(link) { (event.words) } }, None => (event.words) } }
                }
            }
        }
    }
}
