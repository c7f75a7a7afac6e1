//! Bonus and jackpot wagers against published figures and brute force.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet, HandClass, HandValue, Rank};
use baize_odds::holdem::{FlopFrom, HoldemGame, HoldemSolution, HoldemTables};
use baize_odds::jackpot::{AwardCounts, AwardSet, HandKind, JackpotStakes, JackpotWorth};
use baize_odds::{BonusSolution, DeckSpec, Fraction, choose};
use baize_rules::{
    AcrossTables, AfterFold, Award, AwardCards, AwardPay, BonusLine, BonusTable, Cited, Cites, JackpotRules,
    Money, Odds, Percent, Readings, StartingHand, WithinTable,
};

fn bonus_line(holes: &str, dealer: Option<&str>, win: u32) -> BonusLine {
    BonusLine {
        name: holes.to_owned(),
        holes: holes.parse().unwrap(),
        dealer: dealer.map(|dealer| dealer.parse().unwrap()),
        odds: Odds { win, stake: 1 },
    }
}

#[test]
fn bonus_figures() {
    let lines = vec![
        bonus_line("AA", Some("AA"), 1000),
        bonus_line("AA", None, 30),
        bonus_line("AKs", None, 25),
        bonus_line("AQs AJs", None, 20),
        bonus_line("AKo", None, 15),
        bonus_line("KK QQ JJ", None, 10),
        bonus_line("AQo AJo", None, 5),
        bonus_line("TT-22", None, 3),
    ];
    let table = BonusTable { lines, cites: Cites::NONE };
    let bonus = BonusSolution::new(DeckSpec::FULL, &table, |_| false).unwrap();
    assert_eq!(bonus.cycle(), choose(52, 2) * choose(50, 2));
    assert_eq!(bonus.expectation(), Fraction::new(-13873, 162_435));
    assert_eq!(bonus.hit_rate(), Fraction::new(21, 221));
}

/// I-1 `lost-with-hand`. A pair of Aces loses to the other two only by a flush in one of the dealer's suits: four cards of it and another, or
/// five of it but for the seven straight flushes that its Ace does not improve; 2 · (C(12, 4) · 36 + C(12, 5) - 7) boards of C(48, 5).
#[test]
fn bonus_lost_with_the_hand() {
    let table = BonusTable {
        lines: vec![bonus_line("AA", Some("AA"), 1000), bonus_line("KK", None, 10)],
        cites: Cites::NONE,
    };
    let by_holes = BonusSolution::new(DeckSpec::FULL, &table, |_| false).unwrap();
    let rounds = |hand: StartingHand| 1_000_000_000 * i64::from(hand.combinations());
    let totals = |hand: StartingHand| (rounds(hand), rounds(hand) / 4);
    let bonus = by_holes.lost_with_hand(DeckSpec::FULL, &table, |_| false, totals);
    let not_lost = 1_712_304 - 2 * (495 * 36 + 792 - 7);
    assert_eq!(bonus.lines, [(1000, 6 * 20 * not_lost), (10, 6 * 750_000_000)]);
    assert_eq!(bonus.cycle(), 1326 * 1_000_000_000);
    let kings = |hand: StartingHand| hand.high() == hand.low() && hand.high() == baize_cards::Rank::King;
    let folding = by_holes.lost_with_hand(DeckSpec::FULL, &table, kings, totals);
    assert_eq!(folding.lines[1].1, 0);
}

fn award(class: HandClass, cards: AwardCards, pays: AwardPay) -> Award {
    Award { name: class.name().to_owned(), class, cards, pays, multiplied: false, cites: Cites::NONE }
}

fn share(percent: u32) -> AwardPay {
    AwardPay::Share(Percent::from_hundredths(percent * 100))
}

fn fixed(dollars: i32) -> AwardPay {
    AwardPay::Fixed(Money::from_dollars(dollars))
}

/// Royal by street, community and best of seven: the pay table of two of the hold'em games.
fn by_street() -> Vec<Award> {
    vec![
        award(HandClass::RoyalFlush, AwardCards::HoleAndFlop, share(100)),
        award(HandClass::RoyalFlush, AwardCards::HoleFlopAndTurn, share(25)),
        award(HandClass::RoyalFlush, AwardCards::SevenWithHole, share(5)),
        award(HandClass::RoyalFlush, AwardCards::Community, fixed(10_000)),
        award(HandClass::StraightFlush, AwardCards::BestOfSeven, fixed(1_500)),
        award(HandClass::StraightFlush, AwardCards::Community, fixed(1_500)),
        award(HandClass::FourOfAKind, AwardCards::BestOfSeven, fixed(300)),
        award(HandClass::FourOfAKind, AwardCards::Community, fixed(300)),
    ]
}

