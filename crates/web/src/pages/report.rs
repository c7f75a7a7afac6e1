//! The report page: charts, each with a table of its figures, and the tables of `baize report`.

use std::collections::BTreeMap;

use baize_house::{Date, MoneyKind};
use baize_report::{CageLine, HourLine, Report, ReportFilter};
use maud::{Markup, PreEscaped, html};

use super::charts::{self, Format, Luck};
use super::paint;
use super::shell::{self, Shell};
use crate::server::body::Form;

/// The report page.
pub(crate) struct ReportPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The figures.
    pub(crate) report: Report,
    /// The days and the table that were asked for.
    pub(crate) filter: ReportFilter,
    /// The form, as typed.
    pub(crate) form: &'a Form,
    /// The tables to choose from.
    pub(crate) tables: Vec<String>,
    /// The labels of the charts: hours or days, in order.
    pub(crate) labels: Vec<String>,
    /// The index of the label of each of the report's hours.
    pub(crate) places: Vec<usize>,
    /// The index of the label of each meter reading.
    pub(crate) meter_places: Vec<usize>,
    /// Win compared with the exact expectation; `None` while it is being computed.
    pub(crate) luck: Option<Vec<Luck>>,
    /// The query of this report, for downloads.
    pub(crate) query: String,
}

/// Shown instead of an empty chart.
const NONE: PreEscaped<&str> = PreEscaped("<p class=\"none\">No rounds yet.</p>");

/// The whole page.
pub(crate) fn page(page: &ReportPage<'_>) -> Markup {
    let report = &page.report;
    shell::page(
        &page.shell,
        "Report",
        "report",
        "report-page",
        &html! {
            h1.quiet-title { "Report" span { (report.heading().trim_end().trim_end_matches('.')) } }
            (filters(page))
            (sums(page))
            @if report.activity { (charts_section(page)) } @else { p.none { "No activity on these days." } }
            (tables(page))
        },
    )
}

fn filters(page: &ReportPage<'_>) -> Markup {
    let day = |day: Option<Date>| day.map(|day| day.to_string()).unwrap_or_default();
    let pick = |name: &str, title: &str, all: &[(String, String)], now: &str| {
        html! {
            label { span { (title) } select name=(name) {
                @for (value, words) in all { option value=(value) selected[value == now] { (words) } }
            } }
        }
    };
    let pairs = |all: &[(&str, &str)]| -> Vec<(String, String)> {
        all.iter().map(|(value, words)| ((*value).to_owned(), (*words).to_owned())).collect()
    };
    let mut tables = pairs(&[("", "all")]);
    tables.extend(page.tables.iter().map(|table| (table.clone(), table.clone())));
    html! {
        form.filters method="get" action=(page.shell.href("/report")) role="search" data-plain {
            label { span { "First gaming day" } input name="from" type="date" value=(day(page.filter.from)); }
            label { span { "Last gaming day" } input name="to" type="date" value=(day(page.filter.to)); }
            (pick("money", "Played for", &pairs(&[("practice", "practice"), ("cash", "cash")]), page.report.money.code()))
            (pick("table", "Table", &tables, page.form.text("table")))
            (pick("by", "Group by", &pairs(&[("table", "table"), ("game", "game"), ("day", "day")]), page.report.by.title()))
            button type="submit" { "Show" }
        }
    }
}

/// The most important figures.
fn sums(page: &ReportPage<'_>) -> Markup {
    let total = &page.report.total;
    let decisions: u64 = page.report.hours.iter().map(|line| line.decisions).sum();
    let tile = |title: &str, value: Markup| html! { div { dt { (title) } dd { (value) } } };
    html! {
        dl.sums {
            (tile("Handle", html! { (total.handle.grouped()) }))
            (tile("Win", html! { (paint::net(total.win)) }))
            (tile("Hold", html! { @match total.hold_percent() { Some(hold) => { (hold) " %" }, None => "–" } }))
            (tile("Net win", html! { (paint::net(total.net_win())) }))
            (tile("Rounds", html! { (total.rounds) }))
            (tile("Decisions", html! { (decisions) }))
        }
    }
}

/// Sums the lines of each hour or day.
fn by_place(
    page: &ReportPage<'_>,
    of: impl Fn(&HourLine) -> i64,
    wanted: impl Fn(&HourLine) -> bool,
) -> Vec<i64> {
    let mut values = vec![0; page.labels.len()];
    for (line, place) in page.report.hours.iter().zip(&page.places).filter(|(line, _)| wanted(line)) {
        if let Some(value) = values.get_mut(*place) {
            *value += of(line);
        }
    }
    values
}

