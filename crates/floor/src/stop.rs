//! Why an order is not carried out. Nothing has changed in that case.

use baize_rules::{Cites, Rulebook};
use thiserror::Error;

/// Why a table's jackpot takes no wagers from it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Away {
    /// The table has no jackpot.
    #[error("this table is not linked to a jackpot and takes no jackpot wagers")]
    NotLinked,
    /// It was unlinked.
    #[error("the table is no longer linked")]
    Unlinked,
    /// A fault stopped jackpot wagers here.
    #[error("a fault was reported here")]
    Suspended,
    /// The jackpot is not in play.
    #[error("it is closed")]
    Closed,
    /// Its pools do not add up.
    #[error("{0}")]
    Imbalance(#[from] baize_jackpot::Imbalance),
}

impl Away {
    /// The paragraphs by which wagers are refused, if any.
    #[must_use]
    pub fn cites(&self, book: &Rulebook) -> Cites {
        let fault = book.irregularities.jackpot_fault.as_ref();
        match self {
            Away::Suspended => fault.map_or(Cites::NONE, |fault| fault.no_jackpot),
            Away::NotLinked | Away::Unlinked | Away::Closed | Away::Imbalance(_) => Cites::NONE,
        }
    }
}

/// Why an order is not carried out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Stop {
    /// The rules of the table refuse it.
    #[error(transparent)]
    Refused(#[from] baize_table::Refusal),
    /// The jackpot takes no wagers from the table.
    #[error(transparent)]
    Away(#[from] Away),
    /// The jackpot refuses the table's request.
    #[error(transparent)]
    Jackpot(#[from] baize_jackpot::Refusal),
    /// The order concerns the jackpot: retry with it.
    #[error("the jackpot is needed")]
    NeedsJackpot,
}
