//! How well a player plays: every decision of a finished round against best play, exactly.
//!
//! A decision is judged by what the player could see when they made it. Its cost is the value of best play less the value of what was done, in
//! antes, with best play afterwards; so the costs of a round add up. What a player's own play is worth to the house is then the edge against best
//! play plus those costs: no average player is assumed.
//!
//! Bonus and jackpot wagers are not rated: nothing is decided about them.

mod choices;
mod sessions;
mod study;
mod summary;
mod suspicion;

use baize_cards::{Card, CardSet, Hand};
use baize_rules::{Area, BoxNumber, Family, Money, Rulebook};
use baize_table::{Decided, Finished, HandInPlay, HandStatus, Outcome, Play, Player};
use serde::Serialize;

pub use choices::{Choices, Sight};
pub use sessions::{RoundTime, beginnings};
pub use study::{Study, StudyPlan};
pub use summary::{Summary, Tally};
pub use suspicion::{ALERT, Agreement, Evidence, Suspicion};

use self::choices::Book;
use crate::advice::Action;
use crate::{Fraction, GameError, Solver};

/// Rates rounds. It solves each game once.
#[derive(Debug, Default)]
pub struct Rater {
    solver: Solver,
    books: Vec<(String, Book)>,
}

/// One decision against best play.
#[derive(Debug, Clone, Serialize)]
pub struct RatedDecision {
    /// What was done.
    pub done: Action,
    /// What best play does.
    pub best: Action,
    /// The value of what was done: the net result of the round in antes, with best play afterwards.
    #[serde(serialize_with = "crate::analysis::decimal")]
    pub value: Fraction,
    /// The value of best play.
    #[serde(serialize_with = "crate::analysis::decimal")]
    pub best_value: Fraction,
    /// What the decision costs, in antes.
    #[serde(serialize_with = "crate::analysis::decimal")]
    pub cost: Fraction,
    /// The chance that the hidden cards prove right what was done.
    #[serde(serialize_with = "crate::analysis::decimal")]
    pub chance: Fraction,
    /// Whether they did, where they are known.
    pub proved: Option<bool>,
    /// The first departure of a hand: how far it agrees with what the player could not see, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
}

impl RatedDecision {
    /// Whether it costs anything.
    #[must_use]
    pub fn is_mistake(&self) -> bool {
        self.cost > Fraction::ZERO
    }

    /// Whether chips were added.
    const fn raises(&self) -> bool {
        !matches!(self.done, Action::Fold | Action::Check)
    }
}

/// One hand of a finished round.
#[derive(Debug, Clone, Serialize)]
pub struct RatedHand {
    /// The box.
    pub seat: BoxNumber,
    /// The seated player.
    pub player: Player,
    /// The game's id.
    pub game: String,
    /// The ante.
    pub ante: Money,
    /// All that was wagered on the box.
    pub staked: Money,
    /// What ante and raises won; negative if they lost.
    pub net: Money,
    /// The expected net result of best play, in antes.
    #[serde(serialize_with = "crate::analysis::decimal")]
    pub base: Fraction,
    /// The variance of the net result in antes.
    #[serde(skip)]
    pub variance: f64,
    /// The decisions, in order.
    pub decisions: Vec<RatedDecision>,
}

impl Rater {
    /// Nothing solved yet.
    #[must_use]
    pub fn new() -> Rater {
        Rater::default()
    }

    fn book(&mut self, rulebook: &Rulebook) -> Result<&Book, GameError> {
        let known = self.books.iter().position(|(hash, _)| *hash == rulebook.hash);
        let place = match known {
            Some(place) => place,
            None => {
                let book = Book::new(&mut self.solver, rulebook)?;
                self.books.push((rulebook.hash.clone(), book));
                self.books.len() - 1
            }
        };
        Ok(&self.books[place].1)
    }

    /// The solver, for callers that need the same games.
    pub const fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// Both choices of a decision, exactly. `None` for cards that are no position of the game.
    ///
    /// # Errors
    /// A rulebook without a solver.
    pub fn choices(&mut self, rulebook: &Rulebook, sight: &Sight<'_>) -> Result<Option<Choices>, GameError> {
        Ok(self.book(rulebook)?.choices(sight))
    }

