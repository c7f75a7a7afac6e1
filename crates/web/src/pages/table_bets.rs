//! Placing and taking back bets, with chips on the felt or amounts in the form.

use std::collections::BTreeSet;

use baize_house::{TableInfo, TableView};
use baize_rules::{Area, BoxNumber, Money};
use baize_table::{BoxView, PhaseName, Player, WagerChoice};
use maud::{Markup, html};

use super::actions::Play;
use super::paint;
use super::table::TablePage;
use super::table_actions::{expected_bets, form, own_boxes, press};

/// The chips in the tray, in dollars. Each is a multiple of the one before, so any multiple of the smallest can be bet.
const CHIPS: [i64; 7] = [1, 5, 25, 100, 500, 1_000, 5_000];

/// The initial values of the bet form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct BetDraft {
    /// The box.
    seat: BoxNumber,
    /// The ante.
    ante: Money,
    /// The bonus; zero: none.
    bonus: Money,
    /// The jackpot wager; zero: none.
    jackpot: Money,
}

/// The last bets, or the minimum on the player's own box or on a free one in the middle.
fn draft(view: &TableView) -> BetDraft {
    let on =
        |area| view.last_wagers.iter().filter(|chips| chips.area == area).map(|chips| chips.amount).next();
    // Clamped, because the limits may have changed since the last bets.
    let (ante, bonus) = (view.info.settings.ante, view.info.settings.bonus);
    let seat = view.boxes.first().copied().or_else(|| middle_free(&view.info)).unwrap_or(BoxNumber(1));
    BetDraft {
        seat: view.last_wagers.first().map_or(seat, |chips| chips.seat),
        ante: on(Area::Ante).unwrap_or(ante.least).clamp(ante.least, ante.most),
        bonus: on(Area::Bonus).map_or(Money::ZERO, |amount| amount.clamp(bonus.least, bonus.most)),
        jackpot: on(Area::Jackpot).unwrap_or(Money::ZERO),
    }
}

/// The free box nearest to the middle of the table: the default box for a player who chooses none.
pub(crate) fn middle_free(info: &TableInfo) -> Option<BoxNumber> {
    let free = |seat: &BoxNumber| !info.guests.values().any(|taken| taken == seat);
    // Twice the distance, so that the middle of an even number of boxes is a whole number too.
    let off = |seat: &BoxNumber| (u16::from(seat.0) * 2).abs_diff(u16::from(info.boxes) + 1);
    BoxNumber::all(info.boxes).filter(free).min_by_key(off)
}

/// An amount for a number field, without separators or empty cents.
fn plain(amount: Money) -> String {
    let text = amount.to_string();
    text.strip_suffix(".00").unwrap_or(&text).to_owned()
}

/// Whether the reader may bet now: bets are open, or their bet opens a round.
pub(super) fn open(page: &TablePage<'_>) -> bool {
    let closed = page.of.info.closed || page.of.round.standing.closed || page.of.round.awaiting.is_some();
    let between = page.by_house() && !page.of.round.phase.under_way();
    let bets = page.of.round.phase == PhaseName::Betting && !page.of.ready;
    page.me.is_some() && !closed && !pending(page) && (bets || between)
}

/// Whether a jackpot claim of the last round is pending; no round opens until it is decided.
pub(super) fn pending(page: &TablePage<'_>) -> bool {
    let lines = page.of.round.slips.iter().flat_map(|slip| &slip.lines);
    page.of.round.phase == PhaseName::Finished
        && lines.into_iter().any(|line| line.result == baize_table::ResultKind::Pending)
}

/// The boxes on which the reader may bet.
pub(super) fn seats(page: &TablePage<'_>) -> BTreeSet<BoxNumber> {
    let Some(me) = &page.me else { return BTreeSet::new() };
    let opens = page.of.round.phase != PhaseName::Betting;
    let others =
        |seat: &BoxNumber| page.of.info.guests.iter().any(|(guest, at)| at == seat && guest.as_str() != me.0);
    BoxNumber::all(page.of.info.settings.boxes)
        .filter(|seat| !page.of.round.standing.barred_boxes.contains(seat))
        .filter(|seat| if opens { !others(seat) } else { range(page, me, *seat, Area::Ante).is_some() })
        .collect()
}

/// Whether jackpot wagers are accepted at this table.
pub(super) fn takes_jackpot(page: &TablePage<'_>) -> bool {
    let meter = page.jackpot.is_some_and(|jackpot| jackpot.stopped.is_none());
    page.book.has_area(Area::Jackpot) && !page.of.round.standing.no_jackpot && meter
}

