//! Advice compared with the real settlement of every remaining deal.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use baize_cards::{Card, CardSet};
use baize_jackpot::{Meter, pay};
use baize_odds::advice::{Action, Advice, AdviceError, Seen, Stakes};
use baize_odds::{DeckSpec, Fraction, Solver};
use baize_rules::{Area, BoxNumber, Money, Rulebook};
use baize_table::{BoxStanding, BoxWagers, Settings, Terms, judge, settle_box};

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

const ANTE: Money = Money::from_dollars(50);
const WAGER: Money = Money::from_dollars(5);
const METER: Money = Money::from_dollars(123_456);

fn with_jackpot() -> Stakes {
    Stakes { ante: Some(ANTE), jackpot_wager: Some(WAGER), meter: Some(METER) }
}

fn ev(advice: &Advice, action: Action) -> Fraction {
    advice.decisions.iter().find(|decision| decision.action == action).unwrap().ev
}

/// The net result of a box in cents, jackpot paid: by the settlement and the jackpot themselves.
fn settled(
    book: &Rulebook,
    board: &[Card],
    dealer: &[Card],
    hand: &[Card],
    raises: &[Area],
    folded: bool,
) -> i64 {
    let terms = Terms::from(&Settings::usual(book));
    let mut stakes = [Money::ZERO; Area::COUNT];
    stakes[Area::Ante.index()] = ANTE;
    stakes[Area::Jackpot.index()] = WAGER;
    for area in raises {
        let times = book.decisions[book.decision(*area).unwrap()].times_ante;
        stakes[area.index()] = ANTE.times(times).unwrap();
    }
    let standing = if folded { BoxStanding::Folded(book.settlement.fold) } else { BoxStanding::Plays };
    let wagers = BoxWagers { seat: BoxNumber(1), stakes, cards: hand, standing };
    let lines = settle_box(book, &terms, &judge(book, board, dealer), &wagers).unwrap();
    let net: Money = lines.lines.iter().map(|line| line.net()).sum();
    let award: Money = lines.claim.map_or(Money::ZERO, |claim| {
        let mut meter = Meter::new(METER, Money::from_dollars(1000));
        pay(&book.jackpot, &book.readings, &mut meter, WAGER, &[claim]).unwrap()[0].amount
    });
    (net + award).cents()
}

fn pairs(left: CardSet) -> impl Iterator<Item = [Card; 2]> {
    let left: Vec<Card> = left.iter().collect();
    (0..left.len()).flat_map(move |n| {
        let left = left.clone();
        (0..n).map(move |m| [left[m], left[n]])
    })
}

#[test]
fn a_turn_position_is_what_the_settlement_pays_on_average() {
    // Four to a royal flush, so that the jackpot matters.
    let (hole, four) = (cards("Ah Kh"), cards("Qh Jh 4s 4d"));
    let seen: CardSet = hole.iter().chain(&four).copied().collect();
    let left = DeckSpec::FULL.cards().difference(seen);
    for book in Rulebook::builtins().iter().filter(|book| book.board_size() == 5) {
        let (mut check, mut river, mut deals) = (0i64, 0i64, 0i64);
        for card in left.iter() {
            let board: Vec<Card> = four.iter().copied().chain([card]).collect();
            for dealer in pairs(left.without(card)) {
                check += settled(book, &board, &dealer, &hole, &[Area::Flop, Area::Turn], false);
                river += settled(book, &board, &dealer, &hole, &[Area::Flop, Area::Turn, Area::River], false);
                deals += 1;
            }
        }
        assert_eq!(deals, 46 * 990);
        let position = Seen { cards: hole.clone(), up: None, board: four.clone(), turn_wagered: true };
        let advice = Advice::of(&mut Solver::new(), book, &position, with_jackpot()).unwrap();
        let in_antes = |sum: i64| Fraction::new(sum, i128::from(deals) * i128::from(ANTE.cents()));
        // The settlement rounds an award up to the cent; here every share of the meter is whole cents.
        assert_eq!(ev(&advice, Action::Check), in_antes(check), "{}", book.id);
        assert_eq!(ev(&advice, Action::River), in_antes(river), "{}", book.id);
        assert_eq!(advice.best, Action::River);
    }
}

