//! Properties of every round of every game, whatever people do: random commands, sensible and not, with random
//! irregularities in between.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "in a test a panic is a failure")]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::{Card, CardSet};
use baize_rules::{Area, BoxNumber, Money, Rulebook};
use baize_table::{
    Command, Due, Event, Finished, HandStatus, Outcome, Phase, Play, Player, ResultKind, RoundView, Table,
    Viewer, decide, due, legal, replay, view,
};
use proptest::prelude::*;
use support::{Dice, PLAYERS, anything, apply, fitting_report, one_too_many, report, sensible, table};

/// Plays on from a seed for a while; calls `look` after every step with the table before, the command and the outcome.
fn play(
    seed: u64,
    steps: usize,
    mut look: impl FnMut(&Rulebook, &Table, &Command, Option<&[Event]>, &Table),
) {
    let mut dice = Dice(seed);
    let books = Rulebook::builtins();
    let book = &books[dice.roll(books.len())];
    let mut table = table(book, dice.roll(8));
    let nonsense = 3 + dice.roll(20);
    for _ in 0..steps {
        let command = match dice.roll(nonsense) {
            0 => anything(&table, &mut dice),
            1 if dice.roll(4) == 0 => report(&mut dice),
            1 if dice.roll(2) == 0 => match fitting_report(book, &table, &mut dice) {
                Some(report) => report,
                None => continue,
            },
            1 if dice.roll(3) == 0 => one_too_many(&table, &mut dice),
            _ => sensible(book, &table, &mut dice),
        };
        let before = table.clone();
        let events = apply(book, &mut table, &command);
        look(book, &before, &command, events.as_deref(), &table);
    }
}

fn viewers() -> impl Iterator<Item = Viewer> {
    let players = PLAYERS.map(|name| Viewer::Player(Player::from(name)));
    players.into_iter().chain([Viewer::Dealer, Viewer::Pit, Viewer::Public, Viewer::Auditor])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// A command is accepted exactly when `legal` lists it, and changes something then.
    #[test]
    fn legal_is_accepted_and_only_legal(seed: u64) {
        let mut failed = None;
        play(seed, 60, |book, before, command, events, _| {
            let listed = legal(book, before).contains(command);
            if events.is_some_and(<[Event]>::is_empty) && failed.is_none() {
                failed = Some(format!("{}: {command:?} is accepted and changes nothing", book.id));
            }
            if listed.is_some_and(|listed| listed != events.is_some()) && failed.is_none() {
                let refusal = decide(book, before, command).err().map(|refusal| refusal.to_string());
                failed = Some(format!("{}: {command:?} listed {listed:?}, refused: {refusal:?}", book.id));
            }
        });
        prop_assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    }

    /// Replaying the events, also after serialising and reading them back, gives the same table.
    #[test]
    fn replay_is_identity(seed: u64) {
        let mut all: Vec<Event> = Vec::new();
        let mut first: Option<Table> = None;
        let mut last: Option<Table> = None;
        play(seed, 80, |_, before, _, events, after| {
            first.get_or_insert_with(|| before.clone());
            all.extend_from_slice(events.unwrap_or_default());
            last = Some(after.clone());
        });
        let written = serde_json::to_string(&all).unwrap();
        let read: Vec<Event> = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(&read, &all);
        prop_assert_eq!(Some(replay(first.unwrap(), &read)), last);
    }

    /// Every cent staked in a round is returned or collected, and no money appears from nowhere.
    #[test]
    fn money_is_conserved(seed: u64) {
        let mut staked = Money::ZERO;
        let mut failed = None;
        play(seed, 120, |book, _, _, events, after| {
            for event in events.unwrap_or_default() {
                match event {
                    Event::RoundOpened { .. } => staked = Money::ZERO,
                    Event::WagerPlaced { amount, .. } => staked += *amount,
                    Event::WagerWithdrawn { amount, .. } | Event::WagerReturned { amount, .. } => staked -= *amount,
                    _ => {}
                }
            }
            let Phase::Finished(finished) = &after.round.phase else { return };
            let lines: Vec<_> = finished.boxes.iter().flat_map(|slip| &slip.lines).collect();
            let accounted: Money = lines.iter().map(|line| line.staked).sum();
            let kept: Money = lines
                .iter()
                .map(|line| match line.result {
                    ResultKind::Lose => line.staked,
                    ResultKind::Win | ResultKind::Pending if line.area == Area::Jackpot => line.staked,
                    _ => Money::ZERO,
                })
                .sum();
            let back: Money = lines
                .iter()
                .map(|line| match line.result {
                    ResultKind::Push | ResultKind::Returned => line.amount,
                    ResultKind::Win if line.area != Area::Jackpot => line.staked,
                    _ => Money::ZERO,
                })
                .sum();
            let shares: Money = finished.boxes.iter().flat_map(|slip| slip.shares()).map(|share| share.handed_over).sum();
            let handed: Money = lines.iter().map(|line| line.handed_over()).sum();
            let uncited = lines.iter().any(|line| line.cites.is_empty());
            let void_kept = matches!(finished.outcome, Outcome::Void { .. }) && !kept.is_zero();
            if failed.is_none() && (accounted != staked || kept + back != staked || shares != handed || uncited || void_kept) {
                failed = Some(format!("{}: staked {staked}, accounted {accounted}, kept {kept}, back {back}, shares {shares} of {handed}, {:#?}", book.id, finished.boxes));
            }
        });
        prop_assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    }

    /// In no reachable state does a viewer's view, in memory or serialised, contain a card that they may not see.
    #[test]
    fn no_viewer_sees_a_hidden_card(seed: u64) {
        let mut failed = None;
        play(seed, 80, |book, _, _, _, after| {
            for viewer in viewers() {
                let seen = view(book, after, &viewer);
                let written = serde_json::to_string(&seen).unwrap();
                let in_memory = format!("{seen:?}");
                for card in hidden(book, after, &viewer) {
                    let code = card.code();
                    let named = in_memory.split(|c: char| !c.is_alphanumeric()).any(|word| word == code);
                    if failed.is_none() && (written.contains(&format!("\"{code}\"")) || named) {
                        failed = Some(format!("{}: {viewer:?} sees {code}: {written}", book.id));
                    }
                }
            }
        });
        prop_assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    }

    /// Everything else is in the view: every other card, the chips, who decides, the slips.
    #[test]
    fn every_viewer_sees_the_rest(seed: u64) {
        let mut failed = None;
        play(seed, 80, |book, _, _, _, after| {
            for viewer in viewers() {
                let seen = view(book, after, &viewer);
                if failed.is_none() && let Some(what) = missing(book, after, &viewer, &seen) {
                    failed = Some(format!("{}: {viewer:?} does not see the {what}: {seen:#?}", book.id));
                }
            }
        });
        prop_assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    }
}

