//! The dealer's console, made for the keyboard: the next step, card entry, and what to pay and take with the reasons.

use baize_house::{HitView, JackpotView, OrderKind, TableInfo, TableView};
use baize_rules::{Absent, BoxNumber, IrregularityKind, Reveal, Rulebook};
use baize_table::{Line, PhaseName, Place, ResultKind};
use maud::{Markup, html};

use super::actions::Deal;
use super::expected;
use super::felt::{self, Felt, Side};
use super::next_step::NextStep;
use super::shell::{self, Shell};
use super::words::{self, Dealing};
use super::{meter, paint, round_log, slip, table};

/// The dealer's console.
pub(crate) struct DealerPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The table's game.
    pub(crate) book: &'a Rulebook,
    /// The table as the dealer may see it.
    pub(crate) of: &'a TableView,
    /// The linked jackpot.
    pub(crate) jackpot: Option<&'a JackpotView>,
    /// Cards that were refused, as typed, and why.
    pub(crate) refused: Option<(&'a str, String)>,
}

impl DealerPage<'_> {
    /// The dealer's next step.
    fn next(&self) -> NextStep {
        NextStep::of(&self.of.round, &self.of.legal)
    }

    /// The jackpot's pending hits at this table.
    fn hits(&self) -> impl Iterator<Item = &HitView> {
        let pending = self.jackpot.iter().flat_map(|jackpot| &jackpot.pending);
        pending.filter(|hit| hit.round.table == self.of.info.id)
    }

    /// Whether the dealer enters cards from a real shoe.
    fn real_shoe(&self) -> bool {
        Dealing::of(&self.of.info) == Dealing::FromRealShoe
    }
}

/// The list of tables that the dealer may deal, with their games.
pub(crate) fn tables(shell: &Shell, tables: &[(&TableInfo, &Rulebook)]) -> Markup {
    shell::page(
        shell,
        "Dealer",
        "dealer",
        "narrow",
        &html! {
            h1 { "Which table are you dealing?" }
            @if tables.is_empty() { p.none { "No table is assigned to you yet. The pit assigns dealers to tables." } }
            ul.choose {
                @for (table, book) in tables {
                    li { a href=(format!("/dealer/{}", table.id)) {
                        b { (table.id) } " " (book.name) span.state { (words::table_state(table)) }
                    } }
                }
            }
        },
    )
}

/// The console.
pub(crate) fn page(page: &DealerPage<'_>) -> Markup {
    let title = format!("Dealer · {}", page.of.info.id);
    shell::page(
        &page.shell,
        &title,
        "dealer",
        "console",
        &html! {
            h1.quiet-title { "Table " (page.of.info.id) span { (page.book.name) ", " (page.book.operator) " · " (page.of.info.settings.procedure.name()) } }
            (regions(page))
        },
    )
}

/// The live regions.
pub(crate) fn regions(page: &DealerPage<'_>) -> Markup {
    let (next, round) = (page.next(), &page.of.round);
    let acting = next.seats();
    html! {
        (shell::change(&page.shell))
        div #console.console-grid {
            section.next tabindex="-1" aria-label="Next step" {
                p.round { @if round.number > 0 { "Round " (round.number) " · " } (words::state(page.book, round)) }
                (table::clock(page.of))
                (step(page, &next))
                (claims(page))
                (entry(page, &next))
                (secondary(page, &next))
                @if let Some(of) = page.jackpot { div.small-meter { span.name { (meter::name(of)) } span.value { (meter::amount(of, "console")) } (meter::notes(of)) } }
                @if let Some(commitment) = &page.of.commitment { p.hint.commitment { "Deck fixed: " code { (commitment.hash) } } }
                (keys())
            }
            (felt::felt(&Felt {
                book: page.book, settings: &page.of.info.settings, view: round, side: Side::Dealer,
                me: None, acting: &acting, jackpot: None, guests: &felt::guests(&page.of.info), names: &page.shell.names, bets: None,
            }))
            (pay_and_take(page))
            (round_log::log(page.book, round, &page.shell.names))
        }
    }
}

fn action(page: &DealerPage<'_>) -> String {
    format!("/dealer/{}/do", page.of.info.id)
}

/// The hidden field that names the step that a form is for.
fn expects(page: &DealerPage<'_>) -> Markup {
    html! { input type="hidden" name="expects" value=(expected::step(&page.next(), &page.of.round)); }
}

