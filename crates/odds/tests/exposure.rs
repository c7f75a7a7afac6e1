//! Exposures: stud against plain enumeration of small decks and against published figures, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet, HandValue, Rank};
use baize_odds::exposure::{Exposed, Exposure, ExposureError, ExposureQuestion, ExposureWorth, stud_exact};
use baize_odds::stud::{StudGame, StudSolution, position_seen, survey_seen};
use baize_odds::{DeckSpec, Fraction, Solver, choose};
use baize_rules::{Family, Rulebook};

fn ace_king() -> Option<HandValue> {
    HandValue::of("As Kd 4c 3h 2s".parse().unwrap()).ok()
}

fn sets(cards: &[Card], size: usize) -> Vec<CardSet> {
    let all = 0u32..1 << cards.len();
    all.filter(|mask| mask.count_ones() as usize == size)
        .map(|mask| {
            cards.iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1).map(|(_, card)| *card).collect()
        })
        .collect()
}

fn seeing(dealer: usize) -> Exposed {
    Exposed { dealer, ..Exposed::default() }
}

/// Every hand, every set of seen cards, every completion: the sum of the better of bet and fold.
fn naive(deck: DeckSpec, game: &StudGame, seen: usize) -> i64 {
    let cards: Vec<Card> = deck.cards().iter().collect();
    let mut net = 0;
    for hand in sets(&cards, 5) {
        let left: Vec<Card> = deck.cards().difference(hand).iter().collect();
        for dealer in sets(&left, seen) {
            let (value, counts) =
                position_seen(deck, game.qualifies_from, hand, dealer, CardSet::EMPTY).unwrap();
            net += game.bet_sum(value.class(), &counts).max(game.fold_sum(&counts));
        }
    }
    net
}

#[test]
fn any_number_of_the_dealers_cards_against_plain_enumeration() {
    // Four ranks; and five, for flushes and the low straight, where more seen cards would take long.
    let four = DeckSpec::of(Rank::ALL[9..].iter().copied());
    let low = DeckSpec::of([Rank::Two, Rank::Three, Rank::Four, Rank::Five, Rank::Ace]);
    let pair = HandValue::of("2s 2d 5c 4h 3s".parse().unwrap()).ok();
    for (deck, from, most) in [(four, ace_king(), 4), (four, None, 2), (low, pair, 0)] {
        let game = StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 250], 2, from);
        for dealer in 0..=most {
            let (solution, _) = stud_exact(deck, &game, &seeing(dealer));
            assert_eq!(solution.net(), i128::from(naive(deck, &game, 1 + dealer)), "{dealer} seen");
            let cards = deck.card_count();
            let rounds =
                choose(cards, 5) * choose(cards - 5, dealer + 1) * choose(cards - 6 - dealer, 4 - dealer);
            assert_eq!(solution.cycle(), rounds);
        }
    }
}

#[test]
fn flushes_of_the_dealer_with_more_cards_seen() {
    // The whole deck of five ranks is too slow to enumerate with two or more seen cards; samples of hands are not.
    let deck = DeckSpec::of(Rank::ALL[8..].iter().copied());
    let game = StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 250], 2, ace_king());
    for seen in 2..=5 {
        let rows = survey_seen(deck, game.qualifies_from, seen, |checked: &mut u32, p| {
            *checked += 1;
            if *checked % 11 == 1 {
                let (hand, dealer) = p.example();
                let naive = position_seen(deck, game.qualifies_from, hand, dealer, CardSet::EMPTY).unwrap();
                assert_eq!(naive, (p.value, *p.counts()), "{hand} against {dealer}");
            }
        });
        assert!(rows.iter().map(|(_, checked)| checked).sum::<u32>() > 1000);
    }
}

#[test]
fn marked_backs_against_plain_enumeration() {
    let deck = DeckSpec::of(Rank::ALL[9..].iter().copied());
    let game = StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 250], 2, ace_king());
    let cards: Vec<Card> = deck.cards().iter().collect();
    for dealer in [1, 3, 4] {
        let seen = Exposed { dealer, ranks: Some("A".parse().unwrap()), ..Exposed::default() };
        let mut net = 0i64;
        for hand in sets(&cards, 5) {
            for up in deck.cards().difference(hand).iter() {
                let left: Vec<Card> = deck.cards().difference(hand.with(up)).iter().collect();
                let mut sums = [(0i64, 0i64); 5];
                for hidden in sets(&left, 4) {
                    let (value, counts) =
                        position_seen(deck, game.qualifies_from, hand, hidden.with(up), CardSet::EMPTY)
                            .unwrap();
                    let hidden: Vec<Card> = hidden.iter().collect();
                    for shown in sets(&hidden, dealer) {
                        let signal = shown.iter().filter(|card| card.rank() == Rank::Ace).count();
                        sums[signal].0 += game.bet_sum(value.class(), &counts);
                        sums[signal].1 += game.fold_sum(&counts);
                    }
                }
                net += sums.iter().map(|(bet, fold)| bet.max(fold)).sum::<i64>();
            }
        }
        assert_eq!(stud_exact(deck, &game, &seen).0.net(), i128::from(net), "{dealer} seen");
    }
}

/// Printed for the face-up card and one to four more: −1.74, +11.57, +35.21, +64.27 % (J. Grosjean). Best play gets more, the less is seen
/// the more so: with one or two cards it depends on the player's own cards, which take away those that the dealer needs. Who bets from one
/// hand on for each set of seen ranks, whatever their own cards, comes close to what is printed.
#[test]
fn published_figures_of_stud() {
    let game = StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 100], 2, ace_king());
    let edges: Vec<String> = (0..=4)
        .map(|dealer| {
            let (solution, _): (StudSolution, _) = stud_exact(DeckSpec::FULL, &game, &seeing(dealer));
            solution.expectation().percent(2)
        })
        .collect();
    assert_eq!(edges, ["-5.22%", "-0.62%", "11.97%", "35.26%", "64.28%"]);
    let from_one_hand_on: Vec<String> =
        (2..=4).map(|seen| from_one_hand_on(&game, seen).percent(2)).collect();
    assert_eq!(from_one_hand_on, ["-1.58%", "11.73%", "35.24%"]);
}

