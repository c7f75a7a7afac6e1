//! The cage: play chips are never redeemed, and corrected rounds can leave a debt.

use baize_house::{Actor, CommandId, Duty, HouseError, Order, PlayerId, Shoe, SignificantKind, TableId};
use baize_report::ReportFilter;
use baize_rules::{Area, BoxNumber, Family, IrregularityKind, Money, Reveal, Role};
use baize_table::{Command, Facts, Place, Report, Staff};

use crate::dealer::with_dealer;
use crate::support::{Backend, Casino, cents, chips, clean, order, table_of};

fn dollars(amount: i32) -> Money {
    Money::from_dollars(amount)
}

/// A cashier, and a player registered by them.
async fn counter(casino: &Casino) -> (Actor, PlayerId) {
    let cage = casino.staff("carl", Duty::Cage).await;
    let rita: PlayerId = "rita".parse().unwrap();
    casino.house.register_player(&cage, &rita, None).await.unwrap();
    (cage, rita)
}

#[tokio::test(flavor = "multi_thread")]
async fn play_chips_are_not_redeemed() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let ann = casino.player("ann").await;
        let (cage, rita) = counter(&casino).await;
        let (id, practice) = (CommandId::random, ann.as_player().unwrap());
        let refused = HouseError::Practice(practice.clone());
        assert_eq!(casino.house.cash_out(&cage, practice, &id(), dollars(5)).await, Err(refused.clone()));
        assert_eq!(casino.house.buy_in(&cage, practice, &id(), dollars(5)).await, Err(refused));
        assert_eq!(cents(&casino, &ann).await, 1_000_000);
        // Players who start without chips, and those registered by the cage, play for cash.
        let late: PlayerId = "late".parse().unwrap();
        casino.house.create_player(&late, None, Money::ZERO).await.unwrap();
        for player in [&late, &rita] {
            assert_eq!(casino.house.buy_in(&cage, player, &id(), dollars(50)).await, Ok(dollars(50)));
            assert_eq!(casino.house.cash_out(&cage, player, &id(), dollars(20)).await, Ok(dollars(30)));
        }
        let forbidden = casino.house.register_player(&ann, &"x".parse().unwrap(), None).await;
        assert_eq!(forbidden.unwrap_err().code(), "forbidden");
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_movement_gets_the_same_answer() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let (cage, rita) = counter(&casino).await;
        let (first, second): (CommandId, CommandId) = ("in-1".parse().unwrap(), "out-1".parse().unwrap());
        assert_eq!(casino.house.buy_in(&cage, &rita, &first, dollars(100)).await, Ok(dollars(100)));
        assert_eq!(casino.house.cash_out(&cage, &rita, &second, dollars(60)).await, Ok(dollars(40)));
        let casino = casino.after_a_crash().await;
        assert_eq!(casino.house.buy_in(&cage, &rita, &first, dollars(100)).await, Ok(dollars(100)));
        assert_eq!(casino.house.cash_out(&cage, &rita, &second, dollars(60)).await, Ok(dollars(40)));
        let other = casino.house.cash_out(&cage, &rita, &first, dollars(100)).await;
        assert_eq!(other, Err(HouseError::CommandReused(first)));
        assert_eq!(casino.house.purse(&rita).await, Ok(dollars(40)));
        clean(&casino).await;
    }
}

