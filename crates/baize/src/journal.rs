//! `baize journal`: the entries of a casino as JSON.

use clap::Args;

use crate::audit::wait;
use crate::database::Database;
use crate::{Failure, page};

/// Print the entries of a casino's journal, one JSON object a line, oldest first.
///
/// Each object has everything that its hash covers, so the hash can be recomputed: docs/journal-format.md says how. Entries of rounds in
/// progress are left out.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    database: Database,
    /// Only entries of this chain: house, table/rh-1, jackpot/RWS, player/ann.
    #[arg(long, value_name = "CHAIN")]
    stream: Option<String>,
    /// Begin after the entry with this number.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    after: u64,
    /// Print at most this many entries.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u64>,
}

/// Entries read per query.
const PAGE: u32 = 1_000;

/// Prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    wait(async {
        let house = arguments.database.look().await?;
        let (mut after, mut left) = (arguments.after, arguments.limit.unwrap_or(u64::MAX));
        while left > 0 {
            let limit = u32::try_from(left).unwrap_or(PAGE).min(PAGE);
            let found = house.recorded(arguments.stream.as_deref(), after, limit).await?;
            let Some(last) = found.last() else { break };
            after = last.number;
            left -= found.len() as u64;
            let mut text = String::new();
            for entry in found {
                text.push_str(&serde_json::to_string(&entry).map_err(|error| Failure::Output(error.into()))?);
                text.push('\n');
            }
            page::print(&text)?;
        }
        // Not an error, but a mistyped chain would look like an empty one.
        if after == arguments.after && left > 0 {
            let chain = arguments.stream.as_ref().map_or(String::new(), |chain| format!(" of {chain}"));
            eprintln!("no entries{chain} after {after}");
        }
        Ok(())
    })
}
