//! Properties of random orders at three tables that share a jackpot.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "in a test a panic is a failure")]

/// The player of random rounds that the tests of `table` use.
#[allow(dead_code, unreachable_pub, reason = "the floor needs some of it")]
#[path = "../../table/tests/support/mod.rs"]
mod player;

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet};
use baize_floor::{
    AwardTransfer, Fact, KnownJackpot, LinkedTable, OrderResults, Stop, Verification, act, ask, legal, owes,
    pay, takes_wagers,
};
use baize_jackpot::{
    Command as Request, Configuration, Event as Answer, Exact, HitState, Jackpot, Parameters, Person,
    TableLink, decide, evolve,
};
use baize_rules::{Area, BoxNumber, Money, Percent, Role, Rulebook};
use baize_table::{Command, Legal, Phase, Place, Players, ResultKind, Ruling, RulingKind, Staff, Table};
use player::{Dice, anything, fitting_report, sensible};
use proptest::prelude::*;

fn boss() -> Person {
    Person { name: "max".to_owned(), role: Role::ShiftManager }
}

/// Three tables of one operator on one jackpot.
struct Floor {
    books: Vec<&'static Rulebook>,
    names: [&'static str; 3],
    tables: Vec<Table>,
    jackpot: Jackpot,
    order: u64,
    verification: Verification,
    /// What went through the meter according to the facts, counted independently of the jackpot.
    counted: Counted,
}

/// Money by the facts alone.
#[derive(Default)]
struct Counted {
    base: Exact,
    contributed: Exact,
    returned: Exact,
    from_house: Exact,
    paid: Exact,
    /// What each valid hit draws from the meter.
    locked: BTreeMap<u64, Money>,
    /// Awards held by their table.
    drawn: BTreeMap<u64, AwardTransfer>,
}

impl Counted {
    fn fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Table(_) => {}
            Fact::AwardDrawn(award) => assert!(self.drawn.insert(award.hit, *award).is_none(), "drawn twice"),
            Fact::AwardReturned(award) => assert_eq!(self.drawn.remove(&award.hit), Some(*award)),
            Fact::Jackpot(step) => step.events.iter().for_each(|event| self.answer(event)),
        }
    }

    fn answer(&mut self, event: &Answer) {
        match event {
            Answer::BetsClosed { contributions, .. } => {
                self.contributed += contributions.iter().map(|made| made.pools.total()).sum::<Exact>();
            }
            Answer::TakenOut { pools, .. } => self.returned += pools.total(),
            Answer::HitsPriced { prices, paid, from_house, .. } => {
                self.paid += *paid;
                self.from_house += *from_house;
                for price in prices {
                    self.locked.insert(price.hit, price.payment.from_meter);
                }
            }
            Answer::HitRejected { hit, .. } | Answer::HitReversed { hit, .. } => {
                self.locked.remove(hit);
            }
            _ => {}
        }
    }
}

impl Floor {
    fn new(dice: &mut Dice) -> Floor {
        let operator = ["RWS", "MBS"][dice.roll(2)];
        let games: Vec<&Rulebook> =
            Rulebook::builtins().iter().filter(|book| book.operator == operator).collect();
        let names = ["east", "north", "west"];
        // In stud a whole winning hand is easy to deal.
        let stud = *games.iter().find(|book| book.board_size() == 0).unwrap();
        let books = vec![*dice.pick(&games).unwrap(), stud, stud];
        let tables: Vec<Table> = books.iter().map(|book| player::table(book, dice.roll(8))).collect();
        let links = books.iter().zip(names).map(|(book, name)| TableLink::new(name, book)).collect();
        let base = Money::from_dollars(50_000);
        let configuration = Configuration {
            name: "floor".to_owned(),
            base,
            parameters: Parameters {
                wager: tables[0].settings.jackpot_wager,
                reset: Money::from_dollars(20_000),
                increment: Percent::from_hundredths(1_234),
                reserve: Percent::from_hundredths(777),
                ceiling: (dice.roll(3) == 0).then_some(Money::from_cents(5_001_050)),
                confirm_above: Money::from_dollars(10_000),
            },
            tables: links,
        };
        let opened = decide(&Jackpot::default(), &Request::Open { configuration }).unwrap();
        let verification = match dice.roll(3) {
            0 => Verification::AtOnce(boss()),
            1 => Verification::SmallAtOnce(boss()),
            _ => Verification::ByPeople,
        };
        let jackpot = opened.iter().fold(Jackpot::default(), evolve);
        let counted = Counted { base: Exact::from(base), ..Counted::default() };
        Floor { books, names, tables, jackpot, order: 0, verification, counted }
    }

    fn at<'a>(&'a self, table: usize, jackpot: KnownJackpot<'a>) -> LinkedTable<'a> {
        LinkedTable {
            book: self.books[table],
            name: self.names[table],
            jackpot,
            order: self.order,
            verification: self.verification.clone(),
        }
    }

