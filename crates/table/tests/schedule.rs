//! The cursor over the dealing schedule: the whole sequence for every procedure of every rulebook. Following it never departs
//! from the procedure and reaches a round that can be settled.

#![allow(clippy::unwrap_used, reason = "in a test a panic is a failure")]

use baize_cards::Card;
use baize_rules::{Area, BoxNumber, Money, Place, ProcedureName, Rulebook};
use baize_table::{
    Command, Due, DueCards, Event, Outcome, Phase, Player, Settings, SettlementFault, Table, Why, decide,
    due, evolve, next_cards,
};
use proptest::prelude::*;

fn rulebook(id: &str) -> &'static Rulebook {
    Rulebook::builtins().iter().find(|book| book.id == id).unwrap()
}

/// A table whose bets are closed, with an ante on each of these boxes.
fn closed(book: &Rulebook, procedure: ProcedureName, boxes: &[u8]) -> Table {
    let settings = Settings { procedure, ..Settings::usual(book) };
    let mut table = Table::new(settings);
    act(book, &mut table, &Command::Open);
    for seat in boxes {
        let player = Player(format!("player-{seat}"));
        let (area, amount) = (Area::Ante, Money::from_dollars(50));
        let wager = Command::PlaceWager {
            seat: BoxNumber(*seat),
            player,
            area,
            amount,
            unnoticed: false,
            placed_by: None,
        };
        act(book, &mut table, &wager);
    }
    act(book, &mut table, &Command::Close);
    table
}

fn act(book: &Rulebook, table: &mut Table, command: &Command) -> Vec<Event> {
    let events = decide(book, table, command)
        .unwrap_or_else(|refusal| panic!("{}: {command:?} refused: {refusal}", book.id));
    *table = events.iter().fold(table.clone(), evolve);
    events
}

/// Does what is due, with the next cards of the deck, and describes it in a word.
fn step(
    book: &Rulebook,
    table: &mut Table,
    deck: &mut Vec<Card>,
    choose: &mut dyn FnMut(BoxNumber) -> bool,
) -> String {
    let mut draw = |cards: usize| deck.split_off(deck.len() - cards);
    match due(book, table).unwrap() {
        Due::Burn { then, .. } => {
            assert!(then.is_some(), "cards come after a burn");
            follow(book, table, &draw(1));
            "burn".to_owned()
        }
        Due::Deal(DueCards { to, cards, last_face_up, .. }) => {
            follow(book, table, &draw(cards));
            let place = match to {
                Place::Box(seat) => seat.to_string(),
                Place::Board => "board".to_owned(),
                Place::Dealer => "dealer".to_owned(),
            };
            format!("{place}:{cards}{}", if last_face_up { " up" } else { "" })
        }
        Due::Decide { seats, area, .. } => {
            for seat in &seats {
                let stays = choose(*seat);
                decision(book, table, *seat, area, stays);
            }
            let seats: Vec<String> = seats.iter().map(ToString::to_string).collect();
            format!("{} {}", area.code(), seats.join("+"))
        }
        Due::Reveal { what, .. } => {
            act(book, table, &Command::Reveal { what });
            format!("turn {}", what.code())
        }
        Due::Settle => {
            act(book, table, &Command::Settle);
            "settle".to_owned()
        }
        Due::PutBack { .. } => panic!("{}: nothing is put back", book.id),
        Due::Report { place, .. } => panic!("{}: too many cards at {place}", book.id),
    }
}

/// The cards go where the schedule says, without a departure.
fn follow(book: &Rulebook, table: &mut Table, cards: &[Card]) {
    let command = next_cards(book, table, cards).unwrap();
    for event in act(book, table, &command) {
        if let Event::CardsDealt { departs_from, .. } | Event::CardBurnt { departs_from, .. } = &event {
            assert!(departs_from.is_empty(), "{}: {event:?}", book.id);
        }
    }
}

fn decision(book: &Rulebook, table: &mut Table, seat: BoxNumber, area: Area, stays: bool) {
    let rule = book.decisions[book.decision(area).unwrap()];
    let command = match (stays, rule.otherwise) {
        (true, _) => Command::PlaceWager {
            seat,
            player: Player(format!("player-{seat}")),
            area,
            amount: Money::from_dollars(50).times(rule.times_ante).unwrap(),
            unnoticed: false,
            placed_by: None,
        },
        (false, baize_rules::Otherwise::Fold) => Command::Fold { seat },
        (false, baize_rules::Otherwise::Check) => Command::Check { seat },
    };
    act(book, table, &command);
}

