//! Bonus, jackpot, both together with the ante, and the effects of changes, for people.

use baize_odds::Fraction;
use baize_odds::analysis::{BonusAnalysis, GameAnalysis, JackpotAnalysis, JointAnalysis};
use baize_odds::holdem::FlopFrom;
use baize_rules::StartingHand;

use super::Columns;
use super::numbers::{grouped, one_in, percent, signed};
use super::text::cut;
use crate::page::{Page, Style};

pub(super) fn bonus(page: &mut Page, bonus: &BonusAnalysis) {
    let mut table = Columns::new(&["", ""]);
    table.bold([
        "house edge".to_owned(),
        format!("{} ({})", percent(bonus.house_edge, 6), bonus.ev.to_string().replace('-', "−")),
    ]);
    table.row(["paid".to_owned(), percent(bonus.hit_rate, 4)]);
    table.row(["standard deviation".to_owned(), cut(&bonus.std_dev, 6)]);
    table.set(page);
    page.gap();
    let mut table = Columns::new(&["hole cards", ">pays", ">deals", ">how often"]);
    for line in &bonus.lines {
        table.row([
            line.line.clone(),
            line.pays.to_string(),
            grouped(&line.deals.to_string()),
            one_in(line.probability),
        ]);
    }
    table.set(page);
}

pub(super) fn jackpot(page: &mut Page, jackpot: &JackpotAnalysis) {
    let single = &jackpot.single;
    let per_10_000 = single.meter_coefficient * Fraction::from(1_000_000);
    let mut table = Columns::new(&["", ""]);
    table.row(["wager".to_owned(), single.wager.grouped()]);
    table.row([
        "return of the fixed awards".to_owned(),
        format!("{} of the wager", percent(single.fixed_return, 4)),
    ]);
    table.row([
        "each 10,000 of the meter".to_owned(),
        format!("{} cents a wager ({})", per_10_000.decimal(5), single.meter_coefficient),
    ]);
    if let Some(even) = &single.break_even_meter {
        table.bold(["fair at a meter of".to_owned(), grouped(&even.decimal(2))]);
    }
    if let (Some(meter), Some(back)) = (jackpot.meter, jackpot.return_at_meter) {
        table.row([format!("at a meter of {}", meter.grouped()), format!("return {}", percent(back, 4))]);
    }
    for multiple in &jackpot.multiples {
        let even = multiple.break_even_meter.map_or("never".to_owned(), |even| grouped(&even.decimal(2)));
        table.row([format!("a wager of {}", multiple.wager.grouped()), format!("fair at {even}")]);
    }
    table.set(page);
    page.gap();
    let mut table = Columns::new(&["award", ">pays", ">how often"]);
    for row in &jackpot.awards {
        table.row([row.award.clone(), row.pays.clone(), one_in(row.probability)]);
    }
    table.bold(["any award".to_owned(), String::new(), one_in(jackpot.hit_rate)]);
    table.set(page);
}

pub(super) fn together(page: &mut Page, joint: &JointAnalysis) {
    page.words(
        "  ",
        &format!(
            "Ante {}, jackpot wager {}, meter {}.",
            joint.ante.grouped(),
            joint.jackpot_wager.grouped(),
            joint.meter.grouped()
        ),
        Style::Plain,
    );
    let mut table = Columns::new(&["", ""]);
    table.bold(["expected result".to_owned(), format!("{} antes", signed(joint.ev, 8))]);
    table.row(["of which ante and raises".to_owned(), signed(joint.main_ev, 8)]);
    table.row(["of which the jackpot wager".to_owned(), signed(joint.jackpot_ev, 8)]);
    table.row(["if played without regard to the jackpot".to_owned(), signed(joint.ev_of_main_play, 8)]);
    table.set(page);
    page.gap();
    if joint.rounds_changed == 0 {
        page.words("  ", "At this meter the jackpot changes no decision.", Style::Plain);
    } else {
        let words = format!(
            "The jackpot changes {} rounds of the cycle from a fold.",
            grouped(&joint.rounds_changed.to_string())
        );
        page.words("  ", &words, Style::Plain);
    }
    let of = |wanted: fn(&FlopFrom) -> bool| -> Vec<StartingHand> {
        joint.starting_hands.iter().filter(|row| wanted(&row.flop_from)).map(|row| row.hand).collect()
    };
    let names = |hands: &[StartingHand]| hands.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let never = of(|from| *from == FlopFrom::Never);
    if !never.is_empty() {
        page.words("  ", &format!("Fold whatever the meter: {}.", names(&never)), Style::Plain);
    }
    let mut table = Columns::new(&["hand", ">flop above a meter of"]);
    for row in &joint.starting_hands {
        if let FlopFrom::Meter(cents) = row.flop_from {
            table.row([row.hand.to_string(), grouped(&(cents * Fraction::new(1, 100)).decimal(2))]);
        }
    }
    if !of(|from| matches!(from, FlopFrom::Meter(_))).is_empty() {
        table.set(page);
    } else if !joint.starting_hands.is_empty() {
        page.words("  ", "Every other hand: flop whatever the meter.", Style::Plain);
    }
}

pub(super) fn what_if(page: &mut Page, game: &GameAnalysis) {
    for wager in ["main", "bonus", "jackpot"] {
        let effects: Vec<_> = game.what_if.iter().filter(|effect| effect.wager == wager).collect();
        if effects.is_empty() {
            continue;
        }
        page.gap();
        let mut table = Columns::new(&["change", ">house edge", ">difference"]);
        for effect in effects {
            let more = signed(effect.difference * Fraction::from(100), 4);
            table.row([effect.change.clone(), percent(effect.house_edge, 4), format!("{more} %")]);
        }
        table.set(page);
    }
    page.words(
        "  ",
        "Ante and raises as a share of the ante, with the best play for the change; bonus and jackpot as a share of the \
         wager, the jackpot at its break-even meter unless a meter is given.",
        Style::Dim,
    );
}
