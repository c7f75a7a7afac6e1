//! What happened, in words. A sentence never names a card that its reader may not see: cards are taken from his view only.

use baize_cards::Card;
use baize_rules::{Cites, Reveal, Role, Rulebook};
use baize_table::{
    Awaiting, BoxSettlement, CardView, Decided, DueCards, Event, HandStatus, Outcome, Place, ResultKind,
    RoundView, Table,
};

use super::model::DeskPreview;
use super::remedies;

/// "a", "a and b", "a, b and c".
#[must_use]
pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// "Box 1", "Boxes 1 and 3".
#[must_use]
pub fn boxes<'a>(seats: impl IntoIterator<Item = &'a u8>) -> String {
    let seats: Vec<&u8> = seats.into_iter().collect();
    format!("{} {}", if seats.len() == 1 { "Box" } else { "Boxes" }, list(seats))
}

/// A net result with its sign and thousands separated: `+1,145.00`.
#[must_use]
pub fn signed(amount: baize_rules::Money) -> String {
    format!("{}{}", if amount.cents() > 0 { "+" } else { "" }, amount.grouped())
}

/// The name of a card: "Ace of Spades".
#[must_use]
pub fn card(card: Card) -> String {
    let suit = ["Clubs", "Diamonds", "Hearts", "Spades"][card.suit().index()];
    format!("{} of {suit}", card.rank().name())
}

/// The cards that lie open, with their signs: "A♠, 10♦".
fn open(cards: &[CardView]) -> String {
    let up: Vec<String> = cards
        .iter()
        .filter_map(|card| match card {
            CardView::Up(card) => Some(card.to_string()),
            CardView::Down => None,
        })
        .collect();
    up.join(" ")
}

/// What happens at a table, in a few words.
#[must_use]
pub fn state(view: &RoundView) -> String {
    match &view.awaiting {
        Some(Awaiting::Ruling { by, .. }) => return format!("Waits for the {}", by.name()),
        Some(Awaiting::Options { seats, .. }) => return format!("{} choose", boxes(seats)),
        None => {}
    }
    match view.phase {
        "betting" => "Place your bets".to_owned(),
        "play" => match view.board.iter().filter(|card| matches!(card, CardView::Up(_))).count() {
            0 => "Hands are out".to_owned(),
            1..=3 => "Flop is open".to_owned(),
            4 => "Turn is open".to_owned(),
            _ => "River is open".to_owned(),
        },
        "finished" if matches!(view.outcome, Some(Outcome::Void { .. })) => "Round void".to_owned(),
        "finished" => "Between rounds".to_owned(),
        _ if view.standing.closed => "Closed".to_owned(),
        _ => "Ready".to_owned(),
    }
}

