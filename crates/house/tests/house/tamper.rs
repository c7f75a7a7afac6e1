//! Alterations of the database that bypass the house: the audit reports each.

use baize_audit::AuditReport;
use baize_house::PlayerId;
use baize_house::load::Robot;
use baize_journal::plain::Plain;
use baize_rules::Money;

use crate::server::Server;
use crate::support::{Backend, Casino, alter};

/// Alterations, with the place and a word of the reported fault.
const ALTERED: [(&str, &str, &str); 18] = [
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
    ("UPDATE decks SET salt = 'ab' WHERE tab = '{t}' AND round = 4", "the deck of round {t}/4", "promised"),
    ("DELETE FROM decks WHERE tab = '{t}' AND round = 4", "the deck of round {t}/4", "missing"),
    (
        "UPDATE rounds SET won = won + 100 WHERE tab = '{t}' AND round = 1",
        "the summary of round {t}/1",
        "journal",
    ),
    ("DELETE FROM rounds WHERE tab = '{t}' AND round = 2", "the summary of round {t}/2", "missing"),
];

/// A posting of the table.
const FIRST: &str = "number = (SELECT e.number FROM entries e JOIN postings p USING (number) WHERE e.stream = 'table/{t}' AND e.version > 1 LIMIT 1) AND line = 0";

/// The same for postings.
const POSTINGS: [(&str, &str); 2] = [
    ("UPDATE postings SET cents = cents * 2 WHERE {first}", "altered"),
    ("DELETE FROM postings WHERE {first}", "altered"),
];

/// The same for SQLite's own tables: pointers and ends of chains.
const POINTERS: [(&str, &str, &str); 4] = [
    (
        "UPDATE entries SET before = before - 1 WHERE stream = 'table/{t}' AND version = 4",
        "table/{t} entry 4",
        "as the entry before it",
    ),
    (
        "UPDATE entries SET before = 7 WHERE stream = 'player/robot' AND version = 1",
        "player/robot entry 1",
        "as the entry before it",
    ),
    (
        "UPDATE heads SET number = number - 1 WHERE stream = 'table/{t}'",
        "the end of table/{t}",
        "is recorded as",
    ),
    ("DELETE FROM heads WHERE stream = 'player/robot'", "the end of player/robot", "recorded as number none"),
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
    assert!(baize_audit::audit(&casino.house).await.unwrap().is_clean());
    let jackpot = casino.house.table(&table).await.unwrap().jackpot.unwrap();
    let names = (table.to_string(), jackpot.to_string());
    (casino, names.0, names.1)
}

pub(crate) fn names(report: &AuditReport, place: &str, word: &str) -> bool {
    report.faults.iter().any(|fault| fault.place.contains(place) && fault.what.contains(word))
}

