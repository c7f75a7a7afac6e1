//! Archives: old rounds read as before from files, a missing or altered archive is reported, and everything can be moved back.

use std::path::{Path, PathBuf};
use std::process::Command;

use baize_audit::audit_at;
use baize_house::load::Robot;
use baize_house::{Actor, House, HouseError, Instant, Moved, PlayerId, RoundId, TableId};
use baize_report::{By, ReportFilter};
use baize_rules::Money;

use crate::support::{Backend, Casino, Folder};

/// A table has a snapshot every 64 rounds: older rounds can be archived.
const ROUNDS: u32 = 70;

/// After all rounds.
const LATER: Instant = Instant(4_000_000_000_000);

/// A casino with one table whose first rounds can be archived and another whose rounds cannot.
async fn played(backend: Backend) -> (Casino, TableId, PathBuf) {
    let (mut database, folder) = Casino::place(backend);
    let folder = folder.unwrap_or_else(Folder::new);
    let mut archives = PathBuf::from(format!("{database}.archive"));
    if backend == Backend::Postgres {
        archives = folder.0.join("archives");
        database = format!("{database}&archive={}", archives.display());
    }
    let casino = Casino::on(database, Some(folder)).await;
    let tables = casino.tables().await;
    for (number, (table, rounds)) in (1..).zip([(&tables[0], ROUNDS), (&tables[1], 2)]) {
        let player: PlayerId = format!("robot-{number}").parse().unwrap();
        casino.house.create_player(&player, None, Money::from_dollars(1_000_000)).await.unwrap();
        let mut robot = Robot::new(casino.house.clone(), player, table.clone(), number * 7_919);
        robot.jackpot_every = 4;
        for _ in 0..rounds {
            robot.round().await.unwrap();
        }
    }
    let table = tables[0].clone();
    (casino, table, archives)
}

/// Everything read from bodies: exports, proofs, reports and the counts of the audit.
async fn told(database: &str, table: &TableId) -> String {
    let house = House::look_at(database).await.unwrap();
    let mut told = String::new();
    for number in [1, 2, 40, ROUNDS] {
        let id = RoundId { table: table.clone(), number };
        told.push_str(&house.export(&id).await.unwrap());
        assert!(house.proof(&id).await.unwrap().holds(), "{id}");
    }
    let filter = ReportFilter { by: By::Table, ..ReportFilter::default() };
    let report = baize_report::report(&house, &Actor::House, &filter).await.unwrap();
    told.push_str(&serde_json::to_string(&report).unwrap());
    let audit = baize_audit::audit(&house).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
    told
}

/// The only archive in the folder.
fn archive_in(folder: &Path) -> PathBuf {
    let mut found = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let only = found.next().unwrap();
    assert_eq!(found.next(), None);
    only
}

async fn fault(database: &str) -> String {
    let audit = audit_at(database).await.unwrap();
    audit.faults.iter().map(|fault| format!("{}: {}\n", fault.place, fault.what)).collect()
}

