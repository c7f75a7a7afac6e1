//! The pit board: pending rulings, jackpot hits and tasks, all tables, significant events.

use std::sync::Arc;

use baize_house::{Duty, HitPicture, JackpotView, MoneyKind, Pace, Significant, TableView, Task, TaskKind};
use baize_rules::{BoxNumber, Money, Role, Rulebook};
use baize_table::Awaiting;
use maud::{Markup, html};

use super::rulings::{self, WaitingRuling};
use super::shell::{self, Shell};
use super::{alerts, hits, meter, paint, words};

/// A table on the pit board.
pub(crate) struct PitTable<'a> {
    /// The table as the pit may see it.
    pub(crate) of: TableView,
    /// Its game.
    pub(crate) book: &'a Rulebook,
    /// The win in the current gaming day.
    pub(crate) won_today: Money,
    /// The rounds of the current gaming day.
    pub(crate) rounds_today: u32,
}

/// The pit board.
pub(crate) struct PitPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The position of the reader.
    pub(crate) role: Role,
    /// The tables.
    pub(crate) tables: Vec<PitTable<'a>>,
    /// The jackpots, each with the evidence of its pending hits.
    pub(crate) jackpots: Vec<(JackpotView, Vec<HitPicture>)>,
    /// All tasks of staff.
    pub(crate) tasks: Arc<Vec<Task>>,
    /// The latest significant events.
    pub(crate) events: Vec<Significant>,
    /// Players whose departures from best play fit hidden cards too often.
    pub(crate) suspects: Vec<String>,
    /// If the database lacks acknowledged entries and everything is stopped: why.
    pub(crate) behind: Option<String>,
}

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
    let rulings: Vec<WaitingRuling<'_>> = page
        .tables
        .iter()
        .filter_map(|table| WaitingRuling::of(&table.of, table.book, page.role, &page.events))
        .collect();
    let tasks: Vec<(&Task, String)> = page.tasks.iter().filter_map(with_address).collect();
    let hits = page.jackpots.iter().any(|(_, pictures)| !pictures.is_empty());
    let calm = rulings.is_empty() && !hits && tasks.is_empty();
    html! {
        (shell::change(&page.shell))
        div #pit class=(if calm { "pit-grid calm" } else { "pit-grid" }) {
            @if let Some(why) = &page.behind {
                section.notice.bad role="alert" {
                    h2 { "The database is behind" }
                    p { "Everything is stopped: " (why) ". Restore the right database, or continue with this one and lose what it lacks." }
                    @if page.shell.actor.may(Duty::ShiftManager) {
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
                    @if !rulings.is_empty() {
                        section #rulings aria-label="Waiting for a ruling" {
                            h2 { "Waiting for a ruling" }
                            @for ruling in &rulings { (rulings::waiting(ruling, &page.shell)) }
                        }
                    }
                    @if hits { (pending_hits(page)) }
                    @if !tasks.is_empty() { (also_waiting(page, &tasks)) }
                }
            }
            section.floor aria-label="Tables" {
                h2 { "Tables" }
                @if calm { p.none { "Nothing is waiting." } }
                ul { @for table in &page.tables { (table_tile(page, table)) } }
            }
            div.side {
                section aria-label="Jackpots" {
                    h2 { "Jackpots" }
                    @for (one, _) in &page.jackpots {
                        div.small-meter { span.name { (meter::name(one)) " " (paint::money_kind(meter::practice(one))) } span.value { (meter::amount(one, "pit")) } (meter::notes(one)) }
                    }
                }
                (events(page))
            }
        }
    }
}

/// What needs attention at a table, in words.
fn alert(of: &TableView) -> Option<String> {
    match (&of.info.halted, &of.round.awaiting) {
        (Some(why), _) => Some(format!("Halted: {why}")),
        (None, Some(Awaiting::Ruling { by, .. })) => Some(format!("Waiting for the {}", by.name())),
        (None, Some(Awaiting::Options { seats, .. })) => Some(format!("{} to choose", words::boxes(seats))),
        (None, Some(Awaiting::Reconstruction { left, .. })) => {
            Some(format!("The dealer is moving cards back into place: {} left", left.len()))
        }
        (None, None) if of.round.standing.jackpot_fault => {
            Some("Jackpot fault: waiting for a ruling".to_owned())
        }
        (None, None) => of.info.notice.clone(),
    }
}

