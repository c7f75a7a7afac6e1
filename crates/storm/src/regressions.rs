//! Regression tests for bugs found by the storm, each written out by hand, because a seed gives a different casino whenever the simulation
//! changes.

mod entered;
mod replays;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use baize_cards::{Card, CardSet};
use baize_house::{
    Actor, Changed, Chips, CommandId, Duty, House, HouseError, JackpotConfig, JackpotId, Order, Pace,
    PlayerId, Receipt, StaffId, TableConfig, TableId,
};
use baize_journal::{KeyPlace, Vault};
use baize_rules::{Area, BoxNumber, Family, Money, Role, Rulebook};
use baize_table::{Command, PhaseName, Ruling, RulingKind, Staff};

use crate::clock::HostClock;
use crate::dice::Dice;
use crate::fault::Fault;
use crate::hosts::KEY;
use crate::store::HostStore;
use crate::world::World;

/// Runs a test in simulated time, on a server that several hosts share.
fn simulated<T: Future<Output = ()>>(test: impl FnOnce(Arc<World>) -> T) {
    simulated_on(false, test);
}

/// Runs a test in simulated time. `ordered`: on a file, which writes in the order of the calls.
fn simulated_on<T: Future<Output = ()>>(ordered: bool, test: impl FnOnce(Arc<World>) -> T) {
    // The program's file is read once, before any simulated time runs.
    drop(crate::program());
    let mut random = Dice::new(20);
    baize_journal::secret::seeded::from(Some(Box::new(move |bytes| random.fill(bytes))));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.unwrap().block_on(async { test(World::new(1, ordered)).await });
    baize_journal::secret::seeded::from(None);
}

async fn open(world: &Arc<World>, host: usize) -> Result<House, HouseError> {
    open_by(world, host, Arc::new(HostClock::new(world.began))).await
}

async fn open_by(world: &Arc<World>, host: usize, clock: Arc<HostClock>) -> Result<House, HouseError> {
    let vault = Vault::default();
    let store = Arc::new(HostStore::open(world, host, vault.clone()).await);
    House::open_on(store, vault, KeyPlace::Given(KEY.to_owned()), clock).await
}

async fn act(
    house: &House,
    actor: &Actor,
    table: &TableId,
    order: impl Into<Order>,
) -> Result<Receipt, HouseError> {
    house.act(actor, table, &CommandId::random(), order.into()).await
}

fn chips(area: Area, dollars: i32) -> Chips {
    Chips { seat: BOX, area, amount: Money::from_dollars(dollars) }
}

/// A table of this game with the jackpot of its operator.
async fn table(house: &House, book: &Rulebook, pace: Pace) -> TableId {
    table_named(house, book, pace, &format!("t-{}", book.short.to_lowercase())).await
}

async fn table_named(house: &House, book: &Rulebook, pace: Pace, name: &str) -> TableId {
    let jackpot: JackpotId = book.operator.parse().unwrap();
    if house.jackpots().await.unwrap().iter().all(|known| known.id != jackpot) {
        house.create_jackpot(&Actor::House, JackpotConfig::usual(jackpot.clone())).await.unwrap();
    }
    let id: TableId = name.parse().unwrap();
    let config = TableConfig { pace, ..TableConfig::usual(id.clone(), book, Some(jackpot)) };
    house.create_table(&Actor::House, config).await.unwrap();
    id
}

/// The only box in play.
const BOX: BoxNumber = BoxNumber(1);

const AUTO: Pace = Pace::Auto { betting_seconds: 20, decision_seconds: 20 };

async fn ann(house: &House) -> Actor {
    let id: PlayerId = "ann".parse().unwrap();
    house.create_player(&id, None, Money::from_dollars(1_000)).await.unwrap();
    Actor::player(id)
}

