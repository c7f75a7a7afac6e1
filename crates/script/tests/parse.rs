//! What scripts can say, and the errors for those that cannot be parsed.

use baize_cards::HandClass;
use baize_rules::{Area, BoxNumber, IrregularityKind, Money, Role};
use baize_script::{Expect, Script, SetUp, Statement};
use baize_table::{Command, Place, ResultKind, RulingKind};

/// A line, written in a script that begins with its game.
fn line(text: &str) -> Statement {
    let script =
        Script::parse(&format!("game g\n{text}")).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    script.lines[1].statement.clone()
}

/// All faults of a script, as they are shown.
fn faults(text: &str) -> Vec<String> {
    Script::parse(text).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn every_line_is_written_back_in_one_way() {
    // Left: as it may be written. Right: as it is written back; empty if it is the same.
    let lines = [
        ("dealing automated-b", ""),
        ("boxes 5", ""),
        ("limit ante 25 5,000", "limit ante 25 5000"),
        ("limit bonus 1.50 100", ""),
        ("jackpot wager 5", ""),
        ("jackpot meter 1,250,000.5", "jackpot meter 1250000.50"),
        ("jackpot reset 100000", "jackpot reset 100000.00"),
        ("jackpot rate 12.5%", ""),
        ("interpret I-3 reset", ""),
        ("table north", ""),
        ("table south mbs-megalink-stud", ""),
        ("open", ""),
        ("  bet 1 ann ante 50 # a comment", "bet 1 ann ante 50"),
        ("bet 1 ann\tante  50.00", "bet 1 ann ante 50"),
        ("bet 1 ann jackpot 5 unnoticed", ""),
        ("bet 1 ann ante 50 by pit-manager", ""),
        ("bet 1 ann ante 50 by dealer unnoticed", "bet 1 ann ante 50 unnoticed by dealer"),
        ("withdraw 2 ben bonus", ""),
        ("close", ""),
        ("burn 10d", "burn Td"),
        ("deal 1 As Td 9h 2c", ""),
        ("deal board A♠ kd qH", "deal board As Kd Qh"),
        ("deal dealer Ac", ""),
        ("look 1", ""),
        ("fold 2", ""),
        ("check 3", ""),
        ("reveal flop", ""),
        ("reveal dealer", ""),
        ("show 1", ""),
        ("decline 1", ""),
        ("absent 7", ""),
        ("report power-failure", ""),
        ("report exposed-cards count=2 seen=no", ""),
        ("report wrong-player-hand 3 reconstructable=no", ""),
        ("report looked-at-second-hand 2 intentional=yes by pit-supervisor", ""),
        ("report multiple-hands player=ann", ""),
        ("report misdeal moves=2>3,3>2 seen=no", "report misdeal seen=no moves=2>3,3>2"),
        ("report exposed-cards count=1 whose=dealer card=9d by shift-manager lim", ""),
        (
            "report dealing-error boxes=1,3 reconstructable=yes",
            "report dealing-error reconstructable=yes boxes=1,3",
        ),
        ("report foreign-card round=previous", ""),
        ("option 1 continue", ""),
        ("option 1 reconstructed", ""),
        ("option 1 withdraw", ""),
        ("decide void by shift-manager", ""),
        ("decide first-card 2 by pit-supervisor", ""),
        ("decide bar-box 4 by shift-manager", ""),
        ("decide restrict ann by pit-manager", ""),
        ("decide bar ann by shift-manager tan because she showed her cards", ""),
        (
            "decide stop ann by shift-manager because  she  asked",
            "decide stop ann by shift-manager because she asked",
        ),
        ("decide continue by dealer", "decide continue"),
        ("settle", ""),
        ("expect 1 ante win 50 citing 3.13", ""),
        ("expect 1 ante win", ""),
        ("expect 1 bet returned citing 3.11.2 a", "expect 1 bet returned citing 3.11.2a"),
        ("expect 1 bet lose 1 citing 3.11.2.a", "expect 1 bet lose 1 citing 3.11.2a"),
        ("expect 1 net +145", ""),
        ("expect 1 net 145.5", "expect 1 net +145.50"),
        ("expect 1 net −105", "expect 1 net -105"),
        ("expect 1 net -0", "expect 1 net 0"),
        ("expect 1 hand five-odd-cards", ""),
        ("expect dealer hand flush", ""),
        ("expect dealer qualifies", ""),
        ("expect dealer no-hand", ""),
        ("expect jackpot meter 250000.00", ""),
        ("expect void citing 5.8", ""),
        ("expect void", ""),
        ("expect settled", ""),
        ("expect refused citing Appendix A", ""),
        ("expect departs citing 3.11.6", ""),
        ("expect ruled refer citing 5.24", ""),
    ];
    for (written, back) in lines {
        let back = if back.is_empty() { written } else { back };
        assert_eq!(line(written).to_string(), back, "{written}");
        assert_eq!(line(back), line(written), "{written}");
    }
}

#[test]
fn lines_become_values() {
    assert_eq!(line("limit ante 25 5000"), {
        let (least, most) = (Money::from_dollars(25), Money::from_dollars(5000));
        Statement::SetUp(SetUp::Limit { area: Area::Ante, least, most })
    });
    assert_eq!(
        line("bet 2 ben flop 100.50 unnoticed by pit-supervisor"),
        Statement::Step(Command::PlaceWager {
            seat: BoxNumber(2),
            player: "ben".into(),
            area: Area::Flop,
            amount: Money::from_cents(10_050),
            unnoticed: true,
            placed_by: Some(Role::PitSupervisor),
        })
    );
    let Statement::Step(Command::Deal { to, cards }) = line("deal dealer As 10d") else { panic!("a deal") };
    assert_eq!((to, cards.len()), (Place::Dealer, 2));
    let Statement::Step(Command::Report(report)) =
        line("report misdeal 4 count=3 seen=yes boxes=1,2 moves=1>2 round=previous by pit-manager may")
    else {
        panic!("a report")
    };
    assert_eq!(report.kind, IrregularityKind::Misdeal);
    assert_eq!(report.seat, Some(BoxNumber(4)));
    assert_eq!((report.facts.count, report.facts.seen), (Some(3), Some(true)));
    assert_eq!(
        (report.facts.boxes, report.facts.moves),
        (vec![BoxNumber(1), BoxNumber(2)], vec![(BoxNumber(1), BoxNumber(2))])
    );
    assert!(report.facts.previous_round);
    assert_eq!((report.by.role, report.by.name.as_deref()), (Role::PitManager, Some("may")));
    let Statement::Step(Command::Rule(ruling)) = line("decide bar ann by shift-manager because of that")
    else {
        panic!("a ruling")
    };
    assert_eq!((ruling.kind, ruling.by.name), (RulingKind::Bar("ann".into()), None));
    assert_eq!(ruling.reason.as_deref(), Some("of that"));
    assert_eq!(
        line("expect 1 jackpot win 100 citing 4.2"),
        Statement::Expect(Expect::Area {
            seat: BoxNumber(1),
            area: Area::Jackpot,
            result: ResultKind::Win,
            amount: Some(Money::from_dollars(100)),
            citing: "4.2".parse().ok(),
        })
    );
    assert_eq!(line("expect dealer hand flush"), Statement::Expect(Expect::DealerHand(HandClass::Flush)));
}

#[test]
fn faults_say_where_what_and_what_would_be_right() {
    for (text, expected) in [
        ("bte 1 ann ante 5", "1: `bte` is not a word that a line begins with; did you mean `bet`?"),
        ("Settle", "1: `Settle` is not a word that a line begins with; did you mean `settle`?"),
        ("bet 1 ann ante 50.125", "16: `50.125` has more than two decimals: the smallest coin is one cent"),
        ("bet 1 ann ante -5", "16: `-5` is not an amount: write it like 50, 1500.25 or 1,500.25"),
        ("bet 1 ann anti 5", "11: `anti` is not an area; did you mean `ante`?"),
        (
            "bet 1 ann main 5",
            "11: `main` is not an area; write ante, bonus, flop, turn, river, bet or jackpot",
        ),
        (
            "bet 1 ann ante",
            "15: the amount is missing; write bet BOX PLAYER AREA AMOUNT [unnoticed] [by ROLE]",
        ),
        (
            "bet 0 ann ante 5",
            "5: `0` is not the number of a box: boxes are counted from 1, clockwise from the dealer's left",
        ),
        (
            "  fold +1",
            "8: `+1` is not the number of a box: boxes are counted from 1, clockwise from the dealer's left",
        ),
        ("fold 1 2", "8: `2` is one word too many; write fold BOX"),
        ("deal 1 As 1d", "11: `1d`: `1` is not a rank; ranks are 2 to 9, T or 10, J, Q, K, A"),
        ("deal 1 Ax", "8: `Ax`: `x` is not a suit; suits are c, d, h, s (♣ ♦ ♥ ♠)"),
        ("deal bord As", "6: `bord` is not a place for cards; did you mean `board`?"),
        ("deal 1", "7: a card is missing; write deal WHERE CARD…"),
        (
            "reveal card",
            "8: `card` is not something that the dealer turns; write flop, turn, river or dealer",
        ),
        (
            "limit flop 1 2",
            "7: the flop has no limits of its own: limits are displayed for the ante and the bonus",
        ),
        ("jackpot rate 5", "14: `5` is not a percentage: write it like 20% or 12.5%"),
        ("jackpot wages 5", "9: `wages` is not a value of the jackpot; did you mean `wager`?"),
        ("interpret I-22 up", "11: `I-22` is not an open point: they are I-1 to I-21"),
        ("interpret I-3 odd", "15: `odd` is not a reading of this open point; write sequential or reset"),
        ("report fire", "8: `fire` is not an irregularity; write foreign-card, card-count,"),
        (
            "report misdeal seen=maybe",
            "21: `seen=maybe` does not say what it should: write seen=yes or seen=no",
        ),
        ("report misdeal saw=yes", "16: `saw` is not a fact of a report; write count, seen,"),
        ("report misdeal seen=yes seen=no", "25: `seen` is said twice"),
        ("report misdeal moves=1-2", "22: `moves=1-2` does not say what it should: write moves=2>3,3>2"),
        (
            "decide void by boss",
            "16: `boss` is not a role; write dealer, pit-supervisor, pit-manager or shift-manager",
        ),
        ("decide nothing by dealer", "8: `nothing` is not a ruling; write void, continue,"),
        ("option 1 fold", "10: `fold` is not a choice; write continue, reconstructed or withdraw"),
        ("expect 1 ante wins", "15: `wins` is not a result; did you mean `win`?"),
        ("expect 1 ante win 5 citing three", "28: `three` is not a paragraph number: write it like 3.13,"),
        ("expect 1 hand pair", "15: `pair` is not a hand; write five-odd-cards, one-pair, two-pairs,"),
        ("expect dealer hand full-hous", "20: `full-hous` is not a hand; did you mean `full-house`?"),
        ("expect rain", "8: `rain` is not something that can be expected; write expect BOX AREA"),
        ("expect 1 net +5.125", "14: `5.125` has more than two decimals: the smallest coin is one cent"),
        ("expect", "7: what must hold is missing; write expect BOX AREA RESULT"),
        (
            "expect ruled so",
            "14: `so` is not a remedy; write void, continue, options, invalid, reconstruct or refer",
        ),
        ("game again", "1: the game was named before: another table can have another game with"),
    ] {
        let found = faults(&format!("game g\n{text}"));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        let expected = format!("line 2, column {expected}");
        assert!(found[0].starts_with(&expected), "{text}\n expected {expected}\n found    {}", found[0]);
    }
}

#[test]
fn all_faults_are_found_at_once() {
    let found = faults("# no game\nopen\nbte 1\n\nbet 9 ann ante 1.234\nboxes 4\n");
    let places: Vec<&str> = found.iter().filter_map(|fault| fault.split(": ").next()).collect();
    assert_eq!(places, ["line 2, column 1", "line 3, column 1", "line 5, column 16", "line 6, column 1"]);
    assert!(found[0].contains("its first line is `game ID`"), "{}", found[0]);
    assert!(found[3].contains("set-up comes before the first `open`"), "{}", found[3]);
}

#[test]
fn a_script_needs_its_game() {
    for text in ["", "\n\n", "# only a comment"] {
        assert_eq!(
            faults(text),
            ["line 1, column 1: the script does not begin with its game: its first line is `game ID`"]
        );
    }
}

#[test]
fn another_table_may_be_set_up_before_its_own_first_round() {
    let text = "game g\ntable a\nboxes 4\nopen\ntable b\nboxes 5\nopen\ntable a\nopen\n";
    assert!(faults(text).is_empty());
    assert_eq!(faults(&format!("{text}boxes 6")).len(), 1);
    // The jackpot is shared: once a round is open at any table, its meter can no longer be set.
    assert_eq!(faults("game g\ntable a\nopen\ntable b\njackpot meter 5").len(), 1);
}

#[test]
fn a_line_that_cannot_be_read_is_not_a_refusal() {
    let typos = [
        "bet 1 ann antee 50",
        "bet 1 ann ante 50.125",
        "bet 1 ann ante -5",
        "fold one",
        "bte 1 ann ante 5",
        "deal 1 2h 3x",
    ];
    for typo in typos {
        let found = faults(&format!("game g\nopen\n{typo}\nexpect refused"));
        assert_eq!(found.len(), 1, "{typo}: {found:?}");
        assert!(found[0].starts_with("line 3, "), "{typo}: {found:?}");
    }
}

#[test]
fn texts_from_other_systems_are_read() {
    let script =
        Script::parse("\u{feff}# RS 3.13\r\n#\r\n# more\r\n\r\n# not this\r\ngame g\r\nopen\r\n").unwrap();
    assert_eq!(script.heading, ["RS 3.13", "", "more"]);
    assert_eq!(script.lines.iter().map(|line| line.number).collect::<Vec<_>>(), [6, 7]);
    assert_eq!(script.to_string(), "# RS 3.13\n#\n# more\ngame g\n\nopen\n");
}