fn five_cards(cards: AwardCards) -> Vec<Award> {
    vec![
        award(HandClass::RoyalFlush, cards, share(100)),
        award(HandClass::StraightFlush, cards, share(10)),
        award(HandClass::FourOfAKind, cards, AwardPay::ForOne(400)),
        award(HandClass::FullHouse, cards, AwardPay::ForOne(80)),
        award(HandClass::Flush, cards, AwardPay::ForOne(40)),
        award(HandClass::Straight, cards, AwardPay::ForOne(20)),
    ]
}

fn rules(awards: Vec<Award>, after_fold: AfterFold) -> JackpotRules {
    JackpotRules {
        awards,
        table: Cites::NONE,
        after_fold: Cited { value: after_fold, cites: Cites::NONE },
        in_addition: Cites::NONE,
        across_tables: Cited { value: AcrossTables::DealtFirst, cites: Cites::NONE },
        within_table: WithinTable {
            clockwise: Cited { value: false, cites: Cites::NONE },
            royals_pooled: None,
            straight_flushes_pooled: None,
        },
        meter: Cites::NONE,
        shown: Cites::NONE,
    }
}

/// The deals whose first award is this one.
fn first(totals: &BTreeMap<AwardSet, i64>, award: usize) -> i64 {
    totals.iter().filter(|(made, _)| made.iter().next() == Some(award)).map(|(_, deals)| deals).sum()
}

#[test]
fn awards_by_street_add_up_to_the_known_numbers_of_hands() {
    let counts = AwardCounts::holdem(DeckSpec::FULL, &by_street());
    let totals = counts.totals();
    // Each set of seven cards is 21 choices of hole cards and 20 orders of the board.
    assert_eq!(counts.cycle(), 133_784_560 * 21 * 20);
    let royals: i64 = (0..4).map(|award| first(&totals, award)).sum();
    assert_eq!(royals, 4_324 * 21 * 20);
    assert_eq!(first(&totals, 4), 37_260 * 21 * 20);
    assert_eq!(first(&totals, 6), 224_848 * 21 * 20);
    // A royal on the flop is four of the 2,598,960 hands; so is one on the board.
    assert_eq!(first(&totals, 0) * 2_598_960, 4 * counts.cycle());
    assert_eq!(first(&totals, 3) * 2_598_960, 4 * counts.cycle());
    // Six cards: 4 · 47 of C(52, 6) have a royal; those with all five among hole cards and flop are paid already, and those where
    // both hole cards are outside it cannot be, as then it is four board cards at most.
    let six = Fraction::new(4 * 47, 20_358_520) - Fraction::new(4, 2_598_960);
    assert_eq!(Fraction::new(first(&totals, 1), counts.cycle()), six);
}

#[test]
fn five_card_awards_are_worth_what_is_published() {
    for (awards, holdem) in
        [(five_cards(AwardCards::HoleAndFlop), true), (five_cards(AwardCards::Hand), false)]
    {
        let counts = if holdem {
            AwardCounts::holdem(DeckSpec::FULL, &awards)
        } else {
            AwardCounts::stud(DeckSpec::FULL, &awards)
        };
        let rules = rules(awards, AfterFold::Everything);
        let stakes = JackpotStakes { wager: Money::from_dollars(5), multiple: 1, meter: Money::ZERO };
        let worth = JackpotWorth::of_kinds(&counts, &rules, &Readings::default(), stakes);
        assert!(worth.iter().all(|worth| worth.stay == worth.fold));
        let overall = JackpotWorth::overall(&counts, &worth, &vec![Fraction::ZERO; worth.len()]);
        assert_eq!(overall.share, Fraction::new(19, 6_497_400));
        // 624 · 400 + 3,744 · 80 + 5,108 · 40 + 10,200 · 20 times the wager, of 2,598,960 hands.
        let times = 624 * 400 + 3_744 * 80 + 5_108 * 40 + 10_200 * 20;
        assert_eq!(overall.fixed, Fraction::new(500 * times, 2_598_960));
    }
}

#[test]
fn a_fold_keeps_what_the_rules_let_it_keep() {
    let counts = AwardCounts::holdem(DeckSpec::FULL, &by_street());
    let stakes =
        JackpotStakes { wager: Money::from_dollars(5), multiple: 1, meter: Money::from_dollars(100_000) };
    let rules = rules(by_street(), AfterFold::CommunityOnly);
    let worth = JackpotWorth::of_kinds(&counts, &rules, &Readings::default(), stakes);
    for (of_kind, worth) in counts.kinds.iter().zip(&worth) {
        assert_eq!(worth.fold.share, Fraction::ZERO);
        assert!(worth.fold.fixed < worth.stay.fixed);
        let HandKind::Hole(hand) = of_kind.kind else { panic!("a hold'em hand") };
        let royal_cards = hand.low() >= Rank::Ten || hand.high() >= Rank::Ten;
        assert_eq!(worth.stay.share > Fraction::ZERO, royal_cards, "{hand}");
    }
    // A player who always folds gets only the community awards, as often as five random cards make them.
    let overall = JackpotWorth::overall(&counts, &worth, &vec![Fraction::from(1); worth.len()]);
    let cents = 100 * (4 * 10_000 + 36 * 1_500 + 624 * 300);
    assert_eq!(overall.fixed, Fraction::new(cents, 2_598_960));
}

