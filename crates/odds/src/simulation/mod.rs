//! Monte Carlo simulation through the real settlement.
//!
//! Rounds are played in chunks of a fixed size. Each chunk has its own generator, derived from the seed and the chunk's number, and chunks
//! are added in order, so the result depends on the seed and the number of rounds, never on the number of threads. Every box is settled by
//! the same function as at live tables, and every jackpot claim is paid by the jackpot itself.

mod chunk;
mod exact;
mod jackpot;
mod plan;
mod player;
mod result;
mod shuffle;
mod totals;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

pub(crate) use self::player::StudBest;
pub(crate) use self::shuffle::Shuffler;
pub use exact::ExactFigures;
pub use plan::{JackpotPlan, Plan, SimulationError};
pub use result::{AwardHits, Estimate, JackpotResult, SimulationResult};

use self::chunk::{CHUNK_ROUNDS, play_chunk};
use self::jackpot::JackpotRun;
use self::player::Player;
use self::totals::Totals;
use crate::Solver;

/// Plays the rounds of a plan on this many threads. `progress` gets the number of settled rounds, first 0 after the preparation; if it
/// returns `false`, the result covers the rounds so far.
///
/// # Errors
/// A plan that does not fit its rulebook, or amounts that are too large.
pub fn simulate(
    solver: &mut Solver,
    plan: &Plan<'_>,
    threads: usize,
    mut progress: impl FnMut(u64) -> bool,
) -> Result<SimulationResult, SimulationError> {
    plan.check()?;
    let exact = ExactFigures::of(solver, plan)?;
    let player = Player::new(solver, plan, &exact)?;
    progress(0);
    let mut totals = Totals::default();
    let mut jackpot = plan.jackpot.map(|terms| JackpotRun::new(plan, terms));
    let chunks = plan.rounds.div_ceil(CHUNK_ROUNDS);
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let outcome = std::thread::scope(|scope| {
        // Finished chunks wait for their turn; the bound keeps a fast thread from running far ahead.
        let (send, receive) = mpsc::sync_channel(64);
        for _ in 0..threads.clamp(1, 256) {
            let send = send.clone();
            let (next, stop, player) = (&next, &stop, &player);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let chunk = next.fetch_add(1, Ordering::Relaxed);
                    if chunk >= chunks || send.send((chunk, play_chunk(plan, player, chunk))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut turn = 0;
        for (chunk, played) in receive {
            waiting.insert(chunk, played);
            while let Some(played) = waiting.remove(&turn) {
                let added = played.and_then(|played| {
                    if let Some(jackpot) = &mut jackpot {
                        jackpot.add(&played)?;
                    }
                    totals.add(&played);
                    Ok(())
                });
                if let Err(error) = added {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                turn += 1;
                if !progress(totals.rounds) {
                    stop.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
        }
        Ok(())
    });
    outcome?;
    Ok(SimulationResult::new(plan, exact, &totals, jackpot))
}
