//! Variants of a rulebook with a single change, such as a product manager might consider.

use baize_cards::{HandClass, Rank};
use baize_rules::{Area, AwardPay, Fate, HandOdds, Money, Odds, Percent, Qualification, Rulebook};

/// A rulebook with one change.
pub(super) struct Changed {
    /// The change in words.
    pub words: String,
    /// The rulebook with it.
    pub rulebook: Rulebook,
}

/// Steps of a change.
const STEPS: [i64; 2] = [1, -1];

fn stepped(odds: Odds, step: i64) -> Option<Odds> {
    let win = u32::try_from(i64::from(odds.win) + step).ok().filter(|win| *win > 0)?;
    Some(Odds { win, ..odds })
}

/// Changes to ante and raises.
pub(super) fn of_main(rulebook: &Rulebook) -> Vec<Changed> {
    let mut changes = Vec::new();
    for area in Area::ALL {
        let Some(fate) = rulebook.settlement.higher.of(area) else { continue };
        match fate.value {
            Fate::PaysByHand(table) => by_hand(rulebook, area, table, &mut changes),
            Fate::PaysFrom { odds, from } => paid_from(rulebook, area, odds, from, &mut changes),
            Fate::Pays(_) | Fate::Loses | Fate::StandsOff | Fate::Returned => {}
        }
    }
    qualification(rulebook, &mut changes);
    for (n, decision) in rulebook.decisions.iter().enumerate() {
        for step in STEPS {
            let times = u32::try_from(i64::from(decision.times_ante) + step).unwrap_or(0);
            if times > 0 {
                let mut changed = rulebook.clone();
                changed.decisions[n].times_ante = times;
                let words = format!("{} wager of {times} × the ante", decision.area.code());
                changes.push(Changed { words, rulebook: changed });
            }
        }
    }
    changes
}

fn set_higher(rulebook: &Rulebook, area: Area, fate: Fate) -> Rulebook {
    let mut changed = rulebook.clone();
    if let Some(cited) = &mut changed.settlement.higher.fates[area.index()] {
        cited.value = fate;
    }
    changed
}

/// Each line of a pay table by one more and one less.
fn by_hand(rulebook: &Rulebook, area: Area, table: HandOdds, changes: &mut Vec<Changed>) {
    for class in HandClass::ALL.into_iter().rev() {
        for step in STEPS {
            let Some(odds) = stepped(table.of(class), step) else { continue };
            let mut table = table;
            table.0[class as usize] = odds;
            changes.push(Changed {
                words: format!("{} pays {odds} for {}", area.code(), class.name()),
                rulebook: set_higher(rulebook, area, Fate::PaysByHand(table)),
            });
        }
    }
}

/// The ante paid from the next class up, from the next class down, and always.
fn paid_from(rulebook: &Rulebook, area: Area, odds: Odds, from: HandClass, changes: &mut Vec<Changed>) {
    let place = from as usize;
    let next = [HandClass::ALL.get(place + 1), place.checked_sub(1).and_then(|n| HandClass::ALL.get(n))];
    for class in next.into_iter().flatten().chain([&HandClass::FiveOddCards]) {
        let words = if *class == HandClass::FiveOddCards {
            format!("{} paid on every winning hand", area.code())
        } else {
            format!("{} paid from {}", area.code(), class.name())
        };
        let fate = Fate::PaysFrom { odds, from: *class };
        if *class != from && !changes.iter().any(|change| change.words == words) {
            changes.push(Changed { words, rulebook: set_higher(rulebook, area, fate) });
        }
    }
}

/// The dealer qualifies with something else, or with every hand.
fn qualification(rulebook: &Rulebook, changes: &mut Vec<Changed>) {
    let Some(qualification) = &rulebook.qualification else { return };
    let others = [
        ("dealer qualifies with Ace and Queen", Qualification::TwoCards((Rank::Ace, Rank::Queen))),
        ("dealer qualifies with Ace and King", Qualification::TwoCards((Rank::Ace, Rank::King))),
        ("dealer qualifies with a pair", Qualification::Class(HandClass::OnePair)),
    ];
    for (words, other) in others {
        if other != qualification.value {
            let mut changed = rulebook.clone();
            if let Some(qualification) = &mut changed.qualification {
                qualification.value = other;
            }
            changes.push(Changed { words: words.to_owned(), rulebook: changed });
        }
    }
    let mut changed = rulebook.clone();
    changed.qualification = None;
    changed.settlement.not_qualified = None;
    changes.push(Changed { words: "dealer plays every hand".to_owned(), rulebook: changed });
}

/// Each line of the bonus by one more and one less.
pub(super) fn of_bonus(rulebook: &Rulebook) -> Vec<Changed> {
    let lines = rulebook.bonus.iter().flat_map(|table| &table.lines).enumerate();
    let changed = lines.flat_map(|(n, line)| {
        STEPS.into_iter().filter_map(move |step| {
            let odds = stepped(line.odds, step)?;
            let mut changed = rulebook.clone();
            changed.bonus.as_mut()?.lines[n].odds = odds;
            Some(Changed { words: format!("bonus pays {odds} for {}", line.name), rulebook: changed })
        })
    });
    changed.collect()
}

/// Each award by a tenth more and less; shares by one percentage point.
pub(super) fn of_jackpot(rulebook: &Rulebook) -> Vec<Changed> {
    let mut changes = Vec::new();
    for (n, award) in rulebook.jackpot.awards.iter().enumerate() {
        for step in STEPS {
            let Some(pays) = stepped_award(award.pays, step) else { continue };
            let mut changed = rulebook.clone();
            changed.jackpot.awards[n].pays = pays;
            changes.push(Changed {
                words: format!("jackpot pays {pays} for {}", award.name),
                rulebook: changed,
            });
        }
    }
    changes
}

fn stepped_award(pays: AwardPay, step: i64) -> Option<AwardPay> {
    match pays {
        AwardPay::Share(share) => {
            let hundredths = i64::from(share.hundredths()) + 100 * step;
            let hundredths = u32::try_from(hundredths).ok().filter(|n| (1..=10_000).contains(n))?;
            Some(AwardPay::Share(Percent::from_hundredths(hundredths)))
        }
        AwardPay::Fixed(amount) => {
            let cents = amount.cents() + step * amount.cents() / 10;
            (cents > 0 && cents != amount.cents()).then(|| AwardPay::Fixed(Money::from_cents(cents)))
        }
        AwardPay::ForOne(times) => {
            let tenth = i64::from(times / 10).max(1);
            u32::try_from(i64::from(times) + step * tenth).ok().filter(|n| *n > 0).map(AwardPay::ForOne)
        }
    }
}
