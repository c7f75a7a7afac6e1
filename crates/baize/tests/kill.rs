//! The program is killed at random moments under load, many times, on both databases: the record stays whole, and no command that was
//! answered is ever lost.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../house/tests/house/server.rs"]
#[expect(dead_code, reason = "the tests of the house use more of it")]
mod server;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use baize_house::{CommandId, House};

/// How often each database loses its casino.
const KILLS: u32 = 5;
/// For how long it is killed again and again, at most.
const LONGEST: Duration = Duration::from_secs(25);

fn kill_under_load(database: &str, folder: &Path, dice: &mut u64) {
    let answered = folder.join("answered");
    let began = Instant::now();
    for kill in 1..=KILLS {
        let mut load = Command::new(env!("CARGO_BIN_EXE_baize"))
            .args([
                "load",
                "--tables",
                "8",
                "--seconds",
                "60",
                "--jackpot-every",
                "1",
                "--no-floor",
                "--database",
                database,
            ])
            .arg("--answered")
            .arg(&answered)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Killed before it has played, it would show nothing.
        while std::fs::metadata(&answered).map_or(0, |file| file.len()) == 0 {
            assert!(load.try_wait().unwrap().is_none(), "the casino ended by itself");
            std::thread::sleep(Duration::from_millis(20));
        }
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_millis(500 + (*dice >> 33) % 1_500));
        load.kill().unwrap();
        load.wait().unwrap();
        let audit = Command::new(env!("CARGO_BIN_EXE_baize"))
            .args(["audit", "--database", database])
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&audit.stdout).into_owned();
        assert!(
            audit.status.success(),
            "after kill {kill} of {database}:\n{told}{}",
            String::from_utf8_lossy(&audit.stderr)
        );
        assert!(told.ends_with("all is well\n"), "{told}");
        if began.elapsed() > LONGEST {
            break;
        }
    }
    let ids = std::fs::read_to_string(&answered).unwrap();
    // The last line may be incomplete: its command was answered, but the answer was not logged in full.
    let whole = ids.rfind('\n').map_or("", |end| &ids[..end]);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let house = House::look_at(database).await.unwrap();
        let mut count = 0;
        for id in whole.lines() {
            let id: CommandId = id.parse().unwrap();
            assert!(house.knows(&id).await.unwrap(), "the answered command {id} is lost");
            count += 1;
        }
        assert!(count > 0, "nothing was answered at all");
    });
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("baize-kill-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn no_answered_order_is_lost_on_sqlite() {
    let folder = folder("sqlite");
    let database = folder.join("casino.sqlite").display().to_string();
    kill_under_load(&database, &folder, &mut 2_024);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn no_answered_order_is_lost_on_postgresql() {
    let folder = folder("postgresql");
    let database = server::Server::the().database();
    kill_under_load(&database, &folder, &mut 2_025);
    let _ = std::fs::remove_dir_all(folder);
}
