//! A card that somebody may not see is in nothing that the house tells him.

use baize_house::{Actor, Duty, JournalFilter, Order};
use baize_rules::{Area, Family};

use crate::support::{Backend, Casino, chips, order, table_of};

#[tokio::test(flavor = "multi_thread")]
async fn hidden_cards_leave_the_house_only_when_they_may() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "MBS", Family::Stud).await;
    let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
    for (player, seat) in [(&ann, 1), (&ben, 2)] {
        order(&casino, player, &table, Order::Sit { seat: Some(seat) }).await.unwrap();
    }
    for (player, seat) in [(&ann, 1), (&ben, 2)] {
        order(&casino, player, &table, Order::Bet { wagers: vec![chips(seat, Area::Ante, 50)] })
            .await
            .unwrap();
        order(&casino, player, &table, Order::Ready).await.unwrap();
    }
    let own = casino.house.view(&ann, &table).await.unwrap();
    assert_eq!(own.info.phase, "play");
    let cards: Vec<String> = own.round.boxes[&1]
        .cards
        .iter()
        .filter_map(|card| match card {
            baize_table::CardView::Up(card) => Some(format!("\"{card}\"")),
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
