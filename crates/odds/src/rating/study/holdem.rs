//! Rounds of hold'em in a study. A player who sees one of the dealer's cards folds by the exact solution of all spots with one card seen, and wagers
//! on turn and river by counting everything that may still come.

use baize_cards::{Card, CardSet, Hand};
use baize_rules::{Rulebook, StartingHand};

use super::super::choices::{Book, Choices, Sight};
use super::super::suspicion::{Agreement, Evidence};
use super::super::{Compared, judge};
use super::Rounds;
use crate::DeckSpec;
use crate::exposure::{Exposed, as_example, holdem_exact};
use crate::holdem::{HoldemGame, RaisePays};
use crate::simulation::Shuffler;

/// A game of hold'em.
pub(super) struct HoldemRounds<'a> {
    book: &'a Book,
    rulebook: &'a Rulebook,
    game: &'a HoldemGame,
    /// By starting hand and card of the dealer's, in the suits of the example: folded.
    folds: Vec<[bool; 52]>,
}

/// The cards of a round.
struct Deal {
    hole: [Card; 2],
    dealer: [Card; 2],
    board: [Card; 5],
}

impl Deal {
    fn new(shuffler: &mut Shuffler) -> Deal {
        let [a, b, c, d, board @ ..]: [Card; 9] = std::array::from_fn({
            let cards = shuffler.deal(9).to_vec();
            move |n| cards[n]
        });
        Deal { hole: [a, b], dealer: [c, d], board }
    }

    /// The community cards at a decision.
    fn board(&self, stage: usize) -> &[Card] {
        &self.board[..[0, 3, 4][stage]]
    }
}

impl<'a> HoldemRounds<'a> {
    /// Solves the spots with one card seen.
    pub(super) fn new(book: &'a Book, rulebook: &'a Rulebook, game: &'a HoldemGame) -> HoldemRounds<'a> {
        let seen = Exposed { dealer: 1, ..Exposed::default() };
        let mut folds = vec![[false; 52]; 169];
        for (hand, card) in holdem_exact(DeckSpec::FULL, game, &seen, &|_, _| true).folded {
            folds[hand.index()][card.index()] = true;
        }
        HoldemRounds { book, rulebook, game, folds }
    }

    fn choices(&self, deal: &Deal, stage: usize) -> Option<Choices> {
        let sight = Sight { hand: &deal.hole, up: None, board: deal.board(stage), turn_wagered: false };
        self.book.choices(&sight)
    }

    /// What best play does that sees the dealer's first card.
    fn raises_seeing(&self, deal: &Deal, stage: usize) -> bool {
        if stage == 0 {
            let (hand, suits): (StartingHand, _) = as_example(deal.hole);
            let card = deal.dealer[0];
            let card = Card::new(card.rank(), suits[card.suit().index()]);
            return !self.folds[hand.index()][card.index()];
        }
        let stake = if stage == 1 { &self.game.turn } else { &self.game.river };
        gains(stake, deal.hole, deal.dealer[0], deal.board(stage))
    }

    fn depart(&self, deal: &Deal, choices: &Choices, raised: bool, evidence: &mut Evidence) {
        let value = |cards: &[Card; 2]| cards.iter().chain(&deal.board).copied().collect::<Hand>().value();
        let (player, dealer) = (value(&deal.hole), value(&deal.dealer));
        let qualifies = self.rulebook.qualifies(dealer);
        let compared = Compared { lost: qualifies && player < dealer, won: qualifies && player > dealer };
        let rated = judge(choices, raised, Some(compared));
        if let Some(proved) = rated.proved {
            evidence.add(Agreement::with_the_end(proved, rated.chance));
        }
    }
}

impl Rounds for HoldemRounds<'_> {
    fn honest(
        &self,
        shuffler: &mut Shuffler,
        mistaken: &dyn Fn(&mut Shuffler) -> bool,
        evidence: &mut Evidence,
    ) {
        let deal = Deal::new(shuffler);
        for stage in 0..3 {
            let mistaken = mistaken(shuffler);
            // Of turn and river only what is a mistake needs to be counted.
            if !mistaken && stage > 0 {
                continue;
            }
            let Some(choices) = self.choices(&deal, stage) else { return };
            if mistaken {
                return self.depart(&deal, &choices, !choices.raises(), evidence);
            }
            if !choices.raises() {
                return;
            }
        }
    }

