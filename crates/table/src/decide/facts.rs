//! Completes the facts of a report, or checks them against the table: who is named, how far a fault reaches, which exposed cards
//! count, whether the deal is over.

use baize_cards::Card;
use baize_rules::{Cites, FactKind, FaultScope, Irregularity, IrregularityKind, Remedy, Rulebook, Whose};

use super::known_box;
use super::reporting::{Scene, paragraphs, rule, scene};
use crate::refusal::cards;
use crate::round::{HandInPlay, Play};
use crate::schedule::Cursor;
use crate::{Facts, Refusal, Report, Table, Why};

/// The facts of the report, completed from the table; refused if they contradict it.
pub(super) fn established_facts(book: &Rulebook, table: &Table, report: &Report) -> Result<Facts, Refusal> {
    let mut facts = report.facts.clone();
    let cites = paragraphs(book, report.kind);
    let contradiction = |text: String| Refusal::new(Why::Contradiction(text), cites);
    let none = Play::default();
    let play = match scene(table) {
        Scene::Play(play) | Scene::Finished(play) => play,
        Scene::Idle | Scene::Betting => &none,
    };
    let dealt = play.hands.values().any(|hand| !hand.cards.is_empty());
    match facts.seen {
        Some(true) if !dealt => return Err(contradiction("no player has been dealt a card to see".into())),
        Some(false) if play.seen() => {
            let seen = |hand: &HandInPlay| !hand.viewed_by.is_empty() || hand.shown;
            let seat =
                play.hands.iter().find(|(_, hand)| seen(hand)).map(|(seat, _)| *seat).unwrap_or_default();
            return Err(contradiction(format!("the hand of box {seat} has been examined")));
        }
        Some(_) => {}
        None => facts.seen = Some(play.seen()),
    }
    // Cards that left the shoe together need not be on the table yet.
    if let Some(count) = facts.count.filter(|_| report.kind != IrregularityKind::SimultaneousDraw) {
        let out = play.cards_out().len() - play.burnt.len();
        if count == 0 || usize::try_from(count).unwrap_or(usize::MAX) > out {
            return Err(contradiction(format!(
                "{}, but {out} dealt so far",
                cards(usize::try_from(count).unwrap_or(usize::MAX))
            )));
        }
    }
    if let Some(card) = facts.card
        && !play.cards_out().contains(card)
    {
        return Err(contradiction(format!("{card} has not been dealt")));
    }
    // The table knows whose card it is.
    if let Some(card) = facts.card {
        if play.face_up(book) == Some(card) {
            return Err(contradiction(format!("{card} is the dealer's face-up card")));
        }
        let of = if play.dealer.contains(&card) { Whose::Dealer } else { Whose::Other };
        if facts.whose.is_some_and(|whose| whose != of) {
            let is = if of == Whose::Dealer { "is" } else { "is not" };
            return Err(contradiction(format!("{card} {is} one of the dealer's cards")));
        }
        facts.whose = Some(of);
    }
    match facts.dealing {
        Some(false)
            if play.hands.values().any(|hand| hand.in_play() && hand.cards.len() < book.hand_size()) =>
        {
            return Err(contradiction("the deal is not over: hands wait for cards".into()));
        }
        Some(true) if play.cards_out().is_empty() => {
            return Err(contradiction("no card has been dealt".into()));
        }
        Some(_) => {}
        None => facts.dealing = Some(Cursor::new(book, table, play).dealing()),
    }
    // Cards move only if they can be reconstructed.
    if facts.shift || !facts.moves.is_empty() {
        match facts.reconstructable {
            Some(true) => {}
            Some(false) => {
                return Err(contradiction("cards that cannot be reconstructed do not move".into()));
            }
            None => {
                let (fact, question) =
                    (FactKind::Reconstructable.code(), FactKind::Reconstructable.question());
                return Err(Refusal::new(Why::FactMissing { fact, question }, cites));
            }
        }
    }
    let boxes =
        report.seat.iter().chain(&facts.boxes).chain(facts.moves.iter().flat_map(|(from, to)| [from, to]));
    for &seat in boxes {
        known_box(book, table, seat)?;
        // A betting device may fail on a box without bets.
        let device = report.kind == IrregularityKind::JackpotFault;
        if !device && !table.round.seated().contains_key(&seat) {
            return Err(contradiction(format!("box {seat} has no wager in this round")));
        }
    }
    if let Some(player) = &facts.player
        && !table.round.players().contains(player)
    {
        return Err(Refusal::new(Why::UnknownPlayer(player.clone()), cites));
    }
    Ok(facts)
}

