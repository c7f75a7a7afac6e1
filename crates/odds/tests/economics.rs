//! Jackpot economics against exact counts, closed forms and simulation through the real payment.
#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a simulation of small numbers"
)]

use baize_jackpot::{Meter, pay};
use baize_odds::Fraction;
use baize_odds::economics::{Economics, HitLevel, Setup, SetupFault, Traffic};
use baize_rules::{BoxNumber, Claim, Money, Percent, Rulebook};

fn game(id: &str) -> &'static Rulebook {
    Rulebook::builtin(id).unwrap()
}

fn setup() -> Setup {
    Setup {
        wager: Money::from_dollars(5),
        reset: Money::from_dollars(100_000),
        rate: "20%".parse().unwrap(),
        reserve: "5%".parse().unwrap(),
        meter: None,
        traffic: Traffic { tables: 10, rounds_per_hour: 40, boxes: 6, take_up: "50%".parse().unwrap() },
    }
}

fn economics(id: &str) -> Economics {
    Economics::new(game(id), setup()).unwrap()
}

#[track_caller]
fn near(found: f64, wanted: f64, relative: f64) {
    assert!((found / wanted - 1.0).abs() < relative, "{found} is not within {relative} of {wanted}");
}

#[test]
fn five_card_awards_come_from_the_hands_of_a_deck() {
    let published = [4, 36, 624, 3_744, 5_108, 10_200];
    for (id, lines) in [("rws-casino-stud", 5), ("mbs-megalink-stud", 6), ("mbs-megalink-holdem", 6)] {
        let found: Vec<Fraction> = economics(id).awards.iter().map(|line| line.probability).collect();
        let wanted: Vec<Fraction> = published[..lines].iter().map(|&n| Fraction::new(n, 2_598_960)).collect();
        assert_eq!(found, wanted, "{id}");
    }
}

#[test]
fn seven_card_awards_come_from_the_hands_of_a_deck() {
    for id in ["rws-progressive-holdem", "mbs-holdem-bonus"] {
        let awards = economics(id).awards;
        let of = |at: usize| awards[at].probability;
        let five = Fraction::new(4, 2_598_960);
        let six = Fraction::new(4 * 47, 20_358_520);
        let seven = Fraction::new(4_324, 133_784_560);
        assert_eq!(of(0), five, "a royal of hole cards and flop");
        assert_eq!(of(1), six - five, "six cards hold one that five did not");
        assert_eq!(of(3), five, "a royal on the board");
        assert_eq!(of(2), seven - six - five, "every other royal has a hole card");
        assert_eq!(of(4), Fraction::new(37_260, 133_784_560));
        assert_eq!(of(6), Fraction::new(224_848, 133_784_560));
        assert_eq!((of(5), of(7)), (Fraction::ZERO, Fraction::ZERO), "the best of seven comes first");
    }
}

#[test]
fn ten_thousand_of_meter_is_worth_nearly_three_cents() {
    for id in ["rws-casino-stud", "mbs-megalink-stud", "mbs-megalink-holdem"] {
        let worth = economics(id).worth;
        assert_eq!(worth.meter_coefficient, Fraction::new(19, 6_497_400));
        let worth_of_ten_thousand = worth.meter_coefficient * Fraction::from(1_000_000);
        assert_eq!(worth_of_ten_thousand.decimal(5), "2.92425");
    }
    // RS: (624 · 500 + 3,744 · 200 + 5,108 · 100) / 2,598,960 = 0.604857…
    let stud = economics("rws-casino-stud");
    assert_eq!(stud.worth.fixed, Fraction::new(624 * 500 + 3_744 * 200 + 5_108 * 100, 2_598_960));
    let even = stud.worth.break_even_meter.unwrap();
    assert_eq!(stud.return_at(even), Fraction::from(1));
}

#[test]
fn the_long_run_adds_up() {
    for rulebook in Rulebook::builtins() {
        let found = economics(&rulebook.id);
        let (meter, house) = (&found.meter, &found.house);
        // What players get: what they get at the mean meter, and what goes in for them, are the same.
        let paid = found.worth.at(meter.mean.unwrap());
        assert_eq!(paid, house.fixed_awards + house.to_meter + house.resets);
        assert_eq!(meter.mean, meter.mean_at_next_hit);
        let funded = Setup { reserve: Percent::ZERO, ..setup() };
        let unfunded = Economics::new(rulebook, funded).unwrap().house;
        assert_eq!(unfunded.by_house_each_reset, Some(Fraction::from(100_000)));
        let spent = house.fixed_awards + house.to_meter + house.to_reserve + house.resets_by_house;
        assert_eq!(house.kept, Fraction::from(5) - spent);
    }
}

#[test]
fn the_self_funding_rate_leaves_the_house_nothing_to_pay() {
    let found = economics("rws-casino-stud");
    // 100,000 / 649,740 of a dollar out of 5.
    assert_eq!(found.house.self_funding_reserve.percent(4), "3.0782%");
    let over = Setup { reserve: Percent::from_hundredths(308), ..setup() };
    let house = Economics::new(game("rws-casino-stud"), over).unwrap().house;
    assert_eq!(house.resets_by_house, Fraction::ZERO);
    assert!(house.reserve_surplus > Fraction::ZERO);
}

#[test]
fn without_smaller_shares_the_meter_at_the_hit_is_geometric() {
    let (start, added, top) = (100_000.0, 1.0, 1.0 / 649_740.0);
    let level = HitLevel { start, added, top, smaller: Vec::new() };
    let found = level.solve().unwrap();
    for (probability, value) in &found.quantiles {
        let wagers = ((1.0 - probability).ln() / (1.0 - top).ln()).ceil();
        near(*value, start + added * wagers, 1e-4);
    }
    near(found.mean, start + added / top, 1e-4);
    near(found.histogram.iter().map(|bin| bin.probability).sum(), 1.0, 1e-9);
}

