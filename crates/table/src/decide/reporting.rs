//! Reporting an irregularity: the facts decide, the rulebook gives the remedy.

use std::collections::BTreeSet;

use baize_rules::{
    BoxNumber, Case, Cites, FactKind, FoundSettled, Irregularity, IrregularityKind, OpenPoint, PutRight,
    Remedy, Role, Rulebook, Whose,
};

use super::contradicting::not_contradicted;
use super::facts::{
    count_exposed, established_facts, exposed_face_up, fault_reach, names_somebody, required,
};
use super::reconstructing::reconstruct;
use super::settling;
use crate::round::{HandInPlay, HandStatus, Phase, Play};
use crate::{
    Allowed, Event, Facts, Outcome, Player, Refusal, Remedied, Report, Table, Why, outcome_established,
};

/// The state of the round, as a report sees it.
pub(super) enum Scene<'a> {
    Idle,
    Betting,
    Play(&'a Play),
    Finished(&'a Play),
}

pub(super) fn scene(table: &Table) -> Scene<'_> {
    match &table.round.phase {
        Phase::Idle => Scene::Idle,
        Phase::Betting(_) => Scene::Betting,
        Phase::Play(play) => Scene::Play(play),
        Phase::Finished(finished) => Scene::Finished(&finished.play),
    }
}

/// What the text says about this kind, if anything.
pub(super) fn rule(book: &Rulebook, kind: IrregularityKind) -> Option<&Irregularity> {
    book.irregularities.reports.iter().find(|report| report.kind == kind)
}

/// What the text says about this kind under the table's dealing procedure. If the text covers only another procedure, the error
/// is treated like any other.
pub(crate) fn rule_here<'a>(
    book: &'a Rulebook,
    table: &Table,
    kind: IrregularityKind,
) -> Option<&'a Irregularity> {
    let of_kind = rule(book, kind)?;
    if of_kind.procedures.is_empty() || of_kind.procedures.contains(&table.settings.procedure) {
        return Some(of_kind);
    }
    rule(book, IrregularityKind::DealingError)
}

/// Whether this kind can be reported now, or why not.
pub(crate) fn reportable_now(
    book: &Rulebook,
    table: &Table,
    kind: IrregularityKind,
) -> Result<(), &'static str> {
    use IrregularityKind as Kind;
    let fault_rules = kind == Kind::JackpotFault && book.irregularities.jackpot_fault.is_some();
    let burns = book.procedure(table.settings.procedure).is_some_and(baize_rules::Procedure::burns);
    if kind == Kind::MissedBurn && rule(book, kind).is_some() && !burns {
        return Err("no card is burnt with this dealing procedure");
    }
    let no_board = kind == Kind::WrongBoard && book.board_size() == 0;
    if no_board {
        return Err("this game has no community cards");
    }
    match scene(table) {
        Scene::Idle if fault_rules => Ok(()),
        Scene::Idle => Err("no round is open"),
        Scene::Betting => match kind {
            Kind::ForeignCard
            | Kind::CardCount
            | Kind::Unshuffled
            | Kind::ShoeExhausted
            | Kind::PowerFailure
            | Kind::JackpotFault
            | Kind::Other => Ok(()),
            Kind::MultipleHands => Err("no player controls a hand before bets are closed"),
            Kind::ExposedCards
            | Kind::Misdeal
            | Kind::WrongBoard
            | Kind::WrongDealerHand
            | Kind::WrongPlayerHand
            | Kind::MissedBurn
            | Kind::DealingError
            | Kind::SimultaneousDraw
            | Kind::FaceUpCard
            | Kind::LookedAtSecondHand
            | Kind::Confidentiality => Err("no cards are out"),
        },
        Scene::Play(play) => match kind {
            Kind::ExposedCards
            | Kind::Misdeal
            | Kind::DealingError
            | Kind::WrongPlayerHand
            | Kind::MissedBurn
                if play.cards_out().is_empty() =>
            {
                Err("no cards have been dealt")
            }
            Kind::LookedAtSecondHand | Kind::Confidentiality
                if play.hands.values().all(|hand| hand.cards.is_empty()) =>
            {
                Err("no player has cards")
            }
            Kind::MultipleHands
                if !play.hands.values().any(|hand| controlled(play, &hand.seated).len() > 1) =>
            {
                Err("no player controls more than one hand")
            }
            Kind::WrongBoard if play.board.is_empty() => Err("no community card has been dealt"),
            Kind::WrongDealerHand if play.dealer.is_empty() => Err("the dealer has no cards"),
            Kind::ForeignCard
            | Kind::CardCount
            | Kind::Unshuffled
            | Kind::ShoeExhausted
            | Kind::ExposedCards
            | Kind::Misdeal
            | Kind::WrongBoard
            | Kind::WrongDealerHand
            | Kind::WrongPlayerHand
            | Kind::MissedBurn
            | Kind::DealingError
            | Kind::SimultaneousDraw
            | Kind::FaceUpCard
            | Kind::PowerFailure
            | Kind::JackpotFault
            | Kind::LookedAtSecondHand
            | Kind::MultipleHands
            | Kind::Confidentiality
            | Kind::Other => Ok(()),
        },
        Scene::Finished(_) if fault_rules => Ok(()),
        Scene::Finished(_) => {
            let settled = matches!(&table.round.phase, Phase::Finished(f) if f.outcome == Outcome::Settled);
            if settled && rule(book, kind).is_some_and(|rule| rule.until_next_round) {
                Ok(())
            } else {
                Err("the round is over")
            }
        }
    }
}

