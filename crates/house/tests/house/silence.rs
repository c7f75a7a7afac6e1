//! Silence is not absence (I-12): letting the clock expire, or leaving, does not return a losing hand.

use baize_cards::{Card, HandClass};
use baize_house::{Actor, Order, OrderKind, RoundFilter, RoundId, TableId};
use baize_rules::{Area, BoxNumber, Family, Money, Rulebook};
use baize_script::{Script, best_hand};
use baize_table::{BoxSettlement, Command, PhaseName, ResultKind};

use crate::support::{Backend, Casino, chips, clean, order, table_of};

/// How a player ends their hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Out {
    /// Folds.
    Folds,
    /// Looks at the table and lets the clock expire.
    Waits,
    /// Looks at the table and leaves.
    Leaves,
    /// Is not connected since the deal.
    IsAway,
}

async fn bets(casino: &Casino, actor: &Actor, table: &TableId, seat: u8) {
    let view = casino.house.view(actor, table).await.unwrap();
    if view.orders.contains(&OrderKind::Sit) {
        order(casino, actor, table, Order::Sit { seat: Some(BoxNumber(seat)) }).await.unwrap();
    }
    let mut wagers = vec![chips(seat, Area::Ante, 50)];
    if view.info.family == Family::Holdem {
        wagers.push(chips(seat, Area::Bonus, 20));
    }
    let amount = view.info.jackpot_wager.unwrap();
    wagers.push(baize_house::Chips { seat: BoxNumber(seat), area: Area::Jackpot, amount });
    order(casino, actor, table, Order::Bet { wagers }).await.unwrap();
}

/// Plays a round in which Ann, at box 1, ends her hand in this way and Ben folds. Returns their slips.
async fn round(
    casino: &Casino,
    table: &TableId,
    ann: &Actor,
    ben: &Actor,
    out: Out,
) -> (BoxSettlement, BoxSettlement) {
    bets(casino, ann, table, 1).await;
    bets(casino, ben, table, 4).await;
    for player in [ann, ben] {
        order(casino, player, table, Order::Ready).await.unwrap();
    }
    match out {
        Out::Folds => drop(order(casino, ann, table, Command::Fold { seat: BoxNumber(1) }).await.unwrap()),
        Out::Waits => drop(casino.house.view(ann, table).await.unwrap()),
        Out::Leaves => {
            casino.house.view(ann, table).await.unwrap();
            order(casino, ann, table, Order::Leave).await.unwrap();
        }
        Out::IsAway => {}
    }
    order(casino, ben, table, Command::Fold { seat: BoxNumber(4) }).await.unwrap();
    casino.clock.advance_seconds(60);
    casino.house.tick().await.unwrap();
    let view = casino.house.view(ben, table).await.unwrap();
    assert_eq!(view.info.phase, PhaseName::Finished, "{out:?}");
    let slip = |seat: u8| view.round.slips.iter().find(|slip| slip.seat == BoxNumber(seat)).unwrap().clone();
    (slip(1), slip(4))
}

