//! Regression tests: tables whose dealer enters the cards, and jackpots won there.

use std::sync::Arc;

use baize_cards::Card;
use baize_house::{
    Actor, CommandId, Duty, House, HouseError, JackpotId, Order, Pace, RoundId, Shoe, TableId,
};
use baize_journal::{KeyPlace, Vault};
use baize_rules::{Area, Family, IrregularityKind, Reveal, Role, Rulebook};
use baize_table::{Command, Due, Facts, PhaseName, Place, Report, RulingKind, Staff};

use super::replays::check_replay;
use super::{BOX, act, ann, chips, open, open_by, ruling, simulated, staff, table, table_named};
use crate::clock::HostClock;
use crate::hosts::KEY;
use crate::oracle::Books;
use crate::world::World;

/// A stud game of this casino's jackpot, in which a royal flush wins all of it.
fn stud() -> &'static Rulebook {
    let stud = |book: &&Rulebook| book.family == Family::Stud && book.operator == "MBS";
    Rulebook::builtins().iter().find(stud).unwrap()
}

/// Opens a round at a table whose dealer enters the cards, and closes the bets: ann has an ante and a jackpot wager.
async fn entered_round(house: &House, dealer: &Actor, player: &Actor, id: &TableId) {
    act(house, dealer, id, Command::Open).await.unwrap();
    let wagers = vec![chips(Area::Ante, 5), chips(Area::Jackpot, 5)];
    act(house, player, id, Order::Bet { wagers }).await.unwrap();
    act(house, dealer, id, Command::Close).await.unwrap();
}

fn cards(of: &str) -> Vec<Card> {
    of.split(' ').map(|card| card.parse().unwrap()).collect()
}

/// A round at a stud table in which box 1 wins the jackpot.
async fn royal(house: &House, dealer: &Actor, player: &Actor, id: &TableId) {
    entered_round(house, dealer, player, id).await;
    let deal = |to: Place, of: &str| Command::Deal { to, cards: cards(of) };
    act(house, dealer, id, deal(Place::Box(BOX), "Ts Js Qs Ks As")).await.unwrap();
    act(house, dealer, id, deal(Place::Dealer, "8s 2s 2d Qc Td")).await.unwrap();
    act(house, player, id, Command::Look { seat: BOX }).await.unwrap();
    act(house, player, id, Order::Bet { wagers: vec![chips(Area::Bet, 10)] }).await.unwrap();
    act(house, dealer, id, Command::Reveal { what: Reveal::Dealer }).await.unwrap();
    act(house, dealer, id, Command::Settle).await.unwrap();
}

/// Dealer and Pit Supervisor of tables where the dealer enters the cards.
async fn dealer_and_pit(house: &House, tables: &[&TableId]) -> (Actor, Actor) {
    let dealer = staff(house, "dora", Duty::Dealer).await;
    let pit = staff(house, "pete", Duty::PitSupervisor).await;
    for id in tables {
        act(house, &Actor::House, id, Order::Assign { dealer: "dora".parse().unwrap() }).await.unwrap();
        act(house, &pit, id, Order::SetShoe { shoe: Shoe::Entered }).await.unwrap();
    }
    (dealer, pit)
}

/// A stud table where box 1 has won the jackpot: the house, its pit and the round.
pub(super) async fn won(world: &Arc<World>, clock: Arc<HostClock>) -> (House, Actor, JackpotId, RoundId) {
    let house = open_by(world, 0, clock).await.unwrap();
    let (id, player) = (table(&house, stud(), Pace::Dealer).await, ann(&house).await);
    let (dealer, pit) = dealer_and_pit(&house, &[&id]).await;
    royal(&house, &dealer, &player, &id).await;
    (house, pit, stud().operator.parse().unwrap(), RoundId { table: id, number: 1 })
}

pub(super) async fn hit(house: &House) -> u64 {
    house.jackpots().await.unwrap().iter().find_map(|one| one.pending.first().map(|hit| hit.number)).unwrap()
}

