//! Text output of `baize simulate`.

use std::time::Duration;

use baize_odds::simulation::{Estimate, JackpotResult, SimulationResult};
use baize_rules::Rulebook;

use crate::odds::{Columns, grouped};
use crate::page::{self, Page, Style};

pub(super) fn of(
    rulebook: &Rulebook,
    strategy: &str,
    result: &SimulationResult,
    time: Duration,
    mut page: Page,
) -> String {
    page.heading(&format!(
        "{}: {}",
        rulebook.name.to_uppercase(),
        page::counted(result.rounds, "ROUND", "ROUNDS")
    ));
    let boxes = page::counted(result.boxes.into(), "box", "boxes");
    page.words(
        "  ",
        &format!(
            "{boxes} with an ante of {}, played `{strategy}`, seed {}: {} settled in {:.1} s.",
            result.ante.grouped(),
            result.seed,
            page::counted(result.settled_boxes, "box", "boxes"),
            time.as_secs_f64()
        ),
        Style::Plain,
    );
    page.gap();
    let mut table = Columns::new(&["", ">simulated", ">± (95 %)", ">exact", ">off by"]);
    let mut row = |what: String, estimate: &Estimate, share: bool| {
        let scale = if share { 100.0 } else { 1.0 };
        let unit = if share { " %" } else { "" };
        table.row([
            what,
            number(estimate.mean * scale, unit),
            number(estimate.margin * scale, unit),
            estimate.exact().map_or("–".to_owned(), |exact| number(exact.to_f64() * scale, unit)),
            estimate.deviations.map_or("–".to_owned(), |off| format!("{} s.e.", number2(off))),
        ]);
    };
    row("ante and raises, in antes".to_owned(), &result.main, false);
    if let Some(bonus) = &result.bonus {
        row("bonus, for each unit".to_owned(), bonus, false);
    }
    if let Some(jackpot) = &result.jackpot {
        row("jackpot, for each unit".to_owned(), &jackpot.ev, false);
    }
    row("all wagers, in antes".to_owned(), &result.total, false);
    for (action, estimate) in &result.decisions {
        row(action.code().to_owned(), estimate, true);
    }
    table.set(&mut page);
    if let Some(jackpot) = &result.jackpot {
        page.gap();
        jackpot_part(&mut page, jackpot);
    }
    page.gap();
    let mut table = Columns::new(&["area", ">staked", ">players' net"]);
    for area in &result.areas {
        table.row([area.area.name().to_owned(), grouped(&area.staked), grouped(&area.net)]);
    }
    table.set(&mut page);
    page.finish()
}

fn jackpot_part(page: &mut Page, jackpot: &JackpotResult) {
    let mut table = Columns::new(&["award", ">hits", ">expected", ">paid"]);
    for award in &jackpot.awards {
        table.row([
            award.award.clone(),
            grouped(&award.hits.to_string()),
            grouped(&format!("{:.2}", award.expected)),
            grouped(&award.paid),
        ]);
    }
    table.set(page);
    let resets = match jackpot.resets {
        0 => "It was never won".to_owned(),
        1 => "It was won once".to_owned(),
        times => format!("It was won {} times", grouped(&times.to_string())),
    };
    page.words(
        "  ",
        &format!(
            "The meter shows {} in the end; the highest at an award was {}. {resets}. The exact figure is that at the \
             mean meter, {}.",
            jackpot.meter.grouped(),
            jackpot.highest_meter.grouped(),
            jackpot.mean_meter.grouped()
        ),
        Style::Dim,
    );
}

fn number(value: f64, unit: &str) -> String {
    format!("{value:.6}{unit}").replace('-', "−")
}

fn number2(value: f64) -> String {
    format!("{value:+.2}").replace('-', "−")
}
