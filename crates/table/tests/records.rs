//! What is recorded, where no scenario can tell: cards taken back, events of older records, corrected slips, exposed cards, payments.

#![allow(clippy::unwrap_used, reason = "in a test a panic is a failure")]

use std::collections::BTreeMap;

use baize_cards::Card;
use baize_rules::{Area, BoxNumber, IrregularityKind, Money, Place, Reveal, Role, Rulebook};
use baize_table::{
    Awaiting, Command, Draw, Due, Event, ExposedCard, Facts, JackpotPayment, Phase, PhaseName, Player,
    PutBack, Report, ResultKind, Ruling, RulingKind, Settings, Staff, Table, Why, decide, due, evolve,
    exposed_card, next_cards, ready_to_turn, take_back_draw,
};

const SHIFT_MANAGER: Role = Role::ShiftManager;

fn book(id: &str) -> &'static Rulebook {
    Rulebook::builtin(id).unwrap()
}

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| card.parse().unwrap()).collect()
}

const fn seat(number: u8) -> Place {
    Place::Box(BoxNumber(number))
}

fn bet(number: u8, player: &str, area: Area, dollars: i32) -> Command {
    let (seat, player, amount) = (BoxNumber(number), Player::from(player), Money::from_dollars(dollars));
    Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None }
}

fn deal(to: Place, text: &str) -> Command {
    Command::Deal { to, cards: cards(text) }
}

fn report(kind: IrregularityKind, number: Option<u8>, facts: Facts) -> Command {
    Command::Report(Report { kind, seat: number.map(BoxNumber), facts, by: Staff::of(SHIFT_MANAGER) })
}

