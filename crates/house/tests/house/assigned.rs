//! The audit checks assignments, bets by staff and the rule of two persons again; dealers of an older casino keep their tables.

use baize_house::{Actor, Duty, House, HouseError, JackpotId, Order, Pace, SetClock, TableId};
use baize_journal::plain::Plain;
use baize_rules::{Area, BoxNumber, Family};
use baize_table::Command;

use crate::forgery::{copied, rehash};
use crate::support::{Backend, Casino, alter, chips, clean, order, table_of};
use crate::tamper::names;

/// Dora deals a round at the first table and places chips for Ann; two Shift Managers change a jackpot. Nobody deals at the second table.
async fn played() -> (Casino, TableId, TableId) {
    let casino = Casino::new(Backend::Sqlite).await;
    let own = table_of(&casino, "RWS", Family::Stud).await;
    let other = table_of(&casino, "MBS", Family::Stud).await;
    let mia = casino.staff("mia", Duty::PitManager).await;
    for name in ["dora", "dina"] {
        casino
            .house
            .create_staff(&Actor::House, &name.parse().unwrap(), None, &[Duty::Dealer])
            .await
            .unwrap();
    }
    let dora = Actor::staff("dora".parse().unwrap(), [Duty::Dealer]);
    for table in [&own, &other] {
        order(&casino, &mia, table, Order::SetPace { pace: Pace::Dealer }).await.unwrap();
    }
    order(&casino, &mia, &own, Order::Assign { dealer: "dora".parse().unwrap() }).await.unwrap();
    assert_eq!(
        order(&casino, &dora, &other, Command::Open).await,
        Err(HouseError::NotAssigned(other.clone()))
    );
    order(&casino, &dora, &own, Command::Open).await.unwrap();
    let ann = casino.player("ann").await;
    order(&casino, &ann, &own, Order::Sit { seat: Some(BoxNumber(1)) }).await.unwrap();
    let (player, wager) = ("ann".parse().unwrap(), chips(1, Area::Ante, 50));
    let bet = Order::BetFor { player, wager, request: "fifty on the ante".to_owned(), unnoticed: false };
    order(&casino, &dora, &own, bet).await.unwrap();
    order(&casino, &dora, &own, Command::Close).await.unwrap();
    order(&casino, &dora, &own, Order::DealAll).await.unwrap();
    order(&casino, &ann, &own, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
    order(&casino, &dora, &own, Command::Settle).await.unwrap();
    let jackpot: JackpotId = "RWS".parse().unwrap();
    let sue = casino.staff("sue", Duty::ShiftManager).await;
    let tom = casino.staff("tom", Duty::ShiftManager).await;
    casino.clock.advance_seconds(120);
    let (mut wanted, _) = casino.house.jackpot_parameters(&sue, &jackpot).unwrap();
    wanted.reset += wanted.reset;
    casino.house.propose_change(&sue, &jackpot, wanted).await.unwrap();
    casino.house.approve_change(&tom, &jackpot).await.unwrap();
    clean(&casino).await;
    (casino, own, other)
}

/// An alteration, and the place and text of the fault reported after all hashes were recomputed.
const FORGED: [(&str, &str, &str); 4] = [
    (
        "UPDATE entries SET body = replace(body, '\"dora\"', '\"dina\"') WHERE instr(kinds, ',dealer-assigned,')",
        "table/{t} entry",
        "not assigned to",
    ),
    (
        "UPDATE entries SET body = replace(body, '\"amount\":\"50.00\",\"request\"', '\"amount\":\"20.00\",\"request\"')
         WHERE instr(kinds, ',bet-requested,')",
        "table/{t} entry",
        "without a request",
    ),
    (
        "UPDATE entries SET actor = 'staff:sue' WHERE instr(kinds, ',staff-created,') AND instr(body, '\"id\":\"tom\"')",
        "jackpot/RWS entry",
        "sue created or opened the account of tom",
    ),
    (
        "UPDATE entries SET actor = 'staff:boss' WHERE instr(kinds, ',staff-created,') AND (instr(body, '\"id\":\"tom\"') OR instr(body, '\"id\":\"sue\"'))",
        "jackpot/RWS entry",
        "boss created the accounts of tom and sue within a day",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn actions_without_the_duty_are_reported() {
    let (casino, own, _) = played().await;
    for (sql, place, words) in FORGED {
        let copy = copied(&casino);
        assert!(alter(&copy.file(), sql).await > 0, "{sql}");
        rehash(&copy.file()).await;
        let report = baize_audit::audit_at(&copy.file()).await.unwrap();
        assert!(names(&report, &place.replace("{t}", own.as_str()), words), "{sql}\n{report:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dealers_of_an_older_casino_keep_their_tables() {
    let (casino, own, other) = played().await;
    let Casino { house, database, folder, .. } = casino;
    house.close().await.unwrap();
    // The state left by an older program: no key, no assignments, no request.
    let connection = Plain::of(&database).await.unwrap();
    for (kind, body, kinds, significant) in [
        (
            "key-taken",
            "{\"v\":1,\"house\":[{\"fact\":\"unlocked\",\"name\":\"ann\"}]}",
            ",unlocked,",
            "locked",
        ),
        ("dealer-assigned", "", ",reopened,", "configuration"),
    ] {
        let sql = format!("SELECT number, body FROM entries WHERE instr(kinds, ',{kind},')");
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let (number, was): (i64, String) = connection.query_row(&sql, [], row).unwrap();
        let new =
            was.replace("{\"fact\":\"dealer-assigned\",\"dealer\":\"dora\"}", "{\"fact\":\"reopened\"}");
        let new = if body.is_empty() { new.as_str() } else { body };
        assert_ne!(new, was, "{kind}");
        let sql = "UPDATE entries SET body = ?1, kinds = ?2, significant = ?3 WHERE number = ?4";
        connection.execute(sql, (new, kinds, significant, number)).unwrap();
    }
    connection.keep().await.unwrap();
    rehash(&database).await;
    let clock = std::sync::Arc::new(SetClock::at(baize_house::Instant(1_800_001_000_000)));
    let house = House::open_with(&database, clock.clone()).await.unwrap();
    let casino = Casino { house, clock, database, folder };
    clean(&casino).await;
    let events = casino.house.significant_events(&Actor::House, 100).await.unwrap();
    let assigned: Vec<_> =
        events.iter().filter(|event| event.words.contains("dora was assigned to the table")).collect();
    assert_eq!(assigned.len(), 1, "{events:#?}");
    assert_eq!((assigned[0].actor.as_str(), assigned[0].stream.clone()), ("house", format!("table/{own}")));
    let dora = Actor::staff("dora".parse().unwrap(), [Duty::Dealer]);
    assert_eq!(
        order(&casino, &dora, &other, Command::Open).await,
        Err(HouseError::NotAssigned(other.clone()))
    );
    order(&casino, &dora, &own, Command::Open).await.unwrap();
    clean(&casino).await;
    // Only once: a dealer who is relieved stays relieved.
    let mia = Actor::staff("mia".parse().unwrap(), [Duty::PitManager]);
    order(&casino, &mia, &own, Order::Relieve { dealer: "dora".parse().unwrap() }).await.unwrap();
    let casino = casino.after_a_crash().await;
    assert!(order(&casino, &dora, &own, Command::Close).await.is_err());
}
