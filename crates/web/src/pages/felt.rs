//! The felt: dealer, board and boxes with their areas, chips and cards.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::CardSet;
use baize_house::{JackpotView, TableInfo};
use baize_rules::{Area, BoxNumber, Family, Fate, Money, Qualification, Rulebook};
use baize_table::{BoxView, HandStatus, Line, Player, ResultKind, RoundView, Settings};
use maud::{Markup, html};

use super::actions::Play;
use super::names::Names;
use super::shell::Shell;
use super::{meter, paint, shell, verdict, words};

/// The side from which the felt is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The players' side: box 1, at the dealer's left, is on the right.
    Players,
    /// The dealer's side: box 1 is on the left.
    Dealer,
}

/// What the felt shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Felt<'a> {
    /// The game.
    pub(crate) book: &'a Rulebook,
    /// The table's set-up.
    pub(crate) settings: &'a Settings,
    /// The round as the reader may see it.
    pub(crate) view: &'a RoundView,
    /// The side from which it is seen.
    pub(crate) side: Side,
    /// The reader, whose boxes are marked.
    pub(crate) me: Option<&'a Player>,
    /// The boxes to act.
    pub(crate) acting: &'a BTreeSet<BoxNumber>,
    /// The jackpot.
    pub(crate) jackpot: Option<&'a JackpotView>,
    /// The players seated at boxes, with or without chips.
    pub(crate) guests: &'a BTreeMap<BoxNumber, String>,
    /// Display names.
    pub(crate) names: &'a Names,
    /// If the reader may bet now: what they can click.
    pub(crate) bets: Option<Bets<'a>>,
}

/// The players seated at boxes, with or without chips.
pub(crate) fn guests(table: &TableInfo) -> BTreeMap<BoxNumber, String> {
    table.guests.iter().map(|(player, seat)| (*seat, player.to_string())).collect()
}

/// What a reader who may bet can click on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bets<'a> {
    /// Boxes on which the reader may bet.
    pub(crate) seats: &'a BTreeSet<BoxNumber>,
    /// Whether jackpot wagers are accepted.
    pub(crate) jackpot: bool,
    /// If the reader may move to another box: the shell and the form's address.
    pub(crate) sit: Option<(&'a Shell, &'a str)>,
}

/// The felt, a live region.
pub(crate) fn felt(felt: &Felt<'_>) -> Markup {
    let side = match felt.side {
        Side::Players => "felt from-players",
        Side::Dealer => "felt from-dealer",
    };
    let family = match felt.book.family {
        Family::Holdem => "holdem",
        Family::Stud => "stud",
    };
    html! {
        section #felt class=(format!("{side} {family} boxes-{}", felt.settings.boxes)) aria-label="The table" {
            div.rim { div.cloth {
                @if let Some(of) = felt.jackpot { (sign(of)) }
                (dealer(felt))
                (legend(felt.book))
                div.boxes role="list" aria-label="Boxes" {
                    @for seat in BoxNumber::all(felt.settings.boxes) { (one_box(felt, seat)) }
                }
            } }
        }
    }
}

fn sign(of: &JackpotView) -> Markup {
    html! {
        aside.felt-meter aria-label=(format!("Jackpot {}", meter::name(of))) {
            span.name { (meter::name(of)) }
            span.value { (meter::amount(of, "felt")) }
            @if of.stopped.is_some() { span.no-jackpot role="alert" { "No jackpot wagers are accepted" } }
        }
    }
}

fn dealer(felt: &Felt<'_>) -> Markup {
    let view = felt.view;
    let board = felt.book.board_size();
    let raised = raised(felt);
    html! {
        div.middle {
            div.pile.dealer-hand role="group" aria-label="The dealer's hand" {
                span.pile-name { "Dealer" }
                span.fan { (paint::cards_raised(&view.dealer, felt.book.hand_size(), "dealer", raised)) }
            }
            @if board > 0 {
                div.pile.board role="group" aria-label="Community cards" {
                    span.pile-name { "Flop" span.dot { "·" } "Turn" span.dot { "·" } "River" }
                    span.fan { (paint::cards_raised(&view.board, board, "board", raised)) }
                }
            }
        }
    }
}