/// What an event means to a reader whose view after it is `after`, and its paragraphs. `None`: nothing worth telling.
#[must_use]
pub fn happened(book: &Rulebook, event: &Event, after: &RoundView) -> Option<(String, Cites)> {
    let none = Cites::NONE;
    Some(match event {
        Event::RoundOpened { number, .. } => {
            (format!("Round {number}: place your bets, please."), book.betting.open)
        }
        Event::WagerPlaced { seat, player, area, amount, placed_by, .. } => {
            let by = placed_by.map(|role| format!(", placed by the {}", role.name())).unwrap_or_default();
            (format!("Box {seat}: {player} puts {} on the {}{by}.", amount.grouped(), area.name()), none)
        }
        Event::WagerWithdrawn { seat, player, area, amount } => {
            (format!("Box {seat}: {player} takes {} back from the {}.", amount.grouped(), area.name()), none)
        }
        Event::WagerReturned { seat, player, area, amount, cites } => {
            (format!("Box {seat}: {player} gets {} back from the {}.", amount.grouped(), area.name()), *cites)
        }
        Event::BetsClosed { .. } => ("No more bets.".to_owned(), book.betting.close),
        Event::CardBurnt { departs_from, .. } => ("A card is burnt.".to_owned(), *departs_from),
        Event::CardsDealt { to, cards, departs_from } => (dealt(*to, cards.len(), after), *departs_from),
        Event::HandLookedAt { seat } => (format!("Box {seat} looks at its cards."), none),
        Event::DecisionMade { seat, decided, cites } => {
            let did = match decided {
                Decided::Raised => "raises",
                Decided::Checked => "checks",
                Decided::Folded => "folds",
            };
            (format!("Box {seat} {did}."), *cites)
        }
        Event::CardsRevealed { what } => (revealed(*what, after), none),
        Event::HandShown { seat } => {
            let cards = after.boxes.get(seat).map(|on_box| open(&on_box.cards)).unwrap_or_default();
            (format!("Box {seat} shows {cards}."), none)
        }
        Event::HandDeclined { seat } => {
            (format!("Box {seat} does not show its hand."), book.settlement.declined)
        }
        Event::PlayerAbsent { seat, cites } => (format!("The player of box {seat} has left."), *cites),
        Event::IrregularityRuled { report, remedied } => {
            let words = format!("{}. {}.", report.kind.words(), remedies::remedy(remedied.remedy));
            (words, remedied.cites)
        }
        Event::RulingAwaited { by, cites, .. } => (format!("The {} decides.", by.name()), *cites),
        Event::OptionsGiven { seats, cites, .. } => {
            (format!("{} may choose how to go on.", boxes(seats)), *cites)
        }
        Event::OptionChosen { seat, choice, cites, .. } => {
            (format!("Box {seat} chooses: {}.", remedies::choice(*choice).to_lowercase()), *cites)
        }
        Event::Ruled { ruling, cites } => {
            let reason = ruling.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            let by = ruling.by.role.name();
            (format!("{by}: {}{reason}.", remedies::ruling(&ruling.kind)), *cites)
        }
        Event::HandInvalidated { seat, cites } => {
            (format!("The hand of box {seat} is invalid: its wagers go back."), *cites)
        }
        Event::HandsMoved { moves } => {
            let moves = moves.iter().map(|(from, to)| format!("from box {from} to box {to}"));
            (format!("Whole hands move {}.", list(moves)), none)
        }
        Event::CardsShifted { .. } => {
            ("The missed card is burnt and the cards move up to where they belong.".to_owned(), none)
        }
        Event::CardsTakenOff { from, cards } => {
            (format!("{} taken off {from}.", count(cards.len(), "card is", "cards are")), none)
        }
        Event::DealerFaceUpSet { .. } => {
            (format!("The dealer's exposed card stays face up: {}.", open(&after.dealer)), none)
        }
        Event::JackpotFailed => ("The jackpot system does not work.".to_owned(), none),
        Event::RoundVoided { cites, .. } => ("The round is void: every wager goes back.".to_owned(), *cites),
        Event::RoundSettled { boxes, .. } => (settled(boxes), book.round_of_play),
        Event::SlipCorrected { slip, cites } => {
            (format!("Box {} is settled again: {}.", slip.seat, signed(slip.net())), *cites)
        }
        Event::JackpotPaid { payments } => {
            let paid = payments.iter().filter(|p| !p.amount.is_zero());
            let paid: Vec<String> =
                paid.map(|p| format!("{} to box {}", p.amount.grouped(), p.seat)).collect();
            if paid.is_empty() {
                ("The jackpot claim did not qualify.".to_owned(), none)
            } else {
                (format!("The jackpot pays {}.", list(paid)), payments.first().map_or(none, |p| p.cites))
            }
        }
    })
}

fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

fn dealt(to: Place, cards: usize, after: &RoundView) -> String {
    let cards = count(cards, "card", "cards");
    match to {
        Place::Box(seat) => format!("{cards} to box {seat}."),
        Place::Board => format!("{cards} to the board, face down."),
        Place::Dealer => match open(&after.dealer) {
            up if up.is_empty() => format!("{cards} to the dealer."),
            up => format!("{cards} to the dealer; {up} lies face up."),
        },
    }
}

