//! The player's rail: their cards, the next action, results and slip, advice, pay tables, the log.

use baize_house::{Actor, HitStatus, HitView};
use baize_odds::Fraction;
use baize_odds::advice::{self, ActionValue, Stakes};
use baize_odds::analysis::PLACES;
use baize_rules::{Area, BoxNumber, Money, Otherwise};
use baize_table::{Awaiting, BoxView, Choice, HandStatus, Outcome, PhaseName, Player, Players, WagerChoice};
use maud::{Markup, html};

use super::actions::Play;
use super::expected;
use super::odds::cents;
use super::table::TablePage;
use super::{paint, pays, remedies, round_log, shell, slip, table_bets, verdict};

/// The answer to a question about a decision.
#[derive(Debug, Clone)]
pub(crate) enum Advice {
    /// Why there is none.
    Refused(String),
    /// The exact value of each decision, with these stakes.
    Values(advice::Advice, Stakes),
    /// What the decisions so far were worth, in words.
    Review(String),
}

/// The rail, a live region.
pub(crate) fn rail(page: &TablePage<'_>) -> Markup {
    html! {
        div #rail.rail {
            section.act tabindex="-1" aria-label="Your move" {
                @match &page.me {
                    Some(me) => (player(page, me)),
                    None => (spectator(page)),
                }
                (advice(page))
            }
            (pays::pays(page.book, &page.of.round, own_box(page)))
            (round_log::log(page.book, &page.of.round, &page.shell.names))
        }
    }
}

fn spectator(page: &TablePage<'_>) -> Markup {
    html! {
        p.say { "You are watching." }
        @if table_bets::pending(page) { p.say { "A jackpot claim is being verified. The next round begins when it is decided." } }
        @if page.shell.actor == Actor::Public {
            form method="post" action="/join" data-plain {
                (shell::hidden(&page.shell))
                input type="hidden" name="table" value=(page.of.info.id);
                p.say { "You start with " (page.shell.starts_with()) "." }
                button.primary type="submit" { "Sit down" }
            }
        } @else { a.button href=(page.shell.href("/")) { "To the tables" } }
    }
}

/// The reader's main box: the one that they looked at, otherwise the first.
fn own_box<'a>(page: &'a TablePage<'_>) -> Option<&'a BoxView> {
    let me = page.me.as_ref()?;
    let mine = || page.of.round.boxes.values().filter(move |on_box| on_box.player == *me);
    mine().find(|on_box| on_box.looked).or_else(|| mine().next())
}

/// The hash of the deck, shown before the first bet, and a link to verify the deck of the last round.
pub(super) fn commitment(page: &TablePage<'_>) -> Markup {
    let round = |number: u32| page.shell.href(&format!("/history/{}/{number}#proof", page.of.info.id));
    html! {
        p #promise.promise {
            @if let Some(hash) = page.of.commitment.as_ref().map(|commitment| &commitment.hash) {
                span { @if page.of.round.phase.under_way() { "Hash of this round's deck: " } @else { "Hash of the next deck: " } }
                code title=(hash) { (hash.get(..16).unwrap_or(hash)) "…" }
                @if let Some(number) = page.of.proof.as_ref().map(|proof| proof.round.number) { " " a href=(round(number)) { "Verify the deck of round " (number) } }
            }
        }
    }
}

pub(super) fn own_boxes<'a>(
    page: &'a TablePage<'_>,
    me: &'a Player,
) -> impl Iterator<Item = (BoxNumber, &'a BoxView)> {
    let mine =
        move |on_box: &BoxView| on_box.player == *me || on_box.stakes.iter().any(|stake| stake.player == *me);
    page.of.round.boxes.iter().map(|(seat, on_box)| (*seat, on_box)).filter(move |(_, b)| mine(b))
}

fn player(page: &TablePage<'_>, me: &Player) -> Markup {
    let options = match &page.of.round.awaiting {
        Some(Awaiting::Options { .. }) => choices(page, me),
        Some(Awaiting::Ruling { by, .. }) => {
            html! { p.say { "Waiting for a ruling by the " (by.name()) ". Your wagers are held." } }
        }
        Some(Awaiting::Reconstruction { .. }) => {
            html! { p.say { "The dealer is moving cards back into place. Your wagers are held." } }
        }
        None => match page.of.round.phase {
            PhaseName::Betting => table_bets::bets(page, me),
            PhaseName::Play => decisions(page, me),
            PhaseName::Idle | PhaseName::Finished => between(page, me),
        },
    };
    html! { (options) }
}

