//! Adds journal entries to day totals. Amounts come from the ledger entries; the events only say what each amount is.

use std::collections::btree_map::Entry as Place;
use std::collections::{BTreeMap, BTreeSet};

use baize_jackpot::Jackpot;
use baize_rules::Money;
use baize_table::Event;

use super::hours::Stakes;
use super::{Day, HourLine, MeterPoint, ReportLine, jackpots};
use baize_house::record::{Step, TableFact};
use baize_house::{Date, GamingDay, Instant, JackpotId, ledger};
use baize_journal::Entry;

/// Kinds of entries that move money into or out of a float or at the cage, or that end a round. Moving chips from a purse to a table is not
/// one of them; jackpots' chains are replayed separately.
pub(super) const KINDS: [&str; 13] = [
    "table-set-up",
    "float-filled",
    "round-settled",
    "round-voided",
    "slip-corrected",
    "award-drawn",
    "award-returned",
    "jackpot-paid",
    "contributed",
    "contribution-taken-out",
    "bought-in",
    "cashed-out",
    "play-chips-given",
];

/// Whether any of these kinds (comma-separated) counts.
fn counts(kinds: &str) -> bool {
    kinds.split(',').any(|kind| KINDS.contains(&kind))
}

/// Sums days, entry by entry.
#[derive(Default)]
pub struct Tally {
    rule: GamingDay,
    pub(super) days: BTreeMap<Date, Day>,
    /// Days with sealed entries of a round in progress, without the key.
    pub(super) incomplete: BTreeSet<Date>,
    /// The last settled round of each table: number and stakes.
    settled: BTreeMap<String, (u32, Stakes)>,
    /// The current day of each jackpot, and its state at the start of that day.
    jackpots: BTreeMap<JackpotId, (Date, Jackpot)>,
}

/// The last round settled by these steps, with its stakes. `round`: the table's round before them.
pub(super) fn last_settled(mut round: u32, steps: &[Step]) -> Option<(u32, Stakes)> {
    let mut last = None;
    for event in steps.iter().flat_map(|step| &step.facts).filter_map(TableFact::round) {
        if let Event::RoundOpened { number, .. } = event {
            round = *number;
        } else if let Event::RoundSettled { boxes, .. } = event {
            last = Some((round, Stakes::of(boxes)));
        }
    }
    last
}

fn posted(entry: &Entry, account: &str) -> Money {
    let own = entry.postings.iter().filter(|posting| posting.account == account);
    Money::from_cents(own.map(|posting| posting.cents).sum())
}

impl Tally {
    /// An empty tally.
    #[must_use]
    pub fn new(rule: GamingDay) -> Tally {
        Tally { rule, ..Tally::default() }
    }

    /// Definition of the gaming day.
    #[must_use]
    pub const fn rule(&self) -> GamingDay {
        self.rule
    }

    /// The totals.
    #[must_use]
    pub fn into_days(self) -> BTreeMap<Date, Day> {
        self.days
    }

    /// Removes and returns the days before `date`.
    pub fn take_before(&mut self, date: Date) -> BTreeMap<Date, Day> {
        let later = self.days.split_off(&date);
        std::mem::replace(&mut self.days, later)
    }

    /// Adds an entry of a chain that is not a table's.
    pub fn elsewhere(&mut self, entry: &Entry) {
        if !counts(&entry.kinds) {
        } else if entry.stream.after("jackpot/").is_some() {
            self.at_jackpot(entry);
        } else if entry.stream.after("player/").is_some() {
            self.at_cage(entry);
        }
    }

    fn day(&mut self, at: Instant) -> &mut Day {
        self.days.entry(self.rule.of(at)).or_default()
    }

    /// The day of a jackpot's next entry. Days never go back within a chain, even if another host's clock is a little behind.
    pub(super) fn day_of_jackpot(&self, jackpot: &JackpotId, at: Instant) -> Date {
        let day = self.rule.of(at);
        self.jackpots.get(jackpot).map_or(day, |(latest, _)| day.max(*latest))
    }

    /// The state of a jackpot before its next entry.
    pub fn jackpot_before(&mut self, jackpot: &JackpotId, at: Instant, state: &Jackpot) {
        let day = self.day_of_jackpot(jackpot, at);
        if self.jackpots.get(jackpot).is_none_or(|(latest, _)| *latest != day) {
            self.jackpots.insert(jackpot.clone(), (day, state.clone()));
        }
    }

    /// The state of a jackpot after an entry.
    pub fn jackpot_after(&mut self, jackpot: &JackpotId, at: Instant, state: &Jackpot) {
        let Some((date, before)) = self.jackpots.get(jackpot) else { return };
        let day = self.days.entry(*date).or_default();
        let name = jackpot.to_string();
        let at = self.rule.hour(at);
        let point = MeterPoint { jackpot: jackpot.clone(), at, meter: state.displayed() };
        day.meters.insert((at, name.clone()), point);
        day.jackpots.insert(name, jackpots::line(jackpot, *date, before, state));
    }

