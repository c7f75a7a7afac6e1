//! Builds a report from stored day totals and, for other days, from the journal's entries in order.

use std::collections::BTreeMap;

use baize_rules::Money;

use super::hours::Stakes;
use super::jackpots::{through, unmoved};
use super::tally::{KINDS, Tally, last_settled};
use super::{
    By, CageLine, JackpotLine, NO_ACTIVITY, Report, ReportError, ReportFault, ReportFilter, ReportLine, days,
};
use crate::boxed;
use baize_house::record::{self, Body};
use baize_house::{Actor, Answer, Date, Duty, GamingDay, House, HouseError, MoneyKind, ledger};
use baize_journal::{Entry, EntryFilter};

/// Entries read per query.
const PAGE: u32 = 500;

/// Builds a report. Allowed for the cage, pit managers and auditors.
///
/// # Errors
/// Not allowed; no such table or game; the first day is after the last.
#[boxed]
pub async fn report(house: &House, by: &Actor, asked: &ReportFilter) -> Result<Report, ReportError> {
    if !by.may(Duty::Auditor) && !by.may(Duty::Cage) && !by.may(Duty::PitManager) {
        let cites = baize_rules::Cites::NONE;
        return Err(HouseError::Forbidden { needs: Duty::PitManager, cites }.into());
    }
    let tables = house.tables().await?;
    let games = tables.iter().map(|table| (table.id.to_string(), table.rulebook.clone())).collect();
    check(asked, &games)?;
    let kinds = tables.iter().map(|table| (table.id.to_string(), table.money)).collect();
    let money = money(asked, &kinds);
    let days = days::days(house, asked.day, (asked.from, asked.to), asked.hours).await?;
    let whole = asked.table.is_none() && asked.game.is_none();
    let mut report = Report {
        by: asked.by,
        from: asked.from,
        to: asked.to,
        table: asked.table.clone(),
        game: asked.game.clone(),
        money,
        gaming_day: asked.day,
        activity: false,
        note: None,
        lines: Vec::new(),
        total: ReportLine { key: "total".to_owned(), ..ReportLine::default() },
        jackpots: Vec::new(),
        cage: Vec::new(),
        cage_total: CageLine { cashier: "total".to_owned(), ..CageLine::default() },
        owed: BTreeMap::new(),
        hours: Vec::new(),
        staked: BTreeMap::new(),
        meters: Vec::new(),
    };
    let wanted = |table: &str| {
        let game = games.get(table).map(String::as_str).unwrap_or_default();
        asked.table.as_ref().is_none_or(|wanted| wanted.as_str() == table)
            && kinds.get(table).copied().unwrap_or_default() == money
            && asked.game.as_deref().is_none_or(|wanted| wanted == game)
    };
    let mut lines: BTreeMap<String, ReportLine> = BTreeMap::new();
    for (day, table, movement) in
        days.iter().flat_map(|(day, of)| of.tables.iter().map(move |(table, line)| (day, table, line)))
    {
        if !wanted(table) {
            continue;
        }
        let game = games.get(table).map(String::as_str).unwrap_or_default();
        let key = match asked.by {
            By::Table => table.clone(),
            By::Game => game.to_owned(),
            By::Day => day.to_string(),
        };
        lines.entry(key.clone()).or_insert(ReportLine { key, ..ReportLine::default() }).add(movement);
        report.total.add(movement);
    }
    report.lines = lines.into_values().collect();
    if asked.hours {
        for day in days.values() {
            report.hours.extend(day.hours.values().filter(|line| wanted(&line.table)).cloned());
            for (table, staked) in day.staked.iter().filter(|(table, _)| wanted(table)) {
                let sum = report.staked.entry(table.clone()).or_default();
                *sum = sum.with(*staked);
            }
        }
    }
    if whole {
        for jackpot in house.jackpots().await?.iter().filter(|jackpot| jackpot.money == money) {
            let name = jackpot.id.to_string();
            let before = report.jackpots.len();
            for day in days.values() {
                let handed_over = day.handed_over.get(&name).copied().unwrap_or_default();
                let line = day.jackpots.get(&name).cloned();
                report.jackpots.extend(line.map(|line| JackpotLine { handed_over, ..line }));
                let own = day.meters.values().filter(|point| asked.hours && point.jackpot == jackpot.id);
                report.meters.extend(own.cloned());
            }
            if report.jackpots.len() == before {
                report.jackpots.extend(unmoved(house, &jackpot.id, asked.day, asked.to).await?);
            }
        }
        report.cage = days.into_values().flat_map(|day| day.cage.into_values()).collect();
        for line in &report.cage {
            report.cage_total.add(line);
        }
        let owing = house.store().balances().await?.into_iter().filter(|(_, cents)| *cents < 0);
        let owed = owing.filter_map(|(account, cents)| {
            Some((account.strip_prefix(ledger::OWED)?.to_owned(), Money::from_cents(-cents)))
        });
        report.owed = owed.collect();
    }
    report.activity = report.total.is_activity()
        || report.lines.iter().any(ReportLine::is_activity)
        || report.jackpots.iter().any(JackpotLine::is_activity)
        || !report.cage.is_empty();
    report.note = (!report.activity).then_some(NO_ACTIVITY);
    Ok(report)
}

