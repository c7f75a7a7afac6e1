//! No table is stuck: once faults have stopped, every round can be brought to its end.

use std::time::Duration;

use baize_house::{Actor, House, TableId};
use baize_table::PhaseName;

use crate::act::Act;
use crate::casino::{Casino, locked};
use crate::cast::command;
use crate::dice::Dice;
use crate::oracle::Ended;
use crate::people::Person;

/// Maximum number of orders to finish a round.
const MAX_ORDERS: u64 = 400;

impl Casino {
    /// Finishes every round and reports those that cannot be finished.
    pub(crate) async fn finish_all_rounds(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut stuck = Vec::new();
        for table in &self.cast.tables {
            if let Err(why) = self.finish(table).await {
                wrong.push(format!("table {table} is stuck: {why}"));
                stuck.push(table.as_str());
            }
        }
        if !stuck.is_empty() {
            let database = self.hosts.world.state().database.clone();
            wrong.extend(self.check_books(&database));
            let books = locked(&self.books);
            wrong.extend(stuck.iter().filter_map(|table| books.stands(table)));
        }
        wrong
    }

    async fn finish(&self, table: &TableId) -> Result<(), String> {
        let (mut idle, mut refused) = (0, 0);
        let mut last = String::new();
        for turn in 0..MAX_ORDERS {
            let Some(host) = self.hosts.open_host(0) else { return Err("no host is open".to_owned()) };
            let Some(house) = self.hosts.house(host) else { continue };
            let info = house.table(table).await.map_err(|error| error.to_string())?;
            if info.phase != PhaseName::Betting && info.phase != PhaseName::Play && !info.waiting {
                return Ok(());
            }
            if info.phase == PhaseName::Betting
                && house.view(&Actor::Public, table).await.is_ok_and(|view| view.round.boxes.is_empty())
            {
                // Bets are open without any bet: nobody is waiting for this round.
                return Ok(());
            }
            let wanted = self.next_act(&house, table, turn, refused).await;
            match wanted {
                Some((actor, act)) => {
                    let id = command(&format!("end-{table}-{turn}"));
                    let ended = self.send(&mut Dice::new(turn), &actor, &act, &id, None).await;
                    if let Ended::Refused("refused" | "hidden") = ended {
                        refused += 1;
                    } else if ended != Ended::Refused("stale") {
                        refused = 0;
                    }
                    last = format!("{actor:?} {act:?}: {ended:?}");
                }
                None => idle += 1,
            }
            if turn % 8 == 7 || idle > 0 {
                tokio::time::sleep(Duration::from_secs(12)).await;
                self.tick_all().await;
            }
            if idle > 6 {
                let stands = self.stands(&house, table).await;
                return Err(format!(
                    "nobody can do anything in phase {}; last: {last}; {stands}",
                    info.phase
                ));
            }
        }
        let house = self.hosts.open_host(0).and_then(|host| self.hosts.house(host));
        let stands = match house {
            Some(house) => self.stands(&house, table).await,
            None => String::new(),
        };
        Err(format!("{MAX_ORDERS} orders did not end the round; last: {last}; {stands}"))
    }

    /// The table as the Shift Manager sees it, for error messages.
    async fn stands(&self, house: &House, table: &TableId) -> String {
        let seen = house.view(&self.cast.boss, table).await.map(|view| {
            let round = serde_json::to_string(&view.round).unwrap_or_default();
            format!("{:?} {round}", view.info.pace)
        });
        format!("the table: {}", seen.unwrap_or_default())
    }

    /// Something that advances the round.
    async fn next_act(
        &self,
        house: &House,
        table: &TableId,
        turn: u64,
        refused: usize,
    ) -> Option<(Actor, Act)> {
        let mut person = Person { house, cast: &self.cast, dice: Dice::new(turn), seen: Vec::new() };
        let wanted = self.next_act_of(&mut person, table, refused).await;
        self.saw(person.seen);
        wanted
    }

    async fn next_act_of(
        &self,
        person: &mut Person<'_>,
        table: &TableId,
        refused: usize,
    ) -> Option<(Actor, Act)> {
        // Players' decisions first; rulings only if the round waits for one.
        for actor in self.cast.players.clone() {
            let wanted = person.finishes(actor, table).await.ok().flatten();
            if wanted.is_some() {
                return wanted;
            }
        }
        if person.house.table(table).await.is_ok_and(|info| info.waiting)
            && let Some(ruled) = person.rule(table).await.ok().flatten()
        {
            return Some(ruled);
        }
        if let Some(dealt) = person.dealer_finishes(table, refused).await.ok().flatten() {
            return Some(dealt);
        }
        person.rule(table).await.ok().flatten()
    }
}