fn press(
    page: &DealerPage<'_>,
    what: Deal,
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

/// The next step as a large button, or what the table waits for.
fn step(page: &DealerPage<'_>, next: &NextStep) -> Markup {
    let go = |what: Deal, fields: &[(&str, String)], words: &str| {
        press(page, what, fields, words, "primary big", "n")
    };
    let computer = !page.real_shoe();
    match next {
        NextStep::Open => go(Deal::Open, &[], "“Place your bets, please”"),
        NextStep::Close => go(Deal::Close, &[], "“No more bets”"),
        NextStep::Burn(_) if computer => go(Deal::Next, &[], "Burn a card"),
        NextStep::Deal(due) if computer => go(Deal::Next, &[], &format!("Deal {}", words::due_cards(due))),
        NextStep::Reveal(what) => go(Deal::Reveal, &[("what", what.code().to_owned())], reveal(*what)),
        NextStep::Settle => go(Deal::Settle, &[], "Settle"),
        NextStep::Burn(_) => html! { p.big-say { "Burn a card" } },
        NextStep::Deal(due) => html! {
            p.big-say { "Deal " b { (words::due_cards(due)) } }
            p.hint { (words::how_dealt(due)) " " (paint::cites(&paint::slug(page.book), &due.cites)) }
        },
        NextStep::PutBack(card, left) => html! {
            p.big-say { "Move the card from " (words::among(card.from)) " to " (words::among(card.to)) }
            p.hint { "Move the cards to their right places, and enter each one as you put it there. " (left) " left." }
        },
        NextStep::Report(place, found, right) => html! {
            p.big-say.alert { b { (place) } " has " (found) " cards and should have " (right) ": report it before play continues" }
        },
        NextStep::WaitForBets => html! { p.big-say { "Bets are open. Nobody has bet yet." } },
        NextStep::WaitForDecisions(seats) => {
            html! { p.big-say { "Waiting: " b { (words::boxes(seats)) } " to decide" } }
        }
        NextStep::WaitForRuling(by) => {
            html! { p.big-say.alert { "Waiting for the " b { (by.name()) } " to decide" } }
        }
        NextStep::WaitForOptions(seats) => {
            html! { p.big-say { "Waiting: " b { (words::boxes(seats)) } " to choose" } }
        }
        NextStep::WaitForJackpot => {
            let what = if page.hits().count() > 1 { "Jackpot claims are" } else { "A jackpot claim is" };
            html! { p.big-say.alert { (what) " being verified" } }
        }
        NextStep::WaitForFault => {
            html! { p.big-say.alert { "Jackpot fault: waiting for the Shift Manager to decide how the table continues" } }
        }
        NextStep::Nothing if Dealing::of(&page.of.info) == Dealing::ByHouse => {
            html! { p.big-say { "The table runs itself" } }
        }
        NextStep::Nothing => html! { p.big-say { "No more rounds at this table" } },
        NextStep::Closed => html! { p.big-say { "The table is closed" } },
    }
}

/// The pending jackpot claims of this table.
fn claims(page: &DealerPage<'_>) -> Markup {
    html! {
        @for hit in page.hits() {
            @let slip = page.of.round.slips.iter().find(|slip| slip.seat == hit.seat && page.of.round.number == hit.round.number);
            p.notice.claim {
                "Box " (hit.seat)
                @if let Some(slip) = slip { ", " (page.shell.names.of(&slip.player.0)) @if let Some(hand) = slip.hand.filter(|hand| hand.name() != hit.award) { " (" (hand.name()) ")" } }
                ": " b { (hit.award) } ", " (hit.amount.grouped()) ". Leave the hand face up. "
                @match &hit.verified_by {
                    Some(by) => { "Verified by " (by) "." }
                    None => "Call the pit to verify it."
                }
                (paint::cites(&paint::slug(page.book), &page.book.jackpot.shown))
            }
        }
    }
}

const fn reveal(what: Reveal) -> &'static str {
    match what {
        Reveal::Flop => "Reveal the flop",
        Reveal::Turn => "Reveal the turn",
        Reveal::River => "Reveal the river",
        Reveal::Dealer => "Reveal the dealer's hand",
    }
}

