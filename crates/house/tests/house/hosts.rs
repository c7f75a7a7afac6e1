//! Several hosts on one PostgreSQL: any of them serves any table.

use baize_table::PhaseName;
use std::time::Duration;

use baize_house::load::Robot;
use baize_house::{Actor, Changed, Duty, House, HouseError, Order, PlayerId, StaffId, TableId};
use baize_rules::{Area, BoxNumber, Family, Money};

use crate::server::Server;
use crate::support::{Backend, Casino, chips, clean, order, table_of};

#[tokio::test(flavor = "multi_thread")]
async fn two_hosts_serve_the_same_tables() {
    let casino = Casino::new(Backend::Postgres).await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let ann = casino.player("ann").await;
    order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
    // A host that joins others resolves nothing: no round was interrupted.
    let other = House::open_with(&casino.database, casino.clock.clone()).await.unwrap();
    assert_eq!(other.table(&table).await.unwrap().phase, PhaseName::Betting);
    let mut news = other.changes();
    order(&casino, &ann, &table, Order::Ready).await.unwrap();
    let heard = tokio::time::timeout(Duration::from_secs(10), async {
        loop {
            let change = news.recv().await.unwrap();
            if change.what == Changed::Table(table.clone()) {
                return change.version;
            }
        }
    });
    let version = heard.await.expect("news comes");
    assert_eq!(version, casino.house.table(&table).await.unwrap().version);
    assert_eq!(other.view(&ann, &table).await.unwrap().info.phase, PhaseName::Play);
    // A new table of one host is known to the other.
    let id: baize_house::TableId = "extra".parse().unwrap();
    let config = baize_house::TableConfig::usual(id.clone(), &baize_rules::Rulebook::builtins()[0], None);
    other.create_table(&Actor::House, config).await.unwrap();
    for _ in 0..200 {
        if casino.house.table(&id).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    casino.house.table(&id).await.unwrap();
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_sticks_to_its_host_and_moves_when_that_is_gone() {
    let casino = Casino::new(Backend::Postgres).await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let other = House::open_with(&casino.database, casino.clock.clone()).await.unwrap();
    for (name, seat) in [("ann", 1), ("ben", 4)] {
        let player = casino.player(name).await;
        order(&casino, &player, &table, Order::Sit { seat: Some(BoxNumber(seat)) }).await.unwrap();
        let bet = Order::Bet { wagers: vec![chips(seat, Area::Ante, 50)] };
        order(&casino, &player, &table, bet).await.unwrap();
    }
    let version = casino.house.table(&table).await.unwrap().version;
    while other.table(&table).await.unwrap().version < version {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let phase = async || other.table(&table).await.unwrap().phase;
    casino.clock.advance_seconds(20);
    other.tick().await.unwrap();
    assert_eq!(phase().await, PhaseName::Betting, "the clock is kept by the host that took the bets");
    casino.house.close().await.unwrap();
    casino.clock.advance_seconds(1);
    other.tick().await.unwrap();
    assert_eq!(phase().await, PhaseName::Betting);
    casino.clock.advance_seconds(1);
    other.tick().await.unwrap();
    assert_eq!(phase().await, PhaseName::Play, "that host is gone");
    other.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_house_is_no_host_even_while_it_is_in_memory() {
    let casino = Casino::new(Backend::Postgres).await;
    let hosts = || {
        let asked =
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        Server::the().sql(&casino.database, asked)
    };
    assert_eq!(hosts(), "1");
    casino.house.close().await.unwrap();
    for _ in 0..200 {
        if hosts() == "0" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it is still connected");
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_created_on_one_host_work_on_the_other_at_once() {
    let casino = Casino::new(Backend::Postgres).await;
    let other = House::open_with(&casino.database, casino.clock.clone()).await.unwrap();
    for number in 0..5 {
        let id: PlayerId = format!("new-{number}").parse().unwrap();
        casino.house.create_player(&id, None, Money::from_dollars(5)).await.unwrap();
        let actor = Actor::player(id.clone());
        let session = casino.house.start_session(&actor).await.unwrap();
        assert_eq!(other.session(&session.secret).await, Ok(actor));
        assert_eq!(other.purse(&id).await, Ok(Money::from_dollars(5)));
    }
    // The same for passwords, locks and suspensions.
    let dora: StaffId = "dora".parse().unwrap();
    casino.house.create_staff(&Actor::House, &dora, Some("correct horse"), &[Duty::Dealer]).await.unwrap();
    let session = other.log_in("dora", "correct horse").await.unwrap();
    for house in [&casino.house, &other, &casino.house] {
        house.log_in("dora", "wrong").await.unwrap_err();
    }
    let waits = other.log_in("dora", "correct horse").await;
    assert_eq!(waits, Err(HouseError::Locked { wait_seconds: 30 }));
    assert!(other.session(&session.secret).await.is_ok(), "a session goes on");
    casino.house.unlock(&Actor::House, "dora").await.unwrap();
    assert!(other.session(&session.secret).await.is_ok());
    assert_eq!(other.holding(vec![session.secret.clone()]).await.unwrap().len(), 1);
    casino.house.suspend(&Actor::House, &dora, "an inquiry").await.unwrap();
    assert!(other.holding(vec![session.secret.clone()]).await.unwrap().is_empty(), "streams look here");
    assert_eq!(other.session(&session.secret).await, Err(HouseError::NotLoggedIn));
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hosts_with_the_same_version_act_once() {
    let casino = Casino::new(Backend::Postgres).await;
    let other = House::open_with(&casino.database, casino.clock.clone()).await.unwrap();
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let ann = casino.player("ann").await;
    for _ in 0..5 {
        let seen = casino.house.table(&table).await.unwrap().version;
        let bet = || Order::Bet { wagers: vec![chips(1, Area::Ante, 5)] };
        let (one, two) = (baize_house::CommandId::random(), baize_house::CommandId::random());
        let (one, two) = tokio::join!(
            casino.house.act_at(&ann, &table, &one, bet(), Some(seen)),
            other.act_at(&ann, &table, &two, bet(), Some(seen))
        );
        let stale = [one, two].into_iter().filter_map(Result::err).collect::<Vec<_>>();
        assert!(matches!(stale[..], [HouseError::Stale { .. }]), "{stale:?}");
    }
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_that_write_the_same_table_at_once_lose_nothing() {
    let casino = Casino::new(Backend::Postgres).await;
    let table = table_of(&casino, "MBS", Family::Stud).await;
    let other = House::open_with(&casino.database, casino.clock.clone()).await.unwrap();
    let mut tasks = Vec::new();
    for (number, house) in
        (1_u8..).zip([casino.house.clone(), other.clone(), casino.house.clone(), other.clone()])
    {
        let id: PlayerId = format!("p{number}").parse().unwrap();
        house.create_player(&id, None, Money::from_dollars(1_000)).await.unwrap();
        let table = table.clone();
        tasks.push(tokio::spawn(async move {
            let actor = Actor::player(id);
            for _ in 0..10 {
                let wagers = vec![chips(number, Area::Ante, 5)];
                let command = baize_house::CommandId::random();
                house.act(&actor, &table, &command, Order::Bet { wagers }).await.unwrap();
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    // Both play at different tables of the same jackpot.
    let mut robots = Vec::new();
    for (number, house) in (1_u64..).zip([casino.house.clone(), other.clone()]) {
        let family = if number == 1 { Family::Stud } else { Family::Holdem };
        let table = table_of(&casino, "RWS", family).await;
        let id: PlayerId = format!("r{number}").parse().unwrap();
        house.create_player(&id, None, Money::from_dollars(100_000)).await.unwrap();
        let mut robot = Robot::new(house, id, table, number * 31);
        robot.jackpot_every = 1;
        robots.push(tokio::spawn(async move {
            for _ in 0..15 {
                robot.round().await.unwrap();
            }
        }));
    }
    for robot in robots {
        robot.await.unwrap();
    }
    clean(&casino).await;
    let staked = casino.house.view(&Actor::Public, &table).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let _ = staked;
    assert_eq!(baize_audit::audit(&other).await.unwrap().faults, []);
}

fn bet() -> Order {
    Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }
}

/// A casino on its own server, where Ann has bet.
async fn own_server() -> (Server, Casino, TableId, Actor) {
    let server = Server::start();
    let casino = Casino::on(server.database(), None).await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let ann = casino.player("ann").await;
    order(&casino, &ann, &table, bet()).await.unwrap();
    (server, casino, table, ann)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_server_times_out_and_nothing_acts_twice() {
    let (server, casino, table, ann) = own_server().await;
    let id = baize_house::CommandId::random();
    server.freeze(true);
    // Long enough for any machine.
    let limit = Duration::from_secs(180);
    let asked = tokio::time::timeout(limit, casino.house.act(&ann, &table, &id, bet())).await;
    let health = tokio::time::timeout(limit, casino.house.health()).await;
    server.freeze(false);
    let told = asked.expect("a server that does not answer is given up").unwrap_err();
    assert_eq!(told.code(), "not-known", "{told}");
    assert!(health.expect("so it is when the house only looks").is_err());
    casino.house.act(&ann, &table, &id, bet()).await.unwrap();
    let staked = casino.house.view(&ann, &table).await.unwrap().round.boxes[&BoxNumber(1)].areas[&Area::Ante];
    assert_eq!(staked, Money::from_dollars(100), "each bet once");
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn work_resumes_when_the_server_is_back() {
    let (server, casino, table, ann) = own_server().await;
    let crashing = tokio::task::spawn_blocking(move || {
        server.crash();
        server
    });
    let server = crashing.await.unwrap();
    let id = baize_house::CommandId::random();
    let away = casino.house.act(&ann, &table, &id, Order::Ready).await.unwrap_err();
    assert_eq!(away.code(), "not-known", "nobody can look it up: {away}");
    assert!(casino.house.health().await.is_err());
    let starting = tokio::task::spawn_blocking(move || {
        server.go();
        server
    });
    let _server = starting.await.unwrap();
    // The same command again: it was not carried out before, and now acts once.
    let done = casino.house.act(&ann, &table, &id, Order::Ready).await.unwrap();
    assert!(!done.repeated);
    assert_eq!(casino.house.table(&table).await.unwrap().phase, PhaseName::Play);
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_starts_with_the_server_waits_for_other_hosts() {
    let (server, casino, table, ann) = own_server().await;
    order(&casino, &ann, &table, Order::Ready).await.unwrap();
    let restarting = tokio::task::spawn_blocking(move || {
        server.crash();
        server.go();
        server
    });
    let _server = restarting.await.unwrap();
    // The first host has not reacquired its lock yet.
    let other = House::open_with(&casino.database, casino.clock.clone()).await.unwrap();
    assert_eq!(other.table(&table).await.unwrap().phase, PhaseName::Play, "no round was interrupted");
    clean(&casino).await;
}

/// The lock that every host holds.
const HOSTS: i64 = 0x6261_697a_6502;

/// A host that starts alone keeps others out until it has opened the casino. If it dies before its start is on record, the waiting host
/// counts as alone and resolves the interrupted round.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_dies_while_opening_leaves_no_round_unresolved() {
    let casino = Casino::new(Backend::Postgres).await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let ann = casino.player("ann").await;
    order(&casino, &ann, &table, bet()).await.unwrap();
    order(&casino, &ann, &table, Order::Ready).await.unwrap();
    let Casino { house, clock, database, folder } = casino;
    drop(house);
    let locks = format!("SELECT pg_advisory_lock({HOSTS}), pg_advisory_lock_shared({HOSTS})");
    let mut first = Server::the().session(&database, &locks);
    let held =
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let until = std::time::Instant::now() + Duration::from_secs(180);
    while Server::the().sql(&database, held) != "1" {
        assert!(std::time::Instant::now() < until, "the lock of a host that is gone stays");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let coming = {
        let (database, clock) = (database.clone(), clock.clone());
        tokio::spawn(async move { House::open_with(&database, clock).await })
    };
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(!coming.is_finished(), "nobody comes in while another opens the casino");
    first.kill().unwrap();
    first.wait().unwrap();
    let house = coming.await.unwrap().unwrap();
    assert_eq!(house.table(&table).await.unwrap().phase, PhaseName::Finished, "the round was interrupted");
    clean(&Casino { house, clock, database, folder }).await;
}
