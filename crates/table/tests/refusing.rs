//! Set-ups, reports and settlements that are refused at exactly the right boundary, with words that name the right box, card or amount.

#![allow(clippy::unwrap_used, reason = "in a test a panic is a failure")]

use baize_cards::Card;
use baize_rules::{
    Area, BoxNumber, Cites, FoundSettled, IrregularityKind, Money, OpenPoint, Place, Role, Rulebook, Whose,
};
use baize_table::{
    BoxSettlement, BoxStanding, BoxWagers, Command, Event, Facts, Limits, Line, Player, Report, ResultKind,
    Settings, SettlementFault, Staff, Stake, Table, Terms, award, decide, evolve, judge, settle_box,
};

fn book(id: &str) -> &'static Rulebook {
    Rulebook::builtin(id).unwrap()
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

const fn dollars(amount: i32) -> Money {
    Money::from_dollars(amount)
}

fn bet(number: u8, player: &str, area: Area, amount: i32) -> Command {
    let (seat, player, amount) = (BoxNumber(number), Player::from(player), dollars(amount));
    Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None }
}

fn deal(to: Place, text: &str) -> Command {
    Command::Deal { to, cards: cards(text) }
}

fn report(kind: IrregularityKind, facts: Facts) -> Command {
    Command::Report(Report { kind, seat: None, facts, by: Staff::of(Role::ShiftManager) })
}

