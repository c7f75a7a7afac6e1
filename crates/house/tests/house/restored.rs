//! Restored or promoted databases, lost answers, jumping clocks.

use baize_table::PhaseName;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use baize_house::load::Robot;
use baize_house::{
    Actor, CommandId, Duty, House, HouseError, Instant, JournalFilter, Order, PlayerId, SetClock,
    SignificantKind,
};
use baize_rules::{Area, BoxNumber, Family, Money};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::server::Server;
use crate::support::{Backend, Casino, chips, clean, order, table_of};

async fn robot(casino: &Casino, name: &str, table: &baize_house::TableId, rounds: u32) {
    let player: PlayerId = name.parse().unwrap();
    let _ = casino.house.create_player(&player, None, Money::from_dollars(10_000)).await;
    let mut robot = Robot::new(casino.house.clone(), player, table.clone(), 7);
    for _ in 0..rounds {
        robot.round().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_database_is_noticed_and_a_shift_manager_decides() {
    let casino = Casino::new(Backend::Postgres).await;
    let server = Server::the();
    let table = table_of(&casino, "MBS", Family::Stud).await;
    for (name, duty) in [("sue", Duty::ShiftManager), ("dora", Duty::Dealer)] {
        let id = name.parse().unwrap();
        casino.house.create_staff(&Actor::House, &id, Some("correct horse"), &[duty]).await.unwrap();
    }
    let sue = Actor::staff("sue".parse().unwrap(), [Duty::ShiftManager]);
    let dora = Actor::staff("dora".parse().unwrap(), [Duty::Dealer]);
    robot(&casino, "robot", &table, 2).await;
    let name = Server::name(&casino.database).to_owned();
    let copy = format!("{name}_backup");
    server.copy(&name, &copy);
    robot(&casino, "robot", &table, 3).await;
    let session = casino.house.log_in("sue", "correct horse").await.unwrap();
    let known = casino.house.table(&table).await.unwrap().version;

    // The older copy replaces the database.
    server.restore(&name, &copy);
    let ann = Actor::player("robot".parse().unwrap());
    let bet = || Order::Bet { wagers: vec![chips(1, Area::Ante, 5)] };
    let told = order(&casino, &ann, &table, bet()).await.unwrap_err();
    assert_eq!(told.code(), "behind", "{told}");
    let head = format!(
        "SELECT max(version) FROM entries WHERE stream = (SELECT id FROM names WHERE name = 'table/{table}')"
    );
    assert!(server.sql(&name, &head).parse::<u64>().unwrap() < known, "nothing is written after the gap");
    assert_eq!(casino.house.health().await.unwrap_err().code(), "behind");
    assert!(casino.house.behind().is_some());
    for info in casino.house.tables().await.unwrap() {
        assert!(info.halted.is_some_and(|why| why.contains("shift manager")), "{}", info.id);
    }
    let cage = casino.house.create_player(&"new".parse().unwrap(), None, Money::ZERO).await;
    assert_eq!(cage.unwrap_err().code(), "behind", "nothing else is done either");
    // Sessions are lost with the database: a Shift Manager can still log in, nobody else can, and guesses are delayed.
    assert_eq!(casino.house.session(&session.secret).await, Err(HouseError::NotLoggedIn));
    let again = casino.house.log_in("sue", "correct horse").await.unwrap();
    assert_eq!(casino.house.session(&again.secret).await, Ok(sue.clone()));
    assert_eq!(casino.house.log_in("dora", "correct horse").await.unwrap_err().code(), "behind");
    for told in ["wrong-password", "wrong-password", "locked"] {
        assert_eq!(casino.house.log_in("sue", "a guess").await.unwrap_err().code(), told);
    }
    assert_eq!(casino.house.log_in("sue", "correct horse").await.unwrap_err().code(), "locked");
    assert_eq!(casino.house.accept_database(&dora, "mine").await.unwrap_err().code(), "forbidden");
    casino.house.accept_database(&sue, "the disk failed").await.unwrap();
    casino.house.health().await.unwrap();
    let events = casino.house.significant_events(&sue, 50).await.unwrap();
    let restored = events.iter().find(|event| event.kind == SignificantKind::Restored).unwrap();
    assert!(restored.words.contains("the disk failed") && restored.words.contains(&format!("table/{table}")));
    robot(&casino, "robot", &table, 2).await;
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn undealt_decks_are_shuffled_again_at_opening() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let promised = |casino: &Casino| {
            let (house, table) = (casino.house.clone(), table.clone());
            async move { house.view(&Actor::Public, &table).await.unwrap().commitment.unwrap() }
        };
        let ann = casino.player("ann").await;
        let before = promised(&casino).await;
        let casino = casino.after_a_crash().await;
        let after = promised(&casino).await;
        assert!(before.round == after.round && before.hash != after.hash, "{backend:?}");
        // With bets open and no card out, the deck is replaced. Once cards are out it stays.
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
        let casino = casino.after_a_crash().await;
        assert_ne!(promised(&casino).await.hash, after.hash, "{backend:?}");
        let filter = JournalFilter { kind: Some("shuffle-withdrawn".to_owned()), ..JournalFilter::default() };
        let lines = casino.house.journal(&Actor::House, &filter).await.unwrap();
        let told = serde_json::to_string(&lines).unwrap();
        assert!(told.contains(&before.hash), "{backend:?}: it is on record");
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_back_is_reported_and_times_never_go_back() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        robot(&casino, "robot", &table, 1).await;
        let hour = 3_600_000;
        casino.clock.set(Instant(1_800_000_000_000 - hour));
        casino.house.tick().await.unwrap();
        robot(&casino, "robot", &table, 2).await;
        let filter = JournalFilter { limit: Some(1_000), ..JournalFilter::default() };
        let lines = casino.house.journal(&Actor::House, &filter).await.unwrap();
        let times: Vec<Instant> = lines.iter().rev().map(|line| line.at).collect();
        assert!(times.is_sorted(), "{backend:?}");
        let events = casino.house.significant_events(&Actor::House, 100).await.unwrap();
        let jump = events.iter().find(|event| event.kind == SignificantKind::Clock).unwrap();
        let both = [Instant(1_800_000_000_000), Instant(1_800_000_000_000 - hour)];
        let clock = casino.house.gaming_day();
        assert!(both.iter().all(|value| jump.words.contains(&clock.local(*value))), "{}", jump.words);
        clean(&casino).await;
        // A process that starts while the clock is behind continues from the last entry's time and reports it.
        let casino = casino.after_a_crash().await;
        robot(&casino, "robot", &table, 1).await;
        clean(&casino).await;
        let events = casino.house.significant_events(&Actor::House, 100).await.unwrap();
        assert_eq!(
            events.iter().filter(|event| event.kind == SignificantKind::Clock).count(),
            2,
            "{backend:?}"
        );
    }
}

/// Times of an older program may go back: the audit reports it and checks everything after it.
#[tokio::test(flavor = "multi_thread")]
async fn the_audit_continues_after_a_time_that_goes_back() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = casino.tables().await.remove(0);
    robot(&casino, "robot", &table, 3).await;
    let Casino { house, database, .. } = &casino;
    house.seal().await.unwrap();
    let connection = rusqlite::Connection::open(database).unwrap();
    let late = format!(
        "UPDATE entries SET at = at + 7200000
         WHERE stream = (SELECT id FROM names WHERE name = 'table/{table}') AND version = 3"
    );
    assert_eq!(connection.execute(&late, []).unwrap(), 1);
    assert_eq!(
        connection.execute("UPDATE balances SET cents = cents - 1 WHERE account = 'house'", []).unwrap(),
        1
    );
    let audit = baize_audit::audit(house).await.unwrap();
    assert!(audit.faults.iter().any(|fault| fault.what.contains("times were altered")), "{audit:#?}");
    assert!(audit.faults.iter().any(|fault| fault.place == "account house"), "{audit:#?}");
}

