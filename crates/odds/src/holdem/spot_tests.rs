//! Spots compared with brute force: every board in order, every hand of the dealer, every decision from what is visible then.

use std::collections::HashMap;

use baize_cards::{Card, CardSet, Hand, HandClass, Rank};

use super::{DealerKnown, Early, Groups, HoldemGame, Prices, Spot, SpotTables};
use crate::{DeckSpec, Fraction};

/// Five ranks, so that there are flushes, straights and the low straight.
const RANKS: [Rank; 5] = [Rank::Two, Rank::Three, Rank::Four, Rank::Five, Rank::Ace];

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// The dealer's possible hands, each with its weight.
fn dealers(known: &DealerKnown, left: CardSet) -> Vec<(Card, Card, i64)> {
    let left: Vec<Card> = left.iter().collect();
    match known {
        DealerKnown::Cards([Some(one), Some(other)]) => vec![(*one, *other, 1)],
        DealerKnown::Cards([Some(one), None] | [None, Some(one)]) => {
            left.iter().map(|other| (*one, *other, 1)).collect()
        }
        DealerKnown::Cards([None, None]) | DealerKnown::Ranks(_) => {
            let mut all = Vec::new();
            for (n, &one) in left.iter().enumerate() {
                for &other in &left[n + 1..] {
                    let times = match known {
                        DealerKnown::Ranks(weights) => weights[one.rank().index()][other.rank().index()],
                        DealerKnown::Cards(_) => 1,
                    };
                    all.push((one, other, i64::from(times)));
                }
            }
            all
        }
    }
}

/// The expectation of best play, by enumerating all deals.
fn naive(
    deck: DeckSpec,
    game: &HoldemGame,
    hole: &[Card],
    dead: CardSet,
    known: &DealerKnown,
    early: Early,
) -> Fraction {
    let seen: CardSet = match known {
        DealerKnown::Cards(cards) => cards.iter().flatten().copied().collect(),
        DealerKnown::Ranks(_) => CardSet::EMPTY,
    };
    let hole_set: CardSet = hole.iter().copied().collect();
    let left = deck.cards().difference(dead).difference(seen).difference(hole_set);
    let pool: Vec<Card> = left.iter().collect();
    let mut deals = Vec::new();
    for (i, &a) in pool.iter().enumerate() {
        for (j, &b) in pool.iter().enumerate().skip(i + 1) {
            for &c in &pool[j + 1..] {
                let flop = CardSet::EMPTY.with(a).with(b).with(c);
                for &turn in pool.iter().filter(|card| !flop.contains(**card)) {
                    for &river in pool.iter().filter(|card| !flop.contains(**card) && **card != turn) {
                        let board = flop.with(turn).with(river);
                        let table = Hand::from(board);
                        let player = table.add(hole[0]).add(hole[1]).value();
                        let mut sums = [0i64; 4];
                        for (one, other, times) in dealers(known, left.difference(board)) {
                            let dealer = table.add(one).add(other).value();
                            let class = player.class() as usize;
                            for (sum, stake) in sums.iter_mut().zip([&game.stay, &game.turn, &game.river]) {
                                let net = match player.cmp(&dealer) {
                                    std::cmp::Ordering::Greater => stake.higher[class],
                                    std::cmp::Ordering::Less => stake.lower,
                                    std::cmp::Ordering::Equal => stake.equal,
                                };
                                *sum += times * net;
                            }
                            sums[3] += times;
                        }
                        deals.push(([a, b, c], turn, river, sums));
                    }
                }
            }
        }
    }
    let key = |set: CardSet, turn: Option<Card>, river: Option<Card>| (set.bits(), turn, river);
    let (mut on_turn, mut on_river) = (HashMap::new(), HashMap::new());
    let at_turn = |flop: [Card; 3], turn: Card, river: Card| {
        key(flop.into_iter().collect(), early.turn.then_some(turn), early.river.then_some(river))
    };
    let at_river = |flop: [Card; 3], turn: Card, river: Card| {
        key(flop.into_iter().collect(), Some(turn), early.river.then_some(river))
    };
    for (flop, turn, river, sums) in &deals {
        *on_turn.entry(at_turn(*flop, *turn, *river)).or_insert(0i64) += sums[1];
        *on_river.entry(at_river(*flop, *turn, *river)).or_insert(0i64) += sums[2];
    }
    let mut groups: HashMap<_, (i64, i64)> = HashMap::new();
    for (flop, turn, river, sums) in &deals {
        let x = on_turn[&at_turn(*flop, *turn, *river)] > 0;
        let y = on_river[&at_river(*flop, *turn, *river)] > 0;
        let net = sums[0] + if x { sums[1] } else { 0 } + if y { sums[2] } else { 0 };
        for mask in 0u32..8 {
            if mask.count_ones() as usize == early.flop {
                let first: CardSet = (0..3).filter(|n| mask >> n & 1 == 1).map(|n| flop[n]).collect();
                let group = groups
                    .entry(key(first, early.turn.then_some(*turn), early.river.then_some(*river)))
                    .or_default();
                group.0 += net;
                group.1 += sums[3];
            }
        }
    }
    let net: i64 = groups.values().map(|(net, deals)| (*net).max(game.fold * deals)).sum();
    let all: i64 = groups.values().map(|(_, deals)| deals).sum();
    Fraction::new(net, all)
}