// RWS 5.8; RH 5.23; RS 5.24; MBS 6.1: the first case that fits decides; without one a person does.
pub(super) fn report(book: &Rulebook, table: &Table, report: &Report) -> Result<Vec<Event>, Refusal> {
    let rules = &book.irregularities;
    let kind = report.kind;
    if report.facts.previous_round {
        return too_late(book, table, report);
    }
    reportable_now(book, table, kind)
        .map_err(|because| Refusal::new(Why::NotReportable { kind, because }, paragraphs(book, kind)))?;
    fault_reach(book, table, report)?;
    let between_rounds = matches!(scene(table), Scene::Idle | Scene::Finished(_));
    if kind == IrregularityKind::JackpotFault
        && between_rounds
        && let Some(fault) = &rules.jackpot_fault
    {
        let cites = fault.close_table.and(fault.bar_box).and(fault.no_jackpot);
        return Ok(vec![ruled(report, Remedy::Continue, cites), Event::JackpotFailed]);
    }
    names_somebody(book, report)?;
    let facts = established_facts(book, table, report)?;
    not_contradicted(book, table, report)?;
    let face_up = exposed_face_up(book, table, report, &facts)?;
    let facts = count_exposed(table, report, facts, face_up.is_some());
    let general = || (Remedy::Refer, rules.anything_else.cites, rules.anything_else.value);
    let (remedy, cites, by) = match rule_here(book, table, kind) {
        None => general(),
        Some(rule) => {
            required(book, rule, report, &facts)?;
            let case = rule.cases.iter().find(|case| holds(book, table, case, report, &facts));
            let asked = rule.asks.contains(&FactKind::Intentional) && facts.intentional.is_none();
            match (case, rule.cases.first()) {
                (_, Some(case)) if asked => (Remedy::Refer, case.cites, case.ruled_by),
                (Some(case), _) => (case.remedy, case.cites, case.ruled_by),
                (None, _) => general(),
            }
        }
    };
    let (remedy, cites) = adjusted(book, table, report, &facts, (remedy, cites));
    let cites = face_up.map_or(cites, |(_, becomes)| cites.and(becomes));
    if remedy != Remedy::Refer && report.by.role < by {
        let why = Why::Authority { found: report.by.role, needed: by };
        return Err(Refusal::new(why, cites.and(rules.authority)));
    }
    if remedy != Remedy::Void
        && let Some(refusal) = super::waits(table, &crate::Command::Settle)
    {
        return Err(refusal);
    }
    let mut events = vec![ruled(report, remedy, cites)];
    events.extend(face_up.map(|(card, _)| Event::DealerFaceUpSet { card }));
    events.extend(consequences(book, table, report, &facts, (remedy, cites, by))?);
    Ok(events)
}

/// The paragraphs for this kind of report, or those for everything that the text does not describe.
pub(super) fn paragraphs(book: &Rulebook, kind: IrregularityKind) -> Cites {
    let case = rule(book, kind).and_then(|rule| rule.cases.first());
    case.map_or(book.irregularities.anything_else.cites, |case| case.cites)
}

