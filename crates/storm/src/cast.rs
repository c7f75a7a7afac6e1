//! The people and the tables of a simulated casino.

use baize_house::{
    Actor, CommandId, Duty, House, HouseError, JackpotConfig, JackpotId, MoneyKind, Order, Pace, PlayerId,
    Shoe, StaffId, TableConfig, TableId,
};
use baize_rules::{Money, Rulebook};

use crate::dice::Dice;

/// Everyone in the casino, and its tables.
#[derive(Debug, Clone)]
pub(crate) struct Cast {
    /// The players.
    pub(crate) players: Vec<Actor>,
    /// A dealer assigned to all tables.
    pub(crate) dealer: Actor,
    /// A dealer assigned to the first table only.
    pub(crate) other_dealer: Actor,
    /// The pit.
    pub(crate) supervisor: Actor,
    /// The pit.
    pub(crate) manager: Actor,
    /// The Shift Manager.
    pub(crate) boss: Actor,
    /// A second Shift Manager.
    pub(crate) second: Actor,
    /// The cashier.
    pub(crate) cage: Actor,
    /// The auditor.
    pub(crate) auditor: Actor,
    /// The tables.
    pub(crate) tables: Vec<TableId>,
}

const PLAYERS: [&str; 4] = ["ann", "ben", "cal", "dee"];

async fn staff(house: &House, name: &str, duty: Duty) -> Result<Actor, HouseError> {
    let id: StaffId = name.parse()?;
    house.create_staff(&Actor::House, &id, None, &[duty]).await?;
    Ok(Actor::staff(id, [duty]))
}

/// A command id from a unique name.
#[must_use]
pub(crate) fn command(name: &str) -> CommandId {
    name.parse().unwrap_or_else(|_| CommandId::random())
}

impl Cast {
    /// Sets up a casino for cash with linked jackpots, before any faults.
    ///
    /// # Errors
    /// A bug, since no fault is active.
    pub(crate) async fn set_up(house: &House, dice: &mut Dice) -> Result<Cast, HouseError> {
        let cage = staff(house, "carl", Duty::Cage).await?;
        let dealer = staff(house, "dora", Duty::Dealer).await?;
        let other_dealer = staff(house, "otto", Duty::Dealer).await?;
        let mut players = Vec::new();
        for name in PLAYERS.iter().take(2 + dice.roll(3)) {
            let id: PlayerId = name.parse()?;
            house.register_player(&cage, &id, None).await?;
            let amount = Money::from_dollars(if dice.once_in(4) { 60 } else { 5_000 });
            house.buy_in(&cage, &id, &command(&format!("first-chips-{name}")), amount).await?;
            players.push(Actor::player(id));
        }
        let books = Rulebook::builtins();
        let mut tables = Vec::new();
        for number in 0..2 + dice.roll(3) {
            let Some(book) = books.get(dice.roll(books.len())) else { continue };
            let jackpot: JackpotId = book.operator.parse()?;
            let known = house.jackpots().await?.iter().any(|known| known.id == jackpot);
            if !known {
                let (money, usual) = (MoneyKind::Cash, JackpotConfig::usual(jackpot.clone()));
                house.create_jackpot(&Actor::House, JackpotConfig { money, ..usual }).await?;
            }
            let id: TableId = format!("t-{number}").parse()?;
            let usual = TableConfig::usual(id.clone(), book, Some(jackpot));
            let (pace, shoe) = match dice.roll(5) {
                0 => (Pace::Dealer, Shoe::Entered),
                1 => (Pace::Dealer, Shoe::Computer),
                _ => (Pace::Auto { betting_seconds: 10, decision_seconds: 10 }, Shoe::Computer),
            };
            let float = Money::from_dollars(if dice.once_in(3) { 15 } else { 100_000 });
            let config = TableConfig { pace, shoe, float, money: MoneyKind::Cash, ..usual };
            house.create_table(&Actor::House, config).await?;
            for who in [&dealer, &other_dealer].iter().take(if number == 0 { 2 } else { 1 }) {
                let Actor::Staff { id: dealer, .. } = who else { continue };
                let assign = Order::Assign { dealer: dealer.clone() };
                house.act(&Actor::House, &id, &command(&format!("assign-{dealer}-{id}")), assign).await?;
            }
            tables.push(id);
        }
        Ok(Cast {
            players,
            dealer,
            other_dealer,
            supervisor: staff(house, "pete", Duty::PitSupervisor).await?,
            manager: staff(house, "mia", Duty::PitManager).await?,
            boss: staff(house, "sue", Duty::ShiftManager).await?,
            second: staff(house, "max", Duty::ShiftManager).await?,
            cage,
            auditor: staff(house, "ada", Duty::Auditor).await?,
            tables,
        })
    }
}
