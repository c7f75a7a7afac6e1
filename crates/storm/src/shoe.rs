//! The physical shoe of a table whose dealer enters the cards. It is derived from table and round, so every dealer at every host sees the
//! same one. In every other round the first box gets a straight flush (in hold'em together with the flop), so that jackpots are won.

use baize_cards::{Card, CardSet};
use baize_house::{Order, OrderKind, Shoe, TableView};
use baize_rules::Family;
use baize_table::{Command, Due, Place, RoundView};

use crate::dice::Dice;

/// The dealer's next entry, if cards are due. The next `passed` cards were refused as already dealt.
pub(crate) fn next(view: &TableView, dice: &mut Dice, passed: usize) -> Option<Order> {
    if view.info.shoe != Shoe::Entered || !view.orders.contains(&OrderKind::EnterCards) {
        return None;
    }
    let (place, count) = match view.legal.due.as_ref()? {
        Due::Burn { .. } => (None, 1),
        Due::Deal(due) if due.one_at_a_time && dice.once_in(3) => (Some(due.to), 1),
        Due::Deal(due) => (Some(due.to), due.cards),
        Due::Decide { .. } | Due::Reveal { .. } | Due::Settle | Due::PutBack { .. } | Due::Report { .. } => {
            return None;
        }
    };
    let round = &view.round;
    let (lucky, rest) = shuffled(view.info.id.as_str(), round.number);
    let first = round.boxes.keys().next().map(|seat| Place::Box(*seat));
    let (hole, flop) = if view.info.family == Family::Holdem { (2, 3) } else { (5, 0) };
    let lies = |place: Place| lying(round, place);
    let of_first = first.map_or(0, |first| lies(first).min(hole));
    let of_board = lies(Place::Board).min(flop);
    let taken = if lucky.is_empty() { 0 } else { of_first + of_board };
    let out: usize = round.boxes.keys().map(|seat| lies(Place::Box(*seat))).sum::<usize>()
        + lies(Place::Board)
        + lies(Place::Dealer)
        + round.burnt.len();
    let from_lucky = match place {
        Some(place) if Some(place) == first => lucky.get(of_first..hole),
        Some(Place::Board) => lucky.get(hole + of_board..),
        _ => None,
    };
    let from_rest = rest.get(out - taken..).unwrap_or_default();
    let cards: Vec<Card> =
        from_lucky.unwrap_or_default().iter().chain(from_rest).skip(passed).take(count).copied().collect();
    let whole = place.filter(|_| count > 1 && dice.once_in(4));
    Some(match whole {
        Some(to) => Command::Deal { to, cards }.into(),
        None => Order::EnterCards { cards },
    })
}

fn lying(round: &RoundView, place: Place) -> usize {
    match place {
        Place::Box(seat) => round.boxes.get(&seat).map_or(0, |on_box| on_box.cards.len()),
        Place::Board => round.board.len(),
        Place::Dealer => round.dealer.len(),
    }
}

/// The straight flush, in every other round, and all other cards in dealing order.
fn shuffled(table: &str, round: u32) -> (Vec<Card>, Vec<Card>) {
    let seed = table.bytes().fold(u64::from(round), |seed, byte| seed.wrapping_mul(257) + u64::from(byte));
    let mut dice = Dice::new(seed);
    let suit = dice.roll(4);
    let low = [8, dice.roll(9)][dice.roll(2)];
    let flush = (low..low + 5)
        .filter_map(|rank| format!("{}{}", &"23456789TJQKA"[rank..=rank], &"cdhs"[suit..=suit]).parse().ok());
    let lucky: Vec<Card> = if dice.once_in(2) { flush.collect() } else { Vec::new() };
    let mut left: Vec<Card> = CardSet::FULL.difference(lucky.iter().copied().collect()).iter().collect();
    let rest = (0..left.len()).map(|_| left.swap_remove(dice.roll(left.len()))).collect();
    (lucky, rest)
}
