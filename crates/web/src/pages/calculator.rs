//! The decision calculator: click or type cards to get exact values. A plain form without the script.

use baize_cards::{Card, Rank, Suit};
use baize_rules::Rulebook;
use maud::{Markup, html};

use super::table_actions::{self, Advice};
use super::{paint, words};
use crate::server::body::Form;

/// Maximum number of empty card places drawn.
const MAX_GAPS: usize = 6;

/// The calculator, a section of the odds page, with its fields as typed.
pub(super) fn section(book: &Rulebook, query: &Form, found: Option<&Advice>) -> Markup {
    let text = |name: &str| query.text(name);
    let hand = book.hand_size();
    let board = book.board_size();
    html! {
        section #calculator.calculator aria-label="Decision calculator" {
            h2 { "Decision calculator" }
            form method="get" action=(format!("/odds/{}", paint::slug(book))) data-live data-calculator {
                div.asked {
                    (slot("hand", "Your cards", text("hand"), hand))
                    @if board > 0 { (slot("board", "Community cards", text("board"), board)) }
                    @else { (slot("up", "Dealer's face-up card", text("up"), 1)) }
                }
                (picker())
                div.fields {
                    label { span { "Ante" } input name="ante" inputmode="decimal" value=(text("ante")) placeholder="1"; }
                    label { span { "Jackpot wager" } input name="jackpot" inputmode="decimal" value=(text("jackpot")) placeholder="none"; }
                    label { span { "Meter" } input name="meter" inputmode="decimal" value=(text("meter")) placeholder="none"; }
                }
                div.buttons { button.primary type="submit" { "What is best?" } a.button.quiet href=(format!("/odds/{}#calculator", paint::slug(book))) { "Clear" } }
            }
            (answer(found))
        }
    }
}

/// The answer, a live region.
pub(crate) fn answer(found: Option<&Advice>) -> Markup {
    html! {
        div #calculated aria-live="polite" {
            @if let Some(found) = found { (table_actions::answer(found)) }
        }
    }
}

pub(super) fn slot(name: &str, label: &str, value: &str, cards: usize) -> Markup {
    let chosen: Vec<Card> = value.split_whitespace().filter_map(|text| text.parse().ok()).collect();
    html! {
        div.slot data-slot=(name) data-size=(cards) {
            label { span { (label) } input name=(name) value=(value) autocomplete="off" spellcheck="false" placeholder="as 10d" data-card-input; }
            span.fan { @for n in 0..cards.min(MAX_GAPS).max(chosen.len()) {
                @match chosen.get(n) { Some(card) => (paint::face(*card, n)), None => { span.card.gap {} } }
            } }
        }
    }
}

/// All 52 cards as buttons, suit by suit from the aces down.
pub(super) fn picker() -> Markup {
    html! {
        div.picker role="group" aria-label="Pick cards" hidden {
            @for suit in [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs] {
                div.row {
                    @for rank in Rank::ALL.into_iter().rev() {
                        @let card = Card::new(rank, suit);
                        @let class = if matches!(suit, Suit::Hearts | Suit::Diamonds) { "pick red" } else { "pick black" };
                        button class=(class) type="button" data-card=(card.code().to_lowercase()) aria-pressed="false" aria-label=(words::card_key(card)) {
                            (rank.short()) (paint::suit(suit))
                        }
                    }
                }
            }
        }
    }
}
