//! Descriptions of events: readers are told no card that they do not see, and the announcements that the
//! rules require are there.

#![allow(clippy::unwrap_used, reason = "in a test a panic is a failure")]

mod support;

use baize_cards::{Card, CardSet};
use baize_rules::{BoxNumber, Rulebook};
use baize_table::describe::{SentenceKind, joined};
use baize_table::{
    CardView, Command, Draw, Event, Phase, Place, Player, RoundView, Table, Viewer, describe, evolve, recap,
    view, view_open,
};
use proptest::prelude::*;
use serde_json::Value;

use support::{Dice, PLAYERS};

fn viewers() -> Vec<Viewer> {
    let players = PLAYERS.map(|name| Viewer::Player(Player::from(name)));
    players.into_iter().chain([Viewer::Dealer, Viewer::Pit, Viewer::Auditor, Viewer::Public]).collect()
}

fn seen(view: &RoundView) -> CardSet {
    let boxes = view.boxes.values().flat_map(|on_box| &on_box.cards);
    boxes.chain(&view.board).chain(&view.dealer).chain(&view.burnt).filter_map(CardView::up).collect()
}

/// Random rounds, of sensible and senseless commands.
fn random_rounds(seed: u64, mut each: impl FnMut(&Rulebook, &Table, &Event, &Table)) {
    let mut dice = Dice(seed);
    let books = Rulebook::builtins();
    let book = &books[dice.roll(books.len())];
    let mut table = support::table(book, dice.roll(4));
    for _ in 0..90 {
        let command = match dice.roll(12) {
            0 => support::anything(&table, &mut dice),
            1 => support::fitting_report(book, &table, &mut dice).unwrap_or(Command::Settle),
            2 if dice.roll(4) == 0 => support::one_too_many(&table, &mut dice),
            _ => support::sensible(book, &table, &mut dice),
        };
        for event in baize_table::decide(book, &table, &command).unwrap_or_default() {
            let after = evolve(table.clone(), &event);
            each(book, &table, &event, &after);
            table = after;
        }
    }
}

/// The same event with cards that the reader does not see replaced by others.
fn with_other_cards(event: &Event, seen: CardSet, turn: usize) -> Event {
    let hidden: Vec<Card> = CardSet::FULL.difference(seen).iter().collect();
    let other = |card: Card| match hidden.iter().position(|one| *one == card) {
        Some(at) => hidden[(at + turn) % hidden.len()],
        None => card,
    };
    let mut data = serde_json::to_value(event).unwrap();
    exchange(&mut data, &other);
    serde_json::from_value(data).unwrap()
}

