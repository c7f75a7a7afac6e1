//! The jackpot rules of the five games, written out by hand, and short ways to say amounts and claims.

use baize_cards::HandClass::{self, Flush, FourOfAKind, FullHouse, RoyalFlush, Straight, StraightFlush};
use baize_rules::{
    AcrossTables, AfterFold, Award, AwardCards, AwardPay, Cited, Cites, Claim, JackpotRules, Money, Percent,
    WithinTable,
};

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
    Claim { seat, award, wager: money("5"), multiple: 1 }
}

fn award(class: HandClass, pays: AwardPay, multiplied: bool, paragraphs: &str) -> Award {
    let cites = cites(paragraphs);
    Award { name: class.name().to_owned(), class, cards: AwardCards::Hand, pays, multiplied, cites }
}

fn share(percent: u32) -> AwardPay {
    AwardPay::Share(Percent::from_hundredths(percent * 100))
}

fn fixed(dollars: i32) -> AwardPay {
    AwardPay::Fixed(Money::from_dollars(dollars))
}

fn rules(awards: Vec<Award>, across: (AcrossTables, &str), within: WithinTable) -> JackpotRules {
    JackpotRules {
        awards,
        table: cites("4.2"),
        after_fold: Cited { value: AfterFold::Everything, cites: cites("3.9.1") },
        in_addition: cites("3.13"),
        across_tables: Cited { value: across.0, cites: cites(across.1) },
        within_table: within,
        meter: cites("1.20"),
        shown: cites("4.4"),
    }
}

fn within(clockwise: bool, order: &str, royals: Option<&str>, straight_flushes: Option<&str>) -> WithinTable {
    WithinTable {
        clockwise: Cited { value: clockwise, cites: cites(order) },
        royals_pooled: royals.map(cites),
        straight_flushes_pooled: straight_flushes.map(cites),
    }
}

/// RS: royal 0, straight flush 1, four of a kind 2, full house 3, flush 4.
pub(crate) fn rs() -> JackpotRules {
    rules(
        vec![
            award(RoyalFlush, share(100), false, "4.2"),
            award(StraightFlush, share(10), false, "4.2"),
            award(FourOfAKind, fixed(500), false, "4.2"),
            award(FullHouse, fixed(200), false, "4.2"),
            award(Flush, fixed(100), false, "4.2"),
        ],
        (AcrossTables::DealtFirst, "4.5.2"),
        within(true, "4.5.1", None, None),
    )
}

/// RH: royal on the flop 0, turn 1, river 2, community royal 3, straight flush 4, four of a kind 5.
pub(crate) fn rh() -> JackpotRules {
    rules(
        vec![
            award(RoyalFlush, share(100), false, "4.2"),
            award(RoyalFlush, share(25), false, "4.2"),
            award(RoyalFlush, share(5), false, "4.2"),
            award(RoyalFlush, fixed(10_000), false, "4.2"),
            award(StraightFlush, fixed(1_500), false, "4.2"),
            award(FourOfAKind, fixed(300), false, "4.2"),
        ],
        (AcrossTables::DealtFirst, "4.5"),
        within(false, "4.2", None, None),
    )
}

/// MB: the awards of RH.
pub(crate) fn mb() -> JackpotRules {
    JackpotRules {
        across_tables: Cited { value: AcrossTables::EnteredFirst, cites: cites("3.14") },
        within_table: within(false, "3.15", None, None),
        ..rh()
    }
}

fn megalink(multiplied: bool, paragraphs: &str, within: WithinTable) -> JackpotRules {
    rules(
        vec![
            award(RoyalFlush, share(100), false, "4.2"),
            award(StraightFlush, share(10), false, "4.2"),
            award(FourOfAKind, AwardPay::ForOne(400), multiplied, paragraphs),
            award(FullHouse, AwardPay::ForOne(80), multiplied, paragraphs),
            award(Flush, AwardPay::ForOne(40), multiplied, paragraphs),
            award(Straight, AwardPay::ForOne(20), multiplied, paragraphs),
        ],
        (AcrossTables::EnteredFirst, "3.14"),
        within,
    )
}

/// MH: royal 0, straight flush 1, four of a kind 2, full house 3, flush 4, straight 5.
pub(crate) fn mh() -> JackpotRules {
    megalink(true, "4.2 3.5.3.1", within(false, "3.15.2", None, Some("3.15.1")))
}

/// MS: the awards of MH, none multiplied.
pub(crate) fn ms() -> JackpotRules {
    megalink(false, "4.2", within(false, "3.15.3", Some("3.15.1"), Some("3.15.2")))
}
