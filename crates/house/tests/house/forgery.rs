//! Alterations by someone who knows the program: rows that no hash covers, the database's own rules, and entries with recomputed hashes.
//! The audit reports each.

use std::collections::HashMap;

use baize_house::load::Robot;
use baize_house::{CommandId, Duty, PlayerId};
use baize_journal::plain::Plain;
use baize_rules::Money;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use crate::server::Server;
use crate::support::{Backend, Casino, Folder, alter};
use crate::tamper::names;

/// A casino with some rounds, a seal, and a cash-out after the seal.
async fn played(backend: Backend) -> (Casino, String) {
    let casino = Casino::for_cash(backend).await;
    let table = casino.tables().await.remove(0);
    let player: PlayerId = "robot".parse().unwrap();
    let cage = casino.staff("carl", Duty::Cage).await;
    casino.house.register_player(&cage, &player, None).await.unwrap();
    let chips = Money::from_dollars(10_000);
    casino.house.buy_in(&cage, &player, &CommandId::random(), chips).await.unwrap();
    let mut robot = Robot::new(casino.house.clone(), player.clone(), table.clone(), 99);
    robot.jackpot_every = 1;
    for _ in 0..3 {
        robot.round().await.unwrap();
    }
    casino.house.seal().await.unwrap();
    let id = CommandId::random();
    casino.house.cash_out(&cage, &player, &id, Money::from_dollars(50)).await.unwrap();
    // Audited from outside: the house itself would seal before it audits.
    let audit = baize_audit::audit_at(&casino.database).await.unwrap();
    assert!(audit.is_clean(), "{audit:#?}");
    (casino, table.to_string())
}

/// Copies the file and its log while the casino is running.
pub(crate) fn copied(casino: &Casino) -> Folder {
    let copy = Folder::new();
    for ending in ["", "-wal"] {
        std::fs::copy(format!("{}{ending}", casino.database), format!("{}{ending}", copy.file())).unwrap();
    }
    copy
}

/// Alterations that no hash covers on SQLite, with the place and a word of the reported fault.
const UNCOVERED: [(&str, &str, &str); 2] = [
    (
        "DELETE FROM postings WHERE number = (SELECT max(number) FROM entries WHERE stream = 'player/robot');
         DELETE FROM entries WHERE number = (SELECT max(number) FROM entries WHERE stream = 'player/robot');
         UPDATE balances SET cents = cents + 5000 WHERE account = 'purse/robot';
         UPDATE balances SET cents = cents - 5000 WHERE account = 'cage'",
        "entry number",
        "missing, after the last",
    ),
    (
        "CREATE TEMP TABLE two AS SELECT min(number) AS a, max(number) AS b FROM entries WHERE stream = 'table/{t}' AND version IN (3, 4);
         UPDATE postings SET number = -number WHERE number IN (SELECT a FROM two UNION SELECT b FROM two);
         UPDATE entries SET number = -number WHERE number IN (SELECT a FROM two UNION SELECT b FROM two);
         UPDATE postings SET number = (SELECT a + b FROM two) + number WHERE number < 0;
         UPDATE entries SET number = (SELECT a + b FROM two) + number WHERE number < 0",
        "table/{t} entry 4",
        "numbers were altered",
    ),
];

/// The same for the database's own rules.
const RULES: [(&str, &str, &str); 3] = [
    (
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (cents >= 0 OR account IN (''house'', ''cage'') OR account LIKE ''owed/%'')', '') WHERE name = 'balances';
         PRAGMA writable_schema = RESET",
        "the database's own rules",
        "`balances` was altered",
    ),
    (
        "CREATE TRIGGER more AFTER INSERT ON entries BEGIN UPDATE balances SET cents = cents + 1 WHERE account = 'purse/robot'; END",
        "the database's own rules",
        "trigger `more`",
    ),
    ("DROP INDEX entries_by_command", "the database's own rules", "`entries_by_command` is missing"),
];