fn check(hole: &str, dead: &str, known: &DealerKnown, early: Early) {
    let deck = DeckSpec::of(RANKS);
    // The ante pays from a straight on; a game with other prices would need other groups.
    let game = HoldemGame::new(HandClass::Straight);
    let groups = Groups::new(&game.alike());
    let tables = SpotTables::new(deck, &groups);
    let prices = Prices::<4>::new(&game, &groups);
    let hole = cards(hole);
    let dead: CardSet = cards(dead).into_iter().collect();
    let spot = Spot::<4>::new(&tables, [hole[0], hole[1]], dead, known);
    let best = spot.best(&prices, early);
    let found = Fraction::new(prices.net(&best), best.rounds());
    assert_eq!(found, naive(deck, &game, &hole, dead, known, early), "{hole:?} {dead} {known:?} {early:?}");
}

fn dealer(text: &str) -> DealerKnown {
    let cards = cards(text);
    DealerKnown::Cards([cards.first().copied(), cards.get(1).copied()])
}

const IN_ORDER: Early = Early { flop: 0, turn: false, river: false };

#[test]
fn dealers_cards_against_plain_enumeration() {
    for (hole, known) in [
        ("Ac 2c", "3c"),
        ("3c 2d", "Ah"),
        ("4c 4d", "4h"),
        ("5c 2d", "3d"),
        ("Ac 3d", "2c 2d"),
        ("3c 2c", "Ac 5c"),
        ("3c 2d", "Ah As"),
    ] {
        check(hole, "", &dealer(known), IN_ORDER);
    }
    check("3c 2d", "", &DealerKnown::NOTHING, IN_ORDER);
}

#[test]
fn community_cards_seen_early_against_plain_enumeration() {
    for flop in 0..=3 {
        for (turn, river) in [(false, false), (true, false), (false, true), (true, true)] {
            check("3c 2d", "", &dealer("Ah 4c"), Early { flop, turn, river });
        }
    }
    check("4c 2c", "", &dealer("5c"), Early { flop: 1, turn: false, river: true });
    check("4c 2c", "Ad Ah 3h 5s", &DealerKnown::NOTHING, Early { flop: 2, turn: true, river: false });
}

#[test]
fn other_boxes_and_marked_backs_against_plain_enumeration() {
    check("3c 2d", "Ac Ad 4h 5s", &DealerKnown::NOTHING, IN_ORDER);
    check("3c 2d", "Ac Ad 2c 2h 2s 3d", &dealer("4c"), IN_ORDER);
    // Pairs with exactly one Ace; pairs by how many of their two cards are not Aces.
    let ace = Rank::Ace.index();
    let one = std::array::from_fn(|a| std::array::from_fn(|b| u8::from((a == ace) != (b == ace))));
    check("4c 2d", "", &DealerKnown::Ranks(one), IN_ORDER);
    let not = std::array::from_fn(|a| std::array::from_fn(|b| u8::from(a != ace) + u8::from(b != ace)));
    check("4c 4d", "", &DealerKnown::Ranks(not), IN_ORDER);
}

/// The whole game with a deck of three ranks: all hole cards with all exposed cards of the dealer, weighted by the number of deals.
#[test]
fn whole_games_with_dealers_and_early_cards_against_plain_enumeration() {
    let deck = DeckSpec::of([Rank::Queen, Rank::King, Rank::Ace]);
    let game = HoldemGame::new(HandClass::Straight);
    let all: Vec<Card> = deck.cards().iter().collect();
    let pairs = |cards: &[Card]| -> Vec<[Card; 2]> {
        let with =
            |(n, one): (usize, &Card)| cards[n + 1..].iter().map(|other| [*one, *other]).collect::<Vec<_>>();
        cards.iter().enumerate().flat_map(with).collect()
    };
    for (dealer, early) in [
        (1, IN_ORDER),
        (2, IN_ORDER),
        (1, Early { flop: 0, turn: true, river: false }),
        (0, Early { flop: 1, turn: false, river: true }),
    ] {
        let (mut sum, mut spots) = (Fraction::ZERO, 0);
        for hole in pairs(&all) {
            let left: Vec<Card> = all.iter().copied().filter(|card| !hole.contains(card)).collect();
            let known: Vec<DealerKnown> = match dealer {
                0 => vec![DealerKnown::NOTHING],
                1 => left.iter().map(|card| DealerKnown::Cards([Some(*card), None])).collect(),
                _ => pairs(&left).into_iter().map(|pair| DealerKnown::Cards(pair.map(Some))).collect(),
            };
            for known in known {
                sum = sum + naive(deck, &game, &hole, CardSet::EMPTY, &known, early);
                spots += 1;
            }
        }
        let seen = crate::exposure::Exposed {
            dealer,
            flop: early.flop,
            turn: early.turn,
            river: early.river,
            ..crate::exposure::Exposed::default()
        };
        let found = crate::exposure::holdem_exact(deck, &game, &seen, &|_, _| true);
        let ev = Fraction::new(found.net, i128::from(found.rounds) * i128::from(game.scale));
        assert_eq!(ev, sum * Fraction::new(1, spots), "{dealer} {early:?}");
    }
}
