//! Settlement, bonus and jackpot: pay tables without gaps, contradictions or lines that never pay.

use std::cmp::Ordering;

use baize_cards::HandClass;

use super::duplicates;
use super::play::raises;
use crate::reader::Draft;
use crate::reader::pay::OutcomeDraft;
use crate::reader::source::{At, Part, Place, Source};
use crate::{AfterFold, Area, Award, AwardCards, AwardPay, Family, Fate, Percent, StartingHand};

pub(super) fn settlement(source: &Source<'_>, draft: &Draft) {
    let Some(settlement) = &draft.settlement else { return };
    let outcomes = [
        ("higher", Some(&settlement.higher)),
        ("lower", Some(&settlement.lower)),
        ("equal", Some(&settlement.equal)),
        ("not_qualified", settlement.not_qualified.read()),
    ];
    for (name, outcome) in outcomes {
        if let Some(outcome) = outcome {
            fates(source, draft, name, outcome);
        }
    }
    match (&draft.qualification, &settlement.not_qualified) {
        (Part::Read(qualification), Part::Absent) => source.inconsistent(
            &qualification.place,
            "no rule says what happens when the dealer does not qualify",
            "add [settlement.not_qualified]",
        ),
        (Part::Absent, Part::Read(outcome)) => source.inconsistent(
            &outcome.place,
            "every hand of this dealer plays",
            "add [qualification], or leave [settlement.not_qualified] out",
        ),
        (Part::Absent | Part::Faulty | Part::Read(_), _) => {}
    }
    let on_layout = |area: Area| draft.areas.iter().any(|rule| rule.value.area == area);
    let At { value: loses, place } = &settlement.fold;
    for (n, area) in loses.iter().enumerate() {
        let (what, hint) = if loses[..n].contains(area) {
            (format!("{} is here twice", area.code()), "name each area once")
        } else if *area == Area::Jackpot {
            let what = "the jackpot wager after a fold has an entry of its own".to_owned();
            (what, "leave it out here and say it in [jackpot.after_fold]")
        } else if matches!(area, Area::Flop | Area::Turn | Area::River | Area::Bet) {
            (format!("nothing lies on {} when a player folds", area.code()), "leave it out")
        } else if draft.areas.whole && !on_layout(*area) {
            (format!("the layout has no area {}", area.code()), "leave it out, or add it to [[areas]]")
        } else {
            continue;
        };
        source.inconsistent(place, what, hint);
    }
    duplicates(
        source,
        &settlement.caps,
        |cap| cap.0,
        |cap| format!("the maximum payout of {}", cap.0.code()),
    );
    for At { value: (area, most), place } in settlement.caps.iter() {
        if *area == Area::Jackpot {
            source.inconsistent(place, "jackpot awards have no maximum payout", "leave it out");
        } else if draft.areas.whole && !on_layout(*area) {
            source.inconsistent(
                place,
                format!("the layout has no area {}", area.code()),
                "leave it out, or add it to [[areas]]",
            );
        }
        if most.value.is_zero() {
            source.inconsistent(place, "the maximum payout is nothing", "leave it out, or name an amount");
        }
    }
}

/// An outcome covers the ante and every raise, and nothing else.
fn fates(source: &Source<'_>, draft: &Draft, name: &str, outcome: &At<OutcomeDraft>) {
    let Some(family) = draft.family else { return };
    let needed = |area: Area| {
        area == Area::Ante
            || (raises(family).contains(&area) && draft.areas.iter().any(|rule| rule.value.area == area))
    };
    for At { value: (area, fate), place } in &outcome.value {
        if !needed(*area) && draft.areas.whole {
            let hint = match area {
                Area::Bonus => "the bonus is settled by [bonus]",
                Area::Jackpot => "the jackpot is settled by [jackpot]",
                Area::Ante | Area::Flop | Area::Turn | Area::River | Area::Bet => {
                    "leave it out, or add it to [[areas]]"
                }
            };
            source.inconsistent(place, format!("{} is not settled here", area.code()), hint);
        }
        if name != "higher" && matches!(fate.value, Fate::PaysByHand(_) | Fate::PaysFrom { .. }) {
            source.inconsistent(
                place,
                "there is no winning hand to pay by here",
                "odds by hand and `from` belong in [settlement.higher]",
            );
        }
    }
    for area in Area::ALL.into_iter().filter(|area| needed(*area)) {
        if !outcome.value.iter().any(|fate| fate.value.0 == area) {
            source.inconsistent(
                &outcome.place,
                format!("no rule says what happens to {}", area.code()),
                format!("add `{} = {{ fate = …, cites = … }}`", area.code()),
            );
        }
    }
}