/// The round's cards, and how it ended if it is over.
fn played(table: &Table) -> Option<(&Play, Option<&Finished>)> {
    match &table.round.phase {
        Phase::Idle | Phase::Betting(_) => None,
        Phase::Play(play) => Some((play, None)),
        Phase::Finished(finished) => Some((&finished.play, Some(finished))),
    }
}

/// The cards that this viewer may not see, derived from the rules alone and independently of `view`.
fn hidden(book: &Rulebook, table: &Table, viewer: &Viewer) -> Vec<Card> {
    let Some((play, over)) = played(table) else { return Vec::new() };
    if over.is_some() && *viewer == Viewer::Auditor {
        return Vec::new();
    }
    let mut cards: Vec<Card> = play.burnt.clone();
    cards.extend(play.board.iter().skip(play.board_shown().len()));
    if !play.dealer_shown() {
        cards.extend(play.dealer.iter().filter(|card| play.face_up(book) != Some(**card)));
    }
    let closed = play.hands.keys().filter(|seat| !open(book, play, over, viewer, **seat));
    cards.extend(closed.flat_map(|seat| &play.hands[seat].cards));
    cards
}

/// Whether this viewer may see the hand of this box: their own that they looked at, one that lies open, and after the
/// settlement every hand that was compared or drew a jackpot award.
fn open(book: &Rulebook, play: &Play, over: Option<&Finished>, viewer: &Viewer, seat: BoxNumber) -> bool {
    let hand = &play.hands[&seat];
    let own = matches!(viewer, Viewer::Player(player) if *player == hand.seated) && hand.looked;
    let Some(finished) = over.filter(|finished| finished.outcome == Outcome::Settled) else {
        return hand.shown || own;
    };
    let of_box = finished.boxes.iter().filter(|slip| slip.seat == seat);
    let jackpot = of_box.flat_map(|slip| &slip.lines).find(|line| line.area == Area::Jackpot);
    let drew = jackpot.is_some_and(|line| [ResultKind::Win, ResultKind::Pending].contains(&line.result));
    let settled = if hand.declined {
        // MBS 3.10.1
        *viewer == Viewer::Pit && book.settlement.declined_viewed.is_some()
    } else {
        hand.status == HandStatus::InPlay || drew
    };
    hand.shown || own || settled
}

