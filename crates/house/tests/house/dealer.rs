//! Tables with a human dealer, with the computer's shoe or with entered cards.

use baize_house::{Actor, Duty, Order, OrderKind, Pace, Shoe, SignificantKind, TableId};
use baize_rules::{Area, BoxNumber, Family, IrregularityKind, Money, Reveal};
use baize_table::{Command, Facts, Place, Report, Staff};

use crate::support::{Backend, Casino, cents, chips, clean, order, table_of};

/// A dealer assigned to a table.
pub(crate) async fn with_dealer(casino: &Casino, table: &TableId, shoe: Shoe) -> Actor {
    let dealer = casino.staff("dora", Duty::Dealer).await;
    let pit = casino.staff("pete", Duty::PitSupervisor).await;
    order(casino, &pit, table, Order::SetPace { pace: Pace::Dealer }).await.unwrap();
    if shoe == Shoe::Entered {
        order(casino, &pit, table, Order::SetShoe { shoe }).await.unwrap();
    }
    dealer
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dealer_deals_from_the_computers_shoe_step_by_step() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "RWS", Family::Holdem).await;
    let ann = casino.player("ann").await;
    let dealer = with_dealer(&casino, &table, Shoe::Computer).await;
    let bet = Order::Bet { wagers: vec![chips(3, Area::Ante, 50)] };
    assert_eq!(
        order(&casino, &ann, &table, bet.clone()).await.unwrap_err().code(),
        "refused",
        "no round is open"
    );
    order(&casino, &dealer, &table, Command::Open).await.unwrap();
    order(&casino, &ann, &table, bet).await.unwrap();
    assert!(order(&casino, &ann, &table, Order::Ready).await.is_err());
    order(&casino, &dealer, &table, Command::Close).await.unwrap();
    let own = Command::Deal { to: Place::Dealer, cards: vec!["As".parse().unwrap()] };
    assert_eq!(
        order(&casino, &dealer, &table, own).await.unwrap_err().code(),
        "not-now",
        "no cards of their own"
    );
    order(&casino, &dealer, &table, Order::DealNext).await.unwrap();
    order(&casino, &dealer, &table, Order::DealAll).await.unwrap();
    let seen = casino.house.view(&ann, &table).await.unwrap();
    assert_eq!(seen.legal.looks, [BoxNumber(3)]);
    order(&casino, &ann, &table, Command::Look { seat: BoxNumber(3) }).await.unwrap();
    let raise = casino.house.view(&ann, &table).await.unwrap().legal.wagers[0].clone();
    assert_eq!(raise.amounts.from, Money::from_dollars(100));
    let flop = Order::Bet {
        wagers: vec![baize_house::Chips { seat: BoxNumber(3), area: raise.area, amount: raise.amounts.from }],
    };
    order(&casino, &ann, &table, flop).await.unwrap();
    for what in [Reveal::Flop, Reveal::Turn, Reveal::River, Reveal::Dealer] {
        let view = casino.house.view(&dealer, &table).await.unwrap();
        if view.orders.contains(&OrderKind::DealAll) {
            order(&casino, &dealer, &table, Order::DealAll).await.unwrap();
        }
        let asked = casino.house.view(&ann, &table).await.unwrap().legal.checks;
        if asked.contains(&BoxNumber(3)) {
            order(&casino, &ann, &table, Command::Check { seat: BoxNumber(3) }).await.unwrap();
            let view = casino.house.view(&dealer, &table).await.unwrap();
            if view.orders.contains(&OrderKind::DealAll) {
                order(&casino, &dealer, &table, Order::DealAll).await.unwrap();
            }
        }
        order(&casino, &dealer, &table, Command::Reveal { what }).await.unwrap();
    }
    order(&casino, &dealer, &table, Command::Settle).await.unwrap();
    let view = casino.house.view(&ann, &table).await.unwrap();
    assert!(view.proof.unwrap().holds());
    assert_eq!(view.purse.unwrap() - Money::from_dollars(10_000), view.round.slips[0].net());
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn irregularities_are_ruled_with_entered_cards_too() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let ann = casino.player("ann").await;
    let dealer = with_dealer(&casino, &table, Shoe::Entered).await;
    order(&casino, &dealer, &table, Command::Open).await.unwrap();
    order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
    order(&casino, &dealer, &table, Command::Close).await.unwrap();
    assert_eq!(order(&casino, &dealer, &table, Order::DealNext).await.unwrap_err().code(), "not-now");
    let cards = |text: &str| text.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<_>>();
    let deal = |to, text: &str| Command::Deal { to, cards: cards(text) };
    order(&casino, &dealer, &table, deal(Place::Box(BoxNumber(1)), "2h 5h 9h Jh Kh")).await.unwrap();
    let twice = order(&casino, &dealer, &table, deal(Place::Dealer, "2h")).await.unwrap_err();
    assert_eq!(twice.code(), "refused");
    let report = Report {
        kind: IrregularityKind::ExposedCards,
        seat: None,
        facts: Facts { count: Some(2), seen: Some(false), ..Facts::default() },
        by: Staff { role: baize_rules::Role::ShiftManager, name: Some("forged".to_owned()) },
    };
    let foreseen =
        casino.house.preview(&dealer, &table, Command::Report(report.clone()).into()).await.unwrap();
    assert!(foreseen.steps.iter().any(|words| words.contains("void")), "{foreseen:?}");
    assert!(foreseen.boxes.iter().all(|on_box| on_box.back == on_box.staked), "{foreseen:?}");
    assert!(foreseen.moves_money());
    order(&casino, &dealer, &table, Command::Report(report)).await.unwrap();
    let view = casino.house.view(&ann, &table).await.unwrap();
    assert!(matches!(view.round.outcome, Some(baize_table::Outcome::Void { .. })));
    assert!(view.proof.is_none() && view.commitment.is_none());
    assert_eq!(cents(&casino, &ann).await, 1_000_000);
    let auditor = casino.staff("axel", Duty::Auditor).await;
    let noted = casino.house.significant_events(&auditor, 10).await.unwrap();
    assert!(
        noted.iter().any(|event| event.kind == SignificantKind::Void && event.actor == "staff:dora"),
        "{noted:#?}"
    );
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_closes_with_notice() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "MBS", Family::Stud).await;
    let ann = casino.player("ann").await;
    let manager = casino.staff("mia", Duty::PitManager).await;
    let bet = || Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] };
    order(&casino, &ann, &table, bet()).await.unwrap();
    let dealer = casino.staff("dora", Duty::Dealer).await;
    let notice = || Order::GiveNotice { reason: "maintenance".to_owned() };
    assert_eq!(order(&casino, &dealer, &table, notice()).await.unwrap_err().code(), "forbidden");
    order(&casino, &manager, &table, notice()).await.unwrap();
    order(&casino, &ann, &table, Order::Ready).await.unwrap();
    order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
    assert_eq!(order(&casino, &ann, &table, bet()).await.unwrap_err().code(), "not-now");
    assert!(casino.house.table(&table).await.unwrap().closed);
    order(&casino, &manager, &table, Order::Reopen).await.unwrap();
    order(&casino, &ann, &table, bet()).await.unwrap();
    clean(&casino).await;
}

