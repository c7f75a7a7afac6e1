//! A settled round is undone: its awards are reversed, and the meter is as if they had never been drawn.

use baize_jackpot::{Command, Event, HitState, Parameters, Refusal};
use baize_rules::{BoxNumber, OpenPoint, Percent};

use crate::floor::{Floor, configuration, manager, supervisor};
use crate::games::{claim, mh, money, ms, rh, rs};

#[test]
fn a_royal_that_was_paid_goes_back_and_so_does_its_reset() {
    let mut floor = Floor::still(&rs());
    floor.bets("a", 1, &[1]);
    floor.hand("a", 1, 1, 1);
    let before = floor.jackpot.meter.clone();
    floor.settle("a", 1, &[claim(1, 0)]);
    assert_eq!(floor.paid(), [(1, money("250000"))]);
    floor.shows("100000");
    let events = floor.undo("a", 1);
    let Event::HitReversed { hit: 1, seat: BoxNumber(1), amount, from_meter, paid: true, cites, .. } =
        &events[0]
    else {
        panic!("{events:?}")
    };
    assert_eq!((*amount, *from_meter), (money("250000"), money("250000")));
    assert!(cites.includes("5.8.7".parse().unwrap()));
    assert_eq!(floor.jackpot.meter, before);
    assert!(floor.jackpot.counters.from_house.is_zero() && floor.jackpot.counters.paid_from_meter.is_zero());
    assert!(floor.jackpot.counters.paid_by_house.is_zero());
    assert_eq!((floor.jackpot.counters.wins, floor.jackpot.counters.won), (0, 0));
    assert_eq!(floor.jackpot.counters.reversed, 1);
    assert!(matches!(floor.jackpot.hit(1).unwrap().state, HitState::Reversed { paid: true, .. }));
}

#[test]
fn a_pending_award_goes_back_and_cannot_be_verified() {
    let mut floor = Floor::still(&ms());
    floor.bets("a", 1, &[1]);
    floor.done(Command::SettleRound { table: "a".to_owned(), round: 1, claims: vec![claim(1, 0)] });
    floor.shows("100000");
    floor.undo("a", 1);
    floor.shows("250000");
    assert_eq!(floor.jackpot.contest, None);
    let refusal = floor.refused(&Command::Verify { hit: 1, by: supervisor() });
    assert_eq!(refusal, Refusal::HitSettled { hit: 1 });
}

#[test]
fn what_the_reserve_paid_goes_back_to_it_and_the_contributions_are_taken_out() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("b", 1, &[1, 2]);
    let before = floor.jackpot.meter.clone();
    floor.bets("a", 1, &[1, 2]);
    floor.settle("a", 1, &[claim(1, 0)]);
    assert!(floor.jackpot.meter.reserve().is_zero());
    floor.undo("a", 1);
    assert_eq!(floor.jackpot.meter, before);
    assert_eq!(floor.jackpot.counters.taken_out.to_string(), "2.500000");
}

#[test]
fn a_round_without_an_award_gives_its_contributions_back() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("a", 1, &[1, 2]);
    floor.settle("a", 1, &[]);
    floor.shows("250002");
    floor.undo_hands("a", 1, &[2]);
    floor.shows("250001");
    floor.undo("a", 1);
    floor.shows("250000");
}

#[test]
fn i_11_contributions_stay_when_another_has_won_the_meter_since() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("a", 1, &[1]);
    floor.settle("a", 1, &[claim(1, 1)]);
    assert_eq!(floor.amount(1), money("25000.10"));
    floor.bets("b", 1, &[1]);
    floor.settle("b", 1, &[claim(1, 0)]);
    assert_eq!(floor.amount(2), money("225001.90"));
    let events = floor.undo("a", 1);
    assert!(
        events.iter().any(|event| matches!(event, Event::Kept { seat: BoxNumber(1), won_since: true, .. }))
    );
    assert_eq!(floor.amount(2), money("225001.90"), "what others were paid stands");
    floor.shows("125000.10");
}