/// The remedy of a case, adapted to the table's state.
fn adjusted(
    book: &Rulebook,
    table: &Table,
    report: &Report,
    facts: &Facts,
    (remedy, cites): (Remedy, Cites),
) -> (Remedy, Cites) {
    let rules = &book.irregularities;
    // A player who has viewed all their hands continues with all of them.
    if remedy == Remedy::InvalidUnviewed {
        let hands = player_hands(table, report, facts);
        if hands.len() > 1 && hands.iter().all(|(_, hand)| hand.viewed()) {
            return (Remedy::Continue, cites);
        }
    }
    // A finished round gives nobody a choice (I-21).
    if remedy == Remedy::ReconstructThenOptions && matches!(table.round.phase, Phase::Finished(_)) {
        return match table.settings.readings.found_settled {
            FoundSettled::SettledAnew => (Remedy::Reconstruct, cites.and(rules.option_reconstructed)),
            FoundSettled::Returned => (Remedy::Invalid, cites.and(rules.option_withdraw)),
        };
    }
    let with_options = table.settings.readings.put_right == PutRight::WithOptions
        && !rules.option_reconstructed.is_empty()
        && matches!(table.round.phase, Phase::Play(_));
    if remedy == Remedy::Reconstruct && with_options {
        return (Remedy::ReconstructThenOptions, cites.and(rules.option_reconstructed));
    }
    (remedy, cites)
}

fn ruled(report: &Report, remedy: Remedy, cites: Cites) -> Event {
    Event::IrregularityRuled {
        report: report.clone(),
        remedied: Remedied { kind: report.kind, remedy, cites, reason: None },
    }
}

/// Noticed after the next round began: no effect on that round, and the settlement stands.
// RH 5.19; RS 5.20; MBS 5.1.2, 5.15
fn too_late(book: &Rulebook, table: &Table, report: &Report) -> Result<Vec<Event>, Refusal> {
    let begun = matches!(scene(table), Scene::Betting | Scene::Play(_)) && table.round.number > 1;
    if !begun {
        let text = "no round has begun after the one that the report is about";
        let why = Why::Contradiction(text.into());
        return Err(Refusal::new(why, book.irregularities.noticed_too_late));
    }
    // Whom it is about must be known; every other fact no longer matters.
    fault_reach(book, table, report)?;
    names_somebody(book, report)?;
    for seat in report.seat.iter().chain(&report.facts.boxes) {
        super::known_box(book, table, *seat)?;
    }
    // The current round waits for the latest report: nothing may come in between.
    if let Some(refusal) = super::waits(table, &crate::Command::Settle) {
        return Err(refusal);
    }
    // A paragraph that applies until the next round begins says so itself.
    let own = rule(book, report.kind).filter(|rule| rule.until_next_round);
    let own = own.and_then(|rule| rule.cases.first()).map_or(Cites::NONE, |case| case.cites);
    Ok(vec![ruled(report, Remedy::Continue, own.and(book.irregularities.noticed_too_late))])
}

/// Whether every condition of the case holds.
fn holds(book: &Rulebook, table: &Table, case: &Case, report: &Report, facts: &Facts) -> bool {
    let when = &case.when;
    let viewed = || player_hands(table, report, facts).iter().any(|(_, hand)| hand.viewed());
    when.count_at_least.is_none_or(|least| facts.count.is_some_and(|count| count >= least))
        && when.seen.is_none_or(|seen| facts.seen == Some(seen))
        && when.reconstructable.is_none_or(|can| facts.reconstructable == Some(can))
        && when.intentional.is_none_or(|intentional| facts.intentional == Some(intentional))
        && when.whose.is_none_or(|whose| facts.whose.unwrap_or(Whose::Other) == whose)
        && when.viewed.is_none_or(|wanted| viewed() == wanted)
        && when.dealing.is_none_or(|dealing| facts.dealing == Some(dealing))
        && when.established.is_none_or(|wanted| outcome_established(book, table) == wanted)
}

/// The hands of the player that the report is about.
fn player_hands<'a>(table: &'a Table, report: &Report, facts: &Facts) -> Vec<(BoxNumber, &'a HandInPlay)> {
    let Phase::Play(play) = &table.round.phase else { return Vec::new() };
    let player = facts
        .player
        .as_ref()
        .or_else(|| report.seat.and_then(|seat| play.hands.get(&seat)).map(|hand| &hand.seated));
    player.map(|player| controlled(play, player)).unwrap_or_default()
}

