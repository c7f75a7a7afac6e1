//! The jackpot rules of the five games, and shorthand for amounts and claims.

use baize_rules::{BoxNumber, Cites, Claim, JackpotRules, Money, Rulebook};

/// `"3.15.1 4.2"`.
pub(crate) fn cites(text: &str) -> Cites {
    text.split(' ').filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect()
}

/// `"1,500.25"`.
pub(crate) fn money(text: &str) -> Money {
    text.parse().unwrap()
}

/// A claim of this award on the prescribed wager of $5.
pub(crate) fn claim(seat: u8, award: usize) -> Claim {
    Claim { seat: BoxNumber(seat), award, made: 0, wager: money("5"), multiple: 1 }
}

fn rules(id: &str) -> JackpotRules {
    Rulebook::builtin(id).unwrap().jackpot.clone()
}

/// RS: royal 0, straight flush 1, four of a kind 2, full house 3, flush 4.
pub(crate) fn rs() -> JackpotRules {
    rules("rws-casino-stud")
}

/// RH: royal on the flop 0, turn 1, river 2, community royal 3, straight flush 4, community 5, four of a kind 6, community 7.
pub(crate) fn rh() -> JackpotRules {
    rules("rws-progressive-holdem")
}

/// MB: the awards of RH.
pub(crate) fn mb() -> JackpotRules {
    rules("mbs-holdem-bonus")
}

/// MH: royal 0, straight flush 1, four of a kind 2, full house 3, flush 4, straight 5.
pub(crate) fn mh() -> JackpotRules {
    rules("mbs-megalink-holdem")
}

/// MS: the awards of MH, none multiplied.
pub(crate) fn ms() -> JackpotRules {
    rules("mbs-megalink-stud")
}
