//! A table and its jackpot: what an unlinked table may do, when a wager counts as placed, and what a table still owes.

#![allow(clippy::unwrap_used, reason = "in a test a panic is a failure")]

use baize_floor::{Fact, Known, LinkedTable, Verification, act, ask, legal, owes, pay, wagered};
use baize_jackpot::{
    Command as Request, Configuration, Jackpot, Parameters, Person, TableLink, decide, evolve,
};
use baize_rules::{Area, BoxNumber, Money, Percent, Reveal, Role, Rulebook};
use baize_table::{Command, Place, Player, Settings, Table};

fn book() -> &'static Rulebook {
    Rulebook::builtin("rws-casino-stud").unwrap()
}

fn person(name: &str) -> Person {
    Person { name: name.to_owned(), role: Role::ShiftManager }
}

fn jackpot(table: &Table) -> Jackpot {
    let configuration = Configuration {
        name: "RWS".to_owned(),
        base: Money::from_dollars(100_000),
        parameters: Parameters {
            wager: table.settings.jackpot_wager,
            reset: Money::from_dollars(50_000),
            increment: Percent::from_hundredths(2_000),
            reserve: Percent::from_hundredths(0),
            ceiling: None,
            confirm_above: Money::from_dollars(1_000_000),
        },
        tables: vec![TableLink::new("east", book())],
    };
    let opened = decide(&Jackpot::default(), &Request::Open { configuration }).unwrap();
    opened.iter().fold(Jackpot::default(), evolve)
}

fn at(jackpot: Known<'_>) -> LinkedTable<'_> {
    LinkedTable { book: book(), name: "east", jackpot, order: 1, verification: Verification::ByPeople }
}

fn wager(area: Area, amount: Money) -> Command {
    let player = Player::from("ann");
    Command::PlaceWager { seat: BoxNumber(1), player, area, amount, unnoticed: false, placed_by: None }
}

fn new_table() -> Table {
    Table::new(Settings::usual(book()).checked(book()).unwrap())
}

#[test]
fn an_unlinked_table_plays_without_a_jackpot() {
    let table = new_table();
    let done = act(&at(Known::NotLinked), &table, &Command::Open).unwrap();
    let table = done.table(table);
    let offered = legal(book(), &table, None, "east");
    assert!(offered.wagers.iter().any(|wager| wager.area == Area::Ante));
    assert!(offered.wagers.iter().all(|wager| wager.area != Area::Jackpot));
    let ante = table.settings.ante.least;
    let table = act(&at(Known::NotLinked), &table, &wager(Area::Ante, ante)).unwrap().table(table);
    let done = act(&at(Known::NotLinked), &table, &Command::Close).unwrap();
    assert!(done.facts().all(|fact| matches!(fact, Fact::Table(_))), "there is no jackpot to tell");
}

#[test]
fn only_a_jackpot_wager_is_one() {
    let table = new_table();
    let jackpot = jackpot(&table);
    let known = at(Known::Read(&jackpot));
    assert!(!wagered(&table));
    let table = act(&known, &table, &Command::Open).unwrap().table(table);
    let ante = table.settings.ante.least;
    let table = act(&known, &table, &wager(Area::Ante, ante)).unwrap().table(table);
    assert!(!wagered(&table), "an ante is no jackpot wager");
    let offered = legal(book(), &table, Some(&jackpot), "east");
    assert!(offered.wagers.iter().any(|wager| wager.area == Area::Jackpot));
    let with = table.settings.jackpot_wager;
    let table = act(&known, &table, &wager(Area::Jackpot, with)).unwrap().table(table);
    assert!(wagered(&table));
}

/// Staff verify a hit elsewhere: until the table has handed the award over, it owes it.
#[test]
fn a_table_owes_what_the_jackpot_has_decided() {
    let mut table = new_table();
    let mut jackpot = jackpot(&table);
    let cards = |text: &str| text.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<_>>();
    let (ante, with) = (table.settings.ante.least, table.settings.jackpot_wager);
    for command in [
        Command::Open,
        wager(Area::Ante, ante),
        wager(Area::Jackpot, with),
        Command::Close,
        Command::Deal { to: Place::Box(BoxNumber(1)), cards: cards("5h 6h 7h 8h 9h") },
        Command::Deal { to: Place::Dealer, cards: cards("2c 3d 5s 7s Kc") },
        wager(Area::Bet, ante + ante),
        Command::Reveal { what: Reveal::Dealer },
        Command::Settle,
    ] {
        let done = act(&at(Known::Read(&jackpot)), &table, &command).unwrap();
        jackpot = done.jackpot.clone().unwrap_or(jackpot);
        table = done.table(table);
    }
    assert!(!owes("east", &table, &jackpot), "nobody has verified it");
    let hit = jackpot.pending().next().unwrap().id;
    let verify = Request::Verify { hit, by: person("max") };
    let decided = decide(&jackpot, &verify).unwrap().iter().fold(jackpot.clone(), evolve);
    assert!(owes("east", &table, &decided));
    assert!(!owes("west", &table, &decided), "another table does not");
    let done = pay(&at(Known::Read(&decided)), &table).unwrap();
    assert!(done.facts().any(|fact| matches!(fact, Fact::AwardDrawn(_))));
    assert!(!owes("east", &done.table(table.clone()), done.jackpot.as_ref().unwrap_or(&decided)));
    // The same in one step, where the table asks.
    let done = ask(&at(Known::Read(&jackpot)), &table, verify).unwrap();
    assert!(done.facts().any(|fact| matches!(fact, Fact::AwardDrawn(_))));
}