    /// Whether the table's last settled round must be looked up first: a round is voided, and it is unknown whether it had been settled.
    pub(super) fn needs_last_settled(&self, table: &str, steps: &[Step]) -> bool {
        let voids = |fact: &TableFact| matches!(fact.round(), Some(Event::RoundVoided { .. }));
        !self.settled.contains_key(table) && steps.iter().flat_map(|step| &step.facts).any(voids)
    }

    /// Sets the table's last settled round before the report begins.
    pub(super) fn set_last_settled(&mut self, table: &str, settled: (u32, Stakes)) {
        self.settled.insert(table.to_owned(), settled);
    }

    /// Adds an entry of a table. `round`: the table's round before it.
    pub fn at_table(&mut self, entry: &Entry, mut round: u32, steps: &[Step]) {
        let Some(table) = entry.stream.after("table/").filter(|_| counts(&entry.kinds)) else { return };
        let hour = self.rule.hour(entry.at);
        let day = self.days.entry(self.rule.of(entry.at)).or_default();
        let float = posted(entry, &format!("float/{table}"));
        let mut line = ReportLine { float_fills: -posted(entry, ledger::HOUSE), ..ReportLine::default() };
        let (mut awards, mut decisions) = (Money::ZERO, 0);
        for fact in steps.iter().flat_map(|step| &step.facts) {
            if let TableFact::AwardDrawn { amount, from_meter, jackpot, .. } = fact {
                awards += *amount;
                line.awards_from_meter += *from_meter;
                *day.handed_over.entry(jackpot.to_string()).or_default() += *from_meter;
            }
            if let TableFact::AwardReturned { amount, from_meter, jackpot, .. } = fact {
                awards -= *amount;
                line.awards_from_meter -= *from_meter;
                *day.handed_over.entry(jackpot.to_string()).or_default() -= *from_meter;
            }
            match fact.round() {
                Some(Event::RoundOpened { number, .. }) => round = *number,
                Some(Event::RoundSettled { boxes, .. }) => {
                    let stakes = Stakes::of(boxes);
                    line.rounds += 1;
                    decisions += boxes.len() as u64;
                    line.handle += stakes.handle;
                    day.staked.entry(table.to_owned()).or_default().add(&stakes, 1);
                    self.settled.insert(table.to_owned(), (round, stakes));
                }
                Some(Event::RoundVoided { .. }) => {
                    line.voids += 1;
                    // Its stakes counted as handle since it was settled.
                    if let Some((number, stakes)) = self.settled.get_mut(table)
                        && *number == round
                    {
                        let stakes = std::mem::take(stakes);
                        line.handle -= stakes.handle;
                        day.staked.entry(table.to_owned()).or_default().add(&stakes, -1);
                    }
                }
                _ => {}
            }
        }
        line.awards_by_house = awards - line.awards_from_meter;
        // float = fills + awards drawn from the meter + win − awards handed to players.
        line.win = float - line.float_fills - line.awards_from_meter + awards;
        let dealer = entry.actor.strip_prefix("staff:").unwrap_or("house").to_owned();
        let (rounds, handle, win) = (line.rounds, line.handle, line.win);
        day.tables.entry(table.to_owned()).or_default().add(&line);
        if rounds == 0 && handle.is_zero() && win.is_zero() {
            return;
        }
        let line = HourLine { at: hour, table: table.to_owned(), dealer, rounds, decisions, handle, win };
        match day.hours.entry((hour, line.table.clone(), line.dealer.clone())) {
            Place::Occupied(mut there) => there.get_mut().add(&line),
            Place::Vacant(place) => drop(place.insert(line)),
        }
    }

    /// An entry of a jackpot: contributions of floats, or their return.
    fn at_jackpot(&mut self, entry: &Entry) {
        let day = self.day(entry.at);
        for posting in &entry.postings {
            if let Some(table) = posting.account.strip_prefix("float/") {
                let line = day.tables.entry(table.to_owned()).or_default();
                line.contributions -= Money::from_cents(posting.cents);
            }
        }
    }

    /// An entry of a purse: a buy-in, a cash-out, or play chips.
    fn at_cage(&mut self, entry: &Entry) {
        let day = self.rule.of(entry.at);
        let cashier = entry.actor.strip_prefix("staff:").unwrap_or(&entry.actor).to_owned();
        let (cage, house) = (posted(entry, ledger::CAGE), posted(entry, ledger::HOUSE));
        let line = self.days.entry(day).or_default().cage.entry(cashier.clone()).or_default();
        (line.day, line.cashier) = (Some(day), cashier);
        if cage < Money::ZERO {
            line.buy_ins += 1;
            line.bought -= cage;
        } else if cage > Money::ZERO {
            line.cash_outs += 1;
            line.cashed += cage;
        }
        line.play_chips -= house;
    }
}
