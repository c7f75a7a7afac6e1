//! A simulated player that makes random legal decisions.

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;

use baize_rules::{Area, BoxNumber, Money};
use baize_table::{Command, PhaseName, Why};

use crate::{
    Actor, Answer, Chips, CommandId, Duty, House, HouseError, Order, PlayerId, Receipt, TableId, TableView,
};

/// The pit supervisor who rejects the players' jackpot hits.
pub(super) const PIT: &str = "robot-pit";

/// A simulated player.
pub struct Robot {
    /// The casino.
    pub house: House,
    /// The player's id.
    pub player: PlayerId,
    /// The table.
    pub table: TableId,
    dice: u64,
    /// Ids of answered orders. None of them may ever be lost.
    pub answered: Vec<CommandId>,
    /// Response time of each order in microseconds.
    pub took: Vec<u32>,
    /// One round in this many has a jackpot wager; 0 for none.
    pub jackpot_every: u64,
    /// A file to which answered ids are appended, one a line.
    pub noted: Option<Arc<File>>,
}

impl Robot {
    /// A player with this random seed.
    #[must_use]
    pub fn new(house: House, player: PlayerId, table: TableId, dice: u64) -> Robot {
        let dice = dice | 1;
        Robot {
            house,
            player,
            table,
            dice,
            answered: Vec::new(),
            took: Vec::new(),
            jackpot_every: 2,
            noted: None,
        }
    }

    /// A random number below `bound` (xorshift).
    fn roll(&mut self, bound: u64) -> u64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice % bound.max(1)
    }

    /// Sends an order and waits for the answer.
    ///
    /// # Errors
    /// Errors of the house.
    pub async fn order(&mut self, order: Order) -> Answer<Receipt> {
        let id: CommandId = CommandId::random();
        let began = std::time::Instant::now();
        let receipt = self.house.act(&Actor::player(self.player.clone()), &self.table, &id, order).await?;
        self.took.push(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX));
        if let Some(mut file) = self.noted.as_deref() {
            let line = format!("{id}\n");
            file.write_all(line.as_bytes()).map_err(|error| HouseError::Unavailable(error.to_string()))?;
        }
        self.answered.push(id);
        Ok(receipt)
    }

    async fn view(&self) -> Answer<TableView> {
        self.house.view(&Actor::player(self.player.clone()), &self.table).await
    }

    /// Plays a round to its end, alone at an automatic table.
    ///
    /// # Errors
    /// Errors of the house.
    pub async fn round(&mut self) -> Answer<()> {
        let before = self.house.table(&self.table).await?;
        if !before.phase.under_way() {
            let mut wagers = vec![Chips { seat: BoxNumber(1), area: Area::Ante, amount: before.ante.least }];
            if let (Some(bonus), 0) = (before.bonus, self.roll(3)) {
                wagers.push(Chips { seat: BoxNumber(1), area: Area::Bonus, amount: bonus.least });
            }
            let wants_jackpot = self.jackpot_every > 0 && self.roll(self.jackpot_every) == 0;
            if let (Some(wager), true) = (before.jackpot_wager, wants_jackpot) {
                wagers.push(Chips { seat: BoxNumber(1), area: Area::Jackpot, amount: wager });
            }
            if self.roll(4) == 0 && before.boxes > 1 {
                wagers.push(Chips { seat: BoxNumber(2), area: Area::Ante, amount: before.ante.least });
            }
            match self.order(Order::Bet { wagers: wagers.clone() }).await {
                Err(HouseError::Refused(refusal)) if refusal.why == Why::ClaimsUnpaid => {
                    self.reject_hits().await?;
                    self.order(Order::Bet { wagers }).await?;
                }
                other => drop(other?),
            }
        }
        for _ in 0..64 {
            let info = self.house.table(&self.table).await?;
            match info.phase {
                PhaseName::Betting if !info.waiting => {
                    self.order(Order::Ready).await?;
                }
                PhaseName::Betting | PhaseName::Play => self.decide().await?,
                PhaseName::Idle | PhaseName::Finished => return Ok(()),
            }
        }
        Err(HouseError::NotNow("the round does not end"))
    }

    /// Rejects jackpot hits of the round before: confirming a large one needs two people of the pit.
    async fn reject_hits(&self) -> Answer<()> {
        let pit = Actor::staff(PIT.parse()?, [Duty::PitSupervisor]);
        for jackpot in self.house.jackpots().await? {
            for hit in jackpot.pending.iter().filter(|hit| hit.round.table == self.table) {
                self.house.reject_hit(&pit, &jackpot.id, hit.number, "a simulated player").await?;
            }
        }
        self.house.tick().await
    }

    /// Makes one random legal decision.
    async fn decide(&mut self) -> Answer<()> {
        let view = self.view().await?;
        if let Some((seat, choice)) = view.legal.choices.first().copied() {
            self.order(Command::Choose { seat, player: None, choice }.into()).await?;
            return Ok(());
        }
        if let Some(seat) = view.legal.looks.first().copied()
            && view.round.boxes.values().all(|on_box| !on_box.looked)
        {
            self.order(Command::Look { seat }.into()).await?;
            return Ok(());
        }
        let raise = view.legal.wagers.first().map(|wager| (wager.seat, wager.area, wager.amounts.from));
        let passive = view
            .legal
            .folds
            .first()
            .map(|seat| Command::Fold { seat: *seat })
            .or_else(|| view.legal.checks.first().map(|seat| Command::Check { seat: *seat }));
        let dares = self.roll(3) > 0;
        let command = match (raise, passive) {
            (Some((seat, area, amount)), passive) if dares || passive.is_none() => {
                self.wager(seat, area, amount)
            }
            (_, Some(passive)) => passive,
            (Some((seat, area, amount)), None) => self.wager(seat, area, amount),
            (None, None) => return Err(HouseError::NotNow("nothing can be done, and the round is not over")),
        };
        self.order(command.into()).await?;
        Ok(())
    }

    fn wager(&self, seat: BoxNumber, area: Area, amount: Money) -> Command {
        let player = (&self.player).into();
        Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None }
    }
}
