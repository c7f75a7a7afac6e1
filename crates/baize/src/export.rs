//! `baize export`: a finished round as a round script.

use baize_house::RoundId;
use clap::Args;

use crate::audit::wait;
use crate::database::Database;
use crate::{Failure, page};

/// Write a finished round as a round script, which replays to the same settlement.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The round: table and number, like rh-1/17.
    #[arg(value_name = "ROUND")]
    round: String,
    /// Write the rulebook that the round was played under instead, as a file for `baize replay --rulebook`.
    #[arg(long)]
    rulebook: bool,
    #[command(flatten)]
    database: Database,
}

/// Exports.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let round: RoundId = arguments.round.parse()?;
    let script = wait(async {
        let house = arguments.database.look().await?;
        if arguments.rulebook {
            return Ok(house.rulebook_text(&round.table)?);
        }
        Ok(house.export(&round).await?)
    })?;
    page::print(&script)
}
