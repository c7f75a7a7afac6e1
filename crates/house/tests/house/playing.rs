//! Rounds at tables that run themselves and at tables that are run.

use baize_house::load::Robot;
use baize_house::{Actor, PlayerId};
use baize_rules::Money;

use crate::support::{Backend, Casino};

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
        for _ in 0..20 {
            robot.round().await.unwrap();
        }
        let view = casino.house.view(&Actor::player(player), &table).await.unwrap();
        assert_eq!(view.info.round, 20, "{table}");
        assert!(view.proof.unwrap().holds(), "{table}");
    }
    let audit = casino.house.audit().await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
    for line in casino.house.rounds(&baize_house::RoundFilter { limit: Some(200), ..Default::default() }).await.unwrap() {
        let text = casino.house.export(&line.id).await.unwrap();
        assert!(text.contains("settle"), "{text}");
    }
}
