//! Second bookkeeping, computed from events instead of the ledger: stakes, payouts by the engine's own settlement of the recorded cards,
//! and the expected balance of every purse, float, jackpot and drawer.
//!
//! It also checks the course of every round: it opens once, ends by a paragraph, and its jackpot is informed in the right order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use baize_house::TableConfig;
use baize_jackpot::Event as JackpotEvent;
use baize_journal::{Entry, accounts};
use baize_rules::{BoxNumber, Money, Rulebook};
use baize_table::{BoxSettlement, Command, Event, Phase, Table};
use serde_json::Value;

use super::jackpots::JackpotBook;
use super::secrets::SeenCards;

/// Number of earlier balances of a purse that are kept.
const RECENT: usize = 32;

/// A table in the books.
struct TableBook {
    book: Arc<Rulebook>,
    table: Table,
    config: TableConfig,
    under_way: bool,
    /// All hosts stopped while chips were on the table: a paragraph must resolve the round before play continues.
    interrupted: bool,
}

/// The books of a casino.
#[derive(Default)]
pub(crate) struct Books {
    read: usize,
    accounts: BTreeMap<String, i64>,
    /// Recent balances of each purse, newest last.
    recent: BTreeMap<String, VecDeque<i64>>,
    tables: BTreeMap<String, TableBook>,
    jackpots: BTreeMap<String, JackpotBook>,
    /// Jackpot wagers accepted by each table entry, by its hash: number and wagers.
    closed: BTreeMap<String, (u64, Vec<(BoxNumber, Money)>)>,
    last_link: BTreeMap<String, u64>,
    times: BTreeMap<String, i64>,
    /// Finished rounds by outcome.
    pub(crate) ended: BTreeMap<&'static str, u64>,
    /// Boxes decided without looking at the hand, by round. Scripts cannot express that: a decision in a script implies a look.
    unlooked: BTreeMap<(String, u32), BTreeSet<BoxNumber>>,
    /// Rounds in which that affects later events (an irregularity was ruled on, or the player looked at another hand), so that they cannot
    /// be scripted.
    pub(crate) not_scriptable: BTreeSet<(String, u32)>,
    /// Numbers of entries written after their process had died: they do not count as continued play.
    pub(crate) posthumous: BTreeSet<u64>,
    /// Cards people were shown and that are not yet checked, by table and version.
    pub(crate) seen: BTreeMap<(String, u64), Vec<SeenCards>>,
}

