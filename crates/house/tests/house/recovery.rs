//! After a crash every table is where the journal left it, and an interrupted round is resolved by its game's paragraph.

use baize_house::{Actor, Duty, Order, SignificantKind};
use baize_rules::{Area, BoxNumber, Family};
use baize_table::{Choice, Command, PhaseName};

use crate::support::{Backend, Casino, cents, chips, clean, order, table_of};

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_round_is_void_where_the_text_says_so() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let ann = casino.player("ann").await;
        let wagers = vec![chips(1, Area::Ante, 50), chips(1, Area::Jackpot, 5)];
        order(&casino, &ann, &table, Order::Bet { wagers }).await.unwrap();
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        let meter = casino.house.jackpots().await.unwrap();
        let casino = casino.after_a_crash().await;
        let view = casino.house.view(&ann, &table).await.unwrap();
        assert_eq!(view.info.phase, PhaseName::Finished);
        assert!(
            matches!(view.round.outcome, Some(baize_table::Outcome::Void { .. })),
            "{:?}",
            view.round.outcome
        );
        assert_eq!(cents(&casino, &ann).await, 1_000_000, "every wager went back");
        let after = casino.house.jackpots().await.unwrap();
        assert!(
            after.iter().map(|j| j.displayed).sum::<baize_rules::Money>()
                < meter.iter().map(|j| j.displayed).sum()
        );
        let auditor = casino.staff("axel", Duty::Auditor).await;
        let noted = casino.house.significant_events(&auditor, 50).await.unwrap();
        assert!(
            noted
                .iter()
                .any(|event| event.kind == SignificantKind::Void || event.kind == SignificantKind::Recovery),
            "{noted:#?}"
        );
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn players_choose_where_the_text_gives_them_options() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "MBS", Family::Stud).await;
        let ann = casino.player("ann").await;
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        let before = casino.house.view(&ann, &table).await.unwrap();
        let casino = casino.after_a_crash().await;
        let view = casino.house.view(&ann, &table).await.unwrap();
        assert_eq!(
            view.round.boxes[&BoxNumber(1)].cards,
            before.round.boxes[&BoxNumber(1)].cards,
            "the cards lie where they lay"
        );
        assert!(view.legal.choices.contains(&(BoxNumber(1), Choice::Continue)), "{:?}", view.round.awaiting);
        order(
            &casino,
            &ann,
            &table,
            Command::Choose { seat: BoxNumber(1), player: None, choice: Choice::Continue },
        )
        .await
        .unwrap();
        order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
        let view = casino.house.view(&ann, &table).await.unwrap();
        assert_eq!(view.info.phase, PhaseName::Finished);
        assert!(view.proof.unwrap().holds(), "dealt from the deck that was promised before the crash");
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wagers_before_the_deal_survive_a_crash() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let mut tables = casino.tables().await;
        let ann = casino.player("ann").await;
        let empty = tables.pop().unwrap();
        for table in &tables {
            order(&casino, &ann, table, Order::Bet { wagers: vec![chips(2, Area::Ante, 10)] }).await.unwrap();
        }
        let casino = casino.after_a_crash().await.after_a_crash().await;
        let in_play: i64 = {
            let mut staked = 0;
            for table in &tables {
                let view = casino.house.view(&ann, table).await.unwrap();
                if view.info.phase != PhaseName::Finished {
                    staked += view
                        .round
                        .boxes
                        .values()
                        .flat_map(|b| &b.stakes)
                        .map(|s| s.amount.cents())
                        .sum::<i64>();
                }
            }
            staked
        };
        assert_eq!(cents(&casino, &ann).await + in_play, 1_000_000);
        assert_eq!(casino.house.view(&Actor::Public, &empty).await.unwrap().info.phase, PhaseName::Idle);
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn players_who_share_a_box_choose_each_for_their_own_chips() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "MBS", Family::Stud).await;
        let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
        order(&casino, &ben, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 30)] }).await.unwrap();
        order(&casino, &ann, &table, Order::Ready).await.unwrap();
        order(&casino, &ben, &table, Order::Ready).await.unwrap();
        let casino = casino.after_a_crash().await;
        let withdraws = Command::Choose { seat: BoxNumber(1), player: None, choice: Choice::Withdraw };
        order(&casino, &ben, &table, withdraws).await.unwrap();
        assert_eq!(cents(&casino, &ben).await, 1_000_000, "their own chips are back");
        let goes_on = Command::Choose { seat: BoxNumber(1), player: None, choice: Choice::Continue };
        order(&casino, &ann, &table, goes_on).await.unwrap();
        order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
        assert_eq!(casino.house.view(&ann, &table).await.unwrap().info.phase, PhaseName::Finished);
        assert_eq!(cents(&casino, &ann).await, 995_000);
        clean(&casino).await;
    }
}
