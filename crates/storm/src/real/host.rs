//! A host that will be killed: plays rounds and logs its requests and answers.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use baize_house::{
    Actor, Answer, Chips, CommandId, House, HouseError, Order, OrderKind, PlayerId, TableId, load,
};
use baize_rules::{Area, BoxNumber};
use baize_table::{Command, PhaseName};

use super::notes::{self, Answered, LoggedOrder, Notes};
use super::wrong;

/// Tables per host, each with one player.
const TABLES: u32 = 4;

/// Delay before an order with unknown outcome is sent again.
const AGAIN: Duration = Duration::from_millis(100);

/// Opens the casino and plays until the process is killed. First repeats the unanswered orders of its predecessor with their ids.
///
/// # Errors
/// The casino does not open.
pub fn host(database: &str, folder: &Path, number: usize) -> io::Result<()> {
    let earlier = std::fs::read_to_string(notes::place(folder, number)).unwrap_or_default();
    let noted = Arc::new(Notes::open(folder, number)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let house = House::open(database).await.map_err(wrong)?;
        let seats = load::set_up(&house, TABLES).await.map_err(wrong)?;
        for (asked, answered) in notes::read(&earlier).into_values() {
            if answered.is_none() {
                send(&house, &asked, &noted).await?;
            }
        }
        let mut players = tokio::task::JoinSet::new();
        for (table, player) in seats {
            let (house, noted) = (house.clone(), Arc::clone(&noted));
            players.spawn(async move {
                let mut turn = 0_u64;
                loop {
                    turn += 1;
                    let wanted = wanted(&house, &table, &player, turn.wrapping_add(number as u64)).await;
                    // Failures are retried: the house recovers when its database is back.
                    let pause = match wanted {
                        Err(_) => 100,
                        Ok(order) => {
                            let id = CommandId::random();
                            let asked =
                                LoggedOrder { id, table: table.clone(), player: player.clone(), order };
                            noted.asks(&asked)?;
                            send(&house, &asked, &noted).await?;
                            1
                        }
                    };
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                }
            });
        }
        // A player's task ends only when the log cannot be written.
        while let Some(ended) = players.join_next().await {
            ended.map_err(wrong).and_then(|ended: io::Result<()>| ended)?;
        }
        Ok(())
    })
}

/// Sends an order until its outcome is known, and logs it.
async fn send(house: &House, asked: &LoggedOrder, noted: &Notes) -> io::Result<()> {
    let actor = Actor::player(asked.player.clone());
    loop {
        let answered = match house.act(&actor, &asked.table, &asked.id, asked.order.clone()).await {
            Ok(receipt) => Answered::Done(receipt.version),
            Err(HouseError::NotKnown { .. } | HouseError::Unavailable(_)) => {
                tokio::time::sleep(AGAIN).await;
                continue;
            }
            Err(_) => Answered::Refused,
        };
        return noted.answers(&asked.id, answered);
    }
}

/// An order that the house offers the player.
async fn wanted(house: &House, table: &TableId, player: &PlayerId, turn: u64) -> Answer<Order> {
    let view = house.view(&Actor::player(player.clone()), table).await?;
    let seat_of = |seats: &[BoxNumber]| seats.first().copied();
    Ok(if let Some((seat, choice)) = view.legal.choices.first().copied() {
        Command::Choose { seat, player: None, choice }.into()
    } else if let Some(seat) = seat_of(&view.legal.folds).filter(|_| turn.is_multiple_of(3)) {
        Command::Fold { seat }.into()
    } else if view.info.phase == PhaseName::Betting
        && view.orders.contains(&OrderKind::Ready)
        && turn.is_multiple_of(2)
    {
        Order::Ready
    } else if let Some(wager) = view
        .legal
        .wagers
        .iter()
        .find(|wager| wager.area == Area::Jackpot && turn % 4 == 1)
        .or_else(|| view.legal.wagers.first())
    {
        Order::Bet { wagers: vec![Chips { seat: wager.seat, area: wager.area, amount: wager.amounts.from }] }
    } else if let Some(seat) = seat_of(&view.legal.checks) {
        Command::Check { seat }.into()
    } else if let Some(seat) = seat_of(&view.legal.looks) {
        Command::Look { seat }.into()
    } else if view.orders.contains(&OrderKind::Ready) {
        Order::Ready
    } else {
        return Err(HouseError::NotNow("nothing is offered"));
    })
}
