//! Plays sample rounds with the real engine.

use baize_cards::Card;
use baize_rules::{Area, BoxNumber, IrregularityKind, Money, Reveal, Role, Rulebook};
use baize_table::{
    Command, Event, Facts, JackpotPayment, Place, Player, Report, RoundView, Settings, Staff, Table, Viewer,
    decide, evolve, view,
};

/// A table, with all events so far.
pub(crate) struct Game {
    pub(crate) book: &'static Rulebook,
    pub(crate) table: Table,
    pub(crate) events: Vec<Event>,
    /// The table after each event.
    pub(crate) after: Vec<Table>,
}

impl Game {
    pub(crate) fn new(short: &str) -> Game {
        let book = Rulebook::builtins().iter().find(|book| book.short == short).expect("a built-in game");
        let mut settings = Settings::usual(book);
        settings.ante.least = Money::from_dollars(25);
        settings.ante.most = Money::from_dollars(5_000);
        settings.bonus.least = Money::from_dollars(5);
        settings.bonus.most = Money::from_dollars(500);
        Game { book, table: Table::new(settings), events: Vec::new(), after: Vec::new() }
    }

    pub(crate) fn go(&mut self, command: Command) -> &mut Game {
        let events =
            decide(self.book, &self.table, &command).unwrap_or_else(|no| panic!("{command:?}: {no}"));
        for event in events {
            self.table = evolve(self.table.clone(), &event);
            self.events.push(event);
            self.after.push(self.table.clone());
        }
        self
    }

    pub(crate) fn bet(&mut self, seat: u8, player: &str, area: Area, dollars: i32) -> &mut Game {
        let amount = Money::from_dollars(dollars);
        self.go(Command::PlaceWager {
            seat: BoxNumber(seat),
            player: player.into(),
            area,
            amount,
            unnoticed: false,
            placed_by: None,
        })
    }

    pub(crate) fn deal(&mut self, to: Place, cards: &str) -> &mut Game {
        let cards: Vec<Card> = cards.split(' ').map(|c| c.parse().expect("a card")).collect();
        self.go(Command::Deal { to, cards })
    }

    pub(crate) fn burn(&mut self, card: &str) -> &mut Game {
        self.go(Command::Burn { card: card.parse().expect("a card") })
    }

    pub(crate) fn look(&mut self, seat: u8) -> &mut Game {
        self.go(Command::Look { seat: BoxNumber(seat) })
    }

    pub(crate) fn reveal(&mut self, what: Reveal) -> &mut Game {
        self.go(Command::Reveal { what })
    }

    pub(crate) fn pay(&mut self, seat: u8, dollars: i32) -> &mut Game {
        let payment = JackpotPayment {
            seat: BoxNumber(seat),
            amount: Money::from_dollars(dollars),
            cites: self.book.jackpot.table,
            interpretation: None,
        };
        self.go(Command::PayJackpot { payments: vec![payment] })
    }

    pub(crate) fn view(&self, viewer: &Viewer) -> RoundView {
        view(self.book, &self.table, viewer)
    }

    pub(crate) fn seen_by(&self, player: &str) -> RoundView {
        self.view(&Viewer::Player(Player(player.to_owned())))
    }
}

/// A report.
pub(crate) fn report(kind: IrregularityKind, facts: Facts) -> Report {
    Report { kind, seat: None, facts, by: Staff::of(Role::PitSupervisor) }
}

/// Hold'em: three players, hands dealt, ann (box 3) has looked and must decide.
pub(crate) fn holdem_decision() -> Game {
    let mut game = Game::new("RH");
    game.go(Command::Open);
    game.bet(1, "mei", Area::Ante, 25).bet(1, "mei", Area::Jackpot, 5);
    game.bet(3, "ann", Area::Ante, 50).bet(3, "ann", Area::Bonus, 10).bet(3, "ann", Area::Jackpot, 5);
    game.bet(6, "ravi", Area::Ante, 1000).bet(6, "ravi", Area::Bonus, 100);
    game.go(Command::Close).burn("2c");
    game.deal(Place::Box(BoxNumber(1)), "9c 9d")
        .deal(Place::Box(BoxNumber(3)), "As Kh")
        .deal(Place::Box(BoxNumber(6)), "7h 2d");
    game.look(1).look(3);
    game.bet(1, "mei", Area::Flop, 50);
    game
}

/// The same round before its river decision.
pub(crate) fn holdem_river() -> Game {
    let mut game = holdem_decision();
    game.bet(3, "ann", Area::Flop, 100).look(6).go(Command::Fold { seat: BoxNumber(6) });
    game.burn("3c").deal(Place::Board, "Ah Kd 5s").reveal(Reveal::Flop);
    game.bet(1, "mei", Area::Turn, 25).bet(3, "ann", Area::Turn, 50);
    game.burn("4c").deal(Place::Board, "Qs").reveal(Reveal::Turn);
    game
}

/// The same round settled.
pub(crate) fn holdem_settled() -> Game {
    let mut game = holdem_river();
    game.go(Command::Check { seat: BoxNumber(1) }).bet(3, "ann", Area::River, 50);
    game.burn("5c").deal(Place::Board, "9h").reveal(Reveal::River);
    game.deal(Place::Dealer, "Qd Jd").reveal(Reveal::Dealer).go(Command::Settle);
    game
}

/// Stud: hands are out, ann (box 4) decides.
pub(crate) fn stud_decision() -> Game {
    let mut game = Game::new("MS");
    game.go(Command::Open);
    game.bet(2, "ben", Area::Ante, 100).bet(4, "ann", Area::Ante, 50).bet(4, "ann", Area::Jackpot, 5);
    game.go(Command::Close);
    game.deal(Place::Box(BoxNumber(2)), "2c 2d 7s 8s Qd")
        .deal(Place::Box(BoxNumber(4)), "2h 5h 9h Jh Kh")
        .deal(Place::Dealer, "Ac Ks 9d 4c 3s");
    game.look(2).look(4);
    game
}

/// The same round settled, the jackpot paid.
pub(crate) fn stud_settled() -> Game {
    let mut game = stud_decision();
    game.go(Command::Fold { seat: BoxNumber(2) })
        .bet(4, "ann", Area::Bet, 100)
        .reveal(Reveal::Dealer)
        .go(Command::Settle);
    game.pay(4, 200);
    game
}
