//! Changes of parameters, linking and closing.

use baize_jackpot::{Command, Event, Exact, Parameters, Pools, Refusal, Status};
use baize_rules::Percent;

use crate::floor::{Floor, configuration, link, manager, parameters, shift_manager, supervisor, wagers};
use crate::games::{claim, money, ms, rs};

fn other() -> Parameters {
    Parameters {
        wager: money("10"),
        reset: money("200000"),
        increment: Percent::from_hundredths(1_000),
        ..parameters()
    }
}

fn approve(floor: &mut Floor, parameters: Parameters) {
    floor.done(Command::ProposeChange { parameters, by: manager() });
    floor.done(Command::ApproveChange { by: shift_manager() });
}

#[test]
fn a_change_waits_for_the_top_award_and_touches_no_value_shown() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("b", 1, &[1]);
    approve(&mut floor, other());
    floor.shows("250001");
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 1)]);
    assert_eq!(floor.jackpot.parameters, parameters(), "a straight flush is not the top award");
    floor.bets("a", 2, &[1]);
    let shown = floor.jackpot.displayed();
    floor.claims("a", 2, &[claim(1, 0)]);
    assert_eq!(floor.amount(2), shown);
    assert_eq!(floor.jackpot.parameters, other());
    floor.shows("200000");
    let changed = floor.record.iter().find_map(|event| match event {
        Event::ParametersChanged { before, change } => Some((before.clone(), change.clone())),
        _ => None,
    });
    let (before, change) = changed.unwrap();
    assert_eq!((before, change.parameters), (parameters(), other()));
    assert_eq!((change.proposed_by, change.approved_by), (manager(), Some(shift_manager())));
}

#[test]
fn a_change_that_is_only_proposed_never_takes_effect() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.done(Command::ProposeChange { parameters: other(), by: manager() });
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    assert_eq!(floor.jackpot.parameters, parameters());
    floor.shows("100000");
}