async fn moves(backend: Backend) {
    let (casino, table, archives) = played(backend).await;
    let Casino { house, database, folder, clock } = casino;
    if backend == Backend::Sqlite {
        let running = House::archive(&database, LATER, None, &|| false).await;
        assert!(matches!(running, Err(HouseError::InUse(_))), "{running:?}");
    }
    house.close().await.unwrap();
    let before = told(&database, &table).await;
    assert_eq!(
        House::archive(&database, Instant(0), None, &|| false).await.unwrap().0.bodies,
        0,
        "no round is so old"
    );

    // Stopped before it moved anything: nothing is left behind.
    let (stopped, _) = House::archive(&database, LATER, None, &|| true).await.unwrap();
    assert!(stopped.stopped && stopped.bodies == 0 && !archives.exists(), "{stopped:?}");

    // The folder cannot be created: nothing is moved.
    std::fs::write(&archives, "in the way").unwrap();
    let error = House::archive(&database, LATER, None, &|| false).await.unwrap_err().to_string();
    assert!(
        error.contains(&archives.display().to_string()) && error.contains("stay in the database"),
        "{error}"
    );
    std::fs::remove_file(&archives).unwrap();
    assert_eq!(told(&database, &table).await, before);

    let (moved, kept) = House::archive(&database, LATER, Some("ann".to_owned()), &|| false).await.unwrap();
    assert!(moved.bodies > u64::from(ROUNDS) && moved.files == 1 && kept.is_none(), "{moved:?} {kept:?}");
    let archive = archive_in(&archives);
    assert_eq!(told(&database, &table).await, before, "everything reads as before");
    assert_eq!(
        House::archive(&database, LATER, None, &|| false).await.unwrap().0.bodies,
        0,
        "all of it has gone"
    );
    if backend == Backend::Sqlite {
        verified(&database);
        let copy = Folder::new();
        House::copy(&database, Path::new(&copy.file())).await.unwrap();
        assert_eq!(told(&copy.file(), &table).await, before, "a copy has the archives with it");
    }

    // A missing archive is reported, and the casino can be played without it.
    let aside = archives.with_extension("aside");
    std::fs::rename(&archive, &aside).unwrap();
    let missing = fault(&database).await;
    assert!(
        missing.contains(&format!("table/{table} entry 2: archive {} is missing", archive.display())),
        "{missing}"
    );
    let export =
        House::look_at(&database).await.unwrap().export(&RoundId { table: table.clone(), number: 1 }).await;
    assert!(export.unwrap_err().to_string().contains("is missing"));
    assert!(
        House::restore_archives(&database, None, &|| false)
            .await
            .unwrap_err()
            .to_string()
            .contains("is missing")
    );
    let house = House::open_with(&database, clock.clone()).await.unwrap();
    let mut robot = Robot::new(house.clone(), "robot-1".parse().unwrap(), table.clone(), 5);
    robot.round().await.unwrap();
    drop(robot);
    house.close().await.unwrap();

    // So is an altered one.
    let right = std::fs::read(&aside).unwrap();
    let mut wrong = right.clone();
    let middle = wrong.len() / 2;
    // More than the space between two bodies.
    wrong[middle..middle + 600].iter_mut().for_each(|byte| *byte ^= 0x55);
    std::fs::write(&archive, &wrong).unwrap();
    let altered = fault(&database).await;
    assert!(altered.contains(&format!("table/{table} entry ")) && altered.contains("altered"), "{altered}");
    let refused = House::restore_archives(&database, None, &|| false).await.unwrap_err().to_string();
    assert!(refused.contains("was altered: its contents do not match its name"), "{refused}");

    // With the original archive, everything is moved back, and the file is no longer needed.
    std::fs::write(&archive, &right).unwrap();
    assert!(fault(&database).await.is_empty());
    let some = House::restore_archives(&database, None, &|| true).await.unwrap();
    assert!(some.bodies <= moved.bodies && some.stopped, "{some:?}");
    assert!(fault(&database).await.is_empty());
    let back = House::restore_archives(&database, None, &|| false).await.unwrap();
    let back = Moved {
        bodies: back.bodies + some.bodies,
        bytes: back.bytes + some.bytes,
        files: some.files,
        ..back
    };
    assert_eq!((back.bodies, back.bytes, back.files), (moved.bodies, moved.bytes, 1));
    std::fs::remove_dir_all(&archives).unwrap();
    assert!(fault(&database).await.is_empty());
    assert_eq!(House::restore_archives(&database, None, &|| false).await.unwrap().bodies, 0);
    drop(folder);
}

/// The Python verifier reads archives too.
fn verified(file: &str) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/verify_journal.py");
    let ran = Command::new("python3").args([script, file]).output().expect("python3 runs the verifier");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success() && said.contains("0 sealed, 0 faults"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn old_rounds_move_to_files_and_back_on_sqlite() {
    moves(Backend::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_rounds_move_to_files_and_back_on_postgresql() {
    moves(Backend::Postgres).await;
}