    /// Every hand of a finished round. A void round has none; hands that were played blind, by an absent player, or that are invalid are left out:
    /// their players did not decide by what they saw.
    ///
    /// # Errors
    /// A rulebook without a solver.
    pub fn round(&mut self, rulebook: &Rulebook, finished: &Finished) -> Result<Vec<RatedHand>, GameError> {
        if finished.outcome != Outcome::Settled {
            return Ok(Vec::new());
        }
        let book = self.book(rulebook)?;
        let (base, variance) = book.base();
        let play = &finished.play;
        let mut hands = Vec::new();
        for (&seat, hand) in &play.hands {
            if !is_rated(rulebook, play, hand) {
                continue;
            }
            let Some(slip) = finished.boxes.iter().find(|slip| slip.seat == seat) else { continue };
            let main = slip.lines.iter().filter(|line| !matches!(line.area, Area::Bonus | Area::Jackpot));
            hands.push(RatedHand {
                seat,
                player: hand.seated.clone(),
                game: rulebook.id.clone(),
                ante: hand.on(Area::Ante),
                staked: hand.stakes.iter().map(|stake| stake.amount).sum(),
                net: main.map(baize_table::Line::net).sum(),
                base,
                variance,
                decisions: decisions(rulebook, book, play, hand),
            });
        }
        Ok(hands)
    }
}

/// The player looked at the cards and decided.
fn is_rated(rulebook: &Rulebook, play: &Play, hand: &HandInPlay) -> bool {
    let boxes = play.hands.values().filter(|other| other.seated == hand.seated).count();
    hand.cards.len() == rulebook.hand_size()
        && hand.on(Area::Ante) > Money::ZERO
        && !hand.absent
        && (hand.looked || boxes == 1)
        && match hand.status {
            HandStatus::InPlay | HandStatus::Folded(_) => true,
            HandStatus::Invalid(_) | HandStatus::NoAnte => false,
        }
}

fn decisions(rulebook: &Rulebook, book: &Book, play: &Play, hand: &HandInPlay) -> Vec<RatedDecision> {
    let up = match rulebook.family {
        Family::Stud => play.face_up(rulebook),
        Family::Holdem => None,
    };
    let compared = compared(rulebook, play, hand);
    let mut rated = Vec::new();
    for (stage, decided) in hand.decisions.iter().enumerate() {
        let board = match stage {
            0 => &play.board[..0],
            stage => play.board.get(..stage + 2).unwrap_or_default(),
        };
        let turn_wagered = hand.decisions.get(1) == Some(&Decided::Raised) && stage == 2;
        let Some(choices) = book.choices(&Sight { hand: &hand.cards, up, board, turn_wagered }) else {
            break;
        };
        let raised = *decided == Decided::Raised;
        rated.push(judge(&choices, raised, compared));
    }
    // Cards that were exposed by mistake were there for all to see: what agrees with them says nothing.
    if play.exposed.is_none()
        && play.exposed_count == 0
        && let Some(departure) = rated.iter_mut().find(|decision| decision.is_mistake())
    {
        departure.agreement = match (book.second_card(), up) {
            (Some(second), Some(up)) if play.dealer.len() == rulebook.hand_size() => {
                let others = play.hands.values().filter(|other| other.cards != hand.cards);
                let others: CardSet = others.flat_map(|other| &other.cards).copied().collect();
                Agreement::with_hidden_cards(
                    second,
                    &hand.cards,
                    up,
                    &play.dealer,
                    others,
                    departure.raises(),
                )
            }
            (Some(_), _) => None,
            (None, _) => departure.proved.map(|proved| Agreement::with_the_end(proved, departure.chance)),
        };
    }
    rated
}

/// How the hands compare in the end, as the raises of the game see it: whether the raise wins and whether it loses.
#[derive(Debug, Clone, Copy)]
struct Compared {
    lost: bool,
    won: bool,
}

/// Where all cards are on the table: also for a hand that was folded.
fn compared(rulebook: &Rulebook, play: &Play, hand: &HandInPlay) -> Option<Compared> {
    if play.dealer.len() != rulebook.hand_size() || play.board.len() != rulebook.board_size() {
        return None;
    }
    let value = |cards: &[Card]| cards.iter().chain(&play.board).copied().collect::<Hand>().value();
    let (player, dealer) = (value(&hand.cards), value(&play.dealer));
    let qualifies = rulebook.qualifies(dealer);
    Some(Compared { lost: qualifies && player < dealer, won: qualifies && player > dealer })
}

/// Holds a decision against best play.
fn judge(choices: &Choices, raised: bool, compared: Option<Compared>) -> RatedDecision {
    let (done, value) =
        if raised { (choices.raise, choices.raise_value) } else { (choices.instead, choices.instead_value) };
    let best_value = choices.best();
    let proved = compared.map(|compared| match (choices.instead, raised) {
        // Staying in is right unless the hand loses; a further wager only if it wins.
        (Action::Fold, true) => !compared.lost,
        (Action::Fold, false) => compared.lost,
        (_, true) => compared.won,
        (_, false) => compared.lost,
    });
    RatedDecision {
        done,
        best: if choices.raises() { choices.raise } else { choices.instead },
        value,
        best_value,
        cost: best_value - value,
        chance: if raised { choices.right } else { choices.wrong },
        proved,
        agreement: None,
    }
}
