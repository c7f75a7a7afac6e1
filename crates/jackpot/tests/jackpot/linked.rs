//! Several tables on one jackpot: contributions, pending hits, verification, faults.

use baize_jackpot::{Command, Event, Exact, HitState, Wager};
use baize_rules::{BoxNumber, Claim, OpenPoint, Readings};

use crate::floor::{Floor, configuration, link, manager, supervisor};
use crate::games::{cites, claim, mh, money, ms, rh, rs};

#[test]
fn wagers_of_all_tables_lift_the_meter_when_bets_close() {
    let mut floor = Floor::open(configuration(&rs()));
    floor.bets("a", 1, &[1, 2, 3]);
    floor.bets("b", 1, &[7]);
    floor.shows("250004.00");
    assert_eq!(floor.jackpot.meter.reserve().to_string(), "1.000000");
    assert_eq!(floor.jackpot.counters.amount_in.to_string(), "5.000000");
}

#[test]
fn mh_3_5_3_takes_one_to_five_times_the_wager() {
    let mut configuration = configuration(&mh());
    configuration.tables = vec![link("a", mh(), 5)];
    let mut floor = Floor::open(configuration);
    let wagers = vec![Wager { seat: BoxNumber(1), amount: money("25") }];
    floor.done(Command::CloseBets { table: "a".to_owned(), round: 1, wagers });
    floor.shows("250005.00");
    floor.claims("a", 1, &[Claim { seat: BoxNumber(1), award: 4, made: 0, wager: money("25"), multiple: 5 }]);
    assert_eq!(floor.amount(1), money("1000"));
}

#[test]
fn a_hit_locks_its_value_while_other_tables_play_on() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    assert_eq!(floor.amount(1), money("250001"));
    floor.shows("100000");
    floor.bets("b", 1, &[1, 2]);
    floor.shows("100002");
    floor.claims("b", 1, &[claim(2, 1)]);
    assert_eq!(floor.amount(2), money("10000.20"), "a tenth of what is shown: the first hit is locked");
    floor.bets("c", 1, &[1]);
    assert_eq!(floor.amount(1), money("250001"), "what comes in later changes nothing");
    floor.shows("90002.80");
    assert_eq!(floor.paid(), []);
    floor.clear(1);
    floor.clear(2);
    assert_eq!(floor.paid(), [(1, money("250001")), (2, money("10000.20"))]);
    floor.shows("90002.80");
}

/// Each pending hit locks what came in since the one before it, and no more.
#[test]
fn a_third_hit_locks_what_came_in_since_the_second() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.bets("b", 1, &[1, 2]);
    floor.claims("b", 1, &[claim(2, 1)]);
    floor.bets("c", 1, &[1]);
    floor.shows("90002.80");
    floor.claims("c", 1, &[claim(1, 1)]);
    let Some(Event::HitsPriced { prices, .. }) = floor.record.last() else { panic!("{:?}", floor.record) };
    assert_eq!(prices.iter().map(|price| price.hit).collect::<Vec<_>>(), [3], "the others keep their price");
    assert_eq!(floor.amount(3), money("9000.28"), "a tenth of 90,002.80");
    floor.shows("81002.52");
    let reserve = floor.jackpot.meter.reserve();
    [1, 2, 3].into_iter().for_each(|hit| floor.clear(hit));
    assert_eq!(floor.paid(), [(1, money("250001")), (2, money("10000.20")), (3, money("9000.28"))]);
    floor.shows("81002.52");
    assert_eq!(floor.jackpot.meter.reserve(), reserve);
    assert_eq!(reserve.to_string(), "0.750000", "the reserve of the first wager went into the reset");
}

#[test]
fn large_amounts_need_a_second_person_small_ones_do_not() {
    let mut floor = Floor::still(&rs());
    floor.bets("a", 1, &[1, 2]);
    floor.deal("a", 1, 1);
    floor.claims("a", 1, &[claim(1, 0), claim(2, 2)]);
    floor.done(Command::Verify { hit: 2, by: supervisor() });
    assert_eq!(floor.paid(), [(2, money("500"))], "500 is paid at once");
    floor.done(Command::Verify { hit: 1, by: supervisor() });
    assert_eq!(floor.paid().len(), 1);
    floor.done(Command::Confirm { hit: 1, by: manager() });
    let Some(Event::HitPaid { verified_by, confirmed_by, .. }) =
        floor.record.iter().find(|event| matches!(event, Event::HitPaid { hit: 1, .. }))
    else {
        panic!("not paid")
    };
    assert_eq!((verified_by, confirmed_by), (&supervisor(), &Some(manager())));
    assert_eq!((floor.jackpot.counters.hits, floor.jackpot.counters.wins), (2, 2));
    assert_eq!(floor.jackpot.counters.paid_by_house, money("500"));
}

