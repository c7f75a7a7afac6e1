//! How tables and jackpots of the house are set up.

use baize_rules::{Money, Percent, Rulebook};
use baize_table::{Limits, Settings, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{JackpotId, TableId};

/// Who runs a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "pace")]
pub enum Pace {
    /// A person announces, closes, deals and settles.
    Dealer,
    /// The table runs itself. A lone player is not hurried; with company the clocks run.
    Auto {
        /// From the first wager to "No more bets".
        betting_seconds: u32,
        /// For each decision; then the game's paragraph on absent players applies.
        decision_seconds: u32,
    },
}

/// Where the cards come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shoe {
    /// The computer shuffles, commits and deals.
    Computer,
    /// Cards of a real shoe are entered one by one.
    Entered,
}

/// What is played with. Neither is ever mixed with the other: not at a table, in a jackpot, in a purse or in a report.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum MoneyKind {
    /// Play chips, which the house gives away and the cage does not pay for.
    #[default]
    Practice,
    /// Chips that the cage sells and pays for.
    Cash,
}

impl MoneyKind {
    /// Both.
    pub const ALL: [MoneyKind; 2] = [MoneyKind::Practice, MoneyKind::Cash];

    /// The name in addresses, data and sentences: `for practice`, `for cash`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            MoneyKind::Practice => "practice",
            MoneyKind::Cash => "cash",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde wants")]
    pub(crate) fn is_practice(&self) -> bool {
        *self == MoneyKind::Practice
    }
}

impl std::str::FromStr for MoneyKind {
    type Err = String;

    fn from_str(text: &str) -> Result<MoneyKind, String> {
        let found = MoneyKind::ALL.into_iter().find(|kind| kind.code() == text);
        found.ok_or_else(|| format!("`{text}` is not practice or cash"))
    }
}

/// A table as it is set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableConfig {
    /// Its name.
    pub id: TableId,
    /// The rulebook's id.
    pub rulebook: String,
    /// Boxes, procedure, limits, readings.
    pub settings: Settings,
    /// Who runs it.
    pub pace: Pace,
    /// Where the cards come from.
    pub shoe: Shoe,
    /// The jackpot that it is linked to. Without one, no jackpot wagers are taken.
    pub jackpot: Option<JackpotId>,
    /// The chips that it starts with.
    pub float: Money,
    /// What is played with.
    #[serde(default, skip_serializing_if = "MoneyKind::is_practice")]
    pub money: MoneyKind,
    /// The most that staff place for one player in one round, at the player's request.
    #[serde(
        default = "TableConfig::usual_bets_by_staff",
        skip_serializing_if = "TableConfig::are_usual_bets_by_staff"
    )]
    pub bets_by_staff: Money,
    /// The smallest chip: players' wagers are made of it.
    #[serde(default = "TableConfig::usual_chip", skip_serializing_if = "TableConfig::is_usual_chip")]
    pub chip: Money,
}

impl TableConfig {
    /// A table of this game that runs itself, with limits for people who play for fun.
    #[must_use]
    pub fn usual(id: TableId, book: &Rulebook, jackpot: Option<JackpotId>) -> TableConfig {
        let settings = Settings {
            ante: Limits { least: Money::from_dollars(5), most: Money::from_dollars(1_000) },
            bonus: Limits { least: Money::from_dollars(5), most: Money::from_dollars(500) },
            ..Settings::usual(book)
        };
        TableConfig {
            id,
            rulebook: book.id.clone(),
            settings,
            pace: Pace::Auto { betting_seconds: 20, decision_seconds: 30 },
            shoe: Shoe::Computer,
            jackpot,
            float: Money::from_dollars(1_000_000),
            money: MoneyKind::Practice,
            bets_by_staff: TableConfig::usual_bets_by_staff(),
            chip: TableConfig::usual_chip(),
        }
    }

    pub(crate) const fn usual_chip() -> Money {
        Money::from_dollars(1)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde wants")]
    pub(crate) fn is_usual_chip(amount: &Money) -> bool {
        *amount == TableConfig::usual_chip()
    }

    pub(crate) const fn usual_bets_by_staff() -> Money {
        Money::from_dollars(10_000)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde wants")]
    pub(crate) fn are_usual_bets_by_staff(amount: &Money) -> bool {
        *amount == TableConfig::usual_bets_by_staff()
    }
}

/// What stands at a table from rounds that were played before it was set up here: notices, barred players, the number of rounds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FromEarlier {
    /// So many rounds were played: the next one has the number after it.
    pub rounds: u32,
    /// What stands.
    pub standing: Standing,
}

/// A jackpot as it is set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JackpotConfig {
    /// Its name.
    pub id: JackpotId,
    /// The value that the meter is opened with.
    pub base: Money,
    /// The prescribed wager, or the smallest where multiples are allowed.
    pub wager: Money,
    /// The value that the meter starts again from when it is won.
    pub reset: Money,
    /// The share of each accepted wager that the meter grows by.
    pub increment: Percent,
    /// The share of each accepted wager that is set aside for the next reset.
    pub reserve: Percent,
    /// The value above which contributions go to the overflow.
    pub ceiling: Option<Money>,
    /// An award above this amount needs a second person.
    pub confirm_above: Money,
    /// What its tables are played with.
    #[serde(default, skip_serializing_if = "MoneyKind::is_practice")]
    pub money: MoneyKind,
}

impl JackpotConfig {
    /// A jackpot with figures that are usual: 100,000 to begin with and again after a win, 20 % of each wager to the meter, 5 % to the
    /// reserve, a second person above 10,000.
    #[must_use]
    pub fn usual(id: JackpotId) -> JackpotConfig {
        JackpotConfig {
            id,
            base: Money::from_dollars(100_000),
            wager: Money::from_dollars(5),
            reset: Money::from_dollars(100_000),
            increment: Percent::from_hundredths(2_000),
            reserve: Percent::from_hundredths(500),
            ceiling: None,
            confirm_above: Money::from_dollars(10_000),
            money: MoneyKind::Practice,
        }
    }
}