/// The whole round in words; everybody stays in.
fn round(id: &str, procedure: ProcedureName, boxes: &[u8]) -> String {
    let book = rulebook(id);
    let mut table = closed(book, procedure, boxes);
    let mut deck: Vec<Card> = Card::all().collect();
    let mut words = Vec::new();
    while !matches!(table.round.phase, Phase::Finished(_)) {
        words.push(step(book, &mut table, &mut deck, &mut |_| true));
    }
    words.join(", ")
}

#[test]
fn every_procedure_has_its_sequence() {
    use ProcedureName as P;
    let stud_turns = "1:1, 2:1, 4:1, dealer:1";
    let three = "bet 1+2+4, turn dealer, settle";
    let played = "flop 1+3, turn flop, turn 1+3, turn turn, river 1+3, turn river, turn dealer, settle";
    let dealer_after = played.replacen("flop 1+3, ", "flop 1+3, dealer:2, ", 1);
    let one_by_one =
        format!("{stud_turns}, {stud_turns}, {stud_turns}, {stud_turns}, 1:1, 2:1, 4:1, dealer:1 up");
    let sets = "1:5, 2:5, 4:5, dealer:5 up";
    let shoe = "burn, 1:1, 3:1, 1:1, 3:1, flop 1+3, burn, board:3, turn flop, turn 1+3, burn, board:1, turn turn, river 1+3, \
                burn, board:1, turn river, dealer:2, turn dealer, settle";
    let table: [(&str, P, &[u8], String); 13] = [
        // RH 3.11, 3.12.
        ("rws-progressive-holdem", P::Shoe, &[1, 3], shoe.to_owned()),
        ("rws-progressive-holdem", P::Shuffler, &[1, 3], format!("board:5, 1:2, 3:2, dealer:2, {played}")),
        // MH 3.7.1 to 3.7.3, 3.8.
        ("mbs-megalink-holdem", P::AutomatedA, &[1, 3], format!("board:5, 1:2, 3:2, dealer:2, {played}")),
        ("mbs-megalink-holdem", P::AutomatedB, &[1, 3], format!("board:5, 1:2, 3:2, {dealer_after}")),
        ("mbs-megalink-holdem", P::AutomatedC, &[1, 3], format!("board:5, dealer:2, 1:2, 3:2, {played}")),
        ("mbs-megalink-holdem", P::Manual, &[1, 3], format!("1:1, 3:1, 1:1, 3:1, board:5, {dealer_after}")),
        // MB 3.7, 3.8.
        ("mbs-holdem-bonus", P::Automated, &[1, 3], format!("board:5, 1:2, 3:2, dealer:2, {played}")),
        ("mbs-holdem-bonus", P::Manual, &[1, 3], format!("1:1, 3:1, 1:1, 3:1, board:5, {dealer_after}")),
        // MS 3.7, 3.8.
        ("mbs-megalink-stud", P::Automated, &[1, 2, 4], format!("{sets}, {three}")),
        ("mbs-megalink-stud", P::Manual, &[1, 2, 4], format!("{one_by_one}, {three}")),
        // RS 3.10, 3.11.
        ("rws-casino-stud", P::Shoe, &[1, 2, 4], format!("burn, {one_by_one}, {three}")),
        ("rws-casino-stud", P::Shuffler, &[1, 2, 4], format!("{sets}, {three}")),
        ("rws-casino-stud", P::Shuffler, &[6], "6:5, dealer:5 up, bet 6, turn dealer, settle".to_owned()),
    ];
    for (id, procedure, boxes, expected) in &table {
        assert_eq!(&round(id, *procedure, boxes), expected, "{id}, {}", procedure.code());
    }
    for book in Rulebook::builtins() {
        for procedure in &book.procedures {
            let named = table.iter().any(|(id, name, ..)| *id == book.id && *name == procedure.name);
            assert!(named, "{} {} has no line", book.id, procedure.name.code());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Following the cursor, with any deck and any decisions, settles the round without a departure.
    #[test]
    fn following_the_schedule_settles_the_round(
        game in 0..5_usize,
        procedure in 0..8_usize,
        boxes in proptest::sample::subsequence((1..=4).collect::<Vec<u8>>(), 1..=4),
        deck in Just(Card::all().collect::<Vec<Card>>()).prop_shuffle(),
        stays: [bool; 12],
    ) {
        let book = &Rulebook::builtins()[game];
        let procedure = book.procedures[procedure % book.procedures.len()].name;
        let (mut table, mut deck) = (closed(book, procedure, &boxes), deck);
        let mut stays = stays.into_iter().cycle();
        let mut steps = 0;
        while !matches!(table.round.phase, Phase::Finished(_)) {
            prop_assert!(due(book, &table).is_some(), "{} {}: nothing is due: {table:#?}", book.id, procedure.code());
            step(book, &mut table, &mut deck, &mut |_| stays.next().unwrap());
            steps += 1;
            prop_assert!(steps < 400);
        }
        let Phase::Finished(finished) = &table.round.phase else { unreachable!() };
        prop_assert_eq!(&finished.outcome, &Outcome::Settled);
    }
}

#[test]
fn cards_that_are_not_due_are_refused_and_change_nothing() {
    let book = rulebook("rws-casino-stud");
    let mut table = closed(book, ProcedureName::Shoe, &[1, 2]);
    let cards = |text: &str| -> Vec<Card> { text.split(' ').map(|card| card.parse().unwrap()).collect() };
    let refused = |table: &Table, text: &str| next_cards(book, table, &cards(text)).unwrap_err().to_string();
    assert_eq!(refused(&table, "As Ks"), "2 cards, but one card is burnt now (3.10, 1.4)");
    follow(book, &mut table, &cards("As"));
    assert_eq!(refused(&table, "Ks Qs"), "2 cards, but one goes to box 1 now (3.10)");
    let mut deck: Vec<Card> = Card::all().filter(|card| card.code() != "As").collect();
    while let Some(Due::Deal(_)) = due(book, &table) {
        step(book, &mut table, &mut deck, &mut |_| true);
    }
    let left = deck[0].code();
    assert_eq!(refused(&table, &left), "no card is due now: box 1 has not decided yet (3.12.2)");
    step(book, &mut table, &mut deck, &mut |_| true);
    assert_eq!(refused(&table, &left), "no card is due now: the dealer's cards must be turned first (3.13)");
    step(book, &mut table, &mut deck, &mut |_| true);
    assert_eq!(refused(&table, &left), "no card is due now: the round can be settled");
}

/// A slip that cannot be right is not made: the round stays unsettled, and the caller gets the reason.
#[test]
fn a_settlement_that_cannot_be_is_refused() {
    let book = rulebook("mbs-megalink-stud");
    let mut table = closed(book, ProcedureName::Automated, &[1]);
    let cards = |codes: &str| codes.split_whitespace().map(|code| code.parse().unwrap()).collect();
    act(book, &mut table, &Command::Deal { to: Place::Box(BoxNumber(1)), cards: cards("2h 5h 9h Jh Kh") });
    act(book, &mut table, &Command::Deal { to: Place::Dealer, cards: cards("2c 5s 9d Js Kd") });
    decision(book, &mut table, BoxNumber(1), Area::Bet, true);
    // An event that no command produces: more than any number of jackpot wagers.
    let player = Player("player-1".to_owned());
    let (area, amount) = (Area::Jackpot, Money::from_cents(3_000_000_000_000));
    let wager =
        Event::WagerPlaced { seat: BoxNumber(1), player, area, amount, unnoticed: false, placed_by: None };
    table = evolve(table, &wager);
    act(book, &mut table, &Command::Reveal { what: baize_rules::Reveal::Dealer });
    let refusal = decide(book, &table, &Command::Settle).unwrap_err();
    let fault = SettlementFault::JackpotWager { seat: BoxNumber(1), wager: amount };
    assert_eq!(refusal.why, Why::Settlement(fault));
}

/// Nobody waits for community cards, for a hand that is invalid, or for a burn that the record leaves out.
// RH 3.12; RS 5.15
#[test]
fn cards_that_nobody_waits_for_make_no_departure() {
    let departs = |book: &Rulebook, table: &Table, to: Place, codes: &str| {
        let cards: Vec<Card> = codes.split(' ').map(|code| code.parse().unwrap()).collect();
        let events = decide(book, table, &Command::Deal { to, cards }).unwrap();
        events
            .iter()
            .any(|event| matches!(event, Event::CardsDealt { departs_from, .. } if !departs_from.is_empty()))
    };
    let (first, second) = (Place::Box(BoxNumber(1)), Place::Box(BoxNumber(2)));
    let holdem = rulebook("rws-progressive-holdem");
    let table = closed(holdem, ProcedureName::Shuffler, &[1, 2]);
    assert!(!departs(holdem, &table, first, "As Ks"), "the board may come later");
    assert!(departs(holdem, &table, second, "As Ks"), "box 1 comes first");
    let stud = rulebook("rws-casino-stud");
    let mut table = closed(stud, ProcedureName::Shuffler, &[1, 2]);
    assert!(departs(stud, &table, second, "As Ks Qs Js 9s"));
    let cites = stud.irregularities.anything_else.cites;
    table = evolve(table, &Event::HandInvalidated { seat: BoxNumber(1), cites });
    assert!(!departs(stud, &table, second, "As Ks Qs Js 9s"), "an invalid hand gets no cards");
}
