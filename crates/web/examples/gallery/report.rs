//! Sample page: the report of a day.

use std::collections::BTreeMap;

use baize_house::{GamingDay, Instant, MoneyKind};
use baize_report::{By, CageLine, HourLine, MeterPoint, Report, ReportLine};
use baize_rules::Money;
use baize_web::pages::charts::Luck;
use baize_web::pages::model::{ReportForm, ReportPage};
use baize_web::pages::report;

use super::{Page, staff};

/// A busy day at two tables, one with a dealer.
#[expect(clippy::unwrap_used, reason = "the names are good")]
pub(crate) fn pages() -> Vec<Page> {
    let day = GamingDay::default();
    let start = day.start("2026-05-01".parse().unwrap());
    let hour = |n: u32| Instant(start.0 + i64::from(n) * 3_600_000);
    let line = |n: u32, table: &str, dealer: &str, win: i64| HourLine {
        at: hour(n),
        table: table.into(),
        dealer: dealer.into(),
        rounds: 20 + u64::from(n % 7) * 3,
        decisions: 60 + u64::from(n % 5) * 11,
        handle: Money::from_cents(win.abs() * 9 + 400_000),
        win: Money::from_cents(win),
    };
    let wins = [120_000, 84_000, -61_000, 240_000, 15_000, -180_000, 90_000, 310_000, 44_000, -20_000];
    let hours: Vec<HourLine> = (8..18)
        .zip(wins)
        .flat_map(|(n, win)| {
            [
                line(n, "ms-1", "house", win),
                line(n, "rh-1", if n < 13 { "dora" } else { "dirk" }, 70_000 - win / 2),
            ]
        })
        .collect();
    let meter = |n: u32| MeterPoint {
        jackpot: "MBS".parse().unwrap(),
        at: hour(n),
        meter: Money::from_cents(if n < 15 {
            10_400_000 + i64::from(n) * 31_000
        } else {
            10_000_000 + i64::from(n) * 9_000
        }),
    };
    let of = |key: &str, win: i64| ReportLine {
        key: key.into(),
        rounds: 260,
        handle: Money::from_cents(8_400_000),
        win: Money::from_cents(win),
        contributions: Money::from_cents(32_000),
        ..ReportLine::default()
    };
    let report = Report {
        by: By::Table,
        from: "2026-05-01".parse().ok(),
        to: "2026-05-01".parse().ok(),
        table: None,
        game: None,
        money: MoneyKind::Cash,
        gaming_day: day,
        activity: true,
        note: None,
        lines: vec![of("ms-1", 642_000), of("rh-1", 379_000)],
        total: of("total", 1_021_000),
        jackpots: Vec::new(),
        cage: vec![CageLine {
            day: "2026-05-01".parse().ok(),
            cashier: "carl".into(),
            buy_ins: 31,
            bought: Money::from_dollars(84_000),
            cash_outs: 12,
            cashed: Money::from_dollars(61_500),
            ..CageLine::default()
        }],
        cage_total: CageLine::default(),
        owed: BTreeMap::new(),
        meters: (8..18).map(meter).collect(),
        staked: BTreeMap::new(),
        hours,
    };
    let luck = |label: &str, actual: i64, expected: i64, band: i64| Luck {
        label: label.into(),
        actual,
        expected,
        band,
        handle: 8_400_000,
    };
    let page = ReportPage {
        shell: staff("mia", "Pit Manager"),
        form: ReportForm {
            from: "2026-05-01".into(),
            to: "2026-05-01".into(),
            by: "table".into(),
            money: MoneyKind::Cash,
            ..ReportForm::default()
        },
        tables: vec!["ms-1".into(), "rh-1".into()],
        labels: (0..24).map(|n| format!("{:02}:00", (n + 6) % 24)).collect(),
        places: (8..18).flat_map(|n| [n, n]).collect(),
        meter_places: (8..18).collect(),
        luck: vec![
            luck("All tables", 1_021_000, 410_000, 900_000),
            luck("ms-1", 642_000, 220_000, 700_000),
            luck("rh-1", 779_000, 190_000, 560_000),
        ],
        computing: false,
        query: "by=table".into(),
        report,
    };
    vec![("report", report::page(&page).into_string())]
}
