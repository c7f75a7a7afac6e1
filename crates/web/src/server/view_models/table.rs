//! The view model of the table page, for players and spectators.

use baize_house::{
    ClockKind, HitStatus, HitView, JackpotView, OrderKind, Pace, TableId, TableInfo, TableView,
};
use baize_rules::{Area, BoxNumber, Money};
use baize_table::Player;

use super::{dealing, jackpot_of, meter, names, shell};
use crate::pages::model::{Advice, Award, BetDraft, Clock, NextLimits, TablePage};
use crate::pages::round_log::round_log;
use crate::pages::shell::Notice;
use crate::pages::table;
use crate::server::app::App;
use crate::server::coach;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// What a request adds to the table's state.
#[derive(Default)]
pub(crate) struct Extra {
    /// Give advice for this box.
    pub(crate) advice: Option<BoxNumber>,
    /// Review the decisions of this box so far.
    pub(crate) coached: Option<BoxNumber>,
    /// A message on top.
    pub(crate) notice: Option<Notice>,
}

/// The whole page.
pub(crate) async fn page(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    extra: Extra,
) -> Result<maud::Markup, Fault> {
    show(app, visitor, id, extra, table::page).await
}

/// Its live regions.
pub(crate) async fn regions(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    extra: Extra,
) -> Result<maud::Markup, Fault> {
    show(app, visitor, id, extra, table::regions).await
}

async fn show(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    extra: Extra,
    render: fn(&TablePage<'_>) -> maud::Markup,
) -> Result<maud::Markup, Fault> {
    let version = app.feed.page_version();
    let view = app.house.view(&visitor.actor, id).await?;
    let (book, mut shell) = (app.library.of_table(&view.info.id)?, shell(app, visitor).await?);
    shell.events = Some(shell.href(&format!("/events/table/{id}")));
    shell.change = version;
    shell.notice = extra.notice;
    shell.names = names(app, &view.round, view.info.guests.keys());
    let me = visitor.actor.as_player().map(Player::from);
    let jackpot = jackpot_of(app, &view.info).await?;
    let meter = jackpot.as_ref().map(meter);
    let advice = match extra.advice {
        Some(seat) => Some(advise(app, &view, seat, meter.as_ref().map(|m| m.displayed)).await),
        None => match extra.coached {
            Some(seat) => Some(coach::review_at_table(app, book, &view, seat).await?),
            None => None,
        },
    };
    let page = TablePage {
        table: id.to_string(),
        book,
        settings: &view.info.settings,
        next_limits: next_limits(&view.info),
        dealing: dealing(&view.info),
        view: &view.round,
        legal: &view.legal,
        draft: draft(&view),
        chip: view.info.chip,
        guests: view.info.guests.iter().map(|(player, seat)| (*seat, player.to_string())).collect(),
        provable: view.proof.as_ref().map(|proof| proof.round.number),
        waiting_for: view.waiting_for.iter().map(|id| shell.names.of(id.as_str()).to_owned()).collect(),
        awards: jackpot.map(|jackpot| awards(&view, &jackpot, me.as_ref())).unwrap_or_default(),
        may_leave: view.orders.contains(&OrderKind::Leave),
        me,
        meter,
        clock: clock(&view),
        log: round_log(book, &view.round, &shell.names),
        ready: view.ready,
        advice,
        commitment: view.commitment.as_ref().map(|commitment| commitment.hash.clone()),
        closing: view.info.notice.clone(),
        closed: view.info.closed,
        shell,
    };
    Ok(render(&page))
}

/// The reader's jackpot awards in this round, pending or paid.
fn awards(view: &TableView, jackpot: &JackpotView, me: Option<&Player>) -> Vec<Award> {
    let mine = |seat: BoxNumber| view.round.boxes.get(&seat).is_some_and(|on_box| Some(&on_box.player) == me);
    let here = |hit: &&HitView| {
        hit.round.table == view.info.id && hit.round.number == view.round.number && mine(hit.seat)
    };
    let award = |hit: &HitView| {
        let pending = match hit.state {
            HitStatus::Pending => true,
            HitStatus::Paid => false,
            HitStatus::Rejected | HitStatus::Reversed => return None,
        };
        Some(Award { name: hit.award.clone(), amount: hit.amount, pending })
    };
    jackpot.hits.iter().filter(here).filter_map(award).collect()
}

/// New limits from the next round on.
pub(crate) fn next_limits(info: &TableInfo) -> Option<NextLimits> {
    info.next_limits.map(|next| NextLimits { ante: next.ante, bonus: next.bonus })
}

/// The exact value of each decision of this box.
async fn advise(app: &App, view: &TableView, seat: BoxNumber, meter: Option<Money>) -> Advice {
    match app.library.of_table(&view.info.id) {
        Ok(book) => app.odds.advise(book, view, seat, meter).await,
        Err(_) => Advice {
            seat,
            refused: Some("The rulebook of this table is missing.".to_owned()),
            ..Advice::default()
        },
    }
}

/// The running clock.
pub(crate) fn clock(view: &TableView) -> Option<Clock> {
    let clock = view.clock?;
    let (words, seconds) = match (clock.what, view.info.pace) {
        (ClockKind::Betting, Pace::Auto { betting_seconds, .. }) => ("Bets close", betting_seconds),
        (ClockKind::Decision, Pace::Auto { decision_seconds, .. }) => {
            ("Time to decide ends", decision_seconds)
        }
        (ClockKind::Choice, Pace::Auto { decision_seconds, .. }) => ("Time to choose ends", decision_seconds),
        (_, Pace::Dealer) => ("Time ends", 0),
    };
    let whole_ms = (u64::from(seconds) * 1_000).max(clock.left_ms);
    Some(Clock { words: words.to_owned(), left_ms: clock.left_ms, whole_ms })
}

/// The initial values of the bet form: the last bets, or the minimum on the player's own box or on a free one in the middle.
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
