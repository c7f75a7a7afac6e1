//! Rulebook texts are recorded in the journal: a table is always played under its own text.

use baize_house::load::Robot;
use baize_house::{Actor, House, HouseError, PlayerId, RoundId, TableConfig, TableId};
use baize_rules::{Money, Rulebook};
use baize_script::Script;

use crate::support::{Backend, Casino, clean};

/// The house's own rulebook: a changed text under another id, or under that of a built-in one.
fn own(id: Option<&str>) -> String {
    let builtin = &Rulebook::builtins()[0];
    let text = Rulebook::builtin_text(&builtin.id).unwrap();
    let text = format!("# Of this house.\n{text}");
    match id {
        None => text,
        Some(id) => text.replacen(&format!("\"{}\"", builtin.id), &format!("\"{id}\""), 1).replacen(
            &format!("\"{}\"", builtin.short),
            "\"XX\"",
            1,
        ),
    }
}

async fn play(house: &House, table: &TableId, name: &str, rounds: u32) {
    let player: PlayerId = name.parse().unwrap();
    house.create_player(&player, None, Money::from_dollars(100_000)).await.unwrap();
    let mut robot = Robot::new(house.clone(), player, table.clone(), 5);
    for _ in 0..rounds {
        robot.round().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_an_own_rulebook_is_set_up_once_and_keeps_its_text() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let text = own(Some("house-variant"));
        let table = casino.house.set_up_own(&Actor::House, &text).await.unwrap();
        assert_eq!(table.as_str(), "xx-1");
        play(&casino.house, &table, "p1", 3).await;

        let casino = casino.after_a_crash().await;
        assert_eq!(casino.house.set_up_own(&Actor::House, &text).await.unwrap(), table, "not again");
        let changed = format!("{text}\n");
        let other = casino.house.set_up_own(&Actor::House, &changed).await.unwrap();
        assert_eq!(other.as_str(), "xx-2", "another text is another table");
        play(&casino.house, &table, "p2", 2).await;
        assert_eq!(casino.house.rulebook(&table).unwrap().id, "house-variant");
        assert_eq!(casino.house.rulebook_text(&table).unwrap(), text);

        clean(&casino).await;
        let notes = baize_audit::audit(&casino.house).await.unwrap().notes;
        assert!(
            notes.iter().any(|note| note.contains("xx-1") && note.contains("not built into this program")),
            "{notes:?}"
        );
        assert!(!notes.iter().any(|note| note.contains("rh-1")), "{notes:?}");

        for number in 1..=5 {
            let id = RoundId { table: table.clone(), number };
            let script = casino.house.export(&id).await.unwrap();
            assert!(
                script.lines().any(|line| line.starts_with('#') && line.contains("--rulebook")),
                "{script}"
            );
            let book = Rulebook::parse("own", &text).unwrap();
            let parsed = Script::parse(&script).unwrap();
            let transcript = baize_script::run(&parsed, &|id| (id == book.id).then(|| book.clone()));
            assert!(transcript.holds(), "{:?}\n{script}", transcript.failures);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_copy_of_a_builtin_rulebook_keeps_its_text() {
    let casino = Casino::new(Backend::Sqlite).await;
    let refused = casino.house.set_up_own(&Actor::House, &own(None)).await.unwrap_err();
    assert!(
        refused.to_string().contains("is the approved"),
        "a new table would pass for the approved game: {refused}"
    );
    // A table that was set up under an earlier edition of a built-in rulebook.
    let table: TableId = "earlier-1".parse().unwrap();
    let builtin = &Rulebook::builtins()[0];
    let config = TableConfig::usual(table.clone(), builtin, None);
    casino.house.create_table_of(&Actor::House, config, &own(None)).await.unwrap();
    play(&casino.house, &table, "p1", 2).await;
    let casino = casino.after_a_crash().await;
    let book = casino.house.rulebook(&table).unwrap();
    assert_eq!(book.id, builtin.id);
    assert_ne!(book.hash, builtin.hash, "the recorded text wins over the program's");
    play(&casino.house, &table, "p2", 2).await;
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_with_faults_is_refused() {
    let casino = Casino::new(Backend::Sqlite).await;
    let before = casino.tables().await.len();
    let wrong = casino.house.set_up_own(&Actor::House, "id = 7\n").await.unwrap_err();
    assert!(matches!(wrong, HouseError::Rulebook(_)), "{wrong}");
    let mut config = TableConfig::usual("t-1".parse().unwrap(), &Rulebook::builtins()[0], None);
    config.rulebook = "no-such-game".to_owned();
    let unknown = casino.house.create_table(&Actor::House, config).await.unwrap_err();
    assert_eq!(unknown.code(), "unknown");
    assert_eq!(casino.tables().await.len(), before);
    clean(&casino).await;
}