/// Sums the entries of these days.
///
/// # Errors
/// The database's, and unreadable entries.
#[boxed]
pub async fn added_up(
    house: &House,
    rule: GamingDay,
    (first, last): (Option<Date>, Option<Date>),
) -> Answer<Tally> {
    let mut tally = Tally::new(rule);
    let from = first.map(|first| rule.start(first));
    let until = last.map(|last| rule.start(last.next()));
    // Restricts the scan to the days' entries.
    let Some((lowest, highest)) = house.store().numbers(from, until).await? else { return Ok(tally) };
    let mut after = lowest.saturating_sub(1);
    loop {
        let page = house.store().entries(EntryFilter {
            kinds: KINDS.map(str::to_owned).to_vec(),
            from,
            until,
            after: Some(after),
            before: Some(highest + 1),
            limit: PAGE,
            ..EntryFilter::default()
        });
        let page = page.await?;
        for entry in &page {
            count(house, &mut tally, entry).await?;
        }
        match page.last() {
            Some(last) if page.len() == PAGE as usize => after = last.number,
            _ => break,
        }
    }
    for stream in house.store().streams().await? {
        if let Some(jackpot) = stream.after("jackpot/").and_then(|name| name.parse().ok()) {
            through(house, &jackpot, (first, last), &mut tally).await?;
        }
    }
    Ok(tally)
}

async fn count(house: &House, tally: &mut Tally, entry: &Entry) -> Answer<()> {
    if entry.is_sealed() {
        // A round in progress, without the key: it counts when it is over.
        tally.incomplete.insert(tally.rule().of(entry.at));
        return Ok(());
    }
    let Some(table) = entry.stream.after("table/") else {
        tally.elsewhere(entry);
        return Ok(());
    };
    let Body::Table { round, steps, .. } = record::read(&entry.body, &entry.place())? else {
        return Err(HouseError::Corrupt(format!("{}: not a table's entry", entry.place())));
    };
    if tally.needs_last_settled(table, &steps) {
        let before = settled_before(house, entry).await?;
        tally.set_last_settled(table, before.unwrap_or_default());
    }
    tally.at_table(entry, round, &steps);
    Ok(())
}

/// The last round of the entry's table settled before it.
async fn settled_before(house: &House, entry: &Entry) -> Answer<Option<(u32, Stakes)>> {
    let filter = EntryFilter {
        stream: Some(entry.stream.clone()),
        kinds: vec!["round-settled".to_owned()],
        before: Some(entry.number),
        limit: 1,
        ..EntryFilter::default()
    };
    let found = house.store().entries(filter).await?;
    let Some(earlier) = found.first() else { return Ok(None) };
    match record::read(&earlier.body, &earlier.place())? {
        Body::Table { round, steps, .. } => Ok(last_settled(round, &steps)),
        Body::Jackpot(_) | Body::House(_) | Body::Purse(_) => Ok(None),
    }
}

/// What the report covers: as requested, or what the only table is for, or cash if any table is.
fn money(asked: &ReportFilter, kinds: &BTreeMap<String, MoneyKind>) -> MoneyKind {
    let of_table = asked.table.as_ref().and_then(|table| kinds.get(table.as_str()).copied());
    let of_house = || kinds.values().copied().max().unwrap_or_default();
    asked.money.or(of_table).unwrap_or_else(of_house)
}

/// Checks the days, the table and the game.
fn check(asked: &ReportFilter, games: &BTreeMap<String, String>) -> Result<(), ReportFault> {
    if let (Some(from), Some(to)) = (asked.from, asked.to)
        && from > to
    {
        return Err(ReportFault::Backwards { from, to });
    }
    if let Some(table) = asked.table.as_ref().filter(|table| !games.contains_key(table.as_str())) {
        let known: Vec<&str> = games.keys().map(String::as_str).collect();
        return Err(ReportFault::NoTable { asked: table.to_string(), known: known.join(", ") });
    }
    if let Some(game) = asked.game.as_ref().filter(|game| !games.values().any(|known| known == *game)) {
        let known: std::collections::BTreeSet<&str> = games.values().map(String::as_str).collect();
        let known: Vec<&str> = known.into_iter().collect();
        let asked = game.chars().take(40).collect();
        return Err(ReportFault::NoGame { asked, known: known.join(", ") });
    }
    Ok(())
}
