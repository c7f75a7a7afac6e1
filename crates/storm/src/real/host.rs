//! A host that is there to be killed: it plays rounds by itself, and notes what was answered.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use baize_house::{Actor, Answer, Chips, CommandId, House, HouseError, Order, PlayerId, TableId, load};
use baize_rules::{Area, BoxNumber};
use baize_table::Command;

use super::wrong;

/// Tables, each with a player of its own, for each host.
const TABLES: u32 = 4;

/// Opens the casino and plays until somebody kills this process.
///
/// # Errors
/// The casino does not open.
pub fn host(database: &str, answered: &Path, number: usize) -> io::Result<()> {
    let noted = Arc::new(OpenOptions::new().create(true).append(true).open(answered)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let house = House::open(database).await.map_err(wrong)?;
        let seats = load::set_up(&house, TABLES).await.map_err(wrong)?;
        let mut players = tokio::task::JoinSet::new();
        for (table, player) in seats {
            let (house, noted) = (house.clone(), Arc::clone(&noted));
            players.spawn(async move {
                let mut turn = 0_u64;
                loop {
                    turn += 1;
                    let went = act(&house, &table, &player, turn.wrapping_add(number as u64), &noted).await;
                    // Whatever fails is tried again: the house goes on by itself when its database is back.
                    let pause = if went.is_err() { 100 } else { 1 };
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                }
            });
        }
        while players.join_next().await.is_some() {}
        Ok(())
    })
}

/// One order of a player who plays whatever is offered. What was answered is noted before anything else happens.
async fn act(
    house: &House,
    table: &TableId,
    player: &PlayerId,
    turn: u64,
    mut noted: &std::fs::File,
) -> Answer<()> {
    let actor = Actor::player(player.clone());
    let view = house.view(&actor, table).await?;
    let seat_of = |seats: &[BoxNumber]| seats.first().copied();
    let order: Order = if let Some((seat, choice)) = view.legal.choices.first().copied() {
        Command::Choose { seat, player: None, choice }.into()
    } else if let Some(seat) = seat_of(&view.legal.folds).filter(|_| turn.is_multiple_of(3)) {
        Command::Fold { seat }.into()
    } else if view.info.phase == "betting" && view.orders.contains(&"ready") && turn.is_multiple_of(2) {
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
    } else if view.orders.contains(&"ready") {
        Order::Ready
    } else {
        return Err(HouseError::NotNow("nothing is offered"));
    };
    let id = CommandId::random();
    house.act(&actor, table, &id, order).await?;
    noted.write_all(format!("{id}.\n").as_bytes()).map_err(|error| HouseError::Unavailable(error.to_string()))
}
