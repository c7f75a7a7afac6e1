//! What the house configures: wager, values, rates, ceiling, and the tables that a jackpot links.
//!
//! The rules fix none of it. A configuration is untrusted until it is validated; all its faults are reported at once.

use baize_rules::{AcrossTables, AwardPay, Money, Percent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::TableLink;

/// What can be changed later, and then only with the next hit of the top award.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parameters {
    /// The prescribed wager, or the smallest if multiples are allowed.
    pub wager: Money,
    /// The value at which the meter restarts when it is won.
    pub reset: Money,
    /// The share of each accepted wager that is added to the meter.
    pub increment: Percent,
    /// The share of each accepted wager that is set aside for the next reset.
    pub reserve: Percent,
    /// The value above which contributions go to the overflow. `None`: the meter grows without limit.
    pub ceiling: Option<Money>,
    /// An award above this amount is paid only when a second person has confirmed it.
    pub confirm_above: Money,
}

/// A jackpot as it is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configuration {
    /// The jackpot's name.
    pub name: String,
    /// The value that the meter is opened with.
    pub base: Money,
    /// Everything that can be changed later.
    pub parameters: Parameters,
    /// The tables linked from the beginning.
    pub tables: Vec<TableLink>,
}

/// What is wrong with a configuration, or with a proposed change of one.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum ConfigurationFault {
    /// The name is empty.
    #[error("the jackpot has no name")]
    NoName,
    /// The wager is zero or negative.
    #[error("the wager is {0}; it must be more than 0.00")]
    WagerNotPositive(Money),
    /// An amount that is negative or too large.
    #[error("the {which} is {amount}; it must be an amount from 0.00 to 1000000000000.00")]
    Amount {
        /// Which one.
        which: AmountName,
        /// What it is.
        amount: Money,
    },
    /// Increment and reserve together take more than the wager.
    #[error("increment {increment} and reserve {reserve} together are over 100% of the wager")]
    RatesOverWhole {
        /// The share for the meter.
        increment: Percent,
        /// The share for the reserve.
        reserve: Percent,
    },
    /// A ceiling under the value that the meter is opened with.
    #[error("the ceiling {ceiling} is under the meter, which is opened with {base}")]
    CeilingUnderMeter {
        /// The ceiling.
        ceiling: Money,
        /// The opening value.
        base: Money,
    },
    /// A ceiling under the reset value.
    #[error("the ceiling {ceiling} is under the reset value {reset}")]
    CeilingUnderReset {
        /// The ceiling.
        ceiling: Money,
        /// The reset value.
        reset: Money,
    },
    /// A table without a name.
    #[error("a table has no name")]
    TableWithoutName,
    /// The same table twice.
    #[error("table {0} is linked twice")]
    TableTwice(String),
    /// An empty pay table.
    #[error("the rules of table {0} have no jackpot awards")]
    NoAwards(String),
    /// An award of more than the whole jackpot.
    #[error("table {table} pays {share} of the jackpot for a {award}; at most 100% can be paid")]
    ShareOverWhole {
        /// The table.
        table: String,
        /// The award.
        award: String,
        /// Its share.
        share: Percent,
    },
    /// Even the prescribed wager would not be accepted.
    #[error("table {0} accepts no multiple of the wager; it must accept at least 1")]
    NoMultiples(String),
    /// One table pays the hand dealt first, another the hand entered first.
    #[error(
        "table {table} and table {other} order winners across tables differently (hands dealt first, hands entered first); they cannot share a jackpot"
    )]
    OrdersDiffer {
        /// The table.
        table: String,
        /// The table it differs from.
        other: String,
    },
}

/// An amount of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AmountName {
    /// The value that the meter is opened with.
    Base,
    /// The reset value.
    Reset,
    /// The ceiling.
    Ceiling,
    /// The amount above which a second person confirms.
    ConfirmAbove,
    /// The wager.
    Wager,
}

impl std::fmt::Display for AmountName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            AmountName::Base => "base value",
            AmountName::Reset => "reset value",
            AmountName::Ceiling => "ceiling",
            AmountName::ConfirmAbove => "limit for a second confirmation",
            AmountName::Wager => "wager",
        })
    }
}

impl Parameters {
    /// All faults of the parameters.
    #[must_use]
    pub fn faults(&self) -> Vec<ConfigurationFault> {
        let mut faults = Vec::new();
        amount(&mut faults, AmountName::Reset, self.reset);
        amount(&mut faults, AmountName::ConfirmAbove, self.confirm_above);
        if self.wager.cents() <= 0 {
            faults.push(ConfigurationFault::WagerNotPositive(self.wager));
        } else {
            amount(&mut faults, AmountName::Wager, self.wager);
        }
        let rates = u64::from(self.increment.hundredths()) + u64::from(self.reserve.hundredths());
        if rates > u64::from(Percent::WHOLE.hundredths()) {
            let (increment, reserve) = (self.increment, self.reserve);
            faults.push(ConfigurationFault::RatesOverWhole { increment, reserve });
        }
        if let Some(ceiling) = self.ceiling {
            amount(&mut faults, AmountName::Ceiling, ceiling);
            if ceiling < self.reset {
                faults.push(ConfigurationFault::CeilingUnderReset { ceiling, reset: self.reset });
            }
        }
        faults
    }
}

impl Configuration {
    /// All faults of the configuration. An empty list: it can be opened.
    #[must_use]
    pub fn faults(&self) -> Vec<ConfigurationFault> {
        let mut faults = Vec::new();
        if self.name.trim().is_empty() {
            faults.push(ConfigurationFault::NoName);
        }
        amount(&mut faults, AmountName::Base, self.base);
        faults.extend(self.parameters.faults());
        if let Some(ceiling) = self.parameters.ceiling.filter(|&ceiling| ceiling < self.base) {
            faults.push(ConfigurationFault::CeilingUnderMeter { ceiling, base: self.base });
        }
        for (at, link) in self.tables.iter().enumerate() {
            faults.extend(link.faults(&self.tables[..at]));
        }
        faults
    }
}

impl TableLink {
    /// All faults of linking this table together with those.
    #[must_use]
    pub fn faults<'a>(&self, others: impl IntoIterator<Item = &'a TableLink>) -> Vec<ConfigurationFault> {
        let mut faults = Vec::new();
        if self.name.trim().is_empty() {
            faults.push(ConfigurationFault::TableWithoutName);
        }
        if self.rules.awards.is_empty() {
            faults.push(ConfigurationFault::NoAwards(self.name.clone()));
        }
        if self.multiples == 0 {
            faults.push(ConfigurationFault::NoMultiples(self.name.clone()));
        }
        for award in &self.rules.awards {
            if let AwardPay::Share(share) = award.pays
                && share > Percent::WHOLE
            {
                let (table, award) = (self.name.clone(), award.name.clone());
                faults.push(ConfigurationFault::ShareOverWhole { table, award, share });
            }
        }
        let order: AcrossTables = self.rules.across_tables.value;
        for other in others {
            if other.name == self.name {
                faults.push(ConfigurationFault::TableTwice(self.name.clone()));
            } else if other.rules.across_tables.value != order {
                let (table, other) = (self.name.clone(), other.name.clone());
                faults.push(ConfigurationFault::OrdersDiffer { table, other });
                break;
            }
        }
        faults
    }
}

fn amount(faults: &mut Vec<ConfigurationFault>, which: AmountName, amount: Money) {
    if amount < Money::ZERO || amount.checked_add(Money::ZERO).is_err() {
        faults.push(ConfigurationFault::Amount { which, amount });
    }
}
