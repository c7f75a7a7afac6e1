//! Drawing a round's awards from the meter, one turn after the other.
//!
//! A round normally draws from the displayed meter. A round caught by a fault draws from the amount registered before the
//! fault (RH 5.17.1, RS 5.18.1): what has come in since stays in the meter, and the house pays what the meter no longer has.

use baize_rules::{
    Award, AwardChoice, AwardPay, Cites, Claim, ForOne, JackpotRules, Money, MoneyError, PaidBy, Percent,
    PoolRounding, PooledStraightFlush, Readings, Rounding,
};

use crate::order::{Turn, ordered_by};
use crate::{Exact, Meter, PayFault, Payment, Reset};

/// A meter while one round draws from it.
pub(crate) struct Draw<'a> {
    rules: &'a JackpotRules,
    readings: &'a Readings,
    minimum: Money,
    meter: &'a mut Meter,
    /// How far the meter is ahead of what this round draws from; negative if it is behind.
    ahead: Exact,
    /// The claims of the round: which paragraph orders the winners depends on the other winners.
    claims: &'a [Claim],
}

impl<'a> Draw<'a> {
    pub(crate) fn new(
        rules: &'a JackpotRules,
        readings: &'a Readings,
        meter: &'a mut Meter,
        registered: Option<Money>,
        minimum: Money,
        claims: &'a [Claim],
    ) -> Draw<'a> {
        let ahead = registered.map_or(Exact::ZERO, |amount| meter.value() - Exact::from(amount));
        Draw { rules, readings, minimum, meter, ahead, claims }
    }

    /// The sign value for this round.
    fn shown(&self) -> Money {
        (self.meter.value() - self.ahead).or_zero().floor()
    }

    /// Pays one turn.
    pub(crate) fn turn(&mut self, turn: &Turn, payments: &mut Vec<Payment>) -> Result<(), PayFault> {
        let award = &self.rules.awards[turn.award];
        if let (AwardPay::Share(share), Some(_)) = (award.pays, turn.pooled) {
            return self.pool(award, share, turn, payments);
        }
        for claim in &turn.winners {
            payments.push(self.single(award, claim)?);
        }
        Ok(())
    }

    fn single(&mut self, award: &Award, claim: &Claim) -> Result<Payment, PayFault> {
        let shown = self.shown();
        let amount = value_of(award, self.readings, shown, self.minimum, claim)
            .map_err(|_| PayFault::TooLarge { seat: claim.seat })?;
        let mut cites = award.cites;
        let mut reset = None;
        let from_meter = match award.pays {
            AwardPay::Share(share) => {
                cites = cites.and(ordered_by(self.rules, self.claims, claim));
                if share >= Percent::WHOLE {
                    let drawn = amount.min(self.meter.displayed());
                    reset = Some(self.won(drawn));
                    drawn
                } else {
                    self.take(amount)
                }
            }
            AwardPay::Fixed(_) | AwardPay::ForOne(_) => match self.readings.paid_by {
                PaidBy::PercentFromMeter => Money::ZERO,
                PaidBy::AllFromMeter => self.take(amount),
            },
        };
        Ok(Payment {
            seat: claim.seat,
            award: claim.award,
            shown,
            amount,
            from_meter,
            reset,
            cites,
            interpretation: None,
        })
    }

    /// Several winners of one award who share equally.
    // MH 3.15.1; MS 3.15.1, 3.15.2: pooled and divided.
    fn pool(
        &mut self,
        award: &Award,
        share: Percent,
        turn: &Turn,
        payments: &mut Vec<Payment>,
    ) -> Result<(), PayFault> {
        let seat = turn.winners.first().map(|claim| claim.seat).unwrap_or_default();
        let too_large = |_: MoneyError| PayFault::TooLarge { seat };
        let number = u32::try_from(turn.winners.len()).map_err(|_| PayFault::TooLarge { seat })?;
        let shown = self.shown();
        let each = match self.readings.pool_rounding {
            PoolRounding::EachDraw => {
                let pot = self.pot(shown, share, number).map_err(too_large)?;
                match self.readings.rounding {
                    Rounding::Up => divided_up(pot, number),
                    Rounding::Down => divided_down(pot, number),
                }
            }
            PoolRounding::Once => {
                self.exact_share(shown, share, number).ok_or(PayFault::TooLarge { seat })?
            }
        };
        let paid = each.times(number).map_err(too_large)?;
        let mut reset = None;
        let from_meter = if share >= Percent::WHOLE {
            // The resets in between pass through the meter. The house pays what it lacks against a registered amount.
            let drawn = (paid - (-self.ahead).or_zero().ceil()).max(Money::ZERO);
            reset = Some(self.won(drawn));
            drawn
        } else {
            match self.readings.pooled_straight_flush {
                PooledStraightFlush::Sequential => self.take(paid),
                PooledStraightFlush::Reset => self.take(self.part(shown, share).min(paid)),
            }
        };
        let ordered =
            turn.winners.first().map_or(Cites::NONE, |first| ordered_by(self.rules, self.claims, first));
        let cites = award.cites.and(turn.pooled.unwrap_or_default()).and(ordered);
        let mut left = from_meter;
        for (others, claim) in (0..number).rev().zip(&turn.winners) {
            let drawn = divided_up(left, others + 1);
            left -= drawn;
            payments.push(Payment {
                seat: claim.seat,
                award: claim.award,
                shown,
                amount: each,
                from_meter: drawn,
                reset: reset.filter(|_| others == 0),
                cites,
                interpretation: None,
            });
        }
        Ok(())
    }

    /// What pooled winners divide. Royals: the jackpot and one reset value for each further winner (MS 3.15.1). Smaller shares:
    /// one share of the jackpot for each winner, by the reading of I-3 in force.
    fn pot(&self, shown: Money, share: Percent, number: u32) -> Result<Money, MoneyError> {
        let others = number.saturating_sub(1);
        if share >= Percent::WHOLE {
            return shown.checked_add(self.meter.reset().times(others)?);
        }
        match self.readings.pooled_straight_flush {
            PooledStraightFlush::Reset => {
                let further = self.part(self.meter.reset(), share).times(others)?;
                self.part(shown, share).checked_add(further)
            }
            PooledStraightFlush::Sequential => {
                let mut left = shown;
                for _ in 0..number {
                    left -= self.part(left, share);
                }
                Ok(shown - left)
            }
        }
    }

    /// What each of this many pooled winners gets without intermediate rounding.
    fn exact_share(&self, shown: Money, share: Percent, number: u32) -> Option<Money> {
        // In units of 1/10,000^number of a cent, where shares of shares are whole numbers.
        let whole = i128::from(Percent::WHOLE.hundredths());
        let taken = i128::from(share.hundredths());
        let scale = whole.checked_pow(number)?;
        let (shown, reset) = (i128::from(shown.cents()), i128::from(self.meter.reset().cents()));
        let others = i128::from(number) - 1;
        let pot = if share >= Percent::WHOLE {
            scale.checked_mul(shown.checked_add(reset.checked_mul(others)?)?)?
        } else {
            match self.readings.pooled_straight_flush {
                // After n draws, (1 - share)^n of it is left.
                PooledStraightFlush::Sequential => {
                    let left = (whole - taken).checked_pow(number)?;
                    shown.checked_mul(scale - left)?
                }
                PooledStraightFlush::Reset => {
                    let one = scale / whole * taken;
                    one.checked_mul(shown.checked_add(reset.checked_mul(others)?)?)?
                }
            }
        };
        let divisor = scale.checked_mul(i128::from(number))?;
        let cents = match self.readings.rounding {
            Rounding::Up => pot.checked_add(divisor - 1)?.div_euclid(divisor),
            Rounding::Down => pot.div_euclid(divisor),
        };
        i64::try_from(cents).ok().map(Money::from_cents)
    }

    fn part(&self, of: Money, share: Percent) -> Money {
        rounded(Exact::share(of, share), self.readings.rounding)
    }

    /// Lowers the meter by what is paid; returns how much of it the meter could pay.
    fn take(&mut self, amount: Money) -> Money {
        let drawn = self.meter.lower(amount);
        self.ahead += Exact::from(amount - drawn);
        drawn
    }

    fn won(&mut self, drawn: Money) -> Reset {
        self.ahead = self.ahead.or_zero();
        self.meter.won(drawn, self.ahead)
    }
}