/// The first process after a stop dies at any moment of its opening, or the server goes away then, while another process waits. The other
/// one resolves every interrupted round that is left, whether or not the start of the first was recorded.
#[test]
fn an_interrupted_recovery_is_completed() {
    for server_goes in [false, true] {
        let (mut taken_up, mut unrecorded, mut cut) = (0, 0, 0);
        let mut whole = false;
        while !whole {
            cut += 1;
            simulated(|world| {
                let (taken_up, unrecorded, whole) = (&mut taken_up, &mut unrecorded, &mut whole);
                async move {
                    let house = open(&world, 0).await.unwrap();
                    let player = ann(&house).await;
                    let mut tables = Vec::new();
                    for book in Rulebook::builtins() {
                        let id = table(&house, book, AUTO).await;
                        act(&house, &player, &id, Order::Bet { wagers: vec![chips(Area::Ante, 5)] })
                            .await
                            .unwrap();
                        act(&house, &player, &id, Order::Ready).await.unwrap();
                        tables.push(id);
                    }
                    drop(house);
                    world.leave(0);
                    let before = world.state().database.entries.len();
                    // The first process is cut off here; its connection is still open when another comes.
                    *whole = crate::cancel::after(cut, {
                        let world = Arc::clone(&world);
                        async move { open(&world, 0).await }
                    })
                    .await
                    .is_some();
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    let said = |kind: &str| {
                        let kind = format!(",{kind},");
                        let state = world.state();
                        let fresh = state.database.entries.iter().skip(before);
                        fresh.filter(|entry| entry.kinds.contains(&kind)).count()
                    };
                    let (started, resolved) = (said("started"), said("interrupted"));
                    let coming = tokio::spawn({
                        let world = Arc::clone(&world);
                        async move { open(&world, 1).await }
                    });
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    assert_eq!(coming.is_finished(), *whole, "no host joins while another opens the casino");
                    if server_goes {
                        world.strike(Fault::ServerAway, None, 0, 1);
                    } else {
                        world.leave(0);
                    }
                    let other = coming.await.unwrap().unwrap();
                    assert_eq!(
                        said("interrupted"),
                        tables.len(),
                        "cut after {cut} polls: {resolved} were resolved"
                    );
                    *taken_up += usize::from(started > 0 && resolved < tables.len());
                    *unrecorded += usize::from(started == 0);
                    let audit = baize_audit::audit(&other).await.unwrap();
                    assert!(audit.is_clean(), "cut after {cut} polls: {:?}", audit.faults);
                }
            });
        }
        assert!(taken_up > 0, "none of {cut} was cut short between the start and the last table");
        assert!(unrecorded > 0, "none of {cut} was cut short before its start was on record");
    }
}

/// Another host withdraws a promised deck and promises a new one for the same round: the host that had the table in memory deals from the
/// new one.
#[test]
fn a_withdrawn_deck_is_not_dealt() {
    let dealt_from = |sabotage: Option<&'static str>| {
        let (mut cards, mut clean) = (Vec::new(), false);
        baize_journal::sabotage::put(sabotage);
        simulated(|world| {
            let (cards, clean) = (&mut cards, &mut clean);
            async move {
                let one = open(&world, 0).await.unwrap();
                let book = Rulebook::builtins().iter().find(|book| book.family == Family::Stud).unwrap();
                let (id, player) = (table(&one, book, AUTO).await, ann(&one).await);
                let two = open(&world, 1).await.unwrap();
                assert!(
                    two.view(&player, &id).await.unwrap().commitment.is_some(),
                    "a deck is in its memory"
                );
                let deck: Vec<Card> = CardSet::FULL.iter().collect();
                one.stack(&id, &deck).await.unwrap();
                act(&two, &player, &id, Order::Bet { wagers: vec![chips(Area::Ante, 5)] }).await.unwrap();
                act(&two, &player, &id, Order::Ready).await.unwrap();
                act(&two, &player, &id, Command::Fold { seat: BOX }).await.unwrap();
                let proof = two.view(&player, &id).await.unwrap().proof.unwrap();
                cards.extend(proof.cards.iter().filter_map(|one| one.card));
                *clean = proof.holds() && baize_audit::audit(&one).await.unwrap().is_clean();
            }
        });
        baize_journal::sabotage::put(None);
        (cards, clean)
    };
    let (cards, clean) = dealt_from(None);
    assert!(clean && !cards.is_empty());
    assert!(
        !dealt_from(Some("a deck that was promised anew is not read again")).1,
        "the proof or the audit tells"
    );
}

/// A tick is given up while its write is on the way, the next one queues its own behind it, and the first write fails: the second must not
/// take it for granted that the jackpot knows of the round's end.
#[test]
fn a_turn_that_is_given_up_leaves_nothing_in_the_jackpot() {
    simulated_on(true, |world| async move {
        let house = open(&world, 0).await.unwrap();
        let player = ann(&house).await;
        let book = Rulebook::builtins().iter().find(|book| book.family == Family::Stud).unwrap();
        let id = table(&house, book, AUTO).await;
        let ben: PlayerId = "ben".parse().unwrap();
        house.create_player(&ben, None, Money::from_dollars(1_000)).await.unwrap();
        let both = [(player, BOX), (Actor::player(ben), BoxNumber(2))];
        for number in 1..=2 {
            for (player, seat) in &both {
                let on = |area| Chips { seat: *seat, ..chips(area, 5) };
                let wagers = vec![on(Area::Ante), on(Area::Jackpot)];
                act(&house, player, &id, Order::Bet { wagers }).await.unwrap();
            }
            for (player, _) in &both {
                act(&house, player, &id, Order::Ready).await.unwrap();
            }
            assert_eq!(house.table(&id).await.unwrap().phase, PhaseName::Play, "round {number}");
            tokio::time::sleep(Duration::from_secs(21)).await;
            world.strike(Fault::WriteLate, Some(0), 1_000, 1);
            world.strike(Fault::WriteTorn, Some(0), 0, 1);
            let ticking = tokio::time::timeout(Duration::from_millis(500), house.tick()).await;
            assert!(ticking.is_err(), "the write is on its way: {ticking:?}");
            house.tick().await.unwrap();
            assert_eq!(house.table(&id).await.unwrap().phase, PhaseName::Finished);
        }
        let audit = baize_audit::audit(&house).await.unwrap();
        assert!(audit.is_clean(), "{:?}", audit.faults);
    });
}

