//! The small values of a rulebook: money, percentages, odds, paragraphs, hole cards, readings.

use baize_cards::{Card, CardSet, HandValue};
use baize_rules::{
    AwardPay, Cites, Money, MoneyError, Odds, OpenPoint, Paragraph, Percent, Qualification, Readings,
    Rulebook, StartingHand, StartingHands,
};
use proptest::prelude::*;

fn cards<const N: usize>(text: &str) -> [Card; N] {
    let cards: Vec<Card> = text.split(' ').map(|card| card.parse().expect("a card")).collect();
    cards.try_into().expect("so many cards")
}

#[test]
fn money_is_read_as_people_write_it() {
    for (text, cents) in [
        ("50", 5_000),
        ("0", 0),
        ("1500.25", 150_025),
        ("1,500.25", 150_025),
        ("1500.5", 150_050),
        ("0.01", 1),
    ] {
        assert_eq!(text.parse(), Ok(Money::from_cents(cents)), "{text}");
    }
    for text in ["", ".", "5.", ".5", "-5", "+5", "1,50", "1,5000", "1 500", "5,", "five", "1e3", "٣"] {
        assert!(matches!(text.parse::<Money>(), Err(MoneyError::NotAnAmount(_))), "{text}");
    }
    assert!(matches!("1.005".parse::<Money>(), Err(MoneyError::FractionOfACent(_))));
    assert_eq!("1,000,000,000,000.01".parse::<Money>(), Err(MoneyError::TooLarge));
    assert_eq!("99999999999999999999999".parse::<Money>(), Err(MoneyError::TooLarge));
    assert_eq!(Money::from_cents(10_000_050).grouped(), "100,000.50");
    assert_eq!(Money::from_cents(-123_456_789).grouped(), "-1,234,567.89");
    assert_eq!(Money::from_cents(14_500).signed(), "+145.00");
    assert_eq!(Money::from_cents(-5).signed(), "-0.05");
    assert_eq!(Money::from_dollars(1).times(u32::MAX).map(Money::cents), Ok(429_496_729_500));
    let most: Money = "1,000,000,000,000".parse().unwrap();
    assert_eq!(most.times(2), Err(MoneyError::TooLarge));
    assert_eq!(most.checked_add(Money::from_cents(1)), Err(MoneyError::TooLarge));
    assert_eq!((-most).checked_sub(Money::from_cents(1)), Err(MoneyError::TooLarge));
}

#[test]
fn percentages_odds_and_awards() {
    for (text, hundredths) in [("100%", 10_000), ("12.5%", 1_250), ("0.25%", 25), ("5%", 500)] {
        let percent: Percent = text.parse().unwrap();
        assert_eq!(percent, Percent::from_hundredths(hundredths));
        assert_eq!(percent.to_string(), text);
    }
    for text in ["", "%", "5", "5 %", "1.234%", ".5%", "5.%", "-5%", "1234567%"] {
        assert!(text.parse::<Percent>().is_err(), "{text}");
    }
    assert_eq!("3 to 2".parse(), Ok(Odds { win: 3, stake: 2 }));
    let even = Odds { win: 1, stake: 1 };
    assert!(Odds { win: 3, stake: 2 }.exceeds(even));
    assert!(!even.exceeds(even));
    // A fraction of a cent is rounded up, in the player's favour.
    assert_eq!(Odds { win: 3, stake: 2 }.pay(Money::from_cents(25)), Ok(Money::from_cents(38)));
    assert_eq!(Odds { win: 20, stake: 1 }.pay(Money::from_dollars(50)), Ok(Money::from_dollars(1_000)));
    for text in ["SGD 1,500.00", "400 for 1", "10%"] {
        assert_eq!(text.parse::<AwardPay>().unwrap().to_string(), text);
    }
    for text in ["$500", "SGD", "SGD -5", "for 1", "0 for 1", "400 to 1", "110"] {
        assert!(text.parse::<AwardPay>().is_err(), "{text}");
    }
}

#[test]
fn paragraphs_and_citations() {
    let paragraph = |text: &str| text.parse::<Paragraph>().unwrap();
    for text in ["3", "3.13", "3.11.2a", "3.3.1.2", "Appendix A"] {
        assert_eq!(paragraph(text).to_string(), text);
    }
    assert_eq!(paragraph("3.11.2 a"), paragraph("3.11.2a"));
    assert_eq!(paragraph("3.11.2.a"), paragraph("3.11.2a"));
    for text in
        ["", "a", ".", "3.", "3..1", "0.1", "3.1.1.1.1", "300.1", "3.A", "Appendix", "Appendix AB", "3.é"]
    {
        assert!(text.parse::<Paragraph>().is_err(), "{text}");
    }
    for (above, cited, covers) in [
        ("3.11", "3.11.2a", true),
        ("3.11.2", "3.11.2a", true),
        ("3.11.2a", "3.11.2a", true),
        ("3.1", "3.11", false),
        ("3.11.2a", "3.11.2", false),
        ("3.11.2a", "3.11.2b", false),
        ("Appendix A", "Appendix B", false),
    ] {
        assert_eq!(paragraph(above).covers(paragraph(cited)), covers, "{above} covers {cited}");
    }
    let cites: Cites = ["3.13", "4.1", "3.13"].into_iter().map(paragraph).collect();
    assert_eq!(cites.to_string(), "3.13, 4.1");
    assert_eq!(cites.first(), Some(paragraph("3.13")));
    assert!(cites.includes(paragraph("4")) && !cites.includes(paragraph("4.1.1")));
    assert!(Cites::NONE.is_empty());
}