/// Parses cards.
fn cards(text: &str) -> Vec<baize_cards::Card> {
    text.split(' ').map(|card| card.parse().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_card_goes_where_the_procedure_says() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
    let dealer = with_dealer(&casino, &table, Shoe::Entered).await;
    let enter = |text: &str| Order::EnterCards { cards: cards(text) };
    order(&casino, &dealer, &table, Command::Open).await.unwrap();
    for (player, seat) in [(&ann, 1), (&ben, 3)] {
        order(&casino, player, &table, Order::Bet { wagers: vec![chips(seat, Area::Ante, 50)] })
            .await
            .unwrap();
    }
    assert_eq!(
        order(&casino, &dealer, &table, enter("As")).await.unwrap_err().code(),
        "refused",
        "bets are open"
    );
    order(&casino, &dealer, &table, Command::Close).await.unwrap();
    let offered = casino.house.view(&dealer, &table).await.unwrap().orders;
    assert!(
        offered.contains(&OrderKind::EnterCards) && !offered.contains(&OrderKind::DealNext),
        "{offered:?}"
    );
    let player = order(&casino, &ann, &table, enter("As")).await.unwrap_err();
    assert_eq!(player.code(), "forbidden");
    let lies = || async {
        let view = casino.house.view(&dealer, &table).await.unwrap().round;
        let boxes = [1, 3].map(|seat| view.boxes[&BoxNumber(seat)].cards.len());
        (view.burnt.len(), boxes, view.dealer.len())
    };
    // RS 3.10: a burn, then one card at a time to box 1, box 3 and the dealer.
    let two = order(&casino, &dealer, &table, enter("7s 2h")).await.unwrap_err();
    assert_eq!(two.to_string(), "2 cards, but one card is burnt now (3.10, 1.4)");
    order(&casino, &dealer, &table, enter("7s")).await.unwrap();
    let two = order(&casino, &dealer, &table, enter("2h 5h")).await.unwrap_err();
    assert_eq!(two.to_string(), "2 cards, but one goes to box 1 now (3.10)");
    assert_eq!(lies().await, (1, [0, 0], 0), "nothing reached a hand");
    for (card, expected) in
        [("2h", (1, [1, 0], 0)), ("2c", (1, [1, 1], 0)), ("Ac", (1, [1, 1], 1)), ("5h", (1, [2, 1], 1))]
    {
        order(&casino, &dealer, &table, enter(card)).await.unwrap();
        assert_eq!(lies().await, expected);
    }
    // A wrong card can be taken back until the next step, and only the last one; it can be dealt again.
    let back = || order(&casino, &dealer, &table, Order::TakeBack);
    order(&casino, &dealer, &table, enter("5s")).await.unwrap();
    assert!(casino.house.view(&dealer, &table).await.unwrap().orders.contains(&OrderKind::TakeBack));
    assert_eq!(order(&casino, &ann, &table, Order::TakeBack).await.unwrap_err().code(), "forbidden");
    back().await.unwrap();
    assert_eq!(lies().await, (1, [2, 1], 1));
    assert_eq!(back().await.unwrap_err().code(), "not-now");
    for card in "5d Ks 9h 9s 9c Jh Js 4c Kd 5s 3s".split(' ') {
        order(&casino, &dealer, &table, enter(card)).await.unwrap();
    }
    assert_eq!(lies().await, (1, [5, 5], 5));
    let early = order(&casino, &dealer, &table, enter("8d")).await.unwrap_err();
    assert_eq!(early.to_string(), "no card is due now: box 1 has not decided yet (3.12.2)");
    assert_eq!(lies().await, (1, [5, 5], 5), "it reached no hand");
    order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
    order(&casino, &ben, &table, Command::Fold { seat: BoxNumber(3) }).await.unwrap();
    order(&casino, &dealer, &table, Command::Settle).await.unwrap();
    // Both are on record: the replay shows it, and the round's script has the cards that were really dealt.
    let id = baize_house::RoundId { table, number: 1 };
    let record = casino.house.round(&dealer, &id).await.unwrap();
    let told = |words: &str| record.frames.iter().filter(|frame| frame.words.contains(words)).count();
    assert_eq!(told("takes back the cards entered last"), 1);
    assert_eq!(casino.house.dealt(&id).await.unwrap().len(), 16);
    let script = casino.house.export(&id).await.unwrap();
    let script = baize_script::Script::parse(&script).unwrap();
    assert!(baize_script::run(&script, &|id| baize_rules::Rulebook::builtin(id).cloned()).holds());
    clean(&casino).await;
}

/// A dealer who takes over cannot find out by entering cards where those entered by the other dealer are. Attempts are on record as
/// significant events.
#[tokio::test(flavor = "multi_thread")]
async fn entering_cards_reveals_nothing_to_a_dealer_who_takes_over() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let ann = casino.player("ann").await;
        let dora = with_dealer(&casino, &table, Shoe::Entered).await;
        let gina = casino.staff("gina", Duty::Dealer).await;
        let boss = casino.staff("bo", Duty::ShiftManager).await;
        let enter = |text: &str| Order::EnterCards { cards: cards(text) };
        order(&casino, &dora, &table, Command::Open).await.unwrap();
        order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
        order(&casino, &dora, &table, Command::Close).await.unwrap();
        // RS 3.10: burnt, box 1, the dealer's first, box 1.
        for card in ["7s", "2h", "Ac", "5h"] {
            order(&casino, &dora, &table, enter(card)).await.unwrap();
        }
        let attempts = async || {
            let events = casino.house.significant_events(&boss, 100).await.unwrap();
            events
                .iter()
                .filter(|event| event.kind == SignificantKind::Attempts)
                .map(|event| event.words.clone())
                .collect()
        };
        // Scanning a card twice is a mistake: the answer says so, and it does not count as an attempt.
        for _ in 0..3 {
            let twice = order(&casino, &dora, &table, enter("2h")).await.unwrap_err();
            assert_eq!(
                twice.to_string(),
                "2♥ is already out: a deck has each card once (2.2.1)",
                "{backend:?}"
            );
        }
        // Gina gets the same answer wherever the card is, by either kind of order.
        let mut answers = std::collections::BTreeSet::new();
        for card in ["7s", "2h", "5h"] {
            answers.insert(order(&casino, &gina, &table, enter(card)).await.unwrap_err().to_string());
            let deal = Command::Deal { to: Place::Dealer, cards: cards(card) };
            answers.insert(order(&casino, &gina, &table, deal).await.unwrap_err().to_string());
        }
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(
            answers.iter().all(|told| told.contains("cannot be decided from the cards that you can see")),
            "{answers:?}"
        );
        let told: Vec<String> = attempts().await;
        assert!(told.len() == 4 && told.iter().all(|words| words.contains("staff:gina")), "{told:?}");
        // A card named twice in one order reveals nothing.
        let both = Command::Deal { to: Place::Dealer, cards: cards("9d 9d") };
        assert_eq!(order(&casino, &gina, &table, both).await.unwrap_err().code(), "refused");
        // The remaining cards are never shown.
        for staff in [&dora, &gina, &boss] {
            let view = casino.house.view(staff, &table).await.unwrap();
            assert!(view.legal.deals.is_some_and(|deals| deals.cards.is_empty()), "{staff}");
        }
        // A dealer no longer knows a card that was taken back and entered again by another.
        order(&casino, &dora, &table, enter("Kd")).await.unwrap();
        order(&casino, &dora, &table, Order::TakeBack).await.unwrap();
        order(&casino, &gina, &table, enter("Kd")).await.unwrap();
        assert_eq!(order(&casino, &dora, &table, enter("Kd")).await.unwrap_err().code(), "hidden");
        assert_eq!(order(&casino, &gina, &table, enter("Kd")).await.unwrap_err().code(), "refused");
        // Who entered what is on record: it survives a planned stop.
        let Casino { house, database, folder, .. } = casino;
        house.close().await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        let casino = Casino::on(database, folder).await;
        assert_eq!(
            order(&casino, &gina, &table, enter("2h")).await.unwrap_err().code(),
            "hidden",
            "{backend:?}"
        );
        assert_eq!(
            order(&casino, &dora, &table, enter("2h")).await.unwrap_err().code(),
            "refused",
            "{backend:?}"
        );
        clean(&casino).await;
    }
}