fn after(book: &Rulebook, settings: Settings, commands: &[Command]) -> Table {
    let mut table = Table::new(settings);
    for command in commands {
        let events = decide(book, &table, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
        table = events.iter().fold(table, evolve);
    }
    table
}

/// A round of stud in which boxes 1 and 2 and the dealer have their cards.
fn dealt(book: &Rulebook) -> Table {
    let boxes = [Place::Box(BoxNumber(1)), Place::Box(BoxNumber(2))];
    after(
        book,
        Settings::usual(book),
        &[
            Command::Open,
            bet(1, "ann", Area::Ante, 50),
            bet(2, "ben", Area::Ante, 50),
            Command::Close,
            deal(boxes[0], "2h 5h 9h Jh Kh"),
            deal(boxes[1], "2c 2d 7s 8s Qd"),
            deal(Place::Dealer, "Ac Qs 9d 4c 3s"),
        ],
    )
}

fn refused(book: &Rulebook, table: &Table, command: &Command) -> String {
    decide(book, table, command).unwrap_err().to_string()
}

// RWS 3.3, 3.4; MBS 3.4: limits have a minimum above nothing and a maximum that is no lower.
#[test]
fn limits_from_the_minimum_to_the_maximum() {
    let book = book("rws-casino-stud");
    let accepted = |least: i32, most: i32| {
        let limits = Limits { least: dollars(least), most: dollars(most) };
        let (ante, bonus) = (Settings::usual(book), Settings::usual(book));
        let both = [Settings { ante: limits, ..ante }, Settings { bonus: limits, ..bonus }];
        let [ante, bonus] = both.map(|settings| settings.checked(book).is_ok());
        assert_eq!(ante, bonus);
        ante
    };
    assert!(accepted(10, 500) && accepted(25, 25));
    assert!(!accepted(26, 25) && !accepted(500, 10) && !accepted(0, 500) && !accepted(-1, 500));
}

// MH 3.5.3: one to five times the minimum; RH 3.8: the prescribed amount.
#[test]
fn a_refused_jackpot_wager_says_how_often_it_may_be_placed() {
    for (id, words) in [
        ("mbs-megalink-holdem", "7.00 is not a jackpot wager here: 5.00 is prescribed, 1 to 5 times"),
        ("rws-progressive-holdem", "7.00 is not a jackpot wager here: 5.00 is prescribed"),
    ] {
        let book = book(id);
        let table = after(book, Settings::usual(book), &[Command::Open, bet(1, "ann", Area::Ante, 50)]);
        let refusal = decide(book, &table, &bet(1, "ann", Area::Jackpot, 7)).unwrap_err();
        assert_eq!(refusal.why.to_string(), words);
        assert_eq!(refusal.to_string(), format!("{words} ({})", refusal.cites));
    }
}

/// A report that contradicts the table is refused with what the table knows.
// RWS 5.8.2, 5.14
#[test]
fn a_report_that_contradicts_the_table() {
    let book = book("rws-casino-stud");
    let table = dealt(book);
    let contradicts = |table: &Table, kind, facts, words: &str| {
        let refused = refused(book, table, &report(kind, facts));
        assert!(refused.starts_with(&format!("the report contradicts the table: {words} (")), "{refused}");
    };
    let exposed = IrregularityKind::ExposedCards;
    let of = |whose, card: &str| Facts {
        count: Some(1),
        whose: Some(whose),
        card: Some(card.parse().unwrap()),
        ..Facts::default()
    };
    contradicts(&table, exposed, of(Whose::Other, "Qs"), "Q♠ is one of the dealer's cards");
    contradicts(&table, exposed, of(Whose::Dealer, "5h"), "5♥ is not one of the dealer's cards");
    let looked = evolve(table.clone(), &Event::HandLookedAt { seat: BoxNumber(2) });
    let unseen = Facts { count: Some(2), seen: Some(false), ..Facts::default() };
    contradicts(&looked, exposed, unseen, "the hand of box 2 has been examined");
    let together = |count| Facts { count: Some(count), ..Facts::default() };
    let draw = IrregularityKind::SimultaneousDraw;
    assert!(decide(book, &table, &report(draw, together(52))).is_ok());
    contradicts(&table, draw, together(53), "a deck has 52 cards");
    let before =
        after(book, Settings::usual(book), &[Command::Open, bet(1, "ann", Area::Ante, 50), Command::Close]);
    let dealing = Facts { dealing: Some(true), ..Facts::default() };
    contradicts(&before, IrregularityKind::Other, dealing.clone(), "no card has been dealt");
    assert!(decide(book, &table, &report(IrregularityKind::Other, dealing)).is_ok());
}

/// A slip names I-21 only if its reading decided the slip: the hand could have been settled anew.
// RS 5.15
#[test]
fn a_reading_is_named_only_where_it_decides() {
    let book = book("rws-casino-stud");
    let mut table = dealt(book);
    table.settings.readings.found_settled = FoundSettled::Returned;
    for command in [
        bet(1, "ann", Area::Bet, 100),
        Command::Fold { seat: BoxNumber(2) },
        Command::Reveal { what: baize_rules::Reveal::Dealer },
        Command::Settle,
    ] {
        table = decide(book, &table, &command).unwrap().iter().fold(table, evolve);
    }
    for (can, point) in [(true, Some(OpenPoint::FoundSettled)), (false, None)] {
        let facts = Facts { reconstructable: Some(can), ..Facts::default() };
        let (kind, by) = (IrregularityKind::WrongPlayerHand, Staff::of(Role::ShiftManager));
        let wrong = Report { kind, seat: Some(BoxNumber(1)), facts, by };
        let events = decide(book, &table, &Command::Report(wrong)).unwrap();
        let slip = events
            .iter()
            .find_map(|event| if let Event::SlipCorrected { slip, .. } = event { Some(slip) } else { None });
        let lines = &slip.unwrap().lines;
        assert!(lines.iter().all(|line| line.result == ResultKind::Returned && line.interpretation == point));
    }
}

/// An award on seven cards is made when all five community cards lie open, not before.
// RH 4.2; MB 4.2
#[test]
fn an_award_waits_for_its_cards() {
    for id in ["rws-progressive-holdem", "mbs-holdem-bonus"] {
        let (book, hole) = (book(id), cards("9h 8h"));
        assert_eq!(award(book, &hole, &cards("7h 6h 5h"), false), None);
        assert_eq!(award(book, &hole, &cards("7h 6h 5h 2c"), false), None);
        let made = award(book, &hole, &cards("7h 6h 5h 2c Kd"), false).unwrap();
        assert_eq!(book.jackpot.awards[made].class, baize_cards::HandClass::StraightFlush);
    }
}

/// The dealer's hand has a value when all of it and the whole board lie open.
#[test]
fn the_dealers_hand_is_ranked_with_all_its_cards() {
    let holdem = book("rws-progressive-holdem");
    let (board, dealer) = (cards("Td 7h 4s 3c 2d"), cards("Kc Kd"));
    assert!(judge(holdem, &board, &dealer).value.is_some());
    assert_eq!(judge(holdem, &board, &[]).value, None);
    assert_eq!(judge(holdem, &board[..4], &dealer).value, None);
}

fn lines(id: &str, jackpot: i32, standing: BoxStanding) -> Result<Vec<Line>, SettlementFault> {
    let book = book(id);
    let terms = Terms::from(&Settings::usual(book));
    let (player, dealer) = (cards("2h 5h 9h Jh Kh"), cards("Ac Qs 9d 4c 3s"));
    let mut stakes = [Money::ZERO; Area::COUNT];
    stakes[Area::Ante.index()] = dollars(50);
    stakes[Area::Bet.index()] =
        if matches!(standing, BoxStanding::Plays) { dollars(100) } else { Money::ZERO };
    stakes[Area::Jackpot.index()] = dollars(jackpot);
    let wagers = BoxWagers { seat: BoxNumber(1), stakes, cards: &player, standing };
    settle_box(book, &terms, &judge(book, &[], &dealer), &wagers).map(|lines| lines.lines.to_vec())
}

// RS 3.8: the prescribed amount.
#[test]
fn a_claim_without_a_whole_jackpot_wager_is_a_fault() {
    let fault = SettlementFault::JackpotWager { seat: BoxNumber(1), wager: dollars(7) };
    assert_eq!(lines("rws-casino-stud", 7, BoxStanding::Plays), Err(fault));
    assert!(lines("rws-casino-stud", 5, BoxStanding::Plays).is_ok());
}

/// A lost jackpot wager cites what a fold forfeits only if the hand has folded and folds forfeit anything.
// RS 3.12.1, 4.2; MS 4.2
#[test]
fn a_lost_jackpot_wager_cites_the_fold_only_after_a_fold() {
    let cites = |id: &str, standing: BoxStanding| -> Cites {
        let lines = lines(id, 5, standing).unwrap();
        lines.iter().find(|line| line.area == Area::Jackpot).unwrap().cites
    };
    let stud = book("rws-casino-stud");
    let folded = BoxStanding::Folded(stud.jackpot.after_fold.cites);
    assert_eq!(cites("rws-casino-stud", folded), stud.jackpot.after_fold.cites.and(stud.jackpot.table));
    let holdem = book("rws-progressive-holdem");
    let (board, dealer) = (cards("Td 7h 4s 3c 2d"), cards("Kc Kd"));
    let mut stakes = [Money::ZERO; Area::COUNT];
    for (area, amount) in [(Area::Ante, 50), (Area::Flop, 100), (Area::Jackpot, 5)] {
        stakes[area.index()] = dollars(amount);
    }
    let hole = cards("Ah Qc");
    let wagers = BoxWagers { seat: BoxNumber(1), stakes, cards: &hole, standing: BoxStanding::Plays };
    let terms = Terms::from(&Settings::usual(holdem));
    let settled = settle_box(holdem, &terms, &judge(holdem, &board, &dealer), &wagers).unwrap();
    let jackpot = settled.lines.iter().find(|line| line.area == Area::Jackpot).unwrap();
    assert_eq!(jackpot.cites, holdem.jackpot.table);
}

/// Chips that were set aside go to their owner; what that owner placed before still plays.
#[test]
fn a_player_keeps_the_chips_that_were_not_set_aside() {
    let stake =
        |player: &str, amount| Stake { player: player.into(), area: Area::Ante, amount: dollars(amount) };
    let line = |staked: i32, result, amount: i32| Line {
        area: Area::Ante,
        staked: dollars(staked),
        result,
        amount: dollars(amount),
        cites: Cites::NONE,
        interpretation: None,
    };
    let slip = BoxSettlement {
        seat: BoxNumber(1),
        player: "ann".into(),
        hand: None,
        lines: vec![line(30, ResultKind::Returned, 30), line(70, ResultKind::Win, 70)],
        stakes: vec![stake("ben", 20), stake("ann", 50), stake("ben", 30)],
        set_aside: vec![stake("ben", 30)],
    };
    let shares: Vec<_> =
        slip.shares().into_iter().map(|share| (share.player.0, share.staked, share.handed_over)).collect();
    // Ben: 30 back, and 20 that won 20. Ann: 50 that won 50.
    let expected = [("ben", 50, 70), ("ann", 50, 100)];
    assert_eq!(
        shares,
        expected.map(|(name, staked, over)| (name.to_owned(), dollars(staked), dollars(over)))
    );
    assert!(slip.returns(Area::Ante) && !slip.returns(Area::Bonus));
}
