//! `baize report`: its output, and its errors for invalid days and names.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::process::{Command, Output};

use baize_house::{Actor, CommandId, Duty, House, PlayerId};
use baize_rules::Money;

/// A casino in a folder of its own, where ann has bought chips for 250.
struct Casino(std::path::PathBuf);

impl Casino {
    fn new() -> Casino {
        let folder = std::env::temp_dir().join(format!("baize-report-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let casino = Casino(folder);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let house = House::open(&casino.database()).await.unwrap();
            house.set_up_default().await.unwrap();
            let ann: PlayerId = "ann".parse().unwrap();
            house.create_player(&ann, None, Money::ZERO).await.unwrap();
            house.create_staff(&Actor::House, &"carl".parse().unwrap(), None, &[Duty::Cage]).await.unwrap();
            let carl = Actor::staff("carl".parse().unwrap(), [Duty::Cage]);
            house.buy_in(&carl, &ann, &CommandId::random(), Money::from_dollars(250)).await.unwrap();
            house.close().await.unwrap();
        });
        casino
    }

    fn database(&self) -> String {
        self.0.join("casino.sqlite").display().to_string()
    }

    fn report(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_baize"));
        command.args(["report", "--database", &self.database()]).args(words).output().unwrap()
    }
}

impl Drop for Casino {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_report_prints_its_days_and_rejects_invalid_ones() {
    let casino = Casino::new();
    let out = |words: &[&str]| {
        let output = casino.report(words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = out(&[]);
    assert!(
        text.starts_with("Report by table, all days, for practice. Gaming days from 06:00, UTC+08:00.\n"),
        "{text}"
    );
    assert!(text.contains("\nCage\n") && text.contains("carl") && text.contains("250.00"), "{text}");
    let cage = out(&["--csv", "--part", "cage", "--utc-offset", "-05:00", "--day-begins", "00:00"]);
    assert!(cage.starts_with("day,cashier,buy_ins,drop,"), "{cage}");
    assert!(cage.contains(",carl,1,250.00,0,0.00,250.00,0.00,,,\"from 00:00, UTC-05:00\"\n"), "{cage}");
    assert!(cage.contains("\ntotal,,1,250.00,"), "{cage}");
    let data: serde_json::Value = serde_json::from_str(&out(&["--json"])).unwrap();
    assert_eq!((&data["cage_total"]["bought"], &data["activity"]), (&"250.00".into(), &true.into()));
    let empty = ["--from", "2020-01-01", "--to", "2020-01-31"];
    assert!(out(&empty).ends_with("\nno activity\n"));
    let csv = out(&[&empty[..], &["--csv"]].concat());
    assert!(csv.lines().nth(1).unwrap().starts_with("no activity,"), "{csv}");
    for (words, part) in [
        (&["--from", "tomorrow"][..], "2026-05-01"),
        (&["--from", "2026-02-30"], "2026-05-01"),
        (&["--from", "2026-02-02", "--to", "2026-02-01"], "is after the last"),
        (&["--table", "zz-9"], "the tables are mb-1"),
        (&["--game", "poker"], "rws-casino-stud"),
        (&["--utc-offset", "SGT"], "+08:00"),
        (&["--day-begins", "25:00"], "06:00"),
        (&["--by", "dealer"], "day"),
        (&["--since", "2026-01-01"], "--since"),
    ] {
        let output = casino.report(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(part) && output.stdout.is_empty(), "{words:?}: {said}");
    }
}
