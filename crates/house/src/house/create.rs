//! Creates tables and jackpots.

use std::collections::BTreeSet;
use std::sync::Arc;

use baize_jackpot::{Command as Ask, Configuration, Event as Said, Jackpot, Parameters, Person, TableLink};
use baize_rules::{BarReach, Role, Rulebook};
use baize_table::Player;

use super::jackpot_parameters::apply_events;
use super::{Answer, House, MAX_ATTEMPTS};
use crate::boxed;
use crate::facts::{Body, HouseFact, JackpotStep};
use crate::journal::{Batch, Entry, Head, Stream};
use crate::live_table::LiveTable;
use crate::memory::JackpotSlot;
use crate::rulebooks::Rulebooks;
use crate::shoe::Shuffler;
use crate::turn::{LinkedJackpot, Turn, TurnError, new_entry};
use crate::{
    Actor, Duty, FromEarlier, HouseError, JackpotConfig, JackpotId, MoneyKind, TableConfig, TableId,
};

impl House {
    /// Sets up the default casino for practice.
    #[boxed]
    pub async fn set_up_default(&self) -> Answer<()> {
        self.set_up_for(MoneyKind::Practice).await
    }

    /// Sets up the default casino, if there are no tables yet: a table for each built-in rulebook and a jackpot for each operator.
    #[boxed]
    pub async fn set_up_for(&self, money: MoneyKind) -> Answer<()> {
        let operators: BTreeSet<&str> =
            Rulebook::builtins().iter().map(|book| book.operator.as_str()).collect();
        if !self.inner.shown.get().tables.is_empty() {
            return Ok(());
        }
        for operator in operators {
            let id: JackpotId = operator.parse()?;
            let config = JackpotConfig { money, ..JackpotConfig::usual(id) };
            ignore_taken(self.create_jackpot(&Actor::House, config).await)?;
        }
        for book in Rulebook::builtins() {
            let id: TableId = format!("{}-1", book.short.to_lowercase()).parse()?;
            let usual = TableConfig::usual(id, book, Some(book.operator.parse()?));
            let config = TableConfig { money, ..usual };
            ignore_taken(self.create_table(&Actor::House, config).await)?;
        }
        Ok(())
    }

    /// Opens a jackpot. Shift Manager or above.
    ///
    /// # Errors
    /// The name is taken; the parameters are not valid.
    #[boxed]
    pub async fn create_jackpot(&self, by: &Actor, config: JackpotConfig) -> Answer<()> {
        by.require(Duty::ShiftManager)?;
        let same =
            |fact: &HouseFact| matches!(fact, HouseFact::JackpotCreated { config: made } if *made == config);
        let created = self.append_facts_with(by, |register, _| {
            if register.jackpots.contains(&config.id) {
                return Err(HouseError::NameTaken(config.id.to_string()));
            }
            let entry = opened_jackpot(&config, by, self.now())?;
            let batch = Batch { entries: vec![entry], ..Batch::default() };
            Ok((vec![HouseFact::JackpotCreated { config: config.clone() }], batch))
        });
        self.idempotent(by, None, same, created).await.map(drop)
    }

    /// Sets up a table. Shift Manager or above.
    ///
    /// # Errors
    /// The name is taken; the configuration does not fit the rulebook; the jackpot is unknown.
    #[boxed]
    pub async fn create_table(&self, by: &Actor, config: TableConfig) -> Answer<()> {
        let unknown = || HouseError::UnknownRulebook(config.rulebook.clone());
        let text = Rulebook::builtin_text(&config.rulebook).ok_or_else(unknown)?;
        self.create_table_of(by, config, text).await
    }

    /// Sets up a table with your own rulebook. The text is recorded in the journal, and the table is always played under it.
    ///
    /// # Errors
    /// As [`House::create_table`]; the text has faults.
    #[boxed]
    pub async fn create_table_of(&self, by: &Actor, config: TableConfig, text: &str) -> Answer<()> {
        self.create_table_from(by, config, text, None).await
    }

