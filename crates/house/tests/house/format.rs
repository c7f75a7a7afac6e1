//! The journal has the format of docs/journal-format.md: a Python verifier checks a casino file.

use std::process::Command;

use baize_house::load::Robot;
use baize_house::{House, PlayerId};
use baize_rules::Money;

use crate::support::{Backend, Casino, alter};

/// Runs the verifier: whether it succeeds, and its output.
fn verified(file: &str) -> (bool, String) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/verify_journal.py");
    let ran = Command::new("python3").args([script, file]).output().expect("python3 runs the verifier");
    let said = [ran.stdout, ran.stderr].concat();
    (ran.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// Alterations, and where the verifier reports them.
const ALTERED: [(&str, &str); 7] = [
    (
        "UPDATE entries SET body = replace(body, '\"amount\":\"5.00\"', '\"amount\":\"6.00\"') WHERE stream = 'table/{t}' AND version = 2",
        "table/{t} entry 2: it was altered",
    ),
    (
        "UPDATE entries SET at = at + 1 WHERE stream = 'table/{t}' AND version = 5",
        "table/{t} entry 5: it was altered",
    ),
    (
        "UPDATE entries SET command = 'x' WHERE stream = 'table/{t}' AND version = 4",
        "table/{t} entry 4: it was altered",
    ),
    (
        "UPDATE entries SET link = hash WHERE stream = 'jackpot/{j}' AND version = 4",
        "jackpot/{j} entry 4: it was altered",
    ),
    (
        "UPDATE postings SET cents = cents * 2 WHERE account = 'purse/robot'",
        "player/robot entry 1: it was altered",
    ),
    (
        "UPDATE entries SET hash = '00' || substr(hash, 3) WHERE stream = 'house' AND version = 3",
        "house entry 3: it was altered",
    ),
    (
        "DELETE FROM entries WHERE stream = 'table/{t}' AND version = 4",
        "table/{t} entry 5: the entry before it is missing",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn the_python_verifier_finds_alterations() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = casino.tables().await.remove(0);
    let jackpot = casino.house.table(&table).await.unwrap().jackpot.unwrap();
    let player: PlayerId = "robot".parse().unwrap();
    casino.house.create_player(&player, None, Money::from_dollars(10_000)).await.unwrap();
    let mut robot = Robot::new(casino.house.clone(), player, table.clone(), 99);
    robot.jackpot_every = 1;
    for _ in 0..3 {
        robot.round().await.unwrap();
    }
    drop(robot);
    let Casino { house, database, folder, .. } = casino;
    house.close().await.unwrap();
    let looked = House::look_at(&database).await.unwrap();
    let entries = looked.recorded(None, 0, 10_000).await.unwrap().len();
    let (sound, said) = verified(&database);
    assert!(
        sound && entries > 20 && said.starts_with(&format!("{entries} entries in ")),
        "{entries}: {said}"
    );
    assert!(said.contains("0 sealed, 0 faults"), "{said}");
    let folder = folder.unwrap();
    for (number, (sql, fault)) in ALTERED.iter().enumerate() {
        let fill = |text: &str| text.replace("{t}", table.as_str()).replace("{j}", jackpot.as_str());
        let copy = folder.0.join(format!("altered-{number}.sqlite")).display().to_string();
        std::fs::copy(&database, &copy).unwrap();
        assert!(alter(&copy, &fill(sql)).await > 0, "{}", fill(sql));
        let (sound, said) = verified(&copy);
        assert!(!sound && said.contains(&fill(fault)), "{}\n{said}", fill(sql));
    }
}