/// The hands that a player controls, or controlled until they folded them, in the order in which they were dealt.
pub(super) fn controlled<'a>(play: &'a Play, player: &Player) -> Vec<(BoxNumber, &'a HandInPlay)> {
    let his = |hand: &HandInPlay| {
        hand.seated == *player && matches!(hand.status, HandStatus::InPlay | HandStatus::Folded(_))
    };
    let hands = play.hands.iter().filter(|(_, hand)| his(hand));
    let mut hands: Vec<(BoxNumber, &HandInPlay)> = hands.map(|(seat, hand)| (*seat, hand)).collect();
    hands.sort_by_key(|(seat, _)| play.dealt.iter().position(|dealt| dealt == seat).unwrap_or(usize::MAX));
    hands
}

fn consequences(
    book: &Rulebook,
    table: &Table,
    report: &Report,
    facts: &Facts,
    (remedy, cites, by): (Remedy, Cites, Role),
) -> Result<Vec<Event>, Refusal> {
    let mut events = Vec::new();
    if report.kind == IrregularityKind::JackpotFault && remedy != Remedy::Refer {
        events.push(Event::JackpotFailed);
    }
    match remedy {
        Remedy::Void => events.push(settling::void(book, table, cites, Some(report.kind))),
        // The face-up card is set.
        Remedy::Continue | Remedy::ContinueAtRegistered | Remedy::BecomesFaceUp => {}
        Remedy::Reconstruct => events.extend(put_right(book, table, report, facts)?),
        Remedy::ReconstructThenOptions => {
            let put = put_right(book, table, report, facts)?;
            // If the dealer puts the cards back one by one, the players choose once they are in place.
            let lie = !put.iter().any(|event| matches!(event, Event::ReconstructionBegun { .. }));
            events.extend(put);
            events.extend(lie.then(|| options_after(book, table, report, facts, cites)).flatten());
        }
        Remedy::Options => {
            // A power failure affects everybody; for a dealing error the report says who is affected, or which hands went
            // astray.
            let moved = || facts.moves.iter().flat_map(|(from, to)| [*from, *to]).collect();
            let named: Vec<BoxNumber> = if report.kind == IrregularityKind::PowerFailure {
                Vec::new()
            } else if facts.boxes.is_empty() {
                moved()
            } else {
                facts.boxes.clone()
            };
            // The cards move when everybody has chosen; whether they can move is checked now.
            if facts.reconstructable == Some(true) {
                put_right(book, table, report, facts)?;
            }
            let seats = affected(table, &named);
            let all = book.irregularities.withdraw_all_boxes;
            events.extend(options(book, table, seats, facts.reconstructable, all, cites));
        }
        Remedy::Invalid => {
            if let Some(seat) = report.seat {
                events.push(invalid(book, table, report, seat, cites)?);
            }
        }
        Remedy::InvalidUnviewed => events.extend(invalid_unviewed(table, report, facts, cites)?),
        Remedy::Refer => {
            events.push(Event::RulingAwaited { kind: report.kind, seat: report.seat, by, cites });
        }
    }
    Ok(events)
}

/// The options of the players after the reconstruction.
pub(super) fn options_after(
    book: &Rulebook,
    table: &Table,
    report: &Report,
    facts: &Facts,
    cites: Cites,
) -> Option<Event> {
    // A missed burn affects everybody; a hand with a wrong number of cards affects its player and anyone else who is
    // named.
    let own = report.seat.filter(|_| report.kind == IrregularityKind::WrongPlayerHand);
    let mut named: Vec<BoxNumber> = own.into_iter().chain(facts.boxes.iter().copied()).collect();
    if report.kind == IrregularityKind::MissedBurn {
        named.clear();
    }
    let all = book.irregularities.withdraw_all_boxes;
    options(book, table, affected(table, &named), facts.reconstructable, all, cites)
}

/// The boxes that an error affects: those named, or all that are in play.
fn affected(table: &Table, named: &[BoxNumber]) -> BTreeSet<BoxNumber> {
    let all: BTreeSet<BoxNumber> = match &table.round.phase {
        Phase::Play(play) => {
            play.hands.iter().filter(|(_, hand)| hand.in_play()).map(|(seat, _)| *seat).collect()
        }
        Phase::Betting(betting) => betting.boxes.keys().copied().collect(),
        Phase::Idle | Phase::Finished(_) => BTreeSet::new(),
    };
    if named.is_empty() { all } else { all.into_iter().filter(|seat| named.contains(seat)).collect() }
}

