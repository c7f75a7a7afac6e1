//! The lobby: meters, tables, a seat with one click.

use baize_house::{Actor, JackpotView, MoneyKind, TableInfo};
use baize_rules::{Area, BoxNumber, Rulebook};
use maud::{Markup, html};

use super::actions::Play;
use super::shell::{self, Shell};
use super::words::{self, Dealing};
use super::{meter, paint};

/// The lobby.
pub(crate) struct LobbyPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The tables with their games.
    pub(crate) tables: Vec<(TableInfo, &'a Rulebook)>,
    /// The jackpots.
    pub(crate) jackpots: Vec<JackpotView>,
    /// A free name, suggested to a new player.
    pub(crate) suggested_name: String,
    /// The other people in this browser: name and address.
    pub(crate) windows: Vec<(String, String)>,
}

/// The whole page.
pub(crate) fn page(page: &LobbyPage<'_>) -> Markup {
    shell::page(
        &page.shell,
        "Tables",
        "tables",
        "lobby",
        &html! {
            div.hero {
                h1 { "Take a seat" }
                p { "Five approved casino poker games against the house, dealt and settled exactly by their rules. Play chips, no sign-up." }
            }
            (regions(page))
            (join(page))
        },
    )
}

/// The live regions: meters and tables.
pub(crate) fn regions(page: &LobbyPage<'_>) -> Markup {
    html! {
        (shell::change(&page.shell))
        div #meters.meters { @for one in &page.jackpots { (meter::panel(one)) } }
        section #tables aria-label="Tables" {
            ul.tables { @for (table, book) in &page.tables { (card(page, table, book)) } }
        }
    }
}

/// Whether the reader sits at this table.
fn mine(page: &LobbyPage<'_>, table: &TableInfo) -> bool {
    page.shell.actor.as_player().is_some_and(|player| table.guests.contains_key(player))
}

fn card(page: &LobbyPage<'_>, table: &TableInfo, book: &Rulebook) -> Markup {
    let settings = &table.settings;
    let href = page.shell.href(&format!("/table/{}", table.id));
    let class = format!(
        "table-card op-{}{}",
        book.operator.to_lowercase(),
        if mine(page, table) { " mine" } else { "" }
    );
    html! {
        li class=(class) id=(format!("table-{}", table.id)) {
            header {
                p.operator { (book.operator) " · " (table.id) @if table.round > 0 { " · round " (table.round) } " " (paint::money_kind(table.money == MoneyKind::Practice)) }
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
                    @if book.betting.jackpot_multiples.value > 1 { ", up to " (book.betting.jackpot_multiples.value) " times" }
                } }
                div { dt { "Now" } dd { (words::table_state(table)) } }
            }
            @if let Some(notice) = &table.jackpot_notice {
                p.no-jackpot role="alert" { (notice.words) (paint::cites(&paint::slug(book), &notice.cites)) }
            }
            @if let Some(notice) = &table.notice { p.no-jackpot role="alert" { (notice) } }
            footer {
                @if table.closed || table.halted.is_some() { span.closed { "Closed" } }
                @else { (enter(page, table)) }
                span.dealing { (Dealing::of(table).words()) }
            }
        }
    }
}

/// The button of a table: players sit down; new visitors also get an account and chips. Players with the other kind of chips can only watch.
fn enter(page: &LobbyPage<'_>, table: &TableInfo) -> Markup {
    let href = page.shell.href(&format!("/table/{}", table.id));
    let newcomers_practise = !page.shell.play_chips.is_zero();
    let (practice, kind) = (table.money == MoneyKind::Practice, page.shell.purse.map(|(_, kind)| kind));
    match (&page.shell.actor, kind) {
        (Actor::Public, _) if newcomers_practise != practice => html! {
            a.button href=(href) { "Watch" }
            span.hint { @if practice { "This casino gives no practice chips." } @else { "For cash: register and buy chips at the cage." } }
        },
        (_, Some(kind)) if kind != table.money => html! {
            a.button href=(href) { "Watch" }
            span.hint { @if practice { "For practice only: you play for cash." } @else { "For cash only: you have practice chips." } }
        },
        (Actor::Public, _) => html! {
            form method="post" action="/join" data-plain {
                (shell::hidden(&page.shell))
                input type="hidden" name="table" value=(table.id);
                button.primary type="submit" aria-label=(format!("Sit down at {}", table.id)) { "Sit down" }
            }
        },
        (Actor::Player { .. }, _) if mine(page, table) => {
            html! { a.button.primary href=(href) { "Back to your seat" } }
        }
        (Actor::Player { .. }, _) => html! {
            form method="post" action=(format!("{href}/do")) data-plain {
                (shell::hidden(&page.shell))
                input type="hidden" name="do" value=(Play::Sit);
                button.primary type="submit" aria-label=(format!("Sit down at {}", table.id)) { "Sit down" }
            }
        },
        (Actor::Staff { .. } | Actor::House, _) => html! { a.button href=(href) { "Watch" } },
    }
}

/// The boxes, drawn as dots on a half-moon.
fn seats(table: &TableInfo) -> Markup {
    let boxes = table.settings.boxes;
    let said = format!("{} of {boxes} boxes taken", table.guests.len());
    html! {
        svg.seats viewBox="0 0 120 50" role="img" aria-label=(said) {
            path d="M4 4 H116 Q112 49 60 49 Q8 49 4 4 Z" {}
            @for seat in BoxNumber::all(boxes) {
                @let (x, y) = dot(seat, boxes);
                circle.taken[table.guests.values().any(|taken| *taken == seat)] cx=(x) cy=(y) r="4.500" {}
            }
        }
    }
}

/// The position of a box's dot: evenly spaced on a parabola, the first box on the right as players see it.
fn dot(seat: BoxNumber, boxes: u8) -> (i32, i32) {
    let gaps = i32::from(boxes.max(2)) - 1;
    let x = 106 - 92 * i32::from(seat.0.saturating_sub(1)) / gaps;
    let off = (x - 60) * (x - 60);
    (x, 41 - 28 * off / (46 * 46))
}

/// The form to join as a player with a chosen name, and links to the other players in this browser.
fn join(page: &LobbyPage<'_>) -> Markup {
    html! {
        section.join aria-label="Players" {
            h2 { "Play as another player" }
            p { "Each name is a separate player, who starts with " (page.shell.starts_with()) ". Open one window for each and seat them at the same table." }
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
