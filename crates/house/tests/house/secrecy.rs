//! Hidden cards are in no answer.

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet};
use baize_house::{Actor, Duty, JournalFilter, Order};
use baize_rules::{Area, BoxNumber, Family, IrregularityKind, Money, Reveal, Role, Whose};
use baize_table::{Command, Facts, PhaseName, Report, Ruling, RulingKind, Staff};

use crate::support::{Backend, Casino, chips, order, table_of};

#[tokio::test(flavor = "multi_thread")]
async fn hidden_cards_leave_the_house_only_when_they_may() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "MBS", Family::Stud).await;
    let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
    for (player, seat) in [(&ann, 1), (&ben, 2)] {
        order(&casino, player, &table, Order::Sit { seat: Some(BoxNumber(seat)) }).await.unwrap();
    }
    for (player, seat) in [(&ann, 1), (&ben, 2)] {
        order(&casino, player, &table, Order::Bet { wagers: vec![chips(seat, Area::Ante, 50)] })
            .await
            .unwrap();
        order(&casino, player, &table, Order::Ready).await.unwrap();
    }
    let own = casino.house.view(&ann, &table).await.unwrap();
    assert_eq!(own.info.phase, PhaseName::Play);
    let cards: Vec<String> = own.round.boxes[&BoxNumber(1)]
        .cards
        .iter()
        .filter_map(|card| match card {
            baize_table::CardView::Up(card) => Some(format!("\"{}\"", card.code())),
            baize_table::CardView::Down => None,
        })
        .collect();
    assert_eq!(cards.len(), 5, "she sees her own");
    let auditor = casino.staff("axel", Duty::Auditor).await;
    let dealer = casino.staff("dora", Duty::Dealer).await;
    let pit = casino.staff("pete", Duty::ShiftManager).await;
    for actor in [&ben, &auditor, &dealer, &pit, &Actor::Public] {
        let view = casino.house.view(actor, &table).await.unwrap();
        let told = serde_json::to_string(&view).unwrap();
        for card in &cards {
            assert!(!told.contains(card.as_str()), "{actor} is told {card}");
        }
        assert!(view.proof.is_none());
    }
    let lines = casino.house.journal(&auditor, &JournalFilter::default()).await.unwrap();
    let told = serde_json::to_string(&lines).unwrap();
    assert!(
        cards.iter().all(|card| !told.contains(card.as_str())),
        "the journal of a round under way is closed"
    );
    assert!(lines.iter().any(|line| line.stream == format!("table/{table}") && line.body.is_none()));
    assert_eq!(casino.house.journal(&pit, &JournalFilter::default()).await.unwrap_err().code(), "forbidden");
    let staff: baize_house::StaffId = "pwd".parse().unwrap();
    casino.house.create_staff(&Actor::House, &staff, Some("correct horse"), &[Duty::Dealer]).await.unwrap();
    let lines = casino.house.journal(&auditor, &JournalFilter::default()).await.unwrap();
    assert!(!serde_json::to_string(&lines).unwrap().contains("argon2"), "nor hashes of passwords");
}

/// Every report and ruling that could be previewed, with and without answers, and orders without a preview.
fn probing_orders(number: u8, player: &str) -> Vec<Order> {
    let seat = BoxNumber(number);
    let by = Staff { role: Role::ShiftManager, name: None };
    let mut orders: Vec<Order> = vec![
        Order::Ready,
        Order::DealNext,
        Order::DealAll,
        Command::Settle.into(),
        Command::Close.into(),
        Command::Fold { seat }.into(),
        Command::Check { seat }.into(),
        Command::Absent { seat }.into(),
    ];
    for area in Area::ALL {
        for dollars in [50, 100, 200] {
            let (player, amount) = (player.into(), Money::from_dollars(dollars));
            let raise = Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None };
            orders.extend([Order::Bet { wagers: vec![chips(number, area, dollars)] }, raise.into()]);
        }
    }
    orders.extend(Reveal::ALL.map(|what| Command::Reveal { what }.into()));
    for kind in IrregularityKind::ALL {
        let answered = |whose| Facts {
            count: Some(1),
            reconstructable: Some(true),
            intentional: Some(false),
            player: Some(player.into()),
            whose,
            ..Facts::default()
        };
        for facts in [Facts::default(), answered(None), answered(Some(Whose::Dealer))] {
            let cards = baize_cards::CardSet::FULL.iter().map(Some);
            let cards: Vec<Option<Card>> = if facts.whose.is_some() { cards.collect() } else { vec![None] };
            for card in cards {
                let facts = Facts { card, ..facts.clone() };
                orders.push(Command::Report(Report { kind, seat: Some(seat), facts, by: by.clone() }).into());
            }
        }
    }
    for kind in [RulingKind::Void, RulingKind::Continue, RulingKind::Bar(player.into())] {
        orders.push(Command::Rule(Ruling { kind, by: by.clone(), reason: None }).into());
    }
    orders
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_reveals_nothing_beyond_the_view() {
    let casino = Casino::new(Backend::Sqlite).await;
    let ann = casino.player("ann").await;
    let mut staff = Vec::new();
    for duty in Duty::ALL {
        staff.push(casino.staff(duty.code(), duty).await);
    }
    let auditor = staff.last().unwrap().clone();
    let mut foreseen = 0;
    for table in casino.tables().await {
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(3, Area::Ante, 50)] }).await.unwrap();
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        let version = casino.house.table(&table).await.unwrap().version;
        for actor in staff.iter().chain([&ann, &Actor::Public, &Actor::House]) {
            let view = casino.house.view(actor, &table).await.unwrap();
            assert_eq!(view.info.phase, PhaseName::Play);
            let seen = serde_json::to_string(&view.round).unwrap();
            // The answer for one hidden card is the answer for all of them.
            let mut hidden: BTreeMap<String, String> = BTreeMap::new();
            for order in probing_orders(3, "ann") {
                let asked = format!("{actor} on {table}: {order:?}");
                let answer = casino.house.preview(actor, &table, order.clone()).await;
                let told = match &answer {
                    Ok(words) => words.steps.join(" "),
                    Err(refused) => refused.to_string(),
                };
                let floor = matches!(actor, Actor::Staff { .. }) && actor.may(Duty::Dealer);
                let Order::Table { command: Command::Report(_) | Command::Rule(_) } = &order else {
                    assert!(answer.is_err(), "{asked}: {told}");
                    continue;
                };
                assert!(floor || answer.is_err(), "{asked}: {told}");
                foreseen += usize::from(answer.is_ok());
                assert!(!told.contains("settled") && !told.contains("box 3 +"), "{asked}: {told}");
                if let Order::Table { command: Command::Report(mut report) } = order
                    && let Some(card) = report.facts.card.take()
                {
                    let open = |card: &Card| seen.contains(&format!("\"{}\"", card.code()));
                    let leaked =
                        CardSet::FULL.iter().find(|card| told.contains(&card.to_string()) && !open(card));
                    assert_eq!(leaked, None, "{asked}: {told}");
                    if !seen.contains(&format!("\"{}\"", card.code())) {
                        let before = hidden.entry(format!("{report:?}")).or_insert_with(|| told.clone());
                        assert_eq!(*before, told, "{asked}");
                    }
                }
            }
        }
        assert_eq!(casino.house.table(&table).await.unwrap().version, version, "nothing was done");
    }
    assert!(foreseen > 100, "the desk foresees what reports lead to: {foreseen}");
    let forbidden = casino.house.preview(&auditor, &casino.tables().await[0], Command::Settle.into()).await;
    assert_eq!(forbidden.unwrap_err().code(), "forbidden");
}