/// The claim for the award that the reading of I-2 pays: the highest-ranking one, or the one that pays most now.
pub(crate) fn chosen(
    rules: &JackpotRules,
    readings: &Readings,
    shown: Money,
    minimum: Money,
    claim: Claim,
) -> Claim {
    let first = if claim.made == 0 { claim.award } else { claim.made.trailing_zeros() as usize };
    if readings.award_choice == AwardChoice::HighestRanking {
        return Claim { award: first, ..claim };
    }
    let worth = |award: usize| {
        rules.awards.get(award).and_then(|award| value_of(award, readings, shown, minimum, &claim).ok())
    };
    let made = (0..u32::BITS).zip(0..rules.awards.len()).filter(|(bit, _)| claim.made >> bit & 1 == 1);
    let award = made
        .map(|(_, award)| award)
        .fold(claim.award, |best, next| if worth(next) > worth(best) { next } else { best });
    Claim { award, ..claim }
}

/// What an award pays a single winner at this meter: used by I-2's other reading, and shown on pages next to the award.
/// `minimum` is the prescribed wager.
///
/// # Errors
/// An amount above the largest supported.
pub fn value_of(
    award: &Award,
    readings: &Readings,
    shown: Money,
    minimum: Money,
    claim: &Claim,
) -> Result<Money, MoneyError> {
    let times = if award.multiplied { claim.multiple } else { 1 };
    match award.pays {
        AwardPay::Share(share) => {
            Ok(rounded(Exact::share(shown, share.min(Percent::WHOLE)), readings.rounding))
        }
        AwardPay::Fixed(amount) => amount.times(times),
        AwardPay::ForOne(odds) => {
            let stake = if award.multiplied || claim.multiple == 1 { claim.wager } else { minimum };
            match readings.for_one {
                ForOne::StakeKept => stake.times(odds),
                ForOne::StakeIncluded => stake.times(odds.saturating_sub(1)),
            }
        }
    }
}

fn rounded(amount: Exact, rounding: Rounding) -> Money {
    match rounding {
        Rounding::Up => amount.ceil(),
        Rounding::Down => amount.floor(),
    }
}

fn divided_down(amount: Money, by: u32) -> Money {
    Money::from_cents(amount.cents().div_euclid(i64::from(by.max(1))))
}

fn divided_up(amount: Money, by: u32) -> Money {
    -divided_down(-amount, by)
}
