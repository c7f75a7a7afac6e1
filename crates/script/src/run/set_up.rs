//! Sets tables up.

use std::sync::Arc;

use baize_rules::{Area, Rulebook};
use baize_table::{Limits, Settings, SettingsFault, Table};

use super::implied::InTurn;
use super::{Run, TableRun};
use crate::SetUp;
use crate::transcript::Refused;
use crate::vocabulary::nearest;

impl Run<'_> {
    /// Applies a set-up line to the current table.
    pub(super) fn set_up(&mut self, line: &SetUp) -> Result<(), Refused> {
        if let SetUp::Game(id) = line {
            let table = self.table(None, id, &[])?;
            self.jackpot.set_operator(&table.book.operator);
            self.tables.push(table);
            return Ok(());
        }
        if let SetUp::Standing(stands) = line {
            // It applies to this table only: another table has its own.
            stands.put_up(&mut self.tables[self.current].state);
            return Ok(());
        }
        match line {
            SetUp::JackpotMeter(meter) => self.jackpot.set_meter(*meter),
            SetUp::JackpotReset(reset) => self.jackpot.set_reset(*reset),
            SetUp::JackpotRate(rate) => self.jackpot.set_rate(*rate)?,
            SetUp::JackpotWager(wager) => {
                // The jackpot is shared, and so is its wager.
                for table in &mut self.tables {
                    let settings = applied(line, table.state.settings.clone(), &table.book)?;
                    table.state.settings = settings;
                }
                self.jackpot.set_wager(*wager);
            }
            SetUp::Game(_)
            | SetUp::Standing(_)
            | SetUp::Dealing(_)
            | SetUp::Boxes(_)
            | SetUp::Limit { .. }
            | SetUp::Interpret { .. } => {
                let table = &mut self.tables[self.current];
                let settings = applied(line, table.state.settings.clone(), &table.book)?;
                table.state.settings = settings;
            }
        }
        if self.current == 0 {
            self.common.push(line.clone());
        }
        Ok(())
    }

    /// The lines from here on belong to this table; it is created if it is new.
    pub(super) fn choose_table(&mut self, name: &str, game: Option<&str>) -> Result<(), Refused> {
        if let Some(at) = self.tables.iter().position(|table| table.name.as_deref() == Some(name)) {
            let known = &self.tables[at].book.id;
            if game.is_some_and(|game| game != known) {
                return Err(Refused::because(format!("table {name} is there already and plays {known}")));
            }
            self.current = at;
            return Ok(());
        }
        let first = self.tables[0].book.id.clone();
        let common = self.common.clone();
        let mut table = self.table(Some(name), game.unwrap_or(&first), &common)?;
        table.state.standing.barred.extend(self.barred.iter().cloned());
        self.current = self.tables.len();
        self.tables.push(table);
        Ok(())
    }

    fn table(&self, name: Option<&str>, game: &str, set_up: &[SetUp]) -> Result<TableRun, Refused> {
        let book = match self.tables.iter().find(|table| table.book.id == game) {
            Some(table) => Arc::clone(&table.book),
            None => Arc::new((self.lookup)(game).ok_or_else(|| unknown_game(game))?),
        };
        let same_game = self.tables.first().is_none_or(|first| first.book.id == book.id);
        let mut settings = Settings::usual(&book);
        for line in set_up {
            // Another game has its own dealing procedures, layouts and open points.
            let fits = match line {
                SetUp::Dealing(_) | SetUp::Boxes(_) => same_game,
                SetUp::Interpret { point, .. } => book.leaves_open(*point),
                SetUp::Game(_)
                | SetUp::Limit { .. }
                | SetUp::JackpotWager(_)
                | SetUp::JackpotMeter(_)
                | SetUp::JackpotReset(_)
                | SetUp::JackpotRate(_)
                | SetUp::Standing(_) => true,
            };
            if fits {
                settings = applied(line, settings, &book)?;
            }
        }
        let name = name.map(str::to_owned);
        Ok(TableRun { name, book, state: Table::new(settings), in_turn: InTurn::default(), round: None })
    }
}

fn unknown_game(id: &str) -> Refused {
    let known: Vec<&str> = Rulebook::builtins().iter().map(|book| book.id.as_str()).collect();
    let hint = match nearest(id, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    Refused::because(format!("no rulebook has the id `{id}`; {hint}"))
}

/// The settings with this line applied, if they fit the game.
fn applied(line: &SetUp, mut settings: Settings, book: &Rulebook) -> Result<Settings, Refused> {
    match line {
        SetUp::Dealing(name) => settings.procedure = *name,
        SetUp::Boxes(boxes) => settings.boxes = *boxes,
        SetUp::Limit { area, least, most } => {
            let limits = Limits { least: *least, most: *most };
            if !book.has_area(*area) {
                return Err(Refused::because(format!("the layout of this game has no {} area", area.code())));
            }
            let displayed = if *area == Area::Bonus { &mut settings.bonus } else { &mut settings.ante };
            *displayed = limits;
        }
        SetUp::JackpotWager(wager) => settings.jackpot_wager = *wager,
        SetUp::Interpret { point, .. } if !book.leaves_open(*point) => {
            let open: Vec<&str> = book.interpretations.iter().map(|open| open.id.code()).collect();
            let why = format!("{point} is not open in this game: its open points are {}", open.join(", "));
            return Err(Refused::because(why));
        }
        SetUp::Interpret { point, reading } => {
            settings.readings = settings.readings.with(*point, reading).map_err(Refused::because)?;
        }
        SetUp::Game(_)
        | SetUp::JackpotMeter(_)
        | SetUp::JackpotReset(_)
        | SetUp::JackpotRate(_)
        | SetUp::Standing(_) => {}
    }
    settings.checked(book).map_err(|fault| {
        let cites = match &fault {
            SettingsFault::Boxes { cites, .. } => *cites,
            SettingsFault::Procedure { .. } | SettingsFault::Limits { .. } | SettingsFault::JackpotWager => {
                baize_rules::Cites::NONE
            }
        };
        Refused { why: fault.to_string(), cites }
    })
}
