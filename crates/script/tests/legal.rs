//! What `legal` lists is what is accepted, in every state of every scenario. Scenarios reach shared boxes, restrictions, options and
//! rulings, which random play seldom does.

#![allow(clippy::wildcard_enum_match_arm, reason = "most commands are treated alike")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use baize_rules::{BoxNumber, FactKind, IrregularityKind, Role, Rulebook};
use baize_script::{Happened, Script, Statement, Transcript, run};
use baize_table::{
    Awaiting, Choice, Command, Facts, Phase, Player, Question, Report, Ruling, RulingKind, Staff, Table, Why,
    decide, due, evolve, legal, reportable,
};

fn find(id: &str) -> Option<Rulebook> {
    Rulebook::builtin(id).cloned()
}

fn scripts() -> Vec<(String, Script)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let games = fs::read_dir(root).expect("the scenarios are there");
    let files = games.flat_map(|game| {
        fs::read_dir(game.expect("a folder can be read").path()).expect("a game has a folder")
    });
    let scripts = files.map(|file| {
        let path = file.expect("a folder can be read").path();
        let text = fs::read_to_string(&path).expect("a scenario is text");
        (path.display().to_string(), Script::parse(&text).expect("a scenario is a script"))
    });
    scripts.collect()
}

/// The states of one table, in order. `None` if more than its own events changed it: what stands from earlier rounds, and a bar in the
/// whole house.
fn states(transcript: &Transcript, at: usize) -> Option<Vec<Table>> {
    let table = &transcript.tables[at];
    let mut states = vec![Table::new(table.settings.clone())];
    let mut now = states[0].clone();
    for entry in &transcript.entries {
        let Happened::Done { events, elsewhere, .. } = &entry.happened else { continue };
        let own = events.iter().filter(|_| entry.table == at);
        let others = elsewhere.iter().filter(|(other, _)| *other == at).flat_map(|(_, events)| events);
        now = own.chain(others).fold(now, evolve);
        states.push(now.clone());
    }
    (now == table.state).then_some(states)
}

