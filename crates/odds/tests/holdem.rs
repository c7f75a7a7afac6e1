//! Hold'em against the published figures, against brute force on small decks, and against naive counts of single positions.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::cmp::Ordering;
use std::collections::HashMap;

use baize_cards::{Card, CardSet, HandClass, HandValue, Rank, Suit};
use baize_odds::holdem::{
    HandTotals, HoldemGame, HoldemSolution, HoldemTables, RaisePays, flop_position, turn_position,
};
use baize_odds::{DeckSpec, Fraction};

#[test]
fn published_figures() {
    let game = HoldemGame::new(HandClass::Straight);
    let tables = HoldemTables::new(DeckSpec::FULL, &game);
    let best = HoldemSolution::optimal(&tables, &game);
    assert_eq!(best.cycle(), 55_627_620_048_000);
    assert_eq!((-best.expectation()).percent(2), "2.04%");
    assert_eq!(best.element_of_risk().percent(2), "0.53%");
    // Row of the Two, columns of Three to Seven: unsuited.
    let folded: Vec<usize> = (0..169).filter(|&hand| best.folded[hand]).collect();
    assert_eq!(folded, [1, 2, 3, 4, 5]);
    // Our own exact figure, held so that no later change moves it unnoticed.
    assert_eq!(best.net(), -1_133_091_156_680);

    // Telling all classes apart changes nothing but the detail.
    let by_class = HoldemSolution::optimal(&HoldemTables::by_class(DeckSpec::FULL), &game);
    assert_eq!(by_class.net(), best.net());
    assert_eq!(by_class.variance(), best.variance());
    assert_eq!(by_class.paths(), best.paths());

    // Each starting hand's cycle: its combinations times C(50, 5) · 20 · 990.
    for (number, hand) in best.hands.iter().enumerate() {
        let (row, column) = (number / 13, number % 13);
        let combinations = match row.cmp(&column) {
            Ordering::Equal => 6,
            Ordering::Greater => 4,
            Ordering::Less => 12,
        };
        assert_eq!(hand.rounds(), combinations * 2_118_760 * 20 * 990);
    }

    // Single positions: the flops of one starting hand sampled, each by the naive count, against the tables' decision.
    check_decisions(&game, &tables);
}