/// Rounds in progress are secret on every host, also on one that has not read them yet.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_has_not_read_a_round_shows_nothing_of_it() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "MBS", Family::Stud).await;
        let (ann, auditor) = (casino.player("ann").await, casino.staff("axel", Duty::Auditor).await);
        // Opened read-only, it does not follow later entries.
        let deaf = House::look_at(&casino.database).await.unwrap();
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        assert_eq!(casino.house.table(&table).await.unwrap().phase, PhaseName::Play);
        assert_eq!(deaf.table(&table).await.unwrap().phase, PhaseName::Idle);
        for house in [&casino.house, &deaf] {
            let filter = JournalFilter { stream: Some(format!("table/{table}")), ..JournalFilter::default() };
            let lines = house.journal(&auditor, &filter).await.unwrap();
            let of_round = lines.iter().filter(|line| line.kinds.iter().any(|kind| kind == "cards-dealt"));
            let of_round: Vec<_> = of_round.collect();
            assert!(!of_round.is_empty() && of_round.iter().all(|line| line.body.is_none()), "{backend:?}");
            let text =
                JournalFilter { text: Some("cards-dealt\",\"to".to_owned()), ..JournalFilter::default() };
            assert_eq!(house.journal(&auditor, &text).await.unwrap(), [], "{backend:?}");
        }
        robot(&casino, "ann", &table, 1).await;
        let lines = deaf.journal(&auditor, &JournalFilter::default()).await.unwrap();
        let dealt = lines.iter().filter(|line| line.kinds.iter().any(|kind| kind == "cards-dealt"));
        assert!(dealt.clone().count() > 0 && dealt.clone().all(|line| line.body.is_some()), "{backend:?}");
    }
}