/// What this view does not show, although its viewer may see it.
fn missing(book: &Rulebook, table: &Table, viewer: &Viewer, seen: &RoundView) -> Option<&'static str> {
    let (play, over) = played(table)?;
    let hidden: CardSet = hidden(book, table, viewer).into_iter().collect();
    if seen.cards_open() != play.cards_out().difference(hidden) {
        return Some("cards");
    }
    let chips = |seat: &BoxNumber| -> Vec<Money> {
        Area::ALL
            .into_iter()
            .map(|area| play.hands[seat].on(area))
            .filter(|amount| !amount.is_zero())
            .collect()
    };
    let shown = seen.boxes.iter().map(|(seat, on_box)| (*seat, on_box.areas.values().copied().collect()));
    if shown.collect::<BTreeMap<_, _>>() != play.hands.keys().map(|seat| (*seat, chips(seat))).collect() {
        return Some("chips");
    }
    let back: Vec<_> = seen.handed_back.iter().map(|back| (back.seat, back.amount, back.cites)).collect();
    let handed = play.handed_back.iter().map(|(seat, stake, cites)| (*seat, stake.amount, *cites));
    if back != handed.collect::<Vec<_>>() {
        return Some("chips that were returned");
    }
    let deciding = match due(book, table) {
        Some(Due::Decide { seats, .. }) => seats,
        _ => BTreeSet::new(),
    };
    if seen.deciding != deciding {
        return Some("who decides");
    }
    let finished = over?;
    let slips = finished.boxes.iter().cloned().map(|mut slip| {
        let all = *viewer == Viewer::Auditor || open(book, play, over, viewer, slip.seat);
        slip.hand = slip.hand.filter(|_| all);
        slip
    });
    (seen.slips != slips.collect::<Vec<_>>() || seen.outcome.as_ref() != Some(&finished.outcome))
        .then_some("slips")
}

/// The properties above say nothing about what the random player never does: over some seeds, everything
/// happens.
#[test]
fn the_random_player_gets_everywhere() {
    let mut names = std::collections::BTreeSet::new();
    for seed in 0..800 {
        play(seed, 120, |_, _, _, events, _| {
            for event in events.unwrap_or_default() {
                let written = serde_json::to_value(event).unwrap();
                names.insert(written["event"].as_str().unwrap().to_owned());
                if let Event::IrregularityRuled { remedied, .. } = event {
                    names.insert(format!("ruled {:?}", remedied.remedy));
                }
            }
        });
    }
    let all = [
        "round-opened",
        "wager-placed",
        "wager-withdrawn",
        "wager-returned",
        "bets-closed",
        "card-burnt",
        "cards-dealt",
        "hand-looked-at",
        "decision-made",
        "cards-revealed",
        "hand-shown",
        "hand-declined",
        "player-absent",
        "irregularity-ruled",
        "ruling-awaited",
        "options-given",
        "option-chosen",
        "ruled",
        "hand-invalidated",
        "hands-moved",
        "cards-reconstructed",
        "cards-taken-off",
        "dealer-face-up-set",
        "jackpot-failed",
        "round-voided",
        "round-settled",
        "slip-corrected",
        "jackpot-paid",
        "ruled Void",
        "ruled Continue",
        "ruled Reconstruct",
        "ruled ReconstructThenOptions",
        "ruled Options",
        "ruled Invalid",
        "ruled InvalidUnviewed",
        "ruled BecomesFaceUp",
        "ruled ContinueAtRegistered",
        "ruled Refer",
    ];
    let missing: Vec<&str> = all.into_iter().filter(|name| !names.contains(*name)).collect();
    assert!(missing.is_empty(), "never happened: {missing:?}");
}
