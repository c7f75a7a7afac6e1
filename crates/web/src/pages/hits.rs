//! A pending jackpot hit: the same evidence for everybody who verifies it, with the actions of this reader.

use baize_cards::{Card, CardSet};
use baize_house::HitPicture;
use baize_table::CardView;
use maud::{Markup, html};

use super::actions::Hit;
use super::model::PendingHit;
use super::shell::Shell;
use super::{paint, shell};

/// The card of a hit.
pub(crate) fn card(shell: &Shell, hit: &PendingHit) -> Markup {
    let button = |what: Hit, words: &str, class: &str| {
        html! { button class=(class) type="submit" name="do" value=(what) { (words) } }
    };
    html! {
        article.wait-card.hit id=(format!("hit-{}-{}", hit.jackpot, hit.hit)) {
            h3 { (hit.award) " · " b { (hit.amount.grouped()) } }
            p { (hit.jackpot) " · table " (hit.table) " · round " (hit.round) }
            @if let Some(picture) = &hit.picture { (evidence(picture)) }
            (steps(hit))
            @if let Some(waits) = &hit.waits_for { p.none { "Waiting for " (waits) "." } }
            form method="post" action=(format!("/jackpot/{}/hit", hit.jackpot)) data-live {
                (shell::hidden(shell))
                input type="hidden" name="hit" value=(hit.hit);
                div.buttons {
                    @if hit.may_verify { (button(Hit::Verify, "The hand qualifies", "primary")) }
                    @if hit.may_confirm { (button(Hit::Confirm, &format!("Confirm {}", hit.amount.grouped()), "primary")) }
                }
                @if hit.may_verify {
                    details.more id=(format!("reject-{}", hit.hit)) {
                        summary { "It does not qualify" }
                        label { span { "Why" } textarea name="reason" rows="2" maxlength="200" {} }
                        (button(Hit::Reject, "Reject the hit", "danger"))
                    }
                }
            }
        }
    }
}

/// The verification steps, done and to do.
fn steps(hit: &PendingHit) -> Markup {
    html! {
        ol.hit-steps {
            @match &hit.verified_by {
                Some(by) => li.done { "Verified by " b { (by) } },
                None => li { "A pit supervisor or manager checks the cards: does the hand qualify?" }
            }
            @if hit.needs_confirmation {
                li { "A second person confirms the amount." @if hit.verified_by.is_some() && !hit.may_confirm { " You were the first." } }
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