fn table_tile(page: &PitPage<'_>, table: &PitTable<'_>) -> Markup {
    let (info, round) = (&table.of.info, &table.of.round);
    let (state, alert) = (words::state(table.book, round), alert(&table.of));
    let stakes = round.boxes.values().flat_map(|on_box| &on_box.stakes).map(|stake| stake.amount);
    let in_play = if round.outcome.is_some() { Money::ZERO } else { stakes.sum() };
    html! {
        li class=(if alert.is_some() { "tile alert" } else { "tile" }) id=(format!("tile-{}", info.id)) {
            a href=(format!("/pit/{}", info.id)) { b { (info.id) } " " (table.book.name) } " " (paint::money_kind(info.money == MoneyKind::Practice))
            p.state {
                @if alert.as_ref() != Some(&state) { (state) @if round.number > 0 { " · " } }
                @if round.number > 0 { "round " (round.number) }
            }
            @if let Some(alert) = &alert { p.alert-words role="alert" { (alert) } }
            ol.mini aria-label="Boxes" {
                @for seat in BoxNumber::all(info.settings.boxes) {
                    @let on_box = round.boxes.get(&seat);
                    li.taken[on_box.is_some()] title=(on_box.map_or("empty", |b| page.shell.names.of(&b.player.0))) { (seat) }
                }
            }
            dl {
                div { dt { "In play" } dd { (in_play.grouped()) } }
                div { dt { "Won today" } dd { (paint::net(table.won_today)) } }
                div { dt { "Rounds today" } dd { (table.rounds_today) } }
                div { dt { "Dealer" } dd { (if info.pace == Pace::Dealer { "a dealer" } else { "the house" }) } }
            }
        }
    }
}

fn pending_hits(page: &PitPage<'_>) -> Markup {
    html! {
        section #hits aria-label="Pending jackpot hits" {
            h2 { "Jackpot hits" }
            @for (jackpot, pictures) in &page.jackpots {
                @for (n, picture) in pictures.iter().enumerate() { (hits::card(&page.shell, jackpot, n, picture)) }
            }
        }
    }
}

/// A task with the address of the page that deals with it; `None` for those with a card of their own and for the cage's.
fn with_address(task: &Task) -> Option<(&Task, String)> {
    let address = match &task.what {
        TaskKind::Ruling { .. }
        | TaskKind::JackpotFault { .. }
        | TaskKind::Hit { .. }
        | TaskKind::CashReport { .. }
        | TaskKind::Behind => return None,
        TaskKind::Halted { table } | TaskKind::CannotOpen { table } => format!("/pit/{table}"),
        TaskKind::ShortFloat { table, .. } => format!("/pit/{table}#fill-float"),
        TaskKind::Stopped { jackpot } | TaskKind::Change { jackpot } => format!("/house#jackpot-{jackpot}"),
        TaskKind::Locked { .. } => "/staff?state=locked".to_owned(),
    };
    Some((task, address))
}

fn also_waiting(page: &PitPage<'_>, tasks: &[(&Task, String)]) -> Markup {
    html! {
        section #tasks aria-label="Also waiting" {
            h2 { "Also waiting" }
            ul.tasks { @for (task, address) in tasks {
                li { @if task.is_for(&page.shell.actor) { a href=(address) { (task.words) } } @else { span { (task.words) } span.hint { "Waiting for the " (task.needs.name()) "." } } }
            } }
        }
    }
}

/// An event's text, with place and person unless it names them already.
fn event_words(event: &Significant) -> String {
    let place = event.stream.split('/').next_back().unwrap_or_default();
    let mut more = Vec::new();
    if event.stream != "house" && !event.words.contains(place) {
        more.push(place.to_owned());
    }
    let by = event.actor.split(':').next_back().unwrap_or_default();
    if event.actor != "house" && !event.words.split([' ', ',']).any(|word| word == by) {
        more.push(format!("by {by}"));
    }
    if more.is_empty() { event.words.clone() } else { format!("{} ({})", event.words, more.join(", ")) }
}

fn events(page: &PitPage<'_>) -> Markup {
    html! {
        section #significant aria-label="Significant events" {
            h2 { "Significant events" }
            @if page.events.is_empty() { p.none { "Nothing to report." } }
            ol.events tabindex="0" aria-label="Significant events, the latest first" {
                @for event in &page.events {
                    li { time { (page.shell.local(event.at)) } " " span.tag { (event.kind.to_string().replace('-', " ")) } " "
                        @match event.stream.strip_prefix("table/") {
                            Some(table) => { a href=(format!("/pit/{table}")) { (event_words(event)) } },
                            None => (event_words(event))
                        } }
                }
            }
        }
    }
}