/// Card entry by keyboard, touch or card reader: `as 10d`. Cards go where the procedure says; one that went elsewhere is recorded with its place.
/// Hidden while no card is due.
fn entry(page: &DealerPage<'_>, next: &NextStep) -> Markup {
    let Some(deals) = page.of.legal.deals.as_ref().filter(|_| page.real_shoe()) else {
        return html! {};
    };
    html! {
        @if let Some((to, number)) = due(next) {
            form.entry method="post" action=(action(page)) data-live data-to=(to) data-cards=(number) {
                (shell::hidden(&page.shell))
                (expects(page))
                input type="hidden" name="do" value=(Deal::Enter);
                label.cards-label { span { "Cards" }
                    input name="cards" value=(page.refused.as_ref().map_or("", |(typed, _)| typed)) autocomplete="off" autocapitalize="off" spellcheck="false" inputmode="none"
                        placeholder="as 10d" data-key="/" data-card-input autofocus aria-describedby="entry-hint";
                }
                button type="submit" { "Enter" }
                output.typed-cards aria-live="polite" {}
                @if let Some((_, why)) = &page.refused { p.notice role="alert" { (why) } }
                (pad(page))
                p.hint #entry-hint { "Rank and suit: " code { "as" } " " code { "10d" } " " code { "kh" } ". Press Enter to record them; a card reader types the same." }
            }
        }
        @if page.of.orders.contains(&OrderKind::TakeBack) {
            (press(page, Deal::TakeBack, &[], "Take back the last entry", "quiet take-back", "u"))
        }
        @if let NextStep::Burn(Some(then)) = next { (skip_burn(page, &then.to)) }
        @if due(next).is_some() && !deals.places.is_empty() { (elsewhere(page, &deals.places)) }
    }
}

/// Where the next cards go, and how many.
fn due(next: &NextStep) -> Option<(String, usize)> {
    if let NextStep::Deal(due) = next {
        Some((code(due.to), due.cards))
    } else if let NextStep::PutBack(card, _) = next {
        Some((card.to.map_or_else(|| "burn".to_owned(), code), 1))
    } else if let NextStep::Burn(_) = next {
        Some(("burn".to_owned(), 1))
    } else {
        None
    }
}

/// For cards that were dealt against the procedure.
fn elsewhere(page: &DealerPage<'_>, places: &[Place]) -> Markup {
    html! {
        details.more #dealt-elsewhere {
            summary { "Cards went elsewhere" }
            p.hint { "Record cards where they are. A departure from the procedure is recorded too." }
            (placed(page, &html! {
                label { span { "To" } select name="to" {
                    @for place in places { option value=(code(*place)) { (place) } }
                    option value="burn" { "burnt" }
                } }
            }))
        }
    }
}

/// The place for the script's pad of 52 cards. The page lists only the open cards; the script remembers those entered in this browser. So the
/// page does not depend on face-down cards and cannot reveal them.
fn pad(page: &DealerPage<'_>) -> Markup {
    let out: Vec<String> = page.of.round.cards_open().iter().map(|card| card.code().to_lowercase()).collect();
    html! {
        div.pad role="group" aria-label="Cards" hidden data-out=(out.join(" ")) data-round=(page.of.round.number) {}
    }
}

/// For a dealer who forgot the burn and dealt the next card.
fn skip_burn(page: &DealerPage<'_>, to: &Place) -> Markup {
    let reports = &page.book.irregularities.reports;
    let rule = reports.iter().find(|report| report.kind == IrregularityKind::MissedBurn);
    let cites = rule.and_then(|rule| rule.cases.first()).map(|case| case.cites).unwrap_or_default();
    html! {
        details.more #skip-burn {
            summary { "Skip the burn" }
            p.hint {
                "No card was burnt, and the next one went to " (to) ": enter that card and report the missed burn to the pit. The round is "
                "reconstructed, or void if a player has seen cards. " (paint::cites(&paint::slug(page.book), &cites))
            }
            (placed(page, &html! { input type="hidden" name="to" value=(code(*to)); }))
        }
    }
}

