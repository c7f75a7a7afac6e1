//! Strategies that a person can remember, by name or in a small language.
//!
//! A strategy is a name, such as `ace-king`, or rules: `raise: pair+ or A-K-J-8-3+` in stud, `fold: 23o-27o; turn: own pair+; river: own
//! pair+` in hold'em. Decisions without a rule are `best`.

mod cards_seen;
mod holdem;
mod reader;
mod stud;

use baize_rules::Family;
use thiserror::Error;

pub use cards_seen::Community;
pub(crate) use holdem::settled;
pub use holdem::{Condition, Folds, HoldemStrategy};
pub use stud::{StudStrategy, StudTerm, UpCondition};

/// A named strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedStrategy {
    /// The name on the command line.
    pub name: &'static str,
    /// The same as rules.
    pub rules: &'static str,
    /// A description.
    pub words: &'static str,
}

/// A strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strategy {
    /// A stud game.
    Stud(StudStrategy),
    /// A hold'em game.
    Holdem(HoldemStrategy),
}

/// Why a text is not a strategy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StrategyError {
    /// No strategy of this name.
    #[error("there is no strategy `{name}` for {}; there are:\n{known}\nor write rules, such as `{example}`", family.name())]
    Unknown {
        /// What was asked for.
        name: String,
        /// The family.
        family: Family,
        /// The names with their words, one a line.
        known: String,
        /// Rules of this family.
        example: &'static str,
    },
    /// A rule for a decision that the family does not have.
    #[error("`{rule}` is not a decision of {}: its rules are {known}", family.name())]
    Rule {
        /// The text before the colon.
        rule: String,
        /// The family.
        family: Family,
        /// The rules there are.
        known: &'static str,
    },
    /// A decision with two rules.
    #[error("there are two rules for `{0}`: join them with `or`")]
    Twice(String),
    /// Part of a rule cannot be parsed.
    #[error("`{part}`: {why}")]
    Part {
        /// The part.
        part: String,
        /// What is wrong, and what would be right.
        why: String,
    },
}

impl Strategy {
    /// The strategy of this name, or of these rules.
    ///
    /// # Errors
    /// An unknown name (the error lists those that exist), or an invalid rule.
    pub fn read(family: Family, text: &str) -> Result<Strategy, StrategyError> {
        let text = text.trim();
        let named = Strategy::named(family).iter().find(|named| named.name == text);
        let rules = match named {
            Some(named) => named.rules,
            None if text.contains(':') => text,
            None => return Err(unknown(family, text)),
        };
        match family {
            Family::Stud => StudStrategy::read(rules).map(Strategy::Stud),
            Family::Holdem => HoldemStrategy::read(rules).map(Strategy::Holdem),
        }
    }

    /// The strategies that have a name, best play first.
    #[must_use]
    pub const fn named(family: Family) -> &'static [NamedStrategy] {
        match family {
            Family::Stud => &stud::NAMED,
            Family::Holdem => &holdem::NAMED,
        }
    }
}

fn unknown(family: Family, name: &str) -> StrategyError {
    let named = Strategy::named(family);
    let width = named.iter().map(|each| each.name.len()).max().unwrap_or_default();
    let known = named.iter().map(|each| format!("  {:width$}  {}", each.name, each.words));
    let example = match family {
        Family::Stud => "raise: pair+ or A-K-J-8-3+",
        Family::Holdem => "fold: 23o-27o; turn: own pair+; river: own pair+",
    };
    StrategyError::Unknown {
        name: name.to_owned(),
        family,
        known: known.collect::<Vec<_>>().join("\n"),
        example,
    }
}
