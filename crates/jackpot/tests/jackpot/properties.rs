//! Properties of any sequence of requests, sensible or not.

use baize_jackpot::{
    Command, Configuration, Event, Exact, Hit, Jackpot, Parameters, PendingRound, Pools, Price, Wager,
    decide, evolve,
};
use baize_rules::{AwardPay, BoxNumber, Claim, JackpotRules, Money, OpenPoint, Percent, Readings};
use proptest::prelude::*;

use crate::floor::{configuration, manager, shift_manager, supervisor};
use crate::games::{mh, money, ms, rh, rs};

fn any_readings() -> impl Strategy<Value = Readings> {
    proptest::collection::vec(any::<bool>(), 11).prop_map(|choices| {
        let points = OpenPoint::ALL.iter().zip(choices);
        points.fold(Readings::default(), |readings, (point, other)| {
            readings.with(*point, point.readings()[usize::from(other)].0).unwrap()
        })
    })
}

fn any_parameters() -> impl Strategy<Value = Parameters> {
    let ceiling = proptest::option::of(300_000i64..400_000);
    (1i64..2_000, 0i64..200_000, 0u32..6_000, 0u32..4_000, ceiling).prop_map(
        |(wager, reset, increment, reserve, ceiling)| Parameters {
            wager: Money::from_cents(wager),
            reset: Money::from_cents(reset),
            increment: Percent::from_hundredths(increment),
            reserve: Percent::from_hundredths(reserve),
            ceiling: ceiling.map(Money::from_cents),
            confirm_above: Money::from_cents(1_000),
        },
    )
}

fn any_configuration() -> impl Strategy<Value = Configuration> {
    let rules = prop_oneof![Just(rs()), Just(rh()), Just(mh()), Just(ms())];
    (rules, any_readings(), any_parameters(), 0i64..250_000).prop_map(
        |(rules, readings, parameters, base)| {
            let mut configuration = configuration(&rules);
            for link in &mut configuration.tables {
                link.readings = readings;
                link.multiples = 5;
            }
            Configuration { parameters, base: Money::from_cents(base), ..configuration }
        },
    )
}

/// A rough request; [`command`] turns it into one that mostly makes sense for the jackpot's state.
#[derive(Debug, Clone)]
enum Rough {
    Bets { table: usize, seats: Vec<(u8, u32)> },
    Deal { table: usize, order: u64, seat: Option<u8> },
    Return { table: usize, seats: Vec<BoxNumber> },
    End { table: usize, void: bool },
    Claims { table: usize, awards: Vec<usize>, held: bool },
    Undo { table: usize, seats: Option<Vec<BoxNumber>> },
    Fault { table: usize },
    Look { at: usize, how: u8 },
    Change { parameters: Parameters, approve: bool },
    Restore { table: usize },
    Receive { cents: i64 },
}

fn any_rough() -> impl Strategy<Value = Rough> {
    let seats = proptest::collection::vec((1u8..=4, 1u32..=6), 0..4);
    prop_oneof![
        4 => (0usize..3, seats).prop_map(|(table, seats)| Rough::Bets { table, seats }),
        4 => (0usize..3, 0u64..40, proptest::option::of(1u8..=4)).prop_map(|(table, order, seat)| Rough::Deal { table, order, seat }),
        1 => (0usize..3, proptest::collection::vec((1u8..=4).prop_map(BoxNumber), 1..3)).prop_map(|(table, seats)| Rough::Return { table, seats }),
        1 => (0usize..3, any::<bool>()).prop_map(|(table, void)| Rough::End { table, void }),
        6 => (0usize..3, proptest::collection::vec(0usize..7, 0..4), any::<bool>()).prop_map(|(table, awards, held)| Rough::Claims { table, awards, held }),
        3 => (0usize..3, proptest::option::of(proptest::collection::vec((1u8..=4).prop_map(BoxNumber), 1..3))).prop_map(|(table, seats)| Rough::Undo { table, seats }),
        1 => (0usize..3).prop_map(|table| Rough::Fault { table }),
        5 => (0usize..30, 0u8..8).prop_map(|(at, how)| Rough::Look { at, how }),
        1 => (any_parameters(), any::<bool>()).prop_map(|(parameters, approve)| Rough::Change { parameters, approve }),
        1 => (0usize..3).prop_map(|table| Rough::Restore { table }),
        1 => (-10i64..10_000).prop_map(|cents| Rough::Receive { cents }),
    ]
}

