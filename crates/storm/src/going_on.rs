//! Every table can go on: when nothing fails any more, whoever is there brings each round to its end.

use std::time::Duration;

use baize_house::{Actor, House, TableId};
use baize_table::PhaseName;

use crate::act::Act;
use crate::casino::{Casino, locked};
use crate::cast::command;
use crate::dice::Dice;
use crate::oracle::Ended;
use crate::people::Person;

/// The most orders that a round takes.
const MOST: u64 = 400;

impl Casino {
    /// Brings every round to its end, and says which do not come to one.
    pub(crate) async fn goes_on(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut stuck = Vec::new();
        for table in &self.cast.tables {
            if let Err(why) = self.ends(table).await {
                wrong.push(format!("table {table} does not go on: {why}"));
                stuck.push(table.as_str());
            }
        }
        if !stuck.is_empty() {
            let database = self.hosts.world.state().database.clone();
            wrong.extend(self.by_the_books(&database));
            let books = locked(&self.books);
            wrong.extend(stuck.iter().filter_map(|table| books.stands(table)));
        }
        wrong
    }

    async fn ends(&self, table: &TableId) -> Result<(), String> {
        let (mut idle, mut refused) = (0, 0);
        let mut last = String::new();
        for turn in 0..MOST {
            let Some(host) = self.hosts.open_host(0) else { return Err("no host is open".to_owned()) };
            let Some(house) = self.hosts.house(host) else { continue };
            let info = house.table(table).await.map_err(|error| error.to_string())?;
            if info.phase != PhaseName::Betting && info.phase != PhaseName::Play && !info.waiting {
                return Ok(());
            }
            if info.phase == PhaseName::Betting
                && house.view(&Actor::Public, table).await.is_ok_and(|view| view.round.boxes.is_empty())
            {
                // Bets are open and nobody plays: that is no round that waits for anybody.
                return Ok(());
            }
            let wanted = self.anything(&house, table, turn, refused).await;
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
                    "nobody has anything to do in phase {}; last: {last}; {stands}",
                    info.phase
                ));
            }
        }
        let house = self.hosts.open_host(0).and_then(|host| self.hosts.house(host));
        let stands = match house {
            Some(house) => self.stands(&house, table).await,
            None => String::new(),
        };
        Err(format!("{MOST} orders did not end the round; last: {last}; {stands}"))
    }

    /// A table as the Shift Manager sees it.
    async fn stands(&self, house: &House, table: &TableId) -> String {
        let seen = house.view(&self.cast.boss, table).await.map(|view| {
            let round = serde_json::to_string(&view.round).unwrap_or_default();
            format!("{:?} {round}", view.info.pace)
        });
        format!("the table: {}", seen.unwrap_or_default())
    }

    /// What somebody who wants the round to end can do.
    async fn anything(
        &self,
        house: &House,
        table: &TableId,
        turn: u64,
        refused: usize,
    ) -> Option<(Actor, Act)> {
        let mut person = Person { house, cast: &self.cast, dice: Dice::new(turn), seen: Vec::new() };
        let wanted = self.anything_of(&mut person, table, refused).await;
        self.saw(person.seen);
        wanted
    }

    async fn anything_of(
        &self,
        person: &mut Person<'_>,
        table: &TableId,
        refused: usize,
    ) -> Option<(Actor, Act)> {
        // Whoever decides does so first; rulings only where the round waits for one.
        for actor in self.cast.players.clone() {
            let wanted = person.ends_it(actor, table).await.ok().flatten();
            if wanted.is_some() {
                return wanted;
            }
        }
        if person.house.table(table).await.is_ok_and(|info| info.waiting)
            && let Some(ruled) = person.rule(table).await.ok().flatten()
        {
            return Some(ruled);
        }
        if let Some(dealt) = person.dealer_ends_it(table, refused).await.ok().flatten() {
            return Some(dealt);
        }
        person.rule(table).await.ok().flatten()
    }
}
