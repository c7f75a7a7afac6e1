//! Formats the exact figures of a game for its pages. Fractions become decimals only here.

use baize_cards::{HandClass, Rank};
use baize_house::JackpotView;
use baize_odds::advice::Action;
use baize_odds::analysis::{self, GameAnalysis, StrategyCost};
use baize_odds::stud::ClassRule;
use baize_odds::{Fraction, grouped};
use baize_rules::{Money, StartingHand};

use crate::pages::model::{Exact, HeatCell, JackpotReturn, OutcomeLine, StrategyLine, WagerOdds};

/// A fraction of cents, rounded to the nearest cent.
pub(super) fn cents(value: Fraction) -> Money {
    Money::from_cents(value.decimal(0).parse().unwrap_or(0))
}

fn exact(value: Fraction) -> Exact {
    Exact {
        numerator: value.numerator().to_string(),
        denominator: value.denominator().to_string(),
        decimal: value.decimal(10),
        percent: value.percent(4).replace('%', " %"),
    }
}

pub(super) fn wagers(game: &GameAnalysis) -> Vec<WagerOdds> {
    let main = &game.main;
    let mut wagers = vec![WagerOdds {
        name: "Main game".to_owned(),
        expectation: exact(main.ev.value),
        house_edge: exact(main.house_edge),
        element_of_risk: Some(exact(main.element_of_risk)),
        deviation: main.std_dev.clone(),
        note: "With best play, for an ante of 1.".to_owned(),
    }];
    wagers.extend(game.bonus.as_ref().map(|bonus| WagerOdds {
        name: "Bonus".to_owned(),
        expectation: exact(bonus.ev),
        house_edge: exact(bonus.house_edge),
        element_of_risk: None,
        deviation: bonus.std_dev.clone(),
        note: format!("Pays in {} of the deals.", bonus.hit_rate.percent(2)),
    }));
    wagers
}

pub(super) fn outcome(row: &analysis::OutcomeRow) -> OutcomeLine {
    let mut name = row.decisions.to_owned();
    for part in [row.outcome, row.hands.as_deref()].into_iter().flatten() {
        name.push_str(&format!(" · {part}"));
    }
    OutcomeLine {
        name: name.replace('_', " "),
        count: grouped(&row.rounds.to_string()),
        percent: row.probability.percent(4).replace('%', " %"),
        pays: format!("{} antes", row.net.decimal(if row.net.denominator() == 1 { 0 } else { 2 })),
        bar: (row.probability * Fraction::from(1_000)).decimal(0).parse().unwrap_or(0),
    }
}

/// The 169 starting hands as a square, aces first, suited hands above the diagonal.
pub(super) fn heat(game: &GameAnalysis) -> Vec<HeatCell> {
    if game.starting_hands.is_empty() {
        return Vec::new();
    }
    let ranks: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
    let cell = |row: usize, column: usize| {
        let hand = StartingHand::new(ranks[row], ranks[column], column > row);
        let found = game.starting_hands.iter().find(|one| one.hand == hand)?;
        let shade: i32 = (found.ev * Fraction::from(5)).decimal(0).parse().unwrap_or(0);
        Some(HeatCell {
            hand: hand.to_string(),
            value: found.ev.decimal(6),
            shade: u8::try_from((shade + 10).clamp(0, 20)).unwrap_or(10),
            best: found.best.code().to_owned(),
        })
    };
    (0..13)
        .flat_map(|row| (0..13).map(move |column| (row, column)))
        .filter_map(|(row, column)| cell(row, column))
        .collect()
}

/// Best play in a few sentences.
pub(super) fn best_play(game: &GameAnalysis) -> Vec<String> {
    let depends = |what: &str| format!("{what} depends on all the cards: use the calculator.");
    if let Some(rule) = &game.raising_rule {
        let all = HandClass::ALL.into_iter().zip(rule.classes);
        let of = |wanted: ClassRule| {
            all.clone()
                .filter(|(_, rule)| *rule == wanted)
                .map(|(class, _)| class)
                .collect::<Vec<HandClass>>()
        };
        let mut lines = Vec::new();
        lines.extend(of(ClassRule::Bet).first().map(|class| format!("Bet every {class} or better.")));
        lines.extend(of(ClassRule::Fold).last().map(|class| format!("Fold every {class} and below.")));
        lines.extend(of(ClassRule::Depends).iter().map(|class| depends(class.name())));
        return lines;
    }
    let folded: Vec<String> = game
        .starting_hands
        .iter()
        .filter(|one| one.best == Action::Fold)
        .map(|one| one.hand.to_string())
        .collect();
    vec![
        format!("Place the flop wager with every hand except {}.", folded.join(", ")),
        depends("Whether to place the turn and the river wager"),
    ]
}

pub(super) fn strategy(cost: &StrategyCost) -> StrategyLine {
    StrategyLine {
        name: cost.words.map_or_else(|| cost.strategy.clone(), ToOwned::to_owned),
        house_edge: cost.house_edge.percent(4).replace('%', " %"),
        cost: cost.cost.percent(4).replace('%', " %"),
    }
}

pub(super) fn jackpot(game: &GameAnalysis, meter: Option<&JackpotView>) -> JackpotReturn {
    let odds = &game.jackpot;
    let wager = odds.single.wager;
    let chance = |probability: Fraction| {
        if probability == Fraction::ZERO {
            "never".to_owned()
        } else {
            format!("1 in {}", grouped(&probability.reciprocal().decimal(0)))
        }
    };
    JackpotReturn {
        wager,
        fixed: exact(odds.single.fixed_return),
        coefficient: exact(odds.single.meter_coefficient * Fraction::new(100, wager.cents())),
        break_even: odds.single.break_even_meter.map(|dollars| cents(dollars * Fraction::from(100))),
        meter: meter.map_or(Money::from_dollars(100_000), |meter| meter.displayed),
        reset: meter.map_or(Money::from_dollars(100_000), |meter| meter.reset),
        awards: odds
            .awards
            .iter()
            .map(|row| (row.award.clone(), row.pays.clone(), chance(row.probability)))
            .collect(),
    }
}