/// A hit behind the one that put the change in force is priced with it: the change stays.
#[test]
fn a_change_stays_in_force_when_another_hit_comes_in() {
    let mut floor = Floor::open(configuration(&ms()));
    approve(&mut floor, other());
    floor.bets("a", 1, &[1]);
    floor.bets("b", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.claims("b", 1, &[claim(1, 1)]);
    assert_eq!(floor.jackpot.parameters, other());
}

#[test]
fn a_table_is_unlinked_only_when_none_of_its_own_hits_is_pending() {
    let unlink = |table: &str| Command::UnlinkTable { table: table.to_owned(), by: manager() };
    for award in [0, 4] {
        let mut floor = Floor::open(configuration(&ms()));
        floor.bets("a", 1, &[1]);
        floor.claims("a", 1, &[claim(1, award)]);
        assert_eq!(floor.refused(&unlink("a")), Refusal::HitsPending { number: 1 });
        floor.done(unlink("b"));
        floor.clear(1);
        floor.done(unlink("a"));
    }
}

#[test]
fn pools_are_received_unless_one_is_negative() {
    let mut floor = Floor::open(configuration(&ms()));
    let receive = |pools| Command::ReceivePools { from: "old".to_owned(), pools };
    floor.done(receive(Pools::default()));
    floor.shows("250000");
    let negative = Pools { reserve: -Exact::from(money("1")), ..Pools::default() };
    assert_eq!(floor.refused(&receive(negative)), Refusal::NegativePools);
}

#[test]
fn a_new_ceiling_holds_from_the_hit_that_puts_it_in_force() {
    let mut floor = Floor::open(configuration(&ms()));
    let ceiling = Some(money("100000.50"));
    approve(&mut floor, Parameters { ceiling, ..parameters() });
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    assert_eq!(floor.jackpot.meter.ceiling(), ceiling);
    floor.bets("b", 1, &[1]);
    floor.shows("100000.50");
    assert_eq!(floor.jackpot.meter.overflow().to_string(), "0.500000");
}

#[test]
fn bets_that_lay_on_a_table_when_the_wager_changed_are_accepted_once() {
    let mut floor = Floor::open(configuration(&ms()));
    approve(&mut floor, other());
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.bets("b", 1, &[1]);
    floor.end("b", 1);
    let late = Command::CloseBets { table: "b".to_owned(), round: 2, wagers: wagers(&[1]) };
    assert!(matches!(floor.refused(&late), Refusal::WagerNotPrescribed { .. }));
}

#[test]
fn a_rejected_top_hit_lets_the_change_wait_again() {
    let mut floor = Floor::open(configuration(&ms()));
    approve(&mut floor, other());
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    assert_eq!(floor.jackpot.parameters, other());
    let again = Command::ProposeChange { parameters: parameters(), by: manager() };
    assert!(matches!(floor.refused(&again), Refusal::ChangeWaiting { .. }));
    floor.reject(1);
    assert_eq!(floor.jackpot.parameters, parameters());
    floor.shows("250001");
    floor.bets("a", 2, &[1]);
    floor.claims("a", 2, &[claim(1, 0)]);
    assert_eq!(floor.jackpot.parameters, other());
    floor.clear(2);
    floor.done(again);
}

#[test]
fn pooled_royals_divide_the_old_reset_and_the_meter_starts_from_the_new_one() {
    let mut floor = Floor::still(&ms());
    approve(&mut floor, other());
    floor.bets("a", 1, &[1, 2]);
    floor.claims("a", 1, &[claim(1, 0), claim(2, 0)]);
    assert_eq!(floor.amount(1), money("175000"));
    floor.shows("200000");
}

#[test]
fn a_change_needs_two_people_of_rank() {
    let mut floor = Floor::open(configuration(&ms()));
    let propose = |by| Command::ProposeChange { parameters: other(), by };
    assert_eq!(
        floor.refused(&propose(supervisor())).to_string(),
        "a Pit Supervisor cannot do this; it needs a Pit Manager or above"
    );
    assert_eq!(floor.refused(&Command::ApproveChange { by: shift_manager() }), Refusal::NoChange);
    floor.done(propose(shift_manager()));
    assert_eq!(
        floor.refused(&Command::ApproveChange { by: shift_manager() }),
        Refusal::SamePerson { name: "ida".to_owned() }
    );
    assert!(matches!(floor.refused(&propose(manager())), Refusal::ChangeWaiting { .. }));
    floor.done(Command::WithdrawChange { by: manager() });
    let wrong = Parameters { ceiling: Some(money("5")), ..other() };
    let refusal = floor.refused(&Command::ProposeChange { parameters: wrong, by: manager() });
    assert_eq!(refusal.to_string(), "the ceiling 5.00 is under the reset value 200000.00");
}

#[test]
fn a_hit_that_is_pending_is_paid_by_the_parameters_of_its_time() {
    let mut floor = Floor::open(configuration(&ms()));
    floor.bets("a", 1, &[1]);
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.done(Command::ProposeChange { parameters: other(), by: manager() });
    let approve = Command::ApproveChange { by: shift_manager() };
    assert_eq!(floor.refused(&approve), Refusal::HitsPending { number: 1 });
    floor.clear(1);
    floor.done(approve);
    floor.shows("100000");
}

#[test]
fn closing_moves_all_pools_to_a_named_jackpot() {
    let mut closing = configuration(&ms());
    closing.parameters.ceiling = Some(money("250000"));
    let mut floor = Floor::open(closing);
    floor.bets("a", 1, &[1]);
    let close = Command::Close { into: "mini".to_owned(), by: shift_manager() };
    assert!(matches!(floor.refused(&close), Refusal::RoundUnderWay { .. }));
    floor.end("a", 1);
    let itself = Command::Close { into: "grand".to_owned(), by: shift_manager() };
    assert!(matches!(floor.refused(&itself), Refusal::NotAnotherJackpot { .. }));
    let events = floor.done(close);
    let Event::Closed { pools, .. } = &events[0] else { panic!("not closed") };
    assert_eq!(pools.total().to_string(), "250001.250000");
    assert_eq!(floor.jackpot.meter.pools(), Pools::default());
    assert_eq!(floor.jackpot.status, Status::Closed("mini".to_owned()));
    let late = Command::CloseBets { table: "a".to_owned(), round: 2, wagers: wagers(&[1]) };
    assert_eq!(floor.refused(&late).to_string(), "the jackpot is closed; its pools moved to mini");

    let mut receiving = configuration(&ms());
    receiving.name = "mini".to_owned();
    receiving.parameters.ceiling = Some(money("400000"));
    let mut mini = Floor::open(receiving);
    mini.done(Command::ReceivePools { from: "grand".to_owned(), pools: *pools });
    mini.shows("400000");
    assert_eq!(mini.jackpot.meter.overflow().to_string(), "100001.000000");
    assert_eq!(mini.jackpot.meter.reserve().to_string(), "0.250000");
}

#[test]
fn a_table_comes_and_goes_but_its_rounds_do_not_come_back() {
    let mut floor = Floor::open(configuration(&rs()));
    floor.bets("a", 7, &[1]);
    let unlink = Command::UnlinkTable { table: "a".to_owned(), by: manager() };
    assert!(matches!(floor.refused(&unlink), Refusal::RoundUnderWay { .. }));
    floor.end("a", 7);
    floor.done(unlink);
    let bets = Command::CloseBets { table: "a".to_owned(), round: 7, wagers: wagers(&[1]) };
    assert_eq!(floor.refused(&bets).to_string(), "table a is not linked to this jackpot");
    floor.done(Command::LinkTable { link: Box::new(link("a", rs(), 1)), by: manager() });
    assert!(matches!(floor.refused(&bets), Refusal::RoundEnded { .. }));
    let twice = Command::LinkTable { link: Box::new(link("a", rs(), 1)), by: manager() };
    assert_eq!(floor.refused(&twice).to_string(), "table a is linked twice");
    let mixed = Command::LinkTable { link: Box::new(link("d", ms(), 1)), by: manager() };
    assert!(floor.refused(&mixed).to_string().contains("they cannot share a jackpot"));
}