#[test]
fn ms_3_15_2_who_is_left_of_a_pool_gets_his_share_alone() {
    let mut floor = Floor::still(&ms());
    floor.bets("a", 1, &[1, 2]);
    floor.settle("a", 1, &[claim(1, 1), claim(2, 1)]);
    assert_eq!([1, 2].map(|hit| floor.amount(hit)), [money("23750"), money("23750")]);
    floor.undo_hands("a", 1, &[1]);
    assert_eq!(floor.amount(2), money("25000"));
    floor.shows("225000");
    let payment = floor.jackpot.hit(2).unwrap().payment.clone().unwrap();
    assert!(!payment.cites.includes("3.15.2".parse().unwrap()), "nothing is pooled any more");
    assert!(!payment.cites.includes("3.14".parse().unwrap()), "no other table had a winner");
    floor.undo("a", 1);
    floor.shows("250000");
}

#[test]
fn rs_4_5_1_the_second_royal_becomes_the_first() {
    let mut floor = Floor::still(&rs());
    floor.bets("a", 1, &[1, 2]);
    floor.hand("a", 1, 1, 1);
    floor.hand("a", 1, 2, 2);
    floor.settle("a", 1, &[claim(1, 0), claim(2, 0)]);
    assert_eq!(floor.paid(), [(1, money("250000")), (2, money("100000"))]);
    floor.undo_hands("a", 1, &[1]);
    assert_eq!(floor.amount(2), money("250000"));
    floor.shows("100000");
    assert_eq!(floor.jackpot.counters.won, 1);
}

#[test]
fn fixed_awards_come_back_from_the_player_and_leave_the_meter_alone() {
    let mut floor = Floor::still(&mh());
    floor.bets("a", 1, &[1, 2]);
    floor.settle("a", 1, &[claim(1, 2), claim(2, 3)]);
    assert_eq!(floor.jackpot.counters.paid_by_house, money("2400"));
    floor.undo_hands("a", 1, &[1]);
    assert_eq!(floor.jackpot.counters.paid_by_house, money("400"));
    floor.shows("250000");
}

/// I-3, reset: each of two gets 12,500 from the meter and 5,000 from the house. One alone gets 25,000, all from the meter.
#[test]
fn i_3_what_the_house_added_to_a_pool_goes_back_to_it() {
    let mut configuration = configuration(&ms());
    for link in &mut configuration.tables {
        link.readings = link.readings.with(OpenPoint::PooledStraightFlush, "reset").unwrap();
    }
    configuration.parameters.increment = Percent::ZERO;
    let mut floor = Floor::open(configuration);
    floor.bets("a", 1, &[1, 2]);
    floor.settle("a", 1, &[claim(1, 1), claim(2, 1)]);
    assert_eq!(floor.jackpot.counters.paid_by_house, money("10000"));
    floor.undo_hands("a", 1, &[1]);
    assert_eq!(floor.amount(2), money("25000"));
    assert!(floor.jackpot.counters.paid_by_house.is_zero());
}

/// An award that did not touch the reserve leaves it alone when it is undone.
#[test]
fn the_reserve_keeps_what_it_had_before_the_round() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("b", 1, &[1, 2]);
    let before = floor.jackpot.meter.clone();
    floor.bets("a", 1, &[1]);
    floor.settle("a", 1, &[claim(1, 1)]);
    floor.undo("a", 1);
    assert_eq!(floor.jackpot.meter, before);
}

/// What goes back above the ceiling goes to the overflow.
#[test]
fn an_undone_award_does_not_lift_the_meter_above_its_ceiling() {
    let mut configuration = configuration(&ms());
    configuration.parameters.ceiling = Some(money("250003"));
    let mut floor = Floor::open(configuration);
    floor.bets("a", 1, &[1]);
    floor.settle("a", 1, &[claim(1, 0)]);
    floor.bets("b", 1, &[1, 2, 3, 4, 5]);
    floor.undo("a", 1);
    assert_eq!(floor.jackpot.meter.overflow().to_string(), "3.000000");
    floor.shows("250002");
}