/// A report about a hand or a player must name it.
pub(super) fn names_somebody(book: &Rulebook, report: &Report) -> Result<(), Refusal> {
    let of_hand =
        [IrregularityKind::LookedAtSecondHand, IrregularityKind::WrongPlayerHand].contains(&report.kind);
    let of_player =
        [IrregularityKind::MultipleHands, IrregularityKind::Confidentiality].contains(&report.kind);
    let (fact, ask) = if of_hand && report.seat.is_none() {
        ("BOX", FactKind::Box)
    } else if of_player && report.seat.is_none() && report.facts.player.is_none() {
        ("player", FactKind::Player)
    } else {
        return Ok(());
    };
    let why = Why::FactMissing { fact, question: ask.question() };
    Err(Refusal::new(why, paragraphs(book, report.kind)))
}

/// Questions that only a person can answer must be answered.
pub(super) fn required(
    book: &Rulebook,
    rule: &Irregularity,
    report: &Report,
    facts: &Facts,
) -> Result<(), Refusal> {
    let cites = rule.cases.first().map_or(book.irregularities.anything_else.cites, |case| case.cites);
    let can_be_put_right = facts.reconstructable == Some(true);
    if report.kind == IrregularityKind::Misdeal && can_be_put_right && facts.moves.is_empty() {
        let question = "Which complete hands move, from which box to which?";
        return Err(Refusal::new(Why::FactMissing { fact: "moves", question }, cites));
    }
    let stated = [
        (FactKind::Count, facts.count.is_some()),
        (FactKind::Reconstructable, facts.reconstructable.is_some()),
    ];
    let unstated = |ask: &&FactKind| rule.must_state(**ask) && stated.contains(&(**ask, false));
    match rule.asks.iter().find(unstated) {
        Some(ask) => {
            Err(Refusal::new(Why::FactMissing { fact: ask.code(), question: ask.question() }, cites))
        }
        None => Ok(()),
    }
}

/// A jackpot fault either names the box whose device failed or reaches further; not both.
pub(super) fn fault_reach(book: &Rulebook, table: &Table, report: &Report) -> Result<(), Refusal> {
    if report.kind != IrregularityKind::JackpotFault {
        return Ok(());
    }
    let cites = paragraphs(book, report.kind);
    match (report.facts.scope, report.seat) {
        (Some(FaultScope::Box), None) => {
            let question = "Whose betting device does not work?";
            Err(Refusal::new(Why::FactMissing { fact: "BOX", question }, cites))
        }
        (Some(FaultScope::Table | FaultScope::System), Some(seat)) => {
            let text = format!("the fault is said to be that of box {seat} and to reach further");
            Err(Refusal::new(Why::Contradiction(text), cites))
        }
        (Some(FaultScope::Box) | None, Some(seat)) => known_box(book, table, seat),
        (Some(FaultScope::Table | FaultScope::System) | None, None) => Ok(()),
    }
}

/// The dealer's exposed card that becomes the face-up card, with its paragraphs. Only the first one does; any other is an
/// exposed card like the players'.
pub(super) fn exposed_face_up(
    book: &Rulebook,
    table: &Table,
    report: &Report,
    facts: &Facts,
) -> Result<Option<(Card, Cites)>, Refusal> {
    let rule = rule(book, report.kind).filter(|_| report.kind == IrregularityKind::ExposedCards);
    let case = rule.and_then(|rule| rule.cases.iter().find(|case| case.remedy == Remedy::BecomesFaceUp));
    let set = matches!(scene(table), Scene::Play(play) if play.exposed.is_some());
    let Some(case) = case.filter(|_| facts.whose == Some(Whose::Dealer) && !set) else { return Ok(None) };
    match facts.card {
        Some(card) => Ok(Some((card, case.cites))),
        None => {
            let why = Why::FactMissing { fact: "card", question: "Which of the dealer's cards was exposed?" };
            Err(Refusal::new(why, case.cites))
        }
    }
}

/// Cards exposed one after another in the same deal count together. The one that becomes the dealer's face-up card does not
/// count: alone it has no other effect, and with others, the others decide.
pub(super) fn count_exposed(table: &Table, report: &Report, mut facts: Facts, face_up: bool) -> Facts {
    let (IrregularityKind::ExposedCards, Scene::Play(play), Some(count)) =
        (report.kind, scene(table), facts.count)
    else {
        return facts;
    };
    if face_up && count <= 1 {
        return facts;
    }
    facts.whose = Some(Whose::Other);
    facts.count = Some((count - u32::from(face_up)).saturating_add(play.exposed_count));
    facts
}
