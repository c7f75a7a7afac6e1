//! Singapore's cash rules, drawer counts, display names and tasks for staff.

use baize_house::{
    Actor, CommandId, Date, Duty, HouseError, MoneyKind, Order, PlayerId, SignificantKind, Task, TaskKind,
};
use baize_rules::{Area, BoxNumber, Family, IrregularityKind, Money};
use baize_table::{Command, Facts, Place, Report, Ruling, RulingKind};

use crate::support::{Backend, Casino, chips, clean, order, table_of};

fn dollars(amount: i32) -> Money {
    Money::from_dollars(amount)
}

async fn registered(casino: &Casino, cage: &Actor, name: &str) -> PlayerId {
    let id: PlayerId = name.parse().unwrap();
    casino.house.register_player(cage, &id, None).await.unwrap();
    id
}

fn today(casino: &Casino) -> Date {
    casino.house.gaming_day().of(casino.house.now())
}

async fn waits(casino: &Casino, actor: &Actor) -> Vec<Task> {
    casino.house.waiting().await.unwrap().into_iter().filter(|task| task.is_for(actor)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn cash_is_added_up_by_player_and_day_and_reported() {
    for backend in Backend::ALL {
        let casino = Casino::for_cash(backend).await;
        let house = &casino.house;
        let cage = casino.staff("carl", Duty::Cage).await;
        let (rita, sam) = (registered(&casino, &cage, "rita").await, registered(&casino, &cage, "sam").await);
        let id = CommandId::random;
        let first = today(&casino);
        // Cash in and cash out are added up separately, for each player.
        house.buy_in(&cage, &rita, &id(), dollars(6_000)).await.unwrap();
        house.cash_out(&cage, &rita, &id(), dollars(5_000)).await.unwrap();
        house.buy_in(&cage, &sam, &id(), dollars(9_999)).await.unwrap();
        let day = house.cash_today(&cage, &rita).await.unwrap();
        assert_eq!((day.cash_in, day.cash_out, day.day), (dollars(6_000), dollars(5_000), first));
        assert_eq!(house.cash_reports(&cage).await, Ok(Vec::new()));
        assert_eq!(waits(&casino, &cage).await, Vec::new());
        // The movement that reaches the threshold opens the report; sent twice, it moves cash once.
        let crossing = id();
        for _ in 0..2 {
            let told = house.buy_in(&cage, &rita, &crossing, dollars(4_000)).await;
            assert_eq!(told, Ok(dollars(5_000)));
        }
        house.buy_in(&cage, &rita, &id(), dollars(1)).await.unwrap();
        let casino = casino.after_a_crash().await;
        let house = &casino.house;
        let due = house.cash_reports(&cage).await.unwrap();
        assert_eq!(due.len(), 1, "{due:#?}");
        assert_eq!((&due[0].of.player, due[0].of.day, due[0].due), (&rita, first, first.plus_days(15)));
        assert_eq!((due[0].of.cash_in, due[0].of.cash_out), (dollars(10_001), dollars(5_000)));
        assert_eq!(due[0].of.movements.len(), 4);
        let task = waits(&casino, &cage).await;
        assert!(
            matches!(&task[..], [Task { what: TaskKind::CashReport { player, .. }, .. }] if *player == rita)
        );
        let kinds: Vec<SignificantKind> = house
            .significant_events(&Actor::House, 50)
            .await
            .unwrap()
            .into_iter()
            .map(|of| of.kind)
            .collect();
        assert!(kinds.contains(&SignificantKind::CashReport), "{kinds:?}");
        // The next day starts at zero; a single large movement is enough.
        casino.clock.advance_seconds(24 * 3_600);
        house.buy_in(&cage, &rita, &id(), dollars(9_999)).await.unwrap();
        house.buy_in(&cage, &sam, &id(), dollars(10_000)).await.unwrap();
        let due: Vec<(PlayerId, Date)> = house
            .cash_reports(&cage)
            .await
            .unwrap()
            .into_iter()
            .map(|one| (one.of.player, one.of.day))
            .collect();
        assert_eq!(due, [(rita.clone(), first), (sam.clone(), first.next())]);
        // Only the cage can file, only a report that is due, and once.
        let shift = casino.staff("sue", Duty::ShiftManager).await;
        assert_eq!(
            house.file_cash_report(&shift, &rita, first, "STR-1").await.unwrap_err().code(),
            "forbidden"
        );
        assert_eq!(house.cash_reports(&shift).await.unwrap().len(), 2, "a Shift Manager reads them");
        assert!(house.file_cash_report(&cage, &rita, first.next(), "STR-1").await.is_err());
        assert!(house.file_cash_report(&cage, &rita, first, "  ").await.is_err());
        house.file_cash_report(&cage, &rita, first, "STR-1").await.unwrap();
        assert!(house.file_cash_report(&cage, &rita, first, "STR-1").await.is_err());
        let filed = house.filed_reports(&cage).await.unwrap();
        assert_eq!(
            (filed.len(), filed[0].reference.as_str(), filed[0].cash_in),
            (1, "STR-1", dollars(10_001))
        );
        // Cash that moves after a filing on the same day opens the report again.
        house.file_cash_report(&cage, &sam, first.next(), "STR-2").await.unwrap();
        assert_eq!(house.cash_reports(&cage).await, Ok(Vec::new()));
        house.cash_out(&cage, &sam, &id(), dollars(5)).await.unwrap();
        assert_eq!(house.cash_reports(&cage).await.unwrap().len(), 1);
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_identified_once() {
    for backend in Backend::ALL {
        let casino = Casino::for_cash(backend).await;
        let cage = casino.staff("carl", Duty::Cage).await;
        let rita = registered(&casino, &cage, "rita").await;
        let house = &casino.house;
        let day = house.cash_today(&cage, &rita).await.unwrap();
        assert_eq!((day.identified, day.name), (None, None));
        house.identify(&cage, &rita, " passport …567A ").await.unwrap();
        assert!(house.identify(&cage, &rita, " ").await.is_err());
        assert!(house.identify(&Actor::player(rita.clone()), &rita, "none").await.is_err());
        let casino = casino.after_a_crash().await;
        let day = casino.house.cash_today(&cage, &rita).await.unwrap();
        assert_eq!(day.identified.as_deref(), Some("passport …567A"));
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drawer_is_counted_at_the_end_of_a_shift() {
    for backend in Backend::ALL {
        let casino = Casino::for_cash(backend).await;
        let house = &casino.house;
        let (carl, cora) = (casino.staff("carl", Duty::Cage).await, casino.staff("cora", Duty::Cage).await);
        let rita = registered(&casino, &carl, "rita").await;
        let id = CommandId::random;
        // The drawer is filled from the vault: the count starts at zero, and 500 is kept.
        let count = house.count_drawer(&carl, Money::ZERO, dollars(500)).await.unwrap();
        assert_eq!((count.expected, count.difference()), (Money::ZERO, Money::ZERO));
        house.buy_in(&carl, &rita, &id(), dollars(300)).await.unwrap();
        house.cash_out(&carl, &rita, &id(), dollars(50)).await.unwrap();
        house.buy_in(&cora, &rita, &id(), dollars(1_000)).await.unwrap();
        let drawer = house.drawer(&carl).await.unwrap();
        assert_eq!(
            (drawer.opening, drawer.cash_in, drawer.cash_out),
            (dollars(500), dollars(300), dollars(50))
        );
        let count = house.count_drawer(&carl, dollars(740), dollars(100)).await.unwrap();
        assert_eq!((count.expected, count.difference()), (dollars(750), dollars(-10)));
        assert_eq!(house.drawer(&carl).await.unwrap().expected(), dollars(100));
        assert_eq!(
            house.drawer(&cora).await.unwrap().expected(),
            dollars(1_000),
            "each has one of their own"
        );
        let events = house.significant_events(&Actor::House, 50).await.unwrap();
        let told = events.iter().find(|event| event.kind == SignificantKind::Drawer).unwrap();
        assert!(told.words.contains("10.00 short"), "{}", told.words);
        let casino = casino.after_a_crash().await;
        let counts = casino.house.drawer_counts(&carl).await.unwrap();
        assert_eq!(counts.iter().map(|one| one.counted).collect::<Vec<_>>(), [dollars(740), Money::ZERO]);
        assert!(casino.house.count_drawer(&carl, dollars(-1), Money::ZERO).await.is_err());
        assert!(casino.house.count_drawer(&Actor::player(rita), dollars(1), Money::ZERO).await.is_err());
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn display_names_can_be_set() {
    for backend in Backend::ALL {
        let casino = Casino::for_cash(backend).await;
        let house = &casino.house;
        let (cage, shift) =
            (casino.staff("carl", Duty::Cage).await, casino.staff("sue", Duty::ShiftManager).await);
        let rita = registered(&casino, &cage, "rita").await;
        house.give_name(&cage, "rita", "Tan  Mei Ling 陈美玲").await.unwrap();
        house.give_name(&shift, "carl", "முருகன்").await.unwrap();
        house.give_name(&Actor::player(rita.clone()), "rita", "Rita Tan").await.unwrap();
        house.give_name(&cage, "rita", "Tan  Mei Ling 陈美玲").await.unwrap();
        for (by, login) in [(&cage, "sue"), (&Actor::player(rita.clone()), "carl"), (&shift, "nobody")] {
            assert!(house.give_name(by, login, "X Y").await.is_err(), "{login}");
        }
        let casino = casino.after_a_crash().await;
        assert_eq!(casino.house.name_of("rita").as_deref(), Some("Tan Mei Ling 陈美玲"));
        let players = casino.house.players(&cage).await.unwrap();
        assert_eq!(players[0].name.as_deref(), Some("Tan Mei Ling 陈美玲"));
        let staff = casino.house.staff(&shift).await.unwrap();
        assert_eq!(
            staff.iter().find(|one| one.id.as_str() == "carl").unwrap().name.as_deref(),
            Some("முருகன்")
        );
        clean(&casino).await;
    }
}

/// Practice and cash in one house: two jackpots, each reached only by its own players.
#[tokio::test(flavor = "multi_thread")]
async fn practice_and_cash_have_separate_jackpots() {
    use baize_house::{JackpotConfig, TableConfig};
    use baize_report::ReportFilter;
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let house = &casino.house;
        let book = baize_rules::Rulebook::builtin("rws-casino-stud").unwrap();
        let fund: baize_house::JackpotId = "Cash".parse().unwrap();
        let jackpot = JackpotConfig { money: MoneyKind::Cash, ..JackpotConfig::usual(fund.clone()) };
        house.create_jackpot(&Actor::House, jackpot).await.unwrap();
        let practice = TableConfig::usual("mixed".parse().unwrap(), book, Some(fund.clone()));
        let mixed = house.create_table(&Actor::House, practice.clone()).await.unwrap_err();
        assert!(matches!(mixed, HouseError::OtherMoney { .. }), "{mixed}");
        let table = TableConfig { id: "cash-1".parse().unwrap(), money: MoneyKind::Cash, ..practice };
        house.create_table(&Actor::House, table).await.unwrap();
        let ann = casino.player("ann").await;
        let cash: baize_house::TableId = "cash-1".parse().unwrap();
        let wagers = || vec![chips(1, Area::Ante, 50)];
        let refused = order(&casino, &ann, &cash, Order::Bet { wagers: wagers() }).await.unwrap_err();
        assert!(matches!(refused, HouseError::OtherMoney { .. }), "{refused}");
        let cage = casino.staff("carl", Duty::Cage).await;
        let rita = registered(&casino, &cage, "rita").await;
        house.buy_in(&cage, &rita, &CommandId::random(), dollars(500)).await.unwrap();
        let theirs: baize_house::TableId = "rs-1".parse().unwrap();
        let rita = Actor::player(rita);
        let refused = order(&casino, &rita, &theirs, Order::Bet { wagers: wagers() }).await.unwrap_err();
        assert!(matches!(refused, HouseError::OtherMoney { .. }), "{refused}");
        order(&casino, &rita, &cash, Order::Bet { wagers: wagers() }).await.unwrap();
        let kinds: Vec<MoneyKind> =
            house.players(&cage).await.unwrap().iter().map(|line| line.money).collect();
        assert_eq!(kinds, [MoneyKind::Practice, MoneyKind::Cash]);
        // A report covers one of them.
        for (money, tables) in [(MoneyKind::Cash, 1), (MoneyKind::Practice, 5)] {
            let filter = ReportFilter { money: Some(money), ..ReportFilter::default() };
            let report = baize_report::report(house, &cage, &filter).await.unwrap();
            assert_eq!((report.money, report.lines.len()), (money, tables));
        }
        clean(&casino).await;
    }
}

/// A jackpot fault waits for the Shift Manager and is displayed at once, and so is the decision.
// RH 5.17.2; RS 5.18.2
#[tokio::test(flavor = "multi_thread")]
async fn a_fault_waits_for_the_shift_manager_and_is_displayed() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let house = &casino.house;
        let (pit, shift) =
            (casino.staff("paul", Duty::PitSupervisor).await, casino.staff("sue", Duty::ShiftManager).await);
        let table = table_of(&casino, "RWS", Family::Holdem).await;
        let ann = casino.player("ann").await;
        let wagers = vec![chips(1, Area::Ante, 50)];
        order(&casino, &ann, &table, Order::Bet { wagers }).await.unwrap();
        assert_eq!(waits(&casino, &shift).await, Vec::new());
        let by = pit.as_staff().unwrap();
        let facts = Facts { scope: Some(baize_rules::FaultScope::Table), ..Facts::default() };
        let report = Report { kind: IrregularityKind::JackpotFault, seat: None, facts, by };
        order(&casino, &pit, &table, Command::Report(report)).await.unwrap();
        let found = waits(&casino, &shift).await;
        assert!(
            found
                .iter()
                .any(|task| matches!(&task.what, TaskKind::JackpotFault { table: at } if *at == table)),
            "{found:#?}"
        );
        assert_eq!(waits(&casino, &pit).await, Vec::new(), "it is not a supervisor's");
        let notice = house.table(&table).await.unwrap().jackpot_notice.unwrap();
        assert!(notice.words.contains("does not work"), "{notice:?}");
        let ruling =
            Ruling { kind: RulingKind::NoJackpot, by: shift.as_staff().unwrap(), reason: Some("x".into()) };
        order(&casino, &shift, &table, Command::Rule(ruling)).await.unwrap();
        assert_eq!(waits(&casino, &shift).await, Vec::new());
        let notice = house.table(&table).await.unwrap().jackpot_notice.unwrap();
        assert_eq!(notice.cites.to_string(), "5.17.2c");
        let jackpots = house.jackpots().await.unwrap();
        assert!(jackpots.iter().any(|one| one.notices.get(&table) == Some(&notice)), "{jackpots:#?}");
        clean(&casino).await;
    }
}

/// A table that is set up during a fault of the whole jackpot system waits for the same decision as the other linked tables.
// RH 5.17.2; RS 5.18.2
#[tokio::test(flavor = "multi_thread")]
async fn a_new_table_inherits_the_fault_of_its_jackpot() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let house = &casino.house;
        let shift = casino.staff("sue", Duty::ShiftManager).await;
        let by = shift.as_staff().unwrap();
        let table = table_of(&casino, "RWS", Family::Holdem).await;
        let set_up = async |name: &str| {
            let book = baize_rules::Rulebook::builtin("rws-casino-stud").unwrap();
            let jackpot = house.table(&table).await.unwrap().jackpot;
            let config = baize_house::TableConfig::usual(name.parse().unwrap(), book, jackpot);
            house.create_table(&Actor::House, config).await.unwrap();
            house.table(&name.parse().unwrap()).await.unwrap()
        };
        let rule = async |at: &baize_house::TableId, kind: RulingKind| {
            let ruling = Ruling { kind, by: by.clone(), reason: Some("x".into()) };
            order(&casino, &shift, at, Command::Rule(ruling)).await.unwrap();
        };
        assert_eq!(set_up("before").await.jackpot_notice, None);
        let ann = casino.player("ann").await;
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
        let facts = Facts { scope: Some(baize_rules::FaultScope::System), ..Facts::default() };
        let report = Report { kind: IrregularityKind::JackpotFault, seat: None, facts, by: by.clone() };
        order(&casino, &shift, &table, Command::Report(report)).await.unwrap();
        let new = set_up("during").await;
        assert!(new.jackpot_notice.unwrap().words.contains("does not work"));
        let refused = order(
            &casino,
            &ann,
            &"during".parse().unwrap(),
            Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] },
        )
        .await
        .unwrap_err();
        assert!(refused.to_string().contains("5.18.2"), "{refused}");
        // A decision applies to one table only; the system still does not work.
        rule(&table, RulingKind::NoJackpot).await;
        assert!(set_up("later").await.jackpot_notice.is_some());
        for linked in house.jackpots().await.unwrap().iter().flat_map(|one| one.notices.keys()) {
            rule(linked, RulingKind::JackpotRestored).await;
        }
        assert_eq!(set_up("after").await.jackpot_notice, None);
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn short_floats_locked_accounts_and_idle_tables_are_tasks() {
    use baize_house::Pace;
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let house = &casino.house;
        let (manager, shift) =
            (casino.staff("mia", Duty::PitManager).await, casino.staff("sue", Duty::ShiftManager).await);
        let table = table_of(&casino, "RWS", Family::Stud).await;
        order(&casino, &manager, &table, Order::SetPace { pace: Pace::Dealer }).await.unwrap();
        let found = waits(&casino, &manager).await;
        assert!(matches!(&found[..], [Task { what: TaskKind::CannotOpen { .. }, .. }]), "{found:#?}");
        let id: baize_house::StaffId = "dirk".parse().unwrap();
        house.create_staff(&Actor::House, &id, Some("right-password"), &[Duty::Dealer]).await.unwrap();
        order(&casino, &manager, &table, Order::Assign { dealer: id }).await.unwrap();
        assert_eq!(waits(&casino, &manager).await, Vec::new());
        for _ in 0..10 {
            let _ = house.log_in("dirk", "wrong-password").await;
        }
        let found = waits(&casino, &shift).await;
        assert!(
            matches!(&found[..], [Task { what: TaskKind::Locked { name }, .. }] if name == "dirk"),
            "{found:#?}"
        );
        assert_eq!(waits(&casino, &manager).await, Vec::new());
        // A small float is short after one win, until it is filled.
        let book = baize_rules::Rulebook::builtin("rws-casino-stud").unwrap();
        let tiny: baize_house::TableId = "tiny".parse().unwrap();
        let config = baize_house::TableConfig {
            float: dollars(80),
            ..baize_house::TableConfig::usual(tiny.clone(), book, None)
        };
        house.create_table(&Actor::House, config).await.unwrap();
        let dealer = crate::dealer::with_dealer(&casino, &tiny, baize_house::Shoe::Entered).await;
        let ann = casino.player("ann").await;
        order(&casino, &dealer, &tiny, Command::Open).await.unwrap();
        order(&casino, &ann, &tiny, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
        order(&casino, &dealer, &tiny, Command::Close).await.unwrap();
        for (to, text) in [(Place::Box(BoxNumber(1)), "5h 6h 7h 8h Kd"), (Place::Dealer, "2c 3d 5s 7s 9c")] {
            let cards = text.split(' ').map(|card| card.parse().unwrap()).collect();
            order(&casino, &dealer, &tiny, Command::Deal { to, cards }).await.unwrap();
        }
        order(&casino, &ann, &tiny, Order::Bet { wagers: vec![chips(1, Area::Bet, 100)] }).await.unwrap();
        order(&casino, &dealer, &tiny, Command::Reveal { what: baize_rules::Reveal::Dealer }).await.unwrap();
        order(&casino, &dealer, &tiny, Command::Settle).await.unwrap();
        let found = waits(&casino, &manager).await;
        let short =
            |task: &Task| matches!(&task.what, TaskKind::ShortFloat { holds, .. } if *holds == dollars(30));
        assert!(found.iter().any(short), "{found:#?}");
        order(&casino, &manager, &tiny, Order::FillFloat { amount: dollars(50) }).await.unwrap();
        assert_eq!(waits(&casino, &manager).await, Vec::new());
        // The fill is on record, and the audit checks the duty for it.
        let fill = Order::FillFloat { amount: dollars(1_000) };
        assert_eq!(
            order(&casino, &casino.staff("pit", Duty::PitSupervisor).await, &table, fill.clone())
                .await
                .unwrap_err()
                .code(),
            "forbidden"
        );
        order(&casino, &manager, &table, fill).await.unwrap();
        assert!(order(&casino, &manager, &table, Order::FillFloat { amount: Money::ZERO }).await.is_err());
        clean(&casino).await;
    }
}