fn check_decisions(game: &HoldemGame, tables: &HoldemTables) {
    let sample = |hole: [Card; 2], board: CardSet, step: u64| {
        let mix = hole.iter().chain(&board.iter().collect::<Vec<_>>()).fold(7u64, |mix, card| {
            (mix ^ u64::try_from(card.index()).unwrap()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
        });
        mix % step == 0
    };
    let _ = HoldemSolution::play(
        tables,
        game,
        |p| {
            if sample(p.hole, p.board.cards, 400_000) {
                let naive = flop_position(DeckSpec::FULL, game, p.hole, p.board.cards);
                assert_eq!(naive.turn - naive.check, Fraction::new(p.gain, p.deals));
            }
            p.gain > 0
        },
        |p| {
            if sample(p.hole, p.board.cards, 300_000) {
                let naive = turn_position(DeckSpec::FULL, game, p.hole, p.board.cards, true);
                assert_eq!(naive.river - naive.check, Fraction::new(p.gain, p.deals));
            }
            p.gain > 0
        },
    );
}

/// Results of hole cards on a complete board: higher by class, lower, rounds.
type Board = ([i64; 10], i64, i64);

/// All boards of a small deck for these hole cards, by enumerating the dealer's hands.
fn boards(deck: DeckSpec, hole: CardSet) -> HashMap<CardSet, Board> {
    let left: Vec<Card> = deck.cards().difference(hole).iter().collect();
    let mut found = HashMap::new();
    for bits in 0u32..1 << left.len() {
        if bits.count_ones() == 5 {
            let board: CardSet =
                left.iter().enumerate().filter(|(n, _)| bits >> n & 1 == 1).map(|(_, c)| *c).collect();
            let player = HandValue::of(hole.union(board)).unwrap();
            let rest: Vec<Card> = left.iter().copied().filter(|c| !board.contains(*c)).collect();
            let (mut higher, mut lower, mut rounds) = ([0; 10], 0, 0);
            for (n, &one) in rest.iter().enumerate() {
                for &other in &rest[n + 1..] {
                    let dealer = HandValue::of(board.with(one).with(other)).unwrap();
                    rounds += 1;
                    match player.cmp(&dealer) {
                        Ordering::Greater => higher[player.class() as usize] += 1,
                        Ordering::Less => lower += 1,
                        Ordering::Equal => {}
                    }
                }
            }
            found.insert(board, (higher, lower, rounds));
        }
    }
    found
}

fn net(stake: &RaisePays, (higher, lower, rounds): &Board) -> i64 {
    let won: i64 = higher.iter().sum();
    let paid: i64 = higher.iter().zip(stake.higher).map(|(n, pays)| n * pays).sum();
    paid + stake.lower * lower + stake.equal * (rounds - won - lower)
}

/// Every flop, turn and river in order, with the best decision at each place from the naive boards.
fn brute_force(deck: DeckSpec, game: &HoldemGame, hole: [Card; 2]) -> HandTotals {
    let hole: CardSet = hole.into_iter().collect();
    let boards = boards(deck, hole);
    let left: Vec<Card> = deck.cards().difference(hole).iter().collect();
    let (mut by_flop, mut by_four): (HashMap<CardSet, i64>, HashMap<CardSet, i64>) = Default::default();
    let splits = |board: CardSet| {
        let cards: Vec<Card> = board.iter().collect();
        let pairs: Vec<(Card, Card)> = cards
            .iter()
            .flat_map(|turn| {
                cards.iter().filter(move |river| *river != turn).map(move |river| (*turn, *river))
            })
            .collect();
        pairs.into_iter().map(move |(turn, river)| (board.without(turn).without(river), board.without(river)))
    };
    for (board, found) in &boards {
        for (flop, _) in splits(*board) {
            *by_flop.entry(flop).or_default() += net(&game.turn, found);
        }
        for river in board.iter() {
            *by_four.entry(board.without(river)).or_default() += net(&game.river, found);
        }
    }
    let mut totals = HandTotals::default();
    for (board, found) in &boards {
        for (flop, four) in splits(*board) {
            let path = &mut totals.paths[usize::from(by_flop[&flop] > 0)][usize::from(by_four[&four] > 0)];
            path.rounds += found.2;
            path.lower += found.1;
            for (sum, n) in path.higher.iter_mut().zip(found.0) {
                *sum += n;
            }
        }
    }
    assert_eq!(left.len() + 2, deck.card_count());
    totals
}

fn check_small(ranks: &[Rank], game: &HoldemGame, hands: &[(usize, usize, bool)]) {
    let deck = DeckSpec::of(ranks.iter().copied());
    let solution = HoldemSolution::play(&HoldemTables::by_class(deck), game, |p| p.gain > 0, |p| p.gain > 0);
    for &(high, low, suited) in hands {
        let (high, low) = (ranks[high], ranks[low]);
        let hole = [
            Card::new(high, Suit::Hearts),
            Card::new(low, if suited { Suit::Hearts } else { Suit::Diamonds }),
        ];
        let (number, combinations) = match (suited, high == low) {
            (true, _) => (13 * high.index() + low.index(), 4),
            (false, true) => (13 * high.index() + low.index(), 6),
            (false, false) => (13 * low.index() + high.index(), 12),
        };
        let mut expected = brute_force(deck, game, hole);
        for path in expected.paths.iter_mut().flatten() {
            path.rounds *= combinations;
            path.lower *= combinations;
            path.higher = path.higher.map(|n| n * combinations);
        }
        assert_eq!(solution.hands[number], expected, "{hole:?} of {ranks:?}");
    }
}

#[test]
fn small_decks_agree_with_brute_force() {
    let game = HoldemGame::new(HandClass::Straight);
    check_small(&Rank::ALL[9..], &game, &[(3, 3, false), (2, 0, true), (1, 0, false)]);
    let five: Vec<(usize, usize, bool)> =
        vec![(4, 4, false), (4, 3, true), (4, 3, false), (2, 0, true), (2, 0, false), (0, 0, false)];
    check_small(&Rank::ALL[8..], &game, &five);
    let wheel = [Rank::Two, Rank::Three, Rank::Four, Rank::Five, Rank::Six, Rank::Ace];
    check_small(&wheel, &game, &[(5, 0, true), (4, 1, false)]);
    // A pay table of another shape: the turn pays by class, the river pays three to two, a stand-off loses the river.
    let mut strange = HoldemGame::new(HandClass::Flush);
    strange.turn.higher = [0, 1, 1, 1, 2, 3, 4, 5, 6, 7];
    strange.river = RaisePays { higher: [3; 10], lower: -2, equal: -2 };
    check_small(&Rank::ALL[8..], &strange, &five[..3]);
    check_small(&Rank::ALL[7..], &strange, &[(5, 3, true), (3, 2, false)]);
}
