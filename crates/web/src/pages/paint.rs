//! Draws cards, chips and suits with CSS and inline SVG, and formats amounts, limits and citations.

use baize_cards::{Card, CardSet, Suit};
use baize_house::NextLimits;
use baize_rules::{Cites, Money, Rulebook};
use baize_table::{CardView, Limits};
use maud::{Markup, html};

use super::words;

/// The tag for practice or cash.
pub(crate) fn money_kind(practice: bool) -> Markup {
    html! { @if practice { span.tag { "practice" } } @else { span.tag.cash { "cash" } } }
}

/// The four suits as SVG symbols, included once in each page; [`suit`] refers to them.
pub(crate) fn sprite() -> Markup {
    html! {
        svg.sprite aria-hidden="true" width="0" height="0" {
            symbol id="su-s" viewBox="0 0 32 32" {
                path d="M16 2C13 8 3 12 3 20a6.5 6.5 0 0 0 11 4.6c-.3 2.4-1.400 4-3 5.400h10c-1.600-1.400-2.700-3-3-5.400A6.500 6.500 0 0 0 29 20C29 12 19 8 16 2z" {}
            }
            symbol id="su-h" viewBox="0 0 32 32" {
                path d="M16 29C13 23 2 18 2 10.500A7 7 0 0 1 16 8a7 7 0 0 1 14 2.500C30 18 19 23 16 29z" {}
            }
            symbol id="su-d" viewBox="0 0 32 32" { path d="M16 2c2.500 5 6 9.500 10 14-4 4.500-7.500 9-10 14-2.500-5-6-9.500-10-14 4-4.500 7.500-9 10-14z" {} }
            symbol id="su-c" viewBox="0 0 32 32" {
                path d="M16 2.500a6.300 6.300 0 0 0-5.200 9.900A6.300 6.300 0 1 0 14 23.900c-.2 2.600-1.300 4.600-3 6.100h10c-1.700-1.500-2.800-3.500-3-6.100a6.300 6.300 0 1 0 3.200-11.500A6.300 6.300 0 0 0 16 2.500z" {}
            }
        }
    }
}

/// A suit's sign.
pub(crate) fn suit(suit: Suit) -> Markup {
    let href = format!("#su-{}", suit.letter());
    html! { svg.suit aria-hidden="true" viewBox="0 0 32 32" { use href=(href) {} } }
}

const fn colour(suit: Suit) -> &'static str {
    match suit {
        Suit::Diamonds | Suit::Hearts => "red",
        Suit::Clubs | Suit::Spades => "black",
    }
}

/// A face-up card.
pub(crate) fn face(card: Card, order: usize) -> Markup {
    front(card, None, order, false)
}

/// A face-up card, raised or not. With an `id` it stays the same element when the page is updated.
fn front(card: Card, id: Option<&str>, order: usize, raised: bool) -> Markup {
    let class =
        format!("card up {} n{}{}", colour(card.suit()), order.min(9), if raised { " raised" } else { "" });
    html! {
        span class=(class) id=[id] role="img" aria-label=(words::card(card)) {
            span.corner { b { (card.rank().short()) } (suit(card.suit())) }
            span.pip { (suit(card.suit())) }
        }
    }
}

/// A card as this reader sees it, raised or not. Raising keeps the element, so the card is not animated again.
fn drawn(card: CardView, id: &str, order: usize, raised: bool) -> Markup {
    match card {
        CardView::Up(card) => front(card, Some(id), order, raised),
        CardView::Down => {
            let class = format!("card down n{}", order.min(9));
            html! { span class=(class) id=(id) role="img" aria-label="face-down card" {} }
        }
    }
}

/// Cards side by side, with outlines for missing ones up to `places`.
pub(crate) fn cards(cards: &[CardView], places: usize, id: &str) -> Markup {
    cards_raised(cards, places, id, CardSet::EMPTY)
}

/// As [`cards`], with some of them raised.
pub(crate) fn cards_raised(cards: &[CardView], places: usize, id: &str, raised: CardSet) -> Markup {
    let up = |card: &CardView| matches!(card, CardView::Up(card) if raised.contains(*card));
    html! {
        @for (n, one) in cards.iter().enumerate() {
            (drawn(*one, &format!("{id}-{n}"), n, up(one)))
        }
        @for n in cards.len()..places {
            span.card.gap id=(format!("{id}-{n}")) aria-hidden="true" {}
        }
    }
}

/// Chip denominations in cents, highest first, with their CSS class.
const CHIPS: [(i64, &str); 7] = [
    (500_000, "c5000"),
    (100_000, "c1000"),
    (50_000, "c500"),
    (10_000, "c100"),
    (2_500, "c25"),
    (500, "c5"),
    (1, "c1"),
];

/// A stack of chips with its amount: the colour of the highest chip, the height by number of chips, up to five.
pub(crate) fn chips(amount: Money, label: &str) -> Markup {
    let cents = amount.cents().max(0);
    let mut rest = cents;
    let mut colour = "c1";
    let mut height = 0;
    for (worth, class) in CHIPS {
        let number = rest / worth;
        if number > 0 && height == 0 {
            colour = class;
        }
        height += number.min(5);
        rest -= number * worth;
        if worth == 500 {
            height += i64::from(rest > 0);
            break;
        }
    }
    let class = format!("stack {colour} h{}", height.clamp(1, 5));
    let said = format!("{label}: {}", amount.grouped());
    html! {
        span class=(class) role="img" aria-label=(said) {
            span.chip aria-hidden="true" {}
            span.amount aria-hidden="true" { (short(amount)) }
        }
    }
}

/// An amount without `.00`: `50`, `1,250.50`.
pub(crate) fn short(amount: Money) -> String {
    let text = amount.grouped();
    text.strip_suffix(".00").unwrap_or(&text).to_owned()
}

/// `25 to 500`
pub(crate) fn limits(of: Limits) -> String {
    format!("{} to {}", short(of.least), short(of.most))
}

/// `ante 25 to 500, bonus 5 to 100`
pub(crate) fn next_limits(next: &NextLimits) -> String {
    let ante = format!("ante {}", limits(next.ante));
    next.bonus.map_or(ante.clone(), |bonus| format!("{ante}, bonus {}", limits(bonus)))
}

/// The slug of a rulebook in addresses: its id, and for a house's own rulebook also the start of its hash, because several may share an id.
pub(crate) fn slug(book: &Rulebook) -> String {
    match Rulebook::builtin(&book.id) {
        Some(own) if own.hash == book.hash => book.id.clone(),
        _ => format!("{}-{}", book.id, book.hash.get(..8).unwrap_or_default()),
    }
}

/// Cited paragraphs, each with a link to its place on the rulebook's page.
pub(crate) fn cites(slug: &str, cites: &Cites) -> Markup {
    html! {
        @for paragraph in cites.iter() {
            " " a.cite href=(format!("/rules/{slug}#p-{}", anchor(&paragraph.to_string()))) { "§ " (paragraph) }
        }
    }
}

/// A paragraph as part of an element id.
pub(crate) fn anchor(paragraph: &str) -> String {
    paragraph.to_lowercase().replace(' ', "-")
}

/// A net result with sign and colour.
pub(crate) fn net(amount: Money) -> Markup {
    let class = match amount.cents() {
        n if n > 0 => "net plus",
        0 => "net",
        _ => "net minus",
    };
    let sign = if amount.cents() > 0 { "+" } else { "" };
    html! { span class=(class) { (sign) (amount.grouped()) } }
}
