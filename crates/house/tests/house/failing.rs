//! Databases that cannot be used: a clear error and no partial change.

use std::sync::Arc;

use baize_house::load::Robot;
use baize_house::{Actor, House, HouseError, JournalFilter, Order, PlayerId, RoundId, WallClock};
use baize_rules::{Area, Family, Money};
use rusqlite::Connection;

use crate::server::Server;
use crate::support::{Backend, Casino, Folder, cents, chips, clean, order, table_of, to_version_3};

async fn refused(database: &str) -> HouseError {
    match House::open_with(database, Arc::new(WallClock)).await {
        Ok(_) => panic!("{database} opens"),
        Err(error) => error,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_a_newer_program_is_not_touched() {
    let casino = Casino::new(Backend::Sqlite).await;
    let (database, folder) = (casino.database.clone(), casino.folder);
    casino.house.close().await.unwrap();
    let past = Connection::open(&database).unwrap();
    past.pragma_update(None, "user_version", 99).unwrap();
    drop(past);
    assert_eq!(refused(&database).await, HouseError::Newer { found: 99, known: 7 });
    drop(folder);

    let casino = Casino::new(Backend::Postgres).await;
    let database = casino.database.clone();
    casino.house.close().await.unwrap();
    Server::the().sql(&database, "UPDATE baize_schema SET version = 99");
    assert_eq!(refused(&database).await, HouseError::Newer { found: 99, known: 7 });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_the_first_version_is_upgraded() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let Casino { house, database, folder, .. } = casino;
        house.close().await.unwrap();
        match backend {
            Backend::Sqlite => {
                to_version_3(&database).await;
                let past = Connection::open(&database).unwrap();
                past.execute_batch("DROP TABLE snapshots; PRAGMA user_version = 1").unwrap();
            }
            Backend::Postgres => {
                Server::the().sql(
                    &database,
                    "DROP TABLE names, entries, sealed, balances, decks, rounds, secrets, snapshots, baize_schema",
                );
                Server::the().sql(&database, include_str!("../fixtures/casino-v1.pg.sql"));
            }
        }
        assert_eq!(House::look_at(&database).await.err().unwrap().code(), "older", "only a start migrates");
        let casino = Casino::on(database, folder).await;
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_all_entries_indexed_can_be_continued() {
    let mut casino = Casino::new(Backend::Sqlite).await;
    let table = casino.tables().await.remove(0);
    let player: PlayerId = "robot".parse().unwrap();
    casino.house.create_player(&player, None, Money::from_dollars(10_000)).await.unwrap();
    for _ in 0..2 {
        let mut robot = Robot::new(casino.house.clone(), player.clone(), table.clone(), 7);
        for _ in 0..20 {
            robot.round().await.unwrap();
        }
        drop(robot);
        let Casino { house, database, folder, .. } = casino;
        house.close().await.unwrap();
        to_version_3(&database).await;
        casino = Casino::on(database, folder).await;
    }
    let mut robot = Robot::new(casino.house.clone(), player.clone(), table.clone(), 8);
    for _ in 0..20 {
        robot.round().await.unwrap();
    }
    clean(&casino).await;
    let filter =
        JournalFilter { stream: Some(format!("table/{table}")), limit: Some(10_000), ..Default::default() };
    let lines = casino.house.journal(&Actor::House, &filter).await.unwrap();
    let versions: Vec<u64> = lines.iter().rev().map(|line| line.version).collect();
    assert_eq!(versions, (1..=versions.len() as u64).collect::<Vec<_>>());
    assert!(versions.len() > 128, "{}", versions.len());
    for number in [1, 20, 21, 60] {
        let round = RoundId { table: table.clone(), number };
        assert!(casino.house.export(&round).await.unwrap().contains("settle"), "{round}");
    }
}

/// The stored ends of chains follow from the entries: if they do not match, the entries decide.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_ends_of_chains_are_recomputed() {
    let mut casino = Casino::new(Backend::Sqlite).await;
    let table = casino.tables().await.remove(0);
    let player: PlayerId = "robot".parse().unwrap();
    casino.house.create_player(&player, None, Money::from_dollars(10_000)).await.unwrap();
    for damage in [
        "DELETE FROM heads",
        "UPDATE heads SET number = number + 1000",
        "DELETE FROM heads WHERE number = (SELECT max(number) FROM entries)",
    ] {
        let Casino { house, database, folder, .. } = casino;
        house.close().await.unwrap();
        assert!(Connection::open(&database).unwrap().execute(damage, []).unwrap() > 0);
        assert!(!baize_audit::audit_at(&database).await.unwrap().is_clean(), "{damage}");
        casino = Casino::on(database, folder).await;
        Robot::new(casino.house.clone(), player.clone(), table.clone(), 7).round().await.unwrap();
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_a_database_is_refused() {
    let folder = Folder::new();
    std::fs::write(folder.file(), "this is not a database, and longer than a header of one".repeat(20))
        .unwrap();
    let told = refused(&folder.file()).await;
    assert_eq!(told.code(), "corrupt");
    assert!(!told.to_string().contains("baize audit"), "there is nothing to audit: {told}");
    let other = Folder::new();
    Connection::open(other.file()).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert_eq!(refused(&other.file()).await.code(), "corrupt", "another program's file is left alone");
    assert_eq!(refused("mysql://somewhere/x").await.code(), "database-address");
    let key = folder.0.join("house.key").display().to_string();
    baize_house::new_key_file(&key).unwrap();
    let nobody = format!("postgres://nobody@127.0.0.1:1/nowhere?keyfile={key}");
    assert_eq!(refused(&nobody).await.code(), "unavailable");
    let nowhere = House::look_at("/no/such/folder/casino.sqlite").await;
    assert_eq!(nowhere.err().unwrap().code(), "no-database");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_can_be_opened_by_one_process_only() {
    let casino = Casino::new(Backend::Sqlite).await;
    assert_eq!(refused(&casino.database).await, HouseError::InUse(casino.database.clone()));
    let looked = House::look_at(&casino.database).await.unwrap();
    assert!(baize_audit::audit(&looked).await.unwrap().is_clean(), "an audit may look on");
    let refused = looked.set_up_default().await;
    assert!(refused.is_ok(), "there is nothing to set up");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_loses_nothing() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let ann = casino.player("ann").await;
    let Casino { house, database, folder, .. } = casino;
    house.close().await.unwrap();
    let file = Connection::open(&database).unwrap();
    let used: u32 = file.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    drop(file);
    let pages = used + 2;
    let casino = Casino::on(format!("sqlite:{database}?max_pages={pages}"), folder).await;
    let bet = || Order::Bet { wagers: vec![chips(1, Area::Ante, 5)] };
    let mut answered = 0;
    let full = loop {
        match order(&casino, &ann, &table, bet()).await {
            Ok(_) => answered += 1,
            Err(error) => break error,
        }
        assert!(answered < 190, "the disk never fills");
    };
    assert_eq!(full.code(), "unavailable", "{full}");
    assert!(full.to_string().contains("full"), "{full}");
    let health = casino.house.health().await.unwrap_err();
    assert!(health.to_string().contains("full"), "nobody is told that all is well: {health}");
    assert_eq!(cents(&casino, &ann).await, 1_000_000 - answered * 500);
    clean(&casino).await;
    let Casino { house, folder, .. } = casino;
    drop(house.close().await);
    house_gone().await;
    let casino = Casino::on(database, folder).await;
    clean(&casino).await;
    let more = order(&casino, &ann, &table, bet()).await;
    assert!(more.is_ok(), "{more:?}");
    casino.house.health().await.unwrap();
    clean(&casino).await;
}

/// Waits until the old house has released its file.
async fn house_gone() {
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
}
