//! Orders: idempotent, limited to the actor's rights and purse.

use baize_house::{Actor, CommandId, Duty, HouseError, Order, PlayerId};
use baize_rules::{Area, BoxNumber, Family, Money};
use baize_table::Command;

use crate::support::{Backend, Casino, cents, chips, clean, order, table_of};

#[tokio::test(flavor = "multi_thread")]
async fn an_order_sent_twice_acts_once_and_answers_the_same() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let ann = casino.player("ann").await;
        let ben = casino.player("ben").await;
        let id: CommandId = "ann-1".parse().unwrap();
        let bet = Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] };
        let first = casino.house.act(&ann, &table, &id, bet.clone()).await.unwrap();
        let again = casino.house.act(&ann, &table, &id, bet.clone()).await.unwrap();
        assert!(again.repeated && !first.repeated);
        assert_eq!((again.version, again.round), (first.version, first.round));
        assert_eq!(cents(&casino, &ann).await, 995_000);
        // A repeated decision is refused, except under its own id.
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        let fold: CommandId = "ann-2".parse().unwrap();
        let done =
            casino.house.act(&ann, &table, &fold, Command::Fold { seat: BoxNumber(1) }.into()).await.unwrap();
        let again =
            casino.house.act(&ann, &table, &fold, Command::Fold { seat: BoxNumber(1) }.into()).await.unwrap();
        assert_eq!(done.version, again.version);
        let other = casino.house.act(&ben, &table, &fold, Command::Fold { seat: BoxNumber(1) }.into()).await;
        assert_eq!(other, Err(HouseError::CommandReused(fold)));
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reused_id_is_refused() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let ann = casino.player("ann").await;
        let id: CommandId = "ann-1".parse().unwrap();
        let bet = |dollars| Order::Bet { wagers: vec![chips(1, Area::Ante, dollars)] };
        casino.house.act(&ann, &table, &id, bet(50)).await.unwrap();
        let reused = Err(HouseError::CommandReused(id.clone()));
        assert_eq!(casino.house.act(&ann, &table, &id, bet(60)).await, reused, "another amount");
        assert_eq!(casino.house.act(&ann, &table, &id, Order::Ready).await, reused, "another order");
        let casino = casino.after_a_crash().await;
        assert_eq!(casino.house.act(&ann, &table, &id, bet(60)).await, reused, "also after a crash");
        assert!(casino.house.act(&ann, &table, &id, bet(50)).await.unwrap().repeated);
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_order_sent_twice_at_once_acts_once() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let ann = casino.player("ann").await;
        let id: CommandId = "double-click".parse().unwrap();
        let bet = || Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] };
        let (one, other) = tokio::join!(
            casino.house.act(&ann, &table, &id, bet()),
            casino.house.act(&ann, &table, &id, bet())
        );
        assert_eq!(one.unwrap().version, other.unwrap().version);
        assert_eq!(cents(&casino, &ann).await, 995_000);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_refused_and_changes_nothing() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let ann = casino.player("ann").await;
        let ann_id: PlayerId = "ann".parse().unwrap();
        let ben = casino.player("ben").await;
        let cage = casino.staff("carla", Duty::Cage).await;
        let dealer = casino.staff("dora", Duty::Dealer).await;
        let auditor = casino.staff("axel", Duty::Auditor).await;
        let id = CommandId::random;
        let ante = |dollars| Order::Bet { wagers: vec![chips(1, Area::Ante, dollars)] };

        let nowhere = "no-such-table".parse().unwrap();
        let unknown = casino.house.act(&ann, &nowhere, &id(), ante(50)).await;
        assert_eq!(unknown, Err(HouseError::UnknownTable(nowhere)));

        for by in [&ann, &dealer, &auditor, &Actor::Public] {
            let forbidden = casino.house.buy_in(by, &ann_id, &id(), Money::from_dollars(5)).await;
            assert!(
                matches!(forbidden, Err(HouseError::Forbidden { needs: Duty::Cage, .. })),
                "{forbidden:?}"
            );
        }
        let cash: PlayerId = "cash".parse().unwrap();
        casino.house.register_player(&cage, &cash, None).await.unwrap();
        for amount in [Money::ZERO, Money::from_dollars(-5), Money::from_dollars(20_000_000)] {
            assert_eq!(
                casino.house.buy_in(&cage, &cash, &id(), amount).await,
                Err(HouseError::Amount(amount))
            );
        }
        let nobody: PlayerId = "nobody".parse().unwrap();
        let unknown = casino.house.buy_in(&cage, &nobody, &id(), Money::from_dollars(5)).await;
        assert_eq!(unknown, Err(HouseError::UnknownPlayer(nobody)));
        let much = Money::from_dollars(1);
        let short = casino.house.cash_out(&cage, &cash, &id(), much).await.unwrap_err();
        assert_eq!(short, HouseError::Purse { player: cash.clone(), has: Money::ZERO, needs: much });

        let twice = id();
        casino.house.buy_in(&cage, &cash, &twice, Money::from_dollars(7)).await.unwrap();
        casino.house.buy_in(&cage, &cash, &twice, Money::from_dollars(7)).await.unwrap();
        assert_eq!(casino.house.purse(&cash).await, Ok(Money::from_dollars(7)));
        let other = casino.house.buy_in(&cage, &cash, &twice, Money::from_dollars(8)).await;
        assert_eq!(other, Err(HouseError::CommandReused(twice)));

        assert_eq!(order(&casino, &ann, &table, ante(2_000)).await.unwrap_err().code(), "refused");
        assert_eq!(order(&casino, &cage, &table, Order::DealNext).await.unwrap_err().code(), "forbidden");
        order(&casino, &ann, &table, ante(50)).await.unwrap();
        // Another player's box, another player's name.
        let forged = Command::PlaceWager {
            seat: BoxNumber(1),
            player: "ann".into(),
            area: Area::Ante,
            amount: Money::from_dollars(50),
            unnoticed: true,
            placed_by: None,
        };
        assert_eq!(order(&casino, &ben, &table, forged).await.unwrap_err().code(), "refused");
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        let not_his = order(&casino, &ben, &table, Command::Fold { seat: BoxNumber(1) }).await;
        assert_eq!(not_his, Err(HouseError::NotYourBox { seat: BoxNumber(1) }));
        assert_eq!(cents(&casino, &ben).await, 1_000_000);
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purse_never_becomes_negative() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let poor: PlayerId = "poor".parse().unwrap();
        casino.house.create_player(&poor, None, Money::from_dollars(60)).await.unwrap();
        let actor = Actor::player(poor.clone());
        let tables = casino.tables().await;
        let bet = |seat| Order::Bet { wagers: vec![chips(seat, Area::Ante, 50)] };
        // At two tables at the same time: one of them finds the purse empty.
        let (one, other) = tokio::join!(
            order(&casino, &actor, &tables[0], bet(1)),
            order(&casino, &actor, &tables[1], bet(1))
        );
        let refused = [one, other].into_iter().filter_map(Result::err).collect::<Vec<_>>();
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert_eq!(refused[0].code(), "purse");
        assert_eq!(cents(&casino, &actor).await, 1_000);
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_float_is_filled_so_that_every_win_is_paid() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let id: baize_house::TableId = "empty".parse().unwrap();
        let jackpot = casino.house.jackpots().await.unwrap()[0].id.clone();
        let book =
            baize_rules::Rulebook::builtins().iter().find(|book| book.operator == jackpot.as_str()).unwrap();
        let mut config = baize_house::TableConfig::usual(id.clone(), book, Some(jackpot));
        config.float = Money::ZERO;
        casino.house.create_table(&Actor::House, config).await.unwrap();
        let player: PlayerId = "ann".parse().unwrap();
        casino.house.create_player(&player, None, Money::from_dollars(50_000)).await.unwrap();
        let mut robot = baize_house::load::Robot::new(casino.house.clone(), player, id, 5);
        robot.jackpot_every = 1;
        for _ in 0..10 {
            robot.round().await.unwrap();
        }
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_for_an_old_version_is_stale() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
        let seen = casino.house.view(&ann, &table).await.unwrap().info.version;
        let bet = |seat| Order::Bet { wagers: vec![chips(seat, Area::Ante, 50)] };
        let (first, late): (CommandId, CommandId) = ("one".parse().unwrap(), "two".parse().unwrap());
        let done = casino.house.act_at(&ann, &table, &first, bet(1), Some(seen)).await.unwrap();
        assert!(done.version > seen);
        let stale = casino.house.act_at(&ben, &table, &late, bet(2), Some(seen)).await;
        assert_eq!(stale, Err(HouseError::Stale { seen, now: done.version }));
        assert_eq!(stale.unwrap_err().code(), "stale");
        assert_eq!(cents(&casino, &ben).await, 1_000_000);
        // A repeated order gets its first answer, even if the table has changed since.
        let again = casino.house.act_at(&ann, &table, &first, bet(1), Some(seen)).await.unwrap();
        assert!(again.repeated);
        assert_eq!(again.version, done.version);
        casino.house.act_at(&ben, &table, &late, bet(2), Some(done.version)).await.unwrap();
        // Of several orders for the same version, one acts.
        let seen = casino.house.table(&table).await.unwrap().version;
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (house, ann, table) = (casino.house.clone(), ann.clone(), table.clone());
            tasks.spawn(
                async move { house.act_at(&ann, &table, &CommandId::random(), bet(1), Some(seen)).await },
            );
        }
        let done = tasks.join_all().await.into_iter().filter(Result::is_ok).count();
        assert_eq!(done, 1);
        clean(&casino).await;
    }
}
