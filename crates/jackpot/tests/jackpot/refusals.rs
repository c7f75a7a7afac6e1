//! Bad input: refused with a named error, nothing lost.

use baize_jackpot::{
    Command, Configuration, ConfigurationFault, Jackpot, Parameters, Refusal, Wager, decide,
};
use baize_rules::{BoxNumber, Claim, Money, Percent, Role};

use crate::floor::{Floor, configuration, link, manager, parameters, person, supervisor, wagers};
use crate::games::{claim, money, ms, rs};

fn faults(change: impl Fn(&mut Configuration)) -> Vec<String> {
    let mut configuration = configuration(&rs());
    change(&mut configuration);
    let faults = configuration.faults();
    let refusal = decide(&Jackpot::default(), &Command::Open { configuration }).unwrap_err();
    assert_eq!(refusal, Refusal::Configuration { faults: faults.clone() });
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn a_configuration_names_all_its_faults_at_once() {
    assert_eq!(
        faults(|c| c.parameters.increment = Percent::from_hundredths(9_600)),
        ["increment 96% and reserve 5% together are over 100% of the wager"]
    );
    assert_eq!(
        faults(|c| c.parameters.ceiling = Some(money("90000"))),
        [
            "the ceiling 90000.00 is under the reset value 100000.00",
            "the ceiling 90000.00 is under the meter, which is opened with 250000.00"
        ]
    );
    assert_eq!(faults(|c| c.parameters.wager = money("0")), ["the wager is 0.00; it must be more than 0.00"]);
    assert_eq!(faults(|c| c.tables.push(link("b", rs(), 1))), ["table b is linked twice"]);
    assert_eq!(
        faults(|c| c.tables[0].multiples = 0),
        ["table a accepts no multiple of the wager; it must accept at least 1"]
    );
    assert_eq!(faults(|c| c.tables[0].rules.awards.clear()), ["the rules of table a have no jackpot awards"]);
    assert_eq!(
        faults(|c| {
            c.name.clear();
            c.base = -money("1");
            c.tables[1].rules = ms();
        })
        .len(),
        4,
        "no name, a negative base, b orders otherwise than a, and c than b"
    );
    assert_eq!(
        faults(|c| c.parameters.reset = -money("1")),
        ["the reset value is -1.00; it must be an amount from 0.00 to 1000000000000.00"]
    );
    let lowest = Parameters { reset: Money::ZERO, confirm_above: Money::ZERO, ..parameters() };
    assert_eq!(lowest.faults(), []);
    let at_reset = Parameters { ceiling: Some(parameters().reset), ..parameters() };
    assert_eq!(at_reset.faults(), []);
    let whole = Parameters { increment: Percent::WHOLE, reserve: Percent::ZERO, ..parameters() };
    assert_eq!(whole.faults(), []);
    let over = Parameters { increment: Percent::from_hundredths(u32::MAX), ..parameters() };
    assert!(matches!(over.faults()[..], [ConfigurationFault::RatesOverWhole { .. }]));
}

#[test]
fn nothing_happens_before_it_is_open_and_it_opens_once() {
    let bets = Command::CloseBets { table: "a".to_owned(), round: 1, wagers: Vec::new() };
    assert_eq!(decide(&Jackpot::default(), &bets), Err(Refusal::NotOpen));
    let mut floor = Floor::open(configuration(&rs()));
    let again = Command::Open { configuration: configuration(&rs()) };
    assert_eq!(floor.refused(&again), Refusal::AlreadyOpen { name: "grand".to_owned() });
}

#[test]
fn wagers_must_be_prescribed_linked_and_counted_once() {
    let mut floor = Floor::open(configuration(&rs()));
    let close = |table: &str, round, wagers| Command::CloseBets { table: table.to_owned(), round, wagers };
    let wager = |amount| vec![Wager { seat: BoxNumber(4), amount }];
    for amount in ["4.99", "10", "0"] {
        let refusal = floor.refused(&close("a", 1, wager(money(amount))));
        assert_eq!(
            refusal.to_string(),
            format!("the jackpot wager of box 4 is {}; prescribed is 5.00", money(amount))
        );
    }
    floor.refused(&close("a", 1, wager(-money("5"))));
    floor.done(Command::LinkTable { link: Box::new(link("m", rs(), 5)), by: manager() });
    assert_eq!(
        floor.refused(&close("m", 1, wager(money("7")))).to_string(),
        "the jackpot wager of box 4 is 7.00; prescribed is 5.00, or 2 to 5 times that"
    );
    assert_eq!(
        floor.refused(&close("x", 1, wagers(&[1]))),
        Refusal::TableNotLinked { table: "x".to_owned() }
    );
    assert_eq!(floor.refused(&close("a", 1, wagers(&[1, 1]))), Refusal::SeatTwice { seat: BoxNumber(1) });
    floor.bets("a", 1, &[1]);
    assert!(matches!(floor.refused(&close("a", 1, wagers(&[1]))), Refusal::RoundStillOpen { .. }));
    floor.end("a", 1);
    assert!(matches!(floor.refused(&close("a", 1, wagers(&[1]))), Refusal::RoundEnded { .. }));
    let end = |round| Command::EndRound { table: "a".to_owned(), round };
    assert!(matches!(floor.refused(&end(1)), Refusal::RoundEnded { .. }));
    assert!(matches!(floor.refused(&end(2)), Refusal::NoSuchRound { .. }), "it has not begun");
}

#[test]
fn a_hit_counts_once_and_only_on_its_wager() {
    let mut floor = Floor::open(configuration(&rs()));
    let enter = |round, claims: &[Claim]| Command::EnterClaims {
        table: "a".to_owned(),
        round,
        claims: claims.to_vec(),
    };
    floor.bets("a", 1, &[1, 2]);
    assert!(matches!(floor.refused(&enter(1, &[claim(1, 0)])), Refusal::NotDealt { .. }));
    floor.deal("a", 1, 5);
    assert!(matches!(floor.refused(&enter(2, &[claim(1, 0)])), Refusal::NoSuchRound { .. }));
    assert!(matches!(floor.refused(&enter(1, &[])), Refusal::NoClaims { .. }));
    assert!(matches!(floor.refused(&enter(1, &[claim(3, 0)])), Refusal::NoWager { seat: BoxNumber(3), .. }));
    assert!(matches!(floor.refused(&enter(1, &[claim(1, 9)])), Refusal::Claims { .. }));
    assert!(matches!(
        floor.refused(&enter(1, &[claim(1, 1), claim(1, 2)])),
        Refusal::SeatTwice { seat: BoxNumber(1) }
    ));
    let more = Claim { wager: money("10"), ..claim(1, 0) };
    assert!(matches!(floor.refused(&enter(1, &[more])), Refusal::ClaimDiffers { .. }));
    floor.claims("a", 1, &[claim(1, 0)]);
    assert_eq!(
        floor.refused(&enter(1, &[claim(1, 0)])).to_string(),
        "the awards of round 1 at table a are already entered; a hit counts once"
    );
    let void = Command::VoidRound { table: "a".to_owned(), round: 1 };
    assert!(matches!(floor.refused(&void), Refusal::RoundEnded { .. }));
}

#[test]
fn deals_and_faults_are_reported_once() {
    let mut floor = Floor::open(configuration(&rs()));
    let deal =
        |table: &str, order| Command::DealHands { table: table.to_owned(), round: 1, order, seat: None };
    floor.bets("a", 1, &[1]);
    floor.bets("b", 1, &[1]);
    floor.deal("a", 1, 5);
    assert!(matches!(floor.refused(&deal("a", 6)), Refusal::DealtTwice { .. }));
    assert_eq!(floor.refused(&deal("b", 5)), Refusal::OrderTaken { order: 5, table: "a".to_owned() });
    let fault = Command::ReportFault { table: "a".to_owned(), round: 1, cites: rs().table, registered: None };
    floor.done(fault.clone());
    assert!(matches!(floor.refused(&fault), Refusal::FaultReportedTwice { .. }));
    let restore = Command::Restore { table: "b".to_owned(), by: manager() };
    assert!(matches!(floor.refused(&restore), Refusal::TableNotSuspended { .. }));
}

#[test]
fn verification_keeps_to_its_people_and_its_order() {
    let mut floor = Floor::still(&rs());
    floor.bets("a", 1, &[1, 2]);
    floor.deal("a", 1, 1);
    floor.claims("a", 1, &[claim(1, 0), claim(2, 4)]);
    let dealer = person("dan", Role::Dealer);
    let verify = |hit, by| Command::Verify { hit, by };
    let confirm = |hit, by| Command::Confirm { hit, by };
    assert!(matches!(floor.refused(&verify(1, dealer)), Refusal::RoleTooLow { .. }));
    assert_eq!(floor.refused(&verify(3, supervisor())), Refusal::NoSuchHit { hit: 3 });
    assert_eq!(floor.refused(&confirm(1, manager())), Refusal::NotVerified { hit: 1 });
    floor.done(verify(1, supervisor()));
    assert!(matches!(floor.refused(&verify(1, manager())), Refusal::AlreadyVerified { .. }));
    assert_eq!(floor.refused(&confirm(1, supervisor())), Refusal::SamePerson { name: "sue".to_owned() });
    floor.done(confirm(1, manager()));
    assert_eq!(floor.refused(&confirm(1, manager())), Refusal::HitSettled { hit: 1 });
    let reject = Command::Reject { hit: 1, by: supervisor(), reason: String::new() };
    assert_eq!(floor.refused(&reject), Refusal::HitSettled { hit: 1 });
}
