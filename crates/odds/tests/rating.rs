//! Ratings: the looked-up values against the adviser, who counts every deal, and the test of departures on simulated players.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use baize_cards::Card;
use baize_odds::Solver;
use baize_odds::advice::{Advice, Seen, Stakes};
use baize_odds::coach::CloseDrills;
use baize_odds::rating::{Rater, Sight, Study, StudyPlan};
use baize_odds::{DeckSpec, Fraction};
use baize_rules::{Family, Rulebook};

fn of_family(family: Family) -> &'static Rulebook {
    Rulebook::builtins().iter().find(|book| book.family == family).unwrap()
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

#[test]
fn looked_up_values_are_those_of_the_adviser() {
    let mut rater = Rater::new();
    let mut solver = Solver::new();
    let (stud, holdem) = (of_family(Family::Stud), of_family(Family::Holdem));
    for (book, hand, up, board, turn_wagered) in [
        (stud, "Ah Kd Jc 8s 3h", "4c", "", false),
        (stud, "Ah Kh Qh 9h 2d", "5h", "", false),
        (stud, "2c 2d 3h 4s 5c", "Ac", "", false),
        (stud, "9c 9d 9h 4s 4c", "9s", "", false),
        (holdem, "7c 2d", "", "", false),
        (holdem, "Ah Kh", "", "", false),
        (holdem, "7c 2d", "", "Kh 7d 4s", false),
        (holdem, "9h 8h", "", "Th Jd 2h", false),
        (holdem, "7c 2d", "", "Kh 7d 4s 9s", false),
        (holdem, "9h 8h", "", "Th Jd 2h 2c", true),
    ] {
        let (hand, up, board) = (cards(hand), cards(up).first().copied(), cards(board));
        let sight = Sight { hand: &hand, up, board: &board, turn_wagered };
        let found = rater.choices(book, &sight).unwrap().unwrap();
        let seen = Seen { cards: hand.clone(), up, board: board.clone(), turn_wagered };
        let advice = Advice::of(&mut solver, book, &seen, Stakes::default()).unwrap();
        let values: Vec<Fraction> = advice.decisions.iter().map(|decision| decision.ev).collect();
        assert_eq!(vec![found.instead_value, found.raise_value], values, "{hand:?} {up:?} {board:?}");
        assert_eq!(found.gap(), advice.gain());
        assert!(found.right + found.wrong <= Fraction::from(1));
    }
    let impossible =
        Sight { hand: &cards("Ah Kd Jc 8s 3h"), up: Some(cards("Ah")[0]), board: &[], turn_wagered: false };
    assert!(rater.choices(stud, &impossible).unwrap().is_none());
}

/// The chance that the hidden cards prove a bet right, against a count of all of them.
#[test]
fn chances_are_counted() {
    let stud = of_family(Family::Stud);
    let (hand, up) = (cards("Ah Kd Jc 8s 3h"), cards("4c")[0]);
    let sight = Sight { hand: &hand, up: Some(up), board: &[], turn_wagered: false };
    let choices = Rater::new().choices(stud, &sight).unwrap().unwrap();
    let player = hand.iter().copied().collect::<baize_cards::Hand>().value();
    let left: Vec<Card> =
        DeckSpec::FULL.cards().difference(hand.iter().copied().collect()).without(up).iter().collect();
    let (mut lost, mut all) = (0i64, 0i64);
    for (i, &a) in left.iter().enumerate() {
        for (j, &b) in left.iter().enumerate().skip(i + 1) {
            for (k, &c) in left.iter().enumerate().skip(j + 1) {
                for &d in &left[k + 1..] {
                    let dealer = [up, a, b, c, d].into_iter().collect::<baize_cards::Hand>().value();
                    lost += i64::from(stud.qualifies(dealer) && player < dealer);
                    all += 1;
                }
            }
        }
    }
    assert_eq!(choices.wrong, Fraction::new(lost, all));
    assert_eq!(choices.right, Fraction::new(all - lost, all));
}

#[test]
fn drills_are_close() {
    let mut rater = Rater::new();
    for book in [of_family(Family::Stud), of_family(Family::Holdem)] {
        let mut drills = CloseDrills::new(5);
        for _ in 0..10 {
            let (_, choices) = drills.draw(&mut rater, book, Fraction::new(3, 10)).unwrap();
            assert!(choices.gap() <= Fraction::new(3, 10));
        }
    }
}

#[test]
fn the_test_of_departures_finds_who_sees_a_card_and_spares_the_honest() {
    let plan = StudyPlan {
        honest: 400,
        honest_rounds: 1_000,
        mistakes_percent: 10,
        seeing: 30,
        seeing_rounds: 2_000,
        seeing_percent: 100,
        seed: 11,
    };
    let study = Study::of(&mut Rater::new(), of_family(Family::Stud), plan, &|_, _| true).unwrap();
    assert!(study.accused <= 1, "{study:?}");
    assert!(study.found >= 27, "{study:?}");
}
