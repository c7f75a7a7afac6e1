//! The decision calculator: click or type cards to get exact values. A plain form without the script.

use baize_cards::{Card, Rank, Suit};
use baize_rules::Rulebook;
use maud::{Markup, html};

use super::model::Calculator;
use super::{paint, table_actions, words};

/// Maximum number of empty card places drawn.
const MAX_GAPS: usize = 6;

/// The calculator, a section of the odds page.
pub(crate) fn section(book: &Rulebook, calculator: &Calculator) -> Markup {
    let hand = book.hand_size();
    let board = book.board_size();
    html! {
        section #calculator.calculator aria-label="Decision calculator" {
            h2 { "Decision calculator" }
            form method="get" action=(format!("/odds/{}", paint::slug(book))) data-live data-calculator {
                div.asked {
                    (slot("hand", "Your cards", &calculator.hand, hand))
                    @if board > 0 { (slot("board", "Community cards", &calculator.board, board)) }
                    @else { (slot("up", "Dealer's face-up card", &calculator.up, 1)) }
                }
                (picker())
                div.fields {
                    label { span { "Ante" } input name="ante" inputmode="decimal" value=(calculator.ante) placeholder="1"; }
                    label { span { "Jackpot wager" } input name="jackpot" inputmode="decimal" value=(calculator.jackpot) placeholder="none"; }
                    label { span { "Meter" } input name="meter" inputmode="decimal" value=(calculator.meter) placeholder="none"; }
                }
                div.buttons { button.primary type="submit" { "What is best?" } a.button.quiet href=(format!("/odds/{}#calculator", paint::slug(book))) { "Clear" } }
            }
            (answer(calculator))
        }
    }
}

/// The answer, a live region.
pub(crate) fn answer(calculator: &Calculator) -> Markup {
    html! {
        div #calculated aria-live="polite" {
            @if let Some(answer) = &calculator.answer { (table_actions::answer(answer)) }
        }
    }
}

pub(super) fn slot(name: &str, label: &str, value: &str, cards: usize) -> Markup {
    let chosen: Vec<Card> = value.split_whitespace().filter_map(|text| text.parse().ok()).collect();
    html! {
        div.slot data-slot=(name) data-size=(cards) {
            label { span { (label) } input name=(name) value=(value) autocomplete="off" spellcheck="false" placeholder="as 10d" data-card-input; }
            span.fan { @for n in 0..cards.min(MAX_GAPS).max(chosen.len()) {
                @match chosen.get(n) { Some(card) => (paint::face(*card, None, n)), None => { span.card.gap {} } }
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
