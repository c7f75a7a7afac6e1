//! Rounds of stud in a study.

use baize_cards::{Card, CardSet};

use super::super::choices::{Book, Choices, Sight};
use super::super::suspicion::{Agreement, Evidence};
use super::Rounds;
use crate::simulation::Shuffler;

/// A game of stud.
pub(super) struct StudRounds<'a> {
    pub(super) book: &'a Book,
}

impl Rounds for StudRounds<'_> {
    fn honest(
        &self,
        shuffler: &mut Shuffler,
        mistaken: &dyn Fn(&mut Shuffler) -> bool,
        evidence: &mut Evidence,
    ) {
        // Best play departs from nothing: only mistakes add anything.
        if mistaken(shuffler) {
            self.round(shuffler, evidence, |choices, _, _| !choices.raises());
        }
    }

    fn seeing(&self, shuffler: &mut Shuffler, evidence: &mut Evidence) {
        self.round(shuffler, evidence, |choices, hand, dealer| {
            let second = self.book.second_card();
            let bets = second.and_then(|second| second.bets(hand, [dealer[0], dealer[1]]));
            bets.unwrap_or_else(|| choices.raises())
        });
    }
}

impl StudRounds<'_> {
    /// Deals a round and adds what the player's decision says, if it departs from best play.
    fn round(
        &self,
        shuffler: &mut Shuffler,
        evidence: &mut Evidence,
        bets: impl Fn(&Choices, &[Card], &[Card]) -> bool,
    ) {
        let cards = shuffler.deal(10).to_vec();
        let (hand, dealer) = cards.split_at(5);
        let sight = Sight { hand, up: Some(dealer[0]), board: &[], turn_wagered: false };
        let Some(choices) = self.book.choices(&sight) else { return };
        let raised = bets(&choices, hand, dealer);
        if raised != choices.raises()
            && let Some(second) = self.book.second_card()
            && let Some(agreement) =
                Agreement::with_hidden_cards(second, hand, dealer[0], dealer, CardSet::EMPTY, raised)
        {
            evidence.add(agreement);
        }
    }
}
