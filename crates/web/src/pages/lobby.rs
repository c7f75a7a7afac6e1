//! The lobby: meters, tables, a seat with one click.

use baize_rules::Area;
use maud::{Markup, html};

use super::model::{LobbyPage, TableCard, Who};
use super::{meter, paint, shell};

/// The whole page.
#[must_use]
pub fn page(page: &LobbyPage<'_>) -> Markup {
    shell::page(&page.shell, "Tables", "tables", "lobby", &html! {
        div.hero {
            h1 { "Take a seat" }
            p { "Five approved casino poker games against the house, dealt and settled exactly by their rules. Play chips, no sign-up." }
        }
        (regions(page))
        (join(page))
    })
}

/// What changes: meters and tables.
#[must_use]
pub fn regions(page: &LobbyPage<'_>) -> Markup {
    html! {
        div #meters.meters { @for one in &page.meters { (meter::panel(one)) } }
        section #tables aria-label="Tables" {
            ul.tables { @for table in &page.tables { (card(page, table)) } }
        }
    }
}

fn card(page: &LobbyPage<'_>, table: &TableCard<'_>) -> Markup {
    let (book, settings) = (table.book, table.settings);
    let href = page.shell.href(&format!("/table/{}", table.id));
    let class = format!("table-card op-{}{}", book.operator.to_lowercase(), if table.mine { " mine" } else { "" });
    html! {
        li class=(class) id=(format!("table-{}", table.id)) {
            header {
                p.operator { (book.operator) " · " (table.id) }
                h2 { a href=(href) { (book.name) } }
            }
            (seats(table))
            dl {
                div { dt { "Ante" } dd { (paint::short(settings.ante.least)) "–" (paint::short(settings.ante.most)) } }
                @if book.has_area(Area::Bonus) {
                    div { dt { "Bonus" } dd { (paint::short(settings.bonus.least)) "–" (paint::short(settings.bonus.most)) } }
                }
                div { dt { "Jackpot" } dd {
                    (paint::short(settings.jackpot_wager))
                    @if book.betting.jackpot_multiples.value > 1 { " ×1–" (book.betting.jackpot_multiples.value) }
                } }
                div { dt { "Now" } dd { (table.state) @if table.round > 0 { span.round { " · round " (table.round) } } } }
            }
            @if let Some(notice) = &table.notice { p.no-jackpot role="alert" { (notice) } }
            footer {
                @if table.closed { span.closed { "Closed" } }
                @else { (enter(page, table)) }
                span.dealing { (table.dealing.words()) }
            }
        }
    }
}

/// One click: a player walks in; a newcomer is given chips and a seat.
fn enter(page: &LobbyPage<'_>, table: &TableCard<'_>) -> Markup {
    let href = page.shell.href(&format!("/table/{}", table.id));
    match &page.shell.who {
        Who::Nobody => html! {
            form method="post" action="/join" data-plain {
                (shell::hidden(&page.shell))
                input type="hidden" name="table" value=(table.id);
                button.primary type="submit" aria-label=(format!("Sit down at {}", table.id)) { "Sit down" }
            }
        },
        Who::Player { .. } => html! {
            a.button.primary href=(href) { @if table.mine { "Back to your seat" } @else { "Sit down" } }
        },
        Who::Staff { .. } => html! { a.button href=(href) { "Watch" } },
    }
}

/// The boxes as a half-moon of dots.
fn seats(table: &TableCard<'_>) -> Markup {
    let boxes = table.settings.boxes;
    let said = format!("{} of {boxes} boxes taken", table.taken.len());
    html! {
        svg.seats viewBox="0 0 120 50" role="img" aria-label=(said) {
            path d="M8 6 H112 A52 42 0 0 1 8 6 Z" {}
            @for seat in 1..=boxes {
                @let (x, y) = dot(seat, boxes);
                circle.taken[table.taken.contains_key(&seat)] cx=(x) cy=(y) r="4.500" {}
            }
        }
    }
}

/// Points on the arc, the first box on the right: sines in thousandths, so that no floating point is needed.
fn dot(seat: u8, boxes: u8) -> (i32, i32) {
    const SIN: [i32; 13] = [0, 131, 259, 383, 500, 609, 707, 793, 866, 924, 966, 991, 1000];
    // Angles from 15° to 165° in steps of 7.5°, as far as the table of sines reaches.
    let step = 2 + i32::from(seat - 1) * 20 / i32::from(boxes.max(2) - 1);
    let sin = |n: i32| usize::try_from(if n <= 12 { n } else { 24 - n }).ok().and_then(|n| SIN.get(n)).copied().unwrap_or(0);
    let cos = if step <= 12 { sin(12 - step) } else { -sin(step - 12) };
    (60 + 46 * cos / 1000, 6 + 35 * sin(step) / 1000)
}

/// Another player in another window, or oneself under a chosen name.
fn join(page: &LobbyPage<'_>) -> Markup {
    html! {
        section.join aria-label="Players" {
            h2 { "Play as somebody else" }
            p { "Each name is a player of his own with a purse of play chips. Open several in several windows and seat them at one table." }
            form.inline method="post" action="/join" data-plain {
                (shell::hidden(&page.shell))
                label { span { "Name" }
                    input name="name" value=(page.suggested_name) required maxlength="32" pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*"
                        autocomplete="off" title="letters, digits, - _ ."; }
                button type="submit" { "Join" }
            }
            @if !page.windows.is_empty() {
                ul.windows {
                    @for (name, href) in &page.windows {
                        li { a href=(href) target="_blank" rel="noopener" { (name) } }
                    }
                }
            }
        }
    }
}