/// The expectation of betting from the best lowest hand on, for each multiset of seen ranks.
fn from_one_hand_on(game: &StudGame, seen: usize) -> Fraction {
    type Gains = BTreeMap<[u8; 13], i64>;
    let rows =
        survey_seen(DeckSpec::FULL, game.qualifies_from, seen, |(gains, rounds): &mut (Gains, i64), p| {
            *gains.entry(*p.seen_ranks()).or_default() += p.deals * p.gain(game);
            *rounds += p.deals * p.counts().total();
        });
    // From the highest value down: what betting everything so far gains over folding, and the most that it gained.
    let mut sums: BTreeMap<[u8; 13], (i64, i64)> = BTreeMap::new();
    for (ranks, gain) in rows.iter().rev().flat_map(|(_, (gains, _))| gains) {
        let (sum, most) = sums.entry(*ranks).or_default();
        *sum += gain;
        *most = (*most).max(*sum);
    }
    let rounds: i64 = rows.iter().map(|(_, (_, rounds))| rounds).sum();
    Fraction::new(sums.values().map(|(_, most)| most).sum::<i64>(), rounds) - Fraction::from(1)
}

fn of_family(family: Family) -> &'static Rulebook {
    Rulebook::builtins().iter().find(|book| book.family == family).unwrap()
}

fn ask(rulebook: &Rulebook, seen: Exposed, deals: u64) -> Result<Exposure, ExposureError> {
    let question = ExposureQuestion { seen, ante: None, deals: Some(deals), seed: 3 };
    Exposure::of(&mut Solver::new(), rulebook, question, &|_, _| true)
}

fn worth(rulebook: &Rulebook, seen: Exposed, deals: u64) -> ExposureWorth {
    ask(rulebook, seen, deals).unwrap().worth.unwrap()
}

#[test]
fn simulated_boxes_agree_with_exact_figures() {
    let stud = of_family(Family::Stud);
    // With every card of the dealer's seen the other boxes add nothing: the simulation must find the exact figure.
    let exact = worth(stud, seeing(4), 1);
    let simulated = worth(stud, Exposed { boxes: 2, ..seeing(4) }, 20_000);
    let off = (simulated.main.ev - exact.main.ev).to_f64() / simulated.main.standard_error.unwrap();
    assert!(off.abs() < 4.0, "{off} standard errors");
    assert!(exact.main.is_exact() && !simulated.main.is_exact());
    // The same seed gives the same result.
    let again = worth(stud, Exposed { boxes: 2, ..seeing(4) }, 20_000);
    assert_eq!(simulated.main.ev, again.main.ev);
}

#[test]
fn more_is_never_worth_less() {
    let stud = of_family(Family::Stud);
    let evs: Vec<Fraction> = (0..=4).map(|dealer| worth(stud, seeing(dealer), 1).main.ev).collect();
    assert!(evs.windows(2).all(|pair| pair[0] < pair[1]));
    let nothing = worth(stud, seeing(0), 1);
    assert_eq!(nothing.gain, Fraction::ZERO);
    let marked = Exposed { ranks: Some("ACE-KING".parse().unwrap()), ..Exposed::default() };
    assert_eq!(ask(stud, marked, 1).unwrap().seen.dealer, 4);
    let marked = worth(stud, marked, 1);
    assert!(evs[0] < marked.main.ev && marked.main.ev < evs[4]);
}

#[test]
fn refused_before_any_work() {
    let (stud, holdem) = (of_family(Family::Stud), of_family(Family::Holdem));
    let refused = |book: &Rulebook, seen: Exposed| ask(book, seen, 1).unwrap_err().to_string();
    assert!(refused(stud, seeing(5)).starts_with("5 of the dealer's face-down cards"));
    assert!(refused(holdem, seeing(3)).ends_with("so give 1 to 2"));
    assert!(refused(stud, Exposed { turn: true, ..seeing(0) }).contains("no community cards"));
    assert!(refused(holdem, Exposed { flop: 4, ..seeing(0) }).contains("it has 3"));
    assert!(refused(stud, Exposed { boxes: 7, ..seeing(0) }).contains("other boxes"));
    assert!(refused(holdem, seeing(0)).starts_with("state what is seen"));
    assert!(matches!(ask(stud, Exposed { boxes: 1, ..seeing(0) }, 1), Err(ExposureError::TooFewDeals(1))));
}

/// Stopped before anything is counted, it says what the round is worth without the knowledge and nothing of the gain.
#[test]
fn stopped_before_anything_is_counted() {
    let (stud, holdem) = (of_family(Family::Stud), of_family(Family::Holdem));
    let mut solver = Solver::new();
    for (book, seen) in [
        (holdem, seeing(2)),
        (holdem, Exposed { river: true, ..seeing(0) }),
        (holdem, Exposed { boxes: 3, ..seeing(0) }),
        (stud, Exposed { boxes: 3, ..seeing(1) }),
    ] {
        let question = ExposureQuestion { seen, ante: None, deals: None, seed: 1 };
        let stopped = Exposure::of(&mut solver, book, question, &|_, _| false).unwrap();
        assert!(stopped.worth.is_none() && stopped.base.is_exact(), "{seen:?}");
    }
}
