//! Hold'em strategies: which starting hands to fold, and when to wager the turn and the river.

use baize_cards::{Card, HandClass, Rank};
use baize_rules::Family;

use super::reader::{alternatives, clauses, part, rank, starting_hands};
use super::{Community, NamedStrategy, StrategyError, cards_seen, reader};
use crate::holdem::{HoldemGame, HoldemSolution, HoldemTables, RaisePosition};

/// The named strategies of hold'em.
pub(super) const NAMED: [NamedStrategy; 6] = [
    NamedStrategy {
        name: "best",
        rules: "fold: best; turn: best; river: best",
        words: "the exact best decision at every position",
    },
    NamedStrategy {
        name: "simple",
        rules: "fold: 23o-27o; turn: own pair+ or flush draw or high A+; river: own pair+",
        words: "fold 2-3 to 2-7 unsuited; turn with a pair of your own, a flush draw or an Ace; river with a pair of your own",
    },
    NamedStrategy {
        name: "own-pair",
        rules: "fold: 23o-27o; turn: own pair+; river: own pair+",
        words: "fold 2-3 to 2-7 unsuited; turn and river with a pair of your own or better",
    },
    NamedStrategy {
        name: "never-fold-simple",
        rules: "fold: none; turn: own pair+ or flush draw or high A+; river: own pair+",
        words: "fold nothing; turn with a pair of your own, a flush draw or an Ace; river with a pair of your own",
    },
    NamedStrategy {
        name: "stay-and-check",
        rules: "fold: none; turn: never; river: never",
        words: "fold nothing, check the turn and the river",
    },
    NamedStrategy {
        name: "always",
        rules: "fold: none; turn: always; river: always",
        words: "fold nothing, wager the turn and the river",
    },
];

/// Which starting hands are folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folds {
    /// Those that lose less by a fold, the turn and the river played as the strategy says.
    Best,
    /// These, by index.
    Hands([bool; 169]),
}

/// One reason to wager the turn or the river.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Always.
    Always,
    /// Where the wager gains on average.
    Best,
    /// The cards seen make this class or better.
    Class(HandClass),
    /// The same, and more than the community cards make by themselves.
    OwnClass(HandClass),
    /// Four cards of a suit, one of them a hole card.
    FlushDraw,
    /// Two ranks would complete a straight with a hole card.
    StraightDraw,
    /// A hole card of this rank or higher.
    High(Rank),
}

/// A way to play hold'em.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldemStrategy {
    /// What is folded before the flop.
    pub folds: Folds,
    /// Reasons to wager the turn.
    pub turn: Vec<Condition>,
    /// Reasons to wager the river.
    pub river: Vec<Condition>,
}

impl HoldemStrategy {
    pub(super) fn read(text: &str) -> Result<HoldemStrategy, StrategyError> {
        let mut strategy =
            HoldemStrategy { folds: Folds::Best, turn: vec![Condition::Best], river: vec![Condition::Best] };
        let known = "`fold: …`, `turn: …` and `river: …`";
        for (decision, rule) in clauses(text, Family::Holdem, &["fold", "turn", "river"], known)? {
            match decision {
                "fold" if rule == "best" => {}
                "fold" => strategy.folds = Folds::Hands(starting_hands(rule)?),
                "turn" => strategy.turn = conditions(rule)?,
                _ => strategy.river = conditions(rule)?,
            }
        }
        Ok(strategy)
    }

    /// Whether to wager the turn.
    #[must_use]
    pub fn wagers_turn(&self, hole: [Card; 2], board: &Community, best: impl FnOnce() -> bool) -> bool {
        holds(&self.turn, hole, board, best)
    }

    /// Whether to wager the river.
    #[must_use]
    pub fn wagers_river(&self, hole: [Card; 2], board: &Community, best: impl FnOnce() -> bool) -> bool {
        holds(&self.river, hole, board, best)
    }

    /// Whether the turn or the river follows best play.
    #[must_use]
    pub fn asks_for_best(&self) -> bool {
        self.turn.contains(&Condition::Best) || self.river.contains(&Condition::Best)
    }

    /// Results of the strategy.
    #[must_use]
    pub fn play(&self, tables: &HoldemTables, game: &HoldemGame) -> HoldemSolution {
        let turn = |p: &RaisePosition<'_>| self.wagers_turn(p.hole, p.board, || p.gain > 0);
        let river = |p: &RaisePosition<'_>| self.wagers_river(p.hole, p.board, || p.gain > 0);
        let mut solution = HoldemSolution::play(tables, game, turn, river);
        self.fold(&mut solution);
        solution
    }

    /// Folds the starting hands that this strategy folds.
    pub fn fold(&self, solution: &mut HoldemSolution) {
        match self.folds {
            Folds::Best => solution.fold_what_loses_more(),
            Folds::Hands(hands) => solution.folded = hands,
        }
    }
}

/// The result of the conditions if it is the same for all cards: always or never. `None` if it depends.
pub(crate) fn settled(conditions: &[Condition]) -> Option<bool> {
    match conditions {
        [] => Some(false),
        conditions => conditions.contains(&Condition::Always).then_some(true),
    }
}

fn holds(conditions: &[Condition], hole: [Card; 2], board: &Community, best: impl FnOnce() -> bool) -> bool {
    let mut follow = false;
    for condition in conditions {
        let met = match condition {
            Condition::Always => true,
            Condition::Best => {
                follow = true;
                false
            }
            Condition::Class(class) => board.class_with(hole) >= *class,
            Condition::OwnClass(class) => {
                let made = board.class_with(hole);
                made >= *class && made > board.own_class()
            }
            Condition::FlushDraw => cards_seen::flush_draw(hole, board.cards),
            Condition::StraightDraw => cards_seen::straight_draw(hole, board.cards),
            Condition::High(rank) => hole.iter().any(|card| card.rank() >= *rank),
        };
        if met {
            return true;
        }
    }
    follow && best()
}

fn conditions(rule: &str) -> Result<Vec<Condition>, StrategyError> {
    let mut conditions = Vec::new();
    for alternative in alternatives(rule) {
        match alternative.as_str() {
            "never" => {}
            "always" => conditions.push(Condition::Always),
            "best" => conditions.push(Condition::Best),
            "flush draw" => conditions.push(Condition::FlushDraw),
            "straight draw" => conditions.push(Condition::StraightDraw),
            other => conditions.push(hand(other)?),
        }
    }
    Ok(conditions)
}

fn hand(text: &str) -> Result<Condition, StrategyError> {
    let wrong = || {
        part(
            text,
            "write always, never, best, a hand such as pair+ or own pair+, flush draw, straight draw, or high K+",
        )
    };
    let lowest = text.strip_suffix('+').ok_or_else(wrong)?;
    if let Some(high) = lowest.strip_prefix("high ") {
        return rank(high.trim()).map(Condition::High).ok_or_else(wrong);
    }
    if let Some(own) = lowest.strip_prefix("own ") {
        return reader::class(own.trim()).map(Condition::OwnClass).ok_or_else(wrong);
    }
    reader::class(lowest).map(Condition::Class).ok_or_else(wrong)
}
