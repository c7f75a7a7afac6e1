//! Jackpot hits: locked, verified, confirmed by another person, paid; and jackpots that cannot be used.

use baize_house::{Actor, Duty, HouseError, Order, Shoe};
use baize_rules::{Area, BoxNumber, Family, Money, Reveal, Role};
use baize_table::{Command, Place, Player, Ruling, RulingKind, Staff};

use crate::dealer::with_dealer;
use crate::support::{Backend, Casino, cents, chips, clean, order, table_of};

pub(crate) async fn royal(casino: &Casino) -> (Actor, Actor, baize_house::TableId) {
    let table = table_of(casino, "RWS", Family::Stud).await;
    let ann = casino.player("ann").await;
    let dealer = with_dealer(casino, &table, Shoe::Entered).await;
    order(casino, &dealer, &table, Command::Open).await.unwrap();
    let wagers = vec![chips(1, Area::Ante, 50), chips(1, Area::Jackpot, 5)];
    order(casino, &ann, &table, Order::Bet { wagers }).await.unwrap();
    order(casino, &dealer, &table, Command::Close).await.unwrap();
    let cards = |text: &str| text.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<_>>();
    for (to, text) in [(Place::Box(BoxNumber(1)), "Th Jh Qh Kh Ah"), (Place::Dealer, "2c 3d 5s 8s 9c")] {
        order(casino, &dealer, &table, Command::Deal { to, cards: cards(text) }).await.unwrap();
    }
    order(casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Bet, 100)] }).await.unwrap();
    order(casino, &dealer, &table, Command::Reveal { what: Reveal::Dealer }).await.unwrap();
    order(casino, &dealer, &table, Command::Settle).await.unwrap();
    (ann, dealer, table)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_award_needs_two_people() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let (ann, dealer, table) = royal(&casino).await;
        let jackpots = casino.house.jackpots().await.unwrap();
        let jackpot = jackpots.iter().find(|jackpot| !jackpot.pending.is_empty()).unwrap().clone();
        let hit = &jackpot.pending[0];
        assert!(hit.top && hit.needs_confirmation);
        assert!(hit.amount >= Money::from_dollars(100_000), "the value is locked: {}", hit.amount);
        assert_eq!(jackpot.displayed, Money::from_dollars(100_000), "the meter goes on from its reset value");
        let before = cents(&casino, &ann).await;
        assert_eq!(order(&casino, &dealer, &table, Command::Open).await.unwrap_err().code(), "refused");
        let (one, two) =
            (casino.staff("sue", Duty::ShiftManager).await, casino.staff("max", Duty::ShiftManager).await);
        let verify = casino.house.verify_hit(&dealer, &jackpot.id, hit.number).await;
        assert_eq!(verify.unwrap_err().code(), "forbidden");
        let under = |casino: &Casino, id: &str| casino.house.for_request(Some(id.parse().unwrap()), None);
        for _ in 0..2 {
            under(&casino, "v1").verify_hit(&one, &jackpot.id, hit.number).await.unwrap();
        }
        let reused = under(&casino, "v1").reject_hit(&one, &jackpot.id, hit.number, "no").await;
        assert_eq!(reused.unwrap_err().code(), "command-reused");
        assert_eq!(
            casino.house.confirm_hit(&one, &jackpot.id, hit.number).await.unwrap_err().code(),
            "jackpot"
        );
        assert_eq!(cents(&casino, &ann).await, before);
        clean(&casino).await;
        let casino = casino.after_a_crash().await;
        // Nor by someone who depends on the first person.
        let boss = Actor::staff("sue".parse().unwrap(), [Duty::ShiftManager]);
        let id: baize_house::StaffId = "puppet".parse().unwrap();
        casino.house.create_staff(&boss, &id, Some("correct horse"), &[Duty::PitSupervisor]).await.unwrap();
        let puppet = Actor::staff(id, [Duty::PitSupervisor]);
        let refused = casino.house.confirm_hit(&puppet, &jackpot.id, hit.number).await;
        assert!(matches!(refused, Err(HouseError::NotTwoPersons(_))), "{refused:?}");
        let dealer_link = casino.house.one_time_link(&boss, &dealer).await;
        assert!(dealer_link.is_ok(), "{dealer_link:?}");
        let raised: baize_house::StaffId = "dora".parse().unwrap();
        casino.house.set_duties(&boss, &raised, &[Duty::PitSupervisor]).await.unwrap();
        let raised = Actor::staff(raised, [Duty::PitSupervisor]);
        let refused = casino.house.confirm_hit(&raised, &jackpot.id, hit.number).await;
        assert!(matches!(refused, Err(HouseError::NotTwoPersons(_))), "{refused:?}");
        for _ in 0..2 {
            under(&casino, "c1").confirm_hit(&two, &jackpot.id, hit.number).await.unwrap();
        }
        assert_eq!(cents(&casino, &ann).await, before + hit.amount.cents());
        let last = casino.house.jackpots().await.unwrap();
        let last = last.into_iter().find(|j| j.id == jackpot.id).unwrap();
        assert!(last.pending.is_empty());
        assert_eq!(last.hits[0].state, baize_house::HitStatus::Paid);
        assert_eq!(last.hits[0].confirmed_by.as_deref(), Some("max"));
        order(&casino, &dealer, &table, Command::Open).await.unwrap();
        clean(&casino).await;
        let id = baize_house::RoundId { table, number: 1 };
        let script = casino.house.export(&id).await.unwrap();
        assert!(script.contains("expect 1 jackpot win"), "{script}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_hit_releases_its_amount() {
    let casino = Casino::new(Backend::Sqlite).await;
    let (ann, _, _) = royal(&casino).await;
    let jackpots = casino.house.jackpots().await.unwrap();
    let jackpot = jackpots.iter().find(|jackpot| !jackpot.pending.is_empty()).unwrap().clone();
    let before = cents(&casino, &ann).await;
    let pit = casino.staff("sue", Duty::PitSupervisor).await;
    casino
        .house
        .reject_hit(&pit, &jackpot.id, jackpot.pending[0].number, "the deck was short")
        .await
        .unwrap();
    assert_eq!(cents(&casino, &ann).await, before);
    let after = casino.house.jackpots().await.unwrap().into_iter().find(|j| j.id == jackpot.id).unwrap();
    assert!(after.displayed >= jackpot.pending[0].amount);
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_without_a_jackpot_takes_no_jackpot_wagers() {
    let casino = Casino::new(Backend::Sqlite).await;
    let id: baize_house::TableId = "lonely".parse().unwrap();
    let book = &baize_rules::Rulebook::builtins()[0];
    let config = baize_house::TableConfig::usual(id.clone(), book, None);
    casino.house.create_table(&Actor::House, config).await.unwrap();
    let ann = casino.player("ann").await;
    let wagers = vec![chips(1, Area::Ante, 50), chips(1, Area::Jackpot, 5)];
    let refused = order(&casino, &ann, &id, Order::Bet { wagers }).await;
    assert!(matches!(refused, Err(HouseError::NotNow(_))), "{refused:?}");
    assert_eq!(cents(&casino, &ann).await, 1_000_000, "all or none");
    assert!(casino.house.table(&id).await.unwrap().jackpot_wager.is_none());
    clean(&casino).await;
}

/// The only jackpot wager of the round, on a folded hand, is returned to a player who is barred.
#[tokio::test(flavor = "multi_thread")]
async fn a_wager_handed_back_during_the_round_leaves_the_meter() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "MBS", Family::Stud).await;
    let shown = async || -> Money {
        casino.house.jackpots().await.unwrap().iter().map(|jackpot| jackpot.displayed).sum()
    };
    let before = shown().await;
    let (ann, manager) = (casino.player("ann").await, casino.staff("max", Duty::ShiftManager).await);
    let dealer = with_dealer(&casino, &table, Shoe::Entered).await;
    order(&casino, &dealer, &table, Command::Open).await.unwrap();
    let wagers = vec![chips(1, Area::Ante, 50), chips(1, Area::Jackpot, 5)];
    order(&casino, &ann, &table, Order::Bet { wagers }).await.unwrap();
    order(&casino, &dealer, &table, Command::Close).await.unwrap();
    assert!(shown().await > before);
    let cards = |text: &str| text.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<_>>();
    for (to, text) in [(Place::Box(BoxNumber(1)), "Th Jh Qh Kh 2d"), (Place::Dealer, "2c 3d 5s 8s 9c")] {
        order(&casino, &dealer, &table, Command::Deal { to, cards: cards(text) }).await.unwrap();
    }
    order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
    let barred = Ruling {
        kind: RulingKind::Bar(Player::from("ann")),
        by: Staff::of(Role::ShiftManager),
        reason: None,
    };
    order(&casino, &manager, &table, Command::Rule(barred)).await.unwrap();
    assert_eq!(shown().await, before, "at once");
    order(&casino, &dealer, &table, Command::Settle).await.unwrap();
    assert_eq!(cents(&casino, &ann).await, 995_000, "the ante is lost, the jackpot wager is back");
    assert_eq!(shown().await, before);
    clean(&casino).await;
}

