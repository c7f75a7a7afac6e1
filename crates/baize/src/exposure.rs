//! `baize exposure`: what it is worth to a player to see more than they should.

mod text;

use std::sync::atomic::Ordering;

use baize_odds::Solver;
use baize_odds::exposure::{Exposed, Exposure, ExposureQuestion, ExposureWorth, RankSet};
use baize_rules::{Family, Money};
use clap::Args;
use serde::Serialize;

use crate::page::{self, Page};
use crate::rulebook::{About, Game};
use crate::{Failure, interrupt, progress};

/// The exact edge of a player who sees more than they should.
///
/// Best play with the knowledge, in antes a round: a fraction where every deal can be counted, a simulation with exact decisions where
/// other boxes share their cards. Ctrl-C prints what is known so far.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: Game,
    /// Face-down cards of the dealer that are seen: stud 0 to 4 besides the face-up card, hold'em 1 or 2.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    dealer: Option<usize>,
    /// Hold'em: cards of the flop that are seen before the first decision, 1 to 3.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = count)]
    flop: usize,
    /// Hold'em: the turn is seen before the first decision.
    #[arg(long)]
    turn: bool,
    /// Hold'em: the river is seen before the first decision.
    #[arg(long)]
    river: bool,
    /// Other boxes whose cards are shared.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = count)]
    boxes: usize,
    /// Only whether the dealer's face-down cards are of these ranks is seen: `high` (Ten to Ace), `low` (Two to Six), `court`, ranks
    /// such as `A,K`, or a range such as `ACE-KING`. Without --dealer, this applies to all of them.
    #[arg(long, value_name = "SET")]
    ranks: Option<RankSet>,
    /// The ante, for the earnings an hour; maximum payouts are applied.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    ante: Option<Money>,
    /// Rounds in an hour.
    #[arg(long, value_name = "R", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Deals to draw where it is a simulation.
    #[arg(long, value_name = "N")]
    deals: Option<u64>,
    /// The seed of a simulation: the same seed gives the same result.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "give a number such as 1".to_owned())
}

/// What it comes to in money and time.
#[derive(Serialize)]
struct Earnings {
    /// Rounds in an hour.
    rounds_an_hour: u32,
    /// The ante.
    ante: Money,
    /// What the player expects to win in an hour, in dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    an_hour: Option<String>,
    /// Rounds until the result stands out by three standard errors.
    rounds_to_stand_out: Option<u64>,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    exposure: &'a Exposure,
    earnings: Earnings,
    /// Ctrl-C ended the work before its time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

/// Analyses the exposure that the arguments state.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rulebook = &*arguments.game.read()?;
    let seen = Exposed {
        dealer: arguments.dealer.unwrap_or(0),
        flop: arguments.flop,
        turn: arguments.turn,
        river: arguments.river,
        boxes: arguments.boxes,
        ranks: arguments.ranks,
    };
    if seen == Exposed::default() && arguments.dealer.is_none() {
        let options = match rulebook.family {
            Family::Stud => "--dealer N, --boxes N or --ranks SET",
            Family::Holdem => "--dealer N, --flop N, --turn, --river, --boxes N or --ranks SET",
        };
        return Err(Failure::Usage(format!("state what is seen, with {options}")));
    }
    if arguments.dealer == Some(0) && arguments.ranks.is_some() {
        let wrong =
            "--ranks applies to the cards counted by --dealer, which is 0: omit --dealer for all of them";
        return Err(Failure::Usage(wrong.to_owned()));
    }
    // Refused before anything is computed.
    let seen = seen.checked(rulebook)?;
    if arguments.deals.is_some() && seen.countable() {
        return Err(Failure::Usage(
            "--deals is for simulations, but here every deal is counted: omit it".to_owned(),
        ));
    }
    let question =
        ExposureQuestion { seen, ante: arguments.ante, deals: arguments.deals, seed: arguments.seed };
    let pressed = interrupt::watch(|| {});
    let bar = progress::bar(1, if seen.countable() { "counting" } else { "drawing deals" });
    let exposure = Exposure::of(&mut Solver::new(), rulebook, question, &|done, of| {
        bar.set_length(of);
        bar.set_position(done);
        !pressed.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    let exposure = exposure?;
    let ante = arguments.ante.unwrap_or(Money::from_dollars(100));
    let worth = exposure.worth.as_ref();
    let answer = Answer {
        exposure: &exposure,
        earnings: Earnings {
            rounds_an_hour: arguments.rounds,
            ante,
            an_hour: worth.map(|worth| worth.earns_an_hour(arguments.rounds, ante).decimal(2)),
            rounds_to_stand_out: worth.and_then(ExposureWorth::rounds_to_stand_out),
        },
        interrupted: pressed.load(Ordering::Relaxed),
    };
    page::print(&if arguments.json {
        page::json(&About::new(rulebook, &answer))?
    } else {
        text::of(&answer, rulebook.family, Page::for_stdout())
    })
}
