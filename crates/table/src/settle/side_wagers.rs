//! Wagers that do not depend on the comparison: the bonus, the jackpot wager, and all wagers of a hand that is
//! not shown.

use baize_cards::{Card, HandClass};
use baize_rules::{AfterFold, Area, BonusAfterLoss, Cites, Claim, Money, NotShown, OpenPoint};

use super::{Comparison, DealerResult, SettlementFault, Slip};
use crate::{Line, ResultKind, awards_made};

/// What a jackpot wager can still win.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Every award.
    Everything,
    /// What the rulebook lets a folded hand keep.
    AfterFold,
    /// Awards on the community cards alone: the hand is not shown (I-13).
    Community,
}

impl Slip<'_> {
    /// The player does not show the hand. If the dealer does not qualify, nothing is compared: ante and raise are settled as for
    /// every hand that did not fold. If the text does not say what happens to the jackpot wager, community awards are paid
    /// (I-13).
    pub(super) fn declined(&mut self, judged: &DealerResult<'_>) -> Result<(), SettlementFault> {
        let settlement = &self.book.settlement;
        let open = self.book.leaves_open(OpenPoint::NotShown);
        let everything = open && self.terms.readings.not_shown == NotShown::Everything;
        let no_hand = judged.value.is_some() && !judged.qualifies;
        let uncompared = settlement.not_qualified.as_ref().filter(|_| no_hand);
        let before = self.slip.lines.len();
        match uncompared.filter(|_| !everything) {
            Some(fates) => self.main(Comparison::NotQualified(fates, HandClass::FiveOddCards))?,
            None => self.all_lost(settlement.declined)?,
        }
        if uncompared.is_some() && open {
            self.decided_by(OpenPoint::NotShown, before);
        }
        let community =
            awards_made(self.book, self.wagers.cards, judged.board, Some(AfterFold::CommunityOnly));
        let before = self.slip.lines.len();
        if open && !everything && community != 0 {
            self.jackpot(judged, Reach::Community)?;
        } else {
            self.push(Area::Jackpot, self.stake(Area::Jackpot), ResultKind::Lose, settlement.declined);
        }
        if open && community != 0 {
            self.decided_by(OpenPoint::NotShown, before);
        }
        Ok(())
    }

    /// Marks the lines from here on as decided by an open point.
    fn decided_by(&mut self, point: OpenPoint, from: usize) {
        for line in self.slip.lines.iter_mut().skip(from) {
            line.interpretation = Some(point);
        }
    }

    /// The bonus: on the hole cards, whatever happens at the showdown (I-1).
    // RH 4.1, 4.1.1; MH, MB 4.1.1: on the hole cards alone.
    pub(super) fn bonus(
        &mut self,
        comparison: Comparison<'_>,
        judged: &DealerResult<'_>,
    ) -> Result<(), SettlementFault> {
        let (Some(table), false) = (&self.book.bonus, self.stake(Area::Bonus).is_zero()) else {
            return Ok(());
        };
        let effective = self.effective(Area::Bonus)?;
        let lost = comparison == Comparison::Lower;
        let open = lost && self.book.leaves_open(OpenPoint::BonusAfterLoss);
        if open && self.terms.readings.bonus_after_loss == BonusAfterLoss::LostWithHand {
            let cites = self.book.settlement.lower.of(Area::Ante).map_or(table.cites, |fate| fate.cites);
            self.push_line(Line {
                area: Area::Bonus,
                staked: effective.stake,
                result: ResultKind::Lose,
                amount: effective.stake,
                cites,
                interpretation: Some(OpenPoint::BonusAfterLoss),
            });
            return Ok(());
        }
        let two = |cards: &[Card]| {
            <[Card; 2]>::try_from(cards).map_err(|_| SettlementFault::HandUnknown(self.wagers.seat))
        };
        let (holes, dealer) = (two(self.wagers.cards)?, two(judged.dealer)?);
        let cites = effective.with(table.cites);
        match table.line(holes, Some(dealer)) {
            Some(line) => {
                let pay = line.odds.pay(effective.stake)?;
                self.win(Area::Bonus, effective.stake, pay, cites, open.then_some(OpenPoint::BonusAfterLoss));
            }
            None => self.push(Area::Bonus, effective.stake, ResultKind::Lose, cites),
        }
        Ok(())
    }

    /// The jackpot wager: lost, or claimed.
    // MBS 3.5.2, 3.13: whether the hand was viewed or played blind, and in addition to every other wager.
    pub(super) fn jackpot(&mut self, judged: &DealerResult<'_>, reach: Reach) -> Result<(), SettlementFault> {
        let staked = self.stake(Area::Jackpot);
        if staked.is_zero() {
            return Ok(());
        }
        let rules = &self.book.jackpot;
        let limited = match reach {
            Reach::Everything => None,
            Reach::AfterFold => Some(rules.after_fold.value),
            Reach::Community => Some(AfterFold::CommunityOnly),
        };
        let made = awards_made(self.book, self.wagers.cards, judged.board, limited);
        if made != 0 {
            // The pay table lists its awards from the highest: the first one that is made.
            let award = made.trailing_zeros() as usize;
            let multiple = self.terms.jackpot_multiple(staked);
            let wager = SettlementFault::JackpotWager { seat: self.wagers.seat, wager: staked };
            let multiple = multiple.ok_or(wager)?;
            self.slip.claim = Some(Claim { seat: self.wagers.seat, award, made, wager: staked, multiple });
            self.push_line(Line {
                area: Area::Jackpot,
                staked,
                result: ResultKind::Pending,
                amount: Money::ZERO,
                cites: rules.awards[award].cites.and(self.award_cites(judged)),
                interpretation: None,
            });
            return Ok(());
        }
        let cites = if reach == Reach::AfterFold && rules.after_fold.value != AfterFold::Everything {
            rules.after_fold.cites.and(rules.table)
        } else {
            rules.table
        };
        self.push(Area::Jackpot, staked, ResultKind::Lose, cites);
        Ok(())
    }

    /// The paragraph that pays an award with or without a qualifying dealer's hand, if the text has one for each.
    fn award_cites(&self, judged: &DealerResult<'_>) -> Cites {
        match judged.value {
            None => Cites::NONE,
            Some(_) if judged.qualifies => self.book.settlement.award_with_hand,
            Some(_) => self.book.settlement.award_without_hand,
        }
    }
}
