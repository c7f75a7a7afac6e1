//! A player of random rounds: it asks `legal` what could be done and does some of it, with nonsense in between.

use baize_cards::{Card, CardSet};
use baize_rules::{Area, BoxNumber, FaultScope, IrregularityKind, Money, Reveal, Role, Rulebook, Whose};
use baize_table::{
    Choice, Command, Due, Event, Facts, JackpotPayment, Phase, Place, Player, PutBack, Report, Ruling,
    RulingKind, Settings, Staff, Table, decide, evolve, legal,
};

/// A small random number generator (splitmix64), so that a failing seed can be rerun.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % sides.max(1) as u64).unwrap()
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.roll(items.len())]) }
    }

    pub(crate) fn bool(&mut self) -> bool {
        self.roll(2) == 0
    }
}

pub(crate) const PLAYERS: [&str; 4] = ["ann", "ben", "cal", "dee"];

/// A table of this game with this procedure.
pub(crate) fn table(book: &Rulebook, procedure: usize) -> Table {
    let mut settings = Settings::usual(book);
    settings.procedure = book.procedures[procedure % book.procedures.len()].name;
    settings.ante.least = Money::from_dollars(10);
    settings.ante.most = Money::from_dollars(500);
    settings.bonus.least = Money::from_dollars(5);
    settings.bonus.most = Money::from_dollars(200);
    Table::new(settings.checked(book).unwrap())
}

fn free_cards(table: &Table, dice: &mut Dice, count: usize) -> Vec<Card> {
    let out = match &table.round.phase {
        Phase::Play(play) => play.cards_out(),
        Phase::Idle | Phase::Betting(_) | Phase::Finished(_) => CardSet::EMPTY,
    };
    let mut free: Vec<Card> = CardSet::FULL.difference(out).iter().collect();
    (0..count.min(free.len())).map(|_| free.swap_remove(dice.roll(free.len()))).collect()
}