#[test]
fn draws_and_wins_in_between_stand() {
    let mut floor = Floor::still(&ms());
    floor.bets("a", 1, &[1]);
    floor.settle("a", 1, &[claim(1, 0)]);
    floor.bets("b", 1, &[1]);
    floor.settle("b", 1, &[claim(1, 1)]);
    floor.shows("90000");
    floor.bets("c", 1, &[1]);
    floor.settle("c", 1, &[claim(1, 0)]);
    assert_eq!([2, 3].map(|hit| floor.amount(hit)), [money("10000"), money("90000")]);
    floor.shows("100000");
    floor.undo("a", 1);
    assert_eq!([2, 3].map(|hit| floor.amount(hit)), [money("10000"), money("90000")]);
    floor.shows("250000");
}

#[test]
fn no_more_of_a_reset_goes_back_than_is_there() {
    let mut configuration = configuration(&ms());
    configuration.base = money("10");
    configuration.parameters = Parameters { increment: Percent::ZERO, ..configuration.parameters };
    let mut floor = Floor::open(configuration);
    floor.bets("a", 1, &[1]);
    floor.settle("a", 1, &[claim(1, 0)]);
    for (round, left) in [(1, "90000"), (2, "81000")] {
        floor.bets("b", round, &[1]);
        floor.settle("b", round, &[claim(1, 1)]);
        floor.shows(left);
    }
    floor.undo("a", 1);
    floor.shows("0");
    assert_eq!(floor.jackpot.counters.from_house.to_string(), "18990.000000");
}

#[test]
fn those_that_wait_behind_an_undone_award_move_up() {
    let mut floor = Floor::still(&ms());
    floor.bets("a", 1, &[1]);
    floor.done(Command::SettleRound { table: "a".to_owned(), round: 1, claims: vec![claim(1, 0)] });
    floor.bets("b", 1, &[1]);
    floor.settle("b", 1, &[claim(1, 1)]);
    assert_eq!(floor.amount(2), money("10000"));
    floor.undo("a", 1);
    assert_eq!(floor.amount(2), money("25000"));
    floor.done(Command::Confirm { hit: 2, by: manager() });
    assert_eq!(floor.paid(), [(2, money("25000"))]);
    floor.shows("225000");
}

#[test]
fn only_the_round_that_was_settled_last_can_be_undone() {
    let mut floor = Floor::still(&ms());
    floor.bets("a", 1, &[1]);
    floor.settle("a", 1, &[]);
    floor.bets("a", 2, &[1]);
    let cites = crate::games::cites("5.3");
    let undo = |round, seats| Command::UndoRound { table: "a".to_owned(), round, seats, cites };
    assert_eq!(floor.refused(&undo(1, None)), Refusal::NotHeld { table: "a".to_owned(), round: 1 });
    assert_eq!(floor.refused(&undo(2, None)), Refusal::NotHeld { table: "a".to_owned(), round: 2 });
    floor.settle("a", 2, &[]);
    assert!(matches!(
        floor.refused(&undo(2, Some(vec![BoxNumber(3)]))),
        Refusal::NoWager { seat: BoxNumber(3), .. }
    ));
    assert_eq!(
        floor.refused(&undo(2, Some(vec![BoxNumber(1), BoxNumber(1)]))),
        Refusal::SeatTwice { seat: BoxNumber(1) }
    );
    floor.undo("a", 2);
    assert_eq!(floor.refused(&undo(2, None)), Refusal::NotHeld { table: "a".to_owned(), round: 2 });
}