/// A form of the rail. `expects` names the state it is for, so that an outdated form is refused.
pub(super) fn form(page: &TablePage<'_>, what: Play, expects: &str, class: &str, inside: &Markup) -> Markup {
    html! {
        // Forms of different actions have different ids, so that an update never turns one button into another under a finger.
        @let several = matches!(what, Play::Choose | Play::Withdraw);
        form class=(class) id=[(!several).then(|| format!("do-{what}-{}", expects.replace('.', "-")))] method="post"
            action=(page.href("/do")) data-live {
            (shell::hidden(&page.shell))
            input type="hidden" name="do" value=(what);
            input type="hidden" name="expects" value=(expects);
            (inside)
        }
    }
}

/// The state that the reader's bets are for.
pub(super) fn expected_bets(page: &TablePage<'_>) -> String {
    expected::bets(&page.of.round, page.me.as_ref())
}

/// A form with a single button.
pub(super) fn press(
    page: &TablePage<'_>,
    what: Play,
    seat: BoxNumber,
    words: &Markup,
    class: &str,
    key: &str,
) -> Markup {
    let expects =
        if what == Play::Ready { expected_bets(page) } else { expected::decision(&page.of.round, seat) };
    form(
        page,
        what,
        &expects,
        "press",
        &html! {
            input type="hidden" name="seat" value=(seat);
            button class=(class) type="submit" data-key=(key) { (words) " " kbd aria-hidden="true" { (key) } }
        },
    )
}

/// Actions after the deal: look, raise, check, fold, show.
fn decisions(page: &TablePage<'_>, me: &Player) -> Markup {
    let legal = &page.of.legal;
    let mine: Vec<(BoxNumber, &BoxView)> = own_boxes(page, me).filter(|(_, b)| b.player == *me).collect();
    let next = mine.iter().find(|(seat, _)| {
        legal.folds.contains(seat) || legal.checks.contains(seat) || raise(page, me, *seat).is_some()
    });
    html! {
        @match next {
            Some((seat, on_box)) => (decision(page, me, *seat, on_box, mine.len() > 1)),
            None => (waiting(page, &mine)),
        }
        @for (seat, _) in &mine {
            @if legal.shows.contains(seat) || legal.declines.contains(seat) {
                details.more id=(format!("show-{seat}")) {
                    summary { "Show box " (seat) }
                    @if legal.shows.contains(seat) { (press(page, Play::Show, *seat, &html! { "Turn it face up" }, "", "s")) }
                    @if legal.declines.contains(seat) {
                        (press(page, Play::Decline, *seat, &html! { "Do not show it" }, "quiet danger", "x"))
                        p.hint { "A hand that is not shown cannot win." (paint::cites(&paint::slug(page.book), &page.book.settlement.declined)) }
                    }
                }
            }
        }
    }
}

fn raise<'a>(page: &'a TablePage<'_>, me: &Player, seat: BoxNumber) -> Option<&'a WagerChoice> {
    page.of.legal.wagers.iter().find(|w| w.seat == seat && w.players == Players::Only(me.clone()))
}

fn decision(page: &TablePage<'_>, me: &Player, seat: BoxNumber, on_box: &BoxView, several: bool) -> Markup {
    let look = page.of.legal.looks.contains(&seat) && !on_box.looked;
    let raise = raise(page, me, seat);
    let first = if look { "" } else { "primary" };
    let rule = raise.and_then(|r| page.book.decisions.iter().find(|d| d.area == r.area));
    html! {
        div.own { span.fan.large { (paint::cards(&on_box.cards, page.book.hand_size(), &format!("own{seat}"))) } }
        p.say {
            "Box " b { (seat) } ": "
            @if look { "look at your cards, or play them blind." } @else { "your decision." }
        }
        (made(page, on_box))
        div.buttons {
            @if look { (press(page, Play::Look, seat, &html! { "Look at the cards" }, "primary", "l")) }
            @if let Some(raise) = raise {
                (form(page, Play::Raise, &expected::decision(&page.of.round, seat), "press", &html! {
                    input type="hidden" name="seat" value=(seat);
                    input type="hidden" name="area" value=(raise.area.code());
                    input type="hidden" name="amount" value=(raise.amounts.to);
                    button class=(first) type="submit" data-key="r" {
                        span { "Bet " b { (paint::short(raise.amounts.to)) } @if raise.area != Area::Bet { " on the " (raise.area.name().to_lowercase()) } } " " kbd aria-hidden="true" { "r" }
                    }
                }))
            }
            @if page.of.legal.checks.contains(&seat) { (press(page, Play::Check, seat, &html! { "Check" }, "", "c")) }
            @if page.of.legal.folds.contains(&seat) { (press(page, Play::Fold, seat, &html! { "Fold" }, "danger", "f")) }
        }
        p.hint {
            @if let Some(rule) = rule {
                (rule.area.name()) " is " (rule.times_ante) " × the ante"
                @match rule.otherwise {
                    Otherwise::Fold => "; a fold loses the ",
                    Otherwise::Check => "; a check costs nothing",
                }
                @if rule.otherwise == Otherwise::Fold {
                    (super::words::list(page.book.settlement.fold_loses.iter().map(|a| a.name().to_lowercase())))
                }
                "." (paint::cites(&paint::slug(page.book), &rule.cites))
            }
            @if several { " You may look at one hand only; the others are played blind." (paint::cites(&paint::slug(page.book), &page.book.betting.one_hand_viewed)) }
        }
        @if on_box.looked {
            a.ask href=(format!("?advice={seat}#advice")) data-live data-key="w" { "What should I do? " kbd aria-hidden="true" { "w" } }
            @if !on_box.decisions.is_empty() { " " (review_link(seat)) }
        }
    }
}

