//! Access control: log-in delays, bets by staff, assigned dealers, the rule of two persons, sessions, practice and
//! cash.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use baize_house::{
    Actor, CommandId, ConsoleAnswer, ConsoleCommand, Duty, House, HouseError, IdleLimits, JackpotConfig,
    MoneyKind, Order, PlayerId, Shoe, StaffId, TableConfig, TableId, console,
};
use baize_report::ReportFilter;
use baize_rules::{Area, BoxNumber, Family, Money, Rulebook};
use baize_table::Command;

use crate::dealer::with_dealer;
use crate::support::{Backend, Casino, chips, clean, order, table_of};

fn staff(name: &str) -> StaffId {
    name.parse().unwrap()
}

async fn with_password(house: &House, name: &str, duty: Duty) -> Actor {
    house.create_staff(&Actor::House, &staff(name), Some("correct horse"), &[duty]).await.unwrap();
    Actor::staff(staff(name), [duty])
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_log_ins_do_not_affect_logged_in_people() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let ann = casino.player("ann").await;
        let session = casino.house.start_session(&ann).await.unwrap();
        let sue = casino.staff("sue", Duty::ShiftManager).await;
        let sues = casino.house.start_session(&sue).await.unwrap();
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        // Two people without a password: a player in mid-hand and the only Shift Manager.
        for name in ["ann", "sue"] {
            for _ in 0..5 {
                casino.house.log_in(name, "guess").await.unwrap_err();
            }
        }
        assert_eq!(casino.house.session(&session.secret).await, Ok(ann.clone()));
        assert_eq!(casino.house.session(&sues.secret).await, Ok(sue.clone()));
        order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
        casino.house.unlock(&sue, "ann").await.unwrap();
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_with_many_failures_is_delayed() {
    let casino = Casino::new(Backend::Sqlite).await;
    with_password(&casino.house, "dora", Duty::Dealer).await;
    let from = |last| casino.house.for_request(None, Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last))));
    for number in 0..21 {
        let failed = from(7).log_in(&format!("name-{number}"), "guess").await;
        assert_eq!(failed, Err(HouseError::WrongPassword));
    }
    let waits = from(7).log_in("dora", "correct horse").await;
    assert_eq!(waits, Err(HouseError::Locked { wait_seconds: 2 }));
    from(8).log_in("dora", "correct horse").await.unwrap();
    casino.clock.advance_seconds(2);
    from(7).log_in("dora", "correct horse").await.unwrap();
    assert_eq!(from(7).log_in("dora", "wrong").await, Err(HouseError::WrongPassword));
    let waits = from(7).log_in("dora", "correct horse").await;
    assert_eq!(waits, Err(HouseError::Locked { wait_seconds: 4 }), "it grows");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_console_unlocks_names_on_a_running_or_stopped_casino() {
    for backend in Backend::ALL {
        let (database, _folder) = Casino::place(backend);
        let ask = async |command| console(&database, Some("root".to_owned()), command).await;
        let unlock = |name: &str| ConsoleCommand::Unlock { name: name.to_owned() };
        if backend == Backend::Sqlite {
            let none = ask(unlock("sue")).await.unwrap_err().to_string();
            assert!(none.contains("no database at"), "{none}");
        }
        let house = House::open(&database).await.unwrap();
        let sue = with_password(&house, "sue", Duty::ShiftManager).await;
        let lock = async |house: &House| {
            for _ in 0..3 {
                house.log_in("sue", "guess").await.unwrap_err();
            }
            assert_eq!(house.log_in("sue", "correct horse").await.unwrap_err().code(), "locked");
        };
        // While the casino is running.
        lock(&house).await;
        assert_eq!(ask(unlock("sue")).await, Ok(ConsoleAnswer::Done));
        let session = house.log_in("sue", "correct horse").await.unwrap();
        let ConsoleAnswer::Staff(lines) = ask(ConsoleCommand::List).await.unwrap() else { panic!() };
        assert!(lines.iter().any(|line| line.id == staff("sue") && line.has_password && !line.locked));
        let link = ConsoleCommand::Link { name: staff("sue"), minutes: None };
        let ConsoleAnswer::Link { secret, .. } = ask(link).await.unwrap() else { panic!() };
        assert_eq!(house.redeem(&secret).await.unwrap().actor, sue);
        let reason = "an inquiry".to_owned();
        ask(ConsoleCommand::Suspend { name: staff("sue"), reason }).await.unwrap();
        assert_eq!(house.session(&session.secret).await, Err(HouseError::NotLoggedIn));
        ask(ConsoleCommand::Reinstate { name: staff("sue") }).await.unwrap();
        let nobody = ask(unlock("nobody")).await.unwrap_err().to_string();
        assert!(nobody.contains("there is no account nobody"), "{nobody}");
        lock(&house).await;
        house.close().await.unwrap();
        // While the casino is stopped.
        for tried in 0.. {
            match ask(unlock("sue")).await {
                Ok(done) => {
                    assert_eq!(done, ConsoleAnswer::Done);
                    break;
                }
                // The closed house's threads release the file.
                Err(HouseError::InUse(_)) if tried < 100 => {
                    tokio::time::sleep(Duration::from_millis(20)).await
                }
                Err(other) => panic!("{other}"),
            }
        }
        let house = loop {
            match House::open(&database).await {
                Err(HouseError::InUse(_)) => tokio::time::sleep(Duration::from_millis(20)).await,
                opened => break opened.unwrap(),
            }
        };
        house.log_in("sue", "correct horse").await.unwrap();
        let told = house.significant_events(&Actor::House, 50).await.unwrap();
        for words in ["root used the console: unlock sue", "root used the console: suspend sue"] {
            assert!(told.iter().any(|event| event.words.contains(words)), "{words}: {told:#?}");
        }
        let audit = baize_audit::audit(&house).await.unwrap();
        assert!(audit.is_clean(), "{audit:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_bet_for_a_player_only_on_request_and_with_a_human_dealer() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Holdem).await;
        let (ann, ann_id): (Actor, PlayerId) = (casino.player("ann").await, "ann".parse().unwrap());
        let pit = casino.staff("mia", Duty::PitManager).await;
        let bet = |area, dollars, request: &str| Order::BetFor {
            player: ann_id.clone(),
            wager: chips(2, area, dollars),
            request: request.to_owned(),
            unnoticed: false,
        };
        // At a table that runs itself, staff cannot raise for a player.
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(2, Area::Ante, 50)] }).await.unwrap();
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        let raise = Command::PlaceWager {
            seat: BoxNumber(2),
            player: "ann".into(),
            area: Area::Flop,
            amount: Money::from_dollars(100),
            unnoticed: false,
            placed_by: None,
        };
        let before = casino.house.purse(&ann_id).await.unwrap();
        for forbidden in [raise.clone().into(), bet(Area::Flop, 100, "raise for me")] {
            assert_eq!(order(&casino, &pit, &table, forbidden).await.unwrap_err().code(), "not-now");
        }
        assert!(casino.house.view(&pit, &table).await.unwrap().legal.wagers.is_empty());
        order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(2) }).await.unwrap();

        let dealer = with_dealer(&casino, &table, Shoe::Computer).await;
        order(&casino, &dealer, &table, Command::Open).await.unwrap();
        let refused = async |by: &Actor, order_: Order, code: &str| {
            let refused = order(&casino, by, &table, order_).await.unwrap_err();
            assert_eq!(refused.code(), code, "{refused}");
        };
        refused(&dealer, bet(Area::Ante, 50, "fifty, please"), "not-now").await;
        order(&casino, &ann, &table, Order::Sit { seat: Some(BoxNumber(2)) }).await.unwrap();
        refused(&dealer, bet(Area::Ante, 50, " "), "not-now").await;
        refused(&dealer, raise.into(), "not-now").await;
        refused(&ann, bet(Area::Ante, 50, "my own"), "forbidden").await;
        order(&casino, &dealer, &table, bet(Area::Ante, 50, "fifty, please")).await.unwrap();
        assert_eq!(casino.house.purse(&ann_id).await.unwrap(), before - Money::from_dollars(50));
        let auditor = casino.staff("axel", Duty::Auditor).await;
        order(
            &casino,
            &ann,
            &table,
            Command::Withdraw { seat: BoxNumber(2), player: "ann".into(), area: Area::Ante },
        )
        .await
        .unwrap();
        let filter = baize_house::JournalFilter {
            kind: Some("bet-requested".to_owned()),
            ..baize_house::JournalFilter::default()
        };
        order(&casino, &dealer, &table, Command::Close).await.unwrap_err();
        let lines = casino.house.journal(&auditor, &filter).await.unwrap();
        assert_eq!(lines.len(), 1, "{lines:#?}");
        assert_eq!(lines[0].actor, "staff:dora");
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bets_by_staff_are_limited_per_player_and_round() {
    let casino = Casino::new(Backend::Sqlite).await;
    let id: TableId = "low-1".parse().unwrap();
    let usual = TableConfig::usual(id.clone(), &Rulebook::builtins()[0], None);
    let config =
        TableConfig { bets_by_staff: Money::from_dollars(60), pace: baize_house::Pace::Dealer, ..usual };
    casino.house.create_table(&Actor::House, config).await.unwrap();
    let (ann, pit) = (casino.player("ann").await, casino.staff("mia", Duty::PitManager).await);
    order(&casino, &pit, &id, Command::Open).await.unwrap();
    order(&casino, &ann, &id, Order::Sit { seat: Some(BoxNumber(1)) }).await.unwrap();
    let bet = |dollars| Order::BetFor {
        player: "ann".parse().unwrap(),
        wager: chips(1, Area::Ante, dollars),
        request: "please".to_owned(),
        unnoticed: false,
    };
    order(&casino, &pit, &id, bet(50)).await.unwrap();
    assert_eq!(order(&casino, &pit, &id, bet(20)).await.unwrap_err().code(), "not-now");
    order(&casino, &pit, &id, bet(10)).await.unwrap();
    // The amounts must be multiples of the table's smallest chip.
    let wager = baize_house::Chips { seat: BoxNumber(1), area: Area::Ante, amount: Money::from_cents(501) };
    let odd = Order::BetFor {
        player: "ann".parse().unwrap(),
        wager,
        request: "please".to_owned(),
        unnoticed: false,
    };
    let refused = order(&casino, &pit, &id, odd).await.unwrap_err();
    assert!(matches!(refused, baize_house::HouseError::Chip { .. }), "{refused}");
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dealers_deal_only_at_assigned_tables() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let (mine, other) =
            (table_of(&casino, "RWS", Family::Holdem).await, table_of(&casino, "RWS", Family::Stud).await);
        let pit = casino.staff("sam", Duty::PitSupervisor).await;
        let dora = Actor::staff(staff("dora"), [Duty::Dealer]);
        casino.house.create_staff(&Actor::House, &staff("dora"), None, &[Duty::Dealer]).await.unwrap();
        casino.staff("carl", Duty::Cage).await;
        for table in [&mine, &other] {
            let pace = baize_house::Pace::Dealer;
            order(&casino, &pit, table, Order::SetPace { pace }).await.unwrap();
        }
        let assign = |name: &str| Order::Assign { dealer: staff(name) };
        assert_eq!(order(&casino, &dora, &mine, assign("dora")).await.unwrap_err().code(), "forbidden");
        assert_eq!(order(&casino, &pit, &mine, assign("nobody")).await.unwrap_err().code(), "unknown");
        assert_eq!(order(&casino, &pit, &mine, assign("carl")).await.unwrap_err().code(), "not-now");
        order(&casino, &pit, &mine, assign("dora")).await.unwrap();
        assert_eq!(order(&casino, &pit, &mine, assign("dora")).await.unwrap_err().code(), "not-now");
        let casino = casino.after_a_crash().await;
        order(&casino, &dora, &mine, Command::Open).await.unwrap();
        for command in [Command::Open, Command::Close] {
            let elsewhere = order(&casino, &dora, &other, command).await;
            assert_eq!(elsewhere, Err(HouseError::NotAssigned(other.clone())));
        }
        let drawn = order(&casino, &dora, &other, Order::DealNext).await;
        assert_eq!(drawn, Err(HouseError::NotAssigned(other.clone())));
        let (here, there) =
            (casino.house.view(&dora, &mine).await.unwrap(), casino.house.view(&dora, &other).await.unwrap());
        assert!(!here.reportable.is_empty() && here.dealers.contains(&staff("dora")));
        assert!(there.reportable.is_empty() && there.dealers.is_empty() && !there.legal.open);
        order(&casino, &pit, &mine, Order::Relieve { dealer: staff("dora") }).await.unwrap();
        let gone = order(&casino, &dora, &mine, Command::Close).await;
        assert_eq!(gone, Err(HouseError::NotAssigned(mine.clone())));
        let told = casino.house.significant_events(&pit, 20).await.unwrap();
        for words in ["dora was assigned to the table", "dora was taken off the table"] {
            assert!(told.iter().any(|event| event.words == words), "{words}: {told:#?}");
        }
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_persons_must_be_independent() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let jackpot = "RWS".parse().unwrap();
        let sue = casino.staff("sue", Duty::ShiftManager).await;
        let max = casino.staff("max", Duty::ShiftManager).await;
        let make = async |by: &Actor, name: &str| {
            casino.house.create_staff(by, &staff(name), None, &[Duty::ShiftManager]).await.unwrap();
            Actor::staff(staff(name), [Duty::ShiftManager])
        };
        // Without passwords or links: creating the account is enough.
        let ben = make(&sue, "ben").await;
        let cho = make(&ben, "cho").await;
        casino.clock.advance_seconds(25 * 3_600);
        let eve = make(&sue, "eve").await;
        let fay = make(&sue, "fay").await;
        let mut wanted = casino.house.jackpot_parameters(&sue, &jackpot).unwrap().0;
        let mut proposed = async |by: &Actor, wants: &[(&Actor, bool)]| {
            wanted.reset += Money::from_dollars(1);
            casino.house.propose_change(by, &jackpot, wanted.clone()).await.unwrap();
            for (second, counts) in wants {
                let done = casino.house.approve_change(second, &jackpot).await;
                assert_eq!(done.is_ok(), *counts, "{by} and {second}: {done:?}");
                if let Err(refused) = &done {
                    assert!(matches!(refused, HouseError::NotTwoPersons(_)), "{refused}");
                    assert!(refused.to_string().contains("another person approves the change"), "{refused}");
                }
            }
            casino.house.withdraw_change(by, &jackpot).await.unwrap();
        };
        // Accounts that the house created at set-up count as two persons; those that one created for the other, directly or through others,
        // count as one.
        proposed(&sue, &[(&ben, false), (&cho, false), (&eve, false), (&max, true)]).await;
        proposed(&cho, &[(&sue, false), (&ben, false), (&eve, true)]).await;
        // The same third person created both within a day.
        proposed(&eve, &[(&fay, false), (&sue, false), (&ben, true)]).await;
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_end_when_idle_and_on_log_out_or_change_of_duties() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let house = &casino.house;
        house.set_idle_limits(IdleLimits { floor: 600, cage: 60, ..IdleLimits::default() });
        let (ann, sam) = (casino.player("ann").await, casino.staff("sam", Duty::PitSupervisor).await);
        let carl = casino.staff("carl", Duty::Cage).await;
        let start = async |actor: &Actor| house.start_session(actor).await.unwrap().secret;
        let (anns, sams, carls) = (start(&ann).await, start(&sam).await, start(&carl).await);
        let all = || vec![anns.clone(), sams.clone(), carls.clone()];
        assert_eq!(house.holding(all()).await.unwrap().len(), 3);
        casino.clock.advance_seconds(61);
        assert_eq!(house.session(&carls).await, Err(HouseError::NotLoggedIn));
        // Requests extend a session; a stream that checks it does not.
        for _ in 0..4 {
            casino.clock.advance_seconds(300);
            assert_eq!(house.session(&sams).await, Ok(sam.clone()));
        }
        for _ in 0..3 {
            casino.clock.advance_seconds(300);
            house.holding(all()).await.unwrap();
        }
        let holding: Vec<String> = house.holding(all()).await.unwrap().into_iter().collect();
        assert_eq!(holding, std::slice::from_ref(&anns));
        // A session ends after a shift, however much it is used.
        let sams = start(&sam).await;
        for _ in 0..12 * 6 + 1 {
            casino.clock.advance_seconds(600 - 1);
            let _ = house.session(&sams).await;
        }
        casino.clock.advance_seconds(100);
        assert_eq!(house.session(&sams).await, Err(HouseError::NotLoggedIn));
        // Log-out, ending all sessions, a change of duties.
        let sue = casino.staff("sue", Duty::ShiftManager).await;
        for way in ["log-out", "end", "duties"] {
            let secret = start(&sam).await;
            assert_eq!(house.holding(vec![secret.clone()]).await.unwrap().len(), 1, "{way}");
            match way {
                "log-out" => house.end_session(&secret).await.unwrap(),
                "end" => house.end_sessions(&sue, &sam).await.unwrap(),
                _ => house.set_duties(&sue, &staff("sam"), &[Duty::PitManager]).await.unwrap(),
            }
            assert!(house.holding(vec![secret]).await.unwrap().is_empty(), "{way}");
        }
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_and_cash_are_never_mixed() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let practice = table_of(&casino, "RWS", Family::Stud).await;
        let cage = casino.staff("carl", Duty::Cage).await;
        let ann = casino.player("ann").await;
        let rita: PlayerId = "rita".parse().unwrap();
        casino.house.register_player(&cage, &rita, None).await.unwrap();
        casino.house.buy_in(&cage, &rita, &CommandId::random(), Money::from_dollars(500)).await.unwrap();
        let rita = Actor::player(rita);
        // A table and its jackpot must have the same kind of money, and so must two jackpots when one closes into the other.
        let (grand, id): (_, TableId) = ("grand".parse().unwrap(), "cash-1".parse().unwrap());
        let jackpot = JackpotConfig { money: MoneyKind::Cash, ..JackpotConfig::usual(grand) };
        let grand = jackpot.id.clone();
        casino.house.create_jackpot(&Actor::House, jackpot).await.unwrap();
        let book = Rulebook::builtins().iter().find(|book| book.operator == "RWS").unwrap();
        let wrong = TableConfig::usual(id.clone(), book, Some(grand.clone()));
        let cash = TableConfig { money: MoneyKind::Cash, ..wrong.clone() };
        let refused = casino.house.create_table(&Actor::House, wrong).await.unwrap_err();
        assert_eq!(refused.code(), "other-money", "{refused}");
        casino.house.create_table(&Actor::House, cash).await.unwrap();
        let refused = casino.house.close_jackpot(&Actor::House, &"RWS".parse().unwrap(), &grand).await;
        assert_eq!(refused.unwrap_err().code(), "other-money");
        // A player plays for one of them only.
        let ante = || Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] };
        for (player, table) in [(&rita, &practice), (&ann, &id)] {
            for wanted in [ante(), Order::Sit { seat: None }] {
                let refused = order(&casino, player, table, wanted).await.unwrap_err();
                assert_eq!(refused.code(), "other-money", "{refused}");
            }
        }
        let casino = casino.after_a_crash().await;
        for (player, table) in [(&ann, &practice), (&rita, &id)] {
            order(&casino, player, table, ante()).await.unwrap();
            order(&casino, player, table, Order::Ready).await.unwrap();
            order(&casino, player, table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
        }
        // No figure of a report mixes them.
        for (money, table, other) in
            [(MoneyKind::Practice, &practice, &id), (MoneyKind::Cash, &id, &practice)]
        {
            for by in [baize_report::By::Table, baize_report::By::Game, baize_report::By::Day] {
                let asked = ReportFilter { by, money: Some(money), ..ReportFilter::default() };
                let report = baize_report::report(&casino.house, &cage, &asked).await.unwrap();
                assert_eq!((report.money, report.total.handle), (money, Money::from_dollars(50)));
                assert!(!report.lines.iter().any(|line| line.key == other.as_str()));
            }
            let one = ReportFilter { table: Some(table.clone()), ..ReportFilter::default() };
            assert_eq!(baize_report::report(&casino.house, &cage, &one).await.unwrap().money, money);
        }
        let usual = baize_report::report(&casino.house, &cage, &ReportFilter::default()).await.unwrap();
        assert_eq!(usual.money, MoneyKind::Cash);
        assert!(usual.jackpots.iter().all(|line| line.jackpot == grand), "{:?}", usual.jackpots);
        clean(&casino).await;
    }
}

/// A statement that waits too long is cancelled, and the caller gets an error: a lock held by someone else does not block the casino.
#[tokio::test(flavor = "multi_thread")]
async fn a_blocked_statement_times_out() {
    let casino = Casino::new(Backend::Postgres).await;
    let ann = casino.player("ann").await;
    let server = crate::server::Server::the();
    let database = casino.database.clone();
    let lock = tokio::task::spawn_blocking(move || {
        server.sql(
            &database,
            "BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(12); COMMIT",
        );
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    let table = casino.tables().await.remove(0);
    let stopped = order(&casino, &ann, &table, Order::Sit { seat: None }).await.unwrap_err();
    // The outcome cannot be looked up behind the same lock, so it is reported as not known.
    assert_eq!(stopped.code(), "not-known", "{stopped}");
    assert!(!lock.is_finished(), "it was not the lock that ended");
    lock.await.unwrap();
    order(&casino, &ann, &table, Order::Sit { seat: None }).await.unwrap();
    clean(&casino).await;
}
