//! RH 4.5, RS 4.5.2: across tables the hands that were dealt first are paid first, in whatever order the tables report.

use baize_jackpot::Command;
use baize_rules::{BoxNumber, Money};
use proptest::prelude::*;

use crate::floor::Floor;
use crate::games::{claim, money, rh, rs};

#[test]
fn the_table_that_dealt_first_is_paid_first_though_it_reports_later() {
    let mut floor = Floor::still(&rs());
    floor.bets("a", 1, &[1]);
    floor.bets("b", 1, &[1]);
    floor.deal("a", 1, 10);
    floor.deal("b", 1, 11);
    floor.claims("b", 1, &[claim(1, 0)]);
    assert_eq!(floor.amount(1), money("250000"), "locked, and pending");
    floor.shows("100000");
    floor.clear(1);
    assert_eq!(floor.paid(), [], "table a was dealt first and may still win");
    floor.claims("a", 1, &[claim(1, 0)]);
    assert_eq!((floor.amount(2), floor.amount(1)), (money("250000"), money("100000")));
    let cites = floor.jackpot.hit(1).unwrap().payment.as_ref().unwrap().cites;
    assert!(cites.includes("4.5.2".parse().unwrap()));
    floor.clear(2);
    floor.done(Command::Confirm { hit: 1, by: crate::floor::manager() });
    assert_eq!(floor.paid(), [(2, money("250000")), (1, money("100000"))]);
    floor.shows("100000");
}

#[test]
fn a_hit_waits_until_the_earlier_round_ends() {
    let mut floor = Floor::still(&rs());
    floor.bets("a", 1, &[1]);
    floor.bets("b", 1, &[1]);
    floor.deal("a", 1, 10);
    floor.deal("b", 1, 11);
    floor.claims("b", 1, &[claim(1, 1)]);
    floor.clear(1);
    assert_eq!(floor.jackpot.waits_for("b", 11).collect::<Vec<_>>(), [("a", 1)]);
    assert_eq!(floor.paid(), []);
    floor.end("a", 1);
    assert_eq!(floor.paid(), [(1, money("25000"))]);
}

#[test]
fn it_waits_for_a_round_whose_deal_is_not_reported_yet_but_not_for_a_later_one() {
    let mut floor = Floor::still(&rh());
    floor.bets("a", 1, &[1]);
    floor.bets("b", 1, &[1]);
    floor.deal("b", 1, 11);
    floor.claims("b", 1, &[claim(1, 2)]);
    floor.clear(1);
    assert_eq!(floor.paid(), []);
    floor.deal("a", 1, 12);
    assert_eq!(floor.paid(), [(1, money("12500"))]);
}

/// RH 4.5: once every deal up to its own is reported, a hand that is still to be dealt comes after it.
#[test]
fn it_does_not_wait_for_a_hand_that_is_dealt_after_all_reported_ones() {
    let mut floor = Floor::still(&rh());
    floor.bets("a", 1, &[1]);
    floor.bets("b", 1, &[1]);
    floor.deal("b", 1, 11);
    floor.claims("b", 1, &[claim(1, 2)]);
    floor.clear(1);
    floor.done(Command::CountDeals { order: 10 });
    assert_eq!(floor.paid(), []);
    floor.done(Command::CountDeals { order: 11 });
    assert_eq!(floor.paid(), [(1, money("12500"))]);
}

#[test]
fn a_minor_award_waits_for_nobody_and_a_round_without_wagers_holds_up_nobody() {
    let mut floor = Floor::still(&rs());
    floor.bets("a", 1, &[1]);
    floor.bets("b", 1, &[1, 2]);
    floor.deal("a", 1, 10);
    floor.deal("b", 1, 11);
    floor.claims("b", 1, &[claim(1, 2), claim(2, 1)]);
    floor.clear(1);
    floor.clear(2);
    assert_eq!(floor.paid(), [(1, money("500"))]);
    floor.done(Command::TakeOut { table: "a".to_owned(), round: 1, seats: vec![BoxNumber(1)] });
    assert_eq!(floor.paid(), [(1, money("500")), (2, money("25000"))]);
}