fn command(jackpot: &Jackpot, rough: &Rough) -> Command {
    let name = |table: &usize| ["a", "b", "c"][*table].to_owned();
    let table = |table: &usize| &jackpot.tables[&name(table)];
    let round = |at: &usize| table(at).open.as_ref().map_or(1, |open| open.round);
    match rough {
        Rough::Bets { table: at, seats } => {
            let wager = |&(seat, times): &(u8, u32)| Wager {
                seat: BoxNumber(seat),
                amount: jackpot.parameters.wager.times(times).unwrap(),
            };
            let wagers = seats.iter().map(wager).collect();
            Command::CloseBets {
                table: name(at),
                round: table(at).ended.map_or(1, |(ended, _)| ended + 1),
                wagers,
            }
        }
        Rough::Deal { table: at, order, seat } => {
            Command::DealHands { table: name(at), round: round(at), order: *order, seat: seat.map(BoxNumber) }
        }
        Rough::Undo { table: at, seats } => {
            let held = table(at).held.as_ref().map_or(1, |held| held.played.round);
            let cites = table(at).link.rules.table;
            Command::UndoRound { table: name(at), round: held, seats: seats.clone(), cites }
        }
        Rough::Return { table: at, seats } => {
            Command::TakeOut { table: name(at), round: round(at), seats: seats.clone() }
        }
        Rough::End { table: at, void: true } => Command::VoidRound { table: name(at), round: round(at) },
        Rough::End { table: at, void: false } => Command::EndRound { table: name(at), round: round(at) },
        Rough::Claims { table: at, awards, held } => {
            let made = table(at).open.iter().flat_map(|open| &open.contributions);
            let claims = made.zip(awards).map(|(made, &award)| Claim {
                made: if award % 2 == 0 { 0b101 << award } else { 0 },
                seat: made.seat,
                award,
                wager: made.wager,
                multiple: made.multiple,
            });
            let (table, round, claims) = (name(at), round(at), claims.collect());
            if *held {
                Command::SettleRound { table, round, claims }
            } else {
                Command::EnterClaims { table, round, claims }
            }
        }
        Rough::Fault { table: at } => Command::ReportFault {
            table: name(at),
            round: round(at),
            cites: table(at).link.rules.table,
            registered: None,
        },
        Rough::Look { at, how } => {
            let hits: Vec<&Hit> = jackpot.pending().collect();
            let hit = if hits.is_empty() { 1 } else { hits[at % hits.len()].id };
            match how {
                0..=3 => Command::Verify { hit, by: supervisor() },
                4..=6 => Command::Confirm { hit, by: manager() },
                _ => Command::Reject { hit, by: supervisor(), reason: "miscalled".to_owned() },
            }
        }
        Rough::Change { parameters, approve: false } => {
            Command::ProposeChange { parameters: parameters.clone(), by: manager() }
        }
        Rough::Change { approve: true, .. } => Command::ApproveChange { by: shift_manager() },
        Rough::Restore { table: at } => Command::Restore { table: name(at), by: manager() },
        Rough::Receive { cents } => {
            let amount = Exact::from(Money::from_cents(*cents));
            let pools = Pools { meter: amount, overflow: Exact::ZERO, reserve: amount };
            Command::ReceivePools { from: "mini".to_owned(), pools }
        }
    }
}

/// The most that the pay table allows for a hit, given what was shown and, for pooled winners, how many there could
/// be.
fn at_most(rules: &JackpotRules, hit: &Hit, reset: Money) -> Money {
    let shown = hit.payment.as_ref().unwrap().shown;
    let award = &rules.awards[hit.claim.award];
    match award.pays {
        AwardPay::Share(share) => {
            // A pool pays more than one share of a low meter: never more than a share of the reset value, if that is higher.
            let of =
                if rules.within_table.straight_flushes_pooled.is_some() { shown.max(reset) } else { shown };
            Exact::share(of, share).ceil()
        }
        AwardPay::Fixed(amount) => amount,
        AwardPay::ForOne(odds) => hit.claim.wager.times(odds).unwrap(),
    }
}

/// The sign falls only by recorded payments, when a contribution is taken out again, or when an award is undone: the reset paid
/// for it goes back, and hits that waited behind it draw more.
fn check_event(
    before: &Jackpot,
    command: &Command,
    cause: Option<&Event>,
    event: &Event,
    after: &Jackpot,
) -> Result<(), TestCaseError> {
    prop_assert!(after.reconcile().is_ok(), "{:?} does not reconcile", event);
    let pools = after.meter.pools();
    for pool in [pools.meter, pools.overflow, pools.reserve] {
        prop_assert!(pool >= Exact::ZERO);
    }
    if after.displayed() < before.displayed() {
        let recorded = match event {
            Event::HitsPriced { prices, from_house, pools, .. } => {
                let undone = matches!(command, Command::UndoRound { .. });
                let reset_back = *from_house < Exact::ZERO || pools.reserve > Exact::ZERO;
                let moved_up = !prices.is_empty();
                matches!(cause, Some(Event::HitsEntered { .. })) || (undone && (reset_back || moved_up))
            }
            Event::TakenOut { .. } | Event::Closed { .. } => true,
            _ => false,
        };
        prop_assert!(
            recorded,
            "the sign fell from {} to {} by {event:?}",
            before.displayed(),
            after.displayed()
        );
    }
    Ok(())
}

