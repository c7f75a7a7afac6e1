//! The house's key, and what it protects: undealt decks, sessions, rounds in progress.

use std::sync::Arc;

use baize_house::load::Robot;
use baize_house::{
    Actor, Duty, House, HouseError, Instant, JournalFilter, Order, PlayerId, RoundId, SetClock,
    SignificantKind, TableConfig, TableId,
};
use baize_rules::{Area, BoxNumber, Family, Money, Rulebook};
use baize_table::Command;
use rusqlite::Connection;

use crate::support::{Backend, Casino, Folder, alter, ask, cents, chips, clean, order, table_of};

/// A casino left by an older program: two tables, one of them in the middle of a round.
const VERSION_4: &str = include_str!("../fixtures/casino-v4.sql");

/// Runs SQL on the unpacked rows, bypassing the house. Returns the first column, one row a line.
pub(crate) async fn sql(casino: &Casino, text: &str) -> String {
    if text.starts_with("SELECT") {
        return ask(&casino.database, text).await.join("\n");
    }
    alter(&casino.database, text).await;
    String::new()
}

async fn played(backend: Backend) -> (Casino, TableId) {
    let casino = Casino::new(backend).await;
    let table = table_of(&casino, "MBS", Family::Stud).await;
    let player: PlayerId = "robot".parse().unwrap();
    casino.house.create_player(&player, None, Money::from_dollars(10_000)).await.unwrap();
    let mut robot = Robot::new(casino.house.clone(), player, table.clone(), 7);
    for _ in 0..3 {
        robot.round().await.unwrap();
    }
    (casino, table)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_casino_opens_and_its_proofs_hold() {
    let folder = Folder::new();
    Connection::open(folder.file()).unwrap().execute_batch(VERSION_4).unwrap();
    let clock = Arc::new(SetClock::at(Instant(1_800_000_100_000)));
    let house = House::open_with(&folder.file(), clock.clone()).await.unwrap();
    let database = folder.file();
    let casino = Casino { house, clock, database, folder: Some(folder) };
    for table in ["one", "two"] {
        for number in 1..=3 {
            let id = RoundId { table: table.parse().unwrap(), number };
            let proof = casino.house.proof(&id).await.unwrap();
            assert!(proof.holds() && proof.salt.is_some(), "{id}: its deck was promised as one");
            assert!(proof.begins_with(&casino.house.dealt(&id).await.unwrap()), "{id}");
            assert!(casino.house.export(&id).await.unwrap().contains("expect"));
        }
    }
    let to_come = sql(&casino, "SELECT cards FROM decks WHERE tab = 'one' ORDER BY round DESC LIMIT 1").await;
    assert!(to_come.starts_with("sealed-2:"), "{to_come}");
    assert_eq!(sql(&casino, "SELECT count(*) || '' FROM secrets").await, "0", "sessions of before are over");
    clean(&casino).await;
    for (player, table) in [("ann", "one"), ("ben", "two")] {
        let mut robot = Robot::new(casino.house.clone(), player.parse().unwrap(), table.parse().unwrap(), 3);
        robot.round().await.unwrap();
    }
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn undealt_decks_are_sealed_and_planted_sessions_are_refused() {
    for backend in Backend::ALL {
        let (casino, table) = played(backend).await;
        for row in sql(&casino, "SELECT salt || cards FROM decks").await.lines() {
            assert!(row.starts_with("sealed-2:"), "{backend:?}: {row}");
        }
        casino.staff("sue", Duty::ShiftManager).await;
        let ann = casino.player("ann").await;
        let session = casino.house.start_session(&ann).await.unwrap();
        clean(&casino).await;
        // An intruder turns Ann's session into Sue's, or plants one with a known secret.
        let sue = r#"{"as":"staff","id":"sue","duties":["shift-manager"],"ended":0}"#;
        sql(&casino, &format!("UPDATE secrets SET actor = '{sue}' WHERE kind = 'session'")).await;
        assert_eq!(casino.house.session(&session.secret).await, Err(HouseError::NotLoggedIn), "{backend:?}");
        // SHA-256 of "planted".
        let hash = "372eb3774802a8d97badd0f3afdabbf7a17ef8a1f900b394db99a460b893406c";
        sql(
            &casino,
            &format!(
                "INSERT INTO secrets (hash, kind, actor, expires, made) VALUES ('{hash}', 'link', '{sue}', 9000000000000, 'ab')"
            ),
        ).await;
        assert_eq!(casino.house.redeem("planted").await, Err(HouseError::LinkSpent), "{backend:?}");
        sql(
            &casino,
            &format!(
                "INSERT INTO secrets (hash, kind, actor, expires, made) VALUES ('{hash}', 'link', '{sue}', 9000000000000, 'ab')"
            ),
        ).await;
        let audit = baize_audit::audit(&casino.house).await.unwrap();
        let named = |kind: &str| {
            audit
                .faults
                .iter()
                .any(|fault| fault.place.contains(kind) && fault.what.contains("not created by the house"))
        };
        assert!(named("session") && named("link"), "{backend:?}: {audit:#?}");
        assert_eq!(audit.faults.len(), 2, "{audit:#?}");
        // The deck of another round is not accepted in place of the next one.
        sql(
            &casino,
            &format!(
                "UPDATE decks SET cards = (SELECT cards FROM decks WHERE tab <> '{table}' LIMIT 1) WHERE tab = '{table}' AND round = 4"
            ),
        ).await;
        let audit = baize_audit::audit(&casino.house).await.unwrap();
        assert!(audit.faults.iter().any(|fault| fault.place.contains(&format!("{table}/4"))), "{audit:#?}");
    }
}

/// The bodies of a table's entries as stored, in order.
async fn bodies(casino: &Casino, table: &TableId) -> Vec<String> {
    let sql_of = format!("SELECT body FROM entries WHERE stream = 'table/{table}' ORDER BY version");
    sql(casino, &sql_of).await.lines().map(str::to_owned).collect()
}

/// Ann has bet and her cards are dealt; she has not decided yet.
async fn dealt(casino: &Casino, table: &TableId) -> Actor {
    let ann = casino.player("ann").await;
    order(casino, &ann, table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
    order(casino, &ann, table, Order::Ready).await.unwrap();
    let view = casino.house.view(&ann, table).await.unwrap();
    assert!(!view.legal.folds.is_empty(), "cards are out");
    ann
}

/// Ann's view of her hand.
async fn hand(casino: &Casino, ann: &Actor, table: &TableId) -> serde_json::Value {
    let view = casino.house.view(ann, table).await.unwrap();
    let hand = serde_json::to_value(&view.round).unwrap()["boxes"]["1"]["cards"].clone();
    assert!(hand.to_string().len() > 5, "{hand}");
    hand
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_reveals_no_card_of_a_round_in_progress() {
    for backend in Backend::ALL {
        let (casino, table) = played(backend).await;
        assert!(bodies(&casino, &table).await.iter().all(|body| body.starts_with("{\"v\":")), "{backend:?}");
        let before = bodies(&casino, &table).await.len();
        let ann = dealt(&casino, &table).await;
        let (open, shut): (Vec<String>, Vec<String>) =
            bodies(&casino, &table).await.into_iter().skip(before).partition(|body| body.starts_with('{'));
        assert!(shut.iter().any(|body| body.starts_with("sealed-2:")), "{backend:?}: {shut:?}");
        assert!(!open.is_empty() && open.iter().all(|body| !body.contains("card")), "{backend:?}: {open:?}");
        // A search finds no word of the sealed text.
        let auditor = casino.staff("axel", Duty::Auditor).await;
        let search = JournalFilter { text: Some("sealed-1".to_owned()), ..JournalFilter::default() };
        assert_eq!(casino.house.journal(&auditor, &search).await.unwrap().len(), 0, "{backend:?}");
        // The house can read what it wrote: a repeated order, an audit, another host, a start after a crash.
        clean(&casino).await;
        let beside = House::look_at(&casino.database).await.unwrap();
        let (seen, known) =
            (beside.view(&ann, &table).await.unwrap(), casino.house.view(&ann, &table).await.unwrap());
        assert_eq!(serde_json::to_value(&seen.round).unwrap(), serde_json::to_value(&known.round).unwrap());
        order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
        let after = bodies(&casino, &table).await;
        assert!(after.iter().all(|body| body.starts_with("{\"v\":")), "{backend:?}: what is over lies open");
        assert!(after.iter().any(|body| body.contains("cards-dealt")));
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_in_progress_survives_a_crash_and_a_key_rotation() {
    for backend in Backend::ALL {
        let (casino, table) = played(backend).await;
        let ann = dealt(&casino, &table).await;
        let before = hand(&casino, &ann, &table).await;
        let casino = casino.after_a_crash().await;
        assert_eq!(hand(&casino, &ann, &table).await, before, "{backend:?}");
        let events = casino.house.significant_events(&Actor::House, 50).await.unwrap();
        assert!(events.iter().any(|event| event.kind == SignificantKind::Recovery), "{backend:?}");
        clean(&casino).await;
    }
    let (casino, table) = played(Backend::Sqlite).await;
    let ann = dealt(&casino, &table).await;
    let held = hand(&casino, &ann, &table).await;
    let before = bodies(&casino, &table).await.pop().unwrap();
    let Casino { house, database, folder, clock } = casino;
    house.close().await.unwrap();
    house_gone().await;
    House::rotate_key(&database, clock.clone(), false).await.unwrap();
    house_gone().await;
    let at_rest = Casino { house: House::look_at(&database).await.unwrap(), clock, database, folder };
    let after = bodies(&at_rest, &table).await.pop().unwrap();
    assert!(before.starts_with("sealed-2:") && after.starts_with("sealed-2:") && before != after);
    clean(&at_rest).await;
    // Without the key the round is not checked, but everything else is.
    let copy = Folder::new();
    std::fs::copy(&at_rest.database, copy.file()).unwrap();
    let looked = House::look_at(&copy.file()).await.unwrap();
    let audit = baize_audit::audit(&looked).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
    assert!(audit.notes.iter().any(|note| note.contains("entries of rounds in progress")), "{audit:#?}");
    baize_report::report(&looked, &Actor::House, &baize_report::ReportFilter::default()).await.unwrap();
    // A finished round must not be sealed again.
    let sql_of =
        format!("UPDATE entries SET body = 'sealed-1:0:0:0' WHERE stream = 'table/{table}' AND version = 3");
    assert_eq!(alter(&copy.file(), &sql_of).await, 1);
    let audit = baize_audit::audit_at(&copy.file()).await.unwrap();
    assert!(audit.faults.iter().any(|fault| fault.place == format!("table/{table} entry 4")), "{audit:#?}");
    let casino = at_rest.after_a_crash().await;
    assert_eq!(hand(&casino, &ann, &table).await, held);
    clean(&casino).await;
}

/// The key is lost while cards are out, so the round can no longer be read: its chips are returned on record, and a new table is set up.
#[tokio::test(flavor = "multi_thread")]
async fn a_round_with_a_lost_key_is_abandoned_and_its_chips_are_returned() {
    let (casino, table) = played(Backend::Sqlite).await;
    let ann = dealt(&casino, &table).await;
    let ben = casino.player("ben").await;
    assert_eq!(cents(&casino, &ann).await, 995_000);
    let before = casino.house.table(&table).await.unwrap();
    let Casino { house, database, folder, clock } = casino;
    house.close().await.unwrap();
    house_gone().await;
    std::fs::remove_file(format!("{database}.key")).unwrap();
    House::rotate_key(&database, clock.clone(), true).await.unwrap();
    house_gone().await;

    let casino = Casino::on(database, folder).await;
    assert_eq!(cents(&casino, &ann).await, 1_000_000, "what lay on the table is in the purse");
    let halted = casino.house.table(&table).await.unwrap().halted;
    assert!(halted.is_some_and(|why| why.contains("set up a new table")));
    let bet = || Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] };
    assert_eq!(order(&casino, &ben, &table, bet()).await.unwrap_err().code(), "corrupt");
    let boss = casino.staff("bo", Duty::ShiftManager).await;
    let events = casino.house.significant_events(&boss, 50).await.unwrap();
    let told = |words: &str| {
        events.iter().any(|event| event.kind == SignificantKind::Key && event.words.contains(words))
    };
    assert!(told("50.00 was returned to its players") && told(&format!("in round {table}/4")), "{events:#?}");
    let audit = baize_audit::audit(&casino.house).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
    assert!(audit.notes.iter().any(|note| note.contains("given up")), "{audit:#?}");
    // The Shift Manager sets up a new table, and play continues at all of them.
    let again: TableId = "again".parse().unwrap();
    let book = Rulebook::builtin(&before.rulebook).unwrap();
    let config = TableConfig::usual(again.clone(), book, before.jackpot);
    casino.house.create_table(&boss, config).await.unwrap();
    order(&casino, &ann, &again, bet()).await.unwrap();
    order(&casino, &ann, &again, Order::Ready).await.unwrap();
    order(&casino, &ann, &again, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
    assert!(baize_audit::audit(&casino.house).await.unwrap().is_clean());
    // Sealing the end of another chain, as if its key had been lost too, is reported.
    let other = format!("table/{again}");
    let newest = format!("(SELECT max(version) FROM entries WHERE stream = '{other}')");
    sql(
        &casino,
        &format!(
            "UPDATE entries SET body = 'sealed-1:0:0:0' WHERE stream = '{other}' AND version = {newest}"
        ),
    )
    .await;
    let audit = baize_audit::audit(&casino.house).await.unwrap();
    assert!(audit.faults.iter().any(|fault| fault.place.starts_with(&other)), "{audit:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_start_only_with_the_databases_key() {
    let casino = Casino::new(Backend::Postgres).await;
    let plain = casino.database.split('?').next().unwrap().to_owned();
    let refused = |database: String| {
        let clock = casino.clock.clone();
        async move { House::open_with(&database, clock).await.err().expect("it opens") }
    };
    let told = refused(plain.clone()).await;
    assert_eq!(told.code(), "key");
    assert!(told.to_string().contains("baize key new"), "{told}");
    let folder = Folder::new();
    let other = folder.0.join("other.key").display().to_string();
    baize_house::new_key_file(&other).unwrap();
    let told = refused(format!("{plain}?keyfile={other}")).await;
    assert!(told.to_string().contains("the key that was given is"), "{told}");
    House::open_with(&casino.database, casino.clock.clone()).await.unwrap();
    // A read-only house needs no key, and reports what it could not check.
    let audit = baize_audit::audit_at(&plain).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_key_file_is_created_rotated_and_required() {
    use std::os::unix::fs::PermissionsExt as _;
    let (casino, table) = played(Backend::Sqlite).await;
    let key = format!("{}.key", casino.database);
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let first = std::fs::read_to_string(&key).unwrap();
    let ann = casino.player("ann").await;
    let session = casino.house.start_session(&ann).await.unwrap();
    let Casino { house, database, folder, clock } = casino;
    let in_use = House::rotate_key(&database, clock.clone(), false).await.unwrap_err();
    assert_eq!(in_use.code(), "in-use");
    // The next key of a rotation that is under way would be replaced.
    assert!(!std::path::Path::new(&format!("{key}.next")).exists(), "nothing is left of a refused rotation");
    house.close().await.unwrap();
    house_gone().await;

    let (before, now) = House::rotate_key(&database, clock.clone(), false).await.unwrap();
    assert!(before.is_some_and(|before| before != now));
    assert_ne!(std::fs::read_to_string(&key).unwrap(), first);
    let casino = Casino::on(database, folder).await;
    assert_eq!(casino.house.session(&session.secret).await, Err(HouseError::NotLoggedIn), "sessions end");
    let events = casino.house.significant_events(&Actor::House, 50).await.unwrap();
    assert!(
        events.iter().any(|event| event.kind == SignificantKind::Key && event.words.contains(&now)),
        "{events:#?}"
    );
    let mut robot = Robot::new(casino.house.clone(), "robot".parse().unwrap(), table.clone(), 11);
    robot.round().await.unwrap();
    drop(robot);
    clean(&casino).await;

    // A copy without the key is audited, except what is sealed.
    let Casino { house, database, folder, clock } = casino;
    house.close().await.unwrap();
    let copy = Folder::new();
    std::fs::copy(&database, copy.file()).unwrap();
    let audit = baize_audit::audit_at(&copy.file()).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
    assert!(audit.checked.iter().any(|(what, _)| what == "future decks, sealed"), "{audit:#?}");
    let told = House::open_with(&copy.file(), clock.clone()).await.err().unwrap();
    assert!(told.code() == "key" && told.to_string().contains("--lost"), "{told}");
    House::rotate_key(&copy.file(), clock.clone(), true).await.unwrap();
    let casino = Casino::on(copy.file(), Some(copy)).await;
    let mut robot = Robot::new(casino.house.clone(), "robot".parse().unwrap(), table, 12);
    robot.round().await.unwrap();
    clean(&casino).await;
    drop(folder);
}

/// Waits until a closed house has released its file.
async fn house_gone() {
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
}
