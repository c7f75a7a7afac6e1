//! Regression tests: rounds that did not replay from their scripts.

use std::sync::Arc;

use baize_house::{Actor, Chips, Duty, House, Order, OrderKind, Pace, PlayerId, RoundId, TableView};
use baize_rules::{Area, BoxNumber, Family, Money, Reveal, Rulebook};
use baize_table::{Command, PhaseName, Player, RulingKind};

use super::entered::{hit, won};
use super::{AUTO, BOX, act, ann, chips, open, ruling, simulated, staff, table};
use crate::clock::HostClock;

/// Replays a round and returns its script.
pub(super) async fn check_replay(house: &House, round: &RoundId) -> String {
    let script = house.export(round).await.unwrap();
    assert_eq!(crate::scripts::replay(&script), Ok(()), "{script}");
    script
}

/// A winning hand was rejected: the script of the round does not expect the award, and replays.
#[test]
fn a_round_with_a_rejected_award_replays() {
    simulated(|world| async move {
        let clock = Arc::new(HostClock::new(world.began));
        let (house, pit, jackpot, round) = won(&world, clock).await;
        house.reject_hit(&pit, &jackpot, hit(&house).await, "not as claimed").await.unwrap();
        house.tick().await.unwrap();
        let script = check_replay(&house, &round).await;
        assert!(script.contains("expect 1 bet win"), "the rest is expected: {script}");
    });
}

/// A player is barred at another table during a round, and the bar is lifted where they play.
#[test]
fn a_round_with_a_bar_of_another_table_lifted_here_replays() {
    simulated(|world| async move {
        let house = open(&world, 0).await.unwrap();
        let player = ann(&house).await;
        let mut tables = Vec::new();
        for book in Rulebook::builtins().iter().filter(|book| book.operator == "MBS") {
            let id = table(&house, book, AUTO).await;
            act(&house, &player, &id, Order::Bet { wagers: vec![chips(Area::Ante, 5)] }).await.unwrap();
            tables.push(id);
        }
        let boss = staff(&house, "sue", Duty::ShiftManager).await;
        let who = Player("ann".to_owned());
        let (here, there) = (tables[0].clone(), tables[1].clone());
        act(&house, &boss, &there, ruling(RulingKind::Bar(who.clone()))).await.unwrap();
        house.tick().await.unwrap();
        act(&house, &boss, &here, ruling(RulingKind::Lift(who))).await.unwrap();
        act(&house, &player, &here, Order::Ready).await.unwrap();
        act(&house, &player, &here, Command::Fold { seat: BOX }).await.unwrap();
        assert_eq!(house.table(&here).await.unwrap().phase, PhaseName::Finished);
        check_replay(&house, &RoundId { table: here, number: 1 }).await;
    });
}

/// A player is barred when a round opens, the bar is lifted at another table, and they bet in the round.
#[test]
fn a_round_with_a_bar_lifted_at_another_table_replays() {
    simulated(|world| async move {
        let house = open(&world, 0).await.unwrap();
        let player = ann(&house).await;
        let ben: PlayerId = "ben".parse().unwrap();
        house.create_player(&ben, None, Money::from_dollars(1_000)).await.unwrap();
        let (ben, boss) = (Actor::player(ben), staff(&house, "sue", Duty::ShiftManager).await);
        let books = Rulebook::builtins();
        let (here, there) = (table(&house, &books[0], AUTO).await, table(&house, &books[1], AUTO).await);
        let who = Player("ann".to_owned());
        act(&house, &player, &there, Order::Bet { wagers: vec![chips(Area::Ante, 5)] }).await.unwrap();
        act(&house, &boss, &there, ruling(RulingKind::Bar(who.clone()))).await.unwrap();
        house.tick().await.unwrap();
        let other = Chips { seat: BoxNumber(2), ..chips(Area::Ante, 5) };
        act(&house, &ben, &here, Order::Bet { wagers: vec![other] }).await.unwrap();
        act(&house, &boss, &there, ruling(RulingKind::Lift(who))).await.unwrap();
        house.tick().await.unwrap();
        act(&house, &player, &here, Order::Bet { wagers: vec![chips(Area::Ante, 5)] }).await.unwrap();
        act(&house, &player, &here, Order::Ready).await.unwrap();
        act(&house, &ben, &here, Order::Ready).await.unwrap();
        act(&house, &player, &here, Command::Fold { seat: BOX }).await.unwrap();
        act(&house, &ben, &here, Command::Fold { seat: BoxNumber(2) }).await.unwrap();
        assert_eq!(house.table(&here).await.unwrap().phase, PhaseName::Finished);
        check_replay(&house, &RoundId { table: here, number: 1 }).await;
    });
}

