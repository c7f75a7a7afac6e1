//! A table and its jackpot: what an unlinked table may do, when a wager counts as placed, and what a table still owes.

#![allow(clippy::unwrap_used, reason = "in a test a panic is a failure")]

use baize_floor::{
    Away, Fact, KnownJackpot, LinkedTable, OrderResults, Stop, SystemFault, Verification, act, ask, legal,
    legal_to_players, may_close, owes, pay, reopen, takes_wagers, wagered,
};
use baize_jackpot::{
    Command as Request, Configuration, Jackpot, Parameters, Person, Refusal, Status, TableLink, Wager,
    decide, evolve,
};
use baize_rules::{
    Area, BoxNumber, Claim, FaultScope, IrregularityKind, Money, Percent, Reveal, Role, Rulebook,
};
use baize_table::{Command, Facts, Place, Player, Report, Ruling, RulingKind, Settings, Staff, Table};

fn book() -> &'static Rulebook {
    Rulebook::builtin("rws-casino-stud").unwrap()
}

fn person(name: &str) -> Person {
    Person { name: name.to_owned(), role: Role::ShiftManager }
}

fn jackpot(table: &Table) -> Jackpot {
    jackpot_of(book(), table, 1_000_000)
}

fn jackpot_of(book: &Rulebook, table: &Table, confirm_above: i32) -> Jackpot {
    let configuration = Configuration {
        name: "RWS".to_owned(),
        base: Money::from_dollars(100_000),
        parameters: Parameters {
            wager: table.settings.jackpot_wager,
            reset: Money::from_dollars(50_000),
            increment: Percent::from_hundredths(2_000),
            reserve: Percent::from_hundredths(0),
            ceiling: None,
            confirm_above: Money::from_dollars(confirm_above),
        },
        tables: vec![TableLink::new("east", book)],
    };
    let opened = decide(&Jackpot::default(), &Request::Open { configuration }).unwrap();
    opened.iter().fold(Jackpot::default(), evolve)
}