fn money(value: &Value, field: &str) -> Result<i64, String> {
    let text = value.get(field).and_then(Value::as_str).ok_or_else(|| format!("no {field} in {value}"))?;
    text.parse::<Money>().map(Money::cents).map_err(|error| format!("{text}: {error}"))
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn handed_over(table: &Table) -> BTreeMap<String, i64> {
    let mut handed = BTreeMap::new();
    if let Phase::Finished(finished) = &table.round.phase {
        for share in finished.boxes.iter().flat_map(BoxSettlement::shares) {
            *handed.entry(share.player.0).or_default() += share.handed_over.cents();
        }
    }
    handed
}

impl Books {
    /// Number of entries read.
    #[must_use]
    pub(crate) const fn read(&self) -> usize {
        self.read
    }

    /// Adds the next entries, with open bodies, and returns what is wrong.
    #[must_use]
    pub(crate) fn enter_all(&mut self, entries: &[Entry]) -> Vec<String> {
        self.read += entries.len();
        let mut wrong = Vec::new();
        for entry in entries {
            // Test builds assert invariants of tables: report a violation like any other failure.
            let entered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.enter(entry)));
            match entered.unwrap_or_else(|panic| Err(crate::hosts::panic_message(panic.as_ref()))) {
                Ok(()) => {}
                Err(why) => wrong.push(format!("{}: {why}", entry.place())),
            }
        }
        wrong
    }

    /// A table with all cards, and what is due, for error messages.
    #[must_use]
    pub(crate) fn stands(&self, table: &str) -> Option<String> {
        let own = self.tables.get(table)?;
        let round = serde_json::to_string(&baize_table::view_open(&own.book, &own.table)).unwrap_or_default();
        Some(format!("{table}: due {:?}; with every card: {round}", baize_table::due(&own.book, &own.table)))
    }

    /// Compares the ledger's balances with the expected ones.
    #[must_use]
    pub(crate) fn against(&self, ledger: &BTreeMap<String, i64>) -> Vec<String> {
        let mut wrong = Vec::new();
        let there = |accounts: &BTreeMap<String, i64>| -> BTreeMap<String, i64> {
            accounts
                .iter()
                .filter(|(_, cents)| **cents != 0)
                .map(|(name, cents)| (name.clone(), *cents))
                .collect()
        };
        let (own, ledger) = (there(&self.accounts), there(ledger));
        for name in own.keys().chain(ledger.keys()).collect::<BTreeSet<_>>() {
            let of = |accounts: &BTreeMap<String, i64>| accounts.get(name).copied().unwrap_or(0);
            if of(&own) != of(&ledger) {
                wrong.push(format!("{name} holds {} cents instead of {}", of(&ledger), of(&own)));
            }
        }
        let short = |(name, cents): &(&String, &i64)| **cents < 0 && !accounts::may_be_negative(name);
        if let Some((name, cents)) = ledger.iter().find(short) {
            wrong.push(format!("{name} is negative: {cents} cents"));
        }
        if ledger.values().sum::<i64>() != 0 {
            wrong.push(format!("the accounts sum to {}", ledger.values().sum::<i64>()));
        }
        wrong
    }

    fn transfer(&mut self, from: &str, to: &str, cents: i64) {
        for (account, cents) in [(from, -cents), (to, cents)] {
            let holds = self.accounts.entry(account.to_owned()).or_default();
            *holds += cents;
            if account.starts_with("purse/") {
                let recent = self.recent.entry(account.to_owned()).or_default();
                recent.push_back(*holds);
                if recent.len() > RECENT {
                    recent.pop_front();
                }
            }
        }
    }

    fn enter(&mut self, entry: &Entry) -> Result<(), String> {
        let last = self.times.insert(entry.stream.to_string(), entry.at.0).unwrap_or(i64::MIN);
        if last > entry.at.0 {
            return Err("its time is earlier than that of the previous entry".to_owned());
        }
        let body: Value = serde_json::from_str(&entry.body).map_err(|error| error.to_string())?;
        if let Some(table) = entry.stream.after("table/") {
            let steps = body.get("table").map(|body| list(body, "steps")).unwrap_or_default();
            for fact in steps.iter().flat_map(|step| list(step, "facts")) {
                self.at_table(table, fact, entry)?;
            }
            let seen = self.seen.remove(&(table.to_owned(), entry.version)).unwrap_or_default();
            if let Some(book) = self.tables.get(table) {
                return seen.iter().try_for_each(|seen| seen.judge(&book.book, &book.table));
            }
        } else if let Some(jackpot) = entry.stream.after("jackpot/") {
            self.in_order(entry)?;
            for event in list(&body, "jackpot").iter().flat_map(|step| list(step, "events")) {
                self.at_jackpot(jackpot, event, entry)?;
            }
        } else if entry.stream.as_str() == "house" {
            self.at_house(list(&body, "house"));
        } else if let Some(player) = entry.stream.after("player/") {
            for fact in list(&body, "purse") {
                self.at_cage(player, fact)?;
            }
        }
        Ok(())
    }

    /// A process that starts alone finds interrupted rounds.
    fn at_house(&mut self, facts: &[Value]) {
        let alone =
            |fact: &&Value| text(fact, "fact") == "started" && fact.get("alone") == Some(&Value::Bool(true));
        if !facts.iter().any(|fact| alone(&fact)) {
            return;
        }
        let in_play = |name: &str| self.accounts.get(&format!("play/{name}")).is_some_and(|cents| *cents > 0);
        let hit: Vec<String> = self.tables.keys().filter(|name| in_play(name)).cloned().collect();
        for name in hit {
            if let Some(own) = self.tables.get_mut(&name) {
                own.interrupted = own.under_way && own.table.round.awaiting.is_none();
            }
        }
    }

    /// An entry linked to a table's entry comes after it, in the order of the tables' entries.
    fn in_order(&mut self, entry: &Entry) -> Result<(), String> {
        let Some(link) = &entry.link else { return Ok(()) };
        let Some((number, _)) = self.closed.get(link) else {
            return Err("it is linked to a missing entry".to_owned());
        };
        let last = self.last_link.insert(entry.stream.to_string(), *number).unwrap_or(0);
        if last > *number || *number > entry.number {
            return Err(format!("it is linked to number {number}, after {last}"));
        }
        Ok(())
    }

    fn at_cage(&mut self, player: &str, fact: &Value) -> Result<(), String> {
        let (purse, owed, amount) =
            (format!("purse/{player}"), format!("owed/{player}"), money(fact, "amount")?);
        let before = self.accounts.get(&purse).copied().unwrap_or(0);
        let recent = self.recent.get(&purse).cloned().unwrap_or_default();
        match text(fact, "fact") {
            "play-chips-given" => self.transfer("house", &purse, amount),
            "bought-in" => self.transfer("cage", &purse, amount),
            "cashed-out" => self.transfer(&purse, "cage", amount),
            "claim-booked" => self.transfer(&owed, &purse, amount),
            "claim-collected" => self.transfer(&purse, &owed, amount),
            other => return Err(format!("unknown fact at the cage: {other}")),
        }
        let told =
            fact.get("told").filter(|told| !told.is_null()).map(|_| money(fact, "told")).transpose()?;
        let holds = self.accounts.get(&purse).copied().unwrap_or(0);
        match told {
            // A concurrent wager may precede it in the journal: the cage was told a recent balance plus its own movement.
            Some(told) if told != holds && !recent.contains(&(told - (holds - before))) => {
                Err(format!("the cage was told {told} cents, but the purse holds {holds}"))
            }
            _ => Ok(()),
        }
    }

    fn at_jackpot(&mut self, jackpot: &str, event: &Value, entry: &Entry) -> Result<(), String> {
        let event: JackpotEvent = serde_json::from_value(event.clone()).map_err(|error| error.to_string())?;
        let wagers =
            entry.link.as_ref().and_then(|link| self.closed.get(link)).map(|(_, wagers)| wagers.clone());
        let own = self.jackpots.entry(jackpot.to_owned()).or_default();
        if let Some((from, cents)) = own.apply(&event, &wagers.unwrap_or_default())? {
            self.transfer(&from, &format!("jackpot/{jackpot}"), cents);
        }
        Ok(())
    }

    fn at_table(&mut self, name: &str, fact: &Value, entry: &Entry) -> Result<(), String> {
        let (float, play) = (format!("float/{name}"), format!("play/{name}"));
        self.closed.entry(entry.hash.clone()).or_insert((entry.number, Vec::new()));
        let what = text(fact, "fact");
        if let Some(own) = self.tables.get_mut(name) {
            own.interrupted &= !matches!(what, "interrupted" | "resumed");
            let played_on = !entry.actor.starts_with("house") && !self.posthumous.contains(&entry.number);
            if own.interrupted && played_on {
                return Err("play continued after a stop before a paragraph resolved the round".to_owned());
            }
        }
        match what {
            "set-up" => {
                let config = fact.get("config").cloned().unwrap_or_default();
                let config: TableConfig =
                    serde_json::from_value(config).map_err(|error| error.to_string())?;
                let book = Rulebook::builtin(&config.rulebook).ok_or("a rulebook that is not known")?.clone();
                let table = Table::new(config.settings.clone());
                self.transfer("house", &float, config.float.cents());
                let own =
                    TableBook { book: Arc::new(book), table, config, under_way: false, interrupted: false };
                self.tables.insert(name.to_owned(), own);
            }
            "float-filled" => self.transfer("house", &float, money(fact, "amount")?),
            "award-drawn" => {
                self.transfer(
                    &format!("jackpot/{}", text(fact, "jackpot")),
                    &float,
                    money(fact, "from_meter")?,
                );
            }
            "award-returned" => {
                self.transfer(
                    &float,
                    &format!("jackpot/{}", text(fact, "jackpot")),
                    money(fact, "from_meter")?,
                );
            }
            "round" => {
                let event: Event = serde_json::from_value(fact.clone()).map_err(|error| error.to_string())?;
                self.in_round(name, &event, entry, (&float, &play))?;
            }
            "limits-set" => {
                if let Some(own) = self.tables.get_mut(name) {
                    let limits =
                        |field: &str| serde_json::from_value(fact.get(field).cloned().unwrap_or_default());
                    own.config.settings.ante = limits("ante").map_err(|error| error.to_string())?;
                    own.config.settings.bonus = limits("bonus").map_err(|error| error.to_string())?;
                }
            }
            "entry-taken-back" => {
                if let Some(own) = self.tables.get_mut(name) {
                    baize_table::take_back_draw(&mut own.table);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn in_round(
        &mut self,
        name: &str,
        event: &Event,
        entry: &Entry,
        (float, play): (&str, &str),
    ) -> Result<(), String> {
        let Some(own) = self.tables.get_mut(name) else {
            return Err("a table that was not set up".to_owned());
        };
        let ends = matches!(event, Event::RoundSettled { .. } | Event::RoundVoided { .. });
        let mut moves: Vec<(String, String, i64)> = Vec::new();
        let purse = |player: &str| format!("purse/{player}");
        if let Event::RoundOpened { .. } = event {
            if own.under_way {
                return Err("a round opened while another was in progress".to_owned());
            }
            own.under_way = true;
            (own.table.settings.ante, own.table.settings.bonus) =
                (own.config.settings.ante, own.config.settings.bonus);
        }
        if let Event::BetsClosed { jackpot } = event {
            self.closed.insert(entry.hash.clone(), (entry.number, jackpot.clone()));
        }
        if let Event::RoundSettled { .. } = event {
            by_the_engine(own, event)?;
        }
        if let Phase::Play(play) = &own.table.round.phase {
            let round = (name.to_owned(), own.table.round.number);
            if let Event::DecisionMade { seat, .. } | Event::WagerPlaced { seat, .. } = event
                && play.hands.get(seat).is_some_and(|hand| !hand.looked)
            {
                self.unlooked.entry(round).or_default().insert(*seat);
            } else if let Some(blind) = self.unlooked.get(&round) {
                let seated = |seat: &BoxNumber| play.hands.get(seat).map(|hand| &hand.seated);
                let another = |seat: &BoxNumber| {
                    blind.iter().any(|other| other != seat && seated(other) == seated(seat))
                };
                let ruled = matches!(event, Event::IrregularityRuled { .. });
                if ruled || matches!(event, Event::HandLookedAt { seat } if another(seat)) {
                    self.not_scriptable.insert(round);
                }
            }
        }
        by_a_paragraph(event)?;
        let (had, was_under_way) = (handed_over(&own.table), own.under_way);
        baize_table::record(&mut own.table, event);
        if ends && was_under_way {
            own.under_way = false;
            let how = if matches!(event, Event::RoundSettled { .. }) { "settled" } else { "void" };
            *self.ended.entry(how).or_default() += 1;
            let staked = self.accounts.get(play).copied().unwrap_or(0);
            moves.push((play.to_owned(), float.to_owned(), staked));
        }
        if let Event::WagerPlaced { player, amount, .. } = event {
            moves.push((purse(&player.0), play.to_owned(), amount.cents()));
        }
        if let Event::WagerWithdrawn { player, amount, .. } | Event::WagerReturned { player, amount, .. } =
            event
        {
            moves.push((play.to_owned(), purse(&player.0), amount.cents()));
        }
        if ends || matches!(event, Event::SlipCorrected { .. } | Event::JackpotPaid { .. }) {
            let had = if was_under_way { BTreeMap::new() } else { had };
            let mut change = handed_over(&own.table);
            for (player, cents) in had {
                *change.entry(player).or_default() -= cents;
            }
            moves.extend(change.into_iter().map(|(player, cents)| (float.to_owned(), purse(&player), cents)));
        }
        for (from, to, cents) in moves {
            self.transfer(&from, &to, cents);
        }
        Ok(())
    }
}

/// The recorded settlement equals the engine's settlement of the recorded cards.
fn by_the_engine(own: &TableBook, event: &Event) -> Result<(), String> {
    let again = match baize_table::decide(&own.book, &own.table, &Command::Settle) {
        Ok(again) => again,
        // Everyone withdrew: there is nothing to settle.
        Err(_) if matches!(event, Event::RoundSettled { boxes, .. } if boxes.is_empty()) => return Ok(()),
        Err(refusal) => return Err(format!("the engine does not settle this round: {refusal}")),
    };
    if again.contains(event) { Ok(()) } else { Err("the engine settles this round differently".to_owned()) }
}

/// Every line of a slip and every void round cites a paragraph.
fn by_a_paragraph(event: &Event) -> Result<(), String> {
    if matches!(event, Event::RoundVoided { cites, .. } if cites.is_empty()) {
        return Err("a round was voided without a paragraph".to_owned());
    }
    let slips: &[BoxSettlement] =
        if let Event::RoundSettled { boxes, .. } | Event::RoundVoided { boxes, .. } = event {
            boxes
        } else if let Event::SlipCorrected { slip, .. } = event {
            std::slice::from_ref(slip)
        } else {
            return Ok(());
        };
    match slips.iter().flat_map(|slip| &slip.lines).find(|line| line.cites.is_empty()) {
        Some(line) => Err(format!("a line of a slip has no paragraph: {line:?}")),
        None => Ok(()),
    }
}
