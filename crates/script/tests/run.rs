//! The results of runs: what is implied, what is refused, what a failure says.

use baize_rules::Rulebook;
use baize_script::{Happened, Script, Transcript, json, run};
use baize_table::{BoxSettlement, Event, Phase};

fn played(text: &str) -> Transcript {
    let script = Script::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    run(&script, &|id| Rulebook::builtin(id).cloned())
}

/// The failures of a script: line, what was expected, what happened.
fn failures(text: &str) -> Vec<String> {
    let failures = played(text).failures.into_iter();
    failures.map(|f| format!("{}: {} | {}", f.line, f.expected, f.happened)).collect()
}

/// What happened at the table, event by event, by name.
fn events(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in played(text).entries {
        if let Happened::Done { events, .. } = entry.happened {
            names.extend(events.iter().map(name));
        }
    }
    names
}

fn name(event: &Event) -> String {
    let text = format!("{event:?}");
    text.split([' ', '{', '(']).next().unwrap_or_default().to_owned()
}

const CONTRACT: &str = "\
# RS 3.13: the dealer does not qualify. Antes are paid, bets go back, the jackpot pays all the same.
game rws-casino-stud
limit ante 25 5000
jackpot wager 5
jackpot meter 250000.00
jackpot reset 100000.00

open
bet 1 ann ante 50
bet 1 ann jackpot 5
bet 2 ben ante 100
close
deal 1 2h 5h 9h Jh Kh
deal 2 2c 2d 7s 8s Qd
deal dealer Ac Qs 9d 4c 3s
bet 1 ann bet 100
fold 2
reveal dealer
settle

expect 1 hand flush
expect 1 ante win 50 citing 3.13
expect 1 bet returned 100
expect 1 jackpot win 100 citing 4.2
expect 1 net +145
expect 2 ante lose 100
expect jackpot meter 250000.00
";

#[test]
fn the_contracts_own_example_holds() {
    assert_eq!(failures(CONTRACT), [""; 0]);
}

