//! The dealer's next step.

use std::collections::BTreeSet;

use baize_rules::{BoxNumber, Reveal, Role};
use baize_table::{Awaiting, Due, DueCards, Legal, PhaseName, Place, PutBack, ResultKind, RoundView};

/// The dealer's next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NextStep {
    /// Open the bets: "Place your bets, please."
    Open,
    /// Close the bets: "No more bets."
    Close,
    /// Wait for the first bet.
    WaitForBets,
    /// Burn a card; contains the cards that follow.
    Burn(Option<DueCards>),
    /// Deal these cards.
    Deal(DueCards),
    /// Move a card to its right place; contains how many are left.
    PutBack(PutBack, usize),
    /// Report a place with too many cards; contains how many it has and should have.
    Report(Place, usize, usize),
    /// Wait for the decisions of these boxes.
    WaitForDecisions(BTreeSet<BoxNumber>),
    /// Reveal cards.
    Reveal(Reveal),
    /// Settle the round.
    Settle,
    /// Wait for a ruling by this position.
    WaitForRuling(Role),
    /// Wait for the players of these boxes to choose.
    WaitForOptions(BTreeSet<BoxNumber>),
    /// Wait until jackpot claims are decided.
    WaitForJackpot,
    /// Wait until the Shift Manager has decided how to continue after a jackpot fault.
    WaitForFault,
    /// Nothing: the house deals, or no more rounds are opened.
    Nothing,
    /// The table is closed.
    Closed,
}

impl NextStep {
    /// The next step; in a round, what is due by the dealing procedure.
    pub(crate) fn of(view: &RoundView, legal: &Legal) -> NextStep {
        match &view.awaiting {
            Some(Awaiting::Ruling { by, .. }) => return NextStep::WaitForRuling(*by),
            Some(Awaiting::Options { seats, .. }) => return NextStep::WaitForOptions(seats.clone()),
            Some(Awaiting::Reconstruction { .. }) | None => {}
        }
        match (view.phase, &legal.due) {
            (PhaseName::Betting, _) if legal.close => NextStep::Close,
            (PhaseName::Betting, _) => NextStep::WaitForBets,
            (_, Some(Due::Burn { then, .. })) => NextStep::Burn(*then),
            (_, Some(Due::Deal(cards))) => NextStep::Deal(*cards),
            (_, Some(Due::PutBack { card, left, .. })) => NextStep::PutBack(*card, *left),
            (_, Some(Due::Decide { seats, .. })) => NextStep::WaitForDecisions(seats.clone()),
            (_, Some(Due::Reveal { what, .. })) => NextStep::Reveal(*what),
            (_, Some(Due::Settle)) => NextStep::Settle,
            (_, Some(Due::Report { place, found, right, .. })) => NextStep::Report(*place, *found, *right),
            (_, None) if legal.open => NextStep::Open,
            (_, None) if view.standing.closed => NextStep::Closed,
            (_, None) if claimed(view) => NextStep::WaitForJackpot,
            (_, None) if view.standing.jackpot_fault => NextStep::WaitForFault,
            (_, None) => NextStep::Nothing,
        }
    }

    /// Its code in forms.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            NextStep::Open => "open",
            NextStep::Close => "close",
            NextStep::WaitForBets => "bets",
            NextStep::Burn(_) => "burn",
            NextStep::Deal(_) => "deal",
            NextStep::PutBack(..) => "put-back",
            NextStep::Report(..) => "report",
            NextStep::WaitForDecisions(_) => "decisions",
            NextStep::Reveal(what) => what.code(),
            NextStep::Settle => "settle",
            NextStep::WaitForRuling(_) => "ruling",
            NextStep::WaitForOptions(_) => "options",
            NextStep::WaitForJackpot => "jackpot",
            NextStep::WaitForFault => "fault",
            NextStep::Nothing => "nothing",
            NextStep::Closed => "closed",
        }
    }

    /// The boxes that it concerns.
    pub(crate) fn seats(&self) -> BTreeSet<BoxNumber> {
        match self {
            NextStep::WaitForDecisions(seats) | NextStep::WaitForOptions(seats) => seats.clone(),
            NextStep::Deal(DueCards { to: Place::Box(seat), .. })
            | NextStep::PutBack(PutBack { to: Some(Place::Box(seat)), .. }, _)
            | NextStep::Report(Place::Box(seat), ..) => BTreeSet::from([*seat]),
            NextStep::Open
            | NextStep::Close
            | NextStep::WaitForBets
            | NextStep::Burn(_)
            | NextStep::Deal(_)
            | NextStep::PutBack(..)
            | NextStep::Report(..)
            | NextStep::Reveal(_)
            | NextStep::Settle
            | NextStep::WaitForRuling(_)
            | NextStep::WaitForJackpot
            | NextStep::WaitForFault
            | NextStep::Nothing
            | NextStep::Closed => BTreeSet::new(),
        }
    }
}

/// Whether a jackpot claim of the round is pending.
fn claimed(view: &RoundView) -> bool {
    view.slips.iter().flat_map(|slip| &slip.lines).any(|line| line.result == ResultKind::Pending)
}
