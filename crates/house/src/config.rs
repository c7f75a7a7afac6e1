//! Configuration of tables and jackpots.

use baize_rules::{Money, Percent, Rulebook};
use baize_table::{Limits, Settings, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{JackpotId, TableId};

/// Who runs a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "pace")]
pub enum Pace {
    /// A dealer announces, closes, deals and settles.
    Dealer,
    /// The table runs itself. No clock runs for a single player.
    Auto {
        /// Time from the first wager to "No more bets".
        betting_seconds: u32,
        /// Time for each decision; after that, the game's paragraph on absent players applies.
        decision_seconds: u32,
    },
}

/// Where the cards come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shoe {
    /// The computer shuffles, publishes a promise of the deck and deals.
    Computer,
    /// The dealer enters the cards of a real shoe one by one.
    Entered,
}

/// Practice or cash. The two are never mixed: not at a table, in a jackpot, in a purse or in a report.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum MoneyKind {
    /// Play chips: given away, never redeemed.
    #[default]
    Practice,
    /// Chips that the cage sells and redeems.
    Cash,
}

impl MoneyKind {
    /// Both kinds.
    pub const ALL: [MoneyKind; 2] = [MoneyKind::Practice, MoneyKind::Cash];

    /// The name used in URLs, JSON and sentences: `for practice`, `for cash`.
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

/// The configuration of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableConfig {
    /// The table's id.
    pub id: TableId,
    /// The rulebook's id.
    pub rulebook: String,
    /// Boxes, procedure, limits, interpretations.
    pub settings: Settings,
    /// Who runs it.
    pub pace: Pace,
    /// Where the cards come from.
    pub shoe: Shoe,
    /// The linked jackpot. Without one, no jackpot wagers are taken.
    pub jackpot: Option<JackpotId>,
    /// The opening float.
    pub float: Money,
    /// Practice or cash.
    #[serde(default, skip_serializing_if = "MoneyKind::is_practice")]
    pub money: MoneyKind,
    /// Maximum that staff may place for one player in one round, at the player's request.
    #[serde(
        default = "TableConfig::usual_bets_by_staff",
        skip_serializing_if = "TableConfig::are_usual_bets_by_staff"
    )]
    pub bets_by_staff: Money,
    /// The smallest chip: antes and bonus wagers are multiples of it.
    #[serde(default = "TableConfig::usual_chip", skip_serializing_if = "TableConfig::is_usual_chip")]
    pub chip: Money,
}

impl TableConfig {
    /// The default table of a game: it runs itself, with limits for play for fun.
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

/// State carried over from rounds played before the table was set up here: notices, barred players, the number of rounds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FromEarlier {
    /// Rounds played so far. The next round gets the number after it.
    pub rounds: u32,
    /// Notices and barred players.
    pub standing: Standing,
}

/// The configuration of a jackpot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JackpotConfig {
    /// The jackpot's id.
    pub id: JackpotId,
    /// The opening value of the meter.
    pub base: Money,
    /// The prescribed wager, or the smallest where multiples are allowed.
    pub wager: Money,
    /// The value that the meter is reset to after the top award is won.
    pub reset: Money,
    /// The share of each accepted wager that is added to the meter.
    pub increment: Percent,
    /// The share of each accepted wager that is set aside for the next reset.
    pub reserve: Percent,
    /// The value above which contributions go to the overflow.
    pub ceiling: Option<Money>,
    /// An award above this amount needs confirmation by a second person.
    pub confirm_above: Money,
    /// Practice or cash, as its tables.
    #[serde(default, skip_serializing_if = "MoneyKind::is_practice")]
    pub money: MoneyKind,
}

impl JackpotConfig {
    /// A jackpot with default parameters: opening and reset value 100,000; 20 % of each wager to the meter, 5 % to the reserve; a second
    /// person for awards above 10,000.
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
