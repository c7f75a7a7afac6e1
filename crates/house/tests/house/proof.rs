//! Proofs and scripts show a hand only to those who may see it, and prove the deck to everyone.

use baize_cards::Card;
use baize_house::{Actor, Duty, Order, RoundFilter, RoundId};
use baize_rules::{Area, BoxNumber, Family, Money, Rulebook};
use baize_script::Script;
use baize_table::{CardView, Command, PhaseName};

use crate::support::{Backend, Casino, chips, clean, order, table_of};

fn replays(text: &str) -> bool {
    let script = Script::parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let transcript = baize_script::run(&script, &|id| Rulebook::builtin(id).cloned());
    assert!(transcript.holds(), "{:?}\n{text}", transcript.failures);
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folded_hand_is_shown_to_its_player_and_the_deck_is_proved_to_all() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
        let auditor = casino.staff("axel", Duty::Auditor).await;
        let pit = casino.staff("pete", Duty::PitManager).await;
        for (operator, family) in [("MBS", Family::Stud), ("RWS", Family::Holdem)] {
            let table = table_of(&casino, operator, family).await;
            for (player, seat) in [(&ann, 1), (&ben, 2)] {
                order(&casino, player, &table, Order::Sit { seat: Some(BoxNumber(seat)) }).await.unwrap();
            }
            for (player, seat) in [(&ann, 1), (&ben, 2)] {
                let bet = Order::Bet { wagers: vec![chips(seat, Area::Ante, 50)] };
                order(&casino, player, &table, bet).await.unwrap();
                order(&casino, player, &table, Order::Ready).await.unwrap();
            }
            let own = casino.house.view(&ann, &table).await.unwrap().round.boxes[&BoxNumber(1)].cards.clone();
            let up = |card: &CardView| match card {
                CardView::Up(card) => Some(*card),
                CardView::Down => None,
            };
            let folded: Vec<Card> = own.iter().filter_map(up).collect();
            assert!(folded.len() >= 2, "she sees her own");
            order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
            while casino.house.table(&table).await.unwrap().phase == PhaseName::Play {
                let legal = casino.house.view(&ben, &table).await.unwrap().legal;
                if legal.checks.contains(&BoxNumber(2)) {
                    order(&casino, &ben, &table, Command::Check { seat: BoxNumber(2) }).await.unwrap();
                    continue;
                }
                let raise = legal.wagers.into_iter().find(|wager| wager.seat == BoxNumber(2)).unwrap();
                let wagers = vec![baize_house::Chips {
                    seat: BoxNumber(2),
                    area: raise.area,
                    amount: raise.amounts.from,
                }];
                order(&casino, &ben, &table, Order::Bet { wagers }).await.unwrap();
            }
            let id = RoundId { table: table.clone(), number: 1 };
            for (actor, sees) in
                [(&ann, true), (&auditor, true), (&ben, false), (&pit, false), (&Actor::Public, false)]
            {
                let proof = casino.house.proof_for(actor, &id).await.unwrap();
                assert!(proof.holds(), "{backend:?} {table}: {actor}");
                assert_eq!(proof.cards.len(), 52);
                let opened = proof.deck();
                assert_eq!(
                    folded.iter().all(|card| opened.contains(card)),
                    sees,
                    "{backend:?} {table}: {actor}"
                );
                let told = serde_json::to_string(&casino.house.round(actor, &id).await.unwrap()).unwrap();
                let view = serde_json::to_string(&casino.house.view(actor, &table).await.unwrap()).unwrap();
                for card in &folded {
                    let code = format!("\"{}\"", card.code());
                    assert_eq!(told.contains(&code) && view.contains(&code), sees, "{table}: {actor} {card}");
                }
                let script = casino.house.export_for(actor, &id).await;
                if *actor == Actor::Public {
                    assert_eq!(script.unwrap_err().code(), "forbidden", "only players may export a round");
                    continue;
                }
                let script = script.unwrap();
                assert!(replays(&script), "{table}: {actor}");
                let line = script.lines().filter(|line| line.starts_with("deal 1 ")).collect::<String>();
                let mine = folded.iter().all(|card| line.contains(&card.code()));
                assert_eq!(mine, sees, "{table}: {actor}\n{script}");
                if !sees {
                    assert!(opened.len() < 47, "what is missing would be the hand");
                    assert!(script.contains("stand in for those of: box 1"), "{script}");
                }
            }
            let whole = casino.house.proof(&id).await.unwrap();
            assert!(whole.deck().len() == 52 && whole.holds());
            assert!(whole.begins_with(&casino.house.dealt(&id).await.unwrap()));
            let mut forged = casino.house.proof_for(&Actor::Public, &id).await.unwrap();
            let shown = forged.cards.iter().position(|one| one.card.is_some()).unwrap();
            forged.cards[shown].card = Some(folded[0]);
            assert!(!forged.holds(), "another card is not the one that was promised");
        }
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn scripts_for_every_reader_replay_to_the_paid_settlement() {
    let casino = Casino::new(Backend::Sqlite).await;
    let pit = casino.staff("pete", Duty::PitManager).await;
    for (number, table) in (1..).zip(casino.tables().await) {
        let player: baize_house::PlayerId = format!("p{number}").parse().unwrap();
        casino.house.create_player(&player, None, Money::from_dollars(100_000)).await.unwrap();
        let mut robot = baize_house::load::Robot::new(casino.house.clone(), player, table, number * 7_919);
        robot.jackpot_every = 1;
        for _ in 0..10 {
            robot.round().await.unwrap();
        }
    }
    let filter = RoundFilter { limit: Some(200), ..RoundFilter::default() };
    let (mut stood_in, mut all) = (0, 0);
    for line in casino.house.rounds(&filter).await.unwrap() {
        let script = casino.house.export_for(&pit, &line.id).await.unwrap();
        assert!(replays(&script), "{}", line.id);
        stood_in += u32::from(script.contains("stand in"));
        all += 1;
    }
    assert!(stood_in > 0 && stood_in < all, "{stood_in} of {all}");
}