#[test]
fn what_does_not_qualify_goes_back() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("a", 1, &[1]);
    let before = floor.jackpot.meter.clone();
    floor.claims("a", 1, &[claim(1, 0)]);
    assert!(floor.jackpot.meter.reserve().is_zero(), "the reserve has paid its part of the reset");
    floor.bets("b", 1, &[1]);
    floor.reject(1);
    floor.shows("250002");
    assert_eq!(floor.jackpot.meter.reserve(), before.reserve() + before.reserve());
    assert!(floor.jackpot.counters.from_house.is_zero());
    assert!(floor.jackpot.counters.paid_from_meter.is_zero());
    assert!(matches!(floor.jackpot.hit(1).unwrap().state, HitState::Rejected { .. }));
    assert_eq!(floor.jackpot.contest, None);
}

#[test]
fn those_behind_a_rejected_hit_move_up() {
    let mut floor = Floor::still(&ms());
    for (table, award) in [("a", 0), ("b", 0), ("c", 1)] {
        floor.bets(table, 1, &[1]);
        floor.claims(table, 1, &[claim(1, award)]);
    }
    assert_eq!([1, 2, 3].map(|hit| floor.amount(hit)), [money("250000"), money("100000"), money("10000")]);
    floor.clear(2);
    assert_eq!(floor.paid(), [], "3.14: the hand that was entered first is paid first");
    floor.reject(1);
    assert_eq!(floor.amount(2), money("250000"));
    assert_eq!(floor.paid(), [], "the confirmation was of another amount");
    floor.done(Command::Confirm { hit: 2, by: manager() });
    assert_eq!(floor.paid(), [(2, money("250000"))]);
    floor.shows("90000");
}

#[test]
fn a_rejected_pool_member_leaves_the_jackpot_to_the_others() {
    let mut floor = Floor::still(&ms());
    floor.bets("a", 1, &[1, 2]);
    floor.claims("a", 1, &[claim(1, 0), claim(2, 0)]);
    assert_eq!([1, 2].map(|hit| floor.amount(hit)), [money("175000"), money("175000")]);
    floor.clear(2);
    floor.reject(1);
    assert_eq!(floor.amount(2), money("250000"));
    floor.done(Command::Confirm { hit: 2, by: manager() });
    assert_eq!(floor.paid(), [(2, money("250000"))]);
    floor.shows("100000");
}

#[test]
fn a_shown_value_is_not_lowered_by_a_rejection() {
    let mut configuration = configuration(&ms());
    configuration.base = money("60000");
    let mut floor = Floor::open(configuration);
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.shows("100000");
    floor.reject(1);
    floor.shows("100000");
    assert_eq!(floor.jackpot.counters.from_house.to_string(), "39999.000000");
}

#[test]
fn i_11_returned_wagers_are_taken_out_unless_the_meter_was_won() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("a", 1, &[1, 2]);
    floor.bets("b", 1, &[1]);
    floor.done(Command::TakeOut { table: "a".to_owned(), round: 1, seats: vec![BoxNumber(2)] });
    floor.shows("250002");
    floor.claims("b", 1, &[claim(1, 0)]);
    floor.shows("100000");
    let events = floor.done(Command::VoidRound { table: "a".to_owned(), round: 1 });
    assert!(matches!(events[0], Event::Kept { seat: BoxNumber(1), won_since: true, .. }));
    floor.shows("100000");
    assert_eq!(floor.amount(1), money("250002"));
}

/// A win from before the round is rejected: it does not hide a win that came after.
#[test]
fn i_11_a_rejected_win_does_not_count_against_a_later_one() {
    for rejected_first in [true, false] {
        let mut floor = Floor::open(configuration(&ms()));
        floor.bets("a", 1, &[1]);
        floor.claims("a", 1, &[claim(1, 0)]);
        floor.bets("b", 1, &[1]);
        floor.bets("c", 1, &[1]);
        if rejected_first {
            floor.reject(1);
        }
        floor.claims("c", 1, &[claim(1, 0)]);
        if !rejected_first {
            floor.reject(1);
        }
        let events = floor.done(Command::VoidRound { table: "b".to_owned(), round: 1 });
        assert!(matches!(events[0], Event::Kept { won_since: true, .. }), "{events:?}");
        assert!(floor.jackpot.counters.taken_out.is_zero());
    }
}

#[test]
fn i_11_a_win_that_was_rejected_leaves_contributions_to_be_taken_out() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.bets("b", 1, &[1]);
    floor.bets("c", 1, &[1]);
    floor.claims("c", 1, &[claim(1, 0)]);
    floor.reject(1);
    floor.reject(2);
    let events = floor.done(Command::VoidRound { table: "b".to_owned(), round: 1 });
    let Event::TakenOut { pools, .. } = &events[0] else { panic!("{events:?}") };
    assert_eq!(pools.total().to_string(), "1.250000", "all that the wager had added");
}