fn revealed(what: Reveal, after: &RoundView) -> String {
    match what.board_cards() {
        Some((from, to)) => {
            let name = ["flop", "turn", "river", ""][what as usize];
            let cards = after.board.get(from..to.min(after.board.len())).map(open).unwrap_or_default();
            format!("The {name}: {cards}.")
        }
        None => format!("The dealer shows {}.", open(&after.dealer)),
    }
}

fn settled(slips: &[BoxSettlement]) -> String {
    let results = slips.iter().map(|slip| {
        let pending = slip.lines.iter().any(|line| line.result == ResultKind::Pending);
        format!(
            "box {} {}{}",
            slip.seat,
            signed(slip.net()),
            if pending { " and a jackpot claim" } else { "" }
        )
    });
    format!("Settled: {}.", list(results))
}

/// What a report would lead to, from the events that it would write.
#[must_use]
pub fn preview(book: &Rulebook, table: &Table, events: &[Event]) -> DeskPreview {
    let mut remedy = String::from("The report is taken down");
    let mut cites = Cites::NONE;
    let mut refer_to: Option<Role> = None;
    let mut consequences = Vec::new();
    for event in events {
        if let Event::IrregularityRuled { remedied, .. } = event {
            remedy = remedies::remedy(remedied.remedy).to_owned();
            cites = remedied.cites;
        } else if let Event::RulingAwaited { by, cites: of, .. } = event {
            refer_to = Some(*by);
            cites = cites.and(*of);
            consequences.push(format!("The round waits until the {} or above has ruled.", by.name()));
        } else if let Event::RoundVoided { boxes, cites: of, .. } = event {
            cites = cites.and(*of);
            let back = boxes.iter().map(|slip| {
                let staked: baize_rules::Money = slip.stakes.iter().map(|stake| stake.amount).sum();
                format!("{} to box {}", staked.grouped(), slip.seat)
            });
            consequences.push(format!("Every wager goes back: {}.", list(back)));
            consequences.push("The round ends here. Earlier rounds stand.".to_owned());
        } else if let Some((words, _)) = happened(book, event, &RoundView::nothing()) {
            consequences.push(words);
        }
    }
    if consequences.is_empty() {
        consequences.push("Nothing else changes: play goes on.".to_owned());
    }
    let boxes = baize_table::foreseen(table, events);
    DeskPreview::Remedy { remedy, cites: cites.to_string(), consequences, boxes, refer_to }
}

/// Cards that are due: "one card to box 2", "a set of 5 cards to box 2".
#[must_use]
pub fn due_cards(due: &DueCards) -> String {
    match due.cards {
        1 => format!("one card to {}", due.to),
        cards => format!("{cards} cards to {}", due.to),
    }
}

/// How cards that are due are dealt: one at a time or as a set, and which of them lies face up.
#[must_use]
pub const fn how_dealt(due: &DueCards) -> &'static str {
    match (due.one_at_a_time, due.last_face_up) {
        (true, true) => "One card at a time round the table; this one lies face up.",
        (true, false) => "One card at a time round the table, face down.",
        (false, true) => "The whole set at once, the last card face up.",
        (false, false) => "The whole set at once, face down.",
    }
}

/// A view of nothing, for sentences that need none.
trait Nothing {
    fn nothing() -> Self;
}

impl Nothing for RoundView {
    fn nothing() -> RoundView {
        RoundView {
            number: 0,
            phase: "idle",
            boxes: std::collections::BTreeMap::new(),
            board: Vec::new(),
            dealer: Vec::new(),
            burnt: Vec::new(),
            deciding: std::collections::BTreeSet::new(),
            awaiting: None,
            ruled: None,
            outcome: None,
            slips: Vec::new(),
            standing: baize_table::Standing::default(),
        }
    }
}

/// Where a hand stands, in a word; empty while it plays on.
#[must_use]
pub const fn hand_status(status: Option<HandStatus>) -> &'static str {
    match status {
        None | Some(HandStatus::InPlay) => "",
        Some(HandStatus::Folded(_)) => "folded",
        Some(HandStatus::Invalid(_)) => "invalid",
        Some(HandStatus::NoAnte) => "no ante",
    }
}
