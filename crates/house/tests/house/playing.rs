//! Rounds at tables that run themselves, played by simulated players.

use baize_house::load::Robot;
use baize_house::{Actor, House, PlayerId};
use baize_report::{By, ReportFilter};
use baize_rules::Money;

use crate::support::{Backend, Casino, clean};

#[tokio::test(flavor = "multi_thread")]
async fn a_lone_player_plays_every_game_at_once() {
    for backend in Backend::ALL {
        every_game(&Casino::new(backend).await).await;
    }
}

async fn every_game(casino: &Casino) {
    for (number, table) in (1..).zip(casino.tables().await) {
        let player: PlayerId = format!("p{number}").parse().unwrap();
        casino.house.create_player(&player, None, Money::from_dollars(100_000)).await.unwrap();
        let mut robot = Robot::new(casino.house.clone(), player.clone(), table.clone(), number * 7919);
        for _ in 0..12 {
            robot.round().await.unwrap();
        }
        let view = casino.house.view(&Actor::player(player), &table).await.unwrap();
        assert_eq!(view.info.round, 12, "{table}");
        assert!(view.proof.unwrap().holds(), "{table}");
        assert_eq!(view.commitment.unwrap().round, 13, "the next deck is promised before bets open");
    }
    clean(casino).await;
    let report = baize_report::report(
        &casino.house,
        &Actor::House,
        &ReportFilter { by: By::Game, ..ReportFilter::default() },
    )
    .await
    .unwrap();
    assert_eq!(report.total.rounds, 60);
    assert_eq!(report.lines.len(), 5);
    let won: Money = report.lines.iter().map(|line| line.win).sum();
    assert_eq!(won, report.total.win);
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_share_the_tables_of_one_database() {
    let casino = Casino::new(Backend::Postgres).await;
    let other = House::open_with(&casino.database, casino.clock.clone()).await.unwrap();
    let options = baize_house::load::LoadOptions {
        tables: 6,
        seconds: 2,
        jackpot_every: 1,
        answered: None,
        stop: Default::default(),
    };
    let report = baize_house::load::run_on(&[casino.house.clone(), other], &options).await.unwrap();
    assert!(report.rounds >= 6, "{report:?}");
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_tables_play_at_once() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let options = baize_house::load::LoadOptions {
            tables: 12,
            seconds: 2,
            jackpot_every: 1,
            answered: None,
            stop: Default::default(),
        };
        let report = baize_house::load::run(&casino.house, &options).await.unwrap();
        assert!(report.rounds >= 12, "{backend:?}: {report:?}");
        clean(&casino).await;
    }
}