/// The clock jumps while a supervisor verifies a winning hand: the house records the jump, not under the id of that request, and the
/// verification succeeds.
#[test]
fn verifying_a_hit_succeeds_while_the_clock_jumps() {
    simulated(|world| async move {
        let clock = Arc::new(HostClock::new(world.began));
        let (house, pit, jackpot, _) = won(&world, Arc::clone(&clock)).await;
        let hit = hit(&house).await;
        clock.jump(3_600_000);
        let request = CommandId::random();
        for _ in 0..2 {
            let asked = house.for_request(Some(request.clone()), None);
            assert_eq!(asked.verify_hit(&pit, &jackpot, hit).await, Ok(()));
        }
        let state = world.state();
        let jumped =
            state.database.entries.iter().find(|entry| entry.kinds.contains(",clock-jumped,")).unwrap();
        assert_eq!(jumped.command, None, "nobody asked for it");
    });
}

/// Differences between the second bookkeeping and the accounts.
fn check_books(world: &World) -> Vec<String> {
    let vault = Vault::default();
    vault.take(Arc::new(KeyPlace::Given(KEY.to_owned()).find(None).unwrap().unwrap()));
    let database = world.state().database.clone();
    let entries = database.entries.iter().map(|entry| (**entry).clone()).collect();
    let mut books = Books::default();
    let mut wrong = books.enter_all(&vault.open_bodies(entries));
    wrong.extend(books.against(&database.balances));
    wrong
}

/// A jackpot is won, a second table closes its bets, the win is rejected, and a third table wins the jackpot. Then the second table's round
/// is voided: its contribution went into the reset and stays there (I-11).
#[test]
fn a_contribution_stays_after_a_rejected_and_a_second_win() {
    simulated(|world| async move {
        let house = open(&world, 0).await.unwrap();
        let first = table_named(&house, stud(), Pace::Dealer, "first").await;
        let second = table_named(&house, stud(), Pace::Dealer, "second").await;
        let third = table_named(&house, stud(), Pace::Dealer, "third").await;
        let (player, boss) = (ann(&house).await, staff(&house, "sue", Duty::ShiftManager).await);
        let (dealer, pit) = dealer_and_pit(&house, &[&first, &second, &third]).await;
        royal(&house, &dealer, &player, &first).await;
        entered_round(&house, &dealer, &player, &second).await;
        let jackpot: JackpotId = stud().operator.parse().unwrap();
        house.reject_hit(&pit, &jackpot, hit(&house).await, "not as claimed").await.unwrap();
        royal(&house, &dealer, &player, &third).await;
        let report = Report {
            kind: IrregularityKind::Other,
            seat: None,
            facts: Facts::default(),
            by: Staff::of(Role::ShiftManager),
        };
        act(&house, &boss, &second, Command::Report(report)).await.unwrap();
        act(&house, &boss, &second, ruling(RulingKind::Void)).await.unwrap();
        assert_eq!(check_books(&world), Vec::<String>::new());
        let kept = world.state().database.entries.iter().any(|entry| entry.kinds.contains("-kept,"));
        assert!(kept, "the contribution stays");
    });
}

/// A jackpot is won, and won again at another table while the first award is pending: the second is paid from the reset value and what came
/// in until it was entered, and its round replays from its script.
#[test]
fn a_round_with_an_award_behind_another_tables_replays() {
    simulated(|world| async move {
        let house = open(&world, 0).await.unwrap();
        let first = table_named(&house, stud(), Pace::Dealer, "first").await;
        let second = table_named(&house, stud(), Pace::Dealer, "second").await;
        let (player, boss) = (ann(&house).await, staff(&house, "sue", Duty::ShiftManager).await);
        let (dealer, pit) = dealer_and_pit(&house, &[&first, &second]).await;
        let jackpot: JackpotId = stud().operator.parse().unwrap();
        royal(&house, &dealer, &player, &first).await;
        royal(&house, &dealer, &player, &second).await;
        for table in [&first, &second] {
            let pending = hit(&house).await;
            house.verify_hit(&pit, &jackpot, pending).await.unwrap();
            house.confirm_hit(&boss, &jackpot, pending).await.unwrap();
            house.tick().await.unwrap();
            check_replay(&house, &RoundId { table: table.clone(), number: 1 }).await;
        }
    });
}