/// RS 5.18.2: after a fault no round opens until a decision is made. With the faulty box barred, the other boxes can bet on the jackpot,
/// also after the table was closed and reopened.
#[tokio::test(flavor = "multi_thread")]
async fn other_boxes_bet_on_the_jackpot_after_a_fault() {
    let decided = [RulingKind::BarBox(BoxNumber(2)), RulingKind::JackpotRestored, RulingKind::CloseTable];
    for kind in decided {
        let casino = Casino::new(Backend::Sqlite).await;
        let table = table_of(&casino, "RWS", Family::Stud).await;
        let (ann, ben) = (casino.player("ann").await, casino.player("ben").await);
        let manager = casino.staff("max", Duty::ShiftManager).await;
        let dealer = with_dealer(&casino, &table, Shoe::Entered).await;
        let both = |seat| vec![chips(seat, Area::Ante, 50), chips(seat, Area::Jackpot, 5)];
        order(&casino, &dealer, &table, Command::Open).await.unwrap();
        order(&casino, &ann, &table, Order::Bet { wagers: both(2) }).await.unwrap();
        order(&casino, &dealer, &table, Command::Close).await.unwrap();
        let cards: Vec<_> = "Tc 8d 6h 5s 3c".split(' ').map(|card| card.parse().unwrap()).collect();
        order(&casino, &dealer, &table, Command::Deal { to: Place::Box(BoxNumber(2)), cards }).await.unwrap();
        let facts = baize_table::Facts { seen: Some(false), ..baize_table::Facts::default() };
        let by = Staff::of(Role::ShiftManager);
        let kind_of_report = baize_rules::IrregularityKind::JackpotFault;
        let report = baize_table::Report { kind: kind_of_report, seat: None, facts, by: by.clone() };
        order(&casino, &manager, &table, Command::Report(report)).await.unwrap();
        assert_eq!(order(&casino, &dealer, &table, Command::Open).await.unwrap_err().code(), "refused");
        let ruling = Ruling { kind: kind.clone(), by, reason: None };
        order(&casino, &manager, &table, Command::Rule(ruling)).await.unwrap();
        if kind == RulingKind::CloseTable {
            order(&casino, &manager, &table, Order::Reopen).await.unwrap();
        }
        order(&casino, &dealer, &table, Command::Open).await.unwrap();
        let ante = Order::Bet { wagers: vec![chips(3, Area::Ante, 50)] };
        order(&casino, &ben, &table, ante).await.unwrap();
        let offered = casino.house.view(&ben, &table).await.unwrap().legal.wagers;
        assert!(
            offered.iter().any(|wager| wager.seat == BoxNumber(3) && wager.area == Area::Jackpot),
            "{kind:?}"
        );
        let wager = Order::Bet { wagers: vec![chips(3, Area::Jackpot, 5)] };
        order(&casino, &ben, &table, wager).await.unwrap();
        order(&casino, &dealer, &table, Command::Close).await.unwrap();
        clean(&casino).await;
    }
}

