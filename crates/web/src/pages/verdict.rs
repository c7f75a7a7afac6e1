//! Why a box won or lost, in one sentence from the visible cards; and what a hand makes so far.

use baize_cards::{Card, CardSet, HandValue};
use baize_rules::{Area, BoxNumber, Fate, Rulebook};
use baize_table::{BoxSettlement, BoxView, CardView, HandStatus, Outcome, ResultKind, RoundView};

use super::words;

/// The cards, if all of them are face up.
fn all_up(cards: &[CardView]) -> Option<CardSet> {
    cards.iter().map(CardView::up).collect()
}

/// The cards that are face up.
fn face_up(cards: &[CardView]) -> CardSet {
    cards.iter().filter_map(CardView::up).collect()
}

/// The cards of dealer and board, once all are face up.
fn dealer_cards(view: &RoundView) -> Option<CardSet> {
    Some(all_up(&view.dealer)?.union(all_up(&view.board)?)).filter(|cards| cards.len() >= 5)
}

/// The cards of box and board, once all are face up.
fn box_cards(view: &RoundView, on_box: &BoxView) -> Option<CardSet> {
    Some(all_up(&on_box.cards)?.union(all_up(&view.board)?)).filter(|cards| cards.len() >= 5)
}

/// The best five cards of this box and of the dealer, once the round is settled.
pub(crate) fn compared(view: &RoundView, seat: BoxNumber) -> CardSet {
    let settled = view.outcome == Some(Outcome::Settled);
    let five = |cards: Option<CardSet>| cards.and_then(|cards| HandValue::best_five(cards).ok());
    let Some(on_box) = view.boxes.get(&seat).filter(|_| settled) else { return CardSet::EMPTY };
    let (mine, dealer) = (five(box_cards(view, on_box)), five(dealer_cards(view)));
    mine.into_iter().chain(dealer).flatten().collect()
}

/// Why this box won or lost, in one sentence; `None` if the reader sees too few cards.
pub(crate) fn sentence(book: &Rulebook, view: &RoundView, slip: &BoxSettlement) -> Option<String> {
    let on_box = view.boxes.get(&slip.seat)?;
    if view.outcome != Some(Outcome::Settled) {
        return None;
    }
    match on_box.status {
        Some(HandStatus::Folded(_)) => {
            let mut lost = areas(slip, ResultKind::Lose);
            if slip.lines.iter().any(|line| line.area == Area::Jackpot && line.result == ResultKind::Lose) {
                lost.push("jackpot wager".to_owned());
            }
            return Some(format!("You folded: {} lost.", words::list(lost)));
        }
        Some(HandStatus::Invalid(_)) => {
            return Some("Your hand is invalid: your wagers go back.".to_owned());
        }
        Some(HandStatus::NoAnte) | None => return None,
        Some(HandStatus::InPlay) if on_box.declined => {
            return Some("You did not show your hand.".to_owned());
        }
        Some(HandStatus::InPlay) => {}
    }
    let mine = HandValue::of(box_cards(view, on_box)?).ok()?;
    let dealer = HandValue::of(dealer_cards(view)?).ok()?;
    if !book.qualifies(dealer) {
        return Some(format!(
            "The dealer has {} and does not qualify: {} paid, {} returned.",
            dealer.named(),
            words::list(areas(slip, ResultKind::Win)),
            words::list(areas(slip, ResultKind::Returned)),
        ));
    }
    let named = mine.named_against(dealer);
    let several = ["two ", "three ", "four "].iter().any(|number| named.starts_with(number));
    let verb = match (mine.cmp(&dealer), several) {
        (std::cmp::Ordering::Greater, false) => "beats",
        (std::cmp::Ordering::Greater, true) => "beat",
        (std::cmp::Ordering::Less, false) => "loses to",
        (std::cmp::Ordering::Less, true) => "lose to",
        (std::cmp::Ordering::Equal, false) => "ties with",
        (std::cmp::Ordering::Equal, true) => "tie with",
    };
    let yours = possessive("Your", &named);
    let theirs = possessive("the dealer's", &dealer.named_against(mine));
    // A name that contains a comma is closed by one.
    let comma = if yours.contains(',') { "," } else { "" };
    Some(format!("{yours}{comma} {verb} {theirs}.{}", ante_kept(book, slip).unwrap_or_default()))
}

/// Why a winner's ante was not paid, in games that pay it only from some hand upwards.
fn ante_kept(book: &Rulebook, slip: &BoxSettlement) -> Option<String> {
    let Fate::PaysFrom { from, .. } = book.settlement.higher.of(Area::Ante)?.value else { return None };
    let won = slip.lines.iter().any(|line| line.result == ResultKind::Win && line.area != Area::Bonus);
    let kept = slip.lines.iter().any(|line| line.area == Area::Ante && line.result == ResultKind::Push);
    (won && kept).then(|| format!(" The ante stands off: it is paid only with a {} or higher.", from.name()))
}

/// "Your pair of Kings" from "a pair of Kings".
fn possessive(whose: &str, named: &str) -> String {
    format!("{whose} {}", named.strip_prefix("a ").unwrap_or(named))
}

/// The areas with this result, without the jackpot, in lower case.
fn areas(slip: &BoxSettlement, result: ResultKind) -> Vec<String> {
    let main = slip.lines.iter().filter(|line| line.result == result && line.area != Area::Jackpot);
    let mut names: Vec<String> = main.map(|line| line.area.name().to_lowercase()).collect();
    names.dedup();
    names
}

/// What a hand makes with the face-up board: "a pair of Kings", "Ace and King, suited". Empty before the player has looked.
pub(crate) fn made(view: &RoundView, on_box: &BoxView) -> String {
    let Some(own) = all_up(&on_box.cards).filter(|own| !own.is_empty()) else { return String::new() };
    let all = own.union(face_up(&view.board));
    if let Ok(value) = HandValue::of(all) {
        return value.named();
    }
    let cards: Vec<Card> = own.iter().collect();
    let [low, high] = cards[..] else { return String::new() };
    let (low, high) = if low.rank() > high.rank() { (high, low) } else { (low, high) };
    if low.rank() == high.rank() {
        return format!("a pair of {}", high.rank().plural());
    }
    let suits = if low.suit() == high.suit() { "suited" } else { "unsuited" };
    format!("{} and {}, {suits}", high.rank().name(), low.rank().name())
}