fn exchange(data: &mut Value, other: &dyn Fn(Card) -> Card) {
    match data {
        Value::String(text) => {
            if let Ok(card) = text.parse::<Card>() {
                *text = other(card).code();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| exchange(item, other)),
        Value::Object(fields) => fields.values_mut().for_each(|field| exchange(field, other)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn text(book: &Rulebook, event: &Event, before: &RoundView, after: &RoundView) -> String {
    let told: Vec<String> = describe(book, event, before, after).iter().map(ToString::to_string).collect();
    told.join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// A reader is never told a card that their view before or after does not hold, and two events that differ only in cards
    /// that they do not see have the same words.
    #[test]
    fn nobody_is_told_a_hidden_card(seed: u64) {
        random_rounds(seed, |book, table, event, evolved| {
            for viewer in viewers() {
                let (before, after) = (view(book, table, &viewer), view(book, evolved, &viewer));
                let open = seen(&before).union(seen(&after));
                let told = text(book, event, &before, &after);
                let story: Vec<String> = recap(book, &after).iter().map(ToString::to_string).collect();
                for card in CardSet::FULL.difference(open).iter() {
                    assert!(!told.contains(&card.to_string()), "{viewer:?} is told {card}: {told}");
                    assert!(!story.join(" ").contains(&card.to_string()), "{viewer:?} is told {card}: {story:?}");
                }
                for turn in [1, 17] {
                    let other = with_other_cards(event, open, turn);
                    assert_eq!(text(book, &other, &before, &after), told, "{viewer:?}: {event:?}");
                }
            }
        });
    }

    /// A script has no secrets: with every card open, an event's cards are named.
    #[test]
    fn with_every_card_open_the_cards_are_named(seed: u64) {
        random_rounds(seed, |book, table, event, evolved| {
            let told = text(book, event, &view_open(book, table), &view_open(book, evolved));
            if let Event::CardsDealt { cards, .. } = event {
                assert!(cards.iter().all(|card| told.contains(&card.to_string())), "{event:?}: {told}");
            }
        });
    }
}

fn act(book: &Rulebook, table: &mut Table, command: &Command) {
    assert!(support::apply(book, table, command).is_some(), "{command:?}");
}

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|code| code.parse().unwrap()).collect()
}

fn ante(seat: u8) -> Command {
    Command::PlaceWager {
        seat: BoxNumber(seat),
        player: Player::from("ann"),
        area: baize_rules::Area::Ante,
        amount: baize_rules::Money::from_dollars(50),
        unnoticed: false,
        placed_by: None,
    }
}

// RWS 3.7; MBS 3.4.1
#[test]
fn a_player_on_a_second_box_is_told_to_examine_one_hand_only() {
    for book in Rulebook::builtins() {
        let mut table = support::table(book, 0);
        act(book, &mut table, &Command::Open);
        for (seat, informed) in [(1, false), (1, false), (2, true), (3, true), (2, false)] {
            let before = view(book, &table, &Viewer::Dealer);
            let event = &baize_table::decide(book, &table, &ante(seat)).unwrap()[0];
            let told = text(book, event, &before, &before);
            let words = "The dealer tells ann that they may examine one hand only";
            assert_eq!(told.contains(words), informed, "{told}");
            if informed {
                assert!(told.contains(&format!("{words} ({})", book.betting.one_hand_viewed)), "{told}");
            }
            table = evolve(table, event);
        }
        let story: Vec<String> =
            recap(book, &view(book, &table, &Viewer::Public)).iter().map(ToString::to_string).collect();
        assert_eq!(story.iter().filter(|line| line.contains("one hand only")).count(), 2, "{story:?}");
    }
}

// MBS 3.10.1: a Pit Supervisor may view a hand that was not shown; the texts of RWS give no one that right.
#[test]
fn the_pit_views_a_hand_that_was_not_shown_where_the_rules_let_it() {
    for book in Rulebook::builtins() {
        let mut table = support::table(book, 0);
        let mut dice = Dice(7);
        act(book, &mut table, &Command::Open);
        act(book, &mut table, &ante(1));
        let (mut looked, mut declined) = (false, false);
        while !matches!(table.round.phase, Phase::Finished(_)) {
            let legal = baize_table::legal(book, &table);
            let command = if !looked && legal.looks.contains(&BoxNumber(1)) {
                looked = true;
                Command::Look { seat: BoxNumber(1) }
            } else if !declined && legal.declines.contains(&BoxNumber(1)) {
                declined = true;
                Command::Decline { seat: BoxNumber(1) }
            } else if let Some(raise) = legal.wagers.iter().find(|_| !legal.close) {
                let amount = raise.amounts.from;
                let player = Player::from("ann");
                Command::PlaceWager {
                    seat: BoxNumber(1),
                    player,
                    area: raise.area,
                    amount,
                    unnoticed: false,
                    placed_by: None,
                }
            } else if legal.close {
                Command::Close
            } else {
                support::sensible(book, &table, &mut dice)
            };
            let _ = support::apply(book, &mut table, &command);
        }
        assert!(declined, "{}", book.id);
        let cards = |viewer: Viewer| {
            let cards = &view(book, &table, &viewer).boxes[&BoxNumber(1)].cards;
            cards.iter().filter(|card| card.up().is_some()).count()
        };
        let whole = book.hand_size();
        let may = book.operator == "MBS";
        assert_eq!(cards(Viewer::Pit), if may { whole } else { 0 }, "{}", book.id);
        assert_eq!(cards(Viewer::Player("ann".into())), whole);
        assert_eq!((cards(Viewer::Public), cards(Viewer::Dealer)), (0, 0), "{}", book.id);
    }
}

/// A folded hand that draws a jackpot award lies open after the settlement, and no other folded hand does.
// MS 3.9.1
#[test]
fn a_folded_hand_is_shown_only_for_its_own_award() {
    let book = Rulebook::builtin("mbs-megalink-stud").unwrap();
    let mut table = support::table(book, 0);
    let jackpot = |seat: u8, player: &str| {
        let (seat, player, area) = (BoxNumber(seat), Player::from(player), baize_rules::Area::Jackpot);
        let amount = table.settings.jackpot_wager;
        Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None }
    };
    let ben = Command::PlaceWager {
        seat: BoxNumber(2),
        player: "ben".into(),
        area: baize_rules::Area::Ante,
        amount: baize_rules::Money::from_dollars(50),
        unnoticed: false,
        placed_by: None,
    };
    let commands = [
        Command::Open,
        ante(1),
        jackpot(1, "ann"),
        ben,
        jackpot(2, "ben"),
        Command::Close,
        Command::Deal { to: Place::Box(BoxNumber(1)), cards: cards("2h 5h 9h Jh Kh") },
        Command::Deal { to: Place::Box(BoxNumber(2)), cards: cards("2c 3d 7s 8s Qd") },
        Command::Deal { to: Place::Dealer, cards: cards("Ac Qs 9d 4c 3s") },
        Command::Fold { seat: BoxNumber(1) },
        Command::Fold { seat: BoxNumber(2) },
        Command::Settle,
    ];
    for command in commands {
        act(book, &mut table, &command);
    }
    let seen = view(book, &table, &Viewer::Public);
    let open =
        |seat: u8| seen.boxes[&BoxNumber(seat)].cards.iter().filter(|card| card.up().is_some()).count();
    assert_eq!((open(1), open(2)), (5, 0));
}

#[test]
fn sentences_of_one_person_are_put_together() {
    let book = Rulebook::builtin("rws-casino-stud").unwrap();
    let mut table = support::table(book, 0);
    let mut told = Vec::new();
    let commands = [
        Command::Open,
        ante(1),
        Command::PlaceWager {
            seat: BoxNumber(1),
            player: Player::from("ann"),
            area: baize_rules::Area::Jackpot,
            amount: baize_rules::Money::from_dollars(5),
            unnoticed: false,
            placed_by: None,
        },
        Command::Close,
        Command::Deal { to: Place::Box(BoxNumber(1)), cards: cards("As Ks") },
        Command::Deal { to: Place::Box(BoxNumber(1)), cards: cards("Qs Js Ts") },
        Command::Deal { to: Place::Dealer, cards: cards("2c 3c 4c 5d 7h") },
        Command::Look { seat: BoxNumber(1) },
        Command::Fold { seat: BoxNumber(1) },
    ];
    for command in commands {
        for event in baize_table::decide(book, &table, &command).unwrap() {
            let before = view(book, &table, &Viewer::Public);
            table = evolve(table, &event);
            told.extend(describe(book, &event, &before, &view(book, &table, &Viewer::Public)));
        }
    }
    let told: Vec<String> = joined(told).iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "\"Place your bets, please.\" (3.2)",
            "Box 1 (ann) bets 50.00 on the ante, 5.00 on the jackpot.",
            "\"No more bets.\" (3.9, 5.21)",
            "Box 1 (ann) is dealt 2 cards, which departs from the procedure (3.10).",
            "Box 1 (ann) is dealt 3 cards, which departs from the procedure (3.10).",
            "The dealer is dealt 4 cards face down and 7♥ face up.",
            "Box 1 (ann) looks at the hand and folds (3.12.1).",
        ]
    );
}