    /// As [`House::create_table_of`], with state carried over from rounds played elsewhere.
    ///
    /// # Errors
    /// As [`House::create_table_of`]; a barred box that the layout does not have.
    #[boxed]
    pub async fn create_table_from(
        &self,
        by: &Actor,
        mut config: TableConfig,
        text: &str,
        earlier: Option<FromEarlier>,
    ) -> Answer<()> {
        by.require(Duty::ShiftManager)?;
        let book = Arc::new(Rulebook::parse("rulebook", text).map_err(HouseError::Rulebook)?);
        config.rulebook = book.id.clone();
        config.settings =
            config.settings.checked(&book).map_err(|fault| HouseError::SetUp(fault.to_string()))?;
        if let Some(seat) = earlier
            .iter()
            .flat_map(|of| &of.standing.barred_boxes)
            .find(|seat| !seat.is_on(config.settings.boxes))
        {
            return Err(HouseError::SetUp(format!("the layout has no box {seat}")));
        }
        let earlier = self.inherit_rulings(earlier, &config, &book);
        if config.float.cents() < 0 {
            return Err(HouseError::Amount(config.float));
        }
        if matches!(config.pace, crate::Pace::Auto { .. }) && config.shoe == crate::Shoe::Entered {
            return Err(HouseError::SetUp("a table that runs itself needs the computer's shoe".to_owned()));
        }
        let jackpot = match &config.jackpot {
            None => None,
            Some(id) => {
                self.fits_jackpot(&config, id)?;
                Some(self.jackpot_slot(id)?)
            }
        };
        let id = config.id.clone();
        let same = |fact: &HouseFact| {
            matches!(fact, HouseFact::TableCreated { table } if *table == id)
                || matches!(fact, HouseFact::RulebookRecorded { hash, .. } if *hash == book.hash)
        };
        let created = async {
            for _ in 0..MAX_ATTEMPTS {
                match self
                    .try_create_table(by, &mut config, &book, (text, &earlier), jackpot.as_deref())
                    .await
                {
                    // Another host has written to the jackpot meanwhile.
                    Err(HouseError::Conflict { .. }) if jackpot.is_some() => {}
                    other => return other,
                }
            }
            Err(HouseError::Conflict { stream: Stream::table(&config.id).to_string(), tries: MAX_ATTEMPTS })
        };
        self.idempotent(by, None, same, created).await.map(drop)
    }

    async fn try_create_table(
        &self,
        by: &Actor,
        config: &mut TableConfig,
        book: &Arc<Rulebook>,
        (text, earlier): (&str, &Option<FromEarlier>),
        jackpot: Option<&JackpotSlot>,
    ) -> Answer<()> {
        let mut held = None;
        if let Some(slot) = jackpot {
            let mut inside = slot.work.lock().await;
            self.refresh_jackpot(slot, &mut inside).await?;
            config.settings.jackpot_wager = inside.state.parameters.wager;
            held = Some(inside);
        }
        let linked = held.as_ref().map(|inside| (inside.state.clone(), inside.head.clone()));
        let config = &*config;
        let done = self
            .append_facts_with(by, |register, _| {
                if register.tables.contains(&config.id) {
                    return Err(HouseError::NameTaken(config.id.to_string()));
                }
                if let Some((state, _)) = &linked {
                    same_operator(&register.rulebooks, state, book)?;
                }
                let batch = set_up_table((config, earlier), book, linked.clone(), by, self.now())?;
                let mut facts = vec![HouseFact::TableCreated { table: config.id.clone() }];
                if !register.rulebooks.holds(&book.hash) {
                    let (hash, text) = (book.hash.clone(), text.to_owned());
                    facts.insert(0, HouseFact::RulebookRecorded { hash, text });
                }
                Ok((facts, batch))
            })
            .await;
        if let (Some(mut inside), Some(slot)) = (held, jackpot) {
            inside.stale = true;
            self.refresh_jackpot(slot, &mut inside).await?;
        }
        done
    }

    /// Adds what a new table takes over from the others: bars from the whole house (I-16), and a fault of the whole jackpot system, which
    /// needs a decision here as at every linked table (RH 5.17.2, RS 5.18.2).
    fn inherit_rulings(
        &self,
        earlier: Option<FromEarlier>,
        config: &TableConfig,
        book: &Rulebook,
    ) -> Option<FromEarlier> {
        let barred = self.barred_everywhere();
        let failed = book.irregularities.jackpot_fault.is_some()
            && config.jackpot.as_ref().is_some_and(|jackpot| self.system_failed(jackpot));
        if barred.is_empty() && !failed {
            return earlier;
        }
        let mut earlier = earlier.unwrap_or_default();
        earlier.standing.barred.extend(barred);
        if failed {
            earlier.standing.system_failed();
        }
        Some(earlier)
    }

