//! The simulation against the exact figures, and against itself on other numbers of threads.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use baize_odds::Solver;
use baize_odds::simulation::{JackpotPlan, Plan, SimulationError, SimulationResult, simulate};
use baize_odds::strategy::Strategy;
use baize_rules::{Area, Family, Money, Percent, Rulebook};
use baize_table::Limits;

fn plan<'a>(rulebook: &'a Rulebook, strategy: &'a Strategy) -> Plan<'a> {
    Plan {
        rulebook,
        rounds: 60_000,
        seed: 2024,
        boxes: 3,
        strategy,
        ante: Money::from_dollars(25),
        bonus: None,
        jackpot: None,
        ante_limits: None,
        bonus_limits: None,
    }
}

fn played(solver: &mut Solver, plan: &Plan<'_>, threads: usize) -> SimulationResult {
    simulate(solver, plan, threads, |_| true).unwrap()
}

fn json(result: &SimulationResult) -> String {
    serde_json::to_string(result).unwrap()
}

fn jackpot() -> JackpotPlan {
    JackpotPlan {
        wager: Money::from_dollars(5),
        meter: Money::from_dollars(200_000),
        reset: Money::from_dollars(100_000),
        rate: Percent::from_hundredths(2_000),
    }
}

#[test]
fn every_game_agrees_with_its_exact_figures() {
    let mut solver = Solver::new();
    for rulebook in Rulebook::builtins() {
        let named = Strategy::named(rulebook.family);
        for name in [named[0].name, named[1].name] {
            let strategy = Strategy::read(rulebook.family, name).unwrap();
            let mut plan = plan(rulebook, &strategy);
            plan.bonus = rulebook.bonus.as_ref().map(|_| Money::from_dollars(5));
            let result = played(&mut solver, &plan, 2);
            assert_eq!(result.settled_boxes, 180_000);
            let estimates = result.decisions.iter().map(|(_, estimate)| estimate);
            for estimate in estimates.chain([&result.main]).chain(&result.bonus) {
                let off = estimate.deviations.unwrap();
                // The seed is fixed: this holds or it does not, and five standard errors would be one in a million.
                assert!(off.abs() < 5.0, "{} {name}: {estimate:?}", rulebook.id);
            }
        }
    }
}

#[test]
fn threads_change_nothing_and_seeds_do() {
    let mut solver = Solver::new();
    let rulebook = Rulebook::builtins().iter().find(|book| book.family == Family::Stud).unwrap();
    let strategy = Strategy::read(Family::Stud, "pair").unwrap();
    let mut plan = plan(rulebook, &strategy);
    plan.jackpot = Some(jackpot());
    let one = json(&played(&mut solver, &plan, 1));
    assert_eq!(one, json(&played(&mut solver, &plan, 2)));
    assert_eq!(one, json(&played(&mut solver, &plan, 5)));
    plan.seed += 1;
    assert_ne!(one, json(&played(&mut solver, &plan, 2)));
}

#[test]
fn the_meter_grows_by_the_wagers_and_falls_by_what_it_pays() {
    let mut solver = Solver::new();
    let mut compared = 0;
    for rulebook in Rulebook::builtins() {
        let strategy = Strategy::read(rulebook.family, "always").unwrap();
        let mut plan = plan(rulebook, &strategy);
        plan.jackpot = Some(jackpot());
        plan.seed = 7;
        let result = played(&mut solver, &plan, 2);
        let found = result.jackpot.unwrap();
        let wagered = 60_000 * 3 * 500;
        let paid: f64 = found.paid_from_meter.parse::<f64>().unwrap() * 100.0;
        let expected = 20_000_000.0 + f64::from(wagered) * 0.2 - paid;
        #[expect(clippy::cast_precision_loss, reason = "small enough")]
        let meter = found.meter.cents() as f64;
        // A reset adds what the meter lacks: with this seed hardly any is won.
        if found.resets == 0 {
            assert!((meter - expected).abs() <= 1.0, "{}: {meter} {expected}", rulebook.id);
            compared += 1;
        } else {
            assert!(meter > expected, "{}: {meter} {expected}", rulebook.id);
        }
        let net: f64 =
            result.areas.iter().find(|area| area.area == Area::Jackpot).unwrap().net.parse().unwrap();
        let awards: f64 = found.awards.iter().map(|award| award.paid.parse::<f64>().unwrap()).sum();
        assert!((net - (awards - f64::from(wagered) / 100.0)).abs() < 0.01);
    }
    assert!(compared >= 4);
}

