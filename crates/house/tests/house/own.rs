//! A player's own rounds, limits and chips.

use baize_house::{Actor, Chips, Duty, Order, OwnLimits, RoundFilter, RoundId};
use baize_rules::{Area, BoxNumber, Family, Money};
use baize_table::Command;

use crate::support::{Backend, Casino, chips, clean, order, table_of};

/// Ann plays a round and folds.
async fn folded(casino: &Casino, ann: &Actor, dollars: i32) -> RoundId {
    let table = table_of(casino, "RWS", Family::Stud).await;
    order(casino, ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, dollars)] }).await.unwrap();
    order(casino, ann, &table, Order::Ready).await.unwrap();
    order(casino, ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
    RoundId { number: casino.house.table(&table).await.unwrap().round, table }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_amounts_of_a_round_are_private() {
    let casino = Casino::new(Backend::Sqlite).await;
    let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
    let pit = casino.staff("pete", Duty::PitManager).await;
    let id = folded(&casino, &ann, 37).await;
    let told = async |actor: &Actor| {
        let record = casino.house.round(actor, &id).await.unwrap();
        let lines = casino.house.rounds_for(actor, &RoundFilter::default()).await.unwrap();
        format!("{} {}", serde_json::to_string(&record).unwrap(), serde_json::to_string(&lines).unwrap())
    };
    for actor in [&ann, &pit] {
        let told = told(actor).await;
        assert!(told.contains("ann") && told.contains("37.00"), "{actor}: {told}");
    }
    for actor in [&ben, &Actor::Public] {
        let told = told(actor).await;
        assert!(!told.contains("\"ann") && !told.contains("37.00"), "{actor}: {told}");
        let hers = RoundFilter { player: Some("ann".parse().unwrap()), ..RoundFilter::default() };
        assert!(casino.house.rounds_for(actor, &hers).await.is_err());
        assert!(casino.house.share(actor, &id).await.is_err(), "only she shares it");
    }
    // With her link anyone sees her box; a made-up link shows nothing.
    let token = casino.house.share(&ann, &id).await.unwrap();
    let shared = serde_json::to_string(&casino.house.round_shared(&id, &token).await.unwrap()).unwrap();
    assert!(shared.contains("ann") && shared.contains("37.00"), "{shared}");
    for forged in ["ann.00000000000000000000000000000000", "", "ann", &token.replace("ann", "ben")] {
        let shown = serde_json::to_string(&casino.house.round_shared(&id, forged).await.unwrap()).unwrap();
        assert!(!shown.contains("ann") && !shown.contains("37.00"), "{forged}: {shown}");
    }
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn own_limits_apply_at_once_and_are_raised_a_day_later() {
    let casino = Casino::new(Backend::Sqlite).await;
    let (ann, pit) = (casino.player("ann").await, casino.staff("pete", Duty::ShiftManager).await);
    let table = table_of(&casino, "RWS", Family::Stud).await;
    folded(&casino, &ann, 40).await;
    let limit = |dollars: i32| OwnLimits { loss: Some(Money::from_dollars(dollars)), minutes: None };
    assert!(casino.house.limit_oneself(&pit, limit(1)).await.is_err(), "nobody limits another");
    casino.house.limit_oneself(&ann, limit(100)).await.unwrap();
    let bet = |dollars: i32| Order::Bet { wagers: vec![chips(1, Area::Ante, dollars)] };
    // 60 is left, and a hand of stud can cost three antes.
    let refused = order(&casino, &ann, &table, bet(21)).await.unwrap_err();
    assert_eq!(refused.code(), "own-limit", "{refused}");
    assert!(refused.to_string().contains("60.00 of your loss limit of 100.00 is left"), "{refused}");
    let raised = casino.house.limit_oneself(&ann, limit(1_000)).await.unwrap();
    assert_eq!(raised.limits, limit(100), "more holds a day later");
    assert_eq!(order(&casino, &ann, &table, bet(21)).await.unwrap_err().code(), "own-limit");
    order(&casino, &ann, &table, bet(20)).await.unwrap();
    order(&casino, &ann, &table, Order::Ready).await.unwrap();
    // A hand in progress is played to its end, even if a break begins meanwhile.
    casino.house.take_break(&ann, 60).await.unwrap();
    let legal = casino.house.view(&ann, &table).await.unwrap().legal;
    let raise = legal.wagers.into_iter().find(|wager| wager.area == Area::Bet).unwrap();
    let wagers = vec![Chips { seat: BoxNumber(1), area: Area::Bet, amount: raise.amounts.from }];
    order(&casino, &ann, &table, Order::Bet { wagers }).await.unwrap();
    assert_eq!(order(&casino, &ann, &table, bet(5)).await.unwrap_err().code(), "own-limit");
    assert_eq!(casino.house.take_break(&ann, 5).await.unwrap_err().code(), "not-now", "it is not cut short");
    let session = casino.house.session_of(&ann).await.unwrap();
    assert_eq!(session.rounds.len(), 2);
    // The fold moved no purse, but its round is over.
    assert!(session.rounds.iter().all(|round| round.over));
    assert_eq!(session.rounds[0].net, Money::from_dollars(-40));
    assert_eq!(session.rounds[1].on(Area::Bet), Money::from_dollars(40));
    let after = Money::from_dollars(10_000) + session.net;
    assert_eq!(session.purse, after, "the rounds account for the purse");
    // The limits survive a crash.
    let casino = casino.after_a_crash().await;
    let rules = casino.house.session_of(&ann).await.unwrap().rules;
    assert!(rules.limits == limit(100) && rules.break_until.is_some());
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wagers_are_multiples_of_the_smallest_chip() {
    let casino = Casino::new(Backend::Sqlite).await;
    let ann = casino.player("ann").await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let bet = |cents: i64| Order::Bet {
        wagers: vec![Chips { seat: BoxNumber(1), area: Area::Ante, amount: Money::from_cents(cents) }],
    };
    assert_eq!(order(&casino, &ann, &table, bet(5_050)).await.unwrap_err().code(), "chip");
    let legal = casino.house.view(&ann, &table).await.unwrap().legal;
    let ante = legal.wagers.iter().find(|wager| wager.area == Area::Ante).unwrap();
    assert_eq!(ante.amounts.step, Money::from_dollars(1));
    order(&casino, &ann, &table, bet(5_000)).await.unwrap();
    clean(&casino).await;
}