/// The result of each area, except the jackpot's award, which depends on the cards.
fn fates(slip: &BoxSettlement) -> Vec<(Area, ResultKind, Money, String)> {
    let lines = slip.lines.iter().filter(|line| !line.is_award());
    lines.map(|line| (line.area, line.result, line.amount, line.cites.to_string())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn letting_the_clock_expire_equals_folding() {
    for backend in Backend::ALL {
        for family in [Family::Stud, Family::Holdem] {
            let casino = Casino::new(backend).await;
            let table = table_of(&casino, "MBS", family).await;
            let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
            let rounds = if backend == Backend::Sqlite { 12 } else { 3 };
            for number in 0..rounds {
                let out = [Out::Waits, Out::Folds, Out::Leaves][number % 3];
                let (hers, his) = round(&casino, &table, &ann, &ben, out).await;
                // Whether a jackpot award is paid depends on the cards only; the wager is never returned.
                let awards = |slip: &BoxSettlement| slip.lines.iter().any(|line| line.is_award());
                if !awards(&hers) && !awards(&his) {
                    assert_eq!(fates(&hers), fates(&his), "{out:?}: the same as the fold of box 4");
                    assert_eq!(hers.net(), his.net());
                }
                let back = hers.lines.iter().any(|line| line.result == ResultKind::Returned);
                assert!(!back && hers.net() < Money::ZERO || awards(&hers), "{out:?}: {hers:?}");
                let said = casino.house.view(&ben, &table).await.unwrap();
                assert!(!said.round.boxes[&BoxNumber(1)].absent, "{out:?}");
            }
            let lost =
                Money::from_dollars(10_000) - casino.house.purse(ann.as_player().unwrap()).await.unwrap();
            let won: Money = casino
                .house
                .rounds(&RoundFilter::default())
                .await
                .unwrap()
                .iter()
                .map(|line| line.awarded)
                .sum();
            assert!(lost + won > Money::ZERO, "waiting does not gain");
            clean(&casino).await;
        }
    }
}

/// The net result of box 1 in a round script.
fn net(script: &str) -> Money {
    let steps: Vec<&str> = script.lines().filter(|line| !line.starts_with("expect")).collect();
    let script = Script::parse(&(steps.join("\n") + "\n")).unwrap();
    let told = baize_script::run(&script, &|id| Rulebook::builtin(id).cloned());
    assert!(told.holds(), "{:?}", told.failures);
    let slips = &told.rounds[0].finished().unwrap().boxes;
    slips.iter().find(|slip| slip.seat == BoxNumber(1)).unwrap().net()
}

/// The strategy that would exploit waiting: bet with a pair or better, and let the clock expire with anything less. On every deal it yields
/// exactly what folding yields with the same cards; if silence counted as absence (I-12), it would gain every returned wager.
#[tokio::test(flavor = "multi_thread")]
async fn the_waiting_strategy_gains_nothing_over_folding() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "MBS", Family::Stud).await;
    let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
    let before = casino.house.purse(ann.as_player().unwrap()).await.unwrap();
    let (mut folding, mut absent, mut given_back, mut waited) = (Money::ZERO, Money::ZERO, Money::ZERO, 0);
    for number in 1..=40 {
        // The clock runs while another player is at the table.
        for (player, seat) in [(&ann, 1), (&ben, 4)] {
            bets(&casino, player, &table, seat).await;
        }
        for player in [&ann, &ben] {
            order(&casino, player, &table, Order::Ready).await.unwrap();
        }
        order(&casino, &ben, &table, Command::Fold { seat: BoxNumber(4) }).await.unwrap();
        let view = casino.house.view(&ann, &table).await.unwrap();
        let cards: Vec<Card> =
            view.round.boxes[&BoxNumber(1)].cards.iter().filter_map(|card| card.up()).collect();
        let (_, hand) = best_hand(&cards, &[]).unwrap();
        let waits = hand.class() < HandClass::OnePair;
        if waits {
            waited += 1;
            casino.clock.advance_seconds(60);
            casino.house.tick().await.unwrap();
        } else {
            order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Bet, 100)] })
                .await
                .unwrap();
        }
        let id = RoundId { table: table.clone(), number };
        let script = casino.house.export(&id).await.unwrap();
        let played = net(&script);
        folding += played;
        if waits {
            assert!(script.lines().any(|line| line == "fold 1"), "{script}");
            let away = net(&script.replace("fold 1", "absent 1"));
            assert_eq!(away, Money::ZERO, "an absent player's wagers go back");
            given_back -= played;
            absent += away;
        } else {
            absent += played;
        }
    }
    let waiting = casino.house.purse(ann.as_player().unwrap()).await.unwrap() - before;
    assert!(waited > 5, "{waited} hands without a pair");
    assert_eq!(waiting, folding);
    assert_eq!(absent - waiting, given_back);
    assert!(given_back > Money::ZERO, "{given_back}");
    clean(&casino).await;
}

/// MBS 5.11: a player who was not connected from the deal until the time expired is absent, and gets ante and jackpot wager back.
#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_was_not_connected_is_absent() {
    for family in [Family::Stud, Family::Holdem] {
        let casino = Casino::new(Backend::Sqlite).await;
        let table = table_of(&casino, "MBS", family).await;
        let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
        let (hers, his) = round(&casino, &table, &ann, &ben, Out::IsAway).await;
        assert!(hers.lines.iter().all(|line| line.result == ResultKind::Returned), "{hers:?}");
        assert!(hers.lines.iter().any(|line| line.cites.to_string().contains("5.11")), "{hers:?}");
        assert!(his.lines.iter().any(|line| line.result == ResultKind::Lose));
        let auditor = casino.staff("ada", baize_house::Duty::Auditor).await;
        let filter =
            baize_house::JournalFilter { kind: Some("time-ran-out".to_owned()), ..Default::default() };
        assert_eq!(casino.house.journal(&auditor, &filter).await.unwrap().len(), 1, "the journal says why");
        clean(&casino).await;
    }
}
