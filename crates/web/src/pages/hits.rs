//! A pending jackpot hit: the same evidence for everybody who verifies it, with the actions of this reader.

use baize_cards::{Card, CardSet};
use baize_house::{Actor, Duty, HitPicture, HitView, JackpotView};
use baize_table::CardView;
use maud::{Markup, html};

use super::actions::Hit;
use super::shell::Shell;
use super::{paint, shell};

/// The card of a jackpot's pending hit number `n`, from 0, with its evidence.
pub(crate) fn card(shell: &Shell, jackpot: &JackpotView, n: usize, picture: &HitPicture) -> Markup {
    let Some(hit) = jackpot.pending.get(n) else { return html! {} };
    let pit = shell.actor.may(Duty::PitSupervisor);
    let may_verify = pit && hit.verified_by.is_none();
    let may_confirm = pit && may_confirm(&shell.actor, hit);
    let waits = n > 0 && hit.verified_by.is_some() && !hit.needs_confirmation;
    let button = |what: Hit, words: &str, class: &str| {
        html! { button class=(class) type="submit" name="do" value=(what) { (words) } }
    };
    html! {
        article.wait-card.hit id=(format!("hit-{}-{}", jackpot.id, hit.number)) {
            h3 { (hit.award) " · " b { (hit.amount.grouped()) } }
            p { (jackpot.id) " · table " (hit.round.table) " · round " (hit.round.number) }
            (evidence(picture))
            (steps(hit, may_confirm))
            @if waits { p.none { "Waiting for an earlier hit of this jackpot." } }
            form method="post" action=(format!("/jackpot/{}/hit", jackpot.id)) data-live {
                (shell::hidden(shell))
                input type="hidden" name="hit" value=(hit.number);
                div.buttons {
                    @if may_verify { (button(Hit::Verify, "The hand qualifies", "primary")) }
                    @if may_confirm { (button(Hit::Confirm, &format!("Confirm {}", hit.amount.grouped()), "primary")) }
                }
                @if may_verify {
                    details.more id=(format!("reject-{}", hit.number)) {
                        summary { "It does not qualify" }
                        label { span { "Why" } textarea name="reason" rows="2" maxlength="200" {} }
                        (button(Hit::Reject, "Reject the hit", "danger"))
                    }
                }
            }
        }
    }
}

/// Whether this person may confirm the hit, which the verifier may not.
fn may_confirm(actor: &Actor, hit: &HitView) -> bool {
    let me = actor.label();
    let verifier = |by: &str| by == me || me.strip_prefix("staff:") == Some(by);
    let verified = hit.verified_by.as_deref().is_some_and(|by| !verifier(by));
    hit.needs_confirmation && hit.confirmed_by.is_none() && verified
}

/// The verification steps, done and to do.
fn steps(hit: &HitView, may_confirm: bool) -> Markup {
    html! {
        ol.hit-steps {
            @match &hit.verified_by {
                Some(by) => li.done { "Verified by " b { (by) } },
                None => li { "A pit supervisor or manager checks the cards: does the hand qualify?" }
            }
            @if hit.needs_confirmation {
                li { "A second person confirms the amount." @if hit.verified_by.is_some() && !may_confirm { " You were the first." } }
            }
        }
    }
}

fn evidence(picture: &HitPicture) -> Markup {
    let five: CardSet = picture.five.iter().copied().collect();
    let fan = |cards: &[Card], id: &str| {
        let up: Vec<CardView> = cards.iter().copied().map(CardView::Up).collect();
        let id = format!("{id}-{}-{}", picture.jackpot, picture.hit);
        html! { span.fan { (paint::cards_raised(&up, 0, &id, five)) } }
    };
    let row = |title: &str, value: Markup| html! { div { dt { (title) } dd { (value) } } };
    html! {
        div.hit-cards {
            div { span.hint { "Box " (picture.seat) ", " @match &picture.name { Some(name) => { (name) " (" (picture.player) ")" }, None => (picture.player) } }
                @if picture.cards.is_empty() { p.none { "The hand is not face up." } } @else { (fan(&picture.cards, "hit-hand")) } }
            @if !picture.board.is_empty() { div { span.hint { "Board" } (fan(&picture.board, "hit-board")) } }
        }
        @if !picture.hand.is_empty() { p.made { (picture.hand) } }
        dl.hit-sums {
            (row("Award", html! { (picture.award) @for cite in picture.cites.iter() { " " span.cite { "§ " (cite) } } }))
            (row("Jackpot wager", html! { (picture.wager.grouped()) }))
            (row("Meter at the lock", html! { (picture.meter.grouped()) }))
            (row("To pay", html! { b { (picture.amount.grouped()) } @if !picture.from_meter.is_zero() && picture.from_meter != picture.amount { " (" (picture.from_meter.grouped()) " from the meter)" } }))
            @if picture.from_meter.is_zero() { (row("The meter", html! { "unchanged: the house pays" })) }
            @else { (row("The meter drops to", html! { (picture.falls_to.grouped()) })) }
        }
    }
}