#[test]
fn a_round_can_be_undone_when_25_other_hits_have_come_since() {
    let mut floor = Floor::still(&ms());
    floor.bets("a", 1, &[1]);
    floor.settle("a", 1, &[claim(1, 1)]);
    for round in 1..=30 {
        floor.bets("b", round, &[1]);
        floor.settle("b", round, &[claim(1, 2)]);
    }
    floor.undo("a", 1);
    floor.shows("250000");
}

#[test]
fn rs_4_5_2_the_full_hand_that_was_dealt_first_is_paid_first() {
    let mut floor = Floor::still(&rs());
    floor.bets("a", 1, &[1, 2]);
    floor.bets("b", 1, &[1]);
    floor.hand("a", 1, 1, 1);
    floor.hand("b", 1, 1, 2);
    floor.hand("a", 1, 2, 3);
    floor.settle("b", 1, &[claim(1, 0)]);
    assert_eq!(floor.paid(), [], "table a was dealt a hand earlier");
    floor.settle("a", 1, &[claim(1, 0), claim(2, 0)]);
    let amounts = || [2, 1, 3].map(|hit| floor.amount(hit));
    assert_eq!(amounts(), [money("250000"), money("100000"), money("100000")]);
    assert_eq!(
        floor.paid(),
        [(2, money("250000"))],
        "the amount of the second was confirmed before it changed"
    );
    floor.done(Command::Confirm { hit: 1, by: manager() });
    assert_eq!(floor.paid().iter().map(|(hit, _)| *hit).collect::<Vec<_>>(), [2, 1, 3]);
    let payment = floor.jackpot.hit(2).unwrap().payment.clone().unwrap();
    assert!(payment.cites.includes("4.5.2".parse().unwrap()));
    // The first is undone: the others were paid what the sign showed.
    floor.undo_hands("a", 1, &[1]);
    floor.shows("250000");
    assert_eq!([1, 3].map(|hit| floor.amount(hit)), [money("100000"), money("100000")]);
}

#[test]
fn i_4_within_a_table_the_lower_award_moves_up_to_the_royal() {
    // The river royal of box 2 (5 %) is paid before the flop royal of box 1, whose hand was dealt before table b's.
    let mut floor = Floor::still(&rh());
    floor.bets("a", 1, &[1, 2]);
    floor.bets("b", 1, &[1]);
    floor.hand("a", 1, 1, 1);
    floor.hand("b", 1, 1, 2);
    floor.hand("a", 1, 2, 3);
    floor.settle("a", 1, &[claim(1, 0), claim(2, 2)]);
    assert_eq!([1, 2].map(|hit| floor.amount(hit)), [money("237500"), money("12500")]);
    assert_eq!(floor.paid().len(), 2, "both have the place of box 1: table b need not be waited for");
}

#[test]
fn a_hand_has_one_place_and_boxes_of_a_table_may_share_one() {
    let mut floor = Floor::still(&rs());
    floor.bets("a", 1, &[1, 2]);
    floor.bets("b", 1, &[1]);
    floor.hand("a", 1, 1, 1);
    floor.hand("a", 1, 2, 1);
    let deal =
        |table: &str, seat, order| Command::DealHands { table: table.to_owned(), round: 1, order, seat };
    assert!(matches!(floor.refused(&deal("a", Some(BoxNumber(1)), 5)), Refusal::DealtTwice { .. }));
    assert!(matches!(
        floor.refused(&deal("a", Some(BoxNumber(7)), 5)),
        Refusal::NoWager { seat: BoxNumber(7), .. }
    ));
    let taken = floor.refused(&deal("b", Some(BoxNumber(1)), 1));
    assert_eq!(taken, Refusal::OrderTaken { order: 1, table: "a".to_owned() });
    let early = Command::SettleRound { table: "b".to_owned(), round: 1, claims: vec![claim(1, 0)] };
    assert!(matches!(floor.refused(&early), Refusal::NotDealt { .. }));
}