/// A player with two boxes walks away: the dealer records it once, and is not offered it again.
#[tokio::test(flavor = "multi_thread")]
async fn an_absent_player_is_recorded_once() {
    let casino = Casino::new(Backend::Sqlite).await;
    for (operator, family) in [("RWS", Family::Stud), ("RWS", Family::Holdem), ("MBS", Family::Holdem)] {
        let table = table_of(&casino, operator, family).await;
        let name = format!("ann-{}", table.as_str());
        let ann = casino.player(&name).await;
        let pit = casino.staff(&format!("pete-{}", table.as_str()), Duty::PitSupervisor).await;
        let dealer = casino.staff(&format!("dora-{}", table.as_str()), Duty::Dealer).await;
        order(&casino, &pit, &table, Order::SetPace { pace: Pace::Dealer }).await.unwrap();
        order(&casino, &dealer, &table, Command::Open).await.unwrap();
        let wagers = vec![chips(1, Area::Ante, 50), chips(3, Area::Ante, 50)];
        order(&casino, &ann, &table, Order::Bet { wagers }).await.unwrap();
        order(&casino, &dealer, &table, Command::Close).await.unwrap();
        order(&casino, &dealer, &table, Order::DealAll).await.unwrap();
        let offered = casino.house.view(&dealer, &table).await.unwrap().legal.absences;
        assert_eq!(offered, [BoxNumber(1), BoxNumber(3)]);
        order(&casino, &dealer, &table, Command::Absent { seat: BoxNumber(1) }).await.unwrap();
        let view = casino.house.view(&dealer, &table).await.unwrap();
        assert_eq!(view.legal.absences, [], "{table}");
        for seat in offered {
            let again = order(&casino, &dealer, &table, Command::Absent { seat }).await;
            assert_eq!(again.unwrap_err().code(), "refused", "{table}");
        }
        assert_eq!(
            casino.house.table(&table).await.unwrap().version,
            view.info.version,
            "nothing is written"
        );
    }
    clean(&casino).await;
}
