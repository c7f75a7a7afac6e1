//! Reports as text and as CSV.

use super::{CageLine, HourLine, JackpotLine, NO_ACTIVITY, Report, ReportLine};

/// A part of a report: one CSV table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Part {
    #[default]
    Tables,
    Jackpots,
    Cage,
    Hours,
}

/// What the figures mean, in the order of the columns. Printed below a report and in the command's help.
pub const WORDS: &str = "\
handle             total staked in settled rounds, including jackpot wagers
win                win of the floats from wagers, before contributions and awards
hold               win divided by handle
contributions      contributions of the floats to the jackpots
awards from meter  awards paid by the jackpots
awards by house    awards, or parts of them, paid by the floats
net win            win less contributions less awards by house
float fills        chips that the house added to the floats
drop               cash paid for chips; chips are sold at the cage only, so it is counted for the cage, not for tables
Amounts count for the gaming day on which they were recorded, so finished days never change.";

const TABLE_TITLES: [&str; 10] = [
    "rounds",
    "voids",
    "handle",
    "win",
    "hold",
    "contributions",
    "awards from meter",
    "awards by house",
    "net win",
    "float fills",
];

const JACKPOT_TITLES: [&str; 15] = [
    "day",
    "opening value",
    "opened with",
    "contributions",
    "resets by house",
    "moved",
    "awards from meter",
    "handed over",
    "closing value",
    "reserve",
    "overflow",
    "hits",
    "paid",
    "rejected",
    "reversed",
];

const CAGE_TITLES: [&str; 7] =
    ["cashier", "buy-ins", "drop", "cash-outs", "cashed out", "net cash", "play chips"];

const HOUR_TITLES: [&str; 6] = ["table", "dealer", "rounds", "decisions", "handle", "win"];

/// How amounts are formatted: with separators for people, without for programs.
type Written = fn(baize_rules::Money) -> String;

fn of_line(line: &ReportLine, money: Written, sign: &str) -> Vec<String> {
    vec![
        line.key.clone(),
        line.rounds.to_string(),
        line.voids.to_string(),
        money(line.handle),
        money(line.win),
        line.hold_percent().map(|hold| format!("{hold}{sign}")).unwrap_or_default(),
        money(line.contributions),
        money(line.awards_from_meter),
        money(line.awards_by_house),
        money(line.net_win()),
        money(line.float_fills),
    ]
}

fn of_jackpot(line: &JackpotLine, money: Written) -> Vec<String> {
    vec![
        line.jackpot.to_string(),
        line.day.to_string(),
        line.opening.meter.to_string(),
        line.opened_with.to_string(),
        line.contributions.to_string(),
        line.resets_by_house.to_string(),
        line.moved.to_string(),
        line.awards_from_meter.to_string(),
        money(line.handed_over),
        line.closing.meter.to_string(),
        line.closing.reserve.to_string(),
        line.closing.overflow.to_string(),
        line.hits.to_string(),
        line.paid.to_string(),
        line.rejected.to_string(),
        line.reversed.to_string(),
    ]
}

fn of_cage(line: &CageLine, money: Written) -> Vec<String> {
    vec![
        line.day.map_or_else(|| "total".to_owned(), |day| day.to_string()),
        if line.day.is_some() { line.cashier.clone() } else { String::new() },
        line.buy_ins.to_string(),
        money(line.bought),
        line.cash_outs.to_string(),
        money(line.cashed),
        money(line.net()),
        money(line.play_chips),
    ]
}

fn of_hour(line: &HourLine, day: crate::GamingDay) -> Vec<String> {
    vec![
        day.local(line.at),
        line.table.clone(),
        line.dealer.clone(),
        line.rounds.to_string(),
        line.decisions.to_string(),
        line.handle.to_string(),
        line.win.to_string(),
    ]
}

/// Aligned columns: the first left, the others right. If they are wider than `width`, each row becomes a list.
fn columns(rows: &[Vec<String>], width: usize) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            let width = cell.chars().count();
            match widths.get_mut(at) {
                Some(widest) => *widest = width.max(*widest),
                None => widths.push(width),
            }
        }
    }
    if widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1) > width {
        return lists(rows);
    }
    let mut text = String::new();
    for row in rows {
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if at == 0 {
                text.push_str(&format!("{cell:<width$}"));
            } else {
                text.push_str(&format!("  {cell:>width$}"));
            }
        }
        text.push('\n');
    }
    text
}

/// Each row as a list of titles and values. The first row has the titles.
fn lists(rows: &[Vec<String>]) -> String {
    let Some((titles, rows)) = rows.split_first() else { return String::new() };
    let widest = |cells: &mut dyn Iterator<Item = &String>| cells.map(|cell| cell.chars().count()).max();
    let title = widest(&mut titles.iter().skip(1)).unwrap_or(0);
    let value = widest(&mut rows.iter().flat_map(|row| row.iter().skip(1))).unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        text.push_str(&format!("{}\n", row.first().map_or("", String::as_str)));
        for (name, cell) in titles.iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty()) {
            text.push_str(&format!("  {name:<title$}  {cell:>value$}\n"));
        }
    }
    text
}