/// RS 5.18.1: while a fault is undecided or wagers are refused, none is offered.
#[tokio::test(flavor = "multi_thread")]
async fn a_wager_that_would_be_refused_is_not_offered() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let manager = casino.staff("max", Duty::ShiftManager).await;
    let ann = casino.player("ann").await;
    let info = casino.house.table(&table).await.unwrap();
    let (from, into) = (info.jackpot.clone().unwrap(), "elsewhere".parse().unwrap());
    let config = baize_house::JackpotConfig {
        wager: info.jackpot_wager.unwrap(),
        ..baize_house::JackpotConfig::usual(into)
    };
    let into = config.id.clone();
    casino.house.create_jackpot(&manager, config).await.unwrap();
    casino.house.close_jackpot(&manager, &from, &into).await.unwrap();
    assert!(casino.house.table(&table).await.unwrap().jackpot_wager.is_none());
    order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Ante, 50)] }).await.unwrap();
    let offered = casino.house.view(&ann, &table).await.unwrap().legal.wagers;
    assert!(offered.iter().all(|wager| wager.area != Area::Jackpot));
    let refused = order(&casino, &ann, &table, Order::Bet { wagers: vec![chips(1, Area::Jackpot, 5)] }).await;
    assert_eq!(refused.unwrap_err().code(), "jackpot-away");
    clean(&casino).await;
}