/// The cards to raise once the round is settled: the best five of the reader's box and of the dealer. None if the reader has several boxes,
/// because they could not be told apart.
fn raised(felt: &Felt<'_>) -> CardSet {
    let mine = |on_box: &BoxView| felt.me.is_some_and(|me| on_box.player == *me);
    let mut boxes = felt.view.boxes.iter().filter(|(_, on_box)| mine(on_box)).map(|(seat, _)| *seat);
    match (boxes.next(), boxes.next()) {
        (Some(seat), None) => verdict::compared(felt.view, seat),
        _ => CardSet::EMPTY,
    }
}

/// The sentence printed on the cloth: an arc on wide screens, a line on narrow ones.
fn legend(book: &Rulebook) -> Markup {
    let line = printed(book);
    html! {
        svg.legend viewBox="0 0 1000 96" aria-hidden="true" focusable="false" {
            path #legend-arc d="M 30 22 Q 500 104 970 22" fill="none" {}
            text text-anchor="middle" { textPath href="#legend-arc" startOffset="50%" { (line) } }
        }
        p.legend-line { (line) }
    }
}

/// The sentence printed on the cloth, from the rulebook.
pub(crate) fn printed(book: &Rulebook) -> String {
    let ante = book.settlement.higher.of(Area::Ante).map(|cited| cited.value);
    match (book.qualification.as_ref().map(|q| q.value), ante) {
        (Some(Qualification::TwoCards((high, low))), _) => {
            format!("DEALER PLAYS ONLY WITH {} AND {} OR HIGHER", high.name(), low.name()).to_uppercase()
        }
        (Some(Qualification::Class(class)), _) => {
            format!("DEALER PLAYS ONLY WITH {} OR HIGHER", class.name()).to_uppercase()
        }
        (None, Some(Fate::PaysFrom { odds, from })) => {
            format!("ANTE PAYS {odds} ON A {} OR HIGHER", from.name()).to_uppercase()
        }
        (None, _) => book.name.to_uppercase(),
    }
}

fn one_box(felt: &Felt<'_>, seat: BoxNumber) -> Markup {
    let on_box = felt.view.boxes.get(&seat);
    let mine = on_box.is_some_and(|b| {
        felt.me.is_some_and(|me| b.player == *me || b.stakes.iter().any(|stake| stake.player == *me))
    });
    let barred = felt.view.standing.barred_boxes.contains(&seat);
    let out = on_box.is_some_and(|b| !matches!(b.status, None | Some(HandStatus::InPlay)));
    let arc = 2 * i32::from(seat.0) - i32::from(felt.settings.boxes) - 1;
    let mut class = format!("box arc{}{}", if arc < 0 { "m" } else { "" }, arc.abs());
    for (is, name) in [
        (on_box.is_none(), " empty"),
        (mine, " mine"),
        (felt.acting.contains(&seat), " acting"),
        (out, " out"),
        (barred, " barred"),
    ] {
        if is {
            class.push_str(name);
        }
    }
    // Between rounds a box shows the player who sits there now; the player of the last round may have left.
    let over = felt.view.outcome.is_some();
    let holder = felt.guests.get(&seat);
    let guest = holder.filter(|guest| on_box.is_none_or(|b| over && b.player.0 != **guest));
    let free = holder.is_none() && (on_box.is_none() || over);
    let here = guest.is_some_and(|guest| felt.me.is_some_and(|me| me.0 == *guest));
    for (is, name) in [(guest.is_some(), " held"), (here, " here")] {
        if is {
            class.push_str(name);
        }
    }
    let label =
        match (on_box.map(|on_box| felt.names.of(&on_box.player.0)), guest.map(|guest| felt.names.of(guest)))
        {
            (_, Some(guest)) => format!("Box {seat}, {guest}, no chips"),
            (Some(player), None) => format!("Box {seat}, {player}"),
            (None, None) => format!("Box {seat}, open"),
        };
    html! {
        div class=(class) id=(format!("box-{seat}")) role="listitem" aria-label=(label) {
            div.spots { (spots(felt, seat, on_box)) }
            span.fan.hand {
                @if let Some(on_box) = on_box.filter(|b| !b.cards.is_empty()) {
                    (paint::cards_raised(&on_box.cards, felt.book.hand_size(), &format!("b{seat}"), if mine { raised(felt) } else { CardSet::EMPTY }))
                }
            }
            div.nameplate {
                span.number { (seat) }
                @match on_box.filter(|_| guest.is_none()) {
                    Some(on_box) => { span.name title=(felt.names.of(&on_box.player.0)) { (felt.names.of(&on_box.player.0)) } (marks(felt, seat, on_box)) }
                    None => { span.name {
                        @if barred { "no bets" } @else { (guest.map_or("open", |guest| felt.names.of(guest))) }
                    } }
                }
                @if free && !barred {
                    @if let Some((shell, action)) = felt.bets.and_then(|bets| bets.sit) { (sit(shell, action, seat)) }
                }
            }
        }
    }
}