/// The hand that these cards make so far.
fn made(page: &TablePage<'_>, on_box: &BoxView) -> Markup {
    let made = verdict::made(&page.of.round, on_box);
    html! { @if !made.is_empty() { p.made { "You have " b { (made) } } } }
}

fn waiting(page: &TablePage<'_>, mine: &[(BoxNumber, &BoxView)]) -> Markup {
    html! {
        @if mine.is_empty() { p.say { "You are not in this round. You can bet in the next one." } }
        @else {
            p.say {
                @match mine.iter().map(|(_, on_box)| on_box.status).collect::<Vec<_>>()[..] {
                    [Some(HandStatus::Folded(_))] => "You folded. ",
                    [Some(HandStatus::Invalid(_))] => "Your wagers are back. ",
                    _ => ""
                }
                @if page.by_house() { "Waiting for the other players." } @else { "Waiting for the dealer." }
            }
            @for (seat, on_box) in mine {
                div.own { span.fan.large { (paint::cards(&on_box.cards, 0, &format!("own{seat}"))) } (made(page, on_box)) }
                @if on_box.looked && !on_box.decisions.is_empty() { p.hint { (review_link(*seat)) } }
            }
        }
    }
}

/// The link to a review of the decisions.
fn review_link(seat: BoxNumber) -> Markup {
    html! { a.ask href=(format!("?coached={seat}#advice")) data-live { "Was that right?" } }
}

/// The reader's jackpot awards in this round, pending or paid.
fn awards<'a>(page: &'a TablePage<'_>, me: &Player) -> Vec<&'a HitView> {
    let round = &page.of.round;
    let mine = |seat: BoxNumber| round.boxes.get(&seat).is_some_and(|on_box| on_box.player == *me);
    let here = |hit: &&HitView| {
        hit.round.table == page.of.info.id
            && hit.round.number == round.number
            && mine(hit.seat)
            && matches!(hit.state, HitStatus::Pending | HitStatus::Paid)
    };
    page.jackpot.iter().flat_map(|jackpot| &jackpot.hits).filter(here).collect()
}

/// Between rounds: the result, the slip, the next bets.
fn between(page: &TablePage<'_>, me: &Player) -> Markup {
    let slips: Vec<_> = page
        .of
        .round
        .slips
        .iter()
        .filter(|s| s.player == *me || s.stakes.iter().any(|stake| stake.player == *me))
        .collect();
    let net: Money = slips.iter().map(|slip| slip.net()).sum();
    let awards = awards(page, me);
    html! {
        @for hit in &awards {
            p.say.outcome.award {
                (hit.award) ": " span.net.plus { (hit.amount.grouped()) } " from the jackpot" @if hit.state == HitStatus::Pending { ", being verified" }
            }
        }
        @if !slips.is_empty() {
            p.say.outcome {
                @let you = match awards.first() { Some(hit) if hit.state == HitStatus::Pending => "On the hand you", Some(_) => "In total you", None => "You" };
                @if page.of.round.outcome != Some(Outcome::Settled) { "Your wagers are back" }
                @else { @match net.cents() {
                    n if n > 0 => { (you) " win " span.net.plus { (net.grouped()) } }
                    0 => { (you) " are even" }
                    _ => { (you) " lose " span.net.minus { (Money::from_cents(-net.cents()).grouped()) } }
                } }
            }
            @for one in &slips {
                @if let Some(why) = verdict::sentence(page.book, &page.of.round, one) {
                    p.because { @if slips.len() > 1 { "Box " (one.seat) ": " } (why) }
                }
            }
            @for (seat, on_box) in own_boxes(page, me) {
                @if on_box.player == *me && on_box.looked && !on_box.decisions.is_empty() { p.hint { (review_link(seat)) } }
            }
        }
        @if page.of.info.closed || page.of.round.standing.closed {
            p.say { "The table is closed. " a href=(page.shell.href("/")) { "To the other tables" } }
        } @else if table_bets::pending(page) {
            p.say { "A jackpot claim is being verified. The next round begins when it is decided." }
        } @else if page.of.round.standing.jackpot_fault {
            p.say { "Waiting for the Shift Manager to decide how play continues without the jackpot." }
        } @else if page.by_house() {
            (table_bets::bet_form(page, false))
        } @else { p.say { "Waiting for the dealer to open the next round." } }
        @if !slips.is_empty() {
            details.more #slip {
                summary { "Settlement slip" }
                @for one in &slips { (slip::slip(page.book, one, &page.shell.names)) }
                p.hint {
                    a href=(page.shell.href(&format!("/history/{}/{}", page.of.info.id, page.of.round.number))) { "Replay this round" } " · "
                    a href=(page.shell.href(&format!("/history/{}/{}#decisions", page.of.info.id, page.of.round.number))) { "Your decisions compared with best play" }
                }
            }
        }
    }
}