/// Something that is probably allowed now.
pub(crate) fn sensible(book: &Rulebook, table: &Table, dice: &mut Dice) -> Command {
    let legal = legal(book, table);
    if let Phase::Finished(finished) = &table.round.phase
        && let Some(claim) = finished.claims.first()
    {
        let payment = JackpotPayment {
            seat: claim.seat,
            amount: Money::from_dollars(100),
            cites: book.jackpot.table,
            interpretation: None,
        };
        return Command::PayJackpot { payments: vec![payment] };
    }
    if let Some((kind, role)) = legal.rulings.iter().find(|(kind, _)| {
        matches!(kind, RulingKind::Continue | RulingKind::FirstCard(_) | RulingKind::NotIntentional)
    }) {
        let ruling = Ruling { kind: kind.clone(), by: Staff::of(*role), reason: Some("as seen".into()) };
        return Command::Rule(ruling);
    }
    if let Some((seat, player, choice)) = dice.pick(&legal.shared_choices) {
        return Command::Choose { seat: *seat, player: Some(player.clone()), choice: *choice };
    }
    if let Some((seat, choice)) = dice.pick(&legal.choices) {
        return Command::Choose { seat: *seat, player: None, choice: *choice };
    }
    if let Some(Due::PutBack { card: PutBack { to, .. }, .. }) = &legal.due {
        let put = |card| match *to {
            Some(to) => Command::Deal { to, cards: vec![card] },
            None => Command::Burn { card },
        };
        let mut puts = CardSet::FULL.iter().map(put);
        return puts
            .find(|put| decide(book, table, put).is_ok())
            .expect("a card that is due can be put back");
    }
    if legal.open {
        return Command::Open;
    }
    if legal.settle {
        return Command::Settle;
    }
    if table.standing.jackpot_fault && matches!(table.round.phase, Phase::Finished(_) | Phase::Idle) {
        let ruling = Ruling { kind: RulingKind::NoJackpot, by: Staff::of(Role::ShiftManager), reason: None };
        return Command::Rule(ruling);
    }
    match &table.round.phase {
        Phase::Betting(betting) => {
            if legal.close && (betting.boxes.len() > 4 || dice.roll(6) == 0) {
                return Command::Close;
            }
            if dice.roll(40) == 0
                && let Some((seat, player, area)) = dice.pick(&legal.withdrawals)
            {
                return Command::Withdraw { seat: *seat, player: player.clone(), area: *area };
            }
            // Chips that were not noticed in time: under the minimum, or a jackpot wager without an ante.
            if dice.roll(30) == 0 {
                return Command::PlaceWager {
                    seat: BoxNumber(1 + u8::try_from(dice.roll(3)).unwrap()),
                    player: Player::from(PLAYERS[dice.roll(PLAYERS.len())]),
                    area: [Area::Ante, Area::Jackpot][dice.roll(2)],
                    amount: Money::from_dollars(5),
                    unnoticed: true,
                    placed_by: None,
                };
            }
            let Some(choice) = dice.pick(&legal.wagers) else { return Command::Close };
            let step = choice.amounts.step.cents().max(1);
            let steps = usize::try_from((choice.amounts.to - choice.amounts.from).cents() / step).unwrap();
            let extra = i64::try_from(dice.roll(steps.min(40) + 1)).unwrap() * step;
            let player = match &choice.players {
                baize_table::Players::Only(player) => player.clone(),
                baize_table::Players::AnyoneBut(_) => Player::from(PLAYERS[dice.roll(PLAYERS.len())]),
            };
            Command::PlaceWager {
                seat: choice.seat,
                player,
                area: choice.area,
                amount: choice.amounts.from + Money::from_cents(extra),
                unnoticed: false,
                placed_by: None,
            }
        }
        Phase::Play(play) => {
            let due =
                play.hands.iter().find(|(_, hand)| hand.in_play() && hand.cards.len() < book.hand_size());
            if let Some((seat, hand)) = due {
                let whole = book.hand_size() - hand.cards.len();
                let count = if dice.roll(4) == 0 { 1 } else { whole };
                let cards = free_cards(table, dice, count);
                return Command::Deal { to: Place::Box(*seat), cards };
            }
            if play.dealer.len() < book.hand_size() {
                let cards = free_cards(table, dice, book.hand_size() - play.dealer.len());
                return Command::Deal { to: Place::Dealer, cards };
            }
            if play.board.len() < book.board_size() {
                let cards = free_cards(table, dice, book.board_size() - play.board.len());
                return Command::Deal { to: Place::Board, cards };
            }
            if dice.bool()
                && let Some(seat) = dice.pick(&legal.looks)
            {
                return Command::Look { seat: *seat };
            }
            if let Some(what) = legal.reveals.first() {
                if dice.roll(8) == 0
                    && let Some(seat) = dice.pick(&legal.declines)
                {
                    return Command::Decline { seat: *seat };
                }
                return Command::Reveal { what: *what };
            }
            if dice.roll(3) == 0
                && let Some(seat) = dice.pick(&[legal.folds.clone(), legal.checks.clone()].concat())
            {
                let folds = legal.folds.contains(seat);
                return if folds { Command::Fold { seat: *seat } } else { Command::Check { seat: *seat } };
            }
            match dice.pick(&legal.wagers) {
                Some(choice) => {
                    let baize_table::Players::Only(player) = &choice.players else { return Command::Settle };
                    Command::PlaceWager {
                        seat: choice.seat,
                        player: player.clone(),
                        area: choice.area,
                        amount: choice.amounts.from,
                        unnoticed: false,
                        placed_by: None,
                    }
                }
                None => Command::Settle,
            }
        }
        Phase::Idle | Phase::Finished(_) => Command::Open,
    }
}

/// Anything at all.
pub(crate) fn anything(table: &Table, dice: &mut Dice) -> Command {
    let seat = BoxNumber(u8::try_from(dice.roll(9)).unwrap());
    let player = Player::from(PLAYERS[dice.roll(PLAYERS.len())]);
    let area = Area::ALL[dice.roll(Area::COUNT)];
    let role = Role::ALL[dice.roll(4)];
    match dice.roll(18) {
        0 => Command::Open,
        1..=3 => {
            let amounts = [0, 1, 500, 1000, 1500, 2000, 4000, 5000, 10_000, 60_000, i64::MAX / 200];
            let amount = Money::from_cents(amounts[dice.roll(amounts.len())]);
            Command::PlaceWager {
                seat,
                player,
                area,
                amount,
                unnoticed: dice.roll(3) == 0,
                placed_by: Some(role),
            }
        }
        4 => Command::Withdraw { seat, player, area },
        5 => Command::Close,
        6 => Command::Burn { card: Card::from_index(dice.roll(52)).unwrap() },
        7 => {
            let to = [Place::Box(seat), Place::Board, Place::Dealer][dice.roll(3)];
            let count = dice.roll(4);
            let mut cards = free_cards(table, dice, count);
            if dice.roll(3) == 0 {
                cards.push(Card::from_index(dice.roll(52)).unwrap());
            }
            Command::Deal { to, cards }
        }
        8 => Command::Look { seat },
        9 => Command::Fold { seat },
        10 => Command::Check { seat },
        11 => Command::Reveal { what: Reveal::ALL[dice.roll(4)] },
        12 => [Command::Show { seat }, Command::Decline { seat }][dice.roll(2)].clone(),
        13 => Command::Absent { seat },
        14 => {
            Command::Choose { seat, player: dice.bool().then_some(player), choice: Choice::ALL[dice.roll(3)] }
        }
        15 => Command::Settle,
        16 => {
            let kinds = [
                RulingKind::Void,
                RulingKind::Continue,
                RulingKind::FirstCard(seat.0),
                RulingKind::NoJackpot,
                RulingKind::BarBox(seat),
                RulingKind::JackpotRestored,
                RulingKind::Restrict(player.clone()),
                RulingKind::Bar(player.clone()),
                RulingKind::Lift(player.clone()),
                RulingKind::Stop(player),
                RulingKind::PermitWithdrawal,
                RulingKind::Intentional,
                RulingKind::NotIntentional,
            ];
            let kind = kinds[dice.roll(kinds.len())].clone();
            Command::Rule(Ruling { kind, by: Staff::of(role), reason: None })
        }
        _ => report(dice),
    }
}