#[test]
fn three_tables_in_the_order_of_the_deal() {
    let mut floor = Floor::still(&rs());
    for (table, order) in [("a", 3), ("b", 2), ("c", 1)] {
        floor.bets(table, 1, &[1]);
        floor.deal(table, 1, order);
    }
    floor.claims("a", 1, &[claim(1, 0)]);
    floor.claims("b", 1, &[claim(1, 1)]);
    floor.claims("c", 1, &[claim(1, 1)]);
    // c: 10 % of 250,000; b: 10 % of 225,000; a: the rest.
    assert_eq!([1, 2, 3].map(|hit| floor.amount(hit)), [money("202500"), money("22500"), money("25000")]);
    floor.shows("100000");
}

/// One table's facts of a round, in its own order.
fn facts(table: &'static str, order: u64, award: Option<usize>) -> Vec<Command> {
    let name = || table.to_owned();
    let mut facts = vec![Command::DealHands { table: name(), round: 1, order, seat: None }];
    facts.push(match award {
        Some(award) => Command::EnterClaims { table: name(), round: 1, claims: vec![claim(1, award)] },
        None => Command::EndRound { table: name(), round: 1 },
    });
    facts
}

/// Runs the facts of three tables in this interleaving; if `eager`, every hit is cleared as soon as it is entered. Returns
/// which tables were paid what, in order, and the final sign.
fn run(mut queues: Vec<Vec<Command>>, choices: &[usize], eager: bool) -> (Vec<(String, Money)>, Money) {
    let mut floor = Floor::still(&rs());
    for table in ["a", "b", "c"] {
        floor.bets(table, 1, &[1]);
    }
    let mut choices = choices.iter().copied().cycle();
    while queues.iter().any(|queue| !queue.is_empty()) {
        let open: Vec<usize> = (0..queues.len()).filter(|&at| !queues[at].is_empty()).collect();
        let queue = &mut queues[open[choices.next().unwrap_or(0) % open.len()]];
        floor.done(queue.remove(0));
        if eager {
            clear_all(&mut floor);
        }
    }
    clear_all(&mut floor);
    assert_eq!(floor.jackpot.pending().count(), 0);
    let table = |hit: u64| floor.jackpot.hit(hit).unwrap().table.clone();
    let major = |hit: u64| floor.jackpot.hit(hit).unwrap().ordered;
    let paid =
        floor.paid().into_iter().filter(|&(hit, _)| major(hit)).map(|(hit, amount)| (table(hit), amount));
    (paid.collect(), floor.jackpot.displayed())
}

fn clear_all(floor: &mut Floor) {
    let unverified: Vec<u64> =
        floor.jackpot.pending().filter(|hit| hit.verified_by.is_none()).map(|hit| hit.id).collect();
    for hit in unverified {
        floor.done(Command::Verify { hit, by: crate::floor::supervisor() });
    }
    loop {
        let limit = floor.jackpot.parameters.confirm_above;
        let next = floor.jackpot.pending().find(|hit| hit.confirmed_by.is_none() && hit.amount() > limit);
        let Some(hit) = next.map(|hit| hit.id) else { return };
        floor.done(Command::Confirm { hit, by: crate::floor::manager() });
    }
}

proptest! {
    #[test]
    fn no_order_of_arrival_changes_who_is_paid_first_or_what(
        awards in proptest::array::uniform3(proptest::option::of(0usize..3)),
        orders in Just([1u64, 2, 3]).prop_shuffle(),
        choices in proptest::collection::vec(0usize..3, 1..8),
        eager in any::<bool>(),
    ) {
        let queues = || {
            let tables = ["a", "b", "c"];
            (0..3).map(|at| facts(tables[at], orders[at], awards[at])).collect::<Vec<_>>()
        };
        let (paid, shown) = run(queues(), &choices, eager);
        let mut by_deal: Vec<(u64, &str, usize)> = (0..3)
            .filter_map(|at| Some((orders[at], ["a", "b", "c"][at], awards[at].filter(|&award| award < 2)?)))
            .collect();
        by_deal.sort_unstable();
        let order: Vec<&str> = by_deal.iter().map(|(_, table, _)| *table).collect();
        prop_assert_eq!(paid.iter().map(|(table, _)| table.as_str()).collect::<Vec<_>>(), order);
        prop_assert_eq!((paid, shown), run(queues(), &[0], false));
    }
}
