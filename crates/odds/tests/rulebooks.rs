//! The five games as their rulebooks say them, and rulebooks that make no sense.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use baize_cards::{HandClass, HandValue};
use baize_odds::GameError;
use baize_odds::holdem::HoldemGame;
use baize_odds::stud::StudGame;
use baize_rules::{Area, Family, Fate, Money, Qualification, Rulebook};

fn of_family(family: Family) -> Vec<&'static Rulebook> {
    Rulebook::builtins().iter().filter(|rulebook| rulebook.family == family).collect()
}

#[test]
fn hold_em_games_are_one_game_to_the_solver() {
    let games = of_family(Family::Holdem);
    assert_eq!(games.len(), 3);
    for rulebook in games {
        assert_eq!(HoldemGame::from_rulebook(rulebook, None).unwrap(), HoldemGame::new(HandClass::Straight));
        assert!(matches!(StudGame::from_rulebook(rulebook, None), Err(GameError::Family { .. })));
    }
}

#[test]
fn stud_games_are_one_game_to_the_solver() {
    let ace_king = HandValue::of("As Kd 4c 3h 2s".parse().unwrap()).ok();
    let expected = StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 250], 2, ace_king);
    let games = of_family(Family::Stud);
    assert_eq!(games.len(), 2);
    for rulebook in games {
        assert_eq!(StudGame::from_rulebook(rulebook, None).unwrap(), expected);
        assert!(matches!(HoldemGame::from_rulebook(rulebook, None), Err(GameError::Family { .. })));
    }
}

#[test]
fn an_ante_in_cents_brings_the_maximum_payout() {
    let capped = Rulebook::builtin("rws-casino-stud").unwrap();
    let royal = |dollars: i32| {
        let game = StudGame::from_rulebook(capped, Some(Money::from_dollars(dollars))).unwrap();
        (game.scale, game.net[1][HandClass::RoyalFlush as usize])
    };
    // 250 to 1 on twice the ante, and the ante: 501 antes.
    assert_eq!(royal(100), (10_000, 5_010_000));
    // 250 to 1 on 600 would be 150,000: the winnings on the bet stop at 100,000.
    assert_eq!(royal(300), (30_000, 10_030_000));
    let open = Rulebook::builtin("mbs-megalink-stud").unwrap();
    let game = StudGame::from_rulebook(open, Some(Money::from_dollars(300))).unwrap();
    assert_eq!(game.net[1][HandClass::RoyalFlush as usize], 15_030_000);
    assert_eq!(StudGame::from_rulebook(open, Some(Money::ZERO)), Err(GameError::Ante(Money::ZERO)));
}

#[test]
fn other_qualifications() {
    let mut rulebook = Rulebook::builtin("mbs-megalink-stud").unwrap().clone();
    let mut from = |qualification| {
        rulebook.qualification.as_mut().unwrap().value = qualification;
        StudGame::from_rulebook(&rulebook, None).map(|game| game.qualifies_from)
    };
    let value = |cards: &str| HandValue::of(cards.parse().unwrap()).unwrap();
    assert_eq!(from(Qualification::Class(HandClass::OnePair)), Ok(Some(value("2c 2d 5h 4s 3c"))));
    let ranks = |high, low| Qualification::TwoCards((high, low));
    use baize_cards::Rank::{Five, Four, King, Queen, Seven, Six};
    assert_eq!(from(ranks(Queen, King)), Ok(Some(value("Kc Qd 4h 3s 2c"))));
    assert_eq!(
        from(ranks(Six, Five)),
        Err(GameError::Qualification { id: "mbs-megalink-stud".into(), high: "Six", low: "Five" })
    );
    assert_eq!(from(ranks(Seven, Five)), Ok(Some(value("7c 5d 4h 3s 2c"))));
    assert!(from(ranks(Four, Four)).is_err());
}

#[test]
fn a_raise_of_zero_is_an_error() {
    let mut rulebook = Rulebook::builtin("mbs-holdem-bonus").unwrap().clone();
    rulebook.decisions[1].times_ante = 0;
    let error = HoldemGame::from_rulebook(&rulebook, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "mbs-holdem-bonus: the turn wager is 0 times the ante, so there is nothing to decide"
    );
    rulebook.decisions.truncate(2);
    let error = HoldemGame::from_rulebook(&rulebook, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "mbs-holdem-bonus: decisions should be flop or fold, turn or check, river or check, but the rulebook has \
         flop or fold, turn or check"
    );
}

#[test]
fn a_choice_that_is_never_better_or_never_worse_is_an_error() {
    let mut rulebook = Rulebook::builtin("mbs-holdem-bonus").unwrap().clone();
    let mut no_river = rulebook.clone();
    no_river.settlement.higher.fates[Area::River.index()].as_mut().unwrap().value = Fate::StandsOff;
    assert_eq!(
        HoldemGame::from_rulebook(&no_river, None).unwrap_err().to_string(),
        "mbs-holdem-bonus: the river wager decides nothing: it can never gain"
    );
    rulebook.settlement.lower.fates[Area::Turn.index()].as_mut().unwrap().value = Fate::Returned;
    assert_eq!(
        HoldemGame::from_rulebook(&rulebook, None).unwrap_err().to_string(),
        "mbs-holdem-bonus: the turn wager decides nothing: it can never lose"
    );
    let mut stud = Rulebook::builtin("rws-casino-stud").unwrap().clone();
    stud.settlement.fold_loses.clear();
    stud.settlement.not_qualified.as_mut().unwrap().fates[Area::Ante.index()].as_mut().unwrap().value =
        Fate::Returned;
    stud.settlement.higher = stud.settlement.equal.clone();
    assert!(matches!(
        StudGame::from_rulebook(&stud, None),
        Err(GameError::NoDecision { area: Area::Bet, always: false, .. })
    ));
}
