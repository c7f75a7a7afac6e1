//! The setup of a table, on its page in the pit: who deals, the shoe, limits, open or closed. Every form says what it does; a setting that cannot be
//! changed now says why.

use baize_house::{Duty, OrderKind, Pace};
use baize_rules::{Area, Money};
use maud::{Markup, html};

use super::actions::SetUp;
use super::pit_desk::DeskPage;
use super::words::{Dealing, joined};
use super::{paint, shell};

/// Seconds to bet and to decide, if the house deals.
fn clocks(page: &DeskPage<'_>) -> Option<(u32, u32)> {
    match page.of.info.pace {
        Pace::Auto { betting_seconds, decision_seconds } => Some((betting_seconds, decision_seconds)),
        Pace::Dealer => None,
    }
}

/// Why the reader cannot give this order now, which needs this duty.
fn refused(page: &DeskPage<'_>, order: OrderKind, duty: Duty) -> Option<String> {
    if page.of.orders.contains(&order) {
        return None;
    }
    let later = || format!("round {} is in progress; wait until it is over", page.of.info.round);
    Some(page.shell.refused(duty).unwrap_or_else(later))
}

/// The section, a part of the desk's live region.
pub(crate) fn section(page: &DeskPage<'_>) -> Markup {
    let (of, info) = (page.of, &page.of.info);
    let closing = info.notice.is_some() || info.closed;
    let shutting = if closing { OrderKind::Reopen } else { OrderKind::GiveNotice };
    html! {
        section #set-up.set-up aria-label="This table" {
            h2 { "This table" }
            dl {
                div { dt { "Dealt by" } dd {
                    @match clocks(page) {
                        Some((betting, decision)) => { "the house; " (betting) " s to bet, " (decision) " s to decide" }
                        None => "a dealer at the console"
                    }
                } }
                div { dt { "Dealers" } dd {
                    @if of.dealers.is_empty() { "none is assigned" } @else { (joined(&of.dealers)) }
                } }
                div { dt { "Played for" } dd { (info.money.code()) } }
                div { dt { "Cards" } dd {
                    @if Dealing::of(info) == Dealing::FromRealShoe { "from a real shoe, entered by the dealer" } @else { "shuffled by the computer" }
                } }
                div { dt { "Limits" } dd {
                    "ante " (paint::limits(info.settings.ante))
                    @if page.book.has_area(Area::Bonus) { "; bonus " (paint::limits(info.settings.bonus)) }
                    @if let Some(next) = &info.next_limits { "; from the next round on " (paint::next_limits(next)) }
                } }
                div { dt { "Play" } dd {
                    @if info.closed { "closed" } @else if info.notice.is_some() { "closes after this round" } @else { "open" }
                } }
            }
            @if of.orders.contains(&OrderKind::Assign) { (dealers(page)) }
            @match refused(page, OrderKind::SetPace, Duty::PitSupervisor) {
                Some(why) => p.none.why-not { "Dealer and shoe cannot be changed now: " (why) "." }
                None => { (who_deals(page)) (shoe(page)) }
            }
            @match refused(page, OrderKind::SetLimits, Duty::PitManager) {
                Some(why) => p.none.why-not { "Limits: " (why) "." }
                None => (limits(page))
            }
            @if let Some(float) = of.float.filter(|_| of.orders.contains(&OrderKind::FillFloat)) {
                (change(page, "fill-float", "Fill the float", "The house adds chips to the float. It is recorded as a fill and does not count as win.", &html! {
                    div.fields { label { span { "Amount" } input name="amount" inputmode="decimal" autocomplete="off" required value=(paint::short(float)); } }
                    (set(SetUp::Fill, "Fill the float"))
                }))
            }
            @match refused(page, shutting, Duty::PitManager) {
                Some(why) => p.none.why-not {
                    @if closing { "Reopening the table: " } @else { "Closing the table: " } (why) "."
                }
                None => (shut(page))
            }
        }
    }
}

/// The form for a change: title, explanation, fields and button.
fn change(page: &DeskPage<'_>, id: &str, title: &str, does: &str, inside: &Markup) -> Markup {
    let action = if id == "close-table" { "close" } else { "set" };
    html! {
        details.more id=(id) {
            summary { (title) }
            form method="post" action=(format!("/pit/{}/{action}", page.of.info.id)) data-live {
                (shell::hidden(&page.shell))
                p { (does) }
                (inside)
            }
        }
    }
}

fn set(value: SetUp, words: &str) -> Markup {
    html! { button type="submit" name="set" value=(value) { (words) } }
}