/// Plays a round with a dealer: the player does what `wants` picks, otherwise the dealer acts.
async fn play_out(
    house: &House,
    book: &Rulebook,
    mut wants: impl FnMut(&TableView, &TableView) -> Option<Order>,
) -> RoundId {
    let (id, player) = (table(house, book, Pace::Dealer).await, ann(house).await);
    let dealer = staff(house, "dora", Duty::Dealer).await;
    act(house, &Actor::House, &id, Order::Assign { dealer: "dora".parse().unwrap() }).await.unwrap();
    act(house, &dealer, &id, Command::Open).await.unwrap();
    act(house, &player, &id, Order::Bet { wagers: vec![chips(Area::Ante, 5)] }).await.unwrap();
    act(house, &dealer, &id, Command::Close).await.unwrap();
    while house.table(&id).await.unwrap().phase == PhaseName::Play {
        let (own, view) = (house.view(&player, &id).await.unwrap(), house.view(&dealer, &id).await.unwrap());
        let (by, order): (&Actor, Order) = if let Some(order) = wants(&own, &view) {
            (&player, order)
        } else if view.orders.contains(&OrderKind::DealAll) {
            (&dealer, Order::DealAll)
        } else if let Some(what) = view.legal.reveals.first() {
            (&dealer, Command::Reveal { what: *what }.into())
        } else {
            (&dealer, Command::Settle.into())
        };
        act(house, by, &id, order).await.unwrap();
    }
    RoundId { table: id, number: 1 }
}

/// The raise offered, if any.
fn raise(own: &TableView) -> Option<Order> {
    let wager = own.legal.wagers.iter().find(|wager| wager.area != Area::Bonus)?;
    let (seat, area, amount) = (wager.seat, wager.area, wager.amounts.from);
    Some(Order::Bet { wagers: vec![Chips { seat, area, amount }] })
}

/// A player declines to show before the river is turned, while the script turns it first.
#[test]
fn a_round_with_a_hand_declined_before_the_river_replays() {
    let mut declined = 0;
    for book in Rulebook::builtins().iter().filter(|book| book.family == Family::Holdem) {
        simulated(|world| {
            let declined = &mut declined;
            async move {
                let house = open(&world, 0).await.unwrap();
                let wants = |own: &TableView, view: &TableView| {
                    if let Some(seat) = own.legal.declines.first() {
                        *declined += usize::from(view.legal.reveals.contains(&Reveal::River));
                        return Some(Command::Decline { seat: *seat }.into());
                    }
                    let look = own.legal.looks.first().map(|seat| Command::Look { seat: *seat }.into());
                    look.or_else(|| raise(own))
                };
                let round = play_out(&house, book, wants).await;
                check_replay(&house, &round).await;
            }
        });
    }
    assert!(declined > 0, "nobody declined before the river was turned");
}

/// A player raises without looking and looks after the last decision, while the script looks before the first decision.
#[test]
fn a_round_with_a_decision_before_the_look_replays() {
    for book in Rulebook::builtins() {
        simulated(|world| async move {
            let house = open(&world, 0).await.unwrap();
            let mut looked = false;
            let wants = |own: &TableView, view: &TableView| {
                let last = view.legal.settle || view.legal.reveals.contains(&Reveal::Dealer);
                let look = own.legal.looks.first().filter(|_| last);
                looked |= look.is_some();
                look.map(|seat| Command::Look { seat: *seat }.into()).or_else(|| raise(own))
            };
            let round = play_out(&house, book, wants).await;
            assert!(looked, "{}: nobody looked", book.id);
            check_replay(&house, &round).await;
        });
    }
}

/// A player who never came to this table is barred at another one, and then again here; the bar may be lifted at either. The replay does
/// without all of it.
#[test]
fn a_round_with_a_repeated_bar_of_another_table_replays() {
    let repeated = |lifted_here: Option<bool>| {
        simulated(move |world| async move {
            let house = open(&world, 0).await.unwrap();
            let player = ann(&house).await;
            let ben: PlayerId = "ben".parse().unwrap();
            house.create_player(&ben, None, Money::from_dollars(1_000)).await.unwrap();
            let boss = staff(&house, "sue", Duty::ShiftManager).await;
            let books = Rulebook::builtins();
            let (here, there) = (table(&house, &books[0], AUTO).await, table(&house, &books[1], AUTO).await);
            let ante = || Order::Bet { wagers: vec![chips(Area::Ante, 5)] };
            act(&house, &player, &here, ante()).await.unwrap();
            act(&house, &Actor::player(ben), &there, ante()).await.unwrap();
            let who = Player("ben".to_owned());
            act(&house, &boss, &there, ruling(RulingKind::Bar(who.clone()))).await.unwrap();
            house.tick().await.unwrap();
            act(&house, &boss, &here, ruling(RulingKind::Bar(who.clone()))).await.unwrap();
            if let Some(lifted_here) = lifted_here {
                let at = if lifted_here { &here } else { &there };
                act(&house, &boss, at, ruling(RulingKind::Lift(who))).await.unwrap();
                house.tick().await.unwrap();
            }
            act(&house, &player, &here, Order::Ready).await.unwrap();
            act(&house, &player, &here, Command::Fold { seat: BOX }).await.unwrap();
            check_replay(&house, &RoundId { table: here, number: 1 }).await;
        });
    };
    repeated(None);
    repeated(Some(true));
    repeated(Some(false));
}
