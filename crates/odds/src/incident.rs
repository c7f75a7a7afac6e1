//! The value of cards exposed by mistake to each box of a round.
//!
//! Everything is computed from a view of the round: boxes whose cards the reader may not see are omitted. *Before* is the value of the
//! box's next decision with the cards its player normally sees, *after* the same with the exposed cards, both with best play afterwards.

use baize_cards::{Card, CardSet};
use baize_rules::{Area, BoxNumber, Family, Money, Remedy, Rulebook};
use baize_table::{CardView, ExposedCard, HandStatus, Outcome, RoundView};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Fraction;
use crate::advice::{Action, Advice, ExposedCards, Seen, Stakes};

/// What exposed cards were worth to a box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoxWorth {
    /// The box.
    pub seat: BoxNumber,
    /// The ante.
    pub ante: Money,
    /// The value of its decision without the exposed cards, in antes.
    #[serde(serialize_with = "crate::analysis::decimal")]
    #[schemars(with = "String")]
    pub before: Fraction,
    /// What is best without them.
    pub best_before: Action,
    /// The value with them.
    #[serde(serialize_with = "crate::analysis::decimal")]
    #[schemars(with = "String")]
    pub after: Fraction,
    /// What is best with them.
    pub best_after: Action,
    /// Average gain of a player who sees them; never negative.
    #[serde(serialize_with = "crate::analysis::decimal")]
    #[schemars(with = "String")]
    pub worth: Fraction,
}

/// The exposed cards of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Incident {
    /// The cards, in order.
    pub cards: Vec<Card>,
    /// The round was void: the wagers went back, and nothing was gained.
    pub void: bool,
    /// Their value for each box that still had a decision and whose cards the reader sees.
    pub boxes: Vec<BoxWorth>,
}

impl Incident {
    /// The incident of a round that is over. `None` if no card was exposed.
    #[must_use]
    pub fn of(rulebook: &Rulebook, view: &RoundView, exposed: &[ExposedCard]) -> Option<Incident> {
        let decided = &exposed.first()?.decided;
        let cards: Vec<Card> = exposed.iter().map(|exposed| exposed.card).collect();
        let void = matches!(view.outcome, Some(Outcome::Void { .. }));
        let seats = view.boxes.keys().filter(|_| !void);
        let boxes = seats
            .filter_map(|seat| worth(rulebook, view, *seat, decided.get(seat).copied().unwrap_or(0), &cards));
        Some(Incident { boxes: boxes.collect(), cards, void })
    }
}

fn worth(
    rulebook: &Rulebook,
    view: &RoundView,
    seat: BoxNumber,
    decided: usize,
    exposed: &[Card],
) -> Option<BoxWorth> {
    let on_box = view.boxes.get(&seat)?;
    let hand: Vec<Card> = on_box.cards.iter().map(CardView::up).collect::<Option<_>>()?;
    if on_box.decisions.len() <= decided || matches!(on_box.status, Some(HandStatus::Invalid(_)) | None) {
        return None;
    }
    let turned = [0, 3, 4].get(decided).copied()?;
    let board: Vec<Card> = view.board.iter().map_while(CardView::up).collect();
    let dealer: Vec<Option<Card>> = view.dealer.iter().map(CardView::up).collect();
    let news: Vec<Card> = exposed.iter().copied().filter(|card| !hand.contains(card)).collect();
    let mut of_dealer: Vec<Card> =
        news.iter().copied().filter(|card| dealer.contains(&Some(*card))).collect();
    let usual = match rulebook.family {
        Family::Stud => Some((*dealer.get(rulebook.hand_size() - 1)?)?),
        Family::Holdem => None,
    };
    // Where an exposed card becomes the face-up card, it takes the place of the usual one, which stays down.
    let reports = &rulebook.irregularities.reports;
    let replaces =
        reports.iter().flat_map(|report| &report.cases).any(|case| case.remedy == Remedy::BecomesFaceUp);
    let up = if replaces && !of_dealer.is_empty() { Some(of_dealer.remove(0)) } else { usual };
    of_dealer.retain(|card| Some(*card) != up);
    let place = |card: &Card| board.iter().position(|other| other == card);
    let coming = |from: usize, to: usize| -> Vec<Card> {
        news.iter()
            .copied()
            .filter(|card| place(card).is_some_and(|at| at >= turned && (from..to).contains(&at)))
            .collect()
    };
    let known: CardSet =
        hand.iter().chain(&up).chain(board.get(..turned)?).chain(&of_dealer).copied().collect();
    let elsewhere = news.iter().copied().filter(|card| !known.contains(*card) && place(card).is_none());
    let cards = ExposedCards {
        flop: coming(0, 3),
        turn: coming(3, 4),
        river: coming(4, 5),
        boxes: elsewhere.collect(),
        dealer: of_dealer,
        ..ExposedCards::default()
    };
    let sight = |up: Option<Card>| Seen {
        cards: hand.clone(),
        up,
        board: board.get(..turned).unwrap_or_default().to_vec(),
        turn_wagered: on_box.decisions.get(1) == Some(&baize_table::Decided::Raised) && turned == 4,
    };
    let advise = |up: Option<Card>, exposed: &ExposedCards| {
        Advice::with_exposed(rulebook, &sight(up), exposed, Stakes::default()).ok()
    };
    let (before, after) = (advise(usual, &ExposedCards::default())?, advise(up, &cards)?);
    let value = |advice: &Advice, action: Action| {
        advice.decisions.iter().find(|decision| decision.action == action).map(|decision| decision.ev)
    };
    Some(BoxWorth {
        seat,
        ante: on_box.areas.get(&Area::Ante).copied().unwrap_or(Money::ZERO),
        before: value(&before, before.best)?,
        best_before: before.best,
        after: value(&after, after.best)?,
        best_after: after.best,
        // A player who knows the cards switches to the decision that is best with them.
        worth: value(&after, after.best)? - value(&after, before.best)?,
    })
}
