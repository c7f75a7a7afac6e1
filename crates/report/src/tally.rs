//! What one entry of the journal adds to a report. Amounts come from its ledger entries; the facts only say which part is what.

use std::collections::BTreeMap;

use baize_rules::Money;
use baize_table::Event;

use super::hours::{HourLine, Hours, Stakes};
use super::{CageLine, ReportLine};
use baize_house::record::{Step, TableFact};
use baize_house::{Date, Instant, ledger};
use baize_journal::Entry;

/// Kinds of entries that move money into or out of a float or over the counter of the cage, or that end a round. Chips that go from a
/// purse onto a table are none; the jackpots' own chains are replayed apart.
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

/// What was gathered so far.
#[derive(Default)]
pub(super) struct Tally {
    /// By table and day.
    pub(super) tables: BTreeMap<(String, Date), ReportLine>,
    /// What jackpots handed over, by jackpot and day.
    pub(super) handed_over: BTreeMap<(String, Date), Money>,
    /// By day and cashier.
    pub(super) cage: BTreeMap<(Date, String), CageLine>,
    /// The same by the hour.
    pub(super) hours: Hours,
    /// The last settled round of each table: its number and its stakes.
    settled: BTreeMap<String, (u32, Stakes)>,
}

/// The last round that these steps settle, with its stakes. `round` is the table's round before them.
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
    /// Whether it must be found out first which round of this table was settled last: one is void, and it is not known here whether it
    /// had been settled.
    pub(super) fn must_look_back(&self, table: &str, steps: &[Step]) -> bool {
        let voids = |fact: &TableFact| matches!(fact.round(), Some(Event::RoundVoided { .. }));
        !self.settled.contains_key(table) && steps.iter().flat_map(|step| &step.facts).any(voids)
    }

    /// The round that the table settled last before the report begins.
    pub(super) fn looked_back(&mut self, table: &str, settled: (u32, Stakes)) {
        self.settled.insert(table.to_owned(), settled);
    }

    /// An entry of a table's chain.
    pub(super) fn at_table(
        &mut self,
        table: &str,
        (day, hour): (Date, Instant),
        entry: &Entry,
        mut round: u32,
        steps: &[Step],
    ) {
        let float = posted(entry, &format!("float/{table}"));
        let mut line = ReportLine { float_fills: -posted(entry, ledger::HOUSE), ..ReportLine::default() };
        let (mut awards, mut decisions) = (Money::ZERO, 0);
        for fact in steps.iter().flat_map(|step| &step.facts) {
            if let TableFact::AwardDrawn { amount, from_meter, jackpot, .. } = fact {
                awards += *amount;
                line.awards_from_meter += *from_meter;
                *self.handed_over.entry((jackpot.to_string(), day)).or_default() += *from_meter;
            }
            if let TableFact::AwardReturned { amount, from_meter, jackpot, .. } = fact {
                awards -= *amount;
                line.awards_from_meter -= *from_meter;
                *self.handed_over.entry((jackpot.to_string(), day)).or_default() -= *from_meter;
            }
            match fact.round() {
                Some(Event::RoundOpened { number, .. }) => round = *number,
                Some(Event::RoundSettled { boxes, .. }) => {
                    let stakes = Stakes::of(boxes);
                    line.rounds += 1;
                    decisions += boxes.len() as u64;
                    line.handle += stakes.handle;
                    self.hours.settled(table, &stakes);
                    self.settled.insert(table.to_owned(), (round, stakes));
                }
                Some(Event::RoundVoided { .. }) => {
                    line.voids += 1;
                    // Its stakes were handle while it stood as settled.
                    if let Some((number, stakes)) = self.settled.get_mut(table)
                        && *number == round
                    {
                        let stakes = std::mem::take(stakes);
                        line.handle -= stakes.handle;
                        self.hours.voided(table, &stakes);
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
        self.hours.entry(HourLine {
            at: hour,
            table: table.to_owned(),
            dealer,
            rounds,
            decisions,
            handle,
            win,
        });
        self.tables.entry((table.to_owned(), day)).or_default().add(&line);
    }

    /// An entry of a jackpot's chain: what floats gave to it, or got back.
    pub(super) fn at_jackpot(&mut self, day: Date, entry: &Entry) {
        for posting in &entry.postings {
            if let Some(table) = posting.account.strip_prefix("float/") {
                let line = self.tables.entry((table.to_owned(), day)).or_default();
                line.contributions -= Money::from_cents(posting.cents);
            }
        }
    }

    /// An entry of a purse: chips for cash, cash for chips, or play chips.
    pub(super) fn at_cage(&mut self, day: Date, entry: &Entry) {
        let cashier = entry.actor.strip_prefix("staff:").unwrap_or(&entry.actor).to_owned();
        let (cage, house) = (posted(entry, ledger::CAGE), posted(entry, ledger::HOUSE));
        let line = self.cage.entry((day, cashier.clone())).or_default();
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