#[test]
fn the_meter_turns_a_fold_into_a_flop() {
    // Straight flushes share the jackpot, so that low cards too have something to wait for.
    let mut awards = by_street();
    awards[4].pays = share(10);
    let counts = AwardCounts::holdem(DeckSpec::FULL, &awards);
    let rules = rules(awards, AfterFold::CommunityOnly);
    let game = HoldemGame::new(HandClass::Straight);
    let mut solution = HoldemSolution::optimal(&HoldemTables::new(DeckSpec::FULL, &game), &game);
    let alone = solution.folded;
    let ante = Money::from_dollars(50);
    let stakes = JackpotStakes { wager: Money::from_dollars(5), multiple: 1, meter: Money::ZERO };
    let worth = JackpotWorth::of_kinds(&counts, &rules, &Readings::default(), stakes);
    for hand in StartingHand::all() {
        let from = solution.flop_from(hand, ante, &worth[hand.index()]);
        match from {
            FlopFrom::Always => assert!(!alone[hand.index()], "{hand}"),
            FlopFrom::Never => panic!("every hand can make a straight flush"),
            FlopFrom::Meter(cents) => {
                assert!(alone[hand.index()], "{hand}");
                let whole = i64::try_from(cents.numerator() / cents.denominator()).unwrap();
                solution.fold_with_jackpot(ante, &worth, Money::from_cents(whole));
                assert!(solution.folded[hand.index()], "{hand} at {whole}");
                solution.fold_with_jackpot(ante, &worth, Money::from_cents(whole + 1));
                assert!(!solution.folded[hand.index()], "{hand} over {whole}");
            }
        }
    }
    // With a large jackpot nothing is folded.
    solution.fold_with_jackpot(ante, &worth, Money::from_dollars(1_000_000_000));
    assert_eq!(solution.folded, [false; 169]);
}

/// Every board of a small deck in every order, by brute force.
fn brute_force(deck: DeckSpec, awards: &[Award], hole: CardSet) -> BTreeMap<AwardSet, i64> {
    let class = |cards: CardSet| HandValue::of(cards).unwrap().class();
    let left: Vec<Card> = deck.cards().difference(hole).iter().collect();
    let mut counts = BTreeMap::new();
    for bits in 0u32..1 << left.len() {
        if bits.count_ones() != 5 {
            continue;
        }
        let board: Vec<Card> =
            left.iter().enumerate().filter(|(n, _)| bits >> n & 1 == 1).map(|(_, c)| *c).collect();
        for &river in &board {
            for &turn in board.iter().filter(|turn| **turn != river) {
                let all: CardSet = board.iter().copied().collect();
                let (six, seven) = (hole.union(all.without(river)), hole.union(all));
                let made = awards.iter().enumerate().filter(|(_, award)| match award.cards {
                    AwardCards::HoleAndFlop => class(six.without(turn)) == award.class,
                    AwardCards::HoleFlopAndTurn => class(six) == award.class,
                    AwardCards::SevenWithHole => {
                        class(seven) == award.class && HandValue::of(all) != HandValue::of(seven)
                    }
                    AwardCards::BestOfSeven => class(seven) == award.class,
                    AwardCards::Community => class(all) == award.class,
                    AwardCards::Hand => false,
                });
                *counts.entry(made.fold(AwardSet::NONE, |made, (n, _)| made.with(n))).or_default() += 1;
            }
        }
    }
    counts.remove(&AwardSet::NONE);
    counts
}

#[test]
fn small_decks_agree_with_brute_force() {
    let deck = DeckSpec::of(Rank::ALL[8..].iter().copied());
    let mut common = by_street();
    common.push(award(HandClass::FullHouse, AwardCards::HoleFlopAndTurn, fixed(50)));
    common.push(award(HandClass::Straight, AwardCards::HoleAndFlop, fixed(20)));
    for awards in [by_street(), common] {
        let counts = AwardCounts::holdem(deck, &awards);
        for hole in ["Ac Kc", "Ac Kd", "Tc Td"] {
            let hole: CardSet = hole.parse().unwrap();
            let cards: Vec<Card> = hole.iter().collect();
            let wanted = StartingHand::of(cards[0], cards[1]);
            let found = counts.kinds.iter().find(|of_kind| of_kind.kind == HandKind::Hole(wanted)).unwrap();
            let expected: Vec<(AwardSet, i64)> = brute_force(deck, &awards, hole).into_iter().collect();
            assert_eq!(found.made, expected, "{wanted}");
        }
    }
}
