//! Caches solutions: rulebooks with equal payouts share them.
//!
//! The three hold'em games are one game to the solver, and so are the two stud games. To analyse several, reuse one [`Solver`].

use std::sync::Arc;

use baize_cards::HandClass;
use baize_rules::{Award, Rulebook};

use crate::DeckSpec;
use crate::holdem::{HoldemGame, HoldemSolution, HoldemTables};
use crate::jackpot::AwardCounts;
use crate::strategy::{HoldemStrategy, StudStrategy, settled};
use crate::stud::{RaisingRule, StudGame, StudSolution, StudTable};

/// Solutions so far, for full decks.
#[derive(Debug, Clone, Default)]
pub struct Solver {
    tables: Vec<([HandClass; 10], Arc<HoldemTables>)>,
    holdem: Vec<Arc<HoldemSolution>>,
    stud_tables: Vec<Arc<StudTable>>,
    stud: Vec<Arc<(StudSolution, RaisingRule)>>,
    awards: Vec<(Vec<Award>, Arc<AwardCounts>)>,
    holdem_strategies: Vec<(HoldemStrategy, Arc<HoldemSolution>)>,
}

impl Solver {
    /// Nothing solved yet.
    #[must_use]
    pub fn new() -> Solver {
        Solver::default()
    }

    /// The tables that the game needs.
    pub fn tables(&mut self, game: &HoldemGame) -> Arc<HoldemTables> {
        let alike = game.alike();
        if let Some((_, tables)) = self.tables.iter().find(|(known, _)| *known == alike) {
            return Arc::clone(tables);
        }
        let tables = Arc::new(HoldemTables::new(DeckSpec::FULL, game));
        self.tables.push((alike, Arc::clone(&tables)));
        tables
    }

    /// Best play of a hold'em game.
    pub fn holdem(&mut self, game: &HoldemGame) -> Arc<HoldemSolution> {
        if let Some(solution) = self.holdem.iter().find(|solution| solution.game == *game) {
            return Arc::clone(solution);
        }
        let solution = Arc::new(HoldemSolution::optimal(&self.tables(game), game));
        self.holdem.push(Arc::clone(&solution));
        solution
    }

    /// All positions of a stud game, separated by best play.
    pub fn stud_table(&mut self, game: &StudGame) -> Arc<StudTable> {
        if let Some(table) = self.stud_tables.iter().find(|table| table.game == *game) {
            return Arc::clone(table);
        }
        let table = Arc::new(StudTable::best(DeckSpec::FULL, game));
        self.stud_tables.push(Arc::clone(&table));
        table
    }

    /// Best play of a stud game, and the rule by which it bets.
    pub fn stud(&mut self, game: &StudGame) -> Arc<(StudSolution, RaisingRule)> {
        if let Some(solved) = self.stud.iter().find(|solved| solved.0.game == *game) {
            return Arc::clone(solved);
        }
        let solved = Arc::new(RaisingRule::of(&self.stud_table(game)));
        self.stud.push(Arc::clone(&solved));
        solved
    }

    /// A hold'em game under a strategy.
    pub fn holdem_strategy(&mut self, game: &HoldemGame, strategy: &HoldemStrategy) -> HoldemSolution {
        let mut played =
            if let (Some(turn), Some(river)) = (settled(&strategy.turn), settled(&strategy.river)) {
                self.holdem(game).whatever_the_cards(turn, river)
            } else {
                self.holdem_after_the_flop(game, strategy)
            };
        strategy.fold(&mut played);
        played
    }

    /// The results of staying depend only on turn and river; strategies that differ only in their folds share them.
    fn holdem_after_the_flop(&mut self, game: &HoldemGame, strategy: &HoldemStrategy) -> HoldemSolution {
        let alike = |known: &HoldemStrategy| known.turn == strategy.turn && known.river == strategy.river;
        let found =
            self.holdem_strategies.iter().find(|(known, played)| alike(known) && played.game == *game);
        if let Some((_, played)) = found {
            return (**played).clone();
        }
        let played = strategy.play(&self.tables(game), game);
        self.holdem_strategies.push((strategy.clone(), Arc::new(played.clone())));
        played
    }

    /// A stud game under a strategy.
    pub fn stud_strategy(&mut self, game: &StudGame, strategy: &StudStrategy) -> StudSolution {
        strategy.play(&self.stud_table(game))
    }

    /// How often each award is made.
    pub fn awards(&mut self, rulebook: &Rulebook) -> Arc<AwardCounts> {
        // Only the cards and the hand of an award decide how often it is made.
        let alike = |one: &Award, other: &Award| one.cards == other.cards && one.class == other.class;
        let awards = &rulebook.jackpot.awards;
        let found = self.awards.iter().find(|(known, _)| {
            known.len() == awards.len() && known.iter().zip(awards).all(|(one, other)| alike(one, other))
        });
        if let Some((_, counts)) = found {
            return Arc::clone(counts);
        }
        let counts = Arc::new(AwardCounts::new(DeckSpec::FULL, rulebook));
        self.awards.push((awards.clone(), Arc::clone(&counts)));
        counts
    }
}