    /// Applies it with and without the jackpot; keeps and checks the result.
    fn run(
        &mut self,
        table: usize,
        doing: impl Fn(&LinkedTable<'_>, &Table) -> Result<OrderResults, Stop>,
    ) -> Result<(), Stop> {
        let before = &self.tables[table];
        let done = doing(&self.at(table, KnownJackpot::Read(&self.jackpot)), before);
        match (doing(&self.at(table, KnownJackpot::Unread), before), &done) {
            (Err(Stop::NeedsJackpot), _) => {}
            (unread, read) => assert_eq!(unread, *read, "without the jackpot it is the same or asks for it"),
        }
        let done = done?;
        let answers = done.facts().filter_map(|fact| match fact {
            Fact::Jackpot(step) => Some(&step.events),
            _ => None,
        });
        let replayed = answers.flatten().fold(self.jackpot.clone(), evolve);
        assert_eq!(
            done.jackpot.as_ref().unwrap_or(&self.jackpot),
            &replayed,
            "replaying gives the same jackpot"
        );
        let after = done.table(before.clone());
        done.facts().for_each(|fact| self.counted.fact(fact));
        self.jackpot = replayed;
        self.tables[table] = after;
        assert!(
            !owes(self.names[table], &self.tables[table], &self.jackpot),
            "all that is due is handed over"
        );
        Ok(())
    }

    /// One order at one table, and its effects on the others.
    fn order(&mut self, dice: &mut Dice) {
        let at = dice.roll(3);
        self.order += 1;
        self.new_guests(at);
        let (book, table) = (self.books[at], &self.tables[at]);
        let wanted = legal(book, table, Some(&self.jackpot), self.names[at]);
        let stands =
            table.standing.no_jackpot || table.standing.closed || !table.standing.barred_boxes.is_empty();
        let over = matches!(table.round.phase, Phase::Finished(_));
        let command = match dice.roll(40) {
            0 => anything(table, dice),
            1 => match fitting_report(book, table, dice) {
                Some(report) => report,
                None => return,
            },
            2 => match dice.pick(&wanted.rulings).cloned() {
                None => return,
                Some((kind, role)) => Command::Rule(Ruling { kind, by: Staff::of(role), reason: None }),
            },
            3 | 4 => return self.look_at_hit(dice),
            5..=10 if stands && over => Command::Rule(Ruling {
                kind: RulingKind::JackpotRestored,
                by: Staff::of(Role::ShiftManager),
                reason: None,
            }),
            11..=28 if matches!(table.round.phase, Phase::Betting(_)) => match on_jackpot(&wanted) {
                Some(wager) => wager,
                None => sensible(book, table, dice),
            },
            _ => match sensible(book, table, dice) {
                Command::PayJackpot { .. } => return self.look_at_hit(dice),
                command => stacked(book, table, command, dice),
            },
        };
        let offered = wanted.contains(&command);
        let did = self.run(at, |at, table| act(at, table, &command));
        if let (Command::PlaceWager { area: Area::Jackpot, .. }, Some(offered)) = (&command, offered) {
            assert_eq!(offered, did.is_ok(), "{command:?}: {did:?}");
        }
        assert!(
            !matches!(did, Err(Stop::Jackpot(_) | Stop::NeedsJackpot)),
            "the jackpot takes what a table tells it: {command:?}: {did:?}"
        );
        self.pay_all();
    }

    /// Players who may not bet any more leave when the round is over.
    fn new_guests(&mut self, at: usize) {
        let table = &mut self.tables[at];
        if let Phase::Finished(_) = table.round.phase {
            table.standing.barred.clear();
            table.standing.stopped.clear();
            table.standing.restricted.clear();
        }
    }

    fn pay_all(&mut self) {
        for at in 0..3 {
            self.run(at, pay).unwrap();
        }
    }

    /// Staff verify a winning hand.
    fn look_at_hit(&mut self, dice: &mut Dice) {
        let pending: Vec<_> = self.jackpot.pending().cloned().collect();
        let Some(hit) = dice.pick(&pending).cloned() else { return };
        let at = self.names.iter().position(|name| *name == hit.table).unwrap();
        let second = Person { name: "sue".to_owned(), role: Role::ShiftManager };
        let request = match dice.roll(6) {
            0 => Request::Reject { hit: hit.id, by: boss(), reason: "no".to_owned() },
            1..=3 => Request::Verify { hit: hit.id, by: boss() },
            _ => Request::Confirm { hit: hit.id, by: second },
        };
        let _ = self.run(at, |at, table| ask(at, table, request.clone()));
        self.pay_all();
    }

    fn check(&self) {
        let (counted, jackpot) = (&self.counted, &self.jackpot);
        jackpot.reconcile().unwrap();
        let should =
            counted.base + counted.contributed - counted.returned + counted.from_house - counted.paid;
        assert_eq!(jackpot.meter.pools().total(), should, "the meter holds what came in less what went out");
        let locked: Exact = counted.locked.values().map(|amount| Exact::from(*amount)).sum();
        assert_eq!(counted.paid, locked, "what was paid is what the awards that stand draw");
        for award in counted.drawn.values() {
            let locked = counted.locked.get(&award.hit);
            assert_eq!(locked, Some(&award.from_meter), "an award held by a table is still valid");
        }
        for (table, name) in self.tables.iter().zip(self.names) {
            self.check_table(table, name);
        }
    }

    /// The jackpot counts exactly the wagers on a table after the close, and a slip pays what the jackpot paid.
    fn check_table(&self, table: &Table, name: &str) {
        let linked = &self.jackpot.tables[name];
        let round = u64::from(table.round.number);
        let counted: Vec<BoxNumber> = match &linked.open {
            Some(open) => {
                assert_eq!(open.round, round);
                open.contributions.iter().map(|made| made.seat).collect()
            }
            None => Vec::new(),
        };
        if let Phase::Play(play) = &table.round.phase {
            let mut on_table: Vec<BoxNumber> = Vec::new();
            for (seat, hand) in &play.hands {
                let invalid = matches!(hand.status, baize_table::HandStatus::Invalid(_));
                let own = |stake: &&baize_table::Stake| stake.area == Area::Jackpot;
                let with_ante = hand.stakes.iter().filter(own).any(|stake| {
                    hand.stakes.iter().any(|ante| ante.area == Area::Ante && ante.player == stake.player)
                });
                if with_ante && !invalid {
                    on_table.push(*seat);
                }
            }
            assert_eq!(counted, on_table, "the meter counts exactly the wagers on the table");
        } else {
            assert!(counted.is_empty(), "nothing is left open after a round");
        }
        if let Phase::Finished(finished) = &table.round.phase {
            for slip in &finished.boxes {
                let won = slip
                    .lines
                    .iter()
                    .find(|line| line.area == Area::Jackpot && line.result == ResultKind::Win);
                let ours = self.jackpot.hits.iter();
                let mut ours = ours.filter(|hit| hit.table == name && hit.round == round);
                let paid = ours.find(|hit| hit.claim.seat == slip.seat && hit.state == HitState::Paid);
                assert_eq!(won.map(|line| line.amount), paid.map(|hit| hit.amount()), "box {}", slip.seat);
            }
        }
        if takes_wagers(Some(&self.jackpot), name).is_err() {
            assert!(linked.suspended);
        }
    }
}

/// A jackpot wager that is offered.
fn on_jackpot(wanted: &Legal) -> Option<Command> {
    let choice = wanted.wagers.iter().find(|wager| wager.area == Area::Jackpot)?;
    let Players::Only(player) = &choice.players else { return None };
    Some(Command::PlaceWager {
        seat: choice.seat,
        player: player.clone(),
        area: Area::Jackpot,
        amount: choice.amounts.from,
        unnoticed: false,
        placed_by: None,
    })
}

/// A winning hand now and then, if a whole hand is dealt.
fn stacked(book: &Rulebook, table: &Table, command: Command, dice: &mut Dice) -> Command {
    let Command::Deal { to: Place::Box(seat), cards } = &command else { return command };
    let Phase::Play(play) = &table.round.phase else { return command };
    if cards.len() != 5 || book.board_size() > 0 || dice.roll(4) == 0 {
        return command;
    }
    let (suit, low) = (dice.roll(4), [8, dice.roll(9)][dice.roll(2)]);
    let ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"];
    let cards: Vec<Card> = (low..low + 5)
        .map(|rank| format!("{}{}", ranks[rank], ["c", "d", "h", "s"][suit]).parse().unwrap())
        .collect();
    let out: CardSet = play.cards_out();
    if cards.iter().any(|card| out.contains(*card)) {
        return command;
    }
    Command::Deal { to: Place::Box(*seat), cards }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// After every order the meter, the wagers that it counts, the awards and the slips agree, and replaying gives the same
    /// state.
    #[test]
    fn meter_wagers_and_slips_agree(seed: u64) {
        let mut dice = Dice(seed);
        let mut floor = Floor::new(&mut dice);
        for _ in 0..600 {
            floor.order(&mut dice);
            floor.check();
        }
    }
}

/// The property covers what it should: hits, reversals and faults do happen.
#[test]
fn random_orders_reach_hits_faults_and_reversals() {
    let (mut paid, mut reversed, mut suspended, mut taken_out) = (0, 0, false, Exact::ZERO);
    for seed in 0..60 {
        if paid > 20 && reversed > 0 && suspended && taken_out > Exact::ZERO {
            return;
        }
        let mut dice = Dice(seed);
        let mut floor = Floor::new(&mut dice);
        for _ in 0..600 {
            floor.order(&mut dice);
            suspended |= floor.jackpot.tables.values().any(|table| table.suspended);
        }
        let counters = &floor.jackpot.counters;
        paid += counters.wins;
        reversed += counters.reversed;
        taken_out += counters.taken_out;
    }
    panic!("60 seeds do not reach everything: {paid} paid, {reversed} reversed, suspended: {suspended}");
}