#[test]
fn a_moving_meter_matches_the_return_at_its_mean() {
    let mut solver = Solver::new();
    for rulebook in Rulebook::builtins() {
        let strategy = Strategy::read(rulebook.family, "always").unwrap();
        let mut plan = plan(rulebook, &strategy);
        // All of a large wager goes to the meter: in the end it is a thousand times what it was.
        let (wager, reset, rate) =
            (Money::from_dollars(500), Money::from_dollars(1_000), Percent::from_hundredths(10_000));
        plan.jackpot = Some(JackpotPlan { wager, meter: reset, reset, rate });
        let found = played(&mut solver, &plan, 2).jackpot.unwrap();
        assert!(
            found.mean_meter > Money::from_dollars(2_000)
                && found.mean_meter < found.highest_meter.max(found.meter)
        );
        // A meter that stands still at that mean has the same exact return.
        let rate = Percent::from_hundredths(0);
        plan.jackpot = Some(JackpotPlan { wager, meter: found.mean_meter, reset, rate });
        plan.rounds = 1;
        let still = played(&mut solver, &plan, 1).jackpot.unwrap();
        assert_eq!(found.ev.exact(), still.ev.exact(), "{}: {found:?}", rulebook.id);
    }
}

#[test]
fn an_interrupted_simulation_returns_its_results() {
    let rulebook = Rulebook::builtins().iter().find(|book| book.family == Family::Stud).unwrap();
    let strategy = Strategy::read(Family::Stud, "pair").unwrap();
    let plan = plan(rulebook, &strategy);
    let result = simulate(&mut Solver::new(), &plan, 2, |rounds| rounds == 0).unwrap();
    assert!(result.rounds > 0 && result.rounds < plan.rounds, "{}", result.rounds);
}

#[test]
fn amounts_over_the_maximum_are_returned() {
    let mut solver = Solver::new();
    for rulebook in Rulebook::builtins() {
        let strategy = Strategy::read(rulebook.family, "always").unwrap();
        let at_most = plan(rulebook, &strategy);
        let most = Limits { least: Money::from_dollars(10), most: Money::from_dollars(25) };
        let over = Plan { ante: Money::from_dollars(40), ante_limits: Some(most), ..at_most.clone() };
        let (one, other) = (played(&mut solver, &at_most, 2), played(&mut solver, &over, 2));
        assert_eq!(one.main.mean, other.main.mean, "{}", rulebook.id);
    }
}

#[test]
fn plans_that_make_no_sense() {
    let stud = Rulebook::builtins().iter().find(|book| book.family == Family::Stud).unwrap();
    let strategy = Strategy::read(Family::Stud, "pair").unwrap();
    let good = plan(stud, &strategy);
    let wrong = |plan: Plan<'_>| simulate(&mut Solver::new(), &plan, 1, |_| true).unwrap_err();
    assert_eq!(wrong(Plan { rounds: 0, ..good.clone() }), SimulationError::NoRounds);
    assert_eq!(wrong(Plan { boxes: 8, ..good.clone() }), SimulationError::Boxes { found: 8, most: 7 });
    assert_eq!(wrong(Plan { boxes: 0, ..good.clone() }), SimulationError::Boxes { found: 0, most: 7 });
    let bonus = Some(Money::from_dollars(5));
    assert_eq!(wrong(Plan { bonus, ..good.clone() }), SimulationError::NoBonus(stud.id.clone()));
    let amount = Money::ZERO;
    assert_eq!(
        wrong(Plan { ante: amount, ..good.clone() }),
        SimulationError::Wager { area: Area::Ante, amount }
    );
    let rate = Percent::from_hundredths(10_001);
    let all = JackpotPlan { rate, ..jackpot() };
    assert_eq!(wrong(Plan { jackpot: Some(all), ..good.clone() }), SimulationError::Rate(rate));
    let holdem = Strategy::read(Family::Holdem, "always").unwrap();
    assert!(simulate(&mut Solver::new(), &Plan { strategy: &holdem, ..good }, 1, |_| true).is_err());
}