    fn seeing(&self, shuffler: &mut Shuffler, evidence: &mut Evidence) {
        let deal = Deal::new(shuffler);
        for stage in 0..3 {
            let Some(choices) = self.choices(&deal, stage) else { return };
            let raised = self.raises_seeing(&deal, stage);
            if raised != choices.raises() {
                return self.depart(&deal, &choices, raised, evidence);
            }
            if stage == 0 && !raised {
                return;
            }
        }
    }
}

/// Whether a wager gains, over every card that may still come and the dealer's other card.
fn gains(stake: &RaisePays, hole: [Card; 2], seen: Card, board: &[Card]) -> bool {
    let gone: CardSet = hole.iter().chain(board).copied().chain([seen]).collect();
    let left: Vec<Card> = DeckSpec::FULL.cards().difference(gone).iter().collect();
    let on_board: Hand = board.iter().copied().collect();
    let mut sum = 0;
    let mut meet = |board: Hand, more: &[Card]| {
        let player = board.add(hole[0]).add(hole[1]).value();
        let (won, dealer) = (stake.higher[player.class() as usize], board.add(seen));
        for card in left.iter().filter(|card| !more.contains(card)) {
            sum += match player.cmp(&dealer.add(*card).value()) {
                std::cmp::Ordering::Greater => won,
                std::cmp::Ordering::Less => stake.lower,
                std::cmp::Ordering::Equal => stake.equal,
            };
        }
    };
    for (n, &one) in left.iter().enumerate() {
        if board.len() == 4 {
            meet(on_board.add(one), &[one]);
            continue;
        }
        for &other in &left[n + 1..] {
            meet(on_board.add(one).add(other), &[one, other]);
        }
    }
    sum > 0
}

#[cfg(test)]
mod tests {
    use baize_cards::HandClass;

    use super::*;
    use crate::advice::{Action, Advice, ExposedCards, Seen, Stakes};

    fn cards(text: &str) -> Vec<Card> {
        text.split_whitespace().map(|card| card.parse().unwrap()).collect()
    }

    /// What the players of the study do is what the adviser advises who sees the same.
    #[test]
    fn players_who_see_a_card_play_best_with_it() {
        let rulebook =
            Rulebook::builtins().iter().find(|book| book.family == baize_rules::Family::Holdem).unwrap();
        let game = HoldemGame::from_rulebook(rulebook, None).unwrap();
        assert_eq!(game.stay.higher, HoldemGame::new(HandClass::Straight).stay.higher);
        let mut wagers = 0;
        for (hole, seen, board) in [
            ("7c 2d", "Kd", "Kh 7d 4s"),
            ("7c 2d", "3d", "Kh 7d 4s"),
            ("Ac Jd", "Kd", "Kh 9d 4s"),
            ("Ac Jd", "3d", "Kh 9d 4s"),
            ("Ac Jd", "3d", "Kh 9d 4s 4c"),
            ("Ac Jd", "As", "Kh 9d 4s 4c"),
        ] {
            let (hole, seen, board) = (cards(hole), cards(seen), cards(board));
            let stake = if board.len() == 3 { &game.turn } else { &game.river };
            let gains = gains(stake, [hole[0], hole[1]], seen[0], &board);
            let sight = Seen { cards: hole, up: None, board, turn_wagered: false };
            let exposed = ExposedCards { dealer: seen, ..ExposedCards::default() };
            let advice = Advice::with_exposed(rulebook, &sight, &exposed, Stakes::default()).unwrap();
            assert_eq!(gains, advice.best != Action::Check, "{sight:?}");
            wagers += usize::from(gains);
        }
        assert!((1..6).contains(&wagers));
    }
}
