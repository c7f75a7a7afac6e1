//! Reports: every cent of the ledger is counted once, on the day on which it moved.

use std::collections::BTreeMap;

use baize_house::load::Robot;
use baize_house::{Actor, CommandId, Date, Duty, JournalFilter, PlayerId, Shoe, TableId};
use baize_jackpot::Exact;
use baize_report::{By, Part, Report, ReportError, ReportFilter};
use baize_rules::{Area, BoxNumber, Family, IrregularityKind, Money, Reveal};
use baize_table::{Command, Facts, Place, Staff};

use crate::dealer::with_dealer;
use crate::jackpot::royal;
use crate::support::{Backend, Casino, alter, chips, clean, order, table_of};

const A_DAY: u32 = 86_400;

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

fn days(by: By, from: &str, to: &str) -> ReportFilter {
    ReportFilter { by, from: Some(date(from)), to: Some(date(to)), ..ReportFilter::default() }
}

async fn report(casino: &Casino, asked: &ReportFilter) -> Report {
    baize_report::report(&casino.house, &Actor::House, asked).await.unwrap()
}

/// The net change of every account by the journal's postings, which a report must add up to.
async fn ledger(casino: &Casino) -> BTreeMap<String, Money> {
    let mut accounts = BTreeMap::new();
    let mut after = Some(0);
    while let Some(number) = after {
        let filter = JournalFilter { after: Some(number), limit: Some(1_000), ..JournalFilter::default() };
        let lines = casino.house.journal(&Actor::House, &filter).await.unwrap();
        after = lines.last().map(|line| line.number);
        for (account, cents) in lines.into_iter().flat_map(|line| line.postings) {
            *accounts.entry(account).or_insert(Money::ZERO) += Money::from_cents(cents);
        }
    }
    accounts
}

/// Checks that a report of all days adds up to the ledger, however it is grouped.
async fn adds_up(casino: &Casino) {
    let accounts = ledger(casino).await;
    let sum = |prefix: &str| -> Money {
        accounts.iter().filter(|(name, _)| name.starts_with(prefix)).map(|(_, money)| *money).sum()
    };
    let mut totals = Vec::new();
    for by in [By::Table, By::Game, By::Day] {
        let report = report(casino, &ReportFilter { by, ..ReportFilter::default() }).await;
        let lines = || report.lines.iter();
        assert_eq!(report.total.handle, lines().map(|line| line.handle).sum());
        assert_eq!(report.total.win, lines().map(|line| line.win).sum());
        assert_eq!(report.total.net_win(), lines().map(|line| line.net_win()).sum());
        assert_eq!(report.total.net_win() + report.total.float_fills, sum("float/"));
        if by == By::Table {
            for line in &report.lines {
                let float = accounts[&format!("float/{}", line.key)];
                assert_eq!(line.net_win() + line.float_fills, float, "{line:#?}");
            }
        }
        assert_eq!(report.cage_total.net(), -sum("cage"));
        totals.push(report.total);
    }
    assert!(totals.windows(2).all(|pair| pair[0] == pair[1]), "{totals:#?}");
    let report = report(casino, &ReportFilter::default()).await;
    let mut funds: BTreeMap<String, (Exact, Money)> = BTreeMap::new();
    for line in &report.jackpots {
        let came_in = line.opened_with + line.contributions + line.resets_by_house + line.moved;
        assert_eq!(
            line.opening.total() + came_in - line.awards_from_meter,
            line.closing.total(),
            "{line:#?}"
        );
        let (came_in, handed) = funds.entry(format!("jackpot/{}", line.jackpot)).or_default();
        assert_eq!(*came_in - line.opening.total(), report_drawn(&report, line), "opens as it closed");
        *came_in += line.opened_with + line.contributions + line.resets_by_house + line.moved;
        *handed += line.handed_over;
    }
    for (account, (came_in, handed)) in funds {
        // The account holds what came in, rounded up to the cent, less what was paid out.
        assert_eq!(accounts[&account], came_in.ceil() - handed, "{account}");
    }
    let from_meter: Money = report.jackpots.iter().map(|line| line.handed_over).sum();
    assert_eq!(report.total.awards_from_meter, from_meter);
    // What the house paid is in floats, jackpots and play chips.
    let to_jackpots: Exact = report.jackpots.iter().map(|line| line.opened_with + line.resets_by_house).sum();
    let brought = report.total.float_fills + report.cage_total.play_chips + to_jackpots.ceil();
    assert_eq!(-sum("house"), brought);
}

