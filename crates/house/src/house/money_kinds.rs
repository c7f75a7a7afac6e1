//! Practice and cash are kept apart: each player, table and jackpot is for one or the other.
//!
//! A player who was given play chips plays for practice; one who buys chips at the cage plays for cash. For accounts of older programs, the
//! player's chain tells which.

use super::{Answer, House};
use crate::boxed;
use crate::journal::Stream;
use crate::live_table::LiveTable;
use crate::{Actor, Duty, HouseError, JackpotId, MoneyKind, Order, PlayerId, StaffId, TableConfig};

/// The player whom an order brings to a table, or whose chips.
fn player_of<'a>(actor: &'a Actor, order: &'a Order) -> Option<&'a PlayerId> {
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
    /// Whether a player plays for practice or cash.
    #[boxed]
    pub async fn plays_with(&self, player: &PlayerId) -> Answer<MoneyKind> {
        let (_, account) = self.find_account(&Actor::player(player.clone())).await?;
        if let Some(money) = account.money {
            return Ok(money);
        }
        let first = self.inner.store.read(&Stream::player(player), 0, 1).await?;
        let given = first.first().is_some_and(|entry| entry.kinds.contains(",play-chips-given,"));
        Ok(if given { MoneyKind::Practice } else { MoneyKind::Cash })
    }

    /// Checks an order against accounts: the player's kind of money and own limits; an assigned dealer's duty.
    pub(super) async fn check_people(&self, live: &LiveTable, actor: &Actor, order: &Order) -> Answer<()> {
        if let Order::Assign { dealer } = order {
            self.is_dealer(dealer).await?;
        }
        let Some(player) = player_of(actor, order) else { return Ok(()) };
        let (of, other) = (live.config.money, self.plays_with(player).await?);
        if of == other {
            return self.check_own_limits(live, player, order).await;
        }
        Err(HouseError::OtherMoney { what: format!("table {}", live.id), of, who: player.to_string(), other })
    }

    async fn is_dealer(&self, id: &StaffId) -> Answer<()> {
        let (actor, _) = self.find_account(&Actor::staff(id.clone(), [])).await?;
        if actor.may(Duty::Dealer) {
            Ok(())
        } else {
            Err(HouseError::NotNow(
                "only staff with a position on the floor can deal: give them the duty of a dealer first",
            ))
        }
    }

    /// Checks that a table and its jackpot have the same kind of money.
    pub(super) fn fits_jackpot(&self, config: &TableConfig, jackpot: &JackpotId) -> Answer<()> {
        let of = self.inner.shown.get().money_of_jackpot(jackpot);
        if of == config.money {
            return Ok(());
        }
        let (what, who) = (format!("jackpot {jackpot}"), format!("table {}", config.id));
        Err(HouseError::OtherMoney { what, of, who, other: config.money })
    }

    /// Checks that two jackpots have the same kind of money.
    pub(super) fn same_money(&self, what: String, one: &JackpotId, into: &JackpotId) -> Answer<()> {
        let register = self.inner.shown.get();
        let (of, other) = (register.money_of_jackpot(one), register.money_of_jackpot(into));
        if of == other {
            return Ok(());
        }
        Err(HouseError::OtherMoney { what, of, who: into.to_string(), other })
    }
}