fn choices(page: &TablePage<'_>, me: &Player) -> Markup {
    let mine: Vec<(BoxNumber, Choice)> = own_boxes(page, me)
        .flat_map(|(seat, _)| page.of.legal.choices.iter().filter(move |c| c.0 == seat).copied())
        .chain(
            page.of
                .legal
                .shared_choices
                .iter()
                .filter(|c| c.1 == *me)
                .map(|(seat, _, choice)| (*seat, *choice)),
        )
        .collect();
    let because = page.of.round.ruled.as_ref().map_or("Irregularity", |of| of.kind.words());
    let on = |seat: BoxNumber| -> Money {
        let all =
            matches!(&page.of.round.awaiting, Some(Awaiting::Options { allowed, .. }) if allowed.all_boxes);
        let boxes = page.of.round.boxes.iter().filter(|(other, _)| all || **other == seat);
        let stakes = boxes.flat_map(|(_, on_box)| &on_box.stakes);
        stakes.filter(|stake| stake.player == *me).map(|stake| stake.amount).sum()
    };
    html! {
        @if mine.is_empty() { p.say { (because) ": other players choose how to continue." } }
        @else {
            p.say { (because) ": choose how to continue." }
            div.buttons {
                @for (n, (seat, choice)) in mine.iter().enumerate() {
                    (form(page, Play::Choose, &expected::decision(&page.of.round, *seat), "press", &html! {
                        input type="hidden" name="seat" value=(seat);
                        input type="hidden" name="choice" value=(choice.code());
                        button class=(if n == 0 { "primary" } else { "" }) type="submit" {
                            "Box " (seat) ": " (remedies::choice(*choice)) @if *choice == Choice::Withdraw { ", " (on(*seat).grouped()) }
                        }
                    }))
                }
            }
        }
    }
}

/// The answer to "What should I do?", a live region.
pub(crate) fn advice(page: &TablePage<'_>) -> Markup {
    html! { div #advice aria-live="polite" { @if let Some(advice) = &page.advice { (answer(advice)) } } }
}

/// The values of the decisions, the best first.
pub(crate) fn answer(advice: &Advice) -> Markup {
    html! {
        @match advice {
            Advice::Refused(why) => p.notice.bad { (why) },
            Advice::Values(found, stakes) => (values(found, *stakes)),
            Advice::Review(words) => { @if !words.is_empty() { p.hint { (words) } } }
        }
    }
}

fn values(found: &advice::Advice, stakes: Stakes) -> Markup {
    let ante = stakes.ante.unwrap_or(Money::from_dollars(1));
    let money = |of: &ActionValue| cents(of.ev * Fraction::from(ante.cents()));
    let mut lines: Vec<&ActionValue> = found.decisions.iter().collect();
    lines.sort_by_key(|of| (of.action != found.best, -money(of).cents()));
    html! {
        @if !lines.is_empty() {
            table.advice {
                caption { "The exact value of each decision, with best play afterwards" }
                thead { tr { th scope="col" { "Decision" } th.n scope="col" { "In antes" } th.n scope="col" { "In money" } } }
                tbody {
                    @for of in lines {
                        @let best = of.action == found.best;
                        tr.best[best] {
                            th scope="row" { (of.action.code()) @if best { span.tag { "best" } } }
                            td.n { (of.ev.decimal(PLACES.min(10))) }
                            td.n { (paint::net(money(of))) }
                        }
                    }
                }
            }
        }
        @if let (Some(wager), Some(meter)) = (stakes.jackpot_wager, stakes.meter) {
            p.hint { "The jackpot wager of " (wager.grouped()) " is counted, with the meter at " (meter.grouped()) "." }
        }
    }
}