/// A form for cards and their place.
fn placed(page: &DealerPage<'_>, to: &Markup) -> Markup {
    html! {
        form.placed method="post" action=(action(page)) data-live {
            (shell::hidden(&page.shell))
            (expects(page))
            input type="hidden" name="do" value=(Deal::Cards);
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

/// Other actions that are possible now.
fn secondary(page: &DealerPage<'_>, next: &NextStep) -> Markup {
    let legal = &page.of.legal;
    let seat_form = |what: Deal, seat: BoxNumber, words: String| {
        press(page, what, &[("seat", seat.to_string())], &words, "quiet", "")
    };
    html! {
        details.more #dealer-more {
            summary { "More" }
            // A card that left the shoe although none was due can still be recorded.
            @if let (None, Some(deals)) = (due(next), legal.deals.as_ref().filter(|_| page.real_shoe())) {
                (elsewhere(page, &deals.places))
            }
            @if *next != NextStep::Close && legal.close { (press(page, Deal::Close, &[], "“No more bets”", "quiet", "")) }
            @for seat in &legal.absences { (seat_form(Deal::Absent, *seat, format!("Box {seat}: the player has left ({})", absent_outcome(page, *seat)))) }
            @for seat in &legal.declines { (seat_form(Deal::Decline, *seat, format!("Box {seat} does not show its hand"))) }
            @for seat in &legal.folds { (seat_form(Deal::Fold, *seat, format!("Box {seat} folds"))) }
            @for seat in &legal.checks { (seat_form(Deal::Check, *seat, format!("Box {seat} checks"))) }
            @for raise in legal.wagers.iter().filter(|_| page.of.round.phase == PhaseName::Play) {
                @if let baize_table::Players::Only(player) = &raise.players {
                    (press(page, Deal::Raise, &[
                        ("seat", raise.seat.to_string()), ("area", raise.area.code().to_owned()),
                        ("amount", raise.amounts.to.to_string()), ("player", player.to_string()),
                    ], &format!("Box {}: {} bets the {} {}", raise.seat, page.shell.names.of(&player.0), raise.area.name(), paint::short(raise.amounts.to)), "quiet", ""))
                }
            }
            a.button.quiet href=(format!("/pit/{}", page.of.info.id)) data-key="i" { "Report an irregularity " kbd aria-hidden="true" { "i" } }
        }
    }
}

/// What happens to the hand of a player who has left.
fn absent_outcome(page: &DealerPage<'_>, seat: BoxNumber) -> &'static str {
    let (rules, made) = (
        &page.book.irregularities,
        page.of.round.boxes.get(&seat).map_or(0, |on_box| on_box.decisions.len()),
    );
    // Choosing between options counts as a decision.
    if made >= page.book.decisions.len() && page.of.round.awaiting.is_none() {
        return "the hand plays on";
    }
    match if made == 0 { rules.absent_undecided.value } else { rules.absent_in_play.value } {
        Absent::Folds => "the hand folds",
        Absent::Invalid => "the wagers go back",
        Absent::Checks => "the hand checks",
    }
}

/// After the settlement: what to pay and take at each box, with the reasons.
fn pay_and_take(page: &DealerPage<'_>) -> Markup {
    html! {
        section #pay.pay aria-label="Pay and take" {
            @if !page.of.round.slips.is_empty() {
                h2 { "Pay and take" }
                ol {
                    @for slip in &page.of.round.slips {
                        li id=(format!("pay-{}", slip.seat)) {
                            label.done { input type="checkbox" data-tick; span.seat { (slip.seat) } span.player { (page.shell.names.of(&slip.player.0)) }
                                @if let Some(hand) = slip.hand { span.class-name { (hand.name()) } } (paint::net(slip.net())) }
                            ul { @for line in &slip.lines { li { (pay_line(page, line)) } } }
                        }
                    }
                }
                p.hint { "Press Space to tick off a box. Everything is booked already." }
            }
        }
    }
}

fn pay_line(page: &DealerPage<'_>, line: &Line) -> Markup {
    let (class, verb) = match line.result {
        ResultKind::Win => ("pay-it", format!("Pay {}", line.amount.grouped())),
        ResultKind::Lose => ("take-it", format!("Take {}", line.amount.grouped())),
        ResultKind::Push | ResultKind::Returned => ("leave-it", format!("Leave {}", line.staked.grouped())),
        ResultKind::Pending => ("wait-it", "Wait: jackpot claim".to_owned()),
    };
    html! {
        span class=(class) { (verb) } " " span.area { (line.area.name()) } " " span.why { (slip::why(page.book, line)) }
        (paint::cites(&paint::slug(page.book), &line.cites))
        @if let Some(point) = line.interpretation { " " a.cite href=(format!("/rules/{}#{point}", paint::slug(page.book))) { (point) } }
    }
}

fn keys() -> Markup {
    html! {
        p.keys { kbd { "n" } " next step · " kbd { "/" } " cards · " kbd { "u" } " take back · " kbd { "i" } " irregularity · " kbd { "?" } " all keys" }
    }
}