#[tokio::test(flavor = "multi_thread")]
async fn alterations_that_no_hash_covers_are_reported_on_sqlite() {
    let (casino, table) = played(Backend::Sqlite).await;
    for (sql, place, word) in UNCOVERED {
        let copy = copied(&casino);
        let sql = sql.replace("{t}", &table);
        assert!(alter(&copy.file(), &sql).await > 0, "{sql}");
        let report = baize_audit::audit_at(&copy.file()).await.unwrap();
        assert!(names(&report, &place.replace("{t}", &table), word), "{sql}\n{report:#?}");
    }
    for (sql, place, word) in RULES {
        let copy = copied(&casino);
        Connection::open(copy.file()).unwrap().execute_batch(sql).unwrap();
        let report = baize_audit::audit_at(&copy.file()).await.unwrap();
        assert!(names(&report, place, word), "{sql}\n{report:#?}");
    }
}

/// The same on PostgreSQL, where numbers have gaps and deleting the last entry after a seal goes unnoticed.
const UNCOVERED_THERE: [(&str, &str, &str); 3] = [
    (
        "ALTER TABLE entries ALTER number DROP IDENTITY;
         UPDATE entries e SET number = -(SELECT number FROM entries o WHERE o.stream = e.stream AND o.version = 7 - e.version)
           WHERE stream = (SELECT id FROM names WHERE name = 'table/{t}') AND version IN (3, 4);
         UPDATE entries SET number = -number WHERE number < 0",
        "table/{t} entry 4",
        "numbers were altered",
    ),
    (
        "ALTER TABLE balances DROP CONSTRAINT balances_short",
        "the database's own rules",
        "balances_short is missing",
    ),
    (
        "CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
         CREATE TRIGGER more BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION more()",
        "the database's own rules",
        "trigger more",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn alterations_that_no_hash_covers_are_reported_on_postgresql() {
    let (casino, table) = played(Backend::Postgres).await;
    let before = baize_audit::audit(&casino.house).await.unwrap();
    assert_eq!((before.faults, before.notes), (Vec::new(), Vec::new()));
    for (sql, place, word) in UNCOVERED_THERE {
        Server::the().sql(&casino.database, &sql.replace("{t}", &table));
        let report = baize_audit::audit(&casino.house).await.unwrap();
        assert!(names(&report, &place.replace("{t}", &table), word), "{sql}\n{report:#?}");
    }
}

/// Recomputes every hash, as the program does: chains, links and seals.
pub(crate) async fn rehash(database: &str) {
    let connection = Plain::of(database).await.unwrap();
    let asked = |sql: &str| -> Vec<String> {
        let mut asked = connection.prepare(sql).unwrap();
        asked.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let mut streams = asked("SELECT DISTINCT stream FROM entries ORDER BY stream");
    // Chains that others link to first, and the house's, which seals all, last.
    streams.sort_by_key(|stream| (stream == "house", !stream.starts_with("table/")));
    let mut renewed: HashMap<String, String> = HashMap::new();
    for stream in streams {
        let mut previous = String::new();
        let last: i64 = connection
            .query_row("SELECT max(version) FROM entries WHERE stream = ?1", [&stream], |row| row.get(0))
            .unwrap();
        for version in 1..=last {
            let sql = "SELECT number, at, actor, command, kinds, significant, body, link, hash FROM entries
                       WHERE stream = ?1 AND version = ?2";
            let mut hasher = Sha256::new();
            let mut part = |bytes: &[u8]| {
                hasher.update((bytes.len() as u64).to_be_bytes());
                hasher.update(bytes);
            };
            let text = |row: &rusqlite::Row<'_>, at: usize| -> String {
                row.get::<_, Option<String>>(at).unwrap().unwrap_or_default()
            };
            let row = |row: &rusqlite::Row<'_>| {
                let parts: Vec<String> = (2..9).map(|at| text(row, at)).collect();
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, parts))
            };
            let (number, at, mut parts) = connection.query_row(sql, params![stream, version], row).unwrap();
            let old = parts.pop().unwrap();
            let link = parts[5].clone();
            if let Some(new) = renewed.get(&link) {
                parts[5].clone_from(new);
            }
            if parts[2].contains(",sealed,") {
                for (old, new) in &renewed {
                    parts[4] = parts[4].replace(old, new);
                }
            }
            part(b"baize-journal-1");
            part(previous.as_bytes());
            part(stream.as_bytes());
            part(&version.to_be_bytes());
            part(&at.to_be_bytes());
            for text in &parts {
                part(text.as_bytes());
            }
            let mut asked = connection
                .prepare("SELECT account, cents FROM postings WHERE number = ?1 ORDER BY line")
                .unwrap();
            let mut postings = asked.query([number]).unwrap();
            while let Some(row) = postings.next().unwrap() {
                part(row.get::<_, String>(0).unwrap().as_bytes());
                part(&row.get::<_, i64>(1).unwrap().to_be_bytes());
            }
            let hash: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            let link = Some(&parts[5]).filter(|link| !link.is_empty());
            connection
                .execute(
                    "UPDATE entries SET previous = ?1, hash = ?2, body = ?3, link = ?4 WHERE number = ?5",
                    params![previous, hash, parts[4], link, number],
                )
                .unwrap();
            let sql = "UPDATE snapshots SET hash = ?1 WHERE hash = ?2";
            connection.execute(sql, params![hash, old]).unwrap();
            renewed.insert(old, hash.clone());
            previous = hash;
        }
    }
    connection.keep().await.unwrap();
}