#[test]
fn the_contracts_own_example_as_data() {
    let data = json(&played(CONTRACT));
    let round = &data["rounds"][0];
    assert_eq!(round["outcome"], "settled");
    let lines = r#"[{"area":"ante","staked":"50.00","result":"win","amount":"50.00","cites":["3.13"]},"#
        .to_owned()
        + r#"{"area":"bet","staked":"100.00","result":"returned","amount":"100.00","cites":["3.13"]},"#
        + r#"{"area":"jackpot","staked":"5.00","result":"win","amount":"100.00","cites":["4.2"]}]"#;
    let one = &round["boxes"][0];
    assert_eq!(one["lines"].to_string(), lines);
    let head = (&one["box"], &one["player"], &one["hand"], &one["net"]);
    assert_eq!(head, (&1.into(), &"ann".into(), &"flush".into(), &"145.00".into()));
    assert_eq!(round["boxes"][1]["net"], "-100.00");
    assert_eq!(
        (&round["dealer"]["hand"], &round["dealer"]["qualifies"]),
        (&"five-odd-cards".into(), &false.into())
    );
    assert_eq!(round["jackpot"].to_string(), r#"{"meter":"250000.00"}"#);
    assert!(data.get("failures").is_none());
}

/// A stud round up to the decisions.
const STUD: &str = "\
game rws-casino-stud
open
bet 1 ann ante 50
close
deal 1 2h 5h 9h Jh Kh
deal dealer Ac Qs 9d 4c 3s
";

#[test]
fn every_expectation_says_what_was_expected_and_what_happened() {
    let settled = format!("{STUD}bet 1 ann bet 100\nreveal dealer\nsettle\n");
    for (expect, said) in [
        ("expect 1 ante lose 50", "box 1: ante lose 50.00 | box 1: ante win 50.00 (3.13)"),
        ("expect 1 ante win 51", "box 1: ante win 51.00 | box 1: ante win 50.00 (3.13)"),
        ("expect 1 ante win citing 3.14", "box 1: ante win citing 3.14 | box 1: ante win 50.00 (3.13)"),
        (
            "expect 1 jackpot win",
            "box 1: jackpot win | nothing lay on the jackpot of box 1; it had ante win 50.00 (3.13), bet returned 100.00 (3.13)",
        ),
        ("expect 2 ante win", "box 2: ante win | box 2 took no part in the round"),
        (
            "expect 1 net -5",
            "box 1: net -5.00 | box 1: net +50.00: ante win 50.00 (3.13), bet returned 100.00 (3.13)",
        ),
        ("expect 1 hand straight", "box 1: straight | box 1: flush"),
        ("expect 2 hand straight", "box 2: straight | box 2 took no part in the round"),
        (
            "expect dealer hand flush",
            "the dealer: flush | the dealer: five-odd-cards, which does not qualify",
        ),
        (
            "expect dealer qualifies",
            "the dealer qualifies | the dealer: five-odd-cards, which does not qualify",
        ),
        ("expect jackpot meter 5", "jackpot meter 5.00 | it shows 100000.00"),
        ("expect void citing 5.8", "the round is void citing 5.8 | the round is settled"),
        ("expect refused", "`settle` (line 9) is refused | it was done"),
        ("expect ruled void", "ruled void | nothing was reported in this round"),
        ("expect departs", "the cards depart from the dealing procedure | they do not"),
    ] {
        assert_eq!(failures(&format!("{settled}{expect}")), [format!("10: {said}")], "{expect}");
    }
    for holds in [
        "expect 2 net 0",
        "expect 1 ante win",
        "expect 1 bet returned 100 citing 3",
        "expect dealer no-hand",
        "expect settled",
    ] {
        assert_eq!(failures(&format!("{settled}{holds}")), [""; 0], "{holds}");
    }
    for (expect, said) in [
        ("expect 1 ante win", "7: box 1: ante win | the round is not settled"),
        ("expect settled", "7: the round is settled | the round is not over"),
        (
            "expect dealer no-hand",
            "7: the dealer has no qualifying hand | the dealer's hand has not been turned",
        ),
    ] {
        assert_eq!(failures(&format!("{STUD}{expect}")), [said], "{expect}");
    }
}

#[test]
fn a_refused_step_must_be_expected_and_changes_nothing() {
    let before = played(STUD);
    let refused = played(&format!("{STUD}bet 1 ann bet 70\nexpect refused citing 3.12.2\n"));
    assert!(refused.holds(), "{:?}", refused.failures);
    assert_eq!(
        before.rounds[0].round, refused.rounds[0].round,
        "not even the look that it implies has happened"
    );
    assert_eq!(
        failures(&format!("{STUD}bet 1 ann bet 70\nexpect 1 hand flush\nbet 1 ann bet 100\n")),
        [
            "7: `bet 1 ann bet 70` is done | refused: the bet must be exactly 100.00, 2 × the ante; 70.00 would lie there (3.12.2, 1.3, 3.7, 5.3.2)"
        ]
    );
    // Each operator's late withdrawal is refused in the words of its own text; an area that the layout lacks cites the layout.
    let refusal = |game: &str, line: &str| {
        failures(&format!("game {game}\nopen\nbet 1 ann ante 50\n{line}\n")).concat()
    };
    let rws = refusal("rws-casino-stud", "close\nwithdraw 1 ann ante");
    assert!(rws.contains("no bet is placed, increased or withdrawn") && rws.contains("(5.11)"), "{rws}");
    let mbs = refusal("mbs-megalink-stud", "close\nwithdraw 1 ann ante");
    assert!(mbs.contains("still win or lose") && mbs.contains("(5.6)"), "{mbs}");
    assert!(refusal("rws-casino-stud", "bet 1 ann bonus 5").ends_with("(2.1.1a)"));
    // Several things may be expected of one step.
    assert_eq!(
        failures(&format!(
            "{STUD}bet 1 ann bet 70\nexpect 1 hand flush\nexpect refused\nexpect refused citing 3.12\n"
        )),
        [""; 0]
    );
    assert_eq!(
        failures(&format!("{STUD}fold 1\nexpect refused citing 3.12\n")),
        ["8: `fold 1` (line 7) is refused citing 3.12 | it was done"]
    );
    assert_eq!(
        failures(&format!("{STUD}fold 9\nexpect refused citing 3.12\n"))[0].split(" | ").next(),
        Some("8: `fold 9` (line 7) is refused citing 3.12")
    );
    assert_eq!(
        failures("game rws-casino-stud\nboxes 9\nexpect refused\ndealing manual\nexpect refused\n"),
        [""; 0]
    );
}

#[test]
fn an_unknown_game_ends_the_run() {
    assert_eq!(
        failures("game rws-casino-studd\nopen\nclose\n"),
        [
            "1: `game rws-casino-studd` is done | refused: no rulebook has the id `rws-casino-studd`; did you mean `rws-casino-stud`?"
        ]
    );
}

#[test]
fn a_single_box_player_who_decides_has_looked() {
    assert_eq!(events(&format!("{STUD}fold 1"))[4..], ["CardsDealt", "HandLookedAt", "DecisionMade"]);
    assert_eq!(events(&format!("{STUD}look 1\nfold 1"))[4..], ["CardsDealt", "HandLookedAt", "DecisionMade"]);
    let two = "game rws-casino-stud\nopen\nbet 1 ann ante 50\nbet 2 ann ante 50\nclose\n\
               deal 1 2h 5h 9h Jh Kh\ndeal 2 2c 2d 7s 8s Qd\ndeal dealer Ac Qs 9d 4c 3s\nfold 1";
    assert!(
        !events(two).contains(&"HandLookedAt".to_owned()),
        "with two boxes a decision without a look is blind"
    );
}

/// A hold'em round after the flop decision.
const HOLDEM: &str = "\
game rws-progressive-holdem
open
bet 1 ann ante 50
close
deal 1 Ah Ad
bet 1 ann flop 100
";

#[test]
fn cards_dealt_in_their_own_turn_are_turned_when_play_goes_on() {
    let revealed = |text: &str| events(text).iter().filter(|name| *name == "CardsRevealed").count();
    let flop = format!("{HOLDEM}deal board 2c 7d\ndeal board 9s\n");
    assert_eq!(revealed(&flop), 0);
    assert_eq!(revealed(&format!("{flop}check 1\n")), 1);
    assert_eq!(revealed(&format!("{flop}reveal flop\ncheck 1\n")), 1);
    let river = format!(
        "{flop}check 1\nburn 3c\ndeal board Jh\nbet 1 ann turn 50\nexpect refused\ncheck 1\ndeal board Qh\n"
    );
    assert_eq!(revealed(&format!("{river}deal dealer Kc Kd\nreveal dealer\nsettle\nexpect settled")), 4);
    assert_eq!(
        failures(&format!("{river}deal dealer Kc Kd\nreveal dealer\nsettle\nexpect settled")),
        [""; 0]
    );
    // All at once: nothing is implied.
    assert_eq!(failures(&format!("{HOLDEM}deal board 2c 7d 9s Jh Qh\ncheck 1\n")).len(), 1);
    assert_eq!(failures(&format!("{HOLDEM}deal board 2c 7d 9s Jh\ncheck 1\n")).len(), 1);
    // Before the decision: nothing is implied.
    let early = HOLDEM.replace("bet 1 ann flop 100\n", "deal board 2c 7d 9s\n");
    assert_eq!(revealed(&format!("{early}bet 1 ann flop 100\n")), 0);
    assert_eq!(failures(&format!("{early}bet 1 ann flop 100\ncheck 1\n")).len(), 1);
}

#[test]
fn a_void_round_needs_no_settlement_and_takes_its_wagers_out_of_the_meter() {
    let text = "game rws-casino-stud\njackpot rate 20%\nopen\nbet 1 ann ante 50\nbet 1 ann jackpot 5\nclose\n\
                expect jackpot meter 100001\nreport foreign-card\nexpect void citing 5.8.1\nexpect ruled void\n\
                expect 1 ante returned 50 citing 5.22\nexpect jackpot meter 100000\n";
    assert_eq!(failures(text), [""; 0]);
    assert_eq!(failures(&format!("{text}settle\nexpect void\nopen\n")), [""; 0]);
    assert_eq!(
        failures(&format!("{text}settle\nexpect settled\n")),
        ["14: the round is settled | the round is void (5.8.1, 5.22)"]
    );
}

#[test]
fn tables_share_one_jackpot_and_have_their_own_rounds() {
    let text = "game mbs-megalink-stud\nlimit ante 10 500\nboxes 3\njackpot meter 1000\njackpot rate 10%\n\
                table a\nopen\nbet 3 ann ante 10\nbet 3 ann jackpot 5\nclose\n\
                table b mbs-megalink-holdem\nopen\nbet 6 ben ante 5\nexpect refused\nbet 6 ben ante 10\nbet 6 ben jackpot 5\nclose\n\
                expect jackpot meter 1001\ntable a\nopen\nexpect refused\n";
    assert_eq!(failures(text), [""; 0]);
    let transcript = played(text);
    let games: Vec<&str> =
        transcript.rounds.iter().map(|r| transcript.tables[r.table].book.id.as_str()).collect();
    assert_eq!(games, ["mbs-megalink-stud", "mbs-megalink-holdem"]);
    let other = failures(&format!("{text}table c rws-casino-stud\nopen\n"));
    assert!(other[0].contains("links games of one operator"), "{other:?}");
    assert_eq!(
        failures(&format!("{text}table a rws-casino-stud\n")),
        [
            "22: `table a rws-casino-stud` is done | refused: table a is there already and plays mbs-megalink-stud"
        ]
    );
}

#[test]
fn an_award_that_waits_for_its_turn_is_not_paid_on_a_void_round() {
    let text = "game rws-casino-stud\njackpot meter 5000\njackpot reset 700\n\
                table north\nopen\nbet 1 ann ante 10\nbet 1 ann jackpot 5\nclose\ndeal 1 3c 6d 9h Js Kc\ndeal dealer Ad Kh 8c 7s 2d\n\
                table south\nopen\nbet 2 ben ante 10\nbet 2 ben jackpot 5\nclose\ndeal 2 Th Jh Qh Kh Ah\ndeal dealer 4c 4d 9s 7h 3s\n\
                bet 2 ben bet 20\nreveal dealer\nsettle\nexpect 2 jackpot pending\n";
    let north = "table north\nfold 1\nreveal dealer\nsettle\ntable south\n";
    assert_eq!(
        failures(&format!("{text}{north}expect 2 jackpot win 5000\nexpect jackpot meter 700\n")),
        [""; 0]
    );
    let void = "report wrong-dealer-hand reconstructable=no\nexpect void citing 5.8.7\n";
    assert_eq!(
        failures(&format!("{text}{void}{north}expect 2 jackpot returned 5\nexpect jackpot meter 5000\n")),
        [""; 0]
    );
}

#[test]
fn a_hand_made_script_does_not_panic() {
    let script = Script::parse(CONTRACT).unwrap();
    for skipped in 0..script.lines.len() {
        let mut script = script.clone();
        script.lines.drain(..skipped);
        assert_eq!(run(&script, &|id| Rulebook::builtin(id).cloned()).holds(), skipped == 0, "{skipped}");
        script.lines.reverse();
        assert!(!run(&script, &|id| Rulebook::builtin(id).cloned()).holds());
    }
}

/// The paragraphs of all lines of the latest round's slips, each once, in order.
fn cited(text: &str) -> Vec<String> {
    let transcript = played(text);
    assert!(transcript.failures.is_empty(), "{:?}", transcript.failures);
    let mut cited: Vec<String> = last_slips(&transcript)
        .iter()
        .flat_map(|slip| &slip.lines)
        .map(|line| line.cites.to_string())
        .collect();
    cited.dedup();
    cited
}

fn last_slips(transcript: &Transcript) -> &[BoxSettlement] {
    match transcript.rounds.last().map(|record| &record.round.phase) {
        Some(Phase::Finished(finished)) => &finished.boxes,
        other => panic!("{other:?}"),
    }
}

const DEALT: &str = "\
game mbs-megalink-holdem
open
bet 1 ann ante 50
bet 2 ben ante 50
close
deal board 2c 3c 4c 9d Kd
";

#[test]
fn a_void_cites_the_paragraph_that_makes_it_void_and_no_other() {
    let hands = "deal 1 5c 6c\ndeal 2 5d 6d\n";
    let by_cards = [
        ("report exposed-cards count=2", "5.4"),
        ("report misdeal seen=no reconstructable=no", "5.2"),
        ("report other\ndecide void by shift-manager", "6.1"),
        ("report foreign-card", "5.1.1"),
    ];
    for (report, paragraph) in by_cards {
        assert_eq!(cited(&format!("{DEALT}{hands}{report}\nexpect void")), [paragraph], "{report}");
    }
}

#[test]
fn a_withdrawal_cites_the_paragraph_that_gives_the_option() {
    let power =
        "deal 1 5c 6c\ndeal 2 5d 6d\nreport power-failure\noption 1 withdraw\noption 2 withdraw\nsettle";
    assert_eq!(cited(&format!("{DEALT}{power}")), ["5.16.1"]);
    let wrong = "deal 1 5c 6c 7c\ndeal 2 5d 6d\nreport wrong-player-hand 1 reconstructable=no\n\
                 decide permit-withdrawal by pit-supervisor\noption 2 withdraw\nsettle";
    assert_eq!(cited(&format!("{DEALT}{wrong}")), ["5.7", "5.7.1"]);
}

#[test]
fn a_part_under_the_minimum_goes_back_to_its_own_player() {
    let transcript = played(
        "game mbs-megalink-stud\nlimit ante 50 500\nstanding under-minimum ann\nopen\n\
         bet 1 ben ante 10 unnoticed\nbet 1 ann ante 15 unnoticed\nclose\n\
         deal 1 2h 5h 9h Jh Kd\ndeal dealer Ac Ks 9d 4c 3s\nfold 1\nsettle",
    );
    assert!(transcript.failures.is_empty(), "{:?}", transcript.failures);
    let shares: Vec<String> = last_slips(&transcript)[0]
        .shares()
        .iter()
        .map(|share| format!("{} {} of {}", share.player, share.handed_over, share.staked))
        .collect();
    assert_eq!(shares, ["ben 0.00 of 10.00", "ann 15.00 of 15.00"]);
}

#[test]
fn only_what_a_game_leaves_open_is_read_otherwise() {
    let not_open = [
        ("rws-casino-stud", "I-1 lost-with-hand"),
        ("rws-casino-stud", "I-3 reset"),
        ("rws-casino-stud", "I-7 collected"),
        ("rws-progressive-holdem", "I-7 collected"),
        ("mbs-megalink-stud", "I-7 collected"),
        ("mbs-holdem-bonus", "I-3 reset"),
    ];
    for (game, reading) in not_open {
        let found = failures(&format!("game {game}\ninterpret {reading}\nopen"));
        assert_eq!(found.len(), 1, "{game} {reading}: {found:?}");
        assert!(found[0].starts_with("2: ") && found[0].contains("is not open in this game"), "{found:?}");
    }
    // A table of another game does not need the point.
    let linked =
        "game mbs-megalink-holdem\ninterpret I-7 collected\ntable a\nopen\ntable b mbs-megalink-stud\nopen";
    assert_eq!(failures(linked), Vec::<String>::new());
}

#[test]
fn a_jackpot_links_games_of_one_operator() {
    let script = "game rws-casino-stud\ntable B mbs-megalink-stud\nopen\n";
    assert_eq!(
        failures(script),
        [
            "3: `open` is done | refused: the tables of a script share a jackpot, which links games of one operator: \
             mbs-megalink-stud is MBS's and the first game is RWS's"
        ]
    );
    assert_eq!(failures(&format!("{script}expect refused\n")), [""; 0]);
    assert_eq!(failures("game rws-casino-stud\ntable B rws-progressive-holdem\nopen\n"), [""; 0]);
}