fn act(book: &Rulebook, table: &mut Table, command: &Command) -> Vec<Event> {
    let events = decide(book, table, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
    *table = events.iter().fold(table.clone(), evolve);
    events
}

fn after(book: &Rulebook, commands: &[Command]) -> Table {
    let mut table = Table::new(Settings::usual(book));
    for command in commands {
        act(book, &mut table, command);
    }
    table
}

fn refused(book: &Rulebook, table: &Table, command: &Command) -> String {
    decide(book, table, command).unwrap_err().to_string()
}

/// A settled round of stud in which box 1 claims the jackpot award for a flush.
fn claiming() -> (&'static Rulebook, Table) {
    let book = book("rws-casino-stud");
    let table = after(
        book,
        &[
            Command::Open,
            bet(1, "ann", Area::Ante, 50),
            bet(1, "ann", Area::Jackpot, 5),
            bet(2, "ben", Area::Ante, 50),
            Command::Close,
            deal(seat(1), "2h 5h 9h Jh Kh"),
            deal(seat(2), "2c 2d 7s 8s Qd"),
            deal(Place::Dealer, "Ac Qs 9d 4c 3s"),
            bet(1, "ann", Area::Bet, 100),
            Command::Fold { seat: BoxNumber(2) },
            Command::Reveal { what: Reveal::Dealer },
            Command::Settle,
        ],
    );
    (book, table)
}

#[test]
fn the_cards_entered_last_are_taken_back() {
    let book = book("rws-casino-stud");
    let before = after(book, &[Command::Open, bet(1, "ann", Area::Ante, 50), Command::Close]);
    let mut table = before.clone();
    assert_eq!(take_back_draw(&mut table), None);
    act(book, &mut table, &Command::Burn { card: cards("2c")[0] });
    let burnt = table.clone();
    act(book, &mut table, &deal(seat(1), "As"));
    assert_eq!(take_back_draw(&mut table), Some(Draw { to: Some(seat(1)), cards: cards("As") }));
    assert_eq!(table, burnt);
    assert_eq!(take_back_draw(&mut table), Some(Draw { to: None, cards: cards("2c") }));
    assert_eq!(table, before);
}

/// Older records shift whole piles after a missed burn.
#[test]
fn shifted_piles_replace_what_lay_there() {
    let book = book("rws-progressive-holdem");
    let table = after(
        book,
        &[
            Command::Open,
            bet(1, "ann", Area::Ante, 50),
            Command::Close,
            deal(seat(1), "As Ks"),
            bet(1, "ann", Area::Flop, 100),
            deal(Place::Board, "4c 5c 6c"),
        ],
    );
    let event = Event::CardsShifted { burnt: cards("4c")[0], piles: vec![(Place::Board, cards("5c 6c"))] };
    let Phase::Play(play) = evolve(table, &event).round.phase else { panic!("play goes on") };
    assert_eq!((play.burnt.clone(), play.board.clone()), (cards("4c"), cards("5c 6c")));
    assert_eq!(play.pile(seat(1)), cards("As Ks"), "what was not shifted stays");
}

/// What surveillance counts: cards reported as exposed in this round, with the decisions made by then.
#[test]
fn exposed_cards_of_a_record() {
    let book = book("rws-casino-stud");
    let mut table = after(
        book,
        &[
            Command::Open,
            bet(1, "ann", Area::Ante, 50),
            bet(2, "ben", Area::Ante, 50),
            Command::Close,
            deal(seat(1), "2h 5h 9h Jh Kh"),
            deal(seat(2), "2c 2d 7s 8s Qd"),
            deal(Place::Dealer, "Ac Qs 9d 4c 3s"),
            Command::Fold { seat: BoxNumber(2) },
            Command::Look { seat: BoxNumber(1) },
        ],
    );
    let card = cards("5h")[0];
    let facts = Facts { card: Some(card), count: Some(1), ..Facts::default() };
    let events = act(book, &mut table, &report(IrregularityKind::ExposedCards, None, facts.clone()));
    let decided = BTreeMap::from([(BoxNumber(1), 0), (BoxNumber(2), 1)]);
    assert_eq!(exposed_card(&table, &events[0]), Some(ExposedCard { card, decided }));
    let of = |kind, previous_round| {
        let facts = Facts { previous_round, ..facts.clone() };
        let Command::Report(report) = report(kind, None, facts) else { return None };
        let Event::IrregularityRuled { remedied, .. } = &events[0] else { return None };
        exposed_card(&table, &Event::IrregularityRuled { report, remedied: remedied.clone() })
    };
    assert!(of(IrregularityKind::ExposedCards, false).is_some());
    assert_eq!(of(IrregularityKind::ExposedCards, true), None);
    assert_eq!(of(IrregularityKind::DealingError, false), None);
}

// RWS 4.2; MBS 4.2
#[test]
fn no_round_opens_before_the_claims_are_paid() {
    let (book, mut table) = claiming();
    assert_eq!(decide(book, &table, &Command::Open).unwrap_err().why, Why::ClaimsUnpaid);
    let pay = |number: u8, dollars: i32| {
        let (seat, amount) = (BoxNumber(number), Money::from_dollars(dollars));
        JackpotPayment { seat, amount, cites: book.jackpot.table, interpretation: None }
    };
    let refuses = |table: &Table, payments: Vec<JackpotPayment>, why: &str| {
        let refused = refused(book, table, &Command::PayJackpot { payments });
        assert_eq!(refused, format!("the payments do not answer the claims: {why}"));
    };
    refuses(&table, vec![pay(2, 100)], "box 2 claims nothing");
    refuses(&table, vec![pay(1, -1)], "-1.00 is paid to box 1");
    refuses(&table, vec![pay(1, 100), pay(1, 100)], "box 1 is paid twice");
    refuses(&table, Vec::new(), "there are none");
    // A claim that did not qualify is paid nothing.
    let nothing = Command::PayJackpot { payments: vec![pay(1, 0)] };
    assert!(decide(book, &table, &nothing).is_ok());
    act(book, &mut table, &Command::PayJackpot { payments: vec![pay(1, 100)] });
    // An award that was paid may be paid again; nothing else.
    assert!(decide(book, &table, &nothing).is_ok());
    refuses(&table, vec![pay(2, 100)], "box 2 claims nothing");
    assert!(decide(book, &table, &Command::Open).is_ok());
}

/// A corrected slip keeps its own claim while its line is pending, and no other slip loses its claim.
#[test]
fn a_corrected_slip_and_the_claims() {
    let (book, table) = claiming();
    let Phase::Finished(finished) = &table.round.phase else { panic!("it is settled") };
    let claims = |number: u8, result: Option<ResultKind>| {
        let mut slip = finished.boxes.iter().find(|slip| slip.seat == BoxNumber(number)).unwrap().clone();
        for line in slip.lines.iter_mut().filter(|line| line.result == ResultKind::Pending) {
            line.result = result.unwrap_or(line.result);
            line.amount = line.staked;
        }
        let corrected = Event::SlipCorrected { slip, cites: book.jackpot.table };
        let Phase::Finished(after) = evolve(table.clone(), &corrected).round.phase else { return Vec::new() };
        after.claims
    };
    assert_eq!(finished.claims.len(), 1);
    assert_eq!(claims(1, None), finished.claims);
    assert_eq!(claims(2, None), finished.claims);
    assert_eq!(claims(1, Some(ResultKind::Returned)), Vec::new());
}

/// A wager under the minimum is accepted once only where the rules say so.
// MBS 5.13; RWS 5.2.1
#[test]
fn a_wager_under_the_minimum_is_remembered_where_it_counts() {
    for (id, remembered) in [("mbs-megalink-stud", true), ("rws-casino-stud", false)] {
        let book = book(id);
        let small = Command::PlaceWager {
            seat: BoxNumber(1),
            player: "ann".into(),
            area: Area::Ante,
            amount: Money::from_cents(50),
            unnoticed: true,
            placed_by: None,
        };
        let table = after(
            book,
            &[
                Command::Open,
                small,
                Command::Close,
                deal(seat(1), "2h 5h 9h Jh Kd"),
                deal(Place::Dealer, "Ac Qs 9d 4c 3s"),
                Command::Fold { seat: BoxNumber(1) },
                Command::Settle,
            ],
        );
        assert_eq!(!table.standing.under_minimum.is_empty(), remembered, "{id}");
    }
}

/// The hand of box 1 got the card that was to be burnt: every card moves up one place, also within its own pile.
// RS 5.9: reconstruction, card by card.
#[test]
fn the_cards_that_are_put_back_one_by_one() {
    let book = book("rws-casino-stud");
    let facts = Facts {
        seen: Some(false),
        reconstructable: Some(true),
        shift: true,
        card_by_card: true,
        ..Facts::default()
    };
    let mut table = after(
        book,
        &[
            Command::Open,
            bet(1, "ann", Area::Ante, 50),
            Command::Close,
            deal(seat(1), "2c"),
            deal(Place::Dealer, "3c"),
            deal(seat(1), "4d"),
            report(IrregularityKind::MissedBurn, None, facts),
        ],
    );
    let (box_1, dealer) = (Some(seat(1)), Some(Place::Dealer));
    let left = [
        PutBack { from: box_1, to: None, nth: 1 },
        PutBack { from: dealer, to: box_1, nth: 1 },
        PutBack { from: box_1, to: dealer, nth: 1 },
    ];
    let Some(Awaiting::Reconstruction { left: waits, cites }) = &table.round.awaiting else {
        panic!("the dealer puts the cards back")
    };
    assert_eq!((waits.as_slice(), cites.to_string().as_str()), (&left[..], "5.9, 5.10"));
    // From a real shoe they come one at a time, each to its place.
    assert_eq!(next_cards(book, &table, &cards("2c")).unwrap(), Command::Burn { card: cards("2c")[0] });
    let two = next_cards(book, &table, &cards("2c 3c")).unwrap_err().to_string();
    assert_eq!(two, "2 cards, but one at a time is put back now (5.9, 5.10)");
    act(book, &mut table, &Command::Burn { card: cards("2c")[0] });
    assert_eq!(next_cards(book, &table, &cards("3c")).unwrap(), deal(seat(1), "3c"));
    let two = next_cards(book, &table, &cards("3c 4d")).unwrap_err().to_string();
    assert_eq!(two, "2 cards, but one at a time is put back now (5.9, 5.10)");
    assert!(matches!(due(book, &table), Some(Due::PutBack { left: 2, .. })));
}

/// The first of the cards drawn together is received first: they lie in that order already.
// RS 5.14
#[test]
fn nothing_moves_if_the_first_card_is_received_first() {
    let book = book("rws-casino-stud");
    let facts = Facts { count: Some(2), ..Facts::default() };
    let table = after(
        book,
        &[
            Command::Open,
            bet(1, "ann", Area::Ante, 50),
            Command::Close,
            Command::Burn { card: cards("2c")[0] },
            deal(seat(1), "As"),
            deal(Place::Dealer, "Ks"),
            report(IrregularityKind::SimultaneousDraw, None, facts),
        ],
    );
    let moved = |number: u8| {
        let (kind, by) = (RulingKind::FirstCard(number), Staff::of(SHIFT_MANAGER));
        let events = decide(book, &table, &Command::Rule(Ruling { kind, by, reason: None })).unwrap();
        events.iter().any(|event| matches!(event, Event::CardsReconstructed { .. }))
    };
    assert!(!moved(1) && moved(2));
}

/// A board is turned when everything before it has been decided and turned, and the round waits for nothing.
#[test]
fn when_cards_can_be_turned() {
    let book = book("rws-progressive-holdem");
    let mut table =
        after(book, &[Command::Open, bet(1, "ann", Area::Ante, 50), Command::Close, deal(seat(1), "As Ks")]);
    let ready = |table: &Table| Reveal::ALL.map(|what| ready_to_turn(book, table, what));
    assert_eq!(ready(&table), [false; 4]);
    act(book, &mut table, &bet(1, "ann", Area::Flop, 100));
    assert_eq!(ready(&table), [true, false, false, false]);
    let facts = Facts { reconstructable: Some(false), ..Facts::default() };
    act(book, &mut table, &report(IrregularityKind::DealingError, None, facts));
    assert_eq!(ready(&table), [false; 4], "the player chooses first");
}

#[test]
fn who_sits_where_and_the_names_of_the_phases() {
    let book = book("rws-casino-stud");
    let table = after(book, &[Command::Open, bet(3, "ann", Area::Ante, 50)]);
    assert_eq!(table.seated(), BTreeMap::from([(BoxNumber(3), Player::from("ann"))]));
    let names = PhaseName::ALL.map(|phase| (phase.to_string(), phase.code(), phase.under_way()));
    let expected = [("idle", false), ("betting", true), ("play", true), ("finished", false)];
    assert_eq!(names, expected.map(|(name, under_way)| (name.to_owned(), name, under_way)));
}
