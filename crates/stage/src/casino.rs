//! The casino of a script: its house, its people, its jackpot, and one table for each table of the script.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::http::Method;
use baize_cards::Card;
use baize_house::{
    Actor, Chips, CommandId, FromEarlier, House, JackpotConfig, JackpotId, MoneyKind, Order, Pace, Shoe,
    TableConfig, TableId, TableView, WallClock,
};
use baize_rules::{BoxNumber, Cites, Money, Paragraph, Percent, Role, Rulebook};
use baize_script::{Refused, Script, SetUp, Stands, Statement, Transcript, named_players};
use baize_table::{Command, Due, Outcome, Player, PutBack, Table};
use baize_web::{Config, Rate};
use serde_json::{Value, json};

use crate::client::Answer;
use crate::people::{People, Person, id_like};
use crate::{Book, Place, StageError};

const NO_LIMIT: Rate = Rate { per_second: 0, burst: 0 };

/// A table of the script in the house.
pub(crate) struct Staging {
    pub(crate) id: TableId,
    pub(crate) book: Arc<Rulebook>,
    /// It has been set up: before its first step.
    ready: bool,
}

/// An order that was answered.
pub(crate) struct Ordered {
    /// The paragraphs of the dealing procedure that it departs from, or why it was refused.
    pub(crate) done: Result<Cites, Refused>,
    /// The raw answer.
    pub(crate) text: String,
    /// The table's version after it.
    pub(crate) version: u64,
}

/// The casino of one script.
pub(crate) struct StagedCasino<'s> {
    pub(crate) house: House,
    pub(crate) people: People,
    pub(crate) jackpot: JackpotId,
    pub(crate) tables: Vec<Staging>,
    rehearsed: &'s Transcript,
    stands: Vec<Vec<Stands>>,
    lookup: &'s (dyn Fn(&str) -> Option<Book> + Sync),
}

