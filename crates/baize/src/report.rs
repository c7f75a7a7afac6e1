//! `baize report`: figures for finance and the cage.

use baize_house::{Actor, Date, DayBegins, GamingDay, MoneyKind, TableId, UtcOffset};
use baize_report::{By, Part, ReportFilter, WORDS as REPORT_WORDS};
use clap::{Args, ValueEnum};

use crate::audit::wait;
use crate::database::Database;
use crate::{Failure, page};

/// What a line of the report is about.
#[derive(Clone, Copy, ValueEnum)]
enum Group {
    Table,
    Game,
    Day,
}

/// A part of the report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PartName {
    Tables,
    Jackpots,
    Cage,
    Hours,
}

/// Definition of the gaming day.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct Days {
    /// The house's offset from UTC.
    #[arg(long, value_name = "OFFSET", default_value_t = UtcOffset::default(), allow_hyphen_values = true)]
    utc_offset: UtcOffset,
    /// When the gaming day begins, by the house's clock.
    #[arg(long, value_name = "TIME", default_value_t = DayBegins::default())]
    day_begins: DayBegins,
}

impl Days {
    pub(crate) const fn gaming_day(&self) -> GamingDay {
        GamingDay { utc_offset: self.utc_offset, begins: self.day_begins }
    }
}

/// Handle, win, hold, contributions and awards by table, game or day; jackpots; the cage.
///
/// Days are gaming days, in Singapore from 06:00 to 06:00; --utc-offset and --day-begins change that.
#[derive(Args)]
#[command(after_long_help = REPORT_WORDS)]
pub(crate) struct Arguments {
    /// What each line is about.
    #[arg(long, value_enum, default_value = "table")]
    by: Group,
    /// The first gaming day, like 2026-05-01; without it, from the beginning.
    #[arg(long, value_name = "DATE")]
    from: Option<Date>,
    /// The last gaming day, included; without it, to the end.
    #[arg(long, value_name = "DATE")]
    to: Option<Date>,
    /// One table only, without the jackpots and the cage.
    #[arg(long, value_name = "ID")]
    table: Option<TableId>,
    /// One game only, by the id of its rulebook.
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// Tables and jackpots for practice or for cash: the two are never added up. Without it: cash, if any table is for cash.
    #[arg(long, value_name = "MONEY")]
    money: Option<MoneyKind>,
    #[command(flatten)]
    days: Days,
    /// Print one part as comma-separated values: see --part.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Which part --csv prints.
    #[arg(long, value_enum, default_value = "tables", requires = "csv")]
    part: PartName,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// Reports.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let asked = ReportFilter {
        by: match arguments.by {
            Group::Table => By::Table,
            Group::Game => By::Game,
            Group::Day => By::Day,
        },
        from: arguments.from,
        to: arguments.to,
        table: arguments.table.clone(),
        game: arguments.game.clone(),
        money: arguments.money,
        day: arguments.days.gaming_day(),
        hours: arguments.part == PartName::Hours,
    };
    let report = wait(async {
        let house = arguments.database.look().await?;
        Ok(baize_report::report(&house, &Actor::House, &asked).await?)
    })?;
    let text = if arguments.json {
        page::json(&report)?
    } else if arguments.csv {
        report.csv(match arguments.part {
            PartName::Tables => Part::Tables,
            PartName::Jackpots => Part::Jackpots,
            PartName::Cage => Part::Cage,
            PartName::Hours => Part::Hours,
        })
    } else {
        report.table(page::table_width())
    };
    page::print(&text)
}