#[test]
fn a_stud_position_is_what_the_settlement_pays_on_average() {
    let (hand, up) = (cards("Ah Kd Qc Js 3h"), cards("Jh")[0]);
    let seen: CardSet = hand.iter().copied().chain([up]).collect();
    let left = DeckSpec::FULL.cards().difference(seen);
    for book in Rulebook::builtins().iter().filter(|book| book.board_size() == 0) {
        let (mut bet, mut deals) = (0i64, 0i64);
        for one in pairs(left) {
            let rest: CardSet = left.iter().filter(|card| *card > one[1]).collect();
            for other in pairs(rest) {
                let dealer = [up, one[0], one[1], other[0], other[1]];
                bet += settled(book, &[], &dealer, &hand, &[Area::Bet], false);
                deals += 1;
            }
        }
        assert_eq!(deals, 163_185);
        let position = Seen { cards: hand.clone(), up: Some(up), ..Seen::default() };
        let advice = Advice::of(&mut Solver::new(), book, &position, with_jackpot()).unwrap();
        assert_eq!(
            ev(&advice, Action::Bet),
            Fraction::new(bet, i128::from(deals) * i128::from(ANTE.cents()))
        );
        let fold = settled(book, &[], &[], &hand, &[], true);
        assert_eq!(ev(&advice, Action::Fold), Fraction::new(fold, ANTE.cents()));
    }
}

#[test]
fn a_fold_that_forfeits_an_award_is_worth_less() {
    // A flush pays 100 where a fold wins nothing; where a fold keeps everything it makes no difference.
    let (hand, up) = (cards("2h 4h 6h 8h 9h"), cards("As")[0]);
    for book in Rulebook::builtins().iter().filter(|book| book.board_size() == 0) {
        let position = Seen { cards: hand.clone(), up: Some(up), ..Seen::default() };
        let alone = Advice::of(&mut Solver::new(), book, &position, Stakes::default()).unwrap();
        let both = Advice::of(&mut Solver::new(), book, &position, with_jackpot()).unwrap();
        let forfeits = book.jackpot.after_fold.value == baize_rules::AfterFold::Nothing;
        assert_eq!(both.gain() - alone.gain(), if forfeits { Fraction::from(2) } else { Fraction::ZERO });
    }
}

#[test]
fn before_the_flop_it_is_the_starting_hand() {
    let book = Rulebook::builtins().iter().find(|book| book.board_size() == 5).unwrap();
    let mut solver = Solver::new();
    let of = |solver: &mut Solver, hole: &str| {
        let position = Seen { cards: cards(hole), ..Seen::default() };
        Advice::of(solver, book, &position, Stakes::default()).unwrap()
    };
    let worst = of(&mut solver, "7c 2d");
    assert_eq!((worst.best, ev(&worst, Action::Fold)), (Action::Fold, Fraction::from(-1)));
    let aces = of(&mut solver, "Ac Ad");
    assert_eq!(aces.best, Action::Flop);
    assert!(ev(&aces, Action::Flop) > Fraction::from(2));
}

#[test]
fn positions_that_are_none() {
    let stud = Rulebook::builtins().iter().find(|book| book.board_size() == 0).unwrap();
    let holdem = Rulebook::builtins().iter().find(|book| book.board_size() == 5).unwrap();
    let check =
        |book: &Rulebook, hand: &str, up: Option<&str>, board: &str, stakes: Stakes, wanted: AdviceError| {
            let up = up.map(|up| cards(up)[0]);
            let seen = Seen { cards: cards(hand), up, board: cards(board), turn_wagered: false };
            assert_eq!(Advice::of(&mut Solver::new(), book, &seen, stakes), Err(wanted));
        };
    let none = Stakes::default();
    let five = "Ah Kd Qc Js 3h";
    check(stud, "Ah Kd", Some("2c"), "", none, AdviceError::Hand { family: "stud", wanted: 5, found: 2 });
    check(stud, five, None, "", none, AdviceError::NoUpCard);
    check(stud, five, Some("Kd"), "", none, AdviceError::Repeated(cards("Kd")[0]));
    check(stud, five, Some("2c"), "3c", none, AdviceError::Board { family: "stud" });
    check(holdem, "Ah Kd", Some("2c"), "", none, AdviceError::UpCard { family: "hold'em" });
    for board in ["2c", "2c 3c", "2c 3c 4c 5c 6c"] {
        let found = cards(board).len();
        check(holdem, "Ah Kd", None, board, none, AdviceError::BoardSize { found });
    }
    check(holdem, "Ah Kd", None, "2c 3c Kd", none, AdviceError::Repeated(cards("Kd")[0]));
    let half = Stakes { jackpot_wager: Some(WAGER), ..none };
    let missing = "the ante and the meter".to_owned();
    check(holdem, "Ah Kd", None, "", half, AdviceError::HalfJackpot { missing });
}
