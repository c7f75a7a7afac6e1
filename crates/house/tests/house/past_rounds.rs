//! Bulk reading of finished rounds, across snapshots, in one walk or on all cores.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use baize_house::load::Robot;
use baize_house::{Actor, HouseError, PlayerId, RoundFilter};
use baize_rules::Money;

use crate::support::{Backend, Casino};

/// More rounds than between two snapshots, at one of two tables.
const ROUNDS: [u32; 2] = [70, 5];

#[tokio::test(flavor = "multi_thread")]
async fn rounds_are_the_same_on_one_core_and_on_all() {
    let casino = Casino::new(Backend::Sqlite).await;
    let tables = casino.tables().await;
    for (n, (table, rounds)) in (1..).zip(tables.iter().zip(ROUNDS)) {
        let player: PlayerId = format!("p{n}").parse().unwrap();
        casino.house.create_player(&player, None, Money::from_dollars(100_000)).await.unwrap();
        let mut robot = Robot::new(casino.house.clone(), player, table.clone(), n * 7919);
        for _ in 0..rounds {
            robot.round().await.unwrap();
            casino.clock.advance_seconds(1);
        }
    }
    let all = RoundFilter { limit: Some(10_000), ..RoundFilter::default() };
    let walked = casino.house.past_rounds(&Actor::House, &all, None).await.unwrap();
    assert_eq!(walked.len(), 75);
    assert!(walked.is_sorted_by_key(|round| round.ended));
    let mut taken = Vec::new();
    let take = |round| {
        taken.push(round);
        ControlFlow::Continue(())
    };
    casino.house.each_past_round(&Actor::House, &all, take).await.unwrap();
    taken.sort_by_key(|round| (round.id.table.clone(), round.id.number));
    let mut expected = walked;
    expected.sort_by_key(|round| (round.id.table.clone(), round.id.number));
    for (one, other) in expected.iter().zip(&taken) {
        assert_eq!((&one.id, &one.finished, one.ended), (&other.id, &other.finished, other.ended));
    }
    assert_eq!(taken.len(), 75);

    // Only the newest, and until the caller stops.
    let few = RoundFilter { limit: Some(3), table: Some(tables[0].clone()), ..RoundFilter::default() };
    let mut numbers = BTreeSet::new();
    let take = |round: baize_house::PastRound| {
        numbers.insert(round.id.number);
        ControlFlow::Continue(())
    };
    casino.house.each_past_round(&Actor::House, &few, take).await.unwrap();
    assert_eq!(numbers, BTreeSet::from([68, 69, 70]));
    let mut taken = 0;
    let take = |_| {
        taken += 1;
        ControlFlow::Break(())
    };
    casino.house.each_past_round(&Actor::House, &all, take).await.unwrap();
    assert_eq!(taken, 1);

    // Other players' rounds are refused.
    let (one, other): (PlayerId, PlayerId) = ("p1".parse().unwrap(), "p2".parse().unwrap());
    let own = RoundFilter { player: Some(one.clone()), ..all.clone() };
    assert_eq!(casino.house.past_rounds(&Actor::player(one), &own, None).await.unwrap().len(), 70);
    let refused =
        casino.house.each_past_round(&Actor::player(other), &own, |_| ControlFlow::Continue(())).await;
    assert!(matches!(refused, Err(HouseError::Forbidden { .. })), "{refused:?}");
}
