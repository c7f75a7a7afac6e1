//! Ways to play stud: from which hand on to bet, perhaps by the face-up card.

use baize_cards::{HandValue, Rank};
use baize_rules::Family;

use super::reader::{alternatives, clauses, odd_cards, part, rank};
use super::{Named, StrategyError, reader};
use crate::stud::{StudGame, StudSolution};
use crate::{DeckSpec, Fraction};

/// The named strategies of stud.
pub(super) const NAMED: [Named; 6] = [
    Named { name: "best", rules: "raise: best", words: "the exact best decision at every position" },
    Named { name: "ace-king-jack", rules: "raise: A-K-J-8-3+", words: "raise on A-K-J-8-3 or better" },
    Named { name: "ace-king", rules: "raise: A-K+", words: "raise on A-K or better" },
    Named { name: "pair", rules: "raise: pair+", words: "raise on a pair or better" },
    Named {
        name: "pair-or-matched-ace-king",
        rules: "raise: pair+ or A-K+ if up matches or A-K-Q+ if up 2-5",
        words: "pair or better; A-K when holding the up card's rank; A-K-Q against a 2 to 5",
    },
    Named { name: "always", rules: "raise: always", words: "raise on everything" },
];

/// What the face-up card must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpCondition {
    /// Anything.
    Any,
    /// Of a rank that the player holds.
    Matches,
    /// From one rank to another.
    Between(Rank, Rank),
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

/// A way to play stud: bets where one of the reasons holds, and folds otherwise.
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
                StudTerm::From(from, condition) if value >= *from => match condition {
                    UpCondition::Any => return true,
                    UpCondition::Matches if value.ranks().contains(&up) => return true,
                    UpCondition::Between(low, high) if (*low..=*high).contains(&up) => return true,
                    UpCondition::Matches | UpCondition::Between(..) => {}
                },
                StudTerm::From(..) => {}
            }
        }
        follow && best()
    }

    /// Everything that comes of playing so.
    #[must_use]
    pub fn play(&self, game: &StudGame) -> StudSolution {
        StudSolution::play(DeckSpec::FULL, game, |position| {
            self.bets(position.value, position.up.rank(), || position.gain(game) > 0)
        })
    }

    /// The expected net result in antes of playing so.
    #[must_use]
    pub fn expectation(&self, game: &StudGame) -> Fraction {
        self.play(game).expectation()
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
    let wrong = || part(text, "write `if up matches` (you hold its rank), `if up 2-7` or `if up A`");
    if text.is_empty() {
        return Ok(UpCondition::Any);
    }
    let rest = text.strip_prefix("up").map(str::trim).ok_or_else(wrong)?;
    if rest == "matches" {
        return Ok(UpCondition::Matches);
    }
    let (low, high) = rest.split_once('-').unwrap_or((rest, rest));
    let (low, high) = (rank(low).ok_or_else(wrong)?, rank(high).ok_or_else(wrong)?);
    Ok(UpCondition::Between(low.min(high), low.max(high)))
}