fn count(of: u64) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX)
}

/// A chart with title, caption and figures.
fn figure(id: &str, title: &str, caption: &str, chart: &Markup, table: &Markup) -> Markup {
    html! {
        figure.sheet id=(id) {
            figcaption { h2 { (title) } p.hint { (caption) } }
            (chart)
            details.more id=(format!("{id}-figures")) { summary { "Figures" } div.scroll tabindex="0" role="region" aria-label=(format!("{title}: figures")) { (table) } }
        }
    }
}

/// A table with a row for each hour or day and a column for each series.
fn rows(page: &ReportPage<'_>, series: &[(String, Vec<i64>)], format: Format) -> Markup {
    html! {
        table.lines {
            thead { tr { th scope="col" { "Hour" } @for (name, _) in series { th.n scope="col" { (name) } } } }
            tbody { @for (n, label) in page.labels.iter().enumerate() {
                tr { th scope="row" { (label) } @for (_, values) in series { td.n { (format(values.get(n).copied().unwrap_or(0))) } } }
            } }
        }
    }
}

fn charts_section(page: &ReportPage<'_>) -> Markup {
    let of_table = |table: &str| by_place(page, |line| line.win.cents(), |line| line.table == table);
    let mut names: Vec<&str> = page.report.hours.iter().map(|line| line.table.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let tables: Vec<(String, Vec<i64>)> =
        names.iter().map(|name| ((*name).to_owned(), of_table(name))).collect();
    let win = by_place(page, |line| line.win.cents(), |_| true);
    let handle = by_place(page, |line| line.handle.cents(), |_| true);
    let rounds = by_place(page, |line| count(line.rounds), |_| true);
    let mut all = vec![("all".to_owned(), win.clone())];
    all.extend(tables.iter().cloned());
    let one = |name: &str, values: &[i64]| vec![(name.to_owned(), values.to_vec())];
    html! {
        div.pictures {
            (figure("win", "Win by hour", "The win of all tables. Outlined bars below the line are losses.",
                &charts::bars("Win by hour", &page.labels, &win, charts::short_money), &rows(page, &all, charts::money)))
            (figure("win-by-table", "Win by hour and table", "Each table on its own scale.",
                &html! { @if tables.is_empty() { (NONE) } @for (name, values) in &tables { h3 { (name) span.n { (charts::money(values.iter().sum())) } } (charts::low_bars(&format!("Win of {name} by hour"), &page.labels, values, charts::short_money)) } },
                &rows(page, &tables, charts::money)))
            (luck(page))
            (figure("handle", "Handle by hour", "All stakes of settled rounds.",
                &charts::bars("Handle by hour", &page.labels, &handle, charts::short_money), &rows(page, &one("handle", &handle), charts::money)))
            (figure("rounds", "Rounds per hour", "Settled rounds of all tables.",
                &charts::bars("Rounds per hour", &page.labels, &rounds, charts::count), &rows(page, &one("rounds", &rounds), charts::count)))
            (dealers(page))
            @for (jackpot, values) in meters(page) {
                (figure(&format!("meter-{jackpot}"), &format!("Meter of {jackpot}"), "What the sign showed at the end of each hour.",
                    &charts::steps(&format!("Meter of {jackpot} by hour"), &page.labels, &values, charts::short_money), &rows(page, &one("meter", &values), charts::money)))
            }
        }
    }
}

fn luck(page: &ReportPage<'_>) -> Markup {
    let caption = "The bar covers the results of 95 of 100 such days by luck alone; the tick is the exact expectation, the block the result. \
                Best play is assumed. Boxes of one round share cards; the bar treats them as one, so it is never too narrow.";
    html! {
        figure.sheet #luck {
            figcaption { h2 { "Hold against expectation" } p.hint { (caption) } }
            @match page.luck.as_deref() {
                None => p.none { "The exact odds are being computed. Reload in a minute." }
                Some([]) => (NONE),
                Some(luck) => (charts::bands(luck, charts::money))
            }
        }
    }
}

