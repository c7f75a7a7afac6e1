//! Requests to the house and their responses.

use baize_house::{Actor, CommandId, House, HouseError, JackpotId, Order, PlayerId, StaffId, TableId};
use baize_rules::Money;

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// An order at a table, optionally for one version of it only.
    Table(TableId, Box<Order>, Option<u64>),
    /// A buy-in.
    BuyIn(PlayerId, Money),
    /// A cash-out.
    CashOut(PlayerId, Money),
    /// A player pays what they owe.
    Collect(PlayerId, Money),
    /// Verify a winning hand.
    Verify(JackpotId, u64),
    /// Confirm it as the second person.
    Confirm(JackpotId, u64),
    /// Reject a hand that does not qualify.
    Reject(JackpotId, u64),
    /// Suspend a member of staff.
    Suspend(StaffId),
    /// Reinstate them.
    Reinstate(StaffId),
}

/// The response to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Response {
    /// The version of the table, for an order at a table.
    pub(crate) version: Option<u64>,
    /// The round, for an order at a table.
    pub(crate) round: Option<u32>,
    /// The purse's balance, for requests at the cage.
    pub(crate) purse: Option<Money>,
}

impl Act {
    /// Sends the request to the house.
    ///
    /// # Errors
    /// The house's.
    pub(crate) async fn ask(
        self,
        house: &House,
        actor: &Actor,
        id: &CommandId,
    ) -> Result<Response, HouseError> {
        let nothing = Response { version: None, round: None, purse: None };
        let purse = |left: Money| Response { purse: Some(left), ..nothing.clone() };
        let request = house.for_request(Some(id.clone()), None);
        match self {
            Act::Table(table, order, version) => {
                let receipt = house.act_at(actor, &table, id, *order, version).await?;
                return Ok(Response {
                    version: Some(receipt.version),
                    round: Some(receipt.round),
                    purse: None,
                });
            }
            Act::BuyIn(player, amount) => return house.buy_in(actor, &player, id, amount).await.map(purse),
            Act::CashOut(player, amount) => {
                return house.cash_out(actor, &player, id, amount).await.map(purse);
            }
            Act::Collect(player, amount) => {
                return house.collect(actor, &player, id, amount).await.map(purse);
            }
            Act::Verify(jackpot, hit) => request.verify_hit(actor, &jackpot, hit).await?,
            Act::Confirm(jackpot, hit) => request.confirm_hit(actor, &jackpot, hit).await?,
            Act::Reject(jackpot, hit) => request.reject_hit(actor, &jackpot, hit, "not as claimed").await?,
            Act::Suspend(id) => request.suspend(actor, &id, "late").await?,
            Act::Reinstate(id) => request.reinstate(actor, &id).await?,
        }
        Ok(nothing)
    }

    /// Whether two requests are the same, apart from the table version they are for.
    #[must_use]
    pub(crate) fn asks_the_same(&self, other: &Act) -> bool {
        match (self, other) {
            (Act::Table(table, order, _), Act::Table(other, asked, _)) => table == other && order == asked,
            _ => self == other,
        }
    }

    /// Whether it may have produced this entry of its table: it is for the version before, or for any.
    #[must_use]
    pub(crate) fn is_for(&self, entry: u64) -> bool {
        !matches!(self, Act::Table(_, _, Some(seen)) if seen + 1 != entry)
    }

    /// The table concerned.
    #[must_use]
    pub(crate) const fn table(&self) -> Option<&TableId> {
        if let Act::Table(table, ..) = self { Some(table) } else { None }
    }
}
