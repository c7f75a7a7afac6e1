//! Rating of a player: every decision of a finished round compared with best play, exactly.
//!
//! A decision is judged by what the player could see. Its cost is the value of best play minus the value of the choice made, in antes, with
//! best play afterwards, so the costs of a round can be summed. The expected value of a player's own play for the house is then the edge
//! against best play plus these costs: no average player is assumed.
//!
//! Bonus and jackpot wagers are not rated, because they involve no decision.

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

/// One decision compared with best play.
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
    /// Probability that the hidden cards prove the choice right.
    #[serde(serialize_with = "crate::analysis::decimal")]
    pub chance: Fraction,
    /// Whether they did, if they are known.
    pub proved: Option<bool>,
    /// For the first departure of a hand: how far it agrees with what the player could not see, if that is known.
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
    /// Total wagered on the box.
    pub staked: Money,
    /// Net result of ante and raises.
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

    /// Both choices of a decision, exactly. `None` for cards that are not a valid position of the game.
    ///
    /// # Errors
    /// A rulebook without a solver.
    pub fn choices(&mut self, rulebook: &Rulebook, sight: &Sight<'_>) -> Result<Option<Choices>, GameError> {
        Ok(self.book(rulebook)?.choices(sight))
    }

    /// Rates every hand of a finished round. A void round has none. Hands played blind, by an absent player, or invalid are omitted: their
    /// players did not decide by what they saw.
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
    // Cards exposed by mistake were visible to everyone: agreement with them is no evidence.
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

/// The final comparison of the hands from the point of view of the raises: whether the raise wins, and whether it loses.
#[derive(Debug, Clone, Copy)]
struct Compared {
    lost: bool,
    won: bool,
}

/// If all cards are on the table; also for a folded hand.
fn compared(rulebook: &Rulebook, play: &Play, hand: &HandInPlay) -> Option<Compared> {
    if play.dealer.len() != rulebook.hand_size() || play.board.len() != rulebook.board_size() {
        return None;
    }
    let value = |cards: &[Card]| cards.iter().chain(&play.board).copied().collect::<Hand>().value();
    let (player, dealer) = (value(&hand.cards), value(&play.dealer));
    let qualifies = rulebook.qualifies(dealer);
    Some(Compared { lost: qualifies && player < dealer, won: qualifies && player > dealer })
}

/// Compares a decision with best play.
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
