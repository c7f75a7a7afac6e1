//! Reads what the report's page shows: hours in order, and results compared with the exact expectation.

use std::collections::BTreeMap;

use baize_house::{Instant, MoneyKind};
use baize_odds::Fraction;
use baize_odds::analysis::GameAnalysis;
use baize_report::{Report, ReportFilter, Staked};

use super::shell;
use crate::pages;
use crate::pages::charts::Luck;
use crate::pages::report::ReportPage;
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::{Fault, encoded};
use crate::server::reporting::page_filter;
use crate::server::visitor::Visitor;

/// Charts show hours up to this number, and days above it.
const MAX_HOURS: usize = 48;

/// The page.
pub(crate) async fn page(app: &App, visitor: &Visitor, form: &Form) -> Result<maud::Markup, Fault> {
    let filter = page_filter(app, form)?;
    let report = baize_report::report(&app.house, &visitor.actor, &filter).await?;
    let infos = app.house.tables().await?;
    let tables =
        infos.iter().filter(|info| info.money == report.money).map(|info| info.id.to_string()).collect();
    let (labels, places, meter_places) = places(&report, &filter);
    let page = ReportPage {
        shell: shell(app, visitor).await?,
        query: download_query(&filter, report.money, form),
        luck: luck(app, &report),
        report,
        filter,
        form,
        tables,
        labels,
        places,
        meter_places,
    };
    Ok(pages::report::page(&page))
}

fn download_query(filter: &ReportFilter, money: MoneyKind, form: &Form) -> String {
    let mut query = format!("by={}&money={}", filter.by.title(), money.code());
    for (name, day) in [("from", filter.from), ("to", filter.to)] {
        query.push_str(&day.map(|day| format!("&{name}={day}")).unwrap_or_default());
    }
    for name in ["table", "game"].into_iter().filter(|name| form.has(name)) {
        query.push_str(&format!("&{name}={}", encoded(form.text(name))));
    }
    query
}

/// The labels of the charts, which are the hours from the first to the last event or the days if there are too many hours; and the index of the
/// label of each line and of each meter reading.
fn places(of: &Report, filter: &ReportFilter) -> (Vec<String>, Vec<usize>, Vec<usize>) {
    let moments = || of.hours.iter().map(|line| line.at).chain(of.meters.iter().map(|point| point.at));
    let (Some(mut first), Some(mut last)) = (moments().min(), moments().max()) else {
        return (Vec::new(), vec![0; of.hours.len()], vec![0; of.meters.len()]);
    };
    // A single day is always shown in full.
    if let (Some(from), true) = (filter.from, filter.from == filter.to) {
        (first, last) = (filter.day.start(from), filter.day.start(from).plus_seconds(23 * 3_600));
    }
    let hours = usize::try_from(last.since(first) / 3_600_000).unwrap_or(usize::MAX).saturating_add(1);
    let by_day = hours > MAX_HOURS;
    let label = |at: Instant| {
        let local = filter.day.local(at);
        if by_day { filter.day.of(at).to_string() } else { local.get(11..16).unwrap_or_default().to_owned() }
    };
    let step = if by_day { 24 * 3_600 } else { 3_600 };
    let mut labels: Vec<String> = Vec::new();
    let mut at = first;
    while at <= last || (by_day && labels.last() != Some(&label(last))) {
        labels.push(label(at));
        at = at.plus_seconds(step);
    }
    let place = |at: Instant| {
        if by_day {
            labels.iter().position(|one| *one == label(at)).unwrap_or(0)
        } else {
            usize::try_from(at.since(first) / 3_600_000).unwrap_or(0)
        }
    };
    let (of_hours, of_meters) = (
        of.hours.iter().map(|line| place(line.at)).collect(),
        of.meters.iter().map(|point| place(point.at)).collect(),
    );
    (labels, of_hours, of_meters)
}

/// Win compared with expectation, for all tables together and for each; `None` while a game is being solved.
fn luck(app: &App, of: &Report) -> Option<Vec<Luck>> {
    let mut rows = Vec::new();
    let mut all = (0, 0, 0.0, 0);
    let mut wins: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for line in &of.hours {
        let (win, handle) = wins.entry(line.table.as_str()).or_default();
        *win += line.win.cents();
        *handle += line.handle.cents();
    }
    for (table, staked) in &of.staked {
        let book = app.library.of_table(&table.parse().ok()?).ok()?;
        let game = app.odds.analysis(book)?;
        let (actual, handle) = wins.get(table.as_str()).copied().unwrap_or_default();
        let (expected, variance) = (expectation(&game, staked), variance(&game, staked));
        rows.push(Luck { label: table.clone(), actual, expected, band: band(variance), handle });
        all = (all.0 + actual, all.1 + expected, all.2 + variance, all.3 + handle);
    }
    if rows.len() > 1 {
        rows.insert(
            0,
            Luck {
                label: "All tables".to_owned(),
                actual: all.0,
                expected: all.1,
                band: band(all.2),
                handle: all.3,
            },
        );
    }
    Some(rows)
}

/// The expected win with best play, in cents. Jackpot wagers count in full, because awards are not part of the win.
fn expectation(game: &GameAnalysis, staked: &Staked) -> i64 {
    let bonus = game.bonus.as_ref().map_or(Fraction::ZERO, |bonus| bonus.house_edge);
    let whole = game.main.house_edge * Fraction::new(staked.ante, 1)
        + bonus * Fraction::new(staked.bonus, 1)
        + Fraction::new(staked.jackpot, 1);
    i64::try_from(whole.in_parts(1)).unwrap_or(0)
}

/// An upper bound on the variance of the win, in cents squared. All wagers of a round are taken as fully correlated: with antes A and bonus wagers
/// B, the deviation of a round is at most A·a + B·b. Rounds are independent.
#[expect(clippy::cast_precision_loss, reason = "a band of luck is an estimate")]
fn variance(game: &GameAnalysis, staked: &Staked) -> f64 {
    let of = |text: &str| text.parse::<f64>().unwrap_or(0.0);
    let (a, b) = (of(&game.main.std_dev), game.bonus.as_ref().map_or(0.0, |bonus| of(&bonus.std_dev)));
    let [aa, bb, ab] = [staked.ante_squares, staked.bonus_squares, staked.products].map(|sum| sum as f64);
    (a * a * aa + b * b * bb + 2.0 * a * b * ab).max(0.0)
}

/// Two standard deviations, in cents.
#[expect(clippy::cast_possible_truncation, reason = "a float that is too large becomes the largest number")]
fn band(variance: f64) -> i64 {
    (2.0 * variance.sqrt()).round() as i64
}
