//! Where cards are: every dealt card is on record with its place, in the order in which it left the shoe.

use baize_cards::Card;
use baize_rules::{BoxNumber, Place};

use crate::round::{Draw, Play};

/// Cards leave the shoe.
pub(super) fn lay(play: &mut Play, draw: Draw) {
    match draw.to {
        None => play.burnt.extend(&draw.cards),
        Some(place) => {
            if let Place::Box(seat) = place
                && !play.dealt.contains(&seat)
            {
                play.dealt.push(seat);
            }
            if let Some(pile) = pile(play, place) {
                pile.extend(&draw.cards);
            }
        }
    }
    play.drawn.push(draw);
}

/// Places all dealt cards as these draws say, and nowhere else.
pub(super) fn lay_anew(play: &mut Play, drawn: Vec<Draw>) {
    for hand in play.hands.values_mut() {
        hand.cards.clear();
    }
    for cards in [&mut play.board, &mut play.dealer, &mut play.burnt] {
        cards.clear();
    }
    play.dealt.clear();
    play.drawn.clear();
    for draw in drawn {
        lay(play, draw);
    }
}

fn pile(play: &mut Play, place: Place) -> Option<&mut Vec<Card>> {
    match place {
        Place::Box(seat) => play.hands.get_mut(&seat).map(|hand| &mut hand.cards),
        Place::Board => Some(&mut play.board),
        Place::Dealer => Some(&mut play.dealer),
    }
}

pub(super) fn move_hands(play: &mut Play, moves: &[(BoxNumber, BoxNumber)]) {
    let mut drawn = std::mem::take(&mut play.drawn);
    for draw in &mut drawn {
        let moved = moves.iter().find(|(from, _)| draw.to == Some(Place::Box(*from)));
        if let Some((_, to)) = moved {
            draw.to = Some(Place::Box(*to));
        }
    }
    lay_anew(play, drawn);
}
