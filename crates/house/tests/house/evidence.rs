//! The audit as evidence: no false alarms, and it changes nothing that it reads.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use baize_audit::{AuditReport, Expected};
use baize_house::load::Robot;
use baize_house::{House, PlayerId};
use baize_rules::Money;

use crate::support::{Backend, Casino, Folder};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_audit_of_a_running_casino_is_clean() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let stop = Arc::new(AtomicBool::new(false));
        let rounds = Arc::new(AtomicU32::new(0));
        let mut playing = tokio::task::JoinSet::new();
        for (number, table) in (1..).zip(casino.tables().await) {
            let player: PlayerId = format!("robot-{number}").parse().unwrap();
            casino.house.create_player(&player, None, Money::from_dollars(1_000_000)).await.unwrap();
            let mut robot = Robot::new(casino.house.clone(), player, table, number * 7_919);
            robot.jackpot_every = 1;
            let (stop, rounds) = (Arc::clone(&stop), Arc::clone(&rounds));
            playing.spawn(async move {
                while !stop.load(Ordering::SeqCst) {
                    robot.round().await.unwrap();
                    rounds.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        let beside = House::look_at(&casino.database).await.unwrap();
        let mut tried = 0;
        while tried < 4 || rounds.load(Ordering::SeqCst) < 20 {
            tried += 1;
            for house in [&beside, &casino.house] {
                let audit = baize_audit::audit(house).await.unwrap();
                assert!(audit.is_clean(), "{backend:?}, audit {tried}: {audit:#?}");
            }
        }
        stop.store(true, Ordering::SeqCst);
        while let Some(played) = playing.join_next().await {
            played.unwrap();
        }
    }
}

/// The contents of the database files in a folder, without the log's index, which SQLite can recreate.
fn record(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(&folder.0).unwrap().map(|file| file.unwrap().path());
    let named = files.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path));
    named
        .filter(|(name, _)| !name.ends_with("-shm"))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect()
}

async fn check_reading(folder: &Folder) {
    let before = record(folder);
    let house = House::look_at(&folder.file()).await.unwrap();
    let audit = baize_audit::audit(&house).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
    assert!(house.tables().await.unwrap().iter().any(|table| table.round > 0));
    drop(house);
    // Connections are closed on other threads.
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert!(record(folder) == before, "{:?}", record(folder).keys());
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_changes_no_byte_of_a_file_or_its_log() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = casino.tables().await.remove(0);
    let player: PlayerId = "robot".parse().unwrap();
    casino.house.create_player(&player, None, Money::from_dollars(10_000)).await.unwrap();
    let mut robot = Robot::new(casino.house.clone(), player, table, 5);
    robot.round().await.unwrap();
    drop(robot);
    let copy = Folder::new();
    for ending in ["", "-wal"] {
        let name = format!("{}{ending}", casino.database);
        std::fs::copy(name, format!("{}{ending}", copy.file())).unwrap();
    }
    assert!(std::fs::metadata(format!("{}-wal", copy.file())).unwrap().len() > 0);
    check_reading(&copy).await;

    let Casino { house, folder, .. } = casino;
    house.close().await.unwrap();
    let (folder, copy) = (folder.unwrap(), Folder::new());
    std::fs::copy(folder.file(), copy.file()).unwrap();
    check_reading(&copy).await;
    assert_eq!(record(&copy).len(), 1, "no file is left beside it");
}

