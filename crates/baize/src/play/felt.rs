//! The table as shown in the terminal.

use baize_cards::CardSet;
use baize_cards::HandValue;
use baize_house::TableView;
use baize_rules::{Area, BoxNumber, Money, Rulebook};
use baize_script::Look;
use baize_table::CardView;

/// The game, its limits, the meter.
pub(super) fn welcome(book: &Rulebook, view: &TableView, meter: Option<Money>, look: Look) -> String {
    let mut facts = vec![format!("ante {} to {}", short(view.info.ante.least), short(view.info.ante.most))];
    if let Some(bonus) = view.info.bonus {
        facts.push(format!("bonus {} to {}", short(bonus.least), short(bonus.most)));
    }
    if let (Some(wager), Some(meter)) = (view.info.jackpot_wager, meter) {
        facts.push(format!("jackpot {} for a meter of {}", short(wager), meter.grouped()));
    }
    format!(
        "{} {}\n{}\n",
        look.bold(&book.name),
        look.dim(&format!("({}), play chips only", book.operator)),
        facts.join(" · ")
    )
}

/// The cards on the table: the dealer's, the board, the player's own.
pub(super) fn cards(book: &Rulebook, view: &TableView, seat: BoxNumber, look: Look) -> String {
    let mut text = String::new();
    let mut row = |label: &str, cards: &[CardView], places: usize, words: &str| {
        let mut shown: Vec<String> = cards
            .iter()
            .map(|card| match card {
                CardView::Up(card) => format!("{card:>3}"),
                CardView::Down => "  ▒".to_owned(),
            })
            .collect();
        shown.resize(shown.len().max(places), "  ·".to_owned());
        text.push_str(&format!("  {label:<8}{}  {}\n", look.cards(&shown.join(" ")), look.dim(words)));
    };
    let board = &view.round.board;
    if !view.round.dealer.is_empty() {
        row("Dealer", &view.round.dealer, 0, "");
    }
    if book.board_size() > 0 {
        row("Board", board, book.board_size(), "");
    }
    if let Some(own) = view.round.boxes.get(&seat) {
        let known: CardSet = own.cards.iter().chain(board).filter_map(up).collect();
        row("You", &own.cards, 0, &HandValue::describe(known).unwrap_or_default());
    }
    text
}

/// The card, if it is face up.
pub(super) const fn up(card: &CardView) -> Option<baize_cards::Card> {
    match card {
        CardView::Up(card) => Some(*card),
        CardView::Down => None,
    }
}

/// "ante 25, jackpot 5".
pub(super) fn bets(bets: &[(Area, Money)]) -> String {
    let each = bets.iter().map(|(area, amount)| format!("{} {}", area.code(), short(*amount)));
    each.collect::<Vec<_>>().join(", ")
}

/// An amount, without cents if they are zero.
pub(super) fn short(amount: Money) -> String {
    let text = amount.grouped();
    text.strip_suffix(".00").map_or_else(|| text.clone(), str::to_owned)
}
