//! Changes while the house is running: limits, jackpot parameters, new tables and jackpots.

use baize_house::load::Robot;
use baize_house::{
    Actor, Duty, HouseError, JackpotConfig, JackpotId, NextLimits, Order, RoundId, TableConfig, TableId,
};
use baize_rules::{Area, Family, Money, Percent, Rulebook};
use baize_table::Limits;

use crate::jackpot::royal;
use crate::support::{Backend, Casino, chips, clean, order, table_of};

fn limits(least: i32, most: i32) -> Limits {
    Limits { least: Money::from_dollars(least), most: Money::from_dollars(most) }
}

/// Plays legal commands until the round is over.
async fn play_on(casino: &Casino, player: &Actor, table: &TableId) {
    let id = player.as_player().unwrap().clone();
    Robot::new(casino.house.clone(), id, table.clone(), 3).round().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_apply_from_the_next_round() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "MBS", Family::Holdem).await;
        let ann = casino.player("ann").await;
        let (pit, manager) =
            (casino.staff("pete", Duty::PitSupervisor).await, casino.staff("mia", Duty::PitManager).await);
        let bet = |dollars| Order::Bet { wagers: vec![chips(1, Area::Ante, dollars)] };
        let set = |ante, bonus| Order::SetLimits { ante, bonus };
        order(&casino, &ann, &table, bet(5)).await.unwrap();

        let forbidden = order(&casino, &pit, &table, set(limits(25, 500), None)).await;
        assert_eq!(forbidden.unwrap_err().code(), "forbidden");
        for wrong in [limits(0, 500), limits(500, 25)] {
            let refused = order(&casino, &manager, &table, set(wrong, None)).await;
            assert_eq!(refused.unwrap_err().code(), "set-up", "{wrong:?}");
        }
        order(&casino, &manager, &table, set(limits(25, 500), None)).await.unwrap();
        let again = order(&casino, &manager, &table, set(limits(25, 500), None)).await;
        assert_eq!(again.unwrap_err().code(), "not-now");

        let told = casino.house.significant_events(&pit, 1).await.unwrap().remove(0).words;
        assert!(
            told.contains("ante 25.00 to 500.00") && told.contains("before: ante 5.00 to 1,000.00"),
            "{told}"
        );

        // The round in progress keeps its limits.
        let info = casino.house.table(&table).await.unwrap();
        assert_eq!(info.ante, limits(5, 1_000));
        assert_eq!(info.next_limits, Some(NextLimits { ante: limits(25, 500), bonus: info.bonus }));
        let more = Order::Bet { wagers: vec![chips(2, Area::Ante, 5)] };
        order(&casino, &ann, &table, more).await.unwrap();
        play_on(&casino, &ann, &table).await;

        let casino = casino.after_a_crash().await;
        let info = casino.house.table(&table).await.unwrap();
        assert_eq!((info.ante, info.next_limits), (limits(25, 500), None));
        let ahead = casino.house.view(&ann, &table).await.unwrap().legal.wagers;
        let ante = ahead.iter().find(|wager| wager.area == Area::Ante).unwrap();
        assert_eq!(ante.amounts.from, Money::from_dollars(25), "what is offered is what is taken");
        assert_eq!(order(&casino, &ann, &table, bet(5)).await.unwrap_err().code(), "refused");
        assert_eq!(order(&casino, &ann, &table, bet(501)).await.unwrap_err().code(), "refused");
        order(&casino, &ann, &table, bet(25)).await.unwrap();
        play_on(&casino, &ann, &table).await;
        clean(&casino).await;
        for (number, least) in [(1, "limit ante 5 1000"), (2, "limit ante 25 500")] {
            let script = casino.house.export(&RoundId { table: table.clone(), number }).await.unwrap();
            assert!(script.contains(least), "{script}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_wait_for_a_second_person_and_for_the_top_award() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let jackpot: JackpotId = "RWS".parse().unwrap();
        let (pit, manager) =
            (casino.staff("paul", Duty::PitSupervisor).await, casino.staff("mia", Duty::PitManager).await);
        let (boss, other) =
            (casino.staff("sue", Duty::ShiftManager).await, casino.staff("max", Duty::ShiftManager).await);
        let (now, change) = casino.house.jackpot_parameters(&pit, &jackpot).unwrap();
        assert_eq!(change, None);
        let ann = casino.player("pia").await;
        assert_eq!(casino.house.jackpot_parameters(&ann, &jackpot).unwrap_err().code(), "forbidden");

        let mut wanted = now.clone();
        (wanted.reset, wanted.increment) = (Money::from_dollars(250_000), Percent::from_hundredths(1_500));
        let house = |id: &str| casino.house.for_request(Some(id.parse().unwrap()), None);
        let forbidden = casino.house.propose_change(&pit, &jackpot, wanted.clone()).await;
        assert_eq!(forbidden.unwrap_err().code(), "forbidden");
        let mut dear = wanted.clone();
        dear.wager = Money::from_dollars(10);
        assert_eq!(casino.house.propose_change(&boss, &jackpot, dear).await.unwrap_err().code(), "set-up");
        let mut greedy = wanted.clone();
        greedy.increment = Percent::from_hundredths(9_900);
        assert_eq!(casino.house.propose_change(&boss, &jackpot, greedy).await.unwrap_err().code(), "jackpot");
        let nothing = casino.house.propose_change(&boss, &jackpot, now.clone()).await;
        assert_eq!(nothing.unwrap_err().code(), "not-now");
        for _ in 0..2 {
            house("p1").propose_change(&boss, &jackpot, wanted.clone()).await.unwrap();
        }
        let reused = house("p1").withdraw_change(&boss, &jackpot).await;
        assert_eq!(reused.unwrap_err().code(), "command-reused");

        // Neither the same person nor someone who depends on them.
        assert_eq!(casino.house.approve_change(&boss, &jackpot).await.unwrap_err().code(), "jackpot");
        let id: baize_house::StaffId = "puppet".parse().unwrap();
        casino.house.create_staff(&boss, &id, Some("correct horse"), &[Duty::ShiftManager]).await.unwrap();
        let puppet = Actor::staff(id, [Duty::ShiftManager]);
        let refused = casino.house.approve_change(&puppet, &jackpot).await;
        assert!(matches!(refused, Err(HouseError::NotTwoPersons(_))), "{refused:?}");
        assert_eq!(casino.house.approve_change(&manager, &jackpot).await.unwrap_err().code(), "forbidden");
        house("a1").approve_change(&other, &jackpot).await.unwrap();
        clean(&casino).await;

        let casino = casino.after_a_crash().await;
        let (still, change) = casino.house.jackpot_parameters(&pit, &jackpot).unwrap();
        assert_eq!(still, now, "nothing changes while the link operates");
        assert_eq!(change.unwrap().approved_by.unwrap().name, "max");
        royal(&casino).await;
        let view = casino.house.jackpots().await.unwrap().into_iter().find(|j| j.id == jackpot).unwrap();
        for (who, hit) in [(&boss, &view.pending[0]), (&other, &view.pending[0])] {
            if who == &boss {
                casino.house.verify_hit(who, &jackpot, hit.number).await.unwrap();
            } else {
                casino.house.confirm_hit(who, &jackpot, hit.number).await.unwrap();
            }
        }
        let (then, change) = casino.house.jackpot_parameters(&pit, &jackpot).unwrap();
        assert_eq!((then, change), (wanted, None));
        let view = casino.house.jackpots().await.unwrap().into_iter().find(|j| j.id == jackpot).unwrap();
        assert_eq!(view.displayed, Money::from_dollars(250_000), "it starts again from the new value");
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_can_be_withdrawn() {
    let casino = Casino::new(Backend::Sqlite).await;
    let jackpot: JackpotId = "MBS".parse().unwrap();
    let (boss, other) =
        (casino.staff("sue", Duty::ShiftManager).await, casino.staff("max", Duty::ShiftManager).await);
    let (mut wanted, _) = casino.house.jackpot_parameters(&boss, &jackpot).unwrap();
    wanted.ceiling = Some(Money::from_dollars(500_000));
    assert_eq!(casino.house.withdraw_change(&boss, &jackpot).await.unwrap_err().code(), "jackpot");
    casino.house.propose_change(&boss, &jackpot, wanted).await.unwrap();
    casino.house.approve_change(&other, &jackpot).await.unwrap();
    casino.house.withdraw_change(&other, &jackpot).await.unwrap();
    assert_eq!(casino.house.jackpot_parameters(&boss, &jackpot).unwrap().1, None);
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn creating_tables_and_jackpots_is_idempotent() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let boss = casino.staff("sue", Duty::ShiftManager).await;
        let ann = casino.player("ann").await;
        let book = Rulebook::builtins().iter().find(|book| book.operator == "RWS").unwrap();
        let mut jackpot = JackpotConfig::usual("high".parse().unwrap());
        jackpot.wager = Money::from_dollars(25);
        let config = TableConfig {
            settings: baize_table::Settings {
                ante: limits(100, 5_000),
                ..TableConfig::usual("vip-1".parse().unwrap(), book, None).settings
            },
            ..TableConfig::usual("vip-1".parse().unwrap(), book, Some("high".parse().unwrap()))
        };
        let house = |id: &str| casino.house.for_request(Some(id.parse().unwrap()), None);
        for _ in 0..2 {
            house("j1").create_jackpot(&boss, jackpot.clone()).await.unwrap();
            house("t1").create_table(&boss, config.clone()).await.unwrap();
        }
        let mut other = config.clone();
        other.id = "vip-2".parse().unwrap();
        assert_eq!(house("t1").create_table(&boss, other).await.unwrap_err().code(), "command-reused");
        assert_eq!(house("t2").create_table(&boss, config.clone()).await.unwrap_err().code(), "name-taken");
        assert_eq!(
            house("j2").create_jackpot(&boss, jackpot.clone()).await.unwrap_err().code(),
            "name-taken"
        );
        let info = casino.house.table(&config.id).await.unwrap();
        assert_eq!(info.jackpot_wager, Some(Money::from_dollars(25)), "the jackpot's own wager");
        let mut robot =
            Robot::new(casino.house.clone(), ann.as_player().unwrap().clone(), config.id.clone(), 3);
        robot.jackpot_every = 1;
        robot.round().await.unwrap();
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_jackpot_moves_its_pools_to_another() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let (manager, boss) =
            (casino.staff("mia", Duty::PitManager).await, casino.staff("sue", Duty::ShiftManager).await);
        let ann = casino.player("ann").await;
        let (old, new): (JackpotId, JackpotId) = ("old".parse().unwrap(), "new".parse().unwrap());
        // Thirds of a cent on both sides: each account is rounded up by itself.
        for id in [&old, &new] {
            let increment = Percent::from_hundredths(33);
            let config = JackpotConfig {
                increment,
                wager: Money::from_dollars(1),
                ..JackpotConfig::usual(id.clone())
            };
            casino.house.create_jackpot(&boss, config).await.unwrap();
        }
        let book = Rulebook::builtins().iter().find(|book| book.operator == "RWS").unwrap();
        let config = |name: &str, jackpot: &JackpotId| {
            TableConfig::usual(name.parse().unwrap(), book, Some(jackpot.clone()))
        };
        for (name, jackpot) in [("a-1", &old), ("b-1", &new)] {
            casino.house.create_table(&boss, config(name, jackpot)).await.unwrap();
            let mut robot =
                Robot::new(casino.house.clone(), ann.as_player().unwrap().clone(), name.parse().unwrap(), 3);
            robot.jackpot_every = 1;
            robot.round().await.unwrap();
        }
        let value = async |id: &JackpotId| {
            casino.house.jackpots().await.unwrap().into_iter().find(|jackpot| jackpot.id == *id).unwrap()
        };
        let before = value(&old).await.displayed + value(&new).await.displayed;
        let house = |id: &str| casino.house.for_request(Some(id.parse().unwrap()), None);
        for (who, into, code) in [(&manager, &new, "forbidden"), (&boss, &old, "jackpot")] {
            assert_eq!(casino.house.close_jackpot(who, &old, into).await.unwrap_err().code(), code);
        }
        let other_house = casino.house.close_jackpot(&boss, &old, &"MBS".parse().unwrap()).await;
        assert_eq!(other_house.unwrap_err().code(), "set-up", "pools stay with their operator");
        // Not while a round has jackpot wagers.
        let table: TableId = "a-1".parse().unwrap();
        let wagers = vec![chips(1, Area::Ante, 5), chips(1, Area::Jackpot, 1)];
        order(&casino, &ann, &table, Order::Bet { wagers }).await.unwrap();
        let early = casino.house.close_jackpot(&boss, &old, &new).await.unwrap_err();
        assert!(early.to_string().contains("a-1"), "the wager lies on the table: {early}");
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        assert_eq!(casino.house.close_jackpot(&boss, &old, &new).await.unwrap_err().code(), "jackpot");
        play_on(&casino, &ann, &table).await;
        for _ in 0..2 {
            house("c1").close_jackpot(&boss, &old, &new).await.unwrap();
        }
        let gone = value(&old).await;
        assert!(gone.stopped.unwrap().contains("its pools moved to new"));
        assert!(value(&new).await.displayed >= before, "all of it is there");
        clean(&casino).await;

        // The table continues without a jackpot, also after a crash.
        let casino = casino.after_a_crash().await;
        let wagers = vec![chips(1, Area::Ante, 5), chips(1, Area::Jackpot, 1)];
        assert!(order(&casino, &ann, &table, Order::Bet { wagers }).await.is_err());
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 5)] }).await.unwrap();
        play_on(&casino, &ann, &table).await;
        let again = casino.house.close_jackpot(&boss, &old, &new).await;
        assert_eq!(again.unwrap_err().code(), "jackpot");
        clean(&casino).await;
    }
}
