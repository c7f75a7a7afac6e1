//! Evaluates the test of departures with simulated players, honest ones and ones who see a card. Every player is tested after every round.

mod holdem;
mod stud;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use baize_rules::Rulebook;
use serde::Serialize;

use super::Rater;
use super::choices::Book;
use super::suspicion::Evidence;
use crate::GameError;
use crate::exposure::Watch;
use crate::parallel::accumulate;
use crate::simulation::Shuffler;

/// What is simulated.
#[derive(Debug, Clone, Copy)]
pub struct StudyPlan {
    /// Honest players.
    pub honest: u32,
    /// Rounds of each.
    pub honest_rounds: u32,
    /// The share of an honest player's decisions, in percent, that are the opposite of best play.
    pub mistakes_percent: u32,
    /// Players who see one of the dealer's hidden cards.
    pub seeing: u32,
    /// Rounds after which one who is not found goes undetected.
    pub seeing_rounds: u32,
    /// Percentage of hands in which they see it; in the others they play as honest players do.
    pub seeing_percent: u32,
    /// The seed.
    pub seed: u64,
}

/// Results.
#[derive(Debug, Clone, Serialize)]
pub struct Study {
    /// Honest players.
    pub honest: u32,
    /// Number ever accused by mistake.
    pub accused: u32,
    /// Players who see a card.
    pub seeing: u32,
    /// How many of them were found.
    pub found: u32,
    /// The rounds after which half of them were found.
    pub half_found_after: Option<u32>,
    /// The rounds after which nine in ten were.
    pub most_found_after: Option<u32>,
    /// Departures of those who see a card, for each round that they played.
    pub departures_a_round: f64,
    /// The study was interrupted: only players finished by then are included.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// How rounds of a game are played in a study.
trait Rounds: Sync {
    /// A round of an honest player, whose decisions are mistakes with probability `mistaken`.
    fn honest(
        &self,
        shuffler: &mut Shuffler,
        mistaken: &dyn Fn(&mut Shuffler) -> bool,
        evidence: &mut Evidence,
    );
    /// A round of a player who sees one of the dealer's hidden cards and uses it optimally.
    fn seeing(&self, shuffler: &mut Shuffler, evidence: &mut Evidence);
}

impl Study {
    /// Simulates players of a game. `watch` gets the progress and may stop the work: then only players finished by then count.
    ///
    /// # Errors
    /// A rulebook without a solver.
    pub fn of(
        rater: &mut Rater,
        rulebook: &Rulebook,
        plan: StudyPlan,
        watch: Watch<'_>,
    ) -> Result<Study, GameError> {
        let book = rater.book(rulebook)?;
        Ok(match book {
            Book::Stud { .. } => Study::over(&stud::StudRounds { book }, plan, watch),
            Book::Holdem { game, .. } => {
                Study::over(&holdem::HoldemRounds::new(book, rulebook, game), plan, watch)
            }
        })
    }

    fn over(rounds: &impl Rounds, plan: StudyPlan, watch: Watch<'_>) -> Study {
        let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let all = u64::from(plan.honest) + u64::from(plan.seeing);
        let stopped = || stop.load(Ordering::Relaxed);
        let played_one = || {
            if !watch(done.fetch_add(1, Ordering::Relaxed) + 1, all) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let mistaken = |shuffler: &mut Shuffler| shuffler.below(100) < plan.mistakes_percent as usize;
        let players: Vec<u32> = (0..plan.honest).collect();
        let accused = accumulate(
            &players,
            || (0, 0),
            |(honest, accused), player| {
                if stopped() {
                    return;
                }
                let mut shuffler = Shuffler::new(plan.seed, u64::from(*player));
                let mut evidence = Evidence::default();
                for _ in 0..plan.honest_rounds {
                    rounds.honest(&mut shuffler, &mistaken, &mut evidence);
                }
                *accused += u32::from(evidence.suspicion().alerts());
                *honest += 1;
                played_one();
            },
        );
        let (honest, accused): (Vec<u32>, Vec<u32>) = accused.into_iter().unzip();
        let players: Vec<u32> = (0..plan.seeing).collect();
        let watched = accumulate(&players, Vec::new, |watched, player| {
            if stopped() {
                return;
            }
            let mut shuffler = Shuffler::new(plan.seed ^ 0x5EE1, u64::from(*player));
            let (mut evidence, mut played) = (Evidence::default(), 0);
            while played < plan.seeing_rounds && !evidence.suspicion().alerts() {
                played += 1;
                if shuffler.below(100) < plan.seeing_percent as usize {
                    rounds.seeing(&mut shuffler, &mut evidence);
                } else {
                    rounds.honest(&mut shuffler, &mistaken, &mut evidence);
                }
            }
            watched.push((played, evidence.suspicion()));
            played_one();
        });
        let watched = watched.concat();
        let mut found: Vec<u32> =
            watched.iter().filter(|(_, suspicion)| suspicion.alerts()).map(|(played, _)| *played).collect();
        found.sort_unstable();
        let after =
            |share: usize| found.get((watched.len() * share).div_ceil(100).saturating_sub(1)).copied();
        let played: u64 = watched.iter().map(|(played, _)| u64::from(*played)).sum();
        let departures: usize = watched.iter().map(|(_, suspicion)| suspicion.departures).sum();
        Study {
            honest: honest.into_iter().sum(),
            accused: accused.into_iter().sum(),
            seeing: count(watched.len()),
            found: count(found.len()),
            half_found_after: after(50),
            most_found_after: after(90),
            departures_a_round: departures as f64 / played.max(1) as f64,
            interrupted: stopped() && done.load(Ordering::Relaxed) < all,
        }
    }
}

fn count(players: usize) -> u32 {
    u32::try_from(players).unwrap_or(u32::MAX)
}
