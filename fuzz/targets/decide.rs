//! Any sequence of commands at a table: `decide` and `evolve` never panic, `legal` lists what is accepted, and replay is identity.
//!
//! Every three bytes of the input choose one command of the tests' random player, so a mutated byte changes only the rest of the round.

#![no_main]

#[path = "../../crates/table/tests/support/mod.rs"]
mod support;

use baize_rules::Rulebook;
use baize_table::{evolve, legal};
use libfuzzer_sys::fuzz_target;
use support::{Dice, anything, apply, fitting_report, one_too_many, report, sensible, table};

fuzz_target!(|input: &[u8]| {
    let Some((set_up, commands)) = input.split_first() else { return };
    let books = Rulebook::builtins();
    let book = &books[usize::from(*set_up) % books.len()];
    let mut at = table(book, usize::from(*set_up) / books.len());
    let mut replayed = at.clone();
    for bytes in commands.chunks_exact(3).take(200) {
        let mut dice = Dice(u64::from(bytes[1]) << 8 | u64::from(bytes[2]));
        let command = match bytes[0] % 16 {
            0 => anything(&at, &mut dice),
            1 => report(&mut dice),
            2 => match fitting_report(book, &at, &mut dice) {
                Some(report) => report,
                None => continue,
            },
            3 => one_too_many(&at, &mut dice),
            _ => sensible(book, &at, &mut dice),
        };
        let listed = legal(book, &at).contains(&command);
        let events = apply(book, &mut at, &command);
        if let Some(listed) = listed {
            assert_eq!(listed, events.is_some(), "{}: {command:?}", book.id);
        }
        replayed = events.iter().flatten().fold(replayed, evolve);
        assert_eq!(at, replayed, "{}: {command:?}", book.id);
    }
});
