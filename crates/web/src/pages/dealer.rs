//! The dealer's console: keyboard-first. One next step, card entry, pay and take box by box with why.

use baize_rules::{IrregularityKind, Reveal};
use baize_table::{Line, Place, ResultKind};
use maud::{Markup, html};

use super::felt::{self, Felt, Side};
use super::model::{DealerPage, DealerTables, Dealing, NextStep, expected};
use super::{meter, paint, shell, slip, table, words};

/// The tables that a dealer can go to.
#[must_use]
pub fn tables(page: &DealerTables<'_>) -> Markup {
    shell::page(
        &page.shell,
        "Dealer",
        "dealer",
        "narrow",
        &html! {
            h1 { "Which table do you deal?" }
            @if page.tables.is_empty() { p.none { "No table is assigned to you yet: the pit assigns dealers to tables." } }
            ul.choose {
                @for (id, book, state, dealer) in &page.tables {
                    li { a href=(format!("/dealer/{id}")) {
                        b { (id) } " " (book.name) span.state { (state) }
                        @if let Some(dealer) = dealer { span.state { (dealer) " deals" } }
                    } }
                }
            }
        },
    )
}

/// The console.
#[must_use]
pub fn page(page: &DealerPage<'_>) -> Markup {
    let title = format!("Dealer · {}", page.table);
    shell::page(
        &page.shell,
        &title,
        "dealer",
        "console",
        &html! {
            h1.quiet-title { "Table " (page.table) span { (page.book.name) ", " (page.book.operator) " · " (page.settings.procedure.name()) } }
            (regions(page))
        },
    )
}

/// What changes.
#[must_use]
pub fn regions(page: &DealerPage<'_>) -> Markup {
    let next = NextStep::of(page.view, page.legal);
    let acting = next.seats();
    html! {
        div #console.console-grid {
            section.next aria-label="Next step" {
                p.round { @if page.view.number > 0 { "Round " (page.view.number) " · " } (words::state(page.view)) }
                @if let Some(clock) = &page.clock { (table::clock_of(clock)) }
                @if page.dealing == Dealing::ByHouse { p.hint { "The house runs this table by itself. What you press here acts all the same." } }
                (step(page, &next))
                (claims(page))
                (entry(page, &next))
                (secondary(page, &next))
                @if let Some(of) = &page.meter { div.small-meter { span.name { (of.name) } span.value { (meter::amount(of, "console")) } (meter::notes(of)) } }
                @if let Some(hash) = &page.commitment { p.hint.commitment { "Deck fixed: " code { (hash) } } }
                (keys())
            }
            (felt::felt(&Felt {
                book: page.book, settings: page.settings, view: page.view, side: Side::Dealer,
                me: None, acting: &acting, meter: None,
            }))
            (pay_and_take(page))
            (table::log(&paint::rulebook(page.book), &page.happened))
        }
    }
}

fn action(page: &DealerPage<'_>) -> String {
    format!("/dealer/{}/do", page.table)
}

/// The step that a form of this page is for.
fn expects(page: &DealerPage<'_>) -> Markup {
    let next = NextStep::of(page.view, page.legal);
    html! { input type="hidden" name="expects" value=(expected::step(&next, page.view)); }
}

fn press(
    page: &DealerPage<'_>,
    what: &str,
    fields: &[(&str, String)],
    words: &str,
    class: &str,
    key: &str,
) -> Markup {
    html! {
        form.press method="post" action=(action(page)) data-live {
            (shell::hidden(&page.shell))
            (expects(page))
            input type="hidden" name="do" value=(what);
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            button class=(class) type="submit" data-key=[(!key.is_empty()).then_some(key)] {
                (words) @if !key.is_empty() { " " kbd aria-hidden="true" { (key) } }
            }
        }
    }
}