/// Whether this process ignores file permissions, as root does.
#[cfg(unix)]
fn all_powerful() -> bool {
    let id = std::process::Command::new("id").arg("-u").output().unwrap();
    id.stdout.starts_with(b"0\n")
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_copy_can_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &std::path::Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let casino = Casino::new(Backend::Sqlite).await;
    let (with_log, without) = (Folder::new(), Folder::new());
    for ending in ["", "-wal"] {
        let name = format!("{}{ending}", casino.database);
        std::fs::copy(name, format!("{}{ending}", with_log.file())).unwrap();
    }
    let Casino { house, folder, .. } = casino;
    house.close().await.unwrap();
    std::fs::copy(folder.unwrap().file(), without.file()).unwrap();
    for folder in [&with_log, &without] {
        mode(folder.file().as_ref(), 0o400);
        mode(&folder.0, 0o500);
    }
    let audit = baize_audit::audit_at(&without.file()).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
    if !all_powerful() {
        let told = House::look_at(&with_log.file()).await.err().unwrap().to_string();
        assert!(told.contains("copy both files"), "{told}");
    }
    for folder in [&with_log, &without] {
        mode(&folder.0, 0o700);
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn database_files_are_private_to_their_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let inner = folder.0.join("data");
    let casino = Casino::on(inner.join("casino.sqlite").display().to_string(), None).await;
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&inner), 0o700);
    for ending in ["", "-wal", "-shm", ".lock"] {
        let path = format!("{}{ending}", casino.database);
        assert_eq!(mode(path.as_ref()), 0o600, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jackpot_that_does_not_match_its_account_is_stopped_at_opening() {
    let casino = Casino::new(Backend::Sqlite).await;
    let Casino { house, database, folder, .. } = casino;
    house.close().await.unwrap();
    let sql = "UPDATE balances SET cents = cents - 500 WHERE account = 'jackpot/MBS'";
    assert_eq!(rusqlite::Connection::open(&database).unwrap().execute(sql, []).unwrap(), 1);
    let casino = Casino::on(database, folder).await;
    for jackpot in casino.house.jackpots().await.unwrap() {
        assert_eq!(jackpot.stopped.is_some(), jackpot.id.as_str() == "MBS", "{:?}", jackpot.stopped);
    }
}

async fn expecting(database: &str, expected: &Expected) -> AuditReport {
    baize_audit::audit_expecting(&House::look_at(database).await.unwrap(), Some(expected)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_contains_exactly_its_own_earlier_states() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let database = &casino.database;
        casino.player("ann").await;
        let before = baize_audit::audit_at(database).await.unwrap();
        assert!(before.state.unsealed > 0, "nothing has sealed the last entries: {:#?}", before.state);
        assert_eq!(before.state.all.is_some(), backend == Backend::Sqlite, "only its numbers have no gaps");
        let report = serde_json::to_string(&before).unwrap();
        let earlier = copy_of(&casino);
        casino.player("ben").await;
        let own = baize_audit::audit(&casino.house).await.unwrap();
        assert_eq!(own.state.unsealed, 0, "a house that is open seals first");
        let hash = |hash: &str| Expected::parse(hash).unwrap();
        let mut states =
            vec![hash(&before.state.house), hash(&own.state.house), Expected::parse(&report).unwrap()];
        states.extend([&before, &own].iter().filter_map(|report| report.state.all.as_deref().map(hash)));
        for state in &states {
            let audit = expecting(database, state).await;
            assert!(audit.is_clean(), "{state:?}: {audit:#?}");
        }
        let never = expecting(database, &hash(&"ab".repeat(32))).await;
        assert_eq!(never.faults.len(), 1);
        assert!(never.faults[0].what.contains("an older copy was restored"), "{never:#?}");
        // An older copy is clean by itself, but does not contain later states.
        let Some(earlier) = earlier else { continue };
        assert!(baize_audit::audit_at(&earlier.file()).await.unwrap().is_clean());
        let later = Expected::parse(&serde_json::to_string(&own).unwrap()).unwrap();
        for state in [&hash(&own.state.house), &hash(own.state.all.as_deref().unwrap()), &later] {
            assert!(!expecting(&earlier.file(), state).await.is_clean(), "{state:?}");
        }
    }
    assert!(Expected::parse("abc").is_err());
}

/// Copies a database file and its log.
fn copy_of(casino: &Casino) -> Option<Folder> {
    casino.folder.as_ref()?;
    let copy = Folder::new();
    for ending in ["", "-wal"] {
        std::fs::copy(format!("{}{ending}", casino.database), format!("{}{ending}", copy.file())).unwrap();
    }
    Some(copy)
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_pages_are_reported_and_everything_else_is_checked() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = casino.tables().await.remove(0);
    let player: PlayerId = "robot".parse().unwrap();
    casino.house.create_player(&player, None, Money::from_dollars(10_000)).await.unwrap();
    let mut robot = Robot::new(casino.house.clone(), player, table.clone(), 5);
    for _ in 0..3 {
        robot.round().await.unwrap();
    }
    drop(robot);
    let Casino { house, folder, .. } = casino;
    house.close().await.unwrap();
    let file = folder.as_ref().unwrap().file();
    let sound = baize_audit::audit_at(&file).await.unwrap();
    let of = |report: &AuditReport, what: &str| {
        report.checked.iter().find(|(name, _)| name == what).map_or(0, |(_, count)| *count)
    };
    let connection = rusqlite::Connection::open(&file).unwrap();
    let sql = format!(
        "SELECT hash FROM entries WHERE stream = (SELECT id FROM names WHERE name = 'table/{table}') AND version = 5"
    );
    let hash: Vec<u8> = connection.query_row(&sql, [], |row| row.get(0)).unwrap();
    drop(connection);
    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.windows(32).position(|window| window == hash).unwrap();
    let size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let page = at / size * size;
    bytes[page..page + 64].fill(0xff);
    std::fs::write(&file, bytes).unwrap();
    let damaged = baize_audit::audit_at(&file).await.unwrap();
    let named = damaged.faults.iter().any(|fault| {
        fault.place.starts_with(&format!("table/{table} entry")) && fault.what.contains("cannot be read")
    });
    assert!(named, "{damaged:#?}");
    assert_eq!(of(&damaged, "chains"), of(&sound, "chains"), "the other chains are walked");
    let (read, all) = (of(&damaged, "journal entries"), of(&sound, "journal entries"));
    assert!(read > 0 && read < all, "{read} of {all}");
}
