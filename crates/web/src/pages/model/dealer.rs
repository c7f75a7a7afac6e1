//! The dealer's console, and what comes next by the dealing procedure.

use std::collections::BTreeSet;

use baize_rules::{DealTo, Reveal, Role, Rulebook, Step};
use baize_table::{Awaiting, HandStatus, Legal, Place, RoundView, Settings};

use super::{Clock, Dealing, Happened, Meter, PendingHit, Shell};

/// What the dealer does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// "Place your bets, please."
    Open,
    /// Bets are open; "No more bets" when everybody is done.
    Close,
    /// Nobody has bet yet.
    WaitForBets,
    /// A card is burnt.
    Burn,
    /// So many cards go there.
    Deal(Place, usize),
    /// Boxes that have not decided.
    WaitForDecisions(BTreeSet<u8>),
    /// Cards are turned.
    Reveal(Reveal),
    /// Settle.
    Settle,
    /// A person of this position must rule.
    WaitForRuling(Role),
    /// Boxes whose players must choose.
    WaitForOptions(BTreeSet<u8>),
    /// Jackpot claims must be decided first.
    WaitForJackpot,
    /// The table is closed.
    Closed,
}

impl NextStep {
    /// What comes next by the table's dealing procedure.
    #[must_use]
    pub fn of(book: &Rulebook, settings: &Settings, view: &RoundView, legal: &Legal) -> NextStep {
        match &view.awaiting {
            Some(Awaiting::Ruling { by, .. }) => return NextStep::WaitForRuling(*by),
            Some(Awaiting::Options { seats, .. }) => return NextStep::WaitForOptions(seats.clone()),
            None => {}
        }
        match view.phase {
            "betting" if legal.close => NextStep::Close,
            "betting" => NextStep::WaitForBets,
            "play" => in_play(book, settings, view, legal),
            _ if legal.open => NextStep::Open,
            _ if view.standing.closed => NextStep::Closed,
            _ => NextStep::WaitForJackpot,
        }
    }

    /// A word for it in forms.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            NextStep::Open => "open",
            NextStep::Close => "close",
            NextStep::WaitForBets => "bets",
            NextStep::Burn => "burn",
            NextStep::Deal(..) => "deal",
            NextStep::WaitForDecisions(_) => "decisions",
            NextStep::Reveal(what) => what.code(),
            NextStep::Settle => "settle",
            NextStep::WaitForRuling(_) => "ruling",
            NextStep::WaitForOptions(_) => "options",
            NextStep::WaitForJackpot => "jackpot",
            NextStep::Closed => "closed",
        }
    }

    /// The dealer can do it now.
    #[must_use]
    pub const fn is_his(&self) -> bool {
        matches!(
            self,
            NextStep::Open
                | NextStep::Close
                | NextStep::Burn
                | NextStep::Deal(..)
                | NextStep::Reveal(_)
                | NextStep::Settle
        )
    }

    /// The boxes that it is about.
    #[must_use]
    pub fn seats(&self) -> Vec<u8> {
        if let NextStep::WaitForDecisions(seats) | NextStep::WaitForOptions(seats) = self {
            return seats.iter().copied().collect();
        }
        if let NextStep::Deal(Place::Box(seat), _) = self { vec![*seat] } else { Vec::new() }
    }

    /// It brings cards on the table.
    #[must_use]
    pub const fn takes_cards(&self) -> bool {
        matches!(self, NextStep::Burn | NextStep::Deal(..))
    }
}

/// Walks the procedure against what lies on the table: the first step that is not done yet.
fn in_play(book: &Rulebook, settings: &Settings, view: &RoundView, legal: &Legal) -> NextStep {
    if legal.settle {
        return NextStep::Settle;
    }
    let steps = book.procedure(settings.procedure).map(|p| p.steps.as_slice()).unwrap_or_default();
    let live: Vec<(u8, usize)> = view
        .boxes
        .iter()
        .filter(|(_, on_box)| on_box.status == Some(HandStatus::InPlay))
        .map(|(seat, on_box)| (*seat, on_box.cards.len()))
        .collect();
    let (mut burnt, mut to_boxes, mut to_dealer, mut to_board, mut decisions) = (0, 0, 0, 0, 0);
    for step in steps {
        match step.value {
            Step::Burn => {
                burnt += 1;
                // A burn may be left out of the record: it is asked for only while its cards are not out.
                let later = to_board < view.board.len() || (burnt == 1 && live.iter().any(|(_, n)| *n > 0));
                if view.burnt.len() < burnt && !later {
                    return NextStep::Burn;
                }
            }
            Step::Deal { to, cards, .. } => {
                let cards = usize::from(cards);
                if matches!(to, DealTo::Boxes | DealTo::BoxesAndDealer) {
                    to_boxes += cards;
                    if let Some((seat, has)) = live.iter().find(|(_, has)| *has < to_boxes) {
                        return NextStep::Deal(Place::Box(*seat), to_boxes - has);
                    }
                }
                if matches!(to, DealTo::Dealer | DealTo::BoxesAndDealer) {
                    to_dealer += cards;
                    if view.dealer.len() < to_dealer {
                        return NextStep::Deal(Place::Dealer, to_dealer - view.dealer.len());
                    }
                }
                if to == DealTo::Board {
                    to_board += cards;
                    if view.board.len() < to_board {
                        return NextStep::Deal(Place::Board, to_board - view.board.len());
                    }
                }
            }
            Step::Decide { .. } => {
                decisions += 1;
                let open: BTreeSet<u8> = view
                    .boxes
                    .iter()
                    .filter(|(_, b)| b.status == Some(HandStatus::InPlay) && b.decisions.len() < decisions)
                    .map(|(seat, _)| *seat)
                    .collect();
                if !open.is_empty() {
                    return NextStep::WaitForDecisions(open);
                }
            }
            Step::Reveal { what } => {
                if legal.reveals.contains(&what) {
                    return NextStep::Reveal(what);
                }
            }
        }
    }
    NextStep::Settle
}

/// The dealer's console.
#[derive(Debug, Clone)]
pub struct DealerPage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The table's id.
    pub table: String,
    /// Its game.
    pub book: &'a Rulebook,
    /// Its set-up.
    pub settings: &'a Settings,
    /// Who deals: the computer's shoe, or cards that are entered.
    pub dealing: Dealing,
    /// The round as the dealer may see it.
    pub view: &'a RoundView,
    /// What could be done now.
    pub legal: &'a Legal,
    /// The linked jackpot.
    pub meter: Option<Meter>,
    /// Its hits of this table that wait.
    pub hits: Vec<PendingHit>,
    /// The clock.
    pub clock: Option<Clock>,
    /// What happened, the latest first.
    pub happened: Vec<Happened>,
    /// The published hash of this round's deck.
    pub commitment: Option<String>,
    /// What the dealer typed and was refused, to correct.
    pub typed: String,
}

/// The dealer's choice of a table.
#[derive(Debug, Clone)]
pub struct DealerTables<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The tables: id, game, what happens there, the dealer there now.
    pub tables: Vec<(String, &'a Rulebook, String, Option<String>)>,
}
