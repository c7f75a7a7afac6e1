//! A floor for tests: a jackpot, its record, and shorthand for what happens.

use baize_jackpot::{
    Command, Configuration, Event, Jackpot, Parameters, Person, Refusal, TableLink, Wager, decide, evolve,
};
use baize_rules::{BoxNumber, Claim, JackpotRules, Money, Percent, Readings, Role};

use crate::games::{cites, money};

/// A jackpot and everything that has happened to it.
#[derive(Debug, Clone)]
pub(crate) struct Floor {
    pub(crate) jackpot: Jackpot,
    pub(crate) record: Vec<Event>,
}

pub(crate) fn parameters() -> Parameters {
    Parameters {
        wager: money("5"),
        reset: money("100000"),
        increment: "20%".parse().unwrap(),
        reserve: "5%".parse().unwrap(),
        ceiling: None,
        confirm_above: money("10000"),
    }
}

pub(crate) fn link(name: &str, rules: JackpotRules, multiples: u32) -> TableLink {
    TableLink {
        name: name.to_owned(),
        rulebook: "game".to_owned(),
        hash: "00".to_owned(),
        multiples,
        rules,
        readings: Readings::default(),
    }
}

pub(crate) fn configuration(rules: &JackpotRules) -> Configuration {
    let tables = ["a", "b", "c"].map(|name| link(name, rules.clone(), 1)).to_vec();
    Configuration { name: "grand".to_owned(), base: money("250000"), parameters: parameters(), tables }
}

pub(crate) fn person(name: &str, role: Role) -> Person {
    Person { name: name.to_owned(), role }
}

pub(crate) fn supervisor() -> Person {
    person("sue", Role::PitSupervisor)
}

pub(crate) fn manager() -> Person {
    person("max", Role::PitManager)
}

pub(crate) fn shift_manager() -> Person {
    person("ida", Role::ShiftManager)
}

pub(crate) fn wagers(seats: &[u8]) -> Vec<Wager> {
    seats.iter().map(|&seat| Wager { seat: BoxNumber(seat), amount: money("5") }).collect()
}

impl Floor {
    pub(crate) fn open(configuration: Configuration) -> Floor {
        let mut floor = Floor { jackpot: Jackpot::default(), record: Vec::new() };
        floor.done(Command::Open { configuration });
        floor
    }

    /// Tables a, b and c of one game; 250,000.00 on the sign, reset 100,000, nothing added by wagers.
    pub(crate) fn still(rules: &JackpotRules) -> Floor {
        let mut configuration = configuration(rules);
        configuration.parameters.increment = Percent::ZERO;
        configuration.parameters.reserve = Percent::ZERO;
        Floor::open(configuration)
    }

    /// Sends a request that must not be refused.
    #[track_caller]
    pub(crate) fn done(&mut self, command: Command) -> Vec<Event> {
        match self.try_to(&command) {
            Ok(events) => events,
            Err(refusal) => panic!("{command:?} was refused: {refusal}"),
        }
    }

    pub(crate) fn try_to(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        let events = decide(&self.jackpot, command)?;
        for event in &events {
            self.jackpot = evolve(std::mem::take(&mut self.jackpot), event);
        }
        self.record.extend(events.iter().cloned());
        self.jackpot.reconcile().unwrap();
        assert_eq!(self.record.iter().fold(Jackpot::default(), evolve), self.jackpot);
        Ok(events)
    }

    #[track_caller]
    pub(crate) fn refused(&mut self, command: &Command) -> Refusal {
        let before = self.jackpot.clone();
        let refusal = self.try_to(command).unwrap_err();
        assert_eq!(self.jackpot, before, "a refusal changes nothing");
        refusal
    }

    #[track_caller]
    pub(crate) fn bets(&mut self, table: &str, round: u64, seats: &[u8]) {
        self.done(Command::CloseBets { table: table.to_owned(), round, wagers: wagers(seats) });
    }

    #[track_caller]
    pub(crate) fn deal(&mut self, table: &str, round: u64, order: u64) {
        self.done(Command::DealHands { table: table.to_owned(), round, order, seat: None });
    }

    /// A box has its full hand.
    #[track_caller]
    pub(crate) fn hand(&mut self, table: &str, round: u64, seat: u8, order: u64) {
        self.done(Command::DealHands { table: table.to_owned(), round, order, seat: Some(BoxNumber(seat)) });
    }

    /// A round is settled and can still be undone; its awards are verified, and paid if their turn has come.
    #[track_caller]
    pub(crate) fn settle(&mut self, table: &str, round: u64, claims: &[Claim]) {
        let before = self.jackpot.counters.hits;
        self.done(Command::SettleRound { table: table.to_owned(), round, claims: claims.to_vec() });
        for hit in before + 1..=self.jackpot.counters.hits {
            self.clear(hit);
        }
    }

    /// A settled round is void.
    #[track_caller]
    pub(crate) fn undo(&mut self, table: &str, round: u64) -> Vec<Event> {
        let cites = cites("5.8.7");
        self.done(Command::UndoRound { table: table.to_owned(), round, seats: None, cites })
    }

    /// Hands of a settled round are invalid.
    #[track_caller]
    pub(crate) fn undo_hands(&mut self, table: &str, round: u64, seats: &[u8]) -> Vec<Event> {
        let (cites, seats) = (cites("5.15"), Some(seats.iter().copied().map(BoxNumber).collect()));
        self.done(Command::UndoRound { table: table.to_owned(), round, seats, cites })
    }

    #[track_caller]
    pub(crate) fn claims(&mut self, table: &str, round: u64, claims: &[Claim]) {
        self.done(Command::EnterClaims { table: table.to_owned(), round, claims: claims.to_vec() });
    }

    #[track_caller]
    pub(crate) fn end(&mut self, table: &str, round: u64) {
        self.done(Command::EndRound { table: table.to_owned(), round });
    }

    /// A supervisor verifies and, if required, a manager confirms.
    #[track_caller]
    pub(crate) fn clear(&mut self, hit: u64) {
        self.done(Command::Verify { hit, by: supervisor() });
        let hit = self.jackpot.hit(hit).unwrap();
        if hit.is_pending() && hit.amount() > self.jackpot.parameters.confirm_above {
            self.done(Command::Confirm { hit: hit.id, by: manager() });
        }
    }

    #[track_caller]
    pub(crate) fn reject(&mut self, hit: u64) {
        self.done(Command::Reject { hit, by: supervisor(), reason: "miscalled".to_owned() });
    }

    /// The amount locked or paid for a hit.
    pub(crate) fn amount(&self, hit: u64) -> Money {
        self.jackpot.hit(hit).unwrap().amount()
    }

    /// The payments so far, in order: `(hit, amount)`.
    pub(crate) fn paid(&self) -> Vec<(u64, Money)> {
        let paid = self.record.iter().filter_map(|event| match event {
            Event::HitPaid { hit, amount, .. } => Some((*hit, *amount)),
            _ => None,
        });
        paid.collect()
    }

    #[track_caller]
    pub(crate) fn shows(&self, amount: &str) {
        assert_eq!(self.jackpot.displayed(), money(amount));
    }
}