/// The steps of a script, and the same wagers and choices by everybody else who plays in it.
fn steps(script: &Script) -> Vec<Command> {
    let mut steps: Vec<Command> = Vec::new();
    for line in &script.lines {
        if let Statement::Step(command) = &line.statement {
            steps.push(command.clone());
        }
    }
    let placed = |command: &Command| match command {
        Command::PlaceWager { seat, player, .. } => Some((*seat, player.clone())),
        _ => None,
    };
    let (seats, players): (BTreeSet<BoxNumber>, BTreeSet<Player>) = steps.iter().filter_map(placed).unzip();
    let mut more = Vec::new();
    for step in &steps {
        for other in &players {
            let mut step = step.clone();
            if let Command::PlaceWager { player, .. } | Command::Withdraw { player, .. } = &mut step {
                *player = other.clone();
                more.push(step);
            }
        }
    }
    for &seat in &seats {
        for choice in Choice::ALL {
            more.push(Command::Choose { seat, player: None, choice });
            let of = |player: &Player| Command::Choose { seat, player: Some(player.clone()), choice };
            more.extend(players.iter().map(of));
        }
    }
    for step in more {
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    steps
}

/// Every state of every scenario with its rulebook, its script's steps and a name for messages.
fn every_state(mut look: impl FnMut(&Rulebook, &Table, &[Command], &str)) {
    for (name, script) in scripts() {
        let transcript = run(&script, &find);
        let steps = steps(&script);
        for (at, table) in transcript.tables.iter().enumerate() {
            for state in states(&transcript, at).unwrap_or_default() {
                look(&table.book, &state, &steps, &format!("{name} round {}", state.round.number));
            }
        }
    }
}

/// Whether a step depends on more than the list says: it has no answer.
fn depends(state: &Table, step: &Command) -> bool {
    match step {
        Command::PlaceWager { unnoticed, .. } => *unnoticed,
        Command::Report(_) | Command::PayJackpot { .. } => true,
        // The card is face down.
        Command::Burn { .. } | Command::Deal { .. } => {
            matches!(state.round.awaiting, Some(Awaiting::Reconstruction { .. }))
        }
        Command::Rule(Ruling { kind: RulingKind::Restrict(player), .. }) => {
            !state.known_players().contains(player)
        }
        _ => false,
    }
}

#[test]
fn a_step_is_accepted_exactly_if_it_is_listed() {
    let mut judged = 0;
    every_state(|book, state, steps, name| {
        let legal = legal(book, state);
        assert_eq!(legal.due, due(book, state), "{name}");
        for step in steps {
            let listed = legal.contains(step);
            assert_eq!(listed.is_none(), depends(state, step), "{name}: {step:?}");
            let refused = decide(book, state, step).err();
            assert!(
                listed.is_none_or(|listed| listed == refused.is_none()),
                "{name}: {step:?} listed {listed:?}, refused: {refused:?}"
            );
            judged += 1;
        }
    });
    assert!(judged > 500_000, "{judged} steps were judged");
}

/// While the dealer puts cards back, the deal goes on, but no other card is due anywhere. During a ruling or a choice there is no deal.
#[test]
fn new_cards_are_dealt_only_while_the_round_waits_for_nothing() {
    every_state(|book, state, _, name| {
        let deals = legal(book, state).deals;
        let play = matches!(state.round.phase, Phase::Play(_));
        match &state.round.awaiting {
            None => assert_eq!(deals.is_some(), play, "{name}"),
            Some(Awaiting::Reconstruction { .. }) => {
                assert!(
                    deals.is_some_and(|deals| deals.places.is_empty() && deals.cards.is_empty()),
                    "{name}"
                );
            }
            Some(Awaiting::Ruling { .. } | Awaiting::Options { .. }) => assert_eq!(deals, None, "{name}"),
        }
    });
}

/// What can be reported is what is not refused as a report that does not belong here; nothing while a person must rule first. A question
/// is optional exactly if a report without its answer is accepted.
#[test]
fn what_can_be_reported_is_listed_with_its_questions() {
    let mut listed = BTreeSet::new();
    every_state(|book, state, _, name| {
        let can = reportable(book, state);
        let kinds: Vec<IrregularityKind> = can.iter().map(|reportable| reportable.kind).collect();
        assert_eq!(kinds, legal(book, state).reports, "{name}");
        let ruling = matches!(state.round.awaiting, Some(Awaiting::Ruling { .. }));
        for kind in IrregularityKind::ALL {
            let by = Staff::of(Role::ShiftManager);
            let report = Report { kind, seat: None, facts: Facts::default(), by };
            let why = decide(book, state, &Command::Report(report)).err().map(|refused| refused.why);
            let belongs = !matches!(why, Some(Why::NotReportable { .. }));
            assert_eq!(kinds.contains(&kind), belongs && !ruling, "{name}: {kind:?}");
            let Some(asked) = can.iter().find(|reportable| reportable.kind == kind) else { continue };
            let must = |fact: &str| asked.questions.iter().any(|q| !q.optional && q.fact.code() == fact);
            if let Some(Why::FactMissing { fact, .. }) = &why {
                let known = asked.questions.is_empty() || must(&fact.to_lowercase());
                assert!(known, "{name}: {kind:?} must say {fact}");
            } else if why.is_none() {
                let all = asked.questions.iter().all(|question| question.optional);
                assert!(all, "{name}: {kind:?} is accepted with less: {:?}", asked.questions);
            }
        }
        for reportable in can {
            let rules = &book.irregularities;
            assert_eq!(reportable.words, reportable.kind.words());
            assert_eq!(reportable.otherwise, (rules.anything_else.value, rules.anything_else.cites));
            listed.insert(reportable.kind);
            for Question { fact, words, .. } in reportable.questions {
                // Cards that are on the table already must not be mistaken for those that left the shoe together.
                let together =
                    (reportable.kind, fact) == (IrregularityKind::SimultaneousDraw, FactKind::Count);
                assert_eq!(words != fact.question(), together, "{name}: {words}");
                assert_eq!(
                    words.starts_with("How many of the cards dealt last"),
                    together,
                    "{name}: {words}"
                );
            }
        }
    });
    assert_eq!(listed.len(), IrregularityKind::ALL.len());
}