    /// Whether a jackpot's system has failed and is not restored at every linked table.
    fn system_failed(&self, jackpot: &JackpotId) -> bool {
        self.table_slots().iter().any(|slot| {
            let live = &slot.shown.get().live;
            live.config.jackpot.as_ref() == Some(jackpot) && live.table.standing.system_fault
        })
    }

    /// Players barred from the whole house.
    fn barred_everywhere(&self) -> BTreeSet<Player> {
        let reaches = |live: &LiveTable| live.table.settings.readings.bar_reach == BarReach::WholeHouse;
        let slots = self.table_slots();
        let shown = slots.iter().map(|slot| slot.shown.get()).filter(|shown| reaches(&shown.live));
        shown.flat_map(|shown| shown.live.table.standing.barred.clone()).collect()
    }
}

pub(super) fn ignore_taken(done: Answer<()>) -> Answer<()> {
    match done {
        Err(HouseError::NameTaken(_)) => Ok(()),
        other => other,
    }
}

fn opened_jackpot(config: &JackpotConfig, by: &Actor, now: crate::Instant) -> Answer<Entry> {
    let configuration = Configuration {
        name: config.id.to_string(),
        base: config.base,
        parameters: Parameters {
            wager: config.wager,
            reset: config.reset,
            increment: config.increment,
            reserve: config.reserve,
            ceiling: config.ceiling,
            confirm_above: config.confirm_above,
        },
        tables: Vec::new(),
    };
    let command = Ask::Open { configuration };
    let events = baize_jackpot::decide(&Jackpot::default(), &command)
        .map_err(|refusal| HouseError::SetUp(refusal.to_string()))?;
    let (_, moves) = apply_events(&Jackpot::default(), &config.id, &events);
    let body =
        Body::Jackpot(vec![JackpotStep { command, events: events.into_iter().collect::<Vec<Said>>() }]);
    let stream = Stream::jackpot(&config.id);
    Ok(new_entry(stream, &Head::default(), &body, now, by, None, None, moves.postings()))
}

/// A jackpot links games of one operator.
fn same_operator(rulebooks: &Rulebooks, jackpot: &Jackpot, book: &Rulebook) -> Answer<()> {
    for linked in jackpot.tables.values().map(|table| &table.link) {
        if let Ok(other) = rulebooks.find(&linked.rulebook, &linked.hash)
            && other.operator != book.operator
        {
            return Err(HouseError::SetUp(format!(
                "jackpot {} links games of one operator only: table {} plays {}'s {}, but {} is {}'s",
                jackpot.name, linked.name, other.operator, other.id, book.id, book.operator
            )));
        }
    }
    Ok(())
}

fn set_up_table(
    (config, earlier): (&TableConfig, &Option<FromEarlier>),
    book: &Arc<Rulebook>,
    linked: Option<(Arc<Jackpot>, Head)>,
    by: &Actor,
    now: crate::Instant,
) -> Answer<Batch> {
    let live = LiveTable::new(config.clone(), Arc::clone(book));
    let mut link = TableLink::new(config.id.to_string(), &live.book);
    link.readings = config.settings.readings;
    let jackpot = linked.and_then(|(state, head)| {
        config.jackpot.clone().map(|id| LinkedJackpot { id, state, head, changed: false })
    });
    let has_jackpot = jackpot.is_some();
    let mut shuffler = Shuffler::new();
    let mut turn = Turn::new(live, &Head::default(), None, jackpot, &mut shuffler, now);
    let turn_error = |error: TurnError| match error {
        TurnError::House(error) => error,
        TurnError::NeedsJackpot => HouseError::NotNow("the table has no jackpot"),
    };
    turn.set_up(by, earlier.clone());
    if has_jackpot {
        let role = by.role().unwrap_or(Role::Dealer);
        let person = Person { name: by.label(), role };
        turn.ask_jackpot(by, Ask::LinkTable { link: Box::new(link), by: person }).map_err(turn_error)?;
    }
    Ok(turn.end(by, None, &Head::default(), None).batch)
}
