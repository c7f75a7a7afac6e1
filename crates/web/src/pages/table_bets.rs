//! Placing and taking back bets, with chips on the felt or amounts in the form.

use std::collections::BTreeSet;

use baize_rules::{Area, BoxNumber, Money};
use baize_table::{BoxView, PhaseName, Player, Players, WagerChoice};
use maud::{Markup, html};

use super::actions::Play;
use super::model::{BetDraft, Dealing, TablePage};
use super::paint;
use super::table_actions::{expected_bets, form, own_boxes, press};

/// The chips in the tray, in dollars. Each is a multiple of the one before, so any multiple of the smallest can be bet.
const CHIPS: [i64; 7] = [1, 5, 25, 100, 500, 1_000, 5_000];

/// An amount for a number field, without separators or empty cents.
fn plain(amount: Money) -> String {
    let text = amount.to_string();
    text.strip_suffix(".00").unwrap_or(&text).to_owned()
}

/// Whether the reader may bet now: bets are open, or their bet opens a round.
pub(super) fn open(page: &TablePage<'_>) -> bool {
    let closed = page.closed || page.view.standing.closed || page.view.awaiting.is_some();
    let between = page.dealing == Dealing::ByHouse && !page.view.phase.under_way();
    let bets = page.view.phase == PhaseName::Betting && !page.ready;
    page.me.is_some() && !closed && !pending(page) && (bets || between)
}

/// Whether a jackpot claim of the last round is pending; no round opens until it is decided.
pub(super) fn pending(page: &TablePage<'_>) -> bool {
    let lines = page.view.slips.iter().flat_map(|slip| &slip.lines);
    page.view.phase == PhaseName::Finished
        && lines.into_iter().any(|line| line.result == baize_table::ResultKind::Pending)
}

/// The boxes on which the reader may bet.
pub(super) fn seats(page: &TablePage<'_>) -> BTreeSet<BoxNumber> {
    let Some(me) = &page.me else { return BTreeSet::new() };
    let opens = page.view.phase != PhaseName::Betting;
    let others = |seat: &BoxNumber| page.guests.get(seat).is_some_and(|guest| *guest != me.0);
    BoxNumber::all(page.settings.boxes)
        .filter(|seat| !page.view.standing.barred_boxes.contains(seat))
        .filter(|seat| if opens { !others(seat) } else { range(page, me, *seat, Area::Ante).is_some() })
        .collect()
}

/// Whether jackpot wagers are accepted at this table.
pub(super) fn takes_jackpot(page: &TablePage<'_>) -> bool {
    let meter = page.meter.as_ref().is_some_and(|meter| meter.notice.is_none());
    page.book.has_area(Area::Jackpot) && !page.view.standing.no_jackpot && meter
}

/// Whether the reader may move to another box, which they may not while they have chips in play.
pub(super) fn may_move(page: &TablePage<'_>) -> bool {
    let under_way = page.view.phase.under_way();
    page.me.as_ref().is_some_and(|me| !under_way || own_boxes(page, me).next().is_none())
}

/// While bets are open: the bet form, or the bets already placed with forms to change them.
pub(super) fn bets(page: &TablePage<'_>, me: &Player) -> Markup {
    let placed: Vec<(BoxNumber, &BoxView)> = own_boxes(page, me).collect();
    if placed.is_empty() {
        return bet_form(page, false);
    }
    let staked: Money =
        placed.iter().flat_map(|(_, b)| &b.stakes).filter(|s| s.player == *me).map(|s| s.amount).sum();
    html! {
        p.say { "You have " b { (staked.grouped()) } " on " (super::words::boxes(placed.iter().map(|(s, _)| s)).to_lowercase()) "." }
        @if page.dealing == Dealing::ByHouse {
            @if page.ready { (waiting_for(page)) } @else {
                (press(page, Play::Ready, page.draft.seat, &html! { "Deal" }, "primary", "d"))
            }
        } @else { p.say { "Waiting for the dealer to close the bets." } }
        details.more #more-bets {
            summary { "Change or add bets" }
            @for (seat, area) in page.legal.withdrawals.iter().filter(|w| w.1 == *me).map(|w| (w.0, w.2)) {
                (form(page, Play::Withdraw, &expected_bets(page), "press", &html! {
                    input type="hidden" name="seat" value=(seat);
                    input type="hidden" name="area" value=(area.code());
                    button.quiet type="submit" { "Take back the " (area.name().to_lowercase()) " of box " (seat) }
                }))
            }
            (bet_form(page, true))
        }
    }
}

/// The players that the deal waits for.
fn waiting_for(page: &TablePage<'_>) -> Markup {
    html! {
        p.say {
            @if page.waiting_for.is_empty() { "Dealing." }
            @else { "Waiting for " (super::words::list(&page.waiting_for)) "." }
        }
    }
}

