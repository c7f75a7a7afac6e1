//! The story of a round so far, as a person who comes to the table late reads it. It is told from a view alone.

#![allow(clippy::unwrap_used, reason = "in a test a panic is a failure")]

use baize_cards::Card;
use baize_rules::{Area, BoxNumber, IrregularityKind, Money, Place, Reveal, Role, Rulebook};
use baize_table::{
    Choice, Command, Facts, Player, Report, Ruling, RulingKind, Settings, Staff, Table, Viewer, decide,
    evolve, recap, view,
};

struct Evening {
    book: &'static Rulebook,
    table: Table,
}

impl Evening {
    fn at(id: &str) -> Evening {
        let book = Rulebook::builtin(id).unwrap();
        let mut evening = Evening { book, table: Table::new(Settings::usual(book)) };
        evening.act(Command::Open);
        evening
    }

    fn act(&mut self, command: Command) -> &mut Evening {
        let events = decide(self.book, &self.table, &command).unwrap_or_else(|refusal| panic!("{refusal}"));
        self.table = events.iter().fold(self.table.clone(), evolve);
        self
    }

    fn bet(&mut self, seat: u8, player: &str, area: Area, dollars: i32) -> &mut Evening {
        let (seat, player, amount) = (BoxNumber(seat), Player::from(player), Money::from_dollars(dollars));
        self.act(Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None })
    }

    fn deal(&mut self, to: Place, cards: &str) -> &mut Evening {
        let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
        self.act(Command::Deal { to, cards })
    }

    fn report(&mut self, kind: IrregularityKind, seat: Option<u8>, facts: Facts) -> &mut Evening {
        let (seat, by) = (seat.map(BoxNumber), Staff::of(Role::PitSupervisor));
        self.act(Command::Report(Report { kind, seat, facts, by }))
    }

    /// What the public reads; what it read before, in the words it had then, is left out.
    fn goes_on(&self, before: &mut Vec<String>) -> Vec<String> {
        let seen = view(self.book, &self.table, &Viewer::Public);
        let story: Vec<String> = recap(self.book, &seen).iter().map(ToString::to_string).collect();
        let new = story.iter().filter(|line| !before.contains(line)).cloned().collect();
        *before = story;
        new
    }
}

const fn seat(number: u8) -> Place {
    Place::Box(BoxNumber(number))
}

#[test]
fn a_stud_round() {
    let mut evening = Evening::at("rws-casino-stud");
    let mut told = Vec::new();
    assert_eq!(evening.goes_on(&mut told), ["\"Place your bets, please.\" (3.2)"]);
    evening.bet(1, "ann", Area::Ante, 50).bet(1, "ann", Area::Jackpot, 5).bet(2, "ben", Area::Ante, 20);
    assert_eq!(
        evening.goes_on(&mut told),
        ["Box 1 (ann) bets 50.00 on the ante, 5.00 on the jackpot.", "Box 2 (ben) bets 20.00 on the ante."]
    );
    evening.act(Command::Close);
    assert_eq!(evening.goes_on(&mut told), ["\"No more bets.\" (3.9, 5.21)"]);
    evening.deal(seat(1), "2h 5h 9h Jh Kh");
    assert_eq!(evening.goes_on(&mut told), ["The hands are being dealt."]);
    evening.deal(seat(2), "2c 2d 7s 8s Qd");
    assert_eq!(evening.goes_on(&mut told), ["The hands are dealt."]);
    evening.deal(Place::Dealer, "Ac Qs 9d");
    assert_eq!(evening.goes_on(&mut told), [""; 0], "no card of the dealer's lies face up yet");
    evening.deal(Place::Dealer, "4c 3s");
    assert_eq!(evening.goes_on(&mut told), ["The dealer's face-up card is 3♠."]);
    evening.bet(1, "ann", Area::Bet, 100).act(Command::Fold { seat: BoxNumber(2) });
    assert_eq!(evening.goes_on(&mut told), ["Box 1 (ann) bets 100.00.", "Box 2 (ben) folds."]);
    evening.act(Command::Reveal { what: Reveal::Dealer });
    // The face-up card is one of five now.
    assert!(!evening.goes_on(&mut Vec::new()).contains(&"The dealer's face-up card is 3♠.".to_owned()));
    assert_eq!(
        evening.goes_on(&mut told),
        [
            "The dealer shows A♣ Q♠ 9♦ 4♣ 3♠: Five Odd Cards, Ace Queen Nine Four Three, which does not qualify (1.14)."
        ]
    );
    evening.act(Command::Settle);
    assert_eq!(
        evening.goes_on(&mut told),
        ["The round is settled: box 1 +45.00 (Flush, jackpot claim) and box 2 -20.00."]
    );
}

