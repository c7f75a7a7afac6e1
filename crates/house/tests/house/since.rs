//! An incremental audit finds the same faults in later entries as a full audit.

use baize_audit::{AuditReport, Checkpoint, Expected, audit, audit_at, audit_with};
use baize_house::load::Robot;
use baize_house::{House, HouseError, Order, PlayerId, TableId};
use baize_rules::{Area, Money};

use crate::support::{Backend, Casino, Folder, alter, chips, order};

async fn audit_since(house: &House, since: &Checkpoint) -> Result<AuditReport, HouseError> {
    audit_with(house, None, Some(since), &|_, _| true).await
}

/// Plays some rounds at two tables of one jackpot.
async fn play(casino: &Casino, tables: &[TableId], seed: u64) {
    for (number, table) in (1..).zip(tables) {
        let player: PlayerId = format!("robot-{seed}-{number}").parse().unwrap();
        casino.house.create_player(&player, None, Money::from_dollars(100_000)).await.unwrap();
        let mut robot = Robot::new(casino.house.clone(), player, table.clone(), seed * 7_919 + number);
        robot.jackpot_every = 1;
        for _ in 0..3 {
            robot.round().await.unwrap();
        }
    }
}

fn counted(report: &AuditReport, what: &str) -> u64 {
    report.checked.iter().find(|(name, _)| name == what).map_or(0, |(_, count)| *count)
}

/// The checkpoint of a clean audit, as saved in its file.
fn saved(report: &AuditReport) -> Checkpoint {
    assert!(report.is_clean(), "{report:#?}");
    Checkpoint::parse(&report.checkpoint.as_ref().unwrap().text()).unwrap()
}

