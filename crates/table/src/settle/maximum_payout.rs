//! The maximum payout of an area, such as SGD 100,000 on one wager.

use baize_rules::{Area, CapOn, Cites, Money, Readings, Rulebook};

/// What of a win is paid, and the paragraphs of the maximum if it reduces the win. Whether the maximum counts the winnings alone or the stake
/// too is an open point (I-9).
#[must_use]
#[inline]
pub fn maximum_payout(
    book: &Rulebook,
    readings: &Readings,
    area: Area,
    staked: Money,
    win: Money,
) -> (Money, Option<Cites>) {
    let Some((_, cap)) = book.settlement.caps.iter().find(|(capped, _)| *capped == area) else {
        return (win, None);
    };
    let max = match readings.cap_on {
        CapOn::Winnings => cap.value,
        CapOn::Total => (cap.value - staked).max(Money::ZERO),
    };
    if win > max { (max, Some(cap.cites)) } else { (win, None) }
}
