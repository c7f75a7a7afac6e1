//! How a table is set up: boxes, dealing procedure, limits, the jackpot wager, readings.

use baize_rules::{Area, Money, ProcedureName, Readings, Rulebook};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The minimum and maximum of an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// The minimum.
    pub least: Money,
    /// The maximum.
    pub most: Money,
}

/// The set-up of a table, valid for its rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// Boxes on the layout.
    pub boxes: u8,
    /// The dealing procedure.
    pub procedure: ProcedureName,
    /// Limits of the ante.
    pub ante: Limits,
    /// Limits of the bonus.
    pub bonus: Limits,
    /// The prescribed jackpot wager, or its minimum where multiples are allowed.
    pub jackpot_wager: Money,
    /// The reading of each open point.
    pub readings: Readings,
}

/// Why a set-up does not fit its rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingsFault {
    /// The layouts have a different number of boxes.
    #[error("{found} {}: the layouts of this game have {fewest} to {most} ({cites})", if *found == 1 { "box" } else { "boxes" })]
    Boxes {
        /// The requested number.
        found: u8,
        /// The fewest boxes of any layout.
        fewest: u8,
        /// The most boxes of any layout.
        most: u8,
        /// The paragraphs.
        cites: baize_rules::Cites,
    },
    /// The game has no such dealing procedure.
    #[error("this game is not dealt with `{found}`: it has {known}")]
    Procedure {
        /// The requested procedure.
        found: &'static str,
        /// The game's procedures.
        known: String,
    },
    /// The minimum is zero or above the maximum.
    #[error(
        "limits of the {area}: {least} to {most}; the minimum must be above nothing and not above the maximum"
    )]
    Limits {
        /// The area.
        area: &'static str,
        /// The minimum.
        least: Money,
        /// The maximum.
        most: Money,
    },
    /// The jackpot wager is zero.
    #[error("the jackpot wager must be above nothing")]
    JackpotWager,
}

impl Settings {
    /// The default set-up: the most boxes, the game's first procedure, wide limits, a jackpot wager of 5.
    #[must_use]
    pub fn usual(book: &Rulebook) -> Settings {
        let wide = Limits { least: Money::from_dollars(1), most: Money::from_dollars(1_000_000) };
        Settings {
            boxes: book.boxes.value.most,
            procedure: book.procedures.first().map_or(ProcedureName::Manual, |p| p.name),
            ante: wide,
            bonus: wide,
            jackpot_wager: Money::from_dollars(5),
            readings: book.readings,
        }
    }

    /// This set-up, if it fits the rulebook.
    ///
    /// # Errors
    /// The first thing that does not fit.
    // MH, MS Appendix B, Appendix D; RWS 2.1.1: no more boxes than the layout has.
    pub fn checked(self, book: &Rulebook) -> Result<Settings, SettingsFault> {
        let range = book.boxes.value;
        if !(range.fewest..=range.most).contains(&self.boxes) {
            return Err(SettingsFault::Boxes {
                found: self.boxes,
                fewest: range.fewest,
                most: range.most,
                cites: book.boxes.cites,
            });
        }
        if book.procedure(self.procedure).is_none() {
            let known: Vec<&str> = book.procedures.iter().map(|p| p.name.code()).collect();
            return Err(SettingsFault::Procedure { found: self.procedure.code(), known: known.join(", ") });
        }
        for (area, limits) in [(Area::Ante, self.ante), (Area::Bonus, self.bonus)] {
            if limits.least <= Money::ZERO || limits.least > limits.most {
                return Err(SettingsFault::Limits {
                    area: area.code(),
                    least: limits.least,
                    most: limits.most,
                });
            }
        }
        if self.jackpot_wager <= Money::ZERO {
            return Err(SettingsFault::JackpotWager);
        }
        Ok(self)
    }
}
