//! Bet or fold.

use baize_cards::CardSet;
use baize_rules::{Money, Rulebook};

use super::{Action, ActionValue, Advice, AdviceError, Seen, jackpot};
use crate::analysis::JackpotTerms;
use crate::stud::{StudGame, position};
use crate::{DeckSpec, Fraction};

pub(super) fn advise(
    rulebook: &Rulebook,
    seen: &Seen,
    ante: Option<Money>,
    jackpot: Option<(Money, JackpotTerms)>,
) -> Result<Advice, AdviceError> {
    let game = StudGame::from_rulebook(rulebook, ante)?;
    let hand: CardSet = seen.cards.iter().copied().collect();
    let up = seen.up.ok_or(AdviceError::NoUpCard)?;
    let wrong = |_| AdviceError::Hand { family: rulebook.family.name(), wanted: 5, found: hand.len() };
    let (value, counts) = position(DeckSpec::FULL, game.qualifies_from, hand, up).map_err(wrong)?;
    let over = i128::from(counts.total()) * i128::from(game.scale);
    let mut fold = Fraction::new(game.fold, game.scale);
    let mut bet = Fraction::new(game.bet_sum(value.class(), &counts), over);
    if let Some((ante, terms)) = jackpot {
        let worth = jackpot::of_hand(rulebook, hand, terms);
        fold = fold + jackpot::in_antes(worth.fold, ante, terms);
        bet = bet + jackpot::in_antes(worth.stay, ante, terms);
    }
    Ok(Advice::between(
        ActionValue { action: Action::Fold, ev: fold },
        ActionValue { action: Action::Bet, ev: bet },
    ))
}
