//! A hit: a winning jackpot wager, from the claim to the payment.

use baize_rules::{Cites, Claim, Money};
use serde::{Deserialize, Serialize};

use crate::{Payment, Person};

/// The status of a hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum HitState {
    /// Its value is locked; it waits for verification, confirmation or its turn.
    Pending,
    /// Paid.
    Paid,
    /// Found not to qualify.
    Rejected {
        /// By whom.
        by: Person,
        /// Why.
        reason: String,
    },
    /// Undone with its round or its hand: a void round has no result.
    Reversed {
        /// It had been paid.
        paid: bool,
        /// The paragraphs.
        cites: Cites,
    },
}

/// A winning jackpot wager.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// Its number, in the order in which hits were entered.
    pub id: u64,
    /// The table.
    pub table: String,
    /// The number of the table's round.
    pub round: u64,
    /// The round's claim.
    pub claim: Claim,
    /// The award's name.
    pub award: String,
    /// It wins the whole jackpot.
    pub top: bool,
    /// It draws from the meter, so its turn matters.
    pub ordered: bool,
    /// What it is paid. The amount is locked; it changes only when a hit with an earlier turn comes in or is rejected.
    pub payment: Option<Payment>,
    /// Its status.
    pub state: HitState,
    /// Who verified that it qualifies.
    pub verified_by: Option<Person>,
    /// Who confirmed the amount.
    pub confirmed_by: Option<Person>,
}

impl Hit {
    /// The amount locked or paid.
    #[must_use]
    pub fn amount(&self) -> Money {
        self.payment.as_ref().map_or(Money::ZERO, |payment| payment.amount)
    }

    /// Whether it is still waiting for something.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.state == HitState::Pending
    }

    /// Whether it is paid or may be: neither rejected nor reversed.
    #[must_use]
    pub const fn stands(&self) -> bool {
        matches!(self.state, HitState::Pending | HitState::Paid)
    }

    /// Whether everybody required has verified it.
    #[must_use]
    pub fn is_cleared(&self, confirm_above: Money) -> bool {
        self.is_pending()
            && self.verified_by.is_some()
            && (self.confirmed_by.is_some() || self.amount() <= confirm_above)
    }
}