fn at(jackpot: KnownJackpot<'_>) -> LinkedTable<'_> {
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
    assert!(
        act(&at(KnownJackpot::Unread), &table, &Command::Open).is_ok(),
        "opening a round needs no jackpot"
    );
    let done = act(&at(KnownJackpot::NotLinked), &table, &Command::Open).unwrap();
    let table = done.table(table);
    let offered = legal(book(), &table, None, "east");
    assert!(offered.wagers.iter().any(|wager| wager.area == Area::Ante));
    assert!(offered.wagers.iter().all(|wager| wager.area != Area::Jackpot));
    let ante = table.settings.ante.least;
    let table = act(&at(KnownJackpot::NotLinked), &table, &wager(Area::Ante, ante)).unwrap().table(table);
    let on_jackpot = wager(Area::Jackpot, table.settings.jackpot_wager);
    assert_eq!(act(&at(KnownJackpot::NotLinked), &table, &on_jackpot), Err(Stop::Away(Away::NotLinked)));
    let done = act(&at(KnownJackpot::NotLinked), &table, &Command::Close).unwrap();
    assert_eq!(done.steps[0].command, Some(Command::Close));
    assert!(done.facts().all(|fact| matches!(fact, Fact::Table(_))), "there is no jackpot to tell");
}

#[test]
fn only_a_jackpot_wager_is_one() {
    let table = new_table();
    let jackpot = jackpot(&table);
    let known = at(KnownJackpot::Read(&jackpot));
    assert!(!wagered(&table));
    let table = act(&known, &table, &Command::Open).unwrap().table(table);
    let ante = table.settings.ante.least;
    let table = act(&known, &table, &wager(Area::Ante, ante)).unwrap().table(table);
    assert!(!wagered(&table), "an ante is no jackpot wager");
    for offered in [
        legal(book(), &table, Some(&jackpot), "east"),
        legal_to_players(book(), &table, Some(&jackpot), "east"),
    ] {
        assert!(offered.wagers.iter().any(|wager| wager.area == Area::Jackpot));
    }
    assert_eq!(may_close([("east", &table)]), Ok(()), "an ante does not need the jackpot");
    let with = table.settings.jackpot_wager;
    let table = act(&known, &table, &wager(Area::Jackpot, with)).unwrap().table(table);
    assert!(wagered(&table));
    let under_way = Refusal::RoundUnderWay { table: "east".to_owned(), round: 1 };
    assert_eq!(may_close([("east", &table)]), Err(under_way));
}

#[test]
fn a_jackpot_says_why_it_takes_no_wagers() {
    let table = new_table();
    let open = jackpot(&table);
    assert_eq!(takes_wagers(Some(&open), "east"), Ok(()));
    assert_eq!(takes_wagers(None, "east"), Err(Away::NotLinked));
    assert_eq!(takes_wagers(Some(&open), "west"), Err(Away::Unlinked));
    let suspended = suspended(&table);
    assert_eq!(takes_wagers(Some(&suspended), "east"), Err(Away::Suspended));
    assert!(!Away::Suspended.cites(book()).is_empty() && Away::Closed.cites(book()).is_empty());
    let closed = Jackpot { status: Status::Closed("other".to_owned()), ..open.clone() };
    assert_eq!(takes_wagers(Some(&closed), "east"), Err(Away::Closed));
    let mut wrong = open;
    wrong.counters.base += Money::from_dollars(1);
    assert!(matches!(takes_wagers(Some(&wrong), "east"), Err(Away::Imbalance(_))));
}

fn suspended(table: &Table) -> Jackpot {
    let mut jackpot = jackpot(table);
    jackpot.tables.get_mut("east").unwrap().suspended = true;
    jackpot
}

/// The jackpot of a table that reopens takes wagers from it again, unless its jackpot stays off.
#[test]
fn a_table_that_reopens_is_restored() {
    let mut table = new_table();
    let suspended = suspended(&table);
    let reopened = |table: &Table, known| reopen(&at(known), table, person("max")).unwrap();
    assert_eq!(reopened(&table, KnownJackpot::Read(&suspended)), OrderResults::default(), "it is not closed");
    table.standing.closed = true;
    let done = reopened(&table, KnownJackpot::Read(&suspended));
    assert_eq!(takes_wagers(done.jackpot.as_ref(), "east"), Ok(()));
    assert_eq!(done.facts().count(), 1);
    assert_eq!(reopened(&table, KnownJackpot::NotLinked), OrderResults::default());
    let working = jackpot(&table);
    assert_eq!(reopened(&table, KnownJackpot::Read(&working)), OrderResults::default(), "nothing to restore");
    table.standing.no_jackpot = true;
    assert_eq!(reopened(&table, KnownJackpot::Read(&suspended)), OrderResults::default());
}

/// A stud round in which box 1 has a straight flush.
fn straight_flush(table: &Table) -> Vec<Command> {
    let cards = |text: &str| text.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<_>>();
    let (ante, with) = (table.settings.ante.least, table.settings.jackpot_wager);
    vec![
        Command::Open,
        wager(Area::Ante, ante),
        wager(Area::Jackpot, with),
        Command::Close,
        Command::Deal { to: Place::Box(BoxNumber(1)), cards: cards("5h 6h 7h 8h 9h") },
        Command::Deal { to: Place::Dealer, cards: cards("2c 3d 5s 7s Kc") },
        wager(Area::Bet, ante + ante),
        Command::Reveal { what: Reveal::Dealer },
        Command::Settle,
    ]
}

/// Carries out the commands and returns everything that happened.
fn play(
    at: &LinkedTable<'_>,
    table: &mut Table,
    jackpot: &mut Jackpot,
    commands: &[Command],
) -> (Vec<Fact>, Option<SystemFault>) {
    let (mut facts, mut reaches) = (Vec::new(), None);
    for command in commands {
        let done =
            act(&LinkedTable { jackpot: KnownJackpot::Read(jackpot), ..at.clone() }, table, command).unwrap();
        facts.extend(done.facts().cloned());
        *table = done.table(table.clone());
        reaches = done.reaches.or(reaches);
        if let Some(after) = done.jackpot {
            *jackpot = after;
        }
    }
    (facts, reaches)
}

/// RH 4.5, RS 4.5.2: only where winners across tables are paid in the order of the deal does the jackpot get the deals.
#[test]
fn deals_are_reported_where_they_order_the_winners() {
    for (id, reported) in [("rws-casino-stud", 1), ("mbs-megalink-stud", 0)] {
        let book = Rulebook::builtin(id).unwrap();
        let mut table = Table::new(Settings::usual(book).checked(book).unwrap());
        let mut jackpot = jackpot_of(book, &table, 1_000_000);
        let at = LinkedTable { book, ..at(KnownJackpot::NotLinked) };
        let round = straight_flush(&table);
        let (facts, _) = play(&at, &mut table, &mut jackpot, &round);
        let count = |wanted: fn(&Request) -> bool| {
            facts.iter().filter(|fact| matches!(fact, Fact::Jackpot(step) if wanted(&step.command))).count()
        };
        assert_eq!(count(|request| matches!(request, Request::DealHands { .. })), reported, "{id}");
        assert_eq!(count(|request| matches!(request, Request::CountDeals { .. })), reported, "{id}");
    }
}

/// The computer verifies an award of 10,000.20 only if no second person must confirm it.
#[test]
fn small_awards_are_verified_at_once() {
    for (confirm_above, verified) in [(20_000, true), (10_000, false)] {
        let mut table = new_table();
        let mut jackpot = jackpot_of(book(), &table, confirm_above);
        let verification = Verification::SmallAtOnce(person("computer"));
        let at = LinkedTable { verification, ..at(KnownJackpot::NotLinked) };
        let round = straight_flush(&table);
        play(&at, &mut table, &mut jackpot, &round);
        let hit = jackpot.hits.first().unwrap();
        assert_eq!((hit.verified_by.is_some(), hit.is_pending()), (verified, !verified), "{confirm_above}");
    }
}

/// A verifier at one table verifies the hits of its own round, not those of another table's round with the same number.
#[test]
fn hits_at_other_tables_are_not_verified_with_the_round() {
    let book = Rulebook::builtin("mbs-megalink-stud").unwrap();
    let mut table = Table::new(Settings::usual(book).checked(book).unwrap());
    let mut jackpot = jackpot_of(book, &table, 1_000_000);
    let (west, seat, amount) = (|| "west".to_owned(), BoxNumber(1), table.settings.jackpot_wager);
    let claim = Claim { seat, award: 1, made: 0, wager: amount, multiple: 1 };
    for request in [
        Request::LinkTable { link: Box::new(TableLink::new("west", book)), by: person("max") },
        Request::CloseBets { table: west(), round: 1, wagers: vec![Wager { seat, amount }] },
        Request::EnterClaims { table: west(), round: 1, claims: vec![claim] },
    ] {
        jackpot = decide(&jackpot, &request).unwrap().iter().fold(jackpot, evolve);
    }
    let at = LinkedTable {
        book,
        verification: Verification::AtOnce(person("max")),
        ..at(KnownJackpot::NotLinked)
    };
    let round = straight_flush(&table);
    play(&at, &mut table, &mut jackpot, &round);
    let verified = jackpot.hits.iter().map(|hit| (hit.table.as_str(), hit.verified_by.is_some()));
    assert_eq!(verified.collect::<Vec<_>>(), [("west", false), ("east", true)]);
}

/// RS 5.18: a fault of the whole system reaches the other tables, a fault of this one does not. Until the jackpot is restored it
/// takes no wagers from the table.
#[test]
fn only_a_fault_of_the_whole_system_reaches_other_tables() {
    for (scope, reach) in [(FaultScope::Table, false), (FaultScope::System, true)] {
        let mut table = new_table();
        let mut jackpot = jackpot(&table);
        let by = Staff::of(Role::ShiftManager);
        let facts = Facts { scope: Some(scope), seen: Some(true), ..Facts::default() };
        let fault = Report { kind: IrregularityKind::JackpotFault, seat: None, facts, by: by.clone() };
        let mut commands = straight_flush(&table);
        commands.insert(6, Command::Report(fault));
        commands.push(Command::Rule(Ruling { kind: RulingKind::NoJackpot, by, reason: None }));
        let (_, reaches) = play(&at(KnownJackpot::NotLinked), &mut table, &mut jackpot, &commands);
        let reported = reaches.map(|fault| fault.report.facts.scope);
        assert_eq!(reported, reach.then_some(Some(FaultScope::System)));
        assert_eq!(takes_wagers(Some(&jackpot), "east"), Err(Away::Suspended));
    }
}

/// Staff verify a hit elsewhere: until the table has handed the award over, it owes it.
#[test]
fn a_table_owes_what_the_jackpot_has_decided() {
    let mut table = new_table();
    let mut jackpot = jackpot(&table);
    let round = straight_flush(&table);
    play(&at(KnownJackpot::NotLinked), &mut table, &mut jackpot, &round);
    assert!(!owes("east", &table, &jackpot), "nobody has verified it");
    let hit = jackpot.pending().next().unwrap().id;
    let verify = Request::Verify { hit, by: person("max") };
    let decided = decide(&jackpot, &verify).unwrap().iter().fold(jackpot.clone(), evolve);
    assert!(owes("east", &table, &decided));
    assert!(!owes("west", &table, &decided), "another table does not");
    let done = pay(&at(KnownJackpot::Read(&decided)), &table).unwrap();
    assert!(done.facts().any(|fact| matches!(fact, Fact::AwardDrawn(_))));
    assert!(!owes("east", &done.table(table.clone()), done.jackpot.as_ref().unwrap_or(&decided)));
    // The same in one step, where the table asks.
    let done = ask(&at(KnownJackpot::Read(&jackpot)), &table, verify).unwrap();
    assert!(done.facts().any(|fact| matches!(fact, Fact::AwardDrawn(_))));
}