/// All alterations, with the place and a word of the reported fault.
fn alterations() -> Vec<(String, String, &'static str)> {
    let rows = ALTERED.map(|(sql, place, word)| (sql.to_owned(), place.to_owned(), word));
    let postings =
        POSTINGS.map(|(sql, word)| (sql.replace("{first}", FIRST), "table/{t} entry".to_owned(), word));
    rows.into_iter().chain(postings).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_altered_kind_of_row_is_reported_on_sqlite() {
    let (casino, table, jackpot) = played(Backend::Sqlite).await;
    let Casino { house, database, folder, .. } = casino;
    house.close().await.unwrap();
    let folder = folder.unwrap();
    let pointers = POINTERS.map(|(sql, place, word)| (sql.to_owned(), place.to_owned(), word));
    for (number, (sql, place, word)) in alterations().iter().chain(&pointers).enumerate() {
        let fill = |text: &str| text.replace("{t}", &table).replace("{j}", &jackpot);
        let copy = folder.0.join(format!("altered-{number}.sqlite")).display().to_string();
        std::fs::copy(&database, &copy).unwrap();
        std::fs::copy(format!("{database}.key"), format!("{copy}.key")).unwrap();
        assert!(alter(&copy, &fill(sql)).await > 0, "{}", fill(sql));
        let report = baize_audit::audit_at(&copy).await.unwrap();
        assert!(names(&report, &fill(place), word), "{}\n{report:#?}", fill(sql));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_altered_kind_of_row_is_reported_on_postgresql() {
    let (casino, table, jackpot) = played(Backend::Postgres).await;
    let database = casino.database.clone();
    casino.house.close().await.unwrap();
    let name = Server::name(&database).to_owned();
    for (number, (sql, place, word)) in alterations().iter().enumerate() {
        let fill = |text: &str| text.replace("{t}", &table).replace("{j}", &jackpot);
        let copy = format!("altered{number}");
        let server = Server::the();
        let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
        // A template must have no connections; those of the closed house end soon.
        while server.try_sql("postgres", &format!("CREATE DATABASE {copy} TEMPLATE {name}")).is_err() {
            assert!(std::time::Instant::now() < until);
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert!(alter(&server.with_key(&copy), &fill(sql)).await > 0, "{}", fill(sql));
        let report = baize_audit::audit_at(&server.with_key(&copy)).await.unwrap();
        assert!(names(&report, &fill(place), word), "{}\n{report:#?}", fill(sql));
        server.sql("postgres", &format!("DROP DATABASE {copy} WITH (FORCE)"));
    }
}

/// Alterations of a table's only snapshot, and what the audit reports.
const SNAPSHOTS: [(&str, &str); 4] = [
    (
        "UPDATE snapshots SET state = replace(state, '\"no_jackpot\":false', '\"no_jackpot\":true') WHERE stream = 'table/{t}'",
        "contradicts the journal",
    ),
    ("UPDATE snapshots SET state = 'nothing' WHERE stream = 'table/{t}'", "contradicts the journal"),
    ("UPDATE snapshots SET hash = 'ab' WHERE stream = 'table/{t}'", "not that of the chain's entry"),
    ("UPDATE snapshots SET version = 1000000 WHERE stream = 'table/{t}'", "the chain has no such entry"),
];

type Snapshot = (String, i64, String, i64, String);

fn snapshots(rows: &Plain) -> Vec<Snapshot> {
    let mut asked = rows.prepare("SELECT * FROM snapshots").unwrap();
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
    asked.query_map([], row).unwrap().map(Result::unwrap).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn altered_snapshots_are_reported_and_not_used() {
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
        for (sql, word) in SNAPSHOTS {
            let kept = Plain::of(&casino.database).await.unwrap();
            assert!(alter(&casino.database, &sql.replace("{t}", table.as_str())).await > 0, "{sql}");
            let report = baize_audit::audit(&casino.house).await.unwrap();
            assert!(names(&report, &format!("the snapshot of table/{table}"), word), "{sql}\n{report:#?}");
            if !sql.contains("no_jackpot") {
                // A snapshot that cannot be read or does not match the chain is ignored: the table is where the journal left it.
                casino = casino.after_a_crash().await;
                assert_eq!(casino.house.table(&table).await.unwrap().round, 66);
            }
            alter(&casino.database, "DELETE FROM snapshots").await;
            let rows = Plain::of(&casino.database).await.unwrap();
            for row in snapshots(&kept) {
                rows.execute("INSERT INTO snapshots VALUES (?1, ?2, ?3, ?4, ?5)", row).unwrap();
            }
            rows.keep().await.unwrap();
        }
        assert!(baize_audit::audit(&casino.house).await.unwrap().is_clean());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_table_is_halted_and_the_others_play_on() {
    let (casino, table, _) = played(Backend::Sqlite).await;
    let Casino { house, database, folder, .. } = casino;
    house.close().await.unwrap();
    let alter = format!("UPDATE entries SET at = at + 1 WHERE stream = 'table/{table}' AND version = 3");
    assert_eq!(crate::support::alter(&database, &alter).await, 1);
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

/// Alters the journal and recomputes every later hash: in the entries, in what links to them and in the seals.
async fn forge(database: &str, sql: &[String]) {
    use sha2::{Digest, Sha256};
    let db = Plain::of(database).await.unwrap();
    for sql in sql {
        assert!(db.execute(sql, []).unwrap() > 0, "{sql}");
    }
    type Row = (
        i64,
        String,
        i64,
        i64,
        String,
        Option<String>,
        String,
        Option<String>,
        String,
        Option<String>,
        String,
        String,
    );
    let mut asked = db
        .prepare("SELECT number, stream, version, at, actor, command, kinds, significant, body, link, previous, hash FROM entries ORDER BY number")
        .unwrap();
    let row = |row: &rusqlite::Row<'_>| {
        Ok((
            row.get(0)?,
            row.get(1)?,
            row.get(2)?,
            row.get(3)?,
            row.get(4)?,
            row.get(5)?,
            row.get(6)?,
            row.get(7)?,
            row.get(8)?,
            row.get(9)?,
            row.get(10)?,
            row.get(11)?,
        ))
    };
    let rows: Vec<Row> = asked.query_map([], row).unwrap().map(Result::unwrap).collect();
    drop(asked);
    let mut changed: Vec<(String, String)> = Vec::new();
    for (number, stream, version, at, actor, command, kinds, significant, body, link, previous, old) in rows {
        let renew = |text: String| changed.iter().fold(text, |text, (old, new)| text.replace(old, new));
        let (body, previous, link) = (renew(body), renew(previous), link.map(renew));
        let mut hasher = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hasher.update((bytes.len() as u64).to_be_bytes());
            hasher.update(bytes);
        };
        for text in ["baize-journal-1", &previous, &stream] {
            part(text.as_bytes());
        }
        part(&version.to_be_bytes());
        part(&at.to_be_bytes());
        part(actor.as_bytes());
        part(command.as_deref().unwrap_or("").as_bytes());
        part(kinds.as_bytes());
        part(significant.as_deref().unwrap_or("").as_bytes());
        part(body.as_bytes());
        part(link.as_deref().unwrap_or("").as_bytes());
        let mut postings =
            db.prepare("SELECT account, cents FROM postings WHERE number = ?1 ORDER BY line").unwrap();
        let postings = postings.query_map([number], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        for (account, cents) in postings.map(Result::<(String, i64), _>::unwrap) {
            part(account.as_bytes());
            part(&cents.to_be_bytes());
        }
        let hash: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        if hash != old {
            db.execute(
                "UPDATE entries SET body = ?1, previous = ?2, link = ?3, hash = ?4 WHERE number = ?5",
                (&body, &previous, &link, &hash, number),
            )
            .unwrap();
            db.execute("UPDATE snapshots SET hash = ?1 WHERE hash = ?2", (&hash, &old)).unwrap();
            changed.push((old, hash));
        }
    }
    db.keep().await.unwrap();
}

/// Alterations of a paid award of 200,001 from the meter, with matching postings, and what the audit reports.
#[tokio::test(flavor = "multi_thread")]
async fn an_award_drawn_other_than_paid_is_reported() {
    let floor = crate::undoing::Floor::new(Backend::Sqlite, "rws-casino-stud", 1).await;
    floor.royal().await;
    floor.clear(1).await;
    floor.casino.house.seal().await.unwrap();
    let Casino { house, database, folder, .. } = floor.casino;
    house.close().await.unwrap();
    let folder = folder.unwrap();
    let drawn = "number = (SELECT number FROM entries WHERE kinds LIKE '%,award-drawn,%')";
    let body = |old: &str, new: &str| {
        format!("UPDATE entries SET body = replace(body, '{old}', '{new}') WHERE {drawn}")
    };
    let moved = |account: &str, cents: i64| {
        [
            format!("UPDATE postings SET cents = cents + {cents} WHERE {drawn} AND account = '{account}'"),
            format!("UPDATE balances SET cents = cents + {cents} WHERE account = '{account}'"),
        ]
    };
    let line = |column: &str, by: i64| format!("UPDATE rounds SET {column} = {column} + {by}");
    // Less is taken from the jackpot's account than was paid, and the float pays the rest.
    let mut from_meter =
        vec![body(r#""from_meter":"200001.00""#, r#""from_meter":"199001.00""#), line("won", -100_000)];
    from_meter.extend(moved("jackpot/grand", 100_000));
    from_meter.push(format!(
        "INSERT INTO postings SELECT number, -1, 'float/grand-1', -100000 FROM entries WHERE {drawn}"
    ));
    from_meter.push(moved("float/grand-1", -100_000)[1].clone());
    let cases: [(Vec<String>, &str, &str); 4] = [
        (from_meter.clone(), "table/grand-1 entry", "the jackpot paid"),
        (from_meter, "jackpot/grand", "pending awards"),
        (vec![body(r#""hit":1"#, r#""hit":2"#)], "table/grand-1 entry", "no such award"),
        (
            vec![body(
                r#""seat":1,"amount":"200001.00","from_meter""#,
                r#""seat":2,"amount":"200001.00","from_meter""#,
            )],
            "table/grand-1 entry",
            "never drawn",
        ),
    ];
    for (number, (sql, place, word)) in cases.iter().enumerate() {
        let copy = folder.0.join(format!("forged-{number}.sqlite")).display().to_string();
        std::fs::copy(&database, &copy).unwrap();
        forge(&copy, sql).await;
        let report = baize_audit::audit_at(&copy).await.unwrap();
        assert!(names(&report, place, word), "{sql:?}\n{report:#?}");
        let altered = |fault: &baize_audit::AuditFault| fault.what.contains("altered");
        assert!(!report.faults.iter().any(altered), "the forgery itself is sound: {report:#?}");
    }
    // Recomputed hashes alone are not a fault.
    let copy = folder.0.join("forged-not.sqlite").display().to_string();
    std::fs::copy(&database, &copy).unwrap();
    forge(&copy, &[]).await;
    let report = baize_audit::audit_at(&copy).await.unwrap();
    assert!(report.is_clean(), "{report:#?}");
}