#[test]
fn i_11_the_other_reading_keeps_them() {
    let mut configuration = configuration(&ms());
    let readings = Readings::default().with(OpenPoint::Contribution, "kept").unwrap();
    for link in &mut configuration.tables {
        link.readings = readings;
    }
    let mut floor = Floor::open(configuration);
    floor.bets("a", 1, &[1, 2]);
    floor.done(Command::VoidRound { table: "a".to_owned(), round: 1 });
    floor.shows("250002");
}

#[test]
fn a_void_round_gives_back_what_a_ceiling_had_divided() {
    let mut configuration = configuration(&ms());
    configuration.parameters.ceiling = Some(money("250001.50"));
    let mut floor = Floor::open(configuration);
    let before = floor.jackpot.meter.clone();
    floor.bets("a", 1, &[1, 2, 3]);
    floor.shows("250001.50");
    assert_eq!(floor.jackpot.meter.overflow().to_string(), "1.500000");
    floor.done(Command::VoidRound { table: "a".to_owned(), round: 1 });
    assert_eq!(floor.jackpot.meter, before);
}

#[test]
fn rh_5_17_1_a_fault_freezes_the_amount_of_the_round_and_stops_the_table() {
    let mut floor = Floor::open(configuration(&rh()));
    floor.bets("a", 1, &[1]);
    floor.deal("a", 1, 1);
    floor.done(Command::ReportFault {
        table: "a".to_owned(),
        round: 1,
        cites: cites("5.17.1"),
        registered: None,
    });
    floor.bets("b", 1, &[1, 2, 3, 4]);
    floor.shows("250005");
    floor.claims("a", 1, &[claim(1, 0)]);
    assert_eq!(floor.amount(1), money("250001"));
    let payment = floor.jackpot.hit(1).unwrap().payment.clone().unwrap();
    assert!(payment.cites.includes("5.17.1".parse().unwrap()));
    floor.shows("100004");
    let stopped = Command::CloseBets { table: "a".to_owned(), round: 2, wagers: crate::floor::wagers(&[1]) };
    assert_eq!(
        floor.refused(&stopped).to_string(),
        "table a takes no jackpot wagers until it is restored after its fault"
    );
    floor.done(Command::Restore { table: "a".to_owned(), by: manager() });
    floor.done(stopped);
}

#[test]
fn the_last_25_hits_stay_on_record() {
    let mut floor = Floor::still(&rs());
    for round in 1..=40 {
        floor.bets("a", round, &[1]);
        floor.deal("a", round, round);
        floor.claims("a", round, &[claim(1, 4)]);
        if round > 3 {
            floor.clear(round);
        }
    }
    assert_eq!(floor.jackpot.last_hits().count(), 25);
    assert_eq!(floor.jackpot.hits.len(), 25 + 3, "older hits are kept only while they are pending");
    assert_eq!(floor.jackpot.last_hits().next().unwrap().id, 40);
    assert_eq!(
        floor.jackpot.pending().map(|hit| hit.id).collect::<Vec<_>>(),
        [1, 2, 3],
        "pending hits are kept"
    );
}

/// A rejected hit stays on record while another hit of its round waits for its turn, and no other hit does.
#[test]
fn the_hits_of_a_pending_round_stay_on_record() {
    let mut floor = Floor::still(&ms());
    floor.bets("a", 1, &[1, 2]);
    floor.claims("a", 1, &[claim(1, 1), claim(2, 1)]);
    floor.reject(1);
    for round in 1..=30 {
        floor.bets("b", round, &[1]);
        floor.claims("b", round, &[claim(1, 4)]);
        floor.clear(round + 2);
    }
    assert!(floor.jackpot.hit(1).is_some() && floor.jackpot.hit(3).is_none());
    assert_eq!(floor.jackpot.hits.len(), 25 + 2);
}

/// A hit whose hand was dealt earlier takes over the value that a later hand has locked. If that one is rejected, it is paid from
/// the sign as it was when it was entered itself.
#[test]
fn a_rejected_hit_locks_no_value() {
    let mut floor = Floor::open(configuration(&rs()));
    floor.bets("a", 1, &[1]);
    floor.bets("b", 1, &[1]);
    floor.deal("a", 1, 2);
    floor.deal("b", 1, 1);
    floor.claims("a", 1, &[claim(1, 1)]);
    floor.bets("c", 1, &[1]);
    floor.claims("b", 1, &[claim(1, 1)]);
    assert_eq!(floor.amount(2), money("25000.20"), "a tenth of 250,002");
    floor.reject(1);
    assert_eq!(floor.amount(2), money("25000.30"), "a tenth of 250,003");
}