/// A report with facts that may or may not fit.
pub(crate) fn report(dice: &mut Dice) -> Command {
    let seat = BoxNumber(u8::try_from(dice.roll(8)).unwrap());
    let maybe = |dice: &mut Dice| [None, Some(true), Some(false)][dice.roll(3)];
    let facts = Facts {
        count: [None, Some(1), Some(2), Some(60)][dice.roll(4)],
        seen: maybe(dice),
        reconstructable: maybe(dice),
        intentional: maybe(dice),
        whose: [None, Some(Whose::Dealer), Some(Whose::Other)][dice.roll(3)],
        card: (dice.roll(4) == 0).then(|| Card::from_index(dice.roll(52)).unwrap()),
        player: Some(Player::from(PLAYERS[dice.roll(PLAYERS.len())])),
        boxes: if dice.roll(4) == 0 { vec![seat] } else { Vec::new() },
        moves: if dice.roll(4) == 0 {
            vec![(BoxNumber(1), BoxNumber(2)), (BoxNumber(2), BoxNumber(1))]
        } else {
            Vec::new()
        },
        shift: dice.roll(4) == 0,
        card_by_card: dice.bool(),
        dealing: maybe(dice),
        scope: [None, Some(FaultScope::Box), Some(FaultScope::Table), Some(FaultScope::System)][dice.roll(4)],
        previous_round: dice.roll(8) == 0,
    };
    Command::Report(Report {
        kind: IrregularityKind::ALL[dice.roll(IrregularityKind::ALL.len())],
        seat: dice.bool().then_some(seat),
        facts,
        by: Staff::of(Role::ALL[dice.roll(4)]),
    })
}

/// Applies this command if it is allowed; returns its events.
pub(crate) fn apply(book: &Rulebook, table: &mut Table, command: &Command) -> Option<Vec<Event>> {
    let events = decide(book, table, command).ok()?;
    *table = events.iter().fold(table.clone(), evolve);
    Some(events)
}

/// A report that fits the table: a kind that can be reported now, with facts that do not contradict it.
pub(crate) fn fitting_report(book: &Rulebook, table: &Table, dice: &mut Dice) -> Option<Command> {
    let kinds = legal(book, table).reports;
    let kind = *dice.pick(&kinds)?;
    let seats: Vec<BoxNumber> = table.round.seated().into_keys().collect();
    let seat = *dice.pick(&seats)?;
    let other = *dice.pick(&seats)?;
    let dealer: Vec<Card> = match &table.round.phase {
        Phase::Play(play) => play.dealer.clone(),
        Phase::Idle | Phase::Betting(_) | Phase::Finished(_) => Vec::new(),
    };
    let whose_dealer = dice.bool() && !dealer.is_empty();
    let facts = Facts {
        count: Some(u32::try_from(1 + dice.roll(2)).unwrap()),
        reconstructable: Some(dice.bool()),
        intentional: Some(dice.bool()),
        whose: whose_dealer.then_some(Whose::Dealer),
        card: if whose_dealer { dice.pick(&dealer).copied() } else { None },
        moves: if seat != other && dice.bool() { vec![(seat, other), (other, seat)] } else { Vec::new() },
        shift: dice.bool(),
        card_by_card: dice.bool(),
        ..Facts::default()
    };
    Some(Command::Report(Report { kind, seat: Some(seat), facts, by: Staff::of(Role::ShiftManager) }))
}

/// One card too many somewhere.
pub(crate) fn one_too_many(table: &Table, dice: &mut Dice) -> Command {
    let seats: Vec<BoxNumber> = table.round.seated().into_keys().collect();
    let to = match dice.pick(&seats) {
        Some(seat) if dice.bool() => Place::Box(*seat),
        _ => [Place::Board, Place::Dealer][dice.roll(2)],
    };
    Command::Deal { to, cards: free_cards(table, dice, 1) }
}