/// Whether the reader may move to another box, which they may not while they have chips in play.
pub(super) fn may_move(page: &TablePage<'_>) -> bool {
    let under_way = page.of.round.phase.under_way();
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
        @if page.by_house() {
            @if page.of.ready { (waiting_for(page)) } @else {
                (press(page, Play::Ready, draft(page.of).seat, &html! { "Deal" }, "primary", "d"))
            }
        } @else { p.say { "Waiting for the dealer to close the bets." } }
        details.more #more-bets {
            summary { "Change or add bets" }
            @for (seat, area) in page.of.legal.withdrawals.iter().filter(|w| w.1 == *me).map(|w| (w.0, w.2)) {
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
            @if page.of.waiting_for.is_empty() { "Dealing." }
            @else { "Waiting for " (super::words::list(page.of.waiting_for.iter().map(|id| page.shell.names.of(id.as_str())))) "." }
        }
    }
}

fn range<'a>(page: &'a TablePage<'_>, me: &Player, seat: BoxNumber, area: Area) -> Option<&'a WagerChoice> {
    page.of
        .legal
        .wagers
        .iter()
        .find(|wager| wager.seat == seat && wager.area == area && wager.players.include(me))
}

/// The label of the bet button. The script replaces `{}` with the sum.
fn bet_label(page: &TablePage<'_>, more: bool) -> &'static str {
    match (page.by_house(), more) {
        (true, false) => "Bet {} and deal",
        (true, true) => "Add {} and deal",
        (false, false) => "Bet {}",
        (false, true) => "Add {}",
    }
}

/// The bet form: box, ante, bonus and jackpot in one post; zero amounts are not bet. `more`: for adding to existing bets, so it starts empty.
pub(super) fn bet_form(page: &TablePage<'_>, more: bool) -> Markup {
    let last = draft(page.of);
    let draft = if more { BetDraft { seat: last.seat, ..BetDraft::default() } } else { last };
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
                    @if page.by_house() {
                        button.primary type="submit" name="then" value=(Play::Ready) data-key="b" data-deed=(label) {
                            span { (words) } " " kbd aria-hidden="true" { "b" }
                        }
                    } @else {
                        button.primary type="submit" data-key="b" data-deed=(label) { span { (words) } " " kbd aria-hidden="true" { "b" } }
                    }
                }
            }
            details.amounts open id=[(!more).then_some("amounts")] {
                summary { "Change the bets" }
                (fields(page, &draft, more))
                (tray(page))
                @if page.by_house() {
                    p.hint { button.quiet type="submit" { "Place bets" } " and bet on another box before the deal." }
                }
            }
        },
    )
}

fn fields(page: &TablePage<'_>, draft: &BetDraft, more: bool) -> Markup {
    let (ante, bonus) = (page.of.info.settings.ante, page.of.info.settings.bonus);
    let times = page.book.betting.jackpot_multiples.value;
    html! {
        div.fields {
            label { span { "Box" } select name="seat" {
                @for seat in &seats(page) { option value=(seat) selected[*seat == draft.seat] { (seat) } }
            } }
            label { span { "Ante" }
                input type="number" name="ante" inputmode="decimal" required[!more] min=(if more { Money::ZERO } else { ante.least }) max=(ante.most)
                    step=(plain(page.of.info.chip)) value=(plain(draft.ante)) data-chips;
            }
            @if page.book.has_area(Area::Bonus) {
                label { span { "Bonus" }
                    input type="number" name="bonus" inputmode="decimal" min="0" max=(bonus.most) step=(plain(page.of.info.chip))
                        value=(plain(draft.bonus)) data-chips;
                }
            }
            @if takes_jackpot(page) {
                label { span { "Jackpot" } select name="jackpot" {
                    option value="0" selected[draft.jackpot.is_zero()] { "none" }
                    @for n in 1..=times {
                        @let amount = page.of.info.settings.jackpot_wager.times(n).unwrap_or(Money::ZERO);
                        option value=(amount) selected[draft.jackpot == amount] { (paint::short(amount)) }
                    }
                } }
            }
        }
    }
}

/// The chip tray: the chips from the table's smallest up to the maximum ante. A click on the felt bets the selected chip.
fn tray(page: &TablePage<'_>) -> Markup {
    let chip = page.of.info.chip.cents();
    let usable =
        |worth: &i64| *worth * 100 >= chip && *worth * 100 <= page.of.info.settings.ante.most.cents();
    let chips: Vec<i64> = CHIPS.into_iter().filter(usable).collect();
    let first = chips
        .iter()
        .rev()
        .find(|worth| **worth * 100 <= page.of.info.settings.ante.least.cents())
        .or(chips.first());
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
