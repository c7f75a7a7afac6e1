//! Second bookkeeping of a jackpot: what its tables' wagers must have added, to the ten-thousandth of a cent.

use std::collections::BTreeMap;

use baize_jackpot::{Event, Parameters};
use baize_rules::{BoxNumber, Money};

/// Ten-thousandths of a cent.
type Units = i128;

/// One jackpot.
#[derive(Debug, Default)]
pub(super) struct JackpotBook {
    parameters: Option<Parameters>,
    came_in: Units,
    /// Contribution of each wager, by table, round and box.
    added: BTreeMap<(String, u64, BoxNumber), Units>,
}

/// Source account and cents that an event moves into the jackpot's account.
pub(super) type Moved = Option<(String, i64)>;

fn cents(units: Units) -> i64 {
    i64::try_from(units.div_euclid(10_000) + Units::from(units.rem_euclid(10_000) > 0)).unwrap_or(i64::MAX)
}

impl JackpotBook {
    /// Applies an event of the jackpot. `wagers`: those accepted by the table's entry that this one is linked to.
    pub(super) fn apply(&mut self, event: &Event, wagers: &[(BoxNumber, Money)]) -> Result<Moved, String> {
        let before = cents(self.came_in);
        let from = if let Event::Opened { base, parameters, .. } = event {
            self.parameters = Some(parameters.clone());
            self.came_in += Units::from(base.cents()) * 10_000;
            "house".to_owned()
        } else if let Event::BetsClosed { table, round, contributions, .. } = event {
            let told: Vec<(BoxNumber, Money)> =
                contributions.iter().map(|made| (made.seat, made.wager)).collect();
            if told != wagers {
                return Err(format!(
                    "{table} round {round} accepted {wagers:?}, but the jackpot counted {told:?}"
                ));
            }
            let Some(parameters) = &self.parameters else {
                return Err("a jackpot that was not opened".to_owned());
            };
            let share = parameters.increment.hundredths() + parameters.reserve.hundredths();
            for (seat, wager) in wagers {
                let units = Units::from(wager.cents()) * Units::from(share);
                if self.added.insert((table.clone(), *round, *seat), units).is_some() {
                    return Err(format!("{table} round {round} box {seat} counted twice"));
                }
                self.came_in += units;
            }
            format!("float/{table}")
        } else if let Event::TakenOut { table, round, seat, .. } = event {
            let Some(units) = self.added.remove(&(table.clone(), *round, *seat)) else {
                return Err(format!("{table} round {round} box {seat}: withdrawn but never counted"));
            };
            self.came_in -= units;
            format!("float/{table}")
        } else if let Event::HitsPriced { from_house, .. } = event {
            self.came_in += from_house.units();
            "house".to_owned()
        } else {
            return Ok(None);
        };
        Ok(Some((from, cents(self.came_in) - before)))
    }
}