#[test]
fn hole_cards() {
    let all: Vec<StartingHand> = StartingHand::all().collect();
    assert_eq!(all.len(), 169);
    assert!(all.iter().enumerate().all(|(n, hand)| hand.index() == n));
    assert_eq!(all.iter().map(|hand| hand.combinations()).sum::<u32>(), 1_326);
    for hand in &all {
        assert_eq!(hand.to_string().parse(), Ok(*hand));
    }
    let [ace, king] = cards("As Ks");
    assert_eq!(StartingHand::of(king, ace).to_string(), "AKs");
    let pairs: StartingHands = "TT-22".parse().unwrap();
    assert_eq!(pairs.iter().count(), 9);
    assert_eq!("22-TT".parse(), Ok(pairs));
    for text in ["", " ", "A", "AK", "AAs", "AKx", "AKs-AQs", "T T", "11"] {
        assert!(text.parse::<StartingHands>().is_err(), "{text}");
    }
}

/// Every kind of hole cards is paid what the table says, and the bonus hits in 21 of 221 deals.
#[test]
fn the_bonus_line_of_every_pair_of_cards() {
    let rulebook = Rulebook::builtins().iter().find(|r| r.bonus.is_some()).unwrap();
    let bonus = rulebook.bonus.as_ref().unwrap();
    let paid: u32 = StartingHand::all()
        .filter(|hand| bonus.lines.iter().any(|line| line.dealer.is_none() && line.holes.contains(*hand)))
        .map(StartingHand::combinations)
        .sum();
    assert_eq!((paid, 1_326), (21 * 6, 221 * 6));
    let line = |player, dealer| bonus.line(player, dealer).map(|line| line.odds.win);
    let (aces, other_aces) = (cards("As Ah"), cards("Ac Ad"));
    assert_eq!(line(aces, None), Some(30));
    assert_eq!(line(aces, Some(other_aces)), Some(1000));
    assert_eq!(line(aces, Some(cards("Ac Kd"))), Some(30));
    assert_eq!(line(cards("Qs As"), None), Some(20));
    assert_eq!(line(cards("Qs Ah"), None), Some(5));
    assert_eq!(line(cards("Qs Kh"), None), None);
}

#[test]
fn the_dealer_qualifies() {
    let rulebook = Rulebook::builtins().iter().find(|r| r.qualification.is_some()).unwrap();
    let qualifies = |text: &str| {
        let hand: [Card; 5] = cards(text);
        let value = HandValue::of(hand.into_iter().collect::<CardSet>()).unwrap();
        rulebook.qualifies(value)
    };
    assert!(qualifies("As Kd 4c 3h 2s"));
    assert!(qualifies("2s 2d 4c 3h 5s"));
    assert!(qualifies("As 2d 4c 3h 5s"));
    assert!(!qualifies("As Qd Jc 9h 8s"));
    assert!(!qualifies("Ks Qd Jc 9h 8s"));
    for text in ["A-K", "10-9", "one-pair"] {
        assert!(text.parse::<Qualification>().is_ok(), "{text}");
    }
    for text in ["", "A", "A-A", "K-A", "1-2", "pair", "A-K-Q"] {
        assert!(text.parse::<Qualification>().is_err(), "{text}");
    }
}

#[test]
fn every_reading_can_be_chosen_and_is_named() {
    for &point in OpenPoint::ALL {
        let choices = point.readings();
        assert_eq!(
            Some(Readings::default().reading(point)),
            choices.first().map(|(name, _)| *name),
            "{point}"
        );
        for (name, _) in choices {
            let readings = Readings::default().with(point, name).unwrap();
            assert_eq!(readings.reading(point), *name, "{point}");
        }
        let wrong = Readings::default().with(point, "sideways").unwrap_err();
        assert!(choices.iter().all(|(name, _)| wrong.contains(name)), "{wrong}");
        assert_eq!(point.to_string().parse(), Ok(point));
        assert!(point.why().contains("Example: "), "{point}");
    }
    assert!("I-22".parse::<OpenPoint>().is_err());
}

proptest! {
    #[test]
    fn what_is_printed_is_read_again(cents in 0..100_000_000_000_000i64) {
        let money = Money::from_cents(cents);
        prop_assert_eq!(money.to_string().parse(), Ok(money));
        prop_assert_eq!(money.grouped().parse(), Ok(money));
    }

    #[test]
    fn no_text_makes_a_small_value_panic(text in "\\PC{0,12}") {
        let _ = text.parse::<Money>();
        let _ = text.parse::<Percent>();
        let _ = text.parse::<Odds>();
        let _ = text.parse::<AwardPay>();
        let _ = text.parse::<Paragraph>();
        let _ = text.parse::<StartingHands>();
        let _ = text.parse::<Qualification>();
    }

    #[test]
    fn odds_never_pay_less_than_their_fraction(win in 1..1000u32, stake in 1..100u32, cents in 0..1_000_000i64) {
        let paid = Odds { win, stake }.pay(Money::from_cents(cents)).unwrap().cents();
        prop_assert!(paid * i64::from(stake) >= cents * i64::from(win));
        prop_assert!((paid - 1) * i64::from(stake) < cents * i64::from(win));
    }
}
