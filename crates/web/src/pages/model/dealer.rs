//! The dealer's console, and what the dealer does next.

use std::collections::{BTreeMap, BTreeSet};

use baize_rules::{BoxNumber, Reveal, Role, Rulebook};
use baize_table::{
    Awaiting, Due, DueCards, Legal, PhaseName, Place, PutBack, ResultKind, RoundView, Settings,
};

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
    /// A card is burnt; these cards come after it.
    Burn(Option<DueCards>),
    /// Cards go there.
    Deal(DueCards),
    /// A card goes where it belongs; so many are left.
    PutBack(PutBack, usize),
    /// A place has too many cards: how many, and how many belong there.
    Report(Place, usize, usize),
    /// Boxes that have not decided.
    WaitForDecisions(BTreeSet<BoxNumber>),
    /// Cards are turned.
    Reveal(Reveal),
    /// Settle.
    Settle,
    /// A person of this position must rule.
    WaitForRuling(Role),
    /// Boxes whose players must choose.
    WaitForOptions(BTreeSet<BoxNumber>),
    /// Jackpot claims must be decided first.
    WaitForJackpot,
    /// The jackpot has failed: the pit must decide how the table continues.
    WaitForFault,
    /// The table runs itself, or opens no further round.
    Nothing,
    /// The table is closed.
    Closed,
}

impl NextStep {
    /// What comes next: in a round, what is due by the dealing procedure.
    #[must_use]
    pub fn of(view: &RoundView, legal: &Legal) -> NextStep {
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

    /// A word for it in forms.
    #[must_use]
    pub const fn code(&self) -> &'static str {
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

    /// The boxes that it is about.
    #[must_use]
    pub fn seats(&self) -> BTreeSet<BoxNumber> {
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

/// A jackpot claim of the round has not been decided.
fn claimed(view: &RoundView) -> bool {
    view.slips.iter().flat_map(|slip| &slip.lines).any(|line| line.result == ResultKind::Pending)
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
    /// Who sits at each box, with chips or without.
    pub guests: BTreeMap<BoxNumber, String>,
    /// The cards that were entered last can still be taken back.
    pub may_take_back: bool,
    /// What the dealer typed and was refused, to correct.
    pub typed: String,
    /// Why it was refused.
    pub refused: Option<String>,
}

/// The dealer's choice of a table.
#[derive(Debug, Clone)]
pub struct DealerTables<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The tables: id, game, what happens there, the dealer there now.
    pub tables: Vec<(String, &'a Rulebook, String, Option<String>)>,
}