/// What a jackpot's hits drew before the day of this line.
fn report_drawn(report: &Report, line: &baize_report::JackpotLine) -> Exact {
    let before = report.jackpots.iter().filter(|one| one.jackpot == line.jackpot && one.day < line.day);
    before.map(|one| one.awards_from_meter).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sums_are_those_of_the_ledger() {
    for backend in Backend::ALL {
        let casino = Casino::for_cash(backend).await;
        let cage = casino.staff("carl", Duty::Cage).await;
        for day in 0..2 {
            for (number, table) in (1..).zip(casino.tables().await) {
                let player: PlayerId = format!("p{number}").parse().unwrap();
                if day == 0 {
                    casino.house.create_player(&player, None, Money::ZERO).await.unwrap();
                }
                let money = Money::from_cents(10_000_001);
                casino.house.buy_in(&cage, &player, &CommandId::random(), money).await.unwrap();
                let mut robot = Robot::new(casino.house.clone(), player.clone(), table, number * 7_919);
                robot.jackpot_every = 1;
                for _ in 0..6 {
                    robot.round().await.unwrap();
                }
                let some = Money::from_dollars(100);
                casino.house.cash_out(&cage, &player, &CommandId::random(), some).await.unwrap();
            }
            casino.clock.advance_seconds(A_DAY);
        }
        casino.player("guest-with-play-chips").await;
        adds_up(&casino).await;
        let by_day = report(&casino, &ReportFilter { by: By::Day, ..ReportFilter::default() }).await;
        let keys: Vec<&str> = by_day.lines.iter().map(|line| line.key.as_str()).collect();
        assert_eq!(keys, ["2027-01-15", "2027-01-16"], "{backend:?}");
        assert_eq!(by_day.total.rounds, 60);
        assert!(by_day.total.contributions > Money::ZERO);
        let cage: Vec<(String, &str, u64, u64)> = by_day
            .cage
            .iter()
            .map(|line| (line.day.unwrap().to_string(), line.cashier.as_str(), line.buy_ins, line.cash_outs))
            .collect();
        let carl = |day: &str| (day.to_owned(), "carl", 5, 5);
        assert_eq!(cage, [carl("2027-01-15"), carl("2027-01-16"), ("2027-01-17".to_owned(), "house", 0, 0)]);
        // A report of one day equals its line in the whole report; one of a table or game is a part of it.
        for line in &by_day.lines {
            let alone = report(&casino, &days(By::Day, &line.key, &line.key)).await;
            assert_eq!(alone.lines, std::slice::from_ref(line));
        }
        let whole = report(&casino, &ReportFilter::default()).await;
        let table: TableId = whole.lines[0].key.parse().unwrap();
        let one = ReportFilter { table: Some(table), ..ReportFilter::default() };
        let one = report(&casino, &one).await;
        assert_eq!(one.lines, whole.lines[..1]);
        assert!(one.jackpots.is_empty() && one.cage.is_empty());
        clean(&casino).await;
    }
}

/// Alterations of a day's totals, and what the audit reports.
const TOTALS: [(&str, &str); 4] = [
    (
        "UPDATE snapshots SET state = replace(state, '\"rounds\":', '\"rounds\":1') WHERE stream LIKE 'days/%' AND version = {day}",
        "contradict the journal",
    ),
    ("UPDATE snapshots SET state = 'x' WHERE stream LIKE 'hours/%' AND version = {day}", "contradict"),
    ("UPDATE snapshots SET hash = 'ab' WHERE stream LIKE 'days/%' AND version = {day}", "contradict"),
    (
        "UPDATE snapshots SET version = version - 9 WHERE stream LIKE 'days/%' AND version = {day}",
        "no entries of that day",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn day_totals_are_stored_and_audited() {
    for backend in Backend::ALL {
        let mut casino = Casino::for_cash(backend).await;
        let cage = casino.staff("carl", Duty::Cage).await;
        let table = table_of(&casino, "MBS", Family::Stud).await;
        let player: PlayerId = "ann".parse().unwrap();
        casino.house.create_player(&player, None, Money::ZERO).await.unwrap();
        let mut robot = Robot::new(casino.house.clone(), player.clone(), table, 7);
        robot.jackpot_every = 1;
        for rounds in [3, 0, 4, 2] {
            casino
                .house
                .buy_in(&cage, &player, &CommandId::random(), Money::from_dollars(9_000))
                .await
                .unwrap();
            for _ in 0..rounds {
                robot.round().await.unwrap();
            }
            casino.clock.advance_seconds(A_DAY);
        }
        drop(robot);
        let asked = ReportFilter { by: By::Day, hours: true, ..ReportFilter::default() };
        let kept = |audit: &baize_audit::AuditReport| {
            audit.checked.iter().find(|(what, _)| what == "day totals").map_or(0, |(_, count)| *count)
        };
        // A read-only house stores nothing.
        let looked = baize_house::House::look_at(&casino.database).await.unwrap();
        let added_up = baize_report::report(&looked, &Actor::House, &asked).await.unwrap();
        assert_eq!(added_up.lines.iter().map(|line| line.rounds).collect::<Vec<_>>(), [3, 4, 2]);
        assert_eq!(kept(&baize_audit::audit(&casino.house).await.unwrap()), 0);
        baize_report::keep_days(&casino.house, asked.day).await.unwrap();
        for _ in 0..2 {
            assert_eq!(report(&casino, &asked).await, added_up, "{backend:?}");
        }
        let audit = baize_audit::audit(&casino.house).await.unwrap();
        assert!(audit.is_clean(), "{audit:#?}");
        assert_eq!(kept(&audit), 8, "four days, each with its hours: {audit:#?}");
        let state = audit.checkpoint.unwrap();
        // The checkpoint of an audit, a day later, and a new audit.
        casino.house.buy_in(&cage, &player, &CommandId::random(), Money::from_dollars(1)).await.unwrap();
        casino.clock.advance_seconds(A_DAY + 2 * 3_600);
        casino.house.buy_in(&cage, &player, &CommandId::random(), Money::from_dollars(1)).await.unwrap();
        baize_report::keep_days(&casino.house, asked.day).await.unwrap();
        let since = baize_audit::audit_with(&casino.house, None, Some(&state), &|_, _| true).await.unwrap();
        assert!(since.is_clean() && kept(&since) >= 2, "{since:#?}");
        let added_up = report(&casino, &asked).await;
        casino.house.close().await.unwrap();
        let day = date(&added_up.lines[1].key).number();
        for (sql, named) in TOTALS {
            assert!(alter(&casino.database, &sql.replace("{day}", &day.to_string())).await > 0, "{sql}");
            let audit = baize_audit::audit_at(&casino.database).await.unwrap();
            assert!(audit.faults.iter().any(|fault| fault.what.contains(named)), "{sql}: {audit:#?}");
            // Missing totals are computed again.
            alter(&casino.database, "DELETE FROM snapshots WHERE stream LIKE '%s/1/%'").await;
            casino.house =
                baize_house::House::open_with(&casino.database, casino.clock.clone()).await.unwrap();
            assert_eq!(report(&casino, &asked).await.lines, added_up.lines);
            clean(&casino).await;
            casino.house.close().await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_award_paid_the_next_day_counts_for_the_next_day() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        royal(&casino).await;
        let first = || days(By::Table, "2027-01-15", "2027-01-15");
        let as_it_was = report(&casino, &first()).await;
        assert_eq!(as_it_was.total.handle, Money::from_dollars(155));
        assert_eq!(as_it_was.total.win.signed(), "-45.00", "ante paid, bet back, jackpot wager kept");
        assert_eq!(as_it_was.total.hold_percent().as_deref(), Some("-29.03"));
        assert_eq!(as_it_was.total.awards_from_meter, Money::ZERO);
        let hit = as_it_was.jackpots.iter().find(|line| line.hits == 1).unwrap();
        assert_eq!((hit.paid, hit.handed_over), (0, Money::ZERO));
        assert!(hit.awards_from_meter >= Exact::from(Money::from_dollars(100_000)));
        casino.clock.advance_seconds(A_DAY);
        let (one, two) =
            (casino.staff("sue", Duty::PitSupervisor).await, casino.staff("max", Duty::ShiftManager).await);
        let jackpots = casino.house.jackpots().await.unwrap();
        let jackpot = jackpots.iter().find(|jackpot| !jackpot.pending.is_empty()).unwrap();
        let (number, amount) = (jackpot.pending[0].number, jackpot.pending[0].amount);
        casino.house.verify_hit(&one, &jackpot.id, number).await.unwrap();
        casino.house.confirm_hit(&two, &jackpot.id, number).await.unwrap();
        assert_eq!(report(&casino, &first()).await, as_it_was, "{backend:?}: yesterday stands");
        let next = report(&casino, &days(By::Table, "2027-01-16", "2027-01-16")).await;
        assert_eq!(next.total.awards_from_meter + next.total.awards_by_house, amount);
        assert_eq!((next.total.handle, next.total.win), (Money::ZERO, Money::ZERO));
        let paid = next.jackpots.iter().find(|line| line.jackpot == jackpot.id).unwrap();
        assert_eq!((paid.hits, paid.paid, paid.handed_over), (0, 1, next.total.awards_from_meter));
        adds_up(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_voided_later_counts_for_the_later_day() {
    let casino = Casino::new(Backend::Sqlite).await;
    let table = table_of(&casino, "RWS", Family::Stud).await;
    let ann = casino.player("ann").await;
    let dealer = with_dealer(&casino, &table, Shoe::Entered).await;
    order(&casino, &dealer, &table, Command::Open).await.unwrap();
    let wagers = vec![chips(1, Area::Ante, 50)];
    order(&casino, &ann, &table, baize_house::Order::Bet { wagers }).await.unwrap();
    order(&casino, &dealer, &table, Command::Close).await.unwrap();
    let cards = |text: &str| text.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<_>>();
    for (to, text) in [(Place::Box(BoxNumber(1)), "2h 5h 9h Jh Kc"), (Place::Dealer, "Ac Ad 5s 8s 9c")] {
        order(&casino, &dealer, &table, Command::Deal { to, cards: cards(text) }).await.unwrap();
    }
    order(&casino, &ann, &table, Command::Fold { seat: BoxNumber(1) }).await.unwrap();
    order(&casino, &dealer, &table, Command::Reveal { what: Reveal::Dealer }).await.ok();
    order(&casino, &dealer, &table, Command::Settle).await.unwrap();
    let first = report(&casino, &days(By::Table, "2027-01-15", "2027-01-15")).await;
    assert_eq!((first.total.rounds, first.total.handle), (1, Money::from_dollars(50)));
    casino.clock.advance_seconds(A_DAY);
    let faulty = baize_table::Report {
        kind: IrregularityKind::WrongDealerHand,
        seat: None,
        facts: Facts { reconstructable: Some(false), ..Facts::default() },
        by: Staff { role: baize_rules::Role::Dealer, name: None },
    };
    order(&casino, &dealer, &table, Command::Report(faulty)).await.unwrap();
    assert_eq!(report(&casino, &days(By::Table, "2027-01-15", "2027-01-15")).await, first);
    let next = report(&casino, &days(By::Table, "2027-01-16", "2027-01-16")).await;
    assert_eq!((next.total.rounds, next.total.voids), (0, 1));
    assert_eq!((next.total.handle, next.total.win), (-first.total.handle, -first.total.win));
    adds_up(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn days_begin_where_the_house_says_and_every_form_says_so() {
    let casino = Casino::new(Backend::Sqlite).await;
    let cage = casino.staff("carl", Duty::Cage).await;
    let ann: PlayerId = "ann".parse().unwrap();
    casino.house.create_player(&ann, None, Money::ZERO).await.unwrap();
    let buy = async || {
        casino.house.buy_in(&cage, &ann, &CommandId::random(), Money::from_dollars(5)).await.unwrap();
    };
    // In Singapore it is 16:00; then 05:30, then 06:00.
    for seconds in [0, 13 * 3_600 + 1_800, 1_800] {
        casino.clock.advance_seconds(seconds);
        buy().await;
    }
    let asked = ReportFilter::default();
    let singapore = report(&casino, &asked).await;
    let keys = |report: &Report| -> Vec<(String, u64)> {
        report.cage.iter().map(|line| (line.day.unwrap().to_string(), line.buy_ins)).collect()
    };
    assert_eq!(keys(&singapore), [("2027-01-15".to_owned(), 2), ("2027-01-16".to_owned(), 1)]);
    let day =
        baize_house::GamingDay { utc_offset: "+00:00".parse().unwrap(), begins: "00:00".parse().unwrap() };
    let utc = report(&casino, &ReportFilter { day, ..asked }).await;
    assert_eq!(keys(&utc), [("2027-01-15".to_owned(), 3)]);
    let said = "from 06:00, UTC+08:00";
    assert!(singapore.table(200).contains(said), "{}", singapore.table(200));
    for part in [Part::Tables, Part::Jackpots, Part::Cage] {
        let csv = singapore.csv(part);
        let columns: Vec<usize> =
            csv.lines().map(|row| row.replace(", UTC", " UTC").matches(',').count()).collect();
        assert!(columns.windows(2).all(|pair| pair[0] == pair[1]), "{csv}");
        assert!(csv.lines().skip(1).all(|row| row.contains(said)), "{csv}");
    }
    assert!(singapore.csv(Part::Cage).contains("\ntotal,,3,15.00,0,0.00,15.00,0.00,"));
    let data = serde_json::to_value(&utc).unwrap();
    assert_eq!(data["gaming_day"]["utc_offset"], "+00:00");
    assert_eq!(data["gaming_day"]["begins"], "00:00");
    assert_eq!(data["cage_total"]["bought"], "15.00");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_without_activity_says_so_in_every_form() {
    let casino = Casino::new(Backend::Sqlite).await;
    for asked in [ReportFilter::default(), days(By::Day, "2020-01-01", "2020-12-31")] {
        let report = report(&casino, &asked).await;
        assert!(report.table(200).ends_with("\nno activity\n"), "{}", report.table(200));
        for part in [Part::Tables, Part::Cage] {
            let csv = report.csv(part);
            assert_eq!(csv.lines().count(), 2, "{csv}");
            assert!(csv.contains("\nno activity,,"), "{csv}");
        }
        let data = serde_json::to_value(&report).unwrap();
        assert_eq!((&data["activity"], &data["note"]), (&false.into(), &"no activity".into()));
        assert_eq!(data["total"]["hold"], serde_json::Value::Null);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_report_names_the_valid_choices() {
    let casino = Casino::new(Backend::Sqlite).await;
    let refused = async |asked: ReportFilter| {
        let fault = baize_report::report(&casino.house, &Actor::House, &asked).await.unwrap_err();
        assert!(matches!(fault, ReportError::Asked(_)), "{fault}");
        fault.to_string()
    };
    let backwards = refused(days(By::Day, "2027-01-16", "2027-01-15")).await;
    assert!(backwards.contains("the first day, 2027-01-16, is after the last, 2027-01-15"), "{backwards}");
    let table = ReportFilter { table: Some("nowhere".parse().unwrap()), ..ReportFilter::default() };
    let words = refused(table).await;
    for table in casino.tables().await {
        assert!(words.contains(table.as_str()), "{words}");
    }
    let game = ReportFilter { game: Some("poker".to_owned()), ..ReportFilter::default() };
    assert!(refused(game).await.contains("rws-casino-stud"));
    let dealer = casino.staff("dora", Duty::Dealer).await;
    let other = baize_report::report(&casino.house, &dealer, &ReportFilter::default()).await;
    assert!(matches!(other, Err(ReportError::House(error)) if error.code() == "forbidden"));
}

/// On a terminal no line is wider than the terminal; wide tables become lists with the same figures.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_fits_the_terminal() {
    let casino = Casino::new(Backend::Sqlite).await;
    let tables = casino.tables().await;
    for (number, table) in (1..).zip(tables.iter().take(2)) {
        let robot: baize_house::PlayerId = format!("robot-{number}").parse().unwrap();
        casino.house.create_player(&robot, None, Money::from_dollars(10_000)).await.unwrap();
        let mut robot = baize_house::load::Robot::new(casino.house.clone(), robot, table.clone(), number);
        robot.round().await.unwrap();
    }
    let report = report(&casino, &ReportFilter::default()).await;
    let wide = report.table(usize::MAX);
    let figures = |text: &str| -> std::collections::BTreeSet<String> {
        text.split_whitespace().filter(|word| word.contains('.')).map(str::to_owned).collect()
    };
    for room in [60, 80, 100] {
        let text = report.table(room);
        let over: Vec<&str> = text.lines().filter(|line| line.chars().count() > room).collect();
        assert!(over.is_empty(), "at {room}: {over:#?}");
        assert_eq!(figures(&text), figures(&wide), "at {room}");
    }
    assert!(wide.lines().any(|line| line.chars().count() > 100));
}