pub(super) fn bonus(source: &Source<'_>, draft: &Draft) {
    let Some(bonus) = draft.bonus.read() else { return };
    if draft.family == Some(Family::Stud) {
        source.inconsistent(&bonus.place, "a stud game has no hole cards", "a bonus is for hold'em games");
    }
    let lines = &bonus.value.lines;
    duplicates(source, lines, |line| line.name.clone(), |line| format!("the line \"{}\"", line.name));
    let mut paid = [false; 169];
    for (n, At { value: line, place }) in lines.iter().enumerate() {
        if let Some(above) = lines[..n].last().filter(|above| line.odds.exceeds(above.value.odds)) {
            source.inconsistent(
                place,
                format!("this line pays {}, the one above it {}", line.odds, above.value.odds),
                "the first line that fits is paid: write the highest first",
            );
        }
        let covered: Vec<String> =
            line.holes.iter().filter(|h| paid[h.index()]).map(|h| h.to_string()).collect();
        if !covered.is_empty() {
            source.inconsistent(
                place,
                format!("a line above this one already pays {}", covered.join(" ")),
                "name each kind of hole cards once, or put a line that also needs the dealer's cards above",
            );
        }
        if line.dealer.is_none() {
            line.holes.iter().for_each(|hand: StartingHand| paid[hand.index()] = true);
        }
    }
}

pub(super) fn awards(source: &Source<'_>, draft: &Draft) {
    let Some(jackpot) = &draft.jackpot else { return };
    let awards = &jackpot.awards;
    duplicates(source, awards, |a| a.name.clone(), |a| format!("the award \"{}\"", a.name));
    duplicates(
        source,
        awards,
        |a| (a.class, a.cards),
        |a| format!("an award for {} on these cards", a.class.code()),
    );
    for (n, At { value: award, place }) in awards.iter().enumerate() {
        for above in awards[..n].iter().map(|above| &above.value) {
            if award.class > above.class {
                source.inconsistent(
                    place,
                    format!("{} stands below {}", award.class.name(), above.class.name()),
                    "write the awards from the highest-ranking hand down",
                );
                break;
            }
            if compare(award.pays, above.pays) == Some(Ordering::Greater) {
                source.inconsistent(
                    place,
                    format!(
                        "\"{}\" pays {}, the higher \"{}\" only {}",
                        award.name, award.pays, above.name, above.pays
                    ),
                    "a higher award must not pay less than a lower one",
                );
                break;
            }
        }
        one_award(source, draft, award, place);
    }
    let has = |class, what: &dyn Fn(&Award) -> bool| {
        awards.iter().any(|a| a.value.class == class && what(&a.value))
    };
    let share = |a: &Award| matches!(a.pays, AwardPay::Share(_));
    let within = &jackpot.within;
    for (pooled, class) in [
        (within.value.royals_pooled, HandClass::RoyalFlush),
        (within.value.straight_flushes_pooled, HandClass::StraightFlush),
    ] {
        if pooled.is_some() && !has(class, &share) {
            source.inconsistent(
                &within.place,
                format!("no award pays {} a share that could be pooled", class.code()),
                "leave the pooling out",
            );
        }
        if pooled.is_some() && within.value.clockwise.value {
            source.inconsistent(
                &within.place,
                "winners are paid clockwise one after another and pooled at the same time",
                "say one of the two",
            );
        }
    }
    if jackpot.after_fold.value.value == AfterFold::CommunityOnly
        && !awards.iter().any(|a| a.value.cards == AwardCards::Community)
    {
        source.inconsistent(
            &jackpot.after_fold.place,
            "no award looks at the community cards alone",
            "then a folded hand can win `nothing` or `everything`",
        );
    }
}

/// Which pays more, if both are of the same kind.
fn compare(one: AwardPay, other: AwardPay) -> Option<Ordering> {
    match (one, other) {
        (AwardPay::Share(one), AwardPay::Share(other)) => Some(one.cmp(&other)),
        (AwardPay::Fixed(one), AwardPay::Fixed(other)) => Some(one.cmp(&other)),
        (AwardPay::ForOne(one), AwardPay::ForOne(other)) => Some(one.cmp(&other)),
        (AwardPay::Share(_) | AwardPay::Fixed(_) | AwardPay::ForOne(_), _) => None,
    }
}

fn one_award(source: &Source<'_>, draft: &Draft, award: &Award, place: &Place) {
    if let Some(family) = draft.family
        && (award.cards == AwardCards::Hand) != (family == Family::Stud)
    {
        source.inconsistent(
            place,
            format!("a {} game has no such cards", family.name()),
            "stud awards look at `hand`, hold'em awards at hole and community cards",
        );
    }
    match award.pays {
        AwardPay::Share(share) if share == Percent::ZERO || share > Percent::WHOLE => {
            source.inconsistent(
                place,
                format!("{share} of the jackpot cannot be paid"),
                "more than 0%, at most 100%",
            );
        }
        AwardPay::Fixed(amount) if amount.is_zero() => {
            source.inconsistent(place, "the award pays nothing", "leave it out, or name an amount");
        }
        AwardPay::Share(_) | AwardPay::Fixed(_) | AwardPay::ForOne(_) => {}
    }
    if award.multiplied {
        if matches!(award.pays, AwardPay::Share(_)) {
            source.inconsistent(place, "a share of the jackpot is not multiplied", "leave `multiplied` out");
        }
        if draft.betting.as_ref().is_some_and(|betting| betting.value.jackpot_multiples.value == 1) {
            source.inconsistent(
                place,
                "the jackpot wager is one amount, so nothing multiplies this award",
                "leave `multiplied` out, or raise [betting.jackpot_multiples] `most`",
            );
        }
    }
}
