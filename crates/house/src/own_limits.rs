//! Limits that players set for themselves: loss and playing time in 24 hours, and breaks.
//!
//! Tighter limits apply at once; looser ones, or removing a limit, 24 hours after the request. Nobody else can set them, and nobody can end
//! a break early.

use baize_rules::Money;
use serde::{Deserialize, Serialize};

use crate::Instant;

/// The delay before a looser limit applies, and the period over which losses and time are counted.
pub(crate) const LIMIT_HOURS: u32 = 24;

/// Maximum length of a break, in minutes: a year.
pub(crate) const MAX_BREAK_MINUTES: u32 = 60 * 24 * 365;

/// Limits per 24 hours; `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnLimits {
    /// Maximum loss, counting chips on the table as lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Money>,
    /// Maximum minutes of play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u32>,
}

/// The tighter of two limits, where `None` is no limit.
fn tighter<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl OwnLimits {
    /// The limits that apply at once when these are requested while `held` apply.
    fn at_once(self, held: OwnLimits) -> OwnLimits {
        OwnLimits { loss: tighter(self.loss, held.loss), minutes: tighter(self.minutes, held.minutes) }
    }
}

/// A player's own limits and break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnRules {
    /// The limits in force until the time of `later`.
    pub limits: OwnLimits,
    /// The limits in force from this time on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub later: Option<(Instant, OwnLimits)>,
    /// No wager is accepted until this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_until: Option<Instant>,
}

impl OwnRules {
    /// Whether nothing is set.
    pub(crate) fn is_none(&self) -> bool {
        *self == OwnRules::default()
    }

    /// The rules in force at a time.
    pub(crate) fn at(self, now: Instant) -> OwnRules {
        let limits = match self.later {
            Some((from, later)) if from <= now => later,
            Some(_) | None => self.limits,
        };
        OwnRules {
            limits,
            later: self.later.filter(|(from, _)| *from > now),
            break_until: self.break_until.filter(|until| *until > now),
        }
    }

    /// The rules after a request for these limits.
    pub(crate) fn asked(self, wanted: OwnLimits, now: Instant) -> OwnRules {
        let held = self.at(now);
        let limits = wanted.at_once(held.limits);
        let later = (limits != wanted).then(|| (now.plus_seconds(LIMIT_HOURS * 3_600), wanted));
        OwnRules { limits, later, ..held }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(loss: Option<i32>, minutes: Option<u32>) -> OwnLimits {
        OwnLimits { loss: loss.map(Money::from_dollars), minutes }
    }

    #[test]
    fn a_limit_is_lowered_at_once_and_raised_a_day_later() {
        let (now, day) = (Instant(1_000), 24 * 3_600);
        let first = OwnRules::default().asked(limits(Some(100), None), now);
        assert_eq!((first.limits, first.later), (limits(Some(100), None), None));
        // One limit looser, one tighter: the tighter one applies now, the looser one later.
        let mixed = first.asked(limits(Some(500), Some(60)), now);
        assert_eq!(mixed.limits, limits(Some(100), Some(60)));
        assert_eq!(mixed.later, Some((now.plus_seconds(day), limits(Some(500), Some(60)))));
        let before = Instant(now.plus_seconds(day).0 - 1);
        assert_eq!(mixed.at(before).limits, limits(Some(100), Some(60)));
        assert_eq!(mixed.at(now.plus_seconds(day)).limits, limits(Some(500), Some(60)));
        // A new request restarts the delay; requesting the current limits cancels it.
        let again = mixed.asked(limits(Some(900), Some(60)), now.plus_seconds(3_600));
        assert_eq!(again.later.unwrap().0, now.plus_seconds(3_600 + day));
        assert_eq!(mixed.asked(mixed.limits, now).later, None);
        // Removing a limit counts as looser.
        assert_eq!(first.asked(OwnLimits::default(), now).limits, limits(Some(100), None));
    }
}