#[test]
fn a_holdem_round() {
    let mut evening = Evening::at("rws-progressive-holdem");
    evening.bet(1, "ann", Area::Ante, 50).bet(2, "ben", Area::Ante, 20).bet(3, "cat", Area::Ante, 10);
    evening.act(Command::Close);
    evening.deal(seat(1), "Ah Kh").deal(seat(2), "2c 2d").deal(seat(3), "9c 9d");
    let mut told = Vec::new();
    evening.goes_on(&mut told);
    evening.bet(1, "ann", Area::Flop, 100).act(Command::Fold { seat: BoxNumber(2) });
    evening.bet(3, "cat", Area::Flop, 20);
    assert_eq!(
        evening.goes_on(&mut told),
        ["Box 1 (ann) bets 100.00 on the flop.", "Box 2 (ben) folds.", "Box 3 (cat) bets 20.00 on the flop."]
    );
    evening.deal(Place::Board, "Td 7h 4s");
    assert_eq!(evening.goes_on(&mut told), [""; 0], "the flop lies face down");
    evening.act(Command::Reveal { what: Reveal::Flop });
    assert_eq!(evening.goes_on(&mut told), ["The flop is dealt: 10♦ 7♥ 4♠."]);
    evening.bet(1, "ann", Area::Turn, 50).act(Command::Check { seat: BoxNumber(3) });
    assert_eq!(evening.goes_on(&mut told), ["Box 1 (ann) bets 50.00 on the turn.", "Box 3 (cat) checks."]);
    evening.deal(Place::Board, "3c").act(Command::Reveal { what: Reveal::Turn });
    assert_eq!(evening.goes_on(&mut told), ["The turn is dealt: 3♣."]);
    evening.act(Command::Check { seat: BoxNumber(1) }).act(Command::Check { seat: BoxNumber(3) });
    evening.act(Command::Decline { seat: BoxNumber(1) }).act(Command::Absent { seat: BoxNumber(3) });
    assert_eq!(
        evening.goes_on(&mut told),
        ["Box 1 (ann) checks.", "Box 1 (ann) does not show the hand (4.3).", "Box 3 (cat) has walked away."]
    );
    evening.deal(Place::Board, "2s").act(Command::Reveal { what: Reveal::River });
    evening.deal(Place::Dealer, "Qs Jd");
    assert_eq!(evening.goes_on(&mut told), ["The river is dealt: 2♠."]);
    evening.act(Command::Reveal { what: Reveal::Dealer });
    assert_eq!(
        evening.goes_on(&mut told),
        ["The dealer shows Q♠ J♦: Five Odd Cards, Queen Jack Ten Seven Four."]
    );
}

#[test]
fn what_the_round_waits_for() {
    let mut evening = Evening::at("rws-progressive-holdem");
    evening.bet(1, "ann", Area::Ante, 50).bet(2, "ben", Area::Ante, 20).act(Command::Close);
    evening.deal(seat(1), "Ah Kh").deal(seat(2), "2c 2d");
    let mut told = Vec::new();
    evening.goes_on(&mut told);
    evening.report(IrregularityKind::Other, None, Facts::default());
    assert_eq!(
        evening.goes_on(&mut told),
        [
            "Anything that the rules do not cover. A ruling is needed (5.23).",
            "Waiting for the Shift Manager to decide (5.23)."
        ]
    );
    let by = Staff::of(Role::ShiftManager);
    let reason = Some("nobody was affected".to_owned());
    evening.act(Command::Rule(Ruling { kind: RulingKind::Continue, by, reason }));
    assert_eq!(
        evening.goes_on(&mut told),
        ["Anything that the rules do not cover. Play continues, because nobody was affected (5.23)."]
    );
    let facts = Facts { reconstructable: Some(false), boxes: vec![BoxNumber(1)], ..Facts::default() };
    evening.report(IrregularityKind::DealingError, None, facts);
    assert_eq!(
        evening.goes_on(&mut told),
        [
            "Another dealing error. The affected players choose how to continue (5.10).",
            "Box 1 may continue with the hand or take the bets back (5.10)."
        ]
    );
    let (first, player) = (BoxNumber(1), None);
    evening.act(Command::Choose { seat: first, player, choice: Choice::Withdraw });
    assert_eq!(
        evening.goes_on(&mut told),
        ["Box 1 (ann) has an invalid hand: its wagers go back (5.10, 5.10.3)."]
    );
    evening.report(IrregularityKind::ForeignCard, None, Facts::default());
    assert_eq!(
        evening.goes_on(&mut told),
        [
            "A card that does not belong to the deck was found. The round is void: every wager goes back (5.8.1).",
            "The round is void: every wager goes back (5.8.1, 5.21)."
        ]
    );
}