/// Removes the commands from every entry of a table and keeps their facts.
async fn strip_commands(database: &str, table: &str) {
    let connection = Plain::of(database).await.unwrap();
    let mut asked = connection.prepare("SELECT number, body FROM entries WHERE stream = ?1").unwrap();
    let rows = asked.query_map([format!("table/{table}")], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let rows: Vec<(i64, String)> = rows.collect::<Result<_, _>>().unwrap();
    for (number, body) in rows {
        let mut body: serde_json::Value = serde_json::from_str(&body).unwrap();
        for step in body["table"]["steps"].as_array_mut().unwrap() {
            step.as_object_mut().unwrap().remove("command");
        }
        let sql = "UPDATE entries SET body = ?1 WHERE number = ?2";
        connection.execute(sql, params![body.to_string(), number]).unwrap();
    }
    drop(asked);
    connection.keep().await.unwrap();
}

/// Altered entries, and what the audit reports after all hashes were recomputed.
const FORGED: [(&str, &str, &str); 4] = [
    (
        "UPDATE entries SET actor = 'player:robot' WHERE instr(kinds, 'cashed-out')",
        "player/robot entry 2",
        "needs the Cage",
    ),
    (
        "UPDATE entries SET actor = 'staff:nobody' WHERE instr(kinds, 'cashed-out')",
        "player/robot entry 2",
        "no such person",
    ),
    (
        "UPDATE entries SET at = at - 2592000000 WHERE instr(kinds, 'cashed-out')",
        "player/robot entry 2",
        "earlier than that of the previous entry",
    ),
    (
        "UPDATE entries SET at = at - 2592000000 WHERE stream = 'player/robot' AND version = 1",
        "player/robot entry 1",
        "numbers or times were altered",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn forged_entries_with_recomputed_hashes_are_reported() {
    let (casino, table) = played(Backend::Sqlite).await;
    let untouched = copied(&casino);
    rehash(&untouched.file()).await;
    let report = baize_audit::audit_at(&untouched.file()).await.unwrap();
    assert!(report.is_clean(), "the forger works as the program does: {report:#?}");
    for (sql, place, word) in FORGED {
        let copy = copied(&casino);
        assert!(alter(&copy.file(), sql).await > 0, "{sql}");
        rehash(&copy.file()).await;
        let report = baize_audit::audit_at(&copy.file()).await.unwrap();
        assert!(names(&report, place, word), "{sql}\n{report:#?}");
    }
    let copy = copied(&casino);
    strip_commands(&copy.file(), &table).await;
    rehash(&copy.file()).await;
    let report = baize_audit::audit_at(&copy.file()).await.unwrap();
    assert!(names(&report, &format!("table/{table} entry 2"), "without a command"), "{report:#?}");
}
