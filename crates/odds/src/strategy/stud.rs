//! Stud strategies: the lowest hands to bet, perhaps by face-up card.

use baize_cards::{HandValue, Rank};
use baize_rules::Family;

use super::reader::{alternatives, clauses, odd_cards, part, rank};
use super::{NamedStrategy, StrategyError, reader};
use crate::stud::{StudSolution, StudTable};

/// The named strategies of stud.
pub(super) const NAMED: [NamedStrategy; 6] = [
    NamedStrategy { name: "best", rules: "raise: best", words: "the exact best decision at every position" },
    NamedStrategy { name: "ace-king-jack", rules: "raise: A-K-J-8-3+", words: "bet A-K-J-8-3 or better" },
    NamedStrategy { name: "ace-king", rules: "raise: A-K+", words: "bet A-K or better" },
    NamedStrategy { name: "pair", rules: "raise: pair+", words: "bet a pair or better" },
    NamedStrategy {
        name: "up-card",
        rules: "raise: pair+ or A-K+ if up matches 2-Q or A-K-J+ if up K-A or A-K-Q+ if up 2-7",
        words: "bet a pair or better; A-K holding the up card's rank (2 to Q); A-K-J against a King or an Ace; A-K-Q against 2 to 7",
    },
    NamedStrategy { name: "always", rules: "raise: always", words: "bet everything" },
];

/// What the face-up card must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpCondition {
    /// Of a rank that the player holds.
    pub matches: bool,
    /// From this rank…
    pub low: Rank,
    /// …to this.
    pub high: Rank,
}

impl UpCondition {
    /// Any card.
    pub const ANY: UpCondition = UpCondition { matches: false, low: Rank::Two, high: Rank::Ace };

    fn met(&self, value: HandValue, up: Rank) -> bool {
        (self.low..=self.high).contains(&up) && (!self.matches || value.ranks().contains(&up))
    }
}

/// One reason to bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StudTerm {
    /// Always.
    Always,
    /// Where best play bets.
    Best,
    /// With this hand or better, when the face-up card is so.
    From(HandValue, UpCondition),
}

/// A stud strategy: bets if one of the terms holds, and folds otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudStrategy {
    /// The reasons.
    pub terms: Vec<StudTerm>,
}

impl StudStrategy {
    pub(super) fn read(text: &str) -> Result<StudStrategy, StrategyError> {
        let known = "`raise: …`";
        let clauses = clauses(&text.replace("bet:", "raise:"), Family::Stud, &["raise"], known)?
            .into_iter()
            .map(|(_, rule)| rule.to_owned())
            .collect::<Vec<_>>();
        let Some(rule) = clauses.first() else {
            return Ok(StudStrategy { terms: vec![StudTerm::Best] });
        };
        let mut terms = Vec::new();
        for alternative in alternatives(rule) {
            match alternative.as_str() {
                "never" => {}
                "always" => terms.push(StudTerm::Always),
                "best" => terms.push(StudTerm::Best),
                other => terms.push(term(other)?),
            }
        }
        Ok(StudStrategy { terms })
    }

    /// Whether it needs to know best play.
    #[must_use]
    pub fn asks_for_best(&self) -> bool {
        self.terms.contains(&StudTerm::Best)
    }

    /// Whether to bet with this hand against this face-up card; `best` says what best play does, where the strategy follows it.
    pub fn bets(&self, value: HandValue, up: Rank, best: impl FnOnce() -> bool) -> bool {
        let mut follow = false;
        for term in &self.terms {
            match term {
                StudTerm::Always => return true,
                StudTerm::Best => follow = true,
                StudTerm::From(from, condition) => {
                    if value >= *from && condition.met(value, up) {
                        return true;
                    }
                }
            }
        }
        follow && best()
    }

    /// Results of the strategy; the table contains what best play bets.
    #[must_use]
    pub fn play(&self, table: &StudTable) -> StudSolution {
        table.solution(|value, up, best| self.bets(value, up, || best))
    }
}

fn term(text: &str) -> Result<StudTerm, StrategyError> {
    let (hand, condition) = text.split_once(" if ").unwrap_or((text, ""));
    let hand_text = hand.trim().strip_suffix('+').ok_or_else(|| {
        part(text, "write always, never, best, or the lowest hand with a plus: pair+, A-K+, A-K-J-8-3+")
    })?;
    let from = reader::class(hand_text).map(|class| class.lowest()).or_else(|| odd_cards(hand_text));
    let from = from.ok_or_else(|| {
        part(hand, "not a hand: write a class such as pair+ or two pairs+, or the highest of five odd cards such as A-K-J-8-3+")
    })?;
    Ok(StudTerm::From(from, up_condition(condition.trim())?))
}

fn up_condition(text: &str) -> Result<UpCondition, StrategyError> {
    let wrong = || {
        part(text, "write `if up matches` (you hold its rank), `if up 2-7`, `if up A` or `if up matches 2-Q`")
    };
    if text.is_empty() {
        return Ok(UpCondition::ANY);
    }
    let rest = text.strip_prefix("up ").map(str::trim).ok_or_else(wrong)?;
    let (matches, ranks) = rest.strip_prefix("matches").map_or((false, rest), |ranks| (true, ranks.trim()));
    if matches && ranks.is_empty() {
        return Ok(UpCondition { matches, ..UpCondition::ANY });
    }
    let (low, high) = ranks.split_once('-').unwrap_or((ranks, ranks));
    let (low, high) = (rank(low).ok_or_else(wrong)?, rank(high).ok_or_else(wrong)?);
    Ok(UpCondition { matches, low: low.min(high), high: low.max(high) })
}
