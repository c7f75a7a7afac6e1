//! One table, one round: who is paid what, in which order, and what it does to the meter.

use baize_jackpot::{Meter, PayFault, pay, pay_registered, value_of};
use baize_rules::{BoxNumber, Claim, JackpotRules, Money, OpenPoint, Readings};

use crate::games::{cites, claim, mb, mh, money, ms, rh, rs};

/// Reset value 100,000, wager 5. Each expectation is `(box, amount, from the meter)` in the order of payment.
#[track_caller]
fn check(
    rules: &JackpotRules,
    readings: &[(&str, &str)],
    meter: &str,
    claims: &[Claim],
    expected: &[(u8, &str, &str)],
    after: &str,
) -> Vec<baize_jackpot::Payment> {
    let mut in_force = Readings::default();
    for (point, reading) in readings {
        in_force = in_force.with(point.parse().unwrap(), reading).unwrap();
    }
    let mut meter = Meter::new(money(meter), money("100000"));
    let payments = pay(rules, &in_force, &mut meter, money("5"), claims).unwrap();
    let found: Vec<(u8, Money, Money)> =
        payments.iter().map(|p| (p.seat.0, p.amount, p.from_meter)).collect();
    let wanted: Vec<(u8, Money, Money)> = expected.iter().map(|(s, a, m)| (*s, money(a), money(m))).collect();
    assert_eq!(found, wanted);
    assert_eq!(meter.displayed(), money(after), "the meter afterwards");
    payments
}

const NOTHING: &[(&str, &str)] = &[];

#[test]
fn a_royal_takes_the_jackpot_and_resets_it() {
    let paid = check(&rs(), NOTHING, "250000.37", &[claim(3, 0)], &[(3, "250000.37", "250000.37")], "100000");
    let reset = paid[0].reset.unwrap();
    assert_eq!((reset.to, reset.from_house.floor()), (money("100000"), money("100000")));
    assert_eq!(paid[0].cites, cites("4.2"));
    assert_eq!(paid[0].interpretation, None);
}

#[test]
fn a_straight_flush_takes_a_tenth_rounded_up() {
    let paid = check(&rs(), NOTHING, "250000.01", &[claim(1, 1)], &[(1, "25000.01", "25000.01")], "225000");
    assert_eq!(paid[0].interpretation.map(OpenPoint::code), Some("I-6"));
    check(&rs(), &[("I-6", "down")], "250000.01", &[claim(1, 1)], &[(1, "25000", "25000")], "225000.01");
}

#[test]
fn fixed_awards_leave_the_meter_alone() {
    let claims = [claim(1, 2), claim(2, 3), claim(4, 4)];
    let house = [(1, "500", "0"), (2, "200", "0"), (4, "100", "0")];
    check(&rs(), NOTHING, "250000", &claims, &house, "250000");
    let meter = [(1, "500", "500"), (2, "200", "200"), (4, "100", "100")];
    let paid = check(&rs(), &[("I-10", "all-from-meter")], "250000", &claims, &meter, "249200");
    assert_eq!(paid[0].interpretation.map(OpenPoint::code), Some("I-10"));
    let short = [(1, "500", "500"), (2, "200", "100"), (4, "100", "0")];
    check(&rs(), &[("I-10", "all-from-meter")], "600", &claims, &short, "0");
}

#[test]
fn mh_3_5_3_1_multiplies_straight_to_four_of_a_kind_only() {
    let with = |award, multiple: u32| Claim {
        seat: BoxNumber(1),
        award,
        made: 0,
        wager: money("5").times(multiple).unwrap(),
        multiple,
    };
    for (award, once) in [(2, "2000"), (3, "400"), (4, "200"), (5, "100")] {
        for multiple in 1..=5 {
            let amount = money(once).times(multiple).unwrap().to_string();
            let paid =
                check(&mh(), NOTHING, "250000", &[with(award, multiple)], &[(1, &amount, "0")], "250000");
            assert!(paid[0].cites.includes("3.5.3.1".parse().unwrap()));
            assert_eq!(paid[0].interpretation.map(OpenPoint::code), Some("I-5"));
        }
    }
    check(&mh(), NOTHING, "250000", &[with(1, 5)], &[(1, "25000", "25000")], "225000");
    check(&mh(), NOTHING, "250000", &[with(0, 5)], &[(1, "250000", "250000")], "100000");
    check(&mh(), &[("I-5", "stake-included")], "250000", &[with(2, 2)], &[(1, "3990", "0")], "250000");
    check(&ms(), NOTHING, "250000", &[with(2, 2)], &[(1, "2000", "0")], "250000");
}

