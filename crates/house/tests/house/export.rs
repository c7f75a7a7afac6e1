//! Live rounds as scripts: each replays to the settlement that was paid.

use baize_house::load::Robot;
use baize_house::{Actor, PlayerId, RoundFilter};
use baize_rules::{Money, Rulebook};
use baize_script::Script;

use crate::support::{Backend, Casino};

#[tokio::test(flavor = "multi_thread")]
async fn random_live_rounds_replay_to_the_same_settlement() {
    let casino = Casino::new(Backend::Sqlite).await;
    for (number, table) in (1..).zip(casino.tables().await) {
        let player: PlayerId = format!("p{number}").parse().unwrap();
        casino.house.create_player(&player, None, Money::from_dollars(100_000)).await.unwrap();
        let mut robot = Robot::new(casino.house.clone(), player, table, number * 104_729);
        robot.jackpot_every = 1;
        for _ in 0..20 {
            robot.round().await.unwrap();
        }
    }
    let filter = RoundFilter { limit: Some(200), ..RoundFilter::default() };
    let rounds = casino.house.rounds(&filter).await.unwrap();
    assert_eq!(rounds.len(), 100);
    for line in rounds {
        let text = casino.house.export(&line.id).await.unwrap();
        let script = Script::parse(&text).unwrap_or_else(|error| panic!("{}: {error:?}\n{text}", line.id));
        let transcript = baize_script::run(&script, &|id| Rulebook::builtin(id).cloned());
        assert!(transcript.holds(), "{}: {:?}\n{text}", line.id, transcript.failures);
        let record = casino.house.round(&Actor::House, &line.id).await.unwrap();
        let replayed = transcript.rounds.last().unwrap();
        let baize_table::Phase::Finished(finished) = &replayed.round.phase else {
            panic!("{}: not over", line.id)
        };
        let nets = |slips: &[baize_table::BoxSettlement]| {
            slips.iter().map(|s| (s.seat, s.net())).collect::<Vec<_>>()
        };
        assert_eq!(nets(&record.slips), nets(&finished.boxes), "{}", line.id);
        assert!(record.proof.unwrap().holds());
    }
}