/// The button to move to this box.
fn sit(of: &Shell, action: &str, seat: BoxNumber) -> Markup {
    html! {
        form.sit method="post" action=(action) data-live {
            (shell::hidden(of))
            input type="hidden" name="do" value=(Play::Sit);
            input type="hidden" name="seat" value=(seat);
            button type="submit" aria-label=(format!("Sit here, box {seat}")) { "Sit here" }
        }
    }
}

fn marks(felt: &Felt<'_>, seat: BoxNumber, on_box: &BoxView) -> Markup {
    let status = words::hand_status(on_box.status);
    let slip = felt.view.slips.iter().find(|slip| slip.seat == seat);
    html! {
        @if let Some(slip) = slip {
            span.result { (paint::net(slip.net())) }
            @if let Some(hand) = slip.hand { span.class-name { (hand.name()) } }
        } @else if !status.is_empty() {
            span.tag { (status) }
        } @else if on_box.absent {
            span.tag { "absent" }
        } @else if felt.view.deciding.contains(&seat) {
            span.tag.now { "to act" }
        }
    }
}

fn spots(felt: &Felt<'_>, seat: BoxNumber, on_box: Option<&BoxView>) -> Markup {
    let slip = felt.view.slips.iter().find(|slip| slip.seat == seat);
    html! {
        @for rule in &felt.book.areas {
            @let area = rule.area;
            @let amount = on_box.and_then(|b| b.areas.get(&area)).copied();
            @let line = slip.and_then(|slip| slip.lines.iter().find(|line| line.area == area));
            @let result = line.map_or("", |line| line.result.code());
            @let class = format!("spot spot-{} {result}", area.code());
            @let inside = html! {
                span.spot-name aria-hidden="true" { (spot_name(area)) }
                @if let Some(amount) = amount.filter(|a| !a.is_zero()) { (paint::chips(amount, area.name())) }
                @match line {
                    Some(line) if won(line) => span.paid { "+" (paint::short(line.amount)) },
                    Some(line) if goes_back(line) => span.paid.back { "back" },
                    _ => {}
                }
            };
            @if takes(felt, seat, area) {
                // Not in the tab order: keyboard users bet with the form, and the felt would add twenty tab stops.
                // The label says everything, so the contents are hidden from screen readers.
                button class=(class) type="button" tabindex="-1" data-spot=(area.code()) data-seat=(seat)
                    aria-label=(spot_label(area, seat, amount, line)) {
                    span.painted aria-hidden="true" { (inside) }
                }
            } @else { div class=(class) { (inside) } }
        }
    }
}

fn spot_label(area: Area, seat: BoxNumber, amount: Option<Money>, line: Option<&Line>) -> String {
    let mut label = format!("{}: bet on box {seat}", spot_name(area));
    if let Some(amount) = amount.filter(|amount| !amount.is_zero()) {
        label.push_str(&format!(", {}", paint::short(amount)));
    }
    match line {
        Some(line) if won(line) => label.push_str(&format!(", paid {}", paint::short(line.amount))),
        Some(line) if goes_back(line) => label.push_str(", back"),
        _ => {}
    }
    label
}

fn won(line: &Line) -> bool {
    line.result == ResultKind::Win && !line.amount.is_zero()
}

/// Whether the stake goes back to the player.
fn goes_back(line: &Line) -> bool {
    matches!(line.result, ResultKind::Push | ResultKind::Returned) && !line.staked.is_zero()
}

/// Whether a click bets there: the first wagers, on boxes where the reader may bet.
fn takes(felt: &Felt<'_>, seat: BoxNumber, area: Area) -> bool {
    felt.bets.is_some_and(|bets| {
        let first = matches!(area, Area::Ante | Area::Bonus) || (area == Area::Jackpot && bets.jackpot);
        first && bets.seats.contains(&seat)
    })
}

const fn spot_name(area: Area) -> &'static str {
    match area {
        Area::Jackpot => "JP",
        Area::Ante | Area::Bonus | Area::Flop | Area::Turn | Area::River | Area::Bet => area.name(),
    }
}