/// Cards that move are named to a reader who sees them all, and to nobody else.
#[test]
fn moved_cards_are_named_only_to_a_reader_who_sees_them() {
    let book = Rulebook::builtin("rws-casino-stud").unwrap();
    let mut table = support::table(book, 0);
    let (first, burnt) = (Place::Box(BoxNumber(1)), cards("2c")[0]);
    for command in [
        Command::Open,
        ante(1),
        Command::Close,
        Command::Burn { card: burnt },
        Command::Deal { to: first, cards: cards("As Ks") },
    ] {
        act(book, &mut table, &command);
    }
    let departs_from = book.betting.one_hand_viewed;
    let draw = |to, text| Draw { to, cards: cards(text) };
    let events = [
        (
            Event::CardsReconstructed { drawn: vec![draw(None, "2c"), draw(Some(first), "As Ks")] },
            "The dealer puts the cards where they belong: 2♣ to the burnt cards and A♠ K♠ to box 1.",
            "The dealer puts the cards where they belong.",
        ),
        (
            Event::CardsShifted { burnt, piles: vec![(first, cards("As Ks"))] },
            "The dealer burns 2♣ and moves the others up: A♠ K♠ to box 1.",
            "The dealer burns the card that was missed and moves the others up to where they belong.",
        ),
        (
            Event::CardPutBack { card: burnt, to: Some(first) },
            "The dealer moves 2♣ to box 1.",
            "The dealer moves 1 card to box 1.",
        ),
        (
            Event::CardPutBack { card: cards("As")[0], to: None },
            "The dealer moves A♠ to the burnt cards.",
            "The dealer moves 1 card to the burnt cards.",
        ),
        (
            Event::CardsDealt { to: first, cards: cards("As Ks"), departs_from },
            "Box 1 (ann) is dealt A♠ K♠, which departs from the procedure (3.7).",
            "Box 1 (ann) is dealt 2 cards, which departs from the procedure (3.7).",
        ),
    ];
    let (open, public) = (view_open(book, &table), view(book, &table, &Viewer::Public));
    for (event, to_a_script, to_the_public) in events {
        assert_eq!(text(book, &event, &open, &open), to_a_script);
        assert_eq!(text(book, &event, &public, &public), to_the_public);
    }
    let kinds =
        |event: &Event| describe(book, event, &public, &public).iter().map(|told| told.kind).collect();
    let (warning, whole): (Vec<SentenceKind>, Vec<SentenceKind>) =
        (kinds(&Event::JackpotFailed), kinds(&Event::HandDeclined { seat: BoxNumber(1) }));
    assert_eq!((warning, whole), (vec![SentenceKind::Warning], vec![SentenceKind::Whole]));
}
