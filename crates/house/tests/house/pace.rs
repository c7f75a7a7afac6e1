//! Clocks of tables that run themselves, with more than one player.

use baize_house::{ClockKind, Order};
use baize_rules::{Area, BoxNumber, Family};
use baize_table::{Command, PhaseName};

use crate::support::{Backend, Casino, chips, clean, order, table_of};

#[tokio::test(flavor = "multi_thread")]
async fn clocks_run_with_several_players_and_absent_ones_are_handled_by_the_text() {
    for (operator, fate) in [("RWS", "folded"), ("MBS", "invalid")] {
        let casino = Casino::new(Backend::Sqlite).await;
        let table = table_of(&casino, operator, Family::Stud).await;
        let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
        order(&casino, &ann, &table, Order::Sit { seat: None }).await.unwrap();
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
        assert!(casino.house.view(&ann, &table).await.unwrap().clock.is_none(), "nobody waits for her");
        order(&casino, &ben, &table, Order::Sit { seat: Some(BoxNumber(4)) }).await.unwrap();
        order(&casino, &ben, &table, Order::Bet { wagers: vec![chips(4, Area::Ante, 50)] }).await.unwrap();
        assert_eq!(casino.house.view(&ann, &table).await.unwrap().clock.unwrap().what, ClockKind::Betting);
        casino.clock.advance_seconds(19);
        casino.house.tick().await.unwrap();
        assert_eq!(casino.house.table(&table).await.unwrap().phase, PhaseName::Betting);
        casino.clock.advance_seconds(1);
        casino.house.tick().await.unwrap();
        let view = casino.house.view(&ann, &table).await.unwrap();
        assert_eq!((view.info.phase, view.clock.unwrap().what), (PhaseName::Play, ClockKind::Decision));
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Bet, 100)] }).await.unwrap();
        casino.clock.advance_seconds(30);
        casino.house.tick().await.unwrap();
        let view = casino.house.view(&ann, &table).await.unwrap();
        assert_eq!(view.info.phase, PhaseName::Finished);
        let status = format!("{:?}", view.round.boxes[&BoxNumber(4)].status).to_lowercase();
        assert!(view.round.boxes[&BoxNumber(4)].absent && status.contains(fate), "{operator}: {status}");
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_box_belongs_to_the_player_seated_there() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "MBS", Family::Holdem).await;
    let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
    order(&casino, &ann, &table, Order::Sit { seat: Some(BoxNumber(2)) }).await.unwrap();
    assert!(order(&casino, &ben, &table, Order::Sit { seat: Some(BoxNumber(2)) }).await.is_err());
    let bet = |seat| Order::Bet { wagers: vec![chips(seat, Area::Ante, 50)] };
    assert_eq!(order(&casino, &ben, &table, bet(2)).await.unwrap_err().code(), "forbidden");
    let offered = casino.house.view(&ben, &table).await.unwrap().legal.wagers;
    assert!(!offered.is_empty() && offered.iter().all(|wager| wager.seat != BoxNumber(2)), "{offered:?}");
    order(&casino, &ann, &table, bet(2)).await.unwrap();
    order(&casino, &ann, &table, Order::Leave).await.unwrap();
    order(&casino, &ann, &table, Order::Ready).await.unwrap();
    order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(2) }).await.unwrap();
    order(&casino, &ben, &table, bet(2)).await.unwrap();
    clean(&casino).await;
}