/// The decisions per hour of each dealer.
fn dealers(page: &ReportPage<'_>) -> Markup {
    let mut names: Vec<&str> = page.report.hours.iter().map(|line| line.dealer.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let of = |name: &str| by_place(page, |line| count(line.decisions), |line| line.dealer == name);
    let series: Vec<(String, Vec<i64>)> = names.iter().map(|name| ((*name).to_owned(), of(name))).collect();
    let called = |name: &str| if name == "house" { "dealt by the house".to_owned() } else { name.to_owned() };
    figure(
        "decisions",
        "Decisions per hour",
        "Boxes settled by each dealer.",
        &html! { @if series.is_empty() { (NONE) } @for (name, values) in &series {
            h3 { (called(name)) span.n { (values.iter().sum::<i64>()) } } (charts::low_bars(&format!("Decisions of {name} by hour"), &page.labels, values, charts::count))
        } },
        &rows(page, &series, charts::count),
    )
}

/// Each meter by hour or day; unchanged where there is no reading.
fn meters(page: &ReportPage<'_>) -> BTreeMap<String, Vec<i64>> {
    let mut all: BTreeMap<String, Vec<Option<i64>>> = BTreeMap::new();
    for (point, place) in page.report.meters.iter().zip(&page.meter_places) {
        let values = all.entry(point.jackpot.to_string()).or_insert_with(|| vec![None; page.labels.len()]);
        if let Some(value) = values.get_mut(*place) {
            *value = Some(point.meter.cents());
        }
    }
    let fill_gaps = |values: Vec<Option<i64>>| {
        let mut last = values.iter().flatten().next().copied().unwrap_or(0);
        values
            .into_iter()
            .map(|value| {
                last = value.unwrap_or(last);
                last
            })
            .collect()
    };
    all.into_iter().map(|(name, values)| (name, fill_gaps(values))).collect()
}

/// The tables of the report, and their downloads.
fn tables(page: &ReportPage<'_>) -> Markup {
    let (report, query) = (&page.report, &page.query);
    let practice = report.money == MoneyKind::Practice;
    let moved = |line: &&CageLine| {
        if practice { !line.play_chips.is_zero() } else { !line.bought.is_zero() || !line.cashed.is_zero() }
    };
    let cage: Vec<&CageLine> = report.cage.iter().filter(moved).collect();
    let csv = |part: &str| page.shell.href(&format!("/report.csv?part={part}&{query}"));
    html! {
        section.sheet aria-label="Tables" {
            h2 { "By " (report.by.title()) }
            div.scroll tabindex="0" role="region" aria-label="Figures of the tables" {
                table.lines {
                    thead { tr {
                        th scope="col" { (report.by.title()) } th.n scope="col" { "Rounds" } th.n scope="col" { "Voids" } th.n scope="col" { "Handle" } th.n scope="col" { "Win" } th.n scope="col" { "Hold" }
                        th.n scope="col" { "Contributions" } th.n scope="col" { "Awards by house" } th.n scope="col" { "Net win" } th.n scope="col" { "Fills" }
                    } }
                    tbody { @for line in report.lines.iter().chain([&report.total]) {
                        tr.total[line.key == "total"] {
                            th scope="row" { (line.key) } td.n { (line.rounds) } td.n { (line.voids) } td.n { (line.handle.grouped()) } td.n { (paint::net(line.win)) }
                            td.n { @if let Some(hold) = line.hold_percent() { (hold) " %" } } td.n { (line.contributions.grouped()) }
                            td.n { (line.awards_by_house.grouped()) } td.n { (paint::net(line.net_win())) } td.n { (line.float_fills.grouped()) }
                        }
                    } }
                }
            }
            @if !cage.is_empty() {
                h2 { "Cage" }
                div.scroll tabindex="0" role="region" aria-label="Figures of the cage" {
                    table.lines {
                        // A report for practice shows play chips given, a report for cash the cash movements.
                        thead { tr { th scope="col" { "Day" } th scope="col" { "Cashier" }
                            @if practice { th.n scope="col" { "Play chips given" } }
                            @else { th.n scope="col" { "Drop" } th.n scope="col" { "Cashed out" } th.n scope="col" { "Net cash" } } } }
                        tbody { @for line in cage {
                            tr { th scope="row" { @if let Some(day) = line.day { (day) } } td { (line.cashier) }
                                @if practice { td.n { (line.play_chips.grouped()) } }
                                @else { td.n { (line.bought.grouped()) } td.n { (line.cashed.grouped()) } td.n { (paint::net(line.net())) } } }
                        } }
                    }
                }
            }
            p.hint { "Download: "
                a href=(csv("tables")) download { "tables" } " · " a href=(csv("jackpots")) download { "jackpots" } " · " a href=(csv("cage")) download { "cage" } " · "
                a href=(csv("hours")) download { "hours" } " (CSV) · " a href=(page.shell.href(&format!("/report.json?{query}"))) download { "everything (JSON)" } }
        }
    }
}