/// The one next step as a big button, or what is being waited for.
fn step(page: &DealerPage<'_>, next: &NextStep) -> Markup {
    let go = |what: &str, fields: &[(&str, String)], words: &str| {
        press(page, what, fields, words, "primary big", "n")
    };
    let computer = page.dealing != Dealing::FromRealShoe;
    match next {
        NextStep::Open => go("open", &[], "“Place your bets, please”"),
        NextStep::Close => go("close", &[], "“No more bets”"),
        NextStep::Burn(_) if computer => go("next", &[], "Burn a card"),
        NextStep::Deal(due) if computer => go("next", &[], &format!("Deal {}", words::due_cards(due))),
        NextStep::Reveal(what) => go("reveal", &[("what", what.code().to_owned())], reveal(*what)),
        NextStep::Settle => go("settle", &[], "Settle"),
        NextStep::Burn(_) => html! { p.big-say { "Burn a card" } },
        NextStep::Deal(due) => html! {
            p.big-say { "Deal " b { (words::due_cards(due)) } }
            p.hint { (words::how_dealt(due)) " " (paint::cites(&paint::rulebook(page.book), &due.cites)) }
        },
        NextStep::Report(place, found, right) => html! {
            p.big-say.alert { b { (place) } " has " (found) " cards and should have " (right) ": report it before play goes on" }
        },
        NextStep::WaitForBets => html! { p.big-say { "Bets are open. Nobody has bet yet." } },
        NextStep::WaitForDecisions(seats) => {
            html! { p.big-say { "Waiting: " b { (words::boxes(seats)) } " to decide" } }
        }
        NextStep::WaitForRuling(by) => html! { p.big-say.alert { "The " b { (by.name()) } " rules" } },
        NextStep::WaitForOptions(seats) => {
            html! { p.big-say { "Waiting: " b { (words::boxes(seats)) } " to choose" } }
        }
        NextStep::WaitForJackpot => {
            html! { p.big-say.alert { "The jackpot claims of this round are being verified" } }
        }
        NextStep::Closed => html! { p.big-say { "The table is closed" } },
    }
}

/// Jackpot claims of this table that wait.
fn claims(page: &DealerPage<'_>) -> Markup {
    html! {
        @for hit in &page.hits {
            p.notice {
                "Box " (hit.seat) ", " (hit.player) ": " b { (hit.award) } ", " (hit.amount.grouped()) ". Leave the hand face up. "
                @match &hit.verified_by {
                    Some(by) => { "Verified by " (by) "." }
                    None => "Call the pit to verify it."
                }
                (paint::cites(&paint::rulebook(page.book), &page.book.jackpot.shown))
            }
        }
    }
}

const fn reveal(what: Reveal) -> &'static str {
    match what {
        Reveal::Flop => "Turn the flop",
        Reveal::Turn => "Turn the turn card",
        Reveal::River => "Turn the river card",
        Reveal::Dealer => "Turn the dealer's hand",
    }
}

/// Cards by keyboard: `as 10d`. They go where the procedure says; what went elsewhere is recorded below, with its place.
fn entry(page: &DealerPage<'_>, next: &NextStep) -> Markup {
    let Some(deals) = page.legal.deals.as_ref().filter(|_| page.dealing == Dealing::FromRealShoe) else {
        return html! {};
    };
    let (to, number) = if let NextStep::Deal(due) = next {
        (Some(code(due.to)), due.cards)
    } else if let NextStep::Burn(_) = next {
        (Some("burn".to_owned()), 1)
    } else {
        (None, 0)
    };
    html! {
        form.entry method="post" action=(action(page)) data-live data-to=[to] data-cards=(number) {
            (shell::hidden(&page.shell))
            (expects(page))
            input type="hidden" name="do" value="enter";
            label.cards-label { span { "Cards" }
                input name="cards" value=(page.typed) autocomplete="off" autocapitalize="off" spellcheck="false"
                    placeholder="as 10d" data-key="/" data-card-input autofocus aria-describedby="entry-hint";
            }
            button type="submit" { "Enter" }
            output.typed-cards aria-live="polite" {}
            p.hint #entry-hint {
                "Rank and suit: " code { "as" } " " code { "10d" } " " code { "kh" } ", separated by spaces or not. Enter records them. "
                @if number == 0 { "No card is due now." }
            }
            @if let Some(why) = &page.refused { p.notice role="alert" { (why) } }
        }
        @if let NextStep::Burn(Some(then)) = next { (skip_burn(page, &then.to)) }
        details.more #dealt-elsewhere {
            summary { "Cards went elsewhere" }
            p.hint { "Cards that were dealt are facts: name the place where they lie. What departs from the procedure is on record." }
            (placed(page, &html! {
                label { span { "To" } select name="to" {
                    @for place in &deals.places { option value=(code(*place)) { (place) } }
                    option value="burn" { "burnt" }
                } }
            }))
        }
    }
}

/// A dealer who forgot the burn has dealt the next card instead: that is recorded, and the paragraph says what follows.
fn skip_burn(page: &DealerPage<'_>, to: &Place) -> Markup {
    let reports = &page.book.irregularities.reports;
    let rule = reports.iter().find(|report| report.kind == IrregularityKind::MissedBurn);
    let cites = rule.and_then(|rule| rule.cases.first()).map(|case| case.cites).unwrap_or_default();
    html! {
        details.more #skip-burn {
            summary { "Skip the burn" }
            p.hint {
                "No card was burnt and the next one went to " (to) ": enter that one. A missed burn is reported to the pit: the round is "
                "reconstructed, or void where somebody has seen cards. " (paint::cites(&paint::rulebook(page.book), &cites))
            }
            (placed(page, &html! { input type="hidden" name="to" value=(code(*to)); }))
        }
    }
}