/// The options of these boxes; none if there is nobody to choose.
pub(super) fn options(
    book: &Rulebook,
    table: &Table,
    seats: BTreeSet<BoxNumber>,
    reconstructable: Option<bool>,
    all_boxes: bool,
    cites: Cites,
) -> Option<Event> {
    let rules = &book.irregularities;
    let has_reconstructed = !rules.option_reconstructed.is_empty();
    // The hand as it is if it cannot be reconstructed (5.10.1), the reconstructed hand if it can (5.10.2): never both.
    let reconstructed = has_reconstructed && reconstructable == Some(true);
    let allowed = Allowed { unchanged: !reconstructed, reconstructed, all_boxes };
    let seated = table.round.seated();
    let mut sharing: Vec<(BoxNumber, Player)> = Vec::new();
    for (seat, of_box) in seated.iter().filter(|(seat, _)| seats.contains(seat)) {
        let others = table.round.players().into_iter();
        let others = others.filter(|player| player != of_box && table.round.has_chips(*seat, player));
        sharing.extend(others.map(|player| (*seat, player)));
    }
    (!seats.is_empty()).then_some(Event::OptionsGiven { seats, sharing, allowed, cites })
}

/// A hand becomes invalid; in a settled round its slip is corrected.
fn invalid(
    book: &Rulebook,
    table: &Table,
    report: &Report,
    seat: BoxNumber,
    cites: Cites,
) -> Result<Event, Refusal> {
    match &table.round.phase {
        Phase::Finished(finished) => {
            let play = &finished.play;
            let hand = super::hand(book, table, play, seat)?;
            let mut slip = settling::returned(seat, hand, play, cites);
            // It could be reconstructed, but is not (I-21).
            if report.facts.reconstructable == Some(true) {
                slip.lines.iter_mut().for_each(|line| line.interpretation = Some(OpenPoint::FoundSettled));
            }
            Ok(Event::SlipCorrected { slip, cites })
        }
        Phase::Play(play) => {
            let hand = super::hand(book, table, play, seat)?;
            // A hand with a wrong number of cards was never one that could fold.
            let folded = matches!(hand.status, HandStatus::Folded(_));
            if hand.in_play() || (folded && report.kind == IrregularityKind::WrongPlayerHand) {
                Ok(Event::HandInvalidated { seat, cites })
            } else {
                let why = Why::Contradiction(format!("the hand of box {seat} is not in play"));
                Err(Refusal::new(why, cites))
            }
        }
        Phase::Idle | Phase::Betting(_) => Err(Why::EmptyBox(seat).into()),
    }
}

/// The player's hands that were not viewed; if none was, all but the one dealt first.
// MBS 5.10.1, 5.10.2: the viewed hands play on, otherwise the one that was dealt first.
fn invalid_unviewed(
    table: &Table,
    report: &Report,
    facts: &Facts,
    cites: Cites,
) -> Result<Vec<Event>, Refusal> {
    let hands = player_hands(table, report, facts);
    if hands.len() < 2 {
        let why = Why::Contradiction("the player does not control more than one hand".into());
        return Err(Refusal::new(why, cites));
    }
    let viewed = hands.iter().any(|(_, hand)| hand.viewed());
    let stays = |n: usize, hand: &HandInPlay| if viewed { hand.viewed() } else { n == 0 };
    let gone = hands.iter().enumerate().filter(|(n, (_, hand))| hand.in_play() && !stays(*n, hand));
    let gone: Vec<Event> = gone.map(|(_, (seat, _))| Event::HandInvalidated { seat: *seat, cites }).collect();
    if gone.is_empty() {
        let why = Why::Contradiction("the player's other hands are not in play".into());
        return Err(Refusal::new(why, cites));
    }
    Ok(gone)
}

/// What the reconstruction moves, if the round has cards.
fn put_right(book: &Rulebook, table: &Table, report: &Report, facts: &Facts) -> Result<Vec<Event>, Refusal> {
    match scene(table) {
        Scene::Play(play) | Scene::Finished(play) => reconstruct(book, table, play, report, facts),
        Scene::Idle | Scene::Betting => Ok(Vec::new()),
    }
}