#[test]
fn rs_4_5_1_pays_clockwise_each_at_the_value_then_displayed() {
    check(
        &rs(),
        NOTHING,
        "250000",
        &[claim(5, 1), claim(2, 0), claim(7, 0)],
        &[(2, "250000", "250000"), (5, "10000", "10000"), (7, "90000", "90000")],
        "100000",
    );
    let paid = check(
        &rs(),
        NOTHING,
        "250000",
        &[claim(2, 1), claim(1, 1)],
        &[(1, "25000", "25000"), (2, "22500", "22500")],
        "202500",
    );
    assert!(paid.iter().all(|payment| payment.cites.includes("4.5.1".parse().unwrap())));
}

#[test]
fn mh_3_15_1_and_ms_3_15_2_pool_straight_flushes() {
    let two = [claim(4, 1), claim(1, 1)];
    for (rules, paragraph) in [(mh(), "3.15.1"), (ms(), "3.15.2")] {
        let sequential = [(1, "23750", "23750"), (4, "23750", "23750")];
        let paid = check(&rules, NOTHING, "250000", &two, &sequential, "202500");
        // No royal waits for them: nothing but the pool is cited.
        assert!(paid.iter().all(|payment| payment.cites == cites(&format!("4.2 {paragraph}"))));
        assert!(paid.iter().all(|payment| payment.interpretation == Some(OpenPoint::PooledStraightFlush)));
        let reset = [(1, "17500", "12500"), (4, "17500", "12500")];
        check(&rules, &[("I-3", "reset")], "250000", &two, &reset, "225000");
    }
    // 25,000 + 22,500 + 20,250 = 67,750 divided by three, rounded up: a cent more than the draws leaves the meter.
    let three = [claim(1, 1), claim(2, 1), claim(3, 1)];
    let each = [(1, "22583.34", "22583.34"), (2, "22583.34", "22583.34"), (3, "22583.34", "22583.34")];
    check(&mh(), NOTHING, "250000", &three, &each, "182249.98");
    // 25,000 + 2 × 10,000 = 45,000; only the 25,000 lower the meter.
    let each = [(1, "15000", "8333.34"), (2, "15000", "8333.33"), (3, "15000", "8333.33")];
    check(&mh(), &[("I-3", "reset")], "250000", &three, &each, "225000");
}

#[test]
fn ms_3_15_1_pools_royals_with_their_resets() {
    let two = [claim(3, 0), claim(6, 0)];
    let paid = check(
        &ms(),
        NOTHING,
        "250000.01",
        &two,
        &[(3, "175000.01", "175000.01"), (6, "175000.01", "175000.01")],
        "100000",
    );
    assert!(paid.iter().all(|payment| payment.cites == cites("4.2 3.15.1")));
    // Two jackpots were paid, 350,000.01 and a cent of rounding: two resets, and the cent.
    let reset = paid[1].reset.unwrap();
    assert_eq!(paid[0].reset, None);
    assert_eq!(reset.from_house.floor(), money("200000.01"));
}

