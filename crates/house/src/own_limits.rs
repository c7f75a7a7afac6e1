//! Limits that players set for themselves: what they may lose and how long they play in 24 hours, and breaks.
//!
//! A limit becomes tighter at once. It becomes looser, or goes away, 24 hours after it was asked for. Nobody else sets one, and nobody ends a
//! break early.

use baize_rules::Money;
use serde::{Deserialize, Serialize};

use crate::Instant;

/// How long a looser limit waits, and over how long losses and time are counted: 24 hours.
pub(crate) const LIMIT_HOURS: u32 = 24;

/// The longest break that can be taken at once, in minutes: a year.
pub(crate) const LONGEST_BREAK: u32 = 60 * 24 * 365;

/// Limits over 24 hours. `None`: no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnLimits {
    /// The most that may be lost, chips on the table counted as lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Money>,
    /// The minutes of play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u32>,
}

/// The tighter of two, where `None` is no limit.
fn tighter<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl OwnLimits {
    /// What holds at once when these limits are asked for while others hold.
    fn at_once(self, held: OwnLimits) -> OwnLimits {
        OwnLimits { loss: tighter(self.loss, held.loss), minutes: tighter(self.minutes, held.minutes) }
    }
}

/// What a player has set for themself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnRules {
    /// What holds, unless `later` has come.
    pub limits: OwnLimits,
    /// What holds from this moment on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub later: Option<(Instant, OwnLimits)>,
    /// No wager is taken until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_until: Option<Instant>,
}

impl OwnRules {
    /// Nothing is set.
    pub(crate) fn is_none(&self) -> bool {
        *self == OwnRules::default()
    }

    /// As they stand at a moment.
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

    /// As they stand once these limits were asked for.
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
        // Looser in one thing and tighter in another: each in its own time.
        let mixed = first.asked(limits(Some(500), Some(60)), now);
        assert_eq!(mixed.limits, limits(Some(100), Some(60)));
        assert_eq!(mixed.later, Some((now.plus_seconds(day), limits(Some(500), Some(60)))));
        let before = Instant(now.plus_seconds(day).0 - 1);
        assert_eq!(mixed.at(before).limits, limits(Some(100), Some(60)));
        assert_eq!(mixed.at(now.plus_seconds(day)).limits, limits(Some(500), Some(60)));
        // Asking again begins to wait again; taking it back leaves what holds.
        let again = mixed.asked(limits(Some(900), Some(60)), now.plus_seconds(3_600));
        assert_eq!(again.later.unwrap().0, now.plus_seconds(3_600 + day));
        assert_eq!(mixed.asked(mixed.limits, now).later, None);
        // No limit is the loosest of all.
        assert_eq!(first.asked(OwnLimits::default(), now).limits, limits(Some(100), None));
    }
}
