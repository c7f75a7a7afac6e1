//! `baize jackpot`: how often awards hit, where the meter stands when they do, what the wager is worth and what the house pays.

mod text;

use std::path::PathBuf;

use baize_odds::economics::{Economics, Setup, Traffic};
use baize_rules::{Money, Percent};
use clap::Args;

use crate::rulebook::Game;
use crate::{Failure, page};

/// Jackpot economics: time between hits, the meter at the hit, the player's return, what resets cost the house.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: Game,
    /// The jackpot wager.
    #[arg(long, value_name = "AMOUNT", default_value = "5")]
    wager: Money,
    /// The value that the meter starts again from when it is won.
    #[arg(long, value_name = "AMOUNT", default_value = "100000")]
    reset: Money,
    /// The share of each wager that goes to the meter.
    #[arg(long, value_name = "PERCENT", default_value = "20%", value_parser = percent)]
    rate: Percent,
    /// The share of each wager that is set aside for the next reset.
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = percent)]
    reserve: Percent,
    /// What the meter shows now; without it, the reset value.
    #[arg(long, value_name = "AMOUNT")]
    meter: Option<Money>,
    /// Linked tables.
    #[arg(long, value_name = "N", default_value_t = 1)]
    tables: u32,
    /// Rounds that each table plays in an hour.
    #[arg(long, value_name = "N", default_value_t = 30)]
    rounds_per_hour: u32,
    /// Boxes in play at each table; without it, as many as the game has.
    #[arg(long, value_name = "N")]
    boxes: Option<u8>,
    /// The share of boxes with a jackpot wager.
    #[arg(long, value_name = "PERCENT", default_value = "100%", value_parser = percent)]
    take_up: Percent,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
    /// Write the distribution of the meter at the hit to this file as a picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Prints the economics of a game's jackpot.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rulebook = &*arguments.game.read()?;
    let setup = Setup {
        wager: arguments.wager,
        reset: arguments.reset,
        rate: arguments.rate,
        reserve: arguments.reserve,
        meter: arguments.meter,
        traffic: Traffic {
            tables: arguments.tables,
            rounds_per_hour: arguments.rounds_per_hour,
            boxes: arguments.boxes.unwrap_or(rulebook.boxes.value.most),
            take_up: arguments.take_up,
        },
    };
    let economics = Economics::new(rulebook, setup).map_err(Failure::Jackpot)?;
    if let Some(path) = &arguments.svg {
        let picture = economics.picture().ok_or(Failure::NoPicture)?;
        page::replace(path, &picture)?;
    }
    if arguments.json {
        return page::print(&page::json(&economics)?);
    }
    page::print(&text::of(&economics, page::Page::for_stdout()))
}

/// `20%`, or `20` for short.
fn percent(text: &str) -> Result<Percent, String> {
    if text.ends_with('%') { text.parse() } else { format!("{text}%").parse() }
}