async fn goes_on(casino: Casino) {
    let tables = casino.tables().await;
    play(&casino, &tables[..2], 1).await;
    // A bet is placed before the first audit, so a round is in progress.
    let ann = casino.player("ann").await;
    order(&casino, &ann, &tables[2], Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
    let first = audit(&casino.house).await.unwrap();
    let since = saved(&first);
    assert_eq!(Some(&since), first.checkpoint.as_ref());

    // One that is stopped says how far it came, and nobody goes on from it or compares with it.
    let stopped = audit_with(&casino.house, None, None, &|_, _| false).await.unwrap();
    assert!(!stopped.is_clean() && stopped.faults.is_empty() && stopped.checkpoint.is_none(), "{stopped:#?}");
    let json = serde_json::to_string(&stopped).unwrap();
    assert!(json.contains("\"interrupted\":{") && Expected::parse(&json).is_err(), "{json}");
    assert!(!serde_json::to_string(&first).unwrap().contains("interrupted"));

    let nothing = audit_since(&casino.house, &since).await.unwrap();
    assert!(nothing.is_clean(), "{nothing:#?}");
    // The house seals before each audit, the stopped one too: two new entries.
    assert_eq!(counted(&nothing, "journal entries"), 2);
    assert!(nothing.notes.iter().any(|note| note.starts_with("only entries after")), "{nothing:#?}");

    // It stops and opens again; Ann's round continues.
    let casino = casino.after_a_crash().await;
    play(&casino, &[tables[1].clone(), tables[3].clone()], 2).await;
    let beside = House::look_at(&casino.database).await.unwrap();
    let (whole, rest) = (audit(&beside).await.unwrap(), audit_since(&beside, &since).await.unwrap());
    assert!(rest.is_clean(), "{rest:#?}");
    assert_eq!(
        counted(&whole, "journal entries"),
        counted(&first, "journal entries") + counted(&rest, "journal entries")
    );
    assert_eq!(counted(&whole, "rounds"), counted(&first, "rounds") + counted(&rest, "rounds"));
    assert_eq!((&whole.state.heads, &whole.state.all), (&rest.state.heads, &rest.state.all));
    assert_eq!(whole.state.unsealed, rest.state.unsealed);
    let without_time = |report: &AuditReport| {
        let mut checkpoint = saved(report);
        checkpoint.at = since.at;
        checkpoint
    };
    assert!(without_time(&whole) == without_time(&rest), "both end at the same place");

    // Alterations before the checkpoint are not noticed; later ones are.
    let table = format!("table/{}", tables[1]);
    let new = first.state.heads[&table].0 + 2;
    drop(beside);
    let Casino { house, database, folder, .. } = casino;
    house.close().await.unwrap();
    for (stream, version, found) in [("player/robot-1-1", 1, false), (table.as_str(), new, true)] {
        let sql = format!(
            "UPDATE entries SET actor = 'player:eve' WHERE stream = '{stream}' AND version = {version}"
        );
        assert_eq!(alter(&database, &sql).await, 1);
        let beside = House::look_at(&database).await.unwrap();
        let place = format!("{stream} entry {version}");
        let names = |report: &AuditReport| report.faults.iter().any(|fault| fault.place == place);
        let rest = audit_since(&beside, &since).await.unwrap();
        assert_eq!(names(&rest), found, "{rest:#?}");
        assert_eq!(rest.is_clean(), !found, "{rest:#?}");
        assert!(names(&audit(&beside).await.unwrap()), "{place}");
    }
    drop(folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incremental_audit_continues_from_a_checkpoint() {
    for backend in Backend::ALL {
        goes_on(Casino::new(backend).await).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unusable_checkpoint_is_refused() {
    let casino = Casino::new(Backend::Sqlite).await;
    let tables = casino.tables().await;
    let copied = || {
        let copy = Folder::new();
        for ending in ["", "-wal"] {
            std::fs::copy(format!("{}{ending}", casino.database), format!("{}{ending}", copy.file()))
                .unwrap();
        }
        copy
    };
    let earlier = copied();
    play(&casino, &tables[..1], 1).await;
    let since = saved(&audit(&casino.house).await.unwrap());

    // An older copy lacks the audited entries, and so does another house.
    let older = audit_since(&House::look_at(&earlier.file()).await.unwrap(), &since).await.unwrap();
    assert!(older.checkpoint.is_none());
    assert!(older.faults.iter().any(|fault| fault.what.contains("an older copy was restored")), "{older:#?}");
    let other = Casino::new(Backend::Sqlite).await;
    let foreign = audit_since(&other.house, &since).await.unwrap();
    assert_eq!(foreign.faults.len(), 1);
    assert!(foreign.faults[0].what.starts_with("it is not the checkpoint's casino"), "{foreign:#?}");

    // An altered or invalid checkpoint file.
    let text = since.text();
    let entries = format!("\"entries\":{}", since.entries);
    let altered = text.replacen(&entries, &format!("\"entries\":{}", since.entries + 1), 1);
    assert_ne!(text, altered);
    assert!(Checkpoint::parse(&altered).unwrap_err().contains("it was altered"));
    assert!(Checkpoint::parse("{}").unwrap_err().contains("baize audit --save"));
    let newer = text.replacen("\"baize_audit\":1", "\"baize_audit\":9", 1);
    assert!(Checkpoint::parse(&newer).unwrap_err().contains("it has format 9"));

    // Without the key, rounds in progress are not checked; with a fault, no checkpoint is made.
    let keyless = copied();
    assert!(audit_at(&keyless.file()).await.unwrap().checkpoint.is_none());
    alter(&keyless.file(), "UPDATE balances SET cents = cents + 1 WHERE account = 'house'").await;
    std::fs::copy(format!("{}.key", casino.database), format!("{}.key", keyless.file())).unwrap();
    let wrong = audit_at(&keyless.file()).await.unwrap();
    assert!(!wrong.is_clean() && wrong.checkpoint.is_none());
    // An incremental audit finds it too: accounts are compared with the journal every time.
    assert!(!audit_since(&House::look_at(&keyless.file()).await.unwrap(), &since).await.unwrap().is_clean());
}
