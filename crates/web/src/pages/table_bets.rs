//! Placing bets: the form with legal amounts filled in, chips to add, bets to take back.

use baize_rules::{Area, Money};
use baize_table::{BoxView, Player, Players, WagerChoice};
use maud::{Markup, html};

use super::model::{BetDraft, Dealing, TablePage};
use super::paint;
use super::table_actions::{bets_of, form, own_boxes, press};

/// An amount as a number field wants it: no separators, no empty cents.
fn plain(amount: Money) -> String {
    let text = amount.to_string();
    text.strip_suffix(".00").map_or(text.clone(), ToOwned::to_owned)
}

/// Betting is open: the form, filled with legal amounts, or what lies there already.
pub(super) fn bets(page: &TablePage<'_>, me: &Player) -> Markup {
    let placed: Vec<(u8, &BoxView)> = own_boxes(page, me).collect();
    if placed.is_empty() {
        return bet_form(page, me, "Place your bets", false);
    }
    let staked: Money =
        placed.iter().flat_map(|(_, b)| &b.stakes).filter(|s| s.player == *me).map(|s| s.amount).sum();
    html! {
        p.say { "You have " b { (staked.grouped()) } " on " (super::words::boxes(placed.iter().map(|(s, _)| s)).to_lowercase()) "." }
        @if page.dealing == Dealing::ByHouse {
            @if page.ready {
                p.say { @if page.waiting_for.is_empty() { "Waiting for the other players." } @else { "Waiting for " (super::words::list(&page.waiting_for)) "." } }
            } @else {
                (press(page, "ready", page.draft.seat, &html! { "Deal" }, "primary", "d"))
            }
        } @else { p.say { "The dealer will close the bets." } }
        details.more #more-bets {
            summary { "Change or add bets" }
            @for (seat, area) in page.legal.withdrawals.iter().filter(|w| w.1 == *me).map(|w| (w.0, w.2)) {
                (form(page, "withdraw", &bets_of(page), "press", &html! {
                    input type="hidden" name="seat" value=(seat);
                    input type="hidden" name="area" value=(area.code());
                    button.quiet type="submit" { "Take back the " (area.name()) " of box " (seat) }
                }))
            }
            (bet_form(page, me, "Add", true))
        }
    }
}

fn range<'a>(page: &'a TablePage<'_>, me: &Player, seat: u8, area: Area) -> Option<&'a WagerChoice> {
    page.legal.wagers.iter().find(|wager| {
        wager.seat == seat
            && wager.area == area
            && match &wager.players {
                Players::AnyoneBut(others) => !others.contains(me),
                Players::Only(only) => only == me,
            }
    })
}

/// The bet form: box, ante, bonus, jackpot. One post places them all; areas left at nothing are not bet. `more`: on top of
/// bets that lie there already, so that nothing is filled in.
pub(super) fn bet_form(page: &TablePage<'_>, me: &Player, verb: &str, more: bool) -> Markup {
    let nothing = BetDraft { seat: page.draft.seat, ..BetDraft::default() };
    let draft = if more { &nothing } else { &page.draft };
    let opens = page.view.phase != "betting";
    let free = |seat: &u8| opens || range(page, me, *seat, Area::Ante).is_some();
    let seats: Vec<u8> = (1..=page.settings.boxes)
        .filter(|seat| !page.view.standing.barred_boxes.contains(seat))
        .filter(free)
        .collect();
    let (ante, bonus) = (page.settings.ante, page.settings.bonus);
    let jackpot = page.book.has_area(Area::Jackpot) && !page.view.standing.no_jackpot && page.meter.is_some();
    let times = page.book.betting.jackpot_multiples.value;
    form(
        page,
        "bet",
        &bets_of(page),
        "bets",
        &html! {
            div.fields {
                label { span { "Box" } select name="seat" {
                    @for seat in &seats { option value=(seat) selected[*seat == draft.seat] { (seat) } }
                } }
                label { span { "Ante" }
                    input type="number" name="ante" inputmode="decimal" required[!more] min=(if more { Money::ZERO } else { ante.least }) max=(ante.most)
                        step="0.01" value=(plain(draft.ante)) data-chips;
                }
                @if page.book.has_area(Area::Bonus) {
                    label { span { "Bonus" }
                        input type="number" name="bonus" inputmode="decimal" min="0" max=(bonus.most) step="0.01"
                            value=(plain(draft.bonus)) data-chips;
                    }
                }
                @if jackpot {
                    label { span { "Jackpot" } select name="jackpot" {
                        option value="0" selected[draft.jackpot.is_zero()] { "none" }
                        @for n in 1..=times {
                            @let amount = page.settings.jackpot_wager.times(n).unwrap_or(Money::ZERO);
                            option value=(amount) selected[draft.jackpot == amount] { (paint::short(amount)) }
                        }
                    } }
                }
            }
            div.bet-row {
            div.buttons {
                @if page.dealing == Dealing::ByHouse {
                    button.primary type="submit" name="then" value="ready" data-key="b" {
                        @if draft.again { "Same bets, deal" } @else { "Bet and deal" } " " kbd aria-hidden="true" { "b" }
                    }
                    button type="submit" { (verb) }
                } @else {
                    button.primary type="submit" data-key="b" { (verb) " " kbd aria-hidden="true" { "b" } }
                }
            }
            div.chip-tray role="group" aria-label="Add chips to the ante" {
                @for worth in [5, 25, 100, 500] {
                    @let class = format!("tray c{worth}");
                    button class=(class) type="button" data-add=(worth) { (worth) }
                }
                button.quiet type="button" data-clear { "Clear" }
            }
            }
        },
    )
}