/// Everyone left before the deal, with a jackpot wager on the table: the round can be finished.
#[test]
fn a_round_without_players_can_be_finished() {
    for book in Rulebook::builtins() {
        simulated(|world| async move {
            let house = open(&world, 0).await.unwrap();
            let (id, player) = (table(&house, book, Pace::Dealer).await, ann(&house).await);
            let dora: StaffId = "dora".parse().unwrap();
            house.create_staff(&Actor::House, &dora, None, &[Duty::Dealer]).await.unwrap();
            act(&house, &Actor::House, &id, Order::Assign { dealer: dora.clone() }).await.unwrap();
            let dealer = Actor::staff(dora, [Duty::Dealer]);
            act(&house, &dealer, &id, Command::Open).await.unwrap();
            let wagers = vec![chips(Area::Ante, 5), chips(Area::Jackpot, 5)];
            act(&house, &player, &id, Order::Bet { wagers }).await.unwrap();
            act(&house, &dealer, &id, Command::Close).await.unwrap();
            act(&house, &dealer, &id, Command::Absent { seat: BOX }).await.unwrap();
            // The dealer does what is offered until the round ends.
            for _ in 0..20 {
                let view = house.view(&dealer, &id).await.unwrap();
                let order: Order = if view.info.phase == PhaseName::Finished {
                    break;
                } else if view.legal.settle {
                    Command::Settle.into()
                } else if let Some(what) = view.legal.reveals.first().copied() {
                    Command::Reveal { what }.into()
                } else {
                    Order::DealAll
                };
                act(&house, &dealer, &id, order).await.unwrap();
            }
            let view = house.view(&dealer, &id).await.unwrap();
            assert_eq!(view.info.phase, PhaseName::Finished, "{}: {:?}", book.id, view.legal);
            let audit = baize_audit::audit(&house).await.unwrap();
            assert!(audit.is_clean(), "{}: {:?}", book.id, audit.faults);
        });
    }
}

/// One host closes the bets, and another, which was not notified, ends the round: the jackpot is informed, and the next round begins.
#[test]
fn a_jackpot_changed_by_another_host_learns_of_the_end_of_the_round() {
    for book in Rulebook::builtins() {
        simulated(|world| async move {
            let one = open(&world, 0).await.unwrap();
            let (id, player) = (table(&one, book, AUTO).await, ann(&one).await);
            let two = open(&world, 1).await.unwrap();
            assert_eq!(two.table(&id).await.unwrap().phase, PhaseName::Idle, "the table is in its memory");
            world.strike(Fault::NewsLost, None, 0, 1_000);
            for (first, second) in [(&one, &two), (&two, &one), (&one, &two)] {
                let wagers = vec![chips(Area::Ante, 5), chips(Area::Jackpot, 5)];
                act(first, &player, &id, Order::Bet { wagers }).await.unwrap();
                act(first, &player, &id, Order::Ready).await.unwrap();
                act(second, &player, &id, Command::Fold { seat: BOX }).await.unwrap();
                // The hosts poll for the end of the round before the next bets.
                tokio::time::sleep(Duration::from_secs(7)).await;
                assert_eq!(first.table(&id).await.unwrap().phase, PhaseName::Finished, "{}", book.id);
            }
            let audit = baize_audit::audit(&one).await.unwrap();
            assert!(audit.is_clean(), "{}: {:?}", book.id, audit.faults);
        });
    }
}

async fn staff(house: &House, name: &str, duty: Duty) -> Actor {
    let id: StaffId = name.parse().unwrap();
    house.create_staff(&Actor::House, &id, None, &[duty]).await.unwrap();
    Actor::staff(id, [duty])
}

fn ruling(kind: RulingKind) -> Command {
    let (by, reason) = (Staff::of(Role::ShiftManager), Some("staff saw it".to_owned()));
    Command::Rule(Ruling { kind, by, reason })
}

