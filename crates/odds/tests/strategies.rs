//! Ways to play: published costs, the small language, and what it refuses.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use baize_cards::HandClass;
use baize_odds::analysis::{Effect, GameAnalysis, Question, StrategyCost};
use baize_odds::strategy::{Strategy, StrategyError};
use baize_odds::{Fraction, Solver};
use baize_rules::{Family, Fate, Money, Rulebook};

/// A built-in stud game with a royal flush at 100 to 1, for which figures are published.
fn royal_100() -> Rulebook {
    let mut rulebook = Rulebook::builtins().iter().find(|book| book.family == Family::Stud).unwrap().clone();
    for fate in rulebook.settlement.higher.fates.iter_mut().flatten() {
        if let Fate::PaysByHand(table) = &mut fate.value {
            table.0[HandClass::RoyalFlush as usize].win = 100;
        }
    }
    rulebook
}

#[test]
fn stud_strategies_cost_what_is_published() {
    let (mut solver, rulebook) = (Solver::new(), royal_100());
    let analysis = GameAnalysis::new(&mut solver, &rulebook, Question::default()).unwrap();
    assert_eq!(analysis.main.ev.numerator, "-1041372912372");
    assert_eq!(analysis.main.ev.denominator, "19933230517200");
    for (name, net) in [
        ("ace-king-jack", "-1059715400580"),
        ("raise: A-K-J-8-3+", "-1059715400580"),
        ("raise: pair+ or A-K-J-8-3+", "-1059715400580"),
        ("pair", "-1090272101460"),
        ("raise: one-pair+", "-1090272101460"),
        ("bet: always", "-3310360338060"),
        ("raise: best", "-1041372912372"),
        ("best", "-1041372912372"),
    ] {
        let strategy = Strategy::read(Family::Stud, name).unwrap();
        let cost = StrategyCost::of(&mut solver, &rulebook, None, name, &strategy).unwrap();
        assert_eq!(cost.ev.numerator, net, "{name}");
        assert_eq!(cost.cost, analysis.main.ev.value - cost.ev.value);
    }
    // Never to bet loses the ante, always.
    let never = Strategy::read(Family::Stud, "raise: never").unwrap();
    let cost = StrategyCost::of(&mut solver, &rulebook, None, "never", &never).unwrap();
    assert_eq!(cost.house_edge, Fraction::from(1));
}

#[test]
fn hold_em_strategies_and_effects() {
    let mut solver = Solver::new();
    let rulebook = Rulebook::builtins().iter().find(|book| book.family == Family::Holdem).unwrap();
    let analysis = GameAnalysis::new(&mut solver, rulebook, Question::default()).unwrap();
    let mut cost = |text: &str| {
        let strategy = Strategy::read(Family::Holdem, text).unwrap();
        StrategyCost::of(&mut solver, rulebook, None, text, &strategy).unwrap()
    };
    assert_eq!(cost("fold: 23o-27o; turn: best; river: best").cost, Fraction::ZERO);
    assert_eq!(cost("turn: best").cost, Fraction::ZERO);
    // Player and dealer are alike, so that wagers placed blindly win and lose the same: only the ante costs.
    let (always, never) = (cost("always"), cost("stay-and-check"));
    assert_eq!(always.ev.value, never.ev.value);
    assert!(always.std_dev > never.std_dev);
    assert!(cost("simple").cost < cost("own-pair").cost);
    // Folding everything loses the ante.
    assert_eq!(cost("fold: all").house_edge, Fraction::from(1));

    let effects = Effect::all(&mut solver, rulebook, Question::default(), &analysis).unwrap();
    let edge = |change: &str| effects.iter().find(|effect| effect.change == change).unwrap().house_edge;
    // With the ante paid on every winning hand, blind play is fair; best play is better than that.
    assert!(edge("ante paid on every winning hand") < Fraction::ZERO);
    assert!(edge("ante paid from Flush") > analysis.main.house_edge);
    assert!(edge("ante paid from Three of a Kind") < analysis.main.house_edge);
    assert_eq!(
        edge("bonus pays 4 to 1 for 10-10 to 2-2"),
        Fraction::new(13873, 162_435) - Fraction::new(9, 221)
    );
}

#[test]
fn one_change_is_what_the_changed_rulebook_says() {
    let mut solver = Solver::new();
    let rulebook = royal_100();
    let analysis = GameAnalysis::new(&mut solver, &rulebook, Question::default()).unwrap();
    let effects = Effect::all(&mut solver, &rulebook, Question::default(), &analysis).unwrap();
    let effect = effects.iter().find(|effect| effect.change == "dealer qualifies with a pair").unwrap();
    let mut changed = rulebook.clone();
    changed.qualification.as_mut().unwrap().value = "one-pair".parse().unwrap();
    let again = GameAnalysis::new(&mut solver, &changed, Question::default()).unwrap();
    assert_eq!(effect.house_edge, again.main.house_edge);
    assert_eq!(effect.difference, again.main.house_edge - analysis.main.house_edge);
}

#[test]
fn what_is_no_strategy() {
    let error = |family, text: &str| Strategy::read(family, text).unwrap_err();
    let unknown = error(Family::Stud, "brave");
    assert!(matches!(unknown, StrategyError::Unknown { .. }));
    for named in Strategy::named(Family::Stud) {
        assert!(unknown.to_string().contains(named.name));
    }
    for (family, text) in [
        (Family::Stud, "raise: par+"),
        (Family::Stud, "raise: pair"),
        (Family::Stud, "raise:"),
        (Family::Stud, "raise: A-5-4-3-2+"),
        (Family::Stud, "raise: K-A+"),
        (Family::Stud, "raise: pair+ if up"),
        (Family::Stud, "raise: pair+ if up 1-3"),
        (Family::Stud, "turn: pair+"),
        (Family::Stud, "raise: pair+; raise: always"),
        (Family::Holdem, "raise: pair+"),
        (Family::Holdem, "fold: 23"),
        (Family::Holdem, "fold: 23o-45o"),
        (Family::Holdem, "turn: own"),
        (Family::Holdem, "turn: high 1+"),
        (Family::Holdem, "river: flush-draw"),
    ] {
        assert!(Strategy::read(family, text).is_err(), "{text}");
    }
    for family in [Family::Stud, Family::Holdem] {
        for named in Strategy::named(family) {
            assert!(Strategy::read(family, named.name).is_ok());
        }
    }
}

#[test]
fn large_amounts_are_exact_too() {
    // Every figure with an odd ante near the largest, where maximum payouts make amounts that do not cancel.
    let mut solver = Solver::new();
    for rulebook in Rulebook::builtins() {
        let question = Question {
            ante: Some(Money::from_cents(765_432_199)),
            jackpot_wager: Some(Money::from_cents(99_999_999)),
            meter: Some(Money::from_cents(987_654_321_987)),
        };
        let analysis = GameAnalysis::new(&mut solver, rulebook, question).unwrap();
        let deviation: f64 = analysis.main.std_dev.parse().unwrap();
        assert!((1.0..10.0).contains(&deviation), "{}: {deviation}", rulebook.id);
        let joint = analysis.joint.unwrap();
        assert!(joint.ev >= joint.ev_of_main_play);
    }
}
