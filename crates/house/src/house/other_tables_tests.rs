//! Pending rulings are applied after a restart; an impossible settlement is never written.

use std::sync::Arc;

use baize_cards::Card;
use baize_rules::{Area, BoxNumber, Family, Money, Role};
use baize_table::{Command, Phase, Ruling, RulingKind, Staff};

use super::hidden_cards_tests::{Floor, player, staff};
use crate::shoe::Shuffler;
use crate::{Chips, Duty, House, HouseError, Instant, Order, SetClock};

fn deck(first: &str) -> Vec<Card> {
    let first: Vec<Card> = first.split_whitespace().map(|code| code.parse().unwrap()).collect();
    let rest = Shuffler::from_seed([5; 32]).deck().into_iter().filter(|card| !first.contains(card));
    first.iter().copied().chain(rest).collect()
}

// MBS 5.9: the bar holds at every table, also where the house stopped before it could tell them (I-16).
#[tokio::test(flavor = "multi_thread")]
async fn a_bar_reaches_every_table_after_a_stop_in_between() {
    let floor = Floor::dealt("reaching", "MBS", Family::Stud, &deck("")).await;
    let barred = |house: &House| {
        let slots = house.table_slots();
        slots
            .iter()
            .filter(|slot| slot.shown.get().live.table.standing.barred.contains(&"ben".into()))
            .count()
    };
    // Lock every other table so that the ruling cannot be applied there; then the house stops.
    let others: Vec<_> =
        floor.house.table_slots().into_iter().filter(|slot| slot.id != floor.table).collect();
    assert!(!others.is_empty());
    let mut held = Vec::new();
    for slot in &others {
        held.push(slot.work.lock().await);
    }
    let manager = staff("shift-manager", Duty::ShiftManager);
    let by = Staff { role: Role::ShiftManager, name: None };
    let bar = Command::Rule(Ruling { kind: RulingKind::Bar("ben".into()), by, reason: None });
    let (house, table) = (floor.house.clone(), floor.table.clone());
    let id = "bar".parse().unwrap();
    let telling = tokio::spawn(async move { house.act(&manager, &table, &id, bar.into()).await });
    let own = floor.house.table_slot(&floor.table).unwrap();
    while own.shown.get().live.pending.is_none() {
        tokio::task::yield_now().await;
    }
    telling.abort();
    let _ = telling.await;
    drop(held);
    assert_eq!(barred(&floor.house), 1);
    // The next process opens a copy, since this one still locks its own file.
    floor.house.clone().close().await.unwrap();
    for end in ["", "-wal", ".key"] {
        let of = |name: &str| floor.folder.join(format!("{name}.sqlite{end}"));
        let _ = std::fs::copy(of("casino"), of("next"));
    }
    let database = floor.folder.join("next.sqlite").display().to_string();
    let clock = Arc::new(SetClock::at(Instant(1_800_000_100_000)));
    let house = House::open_with(&database, clock).await.unwrap();
    assert_eq!(barred(&house), others.len() + 1);
    let slots = house.table_slots();
    assert!(slots.iter().all(|slot| slot.shown.get().live.pending.is_none()));
    assert!(baize_audit::audit_at(&database).await.unwrap().is_clean());
    house.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_impossible_settlement_halts_the_table() {
    let floor = Floor::dealt("halting", "MBS", Family::Stud, &deck("2h 5h 9h Jh Kh")).await;
    let dealer = staff("dealer", Duty::Dealer);
    let raise =
        |seat| vec![Chips { seat: BoxNumber(seat), area: Area::Bet, amount: Money::from_dollars(100) }];
    floor.act("raise", &player("ann"), Order::Bet { wagers: raise(1) }).await.unwrap();
    floor.act("fold", &player("ben"), Command::Fold { seat: BoxNumber(2) }.into()).await.unwrap();
    floor.act("turn", &dealer, Command::Reveal { what: baize_rules::Reveal::Dealer }.into()).await.unwrap();
    // Chips that no betting could have placed: not a jackpot wager, nor a countable multiple of one.
    let slot = floor.house.table_slot(&floor.table).unwrap();
    let mut work = slot.work.lock().await;
    let Phase::Play(play) = &mut Arc::make_mut(&mut work.live).table.round.phase else { panic!("in play") };
    let hand = play.hands.get_mut(&BoxNumber(1)).unwrap();
    let stake = hand.stakes.iter_mut().find(|stake| stake.area == Area::Jackpot).unwrap();
    stake.amount = Money::from_cents(3_000_000_000_000);
    slot.publish(&work, true);
    drop(work);
    let version = slot.shown.get().version;
    let settled = floor.act("settle", &dealer, Command::Settle.into()).await;
    assert!(
        matches!(&settled, Err(HouseError::Corrupt(why)) if why.contains("no jackpot wager")),
        "{settled:?}"
    );
    assert_eq!(slot.shown.get().version, version, "nothing is written");
    assert!(slot.shown.get().halted.is_some());
    let again = floor.act("again", &dealer, Command::Settle.into()).await;
    assert!(matches!(again, Err(HouseError::Corrupt(_))), "{again:?}");
}