/// A client disconnects before the database answers: what it wrote is shown all the same, on the only host.
#[test]
fn writes_of_a_disconnected_client_are_shown() {
    simulated(|_| async move {
        let mut shown_late = 0;
        for polls in 1..12 {
            let world = World::new(1, true);
            let house = open(&world, 0).await.unwrap();
            let (id, player) = (table(&house, &Rulebook::builtins()[0], AUTO).await, ann(&house).await);
            let boss = staff(&house, "sue", Duty::ShiftManager).await;
            staff(&house, "dora", Duty::Dealer).await;
            let before = house.table(&id).await.unwrap().version;
            let bet = {
                let (house, id) = (house.clone(), id.clone());
                async move { act(&house, &player, &id, Order::Bet { wagers: vec![chips(Area::Ante, 5)] }).await }
            };
            let suspension = {
                let (house, boss) = (house.clone(), boss.clone());
                async move { house.suspend(&boss, &"dora".parse().unwrap(), "late").await }
            };
            let answered = crate::cancel::after(polls, bet).await.is_some();
            let suspended = crate::cancel::after(polls, suspension).await.is_some();
            tokio::time::sleep(Duration::from_secs(1)).await;
            let head = world.state().database.head(&baize_journal::Stream::table(&id)).version;
            assert_eq!(house.table(&id).await.unwrap().version, head, "after {polls} polls");
            let noted =
                world.state().database.entries.iter().any(|entry| entry.kinds.contains(",suspended,"));
            let known = house.staff(&boss).await.unwrap().iter().any(|one| one.suspended);
            assert_eq!(known, noted, "after {polls} polls");
            shown_late += usize::from(!answered && head > before) + usize::from(!suspended && noted);
        }
        assert!(
            shown_late > 1,
            "a request was dropped after its write was handed over, for a table and for the house"
        );
    });
}

/// A host reads another's entries, and the database does not answer when it asks for the new deck: once it answers again, the host shows
/// and announces what it has read.
#[test]
fn entries_read_before_an_outage_are_shown() {
    for book in Rulebook::builtins() {
        simulated(|world| async move {
            let one = open(&world, 0).await.unwrap();
            let (id, player) = (table(&one, book, AUTO).await, ann(&one).await);
            let two = open(&world, 1).await.unwrap();
            let mut heard = two.changes();
            let mut refused = 0;
            // A notification takes up to ten milliseconds, and each query up to two.
            for ms in 0..15 {
                for wait in 0..4 {
                    let wagers = vec![chips(Area::Ante, 5), chips(Area::Jackpot, 5)];
                    act(&one, &player, &id, Order::Bet { wagers }).await.unwrap();
                    act(&one, &player, &id, Order::Ready).await.unwrap();
                    tokio::time::sleep(Duration::from_secs(7)).await;
                    act(&one, &player, &id, Command::Fold { seat: BOX }).await.unwrap();
                    tokio::time::sleep(Duration::from_millis(ms)).await;
                    for _ in 0..wait {
                        tokio::task::yield_now().await;
                    }
                    let before = world.state().faults.get("refuses").copied().unwrap_or(0);
                    world.strike(Fault::Refuses, Some(1), 0, 1);
                    tokio::time::sleep(Duration::from_millis(30)).await;
                    refused += world.state().faults.get("refuses").copied().unwrap_or(0) - before;
                    world.heal();
                    tokio::time::sleep(Duration::from_secs(7)).await;
                    let head = world.state().database.head(&baize_journal::Stream::table(&id)).version;
                    assert_eq!(two.table(&id).await.unwrap().version, head, "{}: after {ms} ms", book.id);
                    let mut announced = 0;
                    while let Ok(change) = heard.try_recv() {
                        if change.what == Changed::Table(id.clone()) {
                            announced = change.version;
                        }
                    }
                    assert_eq!(announced, head, "{}: after {ms} ms", book.id);
                }
            }
            assert!(refused > 5, "{refused} questions were refused");
        });
    }
}

/// A client repeats a command id after the table has changed, stating the table's new version: it gets the first answer. A new order for an
/// old version is refused.
#[test]
fn a_repeated_order_for_another_version_gets_the_first_answer() {
    simulated(|world| async move {
        let house = open(&world, 0).await.unwrap();
        let (id, player) = (table(&house, &Rulebook::builtins()[0], AUTO).await, ann(&house).await);
        let old = house.table(&id).await.unwrap().version;
        let (command, bet) = (CommandId::random(), Order::Bet { wagers: vec![chips(Area::Ante, 5)] });
        act(&house, &player, &id, Order::Sit { seat: None }).await.unwrap();
        let first = house.act_at(&player, &id, &command, bet.clone(), None).await.unwrap();
        let again = house.act_at(&player, &id, &command, bet.clone(), Some(old)).await.unwrap();
        assert_eq!((first.version, first.round), (again.version, again.round));
        let new = house.act_at(&player, &id, &CommandId::random(), bet, Some(old)).await;
        assert!(matches!(new, Err(HouseError::Stale { .. })), "{new:?}");
    });
}