/// Modes of the proxy to the server: passes everything.
const WHOLE: u8 = 0;
/// Drops the next answer and closes its connection.
const LOSES_ONE: u8 = 1;
/// Drops all answers and refuses connections.
const DEAD: u8 = 2;

/// A proxy to the server that can drop answers.
async fn line(server: SocketAddr) -> (SocketAddr, Arc<AtomicU8>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let state = Arc::new(AtomicU8::new(WHOLE));
    let shared = Arc::clone(&state);
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let state = Arc::clone(&shared);
            tokio::spawn(async move {
                if state.load(Ordering::SeqCst) == DEAD {
                    return;
                }
                let Ok(mut server) = TcpStream::connect(server).await else { return };
                let (mut up, mut down) = (vec![0; 65_536], vec![0; 65_536]);
                loop {
                    tokio::select! {
                        read = client.read(&mut up) => match read {
                            Ok(0) | Err(_) => return,
                            Ok(read) => if server.write_all(&up[..read]).await.is_err() { return },
                        },
                        read = server.read(&mut down) => match read {
                            Ok(0) | Err(_) => return,
                            Ok(read) => {
                                let lost = state.load(Ordering::SeqCst);
                                // An answer to an order, not a notification.
                                if lost != WHOLE && read > 5 {
                                    if lost == LOSES_ONE {
                                        state.store(WHOLE, Ordering::SeqCst);
                                    }
                                    return;
                                }
                                if client.write_all(&down[..read]).await.is_err() { return }
                            }
                        },
                    }
                }
            });
        }
    });
    (address, state)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_is_looked_up() {
    let server = Server::the();
    let database = server.database();
    let place = database.split(['/', '?']).nth(2).unwrap().rsplit('@').next().unwrap().to_owned();
    let (address, state) = line(place.parse().unwrap()).await;
    let through = database.replace(&place, &address.to_string());
    let clock = Arc::new(SetClock::at(Instant(1_800_000_000_000)));
    let house = House::open_with(&through, clock.clone()).await.unwrap();
    house.set_up_default().await.unwrap();
    let casino = Casino { house, clock, database: through, folder: None };
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let ann = casino.player("ann").await;
    let cora = casino.staff("cora", Duty::Cage).await;
    let rita: PlayerId = "rita".parse().unwrap();
    casino.house.register_player(&cora, &rita, None).await.unwrap();
    let bet = || Order::Bet { wagers: vec![chips(1, Area::Ante, 5)] };
    let act = |id: CommandId| {
        let (house, ann, table) = (casino.house.clone(), ann.clone(), table.clone());
        async move { house.act(&ann, &table, &id, bet()).await }
    };
    act(CommandId::random()).await.unwrap();
    // One answer is lost: the order is found in the journal.
    state.store(LOSES_ONE, Ordering::SeqCst);
    act(CommandId::random()).await.unwrap();

    // No connection: the outcome is reported as not known.
    let (id, cash) = (CommandId::random(), CommandId::random());
    state.store(DEAD, Ordering::SeqCst);
    let told = act(id.clone()).await.unwrap_err();
    assert_eq!(told.code(), "not-known", "{told}");
    assert!(told.to_string().contains(id.as_str()) && !told.to_string().contains("nothing"), "{told}");
    let counter = casino.house.buy_in(&cora, &rita, &cash, Money::from_dollars(50)).await.unwrap_err();
    assert_eq!(counter.code(), "not-known", "{counter}");
    state.store(WHOLE, Ordering::SeqCst);
    // Sent again under the same ids, they are answered, and acted once.
    act(id).await.unwrap();
    for _ in 0..2 {
        let purse = casino.house.buy_in(&cora, &rita, &cash, Money::from_dollars(50)).await;
        assert_eq!(purse, Ok(Money::from_dollars(50)));
    }
    let staked = casino.house.view(&ann, &table).await.unwrap().round.boxes[&BoxNumber(1)].areas[&Area::Ante];
    assert_eq!(staked, Money::from_dollars(15), "each bet once");
    clean(&casino).await;
}