/// A won round: 50 on the ante, 100 on the bet, a straight flush.
async fn won(casino: &Casino, rita: &Actor) -> (TableId, Actor) {
    let table = table_of(casino, "RWS", Family::Stud).await;
    let dealer = with_dealer(casino, &table, Shoe::Entered).await;
    order(casino, &dealer, &table, Command::Open).await.unwrap();
    order(casino, rita, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
    order(casino, &dealer, &table, Command::Close).await.unwrap();
    let cards = |text: &str| text.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<_>>();
    for (to, text) in [(Place::Box(BoxNumber(1)), "5h 6h 7h 8h 9h"), (Place::Dealer, "2c 3d 5s Ks Ac")] {
        order(casino, &dealer, &table, Command::Deal { to, cards: cards(text) }).await.unwrap();
    }
    order(casino, rita, &table, Order::Bet { wagers: vec![chips(1, Area::Bet, 100)] }).await.unwrap();
    order(casino, &dealer, &table, Command::Reveal { what: Reveal::Dealer }).await.unwrap();
    order(casino, &dealer, &table, Command::Settle).await.unwrap();
    (table, dealer)
}

fn void() -> Command {
    let facts = Facts { reconstructable: Some(false), ..Facts::default() };
    let by = Staff { role: Role::Dealer, name: None };
    Command::Report(Report { kind: IrregularityKind::WrongDealerHand, seat: None, facts, by })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_can_be_voided_after_its_winner_cashed_out() {
    for backend in Backend::ALL {
        let casino = Casino::for_cash(backend).await;
        let (cage, rita) = counter(&casino).await;
        let actor = Actor::player(rita.clone());
        let id = CommandId::random;
        casino.house.buy_in(&cage, &rita, &id(), dollars(200)).await.unwrap();
        let (table, _) = won(&casino, &actor).await;
        let purse = casino.house.purse(&rita).await.unwrap();
        let net = purse - dollars(200);
        assert!(net > dollars(150), "{net}");
        // She cashes out all but ten, and then the round is voided.
        casino.house.cash_out(&cage, &rita, &id(), purse - dollars(10)).await.unwrap();
        let pit = casino.staff("mia", Duty::PitManager).await;
        let voiding = id();
        casino.house.act(&pit, &table, &voiding, void().into()).await.unwrap();
        assert!(casino.house.act(&pit, &table, &voiding, void().into()).await.unwrap().repeated);
        let owed = net - dollars(10);
        assert_eq!(casino.house.purse(&rita).await, Ok(Money::ZERO), "a purse is never below nothing");
        assert_eq!(casino.house.owed(&rita).await, Ok(owed));

        let noted = casino.house.significant_events(&pit, 20).await.unwrap();
        assert!(noted.iter().any(|event| event.kind == SignificantKind::Void), "{noted:#?}");
        let claim = noted.iter().find(|event| event.kind == SignificantKind::Claim).unwrap();
        assert_eq!((claim.stream.as_str(), claim.actor.as_str()), ("player/rita", "staff:mia"));
        for amount in [net, dollars(10), owed] {
            assert!(claim.words.contains(&amount.grouped()), "{}: {amount}", claim.words);
        }
        let report = baize_report::report(&casino.house, &cage, &ReportFilter::default()).await.unwrap();
        assert_eq!(report.owed.get("rita"), Some(&owed));
        assert!(
            report.table(200).contains(&format!("owed by rita: {}", owed.grouped())),
            "{}",
            report.table(200)
        );
        let audit = baize_audit::audit(&casino.house).await.unwrap();
        assert!(audit.is_clean(), "{audit:#?}");
        assert!(audit.notes.contains(&format!("rita owes {owed}")), "{:?}", audit.notes);

        // She must pay her debt before a cash-out, and cannot pay more than she owes.
        let casino = casino.after_a_crash().await;
        casino.house.buy_in(&cage, &rita, &id(), owed + dollars(5)).await.unwrap();
        let first = casino.house.cash_out(&cage, &rita, &id(), dollars(5)).await;
        assert_eq!(first, Err(HouseError::Owes { player: rita.clone(), amount: owed }));
        let more = owed + dollars(1);
        assert_eq!(casino.house.collect(&cage, &rita, &id(), more).await, Err(HouseError::Amount(more)));
        let paying = id();
        for _ in 0..2 {
            assert_eq!(casino.house.collect(&cage, &rita, &paying, owed).await, Ok(dollars(5)));
        }
        assert_eq!(casino.house.owed(&rita).await, Ok(Money::ZERO));
        assert_eq!(casino.house.cash_out(&cage, &rita, &id(), dollars(5)).await, Ok(Money::ZERO));
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bets_by_staff_cannot_overdraw_a_purse() {
    for backend in Backend::ALL {
        let casino = Casino::for_cash(backend).await;
        let (cage, rita) = counter(&casino).await;
        casino.house.buy_in(&cage, &rita, &CommandId::random(), dollars(30)).await.unwrap();
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let dealer = with_dealer(&casino, &table, Shoe::Entered).await;
        order(&casino, &dealer, &table, Command::Open).await.unwrap();
        order(&casino, &Actor::player(rita.clone()), &table, Order::Sit { seat: Some(BoxNumber(1)) })
            .await
            .unwrap();
        let (wager, request) = (chips(1, Area::Ante, 50), "fifty on the ante".to_owned());
        let bet = Order::BetFor { player: rita.clone(), wager, request, unnoticed: false };
        let short = order(&casino, &dealer, &table, bet).await;
        assert_eq!(short, Err(HouseError::PurseOf { player: rita.clone(), has: dollars(30) }));
        assert_eq!(casino.house.owed(&rita).await, Ok(Money::ZERO));
        clean(&casino).await;
    }
}

/// A file from before the version that records debts.
#[tokio::test(flavor = "multi_thread")]
async fn an_older_file_is_upgraded_to_record_debts() {
    let casino = Casino::new(Backend::Sqlite).await;
    casino.player("ann").await;
    let (database, folder) = (casino.database.clone(), casino.folder);
    casino.house.close().await.unwrap();
    crate::support::to_version_3(&database).await;
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE old (account TEXT PRIMARY KEY, cents INTEGER NOT NULL CHECK (cents >= 0 OR account IN ('house', 'cage')))
               STRICT, WITHOUT ROWID;
             INSERT INTO old SELECT account, cents FROM balances;
             DROP TABLE balances;
             ALTER TABLE old RENAME TO balances;
             PRAGMA user_version = 2;",
        )
        .unwrap();
    drop(connection);
    let casino = Casino::on(database.clone(), folder).await;
    assert_eq!(casino.house.purse(&"ann".parse().unwrap()).await, Ok(dollars(10_000)));
    clean(&casino).await;
    let connection = rusqlite::Connection::open(&database).unwrap();
    let put = |account: &str| connection.execute("INSERT INTO balances VALUES (?1, -1)", [account]);
    assert!(put("purse/x").is_err());
    assert!(put("owed/x").is_ok());
}
