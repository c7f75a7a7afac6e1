//! Somebody alters the record past the house: the audit names it.

use baize_house::load::Robot;
use baize_house::{AuditReport, House, PlayerId};
use baize_rules::Money;
use rusqlite::Connection;

use crate::server::Server;
use crate::support::{Backend, Casino};

/// What is done, and what the audit says about it: a place and a word.
const ALTERED: [(&str, &str, &str); 17] = [
    (
        "UPDATE entries SET body = replace(body, '\"amount\":\"5.00\"', '\"amount\":\"6.00\"') WHERE stream = 'table/{t}' AND version = 2",
        "table/{t} entry 2",
        "altered",
    ),
    (
        "UPDATE entries SET at = at + 1 WHERE stream = 'table/{t}' AND version = 5",
        "table/{t} entry 5",
        "altered",
    ),
    (
        "UPDATE entries SET actor = 'player:other' WHERE stream = 'table/{t}' AND version = 4",
        "table/{t} entry 4",
        "altered",
    ),
    (
        "UPDATE entries SET kinds = ',nothing,' WHERE stream = 'table/{t}' AND version = 4",
        "table/{t} entry 4",
        "altered",
    ),
    (
        "UPDATE entries SET hash = previous WHERE stream = 'table/{t}' AND version = 6",
        "table/{t} entry 6",
        "altered",
    ),
    (
        "UPDATE entries SET command = 'x' WHERE stream = 'table/{t}' AND version = 4",
        "table/{t} entry 4",
        "altered",
    ),
    ("DELETE FROM entries WHERE stream = 'table/{t}' AND version = 4", "table/{t} entry 5", "missing"),
    (
        "DELETE FROM entries WHERE stream = 'table/{t}' AND version >= (SELECT max(version) FROM entries WHERE stream = 'table/{t}')",
        "table/{t}",
        "sealed",
    ),
    ("DELETE FROM entries WHERE stream = 'player/robot'", "player/robot", "sealed"),
    ("DELETE FROM entries WHERE stream = 'jackpot/{j}' AND version >= 4", "jackpot/{j} entry", "sealed"),
    (
        "UPDATE entries SET body = replace(body, '100000.00', '900000.00') WHERE stream = 'jackpot/{j}' AND version = 1",
        "jackpot/{j} entry 1",
        "altered",
    ),
    (
        "UPDATE entries SET body = replace(body, 'robot', 'robin') WHERE stream = 'house' AND body LIKE '%robot%'",
        "house entry",
        "altered",
    ),
    ("UPDATE balances SET cents = cents + 1 WHERE account = 'purse/robot'", "account purse/robot", "holds"),
    ("DELETE FROM balances WHERE account = 'purse/robot'", "account purse/robot", "missing"),
    ("UPDATE decks SET salt = 'ab' WHERE tab = '{t}' AND round = 2", "the deck of round {t}/2", "promised"),
    (
        "UPDATE rounds SET won = won + 100 WHERE tab = '{t}' AND round = 1",
        "the line of round {t}/1",
        "journal",
    ),
    ("DELETE FROM rounds WHERE tab = '{t}' AND round = 2", "the line of round {t}/2", "missing"),
];

/// The same with ledger rows, whose keys differ between the databases.
const POSTINGS: [(&str, &str); 2] = [
    ("UPDATE postings SET cents = cents * 2 WHERE {first}", "altered"),
    ("DELETE FROM postings WHERE {first}", "altered"),
];

async fn played(backend: Backend) -> (Casino, String, String) {
    let casino = Casino::new(backend).await;
    let table = casino.tables().await.remove(0);
    let player: PlayerId = "robot".parse().unwrap();
    casino.house.create_player(&player, None, Money::from_dollars(10_000)).await.unwrap();
    let mut robot = Robot::new(casino.house.clone(), player, table.clone(), 99);
    robot.jackpot_every = 1;
    for _ in 0..3 {
        robot.round().await.unwrap();
    }
    casino.house.seal().await.unwrap();
    assert!(casino.house.audit().await.unwrap().is_clean());
    let jackpot = casino.house.table(&table).await.unwrap().jackpot.unwrap();
    let names = (table.to_string(), jackpot.to_string());
    (casino, names.0, names.1)
}

pub(crate) fn names(report: &AuditReport, place: &str, word: &str) -> bool {
    report.faults.iter().any(|fault| fault.place.contains(place) && fault.what.contains(word))
}