/// I-18: 10,000.021 and 9,000.018 are rounded up as they are drawn, and so is half of 19,000.05; or half of 19,000.0399 alone.
#[test]
fn i_18_a_pool_is_rounded_at_each_draw_or_once() {
    let two = [claim(1, 1), claim(2, 1)];
    for rules in [mh(), ms()] {
        let each = [(1, "9500.03", "9500.03"), (2, "9500.03", "9500.03")];
        check(&rules, NOTHING, "100000.21", &two, &each, "81000.15");
        let once = [(1, "9500.02", "9500.02"), (2, "9500.02", "9500.02")];
        check(&rules, &[("I-18", "once")], "100000.21", &two, &once, "81000.17");
        // 47,500.00 divides evenly: nothing is rounded.
        let even = [(1, "23750", "23750"), (2, "23750", "23750")];
        check(&rules, &[("I-18", "once")], "250000", &two, &even, "202500");
        // 10% of the meter and of the reset value, 200,000.21 together: 20,000.021, of which each gets half.
        let reset = [(1, "10000.02", "5000.02"), (2, "10000.02", "5000.01")];
        check(&rules, &[("I-18", "once"), ("I-3", "reset")], "100000.21", &two, &reset, "90000.18");
    }
    let royals = [(1, "100000.11", "100000.11"), (2, "100000.11", "100000.11")];
    for reading in ["each-draw", "once"] {
        check(&ms(), &[("I-18", reading)], "100000.21", &[claim(1, 0), claim(2, 0)], &royals, "100000");
    }
}

#[test]
fn a_royal_is_paid_after_the_lower_hands() {
    let claims = [claim(1, 0), claim(2, 1), claim(3, 1), claim(4, 2)];
    let order = [(4, "2000", "0"), (2, "23750", "23750"), (3, "23750", "23750"), (1, "202500", "202500")];
    for (rules, paragraph) in [(mh(), "3.15.2"), (ms(), "3.15.3")] {
        let paid = check(&rules, NOTHING, "250000", &claims, &order, "100000");
        let waits: Vec<bool> = paid.iter().map(|p| p.cites.includes(paragraph.parse().unwrap())).collect();
        assert_eq!(waits, [false, false, false, true], "only the royal waits for lower hands");
    }
    let claims = [claim(1, 2), claim(2, 6), claim(3, 4)];
    let order = [(2, "300", "0"), (3, "1500", "0"), (1, "12500", "12500")];
    for rules in [rh(), mb()] {
        check(&rules, NOTHING, "250000", &claims, &order, "237500");
    }
}

#[test]
fn i_4_clockwise_keeps_the_royal_last_where_the_text_says_so() {
    let all = [("I-10", "all-from-meter"), ("I-4", "clockwise")];
    let claims = [claim(1, 2), claim(2, 6), claim(3, 4)];
    let clockwise = [(1, "12500", "12500"), (2, "300", "300"), (3, "1500", "1500")];
    let paid = check(&rh(), &all, "250000", &claims, &clockwise, "235700");
    assert_eq!(paid[0].interpretation.map(OpenPoint::code), Some("I-4"));
    let royal_last = [(2, "300", "300"), (3, "1500", "1500"), (1, "12410", "12410")];
    check(&mb(), &all, "250000", &claims, &royal_last, "235790");
}

#[test]
fn rh_pays_turn_and_river_royals_their_share_without_a_reset() {
    check(&rh(), NOTHING, "250000", &[claim(1, 1)], &[(1, "62500", "62500")], "187500");
    check(&rh(), NOTHING, "250000", &[claim(1, 2)], &[(1, "12500", "12500")], "237500");
    check(
        &rh(),
        NOTHING,
        "250000",
        &[claim(1, 3), claim(2, 3)],
        &[(1, "10000", "0"), (2, "10000", "0")],
        "250000",
    );
}