/// Wraps definitions with a hanging indent, and sentences without.
fn wrapped(lines: &str, width: usize) -> String {
    let mut text = String::new();
    for line in lines.lines() {
        let indent = if line.get(17..19) == Some("  ") { 19 } else { 0 };
        let (mark, words) = line.split_at(indent);
        text.push_str(mark);
        let mut column = indent;
        for word in words.split(' ') {
            let length = word.chars().count();
            if column > indent && column + 1 + length > width {
                text.push_str(&format!("\n{}", " ".repeat(indent)));
                column = indent;
            } else if column > indent {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += length;
        }
        text.push('\n');
    }
    text
}

fn titled(first: &str, titles: &[&str]) -> Vec<String> {
    [&[first], titles].concat().into_iter().map(str::to_owned).collect()
}

/// Quotes a CSV cell.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl Report {
    /// Days, table, game and definition of the gaming day.
    #[must_use]
    pub fn heading(&self) -> String {
        let days = match (self.from, self.to) {
            (None, None) => "all days".to_owned(),
            (Some(from), None) => format!("from {from}"),
            (None, Some(to)) => format!("to {to}"),
            (Some(from), Some(to)) if from == to => from.to_string(),
            (Some(from), Some(to)) => format!("{from} to {to}"),
        };
        let mut text = format!("Report by {}, {days}", self.by.title());
        if let Some(table) = &self.table {
            text.push_str(&format!(", table {table}"));
        }
        text.push_str(&format!(", for {}", self.money.code()));
        if let Some(game) = &self.game {
            text.push_str(&format!(", game {game}"));
        }
        format!("{text}. Gaming days {}.\n", self.gaming_day)
    }

    fn tables(&self, money: Written, sign: &str) -> Vec<Vec<String>> {
        let lines = self.lines.iter().chain([&self.total]);
        lines.map(|line| of_line(line, money, sign)).collect()
    }

    fn cages(&self, money: Written) -> Vec<Vec<String>> {
        self.cage.iter().chain([&self.cage_total]).map(|line| of_cage(line, money)).collect()
    }

    /// The report as text, at most `width` characters wide.
    #[must_use]
    pub fn table(&self, width: usize) -> String {
        let mut text = wrapped(&self.heading(), width);
        if !self.activity {
            return format!("{text}{NO_ACTIVITY}\n{}", self.debts());
        }
        let mut part = |name: &str, titles: Vec<String>, rows: Vec<Vec<String>>| {
            let mut all = vec![titles];
            all.extend(rows);
            text.push_str(&format!("\n{name}\n{}", columns(&all, width)));
        };
        part("Tables", titled(self.by.title(), &TABLE_TITLES), self.tables(|money| money.grouped(), "%"));
        if !self.jackpots.is_empty() {
            let rows = self.jackpots.iter().map(|line| of_jackpot(line, |money| money.grouped())).collect();
            part("Jackpots", titled("jackpot", &JACKPOT_TITLES), rows);
        }
        if !self.cage.is_empty() {
            part("Cage", titled("day", &CAGE_TITLES), self.cages(|money| money.grouped()));
        }
        format!("{text}\n{}{}", self.debts(), wrapped(WORDS, width))
    }

    fn debts(&self) -> String {
        self.owed.iter().map(|(player, owed)| format!("owed by {player}: {}\n", owed.grouped())).collect()
    }

    /// One part as CSV: titles, lines, total. Every row names the days it covers. A part without lines has one row, `no activity`.
    #[must_use]
    pub fn csv(&self, part: Part) -> String {
        let (titles, mut rows) = match part {
            Part::Tables => {
                (titled(self.by.title(), &TABLE_TITLES), self.tables(|money| money.to_string(), ""))
            }
            Part::Jackpots => {
                let rows = self.jackpots.iter().map(|line| of_jackpot(line, |money| money.to_string()));
                (titled("jackpot", &JACKPOT_TITLES), rows.collect())
            }
            Part::Cage => (titled("day", &CAGE_TITLES), self.cages(|money| money.to_string())),
            Part::Hours => {
                let rows = self.hours.iter().map(|line| of_hour(line, self.gaming_day)).collect();
                (titled("hour", &HOUR_TITLES), rows)
            }
        };
        let nothing = match part {
            Part::Tables => !self.activity,
            Part::Jackpots => self.jackpots.is_empty(),
            Part::Cage => self.cage.is_empty(),
            Part::Hours => self.hours.is_empty(),
        };
        if nothing {
            let mut row = vec![String::new(); titles.len()];
            row[0] = NO_ACTIVITY.to_owned();
            rows = vec![row];
        }
        let days = |day: Option<crate::Date>| day.map(|day| day.to_string()).unwrap_or_default();
        let of = [days(self.from), days(self.to), self.gaming_day.to_string()];
        let mut text = String::new();
        let mut write = |row: Vec<String>, more: &[String]| {
            let cells: Vec<String> = row.iter().chain(more).map(|text| cell(text)).collect();
            text.push_str(&format!("{}\n", cells.join(",")));
        };
        let named = titles.iter().map(|title| match title.as_str() {
            "hold" => "hold_percent".to_owned(),
            other => other.replace([' ', '-'], "_"),
        });
        write(named.collect(), &["from".to_owned(), "to".to_owned(), "gaming_day".to_owned()]);
        for row in rows {
            write(row, &of);
        }
        text
    }
}