/// Every alteration: what is done, and the place and a word of the fault that names it. `first` picks a ledger entry of the table.
fn alterations(first: &str) -> Vec<(String, String, &'static str)> {
    let rows = ALTERED.map(|(sql, place, word)| (sql.to_owned(), place.to_owned(), word));
    let postings =
        POSTINGS.map(|(sql, word)| (sql.replace("{first}", first), "table/{t} entry".to_owned(), word));
    rows.into_iter().chain(postings).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_row_that_is_altered_is_named_on_sqlite() {
    let (casino, table, jackpot) = played(Backend::Sqlite).await;
    let Casino { house, database, folder, .. } = casino;
    house.close().await.unwrap();
    let folder = folder.unwrap();
    let first = "number = (SELECT e.number FROM entries e JOIN postings p USING (number) WHERE e.stream = 'table/{t}' AND e.version > 1 LIMIT 1) AND line = 0";
    for (number, (sql, place, word)) in alterations(first).iter().enumerate() {
        let fill = |text: &str| text.replace("{t}", &table).replace("{j}", &jackpot);
        let copy = folder.0.join(format!("altered-{number}.sqlite")).display().to_string();
        std::fs::copy(&database, &copy).unwrap();
        let changed = Connection::open(&copy).unwrap().execute(&fill(sql), []).unwrap();
        assert!(changed > 0, "{}", fill(sql));
        let report = House::look_at(&copy).await.unwrap().audit().await.unwrap();
        assert!(names(&report, &fill(place), word), "{}\n{report:#?}", fill(sql));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_row_that_is_altered_is_named_on_postgresql() {
    let (casino, table, jackpot) = played(Backend::Postgres).await;
    let database = casino.database.clone();
    casino.house.close().await.unwrap();
    let name = database.rsplit('/').next().unwrap().to_owned();
    let first = "(stream, version) = (SELECT stream, version FROM postings WHERE stream = 'table/{t}' AND version > 1 LIMIT 1) AND line = 0";
    for (number, (sql, place, word)) in alterations(first).iter().enumerate() {
        let fill = |text: &str| text.replace("{t}", &table).replace("{j}", &jackpot);
        let copy = format!("altered{number}");
        let server = Server::the();
        let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
        // A template must have no visitors; those of the closed house leave in a moment.
        while server.try_sql("postgres", &format!("CREATE DATABASE {copy} TEMPLATE {name}")).is_err() {
            assert!(std::time::Instant::now() < until);
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        server.sql(&copy, &fill(sql));
        let report = House::look_at(&server.address(&copy)).await.unwrap().audit().await.unwrap();
        assert!(names(&report, &fill(place), word), "{}\n{report:#?}", fill(sql));
        server.sql("postgres", &format!("DROP DATABASE {copy} WITH (FORCE)"));
    }
}

/// What is done to the only snapshot of a table, and what the audit says about it.
const SNAPSHOTS: [(&str, &str); 4] = [
    (
        "UPDATE snapshots SET state = replace(state, '\"no_jackpot\":false', '\"no_jackpot\":true') WHERE stream = 'table/{t}'",
        "does not say what the journal says",
    ),
    (
        "UPDATE snapshots SET state = 'nothing' WHERE stream = 'table/{t}'",
        "does not say what the journal says",
    ),
    ("UPDATE snapshots SET hash = 'ab' WHERE stream = 'table/{t}'", "its hash is not the chain's"),
    ("UPDATE snapshots SET version = 1000000 WHERE stream = 'table/{t}'", "the chain has no such entry"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_that_is_altered_is_named_and_one_that_does_not_fit_is_not_used() {
    for backend in Backend::ALL {
        let mut casino = Casino::new(backend).await;
        let table = casino.tables().await.remove(0);
        let player: PlayerId = "robot".parse().unwrap();
        casino.house.create_player(&player, None, Money::from_dollars(100_000)).await.unwrap();
        let mut robot = Robot::new(casino.house.clone(), player.clone(), table.clone(), 99);
        for _ in 0..66 {
            robot.round().await.unwrap();
        }
        drop(robot);
        let sql = |database: &str, sql: &str| match backend {
            Backend::Sqlite => Connection::open(database).unwrap().execute(sql, []).map(|_| ()).unwrap(),
            Backend::Postgres => drop(Server::the().sql(database, sql)),
        };
        sql(&casino.database, "CREATE TABLE kept AS SELECT * FROM snapshots");
        for (alter, word) in SNAPSHOTS {
            sql(&casino.database, &alter.replace("{t}", table.as_str()));
            let report = casino.house.audit().await.unwrap();
            assert!(names(&report, &format!("the snapshot of table/{table}"), word), "{alter}\n{report:#?}");
            if !alter.contains("no_jackpot") {
                // What cannot be read or does not fit the chain is passed over: the table is where the journal left it.
                casino = casino.after_a_crash().await;
                assert_eq!(casino.house.table(&table).await.unwrap().round, 66);
            }
            sql(&casino.database, "DELETE FROM snapshots");
            sql(&casino.database, "INSERT INTO snapshots SELECT * FROM kept");
        }
        assert!(casino.house.audit().await.unwrap().is_clean());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_table_is_halted_and_the_others_play_on() {
    let (casino, table, _) = played(Backend::Sqlite).await;
    let Casino { house, database, folder, .. } = casino;
    house.close().await.unwrap();
    let alter = format!("UPDATE entries SET at = at + 1 WHERE stream = 'table/{table}' AND version = 3");
    Connection::open(&database).unwrap().execute(&alter, []).unwrap();
    let casino = Casino::on(database, folder).await;
    let id: baize_house::TableId = table.parse().unwrap();
    assert!(casino.house.table(&id).await.unwrap().halted.is_some());
    let ann = casino.player("ann").await;
    let bet =
        || baize_house::Order::Bet { wagers: vec![crate::support::chips(1, baize_rules::Area::Ante, 50)] };
    let halted = crate::support::order(&casino, &ann, &id, bet()).await.unwrap_err();
    assert_eq!(halted.code(), "corrupt");
    let other = casino.tables().await.into_iter().find(|other| *other != id).unwrap();
    crate::support::order(&casino, &ann, &other, bet()).await.unwrap();
}
