//! What a hold'em player sees in their hole cards and three or four community cards.

use baize_cards::{Card, CardSet, Hand, HandClass};

/// One bit for each rank that the cards have.
fn rank_bits(cards: CardSet) -> u16 {
    // Four bits a rank: fold them onto the lowest and gather every fourth.
    let bits = cards.bits();
    let any = (bits | bits >> 1 | bits >> 2 | bits >> 3) & 0x1_1111_1111_1111;
    (0..13).fold(0, |set, rank| set | u16::from(any >> (4 * rank) & 1 == 1) << rank)
}

/// Three or four community cards, with precomputed properties.
#[derive(Debug, Clone, Copy)]
pub struct Community {
    /// The cards.
    pub cards: CardSet,
    /// The same, to add hole cards to.
    hand: Hand,
    /// What they make by themselves.
    own: HandClass,
}

impl Community {
    /// The class of the best five of hole cards and community cards.
    pub(super) fn class_with(&self, hole: [Card; 2]) -> HandClass {
        self.hand.add(hole[0]).add(hole[1]).value().class()
    }

    /// What the community cards make by themselves.
    pub(super) const fn own_class(&self) -> HandClass {
        self.own
    }
}

impl From<CardSet> for Community {
    fn from(cards: CardSet) -> Community {
        Community { cards, hand: Hand::from(cards), own: class_of_board(cards) }
    }
}

/// What three or four community cards make by themselves.
fn class_of_board(board: CardSet) -> HandClass {
    let bits = board.bits();
    let (mut pairs, mut most) = (0, 0);
    for rank in 0..13 {
        let n = (bits >> (4 * rank) & 0xF).count_ones();
        pairs += u32::from(n == 2);
        most = most.max(n);
    }
    match (most, pairs) {
        (4, _) => HandClass::FourOfAKind,
        (3, _) => HandClass::ThreeOfAKind,
        (2, 2) => HandClass::TwoPairs,
        (2, _) => HandClass::OnePair,
        _ => HandClass::FiveOddCards,
    }
}

/// Four or more cards of a suit, one of them a hole card.
pub(super) fn flush_draw(hole: [Card; 2], board: CardSet) -> bool {
    const SUIT: u64 = 0x1_1111_1111_1111;
    let all = board.with(hole[0]).with(hole[1]);
    hole.iter().any(|card| (all.bits() & SUIT << card.suit().index()).count_ones() >= 4)
}

/// Two ranks at least would complete a straight that needs a hole card: open at both ends, or two gaps.
pub(super) fn straight_draw(hole: [Card; 2], board: CardSet) -> bool {
    let straights = |ranks: u16| {
        // The Ace counts below the Two as well.
        let line = u32::from(ranks) << 1 | u32::from(ranks >> 12 & 1);
        line & line >> 1 & line >> 2 & line >> 3 & line >> 4
    };
    let (own, shared) = (rank_bits(board.with(hole[0]).with(hole[1])), rank_bits(board));
    let completes = |rank: u16| {
        let made = straights(own | 1 << rank);
        made != 0 && made != straights(shared | 1 << rank)
    };
    (0..13).filter(|rank| own >> rank & 1 == 0 && completes(*rank)).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(hole: &str, board: &str) -> ([Card; 2], CardSet) {
        let cards: Vec<Card> = hole.split(' ').map(|card| card.parse().unwrap()).collect();
        (<[Card; 2]>::try_from(cards).unwrap(), board.parse().unwrap())
    }

    #[test]
    fn draws() {
        let check = |hole: &str, board: &str| {
            let (hole, board) = seen(hole, board);
            (flush_draw(hole, board), straight_draw(hole, board))
        };
        assert_eq!(check("9h 8h", "Th Jd 2h"), (true, true));
        assert_eq!(check("9h 8d", "Th Jh 2h"), (true, true));
        assert_eq!(check("9c 8d", "Th Jh 2h"), (false, true));
        // A gap is one rank only; four to a straight on the board alone does not count.
        assert_eq!(check("9c 7d", "Th Jh 2h"), (false, false));
        assert_eq!(check("2c 2d", "Th Jh 9s 8s"), (false, false));
        assert_eq!(check("Ac 2d", "3h 4h Ks"), (false, false));
        assert_eq!(check("5c 2d", "3h 4h Ks"), (false, true));
    }

    #[test]
    fn boards_by_themselves() {
        for (board, class) in [
            ("2c 3d 4h", HandClass::FiveOddCards),
            ("2c 2d 4h 5s", HandClass::OnePair),
            ("2c 2d 4h 4s", HandClass::TwoPairs),
            ("2c 2d 2h 4s", HandClass::ThreeOfAKind),
            ("2c 2d 2h 2s", HandClass::FourOfAKind),
        ] {
            assert_eq!(class_of_board(board.parse().unwrap()), class);
        }
        let (hole, board) = seen("4c 9d", "2c 2d 4h 5s");
        assert_eq!(Community::from(board).class_with(hole), HandClass::TwoPairs);
    }
}
