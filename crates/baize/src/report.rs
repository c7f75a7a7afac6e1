//! `baize report`: drop, win, hold.

use baize_house::{Actor, By, House};
use clap::{Args, ValueEnum};

use crate::audit::{database, wait};
use crate::{Failure, page};

/// What a line of the report stands for.
#[derive(Clone, Copy, ValueEnum)]
enum Group {
    Table,
    Game,
    Day,
}

/// Drop, win, hold, rounds and jackpot movements by table, game or day.
#[derive(Args)]
pub(crate) struct Arguments {
    /// What a line stands for.
    #[arg(long, value_enum, default_value = "table")]
    by: Group,
    /// As comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// As data.
    #[arg(long)]
    json: bool,
    /// A file, sqlite:FILE or postgres://…; without it, a file in the user's data folder.
    #[arg(long, value_name = "DATABASE")]
    database: Option<String>,
}

/// Reports.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let by = match arguments.by {
        Group::Table => By::Table,
        Group::Game => By::Game,
        Group::Day => By::Day,
    };
    let report = wait(async {
        let house = House::look_at(&database(arguments.database.as_ref())).await?;
        Ok(house.report(&Actor::House, by).await?)
    })?;
    let text = if arguments.json {
        let data = serde_json::to_string_pretty(&report).map_err(|error| Failure::Output(error.into()))?;
        format!("{data}\n")
    } else if arguments.csv {
        report.csv()
    } else {
        report.table()
    };
    page::print(&text)
}
