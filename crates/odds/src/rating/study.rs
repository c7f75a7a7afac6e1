//! How good the test of departures is: players made by a simulation, honest ones and ones who see a card.

use baize_cards::{Card, CardSet, Hand};
use baize_rules::{Family, Rulebook};
use serde::Serialize;

use super::suspicion::Tail;
use super::{ALERT, Choices, Rater, Sight, judge};
use crate::simulation::Shuffler;
use crate::stud::{StudGame, position_seen};
use crate::{DeckSpec, GameError};

/// What is simulated. Stud only: there a hidden card decides at once.
#[derive(Debug, Clone, Copy)]
pub struct StudyPlan {
    /// Honest players.
    pub honest: u32,
    /// Rounds of each.
    pub honest_rounds: u32,
    /// Players who see one of the dealer's hidden cards in every hand.
    pub seeing: u32,
    /// Rounds after which one who is not found goes undetected.
    pub seeing_rounds: u32,
    /// The share of an honest player's decisions, in percent, that are the opposite of best play.
    pub mistakes_percent: u32,
    /// The seed.
    pub seed: u64,
}

/// What came of it.
#[derive(Debug, Clone, Serialize)]
pub struct Study {
    /// Honest players.
    pub honest: u32,
    /// How many were found by mistake, each looked at once after all their rounds.
    pub accused: u32,
    /// Players who see a card.
    pub seeing: u32,
    /// How many of them were found.
    pub found: u32,
    /// The rounds after which half of them were found.
    pub half_found_after: Option<u32>,
    /// The rounds after which nine in ten were.
    pub most_found_after: Option<u32>,
}

impl Study {
    /// Simulates players of a stud game. `None` for a game of the other family.
    ///
    /// # Errors
    /// A rulebook without a solver.
    pub fn of(rater: &mut Rater, rulebook: &Rulebook, plan: StudyPlan) -> Result<Option<Study>, GameError> {
        if rulebook.family != Family::Stud {
            return Ok(None);
        }
        let game = StudGame::from_rulebook(rulebook, None)?;
        let mut accused = 0;
        for player in 0..plan.honest {
            let mut shuffler = Shuffler::new(plan.seed, u64::from(player));
            let mut tail = Tail::default();
            for _ in 0..plan.honest_rounds {
                // Best play departs from nothing: only mistakes add anything.
                if shuffler.below(100) < plan.mistakes_percent as usize {
                    one_round(rater, rulebook, &mut shuffler, &mut tail, |choices, _, _| !choices.raises())?;
                }
            }
            accused += u32::from(tail.suspicion().chance < ALERT);
        }
        let mut found: Vec<u32> = Vec::new();
        for player in 0..plan.seeing {
            let mut shuffler = Shuffler::new(plan.seed ^ 0x5EE1, u64::from(player));
            let mut tail = Tail::default();
            for round in 1..=plan.seeing_rounds {
                one_round(rater, rulebook, &mut shuffler, &mut tail, |_, hand, dealer| {
                    bets_seeing(&game, hand, dealer)
                })?;
                if tail.suspicion().chance < ALERT {
                    found.push(round);
                    break;
                }
            }
        }
        found.sort_unstable();
        let after =
            |share: u32| found.get((plan.seeing * share).div_ceil(100).saturating_sub(1) as usize).copied();
        Ok(Some(Study {
            honest: plan.honest,
            accused,
            seeing: plan.seeing,
            found: u32::try_from(found.len()).unwrap_or(u32::MAX),
            half_found_after: after(50),
            most_found_after: after(90),
        }))
    }
}

/// Deals a round and adds what the player's decision says, if it departs from best play.
fn one_round(
    rater: &mut Rater,
    rulebook: &Rulebook,
    shuffler: &mut Shuffler,
    tail: &mut Tail,
    bets: impl Fn(&Choices, &[Card], &[Card]) -> bool,
) -> Result<(), GameError> {
    let cards = shuffler.deal(10).to_vec();
    let (hand, dealer) = cards.split_at(5);
    let sight = Sight { hand, up: Some(dealer[0]), board: &[], turn_wagered: false };
    let Some(choices) = rater.choices(rulebook, &sight)? else { return Ok(()) };
    let raised = bets(&choices, hand, dealer);
    if raised != choices.raises() {
        let value = |cards: &[Card]| cards.iter().copied().collect::<Hand>().value();
        let (player, other) = (value(hand), value(dealer));
        let qualifies = rulebook.qualifies(other);
        let compared =
            super::Compared { lost: qualifies && player < other, won: qualifies && player > other };
        let rated = judge(&choices, raised, Some(compared));
        tail.add(rated.chance.to_f64(), rated.proved == Some(true));
    }
    Ok(())
}

/// What somebody does who sees the face-up card and one more.
fn bets_seeing(game: &StudGame, hand: &[Card], dealer: &[Card]) -> bool {
    let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
    let seen =
        position_seen(DeckSpec::FULL, game.qualifies_from, set(hand), set(&dealer[..2]), CardSet::EMPTY);
    seen.is_ok_and(|(value, counts)| game.bet_sum(value.class(), &counts) > game.fold_sum(&counts))
}