/// A form for cards with the place where they went.
fn placed(page: &DealerPage<'_>, to: &Markup) -> Markup {
    html! {
        form.placed method="post" action=(action(page)) data-live {
            (shell::hidden(&page.shell))
            (expects(page))
            input type="hidden" name="do" value="cards";
            label.cards-label { span { "Cards" }
                input name="cards" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="as 10d" data-card-input;
            }
            (to)
            button.quiet type="submit" { "Record" }
            output.typed-cards aria-live="polite" {}
        }
    }
}

fn code(place: Place) -> String {
    match place {
        Place::Box(seat) => format!("box-{seat}"),
        Place::Board => "board".to_owned(),
        Place::Dealer => "dealer".to_owned(),
    }
}

/// What else a dealer may do now.
fn secondary(page: &DealerPage<'_>, next: &NextStep) -> Markup {
    let legal = page.legal;
    let seat_form = |what: &str, seat: u8, words: String| {
        press(page, what, &[("seat", seat.to_string())], &words, "quiet", "")
    };
    html! {
        details.more #dealer-more {
            summary { "More" }
            @if *next != NextStep::Close && legal.close { (press(page, "close", &[], "“No more bets”", "quiet", "")) }
            @for seat in &legal.absences { (seat_form("absent", *seat, format!("Box {seat}: the player has left"))) }
            @for seat in &legal.declines { (seat_form("decline", *seat, format!("Box {seat} does not show its hand"))) }
            @for seat in &legal.folds { (seat_form("fold", *seat, format!("Box {seat} folds"))) }
            @for seat in &legal.checks { (seat_form("check", *seat, format!("Box {seat} checks"))) }
            @for raise in legal.wagers.iter().filter(|_| page.view.phase == "play") {
                @if let baize_table::Players::Only(player) = &raise.players {
                    (press(page, "raise", &[
                        ("seat", raise.seat.to_string()), ("area", raise.area.code().to_owned()),
                        ("amount", raise.amounts.to.to_string()), ("player", player.to_string()),
                    ], &format!("Box {}: {player} bets the {} {}", raise.seat, raise.area.name(), paint::short(raise.amounts.to)), "quiet", ""))
                }
            }
            a.button.quiet href=(format!("/pit/{}", page.table)) data-key="i" { "Report an irregularity " kbd aria-hidden="true" { "i" } }
        }
    }
}

/// After the settlement: what to pay and what to take, box by box, and why.
fn pay_and_take(page: &DealerPage<'_>) -> Markup {
    html! {
        section #pay.pay aria-label="Pay and take" {
            @if !page.view.slips.is_empty() {
                h2 { "Pay and take" }
                ol {
                    @for slip in &page.view.slips {
                        li id=(format!("pay-{}", slip.seat)) {
                            label.done { input type="checkbox" data-tick; span.seat { (slip.seat) } span.player { (slip.player) }
                                @if let Some(hand) = slip.hand { span.class-name { (hand.name()) } } (paint::net(slip.net())) }
                            ul { @for line in &slip.lines { li { (order(page, line)) } } }
                        }
                    }
                }
                p.hint { "Space ticks a box off. The house has booked everything already." }
            }
        }
    }
}

fn order(page: &DealerPage<'_>, line: &Line) -> Markup {
    let (class, verb) = match line.result {
        ResultKind::Win => ("pay-it", format!("Pay {}", line.amount.grouped())),
        ResultKind::Lose => ("take-it", format!("Take {}", line.amount.grouped())),
        ResultKind::Push | ResultKind::Returned => ("leave-it", format!("Leave {}", line.staked.grouped())),
        ResultKind::Pending => ("wait-it", "Wait: jackpot claim".to_owned()),
    };
    html! {
        span class=(class) { (verb) } " " span.area { (line.area.name()) } " " span.why { (slip::why(page.book, line)) }
        (paint::cites(&paint::rulebook(page.book), &line.cites))
        @if let Some(point) = line.interpretation { " " a.cite href=(format!("/rules/{}#{point}", paint::rulebook(page.book))) { (point) } }
    }
}

fn keys() -> Markup {
    html! {
        p.keys { kbd { "n" } " next step · " kbd { "/" } " cards · " kbd { "i" } " irregularity · " kbd { "?" } " all keys" }
    }
}
