//! A server of PostgreSQL dies under load and its synchronous standby is promoted: nothing that was answered is lost.

use std::time::Duration;

use baize_house::{CommandId, House};

use crate::casino::{Casino, Folder, fails, said};
use crate::players::Players;
use crate::server::Server;

#[test]
fn a_promoted_standby_has_every_answered_order() {
    let folder = Folder::new("failover");
    let primary = Server::start();
    let standby = primary.standby();
    let one = primary.database();
    let (place, key) = one.split_once('?').unwrap();
    let name = place.rsplit('/').next().unwrap();
    let port =
        |server: &Server| server.address("").rsplit(':').next().unwrap().trim_end_matches('/').to_owned();
    let both = format!(
        "postgres://baize@127.0.0.1:{},127.0.0.1:{}/{name}?{key}&target_session_attrs=read-write",
        port(&primary),
        port(&standby)
    );
    // A standby alone takes no writes, and that is said.
    let alone = format!("{}?{key}", standby.address(name));
    let (code, told) = fails(&["serve", "--create", "--database", &alone]);
    assert!(code == 2 && told.contains("target_session_attrs=read-write"), "{told}");

    let casino = Casino::open(&folder, &both, &[]);
    assert!(casino.get("/metrics").contains("baize_database_standbys{state=\"sync\"} 1"));
    let players = Players::begin(&casino, vec![casino.address]);
    players.wait_for(10);
    primary.crash();
    std::thread::sleep(Duration::from_secs(1));
    standby.promote();
    // The same host continues with the new primary by itself.
    players.wait_for(10);
    let (played, _) = players.end();
    let done: Vec<String> = played.into_iter().flat_map(|player| player.done).collect();
    println!("{} orders over the failover", done.len());
    casino.stop();
    let promoted = format!("{}?{key}", standby.address(name));
    assert!(said(&["audit", "--database", &promoted]).ends_with("all is well\n"));
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let house = House::look_at(&promoted).await.unwrap();
        for id in &done {
            let id: CommandId = id.parse().unwrap();
            assert!(house.knows(&id).await.unwrap(), "the answered order {id} is lost");
        }
    });
}

/// A server that would lose what it answers is refused.
#[test]
fn a_server_that_does_not_flush_is_refused() {
    let server = Server::start_with(&[("postgresql.auto.conf", "fsync = off\n")]);
    let database = server.database();
    let (code, told) = fails(&["serve", "--create", "--database", &database]);
    assert!(code == 2 && told.contains("the server has fsync = off"), "{told}");
    server.sql("postgres", "ALTER SYSTEM SET fsync = on");
    server.sql("postgres", "ALTER SYSTEM SET synchronous_commit = off");
    server.sql("postgres", "SELECT pg_reload_conf()");
    std::thread::sleep(Duration::from_millis(300));
    let (code, told) = fails(&["serve", "--create", "--database", &database]);
    assert!(code == 2 && told.contains("the server has synchronous_commit = off"), "{told}");
    server.sql("postgres", "ALTER SYSTEM RESET synchronous_commit");
    server.sql("postgres", "ALTER SYSTEM SET default_transaction_isolation = 'repeatable read'");
    server.sql("postgres", "SELECT pg_reload_conf()");
    std::thread::sleep(Duration::from_millis(300));
    let folder = Folder::new("isolation");
    let casino = Casino::open(&folder, &database, &[]);
    assert!(casino.log().contains("default_transaction_isolation = repeatable read"), "{}", casino.log());
    casino.stop();
}