fn range<'a>(page: &'a TablePage<'_>, me: &Player, seat: BoxNumber, area: Area) -> Option<&'a WagerChoice> {
    page.legal.wagers.iter().find(|wager| {
        wager.seat == seat
            && wager.area == area
            && match &wager.players {
                Players::AnyoneBut(others) => !others.contains(me),
                Players::Only(only) => only == me,
            }
    })
}

/// The label of the bet button. The script replaces `{}` with the sum.
const fn bet_label(page: &TablePage<'_>, more: bool) -> &'static str {
    match (page.dealing, more) {
        (Dealing::ByHouse, false) => "Bet {} and deal",
        (Dealing::ByHouse, true) => "Add {} and deal",
        (Dealing::ByDealer | Dealing::FromRealShoe, false) => "Bet {}",
        (Dealing::ByDealer | Dealing::FromRealShoe, true) => "Add {}",
    }
}

/// The bet form: box, ante, bonus and jackpot in one post; zero amounts are not bet. `more`: for adding to existing bets, so it starts empty.
pub(super) fn bet_form(page: &TablePage<'_>, more: bool) -> Markup {
    let nothing = BetDraft { seat: page.draft.seat, ..BetDraft::default() };
    let draft = if more { &nothing } else { &page.draft };
    let sum = draft.ante + draft.bonus + draft.jackpot;
    let label = bet_label(page, more);
    let words = if more && sum.is_zero() {
        label.replace("{} ", "")
    } else {
        label.replace("{}", &paint::short(sum))
    };
    form(
        page,
        Play::Bet,
        &expected_bets(page),
        "bets",
        &html! {
            div.bet-row {
                div.buttons {
                    @if page.dealing == Dealing::ByHouse {
                        button.primary type="submit" name="then" value="ready" data-key="b" data-deed=(label) {
                            span { (words) } " " kbd aria-hidden="true" { "b" }
                        }
                    } @else {
                        button.primary type="submit" data-key="b" data-deed=(label) { span { (words) } " " kbd aria-hidden="true" { "b" } }
                    }
                }
            }
            details.amounts open id=[(!more).then_some("amounts")] {
                summary { "Change the bets" }
                (fields(page, draft, more))
                (tray(page))
                @if page.dealing == Dealing::ByHouse {
                    p.hint { button.quiet type="submit" { "Place bets" } " and bet on another box before the deal." }
                }
            }
        },
    )
}

fn fields(page: &TablePage<'_>, draft: &BetDraft, more: bool) -> Markup {
    let (ante, bonus) = (page.settings.ante, page.settings.bonus);
    let times = page.book.betting.jackpot_multiples.value;
    html! {
        div.fields {
            label { span { "Box" } select name="seat" {
                @for seat in &seats(page) { option value=(seat) selected[*seat == draft.seat] { (seat) } }
            } }
            label { span { "Ante" }
                input type="number" name="ante" inputmode="decimal" required[!more] min=(if more { Money::ZERO } else { ante.least }) max=(ante.most)
                    step=(plain(page.chip)) value=(plain(draft.ante)) data-chips;
            }
            @if page.book.has_area(Area::Bonus) {
                label { span { "Bonus" }
                    input type="number" name="bonus" inputmode="decimal" min="0" max=(bonus.most) step=(plain(page.chip))
                        value=(plain(draft.bonus)) data-chips;
                }
            }
            @if takes_jackpot(page) {
                label { span { "Jackpot" } select name="jackpot" {
                    option value="0" selected[draft.jackpot.is_zero()] { "none" }
                    @for n in 1..=times {
                        @let amount = page.settings.jackpot_wager.times(n).unwrap_or(Money::ZERO);
                        option value=(amount) selected[draft.jackpot == amount] { (paint::short(amount)) }
                    }
                } }
            }
        }
    }
}

/// The chip tray: the chips from the table's smallest up to the maximum ante. A click on the felt bets the selected chip.
fn tray(page: &TablePage<'_>) -> Markup {
    let chip = page.chip.cents();
    let usable = |worth: &i64| *worth * 100 >= chip && *worth * 100 <= page.settings.ante.most.cents();
    let chips: Vec<i64> = CHIPS.into_iter().filter(usable).collect();
    let first =
        chips.iter().rev().find(|worth| **worth * 100 <= page.settings.ante.least.cents()).or(chips.first());
    html! {
        div.chip-tray role="group" aria-label="Chips" hidden {
            @for worth in &chips {
                button class=(format!("tray c{worth}")) type="button" data-chip=(worth) aria-pressed=(if Some(worth) == first { "true" } else { "false" }) aria-label=[(*worth >= 1_000).then(|| format!("{}k chip", worth / 1_000))] { @if *worth < 1_000 { (worth) } @else { (worth / 1_000) "k" } }
            }
            span.chip-tools {
                button.quiet type="button" data-undo disabled { "Undo" }
                button.quiet type="button" data-double { "Double" }
                button.quiet type="button" data-clear { "Clear" }
                button.quiet type="button" data-rebet { "Rebet" }
            }
        }
        p.hint.felt-hint hidden { "Select a chip, then click a betting spot on the felt." }
    }
}