#[test]
fn a_fault_pays_the_registered_amount() {
    let registered = |meter: &str, registered: &str, award| {
        let mut meter = Meter::new(money(meter), money("100000"));
        let amount = Some(money(registered));
        let paid =
            pay_registered(&rs(), &Readings::default(), &mut meter, amount, money("5"), &[claim(1, award)])
                .unwrap();
        (paid[0].amount.to_string(), paid[0].from_meter.to_string(), meter.displayed().to_string())
    };
    let strings = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
    // What came in after the fault stays in the meter.
    assert_eq!(registered("250000.00", "249990.00", 0), strings("249990.00", "249990.00", "100010.00"));
    assert_eq!(registered("250000.00", "249990.00", 1), strings("24999.00", "24999.00", "225001.00"));
    // Another table has won in between: the house pays what the meter no longer has.
    assert_eq!(registered("100001.00", "250000.00", 0), strings("250000.00", "100001.00", "100000.00"));
    assert_eq!(registered("20000.00", "250000.00", 1), strings("25000.00", "20000.00", "0.00"));
    // Several winners, each at the registered amount less what the winners before were paid.
    let several = |rules: &JackpotRules, meter: &str, award| {
        let mut meter = Meter::new(money(meter), money("100000"));
        let (amount, two) = (Some(money("250000")), [claim(1, award), claim(2, award)]);
        let paid = pay_registered(rules, &Readings::default(), &mut meter, amount, money("5"), &two).unwrap();
        paid.iter().map(|paid| (paid.amount.to_string(), paid.from_meter.to_string())).collect::<Vec<_>>()
    };
    let pairs =
        |of: [(&str, &str); 2]| of.map(|(amount, from)| (amount.to_owned(), from.to_owned())).to_vec();
    assert_eq!(several(&rs(), "20000", 1), pairs([("25000.00", "20000.00"), ("22500.00", "0.00")]));
    // Pooled royals: 350,000, of which the house pays the 149,999 that the meter lacks.
    assert_eq!(several(&ms(), "100001", 0), pairs([("175000.00", "100000.50"), ("175000.00", "100000.50")]));
}

/// A payment names the open point that decided it, and none if every reading pays the same.
#[test]
fn a_payment_names_the_open_point_that_decided_it() {
    let down = &[("I-6", "down")];
    let paid = check(&rs(), down, "250000", &[claim(1, 1)], &[(1, "25000", "25000")], "225000");
    assert_eq!(paid[0].interpretation, None, "nothing is rounded");
    let from_meter = &[("I-10", "all-from-meter")];
    let paid = check(&rs(), from_meter, "250000", &[claim(1, 2)], &[(1, "500", "500")], "249500");
    assert_eq!(paid[0].interpretation, Some(OpenPoint::PaidBy));
    // A river royal that also counts as a straight flush, which pays more while the meter is low.
    let both = Claim { made: 1 << 2 | 1 << 4, ..claim(1, 2) };
    let paid = check(&rh(), NOTHING, "20000", &[both], &[(1, "1000", "1000")], "19000");
    assert_eq!(paid[0].interpretation, Some(OpenPoint::AwardChoice));
}

#[test]
fn the_value_of_an_award_is_what_a_single_winner_is_paid() {
    for rules in [rs(), rh(), mh()] {
        for award in 0..rules.awards.len() {
            let mut meter = Meter::new(money("123456.78"), money("100000"));
            let shown = meter.displayed();
            let readings = Readings::default();
            let claim = claim(1, award);
            let value = value_of(&rules.awards[award], &readings, shown, money("5"), &claim).unwrap();
            assert_eq!(pay(&rules, &readings, &mut meter, money("5"), &[claim]).unwrap()[0].amount, value);
        }
    }
}

#[test]
fn claims_at_fault_pay_nothing_and_change_nothing() {
    let mut meter = Meter::new(money("250000"), money("100000"));
    let before = meter.clone();
    let mut fault =
        |claims: &[Claim]| pay(&rs(), &Readings::default(), &mut meter, money("5"), claims).unwrap_err();
    assert_eq!(fault(&[claim(1, 1), claim(2, 9)]), PayFault::NoSuchAward { seat: BoxNumber(2), award: 9 });
    assert_eq!(fault(&[claim(1, 1), claim(1, 2)]), PayFault::TwoAwards { seat: BoxNumber(1) });
    assert_eq!(
        fault(&[Claim { wager: Money::ZERO, ..claim(1, 1) }]),
        PayFault::NoWager { seat: BoxNumber(1) }
    );
    assert_eq!(meter, before);
    let huge = Claim { wager: Money::from_cents(99_000_000_000_000), ..claim(1, 2) };
    let fault = pay(&ms(), &Readings::default(), &mut meter, money("5"), &[claim(2, 1), huge]).unwrap_err();
    assert_eq!(fault, PayFault::TooLarge { seat: BoxNumber(1) });
    assert_eq!(meter, before);
}
