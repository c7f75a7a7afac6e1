//! Bet or fold.

use baize_cards::CardSet;
use baize_rules::{Money, Rulebook};

use super::{Action, Advice, AdviceError, ExposedCards, Seen, jackpot};
use crate::analysis::JackpotTerms;
use crate::stud::{StudGame, position_seen};
use crate::{DeckSpec, Fraction};

pub(super) fn advise(
    rulebook: &Rulebook,
    seen: &Seen,
    exposed: &ExposedCards,
    ante: Option<Money>,
    jackpot: Option<(Money, JackpotTerms)>,
) -> Result<Advice, AdviceError> {
    let game = StudGame::from_rulebook(rulebook, ante)?;
    let hand: CardSet = seen.cards.iter().copied().collect();
    let up = seen.up.ok_or(AdviceError::NoUpCard)?;
    let dealer = exposed.dealer.iter().copied().chain([up]).collect();
    let elsewhere = exposed.boxes.iter().copied().collect();
    let wrong = |_| AdviceError::Hand { family: rulebook.family.name(), wanted: 5, found: hand.len() };
    let (value, counts) =
        position_seen(DeckSpec::FULL, game.qualifies_from, hand, dealer, elsewhere).map_err(wrong)?;
    let over = i128::from(counts.total()) * i128::from(game.scale);
    let mut fold = Fraction::new(game.fold, game.scale);
    let mut bet = Fraction::new(game.bet_sum(value.class(), &counts), over);
    if let Some((ante, terms)) = jackpot {
        let worth = jackpot::of_hand(rulebook, hand, terms);
        fold = fold + jackpot::in_antes(worth.fold, ante, terms);
        bet = bet + jackpot::in_antes(worth.stay, ante, terms);
    }
    Ok(Advice::between((Action::Fold, fold), (Action::Bet, bet)))
}
