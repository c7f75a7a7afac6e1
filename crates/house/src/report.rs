//! Drop, win, hold: the house's figures.

use std::collections::BTreeMap;

use baize_rules::Money;
use serde::Serialize;

use crate::house::Answer;
use crate::journal::RoundRow;
use crate::{Actor, Duty, House, HouseError, RoundFilter};

/// What a line of a report stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum By {
    Table,
    Game,
    Day,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ReportLine {
    /// The table, game or day.
    pub key: String,
    /// Rounds that were settled.
    pub rounds: u64,
    /// Rounds that were void.
    pub voids: u64,
    /// All that was staked in settled rounds.
    pub drop: Money,
    /// What the house won of it.
    pub win: Money,
    /// Win in hundredths of a per cent of the drop.
    pub hold_hundredths: i64,
    /// What wagers added to jackpots.
    pub contributed: Money,
    /// What jackpots paid.
    pub awarded: Money,
}

/// A report. Without lines it says "no activity".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What a line stands for.
    pub by: By,
    /// The lines.
    pub lines: Vec<ReportLine>,
    /// All of them together.
    pub total: ReportLine,
    /// What players owe because rounds that were put right took back more than their purses held.
    pub owed: BTreeMap<String, Money>,
}

impl Report {
    /// Nothing happened.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// As a table for people. Without lines it says so.
    #[must_use]
    pub fn table(&self) -> String {
        if self.is_empty() {
            return format!("no activity\n{}", self.debts());
        }
        let titles =
            [self.by.title(), "rounds", "void", "drop", "win", "hold", "to jackpots", "jackpot awards"];
        let mut rows = vec![titles.map(str::to_owned)];
        rows.extend(self.lines.iter().chain([&self.total]).map(|line| {
            [
                line.key.clone(),
                line.rounds.to_string(),
                line.voids.to_string(),
                line.drop.grouped(),
                line.win.grouped(),
                line.hold(),
                line.contributed.grouped(),
                line.awarded.grouped(),
            ]
        }));
        let mut widths = [0; 8];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let mut text = String::new();
        for row in rows {
            let mut cells = row.iter().zip(widths);
            if let Some((key, width)) = cells.next() {
                text.push_str(&format!("{key:<width$}"));
            }
            for (cell, width) in cells {
                text.push_str(&format!("  {cell:>width$}"));
            }
            text.push('\n');
        }
        text + &self.debts()
    }

    fn debts(&self) -> String {
        self.owed.iter().map(|(player, owed)| format!("owed by {player}: {}\n", owed.grouped())).collect()
    }

    /// As comma-separated values, with a line of titles; the total is not in it.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = format!("{},rounds,void,drop,win,hold_percent,contributed,awarded\n", self.by.title());
        for line in &self.lines {
            text.push_str(&format!(
                "{},{},{},{},{},{},{},{}\n",
                line.key,
                line.rounds,
                line.voids,
                line.drop,
                line.win,
                line.hold().trim_end_matches('%'),
                line.contributed,
                line.awarded
            ));
        }
        text
    }
}

impl By {
    /// What a line stands for, in a word.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            By::Table => "table",
            By::Game => "game",
            By::Day => "day",
        }
    }
}

impl ReportLine {
    /// The hold: `12.34%`.
    #[must_use]
    pub fn hold(&self) -> String {
        let sign = if self.hold_hundredths < 0 { "-" } else { "" };
        let hundredths = self.hold_hundredths.unsigned_abs();
        format!("{sign}{}.{:02}%", hundredths / 100, hundredths % 100)
    }

    fn add(&mut self, row: &RoundRow) {
        if row.outcome == "void" {
            self.voids += 1;
        } else {
            self.rounds += 1;
            self.drop += Money::from_cents(row.staked);
            self.win += Money::from_cents(row.won);
        }
        self.contributed += Money::from_cents(row.contributed);
        self.awarded += Money::from_cents(row.awarded);
    }

    fn work_out_hold(&mut self) {
        let (win, drop) = (i128::from(self.win.cents()), i128::from(self.drop.cents()));
        // Rounded to the nearest hundredth of a per cent.
        let hundredths = if drop == 0 { 0 } else { (win * 20_000 + drop * win.signum()) / (2 * drop) };
        self.hold_hundredths = i64::try_from(hundredths).unwrap_or(0);
    }
}

impl House {
    /// Drop, win, hold, rounds and jackpot movements. Cage, pit manager or auditor.
    ///
    /// # Errors
    /// Not his business.
    pub async fn report(&self, by: &Actor, group: By) -> Answer<Report> {
        if !by.may(Duty::Auditor) && !by.may(Duty::Cage) && !by.may(Duty::PitManager) {
            return Err(HouseError::Forbidden { needs: Duty::PitManager, cites: baize_rules::Cites::NONE });
        }
        let rows =
            self.inner.store.rounds(RoundFilter { limit: Some(u32::MAX), ..RoundFilter::default() }).await?;
        let mut lines: BTreeMap<String, ReportLine> = BTreeMap::new();
        let mut total = ReportLine { key: "total".to_owned(), ..ReportLine::default() };
        for row in &rows {
            let key = match group {
                By::Table => row.table.clone(),
                By::Game => row.rulebook.clone(),
                By::Day => row.ended.day(),
            };
            let line =
                lines.entry(key.clone()).or_insert_with(|| ReportLine { key, ..ReportLine::default() });
            line.add(row);
            total.add(row);
        }
        let mut lines: Vec<ReportLine> = lines.into_values().collect();
        lines.iter_mut().for_each(ReportLine::work_out_hold);
        total.work_out_hold();
        let owing = self.inner.store.balances().await?.into_iter().filter(|(_, cents)| *cents < 0);
        let owed = owing.filter_map(|(account, cents)| {
            Some((account.strip_prefix(crate::ledger::OWED)?.to_owned(), Money::from_cents(-cents)))
        });
        Ok(Report { by: group, lines, total, owed: owed.collect() })
    }
}
