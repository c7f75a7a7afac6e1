//! Practice and cash are kept apart: a player plays with one of them, a table and a jackpot are for one of them, and they never meet.
//!
//! A player who was given play chips plays for practice; one who buys chips at the cage plays for cash. The chain of the player says which
//! for accounts of older programs.

use super::{Answer, House};
use crate::journal::Stream;
use crate::live_table::LiveTable;
use crate::{Actor, Duty, HouseError, JackpotId, MoneyKind, Order, PlayerId, StaffId, TableConfig};

/// Whose chips an order brings to a table, if it brings any.
fn brings<'a>(actor: &'a Actor, order: &'a Order) -> Option<&'a PlayerId> {
    match order {
        Order::BetFor { player, .. } => Some(player),
        Order::Bet { .. } | Order::Sit { .. } => actor.as_player(),
        Order::Table { command } => {
            let wager = matches!(command, baize_table::Command::PlaceWager { .. });
            actor.as_player().filter(|_| wager)
        }
        Order::Ready
        | Order::DealNext
        | Order::DealAll
        | Order::EnterCards { .. }
        | Order::TakeBack
        | Order::Leave
        | Order::Assign { .. }
        | Order::Relieve { .. }
        | Order::GiveNotice { .. }
        | Order::Reopen
        | Order::SetPace { .. }
        | Order::SetShoe { .. }
        | Order::SetLimits { .. }
        | Order::FillFloat { .. } => None,
    }
}

impl House {
    /// What a player plays with.
    pub async fn plays_with(&self, player: &PlayerId) -> Answer<MoneyKind> {
        let (_, account) = self.known(&Actor::player(player.clone())).await?;
        if let Some(money) = account.money {
            return Ok(money);
        }
        let first = self.inner.store.read(&Stream::player(player), 0, 1).await?;
        let given = first.first().is_some_and(|entry| entry.kinds.contains(",play-chips-given,"));
        Ok(if given { MoneyKind::Practice } else { MoneyKind::Cash })
    }

    /// What an order needs to know of people beyond its table: chips of the table's kind, a dealer who is one.
    pub(super) async fn admits(&self, live: &LiveTable, actor: &Actor, order: &Order) -> Answer<()> {
        if let Order::Assign { dealer } = order {
            self.is_dealer(dealer).await?;
        }
        let Some(player) = brings(actor, order) else { return Ok(()) };
        let (of, other) = (live.config.money, self.plays_with(player).await?);
        if of == other {
            return self.within_own_limits(live, player, order).await;
        }
        Err(HouseError::OtherMoney { what: format!("table {}", live.id), of, who: player.to_string(), other })
    }

    async fn is_dealer(&self, id: &StaffId) -> Answer<()> {
        let (actor, _) = self.known(&Actor::staff(id.clone(), [])).await?;
        if actor.may(Duty::Dealer) {
            Ok(())
        } else {
            Err(HouseError::NotNow("only staff of the floor deal: give them the duty of a dealer first"))
        }
    }

    /// A table and its jackpot are for the same.
    pub(super) fn fits_jackpot(&self, config: &TableConfig, jackpot: &JackpotId) -> Answer<()> {
        let of = self.inner.shown.get().money_of_jackpot(jackpot);
        if of == config.money {
            return Ok(());
        }
        let (what, who) = (format!("jackpot {jackpot}"), format!("table {}", config.id));
        Err(HouseError::OtherMoney { what, of, who, other: config.money })
    }

    /// Pools move between jackpots for the same only.
    pub(super) fn same_money(&self, what: String, one: &JackpotId, into: &JackpotId) -> Answer<()> {
        let register = self.inner.shown.get();
        let (of, other) = (register.money_of_jackpot(one), register.money_of_jackpot(into));
        if of == other {
            return Ok(());
        }
        Err(HouseError::OtherMoney { what, of, who: into.to_string(), other })
    }
}