/// A dealer takes a burnt card back while another enters the next one. The entry states the page's version and is refused. Without a
/// version the card is burnt instead; the dealer takes it back, and the round continues.
#[test]
fn a_card_entered_while_another_is_taken_back_does_not_block_the_round() {
    simulated(|world| async move {
        let house = open(&world, 0).await.unwrap();
        let burns = |book: &&Rulebook| book.family == Family::Stud && book.operator == "RWS";
        let book = Rulebook::builtins().iter().find(burns).unwrap();
        let (id, player) = (table(&house, book, Pace::Dealer).await, ann(&house).await);
        let (dealer, _) = dealer_and_pit(&house, &[&id]).await;
        let other = staff(&house, "otto", Duty::Dealer).await;
        act(&house, &Actor::House, &id, Order::Assign { dealer: "otto".parse().unwrap() }).await.unwrap();
        entered_round(&house, &dealer, &player, &id).await;
        let enter = |of: &str| Order::EnterCards { cards: cards(of) };
        act(&house, &dealer, &id, enter("2c")).await.unwrap();
        let version = house.table(&id).await.unwrap().version;
        act(&house, &other, &id, Order::TakeBack).await.unwrap();
        let stale = house.act_at(&dealer, &id, &CommandId::random(), enter("5c"), Some(version)).await;
        assert!(matches!(stale, Err(HouseError::Stale { .. })), "{stale:?}");
        act(&house, &dealer, &id, enter("5c")).await.unwrap();
        assert!(act(&house, &dealer, &id, enter("5c")).await.is_err(), "it is burnt");
        act(&house, &dealer, &id, Order::TakeBack).await.unwrap();
        for of in "2c 5c 6d 7h 8s 9c Td Jh Qs Kc Ad".split(' ') {
            act(&house, &dealer, &id, enter(of)).await.unwrap();
        }
        act(&house, &player, &id, Command::Fold { seat: BOX }).await.unwrap();
        act(&house, &dealer, &id, Command::Settle).await.unwrap();
        assert_eq!(house.table(&id).await.unwrap().phase, PhaseName::Finished);
    });
}

/// Two dealers enter the flop without stating a version: six cards are on the board. The table asks for a report, which ends the round.
#[test]
fn a_flop_entered_twice_is_reported() {
    for book in Rulebook::builtins().iter().filter(|book| book.family == Family::Holdem) {
        simulated(|world| async move {
            let house = open(&world, 0).await.unwrap();
            let (id, player) = (table(&house, book, Pace::Dealer).await, ann(&house).await);
            let (dealer, pit) = dealer_and_pit(&house, &[&id]).await;
            let boss = staff(&house, "sue", Duty::ShiftManager).await;
            entered_round(&house, &dealer, &player, &id).await;
            let deal = |of: &str| Command::Deal { to: Place::Board, cards: cards(of) };
            act(&house, &dealer, &id, deal("2c 3d 4h")).await.unwrap();
            act(&house, &dealer, &id, deal("7s 8c 9d")).await.unwrap();
            let view = house.view(&pit, &id).await.unwrap();
            assert!(matches!(view.legal.due, Some(Due::Report { .. })), "{}: {:?}", book.id, view.legal.due);
            let mut refused = Vec::new();
            for kind in view.reportable.iter().map(|what| what.kind) {
                let facts = Facts { count: Some(1), reconstructable: Some(false), ..Facts::default() };
                let report = Report { kind, seat: None, facts, by: Staff::of(Role::ShiftManager) };
                if let Err(why) = act(&house, &boss, &id, Command::Report(report)).await {
                    refused.push(why);
                }
                if house.table(&id).await.unwrap().waiting {
                    act(&house, &boss, &id, ruling(RulingKind::Void)).await.unwrap();
                }
                if house.table(&id).await.unwrap().phase == PhaseName::Finished {
                    return;
                }
            }
            panic!("{}: no report ends the round: {refused:?}", book.id);
        });
    }
}
