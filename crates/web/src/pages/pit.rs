//! The pit board: pending rulings, jackpot hits and tasks, all tables, significant events.

use baize_rules::BoxNumber;
use maud::{Markup, html};

use super::model::{PitPage, PitTable};
use super::names::Names;
use super::{alerts, hits, meter, paint, rulings, shell};

/// The whole page.
pub(crate) fn page(page: &PitPage<'_>) -> Markup {
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

/// The live regions.
pub(crate) fn regions(page: &PitPage<'_>) -> Markup {
    html! {
        @let calm = page.rulings.is_empty() && page.hits.is_empty() && page.tasks.is_empty();
        (shell::change(&page.shell))
        div #pit class=(if calm { "pit-grid calm" } else { "pit-grid" }) {
            @if let Some((why, may)) = &page.behind {
                section.notice.bad role="alert" {
                    h2 { "The database is behind" }
                    p { "Everything is stopped: " (why) ". Restore the right database, or continue with this one and lose what it lacks." }
                    @if *may {
                        form method="post" action="/pit/database" data-plain {
                            (shell::hidden(&page.shell))
                            label { "Reason" input name="reason" required maxlength="200"; }
                            button.danger type="submit" { "Continue with this database" }
                        }
                    }
                }
            }
            (alerts::section(&page.suspects))
            @if !calm {
                div.waiting {
                    @if !page.rulings.is_empty() { (waiting(page)) }
                    @if !page.hits.is_empty() { (hits(page)) }
                    @if !page.tasks.is_empty() { (tasks(page)) }
                }
            }
            section.floor aria-label="Tables" {
                h2 { "Tables" }
                @if calm { p.none { "Nothing is waiting." } }
                ul { @for table in &page.tables { (table_tile(table, &page.shell.names)) } }
            }
            div.side {
                section aria-label="Jackpots" {
                    h2 { "Jackpots" }
                    @for one in &page.meters {
                        div.small-meter { span.name { (one.name) " " (paint::money_kind(one.practice)) } span.value { (meter::amount(one, "pit")) } (meter::notes(one)) }
                    }
                }
                (events(page))
            }
        }
    }
}

fn table_tile(table: &PitTable<'_>, names: &Names) -> Markup {
    let class = if table.alert.is_some() { "tile alert" } else { "tile" };
    html! {
        li class=(class) id=(format!("tile-{}", table.id)) {
            a href=(format!("/pit/{}", table.id)) { b { (table.id) } " " (table.book.name) } " " (paint::money_kind(table.practice))
            p.state {
                @if table.alert.as_ref() != Some(&table.state) { (table.state) @if table.view.number > 0 { " · " } }
                @if table.view.number > 0 { "round " (table.view.number) }
            }
            @if let Some(alert) = &table.alert { p.alert-words role="alert" { (alert) } }
            ol.mini aria-label="Boxes" {
                @for seat in BoxNumber::all(table.settings.boxes) {
                    @let on_box = table.view.boxes.get(&seat);
                    li.taken[on_box.is_some()] title=(on_box.map_or_else(|| "empty".to_owned(), |b| names.of(&b.player.0).to_owned())) { (seat) }
                }
            }
            dl {
                div { dt { "In play" } dd { (table.in_play.grouped()) } }
                div { dt { "Won today" } dd { (paint::net(table.won_today)) } }
                div { dt { "Rounds today" } dd { (table.rounds_today) } }
                div { dt { "Dealer" } dd { (if table.by_dealer { "a dealer" } else { "the house" }) } }
            }
        }
    }
}

fn waiting(page: &PitPage<'_>) -> Markup {
    html! {
        section #rulings aria-label="Waiting for a ruling" {
            h2 { "Waiting for a ruling" }
            @for ruling in &page.rulings { (rulings::waiting(ruling, &page.shell.names)) }
        }
    }
}

fn hits(page: &PitPage<'_>) -> Markup {
    html! {
        section #hits aria-label="Pending jackpot hits" {
            h2 { "Jackpot hits" }
            @for hit in &page.hits { (hits::card(&page.shell, hit)) }
        }
    }
}

fn tasks(page: &PitPage<'_>) -> Markup {
    html! {
        section #tasks aria-label="Also waiting" {
            h2 { "Also waiting" }
            ul.tasks { @for task in &page.tasks {
                li { @if task.mine { a href=(task.href) { (task.words) } } @else { span { (task.words) } span.hint { "Waiting for the " (task.needs) "." } } }
            } }
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
