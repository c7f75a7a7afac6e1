//! Why a box won or lost, in one line, from the cards that the reader may see; and what one's cards make so far.

use baize_cards::{Card, CardSet, HandValue};
use baize_rules::{Area, BoxNumber, Fate, Rulebook};
use baize_table::{BoxSettlement, BoxView, CardView, HandStatus, Outcome, ResultKind, RoundView};

use super::words;

/// The cards that lie open, if all of them do.
fn open(cards: &[CardView]) -> Option<CardSet> {
    let one = |card: &CardView| if let CardView::Up(card) = card { Some(*card) } else { None };
    cards.iter().map(one).collect()
}

/// The cards that lie open, whatever else lies face down.
fn face_up(cards: &[CardView]) -> CardSet {
    cards.iter().filter_map(|card| if let CardView::Up(card) = card { Some(*card) } else { None }).collect()
}

/// The best five of the dealer, once they lie open.
fn dealers(view: &RoundView) -> Option<CardSet> {
    Some(open(&view.dealer)?.union(open(&view.board)?)).filter(|cards| cards.len() >= 5)
}

/// The cards of a box with the board.
fn players(view: &RoundView, on_box: &BoxView) -> Option<CardSet> {
    Some(open(&on_box.cards)?.union(open(&view.board)?)).filter(|cards| cards.len() >= 5)
}

/// The five cards that were compared, of this box and of the dealer: to be raised on the felt.
#[must_use]
pub fn compared(view: &RoundView, seat: BoxNumber) -> CardSet {
    let settled = view.outcome == Some(Outcome::Settled);
    let five = |cards: Option<CardSet>| cards.and_then(|cards| HandValue::best_five(cards).ok());
    let Some(on_box) = view.boxes.get(&seat).filter(|_| settled) else { return CardSet::EMPTY };
    let (mine, dealer) = (five(players(view, on_box)), five(dealers(view)));
    mine.into_iter().chain(dealer).flatten().collect()
}

/// Why this box won or lost, in one sentence; `None` where the reader sees too little to be told.
#[must_use]
pub fn sentence(book: &Rulebook, view: &RoundView, slip: &BoxSettlement) -> Option<String> {
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
    let mine = HandValue::of(players(view, on_box)?).ok()?;
    let dealer = HandValue::of(dealers(view)?).ok()?;
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
    // A name with a comma in it is a clause of its own.
    let comma = if yours.contains(',') { "," } else { "" };
    Some(format!("{yours}{comma} {verb} {theirs}.{}", ante_kept(book, slip).unwrap_or_default()))
}

/// Why a winner's ante was not paid, where the game pays it from some hand on.
fn ante_kept(book: &Rulebook, slip: &BoxSettlement) -> Option<String> {
    let Fate::PaysFrom { from, .. } = book.settlement.higher.of(Area::Ante)?.value else { return None };
    let won = slip.lines.iter().any(|line| line.result == ResultKind::Win && line.area != Area::Bonus);
    let kept = slip.lines.iter().any(|line| line.area == Area::Ante && line.result == ResultKind::Push);
    (won && kept).then(|| format!(" The ante stands off: it is paid from a {} on.", from.name()))
}

/// "Your pair of Kings" from "a pair of Kings".
fn possessive(whose: &str, named: &str) -> String {
    format!("{whose} {}", named.strip_prefix("a ").unwrap_or(named))
}

/// The main areas with this result, in small letters.
fn areas(slip: &BoxSettlement, result: ResultKind) -> Vec<String> {
    let main = slip.lines.iter().filter(|line| line.result == result && line.area != Area::Jackpot);
    let mut names: Vec<String> = main.map(|line| line.area.name().to_lowercase()).collect();
    names.dedup();
    names
}

/// What the cards of a box make with those that lie open: "a pair of Kings", "Ace and King, suited". Empty before they are looked at.
#[must_use]
pub fn made(view: &RoundView, on_box: &BoxView) -> String {
    let Some(own) = open(&on_box.cards).filter(|own| !own.is_empty()) else { return String::new() };
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
