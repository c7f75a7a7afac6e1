//! The order of payment among the winners of one round at one table, and who shares with whom.
//!
//! RS 4.5.1: clockwise, whatever the award. Elsewhere lower awards come first and a royal last (MH 3.15.2, MB 3.15,
//! MS 3.15.3, I-4), equal awards clockwise. Pooled winners (MH 3.15.1, MS 3.15.1, 3.15.2) take one turn together.

use std::cmp::Reverse;

use baize_cards::HandClass;
use baize_rules::{AwardPay, BoxNumber, Cites, Claim, JackpotRules, Readings, SeveralWinners};

use crate::PayFault;

/// One turn to be paid: a single winner, or the winners of a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The index of the award.
    pub(crate) award: usize,
    /// The winners, clockwise.
    pub(crate) winners: Vec<Claim>,
    /// The paragraph that pools them, if there are several.
    pub(crate) pooled: Option<Cites>,
}

/// The turns in the order of payment.
pub(crate) fn turns(
    rules: &JackpotRules,
    readings: &Readings,
    claims: &[Claim],
) -> Result<Vec<Turn>, PayFault> {
    check(rules, claims)?;
    let mut sorted: Vec<Claim> = claims.to_vec();
    if rules.within_table.clockwise.value {
        sorted.sort_by_key(|claim| claim.seat);
    } else {
        match readings.several_winners {
            SeveralWinners::LowerFirst => sorted.sort_by_key(|claim| (Reverse(claim.award), claim.seat)),
            SeveralWinners::Clockwise => {
                let royal_last = names_an_order(rules);
                sorted.sort_by_key(|claim| (royal_last && is_royal(rules, claim), claim.seat));
            }
        }
    }
    let mut turns: Vec<Turn> = Vec::new();
    for claim in sorted {
        let pool = pooled(rules, claim.award);
        match turns.iter_mut().find(|turn| pool.is_some() && turn.award == claim.award) {
            Some(turn) => {
                turn.winners.push(claim);
                turn.pooled = pool;
            }
            None => turns.push(Turn { award: claim.award, winners: vec![claim], pooled: None }),
        }
    }
    for turn in &mut turns {
        turn.winners.sort_by_key(|claim| claim.seat);
    }
    Ok(turns)
}

/// The places of a round's winners among all deals of the house: box and place. `dealt` says when each had their full hand.
///
/// Between tables, the hand that was complete first comes first (RH 4.5, RS 4.5.2); within the table, the table's own order
/// applies. If the two disagree, a winner who comes earlier at their table takes the place of those behind them: no winner is
/// paid later than their own hand allows. Pooled winners take one turn together, and with them the whole round.
pub(crate) fn places(
    rules: &JackpotRules,
    readings: &Readings,
    dealt: &[(Claim, u64)],
) -> Result<Vec<(BoxNumber, u64)>, PayFault> {
    let claims: Vec<Claim> = dealt.iter().map(|(claim, _)| *claim).collect();
    let first = dealt.iter().map(|(_, order)| *order).min();
    let pools = rules.within_table.royals_pooled.or(rules.within_table.straight_flushes_pooled).is_some();
    let own = |seat: BoxNumber| dealt.iter().find(|(claim, _)| claim.seat == seat).map(|(_, order)| *order);
    let mut earliest = u64::MAX;
    let mut places = Vec::with_capacity(dealt.len());
    for claim in turns(rules, readings, &claims)?.iter().rev().flat_map(|turn| turn.winners.iter().rev()) {
        earliest = if pools { first } else { own(claim.seat) }.map_or(earliest, |order| order.min(earliest));
        places.push((claim.seat, earliest));
    }
    Ok(places)
}

fn check(rules: &JackpotRules, claims: &[Claim]) -> Result<(), PayFault> {
    for (at, claim) in claims.iter().enumerate() {
        if claim.award >= rules.awards.len() {
            return Err(PayFault::NoSuchAward { seat: claim.seat, award: claim.award });
        }
        if claim.wager.cents() <= 0 || claim.multiple == 0 {
            return Err(PayFault::NoWager { seat: claim.seat });
        }
        if claims[..at].iter().any(|earlier| earlier.seat == claim.seat) {
            return Err(PayFault::TwoAwards { seat: claim.seat });
        }
    }
    Ok(())
}

// MH 3.15.2; MB 3.15; MS 3.15.3: a royal waits for the lower hands.
fn is_royal(rules: &JackpotRules, claim: &Claim) -> bool {
    rules.awards.get(claim.award).is_some_and(|award| award.class == HandClass::RoyalFlush)
}

/// The paragraph that gave this winner a turn: clockwise if several draw from the jackpot; where a royal is paid last, only for
/// the royal that waits for a lower hand.
pub(crate) fn ordered_by(rules: &JackpotRules, claims: &[Claim], claim: &Claim) -> Cites {
    let draws = |other: &&Claim| {
        rules.awards.get(other.award).is_some_and(|award| matches!(award.pays, AwardPay::Share(_)))
    };
    let applies = if rules.within_table.clockwise.value {
        claims.iter().filter(draws).count() > 1
    } else {
        is_royal(rules, claim) && claims.iter().any(|other| !is_royal(rules, other))
    };
    if applies { rules.within_table.clockwise.cites } else { Cites::NONE }
}

/// Whether the text says in which order winners at one table are paid. If it does not, its rulebook can cite only the pay
/// table.
fn names_an_order(rules: &JackpotRules) -> bool {
    rules
        .within_table
        .clockwise
        .cites
        .iter()
        .any(|cited| !rules.table.iter().any(|paragraph| paragraph == cited))
}

/// The paragraph that pools several winners of this award. Only shares of the jackpot are ever pooled.
fn pooled(rules: &JackpotRules, award: usize) -> Option<Cites> {
    let award = rules.awards.get(award)?;
    match (award.pays, award.class) {
        (AwardPay::Share(_), HandClass::RoyalFlush) => rules.within_table.royals_pooled,
        (AwardPay::Share(_), HandClass::StraightFlush) => rules.within_table.straight_flushes_pooled,
        _ => None,
    }
}