impl<'s> StagedCasino<'s> {
    /// Opens a house on this database, with the script's people and jackpot.
    pub(crate) async fn open(
        script: &Script,
        rehearsed: &'s Transcript,
        place: &Place,
        lookup: &'s (dyn Fn(&str) -> Option<Book> + Sync),
    ) -> Result<StagedCasino<'s>, StageError> {
        // A casino's clock runs only at tables that run themselves: here a person takes every step.
        let house = House::open_with(&place.address, Arc::new(WallClock)).await?;
        let config = Config {
            address_rate: NO_LIMIT,
            account_rate: NO_LIMIT,
            log_in_rate: NO_LIMIT,
            ..Config::default()
        };
        let casino = baize_web::casino(house.clone(), config);
        let people = People::create(script, &house, &casino).await?;
        let mut taken = BTreeSet::new();
        let tables = rehearsed.tables.iter().map(|table| {
            let id = id_like(table.name.as_deref().unwrap_or("table"), &mut taken);
            let id = id.map_err(baize_house::HouseError::from)?;
            Ok(Staging { id, book: Arc::clone(&table.book), ready: false })
        });
        let tables = tables.collect::<Result<Vec<Staging>, StageError>>()?;
        let jackpot: JackpotId = "jackpot".parse().map_err(baize_house::HouseError::from)?;
        let wager = rehearsed.tables.first().map_or(Money::ZERO, |table| table.settings.jackpot_wager);
        let config = JackpotConfig {
            id: jackpot.clone(),
            base: rehearsed.jackpot.meter,
            wager,
            reset: rehearsed.jackpot.reset,
            increment: rehearsed.jackpot.rate,
            reserve: Percent::ZERO,
            ceiling: None,
            // In a script one person's verification is enough, whatever the amount.
            confirm_above: Money::from_cents(i64::MAX / 100_000),
            money: MoneyKind::Cash,
        };
        house.create_jackpot(&people.staff(Role::ShiftManager, None).actor, config).await?;
        let stands = stands_at(script, rehearsed);
        Ok(StagedCasino { house, people, jackpot, tables, rehearsed, stands, lookup })
    }

    /// Sets up a table, if it is not there yet. Returns whether it is new.
    pub(crate) async fn set_up(&mut self, at: usize) -> Result<bool, StageError> {
        if self.tables[at].ready {
            return Ok(false);
        }
        let book = Arc::clone(&self.tables[at].book);
        let (_, text) = (self.lookup)(&book.id)
            .ok_or_else(|| baize_house::HouseError::UnknownRulebook(book.id.clone()))?;
        let settings = self.rehearsed.tables[at].settings.clone();
        let mut stood = Table::new(settings.clone());
        for stands in &self.stands[at] {
            let mut stands = stands.clone();
            if let Some(player) = stands.player() {
                *player = self.people.account(player);
            }
            stands.put_up(&mut stood);
        }
        let earlier = FromEarlier { rounds: stood.round.number, standing: stood.standing };
        let config = TableConfig {
            id: self.tables[at].id.clone(),
            rulebook: book.id.clone(),
            settings,
            pace: Pace::Dealer,
            shoe: Shoe::Entered,
            jackpot: Some(self.jackpot.clone()),
            float: Money::from_dollars(1_000_000),
            money: MoneyKind::Cash,
            // The script decides what staff may place, not the house.
            bets_by_staff: Money::from_cents(i64::MAX / 100_000),
            chip: Money::from_cents(1),
        };
        let manager = &self.people.staff(Role::ShiftManager, None).actor;
        let earlier = Some(earlier).filter(|earlier| *earlier != FromEarlier::default());
        self.house.create_table_from(manager, config, &text, earlier).await?;
        let supervisor = self.people.staff(Role::PitSupervisor, None).actor.clone();
        for dealer in self.people.dealers() {
            let assign = Order::Assign { dealer };
            self.house.act(&supervisor, &self.tables[at].id, &CommandId::random(), assign).await?;
        }
        self.tables[at].ready = true;
        Ok(true)
    }

    /// The table as this person sees it.
    pub(crate) async fn view(&self, at: usize, person: &Person) -> Result<TableView, StageError> {
        Ok(self.house.view(&person.actor, &self.tables[at].id).await?)
    }

    /// The step with the players' accounts instead of their names.
    pub(crate) fn in_accounts(&self, command: &Command) -> Command {
        let mut command = command.clone();
        for player in named_players(&mut command) {
            *player = self.people.account(player);
        }
        command
    }

    /// Who does this: the player whose chips or hand it is, the named member of staff, otherwise the dealer.
    pub(crate) async fn doer(&self, at: usize, command: &Command) -> Result<&Person, StageError> {
        let dealer = self.people.dealer();
        let seated = async |seat: BoxNumber| -> Result<&Person, StageError> {
            let view = self.view(at, &self.people.public).await?;
            let player = view.round.boxes.get(&seat).map(|on_box| &on_box.player);
            Ok(player.and_then(|player| self.people.player(player)).unwrap_or(dealer))
        };
        let own = |player: &Player| self.people.player(player).unwrap_or(dealer);
        Ok(match command {
            // A dealer who did not notice chips in time reports them.
            Command::PlaceWager { unnoticed: true, placed_by: None, .. } => dealer,
            Command::PlaceWager { placed_by: Some(role), .. } => self.people.staff(*role, None),
            Command::PlaceWager { player, .. } | Command::Withdraw { player, .. } => own(player),
            Command::Choose { player: Some(player), .. } => own(player),
            Command::Look { seat }
            | Command::Fold { seat }
            | Command::Check { seat }
            | Command::Show { seat }
            | Command::Decline { seat }
            | Command::Choose { seat, player: None, .. } => seated(*seat).await?,
            Command::Report(report) => self.people.staff(report.by.role, report.by.name.as_deref()),
            Command::Rule(ruling) => self.people.staff(ruling.by.role, ruling.by.name.as_deref()),
            Command::Open
            | Command::Close
            | Command::Burn { .. }
            | Command::Deal { .. }
            | Command::Reveal { .. }
            | Command::Absent { .. }
            | Command::Settle
            | Command::PayJackpot { .. } => dealer,
        })
    }

    /// Sends a step as an order of the person who does it.
    pub(crate) async fn order(
        &self,
        at: usize,
        doer: &Person,
        command: &Command,
    ) -> Result<Ordered, StageError> {
        if *command == Command::Settle {
            let view = self.view(at, &self.people.public).await?;
            if let Some(Outcome::Void { .. }) = view.round.outcome {
                // A void round needs no settlement.
                let version = view.info.version;
                return Ok(Ordered { done: Ok(Cites::NONE), text: String::new(), version });
            }
        }
        let order = self.as_order(at, doer, command).await?;
        let answer = self.send(at, doer, &order).await?;
        if let Order::BetFor { player, .. } = &order
            && let Some(asks) = self.people.player(&Player::from(player))
        {
            // Their chips are placed now. If they stayed seated, no other player could use the box in later rounds.
            let left =
                self.house.act(&asks.actor, &self.tables[at].id, &CommandId::random(), Order::Leave).await;
            if let Err(error) = left
                && !matches!(error, baize_house::HouseError::NotNow(_))
            {
                return Err(error.into());
            }
        }
        let receipt = answer.json();
        let done = if answer.status.is_success() {
            let paragraphs =
                receipt["departs_from"].as_array().into_iter().flatten().filter_map(Value::as_str);
            Ok(paragraphs.filter_map(|text| text.parse::<Paragraph>().ok()).collect())
        } else {
            Err(answer.refused())
        };
        Ok(Ordered { done, version: receipt["version"].as_u64().unwrap_or(0), text: answer.text })
    }

    async fn send(&self, at: usize, doer: &Person, order: &Order) -> Result<Answer, StageError> {
        let body = json!({ "id": CommandId::random().as_str(), "order": order });
        let path = format!("/api/v1/tables/{}/orders", self.tables[at].id);
        doer.client.send(Method::POST, &path, Some(&body)).await
    }

    /// The dealer enters every card that the house asks for during a reconstruction. Returns the table's version afterwards.
    pub(crate) async fn put_back(
        &self,
        at: usize,
        card: impl Fn(PutBack) -> Option<Card>,
    ) -> Result<Option<u64>, StageError> {
        let dealer = self.people.dealer();
        let mut version = None;
        while let Some(Due::PutBack { card: put, .. }) = self.view(at, dealer).await?.legal.due {
            let cards = card(put).into_iter().collect();
            let answer = self.send(at, dealer, &Order::EnterCards { cards }).await?;
            if !answer.status.is_success() {
                return Err(StageError::Answer(format!("a card is not put back: {}", answer.refused().why)));
            }
            version = answer.json()["version"].as_u64();
        }
        Ok(version)
    }

    /// A step as an order. Staff place chips for a player at the player's request, and the player sits at the table.
    async fn as_order(&self, at: usize, doer: &Person, command: &Command) -> Result<Order, StageError> {
        let plain = || Ok(Order::Table { command: command.clone() });
        let Command::PlaceWager { seat, player, area, amount, unnoticed, .. } = command else {
            return plain();
        };
        let (Actor::Staff { .. }, Some(asks)) = (&doer.actor, self.people.player(player)) else {
            return plain();
        };
        let id = player.0.parse().map_err(baize_house::HouseError::from)?;
        let table = &self.tables[at].id;
        if !self.house.table(table).await?.guests.contains_key(&id) {
            for seat in [Some(*seat), None] {
                let sit = Order::Sit { seat };
                if self.house.act(&asks.actor, table, &CommandId::random(), sit).await.is_ok() {
                    break;
                }
            }
        }
        let wager = Chips { seat: *seat, area: *area, amount: *amount };
        Ok(Order::BetFor { player: id, wager, request: "by the script".to_owned(), unnoticed: *unnoticed })
    }

    /// Pit staff verify every hand that has hit the jackpot, in the order of the hits; what the jackpot then owes is handed over,
    /// as an open house does by itself.
    pub(crate) async fn verify_hits(&self) -> Result<(), StageError> {
        loop {
            let jackpots = self.house.jackpots().await?;
            let own = jackpots.iter().filter(|jackpot| jackpot.id == self.jackpot);
            // A verified hit may wait for others of the same contest.
            let unseen = own.flat_map(|jackpot| &jackpot.pending).find(|hit| hit.verified_by.is_none());
            let Some(hit) = unseen else { return Ok(self.house.tick().await?) };
            let supervisor = self.people.staff(Role::PitSupervisor, None);
            let path = format!("/api/v1/jackpots/{}/hits/{}/verify", self.jackpot, hit.number);
            let answer = supervisor.client.send(Method::POST, &path, None).await?;
            if !answer.status.is_success() {
                let why = answer.refused().why;
                return Err(StageError::Answer(format!("hit {} cannot be verified: {why}", hit.number)));
            }
        }
    }

    /// What the sign shows.
    pub(crate) async fn meter(&self) -> Result<Money, StageError> {
        let jackpots = self.house.jackpots().await?;
        let jackpot = jackpots.iter().find(|jackpot| jackpot.id == self.jackpot);
        Ok(jackpot.map_or(Money::ZERO, |jackpot| jackpot.displayed))
    }
}

/// What carries over at each table from earlier rounds.
fn stands_at(script: &Script, rehearsed: &Transcript) -> Vec<Vec<Stands>> {
    let mut stands = vec![Vec::new(); rehearsed.tables.len()];
    for (line, entry) in script.lines.iter().zip(&rehearsed.entries) {
        if let Statement::SetUp(SetUp::Standing(stand)) = &line.statement
            && let Some(at) = stands.get_mut(entry.table)
        {
            at.push(stand.clone());
        }
    }
    stands
}