/// Two royals wait: each reset takes from the reserve only what came in since the one before.
#[test]
fn each_reset_is_paid_from_the_reserve_of_its_time() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.bets("b", 1, &[1, 2]);
    floor.claims("b", 1, &[claim(1, 0)]);
    let from_reserve = |hit: u64| {
        let payment = floor.jackpot.hit(hit).unwrap().payment.clone().unwrap();
        payment.reset.unwrap().from_reserve.to_string()
    };
    assert_eq!([1, 2].map(from_reserve), ["0.250000", "0.500000"]);
    assert!(floor.jackpot.meter.reserve().is_zero());
}

/// A rejection leaves in the meter what the sign has shown: a new hit is paid from it.
#[test]
fn a_hit_after_a_rejection_is_paid_from_the_sign() {
    let mut configuration = configuration(&ms());
    configuration.base = money("10");
    let mut floor = Floor::open(configuration);
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.bets("b", 1, &[1, 2, 3, 4, 5]);
    floor.claims("b", 1, &[claim(1, 1)]);
    floor.bets("c", 1, &[1, 2, 3, 4, 5, 6, 7]);
    floor.bets("b", 2, &[1]);
    floor.reject(1);
    let tenth = |shown| Exact::share(shown, "10%".parse().unwrap()).ceil();
    let shown = floor.jackpot.displayed();
    floor.claims("c", 1, &[claim(1, 1)]);
    assert_eq!(floor.amount(3), tenth(shown));
    let shown = floor.jackpot.displayed();
    floor.claims("b", 2, &[claim(1, 1)]);
    assert_eq!(floor.amount(4), tenth(shown));
}

/// What a rejection puts back above the ceiling goes to the overflow.
#[test]
fn a_rejected_hit_does_not_lift_the_meter_above_its_ceiling() {
    let mut configuration = configuration(&ms());
    configuration.parameters.ceiling = Some(money("250003"));
    let mut floor = Floor::open(configuration);
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.bets("b", 1, &[1, 2, 3, 4, 5]);
    floor.shows("100005");
    floor.reject(1);
    assert_eq!(floor.jackpot.counters.rejected, 1);
    floor.shows("250003");
    assert_eq!(floor.jackpot.meter.overflow().to_string(), "3.000000");
}

#[test]
fn pools_that_do_not_add_up_are_noticed() {
    let mut jackpot = Floor::open(configuration(&rs())).jackpot;
    jackpot.counters.base += money("1");
    assert_eq!(
        jackpot.reconcile().unwrap_err().to_string(),
        "the jackpot does not reconcile: 250001.000000 came in, but 250000.000000 is in the pools or went out"
    );
}

#[test]
fn i_2_the_award_that_pays_most_is_chosen_when_the_round_is_entered_and_stays() {
    // A river royal of 5 % that the pay table also counts as a straight flush: 1,500 is more while the meter is low.
    let both = Claim { made: 1 << 2 | 1 << 4, ..claim(1, 2) };
    let hit = |base: &str, reading: &str| {
        let mut configuration = configuration(&rh());
        configuration.base = money(base);
        configuration.parameters.reset = money("20000");
        for link in &mut configuration.tables {
            link.readings = Readings::default().with(OpenPoint::AwardChoice, reading).unwrap();
        }
        let mut floor = Floor::open(configuration);
        floor.bets("a", 1, &[1]);
        floor.bets("b", 1, &[1]);
        floor.deal("a", 1, 2);
        floor.deal("b", 1, 1);
        floor.claims("a", 1, &[both]);
        floor
    };
    let interpretation =
        |floor: &Floor| floor.jackpot.hit(1).unwrap().payment.as_ref().unwrap().interpretation;
    let floor = hit("20000", "highest-paying");
    assert_eq!((floor.amount(1), interpretation(&floor)), (money("1500"), Some(OpenPoint::AwardChoice)));
    assert!(!floor.jackpot.hit(1).unwrap().ordered);
    let floor = hit("20000", "highest-ranking");
    assert_eq!((floor.amount(1), interpretation(&floor)), (money("1000.10"), Some(OpenPoint::AwardChoice)));
    // Both pay 1,500: the higher-ranking award is paid, and the open point decides nothing.
    let floor = hit("29998", "highest-paying");
    assert_eq!((floor.amount(1), interpretation(&floor)), (money("1500"), None));
    assert!(floor.jackpot.hit(1).unwrap().ordered, "a share of the meter");
    let mut floor = hit("250000", "highest-paying");
    assert_eq!((floor.amount(1), interpretation(&floor)), (money("12500.10"), None));
    // An earlier hand takes the jackpot: the later one stays what it was entered as, a share of what is left.
    floor.claims("b", 1, &[claim(1, 0)]);
    assert_eq!(floor.amount(1), money("1000"));
}
