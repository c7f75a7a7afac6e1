//! Flop or fold, then turn or check, then river or check.

use baize_cards::{Card, CardSet};
use baize_rules::{Money, Rulebook, StartingHand};

use super::{Action, Advice, AdviceError, Seen, jackpot};
use crate::analysis::JackpotTerms;
use crate::holdem::{HoldemGame, flop_position, turn_position};
use crate::jackpot::JackpotWorth;
use crate::{DeckSpec, Fraction, Solver};

pub(super) fn advise(
    solver: &mut Solver,
    rulebook: &Rulebook,
    seen: &Seen,
    ante: Option<Money>,
    jackpot: Option<(Money, JackpotTerms)>,
) -> Result<Advice, AdviceError> {
    let game = HoldemGame::from_rulebook(rulebook, ante)?;
    let wrong = || AdviceError::Hand { family: rulebook.family.name(), wanted: 2, found: seen.cards.len() };
    let hole = <[Card; 2]>::try_from(seen.cards.as_slice()).map_err(|_| wrong())?;
    if seen.board.is_empty() {
        return Ok(before_the_flop(solver, rulebook, &game, StartingHand::of(hole[0], hole[1]), jackpot));
    }
    let board: CardSet = seen.board.iter().copied().collect();
    let (check, raise) = if board.len() == 3 {
        let values = flop_position(DeckSpec::FULL, &game, hole, board);
        (values.check, (Action::Turn, values.turn))
    } else {
        let values = turn_position(DeckSpec::FULL, &game, hole, board, seen.turn_wagered);
        (values.check, (Action::River, values.river))
    };
    // Nothing that is decided now changes the jackpot: it is worth the same after either decision.
    let more = jackpot.map_or(Fraction::ZERO, |(ante, terms)| {
        jackpot::in_antes(jackpot::on_board(rulebook, hole, &seen.board, terms), ante, terms)
    });
    Ok(Advice::between((Action::Check, check + more), (raise.0, raise.1 + more)))
}

fn before_the_flop(
    solver: &mut Solver,
    rulebook: &Rulebook,
    game: &HoldemGame,
    hand: StartingHand,
    jackpot: Option<(Money, JackpotTerms)>,
) -> Advice {
    let solution = solver.holdem(game);
    let (mut fold, mut flop) = (solution.fold_value(), solution.flop_value(hand));
    if let Some((ante, terms)) = jackpot {
        let counts = solver.awards(rulebook);
        let worth = JackpotWorth::of_kinds(&counts, &rulebook.jackpot, &rulebook.readings, terms.stakes(1));
        let worth = &worth[hand.index()];
        fold = fold + jackpot::in_antes(worth.fold, ante, terms);
        flop = flop + jackpot::in_antes(worth.stay, ante, terms);
    }
    Advice::between((Action::Fold, fold), (Action::Flop, flop))
}
