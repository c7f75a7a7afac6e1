//! Every scenario of the project holds and is written back as itself, and the record of its tables exports to a script
//! that holds too. Mutilated scenarios are refused or run, but never cause a panic.

use std::fs;
use std::path::{Path, PathBuf};

use baize_rules::{Percent, Rulebook};
use baize_script::{Happened, JackpotStood, Script, SetUp, Statement, Transcript, json, run};
use baize_table::{Event, Table};
use proptest::prelude::*;
use proptest::sample::{Index, select};

fn find(id: &str) -> Option<Rulebook> {
    Rulebook::builtin(id).cloned()
}

/// The scenario files of the project with their texts.
fn scenarios() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut found = Vec::new();
    let mut directories = vec![root];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("the scenarios are there") {
            let path = entry.expect("a directory can be read").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "round") {
                let text = fs::read_to_string(&path).expect("a scenario is text");
                found.push((path, text));
            }
        }
    }
    assert!(!found.is_empty());
    found
}

fn played(path: &Path, text: &str) -> (Script, Transcript) {
    let script = Script::parse(text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
    let transcript = run(&script, &find);
    (script, transcript)
}

#[test]
fn every_scenario_holds() {
    let failing: Vec<String> = scenarios()
        .iter()
        .flat_map(|(path, text)| {
            let (_, transcript) = played(path, text);
            let failures = transcript.failures.into_iter();
            failures
                .map(|f| format!("{}:{}: {}; {}", path.display(), f.line, f.expected, f.happened))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(failing.is_empty(), "{}", failing.join("\n"));
}

/// The rulebook with four paragraphs at every entry, none of them twice.
fn citing_as_much_as_possible(book: &Rulebook) -> Rulebook {
    let text = Rulebook::builtin_text(&book.id).expect("it is built in");
    let id = format!("id = \"{}\"", book.id);
    let text = text.replacen(&id, &id.replacen('"', "\"own-", 1), 1);
    let mut parts = text.split("cites = ");
    let mut own = parts.next().unwrap_or_default().to_owned();
    for (n, part) in parts.enumerate() {
        let end = if part.starts_with('[') { ']' } else { '"' };
        let (_, rest) = part[1..].split_once(end).expect("the entry ends");
        let chapter = format!("{}.{}", n / 200 + 1, n % 200 + 1);
        own += &format!("cites = [\"{chapter}.1\", \"{chapter}.2\", \"{chapter}.3\", \"{chapter}.4\"]{rest}");
    }
    Rulebook::parse("own.toml", &own).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn no_paragraph_is_lost_if_every_entry_cites_as_many_as_it_may() {
    let books: Vec<(&str, Rulebook)> = Rulebook::builtins()
        .iter()
        .map(|book| (book.id.as_str(), citing_as_much_as_possible(book)))
        .collect();
    for (_, book) in &books {
        assert!(!book.guide().sections.is_empty());
    }
    let own = |id: &str| books.iter().find(|(of, _)| *of == id).map(|(_, book)| book.clone());
    for (path, text) in scenarios() {
        let script = Script::parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        assert!(!run(&script, &own).tables.is_empty(), "{}", path.display());
    }
}

#[test]
fn every_scenario_written_back_replays_to_the_same_rounds() {
    for (path, text) in scenarios() {
        let (script, transcript) = played(&path, &text);
        let (_, again) = played(&path, &script.to_string());
        let rounds = |transcript: &Transcript| {
            let mut data = json(transcript);
            // Refused lines are counted by number, and comments and blank lines are gone.
            for round in data["rounds"].as_array_mut().into_iter().flatten() {
                for refused in round["refused"].as_array_mut().into_iter().flatten() {
                    refused["line"].take();
                }
            }
            data["rounds"].clone()
        };
        assert_eq!(rounds(&transcript), rounds(&again), "{}", path.display());
    }
}

/// The events of one table, in order.
fn record(transcript: &Transcript, table: usize) -> Vec<Event> {
    let mut record = Vec::new();
    for entry in &transcript.entries {
        if let Happened::Done { events, elsewhere, .. } = &entry.happened {
            if entry.table == table {
                record.extend(events.clone());
            }
            record.extend(
                elsewhere.iter().filter(|(at, _)| *at == table).flat_map(|(_, events)| events.clone()),
            );
        }
    }
    record
}

fn rate(script: &Script) -> (Option<Percent>, bool) {
    let mut rate = None;
    let mut linked = false;
    for line in &script.lines {
        if let Statement::SetUp(SetUp::JackpotRate(percent)) = &line.statement {
            rate = Some(*percent);
        }
        linked |= matches!(line.statement, Statement::Table { .. });
    }
    (rate, linked)
}

fn reset_of(script: &Script) -> baize_rules::Money {
    let reset = script.lines.iter().find_map(|line| {
        if let Statement::SetUp(SetUp::JackpotReset(reset)) = &line.statement { Some(*reset) } else { None }
    });
    reset.unwrap_or(baize_rules::Money::from_dollars(100_000))
}

#[test]
fn the_record_of_every_scenario_exports_to_a_script_that_holds() {
    for (path, text) in scenarios() {
        let (script, transcript) = played(&path, &text);
        let (rate, linked) = rate(&script);
        // The award of a table that shares its jackpot depends on the other tables.
        let Some(first) = transcript.rounds.first().filter(|_| !linked) else { continue };
        let table = &transcript.tables[0];
        let jackpot = JackpotStood {
            meter: first.meter_before,
            reset: reset_of(&script),
            rate: rate.unwrap_or_default(),
        };
        let exported = Script::export(
            &table.book,
            &Table::new(table.settings.clone()),
            jackpot,
            &record(&transcript, 0),
        )
        .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let text = exported.to_string();
        let (_, again) = played(&path, &text);
        assert!(again.holds(), "{}: {:?} in\n{text}", path.display(), again.failures);
        for (then, now) in transcript.rounds.iter().zip(&again.rounds) {
            let slips =
                |round: &baize_script::ScriptRound| round.finished().map(|finished| finished.boxes.clone());
            assert_eq!(slips(then), slips(now), "{}", path.display());
            assert_eq!(then.meter, now.meter, "{}", path.display());
        }
    }
}

/// On a slip, the returned part of an area comes before the rest of it: this order shows whose chips were returned alone.
#[test]
fn what_goes_back_of_an_area_comes_first() {
    let mut two_fates = 0;
    for (path, text) in scenarios() {
        let (_, transcript) = played(&path, &text);
        for slip in transcript.rounds.iter().filter_map(|round| round.finished()).flat_map(|over| &over.boxes)
        {
            for (n, line) in slip.lines.iter().enumerate() {
                let mut before = slip.lines[..n].iter().filter(|earlier| earlier.area == line.area);
                two_fates += before.clone().count();
                let back = baize_table::ResultKind::Returned;
                assert!(
                    line.result != back || before.all(|earlier| earlier.result == back),
                    "{}: {:?}",
                    path.display(),
                    slip.lines
                );
            }
        }
    }
    assert!(two_fates > 10, "{two_fates} areas have two fates");
}

/// A round begins as the previous one left the table: barred players, a jackpot that does not work, a wager under the minimum.
#[test]
fn every_round_exports_on_its_own_with_what_stands_from_the_rounds_before() {
    let mut standing = 0;
    for (path, text) in scenarios() {
        let (script, transcript) = played(&path, &text);
        let (rate, linked) = rate(&script);
        if linked {
            continue;
        }
        let Some(table) = transcript.tables.first() else { continue };
        let events = record(&transcript, 0);
        let opened = |event: &baize_table::Event| matches!(event, baize_table::Event::RoundOpened { .. });
        let starts: Vec<usize> = (0..events.len()).filter(|at| opened(&events[*at])).collect();
        let mut state = Table::new(table.settings.clone());
        for (number, (round, start)) in transcript.rounds.iter().zip(&starts).enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(events.len());
            let of_round = &events[*start..end];
            let jackpot = JackpotStood {
                meter: round.meter_before,
                reset: reset_of(&script),
                rate: rate.unwrap_or_default(),
            };
            let place = format!("{} round {}", path.display(), number + 1);
            let exported = Script::export(&table.book, &state, jackpot, of_round)
                .unwrap_or_else(|fault| panic!("{place}: {fault}"));
            let text = exported.to_string();
            let (_, again) = played(&path, &text);
            assert!(again.holds(), "{place}: {:?} in\n{text}", again.failures);
            assert_eq!(again.rounds.len(), 1, "{place}");
            let slips =
                |round: &baize_script::ScriptRound| round.finished().map(|finished| finished.boxes.clone());
            assert_eq!(slips(round), slips(&again.rounds[0]), "{place}");
            standing += usize::from(
                text.lines()
                    .any(|line| line.starts_with("standing ") && !line.starts_with("standing rounds ")),
            );
            state = of_round.iter().fold(state, baize_table::evolve);
        }
    }
    assert!(standing >= 3, "{standing} rounds with something that stands");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn a_mutilated_scenario_never_panics(
        file in any::<Index>(),
        at in any::<Index>(),
        other in any::<Index>(),
        how in 0u8..6,
        with in prop_oneof![
            Just("0".to_owned()), Just("255".to_owned()), Just("1000000000000".to_owned()), Just("As".to_owned()),
            Just("jackpot".to_owned()), Just("settle\nsettle".to_owned()),
            "\\PC{0,4}".prop_map(|text| text),
        ],
        step in select(vec![
            "open", "close", "settle", "reveal dealer", "reveal flop", "report misdeal seen=no", "report other",
            "decide void by shift-manager", "decide continue by shift-manager", "option 1 withdraw", "absent 1", "decline 1",
            "table x", "expect refused", "expect 1 net 0", "report jackpot-fault", "report wrong-board reconstructable=no",
            "fold 1", "check 1", "look 1", "bet 1 ann ante 50 unnoticed", "withdraw 1 ann ante", "deal 1 As", "burn Kd",
        ]),
    ) {
        let scenarios = scenarios_once();
        let (path, text) = &scenarios[file.index(scenarios.len())];
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (line, second) = (at.index(lines.len()), other.index(lines.len()));
        match how {
            0 => { lines.remove(line); }
            1 => lines.swap(line, second),
            2 => lines.insert(line, lines[second].clone()),
            3 => lines.insert(line, step.to_owned()),
            4 => lines.truncate(line),
            _ => {
                let mut words: Vec<String> = lines[line].split(' ').map(str::to_owned).collect();
                let word = other.index(words.len());
                words[word] = with;
                lines[line] = words.join(" ");
            }
        }
        if let Ok(script) = Script::parse(&lines.join("\n")) {
            let transcript = run(&script, &find);
            prop_assert!(transcript.failures.is_sorted_by_key(|failure| failure.line), "{}", path.display());
            let _ = json(&transcript);
            let _ = baize_script::tell(&transcript, baize_script::Look { width: 60, colour: false }, &[]);
        }
    }
}

fn scenarios_once() -> &'static [(PathBuf, String)] {
    static READ: std::sync::OnceLock<Vec<(PathBuf, String)>> = std::sync::OnceLock::new();
    READ.get_or_init(scenarios)
}
