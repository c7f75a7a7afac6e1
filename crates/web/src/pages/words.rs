//! Short texts of pages: the state of a table, names of cards, states of hands. [`baize_table::describe`] has the texts for events.

use baize_cards::Card;
use baize_house::{Pace, Shoe, TableInfo};
use baize_rules::Rulebook;
pub(crate) use baize_table::describe::phrases::{among, boxes, list};
use baize_table::{Awaiting, BoxView, CardView, DueCards, HandStatus, Outcome, PhaseName, RoundView};

/// The name of a card: "Ace of Spades".
pub(crate) fn card(card: Card) -> String {
    let suit = ["Clubs", "Diamonds", "Hearts", "Spades"][card.suit().index()];
    format!("{} of {suit}", card.rank().name())
}

/// The label of a key for a card: "10 of Spades", "Ace of Spades". It begins with the visible text, as accessible names should.
pub(crate) fn card_key(of: Card) -> String {
    let (short, named) = (of.rank().short(), card(of));
    if named.starts_with(short) { named } else { named.replacen(of.rank().name(), short, 1) }
}

/// Who deals at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dealing {
    /// The house, automatically, when every player at the table is ready.
    ByHouse,
    /// A dealer, from the computer's shoe.
    ByDealer,
    /// A dealer, from a real shoe.
    FromRealShoe,
}

impl Dealing {
    /// Who deals at this table.
    pub(crate) const fn of(table: &TableInfo) -> Dealing {
        match (table.pace, table.shoe) {
            (Pace::Auto { .. }, _) => Dealing::ByHouse,
            (Pace::Dealer, Shoe::Computer) => Dealing::ByDealer,
            (Pace::Dealer, Shoe::Entered) => Dealing::FromRealShoe,
        }
    }

    /// In words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Dealing::ByHouse => "dealt by the house",
            Dealing::ByDealer => "dealt by a dealer",
            Dealing::FromRealShoe => "dealt from a real shoe",
        }
    }
}

/// The state of a table, in a few words, for lists.
pub(crate) const fn table_state(table: &TableInfo) -> &'static str {
    match table.phase {
        _ if table.halted.is_some() => "Halted",
        _ if table.closed => "Closed",
        _ if table.waiting => "Waiting for a ruling or a choice",
        PhaseName::Betting => "Place your bets",
        PhaseName::Play => "Round in progress",
        PhaseName::Finished => "Between rounds",
        PhaseName::Idle => "Ready",
    }
}

/// The state of the round at a table, in a few words.
pub(crate) fn state(book: &Rulebook, view: &RoundView) -> String {
    match &view.awaiting {
        Some(Awaiting::Ruling { by, .. }) => return format!("Waiting for the {}", by.name()),
        Some(Awaiting::Options { seats, .. }) => return format!("{} to choose", boxes(seats)),
        Some(Awaiting::Reconstruction { .. }) => return "Cards are being moved back into place".to_owned(),
        None => {}
    }
    match view.phase {
        PhaseName::Betting => "Place your bets".to_owned(),
        PhaseName::Play => match view.board.iter().filter(|card| matches!(card, CardView::Up(_))).count() {
            0 if !dealt(book, view) => "Hands are being dealt".to_owned(),
            0 => "Hands are dealt".to_owned(),
            1..=3 => "Flop is out".to_owned(),
            4 => "Turn is out".to_owned(),
            _ => "River is out".to_owned(),
        },
        PhaseName::Finished if matches!(view.outcome, Some(Outcome::Void { .. })) => "Round void".to_owned(),
        PhaseName::Idle | PhaseName::Finished if view.standing.jackpot_fault => {
            "Waiting for the Shift Manager".to_owned()
        }
        PhaseName::Finished => "Between rounds".to_owned(),
        PhaseName::Idle if view.standing.closed => "Closed".to_owned(),
        PhaseName::Idle => "Ready".to_owned(),
    }
}

/// Whether every hand in play is complete.
fn dealt(book: &Rulebook, view: &RoundView) -> bool {
    let whole = |b: &BoxView| b.cards.len() >= book.hand_size() || b.status != Some(HandStatus::InPlay);
    view.boxes.values().all(whole)
}

/// Cards that are due: "one card to box 2", "a set of 5 cards to box 2".
pub(crate) fn due_cards(due: &DueCards) -> String {
    match due.cards {
        1 => format!("one card to {}", due.to),
        cards => format!("{cards} cards to {}", due.to),
    }
}

/// How due cards are dealt: one at a time or as a set, face up or face down.
pub(crate) const fn how_dealt(due: &DueCards) -> &'static str {
    match (due.one_at_a_time, due.last_face_up) {
        (true, true) => "One card at a time round the table; this one is dealt face up.",
        (true, false) => "One card at a time round the table, face down.",
        (false, true) => "The whole set at once, the last card face up.",
        (false, false) => "The whole set at once, face down.",
    }
}

/// The state of a hand in a word; empty while it is in play.
pub(crate) const fn hand_status(status: Option<HandStatus>) -> &'static str {
    match status {
        None | Some(HandStatus::InPlay) => "",
        Some(HandStatus::Folded(_)) => "folded",
        Some(HandStatus::Invalid(_)) => "invalid",
        Some(HandStatus::NoAnte) => "no ante",
    }
}

/// Names with commas between them.
pub(crate) fn joined<T: ToString>(names: impl IntoIterator<Item = T>) -> String {
    names.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}