#[test]
fn the_distribution_has_the_mean_of_the_closed_form() {
    for rulebook in Rulebook::builtins() {
        for (meter, rate) in [(None, "20%"), (Some(1_000_000), "20%"), (Some(1_000), "50%"), (None, "0.5%")] {
            let setup =
                Setup { meter: meter.map(Money::from_dollars), rate: rate.parse().unwrap(), ..setup() };
            let found = Economics::new(rulebook, setup).unwrap();
            let distribution = found.distribution.as_ref().unwrap();
            near(distribution.mean, found.meter.mean_at_next_hit.unwrap().to_f64(), 1e-5);
            assert!(distribution.quantiles.windows(2).all(|pair| pair[0].1 <= pair[1].1));
            let svg = found.picture().unwrap();
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
        }
    }
}

/// A generator of evenly spread numbers: nothing but the spread matters here.
struct Spread(u64);

impl Spread {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Plays wagers through the real meter until the jackpot has been won so often; wagers without a share of the meter are added
/// up and skipped. Says where the meter stood at each win, and what the house paid for resets.
fn play(rulebook: &Rulebook, found: &Economics, wins: usize) -> (Vec<f64>, f64) {
    let setup = found.setup;
    let shares: Vec<(usize, f64)> = (0..found.awards.len())
        .filter(|&at| found.awards[at].share > Fraction::ZERO)
        .map(|at| (at, found.awards[at].probability.to_f64()))
        .collect();
    let any: f64 = shares.iter().map(|(_, probability)| probability).sum();
    let mut spread = Spread(5);
    let mut meter = Meter::new(setup.reset, setup.reset);
    let (mut levels, mut by_house) = (Vec::new(), 0.0);
    while levels.len() < wins {
        let wagers = (spread.unit().max(1e-15).ln() / (1.0 - any).ln()).floor() as i64 + 1;
        meter.contribute(Money::from_cents(setup.wager.cents() * wagers), setup.rate, setup.reserve);
        let mut which = spread.unit() * any;
        let award = shares.iter().find(|(_, probability)| {
            which -= probability;
            which < 0.0
        });
        let award = award.map_or(shares[0].0, |(award, _)| *award);
        let shown = meter.displayed();
        let claim = Claim { seat: BoxNumber(1), award, made: 0, wager: setup.wager, multiple: 1 };
        let paid = pay(&rulebook.jackpot, &rulebook.readings, &mut meter, setup.wager, &[claim]).unwrap();
        if let Some(reset) = paid[0].reset {
            levels.push(shown.cents() as f64 / 100.0);
            by_house += reset.from_house.units() as f64 / 1e6;
        }
    }
    (levels, by_house)
}

#[test]
fn simulation_through_the_real_payment_agrees() {
    const WINS: usize = 10_000;
    for rulebook in Rulebook::builtins() {
        // A reserve rate below the self-funding one, so that the house pays its part.
        let setup = Setup { reserve: "2%".parse().unwrap(), ..setup() };
        let found = Economics::new(rulebook, setup).unwrap();
        let (mut levels, by_house) = play(rulebook, &found, WINS);
        let mean = levels.iter().sum::<f64>() / WINS as f64;
        near(mean, found.meter.mean.unwrap().to_f64(), 0.02);
        // The reserve's part varies by as much as its mean: 10,000 resets leave 2 % of chance.
        near(by_house / WINS as f64, found.house.by_house_each_reset.unwrap().to_f64(), 0.08);
        levels.sort_by(f64::total_cmp);
        for (probability, value) in &found.distribution.as_ref().unwrap().quantiles {
            let below = levels.partition_point(|level| level <= value) as f64 / WINS as f64;
            // Five standard deviations of the share that lies below.
            let spread = 5.0 * (probability * (1.0 - probability) / WINS as f64).sqrt();
            assert!(
                (below - probability).abs() < spread,
                "{}: {below} below the quantile {probability}",
                rulebook.id
            );
        }
    }
}

#[test]
fn bad_setups_are_named() {
    let stud = game("rws-casino-stud");
    let fault = |change: fn(&mut Setup)| {
        let mut setup = setup();
        change(&mut setup);
        Economics::new(stud, setup).unwrap_err()
    };
    assert_eq!(fault(|s| s.wager = Money::ZERO), SetupFault::Wager(Money::ZERO));
    let rates = fault(|s| s.rate = Percent::WHOLE);
    assert_eq!(rates.to_string(), "rate 100% and reserve 5% together are over 100% of the wager");
    assert!(matches!(
        fault(|s| s.reset = Money::from_cents(-1)),
        SetupFault::Amount { which: "reset value", .. }
    ));
    assert!(matches!(fault(|s| s.meter = Some(Money::from_cents(i64::MAX))), SetupFault::Amount { .. }));
    assert_eq!(fault(|s| s.traffic.tables = 0), SetupFault::NobodyPlays);
    assert_eq!(fault(|s| s.traffic.boxes = 9), SetupFault::Boxes { boxes: 9, most: 7 });
    assert!(matches!(fault(|s| s.traffic.take_up = Percent::from_hundredths(10_001)), SetupFault::TakeUp(_)));
}

#[test]
fn a_jackpot_that_nothing_is_added_to_has_no_distribution_but_has_means() {
    let setup = Setup { rate: Percent::ZERO, ..setup() };
    let found = Economics::new(game("rws-casino-stud"), setup).unwrap();
    assert_eq!(found.distribution, None);
    // 10 % draws make it fall: p·R / (p + σ) = 100,000 · 4 / 7.6.
    assert_eq!(found.meter.mean.unwrap().decimal(2), "52631.58");
}