/// Assigning and relieving dealers, who may deal only at their tables.
fn dealers(page: &DeskPage<'_>) -> Markup {
    html! {
        (change(page, "assign-dealer", "Assign a dealer", "Dealers may deal only at tables that the pit assigns to them. The assignment is recorded.", &html! {
            div.fields { label { span { "Dealer" } input name="dealer" required maxlength="32" autocomplete="off"; } }
            (set(SetUp::Assign, "Assign"))
        }))
        @if !page.of.dealers.is_empty() {
            (change(page, "relieve-dealer", "Relieve a dealer", "The dealer can no longer act at this table.", &html! {
                div.fields { label { span { "Dealer" } select name="dealer" {
                    @for name in &page.of.dealers { option value=(name) { (name) } }
                } } }
                (set(SetUp::Relieve, "Relieve"))
            }))
        }
    }
}

fn who_deals(page: &DeskPage<'_>) -> Markup {
    let (betting, decision) = clocks(page).unwrap_or((20, 30));
    let clocks = |words: &str| {
        html! {
            div.fields {
                label { span { "Seconds to bet" } input type="number" name="betting_seconds" min="1" max="3600" required value=(betting); }
                label { span { "Seconds to decide" } input type="number" name="decision_seconds" min="1" max="3600" required value=(decision); }
            }
            (set(SetUp::Auto, words))
        }
    };
    let of_clocks = "The first clock runs from the first wager to “No more bets”; when the second runs out, the game's paragraph on \
                     absent players applies. No clock runs for a lone player.";
    html! {
        @match Dealing::of(&page.of.info) {
            Dealing::ByHouse => {
                (change(page, "set-clocks", "Change the two clocks", of_clocks, &clocks("Set the clocks")))
                (change(page, "set-dealer", "Give the table to a dealer",
                    "From the next round on, a dealer opens and closes bets, deals, reveals and settles at the console. No clock runs.",
                    &set(SetUp::Dealer, "Give it to a dealer")))
            }
            Dealing::ByDealer => {
                (change(page, "set-auto", "Let the house deal",
                    &format!("The house opens and closes bets, deals, reveals and settles automatically. {of_clocks}"), &clocks("Let the house deal")))
            }
            Dealing::FromRealShoe => {
                p.none.why-not { "The house can deal only from the computer's shoe: switch to it first." }
            }
        }
    }
}

fn shoe(page: &DeskPage<'_>) -> Markup {
    html! {
        @match Dealing::of(&page.of.info) {
            Dealing::ByHouse => p.none.why-not { "A real shoe needs a dealer who enters the cards: give the table to one first." }
            Dealing::ByDealer => (change(page, "set-entered", "Use a real shoe",
                "The dealer enters each card at the console as it is drawn. The computer does not shuffle and publishes no hash.",
                &set(SetUp::Entered, "Use a real shoe"))),
            Dealing::FromRealShoe => (change(page, "set-computer", "Let the computer shuffle",
                "The computer shuffles a deck for each round, publishes its hash before bets open and deals from it.",
                &set(SetUp::Computer, "Let the computer shuffle"))),
        }
    }
}

fn limits(page: &DeskPage<'_>) -> Markup {
    let (mut ante, mut bonus) = (page.of.info.settings.ante, page.of.info.settings.bonus);
    if let Some(next) = &page.of.info.next_limits {
        (ante, bonus) = (next.ante, next.bonus.unwrap_or(bonus));
    }
    let field = |name: &str, words: &str, value: Money| {
        html! { label { span { (words) } input name=(name) inputmode="decimal" autocomplete="off" required value=(paint::short(value)); } }
    };
    change(
        page,
        "set-limits",
        "Change the limits",
        "They apply from the next round on and are displayed at the table and in the lobby. A round in progress keeps its limits.",
        &html! {
            div.fields {
                (field("ante_least", "Ante from", ante.least))
                (field("ante_most", "Ante to", ante.most))
                @if page.book.has_area(Area::Bonus) {
                    (field("bonus_least", "Bonus from", bonus.least))
                    (field("bonus_most", "Bonus to", bonus.most))
                } @else {
                    input type="hidden" name="bonus_least" value=(bonus.least);
                    input type="hidden" name="bonus_most" value=(bonus.most);
                }
            }
            (set(SetUp::Limits, "Set the limits"))
        },
    )
}

fn shut(page: &DeskPage<'_>) -> Markup {
    let of = &page.of.info;
    html! {
        @if let Some(notice) = &of.notice { p.notice { "Notice given: " (notice) } }
        @if of.closed || of.notice.is_some() {
            (change(page, "reopen", "Reopen the table",
                "The notice is removed and players can bet again at once.", &set(SetUp::Reopen, "Open the table")))
        } @else {
            (change(page, "close-table", "Close the table with notice",
                "The current round is played to the end and settled; then no other begins. The notice is shown at the table and in the lobby.",
                &html! {
                    label { span { "Notice to players" } input name="notice" required maxlength="200" value="This table closes after this round."; }
                    button.danger type="submit" { "Close the table" }
                }))
        }
    }
}