/// A newly entered round with the last turn is paid from what the sign showed.
fn check_shown(shown: Money, after: &Jackpot, prices: &[Price]) -> Result<(), TestCaseError> {
    let Some(last) = after.contest.as_ref().and_then(|contest| contest.rounds.last()) else { return Ok(()) };
    let of_last = |part: &&PendingRound| part.table == last.table && part.round == last.round;
    if after.contest.iter().flat_map(|contest| &contest.rounds).filter(of_last).count() > 1 {
        return Ok(());
    }
    let just_entered = last.hits.iter().all(|hit| prices.iter().any(|price| price.hit == *hit));
    let first = prices.iter().find(|price| last.hits.contains(&price.hit));
    if let (true, None, Some(first)) =
        (just_entered && last.hits.contains(&after.counters.hits), last.registered, first)
    {
        prop_assert_eq!(first.payment.shown, shown);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_sequence_keeps_every_cent(
        configuration in any_configuration(),
        roughs in proptest::collection::vec(any_rough(), 1..80),
    ) {
        let mut jackpot = Jackpot::default();
        let mut record: Vec<Event> = Vec::new();
        let mut settled: Vec<(u64, Money)> = Vec::new();
        let mut shown = Money::ZERO;
        let open = Command::Open { configuration };
        let mut commands = roughs.iter();
        let mut next = Some(open);
        while let Some(command_now) = next {
            // A refusal changes nothing, by construction: the state is only read.
            if let Ok(events) = decide(&jackpot, &command_now) {
                for event in events {
                    let after = evolve(jackpot.clone(), &event);
                    check_event(&jackpot, &command_now, record.last(), &event, &after)?;
                    if let (Some(Event::HitsEntered { .. }), Event::HitsPriced { prices, .. }) = (record.last(), &event) {
                        check_shown(shown, &after, prices)?;
                    }
                    if !matches!(event, Event::HitsEntered { .. }) {
                        shown = after.displayed();
                    }
                    if let Event::HitPaid { hit, amount, .. } = &event {
                        prop_assert!(settled.iter().all(|(paid, _)| paid != hit), "paid twice");
                        settled.push((*hit, *amount));
                        prop_assert!(after.hit(*hit).unwrap().stands(), "what is reversed is not paid");
                        let hit = after.hit(*hit).unwrap();
                        let resets = after.parameters.reset.max(jackpot.meter.reset()).max(money("2000"));
                        prop_assert!(*amount <= at_most(&after.tables[&hit.table].link.rules, hit, resets));
                    }
                    // A partly undone round: the rest of it is paid again.
                    if let (Command::UndoRound { .. }, Event::HitsPriced { prices, .. }) = (&command_now, &event) {
                        for (hit, amount) in &mut settled {
                            if let Some(price) = prices.iter().find(|price| price.hit == *hit) {
                                *amount = price.payment.amount;
                            }
                        }
                    }
                    jackpot = after;
                    record.push(event);
                }
            }
            next = commands.next().map(|rough| command(&jackpot, rough));
        }
        for (hit, amount) in settled {
            if let Some(hit) = jackpot.hit(hit) {
                prop_assert_eq!(hit.amount(), amount, "what is paid does not change");
            }
        }
        // The sum of contributions, counted only from the record.
        let mut contributed = Exact::ZERO;
        for event in &record {
            match event {
                Event::BetsClosed { contributions, .. } => {
                    contributed += contributions.iter().map(|made| made.pools.total()).sum();
                }
                Event::TakenOut { pools, .. } => contributed -= pools.total(),
                _ => {}
            }
        }
        let counters = &jackpot.counters;
        let growth = jackpot.meter.value() - Exact::from(counters.base) - counters.from_house - counters.received;
        let pools = jackpot.meter.pools();
        prop_assert_eq!(contributed, growth + pools.reserve + pools.overflow + counters.paid_from_meter);
        // Replaying what was serialised and read back gives the same jackpot.
        let text = serde_json::to_string(&record).unwrap();
        let read: Vec<Event> = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read.iter().fold(Jackpot::default(), evolve), &jackpot);
        let state: Jackpot = serde_json::from_str(&serde_json::to_string(&jackpot).unwrap()).unwrap();
        prop_assert_eq!(state, jackpot);
    }
}
